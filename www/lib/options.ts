/** Options objects. */

import { cell, describe } from "./array.ts";
import { raise } from "./errors.ts";
import { isValue } from "./functions.ts";
import { flatten } from "./tree.ts";

/** Is it a plain object, as options are written? */
export function isOptions(v: unknown): v is Record<string, unknown> {
  if (typeof v !== "object" || v === null || Array.isArray(v)) return false;
  const prototype = Object.getPrototypeOf(v);
  return prototype === Object.prototype || prototype === null;
}

/** The options given, or a TypeError that names the one that is not known. */
export function pickOptions(
  of: string,
  given: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  if (given === undefined || given === null) return {};
  if (!isOptions(given)) {
    throw raise(
      "TypeError",
      `${of}() takes an object of options, got ${describe(given)}`,
      cell.site,
    );
  }
  for (const key of Object.keys(given)) {
    if (!known.includes(key)) {
      const message = `${of}() got an unexpected keyword argument '${key}' (it takes ${known.join(", ")})`;
      throw raise("TypeError", message, cell.site);
    }
  }
  return given;
}

/**
 * Arguments followed, perhaps, by an object of options: one whose keys are all `known`. An object of anything
 * else that can be traced is an argument, as trees are; what is left was meant as options, and is refused later.
 */
export function trailingOptions(
  given: readonly unknown[],
  known: readonly string[],
): [args: unknown[], options: unknown] {
  const last = given[given.length - 1];
  if (!isOptions(last)) return [[...given], {}];
  const keys = Object.keys(last);
  const isTree = keys.length === 0 || flatten(last)[0].every(isValue);
  const areOptions = keys.length > 0 && keys.every((key) => known.includes(key));
  return areOptions || !isTree ? [given.slice(0, -1), last] : [[...given], {}];
}
