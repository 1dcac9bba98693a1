/** Programs that several tests run. */
export const FOUNDING = `import { np, grad, bufferCallback, ShapeDtypeStruct, print } from "cotangent";

const hostSin = (ctx, out, x) => { for (let i = 0; i < x.length; i++) out[i] = Math.sin(x[i]); };
const sin = bufferCallback(hostSin, ShapeDtypeStruct([4], "float32"));
const loss = (x) => np.sum(sin(x) * x);
print(grad(loss)(np.arange(4, { dtype: "float32" })));
`;
