import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { choosePython, finished, open, ready, runProgram, useSite } from "./browser";
import { FOUNDING } from "./programs";

const site = useSite();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules that the page breaks, with the elements concerned. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown[] }[] }[] }> };
    };
    const found = await axe.run();
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
    );
  });
}

for (const scheme of ["light", "dark"] as const) {
  test(`axe finds nothing to fault in the ${scheme} theme, whatever is open`, async () => {
    const { page, context } = await open(site(), { scheme });
    await ready(page);
    const check = async (where: string) => assert.deepEqual(await violations(page), [], where);
    await check("start");
    await runProgram(page, FOUNDING);
    await check("diagnosis");
    await page.locator(".views .tab", { hasText: "Jaxpr" }).click();
    await page.locator(".equation").first().hover();
    await check("jaxpr");
    await page.getByRole("button", { name: "Examples" }).click();
    await check("examples");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Share" }).click();
    await check("share");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Keys" }).click();
    await check("shortcuts");
    await page.keyboard.press("Escape");
    await page.locator(".views .tab", { hasText: "Diagnosis" }).click();
    await page.getByRole("button", { name: "Apply and run" }).first().click();
    await page.locator(".applied .check").waitFor();
    await check("an applied fix");
    await choosePython(page);
    await ready(page);
    await runProgram(page, "1 / 0\n");
    await check("Python");
    await context.close();
  });
}

test("at 320 pixels one pane is shown at a time, and nothing scrolls sideways", async () => {
  const { page, context } = await open(site(), { width: 320, height: 640 });
  await ready(page);
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(await sideways(), false);
  assert.ok(await page.locator(".cm-content").isVisible());
  assert.ok(!(await page.locator(".views").isVisible()));
  await runProgram(page, FOUNDING);
  assert.ok(await page.locator("#pane-diagnosis").isVisible());
  assert.ok(!(await page.locator(".cm-content").isVisible()));
  assert.equal(await sideways(), false);
  assert.deepEqual(await violations(page), []);
  for (const name of ["Output", "Jaxpr", "Code"]) {
    await page.locator(".phone-only .tab", { hasText: name }).click();
    assert.equal(await sideways(), false, name);
  }
  await page.locator(".phone-only .tab", { hasText: "Diagnosis" }).click();
  await page.locator(".place").first().click();
  assert.ok(await page.locator(".cm-content").isVisible(), "a place leads to the code");
  for (const name of ["Examples", "Share"]) {
    await page.getByRole("button", { name }).click();
    assert.equal(await sideways(), false, name);
    await page.keyboard.press("Escape");
  }
  await context.close();
});

test("every control has a name and is large enough for a thumb on a phone", async () => {
  const { page, context } = await open(site(), { width: 360, height: 640 });
  await ready(page);
  const small = await page
    .locator(".toolbar button, .toolbar .switch, .phone-only button")
    .evaluateAll((buttons) =>
      buttons
        .filter((button) => (button as HTMLElement).offsetParent !== null)
        .filter((button) => button.getBoundingClientRect().height < 38)
        .map((button) => button.textContent),
    );
  assert.deepEqual(small, []);
  await context.close();
});

test("the state of the run is said in a polite live region", async () => {
  const { page, context } = await open(site());
  await ready(page);
  const status = page.locator(".status-run");
  assert.equal(await status.getAttribute("aria-live"), "polite");
  await runProgram(page, "1;");
  assert.match(await finished(page), /^Ran in/);
  await context.close();
});

test("with reduced motion nothing moves", async () => {
  const { page, context } = await open(site());
  await page.emulateMedia({ reducedMotion: "reduce" });
  const moving = await page.evaluate(() => document.getAnimations().length);
  assert.equal(moving, 0);
  await context.close();
});
