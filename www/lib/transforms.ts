/** The transforms: `grad`, `jvp`, `vjp`, `vmap`, `jit` and kin. */

import {
  cell,
  describe,
  encode,
  encodeValues,
  NdArray,
  outsideTransforms,
  readValues,
  settle,
} from "./array.ts";
import { glue, TapeReader, writeTape } from "./engine.ts";
import { guarded, raise } from "./errors.ts";
import {
  checkArguments,
  checkCallable,
  checkLeaves,
  isValue,
  leafNames,
  nameOf,
  type Traced,
  trace,
  type UserFunction,
} from "./functions.ts";
import { isOptions, pickOptions } from "./options.ts";
import { flatten, flattenUpTo, map, type Structure, structure, unflatten } from "./tree.ts";

/** Options of `grad`, `valueAndGrad`, `jacfwd`, `jacrev` and `hessian`. */
export interface GradOptions {
  /** Which arguments to differentiate: one index, or several. */
  argnums?: number | readonly number[];
  /** The function returns `[result, auxiliary]`; only the result is differentiated. */
  hasAux?: boolean;
  /** Integers may be differentiated; their gradient is a float0 zero. */
  allowInt?: boolean;
}

const GRAD_OPTIONS = ["argnums", "hasAux", "allowInt", "holomorphic", "reduceAxes"];

function gradOptions(name: string, given: unknown): GradOptions {
  if (typeof given === "number" || Array.isArray(given)) return { argnums: given };
  return pickOptions(name, given, GRAD_OPTIONS) as GradOptions;
}

/** Arguments split into what varies and what does not. */
interface Split {
  /** Positions of the differentiated arguments. */
  positions: number[];
  /** Their trees' leaves in one list, and the structure of the tuple of them. */
  leaves: unknown[];
  structure: Structure;
  /** The arguments with new values at the differentiated positions. */
  merge(varying: readonly unknown[]): unknown[];
}

function splitArguments(args: readonly unknown[], argnums: number | readonly number[] = 0): Split {
  const wanted = typeof argnums === "number" ? [argnums] : [...argnums];
  const positions = wanted.map((n) => {
    const at = n < 0 ? n + args.length : n;
    if (!Number.isInteger(at) || at < 0 || at >= args.length) {
      throw raise(
        "TypeError",
        `differentiating with respect to argnums=${typeof argnums === "number" ? n : `(${wanted.join(", ")},)`} requires at least ${n < 0 ? -n : n + 1} positional arguments to be passed by the caller, but got only ${args.length} positional arguments.`,
        cell.site,
      );
    }
    return at;
  });
  const [leaves, tuple] = flatten(positions.map((at) => args[at]));
  return {
    positions,
    leaves,
    structure: tuple,
    merge: (varying) => {
      const all = [...args];
      positions.forEach((at, i) => {
        all[at] = varying[i];
      });
      return all;
    },
  };
}

/** `[main, aux]` of a function with auxiliary results, or a TypeError in JAX's words. */
function auxPair(out: unknown): [unknown, unknown] {
  if (Array.isArray(out) && out.length === 2) return [out[0], out[1]];
  const kind = Array.isArray(out) ? `an array of length ${out.length}` : describe(out);
  throw raise(
    "TypeError",
    `expected function with aux output to return a two-element tuple, but got type ${kind}`,
    cell.site,
  );
}

/** Plain numbers that are to be differentiated are floats. */
function encodeVarying(tape: number[], leaves: readonly unknown[]): void {
  encodeValues(tape, leaves, true);
  tape.push(leaves.length, ...leaves.map(() => 1));
}

/** Takes the marks of float literals that the call left, for the arguments of a transformed function. */
function takeFloats(): number {
  const { floats } = cell;
  cell.floats = 0;
  return floats;
}

