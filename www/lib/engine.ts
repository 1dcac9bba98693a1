/**
 * The engine's wasm module and the tape: the stretch of its memory that arguments and results cross on
 * (laid out as `src/wasm/tape.rs` says).
 *
 * Everything here is state of one engine; a worker or a process has one.
 */

import * as glue from "../../pkg/cotangent.js";

/** The exported functions of the engine. */
export { glue };

/** Tags of the tape. */
export const TAG = {
  none: 0,
  value: 1,
  number: 2,
  float: 3,
  bool: 4,
  string: 5,
  list: 6,
  slice: 7,
  ellipsis: 8,
  newaxis: 9,
  record: 10,
} as const;

/** Limit of array storage in bytes; beyond it the engine refuses with a message. */
export const DEFAULT_BUDGET = 1.5e9;

let memory: WebAssembly.Memory | null = null;
/** Texts on their way across: a ring, since each is read before as many others follow. */
const strings: string[] = new Array(4096).fill("");
let nextString = 0;

/** Functions that the engine may call, by number. */
const functions = new Map<number, RegisteredFunction>();
let nextFunction = 1;

/** A function registered with the engine. */
export interface RegisteredFunction {
  /** Reads its arguments from the tape and leaves its results there. */
  call(): void;
  /** Names of the leaves of its arguments, for messages. */
  names?(): string[];
  /** Told when the engine no longer needs it. */
  dropped?(): void;
  /** It is called again and again, and stays registered until the engine is reset. */
  keep?: boolean;
  /** For a function with a rule of its own: which one it is. */
  origin?: RuleOrigin;
}

/** A function with a rule of its own, as its maker knows it. */
export interface RuleOrigin {
  /** Site of the call of `customVjp` or `customJvp`. */
  readonly site: number;
}

/** Registers a function; the engine drops it when it no longer needs it. */
export function register(f: RegisteredFunction): number {
  const id = nextFunction++;
  functions.set(id, f);
  return id;
}

/** How many functions are registered (for tests of leaks). */
export const registeredFunctions = (): number => functions.size;

/** Which function with a rule of its own a number stands for. */
export const originOf = (id: number): RuleOrigin | null => functions.get(id)?.origin ?? null;

function found(id: number): RegisteredFunction {
  const f = functions.get(id);
  if (!f) throw new Error(`function ${id} is not registered`);
  return f;
}

const host = {
  callFunction: (id: number) => found(id).call(),
  callBuffer: (id: number) => found(id).call(),
  dropFunction: (id: number) => {
    const f = functions.get(id);
    if (f?.keep) return;
    f?.dropped?.();
    functions.delete(id);
  },
  argumentNames: (id: number) => functions.get(id)?.names?.().join("\n") ?? "",
  takeString: (index: number) => strings[index] ?? "",
  putString,
};

/** Is there an engine to talk to? */
export const isLoaded = (): boolean => memory !== null;

/** Compiles and starts the engine. Later calls change nothing. */
export function load(module: WebAssembly.Module | BufferSource): void {
  if (memory) return;
  memory = glue.initSync({ module }).memory;
  reset();
}

/** Forgets all values, functions and options: a fresh engine on the same module. */
export function reset(options: { budget?: number; x64?: boolean } = {}): void {
  functions.clear();
  glue.start(host, options.budget ?? DEFAULT_BUDGET);
  glue.setX64(options.x64 ?? false);
}

let floats = new Float64Array(0);

/** The wasm memory as bytes at this moment; growing memory makes it stale. */
export function memoryBuffer(): ArrayBuffer {
  if (!memory) throw new Error("the engine has not been loaded: await init() first");
  return memory.buffer as ArrayBuffer;
}

function view(): Float64Array {
  const buffer = memoryBuffer();
  if (floats.buffer !== buffer) floats = new Float64Array(buffer);
  return floats;
}

/** Puts numbers on the tape. */
export function writeTape(tape: readonly number[]): void {
  const at = glue.tapePointer(tape.length) >>> 3;
  const target = view();
  for (let i = 0; i < tape.length; i++) target[at + i] = tape[i] as number;
}

/** Reads the tape from its beginning. */
export class TapeReader {
  private at: number;
  private readonly view: Float64Array;

  constructor() {
    this.at = glue.tapePointer(0) >>> 3;
    this.view = view();
  }

  /** The next number. */
  next(): number {
    return this.view[this.at++] as number;
  }

  /** The text behind a string entry. */
  text(): string {
    return TapeReader.textAt(this.next());
  }

  /** The text of a number that `putString` gave. */
  static textAt(index: number): string {
    return strings[index] ?? "";
  }
}

/** Gives a text a number for the tape. */
export function putString(text: string): number {
  const index = nextString;
  nextString = (nextString + 1) % strings.length;
  strings[index] = text;
  return index;
}
