/**
 * The modules `np`, `lax` and `nn`, built from the engine's registry: one JavaScript function for every
 * entry, and the methods and operators of arrays on top of them.
 */

import { cell, describe, encode, NdArray, readResult, Slice, settle } from "./array.ts";
import { glue, TAG, TapeReader, writeTape } from "./engine.ts";
import { guarded, raise } from "./errors.ts";
import type { BinaryOp, UnaryOp } from "./instrument/runtime.ts";

/** A parameter of a function of the registry. */
export interface ParamInfo {
  name: string;
  default: string | null;
  keywordOnly: boolean;
}

/** A function of the registry. Types and documentation are in `pkg/registry.json`. */
export interface FunctionInfo {
  name: string;
  python: string;
  module: string;
  params: ParamInfo[];
  variadic: boolean;
}

/** The registry as the engine describes it. */
export interface Registry {
  functions: FunctionInfo[];
  constants: { name: string; value: string }[];
  /** Methods of arrays, and the functions they are. */
  methods: { name: string; function: string }[];
}

type ApiFunction = (...args: unknown[]) => unknown;
type Module = Record<string, unknown>;

let registry: Registry | null = null;
const byName = new Map<string, ApiFunction>();

/** The registry, read from the engine once. */
export function readRegistry(): Registry {
  registry ??= parseRegistry(glue.describe());
  return registry;
}

/** Reads the lines that `src/api/describe.rs` writes. */
function parseRegistry(text: string): Registry {
  const out: Registry = { functions: [], constants: [], methods: [] };
  for (const line of text.split("\n")) {
    const [kind, name = "", second = "", third = "", ...rest] = line.split("\t");
    if (kind === "c") out.constants.push({ name, value: third });
    else if (kind === "m") out.methods.push({ name, function: second });
    else if (kind === "f") {
      const module = name.slice(0, Math.max(name.lastIndexOf("."), 0));
      const params = rest.map(parseParameter);
      out.functions.push({ name, python: second, module, params, variadic: third !== "" });
    }
  }
  return out;
}

/** `*` if it goes by name only, its name, `=` and its default. */
function parseParameter(text: string): ParamInfo {
  const keywordOnly = text.startsWith("*");
  const at = text.indexOf("=");
  const name = text.slice(keywordOnly ? 1 : 0, at < 0 ? undefined : at);
  return { name, default: at < 0 ? null : text.slice(at + 1), keywordOnly };
}

/** Options objects are plain; everything else is an argument. */
function isOptions(v: unknown): v is Record<string, unknown> {
  if (typeof v !== "object" || v === null || Array.isArray(v)) return false;
  const prototype = Object.getPrototypeOf(v);
  return prototype === Object.prototype || prototype === null;
}

/** Calls function `id` of the registry with arguments in the order of its parameters. */
function callRegistry(id: number, args: readonly unknown[], floats: number): unknown {
  const tape: number[] = [];
  for (let i = 0; i < args.length; i++) {
    // A null that was written is told from an argument left out: `{ axis: null }` flattens.
    if (args[i] === null) tape.push(TAG.newaxis);
    else encode(tape, args[i], (floats & (1 << i)) !== 0);
  }
  writeTape(tape);
  const { site } = cell;
  guarded(() => glue.call(id, args.length, tape.length, site));
  const out = readResult(new TapeReader());
  settle();
  return out;
}

/** Refuses an object where an array is due, in JAX's words. */
function refuseObject(name: string, given: object): never {
  const message =
    name === "array" || name === "asarray"
      ? `Value '${JSON.stringify(given)}' with dtype object is not a valid JAX array type. Only arrays of numeric types are supported by JAX.`
      : `${name} requires ndarray or scalar arguments, got an object with ${Object.keys(given).join(", ") || "nothing in it"} at position 0.`;
  throw raise("TypeError", message, cell.site);
}

/** The JavaScript function of a registry entry. */
function makeFunction(info: FunctionInfo, id: number): ApiFunction {
  const { params, variadic } = info;
  const short = info.name.slice(info.name.lastIndexOf(".") + 1);
  const room = params.filter((p) => !p.keywordOnly).length;
  const index = new Map(params.map((p, i) => [p.name, i]));
  const required = params[0] !== undefined && params[0].default === null;
  const hasOption = (given: object) => Object.keys(given).some((key) => index.has(key));

  const call = (...given: unknown[]): unknown => {
    let { floats } = cell;
    cell.floats = 0;
    const last = given[given.length - 1];
    // An object of none of the options, where an argument is due, is a wrong argument.
    const known = isOptions(last) && (given.length > 1 || !required || hasOption(last));
    const options = known ? (last as Record<string, unknown>) : null;
    if (isOptions(last) && !known) refuseObject(short, last);
    const positional = options ? given.length - 1 : given.length;
    if (options === null && !variadic && positional <= room) return callRegistry(id, given, floats);
    const args: unknown[] = [];
    if (variadic) {
      for (let i = 0; i < room - 1; i++) args.push(given[i]);
      args.push(given.slice(room - 1, positional));
      if (floats >> (room - 1) !== 0) floats |= 1 << (room - 1);
    } else if (positional > room) {
      const were = positional === 1 ? "was" : "were";
      const takes = `${room} positional argument${room === 1 ? "" : "s"}`;
      throw raise(
        "TypeError",
        `${short}() takes ${takes} but ${positional} ${were} given`,
        cell.site,
      );
    } else {
      for (let i = 0; i < positional; i++) args.push(given[i]);
    }
    if (options) {
      for (const key of Object.keys(options)) {
        const at = index.get(key);
        if (at === undefined) {
          const known = params.map((p) => p.name).join(", ");
          const message = `${short}() got an unexpected keyword argument '${key}' (it takes ${known})`;
          throw raise("TypeError", message, cell.site);
        }
        if (at < Math.min(positional, room)) {
          const message = `${short}() got multiple values for argument '${key}'`;
          throw raise("TypeError", message, cell.site);
        }
        while (args.length <= at) args.push(undefined);
        args[at] = options[key];
      }
    }
    return callRegistry(id, args, floats);
  };
  Object.defineProperty(call, "name", { value: short });
  return call;
}

