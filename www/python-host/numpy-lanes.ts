// Reading and writing rows of array elements in Pyodide's memory as doubles, whatever their dtype.
//
// A dtype's code is the `code` of www/python/numpy/_dtypes.py. Rows are at most CHUNK elements. Whole numbers
// that a double cannot hold exactly make a read or write answer false: then Python does the work.

/** Views on the whole of Pyodide's memory; remade when it grows. */
export interface Heap {
  readonly buffer: ArrayBufferLike;
  readonly i8: Int8Array;
  readonly u8: Uint8Array;
  readonly i16: Int16Array;
  readonly u16: Uint16Array;
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
}

/** Views on `buffer`. */
export function heapOf(buffer: ArrayBufferLike): Heap {
  return {
    buffer,
    i8: new Int8Array(buffer),
    u8: new Uint8Array(buffer),
    i16: new Int16Array(buffer),
    u16: new Uint16Array(buffer),
    i32: new Int32Array(buffer),
    u32: new Uint32Array(buffer),
    f32: new Float32Array(buffer),
    f64: new Float64Array(buffer),
  };
}

export const CHUNK = 1024;
export const BOOL = 0;
export const INT32 = 5;
export const UINT32 = 6;
export const INT64 = 7;
export const UINT64 = 8;
export const FLOAT16 = 9;
export const FLOAT32 = 10;
export const FLOAT64 = 11;
const BFLOAT16 = 14;
/** Bytes of an element by code; 0 where rows of it are not read here (complex numbers, text). */
export const WIDTH = [1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8, 0, 0, 2];
const SAFE = 9007199254740992;
const TWO32 = 4294967296;

const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);

/** The value of a float16 given by its bits. */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** The bits of the float16 nearest to `value`, halves to even. */
function toHalf(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65520) return sign | 0x7c00;
  if (size < 6.103515625e-5) return sign | roundEven(size * 16777216);
  const exponent = Math.floor(Math.log2(size));
  const power =
    2 ** exponent > size ? exponent - 1 : 2 ** (exponent + 1) <= size ? exponent + 1 : exponent;
  return sign | (((power + 14) << 10) + roundEven(size * 2 ** (10 - power)));
}

/** The nearest whole number, halves to even. */
export function roundEven(value: number): number {
  const down = Math.floor(value);
  const rest = value - down;
  if (rest < 0.5) return down === 0 && (value < 0 || Object.is(value, -0)) ? -0 : down;
  if (rest > 0.5) return down + 1 === 0 ? -0 : down + 1;
  return down % 2 === 0 ? down : down + 1 === 0 ? -0 : down + 1;
}

