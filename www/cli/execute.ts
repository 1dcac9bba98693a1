/** Runs programs in a thread of their own, which can be stopped whatever they do. */

import { Worker } from "node:worker_threads";
import type { OutputItem, RunReport } from "../lib/report.ts";
import type { Job, Message, Start } from "./worker.ts";

/** How a run ended. */
export interface Outcome {
  items: OutputItem[];
  /** Null when the program did not come to an end. */
  report: RunReport | null;
  timedOut: boolean;
  /** What went wrong on our side, if something did. */
  broken: string | null;
}

/** Node's threads do not inherit the loader of TypeScript, so each begins by registering it. */
const BOOT = `
  import(${JSON.stringify(import.meta.resolve("tsx/esm/api"))})
    .then(({ register }) => register())
    .then(() => import(${JSON.stringify(new URL("./worker.ts", import.meta.url).href)}));
`;

const ENDED_EARLY =
  "The program did not come to its end: it waits for a promise that nothing will settle, or it ended the thread it ran in.";

/** Runs one job after the other, in one thread as long as that lives. */
export class Executor {
  private worker: Worker | null = null;

  constructor(private readonly start: Start) {}

  /** Runs a job; `onItem` is called for each output as it comes. */
  run(
    job: Job,
    timeout: number | null,
    onItem: (item: OutputItem) => void = () => {},
  ): Promise<Outcome> {
    const outcome: Outcome = { items: [], report: null, timedOut: false, broken: null };
    this.worker ??= open(this.start);
    const { worker } = this;
    let timer: NodeJS.Timeout | undefined;
    // The program's time begins when the engine is ready, however busy the machine is until then.
    const startClock = (seconds: number): void => {
      timer = setTimeout(() => {
        // A program that has ended is only having its fixes checked.
        outcome.timedOut = outcome.report === null;
        void this.close();
      }, seconds * 1000);
    };
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        worker.off("message", hear).off("error", fail).off("exit", exit);
        const silent = outcome.report === null && !outcome.timedOut && outcome.broken === null;
        if (silent) outcome.broken = ENDED_EARLY;
        resolve(outcome);
      };
      const hear = (message: Message): void => {
        if (message.kind === "started") {
          if (timeout !== null) startClock(timeout);
        } else if (message.kind === "item") {
          outcome.items.push(message.item);
          onItem(message.item);
        } else if (message.kind === "report") outcome.report = message.report;
        else if (message.kind === "broken") outcome.broken = message.detail;
        else if (message.kind === "done") end();
        else {
          const fix = outcome.report?.error?.fixes[message.index];
          if (fix) fix.check = message.check;
        }
      };
      const fail = (error: unknown): void => {
        outcome.broken = error instanceof Error ? (error.stack ?? error.message) : String(error);
      };
      const exit = (): void => {
        this.worker = null;
        end();
      };
      worker.on("message", hear).on("error", fail).on("exit", exit);
      worker.postMessage(job);
    });
  }

  /** Ends the thread, whatever it is doing. */
  async close(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    await worker?.terminate();
  }
}

function open(start: Start): Worker {
  const worker = new Worker(BOOT, { eval: true, workerData: start, stdout: true, stderr: true });
  // console.log in a program is no output of it, and must not get between the lines of --json.
  worker.stdout.pipe(process.stderr, { end: false });
  worker.stderr.pipe(process.stderr, { end: false });
  return worker;
}
