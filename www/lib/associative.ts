/** `lax.associativeScan`: all prefixes of an associative combination, in a logarithmic number of rounds. */

import { api } from "./api.ts";
import { cell, type NdArray } from "./array.ts";
import { takeFloats } from "./calling.ts";
import { raise } from "./errors.ts";
import { checkArguments, type UserFunction } from "./functions.ts";
import { pickOptions } from "./options.ts";
import { showSafely } from "./show.ts";
import { flatten, unflatten } from "./tree.ts";

/** Options of `lax.associativeScan`. */
export interface AssociativeScanOptions {
  /** From the last element to the first. */
  reverse?: boolean;
  /** The axis that the elements lie along. */
  axis?: number;
}

type Arrays = readonly NdArray[];

/** Every second element of both lists in turn, `a` first. */
function interleave(a: NdArray, b: NdArray, axis: number): NdArray {
  const [n = 0, m = 0] = [a.shape[axis], b.shape[axis]];
  const spread = (x: NdArray, before: number, after: number): NdArray => {
    const config = x.shape.map((_, i) => (i === axis ? [before, after, 1] : [0, 0, 0]));
    const zero = api("np.astype")(0, x.dtype);
    return api("lax.pad")(x, zero, config) as NdArray;
  };
  const join = api(a.dtype === "bool" ? "lax.bitwiseOr" : "lax.add");
  return join(spread(a, 0, n === m ? 1 : 0), spread(b, 1, n === m ? 0 : 1)) as NdArray;
}

/**
 * The combinations of the first, the first two, … slices of `elems` along an axis. `fn(a, b)` is associative and
 * works on trees like `elems`, element by element along the axis.
 */
export function associativeScan(
  fn: UserFunction,
  elems: unknown,
  options: AssociativeScanOptions = {},
): unknown {
  takeFloats();
  if (typeof fn !== "function") {
    const message = "lax.associative_scan: fn argument should be callable.";
    throw raise("TypeError", message, cell.site);
  }
  const known = ["reverse", "axis"];
  const picked = pickOptions("associative_scan", options, known) as AssociativeScanOptions;
  const { reverse = false, axis = 0 } = picked;
  const [leaves, tree] = flatten(elems);
  checkArguments(leaves);
  const arrays = leaves.map((leaf) => api("np.asarray")(leaf) as NdArray);
  const rank = arrays[0]?.shape.length ?? 0;
  const at = axis < 0 ? axis + rank : axis;
  if (!(Number.isInteger(at) && at >= 0 && arrays.every((x) => at < x.shape.length))) {
    const message = `axis ${showSafely(axis)} is out of bounds for array of dimension ${rank}`;
    throw raise("ValueError", message, cell.site);
  }
  const size = arrays[0]?.shape[at] ?? 0;
  if (arrays.some((x) => x.shape[at] !== size)) {
    const shapes = arrays.map((x) => `(${x.shape.join(", ")}${x.shape.length === 1 ? "," : ""})`);
    const message = `Array inputs to associative_scan must have the same first dimension. (saw: [${shapes.join(", ")}])`;
    throw raise("ValueError", message, cell.site);
  }
  const combine = (a: Arrays, b: Arrays): Arrays =>
    flatten(fn(unflatten(tree, a), unflatten(tree, b)))[0] as Arrays;
  const every = (all: Arrays, f: (x: NdArray) => unknown): Arrays =>
    all.map((x) => f(x) as NdArray);
  const part = (all: Arrays, from: number, to: number | null, stride: number): Arrays =>
    every(all, (x) => api("lax.sliceInDim")(x, from, to, stride, at));

  const prefixes = (all: Arrays): Arrays => {
    const n = all[0]?.shape[at] ?? 0;
    if (n < 2) return all;
    const odd = prefixes(combine(part(all, 0, n - 1, 2), part(all, 1, null, 2)));
    const before = n % 2 === 0 ? part(odd, 0, (odd[0]?.shape[at] ?? 0) - 1, 1) : odd;
    const even = combine(before, part(all, 2, null, 2));
    return part(all, 0, 1, 1).map((first, i) => {
      const joined = api("lax.concatenate")([first, even[i]], at) as NdArray;
      return interleave(joined, odd[i] as NdArray, at);
    });
  };
  const turned = (all: Arrays): Arrays =>
    reverse ? every(all, (x) => api("lax.rev")(x, [at])) : all;
  return unflatten(tree, turned(prefixes(turned(arrays))));
}
