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
  const window = () => new Float64Array(_module.HEAPU8.buffer, windowAt, WINDOW);
  const copyIn = (length: number) => {
    if (length > WINDOW) return;
    const at = glue.tapePointer(length);
    new Float64Array(memoryBuffer(), at, length).set(window().subarray(0, length));
  };
  const copyOut = (from: number, length: number) => {
    const most = Math.min(length, glue.tapeLength() - from);
    if (most <= 0) return;
    const at = glue.tapePointer(0) + from * 8;
    window().set(new Float64Array(memoryBuffer(), at, most));
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
    /** Calls function `id` of the registry. */
    call(id: number, n: number, length: number, site: number): number {
      copyIn(length);
      return outcome(glue.call(id, n, length, site));
    },
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
      const at = glue.tapePointer(total) + from * 8;
      new Float64Array(memoryBuffer(), at, length).set(window().subarray(0, length));
    },
    /** Brings a later part of the tape into the window. */
    fetch: (from: number) => copyOut(from, WINDOW),
    free: (handle: number) => glue.free(handle),
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
    /** Registers function `key` of Python with the engine; gives its number there. */
    register(key: number): number {
      return register({
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
