// Exceptions: the user's own come out as they went in, the engine's can be caught, and it goes on afterwards.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { chainOf, failure, printed, startEngine } from "../support/program.ts";

before(startEngine);

const TRANSFORMS = [
  "grad(f)(1.0)",
  "valueAndGrad(f)(1.0)",
  "jvp(f, [1.0], [1.0])",
  "vjp(f, 1.0)",
  "linearize(f, 1.0)",
  "linearTranspose(f, 1.0)(1.0)",
  "vmap(f)(np.ones([2]))",
  "jit(f)(1.0)",
  "jacfwd(f)(1.0)",
  "jacrev(f)(1.0)",
  "hessian(f)(1.0)",
  "makeJaxpr(f)(1.0)",
  "evalShape(f, 1.0)",
  "checkGrads(f, [1.0])",
  "jit(grad(vmap(f)))(np.ones([2]))",
  "grad((x) => jit((y) => vmap(f)(y))(x * np.ones([2])))(1.0)",
  "pureCallback(f, s, 1.0)",
  "ioCallback(f, s, 1.0)",
  "debugCallback(f, 1.0)",
  "bufferCallback(f, s)(1.0)",
  "jit((x) => pureCallback(f, s, x))(1.0)",
  "jit(bufferCallback(f, s))(1.0)",
  'vmap((x) => pureCallback(f, s, x, { vmapMethod: "sequential" }))(np.ones([2]))',
  "rule(customJvp((x) => x), (c) => c.defjvp(f))",
  "rule(customVjp((x) => x), (c) => c.defvjp(f, f))",
  "rule(customVjp((x) => x), (c) => c.defvjp((x) => [x, null], f))",
  "rule(customVjp(f), (c) => c.defvjp((x) => [f(x), null], f))",
];

for (const thrown of [
  "new RangeError('mine')",
  "{ code: 3 }",
  "'a text'",
  "null",
  "undefined",
  "0",
]) {
  test(`${thrown} passes through everything as the same object`, async () => {
    const text = await printed(`
const boom = ${thrown};
const s = ShapeDtypeStruct([], "float32");
const f = () => { throw boom; };
const rule = (c, set) => { set(c); return grad(c)(1.0); };
const caught = (body) => { try { body(); return "nothing"; } catch (e) { return e === boom; } };
const wrong = [];
${TRANSFORMS.map((call) => `if (caught(() => ${call}) !== true) wrong.push(${JSON.stringify(call)});`).join("\n")}
print(wrong, grad((x) => x * x)(3.0));`);
    assert.equal(text, "() 6.0");
  });
}

test("an exception of the program's own is reported at its line with the chain it came through", async () => {
  const { error } = await failure(`
const f = (x) => {
  throw new TypeError("mine is broken");
};
jit((x) => vmap(f)(x))(np.ones([2]));`);
  assert.equal(error.class, "TypeError");
  assert.equal(error.message, "mine is broken");
  assert.equal(error.span?.line, 4);
  assert.deepEqual(
    chainOf(error).map(([transform]) => transform),
    ["jit", "vmap"],
  );
});

test("errors of the engine can be caught inside the program, which goes on", async () => {
  const text = await printed(`
const FAIL = [
  () => np.matmul(np.ones([2, 3]), np.ones([4, 5])),
  () => grad((x) => x * 2)(np.ones([3])),
  () => jit((x) => { if (x > 0) return x; return -x; })(1.0),
  () => np.zeros([100000, 100000]),
  () => grad((x) => pureCallback((v) => v, ShapeDtypeStruct([], "float32"), x))(1.0),
  () => np.nothing(1),
  () => np.sum("text"),
  () => np.ones([2]).item(),
];
for (const f of FAIL) {
  try { f(); print("nothing"); } catch (e) { print(e.name, e instanceof Error); }
  // In the midst of a transform, too.
  print(grad((x) => { try { f(); } catch (e) {} return x ** 3; })(2.0));
}`);
  const names = [
    "TypeError",
    "TypeError",
    "TracerBoolConversionError",
    "ResourceError",
    "ValueError",
    "TypeError",
    "TypeError",
    "ValueError",
  ];
  const lines = text.split("\n");
  assert.deepEqual(
    lines.filter((_, i) => i % 2 === 0),
    names.map((name) => `${name} True`),
  );
  assert.ok(
    lines.every((line, i) => i % 2 === 0 || line === "12.0"),
    text,
  );
});

test("an error kept and thrown again later is still the same error", async () => {
  const { error } = await failure(`
let kept;
try { np.matmul(np.ones([2, 3]), np.ones([4, 5])); } catch (e) { kept = e; }
for (let i = 0; i < 200; i++) try { np.zeros([-1]); } catch {}
grad((x) => { throw kept; })(1.0);`);
  assert.equal(error.class, "TypeError");
  assert.match(error.message, /contracting dimensions/);
});

test("a failing transform leaves no trace open: values are concrete afterwards", async () => {
  const text = await printed(`
for (let i = 0; i < 50; i++) {
  try { jit((x) => { grad((y) => { throw 1; })(x); })(1.0); } catch {}
  try { vmap((x) => { if (x) return x; })(np.ones([2])); } catch {}
}
if (np.sum(np.ones([2])) > 1) print("concrete");`);
  assert.equal(text, "concrete");
});
