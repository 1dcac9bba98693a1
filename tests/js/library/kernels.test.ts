// The compiled kernels, as programs reach them, against double precision: within 4 ulp, edges exact.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Library } from "../../../www/lib/library.ts";
import { plainLibrary } from "../support/plain.ts";

type Unary = (x: number) => number;
type Binary = (x: number, y: number) => number;

let library: Library;
before(async () => {
  ({ library } = await plainLibrary());
});

/** erf in double precision: its series near zero, the continued fraction of erfc beyond. */
function erf(x: number): number {
  if (x === 0) return x;
  if (Math.abs(x) > 2.5) return Math.sign(x) * (1 - erfcTail(Math.abs(x)));
  let term = x;
  let sum = x;
  for (let n = 1; n < 120; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

function erfcTail(x: number): number {
  let fraction = 0;
  for (let n = 120; n > 0; n--) fraction = n / 2 / (x + fraction);
  return Math.exp(-x * x) / (x + fraction) / Math.sqrt(Math.PI);
}

function erfc(x: number): number {
  if (x === Number.POSITIVE_INFINITY) return 0;
  return x > 1.5 ? erfcTail(x) : 1 - erf(x);
}

const erfOf: Unary = (x) => (Math.abs(x) === Number.POSITIVE_INFINITY ? Math.sign(x) : erf(x));

function roundEven(x: number): number {
  const r = Math.round(x);
  return Math.abs(x % 1) === 0.5 && r % 2 !== 0
    ? r - 1
    : Object.is(x, -0) || (x < 0 && r === 0)
      ? -0
      : r;
}

/** log(1 + x) / 2 - log(1 - x) / 2 without cancellation. */
const atanh: Unary = (x) => Math.atanh(x);

const UNARY: Readonly<Record<string, Unary>> = {
  "np.sin": Math.sin,
  "np.cos": Math.cos,
  "np.tan": Math.tan,
  "np.arcsin": Math.asin,
  "np.arccos": Math.acos,
  "np.arctan": Math.atan,
  "np.sinh": Math.sinh,
  "np.cosh": Math.cosh,
  "np.tanh": Math.tanh,
  "np.arcsinh": Math.asinh,
  "np.arccosh": Math.acosh,
  "np.arctanh": atanh,
  "np.exp": Math.exp,
  "np.exp2": (x) => 2 ** x,
  "np.expm1": Math.expm1,
  "np.log": Math.log,
  "np.log1p": Math.log1p,
  "np.log2": Math.log2,
  "np.log10": Math.log10,
  "np.sqrt": Math.sqrt,
  "np.cbrt": Math.cbrt,
  "lax.rsqrt": (x) => 1 / Math.sqrt(x),
  "lax.logistic": (x) => (x < 0 ? Math.exp(x) / (1 + Math.exp(x)) : 1 / (1 + Math.exp(-x))),
  "lax.erf": erfOf,
  "lax.erfc": erfc,
};

const EXACT: Readonly<Record<string, Unary>> = {
  "np.negative": (x) => -x,
  "np.abs": Math.abs,
  "np.sign": Math.sign,
  "np.floor": Math.floor,
  "np.ceil": Math.ceil,
  "np.trunc": Math.trunc,
  "np.rint": roundEven,
  "np.square": (x) => x * x,
  "np.reciprocal": (x) => 1 / x,
};

const EXACT_BINARY: Readonly<Record<string, Binary>> = {
  "np.add": (x, y) => x + y,
  "np.subtract": (x, y) => x - y,
  "np.multiply": (x, y) => x * y,
  "np.divide": (x, y) => x / y,
  "lax.rem": (x, y) => x % y,
  "np.maximum": Math.max,
  "np.minimum": Math.min,
};

const BINARY: Readonly<Record<string, Binary>> = {
  // JavaScript has NaN where C and NumPy have 1.
  "np.power": (x, y) =>
    x === 1 || y === 0 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY) ? 1 : x ** y,
  "np.arctan2": Math.atan2,
};

const bits = new DataView(new ArrayBuffer(4));
function floatOf(word: number): number {
  bits.setUint32(0, word >>> 0);
  return bits.getFloat32(0);
}

const POSITIVE = [
  0,
  1e-45,
  1e-40,
  1.1754944e-38,
  1e-30,
  1e-10,
  1e-4,
  0.1,
  0.25,
  0.49999997,
  0.5,
  0.50000006,
  0.75,
  0.99999994,
  1,
  1.0000001,
  1.5,
  1.5707964,
  2,
  2.5,
  Math.fround(Math.PI),
  4,
  7.5,
  10,
  25,
  87.33,
  88.72283,
  88.8,
  89,
  103.9,
  104,
  127,
  128,
  149,
  150,
  1000,
  12345.678,
  65536,
  8388607.5,
  8388608,
  16777216,
  1e10,
  1e20,
  1e30,
  3.4028235e38,
  Number.POSITIVE_INFINITY,
  Number.NaN,
];

function inputs(count: number): Float32Array {
  let state = 12345;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  // Any bits at all, and numbers of everyday size.
  const random = Array.from({ length: count }, (_, i) => {
    const word = next() ^ (next() >>> 16);
    return i % 2 === 0 ? floatOf(word) : (word / 2 ** 32 - 0.5) * 20;
  });
  return Float32Array.from([...POSITIVE, ...POSITIVE.map((x) => -x), ...random]);
}

/** How far `got` is from `want` in units of the last place of float32; equal edges are 0 apart. */
function ulps(got: number, want: number): number {
  if (Number.isNaN(want) || Number.isNaN(got))
    return Number.isNaN(want) === Number.isNaN(got) ? 0 : Number.POSITIVE_INFINITY;
  const rounded = Math.fround(want);
  if (Object.is(got, rounded)) return 0;
  if (want === 0 || !Number.isFinite(want)) return Number.POSITIVE_INFINITY;
  const LARGEST = 3.4028234663852886e38;
  const finite = (x: number) => (Number.isFinite(x) ? x : Math.sign(x) * 2 ** 128);
  const size = Math.min(Math.abs(want), LARGEST);
  const exponent = Math.max(Math.floor(Math.log2(size)), -126);
  return (
    Math.abs(finite(got) - Math.min(Math.max(want, -(2 ** 128)), 2 ** 128)) / 2 ** (exponent - 23)
  );
}

function functionOf(name: string): (...args: unknown[]) => { data(): Float32Array } {
  const [module, short] = name.split(".") as ["np" | "lax", string];
  const found = (library[module] as unknown as Record<string, unknown>)[short];
  assert.equal(typeof found, "function", name);
  return found as (...args: unknown[]) => { data(): Float32Array };
}

function check(
  name: string,
  args: readonly Float32Array[],
  oracle: (...xs: number[]) => number,
  most: number,
): void {
  const got = functionOf(name)(...args).data();
  let worst = 0;
  let where = "";
  got.forEach((g, i) => {
    const xs = args.map((a) => a[i] as number);
    const error = ulps(g, oracle(...xs));
    if (error > worst)
      [worst, where] = [error, `${name}(${xs}) = ${g}, not ${Math.fround(oracle(...xs))}`];
  });
  assert.ok(worst <= most, `${where}: ${worst} ulp`);
}

test("transcendental functions are within 4 ulp on edges and on random numbers", () => {
  for (const [name, oracle] of Object.entries(UNARY)) check(name, [inputs(20_000)], oracle, 4);
});

test("functions that can be exact are", () => {
  for (const [name, oracle] of Object.entries(EXACT)) check(name, [inputs(5000)], oracle, 0);
});

/** Every edge with every other, then random pairs. */
function pairs(count: number): [Float32Array, Float32Array] {
  const edges = [...POSITIVE, ...POSITIVE.map((x) => -x)];
  const random = inputs(count).slice(edges.length);
  const x = edges.flatMap((e) => edges.map(() => e));
  const y = edges.flatMap(() => edges);
  return [Float32Array.from([...x, ...random]), Float32Array.from([...y, ...random.slice(1), 1])];
}

test("arithmetic of two operands is exact on every pair of edges", () => {
  for (const [name, oracle] of Object.entries(EXACT_BINARY)) check(name, pairs(5000), oracle, 0);
});

test("powers and angles of two operands are within 4 ulp on every pair of edges", () => {
  for (const [name, oracle] of Object.entries(BINARY)) check(name, pairs(5000), oracle, 4);
});

test("comparisons and tests know NaN, infinities and signed zeros", () => {
  const [x, y] = pairs(1000);
  const TESTS: Record<string, (a: number, b: number) => boolean> = {
    "np.less": (a, b) => a < b,
    "np.lessEqual": (a, b) => a <= b,
    "np.greater": (a, b) => a > b,
    "np.greaterEqual": (a, b) => a >= b,
    "np.equal": (a, b) => a === b,
    "np.notEqual": (a, b) => a !== b,
  };
  for (const [name, oracle] of Object.entries(TESTS)) {
    const got = functionOf(name)(x, y).data();
    const wrong = got.findIndex((g, i) => (g !== 0) !== oracle(x[i] as number, y[i] as number));
    assert.equal(wrong, -1, `${name}(${x[wrong]}, ${y[wrong]})`);
  }
  const one: Record<string, (a: number) => boolean> = {
    "np.isnan": Number.isNaN,
    "np.isfinite": Number.isFinite,
    "np.isinf": (a) => Math.abs(a) === Number.POSITIVE_INFINITY,
    "np.signbit": (a) => a < 0 || Object.is(a, -0),
  };
  for (const [name, oracle] of Object.entries(one)) {
    // NaN has a sign bit of its own, which JavaScript does not show.
    const some = inputs(1000).filter((a) => name !== "np.signbit" || !Number.isNaN(a));
    const got = functionOf(name)(some).data();
    const wrong = got.findIndex((g, i) => (g !== 0) !== oracle(some[i] as number));
    assert.equal(wrong, -1, `${name}(${some[wrong]})`);
  }
});

test("lengths that do not fill a vector give the same numbers as those that do", () => {
  const all = inputs(64);
  for (const name of ["np.sin", "np.exp", "np.log", "np.tanh", "np.sqrt"]) {
    const whole = functionOf(name)(all).data();
    for (const length of [1, 2, 3, 5, 7, 13]) {
      const part = functionOf(name)(all.slice(20, 20 + length)).data();
      assert.deepEqual([...part], [...whole.slice(20, 20 + length)], `${name} of ${length}`);
    }
  }
});

test("sums are as good as they must be for any length, and find NaN and infinities", () => {
  const sum = (x: Float32Array) => functionOf("np.sum")(x).data()[0] as number;
  for (const n of [0, 1, 3, 4, 5, 17, 1000, 100_003]) {
    const x = Float32Array.from({ length: n }, (_, i) => Math.sin(i) + 1);
    const exact = x.reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum(x) - exact) <= 2e-6 * Math.max(1, exact), `${n} elements`);
  }
  assert.ok(Number.isNaN(sum(Float32Array.of(1, Number.NaN, 2))));
  assert.equal(sum(Float32Array.of(1, Number.POSITIVE_INFINITY)), Number.POSITIVE_INFINITY);
  const max = (x: Float32Array) => functionOf("np.max")(x).data()[0] as number;
  assert.ok(
    Number.isNaN(max(Float32Array.from({ length: 9 }, (_, i) => (i === 7 ? Number.NaN : i)))),
  );
});
