/** Callbacks into the program: `bufferCallback`, `pureCallback`, `ioCallback`, `debugCallback`, `debugPrint`. */

import {
  cell,
  type Elements,
  encode,
  encodeValues,
  NdArray,
  readValues,
  settle,
  viewOf,
} from "./array.ts";
import { holding } from "./calling.ts";
import { dtypeOf } from "./dtypes.ts";
import { glue, memoryBuffer, register, TapeReader, writeTape } from "./engine.ts";
import { guarded, raise } from "./errors.ts";
import { checkArguments, checkCallable, nameOf, type UserFunction } from "./functions.ts";
import { isOptions, pickOptions, trailingOptions } from "./options.ts";
import { show, showSafely } from "./show.ts";
import { flatten, flattenUpTo, type Structure, unflatten } from "./tree.ts";
import { codeOf, ShapeDtype } from "./types.ts";

const KIND = { buffer: 0, pure: 1, io: 2, debug: 3, print: 4 } as const;

/** Options of callbacks, with JAX's meanings. */
export interface CallbackOptions {
  /** How `vmap` calls: "sequential", "sequential_unrolled", "expand_dims", "broadcast_all" or "legacy_vectorized". */
  vmapMethod?: string | null;
  /** Must be called even if its results are not used. */
  hasSideEffect?: boolean;
  /** Inputs whose memory becomes an output's: `{ 0: 0 }`. */
  inputOutputAliases?: Readonly<Record<number, number>> | null;
  /** Called in program order with other ordered callbacks. */
  ordered?: boolean;
}

/** Everything that describes one callback to the engine. */
interface Description {
  kind: keyof typeof KIND;
  id: number;
  name: string;
  results: readonly ShapeDtype[];
  options: CallbackOptions;
  inTree: Structure;
  outTree: Structure | null;
}

function makeCallback({ kind, id, name, results, options, inTree, outTree }: Description): number {
  const tape: number[] = [results.length];
  for (const { shape, dtype } of results) tape.push(codeOf(dtype), shape.length, ...shape);
  const aliases = Object.entries(options.inputOutputAliases ?? {});
  tape.push(aliases.length);
  for (const [from, to] of aliases) tape.push(Number(from), to);
  const lines = [
    options.vmapMethod ?? "",
    options.hasSideEffect ? "1" : "",
    options.ordered ? "1" : "",
    `PyTreeDef((${inTree.body()}, {}))`,
    String(outTree ?? "PyTreeDef(None)"),
  ];
  const { site } = cell;
  writeTape(tape);
  guarded(() => glue.newCallback(KIND[kind], id, name, lines.join("\n"), tape.length, site));
  return new TapeReader().next();
}

function callCallback(held: number, leaves: readonly unknown[], floats = 0): NdArray[] {
  const tape: number[] = [leaves.length];
  leaves.forEach((leaf, i) => {
    encode(tape, leaf, (floats & (1 << i)) !== 0);
  });
  const { site } = cell;
  writeTape(tape);
  guarded(() => glue.callbackCall(held, tape.length, site));
  const out = readValues(new TapeReader());
  settle();
  return out;
}

/** The result types of a callback, and their tree. */
function resultTypes(given: unknown): [ShapeDtype[], Structure] {
  const [leaves, tree] = flatten(given ?? null);
  const types = leaves.map((leaf) => {
    if (leaf instanceof ShapeDtype) return leaf;
    if (leaf instanceof NdArray) return new ShapeDtype(leaf.shape, leaf.dtype);
    throw raise(
      "TypeError",
      `a callback's result is described by ShapeDtypeStruct(shape, dtype), got ${showSafely(leaf)}`,
      cell.site,
    );
  });
  return [types, tree];
}

/** What a buffer callback is told about its operands and results besides their elements. */
export interface BufferContext {
  readonly inputs: readonly { shape: readonly number[]; dtype: string }[];
  readonly outputs: readonly { shape: readonly number[]; dtype: string }[];
}

/** What stands where types were described: an array for each `ShapeDtypeStruct` of a tree. */
export type Filled<T> = T extends ShapeDtype | NdArray
  ? NdArray
  : T extends object
    ? { -readonly [K in keyof T]: Filled<T[K]> }
    : T;

/**
 * A callback on the engine's own memory: `fn(ctx, out, ...args)` gets typed-array views of operands and
 * results (or trees of them), writes `out` in place and returns nothing.
 *
 * Views are valid during the call only.
 */
