// What NumPy's ufuncs do to rows of doubles. Each operation has a loop of its own, so that the compiler sees one
// function in it; the mathematics is that of Pyodide's C library, so that Python's answers and these agree.

import { roundEven } from "./numpy-lanes.ts";

/** Conditions met, as bits: 1 division by zero, 2 an invalid value, 4 overflow. */
export const condition = { flags: 0 };

export type Unary = (a: Float64Array, out: Float64Array, n: number) => void;
export type Binary = (a: Float64Array, b: Float64Array, out: Float64Array, n: number) => void;

const modulo = (a: number, b: number): number => {
  const rest = a % b;
  if (rest !== 0) return rest < 0 !== b < 0 ? rest + b : rest;
  return b < 0 ? -0 : 0;
};

const floorDivide = (a: number, b: number): number => {
  if (!Number.isFinite(b) && Number.isFinite(a)) {
    return Number.isNaN(b) ? b : a !== 0 && a < 0 !== b < 0 ? -1 : a / b;
  }
  const rest = modulo(a, b);
  const quotient = (a - rest) / b;
  if (quotient === 0) return a / b < 0 ? -0 : 0;
  const down = Math.floor(quotient);
  return quotient - down > 0.5 ? down + 1 : down;
};

/** Operations on two numbers of a floating type. */
export const binary: Record<string, Binary> = {
  add(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] + b[i];
  },
  subtract(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] - b[i];
  },
  multiply(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] * b[i];
  },
  divide(a, b, out, n) {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0 && !Number.isNaN(a[i])) condition.flags |= a[i] === 0 ? 2 : 1;
      out[i] = a[i] / b[i];
    }
  },
  floor_divide(a, b, out, n) {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0) {
        if (!Number.isNaN(a[i])) condition.flags |= a[i] === 0 ? 2 : 1;
        out[i] = a[i] / b[i];
      } else out[i] = floorDivide(a[i], b[i]);
    }
  },
  remainder(a, b, out, n) {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0 && !Number.isNaN(a[i])) condition.flags |= 2;
      out[i] =
        b[i] === 0 ? Number.NaN : Number.isFinite(b[i]) ? modulo(a[i], b[i]) : endless(a[i], b[i]);
    }
  },
  maximum(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] >= b[i] || Number.isNaN(a[i]) ? a[i] : b[i];
  },
  minimum(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] <= b[i] || Number.isNaN(a[i]) ? a[i] : b[i];
  },
  equal(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] === b[i] ? 1 : 0;
  },
  not_equal(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] !== b[i] ? 1 : 0;
  },
  less(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] < b[i] ? 1 : 0;
  },
  less_equal(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] <= b[i] ? 1 : 0;
  },
  greater(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] > b[i] ? 1 : 0;
  },
  greater_equal(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] >= b[i] ? 1 : 0;
  },
  logical_and(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] !== 0 && b[i] !== 0 ? 1 : 0;
  },
  logical_or(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] !== 0 || b[i] !== 0 ? 1 : 0;
  },
  logical_xor(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = (a[i] !== 0) !== (b[i] !== 0) ? 1 : 0;
  },
};

/** A remainder by an infinite number: `a` itself where the signs agree. */
function endless(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b) || !Number.isFinite(a)) {
    if (!Number.isNaN(a) && !Number.isNaN(b)) condition.flags |= 2;
    return Number.NaN;
  }
  if (a === 0) return b < 0 ? -0 : 0;
  return a < 0 === b < 0 ? a : b;
}

/** Operations on whole numbers of at most 32 bits (and on wider ones that a double holds), where they differ. */
export const whole: Record<string, Binary> = {
  ...binary,
  floor_divide(a, b, out, n) {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0) condition.flags |= 1;
      out[i] = b[i] === 0 ? 0 : (a[i] - modulo(a[i], b[i])) / b[i] + 0;
    }
  },
  remainder(a, b, out, n) {
    for (let i = 0; i < n; i++) {
      if (b[i] === 0) condition.flags |= 1;
      out[i] = b[i] === 0 ? 0 : modulo(a[i], b[i]) + 0;
    }
  },
  bitwise_and(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] & b[i];
  },
  bitwise_or(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] | b[i];
  },
  bitwise_xor(a, b, out, n) {
    for (let i = 0; i < n; i++) out[i] = a[i] ^ b[i];
  },
};

