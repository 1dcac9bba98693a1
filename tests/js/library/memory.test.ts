// Memory: handles go when nothing needs them, old large arrays move aside, nothing registered stays.

import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { freeArray, NdArray, pause } from "../../../www/lib/array.ts";
import { registeredFunctions } from "../../../www/lib/engine.ts";
import type { Library } from "../../../www/lib/library.ts";
import { afresh, memoryUse, plainLibrary } from "../support/plain.ts";
import { run, startEngine } from "../support/program.ts";

// biome-ignore lint/suspicious/noExplicitAny: functions of the registry are called by name here
type Loose = any;

let library: Library;
let np: Loose;
let collect: () => void;

before(async () => {
  await startEngine();
  ({ library } = await plainLibrary());
  np = library.np;
  setFlagsFromString("--expose-gc");
  collect = runInNewContext("gc") as () => void;
});
beforeEach(() => afresh());

/** Lets the collector and the finalisers it schedules run. */
async function settled(): Promise<void> {
  for (let i = 0; i < 3; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await pause();
  }
}

test("arrays that nothing refers to give their handles back", async () => {
  await settled();
  const before = memoryUse();
  (() => {
    for (let i = 0; i < 500; i++) np.sin(np.ones([1000]));
  })();
  assert.ok(memoryUse().handles > before.handles);
  await settled();
  const after = memoryUse();
  assert.ok(
    after.handles <= before.handles + 2,
    `${before.handles} before, ${after.handles} after`,
  );
  assert.ok(after.live <= before.live + 10_000);
});

test("dispose and free release at once, twice is harmless, and use afterwards is told", () => {
  const x = np.ones([1000]);
  const y = np.reshape(x, [10, 100]);
  const before = memoryUse().handles;
  x.dispose();
  x.dispose();
  freeArray(x);
  freeArray("no array");
  assert.equal(memoryUse().handles, before - 1);
  assert.throws(() => np.sin(x), { name: "RuntimeError", message: /has been freed/ });
  assert.throws(() => x.data(), { name: "RuntimeError" });
  // What shares its storage keeps it.
  assert.equal(np.sum(y).item(), 1000);
});

test("a handle freed never comes to stand for another array", () => {
  const old = np.ones([4]);
  old.dispose();
  const fresh = Array.from({ length: 50 }, () => np.zeros([4]));
  assert.throws(() => np.sum(old), { name: "RuntimeError" });
  for (const x of fresh) assert.equal(np.sum(x).item(), 0);
});

test("a synchronous loop of 300 steps on 1M floats stays flat without any dispose", () => {
  let w = np.ones([1_000_000]);
  const g = np.full([1_000_000], 0.5);
  let worst = 0;
  let rss = 0;
  for (let i = 0; i < 300; i++) {
    w = w.sub(g.mul(0.01));
    if (i % 10 === 0) worst = Math.max(worst, memoryUse().live);
    if (i === 100) rss = process.memoryUsage().rss;
  }
  assert.ok(worst < 300e6, `${worst} bytes in the engine`);
  const grown = process.memoryUsage().rss - rss;
  assert.ok(grown < 300e6, `the process grew by ${grown} bytes`);
  assert.ok(Math.abs(w.get(0).item() - (1 - 300 * 0.005)) < 1e-3);
});

test("large arrays that are kept move out of the engine and come back as they were", () => {
  const kept = Array.from({ length: 80 }, (_, i) =>
    np.full([1_000_000], i).add(np.arange(1_000_000).mod(7)),
  );
  assert.ok(memoryUse().live < 300e6, `${memoryUse().live} bytes in the engine`);
  for (const [i, x] of kept.entries()) {
    assert.equal(x.get(0).item(), i);
    assert.equal(x.get(999_999).item(), i + (999_999 % 7));
    assert.equal(x.dtype, kept[0].dtype);
  }
  const pairs = np.add(kept[3], kept[70]);
  assert.equal(pairs.get(6).item(), 3 + 6 + 70 + 6);
});

