// pure_callback under vmap
// Shows: what vmapMethod decides, and what happens without it.
import { np, print, pureCallback, ShapeDtypeStruct, vmap } from "cotangent";

let calls = 0;
const hostNorm = (x) => {
  calls += 1;
  let sum = 0;
  for (const v of x.data()) sum += v * v;
  return Math.sqrt(sum);
};
const shape = ShapeDtypeStruct([], "float32");
const norm = (x) => pureCallback(hostNorm, shape, x, { vmapMethod: "sequential" });

const rows = np.array([
  [3.0, 4.0],
  [5.0, 12.0],
  [8.0, 15.0],
]);
print(vmap(norm)(rows), "in", calls, "calls");

// Without a vmapMethod nobody has said how to call hostNorm on a batch.
const bare = (x) => pureCallback(hostNorm, shape, x);
print(vmap(bare)(rows));
