// npm test: every check there is. `npm test -- rust`, `-- js`, `-- page`, `-- lint` run a part (several may be
// named); a further word picks test files by name, as in `npm test -- js codec`.

import { chromiumFlags, ensureChromium, ensureFirefox } from "./lib/browser.mjs";
import { ensureEngine } from "./lib/engine.mjs";
import { at, filesUnder, run } from "./lib/project.mjs";
import { duration, heading, main, outcome, Stop, say } from "./lib/say.mjs";
import { ensureLibrary, ensureSite, node } from "./lib/site.mjs";
import {
  checkNode,
  ensurePackages,
  ensureRust,
  ensureRustComponents,
  wasmTarget,
} from "./lib/toolchain.mjs";

const parts = ["lint", "rust", "js", "page"];
const chosen = process.argv.slice(2).filter((word) => parts.includes(word));
const filters = process.argv.slice(2).filter((word) => !parts.includes(word));
if (chosen.length === 0) chosen.push(...parts);

const command =
  (program, ...args) =>
  async () =>
    (await run(program, args)) === 0;

/** Runs the test files under `folders` with Node's runner. */
const nodeTests =
  (...folders) =>
  async () => {
    const files = filesUnder(folders)
      .filter((file) => /\.(web)?test\.tsx?$/.test(file))
      .filter((file) => filters.every((word) => file.includes(word)));
    if (files.length === 0) return null;
    const env = { TSX_TSCONFIG_PATH: at("tsconfig.json") };
    const args = ["--import", "tsx", "--test", "--test-reporter=spec", ...files];
    return (await run(process.execPath, args, { env })) === 0;
  };

const warningsAreErrors = ["--", "-D", "warnings"];

// In the order they run. `needs` names steps that must have succeeded; a step is run for any part it is in,
// and for any chosen step that needs it.
const steps = [
  { name: "Node", run: checkNode },
  { name: "npm packages", needs: ["Node"], run: ensurePackages },
  {
    name: "Rust",
    run: async () => {
      await ensureRust();
      await ensureRustComponents();
    },
  },
  { name: "engine", needs: ["Node", "Rust"], run: ensureEngine },
  {
    name: "rustfmt",
    part: "lint",
    needs: ["Rust"],
    run: command("cargo", "fmt", "--all", "--check"),
  },
  {
    name: "clippy",
    part: "lint",
    needs: ["Rust"],
    run: command("cargo", "clippy", "--workspace", "--all-targets", ...warningsAreErrors),
  },
  {
    name: "clippy for wasm",
    part: "lint",
    needs: ["Rust"],
    run: command(
      "cargo",
      "clippy",
      "--workspace",
      "--lib",
      "--target",
      wasmTarget,
      ...warningsAreErrors,
    ),
  },
  {
    name: "biome",
    part: "lint",
    needs: ["npm packages"],
    run: command(...nodeProgram("@biomejs/biome/bin/biome", "check", "--error-on-warnings")),
  },
  {
    name: "tsc",
    part: "lint",
    needs: ["npm packages", "engine"],
    run: command(...nodeProgram("typescript/bin/tsc", "--noEmit", "-p", at("tsconfig.json"))),
  },
  { name: "Rust tests", part: "rust", needs: ["Rust"], run: command("cargo", "test") },
  { name: "library", needs: ["npm packages", "engine"], run: ensureLibrary },
  {
    name: "JavaScript tests",
    part: "js",
    needs: ["library"],
    run: nodeTests("tests/js", "tests/conformance", "tests/python"),
  },
  { name: "site", needs: ["npm packages", "engine"], run: ensureSite },
  {
    name: "Chromium",
    run: async () => {
      process.env.CHROMIUM_PATH = await ensureChromium();
      process.env.CHROMIUM_FLAGS = chromiumFlags.join(" ");
    },
  },
  {
    name: "Firefox",
    run: async () => {
      const path = await ensureFirefox();
      if (path) process.env.FIREFOX_PATH = path;
    },
  },
  {
    name: "browser tests",
    part: "page",
    needs: ["site", "Chromium", "Firefox"],
    run: nodeTests("tests/www"),
  },
];

function nodeProgram(...words) {
  const [program, args] = node(...words);
  return [program, ...args];
}

const wanted = new Set();
const want = (step) => {
  wanted.add(step.name);
  for (const name of step.needs ?? []) want(steps.find((other) => other.name === name));
};
for (const step of steps) if (chosen.includes(step.part)) want(step);

await main(async () => {
  const began = performance.now();
  const results = new Map();
  for (const step of steps.filter(({ name }) => wanted.has(name))) {
    const missing = (step.needs ?? []).filter((name) => results.get(name)?.state !== "passed");
    if (missing.length > 0) {
      results.set(step.name, { state: "not run", note: `needs ${missing.join(", ")}` });
      continue;
    }
    if (step.part) heading(step.name);
    const start = performance.now();
    const result = await attempt(step);
    result.note ??= duration(performance.now() - start);
    results.set(step.name, result);
    if (step.part) outcome(result.state === "passed", `${step.name}, ${result.note}`);
  }

  heading("Summary");
  for (const [name, { state, note }] of results)
    say(`  ${state.padEnd(8)}${name.padEnd(18)}${note}`);
  const count = (state) => [...results.values()].filter((result) => result.state === state).length;
  const failed = count("failed") + count("not run");
  say(
    `\n${failed === 0 ? "Everything passed" : "Not everything passed"} in ${duration(performance.now() - began)}.`,
  );
  say(`steps: ${count("passed")} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
});

/** Runs one step. `false` is a failure, `null` means that there was nothing to run. */
async function attempt(step) {
  try {
    const result = await step.run();
    if (result === null) return { state: "passed", note: "no test files" };
    return { state: result === false ? "failed" : "passed" };
  } catch (error) {
    say(error instanceof Stop ? error.message : String(error?.stack ?? error));
    return { state: "failed" };
  }
}
