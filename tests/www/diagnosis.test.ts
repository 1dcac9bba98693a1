import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { finished, open, printed, read, ready, runProgram, useSite, write } from "./browser";
import { FOUNDING } from "./programs";

const site = useSite();

async function fail(page: Page): Promise<void> {
  await ready(page);
  assert.match(await runProgram(page, FOUNDING), /^ValueError at line 5/);
}

test("the founding error: class, primitive, place, chain, and the call underlined", async () => {
  const { page, context } = await open(site());
  await fail(page);
  const diagnosis = page.locator("#pane-diagnosis");
  await diagnosis.getByText("Buffer callbacks do not support JVP").waitFor();
  await diagnosis.locator(".chip", { hasText: "buffer_callback" }).first().waitFor();
  await diagnosis.getByText("line 5, column 28").waitFor();
  assert.equal(await diagnosis.locator(".place mark").first().textContent(), "sin(x)");
  assert.match((await diagnosis.locator(".chain").textContent()) ?? "", /grad/);
  assert.equal((await page.locator(".cm-lintRange-error").allTextContents()).join(""), "sin(x)");
  await diagnosis.locator(".place").first().click();
  const line = page.locator(".cm-activeLine");
  assert.match((await line.textContent()) ?? "", /const loss/);
  await context.close();
});

test("the failing equation leads to the jaxpr", async () => {
  const { page, context } = await open(site());
  await fail(page);
  await page.locator(".place", { hasText: "in the jaxpr" }).click();
  const failing = page.locator(".equation-failing");
  await failing.waitFor();
  assert.match((await failing.textContent()) ?? "", /failed here/);
  await context.close();
});

test("a fix shows its edit, is applied as one undo step, runs, and is checked", async () => {
  const { page, context } = await open(site());
  await fail(page);
  const fix = page.locator(".fix", { hasText: "Give it a derivative" }).first();
  await fix.locator(".diff-added", { hasText: "defvjp" }).first().waitFor();
  await choose(page, "finite differences");
  await fix.getByRole("button", { name: "Apply and run" }).click();
  await page
    .locator(".applied .check-pass", { hasText: "Agrees with finite differences" })
    .waitFor();
  assert.match(await finished(page), /^Ran in/);
  assert.match(await read(page), /customVjp/);
  assert.match(await printed(page), /^\[ ?0\..*1\.38/);
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+z");
  assert.equal(await read(page), FOUNDING);
  await page.keyboard.press("Control+y");
  assert.match(await read(page), /customVjp/);
  await page.getByRole("button", { name: "Undo the fix" }).click();
  assert.equal(await read(page), FOUNDING);
  await context.close();
});

/** Picks a variant of the first fix, if it has any. */
async function choose(page: Page, variant: string): Promise<void> {
  const choice = page.locator(".fix .variant", { hasText: variant }).first();
  if ((await choice.count()) > 0) await choice.click();
}

test("every fix is checked before anybody applies it", async () => {
  const { page, context } = await open(site());
  await fail(page);
  await choose(page, "finite differences");
  const fix = page.locator(".fix").first();
  await fix.locator(".check-pass").waitFor();
  await fix.getByRole("button", { name: "Check again" }).click();
  await fix.locator(".check-pass").waitFor();
  assert.equal(await read(page), FOUNDING);
  await context.close();
});

test("after an edit the results are said to be old, and fixes wait for a run", async () => {
  const { page, context } = await open(site());
  await fail(page);
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("// a new first line\n");
  await page.getByText("From an earlier text of the program.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Apply and run" }).first().isDisabled());
  // The underline has moved with its call, and so has the way to it.
  assert.equal((await page.locator(".cm-lintRange-error").allTextContents()).join(""), "sin(x)");
  await page.locator(".place").first().click();
  assert.match((await page.locator(".cm-activeLine").textContent()) ?? "", /const loss/);
  await context.close();
});

test("pointing with the mouse marks the other side, both ways", async () => {
  const { page, context } = await open(site());
  await fail(page);
  await page.locator(".views .tab", { hasText: "Jaxpr" }).click();
  await page.locator(".equation", { hasText: "reduce_sum" }).hover();
  const marked = (await page.locator(".cm-linked").allTextContents()).join("");
  assert.match(marked, /^np\.sum\(/);
  await page.locator(".cm-line", { hasText: "const loss" }).getByText("sin(x)").first().hover();
  await page.locator(".equation-pointed", { hasText: "buffer_callback" }).waitFor();
  await context.close();
});

test("an error without fixes or place is still shown whole", async () => {
  const { page, context } = await open(site());
  await ready(page);
  await write(page, "const a = ;");
  await page.keyboard.press("Control+Enter");
  assert.match(await finished(page), /SyntaxError/);
  await page.locator(".message").waitFor();
  await context.close();
});
