// Loops and branches: where they are told apart from plain ones, prints inside them, and what is said
// of those that do not fit.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { failure, printed, startEngine } from "../support/program.ts";

before(startEngine);

test("a step is traced once, however many steps there are", async () => {
  const text = await printed(`
let n = 0;
const [c, y] = lax.scan((c, x) => { n++; return [c + x, c]; }, 0.0, np.ones([100]));
print(c, y.shape, n);`);
  assert.equal(text, "100.0 (100,) 1");
});

test("prints inside a loop are made in every step, under jit and grad too", async () => {
  const text = await printed(`
const f = (x) => lax.foriLoop(0, 3, (i, v) => { debugPrint("{}", i); return v * 2; }, x);
print(jit(f)(1.0));
print(grad(f)(1.0));`);
  assert.equal(text, "0\n1\n2\n8.0\n0\n1\n2\n8.0");
});

test("a carry that changes its shape is named, leaf by leaf", async () => {
  const { error: e } = await failure(
    `lax.scan((c, x) => [{ a: np.stack([c.a, c.a]), b: c.b }, x], { a: 1.0, b: 2.0 }, np.ones([3]));`,
  );
  assert.equal(e.class, "TypeError");
  assert.match(e.message, /carry component c\['a'\] has type float32\[\]/);
  assert.deepEqual(
    e.table.map((row) => row.ok),
    [false, true],
  );
});

test("branches of other structures are shown side by side", async () => {
  const { error: e } = await failure(`lax.cond(true, (x) => [x, x], (x) => x, 1.0);`);
  assert.match(e.message, /cond branch outputs must have the same pytree structure/);
  assert.ok(e.table.some((row) => !row.ok));
});

test("reverse mode of a while loop names the loop and its line", async () => {
  const { error: e } = await failure(`
const halve = (x) => lax.whileLoop((v) => v > 1, (v) => v / 2, x);
grad(halve)(9.0);`);
  assert.equal(e.class, "ValueError");
  assert.equal(e.primitive, "while");
  assert.match(e.message, /^Reverse-mode differentiation does not work for lax\.while_loop/);
});

test("an associative scan gives every prefix, of trees and in reverse too, and its gradient", async () => {
  const text = await printed(`
print(lax.associativeScan(np.add, np.arange(7)));
print(lax.associativeScan(np.add, np.arange(5), { reverse: true }));
const [a, b] = lax.associativeScan((l, r) => [l[0] * r[0], r[0] * l[1] + r[1]], [np.ones([3]) * 0.5, np.ones([3])]);
print(a, b);
print(grad((x) => np.sum(lax.associativeScan((a, b) => a * b, x)))(np.array([1.5, 2, 3])));
print(lax.associativeScan(np.logicalOr, np.array([false, true, false])));`);
  assert.equal(
    text,
    "[ 0  1  3  6 10 15 21]\n[10 10  9  7  4]\n[0.5   0.25  0.125] [1.   1.5  1.75]\n[9. 6. 3.]\n[False  True  True]",
  );
});

test("the jaxpr of an associative scan has JAX's equations in JAX's order", async () => {
  const text = await printed(
    "print(makeJaxpr((x) => lax.associativeScan(np.add, x))(np.ones([3])));",
  );
  assert.equal(
    text,
    `{ lambda ; a:f32[3]. let
    b:f32[1] = slice[limit_indices=(2,) start_indices=(0,) strides=(2,)] a
    c:f32[1] = slice[limit_indices=(3,) start_indices=(1,) strides=(2,)] a
    d:f32[1] = add b c
    e:f32[1] = slice[limit_indices=(3,) start_indices=(2,) strides=(2,)] a
    f:f32[1] = add d e
    g:f32[1] = slice[limit_indices=(1,) start_indices=(0,) strides=(1,)] a
    h:f32[2] = concatenate[dimension=0] g f
    i:f32[3] = pad[padding_config=((0, 0, 1),)] h 0.0:f32[]
    j:f32[3] = pad[padding_config=((1, 1, 1),)] d 0.0:f32[]
    k:f32[3] = add i j
  in (k,) }`,
  );
});
