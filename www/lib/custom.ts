/** Functions with derivative rules of their own: `customJvp` and `customVjp`. */

import { cell, encodeValues, inTransform, NdArray, readValues, settle } from "./array.ts";
import { glue, register, TapeReader, writeTape } from "./engine.ts";
import { guarded, raise } from "./errors.ts";
import {
  checkArguments,
  checkCallable,
  checkLeaves,
  isValue,
  leafNames,
  nameOf,
  trace,
  type UserFunction,
} from "./functions.ts";
import { pickOptions } from "./options.ts";
import type { LeafRow } from "./report.ts";
import { showSafely } from "./show.ts";
import { flatten, flattenUpTo, keystr, leavesWithPath, type Structure, unflatten } from "./tree.ts";

/** Options of `customJvp` and `customVjp`. */
export interface CustomOptions {
  /** Arguments that are settings (functions, numbers): handed to the rules in front. */
  nondiffArgnums?: readonly number[] | number;
}

/** The arguments of one call, split. */
interface Call {
  readonly args: readonly unknown[];
  /** Positions of the differentiable arguments. */
  readonly varying: readonly number[];
  /** The settings, in order. */
  readonly settings: readonly unknown[];
  readonly leaves: readonly unknown[];
  readonly structure: Structure;
}

function splitCall(what: string, args: readonly unknown[], nondiff: readonly number[]): Call {
  const isSetting = (i: number) => nondiff.includes(i) || nondiff.includes(i - args.length);
  const settings = args.filter((_, i) => isSetting(i));
  for (const setting of settings) {
    const traced = flatten(setting)[0].some((leaf) => leaf instanceof NdArray && leaf._epoch >= 0);
    if (traced) {
      throw raise(
        "UnexpectedTracerError",
        `Found a JAX Tracer object passed as an argument to a ${what} function in a position indicated by nondiff_argnums as non-differentiable. Tracers cannot be passed as non-differentiable arguments to ${what} functions; instead, nondiff_argnums should only be used for arguments that can't be or contain JAX tracers, e.g. function-valued arguments. In particular, array-valued arguments should typically not be indicated as nondiff_argnums.`,
        cell.site,
      );
    }
  }
  const varying = args.map((_, i) => i).filter((i) => !isSetting(i));
  const [leaves, structure] = flatten(varying.map((i) => args[i]));
  checkArguments(leaves);
  return { args, varying, settings, leaves, structure };
}

/** All arguments, with new values where they vary. */
function merged(call: Call, values: readonly unknown[]): unknown[] {
  const all = [...call.args];
  call.varying.forEach((at, i) => {
    all[at] = values[i];
  });
  return all;
}

const typeOf = (leaf: unknown): string =>
  leaf instanceof NdArray
    ? `${leaf.dtype}[${leaf.shape.join(",")}]`
    : typeof leaf === "boolean"
      ? "bool[]"
      : typeof leaf === "number"
        ? "float32[]"
        : leaf === null
          ? "null"
          : showSafely(leaf);

/** Expected against got, leaf by leaf. */
export function leafTable(expected: unknown, got: unknown): LeafRow[] {
  const want = new Map(
    leavesWithPath(expected).map(([path, leaf]) => [keystr(path), typeOf(leaf)]),
  );
  const have = new Map(leavesWithPath(got).map(([path, leaf]) => [keystr(path), typeOf(leaf)]));
  const paths = [...new Set([...want.keys(), ...have.keys()])];
  return paths.map((path) => {
    const [e, g] = [want.get(path) ?? "nothing", have.get(path) ?? "nothing"];
    return { path: path || "(the whole)", expected: e, got: g, ok: e === g };
  });
}

/** A function with a custom rule: callable, with a method that sets the rule. */
export type CustomFunction<Rules> = UserFunction & Rules;

