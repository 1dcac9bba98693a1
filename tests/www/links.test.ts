import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeLink, type Program } from "../../www/share/codec";
import { finished, open, printed, read, ready, runProgram, useSite, write } from "./browser";
import { FOUNDING } from "./programs";

const site = useSite();
const HELLO = 'import { print } from "cotangent";\nprint("hello");\n';
const program = (rest: Partial<Program> = {}): Program => ({
  language: "js",
  source: HELLO,
  engine: "0.1.0",
  ...rest,
});
const link = (rest: Partial<Program> = {}) => encodeLink(program(rest));

test("a link opens stopped, says so, and runs when told to", async () => {
  const { page, context } = await open(site(), { fragment: link() });
  await ready(page);
  await page.getByText("From a link, not run yet.").waitFor();
  assert.equal(await read(page), HELLO);
  assert.equal(await printed(page), "");
  await page.locator(".banner .button-large").click();
  await finished(page);
  assert.equal(await printed(page), "hello");
  assert.equal(await page.getByText("not run yet").count(), 0);
  await context.close();
});

test("nothing in the address makes a link run by itself", async () => {
  for (const extra of ["&run", "&autorun=1", "?autorun=1"]) {
    const { page, context } = await open(site(), {
      query: "?autorun=1&run",
      fragment: link() + extra,
    });
    await ready(page);
    await page.waitForTimeout(100);
    assert.equal(await printed(page), "");
    await context.close();
  }
});

test("a broken link is refused in words, and the own text stays", async () => {
  const { page, context } = await open(site());
  await write(page, "const mine = 1;");
  const whole = link();
  const broken: [string, RegExp][] = [
    [whole.slice(0, -9), /cut short/],
    ["zzzz", /damaged/],
    ["%%%", /damaged|no program/],
    ["9future", /newer version/],
    [`${whole}AAAA`, /damaged/],
    ["1".repeat(200_000), /too long/],
  ];
  for (const [fragment, words] of broken) {
    await page.evaluate((hash) => {
      location.hash = hash;
    }, fragment);
    await page.locator(".banner-error", { hasText: words }).waitFor();
    assert.equal(await read(page), "const mine = 1;");
    await page.getByRole("button", { name: "Dismiss" }).click();
    assert.equal(await page.evaluate(() => location.hash), "");
  }
  await context.close();
});

test("a second link pasted into an open tab is opened; the own text is a click away", async () => {
  const { page, context } = await open(site());
  await write(page, "const mine = 1;");
  const open2 = (fragment: string) =>
    page.evaluate((hash) => {
      location.hash = hash;
    }, fragment);
  await open2(link());
  await page.getByText("not run yet").waitFor();
  assert.equal(await read(page), HELLO);
  await open2(link({ source: "// other\n" }));
  await page.locator(".cm-line", { hasText: "// other" }).waitFor();
  await page.getByRole("button", { name: "Back to my draft" }).click();
  assert.equal(await read(page), "const mine = 1;");
  assert.equal(await page.evaluate(() => location.hash), "");
  await context.close();
});

test("an edited link becomes the reader's own draft, and a reload brings it back", async () => {
  const { page, context } = await open(site(), { fragment: link() });
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("// mine");
  await page.locator(".status-note:text('Saved in this browser')").waitFor();
  const length = await page.evaluate(() => history.length);
  await page.keyboard.insertText(" too");
  assert.equal(await page.evaluate(() => history.length), length, "typing makes no history");
  await page.waitForTimeout(500);
  await page.reload();
  await page.locator(".cm-content").waitFor();
  assert.match(await read(page), /\/\/ mine too$/);
  assert.equal(await page.getByText("not run yet").count(), 0);
  await context.close();
});

test("what the author saw is compared with the run", async () => {
  const same = link({ expect: { kind: "output", text: "hello" } });
  const holds = await open(site(), { fragment: same });
  await ready(holds.page);
  await holds.page.keyboard.press("Control+Enter");
  await holds.page.getByText("Still reproduces").waitFor();
  await holds.context.close();

  const other = link({ expect: { kind: "output", text: "goodbye" } });
  const fails = await open(site(), { fragment: other });
  await ready(fails.page);
  await fails.page.keyboard.press("Control+Enter");
  await fails.page.locator(".banner", { hasText: "No longer reproduces: got hello" }).waitFor();
  await fails.context.close();

  const error = link({
    source: FOUNDING,
    expect: { kind: "error", class: "ValueError", primitive: "buffer_callback", line: 5 },
  });
  const reproduced = await open(site(), { fragment: error });
  await ready(reproduced.page);
  await reproduced.page.keyboard.press("Control+Enter");
  await reproduced.page.getByText("Still reproduces").waitFor();
  await reproduced.context.close();
});

test("Copy link gives the address of the program, with what was seen", async () => {
  const { page, context } = await open(site());
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await ready(page);
  await runProgram(page, HELLO);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText("short enough for any chat").waitFor();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, `${site().url}#${link({ expect: { kind: "output", text: "hello" } })}`);
  await context.close();
});

test("the Markdown issue holds code, error, jaxpr and link, whatever the code contains", async () => {
  const { page, context } = await open(site());
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await ready(page);
  await runProgram(page, `${FOUNDING}// \`\`\` and <img src=x> @somebody\n`);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Copy Markdown issue" }).click();
  await page.getByText("Markdown copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /^### Program\n\n````js\n/);
  assert.match(copied, /ValueError: Buffer callbacks do not support JVP/);
  assert.match(copied, /### Jaxpr/);
  assert.match(copied, /buffer_callback/);
  assert.match(copied, /Open it in the playground: <http:\/\/127\.0\.0\.1/);
  await context.close();
});

test("where the clipboard is refused, the text is shown to be copied by hand", async () => {
  const { page, context } = await open(site(), {
    prepare: `Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.reject(new Error("no")) } });`,
  });
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Copy this by hand").waitFor();
  assert.match(await page.locator(".share textarea").inputValue(), /^http:\/\/127\.0\.0\.1.*#/);
  await context.close();
});

test("a program too long for a link is refused with a reason", async () => {
  const { page, context } = await open(site());
  let noise = "";
  for (let i = 0, seed = 7; i < 12_000; i += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    noise += seed.toString(36);
  }
  await write(page, `// ${noise}`);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText("too long for a link").waitFor();
  assert.ok(await page.getByRole("button", { name: "Copy link" }).isDisabled());
  await context.close();
});

test("letters that deceive the eye are marked", async () => {
  const { page, context } = await open(site(), {
    fragment: link({ source: "const a = 1; // \u202e evil \u2066\n" }),
  });
  await page.locator(".cm-specialChar").first().waitFor();
  assert.equal(await page.locator(".cm-specialChar").count(), 2);
  await context.close();
});
