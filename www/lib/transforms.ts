/** The differentiating transforms: `grad`, `jvp`, `vjp`, `linearize`, jacobians, and the check of them. */

import {
  cell,
  describe,
  encode,
  encodeValues,
  freeArray,
  NdArray,
  readValues,
  settle,
} from "./array.ts";
import { Auxiliary } from "./auxiliary.ts";
import { holding, renamed, takeFloats } from "./calling.ts";
import { glue, TapeReader, writeTape } from "./engine.ts";
import { guarded, raise } from "./errors.ts";
import {
  checkArguments,
  checkCallable,
  isValue,
  leafNames,
  nameOf,
  trace,
  type UserFunction,
} from "./functions.ts";
import { isOptions, pickOptions, trailingOptions } from "./options.ts";
import { showSafely } from "./show.ts";
import { flatten, type Structure, structure, unflatten } from "./tree.ts";
import { encodeAvals } from "./types.ts";

/** Options of `grad`, `valueAndGrad`, `jacfwd`, `jacrev` and `hessian`. */
export interface GradOptions {
  /** Which arguments to differentiate: one index, or several. */
  argnums?: number | readonly number[];
  /** The function returns `[result, auxiliary]`; only the result is differentiated. */
  hasAux?: boolean;
  /** Integers may be differentiated; their gradient is a float0 zero. */
  allowInt?: boolean;
}

const GRAD_OPTIONS = ["argnums", "hasAux", "allowInt", "holomorphic", "reduceAxes"];

function gradOptions(name: string, given: unknown): GradOptions {
  if (typeof given === "number" || Array.isArray(given)) return { argnums: given };
  return pickOptions(name, given, GRAD_OPTIONS) as GradOptions;
}

/** Arguments split into what varies and what does not. */
interface Split {
  /** Positions of the differentiated arguments. */
  positions: number[];
  /** Their trees' leaves in one list, and the structure of the tuple of them. */
  leaves: unknown[];
  structure: Structure;
  /** The arguments with new values at the differentiated positions. */
  merge(varying: readonly unknown[]): unknown[];
}

function splitArguments(args: readonly unknown[], argnums: number | readonly number[] = 0): Split {
  const wanted = typeof argnums === "number" ? [argnums] : [...argnums];
  if (!wanted.every(Number.isInteger)) {
    const message = `argnums must be an integer or an array of integers, got ${showSafely(argnums)}`;
    throw raise("TypeError", message, cell.site);
  }
  const positions = wanted.map((n, i) => {
    const at = n < 0 ? n + args.length : n;
    if (at < 0) {
      throw raise(
        "ValueError",
        `Positional argument indices, e.g. for \`static_argnums\`, must have value greater than or equal to -len(args) and less than len(args), but got value ${n} for len(args) == ${args.length}.`,
        cell.site,
      );
    }
    if (!Number.isInteger(at) || at >= args.length) {
      throw raise(
        "TypeError",
        `differentiating with respect to argnums=${typeof argnums === "number" ? n : `(${wanted.join(", ")},)`} requires at least ${n + 1} positional arguments to be passed by the caller, but got only ${args.length} positional arguments.`,
        cell.site,
      );
    }
    if (wanted.slice(0, i).some((m) => m === n || m === n - args.length || m === n + args.length)) {
      const message = `argnums names the argument ${at} more than once`;
      throw raise("ValueError", message, cell.site);
    }
    return at;
  });
  const [leaves, tuple] = flatten(positions.map((at) => args[at]));
  return {
    positions,
    leaves,
    structure: tuple,
    merge: (varying) => {
      const all = [...args];
      positions.forEach((at, i) => {
        all[at] = varying[i];
      });
      return all;
    },
  };
}

/** Plain numbers that are to be differentiated are floats. */
function encodeVarying(tape: number[], leaves: readonly unknown[]): void {
  encodeValues(tape, leaves, true);
  tape.push(leaves.length, ...leaves.map(() => 1));
}

