/** Just enough of arrays to run the rules that the fixes write: one dimension, float64. */

import { instrument } from "../../www/lib/instrument/instrument.ts";
import { type ArrayOps, createRuntime } from "../../www/lib/instrument/runtime.ts";

export class Vec {
  readonly dtype = "float64";
  constructor(
    readonly data: Float64Array,
    readonly shape: readonly number[],
  ) {}
  get size(): number {
    return this.data.length;
  }
}

const isVec = (v: unknown): v is Vec => v instanceof Vec;
export const vec = (values: Iterable<number>): Vec => {
  const data = Float64Array.from(values);
  return new Vec(data, [data.length]);
};
const scalar = (value: number) => new Vec(Float64Array.of(value), []);
const asVec = (v: unknown) => (isVec(v) ? v : scalar(Number(v)));

function zip(f: (a: number, b: number) => number, left: unknown, right: unknown): Vec {
  const [a, b] = [asVec(left), asVec(right)];
  const big = a.size >= b.size && a.shape.length >= b.shape.length ? a : b;
  const at = (v: Vec, i: number) => v.data[v.size === 1 ? 0 : i] ?? 0;
  return new Vec(
    big.data.map((_, i) => f(at(a, i), at(b, i))),
    big.shape,
  );
}

const BINARY: Record<string, (a: number, b: number) => number> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  ">": (a, b) => Number(a > b),
  "==": (a, b) => Number(a === b),
};

const np = {
  abs: (v: unknown) => zip((a) => Math.abs(a), v, 0),
  maximum: (a: unknown, b: unknown) => zip(Math.max, a, b),
  max: (v: Vec) => scalar(Math.max(...v.data)),
  arange: (n: number) => vec(Array.from({ length: n }, (_, i) => i)),
  reshape: (v: Vec, shape: readonly number[]) => new Vec(v.data, shape),
  sum: (v: unknown) => scalar(asVec(v).data.reduce((a, b) => a + b, 0)),
  stack: (parts: Vec[]) => vec(parts.map((part) => part.data[0] ?? 0)),
  where: (c: unknown, a: unknown, b: unknown) => (asVec(c).data[0] ? a : b),
  zerosLike: (v: unknown) => zip(() => 0, v, 0),
};

type Rule = (...args: never[]) => unknown;
type Loose = (...args: unknown[]) => unknown;
interface Wrapped {
  (...args: unknown[]): unknown;
  defvjp(fwd: Rule, bwd: Rule): void;
  defjvp(rule: Rule): void;
  rules: Rule[];
}

function custom(f: (...args: unknown[]) => unknown): Wrapped {
  const rules: Rule[] = [];
  return Object.assign((...args: unknown[]) => f(...args), {
    rules,
    defvjp: (fwd: Rule, bwd: Rule) => void rules.push(fwd, bwd),
    defjvp: (rule: Rule) => void rules.push(rule),
  });
}

type Host = (ctx: unknown, out: unknown, ...args: Float64Array[]) => void;
interface Struct {
  shape: readonly number[];
}

/** Runs a program and gives the value of its last expression. */
export async function runSmall(source: string): Promise<unknown> {
  const program = instrument(source);
  if (program.error) throw new Error(program.error.message);
  const make = (struct: Struct) => new Float64Array(struct.shape.reduce((a, b) => a * b, 1));
  const module = {
    np,
    vec,
    customVjp: custom,
    customJvp: custom,
    stopGradient: (x: unknown) => x,
    ShapeDtypeStruct: (shape: readonly number[]) => ({ shape }),
    pureCallback: (f: (...args: Vec[]) => unknown, _: unknown, ...args: unknown[]) =>
      f(...args.map(asVec)),
    bufferCallback:
      (host: Host, result: Struct | Struct[]) =>
      (...args: unknown[]) => {
        const views = args.map((arg) => asVec(arg).data.slice());
        const out = Array.isArray(result) ? result.map(make) : make(result);
        host({}, out, ...views);
        return Array.isArray(out)
          ? out.map((data, k) => new Vec(data, (result as Struct[])[k]?.shape ?? []))
          : new Vec(out, (result as Struct).shape);
      },
    /** What the rules of a custom function say: the cotangents for `ct`, or the tangent. */
    pullback: (f: Wrapped, args: unknown[], ct: unknown) => {
      const [fwd, bwd] = f.rules as unknown as [Loose, Loose];
      const [, residuals] = fwd(...args) as [unknown, unknown];
      return bwd(residuals, ct);
    },
    push: (f: Wrapped, args: unknown[], tangents: unknown[]) =>
      ((f.rules[0] as unknown as Loose)(args, tangents) as unknown[])[1],
    rulesOf: (f: Wrapped) => f.rules.length,
  };
  const ops: ArrayOps = {
    cell: { site: 0, floats: 0 },
    isArray: isVec,
    binary(op, a, b) {
      const f = BINARY[op];
      if (!f) throw new Error(`no ${op}`);
      return zip(f, a, b);
    },
    unary: (_, a) => zip((x) => -x, a, 0),
    value: (v) => asVec(v).data[0] ?? Number.NaN,
    position: Number,
    truth: (v) => Boolean(asVec(v).data[0]),
    index: (v, i) => scalar(asVec(v).data[Number(i)] ?? Number.NaN),
    free: () => {},
  };
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (runtime: unknown) => Promise<unknown>;
  return new AsyncFunction(program.parameter, program.code)(createRuntime(ops, module));
}
