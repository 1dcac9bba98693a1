/**
 * Arrays as programs see them: handles of values in the engine.
 *
 * Memory. A handle is freed when the collector finds its object unused, when the rewrite of a program
 * proves it unused (see `instrument/owned.ts`), and, for tracers, when their transform ends. Finalisers
 * do not run in synchronous code, so that is not enough for a long loop. Therefore: when handles hold
 * more than `RESIDENT_LIMIT` bytes, the oldest large arrays are *spilled*: their elements move to an
 * ArrayBuffer that hangs on the object, where the collector sees their weight and frees them with it, in
 * synchronous code too. A spilled array that is used again moves back. So memory stays flat and
 * nothing is ever lost.
 */

import type { ArrayMethods } from "../../pkg/api.js";
import { describe } from "./describe.ts";
import { type DType, dtypeCode, dtypeOf } from "./dtypes.ts";
import { glue, isLoaded, memoryBuffer, putString, TAG, TapeReader, writeTape } from "./engine.ts";
import { CotangentError, guarded, raise } from "./errors.ts";
import type { SiteCell } from "./instrument/runtime.ts";

export type { DType };
export { describe };

const ITEM_SIZE = [1, 4, 4, 4, 8, 0, 8];

/** The elements of an array, in memory of their own. */
export type Elements = Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** Where the program is (written by the runtime of rewritten programs, or left at 0). */
export const cell: SiteCell = { site: 0, floats: 0 };

/** Handles may hold this many bytes before old ones are spilled. */
const RESIDENT_LIMIT = 192e6;
/** Smaller arrays are never spilled. */
const SPILL_FROM = 1 << 16;
/** Bytes made since the last pause after which a loop is asked to pause. */
const PAUSE_AFTER = 128e6;

/**
 * What an array object owns: a handle, or its elements where they were spilled. The finaliser does not
 * hold it, only the number of the handle: else spilled elements would live until finalisers run.
 */
interface Cell {
  handle: number;
  readonly bytes: number;
  spilled: ArrayBuffer | null;
  /** The engine that the handle belongs to: a new run has a new one. */
  readonly session: number;
}

/** Cells of large arrays by handle, in order of age. */
const resident = new Map<number, Cell>();
let residentBytes = 0;
let session = 0;
let bytesSincePause = 0;
/** Rises when no transform is running any more: tracers of earlier epochs are dead. */
let epoch = 0;
let depth = 0;

const NO_HANDLE = -1;

/** A finaliser may come late, when a new engine has given its number to another value: then it does nothing. */
function newFinalizers(): FinalizationRegistry<number> {
  const own = session;
  return new FinalizationRegistry<number>((handle) => {
    if (own === session) freeHandle(handle);
  });
}
let finalizers = newFinalizers();

/** Frees a handle; one that was freed before (or spilled) is none any more, and nothing happens. */
function freeHandle(handle: number): void {
  if (isLoaded()) glue.free(handle);
  const owned = resident.get(handle);
  if (!owned) return;
  resident.delete(handle);
  residentBytes -= owned.bytes;
}

function release(owned: Cell): void {
  if (owned.handle !== NO_HANDLE && owned.session === session) freeHandle(owned.handle);
  owned.handle = NO_HANDLE;
  owned.spilled = null;
}

/** Forgets all handles: the engine has been reset. */
export function forgetHandles(): void {
  session++;
  // Arrays of the old engine must not free handles of the new one.
  finalizers = newFinalizers();
  resident.clear();
  residentBytes = 0;
  bytesSincePause = 0;
  depth = 0;
  epoch++;
}

/** Has so much been made that the collector should get a turn? */
export const pauseIsDue = (): boolean => bytesSincePause > PAUSE_AFTER;

