// The JavaScript module `_cotangent_numpy` of Python: quick loops for www/python/numpy over Pyodide's memory.
//
// Python writes what is to be done as 32-bit words into one buffer (www/python/numpy/_kernels.py says in which
// order) and calls `run`. Arrays are named by the address of their memoryview object, in which CPython keeps the
// address of the bytes; `start` checks that it does. The answer is -1 where Python should do the work itself,
// else the conditions met (numpy-operations.ts).

import {
  CHUNK,
  FLOAT16,
  FLOAT32,
  FLOAT64,
  type Heap,
  heapOf,
  INT32,
  INT64,
  load,
  store,
  UINT32,
  UINT64,
  WIDTH,
} from "./numpy-lanes.ts";
import { moves } from "./numpy-moves.ts";
import {
  type Binary,
  binary,
  condition,
  library,
  libraryLoop,
  powerLoop,
  product32,
  type Unary,
  unary,
  whole,
} from "./numpy-operations.ts";
import { Pcg64 } from "./numpy-pcg.ts";
import { eachRow, type Operand } from "./numpy-walk.ts";

/** What is used of Pyodide. */
export interface PyodideMemory {
  readonly _module: Record<string, unknown>;
}

/** What Python imports as `_cotangent_numpy`. */
export interface NumpyKernels {
  /** The operations that `run` knows, by number. */
  names(): string;
  /** Takes the memoryview of the buffer of words; false where arrays cannot be found in memory. */
  start(view: number, expected: number): boolean;
  /** Does what the buffer says. */
  run(): number;
}

// Where a memoryview object of CPython 3.14 on wasm32 keeps the address of its bytes.
const VIEW_ADDRESS = 28;
const FOLDS = ["add", "multiply", "maximum", "minimum", "logical_or", "logical_and"];
const SAFE = 9007199254740992;
const BLOCK = 128;

