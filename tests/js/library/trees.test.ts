// Trees as arguments and results everywhere, x64, and what print and plot put out.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { OutputItem } from "../../../www/lib/report.ts";
import { failure, printed, run, startEngine } from "../support/program.ts";

before(startEngine);

const LOSS = `
const params = { w: np.array([1.0, 2.0]), layers: [{ b: np.array(3.0) }, null] };
const loss = (p, x) => np.sum(p.w * x) * p.layers[0].b;
const x = np.array([0.5, 1.5]);`;

test("grad, valueAndGrad, vjp and jacrev give trees like their arguments", async () => {
  const text = await printed(`${LOSS}
print(grad(loss)(params, x));
print(grad(loss, { argnums: [0, 1] })(params, x)[1]);
print(grad((x, p) => loss(p, x), 1)(x, params).layers);
const [value, g] = valueAndGrad(loss)(params, x);
print(value, g.layers[1]);
const [out, pull] = vjp(loss, params, x);
print(out, pull(1.0).length, pull(1.0)[0].layers[0].b);
print(jacrev((p) => ({ a: p.w * 2, b: p.layers[0].b }))(params).a.w.tolist());
print(tree.structure(jacfwd((p) => [p.w, p.layers[0].b])(params)));`);
  assert.equal(
    text.replaceAll(", weak_type=True", ""),
    [
      "{'layers': ({'b': Array(3.5, dtype=float32)}, None), 'w': Array([1.5, 4.5], dtype=float32)}",
      "[3. 6.]",
      "({'b': Array(3.5, dtype=float32)}, None)",
      "10.5 None",
      "10.5 2 3.5",
      "((2, 0), (0, 2))",
      "PyTreeDef(({'layers': ({'b': *}, None), 'w': *}, {'layers': ({'b': *}, None), 'w': *}))",
    ].join("\n"),
  );
});

test("jvp, linearize, vjp and linearTranspose take and give trees", async () => {
  const text = await printed(`
const f = ({ a, b }) => [a * b, { c: a + b }];
print(jvp(f, [{ a: 2.0, b: 3.0 }], [{ a: 1.0, b: 0.0 }])[1]);
const [y, lin] = linearize(f, { a: 2.0, b: 3.0 });
print(y[1].c, lin({ a: 0.0, b: 1.0 })[0]);
print(vjp(f, { a: 2.0, b: 3.0 })[1]([1.0, { c: 0.0 }])[0]);
print(linearTranspose(({ a, b }) => ({ s: 2 * a + 3 * b }), { a: 1.0, b: 1.0 })({ s: 1.0 }));`);
  assert.equal(
    text.replaceAll(", weak_type=True", ""),
    [
      "(Array(3., dtype=float32), {'c': Array(1., dtype=float32)})",
      "5.0 2.0",
      "{'a': Array(3., dtype=float32), 'b': Array(2., dtype=float32)}",
      "({'a': Array(2., dtype=float32), 'b': Array(3., dtype=float32)},)",
    ].join("\n"),
  );
});

test("vmap maps trees, with axes for each argument or leaf", async () => {
  const text = await printed(`
const f = (p, x) => ({ y: p.w * x, z: [p.b] });
const p = { w: np.arange(6.0).reshape([2, 3]), b: np.arange(3.0) };
print(vmap(f, { inAxes: [{ w: 1, b: 0 }, null] })(p, 2.0).y.tolist());
print(vmap(f, { inAxes: [{ w: 1, b: null }, null], outAxes: { y: 1, z: 0 } })(p, 2.0).y.shape);
print(vmap((x) => [x, 1.5])(np.arange(2.0)));`);
  assert.equal(
    text,
    "((0, 6), (2, 8), (4, 10))\n(2, 3)\n(Array([0., 1.], dtype=float32), Array([1.5, 1.5], dtype=float32, weak_type=True))",
  );
  const { error } = await failure(
    "vmap((x, y) => x + y, { inAxes: [0, 0] })(np.ones([2]), np.ones([3]));",
  );
  assert.equal(error.class, "ValueError");
  assert.match(error.message, /inconsistent sizes/);
});

test("leaves that are no values are refused with their kind", async () => {
  const { error } = await failure('grad((p) => p.x)({ x: 1.0, name: "text" });');
  assert.equal(error.class, "TypeError");
  assert.match(error.message, /not a valid JAX type/);
  const nothing = await failure("grad((x) => { x * 2; })(1.0);");
  assert.match(nothing.error.message, /return/);
});

test("auxiliary results come beside, whatever they are made of", async () => {
  const text = await printed(`
const f = (x) => [x * x, { seen: x + 1, list: [x] }];
print(grad(f, { hasAux: true })(3.0));
const [[value, aux], g] = valueAndGrad(f, { hasAux: true })(3.0);
print(value, aux.seen, g, jacrev(f, { hasAux: true })(3.0)[1].seen);
print(vjp(f, 3.0, { hasAux: true })[2].seen, jvp(f, [3.0], [1.0], { hasAux: true })[2].seen);`);
  assert.equal(
    text.replaceAll(", weak_type=True", ""),
    "(Array(6., dtype=float32), {'list': (Array(3., dtype=float32),), 'seen': Array(4., dtype=float32)})\n9.0 4.0 6.0 4.0\n4.0 4.0",
  );
});

