import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { encodeLink } from "../../www/share/codec";
import {
  choosePython,
  finished,
  open,
  printed,
  read,
  ready,
  runProgram,
  useSite,
  write,
} from "./browser";

const site = useSite();
const choice = (page: Page, name: string) => page.locator(".switch-choice", { hasText: name });

/** Goes on in Python and waits until the interpreter has started. */
async function python(page: Page): Promise<void> {
  await choosePython(page);
  await ready(page);
}

test("nothing of Python is fetched before Python is asked for", async () => {
  const before = site().requests.length;
  const { page, context } = await open(site());
  await ready(page);
  await runProgram(page, 'import { print } from "cotangent";\nprint(1);\n');
  assert.deepEqual(
    site()
      .requests.slice(before)
      .filter((path) => /python/i.test(path)),
    [],
  );
  await context.close();
});

test("the first Python program runs, the second in the same interpreter with nothing left of the first", async () => {
  const { page, context, complaints } = await open(site());
  await choosePython(page);
  assert.match(await runProgram(page, "import sys\nsys.kept = x = 1\nprint('first', x)\n"), /^Ran/);
  assert.equal(await printed(page), "first 1");
  await runProgram(page, "import sys\nprint(sys.kept, 'x' in globals(), __name__)\n");
  assert.equal(await printed(page), "1 False __main__");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("the download says in bytes how far it is", async () => {
  const { page, context } = await open(site());
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route("**/python-snapshot-*", async (route) => {
    await held;
    await route.continue();
  });
  await choosePython(page);
  const bar = page.getByRole("progressbar");
  await page.getByText(/Loading Python, once: [1-9][\d.]* of 1\d\.\d MB/).waitFor();
  const [value, max] = await bar.evaluate((element: HTMLProgressElement) => [
    element.value,
    element.max,
  ]);
  assert.ok(value && max && value > 1e6 && value < max, `${value} of ${max}`);
  release();
  await ready(page);
  assert.equal(await bar.count(), 0);
  await context.close();
});

test("a download that fails is said, and can be tried again", async () => {
  const { page, context } = await open(site());
  await page.route("**/python-stdlib-*", (route) => route.abort());
  await choosePython(page);
  await page.getByText("Python could not be loaded.").waitFor();
  await write(page, "print('kept')\n");
  await page.unroute("**/python-stdlib-*");
  await page.getByRole("button", { name: "Try again" }).click();
  await ready(page);
  await runProgram(page);
  assert.equal(await printed(page), "kept");
  await context.close();
});

test("Stop ends an endless loop in Python, and the next program runs soon", async () => {
  const { page, context } = await open(site());
  await python(page);
  await write(page, "print('on')\nwhile True:\n    pass\n");
  await page.keyboard.press("Control+Enter");
  await page.locator(".printed", { hasText: "on" }).waitFor();
  const stopped = await page.evaluate(async () => {
    const pressed = performance.now();
    document.querySelector<HTMLElement>(".toolbar .button-stop")?.click();
    while (document.querySelector(".toolbar .button-stop"))
      await new Promise((resolve) => setTimeout(resolve, 5));
    return performance.now() - pressed;
  });
  assert.ok(stopped < 1_000, `stopped after ${stopped} ms`);
  assert.equal(await printed(page), "on");
  const began = performance.now();
  await runProgram(page, "print('again')\n");
  const again = performance.now() - began;
  assert.equal(await printed(page), "again");
  // The goal is 1.5 s on a machine of its own.
  assert.ok(again < 5_000, `ran again after ${again} ms`);
  await context.close();
});

test("an error is underlined to the column, also after characters of two units", async () => {
  const { page, context } = await open(site());
  await python(page);
  const source = "def f(y):\n    return ['😀', 1 + (y / 0)]\n\nf(2)\n";
  assert.match(await runProgram(page, source), /^ZeroDivisionError at line 2/);
  const marked = page.locator(".cm-lintRange-error");
  assert.equal(await marked.textContent(), "y / 0");
  assert.match(await runProgram(page, "x = 1\nif x\n    y\n"), /^SyntaxError at line 2/);
  await context.close();
});

test("a link carries the language, and opens stopped and without a download", async () => {
  const source = "print('from a link')\n";
  const fragment = encodeLink({ language: "py", source, engine: "0.1.0" });
  const before = site().requests.length;
  const { page, context } = await open(site(), { fragment });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByText("not run yet").waitFor();
  assert.equal(await read(page), source);
  assert.ok(await choice(page, "Python").locator("input").isChecked());
  const fetched = site().requests.slice(before);
  assert.deepEqual(
    fetched.filter((path) => /python-(wasm|snapshot|stdlib)/.test(path)),
    [],
  );
  await page.keyboard.press("Control+Enter");
  assert.match(await finished(page), /^Ran/);
  assert.equal(await printed(page), "from a link");

  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText("Record what I see").click();
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, `${site().url}#${fragment}`);
  await context.close();
});

test("a switch of the language keeps both texts, their histories, and survives a reload", async () => {
  const { page, context } = await open(site());
  await write(page, "const mine = 1;");
  await choosePython(page);
  await write(page, "mine = 2");
  await choice(page, "JavaScript").click();
  assert.equal(await read(page), "const mine = 1;");
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+z");
  assert.match(await read(page), /from "cotangent"/, "Undo stays in its language");
  await page.keyboard.press("Control+y");
  await choosePython(page);
  assert.equal(await read(page), "mine = 2");
  await page.locator(".status-note:text('Saved in this browser')").waitFor();
  await page.reload();
  await page.locator(".cm-content").waitFor();
  assert.equal(await read(page), "mine = 2");
  await choice(page, "JavaScript").click();
  assert.equal(await read(page), "const mine = 1;");
  await context.close();
});

test("the switch works from the keyboard", async () => {
  const { page, context } = await open(site());
  await page.getByRole("radio", { name: "JavaScript" }).focus();
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.getByRole("radio", { name: "Python" }).isChecked());
  await ready(page);
  await runProgram(page, "print('keys')\n");
  assert.equal(await printed(page), "keys");
  await context.close();
});

