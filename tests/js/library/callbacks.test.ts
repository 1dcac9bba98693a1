// Callbacks: views of the engine's own memory, options honoured, results checked, engine calls inside.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { failure, printed, startEngine } from "../support/program.ts";

before(startEngine);

const F = (n: string) => `ShapeDtypeStruct(${n}, "float32")`;

test("a buffer callback sees engine memory itself: views share one buffer, and writes are the result", async () => {
  const text = await printed(`
let seen;
const cb = bufferCallback((ctx, out, x) => {
  seen = [out.buffer === x.buffer, out.constructor.name, x.length, ctx.inputs[0].shape, ctx.outputs[0].dtype];
  out[0] = 42; out[2] = x[1];
}, ${F("[3]")});
print(cb(np.array([1.0, 2.0])), seen);`);
  assert.equal(text, "[42.  0.  2.] (True, 'Float32Array', 2, (2,), 'float32')");
});

test("each dtype comes as its own typed array, scalars as arrays of one", async () => {
  const text = await printed(`
const cb = bufferCallback((ctx, [a, b], i, m, s, e) => {
  print([a, b, i, m, s, e].map((v) => v.constructor.name + v.length).join(" "));
  a[0] = 4294967295; b.fill(1);
}, [ShapeDtypeStruct([1], "uint32"), ShapeDtypeStruct([2, 2], "bool")]);
print(cb(np.array([1, 2]), np.array([true]), 2.5, np.zeros([0])));`);
  assert.equal(
    text,
    [
      "Uint32Array1 Uint8Array4 Int32Array2 Uint8Array1 Float32Array1 Float32Array0",
      "(Array([4294967295], dtype=uint32), Array([[ True,  True],",
      "       [ True,  True]], dtype=bool))",
    ].join("\n"),
  );
});

test("arguments and results are trees", async () => {
  const text = await printed(`
const cb = bufferCallback((ctx, out, p) => { out.y.set(p.a); out.z[0] = p.b[0][0]; },
  { y: ${F("[2]")}, z: ${F("[]")} });
print(cb({ a: np.array([1.0, 2.0]), b: [np.array([3.0])] }));`);
  assert.equal(text, "{'y': Array([1., 2.], dtype=float32), 'z': Array(3., dtype=float32)}");
});

test("an aliased output begins as its input, and the caller's array stays as it was", async () => {
  const text = await printed(`
const cb = bufferCallback((ctx, out) => { for (let i = 0; i < 3; i++) out[i] += 1; }, ${F("[3]")},
  { inputOutputAliases: { 0: 0 } });
const x = np.array([1.0, 2.0, 3.0]);
print(cb(x), x);
print(jit((x) => cb(x * 2) + cb(x))(x), x);
print(cb(x * 10));`);
  assert.equal(text, "[2. 3. 4.] [1. 2. 3.]\n[ 5.  8. 11.] [1. 2. 3.]\n[11. 21. 31.]");
});

test("aliases of types that differ are refused", async () => {
  const { error } = await failure(`
const cb = bufferCallback(() => {}, ${F("[3]")}, { inputOutputAliases: { 0: 0 } });
print(cb(np.array([1, 2, 3])));`);
  assert.equal(error.class, "ValueError");
  assert.match(error.message, /alias/);
});

test("a buffer callback that returns a value is refused, and told what to do", async () => {
  const { error, at } = await failure(`
const cb = bufferCallback((ctx, out, x) => 3, ${F("[]")});
print(cb(1.0));`);
  assert.equal(error.class, "ValueError");
  assert.match(error.message, /buffer_callback callback must not return any values\./);
  assert.equal(error.primitive, "buffer_callback");
  assert.equal(at, "cb(1.0)");
  assert.match(error.explanation, /out\.set/);
});

test("results that do not fit the promise are refused, eager and under jit", async () => {
  const WRONG = [
    [
      "np.ones([2])",
      /Incorrect output shape for return value #0: Expected: \(3,\), Actual: \(2,\)/,
    ],
    [
      "np.array([1, 2, 3])",
      /Incorrect output dtype for return value #0: Expected: float32, Actual: int32/,
    ],
    ["undefined", /Mismatched number of outputs from callback\..*undefined/],
    ["[1, 2]", /Incorrect output shape/],
  ] as const;
  for (const [result, message] of WRONG) {
    for (const call of ["f(x)", "jit(f)(x)"]) {
      const { error } = await failure(`
const f = (x) => pureCallback((x) => ${result}, ${F("[3]")}, x);
const x = np.ones([3]);
print(${call});`);
      assert.match(error.message, message, call);
      assert.equal(error.primitive, "pure_callback");
      assert.match(error.explanation, /promised/);
    }
  }
});

