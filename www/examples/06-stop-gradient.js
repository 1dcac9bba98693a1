// stop_gradient, straight through
// Shows: rounding has no useful gradient, until one is passed around it.
import { grad, np, print, stopGradient } from "cotangent";

const hard = (x) => np.sum(np.round(x) ** 2);

// Forward it rounds; backward the rounding is not there.
const roundThrough = (x) => x + stopGradient(np.round(x) - x);
const soft = (x) => np.sum(roundThrough(x) ** 2);

const x = np.array([0.2, 0.9, 2.4]);
print("values:          ", hard(x), soft(x));
print("through round:   ", grad(hard)(x));
print("straight through:", grad(soft)(x));
