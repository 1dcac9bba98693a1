// Walking strided arrays line by line.

import { CHUNK } from "./numpy-lanes.ts";

/** Where an array lies: the code of its dtype, the address of its first element, bytes between elements by axis. */
export interface Operand {
  readonly code: number;
  address: number;
  readonly strides: number[];
}

/** Calls `row` for every innermost line: the operands' addresses there, and how many elements it has. */
export function eachRow(
  shape: number[],
  operands: Operand[],
  row: (addresses: number[], count: number, steps: number[]) => boolean,
): boolean {
  const { lengths, strides } = joined(shape, operands);
  const rank = lengths.length;
  const addresses = operands.map((each) => each.address);
  if (lengths.includes(0)) return true;
  const inner = rank ? lengths[rank - 1] : 1;
  const steps = strides.map((each) => (rank ? each[rank - 1] : 0));
  const index = new Array<number>(rank).fill(0);
  const here = addresses.slice();
  for (;;) {
    for (let at = 0; at < inner; at += CHUNK) {
      const count = Math.min(CHUNK, inner - at);
      for (let k = 0; k < here.length; k++) here[k] = addresses[k] + at * steps[k];
      if (!row(here, count, steps)) return false;
    }
    let axis = rank - 2;
    for (; axis >= 0; axis--) {
      index[axis]++;
      for (let k = 0; k < addresses.length; k++) addresses[k] += strides[k][axis];
      if (index[axis] < lengths[axis]) break;
      for (let k = 0; k < addresses.length; k++) addresses[k] -= strides[k][axis] * lengths[axis];
      index[axis] = 0;
    }
    if (axis < 0) return true;
  }
}

/** The shape and strides with neighbouring axes made one where every operand allows. */
function joined(shape: number[], operands: { strides: number[] }[]) {
  const lengths: number[] = [];
  const strides: number[][] = operands.map(() => []);
  for (let axis = 0; axis < shape.length; axis++) {
    if (shape[axis] === 1) continue;
    const last = lengths.length - 1;
    const fits =
      last >= 0 &&
      operands.every((each, k) => strides[k][last] === each.strides[axis] * shape[axis]);
    if (fits) {
      lengths[last] *= shape[axis];
      operands.forEach((each, k) => {
        strides[k][last] = each.strides[axis];
      });
    } else {
      lengths.push(shape[axis]);
      operands.forEach((each, k) => {
        strides[k].push(each.strides[axis]);
      });
    }
  }
  return { lengths, strides };
}