test("results may be arrays, typed arrays, lists and numbers, in trees", async () => {
  const text = await printed(`
const x = np.arange(3.0);
print(pureCallback((x) => Float64Array.from(x.data(), (v) => v * 2), ${F("[3]")}, x));
print(pureCallback((x) => x.tolist(), ${F("[3]")}, x));
print(pureCallback((x) => x.sum().item(), ${F("[]")}, x));
print(pureCallback((x) => [x + 1, { n: 7 }], [${F("[3]")}, { n: ShapeDtypeStruct([], "int32") }], x));
print(pureCallback(() => new Float32Array(4), ${F("[2, 2]")}).shape);`);
  assert.equal(
    text,
    [
      "[0. 2. 4.]",
      "[0. 1. 2.]",
      "3.0",
      "(Array([1., 2., 3.], dtype=float32), {'n': Array(7, dtype=int32)})",
      "(2, 2)",
    ].join("\n"),
  );
});

test("making small arrays inside a buffer callback leaves its views valid", async () => {
  const text = await printed(`
const cb = bufferCallback((ctx, out, x) => {
  out[0] = x[0];
  let y = np.ones([100]);
  for (let i = 0; i < 200; i++) y = y + 1;
  out[1] = np.sum(y).item();
  out[2] = x[2];
}, ${F("[3]")});
print(cb(np.array([1.0, 2.0, 3.0])));`);
  assert.equal(text, "[1.00e+00 2.01e+04 3.00e+00]");
});

test("making a large array inside a buffer callback is refused, and the views stay valid", async () => {
  const program = (inside: string) => `
const cb = bufferCallback((ctx, out, x) => { out[0] = 7; ${inside} out[1] = x[1]; }, ${F("[2]")});
print(cb(np.array([1.0, 8.0])));`;
  const { error, at } = await failure(program("np.ones([30000000]);"));
  assert.equal(error.class, "ResourceError");
  assert.match(error.message, /^a buffer callback may not allocate this much \(120\.0 MB\)/);
  assert.match(error.message, /Make the arrays before, or use a pure callback/);
  assert.equal(at, "np.ones([30000000])");
  const text = await printed(program("try { np.ones([30000000]); } catch (e) { print(e.name); }"));
  assert.equal(text, "ResourceError\n[7. 8.]");
  // Outside of the callback the same array is no trouble.
  assert.equal(await printed("print(np.ones([30000000]).size);"), "30000000");
});

test("transforms, jitted functions and other callbacks may be called inside callbacks", async () => {
  const text = await printed(`
const square = jit((x) => x * x);
const inner = bufferCallback((ctx, out, x) => { out.set(x); }, ${F("[2]")});
const cb = bufferCallback((ctx, out, x) => {
  const g = grad((z) => np.sum(square(z)))(np.array([1.0, 2.0]));
  const v = vmap(grad((z) => z ** 3))(np.array([1.0, 2.0]));
  out.set((g + v + inner(np.array([0.5, 0.5]))).data());
}, ${F("[2]")});
print(cb(np.zeros([2])));
print(jit((x) => cb(x) + 1)(np.zeros([2])));
print(vmap((x) => pureCallback((y) => grad((z) => z * z)(y.item()), ${F("[]")}, x, { vmapMethod: "sequential" }))(np.arange(3.0)));
print(grad((x) => np.sum(cb(stopGradient(x)) * x))(np.zeros([2])));`);
  assert.equal(text, "[ 5.5 16.5]\n[ 6.5 17.5]\n[0. 2. 4.]\n[ 5.5 16.5]");
});

test("each vmapMethod calls with the shapes JAX calls with", async () => {
  const METHODS: [string, string, string][] = [
    ["sequential", "3", "() ()"],
    ["sequential_unrolled", "3", "() ()"],
    ["expand_dims", "1", "(3,) (1,)"],
    ["broadcast_all", "1", "(3,) (3,)"],
    ["legacy_vectorized", "1", "(3,) ()"],
  ];
  for (const [method, calls, shapes] of METHODS) {
    const text = await printed(`
let calls = 0, shapes;
const host = (x, y) => { calls++; shapes = [x.shape, y.shape]; return x + y; };
const f = (x, y) => pureCallback(host, ${F("[]")}, x, y, { vmapMethod: "${method}" });
print(vmap(f, { inAxes: [0, null] })(np.arange(3.0), np.ones([])));
print(calls); print(shapes[0], shapes[1]);`);
    assert.equal(text, `[1. 2. 3.]\n${calls}\n${shapes}`, method);
  }
});

