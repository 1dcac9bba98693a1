import assert from "node:assert/strict";
import { test } from "node:test";
import * as tree from "../../www/lib/tree.ts";

const show = (t: unknown) => String(tree.structure(t));

test("structures print as JAX prints its PyTreeDefs", () => {
  assert.equal(
    show({ b: [1, 2], a: 1, n: null, e: [], f: {}, g: [1] }),
    "PyTreeDef({'a': *, 'b': (*, *), 'e': (), 'f': {}, 'g': (*,), 'n': None})",
  );
  assert.equal(show(1), "PyTreeDef(*)");
  assert.equal(show(null), "PyTreeDef(None)");
  assert.equal(
    show({ "it's": 1, 'q"': 2, "b'\"\n": 2 }),
    `PyTreeDef({'b\\'"\\n': *, "it's": *, 'q"': *})`,
  );
});

test("flatten goes through objects in the order of their sorted keys", () => {
  const [leaves, structure] = tree.flatten({ b: [1, 2], a: { d: 4, c: 3 }, n: null });
  assert.deepEqual(leaves, [3, 4, 1, 2]);
  assert.equal(structure.numLeaves, 4);
  assert.deepEqual(tree.unflatten(structure, leaves), { a: { c: 3, d: 4 }, b: [1, 2], n: null });
});

test("instances of classes, dates and typed arrays are leaves", () => {
  const leaves = [new Date(0), new Float32Array(2), () => 1, undefined, "text"];
  assert.deepEqual(tree.leaves(leaves), leaves);
});

test("a predicate makes leaves of containers", () => {
  const isLeaf = (t: unknown) => Array.isArray(t) && t.length === 2;
  assert.deepEqual(tree.leaves({ a: [1, 2], b: [1, 2, 3] }, { isLeaf }), [[1, 2], 1, 2, 3]);
  assert.deepEqual(
    tree.map((pair) => (pair as number[])[0], { a: [1, 2] }, { isLeaf }),
    { a: 1 },
  );
  assert.deepEqual(tree.leaves([null, 1], { isLeaf: (t) => t === null }), [null, 1]);
});

test("map goes over several trees and takes the first as a prefix of the others", () => {
  const add = (a: unknown, b: unknown) => Number(a) + Number(b);
  assert.deepEqual(tree.map(add, { a: [1, 2], b: null }, { a: [10, 20], b: null }), {
    a: [11, 22],
    b: null,
  });
  assert.deepEqual(
    tree.map((_, b) => b, { a: 1 }, { a: [4, 5] }),
    { a: [4, 5] },
  );
});

test("map names the path at which structures differ", () => {
  const first = (a: unknown) => a;
  const fails = (t: unknown, u: unknown, message: RegExp) =>
    assert.throws(
      () => tree.map(first, t, u),
      (e: Error) => e.name === "ValueError" && message.test(e.message),
    );
  fails(
    { a: [1, 2] },
    { a: [1, 2, 3] },
    /different lengths of tuple at key path tree\['a'\]: expected 2, got 3/,
  );
  fails(
    { a: 1 },
    { b: 1 },
    /different pytree metadata at key path tree: expected the keys {'a'}, got {'b'}/,
  );
  fails(
    { a: [1, [2]] },
    { a: [1, 2] },
    /different types at key path tree\['a'\]\[1\]: expected a tuple \(array\), got a leaf/,
  );
  fails([null], [1], /expected null, got a leaf/);
});

test("unflatten refuses a wrong number of leaves", () => {
  const structure = tree.structure([1, 2]);
  assert.throws(
    () => tree.unflatten(structure, [1]),
    /Too few leaves for PyTreeDef; expected 2, got 1/,
  );
  assert.throws(
    () => tree.unflatten(structure, [1, 2, 3]),
    /Too many leaves for PyTreeDef; expected 2\./,
  );
});

test("paths print as keystr prints them", () => {
  const [leaves] = tree.flattenWithPath({ a: [1, { "b'c": 2 }] });
  assert.deepEqual(
    leaves.map(([path]) => tree.keystr(path)),
    ["['a'][0]", `['a'][1]["b'c"]`],
  );
  assert.deepEqual(
    tree.mapWithPath((path, x) => tree.keystr(path) + x, { a: [5] }),
    { a: ["['a'][0]5"] },
  );
});

test("all, reduce and transpose follow JAX", () => {
  const add = (a: unknown, b: unknown) => Number(a) + Number(b);
  assert.equal(tree.all({ a: [1, 0] }), false);
  assert.equal(tree.all({}), true);
  assert.equal(tree.reduce(add, { a: [1, 2] }, 10), 13);
  assert.equal(tree.reduce(add, { a: [1, 2] }), 3);
  assert.throws(() => tree.reduce(add, {}), { name: "TypeError" });
  const rows = [
    { a: 1, b: 2 },
    { a: 3, b: 4 },
  ];
  const outer = tree.structure([0, 0]);
  assert.deepEqual(tree.transpose(outer, tree.structure(rows[0]), rows), { a: [1, 3], b: [2, 4] });
  assert.deepEqual(tree.transpose(outer, null, rows), { a: [1, 3], b: [2, 4] });
  assert.throws(() => tree.transpose(outer, null, [{ a: 1, b: 2 }, { a: 3 }]), /Mismatch/);
});

test("a prefix is broadcast over the leaves below it", () => {
  const isLeaf = (t: unknown) => t === null;
  assert.deepEqual(tree.broadcastPrefix([0, null], [{ a: 1, b: 2 }, 3], { isLeaf }), [0, 0, null]);
});

test("cycles and very deep trees are refused with a clear error", () => {
  const loop: { a: unknown[] } = { a: [1] };
  loop.a.push(loop);
  assert.throws(() => tree.flatten(loop), /contains itself: the node at tree\['a'\]\[1\]/);
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = [deep];
  assert.throws(() => tree.flatten(deep), /nested more than 500 levels deep/);
  const shared = { a: 1 };
  assert.deepEqual(tree.leaves([shared, shared]), [1, 1]);
});

test("a key named __proto__ is only a key", () => {
  const hostile: unknown = JSON.parse('{"__proto__": {"polluted": 1}}');
  const copy = tree.map((x) => x, hostile) as object;
  assert.deepEqual(Object.keys(copy), ["__proto__"]);
  assert.equal(Object.getPrototypeOf(copy), Object.prototype);
});