function differentiate(
  transform: "grad" | "value_and_grad",
  f: UserFunction,
  options: GradOptions,
  args: readonly unknown[],
): { value: unknown; grads: unknown } {
  takeFloats();
  const { argnums = 0, hasAux = false, allowInt = false } = options;
  const split = splitArguments(args, argnums);
  checkArguments(split.leaves);
  const name = nameOf(f);
  const traced = trace({
    structure: split.structure,
    transform,
    name,
    names: () =>
      leafNames(
        f,
        split.positions.map((at) => args[at]),
      ),
    call: (varying) => {
      const out = f(...split.merge(varying));
      const [main, aux] = hasAux ? auxPair(out) : [out, null];
      checkScalar(main);
      return hasAux ? [main, aux] : [main];
    },
  });
  const tape: number[] = [];
  encodeVarying(tape, split.leaves);
  const { site } = cell;
  writeTape(tape);
  guarded(() => glue.gradCall(transform, traced.id, name, allowInt, tape.length, site));
  const reader = new TapeReader();
  const outs = readValues(reader);
  const grads = readValues(reader);
  settle();
  const out = unflatten(traced.out as Structure, outs) as unknown[];
  const trees = unflatten(split.structure, grads) as unknown[];
  return { value: hasAux ? out : out[0], grads: typeof argnums === "number" ? trees[0] : trees };
}

/** The result of a function under grad is one value, not a tree. */
function checkScalar(main: unknown): void {
  if (isValue(main)) return;
  const [leaves] = flatten(main === undefined ? null : main);
  const single = leaves.length === 1 && !Array.isArray(main) && !isOptions(main);
  if (single) return;
  const shown = leaves.map((leaf) => (leaf instanceof NdArray ? leaf.toString() : String(leaf)));
  const text = main === undefined ? "None" : `(${shown.join(", ")})`;
  throw raise(
    "TypeError",
    `Gradient only defined for scalar-output functions. Output was ${text}.`,
    cell.site,
    "nonScalarGrad",
  );
}

function renamed<F extends UserFunction>(f: F, name: string): F {
  const noted = ((...args: unknown[]) => {
    if (outsideTransforms()) lastCall = { f: noted, args, floats: cell.floats };
    return f(...args);
  }) as F;
  Object.defineProperty(noted, "name", { value: name });
  return noted;
}

/** The last transformed function that the program itself called, and its arguments. */
let lastCall: { f: UserFunction; args: unknown[]; floats: number } | null = null;

/** Traces the last transformed function that was called once more and gives its jaxpr; null if there was none. */
export function lastTransform(): (() => Jaxpr) | null {
  if (!lastCall) return null;
  const { f, args, floats } = lastCall;
  // Types are enough, and arguments may have been freed by now.
  const typeOf = (leaf: unknown) =>
    leaf instanceof NdArray ? new ShapeDtype(leaf.shape, leaf.dtype, leaf.weakType) : leaf;
  const types = args.map((arg) => map(typeOf, arg));
  const again = (marks: number) => {
    cell.floats = marks;
    return makeJaxpr(f)(...types) as Jaxpr;
  };
  return () => {
    try {
      return again(floats);
    } catch {
      // What is differentiated is a float, also where it was written without a point.
      return again(-1);
    }
  };
}

/**
 * The gradient of a scalar function: a function of the same arguments.
 *
 * Raises TypeError for a result that is not a float scalar and for inputs that are not floats.
 */
export function grad(
  f: UserFunction,
  options?: GradOptions | number | readonly number[],
): UserFunction {
  checkCallable(f);
  const chosen = gradOptions("grad", options);
  return renamed((...args: unknown[]) => {
    const { value, grads } = differentiate("grad", f, chosen, args);
    return chosen.hasAux ? [grads, (value as unknown[])[1]] : grads;
  }, nameOf(f));
}

/** The value and the gradient of a scalar function: `[value, gradient]`. */
export function valueAndGrad(
  f: UserFunction,
  options?: GradOptions | number | readonly number[],
): UserFunction {
  checkCallable(f);
  const chosen = gradOptions("value_and_grad", options);
  return renamed((...args: unknown[]) => {
    const { value, grads } = differentiate("value_and_grad", f, chosen, args);
    return [value, grads];
  }, nameOf(f));
}

