/** Types of arrays without arrays: `ShapeDtypeStruct`, dtypes on the tape. */

import { cell, encode } from "./array.ts";
import { takeFloats } from "./calling.ts";
import { glue } from "./engine.ts";
import { raise } from "./errors.ts";
import { checkArguments } from "./functions.ts";
import { showSafely } from "./show.ts";

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
  const sizes = typeof shape === "number" ? [shape] : Array.isArray(shape) ? [...shape] : [null];
  if (!sizes.every((n) => Number.isInteger(n) && n >= 0)) {
    throw raise(
      "TypeError",
      `Shapes must be 1D sequences of non-negative integers, got ${showSafely(shape)}.`,
      cell.site,
    );
  }
  if (typeof dtype !== "string") {
    const message = `ShapeDtypeStruct: dtype must be specified, as "float32"; got ${showSafely(dtype)}`;
    throw raise("ValueError", message, cell.site);
  }
  codeOf(dtype);
  return new ShapeDtype(Object.freeze(sizes), dtype);
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
  "key<fry>": 6,
};

/** The number of a dtype's name on the tape, or a TypeError. */
export function codeOf(dtype: string): number {
  const code = CODES[dtype];
  if (code === undefined)
    throw raise("TypeError", `data type '${dtype}' not understood`, cell.site);
  return code === 4 && !glue.isX64() ? 3 : code;
}

/** A counted run of types: of arrays, numbers, or spelled out. */
export function encodeAvals(tape: number[], leaves: readonly unknown[], float: boolean): void {
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