/** Lets the event loop turn once, so that finalisers run and messages go out. */
export function pause(): Promise<void> {
  bytesSincePause = 0;
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** The innermost transform that a function of the user is running in. */
let running = "";

/** Runs a function of the user inside a transform: tracers made in it die with the outermost one. */
export function inTransform<T>(body: () => T, transform = running): T {
  const outer = running;
  running = transform;
  depth++;
  try {
    return body();
  } finally {
    depth--;
    running = outer;
    if (depth === 0) epoch++;
  }
}

/** Is the program itself running, rather than a function under a transform? */
export const outsideTransforms = (): boolean => depth === 0;

/** Methods are put on arrays when the engine has been loaded; this is how TypeScript learns of them. */
export interface NdArray extends ArrayMethods {}

/** An array of numbers, or a tracer standing for one. Immutable. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the methods come from the engine's registry
export class NdArray {
  /** Axis sizes. */
  readonly shape: readonly number[];
  /** Element type. */
  readonly dtype: DType;
  /** Weakly typed: yields to other dtypes in promotion. */
  readonly weakType: boolean;
  /** @internal */
  readonly _cell: Cell;
  /** @internal The epoch a tracer was made in; -1 for concrete arrays. */
  readonly _epoch: number;
  /** @internal Where a tracer was made: the site, and the innermost transform. */
  readonly _site: number;
  /** @internal */
  readonly _transform: string;

  /** @internal */
  constructor(handle: number, dtype: number, weak: boolean, traced: boolean, shape: number[]) {
    this.shape = Object.freeze(shape);
    this.dtype = dtypeOf(dtype);
    this.weakType = weak;
    let size = 1;
    for (let i = 0; i < shape.length; i++) size *= shape[i] as number;
    const bytes = size * (ITEM_SIZE[dtype] as number);
    this._cell = { handle, bytes, spilled: null, session };
    this._epoch = traced ? epoch : -1;
    this._site = traced ? cell.site : 0;
    this._transform = traced ? running : "";
    if (traced) return;
    finalizers.register(this, handle);
    bytesSincePause += bytes + 64;
    if (bytes >= SPILL_FROM) keep(this._cell);
  }

  /** The number of axes. */
  get ndim(): number {
    return this.shape.length;
  }

  /** The number of elements. */
  get size(): number {
    return this.shape.reduce((a, b) => a * b, 1);
  }

  /** The size of the first axis. */
  get length(): number {
    const [n] = this.shape;
    if (n === undefined) throw raise("TypeError", "len() of unsized object", cell.site);
    return n;
  }

  /** A copy of the elements, row-major. Raises the concretization error for a tracer. */
  data(): Elements {
    return copyElements(this);
  }

  /** The one element of an array of one element as a number or boolean. */
  item(): number | boolean {
    if (this.size !== 1) {
      throw raise(
        "ValueError",
        "can only convert an array of size 1 to a scalar: item() takes the one element there is",
        cell.site,
      );
    }
    const x = numberOf(this, "item");
    return this.dtype === "bool" ? x !== 0 : x;
  }

  /** The elements as nested JavaScript arrays. */
  tolist(): unknown {
    if (this._epoch >= 0) guarded(() => glue.refuseTracer(handleOf(this), "tolist()", cell.site));
    if (this.shape.length === 0) return this.item();
    const flat = this.data();
    const isBool = this.dtype === "bool";
    let at = 0;
    const build = (axis: number): unknown => {
      if (axis === this.shape.length) {
        const x = flat[at++] as number;
        return isBool ? x !== 0 : x;
      }
      return Array.from({ length: this.shape[axis] as number }, () => build(axis + 1));
    };
    return build(0);
  }

  /** What `print` shows. */
  toString(): string {
    return formatArray(this, false);
  }

  /** What stands for it inside containers: `Array([1., 2.], dtype=float32)`. */
  repr(): string {
    return formatArray(this, true);
  }

  toJSON(): unknown {
    return this.tolist();
  }

  [Symbol.toPrimitive](hint: string): number | string {
    return hint === "string" ? this.toString() : numberOf(this, "number");
  }

  /** The rows along the first axis. */
  *[Symbol.iterator](): Iterator<NdArray> {
    if (this.shape.length === 0) {
      throw raise("TypeError", "iteration over a 0-d array", cell.site);
    }
    for (let i = 0; i < this.length; i++) yield this.get(i);
  }

  /** Frees it now. Not needed: unused arrays are freed by themselves. */
  dispose(): void {
    if (this._epoch < 0) release(this._cell);
  }
}

function keep(owned: Cell): void {
  resident.set(owned.handle, owned);
  residentBytes += owned.bytes;
}