/** Refuses primals and tangents whose trees differ, in JAX's words. */
function sameTrees(primals: unknown, tangents: unknown): [unknown[], unknown[], Structure] {
  if (!Array.isArray(primals) || !Array.isArray(tangents)) {
    throw raise(
      "TypeError",
      `primal and tangent arguments to jax.jvp must be tuples or lists; found ${describe(primals)} and ${describe(tangents)}.`,
      cell.site,
    );
  }
  const [ps, tree] = flatten(primals);
  const [ts, other] = flatten(tangents);
  if (!tree.equals(other)) {
    throw raise(
      "TypeError",
      `primal and tangent arguments to jax.jvp must have the same tree structure; primals have tree structure ${tree} whereas tangents have tree structure ${other}.`,
      cell.site,
    );
  }
  return [ps, ts, tree];
}

/** Options of transforms whose function may return auxiliary results. */
export interface AuxOptions {
  hasAux?: boolean;
}

/** Forward mode: `[f(primals), tangent of it]`, with the tangents of the arguments given. */
export function jvp(
  f: UserFunction,
  primals: readonly unknown[],
  tangents: readonly unknown[],
  options: AuxOptions = {},
): unknown[] {
  checkCallable(f);
  takeFloats();
  const { hasAux = false } = pickOptions("jvp", options, ["hasAux"]) as AuxOptions;
  const [ps, ts, tree] = sameTrees(primals, tangents);
  checkArguments(ps);
  checkArguments(ts);
  const name = nameOf(f);
  const traced = trace({
    structure: tree,
    transform: "jvp",
    name,
    names: () => leafNames(f, primals),
    call: (args) => (hasAux ? auxPair(f(...args)) : [f(...args)]),
  });
  const tape: number[] = [];
  encodeValues(tape, ps, true);
  encodeValues(tape, ts, true);
  const { site } = cell;
  writeTape(tape);
  guarded(() => glue.jvpCall(traced.id, name, tape.length, site));
  const reader = new TapeReader();
  const outs = unflatten(traced.out as Structure, readValues(reader)) as unknown[];
  const outTangents = unflatten(traced.out as Structure, readValues(reader)) as unknown[];
  return hasAux ? [outs[0], outTangents[0], outs[1]] : [outs[0], outTangents[0]];
}

/** A held linear map of the engine, dropped with the function that uses it. */
const heldObjects = new FinalizationRegistry<number>((id) => glue.dropHeld(id));

/** Ties an object of the engine to the life of a function. */
export function holding<F extends UserFunction>(f: F, id: number): F {
  heldObjects.register(f, id);
  return f;
}

/** Runs `linearizeCall` and gives the held map's number, the results and their structure. */
function linearizeAt(
  transform: "vjp" | "linearize",
  f: UserFunction,
  primals: readonly unknown[],
  hasAux: boolean,
) {
  checkCallable(f);
  takeFloats();
  const [leaves, tree] = flatten(primals);
  checkArguments(leaves);
  const name = nameOf(f);
  const traced = trace({
    structure: tree,
    transform,
    name,
    names: () => leafNames(f, primals),
    call: (args) => (hasAux ? auxPair(f(...args)) : [f(...args), null]),
  });
  const tape: number[] = [];
  encodeVarying(tape, leaves);
  const { site } = cell;
  writeTape(tape);
  guarded(() => glue.linearizeCall(transform, traced.id, name, tape.length, site));
  const reader = new TapeReader();
  const id = reader.next();
  const outs = readValues(reader);
  const [out, aux] = unflatten(traced.out as Structure, outs) as [unknown, unknown];
  return { id, out, aux, structure: tree, auxLeaves: flatten(aux)[0].length };
}

function applyLinear(
  id: number,
  pullBack: boolean,
  leaves: readonly unknown[],
  zeros: number,
): NdArray[] {
  takeFloats();
  const tape: number[] = [leaves.length + zeros];
  for (const leaf of leaves) encode(tape, leaf, true);
  for (let i = 0; i < zeros; i++) tape.push(0);
  const { site } = cell;
  writeTape(tape);
  guarded(() => glue.applyLinear(id, pullBack, tape.length, site));
  const out = readValues(new TapeReader());
  settle();
  return out;
}

/**
 * Reverse mode: `[f(...primals), vjpFn]`; `vjpFn(ct)` gives an array with one cotangent per argument.
 * With `hasAux`, `[out, vjpFn, aux]`.
 */
