// The promise that freeing by scope rests on: what is listed in fresh.ts gives new handles, and keeps none.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { readRegistry } from "../../../www/lib/api.ts";
import { NdArray } from "../../../www/lib/array.ts";
import { FRESH, TRACED } from "../../../www/lib/instrument/fresh.ts";
import type { Library } from "../../../www/lib/library.ts";
import { plainLibrary } from "../support/plain.ts";

type Call = (...args: unknown[]) => unknown;

let library: Library;
before(async () => {
  ({ library } = await plainLibrary());
});

const callOf = (name: string): Call => {
  const [module, short] = name.split(".") as ["np" | "lax" | "nn" | "random", string];
  return (library[module] as unknown as Record<string, Call>)[short] as Call;
};

/** Arguments for functions that want more than arrays of floats. */
const SPECIAL: Readonly<Record<string, (x: NdArray) => unknown[]>> = {
  "np.where": (x) => [true, x, x],
  "np.einsum": (x) => ["ij->ij", x],
  "np.cross": () => [callOf("np.ones")([3]), callOf("np.ones")([3])],
  "np.arange": () => [4],
  "np.empty": () => [[4]],
  "np.zeros": () => [[4]],
  "np.ones": () => [[4]],
  "np.eye": () => [4],
  "np.identity": () => [4],
  "np.tri": () => [4],
  "np.full": (x) => [[2, 2], x],
  "np.fullLike": (x) => [x, 1],
  "np.linspace": () => [0, 1, 5],
  "np.logspace": () => [0, 1, 5],
  "lax.clamp": (x) => [x, x, x],
  "lax.integerPow": (x) => [x, 1],
  "nn.oneHot": () => [callOf("np.arange")(3), 3],
};

/** Calls that could give an argument back as it is: with nothing to do. */
const IDLE: Readonly<Record<string, (x: NdArray) => unknown[]>> = {
  "np.clip": (x) => [x],
  "np.where": (x) => [true, x, 0],
  "np.sum": (x) => [x, []],
  "np.einsum": (x) => ["ij", x],
  "np.nanToNum": (x) => [x],
  "np.floor": () => [callOf("np.ones")([2], "int32")],
  "np.ceil": () => [callOf("np.ones")([2], "int32")],
  "np.abs": () => [callOf("np.ones")([2], "bool")],
  "np.mean": (x) => [x, []],
  "np.max": (x) => [x, []],
  "np.cumsum": (x) => [x, 0],
  "np.multiply": (x) => [x, 1],
  "np.add": (x) => [x, 0],
};

function arraysIn(v: unknown): NdArray[] {
  if (v instanceof NdArray) return [v];
  return Array.isArray(v) ? v.flatMap(arraysIn) : [];
}

function holdsPromise(name: string, args: readonly unknown[]): void {
  const results = arraysIn(callOf(name)(...args));
  assert.ok(results.length > 0, `${name} gives an array`);
  const given = arraysIn(args);
  for (const result of results) {
    for (const arg of given) {
      assert.notEqual(result, arg, `${name} gave its argument back`);
      assert.notEqual(
        result._cell.handle,
        arg._cell.handle,
        `${name} gave its argument's handle back`,
      );
    }
  }
  // Releasing the results leaves the arguments alone, and the other way round.
  for (const result of results) result.dispose();
  for (const arg of given) arg.data();
  const again = arraysIn(callOf(name)(...args));
  const want = again.map((r) => [...r.data()]);
  for (const arg of new Set(given)) arg.dispose();
  assert.deepEqual(
    again.map((r) => [...r.data()]),
    want,
    `${name} kept its argument`,
  );
}

const names = Object.entries(FRESH).flatMap(([module, shorts]) =>
  [...shorts].map((s) => `${module}.${s}`),
);

test("every function in the list is in the registry", () => {
  const known = new Set(readRegistry().functions.map((f) => f.name));
  assert.deepEqual(
    names.filter((name) => !known.has(name)),
    [],
  );
});

test("every function in the list gives a new handle and keeps none", () => {
  const info = new Map(readRegistry().functions.map((f) => [f.name, f]));
  for (const name of names) {
    const x = callOf("np.ones")([2, 2]) as NdArray;
    const required =
      info.get(name)?.params.filter((p) => p.default === null && !p.keywordOnly) ?? [];
    const args = SPECIAL[name]?.(x) ?? required.map(() => x);
    try {
      holdsPromise(name, args);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }
});

test("so do calls that have nothing to do", () => {
  for (const [name, args] of Object.entries(IDLE)) {
    holdsPromise(name, args(callOf("np.ones")([2, 2]) as NdArray));
  }
});

test("so do transformed functions that hand their argument through", () => {
  const identity = (x: unknown) => x;
  for (const name of Object.keys(TRACED)) {
    const x = callOf("np.ones")([]) as NdArray;
    const transform = (library as unknown as Record<string, (f: Call) => Call>)[name] as (
      f: Call,
    ) => Call;
    const f = transform(identity);
    const first = arraysIn(f(x));
    const second = arraysIn(f(x));
    for (const result of [...first, ...second])
      assert.notEqual(result._cell.handle, x._cell.handle);
    for (const result of first) result.dispose();
    for (const result of second) assert.equal(result.item(), 1);
    assert.equal(x.item(), 1);
  }
});

test("operators and indexing give new handles too", () => {
  const x = callOf("np.ones")([3]) as NdArray;
  for (const made of [x.add(0), x.mul(1), x.get("..."), x.at(0).set(1), x.reshape([3]), x.T]) {
    assert.notEqual(made._cell.handle, x._cell.handle);
    made.dispose();
    assert.equal(x.get(0).item(), 1);
  }
});