export function bufferCallback<T>(
  fn: UserFunction,
  resultShapeDtypes: T,
  options: CallbackOptions = {},
): (...args: unknown[]) => Filled<T> {
  checkCallable(fn);
  const known = ["vmapMethod", "hasSideEffect", "inputOutputAliases", "commandBufferCompatible"];
  const chosen = pickOptions("bufferCallback", options, known) as CallbackOptions;
  const [types, outTree] = resultTypes(resultShapeDtypes);
  const name = nameOf(fn);
  // One callback of the engine for every structure of the arguments.
  const held = new Map<string, number>();
  const call = (...args: unknown[]): Filled<T> => {
    const { floats } = cell;
    cell.floats = 0;
    const [leaves, inTree] = flatten(args);
    checkArguments(leaves);
    const key = `${generation}${inTree.body()}`;
    let callback = held.get(key);
    if (callback === undefined) {
      const id = registerBuffer(fn, inTree, leaves.length, outTree, types.length);
      callback = makeCallback({
        kind: "buffer",
        id,
        name,
        results: types,
        options: chosen,
        inTree,
        outTree,
      });
      held.set(key, callback);
      holding(call, callback);
    }
    return unflatten(outTree, callCallback(callback, leaves, floats)) as Filled<T>;
  };
  Object.defineProperty(call, "name", { value: name });
  return call;
}

let generation = 0;
/** Callbacks made before belong to an engine that has been reset. */
export function forgetCallbacks(): void {
  generation++;
}

/** Registered from here so that the engine holds nothing of the function that is to let go of it. */
function registerBuffer(
  fn: UserFunction,
  inTree: Structure,
  nIn: number,
  outTree: Structure,
  nOut: number,
): number {
  return register({ call: () => callBuffer(fn, inTree, nIn, outTree, nOut) });
}

function callBuffer(
  fn: UserFunction,
  inTree: Structure,
  nIn: number,
  outTree: Structure,
  nOut: number,
): void {
  const tape = new TapeReader();
  const describeNext = () => {
    const [dtype, at, rank] = [tape.next(), tape.next(), tape.next()];
    const shape = Array.from({ length: rank }, () => tape.next());
    return { dtype: dtypeOf(dtype), at, shape, size: shape.reduce((a, b) => a * b, 1) };
  };
  const inputs = Array.from({ length: nIn }, describeNext);
  const outputs = Array.from({ length: nOut }, describeNext);
  const views = (described: typeof inputs): Elements[] =>
    described.map(({ dtype, at, size }) => viewOf(dtype, at, size));
  const facts = (described: typeof inputs) =>
    described.map(({ shape, dtype }) => ({ shape, dtype }));
  const ctx: BufferContext = { inputs: facts(inputs), outputs: facts(outputs) };
  const before = memoryBuffer();
  const out = unflatten(outTree, views(outputs));
  const args = unflatten(inTree, views(inputs)) as unknown[];
  const returned: unknown = fn(ctx, out, ...args);
  if (memoryBuffer() !== before) {
    throw raise(
      "RuntimeError",
      "the engine's memory grew during a buffer callback, so what was written to `out` afterwards is lost: make arrays before the call, or use pureCallback",
      cell.site,
    );
  }
  if (returned !== undefined && returned !== null) {
    throw raise("ValueError", "buffer_callback callback must not return any values.", cell.site);
  }
}

/**
 * Results of a callback in the order of their types; typed arrays and lists take the promised shape.
 * `plain`: an argument was a whole number of JavaScript, which may have been written `1.0`, so integers
 * may stand where floats were promised.
 */
function resultLeaves(
  given: unknown,
  tree: Structure,
  types: readonly ShapeDtype[],
  plain: boolean,
): unknown[] {
  const isLeaf = (v: unknown) => ArrayBuffer.isView(v) || v instanceof NdArray;
  let leaves: unknown[];
  try {
    leaves = flattenUpTo(tree, given ?? null, "result", isLeaf);
  } catch (e) {
    const why = e instanceof Error ? e.message : String(e);
    const got = flatten(given ?? null, { isLeaf })[0].length;
    throw raise(
      "RuntimeError",
      `Mismatched number of outputs from callback. Expected: ${types.length}, Actual: ${got} (${why})`,
      cell.site,
    );
  }
  return leaves.map((leaf, i) => {
    const { shape, dtype } = types[i] as ShapeDtype;
    // A list of arrays is a tuple of results, a list of numbers is data.
    if (Array.isArray(leaf) && leaf.some(isLeaf)) {
      throw raise(
        "RuntimeError",
        `Mismatched number of outputs from callback. Expected: ${types.length}, Actual: ${flatten(given, { isLeaf })[0].length}`,
        cell.site,
      );
    }
    if (plain && leaf instanceof NdArray && leaf.dtype === "int32" && dtype.startsWith("float"))
      return cast(leaf, dtype);
    const size = shape.reduce((a, b) => a * b, 1);
    if (ArrayBuffer.isView(leaf) && (leaf as unknown as ArrayLike<number>).length === size) {
      return shaped(leaf, shape, dtype);
    }
    return Array.isArray(leaf) ? listed(leaf, dtype) : leaf;
  });
}