/** Moves the oldest large arrays out of the engine's memory while they hold more than the limit. */
function spillOld(): void {
  if (residentBytes <= RESIDENT_LIMIT) return;
  for (const [handle, owned] of resident) {
    if (residentBytes <= RESIDENT_LIMIT / 2) return;
    resident.delete(handle);
    residentBytes -= owned.bytes;
    guarded(() => glue.arrayData(handle, cell.site));
    const tape = new TapeReader();
    const [at, bytes, unshared] = [tape.next(), tape.next(), tape.next()];
    // Storage that something else holds would not be freed: it stays, unwatched, until its object dies.
    if (unshared === 0) continue;
    owned.spilled = memoryBuffer().slice(at, at + bytes);
    glue.free(handle);
    owned.handle = NO_HANDLE;
  }
}

/** The engine's handle of an array; brings a spilled one back. */
export function handleOf(array: NdArray): number {
  const owned = array._cell;
  if (array._epoch >= 0) {
    if (array._epoch !== epoch) throw leaked(array);
    return owned.handle;
  }
  if (owned.handle !== NO_HANDLE && owned.session === session) return owned.handle;
  if (owned.spilled === null || owned.session !== session) {
    throw raise(
      "RuntimeError",
      "this array has been freed (by dispose, or by a new run)",
      cell.site,
    );
  }
  const tape = storeElements(new Uint8Array(owned.spilled), array);
  tape.next();
  owned.handle = tape.next();
  owned.spilled = null;
  finalizers.register(array, owned.handle);
  keep(owned);
  return owned.handle;
}

/** JAX's names for tracers that are not those of reverse mode. */
const TRACERS: Readonly<Record<string, string>> = {
  jit: "DynamicJaxprTracer",
  make_jaxpr: "DynamicJaxprTracer",
  eval_shape: "DynamicJaxprTracer",
  linear_transpose: "DynamicJaxprTracer",
  jvp: "JVPTracer",
  jacfwd: "JVPTracer",
  vmap: "BatchTracer",
};

function leaked(array: NdArray): CotangentError {
  const type = `${array.dtype}[${array.shape.join(",")}]`;
  const { _site: site, _transform: transform } = array;
  const kind = TRACERS[transform] ?? "LinearizeTracer";
  const ref = glue.raiseLeaked(type, kind, site, transform, cell.site);
  return new CotangentError(ref);
}

/** Is it an array or a tracer? */
export const isArray = (v: unknown): v is NdArray => v instanceof NdArray;
/** Is it a tracer? */
export const isTracer = (v: unknown): v is NdArray => v instanceof NdArray && v._epoch >= 0;

/** Frees a handle that the rewrite has proved unused. */
export function freeArray(v: unknown): void {
  if (v instanceof NdArray && v._epoch < 0) release(v._cell);
}

/** Makes an array of raw elements; `bytes` are copied. */
export function newArray(bytes: Uint8Array, shape: readonly number[], dtype: DType): NdArray {
  return readValue(storeElements(bytes, { shape, dtype, weakType: false }));
}

/** Copies elements into a new array of the engine; gives the tape with its VALUE entry. */
function storeElements(
  bytes: Uint8Array,
  { shape, dtype, weakType }: Pick<NdArray, "shape" | "dtype" | "weakType">,
): TapeReader {
  writeTape([dtypeCode(dtype), weakType ? 1 : 0, shape.length, ...shape]);
  guarded(() => glue.newArray(3 + shape.length, cell.site));
  const tape = new TapeReader();
  // Behind tag, handle, dtype, weakness, tracedness, rank and sizes stands the address.
  for (let i = 0; i < 6 + shape.length; i++) tape.next();
  new Uint8Array(memoryBuffer(), tape.next(), bytes.length).set(bytes);
  return new TapeReader();
}

const VIEWS = {
  bool: Uint8Array,
  int32: Int32Array,
  uint32: Uint32Array,
  float32: Float32Array,
  float64: Float64Array,
  float0: Uint8Array,
  // Two words a key: `copyElements` refuses them, callbacks see them.
  "key<fry>": Uint32Array,
} as const;

/** A typed-array view of engine memory. */
export function viewOf(dtype: DType, at: number, length: number): Elements {
  return new VIEWS[dtype](memoryBuffer(), at, length);
}