function differentiate(
  transform: "grad" | "value_and_grad",
  f: UserFunction,
  options: GradOptions,
  args: readonly unknown[],
): { value: unknown; grads: unknown } {
  takeFloats();
  const { argnums = 0, hasAux = false, allowInt = false } = options;
  const split = splitArguments(args, argnums);
  checkArguments(split.leaves);
  const name = nameOf(f);
  const auxiliary = new Auxiliary();
  const traced = trace({
    structure: split.structure,
    transform,
    name,
    floats: 1,
    names: () =>
      leafNames(
        f,
        split.positions.map((at) => args[at]),
      ),
    call: (varying) => {
      const out = f(...split.merge(varying));
      const [main, aux] = hasAux ? auxiliary.take(out) : [out, []];
      checkScalar(main);
      return hasAux ? [main, aux] : [main];
    },
  });
  const tape: number[] = [];
  encodeVarying(tape, split.leaves);
  const { site } = cell;
  writeTape(tape);
  guarded(() => glue.gradCall(transform, traced.id, name, allowInt, tape.length, site));
  const reader = new TapeReader();
  const outs = readValues(reader);
  const grads = readValues(reader);
  settle();
  const out = unflatten(traced.out as Structure, outs) as unknown[];
  const trees = unflatten(split.structure, grads) as unknown[];
  const value = hasAux ? [out[0], auxiliary.give(out[1])] : out[0];
  return { value, grads: typeof argnums === "number" ? trees[0] : trees };
}

/** The result of a function under grad is one value, not a tree. */
function checkScalar(main: unknown): void {
  if (isValue(main)) return;
  const [leaves] = flatten(main === undefined ? null : main);
  const single = leaves.length === 1 && !Array.isArray(main) && !isOptions(main);
  if (single) return;
  const shown = leaves.map((leaf) => (leaf instanceof NdArray ? leaf.toString() : String(leaf)));
  const phrase = "Gradient only defined for scalar-output functions. Output was";
  if (main === undefined) {
    const message = `${phrase} None. The function returned nothing: does it lack a \`return\`?`;
    throw raise("TypeError", message, cell.site);
  }
  throw raise("TypeError", `${phrase} (${shown.join(", ")}).`, cell.site, "nonScalarGrad");
}

/**
 * The gradient of a scalar function: a function of the same arguments.
 *
 * Raises TypeError for a result that is not a float scalar and for inputs that are not floats.
 */
export function grad(
  f: UserFunction,
  options?: GradOptions | number | readonly number[],
): UserFunction {
  checkCallable(f);
  const chosen = gradOptions("grad", options);
  return renamed((...args: unknown[]) => {
    const { value, grads } = differentiate("grad", f, chosen, args);
    if (chosen.hasAux) return [grads, (value as unknown[])[1]];
    // Nobody else has this handle.
    freeArray(value);
    return grads;
  }, nameOf(f));
}

/** The value and the gradient of a scalar function: `[value, gradient]`. */
export function valueAndGrad(
  f: UserFunction,
  options?: GradOptions | number | readonly number[],
): UserFunction {
  checkCallable(f);
  const chosen = gradOptions("value_and_grad", options);
  return renamed((...args: unknown[]) => {
    const { value, grads } = differentiate("value_and_grad", f, chosen, args);
    return [value, grads];
  }, nameOf(f));
}

/** Refuses primals and tangents whose trees differ, in JAX's words. */
function sameTrees(primals: unknown, tangents: unknown): [unknown[], unknown[], Structure] {
  if (!Array.isArray(primals) || !Array.isArray(tangents)) {
    throw raise(
      "TypeError",
      `primal and tangent arguments to jax.jvp must be tuples or lists; found ${describe(primals)} and ${describe(tangents)}.`,
      cell.site,
    );
  }
  const [ps, tree] = flatten(primals);
  const [ts, other] = flatten(tangents);
  if (!tree.equals(other)) {
    throw raise(
      "TypeError",
      `primal and tangent arguments to jax.jvp must have the same tree structure; primals have tree structure ${tree} whereas tangents have tree structure ${other}.`,
      cell.site,
    );
  }
  return [ps, ts, tree];
}

