/**
 * The host's end of the sandbox: it makes the frame, hands it the bytes, gives it one job at a time
 * and takes back what the job says. When the frame stops answering it is replaced.
 */
import type { Check, OutputItem, RunReport } from "../../lib/report";
import type {
  Command,
  InitMessage,
  Job,
  Language,
  PythonBytes,
  ShimEvent,
} from "../../sandbox/protocol";
import { readPacket } from "./validate";

export type Outcome =
  | { readonly kind: "done"; readonly report: RunReport }
  | { readonly kind: "checked"; readonly check: Check }
  | { readonly kind: "stopped" }
  /** The engine or its frame failed; `detail` is for the bug report. */
  | { readonly kind: "crashed"; readonly detail: string };

export interface Bytes {
  readonly worker: ArrayBuffer;
  readonly engine: ArrayBuffer;
}

export interface Sandbox {
  /** Runs a job; there can be only one at a time. */
  start(job: Job, onItem: (item: OutputItem) => void): Promise<Outcome>;
  /** Ends the job, if there is one; its promise resolves to "stopped" at once. */
  stop(): void;
  /** Another document was opened: its programs do not get the interpreter of the last one. */
  leaveRealm(): void;
  /** Fetches and starts Python, if that has not been done; rejects when it cannot be fetched. */
  preparePython(): Promise<void>;
}

export interface SandboxOptions {
  readonly url: string;
  readonly bytes: Promise<Bytes>;
  readonly parent: HTMLElement;
  /** Fetches what Python needs; called on the first use of Python, and again if that failed. */
  readonly python: () => Promise<PythonBytes>;
  /** Called when a worker with a started engine, or a started interpreter, is waiting. */
  readonly onReady: (language: Language) => void;
}

/** After this long without an answer to Stop, the frame is replaced. */
const STOP_PATIENCE_MS = 250;
const HEARTBEAT_MS = 1_000;
/** A frame that left so many heartbeats unanswered is gone: killed, or out of memory. */
const HEARTBEAT_PATIENCE = 6;

interface Frame {
  readonly element: HTMLIFrameElement;
  readonly control: Promise<MessagePort>;
  /** Settled when the frame has been given what Python needs; null before that was asked for. */
  python: Promise<void> | null;
  /** Heartbeats sent since the frame last said anything. */
  unanswered: number;
  /** Called with the id of a job whose end the frame confirms. */
  confirm: (id: number) => void;
}

interface Running {
  readonly id: number;
  readonly finish: (outcome: Outcome) => void;
}