/** The product of 32-bit numbers, whose low bits a double would lose. */
export const product32: Binary = (a, b, out, n) => {
  for (let i = 0; i < n; i++) out[i] = Math.imul(a[i], b[i]);
};

const mapped =
  (f: (value: number) => number): Unary =>
  (a, out, n) => {
    for (let i = 0; i < n; i++) out[i] = f(a[i]);
  };

/** Operations on one number that need no library. */
export const unary: Record<string, Unary> = {
  copy: (a, out, n) => out.set(n === a.length ? a : a.subarray(0, n)),
  positive: (a, out, n) => out.set(n === a.length ? a : a.subarray(0, n)),
  negative: mapped((x) => -x),
  absolute: mapped(Math.abs),
  fabs: mapped(Math.abs),
  square: mapped((x) => x * x),
  sign: mapped((x) => (x > 0 ? 1 : x < 0 ? -1 : Number.isNaN(x) ? x : 0)),
  floor: mapped(Math.floor),
  ceil: mapped(Math.ceil),
  trunc: mapped(Math.trunc),
  rint: mapped((x) => (Number.isFinite(x) ? roundEven(x) : x)),
  isnan: mapped((x) => (Number.isNaN(x) ? 1 : 0)),
  isinf: mapped((x) => (x === Number.POSITIVE_INFINITY || x === Number.NEGATIVE_INFINITY ? 1 : 0)),
  isfinite: mapped((x) => (Number.isFinite(x) ? 1 : 0)),
  logical_not: mapped((x) => (x !== 0 ? 0 : 1)),
  deg2rad: mapped((x) => x * (Math.PI / 180)),
  rad2deg: mapped((x) => x * (180 / Math.PI)),
};

/** Functions of the C library by NumPy's names, and the condition that an infinite answer means. */
export const library: Record<string, { name: string; pole: number }> = {
  sqrt: { name: "sqrt", pole: 0 },
  cbrt: { name: "cbrt", pole: 0 },
  exp: { name: "exp", pole: 4 },
  exp2: { name: "exp2", pole: 4 },
  expm1: { name: "expm1", pole: 4 },
  log: { name: "log", pole: 1 },
  log2: { name: "log2", pole: 1 },
  log10: { name: "log10", pole: 1 },
  log1p: { name: "log1p", pole: 1 },
  sin: { name: "sin", pole: 0 },
  cos: { name: "cos", pole: 0 },
  tan: { name: "tan", pole: 0 },
  arcsin: { name: "asin", pole: 0 },
  arccos: { name: "acos", pole: 0 },
  arctan: { name: "atan", pole: 0 },
  sinh: { name: "sinh", pole: 4 },
  cosh: { name: "cosh", pole: 4 },
  tanh: { name: "tanh", pole: 0 },
  arcsinh: { name: "asinh", pole: 0 },
  arccosh: { name: "acosh", pole: 0 },
  arctanh: { name: "atanh", pole: 1 },
};

/** A loop over a function of the library that notes invalid values and poles. */
export function libraryLoop(f: (value: number) => number, pole: number): Unary {
  return (a, out, n) => {
    for (let i = 0; i < n; i++) {
      const value = f(a[i]);
      if (!Number.isFinite(value)) {
        if (Number.isNaN(value)) {
          if (!Number.isNaN(a[i])) condition.flags |= 2;
        } else if (Number.isFinite(a[i])) condition.flags |= pole;
      }
      out[i] = value;
    }
  };
}

/** A loop over the library's power. */
export function powerLoop(pow: (a: number, b: number) => number): Binary {
  return (a, b, out, n) => {
    for (let i = 0; i < n; i++) {
      const value = pow(a[i], b[i]);
      if (!Number.isFinite(value) && Number.isFinite(a[i]) && Number.isFinite(b[i])) {
        condition.flags |= Number.isNaN(value) ? 2 : a[i] === 0 ? 1 : 4;
      }
      out[i] = value;
    }
  };
}
