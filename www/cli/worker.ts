/** The thread that the program runs in. Everything is posted at once, so that a stop loses nothing. */

import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { Check, OutputItem, RunReport } from "../lib/report.ts";

/** What the thread needs to begin. */
export interface Start {
  /** Address of the module that runs programs. */
  runner: string;
  /** Path of the engine's wasm, or null when the runner needs none. */
  engine: string | null;
}

/** One program to run. */
export interface Job {
  source: string;
  file: string;
  x64: boolean;
  /** Compare the gradients of fixed programs with finite differences. */
  checkFixes: boolean;
}

/** What the thread says of a job, in order; "done" is the last. */
export type Message =
  | { kind: "started" }
  | { kind: "item"; item: OutputItem }
  | { kind: "report"; report: RunReport }
  | { kind: "check"; index: number; check: Check }
  | { kind: "broken"; detail: string }
  | { kind: "done" };

interface Runner {
  initEngine(bytes: Uint8Array): Promise<void>;
  runProgram(
    source: string,
    options: { onOutput(item: OutputItem): void; x64?: boolean; file?: string },
  ): Promise<RunReport>;
  checkFix(source: string): Promise<Check>;
}

/** Items beyond this are counted, not kept. */
const MOST_ITEMS = 100_000;
const MOST_CHARS = 50_000_000;

const post = (message: Message) => parentPort?.postMessage(message);

async function begin({ runner: address, engine }: Start): Promise<Runner> {
  const runner = (await import(address)) as Runner;
  await runner.initEngine(engine === null ? new Uint8Array() : await readFile(engine));
  return runner;
}

async function work(runner: Runner, job: Job): Promise<void> {
  let items = 0;
  let chars = 0;
  let dropped = 0;
  const onOutput = (item: OutputItem): void => {
    items += 1;
    chars += item.kind === "text" ? item.text.length : 0;
    if (items > MOST_ITEMS || chars > MOST_CHARS) dropped += 1;
    else post({ kind: "item", item });
  };
  const { source, file, x64 } = job;
  post({ kind: "started" });
  const report = await runner.runProgram(source, { onOutput, x64, file });
  if (dropped > 0) post({ kind: "item", item: { kind: "dropped", what: "item", count: dropped } });
  post({ kind: "report", report });
  if (!job.checkFixes) return;
  for (const [index, fix] of (report.error?.fixes ?? []).entries()) {
    if (fix.check === null)
      post({ kind: "check", index, check: await runner.checkFix(fix.source) });
  }
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

const started = begin(workerData as Start);
parentPort?.on("message", (job: Job) => {
  started
    .then((runner) => work(runner, job))
    .then(
      () => post({ kind: "done" }),
      (error: unknown) => {
        post({ kind: "broken", detail: describe(error) });
        post({ kind: "done" });
      },
    );
});
