// Per-example gradients: vmap of grad
// Shows: a gradient of one example, mapped over a batch without a loop.
import { grad, np, print, vmap } from "cotangent";

const loss = (w, x, y) => (np.dot(w, x) - y) ** 2;

const w = np.array([1.0, -2.0, 0.5]);
const xs = np.reshape(np.arange(12, { dtype: "float32" }), [4, 3]) / 10;
const ys = np.array([0.0, 1.0, 0.0, 1.0]);

const perExample = vmap(grad(loss), { inAxes: [null, 0, 0] });
const gradients = perExample(w, xs, ys);
print(gradients);
print("their mean:", np.mean(gradients, { axis: 0 }));