function copyElements(array: NdArray): Elements {
  if (array.dtype === "key<fry>") {
    const message =
      "JAX array with PRNGKey dtype cannot be converted to a NumPy array. Use random.keyData(key).";
    throw raise("TypeError", message, cell.site);
  }
  guarded(() => glue.arrayData(handleOf(array), cell.site));
  const tape = new TapeReader();
  const [at, bytes] = [tape.next(), tape.next()];
  return new VIEWS[array.dtype](memoryBuffer().slice(at, at + bytes));
}

/** The one element as a number, for `item()`, as the index of a list, or for JavaScript's own arithmetic. */
export function numberOf(array: NdArray, as: "item" | "index" | "number"): number {
  guarded(() => glue.toNumber(handleOf(array), as, cell.site));
  return new TapeReader().next();
}

/** The truth of an array of one element. */
export function truthOf(array: NdArray): boolean {
  guarded(() => glue.truth(handleOf(array), cell.site));
  return new TapeReader().next() !== 0;
}

function formatArray(array: NdArray, repr: boolean): string {
  guarded(() => glue.formatValue(handleOf(array), repr, cell.site));
  return new TapeReader().text();
}

/** The values behind a tracer that carries them, or itself; null where there are none. */
export function concreteOf(array: NdArray): NdArray | null {
  if (array._epoch < 0) return array;
  return glue.concreteOf(handleOf(array)) ? readValue(new TapeReader()) : null;
}

const TYPED: readonly [new (...args: never[]) => Elements, DType][] = [
  [Float32Array, "float32"],
  [Int32Array, "int32"],
  [Uint32Array, "uint32"],
  [Float64Array, "float64"],
];