test("the program is saved as a file and as a notebook", async () => {
  const { page, context } = await open(site());
  await python(page);
  await runProgram(page, "print('out')\n1 / 0\n");
  const saved = async (name: string) => {
    await page.getByRole("button", { name: "Share" }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name }).click();
    const file = await download;
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    return { name: file.suggestedFilename(), text: Buffer.concat(chunks).toString("utf8") };
  };
  assert.deepEqual(await saved("Save as .py"), {
    name: "program.py",
    text: "print('out')\n1 / 0\n",
  });
  const file = await saved("Save as .ipynb");
  assert.equal(file.name, "program.ipynb");
  const { cells, nbformat } = JSON.parse(file.text);
  assert.equal(nbformat, 4);
  const [about, code] = cells;
  assert.match(about.source.join(""), /open it there/);
  assert.equal(code.source.join(""), "print('out')\n1 / 0");
  assert.deepEqual(code.outputs[0].text, ["out\n"]);
  assert.equal(code.outputs[1].ename, "ZeroDivisionError");
  await context.close();
});

test("our NumPy runs in the page, with its loops in JavaScript", async () => {
  const { page, context, complaints } = await open(site());
  await choice(page, "Python").click();
  const source =
    "import numpy as np\n" +
    "x = np.random.default_rng(0).normal(size=1000)\n" +
    "print(np._kernels.ready, (x * x).sum(), np.exp(x).max())\n";
  assert.match(await runProgram(page, source), /^Ran/);
  assert.equal(await printed(page), "True 956.3530648422026 21.456695454076065");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("completion, hover words and signatures come from the registry, by the program's imports", async () => {
  const { page, context } = await open(site());
  await choosePython(page);
  await ready(page);
  await write(page, "import jax.numpy as j\nfrom jax import lax\n");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("j.argm");
  const option = page.locator(".cm-tooltip-autocomplete li", { hasText: "argmax" });
  await option.waitFor();
  // Completion does not take Enter in the first moments of its list.
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  await page.keyboard.type("(");
  const signature = page.locator(".cm-doc-signature");
  await signature.getByText("jax.numpy.argmax(a, axis=None, *, keepdims=False)").waitFor();
  await page.locator(".cm-doc-text", { hasText: "when None" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nlax.dynamic_s");
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "dynamic_slice_in_dim" }).waitFor();
  await context.close();
});
