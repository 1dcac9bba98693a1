// Moving elements without computing: copies between layouts, choosing by index, sorting, finding what is not zero.

import { CHUNK, type Heap, load, store, WIDTH } from "./numpy-lanes.ts";
import { eachRow, type Operand } from "./numpy-walk.ts";

/** What the loops need of the memory: the views, addresses of memoryviews, operands described by words. */
export interface Memory {
  heap(): Heap;
  place(view: number, offset: number): number;
  operand(at: number, rank: number): Operand;
}

type Move = (at: number) => number;

/** The loops by name; each reads its words from `at` on and answers 0, or -1 where Python should do it. */
export function moves({
  heap,
  place,
  operand,
}: Memory): Record<"copy" | "take" | "sort" | "nonzero", Move> {
  const numbers = [0, 1, 2, 3].map(() => new Float64Array(CHUNK));

  /** Words: 2, width, rank, shape, then target and source (their codes do not count). */
  function copy(at: number): number {
    const { i32: words, u8, u16, u32 } = heap();
    const [, width, rank] = words.subarray(at, at + 3);
    const shape = Array.from(words.subarray(at + 3, at + 3 + rank));
    const target = operand(at + 3 + rank, rank);
    const source = operand(at + 6 + 2 * rank, rank);
    const size = Math.min(width, 4);
    for (const each of [target, source]) {
      if (each.address % size || each.strides.some((stride) => stride % size)) return -1;
    }
    const cells = size === 1 ? u8 : size === 2 ? u16 : u32;
    const parts = width / size;
    eachRow(shape, [target, source], ([to, from], length, [toStep, fromStep]) => {
      const [ts, fs] = [toStep / size, fromStep / size];
      let [t, f] = [to / size, from / size];
      if (ts === parts && fs === parts) {
        cells.copyWithin(t, f, f + length * parts);
      } else if (parts === 1) {
        for (let i = 0; i < length; i++, t += ts, f += fs) cells[t] = cells[f];
      } else {
        for (let i = 0; i < length; i++, t += ts, f += fs) {
          for (let part = 0; part < parts; part++) cells[t + part] = cells[f + part];
        }
      }
      return true;
    });
    return 0;
  }

  /**
   * Words: 6, direction (0 reads, 1 writes), bytes of a block, rank, shape of the indices, their number, the
   * strided array's view and offset, the contiguous side's view, then for each index array its operand, the
   * length of its axis and that axis's stride.
   */
  function take(at: number): number {
    const { i32: words, u8, u32 } = heap();
    const [, writes, block, rank] = words.subarray(at, at + 4);
    const shape = Array.from(words.subarray(at + 4, at + 4 + rank));
    const [count, view, offset, other] = words.subarray(at + 4 + rank, at + 8 + rank);
    const base = place(view, offset);
    let flat = place(other, 0);
    if (count > 4) return -1;
    const indices: Operand[] = [];
    const lengths: number[] = [];
    const steps: number[] = [];
    for (let k = 0, next = at + 8 + rank; k < count; k++, next += 5 + rank) {
      indices.push(operand(next, rank));
      lengths.push(words[next + 3 + rank]);
      steps.push(words[next + 4 + rank]);
    }
    if ((base | flat | block) & 3 && block !== 1) return -1;
    if (steps.some((step) => step & 3) && block !== 1) return -1;
    const done = eachRow(shape, indices, (addresses, length, strides) => {
      for (let k = 0; k < count; k++) {
        if (!load(heap(), indices[k].code, addresses[k], strides[k], length, numbers[k]))
          return false;
        for (let i = 0; i < length; i++) {
          if (numbers[k][i] < 0) numbers[k][i] += lengths[k];
          if (!(numbers[k][i] >= 0 && numbers[k][i] < lengths[k])) return false;
        }
      }
      for (let i = 0; i < length; i++, flat += block) {
        let here = base;
        for (let k = 0; k < count; k++) here += numbers[k][i] * steps[k];
        const [from, to] = writes ? [flat, here] : [here, flat];
        if (block === 1) u8[to] = u8[from];
        else if (block <= 64) {
          for (let f = from / 4, t = to / 4, last = f + block / 4; f < last; f++, t++)
            u32[t] = u32[f];
        } else u8.copyWithin(to, from, from + block);
      }
      return true;
    });
    return done ? 0 : -1;
  }

  /** Words: 7, code, lines, length, view: sorts every line of a contiguous array in place, nan last. */
  function sort(at: number): number {
    const [, code, lines, length, view] = heap().i32.subarray(at, at + 5);
    const width = WIDTH[code];
    if (!width) return -1;
    const values = new Float64Array(length);
    for (let line = 0; line < lines; line++) {
      const address = place(view, line * length * width);
      if (!load(heap(), code, address, width, length, values)) return -1;
      values.sort();
      if (!store(heap(), code, address, width, length, values)) return -1;
    }
    return 0;
  }

  /** Words: 8, mask's view and offset, rank, shape, then one view of int64 an axis: the indices of true elements. */
  function nonzero(at: number): number {
    const { i32: words, u8 } = heap();
    const [, view, offset, rank] = words.subarray(at, at + 4);
    const shape = Array.from(words.subarray(at + 4, at + 4 + rank));
    const outs = Array.from(
      words.subarray(at + 4 + rank, at + 4 + 2 * rank),
      (id) => place(id, 0) / 4,
    );
    const start = place(view, offset);
    const total = shape.reduce((a, b) => a * b, 1);
    let found = 0;
    for (let number = 0; number < total; number++) {
      if (u8[start + number] === 0) continue;
      let rest = number;
      for (let axis = rank - 1; axis >= 0; axis--) {
        words[outs[axis] + 2 * found] = rest % shape[axis];
        words[outs[axis] + 2 * found + 1] = 0;
        rest = Math.floor(rest / shape[axis]);
      }
      found++;
    }
    return 0;
  }

  return { copy, take, sort, nonzero };
}