/** The engine's array of a typed array's elements; float64 becomes float32 unless x64 is on. */
export function fromTyped(elements: ArrayBufferView): NdArray {
  const found = TYPED.find(([type]) => elements instanceof type);
  if (found) {
    const [, dtype] = found;
    const { buffer, byteOffset, byteLength } = elements;
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    if (dtype === "float64" && !x64())
      return fromTyped(Float32Array.from(elements as Float64Array));
    return newArray(
      bytes,
      [byteLength / (found[0] as unknown as { BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT],
      dtype,
    );
  }
  if (
    elements instanceof BigInt64Array ||
    elements instanceof BigUint64Array ||
    elements instanceof DataView
  ) {
    throw raise(
      "TypeError",
      "arrays are made of numbers: 64-bit integers and raw views are not taken",
      cell.site,
    );
  }
  return fromTyped(Int32Array.from(elements as unknown as ArrayLike<number>));
}

let x64On = false;
const x64 = () => x64On;
/** Remembers whether 64-bit floats are on. */
export function setX64(on: boolean): void {
  x64On = on;
}

/** Nested lists of more numbers than this are packed before they cross. */
const PACK_FROM = 256;
/** Lists nest as deeply as arrays of the engine may have axes; deeper ones may contain themselves. */
const MAX_NESTING = 64;
/** A list of more items than this is no list of numbers that anybody wrote, but one with holes. */
const MAX_ITEMS = 2 ** 28;

/** Appends an argument to a tape under construction. `float`: its numbers were written as floats. */
export function encode(out: number[], v: unknown, float: boolean, depth = 0): void {
  if (v instanceof NdArray) out.push(TAG.value, handleOf(v));
  else if (typeof v === "number")
    out.push(float || !Number.isInteger(v) ? TAG.float : TAG.number, v);
  else if (typeof v === "boolean") out.push(TAG.bool, v ? 1 : 0);
  else if (typeof v === "string") out.push(TAG.string, putString(v));
  else if (v === null || v === undefined) out.push(TAG.none);
  else if (Array.isArray(v)) {
    checkList(v, depth);
    const packed =
      v.length * (Array.isArray(v[0]) ? v[0].length : 1) >= PACK_FROM ? pack(v, float) : null;
    if (packed) out.push(TAG.value, handleOf(packed));
    else {
      out.push(TAG.list, v.length);
      for (const item of v) encode(out, item, float, depth + 1);
    }
  } else if (v instanceof Slice) out.push(TAG.slice, v.start ?? NaN, v.stop ?? NaN, v.step ?? NaN);
  else if (ArrayBuffer.isView(v)) out.push(TAG.value, handleOf(fromTyped(v)));
  else {
    throw raise("TypeError", `expected an array or a number, got ${describe(v)}`, cell.site);
  }
}

function checkList(list: readonly unknown[], depth: number): void {
  if (depth >= MAX_NESTING) {
    const message = `a list is nested more than ${MAX_NESTING} levels deep, or contains itself`;
    throw raise("ValueError", message, cell.site);
  }
  if (list.length > MAX_ITEMS) {
    const message = `a list of ${list.length} items is too long to make an array of`;
    throw raise("ValueError", message, cell.site);
  }
}

/** A long nested list of plain numbers as an array; null where it is ragged or holds other things. */
function pack(list: readonly unknown[], float: boolean): NdArray | null {
  const shape: number[] = [];
  for (let row: unknown = list; Array.isArray(row); row = row[0]) {
    checkList(row, shape.length);
    shape.push(row.length);
  }
  const size = shape.reduce((a, b) => a * b, 1);
  if (size > MAX_ITEMS) return null;
  const flat = new Float64Array(size);
  let at = 0;
  let whole = !float;
  const fill = (row: unknown, axis: number): boolean => {
    if (axis === shape.length) {
      if (typeof row !== "number") return false;
      if (whole && !Number.isInteger(row)) whole = false;
      flat[at++] = row;
      return true;
    }
    if (!Array.isArray(row) || row.length !== shape[axis]) return false;
    for (const item of row) if (!fill(item, axis + 1)) return false;
    return true;
  };
  if (!fill(list, 0)) return null;
  const elements = whole ? Int32Array.from(flat) : x64() ? flat : Float32Array.from(flat);
  const dtype: DType = whole ? "int32" : x64() ? "float64" : "float32";
  return newArray(new Uint8Array(elements.buffer), shape, dtype);
}

/** `slice(start, stop, step)`: a range of positions in an index; null stands for the end. */
export class Slice {
  constructor(
    readonly start: number | null,
    readonly stop: number | null,
    readonly step: number | null,
  ) {}
}

/** A range of positions in an index, as Python's `start:stop:step`; one argument is the stop. */
export function slice(start?: number | null, stop?: number | null, step?: number | null): Slice {
  const whole = (x: number | null | undefined): number | null =>
    x === undefined || x === null ? null : Number(x);
  return stop === undefined && step === undefined
    ? new Slice(null, whole(start), null)
    : new Slice(whole(start), whole(stop), whole(step));
}

/** Reads a VALUE entry. */
export function readValue(tape: TapeReader): NdArray {
  const tag = tape.next();
  if (tag !== TAG.value) throw new Error(`expected a value on the tape, found tag ${tag}`);
  return readValueBody(tape);
}

function readValueBody(tape: TapeReader): NdArray {
  const handle = tape.next();
  const dtype = tape.next();
  const weak = tape.next() !== 0;
  const traced = tape.next() !== 0;
  const rank = tape.next();
  const shape: number[] = [];
  for (let i = 0; i < rank; i++) shape.push(tape.next());
  return new NdArray(handle, dtype, weak, traced, shape);
}

/** Reads a counted run of values. */
export function readValues(tape: TapeReader): NdArray[] {
  const n = tape.next();
  const out: NdArray[] = [];
  for (let i = 0; i < n; i++) out.push(readValue(tape));
  return out;
}

/** Reads any result. */
export function readResult(tape: TapeReader): unknown {
  const tag = tape.next();
  switch (tag) {
    case TAG.value:
      return readValueBody(tape);
    case TAG.none:
      return null;
    case TAG.number:
    case TAG.float:
      return tape.next();
    case TAG.bool:
      return tape.next() !== 0;
    case TAG.string:
      return tape.text();
    case TAG.list: {
      const n = tape.next();
      return Array.from({ length: n }, () => readResult(tape));
    }
    case TAG.record: {
      const n = tape.next();
      const entries = Array.from({ length: n }, () => [tape.text(), readResult(tape)] as const);
      return Object.fromEntries(entries);
    }
    default:
      throw new Error(`unknown tag ${tag} on the tape`);
  }
}

/** A counted run of values for the tape; numbers are let through as scalars. */
export function encodeValues(out: number[], values: readonly unknown[], float = false): void {
  out.push(values.length);
  for (const v of values) encode(out, v, float);
}

/** Called after every result: keeps what handles hold within bounds. */
export function settle(): void {
  if (residentBytes > RESIDENT_LIMIT) spillOld();
}
