// A bare page's way to a first gradient with jax-js.

import { type Array as Arr, defaultDevice, grad, init, numpy as np } from "@jax-js/jax";
import { done } from "./done.ts";

await init("wasm");
defaultDevice("wasm");
const gradient = grad((x: Arr) => np.sum(np.sin(x.ref).mul(x)))(np.array([0, 1, 2, 3]));
done((await gradient.data()) as Float32Array);
