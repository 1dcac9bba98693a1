// A bare page's way to a first gradient with the library.

import { type Arr, grad, np } from "../library.ts";
import { done } from "./done.ts";

const gradient = grad((x: Arr) => np.sum(np.sin(x).mul(x)))(np.array(Float32Array.of(0, 1, 2, 3)));
done(gradient.data());
