// The table of what is measured: inputs, the exact answer at some places, and how it is counted.

import type { CaseId, Mode, Tensor } from "./contestant.ts";

/** One line of the table. */
export interface Case {
  readonly key: string;
  readonly title: string;
  readonly id: CaseId;
  /** The modes that are entered; a library without one enters with what it has. */
  readonly modes: readonly Mode[];
  /** How often one sample runs the program, where a single run is too short for the clock. */
  readonly repeat: number;
  /** By what a run is divided: the operations in it. */
  readonly per: number;
  readonly unit: "ms" | "µs";
  readonly tolerance: number;
  inputs(): Record<string, Tensor>;
  /** Exact values of the result at some flat indices. */
  answer(inputs: Record<string, Float32Array>): Map<number, number>;
}

/** A million as memory counts: the size that suits every library best. */
const million = 2 ** 20;

/** A small generator with a fixed seed: every run, library and machine sees the same numbers. */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

function uniform(seed: number, shape: readonly number[], low: number, high: number): Tensor {
  const next = random(seed);
  const data = new Float32Array(shape.reduce((a, b) => a * b, 1));
  for (let i = 0; i < data.length; i++) data[i] = low + (high - low) * next();
  return { shape, data };
}

/** Some indices below `count`, first and last among them. */
function places(count: number): number[] {
  const next = random(7);
  return [0, count - 1, ...Array.from({ length: 30 }, () => Math.floor(next() * count))];
}

const at = (indices: number[], value: (index: number) => number) =>
  new Map(indices.map((index) => [index, value(index)]));

const whole = (value: number) => new Map([[0, value]]);

const one = { repeat: 1, per: 1, unit: "ms" } as const;
// A page's clock has steps of 0.1 ms.
const ten = { repeat: 10, per: 10, unit: "ms" } as const;
const both = ["eager", "jit"] as const;

function matmul(n: number): Case {
  return {
    ...one,
    key: `matmul${n}`,
    title: `matmul ${n} × ${n}`,
    id: "matmul",
    modes: ["eager"],
    tolerance: 1e-3,
    inputs: () => ({ a: uniform(1, [n, n], -1, 1), b: uniform(2, [n, n], -1, 1) }),
    answer: ({ a, b }) =>
      at(places(n * n), (index) => {
        const [row, column] = [Math.floor(index / n), index % n];
        let sum = 0;
        for (let k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
        return sum;
      }),
  };
}

const chain = (x: number) => Math.tanh(Math.sin(x) * Math.exp(x) + Math.log(x)) * x;

/** Central differences in double precision: good to about ten digits for the functions here. */
function slope(f: (x: number) => number, x: number): number {
  const h = 1e-4;
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h);
}

/** The scalar function of ten operations. */
const scalar = (x: number) => Math.tanh(Math.sin(x) * x + Math.exp(-x)) * Math.log(x + 2) * x;

function cheap(x: number): number {
  const y = Math.abs((x * 2 + 1) * x - 0.5);
  return Math.min(Math.max(y, 0.1), 3) + x;
}

const table = { x: uniform(3, [1024, 1024], -4, 4) };

const [batch, pixels, hidden, classes] = [128, 784, 256, 10];

