/**
 * What workers of both languages do around a job: wait for the engine, run the program, keep to the
 * caps, post what it says. What this file uses from the platform is taken before any program runs,
 * so that one which replaces `JSON.stringify` or `postMessage` spoils its own output only, by means
 * the host expects.
 */
import type { Check, OutputItem, RunReport } from "../lib/report";
import { createOutbox } from "./outbox";
import { type Job, LIMITS, type Report, type WorkerJob } from "./protocol";

const { stringify } = JSON;
const { apply } = Reflect;
const postToPort = MessagePort.prototype.postMessage;

/** How one language runs and checks programs. Neither throws for what a program does. */
export interface Runner {
  run(job: Job & { kind: "run" }, onOutput: (item: OutputItem) => void): Promise<RunReport>;
  check(source: string): Promise<Check>;
}

/** Answers "ready" when the runner is there, and then the jobs that come, one after the other. */
export function serve(port: MessagePort, starting: Promise<Runner>, jobs: "one" | "many"): void {
  const started = starting.then(
    (runner) => {
      apply(postToPort, port, ["ready"]);
      return runner;
    },
    (error: unknown) => describe(error),
  );
  let before: Promise<void> = Promise.resolve();
  port.onmessage = (message: MessageEvent<WorkerJob>) => {
    if (jobs === "one") port.onmessage = null;
    const { data } = message;
    before = before.then(() => perform(port, data, started));
  };
}

async function perform(
  port: MessagePort,
  { nonce, job }: WorkerJob,
  started: Promise<Runner | string>,
) {
  const post = (report: Report, pixels?: ArrayBuffer) => {
    const packet = { nonce, json: stringify(report), pixels };
    apply(postToPort, port, [packet, pixels ? [pixels] : []]);
  };
  const runner = await started;
  if (typeof runner === "string") return post({ kind: "broken", detail: runner });

  const outbox = createOutbox((item, pixels) => post({ kind: "item", item }, pixels));
  const escaped = (text: string) => outbox.put({ kind: "text", text });
  const onError = (event: ErrorEvent) => {
    event.preventDefault();
    escaped(`Uncaught, outside the run: ${event.message}`);
  };
  const onRejection = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    escaped(`Unhandled rejection: ${describe(event.reason)}`);
  };
  self.addEventListener("error", onError);
  self.addEventListener("unhandledrejection", onRejection);

  try {
    if (job.kind === "check") post({ kind: "checked", check: await runner.check(job.source) });
    else {
      const report = await runner.run(job, (item) => outbox.put(item));
      outbox.close();
      post({ kind: "done", report: bounded(report) });
    }
  } catch (error) {
    outbox.close();
    post({ kind: "broken", detail: describe(error) });
  } finally {
    self.removeEventListener("error", onError);
    self.removeEventListener("unhandledrejection", onRejection);
  }
}

/** A jaxpr too long to be read is cut, and the equations beyond the cut are left out. */
function bounded(report: RunReport): RunReport {
  const { jaxpr } = report;
  if (!jaxpr) return report;
  const { jaxprChars, equations: most } = LIMITS;
  if (jaxpr.text.length <= jaxprChars && jaxpr.equations.length <= most) return report;
  const equations = jaxpr.equations.slice(0, most).filter(({ to }) => to <= jaxprChars);
  const text =
    jaxpr.text.length > jaxprChars ? `${jaxpr.text.slice(0, jaxprChars)}\n… (cut)` : jaxpr.text;
  return { ...report, jaxpr: { text, equations } };
}

/** A short text for any thrown value, whatever its getters do. */
function describe(error: unknown): string {
  try {
    if (error instanceof Error) return `${error.name}: ${error.message}`.slice(0, 2000);
    return String(error).slice(0, 2000);
  } catch {
    return "a value that cannot be shown";
  }
}
