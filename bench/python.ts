// Python: from navigation to a first result and on to a second, and what a call of a primitive costs, both beside
// Pyodide alone.

import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { serve } from "../scripts/lib/serve.mjs";
import { glue, load, TapeReader, writeTape } from "../www/lib/engine.ts";
import { startInNode } from "../www/python-host/node.ts";
import { encodeLink } from "../www/share/codec.ts";
import { folder } from "./bundle.ts";
import { median } from "./measure.ts";

/** What was measured of Python. */
export interface PythonTimes {
  /** Milliseconds from navigation to the first printed gradient, on the playground's page. */
  readonly first: number;
  /** … from pressing Run again to the second. */
  readonly second: number;
  /** Milliseconds from navigation to the result of `1 + 1`, on a bare page with Pyodide as it comes. */
  readonly pyodideFirst: number;
}

/** Microseconds of `y = y + x` on 8 elements. */
export interface CallTimes {
  readonly fromPython: number;
  /** The same call of the engine from JavaScript. */
  readonly engine: number;
  /** A call from Python of a JavaScript function that does nothing. */
  readonly pyodideCall: number;
}

const home = join(import.meta.dirname, "..");
const PROGRAM = "import jax, jax.numpy as jnp\nprint(jax.grad(lambda x: jnp.sin(x) * x)(1.0))\n";
const EXPECTED = "1.3817732";
const FILES = [
  "pyodide.mjs",
  "pyodide.asm.mjs",
  "pyodide.asm.wasm",
  "python_stdlib.zip",
  "pyodide-lock.json",
];

/** Start-up in Chromium; every turn in a browser context without caches. */
export async function pythonTimes(browser: Browser, turns: number): Promise<PythonTimes> {
  const pyodide = dirname(createRequire(import.meta.url).resolve("pyodide/package.json"));
  for (const name of FILES) copyFileSync(join(pyodide, name), join(folder, name));
  writeFileSync(
    join(folder, "pyodide-alone.html"),
    `<!doctype html><meta charset="utf-8"><title>Pyodide</title><link rel="icon" href="data:,"><script type="module">
import { loadPyodide } from "./pyodide.mjs";
const pyodide = await loadPyodide();
window.firstResult = { sum: pyodide.runPython("1 + 1"), milliseconds: performance.now() };
</script>\n`,
  );
  const [bare, site] = [await serve(folder), await serve(join(home, "dist"))];
  const times: Record<keyof PythonTimes, number[]> = { first: [], second: [], pyodideFirst: [] };
  try {
    for (let turn = 0; turn < turns; turn++) {
      const { first, second } = await onPage(browser, site.url);
      times.first.push(first);
      times.second.push(second);
      times.pyodideFirst.push(await alone(browser, bare.url));
    }
  } finally {
    await bare.close();
    await site.close();
  }
  return {
    first: median(times.first),
    second: median(times.second),
    pyodideFirst: median(times.pyodideFirst),
  };
}

async function alone(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}pyodide-alone.html`);
  const handle = await page.waitForFunction(
    () => (window as { firstResult?: { sum: number; milliseconds: number } }).firstResult,
    null,
    { timeout: 120_000 },
  );
  const found = await handle.jsonValue();
  if (found?.sum !== 2) throw new Error("Pyodide alone does not add");
  await context.close();
  return found.milliseconds;
}

/** Opens a link to a program, presses Run as soon as that can be done, and once more when it has run. */
async function onPage(browser: Browser, url: string): Promise<{ first: number; second: number }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const fragment = encodeLink({ language: "py", source: PROGRAM, engine: "0.1.0" });
  await page.goto(`${url}#${fragment}`);
  await page.locator(".cm-content").waitFor();
  await page.keyboard.press("Control+Enter");
  const shown = () =>
    page
      .waitForFunction(
        (expected) => document.querySelector(".printed")?.textContent?.includes(expected),
        EXPECTED,
        { polling: "raf" },
      )
      .then(() => page.evaluate(() => performance.now()));
  const first = await shown();
  const ran = page.locator(".status-run", { hasText: /^Ran/ });
  await ran.waitFor();
  const again = await page.evaluate(async (expected) => {
    const began = performance.now();
    document.querySelector<HTMLElement>(".toolbar .button-run")?.click();
    // Nothing is named in here: what the loader of TypeScript adds for names is not there in the page.
    for (const there of [false, true]) {
      while ((document.querySelector(".printed")?.textContent ?? "").includes(expected) !== there)
        await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return performance.now() - began;
  }, EXPECTED);
  await context.close();
  return { first, second: again };
}

/** What a call costs, in Node. */
export async function callTimes(samples: number): Promise<CallTimes> {
  load(readFileSync(join(home, "pkg/cotangent_bg.wasm")));
  const pyodide = await startInNode();
  const loops = 2_000;
  pyodide.registerJsModule("_bench", { nothing: () => 0 });
  const fromPython = pyodide.runPython(`
import time
import jax.numpy as jnp
from _bench import nothing

x = jnp.ones(8)

def add(n):
    y = x
    began = time.perf_counter()
    for _ in range(n):
        y = y + x
    return (time.perf_counter() - began) / n * 1e6

def call(n):
    began = time.perf_counter()
    for _ in range(n):
        nothing()
    return (time.perf_counter() - began) / n * 1e6

lambda which, n: (add if which == "add" else call)(n)
`) as (which: string, n: number) => number;
  const engine = engineLoop();
  const times = { fromPython: [] as number[], engine: [] as number[], pyodideCall: [] as number[] };
  for (let turn = 0; turn < samples + 2; turn++) {
    const found = {
      fromPython: fromPython("add", loops),
      engine: engine(loops),
      pyodideCall: fromPython("call", loops),
    };
    if (turn < 2) continue;
    for (const key of ["fromPython", "engine", "pyodideCall"] as const) times[key].push(found[key]);
  }
  return {
    fromPython: median(times.fromPython),
    engine: median(times.engine),
    pyodideCall: median(times.pyodideCall),
  };
}

/** The same additions without a front-end: microseconds of one. */
function engineLoop(): (n: number) => number {
  const names = glue
    .describe()
    .split("\n")
    .filter((line) => line.startsWith("f\t"))
    .map((line) => line.split("\t")[1]);
  const [ones, add] = ["np.ones", "np.add"].map((name) => names.indexOf(name));
  const [VALUE, NUMBER] = [1, 2];
  const handle = () => {
    const tape = new TapeReader();
    tape.next();
    return tape.next();
  };
  writeTape([NUMBER, 8]);
  glue.call(ones as number, 1, 2, 0);
  const x = handle();
  return (n) => {
    const began = performance.now();
    let y = x;
    for (let i = 0; i < n; i++) {
      writeTape([VALUE, y, VALUE, x]);
      glue.call(add as number, 2, 4, 0);
      if (y !== x) glue.free(y);
      y = handle();
    }
    const time = ((performance.now() - began) / n) * 1000;
    glue.free(y);
    return time;
  };
}