/** The loops over the memory of one Pyodide. */
export function numpyKernels(pyodide: PyodideMemory): NumpyKernels {
  const module = pyodide._module;
  const maths = (name: string) => module[`_${name}`] as (...values: number[]) => number;
  const floats: Record<string, Binary> = { ...binary, power: powerLoop(maths("pow")) };
  const loops: Record<string, Unary> = { ...unary };
  for (const [name, { name: theirs, pole }] of Object.entries(library)) {
    loops[name] = libraryLoop(maths(theirs), pole);
  }
  const names = [
    ...new Set([...Object.keys(loops), ...Object.keys(floats), ...Object.keys(whole)]),
  ];
  const rows = [0, 1, 2, 3].map(() => new Float64Array(CHUNK));
  let heap: Heap = heapOf(new ArrayBuffer(8));
  let view = 0;

  const refresh = () => {
    const { buffer } = module.HEAP8 as Int8Array;
    if (buffer !== heap.buffer) heap = heapOf(buffer);
  };
  const place = (id: number, offset: number) =>
    heap.u32[((id >>> 0) + VIEW_ADDRESS) >>> 2] + offset;

  /** Reads an operand's words: view, offset, code, strides. */
  function operand(at: number, rank: number): Operand {
    const words = heap.i32;
    const strides: number[] = [];
    for (let i = 0; i < rank; i++) strides.push(words[at + 3 + i]);
    return { address: place(words[at], words[at + 1]), code: words[at + 2], strides };
  }

  /** Words: 0, operation, loop, operands, rank, shape, then the result and the operands. */
  function elementwise(at: number): number {
    const words = heap.i32;
    const name = names[words[at + 1]];
    const loop = words[at + 2];
    const count = words[at + 3];
    const rank = words[at + 4];
    const shape = Array.from(words.subarray(at + 5, at + 5 + rank));
    const operands: Operand[] = [];
    for (let k = 0, next = at + 5 + rank; k <= count; k++, next += 3 + rank) {
      operands.push(operand(next, rank));
    }
    if (operands.some((each) => !WIDTH[each.code])) return -1;
    const narrow = loop === FLOAT32 || loop === FLOAT16;
    const one = count === 1 ? loops[name] : undefined;
    const two = count === 2 ? chooseBinary(name, loop, floats) : undefined;
    if (!one && !two) return -1;
    condition.flags = 0;
    const done = eachRow(shape, operands, (addresses, length, steps) => {
      for (let k = 1; k <= count; k++) {
        const { code } = operands[k];
        if (!load(heap, code, addresses[k], steps[k], length, rows[k])) return false;
        if (narrow && code !== loop) round(rows[k], length);
      }
      if (one) one(rows[1], rows[0], length);
      else two?.(rows[1], rows[2], rows[0], length);
      return store(heap, operands[0].code, addresses[0], steps[0], length, rows[0]);
    });
    return done ? condition.flags : -1;
  }

  /** Words: 1, rank, shape, then result, mask, and the two choices, all but the mask of one dtype. */
  function select(at: number): number {
    const words = heap.i32;
    const rank = words[at + 1];
    const shape = Array.from(words.subarray(at + 2, at + 2 + rank));
    const operands = [0, 1, 2, 3].map((k) => operand(at + 2 + rank + k * (3 + rank), rank));
    if (operands.some((each) => !WIDTH[each.code])) return -1;
    const done = eachRow(shape, operands, (addresses, length, steps) => {
      for (let k = 1; k < 4; k++) {
        if (!load(heap, operands[k].code, addresses[k], steps[k], length, rows[k])) return false;
      }
      const [out, mask, first, second] = rows;
      for (let i = 0; i < length; i++) out[i] = mask[i] !== 0 ? first[i] : second[i];
      return store(heap, operands[0].code, addresses[0], steps[0], length, out);
    });
    return done ? 0 : -1;
  }

  /** Words: 3, fold, loop, block, kept rank, folded rank, kept shape, folded shape, operand, result. */
  function fold(at: number): number {
    const words = heap.i32;
    const name = FOLDS[words[at + 1]];
    const [loop, block, keptRank, foldedRank] = words.subarray(at + 2, at + 6);
    const rank = keptRank + foldedRank;
    const shape = Array.from(words.subarray(at + 6, at + 6 + rank));
    const source = operand(at + 6 + rank, rank);
    const result = operand(at + 9 + 2 * rank, 0);
    const float = loop >= FLOAT16;
    if (!WIDTH[source.code] || (float && loop !== FLOAT64 && source.code !== loop)) return -1;
    const kept = shape.slice(0, keptRank);
    const folded = shape.slice(keptRank);
    const total = folded.reduce((a, b) => a * b, 1);
    const values = new Float64Array(total);
    const outs = kept.reduce((a, b) => a * b, 1);
    const single = loop === FLOAT32;
    const index = new Array<number>(keptRank).fill(0);
    const line: Operand = { ...source, strides: source.strides.slice(keptRank) };
    for (let number = 0; number < outs; number++) {
      let filled = 0;
      const good = eachRow(folded, [line], ([address], length, [step]) => {
        const part = values.subarray(filled, filled + length);
        filled += length;
        return load(heap, source.code, address, step, length, part);
      });
      if (!good) return -1;
      const value =
        float && name === "add" ? summed(values, block, single) : folding(name, values, single);
      if (!float && Math.abs(value) > SAFE) return -1;
      rows[0][0] = value;
      const to = result.address + number * WIDTH[result.code];
      if (!store(heap, result.code, to, 0, 1, rows[0])) return -1;
      for (let axis = keptRank - 1; axis >= 0; axis--) {
        index[axis]++;
        line.address += source.strides[axis];
        if (index[axis] < kept[axis]) break;
        line.address -= source.strides[axis] * kept[axis];
        index[axis] = 0;
      }
    }
    return 0;
  }

  /** Words: 4, code, batches, rows, inner, columns, then the views of both sides and the result, contiguous. */
  function matmul(at: number): number {
    const [code, batches, height, inner, width, a, b, c] = heap.i32.subarray(at + 1, at + 9);
    const size = WIDTH[code];
    if (!size) return -1;
    const left = new Float64Array(height * inner);
    const right = new Float64Array(inner * width);
    const out = new Float64Array(height * width);
    for (let batch = 0; batch < batches; batch++) {
      const from = (id: number, length: number) => place(id, batch * length * size);
      if (!load(heap, code, from(a, left.length), size, left.length, left)) return -1;
      if (!load(heap, code, from(b, right.length), size, right.length, right)) return -1;
      out.fill(0);
      for (let i = 0; i < height; i++) {
        const row = out.subarray(i * width, (i + 1) * width);
        for (let k = 0; k < inner; k++) {
          const factor = left[i * inner + k];
          const start = k * width;
          for (let j = 0; j < width; j++) row[j] += factor * right[start + j];
        }
      }
      if (code < FLOAT16 && out.some((value) => Math.abs(value) > SAFE)) return -1;
      if (!store(heap, code, from(c, out.length), size, out.length, out)) return -1;
    }
    return 0;
  }

  /** Words: 5, count, the result's view, 16 limbs of state and increment, then for normals three tables' views. */
  function random(at: number): number {
    const words = heap.i32;
    const [count, id, ...rest] = words.subarray(at + 1, at + 22);
    const state = Float64Array.from(rest.slice(0, 8));
    const generator = new Pcg64(state, Float64Array.from(rest.slice(8, 16)));
    const doubles = (view: number, length: number) => {
      const first = place(view, 0) / 8;
      return heap.f64.subarray(first, first + length);
    };
    const out = doubles(id, count);
    if (rest[16] === 0) generator.uniforms(out);
    else {
      const [accepted, widths, heights] = rest.slice(16, 19).map((each) => doubles(each, 256));
      const [exp, log1p] = [maths("exp"), maths("log1p")];
      generator.normals(out, { accepted, widths, heights }, { exp, log1p });
    }
    for (let i = 0; i < 8; i++) words[at + 3 + i] = state[i];
    return 0;
  }

  const { copy, take, sort, nonzero } = moves({ heap: () => heap, place, operand });
  const kinds = [elementwise, select, copy, fold, matmul, random, take, sort, nonzero];
  return {
    names: () => names.join(" "),
    start(id, expected) {
      refresh();
      view = id;
      const at = place(view, 0);
      return at % 4 === 0 && at + 4 <= heap.buffer.byteLength && heap.i32[at / 4] === expected;
    },
    run() {
      refresh();
      const at = place(view, 0) / 4;
      return kinds[heap.i32[at]](at);
    },
  };
}

