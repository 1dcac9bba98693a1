/**
 * The JavaScript module `_cotangent` of Python: www/python/jax/_src/engine.py talks to the engine through it.
 *
 * Arguments and results cross on the engine's tape (src/wasm/tape.rs). Python has a window of `WINDOW` doubles
 * in its own memory; what is written there is copied to the tape before a call, and the beginning of the tape
 * is copied back after it.
 */

import { glue, memoryBuffer, putString, register, reset, TapeReader } from "../lib/engine.ts";

/** Doubles of the window. */
const WINDOW = 4096;
/** Doubles at its end that no tape is written to: handles to be freed, which may come at any time. */
const APART = 48;
/** Doubles that are copied back after every call; a reader that wants more asks for them. */
const HEAD = 64;

/** What is used of Pyodide. */
export interface PythonMemory {
  readonly _module: { readonly HEAPU8: Uint8Array };
}

/** A buffer of Python, as Pyodide hands it over. */
interface BufferProxy {
  getBuffer(type?: string): { readonly data: Uint8Array; release(): void };
  destroy(): void;
}

/** A function of Python. */
type PythonFunction<A extends unknown[], R> = ((...args: A) => R) & { copy?(): unknown };

/** Stands for an exception of Python on its way through the engine. */
class PythonRaised extends Error {
  constructor(
    /** Python's number for it. */
    readonly number: number,
    /** The engine's number of an error that it already was. */
    readonly engineRef: number | undefined,
  ) {
    super("an exception of Python");
  }
}

type Glue = Record<string, (...args: (number | string | boolean)[]) => number>;

/** What Python imports as `_cotangent`. */
export type Bridge = ReturnType<typeof createBridge>;