export function vjp(f: UserFunction, ...given: unknown[]): unknown[] {
  const [primals, options] = splitTrailing(given);
  const { hasAux = false } = pickOptions("vjp", options, ["hasAux", "reduceAxes"]) as AuxOptions;
  const { id, out, aux, structure: tree, auxLeaves } = linearizeAt("vjp", f, primals, hasAux);
  const outTree = structure(out);
  const pull = holding((ct: unknown) => {
    const leaves = upTo(outTree, ct, "the cotangent");
    return unflatten(tree, applyLinear(id, true, leaves, auxLeaves));
  }, id);
  return hasAux ? [out, pull, aux] : [out, pull];
}

/** Leaves of `tree` where `wanted` has its leaves, or a ValueError in JAX's words. */
function upTo(wanted: Structure, tree: unknown, name: string): unknown[] {
  const [leaves, found] = flatten(tree);
  if (!found.equals(wanted)) {
    throw raise(
      "ValueError",
      `unexpected tree structure of argument to vjp function: got ${found}, but expected to match ${wanted} (${name})`,
      cell.site,
    );
  }
  checkArguments(leaves);
  return leaves;
}

/** `[f(...primals), fLin]`, where `fLin(...tangents)` is the linear part of `f` there. */
export function linearize(f: UserFunction, ...given: unknown[]): unknown[] {
  const [primals, options] = splitTrailing(given);
  const { hasAux = false } = pickOptions("linearize", options, ["hasAux"]) as AuxOptions;
  const { id, out, aux, structure: tree } = linearizeAt("linearize", f, primals, hasAux);
  const outTree = structure(out);
  const push = holding((...tangents: unknown[]) => {
    const [leaves, found] = flatten(tangents);
    if (!found.equals(tree)) {
      throw raise(
        "TypeError",
        `linearized function called on tangents of structure ${found}, but it was linearized at ${tree}`,
        cell.site,
      );
    }
    const outs = applyLinear(id, false, leaves, 0).slice(0, outTree.numLeaves);
    return unflatten(outTree, outs);
  }, id);
  return hasAux ? [out, push, aux] : [out, push];
}

/** Arguments followed, perhaps, by an object of options. */
function splitTrailing(given: readonly unknown[]): [unknown[], unknown] {
  const last = given[given.length - 1];
  return given.length > 0 && isOptions(last) ? [given.slice(0, -1), last] : [[...given], {}];
}

/**
 * The transpose of a linear function: a function of the cotangent of its result that gives an array with
 * one cotangent per argument. Arguments only lend their types.
 */
export function linearTranspose(f: UserFunction, ...given: unknown[]): UserFunction {
  checkCallable(f);
  takeFloats();
  const [args] = splitTrailing(given);
  const [leaves, tree] = flatten(args);
  const name = nameOf(f);
  const traced = trace({
    structure: tree,
    transform: "linear_transpose",
    name,
    names: () => leafNames(f, args),
    call: (xs) => f(...xs),
  });
  const tape: number[] = [];
  encodeAvals(tape, leaves, true);
  const madeAt = cell.site;
  writeTape(tape);
  guarded(() => glue.transposeCall(traced.id, name, tape.length, madeAt));
  const id = new TapeReader().next();
  const outTree = traced.out as Structure;
  return holding((ct: unknown) => {
    takeFloats();
    const [cts, found] = flatten(ct);
    if (!found.equals(outTree)) {
      throw raise(
        "TypeError",
        `cotangent tree does not match function output, expected ${outTree} but got ${found}`,
        cell.site,
      );
    }
    checkArguments(cts);
    const ins: number[] = [];
    encodeValues(ins, cts, true);
    const { site } = cell;
    writeTape(ins);
    guarded(() => glue.applyTranspose(id, madeAt, ins.length, site));
    return unflatten(tree, readValues(new TapeReader()));
  }, id);
}

/** Shape and dtype of an array that need not exist. */
export class ShapeDtype {
  constructor(
    readonly shape: readonly number[],
    readonly dtype: string,
    readonly weakType = false,
  ) {}
  toString(): string {
    const dims = this.shape.length === 1 ? `${this.shape[0]},` : this.shape.join(", ");
    return `ShapeDtypeStruct(shape=(${dims}), dtype=${this.dtype})`;
  }
}