/** Options of transforms whose function may return auxiliary results. */
export interface AuxOptions {
  hasAux?: boolean;
}

/** Forward mode: `[f(primals), tangent of it]`, with the tangents of the arguments given. */
export function jvp(
  f: UserFunction,
  primals: readonly unknown[],
  tangents: readonly unknown[],
  options: AuxOptions = {},
): unknown[] {
  checkCallable(f);
  takeFloats();
  const { hasAux = false } = pickOptions("jvp", options, ["hasAux"]) as AuxOptions;
  const [ps, ts, tree] = sameTrees(primals, tangents);
  checkArguments(ps);
  checkArguments(ts);
  const name = nameOf(f);
  const auxiliary = new Auxiliary();
  const traced = trace({
    structure: tree,
    transform: "jvp",
    name,
    names: () => leafNames(f, primals),
    call: (args) => (hasAux ? auxiliary.take(f(...args)) : [f(...args)]),
  });
  const tape: number[] = [];
  encodeValues(tape, ps, true);
  encodeValues(tape, ts, true);
  const { site } = cell;
  writeTape(tape);
  guarded(() => glue.jvpCall(traced.id, name, tape.length, site));
  const reader = new TapeReader();
  const outs = unflatten(traced.out as Structure, readValues(reader)) as unknown[];
  const outTangents = unflatten(traced.out as Structure, readValues(reader)) as unknown[];
  return hasAux ? [outs[0], outTangents[0], auxiliary.give(outs[1])] : [outs[0], outTangents[0]];
}

/** Runs `linearizeCall` and gives the held map's number, the results and their structure. */
function linearizeAt(
  transform: "vjp" | "linearize",
  f: UserFunction,
  primals: readonly unknown[],
  hasAux: boolean,
) {
  checkCallable(f);
  takeFloats();
  const [leaves, tree] = flatten(primals);
  checkArguments(leaves);
  const name = nameOf(f);
  const auxiliary = new Auxiliary();
  const traced = trace({
    structure: tree,
    transform,
    name,
    names: () => leafNames(f, primals),
    call: (args) => (hasAux ? auxiliary.take(f(...args)) : [f(...args), []]),
  });
  const tape: number[] = [];
  encodeVarying(tape, leaves);
  const { site } = cell;
  writeTape(tape);
  guarded(() => glue.linearizeCall(transform, traced.id, name, tape.length, site));
  const reader = new TapeReader();
  const id = reader.next();
  const outs = readValues(reader);
  const [out, values] = unflatten(traced.out as Structure, outs) as [unknown, unknown];
  const { count } = auxiliary;
  return { id, out, aux: auxiliary.give(values), structure: tree, auxLeaves: count };
}

function applyLinear(
  id: number,
  pullBack: boolean,
  leaves: readonly unknown[],
  zeros: number,
): NdArray[] {
  takeFloats();
  const tape: number[] = [leaves.length + zeros];
  for (const leaf of leaves) encode(tape, leaf, true);
  for (let i = 0; i < zeros; i++) tape.push(0);
  const { site } = cell;
  writeTape(tape);
  guarded(() => glue.applyLinear(id, pullBack, tape.length, site));
  const out = readValues(new TapeReader());
  settle();
  return out;
}

/**
 * Reverse mode: `[f(...primals), vjpFn]`; `vjpFn(ct)` gives an array with one cotangent per argument.
 * With `hasAux`, `[out, vjpFn, aux]`.
 */
