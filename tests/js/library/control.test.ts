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
