/**
 * Control flow that is traced: `lax.scan`, `map`, `whileLoop`, `foriLoop`, `cond`, `switch`. Trees are taken
 * apart and compared here; types are the engine's business.
 */

import { api } from "./api.ts";
import { cell, describe, encode, readValues, settle } from "./array.ts";
import { takeFloats } from "./calling.ts";
import { leafTable } from "./custom.ts";
import { glue, TapeReader, writeTape } from "./engine.ts";
import { guarded, raise } from "./errors.ts";
import {
  checkArguments,
  checkCallable,
  leafNames,
  nameOf,
  trace,
  type UserFunction,
} from "./functions.ts";
import { vmap } from "./mapping.ts";
import { isOptions, pickOptions } from "./options.ts";
import { showSafely } from "./show.ts";
import { flatten, type Structure, structure, map as treeMap, unflatten } from "./tree.ts";

/** Options of `lax.scan`. */
export interface ScanOptions {
  /** The number of steps, where nothing is sliced. */
  length?: number | null;
  /** From the last slice to the first. */
  reverse?: boolean;
  /** Steps unrolled at once: a hint. */
  unroll?: number | boolean;
  _splitTranspose?: boolean;
}

/** A run of leaves with its count; plain numbers are floats if `float`. */
function encodeRun(tape: number[], leaves: readonly unknown[], float: boolean): void {
  tape.push(leaves.length);
  for (const leaf of leaves) encode(tape, leaf, float);
}

/** Runs a call of the engine and reads the values it gives. */
function results(tape: readonly number[], call: (length: number, site: number) => number) {
  const { site } = cell;
  writeTape(tape as number[]);
  guarded(() => call(tape.length, site));
  const outs = readValues(new TapeReader());
  settle();
  return outs;
}

function unrollOf(unroll: unknown): number {
  const n = typeof unroll === "boolean" ? Number(unroll) : unroll;
  if (typeof n === "number" && Number.isInteger(n) && n >= 0) return n;
  throw raise("ValueError", "`unroll` must be a `bool` or a non-negative `int`.", cell.site);
}

/** Refuses a carry whose tree changes, in JAX's words and with a table. */
function sameCarry(called: string, wanted: Structure, init: unknown, got: unknown): void {
  const found = structure(got === undefined ? null : got);
  if (found.equals(wanted)) return;
  throw raise(
    "TypeError",
    `${called} body function carry input and carry output must have the same pytree structure, but they differ:\n\nThe carry input has structure ${wanted} but the carry output has structure ${found}.\n\nRevise the function so that the carry output has the same pytree structure as the carry input.`,
    cell.site,
    "customRule",
    leafTable(init, got === undefined ? null : got),
  );
}

/**
 * Runs `f(carry, x) => [carry, y]` over the slices of `xs` along axis 0: `[carry, ys]` with the results stacked.
 *
 * `xs` is a tree of arrays of one length, or null with the option `length`. Differentiable in both modes.
 */
export function scan(
  f: UserFunction,
  init: unknown,
  xs: unknown = null,
  options: ScanOptions = {},
): [unknown, unknown] {
  const floats = takeFloats();
  if (typeof f !== "function") {
    throw raise("TypeError", "lax.scan: f argument should be a callable.", cell.site);
  }
  const known = ["length", "reverse", "unroll", "_splitTranspose"];
  const picked = pickOptions("scan", options, known) as ScanOptions;
  const { length = null, reverse = false, unroll = 1 } = picked;
  if (length !== null && !(Number.isInteger(length) && length >= 0)) {
    const message = `The \`length\` argument to \`scan\` expects a concrete \`int\` value. For scan-like iteration with a dynamic length, use \`whileLoop\` or \`foriLoop\`. Got ${showSafely(length)}.`;
    throw raise("TypeError", message, cell.site);
  }
  const [carry, carryTree] = flatten(init);
  const [slices] = flatten(xs);
  checkArguments([...carry, ...slices]);
  const name = nameOf(f);
  const traced = trace({
    structure: structure([init, xs]),
    transform: "scan",
    name,
    names: () => leafNames(f, [init, xs]),
    call: ([c, x]) => {
      const out = f(c, x);
      if (!Array.isArray(out) || out.length !== 2) {
        const message = `scan body output must be a pair, got ${out === undefined ? "None" : describe(out)}.`;
        throw raise("TypeError", message, cell.site);
      }
      sameCarry("scan", carryTree, c, out[0]);
      return out;
    },
  });
  const tape: number[] = [];
  encodeRun(tape, carry, (floats & 2) !== 0);
  encodeRun(tape, slices, (floats & 4) !== 0);
  tape.push(length ?? Number.NaN, reverse ? 1 : 0, unrollOf(unroll));
  const outs = results(tape, (n, site) => glue.scanCall(traced.id, name, n, site));
  return unflatten(traced.out as Structure, outs) as [unknown, unknown];
}

