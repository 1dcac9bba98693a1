/** Functions as jaxprs: `makeJaxpr`, `evalShape`. */

import { cell, describe, NdArray } from "./array.ts";
import { lastCalled, renamed, takeFloats } from "./calling.ts";
import { dtypeOf } from "./dtypes.ts";
import { glue, TapeReader, writeTape } from "./engine.ts";
import { guarded } from "./errors.ts";
import {
  checkCallable,
  checkLeaves,
  leafNames,
  nameOf,
  trace,
  type UserFunction,
} from "./functions.ts";
import { flatten, map, type Structure, unflatten } from "./tree.ts";
import { encodeAvals, ShapeDtype } from "./types.ts";

/** Traces `f` abstractly; gives the held jaxpr's number, the result types and their structure. */
function traceAbstractly(
  transform: "make_jaxpr" | "eval_shape",
  f: UserFunction,
  args: readonly unknown[],
) {
  checkCallable(f);
  const floats = takeFloats();
  const [leaves, tree] = flatten(args);
  checkLeaves(
    leaves.filter((leaf) => !(leaf instanceof ShapeDtype)),
    (leaf) => `${describe(leaf)} is not a valid JAX type`,
  );
  const name = nameOf(f);
  const traced = trace({
    structure: tree,
    transform,
    name,
    names: () => leafNames(f, args),
    call: (xs) => f(...xs),
  });
  const tape: number[] = [];
  const flat = args.map((arg) => flatten(arg)[0]);
  tape.push(leaves.length);
  flat.forEach((some, i) => {
    const one: number[] = [];
    encodeAvals(one, some, (floats & (1 << i)) !== 0);
    tape.push(...one.slice(1));
  });
  const { site } = cell;
  writeTape(tape);
  guarded(() => glue.traceCall(transform, traced.id, name, tape.length, site));
  const reader = new TapeReader();
  const id = reader.next();
  const types = Array.from({ length: reader.next() }, () => {
    const [dtype, weak, rank] = [reader.next(), reader.next(), reader.next()];
    const shape = Array.from({ length: rank }, () => reader.next());
    return new ShapeDtype(Object.freeze(shape), dtypeOf(dtype), weak !== 0);
  });
  return { id, types, out: traced.out as Structure };
}

/** A jaxpr: prints as JAX prints it; `equations` says where each stands in the text. */
export class Jaxpr {
  /** The printed text. */
  readonly text: string;
  /** Range of text and source site of every equation. */
  readonly equations: { from: number; to: number; site: number; primitive: string }[];

  constructor(json: string) {
    const { text, equations } = JSON.parse(json) as Jaxpr;
    this.text = text;
    this.equations = equations;
  }
  toString(): string {
    return this.text;
  }
}

/** Called with every jaxpr that a program makes. */
let jaxprSeen: (jaxpr: Jaxpr) => void = () => {};
/** Sets what is told of the jaxprs that a program makes. */
export function onJaxpr(listener: (jaxpr: Jaxpr) => void): void {
  jaxprSeen = listener;
}

/** The jaxpr of a function: `makeJaxpr(f)(...args)` prints as JAX prints it. */
export function makeJaxpr(f: UserFunction): UserFunction {
  checkCallable(f);
  return renamed((...args: unknown[]) => {
    const { id } = traceAbstractly("make_jaxpr", f, args);
    const jaxpr = new Jaxpr(glue.jaxprReport(id));
    glue.dropHeld(id);
    jaxprSeen(jaxpr);
    return jaxpr;
  }, nameOf(f));
}

/** Shapes and dtypes of a function's results, without computing them. */
export function evalShape(f: UserFunction, ...args: unknown[]): unknown {
  const { id, types, out } = traceAbstractly("eval_shape", f, args);
  glue.dropHeld(id);
  return unflatten(out, types);
}

/** Traces the last transformed function that was called once more and gives its jaxpr; null if there was none. */
export function lastTransform(): (() => Jaxpr) | null {
  const last = lastCalled();
  if (!last) return null;
  const { f, args, floats } = last;
  // Types are enough, and arguments may have been freed by now.
  const typeOf = (leaf: unknown) =>
    leaf instanceof NdArray ? new ShapeDtype(leaf.shape, leaf.dtype, leaf.weakType) : leaf;
  const types = args.map((arg) => map(typeOf, arg));
  const again = (marks: number) => {
    cell.floats = marks;
    return makeJaxpr(f)(...types) as Jaxpr;
  };
  return () => {
    try {
      return again(floats);
    } catch {
      // What is differentiated is a float, also where it was written without a point.
      return again(-1);
    }
  };
}
