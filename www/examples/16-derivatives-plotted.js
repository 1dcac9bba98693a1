// A function and its derivatives
// Shows: grad of grad of grad, mapped over points and plotted.
import { grad, np, plot, vmap } from "cotangent";

const f = (x) => np.exp(-(x ** 2)) * np.sin(3 * x);

const x = np.linspace(-2, 2, 161);
const first = grad(f);
const second = grad(first);
plot(
  [
    { label: "f", x, y: vmap(f)(x) },
    { label: "f'", x, y: vmap(first)(x) },
    { label: "f''", x, y: vmap(second)(x) },
  ],
  { title: "exp(-x²) sin(3x)", xlabel: "x" },
);
