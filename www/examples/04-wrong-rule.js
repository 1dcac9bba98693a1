// A wrong rule is caught
// Shows: every custom rule is compared with finite differences.
import { customVjp, grad, np, print } from "cotangent";

// This rule is found all over the web. It passes the cotangent on
// unchanged, which is right for x => x and wrong for sin.
const sin = customVjp((x) => np.sin(x));
sin.defvjp(
  (x) => [np.sin(x), null],
  (_, g) => [g],
);

const x = np.array([0.0, 1.0, 2.0]);
print("the rule says:", grad((x) => np.sum(sin(x)))(x));
print("it should say:", np.cos(x));
// Diagnosis has the numbers.