/** Describes an array without its elements: `ShapeDtypeStruct([4], "float32")`. */
export function ShapeDtypeStruct(shape: readonly number[] | number, dtype: string): ShapeDtype {
  takeFloats();
  const sizes = typeof shape === "number" ? [shape] : [...shape];
  if (!sizes.every((n) => Number.isInteger(n) && n >= 0)) {
    throw raise(
      "TypeError",
      `Shapes must be 1D sequences of non-negative integers, got ${JSON.stringify(shape)}.`,
      cell.site,
    );
  }
  return new ShapeDtype(Object.freeze(sizes), typeof dtype === "string" ? dtype : String(dtype));
}

/** The tag of a type without a value on the tape of `traceCall` and `transposeCall`. */
const AVAL = 11;
const CODES: Readonly<Record<string, number>> = {
  bool: 0,
  bool_: 0,
  int32: 1,
  int64: 1,
  int: 1,
  uint32: 2,
  float32: 3,
  float: 3,
  float64: 4,
};

/** The number of a dtype's name on the tape, or a TypeError. */
export function codeOf(dtype: string): number {
  const code = CODES[dtype];
  if (code === undefined)
    throw raise("TypeError", `data type '${dtype}' not understood`, cell.site);
  return code === 4 && !glue.isX64() ? 3 : code;
}

function encodeAvals(tape: number[], leaves: readonly unknown[], float: boolean): void {
  tape.push(leaves.length);
  for (const leaf of leaves) {
    if (leaf instanceof ShapeDtype) {
      tape.push(AVAL, codeOf(leaf.dtype), leaf.weakType ? 1 : 0, leaf.shape.length, ...leaf.shape);
    } else {
      checkArguments([leaf]);
      encode(tape, leaf, float);
    }
  }
}

/** Options of `vmap`. */
export interface VmapOptions {
  /** The mapped axis of every argument: one for all, or an array with one (or a tree of them) for each; null is not mapped. */
  inAxes?: unknown;
  /** Where the mapped axis goes in the results. */
  outAxes?: unknown;
  axisSize?: number;
}

const isAxis = (v: unknown): boolean => v === null || typeof v === "number";

/** One axis per leaf of `tree`; null leaves are axes too. */
function axesOf(axes: unknown, tree: unknown, what: string): (number | null)[] {
  const out: (number | null)[] = [];
  const [values, prefix] = flatten(axes, { isLeaf: isAxis });
  for (const v of values) {
    if (v !== null && !Number.isInteger(v)) {
      throw raise(
        "TypeError",
        `vmap ${what} must be an int, None, or a (nested) container with those types as leaves, but got ${String(v)}.`,
        cell.site,
      );
    }
  }
  let subtrees: unknown[];
  try {
    subtrees = flattenUpTo(prefix, tree, what);
  } catch (e) {
    const why = e instanceof Error ? e.message : String(e);
    throw raise(
      "ValueError",
      `vmap ${what} specification must be a tree prefix of the corresponding value, got specification ${prefix} for value tree ${structure(tree)}. ${why}`,
      cell.site,
    );
  }
  subtrees.forEach((subtree, i) => {
    for (const _ of flatten(subtree)[0]) out.push(values[i] as number | null);
  });
  return out;
}

