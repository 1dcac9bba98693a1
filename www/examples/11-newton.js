// Newton's method with a Hessian
// Shows: second derivatives, and how few steps they save.
import { grad, hessian, np, print } from "cotangent";

// Rosenbrock's valley: its lowest point is at [1, 1].
const f = (x) => (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2;

// The solution of a 2 by 2 system, by Cramer's rule.
const solve = (h, g) => {
  const det = h[0][0] * h[1][1] - h[0][1] * h[1][0];
  const first = g[0] * h[1][1] - h[0][1] * g[1];
  const second = h[0][0] * g[1] - g[0] * h[1][0];
  return np.stack([first, second]) / det;
};

let x = np.array([-1.2, 1.0]);
for (let step = 0; step < 7; step++) {
  print(step, x, "f =", f(x));
  x = x - solve(hessian(f)(x), grad(f)(x));
}
print("end", x);
