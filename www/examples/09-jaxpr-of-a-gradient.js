// The jaxpr of a gradient
// Shows: what grad makes of a function, equation by equation.
import { grad, makeJaxpr, np, print } from "cotangent";

const f = (x, y) => np.sum(np.sin(x) * y);

const x = np.arange(3, { dtype: "float32" });
print(makeJaxpr(f)(x, x));
print(makeJaxpr(grad(f))(x, x));
// In the Jaxpr view, point at an equation to see where it comes from.
