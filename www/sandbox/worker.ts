/**
 * The guest's worker: the engine and one program, in a classic worker without any network.
 *
 * What this file uses from the platform is taken before the program runs, so that a program which
 * replaces `JSON.stringify` or `postMessage` can spoil its own output only by means the host expects.
 */
import type { Check, OutputItem, RunReport } from "../lib/report";
import { checkFix, initEngine, runProgram } from "../lib/run";
import { createOutbox } from "./outbox";
import { LIMITS, type Report, type WorkerInit, type WorkerJob } from "./protocol";

const { stringify } = JSON;
const { apply } = Reflect;
const postToPort = MessagePort.prototype.postMessage;

self.onmessage = (event: MessageEvent<WorkerInit>) => {
  self.onmessage = null;
  const port = event.ports[0];
  if (!port) return;
  const engine = initEngine(event.data.engine).then(
    () => {
      apply(postToPort, port, ["ready"]);
      return null;
    },
    (error: unknown) => describe(error),
  );
  port.onmessage = (message: MessageEvent<WorkerJob>) => {
    port.onmessage = null;
    void perform(port, message.data, engine);
  };
};

async function perform(
  port: MessagePort,
  { nonce, job }: WorkerJob,
  engine: Promise<string | null>,
) {
  const post = (report: Report, pixels?: ArrayBuffer) => {
    const packet = { nonce, json: stringify(report), pixels };
    apply(postToPort, port, [packet, pixels ? [pixels] : []]);
  };
  const failure = await engine;
  if (failure !== null) return post({ kind: "broken", detail: failure });

  const outbox = createOutbox((item, pixels) => post({ kind: "item", item }, pixels));
  const escaped = (text: string) => outbox.put({ kind: "text", text });
  self.addEventListener("error", (event) => {
    event.preventDefault();
    escaped(`Uncaught, outside the run: ${event.message}`);
  });
  self.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    escaped(`Unhandled rejection: ${describe(event.reason)}`);
  });

  try {
    if (job.kind === "check") {
      const check: Check = await checkFix(job.source);
      post({ kind: "checked", check });
    } else {
      const onOutput = (item: OutputItem) => outbox.put(item);
      const report: RunReport = await runProgram(job.source, { onOutput, x64: job.x64 });
      outbox.close();
      post({ kind: "done", report: bounded(report) });
    }
  } catch (error) {
    outbox.close();
    post({ kind: "broken", detail: describe(error) });
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
