/** Buffer callbacks and the engine's memory: views stay valid, or the program is told what to do. */

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { printed, run, startEngine } from "./support/program.ts";

before(startEngine);

/** What a callback on [0, 1, 2, 3] gives whose body is this; `out` is written by it. */
const called = (body: string, options = "{}") =>
  `const f = bufferCallback((ctx, out, x) => { ${body} }, ShapeDtypeStruct([4], "float32"), ${options});
print(f(np.arange(4, { dtype: "float32" })));`;

test("a callback may allocate while it holds views, and they stay what they were", async () => {
  const twice = "for (let i = 0; i < 4; i++) out[i] = 2 * x[i];";
  for (const inside of [
    "np.array([...x]).mul(2);",
    "np.ones([1000000]);",
    "jit((z) => np.sin(z))(np.ones(1000));",
    `bufferCallback((c, o, z) => o.set(z), ShapeDtypeStruct([4], "float32"))(np.ones(4));`,
  ]) {
    assert.equal(await printed(called(`${inside} ${twice}`)), "[0. 2. 4. 6.]", inside);
  }
});

test("allocating so much that the views would be lost is refused, and they are not lost", async () => {
  const { report } = await run(called("np.ones([20000000]); out.set(x);"));
  assert.equal(report.error?.class, "ResourceError");
  assert.match(report.error?.message ?? "", /views.*detached.*before, or use a pure callback/);
  assert.equal(
    await printed(called("try { np.ones([20000000]); } catch { out.set(x); }")),
    "[0. 1. 2. 3.]",
  );
});

test("returning a value, throwing, and awaiting are each said", async () => {
  for (const [body, message] of [
    ["out.set(x); return out;", /must not return any values/],
    ["throw new RangeError('mine');", /^mine$/],
  ] as const) {
    const { report } = await run(called(body));
    assert.match(report.error?.message ?? "", message);
  }
});

test("an aliased result begins as its input", async () => {
  const add = "for (let i = 0; i < 4; i++) out[i] += 10;";
  assert.equal(await printed(called(add, "{ inputOutputAliases: { 0: 0 } }")), "[10. 11. 12. 13.]");
  assert.equal(await printed(called(add)), "[10. 10. 10. 10.]");
});
