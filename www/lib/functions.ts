/**
 * User functions as the engine calls them: flat values in, flat values out. Trees are taken apart and
 * rebuilt here, and what a call learns about its results' structure stays here.
 */

import { cell, describe, encode, inTransform, NdArray, readValues } from "./array.ts";
import { type RuleOrigin, register, TapeReader, writeTape } from "./engine.ts";
import { raise } from "./errors.ts";
import { showSafely } from "./show.ts";
import { flatten, keystr, leavesWithPath, type Structure, unflatten } from "./tree.ts";

/** Holds the type of a method: parameters of methods may be narrower, as those of the user's functions are. */
interface Callable {
  call(...args: unknown[]): unknown;
}

/** Any function of the user. */
export type UserFunction = Callable["call"];

/** A function's name in messages and jaxprs; JAX's name for one that has none. */
export const nameOf = (f: UserFunction): string => f.name || "<lambda>";

/** Refuses what is not a function, in JAX's words. */
export function checkCallable(f: unknown): asserts f is UserFunction {
  if (typeof f !== "function") {
    throw raise("TypeError", `Expected a callable value, got ${showSafely(f)}`, cell.site);
  }
}

/** Can this leaf be traced? */
export const isValue = (v: unknown): boolean =>
  v instanceof NdArray || typeof v === "number" || typeof v === "boolean" || ArrayBuffer.isView(v);

/** Refuses leaves that are no arrays or numbers; `where` says whose they are. */
export function checkLeaves(leaves: readonly unknown[], complain: (leaf: unknown) => string): void {
  for (const leaf of leaves) {
    if (!isValue(leaf)) throw raise("TypeError", complain(leaf), cell.site);
  }
}

/** Leaves of the arguments of a transformed function. */
export function checkArguments(leaves: readonly unknown[]): void {
  checkLeaves(
    leaves,
    (leaf) =>
      `Argument '${showSafely(leaf)}' of type ${describe(leaf)} is not a valid JAX type: arrays, numbers and booleans are`,
  );
}

/** Parameter names of a function, as far as its text shows them. */
function parameterNames(f: UserFunction): string[] {
  const text = Function.prototype.toString.call(f);
  const list = /^(?:async\s+)?(?:function\s*\*?\s*[\w$]*\s*)?\(([^)]*)\)/.exec(text)?.[1];
  if (list !== undefined) return list.split(",").map((p) => /^\s*([\w$]+)/.exec(p)?.[1] ?? "");
  const single = /^(?:async\s+)?([\w$]+)\s*=>/.exec(text)?.[1];
  return single === undefined ? [] : [single];
}

/** Names of the leaves of arguments: `x`, `params['w'][0]`. */
export function leafNames(f: UserFunction, args: readonly unknown[]): string[] {
  const names = parameterNames(f);
  return args.flatMap((arg, i) => {
    const name = names[i] || `argument ${i}`;
    return leavesWithPath(arg).map(([path]) => `${name}${keystr(path)}`);
  });
}

/** What is known of a function's results once it has been called. */
export interface Traced {
  /** Number of the registered function. */
  readonly id: number;
  /** Structure of the results; null before the first call. */
  out: Structure | null;
}

/** How to make a registered function. */
interface TraceOptions {
  /** Structure of the arguments, a tuple. */
  structure: Structure;
  /** Calls the user's function with the arguments and gives the tree of results. */
  call(args: unknown[]): unknown;
  /** Which transform asks, for messages. */
  transform: string;
  name: string;
  names?(): string[];
  /** For a function with a rule of its own. */
  origin?: RuleOrigin;
  /** This many leading leaves of the results are floats if they are plain numbers. */
  floats?: number;
}

/** Registers a function of trees: the engine's values are built into arguments, results flattened. */
export function trace(options: TraceOptions): Traced {
  const { structure, call, transform, name, names, origin, floats = 0 } = options;
  const traced = { id: 0, out: null as Structure | null };
  traced.id = register({
    names,
    origin,
    call() {
      const args = readValues(new TapeReader());
      const leaves = inTransform(() => {
        cell.written = undefined;
        const result = call(unflatten(structure, args) as unknown[]);
        const { written } = cell;
        const [found, out] = flatten(result === undefined ? null : result);
        if (result === undefined) missingResult(name, transform);
        checkLeaves(
          found,
          (leaf) =>
            `function ${name} traced for ${transform} returned a value of type ${describe(leaf)}, which is not a valid JAX type`,
        );
        traced.out = out;
        const tape: number[] = [found.length];
        found.forEach((leaf, i) => {
          const marked = typeof written === "object" ? written !== null : leaf === written;
          encode(tape, leaf, marked || i < floats);
        });
        return tape;
      }, transformName(transform));
      writeTape(leaves);
    },
  });
  return traced;
}

/** Custom functions run under whatever transform they are called in. */
const transformName = (name: string): string | undefined =>
  name.startsWith("custom_") ? undefined : name;

function missingResult(name: string, transform: string): never {
  throw raise(
    "TypeError",
    `function ${name} traced for ${transform} returned a value of type undefined, which is not a valid JAX type: ` +
      "does it lack a `return`?",
    cell.site,
  );
}
