// jax-js on its WebAssembly backend. Every use of an array but the last takes a `.ref`.

import {
  type Array as Arr,
  blockUntilReady,
  defaultDevice,
  grad,
  init,
  jit,
  nn,
  numpy as np,
  vmap,
} from "@jax-js/jax";
import type { CaseId, Contestant, Mode } from "../contestant.ts";

type Inputs = Record<string, Arr>;

const chain = (x: Arr): Arr =>
  np.sum(np.tanh(np.sin(x.ref).mul(np.exp(x.ref)).add(np.log(x.ref))).mul(x));

const scalar = (x: Arr): Arr =>
  np
    .tanh(np.sin(x.ref).mul(x.ref).add(np.exp(x.ref.neg())))
    .mul(np.log(x.ref.add(2)))
    .mul(x);

const cheap = (x: Arr): Arr =>
  np.minimum(np.maximum(np.abs(x.ref.mul(2).add(1).mul(x.ref).sub(0.5)), 0.1), 3).add(x);

const loss = ([w1, b1, w2, b2]: Arr[], x: Arr, y: Arr): Arr => {
  const activation = np.tanh(np.matmul(x, w1).add(b1));
  const scores = nn.logSoftmax(np.matmul(activation, w2).add(b2));
  return np.mean(np.sum(scores.mul(y), 1)).neg();
};

const gradientOfLoss = (w1: Arr, b1: Arr, w2: Arr, b2: Arr, x: Arr, y: Arr) =>
  grad(loss)([w1, b1, w2, b2], x, y);

/** Each program as a function of its inputs, all of which it consumes. */
const unary: Partial<Record<CaseId, (x: Arr) => Arr>> = {
  chain,
  chainGradient: grad(chain),
  cheap,
  softmax: (x) => nn.softmax(x, 1),
  sumColumns: (x) => np.sum(x, 0),
  sumRows: (x) => np.sum(x, 1),
  cumsum: (x) => np.cumsum(x),
  sort: (x) => np.sort(x),
  scalarGradient: grad(scalar),
  vmapGradient: vmap(grad(scalar)),
};

function program(id: CaseId, mode: Mode, inputs: Inputs): (() => Arr) | null {
  const { x, y } = inputs;
  if (id === "matmul") return () => np.matmul(inputs.a.ref, inputs.b.ref);
  if (id === "adds") {
    return () => {
      let sum = x.ref;
      for (let i = 0; i < 1000; i++) sum = sum.add(x.ref);
      return sum;
    };
  }
  if (id === "mlpGradient") {
    const run = mode === "jit" ? jit(gradientOfLoss) : gradientOfLoss;
    const { w1, b1, w2, b2 } = inputs;
    return () => {
      const [first, ...others] = run(w1.ref, b1.ref, w2.ref, b2.ref, x.ref, y.ref) as Arr[];
      for (const other of others) other.dispose();
      return first;
    };
  }
  const plain = unary[id];
  if (!plain) return null;
  const run = mode === "jit" ? jit(plain) : plain;
  return () => run(x.ref) as Arr;
}

export const jaxjs: Contestant<Arr> = {
  name: "jax-js",
  modes: ["eager", "jit"],
  async load() {
    await init("wasm");
    defaultDevice("wasm");
  },
  put: ({ shape, data }) => np.array(data.slice(), { shape: [...shape] }),
  program,
  finish: (result) => blockUntilReady(result),
  read: async (value) => (await value.ref.data()) as Float32Array,
  drop: (value) => value.dispose(),
  async train(weights, steps) {
    const step = jit((w: Arr) => {
      const gradient = grad((v: Arr) => np.sum(v.ref.mul(v)).mul(0.5))(w.ref);
      return w.sub(gradient.mul(0.01));
    });
    let w = this.put(weights);
    for (let i = 0; i < steps; i++) {
      w = step(w) as Arr;
      await w.blockUntilReady();
    }
    return (await w.data()) as Float32Array;
  },
};
