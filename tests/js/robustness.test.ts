/** What hostile or careless programs do to the library: it answers, says what was wrong, and goes on. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { printed, run, startEngine } from "./support/program.ts";

before(startEngine);

/** The error of a program that must fail. */
async function failure(program: string) {
  const { report } = await run(program);
  assert.ok(report.error, `this should fail: ${program}`);
  return report.error;
}

/** The program ends, one way or another, in less than a second or two. */
async function quick(program: string) {
  const { report } = await run(program);
  assert.ok(report.ms < 3000, `${report.ms} ms for ${program}`);
  return report;
}

test("an array of an earlier run is refused, and never another array's elements", async () => {
  await printed("globalThis.kept = [np.array([1, 2, 3]), np.ones([100000])];");
  for (const i of [0, 1]) {
    const error = await failure(`const mine = np.array([7, 8, 9]); print(kept[${i}]);`);
    assert.match(error.message, /by a new run/);
  }
  const text = await printed(
    "const mine = np.array([7, 8, 9]); kept.forEach((x) => x.dispose()); print(mine);",
  );
  assert.equal(text, "[7 8 9]");
});

test("lists that contain themselves, nest too deeply or are full of holes are refused in words", async () => {
  const cases: [string, RegExp][] = [
    ["const x = [1]; x.push(x); np.array(x);", /contains itself/],
    ["let x = 1; for (let i = 0; i < 20000; i++) x = [x]; np.sum(x);", /nested more than 64/],
    ["const x = []; x.length = 4e9; np.array(x);", /too long/],
    ["const x = []; x.length = 4e9; np.ones([2]).at(0).set([x]);", /too long/],
  ];
  for (const [program, words] of cases) {
    const error = await failure(program);
    assert.match(error.message, words, program);
    assert.equal(error.class, "ValueError", program);
  }
});

test("anything prints, in bounded time", async () => {
  const report = await quick("let x = [1, 2]; for (let i = 0; i < 40; i++) x = [x, x]; print(x);");
  assert.equal(report.error, null);
  assert.equal(
    await printed(
      "const x = [1]; x.push(x); print(x); print(new Map([['a', [1]]]), new Set([2]));",
    ),
    "(1, …)\nMap{'a': (1,)} Set{2}",
  );
  assert.equal(
    await printed("class Point { x = 1; y = [2]; } print(new Point(), [new Point()]);"),
    "Point{'x': 1, 'y': (2,)} (Point{'x': 1, 'y': (2,)},)",
  );
  assert.equal(await printed("class P { toString() { return 'P!'; } } print(new P());"), "P!");
  await printed("let x = 1; for (let i = 0; i < 20000; i++) x = [x]; print(x);");
  await printed("const x = []; x.length = 4e9; print(x, new Float32Array(1e7));");
});

test("whatever is thrown is reported", async () => {
  const px = "{ get() { throw new Error('px'); }, getPrototypeOf() { throw new Error('px'); } }";
  for (const thrown of [
    `new Proxy({}, ${px})`,
    "Object.create(null)",
    "Symbol('q')",
    "undefined",
    "Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('boo'); } })",
    "Object.assign(new Error('x'), { name: {}, message: 5n, stack: Symbol('s') })",
  ]) {
    for (const program of [`throw ${thrown};`, `grad((x) => { throw ${thrown}; })(1);`]) {
      const error = await failure(program);
      assert.doesNotMatch(error.message, /Cannot|WeakMap|iterable/, program);
    }
  }
});

test("values that cannot be traced are named, whatever they are", async () => {
  const cases: [string, RegExp][] = [
    ["grad(Object.create(null))", /Expected a callable value, got \{\}/],
    [
      "grad((x) => x)(new (class { toString() { throw 1; } })())",
      /cannot be shown.*valid JAX type/,
    ],
    ["jit(async (x) => x)(1)", /a Promise.*async/],
    ["jit(function* (x) { yield x; })(1)", /a generator/],
    ["jit((x, n) => x, { staticArgnums: 1 })(2, { a: 1n })", /Non-hashable static arguments/],
    ["const c = {}; c.c = c; jit((x, n) => x, { staticArgnums: 1 })(2, c)", /Non-hashable/],
    ['pureCallback((y) => 5, { a: "x" }, 1)', /ShapeDtypeStruct/],
    ['ShapeDtypeStruct("abc", "float32")', /Shapes must be/],
    ["ShapeDtypeStruct([3])", /dtype must be specified/],
    ['ShapeDtypeStruct([3], "float33")', /float33/],
  ];
  for (const [program, words] of cases) {
    assert.match((await failure(program)).message, words, program);
  }
});

test("numbers of arguments and axes that are none are refused", async () => {
  for (const [program, words] of [
    ["grad((x) => x, { argnums: 'a' })(1)", /argnums must be an integer/],
    ["grad((x) => x, { argnums: NaN })(1)", /argnums must be an integer/],
    ["jit((x) => x, { staticArgnums: 'x' })(1)", /staticArgnums must be an integer/],
    ["vmap((x) => x, { axisSize: -3, inAxes: null })(np.ones(3))", /axisSize/],
    ["vmap((x) => x, { axisSize: 2.5, inAxes: null })(np.ones(3))", /axisSize/],
  ] as const) {
    assert.match((await failure(program)).message, words, program);
  }
});