export function vjp(f: UserFunction, ...given: unknown[]): unknown[] {
  const known = ["hasAux", "reduceAxes"];
  const [primals, options] = trailingOptions(given, known);
  const { hasAux = false } = pickOptions("vjp", options, known) as AuxOptions;
  const { id, out, aux, structure: tree, auxLeaves } = linearizeAt("vjp", f, primals, hasAux);
  const outTree = structure(out);
  const pull = holding((...cts: unknown[]) => {
    const [ct] = cts;
    if (cts.length !== 1) {
      throw raise(
        "TypeError",
        `The function returned by \`jax.vjp\` applied to ${nameOf(f)} was called with ${cts.length} arguments, but functions returned by \`jax.vjp\` must be called with a single argument corresponding to the single value returned by the function being differentiated (even if that returned value is a tuple or other container).`,
        cell.site,
      );
    }
    const leaves = upTo(outTree, ct, "the cotangent");
    return unflatten(tree, applyLinear(id, true, leaves, auxLeaves));
  }, id);
  return hasAux ? [out, pull, aux] : [out, pull];
}

/** Leaves of `tree` where `wanted` has its leaves, or a ValueError in JAX's words. */
function upTo(wanted: Structure, tree: unknown, name: string): unknown[] {
  const [leaves, found] = flatten(tree);
  if (!found.equals(wanted)) {
    throw raise(
      "ValueError",
      `unexpected tree structure of argument to vjp function: got ${found}, but expected to match ${wanted} (${name})`,
      cell.site,
    );
  }
  checkArguments(leaves);
  return leaves;
}

/** `[f(...primals), fLin]`, where `fLin(...tangents)` is the linear part of `f` there. */
export function linearize(f: UserFunction, ...given: unknown[]): unknown[] {
  const [primals, options] = trailingOptions(given, ["hasAux"]);
  const { hasAux = false } = pickOptions("linearize", options, ["hasAux"]) as AuxOptions;
  const { id, out, aux, structure: tree } = linearizeAt("linearize", f, primals, hasAux);
  const outTree = structure(out);
  const push = holding((...tangents: unknown[]) => {
    const [leaves, found] = flatten(tangents);
    if (!found.equals(tree)) {
      throw raise(
        "TypeError",
        `linearized function called on tangents of structure ${found}, but it was linearized at ${tree}`,
        cell.site,
      );
    }
    const outs = applyLinear(id, false, leaves, 0).slice(0, outTree.numLeaves);
    return unflatten(outTree, outs);
  }, id);
  return hasAux ? [out, push, aux] : [out, push];
}

/**
 * The transpose of a linear function: a function of the cotangent of its result that gives an array with
 * one cotangent per argument. Arguments only lend their types.
 */
export function linearTranspose(f: UserFunction, ...given: unknown[]): UserFunction {
  checkCallable(f);
  takeFloats();
  const [args] = trailingOptions(given, ["reduceAxes"]);
  const [leaves, tree] = flatten(args);
  const name = nameOf(f);
  const traced = trace({
    structure: tree,
    transform: "linear_transpose",
    name,
    names: () => leafNames(f, args),
    call: (xs) => f(...xs),
  });
  const tape: number[] = [];
  encodeAvals(tape, leaves, true);
  const madeAt = cell.site;
  writeTape(tape);
  guarded(() => glue.transposeCall(traced.id, name, tape.length, madeAt));
  const id = new TapeReader().next();
  const outTree = traced.out as Structure;
  return holding((ct: unknown) => {
    takeFloats();
    const [cts, found] = flatten(ct);
    if (!found.equals(outTree)) {
      throw raise(
        "TypeError",
        `cotangent tree does not match function output, expected ${outTree} but got ${found}`,
        cell.site,
      );
    }
    checkArguments(cts);
    const ins: number[] = [];
    encodeValues(ins, cts, true);
    const { site } = cell;
    writeTape(ins);
    guarded(() => glue.applyTranspose(id, madeAt, ins.length, site));
    return unflatten(tree, readValues(new TapeReader()));
  }, id);
}

/** The jacobian by forward mode: one pass per input element. Results have shape `out.shape + in.shape`. */
export function jacfwd(
  f: UserFunction,
  options?: GradOptions | number | readonly number[],
): UserFunction {
  return jacobian(false, f, gradOptions("jacfwd", options));
}