/** Vectorises `f`: a function that takes arrays with one more axis and runs on all its lanes at once. */
export function vmap(f: UserFunction, options: VmapOptions = {}): UserFunction {
  checkCallable(f);
  const known = ["inAxes", "outAxes", "axisSize", "axisName", "spmdAxisName"];
  const picked = isOptions(options)
    ? (pickOptions("vmap", options, known) as VmapOptions)
    : { inAxes: options };
  const { inAxes = 0, outAxes = 0, axisSize } = picked;
  return renamed((...args: unknown[]) => {
    const floats = takeFloats();
    if (Array.isArray(inAxes) && inAxes.length !== args.length) {
      throw raise(
        "ValueError",
        `vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed to the function, but got len(in_axes)=${inAxes.length}, len(args)=${args.length}`,
        cell.site,
      );
    }
    const [leaves, tree] = flatten(args);
    checkArguments(leaves);
    const axes = axesOf(inAxes, args, "in_axes");
    const name = nameOf(f);
    const traced = trace({
      structure: tree,
      transform: "vmap",
      name,
      names: () => leafNames(f, args),
      call: (lanes) => f(...lanes),
    });
    const tape: number[] = [];
    encodeArguments(tape, args, floats);
    tape.push(axes.length, ...axes.map((a) => a ?? Number.NaN), axisSize ?? Number.NaN);
    const { site } = cell;
    writeTape(tape);
    guarded(() => glue.vmapCall(traced.id, name, tape.length, site));
    const reader = new TapeReader();
    const size = reader.next();
    const flags = Array.from({ length: reader.next() }, () => reader.next());
    const outs = readValues(reader);
    const result = unflatten(traced.out as Structure, outs);
    const wanted = axesOf(outAxes, result, "out_axes");
    const finish: number[] = [];
    encodeValues(finish, outs);
    finish.push(flags.length, ...flags);
    finish.push(wanted.length, ...wanted.map((a) => a ?? Number.NaN), size);
    writeTape(finish);
    guarded(() => glue.vmapFinish(finish.length, site));
    const moved = readValues(new TapeReader());
    settle();
    return unflatten(traced.out as Structure, moved);
  }, nameOf(f));
}

/** Leaves of arguments, with the float marks of the arguments they belong to. */
function encodeArguments(tape: number[], args: readonly unknown[], floats: number): void {
  const flat = args.map((arg) => flatten(arg)[0]);
  tape.push(flat.reduce((n, leaves) => n + leaves.length, 0));
  flat.forEach((leaves, i) => {
    for (const leaf of leaves) encode(tape, leaf, (floats & (1 << i)) !== 0);
  });
}

/** Options of `jit`. */
export interface JitOptions {
  /** Arguments that are settings: a new value traces the function again. */
  staticArgnums?: number | readonly number[];
}

const identities = new WeakMap<object, number>();
let nextIdentity = 1;

/** A text that tells static arguments apart: by value, or by identity for functions. */
function staticKey(v: unknown): string {
  if (v === null || ["number", "string", "boolean", "undefined", "bigint"].includes(typeof v)) {
    return `${typeof v}:${String(v)}`;
  }
  if (typeof v === "function") {
    let id = identities.get(v);
    if (id === undefined) {
      id = nextIdentity++;
      identities.set(v, id);
    }
    return `function:${id}`;
  }
  const shown = v instanceof NdArray ? v.toString() : JSON.stringify(v);
  throw raise(
    "ValueError",
    `Non-hashable static arguments are not supported. An error occurred while trying to hash an object of type ${describe(v)}, ${shown}. The error was:\nTypeError: only numbers, strings, booleans, null and functions can be static`,
    cell.site,
  );
}

/** A function that is traced once for every combination of types, and then run from its jaxpr. */
export function jit(f: UserFunction, options: JitOptions = {}): UserFunction {
  checkCallable(f);
  const known = ["staticArgnums", "staticArgnames", "donateArgnums", "inline", "keepUnused"];
  const { staticArgnums = [] } = pickOptions("jit", options, known) as JitOptions;
  const statics = typeof staticArgnums === "number" ? [staticArgnums] : [...staticArgnums];
  const keys = new Map<string, number>();
  const trees = new Map<number, Structure>();
  const name = nameOf(f);
  let cache = 0;
  let generation = -1;
  const jitted = renamed((...args: unknown[]) => {
    const floats = takeFloats();
    if (generation !== jitGeneration) {
      generation = jitGeneration;
      cache = glue.newJit();
      heldObjects.register(jitted, cache);
      keys.clear();
      trees.clear();
    }
    const isStatic = (i: number) => statics.includes(i) || statics.includes(i - args.length);
    const dynamic = args.filter((_, i) => !isStatic(i));
    const [leaves, tree] = flatten(dynamic);
    checkArguments(leaves);
    const label = `${tree.body()}|${args.map((a, i) => (isStatic(i) ? staticKey(a) : "")).join(",")}`;
    let key = keys.get(label);
    if (key === undefined) {
      key = keys.size + 1;
      keys.set(label, key);
    }
    const traced: Traced = trace({
      structure: tree,
      transform: "jit",
      name,
      names: () => leafNames(f, args).filter((_, i) => !isStatic(i)),
      call: (values) => {
        let next = 0;
        return f(...args.map((arg, i) => (isStatic(i) ? arg : values[next++])));
      },
    });
    const tape: number[] = [];
    let dynamicFloats = 0;
    let at = 0;
    args.forEach((_, i) => {
      if (isStatic(i)) return;
      if (floats & (1 << i)) dynamicFloats |= 1 << at;
      at++;
    });
    encodeArguments(tape, dynamic, dynamicFloats);
    const { site } = cell;
    writeTape(tape);
    guarded(() => glue.jitCall(cache, traced.id, name, key, tape.length, site));
    const reader = new TapeReader();
    const entry = reader.next();
    const outs = readValues(reader);
    settle();
    if (traced.out) trees.set(entry, traced.out);
    return unflatten(traced.out ?? (trees.get(entry) as Structure), outs);
  }, name);
  return jitted;
}