/** How plain data becomes arrays of a promised type; set by the library once the registry is there. */
let shaped: (elements: ArrayBufferView, shape: readonly number[], dtype: string) => unknown = (e) =>
  e;
let listed: (list: unknown[], dtype: string) => unknown = (list) => list;
let cast: (x: NdArray, dtype: string) => unknown = (x) => x;
/** Gives callbacks the functions that make arrays. */
export function setMakers(makers: {
  shaped: typeof shaped;
  listed: typeof listed;
  cast: typeof cast;
}): void {
  ({ shaped, listed, cast } = makers);
}

function arrayCallback(
  kind: "pure" | "io",
  fn: UserFunction,
  types: readonly ShapeDtype[],
  outTree: Structure,
  args: readonly unknown[],
  options: CallbackOptions,
): unknown {
  const floats = cell.floats >> 2;
  cell.floats = 0;
  const [leaves, inTree] = flatten(args);
  checkArguments(leaves);
  const plain = leaves.some((leaf) => typeof leaf === "number" && Number.isInteger(leaf));
  const id = register({
    call() {
      const values = readValues(new TapeReader());
      const result: unknown = fn(...(unflatten(inTree, values) as unknown[]));
      if (result === undefined && types.length > 0) {
        throw raise(
          "RuntimeError",
          `Mismatched number of outputs from callback. Expected: ${types.length}, Actual: 0 (${nameOf(fn)} returned undefined: does it lack a \`return\`?)`,
          cell.site,
        );
      }
      const tape: number[] = [];
      encodeValues(tape, resultLeaves(result, outTree, types, plain), false);
      writeTape(tape);
    },
  });
  const callback = makeCallback({
    kind,
    id,
    name: nameOf(fn),
    results: types,
    options,
    inTree,
    outTree,
  });
  try {
    return unflatten(outTree, callCallback(callback, leaves, floats));
  } finally {
    // Jaxprs that hold the callback keep it alive.
    glue.dropHeld(callback);
  }
}

/** Calls a pure function of arrays: it may be called again, or not at all if its result is not used. */
export function pureCallback<T>(
  fn: UserFunction,
  resultShapeDtypes: T,
  ...given: unknown[]
): Filled<T> {
  checkCallable(fn);
  const known = ["vmapMethod", "sharding", "vectorized"];
  const [args, options] = trailingOptions(given, known);
  const chosen = pickOptions("pureCallback", options, known) as CallbackOptions;
  const [types, outTree] = resultTypes(resultShapeDtypes);
  return arrayCallback("pure", fn, types, outTree, args, chosen) as Filled<T>;
}

/** Calls a function of arrays that acts on the world: called once for each time it is reached. */
export function ioCallback<T>(
  fn: UserFunction,
  resultShapeDtypes: T,
  ...given: unknown[]
): Filled<T> {
  checkCallable(fn);
  const known = ["ordered", "sharding"];
  const [args, options] = trailingOptions(given, known);
  const chosen = pickOptions("ioCallback", options, known) as CallbackOptions;
  const [types, outTree] = resultTypes(resultShapeDtypes);
  const acting = { ...chosen, hasSideEffect: true };
  return arrayCallback("io", fn, types, outTree, args, acting) as Filled<T>;
}

function observe(
  kind: "debug" | "print",
  name: string,
  args: readonly unknown[],
  ordered: boolean,
  look: (values: unknown[]) => void,
): void {
  cell.floats = 0;
  const [leaves, inTree] = flatten(args);
  checkArguments(leaves);
  const id = register({
    call() {
      look(unflatten(inTree, readValues(new TapeReader())) as unknown[]);
      writeTape([0]);
    },
  });
  const options = { ordered, hasSideEffect: true };
  const callback = makeCallback({ kind, id, name, results: [], options, inTree, outTree: null });
  try {
    callCallback(callback, leaves);
  } finally {
    glue.dropHeld(callback);
  }
}

