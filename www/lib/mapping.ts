/** Functions run on many lanes at once, and functions kept as jaxprs: `vmap` and `jit`. */

import { cell, describe, encode, encodeValues, readValues, settle } from "./array.ts";
import { forgetCalls, holding, renamed, takeFloats } from "./calling.ts";
import { glue, TapeReader, writeTape } from "./engine.ts";
import { guarded, raise } from "./errors.ts";
import {
  checkArguments,
  checkCallable,
  leafNames,
  nameOf,
  type Traced,
  trace,
  type UserFunction,
} from "./functions.ts";
import { isOptions, pickOptions } from "./options.ts";
import { showSafely } from "./show.ts";
import { flatten, flattenUpTo, type Structure, structure, unflatten } from "./tree.ts";

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
        `vmap ${what} must be an int, None, or a (nested) container with those types as leaves, but got ${showSafely(v)}.`,
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
  if (
    axisSize !== undefined &&
    axisSize !== null &&
    !(Number.isInteger(axisSize) && axisSize >= 0)
  ) {
    const message = `vmap axisSize must be a size, got ${showSafely(axisSize)}`;
    throw raise("TypeError", message, cell.site);
  }
  return renamed((...args: unknown[]) => {
    const floats = takeFloats();
    if (Array.isArray(inAxes) && inAxes.length !== args.length) {
      throw raise(
        "ValueError",
        `vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed to the function, but got len(in_axes)=${inAxes.length}, len(args)=${args.length}`,
        cell.site,
      );
    }
    if (!isAxis(inAxes) && !isOptions(inAxes) && !Array.isArray(inAxes)) {
      throw raise(
        "TypeError",
        `vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed to the function, but got ${String(inAxes)}.`,
        cell.site,
      );
    }
    const [leaves, tree] = flatten(args);
    if (leaves.length === 0 && axisSize === undefined) {
      throw raise(
        "ValueError",
        "vmap wrapped function must be passed at least one argument containing an array or axis_size must be specified",
        cell.site,
      );
    }
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

/** Refuses positions of static arguments that the function does not have. */
function checkStatics(statics: readonly number[], f: UserFunction, args: readonly unknown[]): void {
  const takes = Math.max(f.length, args.length);
  if (statics.every((i) => i < takes && i >= -takes)) return;
  throw raise(
    "ValueError",
    `Jitted function has static_argnums=(${statics.join(", ")}${statics.length === 1 ? "," : ""}), but only accepts ${takes} positional arguments.`,
    cell.site,
  );
}

const identities = new WeakMap<object, number>();
let nextIdentity = 1;

/** A text that tells static arguments apart: by value, or by identity for functions. */
function staticKey(v: unknown): string {
  if (v === null || ["number", "string", "boolean", "undefined", "bigint"].includes(typeof v)) {
    // Texts in quotes, so that no text of one argument looks like two.
    return typeof v === "string" ? JSON.stringify(v) : `${typeof v}:${String(v)}`;
  }
  if (typeof v === "function") {
    let id = identities.get(v);
    if (id === undefined) {
      id = nextIdentity++;
      identities.set(v, id);
    }
    return `function:${id}`;
  }
  throw raise(
    "ValueError",
    `Non-hashable static arguments are not supported. An error occurred while trying to hash an object of type ${describe(v)}, ${showSafely(v)}. The error was:\nTypeError: only numbers, strings, booleans, null and functions can be static`,
    cell.site,
  );
}

/** A function that is traced once for every combination of types, and then run from its jaxpr. */
export function jit<F extends UserFunction>(f: F, options: JitOptions = {}): F {
  checkCallable(f);
  const known = ["staticArgnums", "staticArgnames", "donateArgnums", "inline", "keepUnused"];
  const { staticArgnums = [] } = pickOptions("jit", options, known) as JitOptions;
  const statics = typeof staticArgnums === "number" ? [staticArgnums] : [...staticArgnums];
  if (!statics.every(Number.isInteger)) {
    const message = `staticArgnums must be an integer or an array of integers, got ${showSafely(staticArgnums)}`;
    throw raise("TypeError", message, cell.site);
  }
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
      holding(jitted, cache);
      keys.clear();
      trees.clear();
    }
    checkStatics(statics, f, args);
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
  return jitted as F;
}

let jitGeneration = 0;
/** Forgets all traces: the engine has been reset. */
export function forgetTraces(): void {
  jitGeneration++;
  forgetCalls();
}