/** Options of `lax.map`. */
export interface MapOptions {
  /** So many at once, by `vmap`. */
  batchSize?: number | null;
}

/** Applies `f` to every slice of `xs` along axis 0, one after another, and stacks the results. */
export function map(f: UserFunction, xs: unknown, options: MapOptions = {}): unknown {
  const floats = takeFloats();
  checkCallable(f);
  const { batchSize = null } = pickOptions("map", options, ["batchSize"]) as MapOptions;
  if (batchSize !== null && !(Number.isInteger(batchSize) && batchSize > 0)) {
    const message = `map batchSize must be a positive size, got ${showSafely(batchSize)}`;
    throw raise("TypeError", message, cell.site);
  }
  const [first] = flatten(xs)[0] as { shape?: readonly number[] }[];
  const n = first?.shape?.[0];
  if (batchSize === null || n === undefined) return each(f, xs, floats);
  const whole = Math.floor(n / batchSize);
  const part = (x: unknown, from: number, to: number) => api("lax.sliceInDim")(x, from, to);
  const shapeOf = (x: unknown) => (x as { shape: number[] }).shape.slice(1);
  const batched = (x: unknown) =>
    api("np.reshape")(part(x, 0, whole * batchSize), [whole, batchSize, ...shapeOf(x)]);
  const unbatched = (y: unknown) =>
    api("np.reshape")(y, [whole * batchSize, ...shapeOf(y).slice(1)]);
  const many = treeMap(unbatched, each(vmap(f), treeMap(batched, xs), floats));
  if (whole * batchSize === n) return many;
  const rest = vmap(f)(treeMap((x) => part(x, whole * batchSize, n), xs));
  return treeMap((a, b) => api("np.concatenate")([a, b]), many, rest);
}

function each(f: UserFunction, xs: unknown, floats: number): unknown {
  const step = (_: unknown, x: unknown) => [null, f(x)];
  Object.defineProperty(step, "name", { value: nameOf(f) });
  cell.floats = (floats & 2) !== 0 ? 4 : 0;
  return scan(step, null, xs)[1];
}

/**
 * Runs `body(value) => value` for as long as `cond(value)` is true, from `init`. Forward mode only: reverse mode
 * needs a `scan`.
 */
export function whileLoop(cond: UserFunction, body: UserFunction, init: unknown): unknown {
  const floats = takeFloats();
  if (typeof cond !== "function" || typeof body !== "function") {
    const message = "lax.while_loop: body_fun and cond_fun arguments should be callable.";
    throw raise("TypeError", message, cell.site);
  }
  const [carry, tree] = flatten(init);
  checkArguments(carry);
  const tuple = structure([init]);
  const test = trace({
    structure: tuple,
    transform: "while_loop",
    name: nameOf(cond),
    names: () => leafNames(cond, [init]),
    call: ([value]) => {
      const out = cond(value);
      const found = structure(out === undefined ? null : out);
      if (!found.equals(structure(0))) {
        const message = `cond_fun must return a boolean scalar, but got pytree ${found}.`;
        throw raise("TypeError", message, cell.site);
      }
      return out;
    },
  });
  const step = trace({
    structure: tuple,
    transform: "while_loop",
    name: nameOf(body),
    names: () => leafNames(body, [init]),
    call: ([value]) => {
      const out = body(value);
      sameCarry("while_loop", tree, value, out);
      return out;
    },
  });
  const tape: number[] = [];
  encodeRun(tape, carry, (floats & 4) !== 0);
  const names = `${nameOf(cond)}\n${nameOf(body)}`;
  const outs = results(tape, (n, site) => glue.whileCall(test.id, step.id, names, n, site));
  return unflatten(tree, outs);
}

/** Options of `lax.foriLoop`. */
export interface ForiOptions {
  unroll?: number | boolean | null;
}

/**
 * Runs `body(i, value) => value` for `i` from `lower` up to, not including, `upper`. With known bounds it is a
 * `scan`, differentiable in both modes; with traced ones a `whileLoop`.
 */
export function foriLoop(
  lower: unknown,
  upper: unknown,
  body: UserFunction,
  init: unknown,
  options: ForiOptions = {},
): unknown {
  const floats = takeFloats();
  if (typeof body !== "function") {
    throw raise("TypeError", "lax.fori_loop: body_fun argument should be callable.", cell.site);
  }
  const { unroll = null } = pickOptions("fori_loop", options, ["unroll"]) as ForiOptions;
  const [carry, tree] = flatten(init);
  checkArguments([lower, upper, ...carry]);
  const step = trace({
    structure: structure([0, init]),
    transform: "fori_loop",
    name: nameOf(body),
    names: () => leafNames(body, [0, init]),
    call: ([i, value]) => {
      const out = body(i, value);
      sameCarry("scan", tree, value, out);
      return out;
    },
  });
  const tape: number[] = [];
  encodeRun(tape, carry, (floats & 8) !== 0);
  tape.push(2);
  encode(tape, lower, (floats & 1) !== 0);
  encode(tape, upper, (floats & 2) !== 0);
  tape.push(unrollOf(unroll ?? 1));
  const outs = results(tape, (n, site) => glue.whileCall(0, step.id, nameOf(body), n, site));
  return unflatten(tree, outs);
}