test("static texts that look alike when joined are told apart", async () => {
  const text = await printed(
    `const f = jit((x, a, b) => a.length, { staticArgnums: [1, 2] });
     print(f(1, "a", "b,string:c"), f(1, "a,string:b", "c"));`,
  );
  assert.equal(text, "1 10");
});

test("functions jitted many times over print quickly", async () => {
  const report = await quick(
    "let f = (x) => x + 1; for (let i = 0; i < 60; i++) f = jit(f); makeJaxpr(f)(1); print(f(1));",
  );
  assert.equal(report.error, null);
  await quick(
    `let f = (x) => x * 2;
     for (let i = 0; i < 30; i++) { const g = jit(f); f = (x) => g(x) + g(x + 1.0); }
     makeJaxpr(f)(1);`,
  );
});

const GRADIENT = "print(grad(jit((p) => np.sum(p.w * np.sin(p.w))))({ w: np.array([1.0, 2.0]) }));";

test("a program that spoils the language spoils only itself, and is told", async () => {
  for (const spoil of [
    "Array.prototype.push = () => { throw new Error('mine'); };",
    "Array.prototype.map = () => 5;",
    "Array.prototype[Symbol.iterator] = function* () { yield 666; };",
    "Map.prototype.get = () => undefined; Set.prototype.has = () => true;",
    "Function.prototype.call = () => 5; Reflect.apply = () => 6;",
    "JSON.parse = () => ({}); JSON.stringify = () => ''; String.prototype.split = () => [];",
    "globalThis.Float64Array = null; Math.abs = null; Number.isInteger = () => false;",
    "Object.prototype.spoilt = () => 5; Error.prepareStackTrace = () => 5;",
  ]) {
    const { report } = await run(`${spoil}\n${GRADIENT}\nnull.x;`);
    assert.equal(report.ok, false, spoil);
    assert.match(report.error?.explanation ?? "", /changed built-in parts of the language/, spoil);
    assert.match(await printed(GRADIENT), /1\.38177/, `after ${spoil}`);
  }
});

test("what a program calls without waiting for it still prints, and its errors are found", async () => {
  const late = "async function main() { for (let i = 0; i < 3; i++) { await null; print(i); } }";
  assert.equal(await printed(`${late}\nmain();`), "0\n1\n2");
  const error = await failure("async function main() { await null; np.ones(2).foo(); }\nmain();");
  assert.equal(error.class, "TypeError");
  assert.equal(error.span?.line, 2);
  assert.equal(
    await printed("const p = Promise.reject(1); try { await p; } catch { print('ok'); }"),
    "ok",
  );
});

test("whole numbers beyond an integer type are refused, never wrapped", async () => {
  for (const program of [
    "np.array([1]) + 2 ** 40",
    "np.array([1, 2]) < 2 ** 40",
    "np.maximum(np.array([1]), 2 ** 33)",
    "np.array([1, 2]).at(0).set(2 ** 40)",
    "np.array([1], { dtype: 'uint32' }) * 2 ** 33",
  ]) {
    assert.equal((await failure(program)).class, "OverflowError", program);
  }
  assert.equal(await printed("print(np.array([1], { dtype: 'uint32' }) + -1)"), "[0]");
  assert.equal(await printed("print(np.array([1.5]) + 2 ** 20)"), "[1.0485775e+06]");
});

test("an array as a key of a plain list is the number in it, or is refused", async () => {
  const lists =
    "const o = [1, 2, 3], i = np.array(1), v = np.ones(2), fs = [(x) => x, (x) => x * 2];";
  assert.equal(
    await printed(`${lists} o[i] = 5; o[i] += 2; o[i]++; o[np.array(0)] *= 3; print(o, fs[i](4));`),
    "(3, 8, 3) 8",
  );
  for (const statement of ["o[v] = 1", "o[v] += 1", "o[v]++", "o[np.ones(2)] = 1", "fs[v](1)"]) {
    const error = await failure(`${lists} ${statement};`);
    assert.match(error.message, /Only scalar arrays can be converted/, statement);
  }
  for (const statement of ["o[k] = 1", "o[k] -= 1", "fs[k](1)"]) {
    const error = await failure(`${lists} jit((k) => { ${statement}; return k; })(1);`);
    assert.equal(error.class, "TracerIntegerConversionError", statement);
    assert.match(error.message, /the argument k/, statement);
  }
});

test("the leaves of a tree may be arrays wherever their truth is asked for", async () => {
  assert.equal(
    await printed("print(tree.all([np.array(false), true]), tree.all({ a: np.array(1), b: 2 }));"),
    "False True",
  );
});