export function createSandbox(options: SandboxOptions): Sandbox {
  let pythonBytes: Promise<PythonBytes> | null = null;
  let realm = 0;
  let frame = open();
  let running: Running | null = null;
  /** Settled when the last job's worker is surely gone. */
  let ended: Promise<void> = Promise.resolve();
  let lastId = 0;

  function open(): Frame {
    const element = document.createElement("iframe");
    element.setAttribute("sandbox", "allow-scripts");
    element.title = "Sandbox of the running program";
    element.hidden = true;
    element.tabIndex = -1;
    let loads = 0;
    const loaded = new Promise<void>((resolve) => {
      element.addEventListener("load", () => {
        loads += 1;
        if (loads === 1) resolve();
        // The shim never navigates: whoever did must not get this page's messages.
        else if (opened === frame) crash("the sandbox left its page");
      });
    });
    const control = Promise.all([options.bytes, loaded]).then(([bytes]) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = (event: MessageEvent<ShimEvent>) => hear(opened, event.data);
      const init: InitMessage = { kind: "init", ...bytes };
      // The frame's origin is opaque, so there is no origin to name here.
      element.contentWindow?.postMessage(init, "*", [port2]);
      return port1;
    });
    control.catch(() => undefined);
    element.src = options.url;
    options.parent.append(element);
    const opened: Frame = {
      element,
      control,
      python: null,
      unanswered: 0,
      confirm: () => undefined,
    };
    if (pythonBytes) void givePython(opened).catch(() => undefined);
    return opened;
  }

  function hear(from: Frame, event: ShimEvent): void {
    if (from !== frame) return;
    from.unanswered = 0;
    if (event.kind === "ready") options.onReady(event.language === "py" ? "py" : "js");
    else if (event.kind === "stopped") from.confirm(event.id);
    else if (event.kind === "died" && event.id === running?.id) {
      settle({ kind: "crashed", detail: String(event.detail).slice(0, 500) });
    }
  }

  function replace(): void {
    frame.element.remove();
    frame = open();
  }

  function crash(detail: string): void {
    replace();
    settle({ kind: "crashed", detail });
  }

  function settle(outcome: Outcome): void {
    const job = running;
    running = null;
    job?.finish(outcome);
  }

  /** Has the bytes fetched, once for all frames, and posts them to this one. */
  function givePython(to: Frame): Promise<void> {
    pythonBytes ??= options.python().catch((error: unknown) => {
      pythonBytes = null;
      throw error;
    });
    to.python ??= Promise.all([to.control, pythonBytes]).then(
      ([control, bytes]) => control.postMessage({ kind: "python", ...bytes } satisfies Command),
      (error: unknown) => {
        to.python = null;
        throw error;
      },
    );
    return to.python;
  }

  /** Tells the shim that a job is over, and replaces a frame that does not confirm it. */
  async function end(id: number, keep: boolean): Promise<void> {
    const asked = frame;
    const control = await asked.control;
    const confirmed = new Promise<boolean>((resolve) => {
      asked.confirm = (stopped) => stopped === id && resolve(true);
      setTimeout(resolve, STOP_PATIENCE_MS, false);
    });
    control.postMessage({ kind: "stop", id, keep } satisfies Command);
    if (!(await confirmed) && frame === asked) replace();
  }

  async function start(job: Job, onItem: (item: OutputItem) => void): Promise<Outcome> {
    if (running) throw new Error("a job is running already");
    lastId += 1;
    const id = lastId;
    const nonce = randomNonce();
    const { port1, port2 } = new MessageChannel();
    const outcome = new Promise<Outcome>((finish) => {
      running = { id, finish };
    });
    port1.onmessage = (event: MessageEvent<unknown>) => {
      if (running?.id !== id) return;
      const received = readPacket(event.data, nonce);
      if (received === null) return;
      if (received.kind === "item") onItem(received.item);
      else if (received.kind === "broken") settle({ kind: "crashed", detail: received.detail });
      else settle(received);
    };
    await ended;
    const used = frame;
    used.unanswered = 0;
    const equipped = job.language === "py" ? givePython(used) : Promise.resolve();
    Promise.all([used.control, equipped]).then(
      ([control]) => {
        if (running?.id !== id) return;
        control.postMessage({ kind: "job", id, nonce, realm, job } satisfies Command, [port2]);
      },
      (error: unknown) => {
        if (running?.id === id) settle({ kind: "crashed", detail: String(error) });
      },
    );
    const heartbeat = setInterval(() => {
      void used.control.then((control) => {
        if (used !== frame || running?.id !== id) return;
        if (used.unanswered >= HEARTBEAT_PATIENCE) {
          crash("the sandbox went silent: it ran out of memory, or its process was ended");
          return;
        }
        used.unanswered += 1;
        control.postMessage({ kind: "ping", n: id } satisfies Command);
      });
    }, HEARTBEAT_MS);
    const result = await outcome;
    clearInterval(heartbeat);
    port1.close();
    const keep = result.kind === "done" || result.kind === "checked";
    if (frame === used) ended = end(id, keep).catch(() => undefined);
    return result;
  }

  return {
    start,
    stop: () => settle({ kind: "stopped" }),
    leaveRealm() {
      realm += 1;
      const { python, control } = frame;
      if (!python) return;
      // After the end of a job of the old realm; the interpreter then starts while one reads.
      void Promise.all([control, python, ended]).then(
        ([port]) => port.postMessage({ kind: "prepare", realm } satisfies Command),
        () => undefined,
      );
    },
    preparePython: () => givePython(frame),
  };
}

function randomNonce(): string {
  const words = crypto.getRandomValues(new Uint32Array(4));
  return Array.from(words, (word) => word.toString(16).padStart(8, "0")).join("");
}
