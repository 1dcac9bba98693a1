/** The thread that the program runs in. Everything is posted at once, so that a stop loses nothing. */

import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { Check, OutputItem, RunReport } from "../lib/report.ts";

/** What the thread is to do. */
export interface Job {
  source: string;
  file: string;
  x64: boolean;
  /** Compare the gradients of fixed programs with finite differences. */
  checkFixes: boolean;
  /** Address of the module that runs programs. */
  runner: string;
  /** Path of the engine's wasm, or null when the runner needs none. */
  engine: string | null;
}

/** What the thread says, in order. */
export type Message =
  | { kind: "started" }
  | { kind: "item"; item: OutputItem }
  | { kind: "report"; report: RunReport }
  | { kind: "check"; index: number; check: Check }
  | { kind: "broken"; detail: string };

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

async function work(job: Job): Promise<void> {
  const runner = (await import(job.runner)) as Runner;
  await runner.initEngine(job.engine === null ? new Uint8Array() : await readFile(job.engine));
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

work(workerData as Job).then(
  () => process.exit(0),
  (error: unknown) => {
    post({
      kind: "broken",
      detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    process.exit(1);
  },
);
