// The part of the library that the race uses, with types as narrow as its programs need.

import * as everything from "cotangent";

export interface Arr {
  add(other: Arr | number): Arr;
  sub(other: Arr | number): Arr;
  mul(other: Arr | number): Arr;
  neg(): Arr;
  data(): Float32Array;
}

type Unary = (x: Arr) => Arr;
type Binary = (x: Arr | number, y: Arr | number) => Arr;
type Reduce = (x: Arr, options?: { axis?: number }) => Arr;

interface Library {
  np: Record<"sin" | "exp" | "log" | "tanh" | "abs", Unary> &
    Record<"sum" | "mean" | "cumsum" | "sort", Reduce> &
    Record<"minimum" | "maximum", Binary> & {
      array(values: Float32Array | readonly number[]): Arr;
      reshape(x: Arr, shape: readonly number[]): Arr;
      matmul(x: Arr, y: Arr): Arr;
    };
  nn: Record<"softmax" | "logSoftmax", Reduce>;
  grad<P, Rest extends unknown[]>(
    f: (first: P, ...rest: Rest) => Arr,
  ): (first: P, ...rest: Rest) => P;
  jit<F>(f: F): F;
  vmap<F>(f: F): F;
}

export const { np, nn, grad, jit, vmap } = everything as unknown as Library;
