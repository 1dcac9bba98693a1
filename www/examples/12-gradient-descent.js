// Gradient descent and its loss
// Shows: a training loop in plain code, and a line plot of its loss.
import { np, plot, print, valueAndGrad } from "cotangent";

// Points on a line, a little off it.
const n = 40;
const x = np.linspace(-1, 1, n);
const y = 0.8 * x - 0.3 + 0.1 * np.sin(17 * x);

const loss = (params) => np.mean((params.slope * x + params.offset - y) ** 2);
const step = valueAndGrad(loss);

let params = { slope: np.array(0.0), offset: np.array(0.0) };
const losses = [];
for (let i = 0; i < 60; i++) {
  const [value, g] = step(params);
  losses.push(value.item());
  params = {
    slope: params.slope - 0.3 * g.slope,
    offset: params.offset - 0.3 * g.offset,
  };
}

plot(losses, { title: "Loss", xlabel: "step", ylabel: "mean squared error" });
print("slope", params.slope, "offset", params.offset);
