import assert from "node:assert/strict";
import { test } from "node:test";
import { finished, open, printed, read, ready, runProgram, useSite, write } from "./browser";

const site = useSite();
const HELLO = 'import { print } from "cotangent";\nprint("hello");\n';

test("the page opens from a sub-path with a program, an engine, and not one complaint", async () => {
  const { page, context, complaints } = await open(site());
  await ready(page);
  assert.match(await read(page), /import .* from "cotangent"/);
  assert.deepEqual(complaints, []);
  assert.equal(await page.title(), "Cotangent");
  assert.ok(site().requests.every((path) => path.startsWith("/some/path/")));
  await context.close();
});

test("nothing is asked of any other origin, and nothing runs before Run", async () => {
  const { page, context } = await open(site());
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  await page.reload();
  await ready(page);
  await runProgram(page, HELLO);
  const origin = new URL(site().url).origin;
  assert.deepEqual(
    urls.filter(
      (url) => !url.startsWith(origin) && !url.startsWith("data:") && !url.startsWith("blob:"),
    ),
    [],
  );
  await context.close();
});

test("Run shows what the program prints, and says how it went", async () => {
  const { page, context } = await open(site());
  const status = await runProgram(page, HELLO);
  assert.match(status, /^Ran in /);
  assert.equal(await printed(page), "hello");
  await page.getByRole("button", { name: "Run" }).click();
  assert.match(await finished(page), /^Ran in /);
  assert.equal(await printed(page), "hello", "the output of one run only");
  await context.close();
});

test("output comes while the program is still in a loop", async () => {
  const { page, context } = await open(site());
  await ready(page);
  await write(
    page,
    'import { print } from "cotangent";\nprint("one");\nprint("two");\nwhile (true) {}\n',
  );
  await page.keyboard.press("Control+Enter");
  await page.locator(".printed", { hasText: "one\ntwo" }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  assert.match(await finished(page), /^Stopped after .*output kept/);
  assert.equal(await printed(page), "one\ntwo");
  await context.close();
});

test("images and line plots are drawn, with words for those who do not see them", async () => {
  const { page, context, complaints } = await open(site());
  await ready(page);
  await runProgram(page, PLOTS);
  const plot = page.locator(".plot");
  await plot.locator("canvas").waitFor();
  assert.match(
    (await plot.getAttribute("aria-label")) ?? "",
    /^Line plot\. loss.*a: 3 points, from 3\.000 to 1\.000/,
  );
  assert.deepEqual(complaints, []);
  await context.close();
});
const PLOTS = `import { plot, print } from "cotangent";
plot([{ label: "a", x: [0, 1, 2], y: [3, 2, 1] }], { title: "loss" });
print("drawn");
`;

test("a program that throws is reported, and the text stays", async () => {
  const { page, context } = await open(site());
  await ready(page);
  const program =
    'import { print } from "cotangent";\nprint("before");\nthrow new RangeError("too far");\n';
  const status = await runProgram(page, program);
  assert.match(status, /RangeError/);
  await page.locator(".message", { hasText: "too far" }).waitFor();
  assert.equal(await read(page), program);
  await page.locator(".views .tab", { hasText: "Output" }).click();
  assert.equal(await printed(page), "before");
  await context.close();
});

test("safe mode shows programs and runs none", async () => {
  const { page, context } = await open(site(), { query: "?safe" });
  await page.locator(".banner", { hasText: "Safe mode" }).waitFor();
  assert.ok(await page.locator(".toolbar .button-run").isDisabled());
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+Enter");
  await page.waitForTimeout(150);
  assert.doesNotMatch((await page.locator(".status-run").textContent()) ?? "", /Ran|Running/);
  await context.close();
});

test("the theme can be system, light or dark, and is remembered", async () => {
  const { page, context } = await open(site(), { scheme: "dark" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  const button = page.getByRole("button", { name: /theme/ });
  await button.click();
  const light = await ground();
  assert.notEqual(light, dark);
  await button.click();
  assert.equal(await ground(), dark);
  await button.click();
  await button.click();
  await page.reload();
  await page.locator(".cm-content").waitFor();
  assert.equal(await ground(), light);
  await context.close();
});

test("after ten seconds the page asks whether to go on, and does as it is told", async () => {
  const context = await site().browser.newContext();
  const { page } = await open(site(), { context });
  await ready(page);
  await write(page, "await new Promise(() => {});");
  await page.clock.install();
  await page.keyboard.press("Control+Enter");
  const banner = page.locator(".banner", { hasText: "running for a while" });
  // A second at a time, so that the sandbox can answer its heartbeats meanwhile.
  const pass = async (seconds: number) => {
    for (let i = 0; i < seconds; i += 1) {
      await page.clock.runFor(1_000);
      await page.evaluate(() => document.title);
    }
  };
  await pass(9);
  assert.equal(await banner.count(), 0);
  await pass(2);
  await banner.waitFor();
  await banner.getByRole("button", { name: "Keep going" }).click();
  await banner.waitFor({ state: "hidden" });
  await pass(61);
  await banner.getByRole("button", { name: "Stop" }).click();
  await page.locator(".status-run", { hasText: /^Stopped/ }).waitFor();
  await context.close();
});