let jitGeneration = 0;
/** Forgets all traces: the engine has been reset. */
export function forgetTraces(): void {
  jitGeneration++;
  lastCall = null;
}

/** The jacobian by forward mode: one pass per input element. Results have shape `out.shape + in.shape`. */
export function jacfwd(
  f: UserFunction,
  options?: GradOptions | number | readonly number[],
): UserFunction {
  return jacobian(false, f, gradOptions("jacfwd", options));
}

/** The jacobian by reverse mode: one pass per result element. Results have shape `out.shape + in.shape`. */
export function jacrev(
  f: UserFunction,
  options?: GradOptions | number | readonly number[],
): UserFunction {
  return jacobian(true, f, gradOptions("jacrev", options));
}

/** The second derivatives of a scalar function: `jacfwd(jacrev(f))`. */
export function hessian(
  f: UserFunction,
  options?: GradOptions | number | readonly number[],
): UserFunction {
  return jacfwd(jacrev(f, options), options);
}

function jacobian(reverse: boolean, f: UserFunction, options: GradOptions): UserFunction {
  checkCallable(f);
  const { argnums = 0, hasAux = false } = options;
  const transform = reverse ? "jacrev" : "jacfwd";
  return renamed((...args: unknown[]) => {
    takeFloats();
    const split = splitArguments(args, argnums);
    checkArguments(split.leaves);
    const name = nameOf(f);
    let mainLeaves = 0;
    const traced = trace({
      structure: split.structure,
      transform,
      name,
      names: () =>
        leafNames(
          f,
          split.positions.map((at) => args[at]),
        ),
      call: (varying) => {
        const out = f(...split.merge(varying));
        const pair = hasAux ? auxPair(out) : [out, null];
        mainLeaves = flatten(pair[0])[0].length;
        glue.setMainResults(mainLeaves);
        return pair;
      },
    });
    const tape: number[] = [];
    encodeVarying(tape, split.leaves);
    const { site } = cell;
    writeTape(tape);
    guarded(() => glue.jacobianCall(reverse, traced.id, name, tape.length, site));
    const reader = new TapeReader();
    const outs = readValues(reader);
    const rows = Array.from({ length: reader.next() }, () => readValues(reader)).slice(
      0,
      mainLeaves,
    );
    settle();
    const [main, aux] = unflatten(traced.out as Structure, outs) as [unknown, unknown];
    const perResult = rows.map((row) => {
      const trees = unflatten(split.structure, row) as unknown[];
      return typeof argnums === "number" ? trees[0] : trees;
    });
    const jac = unflatten(structure(main), perResult);
    return hasAux ? [jac, aux] : jac;
  }, nameOf(f));
}

