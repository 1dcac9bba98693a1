// Cotangent as a user of the library writes it: methods for operators, nothing given back by hand.

import type { CaseId, Contestant, Mode } from "../contestant.ts";
import { type Arr, grad, jit, nn, np, vmap } from "../library.ts";

type Inputs = Record<string, Arr>;

const chain = (x: Arr): Arr => np.sum(np.tanh(np.sin(x).mul(np.exp(x)).add(np.log(x))).mul(x));

const scalar = (x: Arr): Arr =>
  np
    .tanh(np.sin(x).mul(x).add(np.exp(x.neg())))
    .mul(np.log(x.add(2)))
    .mul(x);

const cheap = (x: Arr): Arr =>
  np.minimum(np.maximum(np.abs(x.mul(2).add(1).mul(x).sub(0.5)), 0.1), 3).add(x);

const loss = ([w1, b1, w2, b2]: Arr[], x: Arr, y: Arr): Arr => {
  const activation = np.tanh(np.matmul(x, w1).add(b1));
  const scores = nn.logSoftmax(np.matmul(activation, w2).add(b2));
  return np.mean(np.sum(scores.mul(y), { axis: 1 })).neg();
};

const adds = (x: Arr): Arr => {
  let sum = x;
  for (let i = 0; i < 1000; i++) sum = sum.add(x);
  return sum;
};

const unary: Partial<Record<CaseId, (x: Arr) => Arr>> = {
  chain,
  chainGradient: grad(chain),
  cheap,
  softmax: (x) => nn.softmax(x, { axis: 1 }),
  sumColumns: (x) => np.sum(x, { axis: 0 }),
  sumRows: (x) => np.sum(x, { axis: 1 }),
  cumsum: (x) => np.cumsum(x),
  sort: (x) => np.sort(x),
  scalarGradient: grad(scalar),
  vmapGradient: vmap(grad(scalar)),
  adds,
};

function program(id: CaseId, mode: Mode, inputs: Inputs): (() => Arr) | null {
  const compile = <F>(f: F): F => (mode === "jit" ? jit(f) : f);
  const { a, b, w1, b1, w2, b2, x, y } = inputs;
  if (id === "matmul") return () => np.matmul(a, b);
  if (id === "mlpGradient") {
    const gradient = compile(grad(loss));
    return () => gradient([w1, b1, w2, b2], x, y)[0];
  }
  const plain = unary[id];
  if (!plain) return null;
  const run = compile(plain);
  return () => run(x);
}

export const cotangent: Contestant<Arr> = {
  name: "cotangent",
  modes: ["eager", "jit"],
  async load() {},
  put: ({ shape, data }) => np.reshape(np.array(data), shape),
  program,
  read: async (value) => value.data(),
  drop() {},
  async train(weights, steps) {
    const gradient = grad((w: Arr) => np.sum(w.mul(w)).mul(0.5));
    let w = this.put(weights);
    for (let i = 0; i < steps; i++) {
      w = w.sub(gradient(w).mul(0.01));
      // As a page does that shows its progress; the memory of the step goes back meanwhile.
      await new Promise((resolve) => setTimeout(resolve));
    }
    return w.data();
  },
};
