/** What the fixes are told about a failure. */

import type { Span } from "../report.ts";

/** Shape and dtype of a value, as `{ shape: [4], dtype: "float32" }`. */
export interface AvalInfo {
  readonly shape: readonly number[];
  readonly dtype: string;
}

/** A failure for which there may be fixes. */
export interface Failure {
  /**
   * - "callback-jvp": a callback was to be differentiated
   * - "callback-transpose": a callback was to be transposed
   * - "callback-vmap": a callback without a vmapMethod was to be batched
   * - "concretization": the truth or value of a tracer was asked for
   * - "non-scalar": `grad` of a function whose result is not a scalar
   * - "int-input": `grad` with respect to an integer
   * - "bwd-structure": the `bwd` of a custom rule returned something of the wrong structure
   * - "leak", "shape", "other": explained, but not mended
   */
  readonly kind:
    | "callback-jvp"
    | "callback-transpose"
    | "callback-vmap"
    | "concretization"
    | "non-scalar"
    | "int-input"
    | "bwd-structure"
    | "leak"
    | "shape"
    | "other";
  /** "buffer_callback", "pure_callback", "io_callback", … */
  readonly primitive: string | null;
  /** The failing call, operator or condition. */
  readonly span: Span | null;
  /** The transform that asked for what failed: for a missing derivative "grad", not a `jit` within it. */
  readonly transform: string;
  /** The call of that transform's function, as `grad(loss)(x)`, where `span` is somewhere else. */
  readonly transformSpan?: Span | null;
  /** Inputs of the callback (leaves, in order), or arguments of the differentiated function. */
  readonly inputs?: readonly AvalInfo[];
  readonly outputs?: readonly AvalInfo[];
  /** Name of the function that was called back, or of the one that has the custom rule. */
  readonly name?: string | null;
  /** Index of the argument that is at fault ("int-input"). */
  readonly argument?: number;
}

/** May values of this dtype be differentiated? */
export function isFloat(aval: AvalInfo): boolean {
  return /^(?:b?float|complex)/.test(aval.dtype) && aval.dtype !== "float0";
}
