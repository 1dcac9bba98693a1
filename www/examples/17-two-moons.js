// A small network on two moons
// Shows: an MLP trained in the page, its loss, and what it learned.
import { jit, nn, np, plot, print, tree, valueAndGrad } from "cotangent";

// A generator of our own, so that every run is the same.
let seed = 7;
const uniform = () => {
  seed = (seed * 16807) % 2147483647;
  return seed / 2147483647;
};
const noise = () => (uniform() + uniform() + uniform() - 1.5) * 0.15;

const points = [];
const labels = [];
for (let i = 0; i < 100; i++) {
  const t = Math.PI * uniform();
  const upper = i % 2 === 0;
  const px = upper ? Math.cos(t) : 1 - Math.cos(t);
  const py = upper ? Math.sin(t) : 0.5 - Math.sin(t);
  points.push([px + noise(), py + noise()]);
  labels.push(upper ? 1 : 0);
}
const x = np.array(points, { dtype: "float32" });
const y = np.array(labels, { dtype: "float32" });

const layer = (rows, columns) => {
  const w = [];
  for (let i = 0; i < rows * columns; i++) w.push((uniform() - 0.5) * (2 / Math.sqrt(rows)) * 1.7);
  return {
    w: np.reshape(np.array(w, { dtype: "float32" }), [rows, columns]),
    b: np.zeros([columns]),
  };
};
let params = [layer(2, 16), layer(16, 16), layer(16, 1)];

const score = (params, x) => {
  const [a, b, c] = params;
  let h = np.tanh(np.matmul(x, a.w) + a.b);
  h = np.tanh(np.matmul(h, b.w) + b.b);
  return np.squeeze(np.matmul(h, c.w) + c.b, { axis: 1 });
};
const loss = (params) => {
  const s = score(params, x);
  return np.mean(nn.softplus(s) - y * s);
};

const step = jit((params) => {
  const [value, g] = valueAndGrad(loss)(params);
  return [value, tree.map((p, d) => p - 0.5 * d, params, g)];
});

const losses = [];
for (let i = 0; i < 400; i++) {
  const [value, next] = step(params);
  params = next;
  losses.push(value.item());
}
plot(losses, { title: "Loss", xlabel: "step", ylabel: "cross entropy" });

const right = np.mean(np.equal(score(params, x) > 0, y > 0.5));
print("right on", right, "of the points");

// The score over the plane, as an image: one row of pixels per value of y.
const width = 96;
const height = 64;
const across = np.linspace(-1.5, 2.5, width);
const down = np.linspace(1.5, -1, height);
const grid = np.stack([np.tile(across, [height]), np.repeat(down, width)], { axis: 1 });
plot(nn.sigmoid(np.reshape(score(params, grid), [height, width])), {
  title: "Probability of the upper moon",
});
