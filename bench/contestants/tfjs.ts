// TensorFlow.js on its WebAssembly backend. It has no compiler; `tidy` and `dispose` give memory back.

import * as tf from "@tensorflow/tfjs-core";
import "@tensorflow/tfjs-core/dist/register_all_gradients";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import type { CaseId, Contestant, Mode } from "../contestant.ts";

type Inputs = Record<string, tf.Tensor>;

const chain = (x: tf.Tensor): tf.Tensor =>
  tf.sum(tf.mul(tf.tanh(tf.add(tf.mul(tf.sin(x), tf.exp(x)), tf.log(x))), x));

const scalar = (x: tf.Tensor): tf.Tensor =>
  tf.mul(tf.mul(tf.tanh(tf.add(tf.mul(tf.sin(x), x), tf.exp(tf.neg(x)))), tf.log(tf.add(x, 2))), x);

const cheap = (x: tf.Tensor): tf.Tensor => {
  const y = tf.abs(tf.sub(tf.mul(tf.add(tf.mul(x, 2), 1), x), 0.5));
  return tf.add(tf.minimum(tf.maximum(y, 0.1), 3), x);
};

const unary: Partial<Record<CaseId, (x: tf.Tensor) => tf.Tensor>> = {
  chain,
  chainGradient: tf.grad(chain),
  cheap,
  softmax: (x) => tf.softmax(x, 1),
  sumColumns: (x) => tf.sum(x, 0),
  sumRows: (x) => tf.sum(x, 1),
  cumsum: (x) => tf.cumsum(x),
  // Its only sort: descending, so of the negated values.
  sort: (x) => tf.neg(tf.topk(tf.neg(x), x.size, true).values),
  scalarGradient: tf.grad(scalar),
  vmapGradient: tf.grad((x) => tf.sum(scalar(x))),
  adds: (x) => {
    let sum = x;
    for (let i = 0; i < 1000; i++) sum = tf.add(sum, x);
    return sum;
  },
};

function program(id: CaseId, _mode: Mode, inputs: Inputs): (() => tf.Tensor) | null {
  const { a, b, x, y } = inputs;
  if (id === "matmul") return () => tf.matMul(a as tf.Tensor2D, b as tf.Tensor2D);
  if (id === "mlpGradient") {
    const loss = (w1: tf.Tensor, b1: tf.Tensor, w2: tf.Tensor, b2: tf.Tensor) => {
      const activation = tf.tanh(tf.add(tf.matMul(x as tf.Tensor2D, w1 as tf.Tensor2D), b1));
      const scores = tf.logSoftmax(tf.add(tf.matMul(activation, w2), b2));
      return tf.neg(tf.mean(tf.sum(tf.mul(scores, y), 1)));
    };
    const gradients = tf.grads(loss as (...args: tf.Tensor[]) => tf.Tensor);
    const { w1, b1, w2, b2 } = inputs;
    return () => tf.tidy(() => gradients([w1, b1, w2, b2])[0]);
  }
  const run = unary[id];
  return run ? () => tf.tidy(() => run(x)) : null;
}

export const tfjs: Contestant<tf.Tensor> = {
  name: "tfjs",
  modes: ["eager"],
  async load(assets) {
    setWasmPaths(assets);
    await tf.setBackend("wasm");
    await tf.ready();
  },
  put: ({ shape, data }) => tf.tensor(data, [...shape], "float32"),
  program,
  read: async (value) => value.dataSync() as Float32Array,
  drop: (value) => value.dispose(),
  async train(weights, steps) {
    const gradient = tf.grad((w: tf.Tensor) => tf.mul(tf.sum(tf.mul(w, w)), 0.5));
    let w = this.put(weights);
    for (let i = 0; i < steps; i++) {
      const next = tf.tidy(() => tf.sub(w, tf.mul(gradient(w), 0.01)));
      w.dispose();
      w = next;
    }
    const result = (await w.data()) as Float32Array;
    w.dispose();
    return result;
  },
};