test("a switch compares what is in an array, and asks a tracer for its value", async () => {
  const kind = `const kind = (x) => { switch (true) { case x > 2: return "big"; default: return "small"; } };
const name = (i) => { switch (i) { case 0: return "zero"; case 1: return "one"; default: return "many"; } };`;
  assert.equal(
    await printed(
      `${kind} print(kind(np.array(3)), kind(1), name(np.array(1)), name(0), name("x"));`,
    ),
    "big small one zero many",
  );
  assert.equal(
    await printed(
      "print(grad((x) => { switch (x) { case 2: return x * x; default: return x; } })(2.0));",
    ),
    "4.0",
  );
  const error = await failure(
    "jit((x) => { switch (x) { case 2: return 1; default: return x; } })(2.0);",
  );
  assert.equal(error.class, "ConcretizationTypeError");
  assert.match(error.message, /the argument x/);
});

test("auxiliary results may hold anything", async () => {
  const f = "const f = (x) => [x * x, { at: x, name: 'n', of: null, g: Math.sin, n: 2 }];";
  const aux =
    "{'at': Array(3., dtype=float32, weak_type=True), 'g': <function sin>, 'n': 2, 'name': 'n', 'of': None}";
  for (const [call, part] of [
    ["grad(f, { hasAux: true })(3.0)", "[1]"],
    ["valueAndGrad(f, { hasAux: true })(3.0)", "[0][1]"],
    ["vjp(f, 3.0, { hasAux: true })", "[2]"],
    ["jvp(f, [3.0], [1.0], { hasAux: true })", "[2]"],
    ["linearize(f, 3.0, { hasAux: true })", "[2]"],
    ["jacrev(f, { hasAux: true })(3.0)", "[1]"],
  ]) {
    const shown = await printed(`${f} print(${call}${part});`);
    assert.equal(shown.replace("Array(2, dtype=int32, weak_type=True)", "2"), aux, call);
  }
});

test("an argument named twice by argnums is refused", async () => {
  for (const argnums of ["[0, 0]", "[1, -1]", "[-2, 0]"]) {
    const error = await failure(`grad((x, y) => x * y, { argnums: ${argnums} })(2.0, 3.0);`);
    assert.match(error.message, /more than once/, argnums);
  }
});

test("odd arguments to any function are refused in words, and never crash the engine", async () => {
  const { report, text } = await run(ODD_ARGUMENTS);
  assert.equal(report.error, null);
  assert.equal(text, "");
});

/** Calls every function with arguments drawn from a list of odd ones, eagerly and under transforms. */
const ODD_ARGUMENTS = `
const own = []; own.push(own);
const odd = [
  undefined, null, 0, -1, 1.5, NaN, Infinity, 1e30, -0, 2 ** 31, 4294967296, 2 ** 53, 10n, "x", "", true,
  [], [1, [2]], own, [3, -1], [1e5, 1e5], [1e10], [np.ones(2)], new Proxy([], {}), Object.create(null), {},
  { a: 1 }, { axis: 5 }, { axis: -7 }, { axis: "x" }, { axis: [0, 0] }, { axis: 1e9 }, { dtype: "floot" },
  { nope: 1 }, { shape: [-1] }, { keepdims: "yes" }, () => 1, class A {}, Symbol("s"), new Date(0), new Map(),
  new Float32Array(3), new Float64Array(0), np.ones(3), np.ones([2, 3]), np.zeros([0]), np.zeros([0, 2]),
  np.array(1), np.arange(3), np.ones(3) > 0, "float32", slice(0, 4, 4294967296),
];
let seed = 777;
const draw = (n) => {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor((seed / 2147483648) * n);
};
const ours = /internal|panic|crash|Cannot (read|destructure|mix)|is not iterable|not a function$|\\[object|memory access/i;
for (const [space, functions] of Object.entries({ np, lax, nn, tree })) {
  for (const [name, f] of Object.entries(functions)) {
    if (typeof f !== "function") continue;
    for (let i = 0; i < 40; i++) {
      const args = Array.from({ length: draw(5) }, () => odd[draw(odd.length)]);
      try {
        if (i % 4 === 0) jit((x) => f(x, ...args))(np.ones([2, 3]));
        else if (i % 4 === 1) grad((x) => np.sum(f(x, ...args)))(np.ones([2, 3]));
        else f(...args);
      } catch (error) {
        if (ours.test(error.name + " " + error.message)) print(space + "." + name, error.name, error.message);
      }
    }
  }
}
// What a size of 2 ** 32 is on a machine of 32 bits.
for (const call of [
  () => np.split(np.ones(4), 4294967296), () => np.repeat(np.ones(4), 4294967296), () => np.vander(np.ones(3), 4294967296),
  () => np.linspace(0, 1, 4294967296), () => np.bincount(np.arange(3), { length: 4294967296 }),
  () => lax.topK(np.ones(4), 4294967296), () => lax.sort([np.ones(4)], 0, true, 4294967296), () => np.dstack(np.zeros([0, 2])),
]) {
  try {
    print(String(call), call());
  } catch (error) {
    if (ours.test(error.message)) print(String(call), error.message);
  }
}
`;
