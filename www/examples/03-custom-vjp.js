// A custom_vjp rule, done right
// Shows: fwd gives value and residuals, bwd one cotangent per argument.
import { bufferCallback, customVjp, grad, np, print, ShapeDtypeStruct } from "cotangent";

const hostSin = bufferCallback(
  (ctx, out, x) => {
    for (let i = 0; i < x.length; i++) out[i] = Math.sin(x[i]);
  },
  ShapeDtypeStruct([4], "float32"),
);

const sin = customVjp((x) => hostSin(x));
sin.defvjp(
  (x) => [hostSin(x), x], // the value, and what the way back needs
  (x, g) => [g * np.cos(x)], // an array: one cotangent for the one argument
);

const loss = (x) => np.sum(sin(x) * x);
const x = np.arange(4, { dtype: "float32" });
print("gradient:           ", grad(loss)(x));
print("cos(x) * x + sin(x):", np.cos(x) * x + np.sin(x));
