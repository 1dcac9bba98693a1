// log1pexp with a custom_jvp rule
// Shows: a derivative that is right on paper and NaN in float32, mended.
import { customJvp, grad, np, print } from "cotangent";

const naive = (x) => np.log(1 + np.exp(x));

const log1pexp = customJvp((x) => np.log(1 + np.exp(x)));
log1pexp.defjvp(([x], [t]) => {
  // Written so that exp(x) may overflow: 1 - 1 / inf is 1.
  const slope = 1 - 1 / (1 + np.exp(x));
  return [log1pexp(x), slope * t];
});

print("at 3:  ", grad(naive)(3.0), grad(log1pexp)(3.0));
print("at 100:", grad(naive)(100.0), grad(log1pexp)(100.0));
print("second derivative at 3:", grad(grad(log1pexp))(3.0));
