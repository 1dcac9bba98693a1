/** The command line: run a program, make a link of it, open a link. */

import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { argv as processArgv, stdin } from "node:process";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { OutputItem } from "../lib/report.ts";
import { decodeLink, encodeLink, MAX_ENCODED, type Program } from "../share/codec.ts";
import { describeExpectation, expectationOf, holds } from "../share/expect.ts";
import { Executor, type Outcome } from "./execute.ts";
import { type Options, readOptions, USAGE, UsageError } from "./options.ts";
import { diagnosisText, itemText, jsonOf, printed, ruleText, timeoutText } from "./print.ts";

/** Where the command reads and writes, and what runs programs; tests put in their own. */
export interface Surroundings {
  out(text: string): void;
  err(text: string): void;
  /** Address of the module with `runProgram`, `initEngine` and `checkFix`, for each language. */
  runners: Readonly<Record<Program["language"] | "cells", string>>;
  /** Path of the engine's wasm, or null when the runner needs none. */
  engine: string | null;
}

const EXIT = { ok: 0, failed: 1, usage: 2, timeout: 124 };

/** Runs the command and gives its exit status. */
export async function main(argv: readonly string[], around: Surroundings): Promise<number> {
  try {
    const options = readOptions(argv);
    if (!options) {
      around.out(USAGE);
      return EXIT.ok;
    }
    if (options.command === "open") return await open(options, around);
    if (options.command === "link") {
      return await link(await readSource(options.target), options, around);
    }
    return options.cells ? await cells(options, around) : await runAll(options, around);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    around.err(`${error.message}\n\n${USAGE}`);
    return EXIT.usage;
  }
}

