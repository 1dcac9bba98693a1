import assert from "node:assert/strict";
import { test } from "node:test";
import { open, read, ready, useSite, write } from "./browser";

const site = useSite();
const saved = ".status-note:text('Saved in this browser')";

test("what is typed is there again after a reload", async () => {
  const { page, context } = await open(site());
  await write(page, "const mine = 1;");
  await page.locator(saved).waitFor();
  await page.reload();
  await page.locator(".cm-content").waitFor();
  assert.equal(await read(page), "const mine = 1;");
  await context.close();
});

test("closing the page at once after typing loses nothing", async () => {
  const { page, context } = await open(site());
  await write(page, "const quick = 1;");
  await page.goto("about:blank");
  await page.close();
  const again = await open(site(), { context });
  assert.equal(await read(again.page), "const quick = 1;");
  await context.close();
});

test("two tabs keep their own texts", async () => {
  const { page: one, context } = await open(site());
  const { page: two } = await open(site(), { context });
  await write(one, "const one = 1;");
  await write(two, "const two = 2;");
  await one.locator(saved).waitFor();
  await two.locator(saved).waitFor();
  await one.reload();
  await two.reload();
  await one.locator(".cm-content").waitFor();
  await two.locator(".cm-content").waitFor();
  assert.equal(await read(one), "const one = 1;");
  assert.equal(await read(two), "const two = 2;");
  await context.close();
});

test("opening an example keeps the text that was there, in the drafts and under Undo", async () => {
  const { page, context } = await open(site());
  await write(page, "const precious = 1;");
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator(".menu-item").first().click();
  assert.match(await read(page), /cotangent/);
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator(".menu-item", { hasText: "const precious" }).first().click();
  assert.equal(await read(page), "const precious = 1;");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+z");
  assert.match(await read(page), /cotangent/);
  await page.keyboard.press("Control+z");
  assert.equal(await read(page), "const precious = 1;");
  await context.close();
});

test("a changed example can be set back", async () => {
  const { page, context } = await open(site());
  const original = await read(page);
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("// more");
  assert.match(await read(page), /\/\/ more$/);
  await page.getByRole("button", { name: "Reset to the example" }).click();
  assert.equal(await read(page), original);
  await context.close();
});

test("the search of the examples finds by words", async () => {
  const { page, context } = await open(site());
  await page.getByRole("button", { name: "Examples" }).click();
  const all = await page.locator(".menu-item").count();
  await page.getByLabel("Search examples").fill("callback gradient");
  const some = await page.locator(".menu-item").count();
  assert.ok(some >= 1 && some <= all);
  await page.getByLabel("Search examples").fill("no such words");
  await page.getByText("No example has these words.").waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".menu-panel").count(), 0);
  await context.close();
});

test("storage that refuses everything costs no text and no exception", async () => {
  const { page, context, complaints } = await open(site(), {
    prepare: `
      const refuse = () => { throw new DOMException("full", "QuotaExceededError"); };
      Storage.prototype.setItem = Storage.prototype.getItem = refuse;
    `,
  });
  await ready(page);
  await write(page, "const still = 1;");
  await page.getByText("Not saved").waitFor();
  assert.equal(await read(page), "const still = 1;");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("nonsense in the storage is passed over", async () => {
  const { page, context, complaints } = await open(site(), {
    prepare: `
      localStorage.setItem("cotangent:draft:a", "{");
      localStorage.setItem("cotangent:draft:b", '{"source":7,"savedAt":1e99}');
      localStorage.setItem("cotangent:draft:c", "null");
      localStorage.setItem("cotangent:theme", "<img src=x>");
      localStorage.setItem("cotangent:split", "NaN");
    `,
  });
  await ready(page);
  assert.match(await read(page), /cotangent/);
  assert.deepEqual(complaints, []);
  await context.close();
});
