/** Auxiliary results (`hasAux`): any tree of anything, of which only the values go through the engine. */

import { cell, describe } from "./array.ts";
import { raise } from "./errors.ts";
import { isValue } from "./functions.ts";
import { flatten, structure, unflatten } from "./tree.ts";

/** Keeps the rest of an auxiliary result while its values are with the engine. */
export class Auxiliary {
  #leaves: unknown[] = [];
  #structure = structure(null);

  /** How many values went to the engine. */
  get count(): number {
    return this.#leaves.filter(isValue).length;
  }

  /** The result and the values of the auxiliary result of a function that gave `[result, auxiliary]`. */
  take(out: unknown): [unknown, unknown[]] {
    if (!Array.isArray(out) || out.length !== 2) {
      const kind = Array.isArray(out) ? `an array of length ${out.length}` : describe(out);
      throw raise(
        "TypeError",
        `expected function with aux output to return a two-element tuple, but got type ${kind}`,
        cell.site,
      );
    }
    [this.#leaves, this.#structure] = flatten(out[1]);
    return [out[0], this.#leaves.filter(isValue)];
  }

  /** The auxiliary result, with the values that came back. */
  give(values: unknown): unknown {
    const back = [...(values as unknown[])];
    return unflatten(
      this.#structure,
      this.#leaves.map((leaf) => (isValue(leaf) ? back.shift() : leaf)),
    );
  }
}
