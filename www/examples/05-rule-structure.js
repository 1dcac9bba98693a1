// A rule of the wrong structure
// Shows: leaf by leaf, what bwd must return and what it returned.
import { customVjp, grad, np, print } from "cotangent";

const weighted = customVjp((params, x) => np.sum(params.w * x + params.b));
weighted.defvjp(
  (params, x) => [np.sum(params.w * x + params.b), [params.w, x]],
  // Two arguments need two cotangents, and the first a dict with b and w.
  ([w, x], g) => [{ w: g * x }, g * w],
);

const params = { w: np.array([1.0, 2.0]), b: np.array([0.5, 0.5]) };
print(grad(weighted)(params, np.array([3.0, 4.0])));