function toBfloat(value: number): number {
  single[0] = value;
  const bits = singleBits[0];
  if (Number.isNaN(value)) return 0x7fc0 | ((bits >>> 16) & 0x8000);
  return ((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16) & 0xffff;
}

/** Reads `count` elements from `address` on, `stride` bytes apart. False where a double cannot hold one. */
export function load(
  heap: Heap,
  code: number,
  address: number,
  stride: number,
  count: number,
  into: Float64Array,
): boolean {
  switch (code) {
    case BOOL:
    case 2:
      gather(heap.u8, address, stride, count, into);
      return true;
    case 1:
      gather(heap.i8, address, stride, count, into);
      return true;
    case 3:
      return aligned(heap.i16, 1, address, stride, count, into);
    case 4:
      return aligned(heap.u16, 1, address, stride, count, into);
    case INT32:
      return aligned(heap.i32, 2, address, stride, count, into);
    case UINT32:
      return aligned(heap.u32, 2, address, stride, count, into);
    case FLOAT32:
      return aligned(heap.f32, 2, address, stride, count, into);
    case FLOAT64:
      return aligned(heap.f64, 3, address, stride, count, into);
    case INT64:
    case UINT64:
      return loadWide(heap, code === INT64, address, stride, count, into);
    case FLOAT16:
      if (!aligned(heap.u16, 1, address, stride, count, into)) return false;
      for (let i = 0; i < count; i++) into[i] = fromHalf(into[i]);
      return true;
    case BFLOAT16:
      if (!aligned(heap.u16, 1, address, stride, count, into)) return false;
      for (let i = 0; i < count; i++) {
        singleBits[0] = into[i] << 16;
        into[i] = single[0];
      }
      return true;
    default:
      return false;
  }
}

type Numbers = { readonly [index: number]: number };

function gather(from: Numbers, first: number, step: number, count: number, into: Float64Array) {
  for (let i = 0, at = first; i < count; i++, at += step) into[i] = from[at];
}

function aligned(
  from: Numbers,
  shift: number,
  address: number,
  stride: number,
  count: number,
  into: Float64Array,
): boolean {
  const mask = (1 << shift) - 1;
  if (address & mask || stride & mask) return false;
  if (shift === 3 && from instanceof Float64Array) {
    const first = address / 8;
    if (stride === 8) into.set(from.subarray(first, first + count));
    else
      for (let i = 0, at = first, step = stride / 8; i < count; i++, at += step) into[i] = from[at];
  } else if (from instanceof Float32Array) {
    for (let i = 0, at = address / 4, step = stride / 4; i < count; i++, at += step)
      into[i] = from[at];
  } else {
    gather(from, address / (mask + 1), stride / (mask + 1), count, into);
  }
  return true;
}

function loadWide(
  heap: Heap,
  signed: boolean,
  address: number,
  stride: number,
  count: number,
  into: Float64Array,
): boolean {
  if (address & 3 || stride & 3) return false;
  const { i32, u32 } = heap;
  let good = true;
  for (let i = 0, at = address / 4, step = stride / 4; i < count; i++, at += step) {
    const high = signed ? i32[at + 1] : u32[at + 1];
    if (high > 0x1fffff || high < -0x200000) good = false;
    into[i] = high * TWO32 + u32[at];
  }
  return good;
}

/** Writes `count` doubles; whole numbers wrap. False, with nothing promised, where one cannot be written exactly. */
export function store(
  heap: Heap,
  code: number,
  address: number,
  stride: number,
  count: number,
  from: Float64Array,
): boolean {
  switch (code) {
    case BOOL:
      for (let i = 0, at = address; i < count; i++, at += stride)
        heap.u8[at] = from[i] !== 0 ? 1 : 0;
      return true;
    case 1:
    case 2:
      return storeWhole(heap.u8, 0, address, stride, count, from);
    case 3:
    case 4:
      return storeWhole(heap.u16, 1, address, stride, count, from);
    case INT32:
    case UINT32:
      return storeWhole(heap.i32, 2, address, stride, count, from);
    case INT64:
    case UINT64:
      return storeWide(heap, code === INT64, address, stride, count, from);
    case FLOAT16:
      if (address & 1 || stride & 1) return false;
      for (let i = 0, at = address / 2; i < count; i++, at += stride / 2)
        heap.u16[at] = toHalf(from[i]);
      return true;
    case BFLOAT16:
      if (address & 1 || stride & 1) return false;
      for (let i = 0, at = address / 2; i < count; i++, at += stride / 2)
        heap.u16[at] = toBfloat(from[i]);
      return true;
    case FLOAT32:
      if (address & 3 || stride & 3) return false;
      for (let i = 0, at = address / 4, step = stride / 4; i < count; i++, at += step)
        heap.f32[at] = from[i];
      return true;
    case FLOAT64:
      if (address & 7 || stride & 7) return false;
      for (let i = 0, at = address / 8, step = stride / 8; i < count; i++, at += step)
        heap.f64[at] = from[i];
      return true;
    default:
      return false;
  }
}

function storeWhole(
  to: Uint8Array | Uint16Array | Int32Array,
  shift: number,
  address: number,
  stride: number,
  count: number,
  from: Float64Array,
): boolean {
  const size = 1 << shift;
  if (address & (size - 1) || stride & (size - 1)) return false;
  for (let i = 0; i < count; i++) if (!(Math.abs(from[i]) <= SAFE)) return false;
  for (let i = 0, at = address / size, step = stride / size; i < count; i++, at += step)
    to[at] = from[i];
  return true;
}

function storeWide(
  heap: Heap,
  signed: boolean,
  address: number,
  stride: number,
  count: number,
  from: Float64Array,
): boolean {
  if (address & 3 || stride & 3) return false;
  for (let i = 0; i < count; i++) {
    const value = from[i];
    if (!(Math.abs(value) <= SAFE) || (!signed && value < 0)) return false;
  }
  for (let i = 0, at = address / 4, step = stride / 4; i < count; i++, at += step) {
    const value = Math.trunc(from[i]);
    heap.i32[at] = value;
    heap.i32[at + 1] = Math.floor(value / TWO32);
  }
  return true;
}
