/**
 * The same page in Firefox, by WebDriver BiDi: what depends on the engine of the browser, in both
 * languages. Without an installed Firefox (or FIREFOX_PATH) there is nothing to test with.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, test } from "node:test";
import puppeteer, { type Browser, type Page } from "puppeteer-core";
import { encodeLink } from "../../www/share/codec";
import { useSite } from "./browser";
import { FOUNDING_PYTHON, hostilePython } from "./programs";

const firefox = process.env.FIREFOX_PATH ?? "/usr/bin/firefox-esr";
const skip = existsSync(firefox) ? false : `no Firefox at ${firefox}`;
const site = useSite();
let browser: Browser | null = null;

before(async () => {
  if (skip) return;
  browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: firefox,
    headless: true,
    extraPrefsFirefox: { "dom.events.asyncClipboard.readText": true },
  });
});
after(async () => {
  await browser?.close();
});

async function open(fragment = ""): Promise<Page> {
  assert.ok(browser);
  // A profile of its own: what another test has stored is not there.
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`${site().url}${fragment && `#${fragment}`}`);
  // The editor is in a shadow root, which the selector goes into.
  await page.waitForSelector("pierce/.cm-content");
  return page;
}

const status = (page: Page) => page.$eval(".status-run", (element) => element.textContent ?? "");

async function until(page: Page, pattern: RegExp, patience = 30_000): Promise<string> {
  for (const end = Date.now() + patience; Date.now() < end; ) {
    const words = await status(page);
    if (pattern.test(words)) return words;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
  throw new Error(`the status stays "${await status(page)}"`);
}

const ENDED = /^(Ran|Stopped|The engine failed|\w+ at line|\w+, after)/;

/** Puts a program into the editor by its link: every driver types in its own way. */
async function write(page: Page, source: string, language: "js" | "py" = "py"): Promise<void> {
  const fragment = encodeLink({ language, source, engine: "0.1.0" });
  await page.evaluate((hash) => {
    location.hash = hash;
  }, fragment);
  await page.waitForFunction(() =>
    document.querySelector(".banner")?.textContent?.includes("not run yet"),
  );
  await until(page, /^(Ready|Starting|Loading)/);
}

async function press(page: Page): Promise<void> {
  await page.keyboard.down("Control");
  await page.keyboard.press("Enter");
  await page.keyboard.up("Control");
}

/** Runs what is in the editor. */
async function rerun(page: Page): Promise<string> {
  await press(page);
  await until(page, /^(Running|Starting|Loading|Ran|\w+ at)/);
  return until(page, ENDED);
}

async function run(page: Page, source: string, language: "js" | "py" = "py"): Promise<string> {
  await write(page, source, language);
  return rerun(page);
}

const printed = (page: Page) =>
  page.$$eval(".printed", (blocks) => blocks.map((block) => block.textContent).join("\n"));

async function toPython(page: Page): Promise<void> {
  for (let turn = 1; ; turn++) {
    try {
      await page.click('.switch-choice:has(input[value="py"])');
      await page.waitForSelector('.page[data-language="py"]');
      break;
    } catch (error) {
      // On a busy machine Firefox may still be moving the page into a process of its own.
      if (turn === 3 || !/unsupported operation/.test(String(error))) throw error;
    }
  }
  await until(page, /^Ready/);
}

test("Firefox: a JavaScript program runs, an endless one is stopped", { skip }, async () => {
  const page = await open();
  await until(page, /^Ready/);
  assert.match(
    await run(
      page,
      'import { np, print } from "cotangent";\nprint(np.sum(np.array([1, 2])));\n',
      "js",
    ),
    /^Ran/,
  );
  assert.equal(await printed(page), "3");
  await write(page, "while (true) {}", "js");
  await press(page);
  await until(page, /^Running/);
  await page.click(".button-stop");
  await until(page, /^Stopped/);
  await page.browserContext().close();
});

test("Firefox: Python runs, runs again, is stopped, and runs again", { skip }, async () => {
  const page = await open();
  await toPython(page);
  const program = `import sys
print(getattr(sys, "kept", 0), "x" in globals())
sys.kept = x = 1
`;
  assert.match(await run(page, program), /^Ran/);
  assert.equal(await printed(page), "0 False");
  await rerun(page);
  assert.equal(await printed(page), "1 False");
  await write(page, "while True:\n    pass\n");
  await press(page);
  await until(page, /^Running/);
  const began = performance.now();
  await page.click(".button-stop");
  await until(page, /^Stopped/);
  assert.ok(performance.now() - began < 1_500);
  await run(page, "print('again')\n");
  assert.equal(await printed(page), "again");
  await page.browserContext().close();
});