/** Calls one of several functions: `floats` are the marks of the operands. */
function choose(
  called: "cond" | "switch",
  which: readonly [unknown, boolean],
  branches: readonly UserFunction[],
  operands: readonly unknown[],
  floats: number,
): unknown {
  const leaves = operands.map((operand) => flatten(operand)[0]);
  checkArguments(leaves.flat());
  const names =
    called === "cond" ? ["false_fun", "true_fun"] : branches.map((_, i) => `branch ${i}`);
  let first: { out: Structure; example: unknown; name: string } | null = null;
  const traced = branches.map((f, i) =>
    trace({
      structure: structure([...operands]),
      transform: called,
      name: nameOf(f),
      names: () => leafNames(f, operands),
      call: (args) => {
        const out = f(...args);
        const found = structure(out === undefined ? null : out);
        const name = names[i] as string;
        first ??= { out: found, example: out, name };
        if (!found.equals(first.out)) {
          throw raise(
            "TypeError",
            `${called} branch outputs must have the same pytree structure, but they differ:\n\n${first.name} is ${nameOf(branches[names.indexOf(first.name)] as UserFunction)}\n${name} is ${nameOf(f)}\n\n${first.name} output has structure ${first.out} but ${name} output has structure ${found}.\n\nRevise ${first.name} and/or ${name} so that they have the same pytree structure.`,
            cell.site,
            "customRule",
            leafTable(first.example, out),
          );
        }
        return out;
      },
    }),
  );
  const tape: number[] = [1];
  encode(tape, which[0], which[1]);
  tape.push(leaves.reduce((n, own) => n + own.length, 0));
  leaves.forEach((own, i) => {
    for (const leaf of own) encode(tape, leaf, (floats & (1 << i)) !== 0);
  });
  tape.push(traced.length, ...traced.map((t) => t.id));
  const listed = branches.map(nameOf).join("\n");
  const outs = results(tape, (n, site) => glue.condCall(called === "switch", listed, n, site));
  const { out } = traced.find((t) => t.out !== null) as { out: Structure };
  return unflatten(out, outs);
}

/**
 * `onTrue(...operands)` where `pred` is true, else `onFalse(...operands)`. Both are traced; under `vmap` with a
 * mapped `pred` both run.
 */
export function cond(pred: unknown, ...rest: unknown[]): unknown {
  const floats = takeFloats();
  const [a, onTrue, b, onFalse] = rest;
  if (rest.length === 4 && typeof onTrue === "function" && typeof onFalse === "function") {
    // JAX's older form: an operand and a function for each.
    if (typeof a !== "function") {
      const call = (f: unknown) => f as UserFunction;
      const both = (x: unknown, y: unknown): UserFunction[] => [
        () => call(onFalse)(y),
        () => call(onTrue)(x),
      ];
      const branches = both(a, b);
      return choose("cond", predicate(pred, floats), branches, [], 0);
    }
  }
  const [yes, no, ...operands] = rest;
  if (typeof yes !== "function" || typeof no !== "function") {
    const message = "lax.cond: true_fun and false_fun arguments should be callable.";
    throw raise("TypeError", message, cell.site);
  }
  const branches = [no, yes] as UserFunction[];
  return choose("cond", predicate(pred, floats), branches, operands, floats >> 3);
}

function predicate(pred: unknown, floats: number): [unknown, boolean] {
  if (pred === null || pred === undefined) {
    throw raise("TypeError", "cond predicate is None", cell.site);
  }
  if (typeof pred === "string" || Array.isArray(pred) || isOptions(pred)) {
    const message = `Pred must be a scalar, got ${showSafely(pred)} of type ${describe(pred)}`;
    throw raise("TypeError", message, cell.site);
  }
  return [pred, (floats & 1) !== 0];
}

/** `branches[index](...operands)`, the index kept within range. All branches are traced. */
function switchTo(
  index: unknown,
  branches: readonly UserFunction[],
  ...operands: unknown[]
): unknown {
  const floats = takeFloats();
  if (!Array.isArray(branches) || !branches.every((f) => typeof f === "function")) {
    throw raise(
      "TypeError",
      "lax.switch: branches argument should be a sequence of callables.",
      cell.site,
    );
  }
  checkArguments([index]);
  if (branches.length === 0) throw raise("ValueError", "Empty branch sequence", cell.site);
  return choose("switch", [index, (floats & 1) !== 0], branches, operands, floats >> 2);
}
Object.defineProperty(switchTo, "name", { value: "switch" });

export { switchTo };
