// npm run bench: the race in Node and in Chromium, sizes and start-up, as a table and as bench/results.json.
//   --quick         a smoke run: few samples, few steps
//   --readme        also rewrites the table in README.md
//   --only KEY,…    only these cases        --no-node, --no-chromium   only the other

import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { chromiumFlags, ensureChromium } from "../scripts/lib/browser.mjs";
import { serve } from "../scripts/lib/serve.mjs";
import { bundle, firstPages, folder, sizes } from "./bundle.ts";
import { median, type Options, type Race } from "./measure.ts";
import { callTimes, pythonTimes } from "./python.ts";
import { type Results, table, writeReadme } from "./report.ts";

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    readme: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    "no-node": { type: "boolean", default: false },
    "no-chromium": { type: "boolean", default: false },
  },
});

const options = {
  samples: flags.quick ? 2 : 11,
  steps: flags.quick ? 50 : 2000,
  only: flags.only.split(",").filter(Boolean),
};

const say = (text: string) => process.stderr.write(`${text}\n`);

function inNode(race: Omit<Options, "say">): Promise<Race> {
  return new Promise((resolve, reject) => {
    const child = fork(join(folder, "in-node.mjs"), [JSON.stringify(race)]);
    child.on("message", (message: { say?: string; result?: Race }) => {
      if (message.say) say(`  node: ${message.say}`);
      if (message.result) resolve(message.result);
    });
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`The race in Node ended early (${code}).`)));
  });
}

async function inChromium(browser: Browser, url: string): Promise<Race> {
  const page = await browser.newPage();
  page.on("console", (message) => say(`  chromium: ${message.text()}`));
  page.on("pageerror", (error) => say(`  chromium: ${error.message}`));
  await page.goto(`${url}in-page.html`);
  await page.waitForFunction(() => typeof window.runRace === "function");
  page.setDefaultTimeout(0);
  const result = await page.evaluate((race) => window.runRace(race), { ...options, assets: "./" });
  await page.close();
  return result;
}

/** Milliseconds from navigation to a first gradient, each time in a browser context without caches. */
async function startUp(browser: Browser, url: string): Promise<Record<string, number>> {
  const times: Record<string, number[]> = Object.fromEntries(firstPages.map((name) => [name, []]));
  for (let turn = 0; turn < options.samples + 1; turn++) {
    for (const name of firstPages) {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${url}${name}.html`);
      const handle = await page.waitForFunction(() => window.firstGradient);
      const first = await handle.jsonValue();
      if (!first || Math.abs(first.second - 1.3817733) > 1e-4) {
        throw new Error(`${name} shows a wrong first gradient: ${first?.second}`);
      }
      if (turn > 0) times[name].push(first.milliseconds);
      await context.close();
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, list]) => [name, median(list)]));
}

await bundle();
const results: Results = {
  date: new Date().toISOString().slice(0, 10),
  machine: `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  node: process.versions.node,
  chromium: null,
  samples: options.samples,
  races: {},
  gzipBytes: sizes(),
  startUp: {},
  python: null,
};
const wantsPython = options.only.length === 0 || options.only.includes("python");
if (wantsPython) {
  say("  python: calls");
  results.python = await callTimes(options.samples);
}
if (!flags["no-node"]) results.races.Node = await inNode({ ...options, assets: `${folder}/` });
if (!flags["no-chromium"]) {
  const server = await serve(folder);
  const executablePath = await ensureChromium();
  const browser = await chromium.launch({ executablePath, args: chromiumFlags });
  try {
    results.chromium = browser.version();
    results.races.Chromium = await inChromium(browser, server.url);
    results.startUp = await startUp(browser, server.url);
    if (wantsPython) {
      say("  python: start-up");
      const turns = Math.min(options.samples, 5);
      results.python = { ...results.python, ...(await pythonTimes(browser, turns)) };
    }
  } finally {
    await browser.close();
    await server.close();
  }
}
process.stdout.write(`${table(results)}\n`);
if (!flags.quick && options.only.length === 0) {
  writeFileSync(join(import.meta.dirname, "results.json"), `${JSON.stringify(results, null, 1)}\n`);
}
if (flags.readme) writeReadme(results);
const wrong = Object.values(results.races).flatMap((race) => [
  ...race.cases.flatMap(({ title, times }) =>
    times
      .filter(({ agrees }) => !agrees)
      .map(({ library, error }) => `${library}: ${title} (${error})`),
  ),
  ...race.training
    .filter(({ agrees }) => !agrees)
    .map(({ library }) => `${library}: training loop`),
]);
for (const line of wrong) say(`WRONG RESULT  ${line}`);
process.exitCode = wrong.length > 0 ? 1 : 0;
