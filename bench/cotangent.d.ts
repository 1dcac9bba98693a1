// The part of the library that the race uses. A real declaration of "cotangent" makes this file superfluous.

declare module "cotangent" {
  export interface Array {
    add(other: Array | number): Array;
    sub(other: Array | number): Array;
    mul(other: Array | number): Array;
    neg(): Array;
    data(): Float32Array;
  }
  type Unary = (x: Array) => Array;
  type Binary = (x: Array | number, y: Array | number) => Array;
  type Reduce = (x: Array, options?: { axis?: number }) => Array;
  export const np: {
    array(values: Float32Array | readonly number[]): Array;
    reshape(x: Array, shape: readonly number[]): Array;
    matmul(x: Array, y: Array): Array;
    sum: Reduce;
    mean: Reduce;
    cumsum: Reduce;
    sort: Reduce;
    sin: Unary;
    exp: Unary;
    log: Unary;
    tanh: Unary;
    abs: Unary;
    minimum: Binary;
    maximum: Binary;
  };
  export const nn: { softmax: Reduce; logSoftmax: Reduce };
  export function grad<P, Rest extends unknown[]>(
    f: (first: P, ...rest: Rest) => Array,
  ): (first: P, ...rest: Rest) => P;
  export function jit<F>(f: F): F;
  export function vmap<F>(f: F): F;
}