/** Shows values to a function: under `grad` the primal ones, under `vmap` once per lane. Its result is ignored. */
export function debugCallback(fn: UserFunction, ...given: unknown[]): void {
  checkCallable(fn);
  const known = ["ordered", "partitioned"];
  const [args, options] = trailingOptions(given, known);
  const { ordered = false } = pickOptions("debugCallback", options, known) as CallbackOptions;
  observe("debug", nameOf(fn), args, ordered, (values) => void fn(...values));
}

/**
 * Prints values when they are there: `debugPrint("x = {}", x)`, or by name, `debugPrint("x = {x}", { x })`.
 */
export function makeDebugPrint(print: (text: string) => void) {
  return function debugPrint(format: string, ...given: unknown[]): void {
    if (typeof format !== "string") {
      throw raise(
        "TypeError",
        `debugPrint takes a format string first, got ${showSafely(format)}`,
        cell.site,
      );
    }
    const last = given[given.length - 1];
    const [args, named] = isOptions(last) ? [given.slice(0, -1), last] : [given, {}];
    const { ordered = false, ...values } = named as Record<string, unknown>;
    const keys = Object.keys(values);
    checkFormat(format, args.length, keys);
    observe(
      "print",
      format,
      [args, keys.map((key) => values[key])],
      Boolean(ordered),
      ([positional, byName]) => {
        print(formatText(format, positional as unknown[], keys, byName as unknown[]));
      },
    );
  };
}

const FIELD = /\{\{|\}\}|\{([^{}:!]*)(?:![rs])?(?::([^{}]*))?\}/g;

function checkFormat(format: string, positional: number, keys: readonly string[]): void {
  let next = 0;
  const used = new Set<number | string>();
  for (const [whole, name = ""] of format.matchAll(FIELD)) {
    if (whole === "{{" || whole === "}}") continue;
    const known =
      name === ""
        ? next++ < positional
        : /^\d+$/.test(name)
          ? Number(name) < positional
          : keys.includes(name);
    if (!known) {
      const text = JSON.stringify(format);
      const byPosition = name === "" || /^\d+$/.test(name);
      throw byPosition
        ? raise(
            "IndexError",
            `index out of range: debugPrint got ${positional} values for ${text}`,
            cell.site,
          )
        : raise(
            "KeyError",
            `'${name}': debugPrint got no value for {${name}} of ${text}`,
            cell.site,
          );
    }
    used.add(name === "" ? next - 1 : /^\d+$/.test(name) ? Number(name) : name);
  }
  const spare = Array.from({ length: positional }, (_, i) => i).filter((i) => !used.has(i));
  if (spare.length > 0) {
    throw raise(
      "ValueError",
      `Unused positional arguments to \`jax.debug.print\`: the values at [${spare.join(", ")}]`,
      cell.site,
    );
  }
  const unused = keys.filter((key) => !used.has(key));
  if (unused.length > 0) {
    const names = unused.map((key) => `'${key}'`).join(", ");
    throw raise(
      "ValueError",
      `Unused keyword arguments to \`jax.debug.print\`: [${names}]`,
      cell.site,
    );
  }
}

function formatText(
  format: string,
  positional: readonly unknown[],
  keys: readonly string[],
  named: readonly unknown[],
): string {
  let next = 0;
  return format.replace(FIELD, (whole: string, name = "", spec = "") => {
    if (whole === "{{" || whole === "}}") return whole[0] as string;
    const value =
      name === ""
        ? positional[next++]
        : /^\d+$/.test(name)
          ? positional[Number(name)]
          : named[keys.indexOf(name)];
    return withSpec(value, spec);
  });
}

/** Python's commonest format specifications: `.3f`, `.2e`, widths. */
function withSpec(value: unknown, spec: string): string {
  const parts = /^([<>^]?)(\d*)(?:\.(\d+))?([feg]?)$/.exec(spec);
  if (spec === "" || !parts) return show(value);
  const [, align, width, precision, type] = parts;
  let text = show(value);
  if (value instanceof NdArray && value.shape.length === 0 && (precision !== undefined || type)) {
    const x = Number(value.item());
    const digits = precision === undefined ? 6 : Number(precision);
    text =
      type === "e"
        ? x.toExponential(digits).replace(/e([+-])(\d)$/, "e$10$2")
        : type === "g"
          ? String(Number(x.toPrecision(digits || 1)))
          : x.toFixed(digits);
  }
  const room = Number(width || 0);
  return align === "<" ? text.padEnd(room) : text.padStart(room);
}
