// A bare page's way to a first gradient with TensorFlow.js.

import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-core/dist/register_all_gradients";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import { done } from "./done.ts";

setWasmPaths("./");
await tf.setBackend("wasm");
await tf.ready();
const gradient = tf.grad((x: tf.Tensor) => tf.sum(tf.mul(tf.sin(x), x)))(tf.tensor1d([0, 1, 2, 3]));
done(gradient.dataSync() as Float32Array);
