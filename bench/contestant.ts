// What a library brings to the race. Adapters in contestants/ are written the way each library's own
// documentation recommends, and nothing outside them knows a library.

/** An input, the same numbers for everyone. */
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** The programs of the race; what each computes is said in cases.ts. */
export type CaseId =
  | "matmul"
  | "chain"
  | "chainGradient"
  | "cheap"
  | "softmax"
  | "sumColumns"
  | "sumRows"
  | "cumsum"
  | "sort"
  | "mlpGradient"
  | "vmapGradient"
  | "adds"
  | "scalarGradient";

/** How a library runs a program: operation by operation, or compiled as a whole first. */
export type Mode = "eager" | "jit";

/** A library in the race. `T` is its array. */
export interface Contestant<T> {
  readonly name: string;
  readonly modes: readonly Mode[];
  /** Fetches and starts the library; `assets` is the folder or address that holds its files. */
  load(assets: string): Promise<void>;
  put(tensor: Tensor): T;
  /** The program as a function of no arguments that computes it once, or null where the library has none. */
  program(id: CaseId, mode: Mode, inputs: Record<string, T>): (() => T) | null;
  /** Waits until a result is computed, for libraries that return before it is. */
  finish?(result: T): Promise<unknown>;
  read(value: T): Promise<Float32Array>;
  /** Gives memory back, for libraries that ask their users to. */
  drop(value: T): void;
  /** `steps` times w = w - 0.01 * gradient of sum(w * w) / 2, as a user of the library would write it. */
  train(weights: Tensor, steps: number): Promise<Float32Array>;
}
