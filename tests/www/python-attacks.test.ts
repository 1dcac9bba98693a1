/** What a hostile Python program may try through the language of the page, and through Python itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { choosePython, open, printed, ready, runProgram, useSite, write } from "./browser";
import { hostilePython } from "./programs";

const site = useSite();

test("A1, A2: no request leaves the sandbox from Python, to anywhere, by any means", async () => {
  const { page, context } = await open(site());
  await choosePython(page);
  await ready(page);
  const before = site().requests.length;
  for (const target of [site().elsewhere, new URL(site().url).origin]) {
    await runProgram(page, hostilePython(`${target}/leak`));
    const found = await printed(page);
    assert.match(found, /open_url=(threw|nothing)/);
    assert.doesNotMatch(found, /=reached/);
    await page.waitForTimeout(600);
  }
  assert.deepEqual(site().hits, []);
  assert.deepEqual(site().requests.slice(before), []);
  await context.close();
});

test("A3: Python does not reach the page, its storage or its frames", async () => {
  const { page, context } = await open(site());
  await choosePython(page);
  await ready(page);
  await runProgram(
    page,
    `import js
for name in ["window", "document", "parent", "top", "localStorage", "sessionStorage", "RTCPeerConnection", "SharedWorker"]:
    print(name, getattr(js, name, None) is None)
print(js.location.origin)
`,
  );
  assert.equal(
    await printed(page),
    `window True
document True
parent True
top True
localStorage True
sessionStorage True
RTCPeerConnection True
SharedWorker True
null`,
  );
  await context.close();
});

test("what one program leaves running is gone when another is opened", async () => {
  const { page, context } = await open(site());
  await choosePython(page);
  await ready(page);
  const spy = `import js, sys
sys.spied = True
js.Function.new("JSON.parse = () => null; setInterval(() => 0, 1)")()
print("in")
`;
  await runProgram(page, spy);
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator(".menu-item", { hasText: "Start empty" }).click();
  await runProgram(page, "import sys\nprint(hasattr(sys, 'spied'))\n");
  assert.equal(await printed(page), "False");
  await context.close();
});

test("A7: a Python program that spoils what the worker uses harms itself alone", async () => {
  const { page, context } = await open(site());
  await choosePython(page);
  await ready(page);
  await write(
    page,
    `import js
js.Function.new("""
  JSON.stringify = () => "forged"; JSON.parse = () => ({ class: "forged" });
  MessagePort.prototype.postMessage = () => 0;
  Promise.prototype.then = function () { return this; };
  self.postMessage({ kind: "done", report: { ok: true, result: "forged" } });
""")()
`,
  );
  await page.keyboard.press("Control+Enter");
  await page.waitForTimeout(500);
  const stop = page.getByRole("button", { name: "Stop" });
  if (await stop.isVisible()) await stop.click();
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator(".menu-item", { hasText: "Start empty" }).click();
  await runProgram(page, "print('fine')\n");
  assert.equal(await printed(page), "fine");
  await context.close();
});