test("Firefox: an error in Python is underlined to the column", { skip }, async () => {
  const page = await open();
  await toPython(page);
  assert.match(
    await run(page, "def f(y):\n    return 1 + (y / 0)\n\nf(2)\n"),
    /^ZeroDivisionError at line 2/,
  );
  const marked = await page.$eval("pierce/.cm-lintRange-error", (element) => element.textContent);
  assert.equal(marked, "y / 0");
  await page.browserContext().close();
});

test("Firefox: a fix of a Python program is applied and runs", { skip }, async () => {
  const page = await open();
  await toPython(page);
  assert.match(await run(page, FOUNDING_PYTHON), /^ValueError at line 11/);
  const marked = await page.$eval("pierce/.cm-lintRange-error", (element) => element.textContent);
  assert.equal(marked, "sin(x)");
  await page.waitForSelector(".fix .check-pass");
  await page.evaluate(() => {
    const buttons = [...document.querySelectorAll<HTMLButtonElement>(".fix button")];
    buttons.find((button) => button.textContent === "Apply and run")?.click();
  });
  await page.waitForSelector(".applied .check-pass");
  assert.match(await until(page, ENDED), /^Ran/);
  assert.match(await printed(page), /^\[ ?0\..*1\.38/);
  await page.browserContext().close();
});

test("Firefox: a plot of a Python program is drawn", { skip }, async () => {
  const page = await open();
  await toPython(page);
  const program = [
    "import jax, jax.numpy as jnp",
    "import matplotlib.pyplot as plt",
    "x = jnp.linspace(0, 6, 50)",
    "plt.plot(x, jax.vmap(jax.grad(jnp.sin))(x), label='slope')",
    "plt.title('The slope of sin')",
    "plt.legend()",
  ];
  assert.match(await run(page, `${program.join("\n")}\n`), /^Ran/);
  const name = await page.$eval("svg[role=img]", (svg) => svg.getAttribute("aria-label"));
  assert.match(name ?? "", /The slope of sin/);
  const drawn = await page.$$eval("svg[role=img] path", (paths) => paths.length);
  assert.ok(drawn > 0);
  await page.browserContext().close();
});

test("Firefox: a figure has the colours of the theme and its image", { skip }, async () => {
  const page = await open();
  await toPython(page);
  const program = `import matplotlib.pyplot as plt
plt.plot([1, 2, 3], color="navy")
plt.plot([3, 2, 1])
plt.title("Lines")
plt.show()
plt.imshow([[0, 1], [2, 3]])
`;
  assert.match(await run(page, program), /^Ran/);
  await page.waitForSelector(".drawing image");
  const seen = await page.evaluate(async () => {
    const strokes = [...document.querySelectorAll(".drawing > path[clip-path]")].map(
      (line) => getComputedStyle(line).stroke,
    );
    const pixels = new Image();
    pixels.src = document.querySelector(".drawing image")?.getAttribute("href") ?? "";
    await pixels.decode();
    const [first] = document.querySelectorAll(".drawing");
    return { strokes, size: pixels.naturalWidth, label: first?.getAttribute("aria-label") };
  });
  assert.deepEqual(seen.strokes, ["rgb(0, 0, 128)", "rgb(31, 119, 180)"]);
  assert.equal(seen.size, 2);
  assert.match(seen.label ?? "", /^Figure\. Lines/);
  await page.browserContext().close();
});

test("Firefox: a link to a Python program opens stopped, and runs", { skip }, async () => {
  const source = "print('from a link')\n";
  const page = await open(encodeLink({ language: "py", source, engine: "0.1.0" }));
  await page.waitForSelector(".banner");
  assert.equal(await printed(page), "");
  await page.focus("pierce/.cm-content");
  await press(page);
  assert.match(await until(page, ENDED), /^Ran/);
  assert.equal(await printed(page), "from a link");
  await page.browserContext().close();
});

test("Firefox: no request leaves the sandbox from Python", { skip }, async () => {
  const page = await open();
  await toPython(page);
  const asked = site().requests.length;
  for (const target of [site().elsewhere, new URL(site().url).origin]) {
    await write(page, hostilePython(`${target}/leak`));
    await press(page);
    // Firefox sometimes holds a worker that starts a worker, which is last; Stop ends it all the same.
    const ended = await until(page, ENDED, 12_000).catch(() => "");
    if (ended === "") {
      await page.click(".button-stop");
      await until(page, /^Stopped/);
    }
    assert.match(await printed(page), /package=/);
    assert.doesNotMatch(await printed(page), /=reached/);
    await new Promise((resolve) => setTimeout(resolve, 600));
  }
  assert.deepEqual(site().hits, []);
  assert.deepEqual(site().requests.slice(asked), []);
  await page.browserContext().close();
});