/** The modules by name: `np`, `lax`, `nn`, `random`, with nested ones such as `np.linalg`. */
export function buildModules(): Record<string, Module> {
  const modules: Record<string, Module> = {};
  const moduleOf = (path: string): Module => {
    let here: Record<string, unknown> = modules;
    for (const part of path.split(".")) {
      here[part] ??= {};
      here = here[part] as Module;
    }
    return here;
  };
  const { functions, constants } = readRegistry();
  byName.clear();
  functions.forEach((info, id) => {
    const f = makeFunction(info, id);
    byName.set(info.name, f);
    moduleOf(info.module)[info.name.slice(info.module.length + 1)] = Object.freeze(f);
  });
  for (const { name, value } of constants) {
    const at = name.lastIndexOf(".");
    moduleOf(name.slice(0, at))[name.slice(at + 1)] = constant(value);
  }
  installMethods();
  const freeze = (module: Module): Module => {
    for (const inner of Object.values(module)) {
      if (isOptions(inner)) freeze(inner as Module);
    }
    return Object.freeze(module);
  };
  for (const module of Object.values(modules)) freeze(module);
  return modules;
}

/** The value of a constant's text: JSON, or one of JavaScript's own names. */
function constant(text: string): unknown {
  if (text === "Infinity") return Number.POSITIVE_INFINITY;
  if (text === "-Infinity") return Number.NEGATIVE_INFINITY;
  if (text === "NaN") return Number.NaN;
  return JSON.parse(text);
}

/** A function of the registry by its full name. */
export function api(name: string): ApiFunction {
  const f = byName.get(name);
  if (!f) throw new Error(`the engine has no ${name}`);
  return f;
}

const BINARY: Readonly<Record<BinaryOp, string>> = {
  "+": "np.add",
  "-": "np.subtract",
  "*": "np.multiply",
  "/": "np.trueDivide",
  "%": "np.remainder",
  "**": "np.power",
  "<": "np.less",
  "<=": "np.lessEqual",
  ">": "np.greater",
  ">=": "np.greaterEqual",
  "==": "np.equal",
  "!=": "np.notEqual",
  "&": "np.bitwiseAnd",
  "|": "np.bitwiseOr",
  "^": "np.bitwiseXor",
  "<<": "np.leftShift",
  ">>": "np.rightShift",
  ">>>": "np.rightShift",
};

const UNARY: Readonly<Record<UnaryOp, string>> = {
  "-": "np.negative",
  "+": "np.positive",
  "~": "np.bitwiseNot",
};

/** Operands that an operator on arrays takes; others are refused in JAX's words. */
function isOperand(v: unknown): boolean {
  return (
    v instanceof NdArray || typeof v === "number" || typeof v === "boolean" || ArrayBuffer.isView(v)
  );
}

/** `a op b` where at least one is an array. */
export function binary(op: BinaryOp, a: unknown, b: unknown, floats: number): unknown {
  if (!isOperand(a) || !isOperand(b)) {
    if (op === "==" || op === "!=") return op === "!=";
    // A string next to an array in `+` is a text being put together.
    if (op === "+" && (typeof a === "string" || typeof b === "string"))
      return `${String(a)}${String(b)}`;
    const kind = (v: unknown) => (v instanceof NdArray ? "an array" : describe(v));
    throw raise(
      "TypeError",
      `unsupported operand type(s) for ${op}: ${kind(a)} and ${kind(b)}`,
      cell.site,
    );
  }
  cell.floats = floats;
  return api(BINARY[op])(a, b);
}

/** `op a` on an array. */
export function unary(op: UnaryOp, a: unknown): unknown {
  cell.floats = 0;
  return api(UNARY[op])(a);
}

/** An index as the tape has it: null is a new axis, "..." the ellipsis, the rest as it is. */
function encodeIndex(out: number[], index: readonly unknown[]): void {
  out.push(TAG.list, index.length);
  for (const part of index) {
    if (part === null) out.push(TAG.newaxis);
    else if (part === "...") out.push(TAG.ellipsis);
    else encode(out, part, false);
  }
}