/** Sets the rule of a `customJvp` function. */
export interface JvpRules {
  /** `rule(primals, tangents)` gives `[result, tangent]`; settings come in front. */
  defjvp(rule: UserFunction): UserFunction;
  /** One rule per argument, `(tangent, result, ...primals) => tangent`; null where it is zero. */
  defjvps(...rules: (UserFunction | null)[]): void;
}

/** A function whose JVP rule is given by `defjvp`. Reverse mode follows from it by transposition. */
export function customJvp(f: UserFunction, options: CustomOptions = {}): CustomFunction<JvpRules> {
  checkCallable(f);
  const nondiff = settingsOf("customJvp", options);
  const name = nameOf(f);
  const origin = { site: cell.site };
  let rule: UserFunction | null = null;

  const custom = (...args: unknown[]): unknown => {
    cell.floats = 0;
    if (!rule) {
      throw raise(
        "AttributeError",
        `No JVP defined for custom_jvp function ${name} using defjvp.`,
        cell.site,
      );
    }
    const called = rule;
    const call = splitCall("custom_jvp", args, nondiff);
    const traced = trace({
      structure: call.structure,
      transform: "custom_jvp",
      name,
      names: () => leafNames(f, args),
      origin,
      call: (values) => f(...merged(call, values)),
    });
    const ruleName = nameOf(called);
    let outStructure: Structure | null = null;
    const ruleId = register({
      call() {
        const values = readValues(new TapeReader());
        const tape = inTransform(() => {
          const half = values.length / 2;
          const primals = unflatten(call.structure, values.slice(0, half));
          const tangents = unflatten(call.structure, values.slice(half));
          const out = called(...call.settings, primals, tangents);
          const [outs, outTangents, tree] = checkJvpResult(out, ruleName, name);
          outStructure = tree;
          const written: number[] = [];
          encodeValues(written, [...outs, ...outTangents], true);
          return written;
        });
        writeTape(tape);
      },
    });
    const tape: number[] = [];
    encodeValues(tape, call.leaves, true);
    const { site } = cell;
    writeTape(tape);
    guarded(() => glue.customJvpCall(traced.id, name, ruleId, ruleName, tape.length, site));
    const outs = readValues(new TapeReader());
    settle();
    return unflatten((traced.out ?? outStructure) as Structure, outs);
  };
  Object.defineProperty(custom, "name", { value: name });
  return Object.assign(custom, {
    defjvp(given: UserFunction) {
      checkCallable(given);
      rule = given;
      return given;
    },
    defjvps(...rules: (UserFunction | null)[]) {
      rule = (...given: unknown[]) => {
        const tangents = given[given.length - 1] as NdArray[];
        const primals = given[given.length - 2] as unknown[];
        const settings = given.slice(0, -2);
        const out = custom(...mergeSettings(settings, primals, nondiff));
        let total: unknown = null;
        rules.forEach((part, i) => {
          if (!part) return;
          const term = part(tangents[i], out, ...settings, ...primals) as NdArray;
          total = total === null ? term : (total as { add(x: unknown): unknown }).add(term);
        });
        return [out, total ?? (out as { mul(x: number): unknown }).mul(0)];
      };
      Object.defineProperty(rule, "name", { value: "jvp" });
    },
  });
}

function mergeSettings(
  settings: readonly unknown[],
  primals: readonly unknown[],
  nondiff: readonly number[],
): unknown[] {
  const all: unknown[] = [];
  let [s, p] = [0, 0];
  const n = settings.length + primals.length;
  for (let i = 0; i < n; i++)
    all.push(nondiff.includes(i) || nondiff.includes(i - n) ? settings[s++] : primals[p++]);
  return all;
}