test("arrays that a jitted function or a pullback closes over survive being moved aside", () => {
  const big = np.arange(1_000_000, { dtype: "float32" });
  const f = library.jit((x: Loose) => np.sum(np.multiply(x, big)));
  const [, pull] = library.vjp((x: Loose) => np.multiply(x, big), np.ones([1_000_000])) as [
    unknown,
    (ct: unknown) => Loose[],
  ];
  const want = f(np.ones([1_000_000])).item();
  const others = Array.from({ length: 80 }, (_, i) => np.full([1_000_000], i + 0.5));
  assert.equal(f(np.ones([1_000_000])).item(), want);
  assert.equal(
    pull(np.ones([1_000_000]))[0]
      .get(12345)
      .item(),
    12345,
  );
  assert.equal(big.get(77).item(), 77);
  assert.equal(others[79].get(0).item(), 79.5);
});

// Outside of what uses it: a function keeps the scope it was made in, and with it all that is called from there.
const copies = (_ctx: Loose, out: Loose, x: Loose): void => out.set(x);

test("functions handed to the engine are dropped with what used them", async () => {
  await settled();
  const before = registeredFunctions();
  const work = (i: number): void => {
    const f = (x: Loose) => np.sum(np.multiply(np.sin(x), x));
    library.grad(f)(np.ones([3]));
    library.valueAndGrad(f)(np.ones([3]));
    library.jvp(f, [np.ones([3])], [np.ones([3])]);
    library.vmap(f)(np.ones([2, 3]));
    library.hessian(f)(np.ones([3]));
    library.makeJaxpr(f)(np.ones([3]));
    library.evalShape(f, np.ones([3]));
    library.checkGrads(f, [np.ones([3])]);
    (library.vjp(f, np.ones([3]))[1] as Loose)(1);
    (library.linearize(f, np.ones([3]))[1] as Loose)(np.ones([3]));
    library.linearTranspose((x: Loose) => np.multiply(x, 2), np.ones([3]))(np.ones([3]));
    const shape = library.ShapeDtypeStruct([3], "float32");
    library.pureCallback((x: Loose) => x, shape, np.ones([3]));
    library.ioCallback((x: Loose) => x, shape, np.ones([3]));
    library.debugCallback(() => {}, np.ones([3]));
    const cb = library.bufferCallback(copies, shape);
    cb(np.ones([3]));
    const jitted = library.jit((x: Loose) => np.add(cb(x), i));
    jitted(np.ones([3]));
    jitted(np.ones([3]));
    const ruled = library.customVjp((x: Loose) => np.sin(x));
    ruled.defvjp(
      (x: Loose) => [np.sin(x), x],
      (x: Loose, g: Loose) => [np.multiply(g, np.cos(x))],
    );
    library.grad(ruled)(1);
  };
  for (let i = 0; i < 20; i++) work(i);
  await settled();
  const after = registeredFunctions();
  assert.ok(after <= before + 8, `${before} before, ${after} after`);
});

test("tracers of transforms that have ended hold no handles", () => {
  const f = (x: Loose) => np.sum(np.multiply(np.sin(x), np.cos(x)));
  const x = np.ones([8]);
  (library.grad(f)(x) as Loose).dispose();
  const before = memoryUse().handles;
  for (let i = 0; i < 100; i++) (library.grad(f)(x) as Loose).dispose();
  // Only arrays made eagerly inside may wait for the collector: there are none here.
  assert.ok(memoryUse().handles <= before + 2, `${before} then ${memoryUse().handles}`);
});

test("a jitted function called ten thousand times keeps one trace", () => {
  const f = library.jit((x: Loose) => np.add(x, 1));
  let x = np.zeros([4]);
  f(x);
  const before = registeredFunctions();
  for (let i = 0; i < 10_000; i++) {
    const next = f(x);
    x.dispose();
    x = next;
  }
  assert.equal(x.get(0).item(), 10_000);
  assert.ok(registeredFunctions() <= before + 1);
});

test("a new run forgets the arrays of the one before", async () => {
  const x = np.ones([10]);
  await run("print(1);");
  assert.throws(() => np.sum(x), { name: "RuntimeError", message: /a new run/ });
  assert.ok(x instanceof NdArray);
});