/** Traces `f` abstractly; gives the held jaxpr's number, the result types and their structure. */
function traceAbstractly(
  transform: "make_jaxpr" | "eval_shape",
  f: UserFunction,
  args: readonly unknown[],
) {
  checkCallable(f);
  const floats = takeFloats();
  const [leaves, tree] = flatten(args);
  checkLeaves(
    leaves.filter((leaf) => !(leaf instanceof ShapeDtype)),
    (leaf) => `${describe(leaf)} is not a valid JAX type`,
  );
  const name = nameOf(f);
  const traced = trace({
    structure: tree,
    transform,
    name,
    names: () => leafNames(f, args),
    call: (xs) => f(...xs),
  });
  const tape: number[] = [];
  const flat = args.map((arg) => flatten(arg)[0]);
  tape.push(leaves.length);
  flat.forEach((some, i) => {
    const one: number[] = [];
    encodeAvals(one, some, (floats & (1 << i)) !== 0);
    tape.push(...one.slice(1));
  });
  const { site } = cell;
  writeTape(tape);
  guarded(() => glue.traceCall(transform, traced.id, name, tape.length, site));
  const reader = new TapeReader();
  const id = reader.next();
  const DTYPES = ["bool", "int32", "uint32", "float32", "float64", "float0"];
  const types = Array.from({ length: reader.next() }, () => {
    const [dtype, weak, rank] = [reader.next(), reader.next(), reader.next()];
    const shape = Array.from({ length: rank }, () => reader.next());
    return new ShapeDtype(Object.freeze(shape), DTYPES[dtype] ?? "float32", weak !== 0);
  });
  return { id, types, out: traced.out as Structure };
}

/** A jaxpr: prints as JAX prints it; `equations` says where each stands in the text. */
export class Jaxpr {
  /** The printed text. */
  readonly text: string;
  /** Range of text and source site of every equation. */
  readonly equations: { from: number; to: number; site: number; primitive: string }[];

  constructor(json: string) {
    const { text, equations } = JSON.parse(json) as Jaxpr;
    this.text = text;
    this.equations = equations;
  }
  toString(): string {
    return this.text;
  }
}

/** Called with every jaxpr that a program makes. */
let jaxprSeen: (jaxpr: Jaxpr) => void = () => {};
/** Sets what is told of the jaxprs that a program makes. */
export function onJaxpr(listener: (jaxpr: Jaxpr) => void): void {
  jaxprSeen = listener;
}

/** The jaxpr of a function: `makeJaxpr(f)(...args)` prints as JAX prints it. */
export function makeJaxpr(f: UserFunction): UserFunction {
  checkCallable(f);
  return renamed((...args: unknown[]) => {
    const { id } = traceAbstractly("make_jaxpr", f, args);
    const jaxpr = new Jaxpr(glue.jaxprReport(id));
    glue.dropHeld(id);
    jaxprSeen(jaxpr);
    return jaxpr;
  }, nameOf(f));
}

/** Shapes and dtypes of a function's results, without computing them. */
export function evalShape(f: UserFunction, ...args: unknown[]): unknown {
  const { id, types, out } = traceAbstractly("eval_shape", f, args);
  glue.dropHeld(id);
  return unflatten(out, types);
}

/** Options of `checkGrads`. */
export interface CheckGradsOptions {
  order?: number;
  modes?: string | readonly string[];
  atol?: number;
  rtol?: number;
  eps?: number;
}

/** Compares derivatives with finite differences; raises AssertionError where they disagree. */
export function checkGrads(
  f: UserFunction,
  args: readonly unknown[],
  given: number | CheckGradsOptions = {},
): void {
  checkCallable(f);
  takeFloats();
  const known = ["order", "modes", "atol", "rtol", "eps"];
  const options = (
    typeof given === "number" ? { order: given } : pickOptions("checkGrads", given, known)
  ) as CheckGradsOptions;
  const { order = 1, modes = ["fwd", "rev"], atol, rtol, eps } = options;
  const wanted = typeof modes === "string" ? modes.split(",").map((m) => m.trim()) : modes;
  const [leaves, tree] = flatten(args);
  checkArguments(leaves);
  const name = nameOf(f);
  const traced = trace({ structure: tree, transform: "check_grads", name, call: (xs) => f(...xs) });
  const tape: number[] = [];
  encodeValues(tape, leaves, true);
  const flag = (mode: string) => (wanted.includes(mode) ? 1 : 0);
  tape.push(
    order,
    flag("fwd"),
    flag("rev"),
    atol ?? Number.NaN,
    rtol ?? Number.NaN,
    eps ?? Number.NaN,
  );
  const { site } = cell;
  writeTape(tape);
  guarded(() => glue.checkGradsCall(traced.id, name, tape.length, site));
}
