// A leaked tracer
// Shows: a value that outlives its trace, and where it was made.
import { jit, np, print } from "cotangent";

let remembered;
const f = jit((x) => {
  const doubled = x * 2;
  remembered = doubled; // a side effect of tracing: it keeps a tracer, not a value
  return doubled + 1;
});

print(f(np.array([1.0, 2.0])));
print(remembered + 1);