test("buffer callbacks under jit, vmap and both fill the batch", async () => {
  for (const method of ["sequential", "expand_dims", "broadcast_all"]) {
    const text = await printed(`
const f = bufferCallback((ctx, out, x) => { for (let i = 0; i < x.length; i++) out[i] = 2 * x[i]; },
  ${F("[2]")}, { vmapMethod: "${method}" });
const x = np.arange(6.0).reshape([3, 2]);
print(vmap(f)(x).tolist()); print(jit(vmap(f))(x).tolist()); print(vmap(jit(f))(x).tolist());
print(vmap(vmap((x) => f(x)))(x.reshape([1, 3, 2])).tolist());`);
    const once = "((0, 2), (4, 6), (8, 10))";
    const same = (line: string) => line.replace(/\.0/g, "");
    assert.deepEqual(text.split("\n").map(same), [once, once, once, `(${once},)`], method);
  }
});

test("ordered io callbacks keep the order of the program, also under jit", async () => {
  const program = (call: string) => `
const log = [];
const note = (x) => ioCallback((v) => { log.push(v.item()); return v; }, ${F("[]")}, x, { ordered: true });
const f = (x) => { const a = note(x * 3); const b = note(x + 1); note(a * b); return x; };
${call}
print(log);`;
  assert.equal(await printed(program("f(np.array(2.0));")), "(6, 3, 18)");
  assert.equal(await printed(program("jit(f)(2.0);")), "(6, 3, 18)");
});

test("a callback that acts is called though nothing uses its result", async () => {
  const text = await printed(`
let io = 0;
const f = jit((x) => {
  ioCallback(() => { io++; return 1.0; }, ${F("[]")});
  return x;
});
f(1.0); f(1.0);
print(io);`);
  assert.equal(text, "2");
});

test("the last argument may be a tree; only options are options", async () => {
  const text = await printed(`
print(pureCallback(({ a, b }) => a + b, ${F("[]")}, { a: 1.0, b: 2.0 }));
print(ioCallback(({ a }) => a, ${F("[]")}, { a: 5.0 }, { ordered: true }));
debugCallback((p) => print(p.a), { a: 3.0 });`);
  assert.equal(text, "3.0\n5.0\n3");
  const { error } = await failure(`pureCallback((x) => x, ${F("[]")}, 1.0, { vmapMode: "x" });`);
  assert.match(error.message, /unexpected keyword argument 'vmapMode'/);
});

test("a jitted callback is called once for each call, with the new values", async () => {
  const text = await printed(`
const seen = [];
const f = jit((x) => pureCallback((v) => { seen.push(v.item()); return v * 2; }, ${F("[]")}, x));
print(f(1.0), f(2.0), f(3.0), seen);`);
  assert.equal(text, "2.0 4.0 6.0 (1, 2, 3)");
});

test("debugCallback and debugPrint observe under every transform and stop no gradient", async () => {
  const text = await printed(`
const f = (x) => { debugPrint("x = {x}", { x }); debugCallback((v) => print("saw", v), x); return x * x; };
print(grad(f)(3.0));
print(jit(grad(f))(3.0));
print(vmap(f)(np.arange(2.0)));
print(jvp(f, [3.0], [1.0])[1]);`);
  const once = "x = 3.0\nsaw 3.0\n6.0";
  assert.equal(text, `${once}\n${once}\nx = 0.0\nx = 1.0\nsaw 0.0\nsaw 1.0\n[0. 1.]\n${once}`);
});

test("debugPrint knows Python's braces and the commonest formats", async () => {
  const text = await printed(
    `
debugPrint("{} {:.2f} {a} {b:.3e} {{}} {:>6}", 1, np.array(2.0), "t", { a: np.arange(2), b: np.array(0.00123) });`.replace(
      ', "t"',
      ", 5",
    ),
  );
  assert.equal(text, "1 2.00 [0 1] 1.230e-03 {}      5");
  const { error } = await failure('debugPrint("{} {}", 1);');
  assert.equal(error.class, "IndexError");
});
