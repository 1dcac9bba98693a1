// Training loops in programs hold their memory flat. In a file of its own: the engine remembers its peak.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { memoryUse } from "../support/plain.ts";
import { printed, run, startEngine } from "../support/program.ts";

before(startEngine);

test("10,000 top-level steps on 1M floats in a program: memory flat, no dispose", async (t) => {
  if (!process.env.COTANGENT_SLOW) return t.skip("takes half a minute: set COTANGENT_SLOW=1");
  await training(10_000);
});

async function training(steps: number): Promise<void> {
  const text = await printed(`
let w = np.ones([1000000]);
const g = np.ones([1000000]);
for (let i = 0; i < ${steps}; i++) { w = w - 0.01 * g; }
print(w[0]);`);
  assert.ok(Math.abs(Number(text) - (1 - steps * 0.01)) < 0.05 * steps, text);
  const { live, peak } = memoryUse();
  assert.ok(live < 100e6 && peak < 100e6, `${live} live, ${peak} at the highest`);
}

test("500 top-level steps on 1M floats in a program stay within a few arrays", () => training(500));

test("a training loop with grad in a program stays within a few arrays", async () => {
  const { report } = await run(`
const loss = (w) => np.mean((w - 3) ** 2);
let w = np.zeros([100000]);
for (let i = 0; i < 200; i++) w = w - 10000 * grad(loss)(w);
print(w[0]);`);
  assert.equal(report.error, null);
  const { peak } = memoryUse();
  assert.ok(peak < 60e6, `${peak} at the highest`);
  assert.ok(report.jaxpr, "the last transformed function is shown though its argument was freed");
});