async function readSource(target: string): Promise<string> {
  try {
    return target === "-" ? await readAll(stdin) : await readFile(target, "utf8");
  } catch (error) {
    throw new UsageError(
      `${target} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** The language of a program by its file's name. */
const languageOf = (target: string): Program["language"] => (target.endsWith(".py") ? "py" : "js");

/** Runs one program after the other; the status is that of the first that failed. */
async function runAll(options: Options, around: Surroundings): Promise<number> {
  const programs = await Promise.all(
    options.targets.map(async (target) => ({
      source: await readSource(target),
      language: languageOf(target),
      file: target === "-" ? "program.js" : basename(target),
    })),
  );
  const threads = new Threads(around);
  let status = EXIT.ok;
  try {
    for (const program of programs) {
      const outcome = await runShown(program, options, around, threads);
      if (options.json) around.out(`${JSON.stringify(jsonOf(outcome, options.timeout))}\n`);
      status ||= statusOf(outcome);
    }
  } finally {
    await threads.close();
  }
  return status;
}

/** Threads for programs: Python's interpreter is kept from one to the next, JavaScript begins anew. */
class Threads {
  private readonly python: Executor;

  constructor(private readonly around: Surroundings) {
    this.python = this.open("py");
  }

  /** Runs a program of a language. */
  async run(
    language: Program["language"],
    ...[job, timeout, onItem]: Parameters<Executor["run"]>
  ): Promise<Outcome> {
    if (language === "py") return this.python.run(job, timeout, onItem);
    const thread = this.open(language);
    try {
      return await thread.run(job, timeout, onItem);
    } finally {
      await thread.close();
    }
  }

  private open(language: Program["language"]): Executor {
    const { runners, engine } = this.around;
    return new Executor({ runner: runners[language], engine });
  }

  close(): Promise<void> {
    return this.python.close();
  }
}

/** Runs the cells of a notebook in one namespace and prints what each gave, as JSON. */
async function cells({ targets, timeout }: Options, around: Surroundings): Promise<number> {
  const [target = "-"] = targets;
  let sources: unknown;
  try {
    sources = JSON.parse(await readSource(target));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(
      `${target} is not JSON: ${error instanceof Error ? error.message : error}`,
    );
  }
  if (!Array.isArray(sources) || !sources.every((source) => typeof source === "string")) {
    throw new UsageError(`${target} has to be a JSON list of texts, one for each cell.`);
  }
  const thread = new Executor({ runner: around.runners.cells, engine: around.engine });
  const job = { source: JSON.stringify(sources), file: target, x64: false, checkFixes: false };
  try {
    const outcome = await thread.run(job, timeout);
    const found = outcome.items.flatMap((item) => (item.kind === "text" ? [item.text] : []));
    if (outcome.broken !== null) around.err(`${outcome.broken}\n`);
    if (outcome.timedOut) around.err(`${timeoutText(timeout)}\n`);
    around.out(`[${found.join(",\n ")}]\n`);
    return outcome.report ? EXIT.ok : statusOf(outcome);
  } finally {
    await thread.close();
  }
}

/** Runs a program; unless one JSON object is wanted, shows its output and its diagnosis. */
async function runShown(
  { source, language, file }: Pick<Program, "source" | "language"> & { file: string },
  { json, x64, timeout }: Options,
  around: Surroundings,
  threads: Threads,
): Promise<Outcome> {
  const show = (item: OutputItem) => around.out(`${itemText(item)}\n`);
  const job = { source, file, x64, checkFixes: json };
  const outcome = await threads.run(language, job, timeout, json ? undefined : show);
  if (json) return outcome;
  const { report } = outcome;
  if (outcome.timedOut) around.err(`${timeoutText(timeout)}\n`);
  if (outcome.broken !== null) around.err(`${outcome.broken}\n`);
  if (report?.error) around.err(diagnosisText(report.error, source, file));
  if (report) around.err(ruleText(report));
  return outcome;
}

function statusOf({ report, timedOut }: Outcome): number {
  if (timedOut) return EXIT.timeout;
  return report?.ok ? EXIT.ok : EXIT.failed;
}

async function link(source: string, options: Options, around: Surroundings): Promise<number> {
  const language = languageOf(options.target);
  const program: Program = { language, source, engine: version() };
  if (options.x64) program.options = { x64: true };
  if (options.expect) {
    const { x64, timeout } = options;
    const file = basename(options.target);
    const threads = new Threads(around);
    const job = { source, file, x64, checkFixes: false };
    const outcome = await threads.run(language, job, timeout).finally(() => threads.close());
    if (!outcome.report) {
      around.err(`${outcome.timedOut ? timeoutText(timeout) : outcome.broken}\n`);
      return statusOf(outcome);
    }
    program.expect = expectationOf(outcome.report, printed(outcome.items));
  }
  const fragment = encodeLink(program);
  if (fragment.length > MAX_ENCODED) {
    around.err(
      `The program is too long for a link: ${fragment.length} characters, at most ${MAX_ENCODED}.\n`,
    );
    return EXIT.failed;
  }
  around.out(`#${fragment}\n`);
  return EXIT.ok;
}

async function open(options: Options, around: Surroundings): Promise<number> {
  const read = decodeLink(options.target);
  if (!read.ok) {
    if (options.json)
      around.out(
        `${JSON.stringify({ ok: false, link: { kind: read.kind, reason: read.reason } })}\n`,
      );
    else around.err(`${read.reason}\n`);
    return EXIT.usage;
  }
  const { program } = read;
  const { language, source } = program;
  const x64 = options.x64 || program.options?.x64 === true;
  const file = language === "js" ? "program.js" : "program.py";
  const threads = new Threads(around);
  const outcome = await runShown(
    { source, language, file },
    { ...options, x64 },
    around,
    threads,
  ).finally(() => threads.close());
  const { expect } = program;
  const { report } = outcome;
  const text = printed(outcome.items);
  const kept = expect ? report !== null && holds(expect, report, text) : null;
  const seen = report && describeExpectation(expectationOf(report, text));
  if (options.json) {
    const verdict = expect ? { ...expect, holds: kept, seen } : null;
    around.out(
      `${JSON.stringify({ ...jsonOf(outcome, options.timeout), program, expect: verdict })}\n`,
    );
  } else if (expect) {
    const what = describeExpectation(expect);
    around.err(
      kept ? `As expected: ${what}\n` : `Expected: ${what}\nGot: ${seen ?? "no end of the run"}\n`,
    );
  }
  if (kept === null || outcome.timedOut) return statusOf(outcome);
  return kept ? EXIT.ok : EXIT.failed;
}

function version(): string {
  const file = new URL("../../package.json", import.meta.url);
  const found: unknown = JSON.parse(readFileSync(file, "utf8"));
  return (found as { version: string }).version;
}

if (processArgv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = await main(processArgv.slice(2), {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    runners: {
      js: new URL("../lib/run.ts", import.meta.url).href,
      py: new URL("./python.ts", import.meta.url).href,
      cells: new URL("./cells.ts", import.meta.url).href,
    },
    engine: fileURLToPath(new URL("../../pkg/cotangent_bg.wasm", import.meta.url)),
  });
}
