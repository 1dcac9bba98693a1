// NaN through where
// Shows: the branch not taken still spoils the gradient, and the cure.
import { grad, np, print } from "cotangent";

// At 0 the value is fine, but the derivative of sqrt there is infinite,
// and infinity times the 0 that where passes back is NaN.
const trap = (x) => np.where(x > 0, np.sqrt(x), 0.0);

// The cure: give the branch not taken a harmless argument.
const safe = (x) => {
  const inside = np.where(x > 0, x, 1.0);
  return np.where(x > 0, np.sqrt(inside), 0.0);
};

print("values:   ", trap(0.0), safe(0.0));
print("gradients:", grad(trap)(0.0), grad(safe)(0.0));
print("at 4:     ", grad(trap)(4.0), grad(safe)(4.0));
