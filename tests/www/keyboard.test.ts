import assert from "node:assert/strict";
import { test } from "node:test";
import { finished, open, read, ready, runProgram, useSite, write } from "./browser";
import { FOUNDING } from "./programs";

const site = useSite();
const focused = () => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element?.className ?? "";
};

test("Tab indents in the editor; Escape, then Tab, leaves it", async () => {
  const { page, context } = await open(site());
  await write(page, "a");
  await page.keyboard.press("Home");
  await page.keyboard.press("Tab");
  assert.equal(await read(page), "  a");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  assert.doesNotMatch(await page.evaluate(focused), /cm-content/);
  await page.getByText("Esc, then Tab leaves the editor").waitFor();
  await context.close();
});

test("F6 goes round the panes, F8 goes to the problem", async () => {
  const { page, context } = await open(site());
  await ready(page);
  await runProgram(page, FOUNDING);
  await page.locator(".cm-content").focus();
  for (const place of [/tab/, /panel/, /button/, /cm-content/]) {
    // The fixes are being checked meanwhile: a pane may be drawn anew between two keys.
    await page.waitForTimeout(150);
    await page.keyboard.press("F6");
    assert.match(await page.evaluate(focused), place);
  }
  await page.keyboard.press("F8");
  const selected = await page.evaluate(() => {
    const root = document.querySelector(".editor")?.shadowRoot as unknown as {
      getSelection?: () => Selection | null;
    };
    return String(root.getSelection?.() ?? "");
  });
  assert.equal(selected, "sin(x)");
  await context.close();
});

test("equations and source mark each other, by keyboard alone", async () => {
  const { page, context } = await open(site());
  await ready(page);
  await runProgram(page, FOUNDING);
  const tab = page.locator(".views .tab", { hasText: "Diagnosis" });
  await tab.focus();
  await page.keyboard.press("ArrowLeft");
  await page.locator(".equation").first().waitFor();
  const failing = page.locator(".equation-failing");
  assert.match((await failing.textContent()) ?? "", /failed here.*buffer_callback/);
  await page.keyboard.press("F6");
  assert.match(await page.evaluate(focused), /equation-failing/);
  assert.equal(await page.locator(".cm-linked").first().textContent(), "sin(x)");
  await page.keyboard.press("ArrowDown");
  const marked = (await page.locator(".cm-linked").allTextContents()).join("");
  assert.match(marked, /sin\(x\) \* x/);
  await page.keyboard.press("Enter");
  assert.match(await page.evaluate(focused), /cm-content/);
  // The selection's head now stands in the source of that equation: it is marked in turn.
  await page.locator(".equation-pointed").first().waitFor();
  assert.match((await page.locator(".equation-pointed").first().textContent()) ?? "", /mul/);
  await context.close();
});

test("completion offers the functions of a module, with their words", async () => {
  const { page, context } = await open(site());
  await write(page, "");
  await page.keyboard.type("val");
  const list = page.locator(".cm-tooltip-autocomplete");
  await list.getByText("valueAndGrad").first().waitFor();
  await page.locator(".cm-completionInfo", { hasText: "Value and gradient" }).waitFor();
  // A list that has just changed does not take Enter at once, so that it is not chosen from by accident.
  await page.waitForTimeout(300);
  await page.keyboard.press("Enter");
  assert.equal(await read(page), "valueAndGrad");
  await page.keyboard.type("(");
  await page.locator(".cm-doc-signature", { hasText: "valueAndGrad(f" }).waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".cm-doc-signature").count(), 0);
  await context.close();
});

test("hovering a name shows its signature", async () => {
  const { page, context } = await open(site());
  await write(page, "  grad(f)");
  await page.locator(".cm-line").getByText("grad").first().hover();
  await page.locator(".cm-tooltip-hover .cm-doc-signature", { hasText: "grad(f" }).waitFor();
  await context.close();
});

test("the shortcut sheet opens, closes on Escape, and gives the focus back", async () => {
  const { page, context } = await open(site());
  const keys = page.getByRole("button", { name: "Keys" });
  await keys.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor({ state: "hidden" });
  assert.match(await page.evaluate(focused), /button/);
  await context.close();
});

test("Ctrl+S opens Share, the arrow keys move in a menu, the splitter moves by arrows", async () => {
  const { page, context } = await open(site());
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+s");
  await page.getByRole("button", { name: "Copy link" }).waitFor();
  await page.keyboard.press("ArrowDown");
  assert.equal(
    await page.evaluate(() => document.activeElement?.textContent),
    "Copy Markdown issue",
  );
  await page.keyboard.press("Escape");
  const splitter = page.getByRole("separator");
  const before = Number(await splitter.getAttribute("aria-valuenow"));
  await splitter.focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(Number(await splitter.getAttribute("aria-valuenow")), before + 4);
  await context.close();
});

test("Ctrl+. stops a run", async () => {
  const { page, context } = await open(site());
  await ready(page);
  await write(page, "while (true) {}");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.keyboard.press("Control+.");
  assert.match(await finished(page), /^Stopped/);
  await context.close();
});