function checkJvpResult(
  out: unknown,
  rule: string,
  name: string,
): [unknown[], unknown[], Structure] {
  if (!Array.isArray(out) || out.length !== 2) {
    throw raise(
      "TypeError",
      `Custom JVP rule ${rule} for function ${name} must produce a pair (list or tuple of length two) representing primal and tangent outputs, but got ${shown(out)}.`,
      cell.site,
      "customRule",
    );
  }
  const [outs, tree] = flatten(out[0]);
  const [tangents, other] = flatten(out[1]);
  if (!tree.equals(other)) {
    throw raise(
      "TypeError",
      `Custom JVP rule ${rule} for function ${name} must produce primal and tangent outputs with equal container (pytree) structures, but got ${tree} and ${other} respectively.`,
      cell.site,
      "customRule",
      leafTable(out[0], out[1]),
    );
  }
  checkLeaves(
    [...outs, ...tangents],
    (leaf) =>
      `Custom JVP rule ${rule} for function ${name} returned ${String(leaf)}, which is not an array`,
  );
  outs.forEach((o, i) => {
    const t = tangents[i];
    const [want, have] = [shapeOf(o), shapeOf(t)];
    const isFloat = !(o instanceof NdArray) || o.dtype.startsWith("float");
    const other = o instanceof NdArray && t instanceof NdArray && t.dtype !== o.dtype;
    if (isFloat && (want !== have || other)) {
      throw raise(
        "TypeError",
        `Custom JVP rule must produce primal and tangent outputs with corresponding shapes and dtypes. Expected ${typeOf(o)} (tangent type of ${typeOf(o)}) but got ${typeOf(t)}.`,
        cell.site,
        "customRule",
        leafTable(out[0], out[1]),
      );
    }
  });
  return [outs, tangents, tree];
}

const shapeOf = (v: unknown): string => (v instanceof NdArray ? v.shape.join(",") : "");

function shown(v: unknown): string {
  if (v instanceof NdArray) return v.toString();
  if (v === undefined) return "None";
  return Array.isArray(v) ? `(${v.map(shown).join(", ")})` : showSafely(v);
}

function settingsOf(of: string, options: CustomOptions): number[] {
  const { nondiffArgnums = [] } = pickOptions(of, options, ["nondiffArgnums"]) as CustomOptions;
  return typeof nondiffArgnums === "number" ? [nondiffArgnums] : [...nondiffArgnums];
}

/** Sets the rules of a `customVjp` function. */
export interface VjpRules {
  /**
   * `fwd(...args)` gives `[result, residuals]`; `bwd(residuals, ct)` gives an array with one cotangent per
   * argument, null for zero. Settings come in front of `bwd`'s arguments.
   */
  defvjp(fwd: UserFunction, bwd: UserFunction): void;
}