/** The jacobian by reverse mode: one pass per result element. Results have shape `out.shape + in.shape`. */
export function jacrev(
  f: UserFunction,
  options?: GradOptions | number | readonly number[],
): UserFunction {
  return jacobian(true, f, gradOptions("jacrev", options));
}

/** The second derivatives of a scalar function: `jacfwd(jacrev(f))`. */
export function hessian(
  f: UserFunction,
  options?: GradOptions | number | readonly number[],
): UserFunction {
  return jacfwd(jacrev(f, options), options);
}

function jacobian(reverse: boolean, f: UserFunction, options: GradOptions): UserFunction {
  checkCallable(f);
  const { argnums = 0, hasAux = false } = options;
  const transform = reverse ? "jacrev" : "jacfwd";
  return renamed((...args: unknown[]) => {
    takeFloats();
    const split = splitArguments(args, argnums);
    checkArguments(split.leaves);
    const name = nameOf(f);
    const auxiliary = new Auxiliary();
    let mainLeaves = 0;
    const traced = trace({
      structure: split.structure,
      transform,
      name,
      names: () =>
        leafNames(
          f,
          split.positions.map((at) => args[at]),
        ),
      call: (varying) => {
        const out = f(...split.merge(varying));
        const pair = hasAux ? auxiliary.take(out) : [out, []];
        mainLeaves = flatten(pair[0])[0].length;
        glue.setMainResults(mainLeaves);
        return pair;
      },
    });
    const tape: number[] = [];
    encodeVarying(tape, split.leaves);
    const { site } = cell;
    writeTape(tape);
    guarded(() => glue.jacobianCall(reverse, traced.id, name, tape.length, site));
    const reader = new TapeReader();
    const outs = readValues(reader);
    const rows = Array.from({ length: reader.next() }, () => readValues(reader)).slice(
      0,
      mainLeaves,
    );
    settle();
    const [main, values] = unflatten(traced.out as Structure, outs) as [unknown, unknown];
    const perResult = rows.map((row) => {
      const trees = unflatten(split.structure, row) as unknown[];
      return typeof argnums === "number" ? trees[0] : trees;
    });
    const jac = unflatten(structure(main), perResult);
    return hasAux ? [jac, auxiliary.give(values)] : jac;
  }, nameOf(f));
}

/** Options of `checkGrads`. */
export interface CheckGradsOptions {
  order?: number;
  modes?: string | readonly string[];
  atol?: number;
  rtol?: number;
  eps?: number;
}

/** Compares derivatives with finite differences; raises AssertionError where they disagree. */
export function checkGrads(
  f: UserFunction,
  args: readonly unknown[],
  given: number | CheckGradsOptions = {},
): void {
  checkCallable(f);
  takeFloats();
  const known = ["order", "modes", "atol", "rtol", "eps"];
  const options = (
    typeof given === "number" ? { order: given } : pickOptions("checkGrads", given, known)
  ) as CheckGradsOptions;
  const { order = 1, modes = ["fwd", "rev"], atol, rtol, eps } = options;
  const wanted = typeof modes === "string" ? modes.split(",").map((m) => m.trim()) : modes;
  const [leaves, tree] = flatten(args);
  checkArguments(leaves);
  const name = nameOf(f);
  const traced = trace({ structure: tree, transform: "check_grads", name, call: (xs) => f(...xs) });
  const tape: number[] = [];
  encodeValues(tape, leaves, true);
  const flag = (mode: string) => (wanted.includes(mode) ? 1 : 0);
  tape.push(
    order,
    flag("fwd"),
    flag("rev"),
    atol ?? Number.NaN,
    rtol ?? Number.NaN,
    eps ?? Number.NaN,
  );
  const { site } = cell;
  writeTape(tape);
  guarded(() => glue.checkGradsCall(traced.id, name, tape.length, site));
}
