// Transposing a callback
// Shows: even a linear callback has no transpose of its own.
import { bufferCallback, linearTranspose, np, print, ShapeDtypeStruct } from "cotangent";

// A running sum is linear, and its transpose is the running sum from the other end.
// The engine cannot know that: all it sees is a function that fills memory.
const hostCumsum = (ctx, out, x) => {
  let sum = 0;
  for (let i = 0; i < x.length; i++) out[i] = sum += x[i];
};
const runningSum = bufferCallback(hostCumsum, ShapeDtypeStruct([3], "float32"));

print("forward:", runningSum(np.array([1.0, 2.0, 3.0])));

const transposed = linearTranspose(runningSum, np.zeros([3]));
print("transposed:", transposed(np.array([1.0, 2.0, 3.0])));