export const cases: readonly Case[] = [
  matmul(256),
  matmul(512),
  matmul(1024),
  {
    ...one,
    key: "chain",
    title: "sum(tanh(sin x · exp x + log x) · x), 1M",
    id: "chain",
    modes: both,
    // The peers add a million numbers one after the other, which costs them three digits.
    tolerance: 2e-3,
    inputs: () => ({ x: uniform(4, [million], 0.1, 2) }),
    answer: ({ x }) => whole(x.reduce((sum, value) => sum + chain(value), 0)),
  },
  {
    ...one,
    key: "chainGradient",
    title: "… its gradient",
    id: "chainGradient",
    modes: both,
    tolerance: 1e-3,
    inputs: () => ({ x: uniform(4, [million], 0.1, 2) }),
    answer: ({ x }) => at(places(million), (index) => slope(chain, x[index])),
  },
  {
    ...ten,
    key: "cheap",
    title: "8 cheap element-wise operations, 1M",
    id: "cheap",
    modes: both,
    tolerance: 1e-5,
    inputs: () => ({ x: uniform(5, [million], -2, 2) }),
    answer: ({ x }) => at(places(million), (index) => cheap(x[index])),
  },
  {
    ...one,
    key: "softmax",
    title: "softmax over rows, 1024²",
    id: "softmax",
    modes: both,
    tolerance: 1e-4,
    inputs: () => table,
    answer: ({ x }) =>
      at(places(1024 * 1024), (index) => {
        const row = x.subarray(index - (index % 1024), index - (index % 1024) + 1024);
        return Math.exp(x[index]) / row.reduce((sum, value) => sum + Math.exp(value), 0);
      }),
  },
  {
    ...ten,
    key: "sumColumns",
    title: "sum over axis 0, 1024²",
    id: "sumColumns",
    modes: both,
    tolerance: 1e-3,
    inputs: () => table,
    answer: ({ x }) =>
      at(places(1024), (column) => {
        let sum = 0;
        for (let row = 0; row < 1024; row++) sum += x[row * 1024 + column];
        return sum;
      }),
  },
  {
    ...ten,
    key: "sumRows",
    title: "sum over axis 1, 1024²",
    id: "sumRows",
    modes: both,
    tolerance: 1e-3,
    inputs: () => table,
    answer: ({ x }) =>
      at(places(1024), (row) =>
        x.subarray(row * 1024, row * 1024 + 1024).reduce((sum, value) => sum + value, 0),
      ),
  },
  {
    ...one,
    key: "cumsum",
    title: "cumsum, 1M",
    id: "cumsum",
    modes: both,
    tolerance: 1e-3,
    inputs: () => ({ x: uniform(6, [million], 0, 1) }),
    answer: ({ x }) => {
      const sums = new Float64Array(x.length);
      let sum = 0;
      for (let i = 0; i < x.length; i++) sums[i] = sum += x[i];
      return at(places(million), (index) => sums[index]);
    },
  },
  {
    ...one,
    key: "sort",
    title: "sort, 1M",
    id: "sort",
    modes: both,
    tolerance: 0,
    inputs: () => ({ x: uniform(8, [million], -1, 1) }),
    answer: ({ x }) => {
      const sorted = x.slice().sort();
      return at(places(million), (index) => sorted[index]);
    },
  },
  {
    ...one,
    key: "mlpGradient",
    title: "MLP 784-256-10, batch 128, gradient",
    id: "mlpGradient",
    modes: both,
    tolerance: 1e-3,
    inputs: () => ({
      x: uniform(9, [batch, pixels], 0, 1),
      w1: uniform(10, [pixels, hidden], -0.05, 0.05),
      b1: uniform(11, [hidden], -0.05, 0.05),
      w2: uniform(12, [hidden, classes], -0.1, 0.1),
      b2: uniform(13, [classes], -0.1, 0.1),
      y: oneHot(14),
    }),
    answer: mlpGradient,
  },
  {
    ...one,
    key: "vmapGradient",
    title: "vmap(grad f) of a ten-operation f, 100k",
    id: "vmapGradient",
    modes: ["jit"],
    tolerance: 1e-3,
    inputs: () => ({ x: uniform(15, [100_000], 0.1, 2) }),
    answer: ({ x }) => at(places(100_000), (index) => slope(scalar, x[index])),
  },
  {
    key: "adds",
    title: "one eager operation on 8 elements (1,000 chained adds)",
    id: "adds",
    modes: ["eager"],
    repeat: 1,
    per: 1000,
    unit: "µs",
    tolerance: 1e-3,
    inputs: () => ({ x: uniform(16, [8], 0, 1) }),
    answer: ({ x }) => at([0, 3, 7], (index) => x[index] * 1001),
  },
  {
    key: "scalarGradient",
    title: "un-jitted grad of a ten-operation scalar function",
    id: "scalarGradient",
    modes: ["eager"],
    repeat: 20,
    per: 20,
    unit: "µs",
    tolerance: 1e-4,
    inputs: () => ({ x: { shape: [], data: Float32Array.of(0.7) } }),
    answer: ({ x }) => whole(slope(scalar, x[0])),
  },
];

function oneHot(seed: number): Tensor {
  const next = random(seed);
  const data = new Float32Array(batch * classes);
  for (let row = 0; row < batch; row++) data[row * classes + Math.floor(next() * classes)] = 1;
  return { shape: [batch, classes], data };
}

/** The gradient with respect to the first weights at some places, by the chain rule written out. */
function mlpGradient({ x, w1, b1, w2, b2, y }: Record<string, Float32Array>): Map<number, number> {
  const back = new Float64Array(batch * hidden);
  for (let n = 0; n < batch; n++) {
    const activation = Array.from({ length: hidden }, (_, h) => {
      let sum = b1[h];
      for (let p = 0; p < pixels; p++) sum += x[n * pixels + p] * w1[p * hidden + h];
      return Math.tanh(sum);
    });
    const scores = Array.from({ length: classes }, (_, c) =>
      activation.reduce((sum, value, h) => sum + value * w2[h * classes + c], b2[c]),
    );
    const total = scores.reduce((sum, score) => sum + Math.exp(score), 0);
    const error = scores.map((score, c) => (Math.exp(score) / total - y[n * classes + c]) / batch);
    for (let h = 0; h < hidden; h++) {
      const sum = error.reduce((sum, value, c) => sum + value * w2[h * classes + c], 0);
      back[n * hidden + h] = sum * (1 - activation[h] ** 2);
    }
  }
  return at(places(pixels * hidden), (index) => {
    const [p, h] = [Math.floor(index / hidden), index % hidden];
    let sum = 0;
    for (let n = 0; n < batch; n++) sum += x[n * pixels + p] * back[n * hidden + h];
    return sum;
  });
}
