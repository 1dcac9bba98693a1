/** Programs that want all the time or memory there is: each ends with a message or by Stop, and the page lives on. */
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

async function started(): Promise<Opened> {
  const opened = await open(site());
  await ready(opened.page);
  return opened;
}

/** The page answers at once, keeps the text, and the next program runs. */
async function lives({ page, context }: Opened, source: string): Promise<void> {
  assert.equal(await read(page), source);
  await page.getByRole("tab", { name: "Output" }).click();
  await write(page, 'import { print } from "cotangent";\nprint("fine");\n');
  await page.keyboard.press("Control+Enter");
  await page.locator(".printed", { hasText: /^fine$/ }).waitFor();
  await context.close();
}

/** Starts a program, presses Stop a while later and says how long that took. */
async function stopAfter(page: Page, source: string, wait: number): Promise<number> {
  await write(page, source);
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.waitForTimeout(wait);
  return page.evaluate(async () => {
    const pressed = performance.now();
    document.querySelector<HTMLElement>(".toolbar .button-stop")?.click();
    while (document.querySelector(".toolbar .button-stop"))
      await new Promise((resolve) => setTimeout(resolve, 5));
    return performance.now() - pressed;
  });
}

test("A10: a loop that is traced into ten million equations is refused, or stopped before", async () => {
  const opened = await started();
  const source = `import { jit, np, print } from "cotangent";
print("before");
jit((x) => { for (let i = 0; i < 1e7; i++) x = x + 1; return x; })(np.ones([2]));
`;
  const taken = await stopAfter(opened.page, source, 700);
  assert.ok(taken < 1_000, `stopped after ${taken} ms`);
  assert.equal(await printed(opened.page), "before");
  await lives(opened, source);
});

test("A10: functions nested a hundred thousand deep are refused at their call", async () => {
  const opened = await started();
  const source = `import { jit, np } from "cotangent";
let f = (x) => np.sin(x);
for (let i = 0; i < 1e5; i++) {
  const g = f;
  f = jit((x) => g(x) * 2);
}
f(1.0);
`;
  assert.match(await runProgram(opened.page, source), /^(Range|Recursion)Error at line 5/);
  await opened.page.getByText("Functions called each other too deeply").waitFor();
  await lives(opened, source);
});

test("A10: of a program of very many equations the jaxpr says that there are too many", async () => {
  const opened = await started();
  const source = `import { grad, print } from "cotangent";
print(grad((x) => { for (let i = 0; i < 60_000; i++) x = x + 1; return x; })(1.0));
`;
  await write(opened.page, source);
  await opened.page.keyboard.press("Control+Enter");
  assert.match(await finished(opened.page, 30_000), /^Ran in/);
  assert.equal(await printed(opened.page), "1.0");
  await opened.page.getByRole("tab", { name: "Jaxpr" }).click();
  await opened.page.getByText("more than 20,000 equations: too many to show").waitFor();
  await lives(opened, source);
});

test("A11: arrays that double, and memories by the hundred, end in a message", async () => {
  const opened = await started();
  const { page } = opened;
  const doubling = `import { np } from "cotangent";
let x = np.ones([1024]);
for (;;) x = np.concatenate([x, x]);
`;
  await write(page, doubling);
  await page.keyboard.press("Control+Enter");
  assert.match(await finished(page, 90_000), /^ResourceError at line 3/);
  await page.getByText("out of memory").first().waitFor();
  const memories = `import { print } from "cotangent";
const held = [];
try {
  for (let i = 0; i < 400; i++) held.push(new WebAssembly.Memory({ initial: 1, maximum: 65536 }));
} catch (error) {
  print(error.name);
}
print("end");
`;
  assert.match(await runProgram(page, memories), /^Ran in/);
  assert.match(await printed(page), /^(RangeError\n)?end$/);
  await lives(opened, memories);
});

test("A11: a program that fills the heap is stopped, with its text kept", async () => {
  const opened = await started();
  const source = `import { print } from "cotangent";
print("before");
const held = [];
for (;;) held.push(Array.from({ length: 1000 }, (_, i) => ({ i })));
`;
  const taken = await stopAfter(opened.page, source, 1_000);
  assert.ok(taken < 1_000, `stopped after ${taken} ms`);
  assert.equal(await printed(opened.page), "before");
  await lives(opened, source);
});

test("A19: a fix for hostile names is shown as text, runs, and executes nothing else", async () => {
  const opened = await started();
  const { page } = opened;
  const source = `import { bufferCallback, grad, np, print, ShapeDtypeStruct } from "cotangent";
/* \`\${print("from a comment")}\` */ const \\u0061lert = "'\\"\`\${1}</script><img src=x onerror=alert(1)>";
const $ñ日本 = (ctx, out, __proto__) => { for (let i = 0; i < out.length; i++) out[i] = 2 * __proto__[i]; }; // */ );
const constructor = bufferCallback($ñ日本, ShapeDtypeStruct([2], "float32"));
print(grad((x) => np.sum(constructor(x) * (alert ? 1 : 0)))(np.ones([2])));
`;
  assert.match(await runProgram(page, source), /^ValueError at line 5/);
  const fixes = page.locator(".fix");
  await fixes.first().waitFor();
  assert.equal(await page.locator("#pane-diagnosis img, #pane-diagnosis script").count(), 0);
  const apply = fixes.first().getByRole("button", { name: "Apply and run" });
  await apply.click();
  assert.match(await finished(page), /^Ran in/);
  assert.match(await printed(page), /^\[ ?(1\.99|2\.)\d* +(1\.99|2\.)\d*\]$/);
  await opened.context.close();
});