/** Calls a registry function whose second argument is an index. */
function callIndexed(
  name: string,
  x: NdArray,
  index: readonly unknown[],
  rest: readonly unknown[],
  floats = 0,
): unknown {
  const id = idOf(name);
  const tape: number[] = [];
  encode(tape, x, false);
  encodeIndex(tape, index);
  rest.forEach((v, i) => {
    encode(tape, v, (floats & (1 << i)) !== 0);
  });
  writeTape(tape);
  const { site } = cell;
  guarded(() => glue.call(id, 2 + rest.length, tape.length, site));
  const out = readResult(new TapeReader());
  settle();
  return out;
}

const ids = new Map<string, number>();
function idOf(name: string): number {
  let id = ids.get(name);
  if (id === undefined) {
    id = readRegistry().functions.findIndex((f) => f.name === name);
    if (id < 0) throw new Error(`the engine has no ${name}`);
    ids.set(name, id);
  }
  return id;
}

/** `x[i]` in a program: an element or row, or a property of the array object. */
export function index(x: unknown, i: unknown): unknown {
  if (
    typeof i === "number" ||
    i instanceof NdArray ||
    i instanceof Slice ||
    Array.isArray(i) ||
    i === null
  ) {
    return callIndexed("array.get", x as NdArray, Array.isArray(i) ? i : [i], []);
  }
  if (typeof i === "boolean") return callIndexed("array.get", x as NdArray, [i], []);
  if (typeof i === "string" && /^-?\d+$/.test(i))
    return callIndexed("array.get", x as NdArray, [Number(i)], []);
  return (x as Record<PropertyKey, unknown>)[i as PropertyKey];
}

/** Options of the updates of `.at`. */
export interface AtOptions {
  mode?: string;
  fillValue?: number;
}

/** What `x.at(i)` gives: the ways to read or to update elements; each gives a new array. */
export class IndexUpdate {
  constructor(
    private readonly x: NdArray,
    private readonly where: readonly unknown[],
  ) {}

  private update(method: string, value: unknown, options: AtOptions | undefined): NdArray {
    const floats = cell.floats;
    cell.floats = 0;
    return callIndexed(
      `at.${method}`,
      this.x,
      this.where,
      [value, options?.mode ?? null],
      floats,
    ) as NdArray;
  }
  /** Elements there replaced by `value`. */
  set(value: unknown, options?: AtOptions): NdArray {
    return this.update("set", value, options);
  }
  /** `value` added; positions that occur twice get both. */
  add(value: unknown, options?: AtOptions): NdArray {
    return this.update("add", value, options);
  }
  /** `value` subtracted. */
  subtract(value: unknown, options?: AtOptions): NdArray {
    return this.update("subtract", value, options);
  }
  /** Multiplied by `value`. */
  multiply(value: unknown, options?: AtOptions): NdArray {
    return this.update("multiply", value, options);
  }
  /** Divided by `value`. */
  divide(value: unknown, options?: AtOptions): NdArray {
    return this.update("divide", value, options);
  }
  /** Raised to the power `value`. */
  power(value: unknown, options?: AtOptions): NdArray {
    return this.update("power", value, options);
  }
  /** The smaller of the element and `value`. */
  min(value: unknown, options?: AtOptions): NdArray {
    return this.update("min", value, options);
  }
  /** The larger of the element and `value`. */
  max(value: unknown, options?: AtOptions): NdArray {
    return this.update("max", value, options);
  }
  /** The elements there replaced by what `f` makes of them. */
  apply(f: (x: NdArray) => unknown, options?: AtOptions): NdArray {
    return this.set(f(this.get(options)), options);
  }
  /** The elements there. */
  get(options?: AtOptions): NdArray {
    const { mode = null, fillValue = null } = options ?? {};
    cell.floats = 0;
    return callIndexed("at.get", this.x, this.where, [mode, fillValue]) as NdArray;
  }
}

/** Gives arrays their methods: each is the function of the same name with the array in front. */
function installMethods(): void {
  const define = (name: string, value: unknown) =>
    Object.defineProperty(NdArray.prototype, name, { value, writable: true, configurable: true });
  for (const { name: method, function: target } of readRegistry().methods) {
    const f = api(target);
    define(method, function (this: NdArray, ...args: unknown[]) {
      cell.floats <<= 1;
      // Sizes and permutations may be given one by one.
      const spread = (method === "reshape" || method === "transpose") && args.length > 1;
      return spread ? f(this, args) : f(this, ...args);
    });
  }
  define("get", function (this: NdArray, ...where: unknown[]) {
    cell.floats = 0;
    return callIndexed("array.get", this, where, []);
  });
  define("at", function (this: NdArray, ...where: unknown[]) {
    cell.floats = 0;
    return new IndexUpdate(this, where);
  });
  Object.defineProperty(NdArray.prototype, "T", {
    get(this: NdArray) {
      return api("np.transpose")(this);
    },
    configurable: true,
  });
}
