// A callback stops the gradient
// Shows: which call grad cannot see through, where, and what to do.
import { bufferCallback, grad, np, print, ShapeDtypeStruct } from "cotangent";

const hostSin = (ctx, out, x) => {
  for (let i = 0; i < x.length; i++) out[i] = Math.sin(x[i]);
};
const sin = bufferCallback(hostSin, ShapeDtypeStruct([4], "float32"));
const loss = (x) => np.sum(sin(x) * x);

print(loss(np.arange(4, { dtype: "float32" })));
print(grad(loss)(np.arange(4, { dtype: "float32" })));
