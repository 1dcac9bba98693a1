// The results as a Markdown table, and into the README between its markers.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseResult, Race, Time } from "./measure.ts";
import type { CallTimes, PythonTimes } from "./python.ts";

/** Everything one `npm run bench` found out. */
export interface Results {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  chromium: string | null;
  readonly samples: number;
  readonly races: Record<string, Race>;
  readonly gzipBytes: Record<string, number>;
  startUp: Record<string, number>;
  python: (Partial<PythonTimes> & Partial<CallTimes>) | null;
}

const ours = "cotangent";
const peers = ["jax-js", "tfjs"] as const;

/** Three significant digits, as short as they get. */
function number(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return value >= 10 ? value.toFixed(1) : value >= 1 ? value.toFixed(2) : value.toPrecision(2);
}

function cell({ times, unit }: CaseResult, library: string, mode: Time["mode"]): string {
  const time = times.find((time) => time.library === library && time.mode === mode);
  if (!time) return "–";
  return `${number(time.median)} ${unit}${time.agrees ? "" : " (wrong)"}`;
}

const fastest = ({ times }: CaseResult, library: string): number =>
  Math.min(...times.filter((time) => time.library === library).map(({ median }) => median));

/** How many times as long we take as a peer at its best; under 1 is faster. */
function ratio(result: CaseResult, peer: string): string {
  const value = fastest(result, ours) / fastest(result, peer);
  return Number.isFinite(value) && value > 0 ? `${value.toFixed(2)}×` : "–";
}

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

function raceTable(name: string, { cases, training }: Race): string[] {
  const head = [name, ours, "jit", "jax-js", "jit", "tfjs", "to jax-js", "to tfjs"];
  const lines = [row(head), row(head.map((_, i) => (i === 0 ? "---" : "---:")))];
  for (const result of cases) {
    lines.push(
      row([
        result.title,
        cell(result, ours, "eager"),
        cell(result, ours, "jit"),
        cell(result, "jax-js", "eager"),
        cell(result, "jax-js", "jit"),
        cell(result, "tfjs", "eager"),
        ...peers.map((peer) => ratio(result, peer)),
      ]),
    );
  }
  if (training.length > 0) lines.push("", ...trainingTable(training));
  for (const { title, refused } of cases) {
    for (const { library, mode, reason } of refused)
      lines.push("", `${library} (${mode}) failed at ${title}: ${reason}`);
  }
  return lines;
}

function trainingTable(training: Race["training"]): string[] {
  const count = (steps: number) => steps.toLocaleString("en-US");
  const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
  const { steps } = training[0];
  const line = (title: string, value: (entry: Race["training"][number]) => string) =>
    row([title, ...training.map(value)]);
  return [
    line("w = w − 0.01 · g on 1M floats", ({ library }) => library),
    row(["---", ...training.map(() => "---:")]),
    line("time of a step", (entry) => `${number(entry.millisecondsPerStep)} ms`),
    line(`memory after ${count(Math.max(1, Math.floor(steps / 10)))} steps`, (entry) =>
      mebibytes(entry.bytesAfterTenth),
    ),
    line(`… after ${count(steps)} more`, (entry) => mebibytes(entry.bytesAfter)),
  ];
}

/** The whole report. */
export function table(results: Results): string {
  const { date, machine, node, chromium, samples } = results;
  const lines = [
    `Medians of ${samples} interleaved runs after warm-up on ${date}: ${machine}; Node ${node}` +
      `${chromium ? `, Chromium ${chromium}` : ""}. One thread, float32. The last columns are ` +
      "our time over the peer's, each at its best: under 1 is faster.",
  ];
  for (const [name, race] of Object.entries(results.races))
    lines.push("", ...raceTable(name, race));
  const names = Object.keys(results.gzipBytes);
  lines.push(
    "",
    row(["a bare page", ...names]),
    row(["---", ...names.map(() => "---:")]),
    row([
      "bytes to a first gradient, gzip",
      ...names.map((name) => `${(results.gzipBytes[name] / 1000).toFixed(0)} kB`),
    ]),
  );
  if (Object.keys(results.startUp).length > 0) {
    lines.push(
      row([
        "navigation to a first gradient",
        ...names.map((name) => `${number(results.startUp[name])} ms`),
      ]),
    );
  }
  if (results.python) lines.push("", ...pythonTable(results.python));
  return lines.join("\n");
}

function pythonTable(times: NonNullable<Results["python"]>): string[] {
  const show = (value: number | undefined, unit: string) =>
    value === undefined ? "–" : `${number(value)} ${unit}`;
  return [
    row(["Python", ours, "Pyodide alone"]),
    row(["---", "---:", "---:"]),
    row([
      "navigation to a first result (a gradient; `1 + 1`)",
      show(times.first, "ms"),
      show(times.pyodideFirst, "ms"),
    ]),
    row(["Run to the second result", show(times.second, "ms"), "–"]),
    row([
      "`y + x` on 8 elements (an empty JavaScript function)",
      show(times.fromPython, "µs"),
      show(times.pyodideCall, "µs"),
    ]),
    row(["… of it the engine's own time", show(times.engine, "µs"), "–"]),
  ];
}

/** Replaces what stands between the markers of README.md. */
export function writeReadme(results: Results): void {
  const file = join(import.meta.dirname, "..", "README.md");
  const text = readFileSync(file, "utf8");
  const marked = /(<!-- benchmarks -->\n)[\s\S]*?(\n?<!-- \/benchmarks -->)/;
  if (!marked.test(text)) throw new Error("README.md has no benchmark markers.");
  writeFileSync(
    file,
    text.replace(marked, (_, open, close) => `${open}${table(results)}${close}`),
  );
}