/** A function whose forward and backward rules are given by `defvjp`. It has no forward mode. */
export function customVjp(f: UserFunction, options: CustomOptions = {}): CustomFunction<VjpRules> {
  checkCallable(f);
  const nondiff = settingsOf("customVjp", options);
  const name = nameOf(f);
  const origin = { site: cell.site };
  let rules: { fwd: UserFunction; bwd: UserFunction } | null = null;

  const custom = (...args: unknown[]): unknown => {
    cell.floats = 0;
    if (!rules) {
      throw raise(
        "AttributeError",
        `No VJP defined for custom_vjp function ${name} using defvjp.`,
        cell.site,
      );
    }
    const { fwd, bwd } = rules;
    const call = splitCall("custom_vjp", args, nondiff);
    const traced = trace({
      structure: call.structure,
      transform: "custom_vjp",
      name,
      names: () => leafNames(f, args),
      origin,
      call: (values) => f(...merged(call, values)),
    });
    let outStructure: Structure | null = null;
    let residualStructure: Structure | null = null;
    const fwdId = register({
      call() {
        const values = readValues(new TapeReader());
        const tape = inTransform(() => {
          const out = fwd(...merged(call, unflatten(call.structure, values) as unknown[]));
          if (!Array.isArray(out) || out.length !== 2) throw fwdNotAPair(out, nameOf(fwd), name);
          const [outs, tree] = flatten(out[0]);
          const [residuals, residualTree] = flatten(out[1]);
          if (traced.out && !traced.out.equals(tree)) {
            throw raise(
              "TypeError",
              `Custom VJP fwd rule ${nameOf(fwd)} for function ${name} must produce a pair (list or tuple of length two) where the first element represents the primal output (equal to the output of the custom_vjp-decorated function ${name}) with the same structure, but it has structure ${tree} and the function's output has ${traced.out}.`,
              cell.site,
              "customRule",
            );
          }
          checkLeaves(
            [...outs, ...residuals],
            (leaf) =>
              `Custom VJP fwd rule ${nameOf(fwd)} for function ${name} returned ${String(leaf)}, which is not an array`,
          );
          outStructure = tree;
          residualStructure = residualTree;
          const written: number[] = [];
          encodeValues(written, outs, true);
          encodeValues(written, residuals);
          return written;
        });
        writeTape(tape);
      },
    });
    const bwdId = register({
      call() {
        const reader = new TapeReader();
        const residuals = readValues(reader);
        const cts = readValues(reader);
        const tape = inTransform(() => {
          const res = unflatten(residualStructure as Structure, residuals);
          const ct = unflatten(outStructure as Structure, cts);
          const given = bwd(...call.settings, res, ct);
          const leaves = bwdLeaves(given, call);
          const written: number[] = [];
          encodeValues(written, leaves, true);
          return written;
        });
        writeTape(tape);
      },
    });
    const tape: number[] = [];
    encodeValues(tape, call.leaves, true);
    const { site } = cell;
    const names = [name, nameOf(fwd), nameOf(bwd)].join("\n");
    writeTape(tape);
    guarded(() => glue.customVjpCall(traced.id, fwdId, bwdId, names, tape.length, site));
    const outs = readValues(new TapeReader());
    settle();
    return unflatten((traced.out ?? outStructure) as Structure, outs);
  };
  Object.defineProperty(custom, "name", { value: name });
  return Object.assign(custom, {
    defvjp(fwd: UserFunction, bwd: UserFunction) {
      checkCallable(fwd);
      checkCallable(bwd);
      rules = { fwd, bwd };
    },
  });
}

function fwdNotAPair(out: unknown, fwd: string, name: string) {
  return raise(
    "TypeError",
    `Custom VJP fwd rule ${fwd} for function ${name} must produce a pair (list or tuple of length two) where the first element represents the primal output (equal to those of the custom_vjp-decorated function ${name}) and the second element represents residuals (i.e. values stored from the forward pass for use on the backward pass), but instead of a pair the fwd rule ${fwd} produced ${shown(out)}.`,
    cell.site,
    "customRule",
  );
}

/** Cotangents of all leaves of the arguments, null for zero; a TypeError with a table if the tree is wrong. */
function bwdLeaves(given: unknown, call: Call): unknown[] {
  const examples = unflatten(call.structure, call.leaves) as unknown[];
  const wrong = (): never => {
    const [, got] = flatten(given === undefined ? null : given, { isLeaf: isValue });
    throw raise(
      "TypeError",
      `Custom VJP bwd rule must produce an output with the same container (pytree) structure as the args tuple of the primal function, and in particular must produce a tuple of length equal to the number of arguments to the primal function, but got bwd output structure ${got} for primal input structure ${call.structure}.`,
      cell.site,
      "customRule",
      leafTable(examples, given === undefined ? null : given),
    );
  };
  if (!Array.isArray(given) || given.length !== examples.length) return wrong();
  return examples.flatMap((example, i) => {
    const part: unknown = given[i];
    const [leaves, tree] = flatten(example);
    if (part === null || part === undefined) return leaves.map(() => null);
    let cts: unknown[];
    try {
      cts = flattenUpTo(tree, part, `output[${i}]`, (v) => v === null);
    } catch {
      return wrong();
    }
    return cts.map((ct) => (ct === null || isValue(ct) ? ct : wrong()));
  });
}