/** The loop of a binary operation for a dtype, none where Python must do it. */
function chooseBinary(
  name: string,
  loop: number,
  floats: Record<string, Binary>,
): Binary | undefined {
  if (loop >= FLOAT16) return floats[name];
  if (name === "multiply" && (loop === INT32 || loop === UINT32)) return product32;
  if (name.startsWith("bitwise") && (loop === INT64 || loop === UINT64)) return undefined;
  return whole[name];
}

function round(row: Float64Array, count: number): void {
  for (let i = 0; i < count; i++) row[i] = Math.fround(row[i]);
}

/** A sum in NumPy's order: pairwise within blocks of `block` elements (0: one after another). */
function summed(values: Float64Array, block: number, single: boolean): number {
  let total = 0;
  if (block === 0) {
    if (single) for (let i = 0; i < values.length; i++) total = Math.fround(total + values[i]);
    else for (let i = 0; i < values.length; i++) total += values[i];
    return total;
  }
  for (let at = 0; at < values.length; at += block) {
    const part = pairwise(values, at, Math.min(block, values.length - at), single);
    total = single ? Math.fround(total + part) : total + part;
  }
  return total;
}

const sums = new Float64Array(8);
const singles = new Float32Array(8);

function pairwise(values: Float64Array, start: number, count: number, single: boolean): number {
  const r = single ? singles : sums;
  const fit = single ? Math.fround : (value: number) => value;
  if (count < 8) {
    let total = -0;
    for (let i = 0; i < count; i++) total = fit(total + values[start + i]);
    return total;
  }
  if (count <= BLOCK) {
    for (let k = 0; k < 8; k++) r[k] = values[start + k];
    let i = 8;
    for (; i < count - (count % 8); i += 8) {
      for (let k = 0; k < 8; k++) r[k] += values[start + i + k];
    }
    let total = fit(
      fit(fit(r[0] + r[1]) + fit(r[2] + r[3])) + fit(fit(r[4] + r[5]) + fit(r[6] + r[7])),
    );
    for (; i < count; i++) total = fit(total + values[start + i]);
    return total;
  }
  let half = Math.floor(count / 2);
  half -= half % 8;
  const first = pairwise(values, start, half, single);
  return fit(first + pairwise(values, start + half, count - half, single));
}

function folding(name: string, values: Float64Array, single: boolean): number {
  let total = values[0];
  const n = values.length;
  switch (name) {
    case "add":
      for (let i = 1; i < n; i++) total += values[i];
      return total;
    case "multiply":
      for (let i = 1; i < n; i++)
        total = single ? Math.fround(total * values[i]) : total * values[i];
      return total;
    case "maximum":
      for (let i = 1; i < n; i++)
        if (!(total >= values[i]) && !Number.isNaN(total)) total = values[i];
      return total;
    case "minimum":
      for (let i = 1; i < n; i++)
        if (!(total <= values[i]) && !Number.isNaN(total)) total = values[i];
      return total;
    case "logical_or":
      return values.some((value) => value !== 0) ? 1 : 0;
    default:
      return values.every((value) => value !== 0) ? 1 : 0;
  }
}
