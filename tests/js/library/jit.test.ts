// jit: traced once for each combination of types, static arguments and trees; closures; deep nesting.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { failure, printed, startEngine } from "../support/program.ts";

before(startEngine);

test("a function is traced once per combination of shapes, dtypes and weak types", async () => {
  const text = await printed(`
let n = 0;
const f = jit((x) => { n++; return x * 2; });
const counts = [];
for (const x of [np.ones([3]), np.zeros([3]), np.ones([4]), np.arange(3), 1.5, 2.5, 1, 5, np.array(1.5),
  np.ones([]), np.ones([3]), new Float32Array(3), true]) { f(x); counts.push(n); }
print(counts);`);
  // Plain numbers are weak scalars, as is np.array(1.5); np.ones([]) is not.
  assert.equal(text, "(1, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7)");
});

test("trees have a trace for each structure, and names do not matter to it", async () => {
  const text = await printed(`
let n = 0;
const f = jit((p, q = null) => { n++; return tree.reduce((a, b) => a + b, p); });
print(f({ a: 1.0, b: [2.0, 3.0] }), f({ b: [5.0, 6.0], a: 4.0 }), n);
print(f([1.0, 2.0]), f([3.0, 4.0]), n, f([[1.0], 2.0]), n, f([1.0, 2.0], null), n);`);
  assert.equal(text, "6.0 15.0 1\n3.0 7.0 2 3.0 3 3.0 4");
});

test("static arguments are values: a new one traces again, an old one does not", async () => {
  const text = await printed(`
let n = 0;
const f = jit((x, k, mode, g) => { n++; return mode === "times" ? g(x) * k : g(x) + k; }, { staticArgnums: [1, 2, 3] });
const double = (x) => x * 2, triple = (x) => x * 3;
print(f(2.0, 3, "times", double), f(5.0, 3, "times", double), n);
print(f(2.0, 3, "plus", double), f(2.0, 4, "plus", double), f(2.0, 4, "plus", triple), n);
print(jit((n, x) => x.reshape([n, -1]), { staticArgnums: 0 })(2, np.arange(6)).shape);
print(jit((x, n) => n > 2 ? x : -x, { staticArgnums: -1 })(1.0, 3));`);
  assert.equal(text, "12.0 30.0 1\n7.0 8.0 10.0 4\n(2, 3)\n1.0");
  const { error } = await failure("jit((x, k) => x, { staticArgnums: 1 })(2.0, [1]);");
  assert.equal(error.class, "ValueError");
  assert.match(error.message, /^Non-hashable static arguments/);
});

test("a jitted function may close over tracers of the transforms around it", async () => {
  const text = await printed(`
const g = (y) => jit((x) => x * y)(3.0) * y;
print(grad(g)(2.0), vmap(g)(np.arange(3.0)), jit(grad(g))(2.0), hessian(g)(2.0), jvp(g, [2.0], [1.0])[1]);
const h = (y) => vmap((x) => jit((z) => z * x * y)(x))(np.arange(3.0));
print(jacrev(h)(2.0), jacfwd(h)(2.0));`);
  assert.equal(text, "12.0 [ 0.  3. 12.] 12.0 6.0 12.0\n[0. 1. 4.] [0. 1. 4.]");
});

test("a jitted function made once sees each outer value anew", async () => {
  const text = await printed(`
const f = jit((x, y) => x * y);
print(vmap((y) => f(2.0, y))(np.arange(3.0)), grad((y) => f(3.0, y))(1.0), f(2.0, 5.0));
const x = np.ones([2]);
const scaled = jit((s) => x * s);
print(scaled(2.0), scaled(3.0));`);
  assert.equal(text, "[0. 2. 4.] 3.0 10.0\n[2. 2.] [3. 3.]");
});

test("effects on the program happen while tracing only", async () => {
  const text = await printed(`
const f = jit((x) => { print("tracing"); return x + 1; });
print(f(1.0)); print(f(2.0)); print(f(np.ones([2])));`);
  assert.equal(text, "tracing\n2.0\n3.0\ntracing\n[2. 2.]");
});

test("results come in trees, with arguments handed through and constants", async () => {
  const text = await printed(`
print(jit((x) => ({ a: x, b: [x + 1, 2.5, null], c: np.arange(2) }))(1.0));
print(jit(() => [])(), jit((x) => x)(np.arange(3)));`);
  assert.equal(
    text,
    "{'a': Array(1., dtype=float32, weak_type=True), 'b': (Array(2., dtype=float32, weak_type=True), Array(2.5, dtype=float32, weak_type=True), None), 'c': Array([0, 1], dtype=int32)}\n() [0 1 2]",
  );
});

test("transforms nest deeply, in any order, with jit anywhere", async () => {
  const text = await printed(
    `
let f = (x) => x ** 8;
for (let i = 0; i < 8; i++) f = i % 2 ? jit(grad(f)) : grad(f);
print(f(1.0));
let g = (x) => np.sin(x);
for (let i = 0; i < 4; i++) g = i % 2 ? jacfwd(g) : jacrev(g);
print(g(0.5) - np.sin(0.5) < 1e-5);
let v = grad((x) => x ** 2);
for (let i = 0; i < 6; i++) v = i % 3 === 2 ? jit(vmap(v)) : vmap(v);
print(np.sum(v(np.ones([1, 2, 1, 2, 1, 2]))), v(np.ones([1, 2, 1, 2, 1, 2])).shape);
print(jit(vmap(grad(jit((x) => jit(np.tanh)(x) ** 2))))(np.zeros([2])));
print(vmap(jvp, { inAxes: [null, 0, 0] })(np.sin, [np.zeros([2])], [np.ones([2])])[1]);`.replace(
      "print(vmap(jvp, { inAxes: [null, 0, 0] })(np.sin, [np.zeros([2])], [np.ones([2])])[1]);",
      "print(vmap((x, t) => jvp(np.sin, [x], [t])[1])(np.zeros([2]), np.ones([2])));",
    ),
  );
  assert.equal(text, "40320.0\nTrue\n16.0 (1, 2, 1, 2, 1, 2)\n[0. 0.]\n[1. 1.]");
});
