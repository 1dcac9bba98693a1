/** Errors of the engine as JavaScript throws them. */

import { glue } from "./engine.ts";
import type { LeafRow } from "./report.ts";

/** A link of the chain of transforms: sites are numbers of the program's site table. */
export interface RawFrame {
  transform: string;
  function: string;
  site: number;
}

/** What the engine knows of an error (`diagnose::report`). */
export interface RawReport {
  class: string;
  message: string;
  primitive: string | null;
  site: number;
  kind: string;
  rule: string | null;
  madeAt: number;
  explanation: string;
  chain: RawFrame[];
  avals: string[];
  /** Types of the results of the failing primitive, where known. */
  results: string[];
  table: [string, string, string, boolean][];
  jaxpr: RawJaxpr | null;
  equation: number | null;
}

/** A printed jaxpr; `site` is 0 where no place is known. */
export interface RawJaxpr {
  text: string;
  equations: { from: number; to: number; site: number; primitive: string }[];
}

/**
 * An error raised by the engine. `name` is JAX's or Python's class; `report()` has everything known of it.
 */
export class CotangentError extends Error {
  /** The engine's number for it; an error that passes through the engine again stays the same error. */
  readonly engineRef: number;
  private known: RawReport | null = null;

  constructor(ref: number) {
    const [name = "Error", ...message] = glue.errorHead(ref).split("\n");
    super(message.join("\n"));
    this.name = name;
    this.engineRef = ref;
  }

  /** Everything known of it. Asked for at once after the error: the engine keeps only the latest ones. */
  report(): RawReport | null {
    this.known ??= JSON.parse(glue.errorReport(this.engineRef)) as RawReport | null;
    return this.known;
  }
}

/** Throws if the status of a call says so; user code's own exceptions come out as they were. */
export function check(status: number): void {
  if (status === 0) return;
  throw errorOf(status);
}

function errorOf(ref: number): unknown {
  const foreign: unknown[] = glue.foreignException(ref);
  if (foreign.length === 0) return new CotangentError(ref);
  const [thrown] = foreign;
  // Programs may throw anything; only objects can be remembered.
  if (typeof thrown === "object" && thrown !== null) foreignRefs.set(thrown, ref);
  return thrown;
}

/** Under which engine error an exception of user code travelled: its chain is known there. */
const foreignRefs = new WeakMap<object, number>();

/** What the engine knows about the way of an exception of user code, if it passed through. */
export function foreignReport(exception: unknown): RawReport | null {
  if (typeof exception !== "object" || exception === null) return null;
  const ref = foreignRefs.get(exception);
  return ref === undefined ? null : (JSON.parse(glue.errorReport(ref)) as RawReport | null);
}

/** Runs a call into the engine; a trap becomes an error that says it is ours. */
export function guarded(call: () => number): void {
  let status: number;
  try {
    status = call();
  } catch (trap) {
    if (!(trap instanceof WebAssembly.RuntimeError)) throw trap;
    const error = new Error(`the engine crashed, which is a fault of ours: ${trap.message}`, {
      cause: trap,
    });
    error.name = "InternalError";
    throw error;
  }
  check(status);
}

/** What kind of error the library found itself; empty for nothing special. */
export type RaisedKind = "" | "nonScalarGrad" | "customRule" | "mismatch";

/** Makes an error of the engine's kind from the library: with the site and the chain of transforms. */
export function raise(
  name: string,
  message: string,
  site: number,
  kind: RaisedKind = "",
  table: readonly LeafRow[] = [],
): CotangentError {
  const rows = table.map((row) => [row.path, row.expected, row.got, row.ok ? "1" : "0"].join("\n"));
  return new CotangentError(glue.raise(name, message, kind, rows.join("\n"), site));
}