test("with x64 floats are float64, and float32 stays what it was asked to be", async () => {
  const text = await printed(
    `
print(np.array(0.1).dtype, np.ones([2]).dtype, np.arange(3).dtype, np.arange(3.0).dtype);
print(np.array(0.1, { dtype: "float32" }).dtype, (np.ones([2], { dtype: "float32" }) * 0.1).dtype);
print(grad((x) => np.sin(x))(1.0), np.array(0.1) * 3);
print(np.array(new Float64Array([0.1]))[0], vmap(np.exp)(np.array([1.0])));
print(pureCallback((x) => x * 2, ShapeDtypeStruct([], "float64"), 0.1));
const cb = bufferCallback((c, out, x) => { print(out.constructor.name); out[0] = x[0]; }, ShapeDtypeStruct([], "float64"));
print(cb(0.1));`,
    { x64: true },
  );
  assert.equal(
    text,
    [
      "float64 float64 int32 float64",
      "float32 float32",
      "0.5403023058681398 0.30000000000000004",
      "0.1 [2.71828183]",
      "0.2",
      "Float64Array",
      "0.1",
    ].join("\n"),
  );
  assert.equal(await printed("print(np.array(0.1).dtype, np.ones([2]).dtype);"), "float32 float32");
});

test("print shows values as Python would print JAX's", async () => {
  const text = await printed(`
print(1, 1.5, -0, 1e30, true, null, "s", [1, "a"], { a: 1, b: [np.ones([2])] }, Infinity, NaN, undefined);
print(np.arange(3), np.ones([2, 2]), np.array(2), np.array([true, false]), np.zeros([0]));
print([np.array([1.5])], [[]], {}, [1], new Float32Array([1, 2]), (x) => x, function named() {});
print(np.array([1e-8, 1.0, 1e8]), np.array([NaN, Infinity, -0.0]), np.arange(2000).shape);
print();`);
  assert.equal(
    text,
    [
      "1 1.5 -0.0 1e+30 True None s (1, 'a') {'a': 1, 'b': (Array([1., 1.], dtype=float32),)} inf nan None",
      "[0 1 2] [[1. 1.]\n [1. 1.]] 2 [ True False] []",
      "(Array([1.5], dtype=float32),) ((),) {} (1,) [1, 2] <function <lambda>> <function named>",
      "[1.e-08 1.e+00 1.e+08] [nan inf -0.] (2000,)",
      "",
    ].join("\n"),
  );
});

test("printing inside transforms shows tracers, and values where there are any", async () => {
  const text = await printed(`
jit((x) => { print(x); return x; })(np.ones([2]));
grad((x) => { print(x > 1); return x; })(2.0);`);
  assert.match(text.split("\n")[0] ?? "", /^JitTracer\(float32\[2\]\)|Tracer/);
});

const items = async (program: string): Promise<OutputItem[]> => {
  const { report, items: found } = await run(program);
  assert.equal(report.error, null);
  return found;
};

test("plot makes lines from lists, arrays and series", async () => {
  const [a, b, c] = await items(`
plot([1, 4, 9]);
plot(np.arange(3.0), np.arange(3) ** 2, { title: "t", xlabel: "x", ylabel: "y", label: "l" });
plot([{ label: "a", y: [1, 2] }, { label: "b", x: [0, 2], y: np.array([3.0, 4.0]) }], { title: "two" });`);
  const blank = { kind: "plot", title: "", xlabel: "", ylabel: "" };
  assert.deepEqual(a, { ...blank, series: [{ label: "", x: [0, 1, 2], y: [1, 4, 9] }] });
  assert.deepEqual(b, {
    kind: "plot",
    title: "t",
    xlabel: "x",
    ylabel: "y",
    series: [{ label: "l", x: [0, 1, 2], y: [0, 1, 4] }],
  });
  assert.deepEqual(c, {
    ...blank,
    title: "two",
    series: [
      { label: "a", x: [0, 1], y: [1, 2] },
      { label: "b", x: [0, 2], y: [3, 4] },
    ],
  });
});

test("plot makes images of matrices, grey levels and colours", async () => {
  const [grey, colour] = await items(`
plot(np.arange(6.0).reshape([2, 3]), { title: "m" });
plot(np.array([[[1.0, 0.0, 0.5]]]));`);
  assert.ok(grey?.kind === "image" && colour?.kind === "image");
  assert.deepEqual([grey.width, grey.height, grey.rgba.length, grey.title], [3, 2, 24, "m"]);
  assert.deepEqual([...colour.rgba], [255, 0, 128, 255]);
  const { error } = await failure("plot([1, 2], [1, 2, 3]);");
  assert.equal(error.message, "plot: x has 2 points, y has 3");
});