/** The module for one interpreter. */
export function createBridge({ _module }: PythonMemory) {
  let windowAt = 0;
  let dispatch: PythonFunction<[number], number> | null = null;
  let argumentNames: PythonFunction<[number], string> | null = null;
  let dropped: PythonFunction<[number], void> | null = null;
  let pythonFloats: Float64Array = new Float64Array(0);
  let engineFloats = new Float64Array(0);
  /** Python's memory as doubles; growing it makes a view stale. */
  const python = () => {
    const { buffer } = _module.HEAPU8;
    if (pythonFloats.buffer !== buffer) pythonFloats = new Float64Array(buffer);
    return pythonFloats;
  };
  const engine = () => {
    const buffer = memoryBuffer();
    if (engineFloats.buffer !== buffer) engineFloats = new Float64Array(buffer);
    return engineFloats;
  };
  /** Copies numbers of the window, from place `from` on, to the beginning of the tape. */
  const copyIn = (length: number, from = 0) => {
    if (length > WINDOW - APART) return;
    const at = glue.tapePointer(length) >>> 3;
    const [target, source, start] = [engine(), python(), (windowAt >>> 3) + from];
    for (let i = 0; i < length; i++) target[at + i] = source[start + i] as number;
  };
  /** Copies numbers of the tape, from place `from` on, to the beginning of the window. */
  const copyOut = (from: number, length: number) => {
    const most = from === 0 ? length : Math.min(length, glue.tapeLength() - from);
    const at = (glue.tapePointer(from + most) >>> 3) + from;
    const [target, source, start] = [python(), engine(), windowAt >>> 3];
    for (let i = 0; i < most; i++) target[start + i] = source[at + i] as number;
  };

  /** Zero, the number of an error of the engine, or the negative number of an exception of Python. */
  const outcome = (status: number): number => {
    if (status === 0) {
      copyOut(0, HEAD);
      return 0;
    }
    const [thrown] = glue.foreignException(status) as unknown[];
    if (thrown === undefined) return status;
    if (!(thrown instanceof PythonRaised)) throw thrown;
    foreign.set(thrown.number, status);
    return -thrown.number;
  };

  const functions = glue as unknown as Glue;
  return {
    /** Takes Python's window and the functions by which the engine calls Python. */
    attach(
      buffer: BufferProxy,
      call: NonNullable<typeof dispatch>,
      names: NonNullable<typeof argumentNames>,
      drop: NonNullable<typeof dropped>,
    ): void {
      // The buffer is never released: its place in memory must not change.
      windowAt = buffer.getBuffer("u8").data.byteOffset;
      dispatch = call;
      argumentNames = names;
      dropped = drop;
    },
    /** Forgets all arrays and functions. */
    reset(x64: boolean): void {
      foreign.clear();
      reset({ x64 });
    },
    setX64: (on: boolean) => glue.setX64(on),
    /** The registry as the engine describes it. */
    describe: () => glue.describe(),
    /** Calls a function of the registry. In the window: its number, of arguments, the tape's length, the site; the tape. */
    callHere(): number {
      const memory = python();
      const at = windowAt >>> 3;
      const [id, n] = [memory[at] as number, memory[at + 1] as number];
      const [length, site] = [memory[at + 2] as number, memory[at + 3] as number];
      copyIn(length, 4);
      return outcome(glue.call(id, n, length, site));
    },
    /** The same for a tape that has been staged, as it is too long for that. */
    call: (id: number, n: number, length: number, site: number) =>
      outcome(glue.call(id, n, length, site)),
    /** Calls one of the engine's other functions, all of which end in the tape's length and the site. */
    invoke(name: string, length: number, site: number, ...args: (number | string | boolean)[]) {
      copyIn(length);
      return outcome(functions[name]?.(...args, length, site) ?? 0);
    },
    /** Calls one of the engine's functions that take no tape. */
    ask(name: string, ...args: (number | string | boolean)[]): number {
      return outcome(functions[name]?.(...args) ?? 0);
    },
    /** Puts a part of a long tape where it belongs. */
    stage(from: number, length: number, total: number): void {
      const at = (glue.tapePointer(total) >>> 3) + from;
      const start = windowAt >>> 3;
      engine().set(python().subarray(start, start + length), at);
    },
    /** Brings a later part of the tape into the window. */
    fetch: (from: number) => copyOut(from, WINDOW - APART),
    free: (handle: number) => glue.free(handle),
    /** Frees the first `n` handles of the stretch apart. */
    freeAll(n: number): void {
      const memory = python();
      const at = (windowAt >>> 3) + WINDOW - APART;
      for (let i = 0; i < n; i++) glue.free(memory[at + i] as number);
    },
    dropHeld: (id: number) => glue.dropHeld(id),
    newJit: () => glue.newJit(),
    setMainResults: (n: number) => glue.setMainResults(n),
    jaxprReport: (id: number) => glue.jaxprReport(id),
    isX64: () => glue.isX64(),
    setMuted: (on: boolean) => glue.setMuted(on),
    putString,
    /** The text of a string entry. */
    string(index: number): string {
      return textAt(index);
    },
    /** A copy of `length` bytes of the engine's memory. */
    readMemory: (at: number, length: number) => new Uint8Array(memoryBuffer(), at, length).slice(),
    /** Copies the bytes of a buffer of Python into the engine's memory. */
    writeMemory(at: number, buffer: BufferProxy): void {
      const bytes = buffer.getBuffer("u8");
      new Uint8Array(memoryBuffer(), at, bytes.data.length).set(bytes.data);
      bytes.release();
      buffer.destroy();
    },
    /** Registers function `key` of Python with the engine; gives its number there. `keep`: until the next reset. */
    register(key: number, keep: boolean): number {
      return register({
        keep,
        call() {
          copyOut(0, HEAD);
          const length = dispatch?.(key) ?? 0;
          if (length < 0) throw new PythonRaised(-length, errorRef || undefined);
          copyIn(length);
        },
        names: () => (argumentNames?.(key) ?? "").split("\n"),
        dropped: () => dropped?.(key),
      });
    },
    /** Says under which number of the engine the exception just reported is known; 0 for none. */
    raisedAs(ref: number): void {
      errorRef = ref;
    },
    errorHead: (ref: number) => glue.errorHead(ref),
    /** Makes an error of the engine's kind, with the chain of transforms. */
    makeError: (name: string, message: string, kind: string, table: string, site: number) =>
      glue.raise(name, message, kind, table, site),
    raiseLeaked: (aval: string, tracer: string, madeAt: number, transform: string, site: number) =>
      glue.raiseLeaked(aval, tracer, madeAt, transform, site),
  };
}

let errorRef = 0;

/** Under which error of the engine an exception of Python came out, by Python's number for it. */
const foreign = new Map<number, number>();

/** The engine's number of exception `number` of Python, which passed through it; 0 for none. */
export const engineRefOf = (number: number): number => foreign.get(number) ?? 0;

/** Text `index` of the ring that texts cross by. */
function textAt(index: number): string {
  return TapeReader.textAt(index);
}
