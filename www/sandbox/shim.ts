/**
 * The only script of sandbox.html's main thread. It starts workers, hands them their jobs, lets
 * their packets through when they have the right form and size, and ends them. It runs no guest
 * code and does no heavy work: in Firefox this thread is the host's own.
 */
import type {
  Command,
  InitMessage,
  Language,
  Packet,
  PythonInit,
  ShimEvent,
  WorkerInit,
  WorkerJob,
} from "./protocol";
import { LIMITS } from "./protocol";

interface Slot {
  readonly language: Language;
  readonly worker: Worker;
  readonly port: MessagePort;
  ready: boolean;
  /** The realm of the programs it was given; null for a fresh one. */
  realm: number | null;
}

let control: MessagePort | null = null;
let workerUrl = "";
let engine: ArrayBuffer;
/** The next worker for JavaScript. */
let spare: Slot | null = null;
/** The interpreter, kept between its jobs. */
let python: Slot | null = null;
let pythonUrl = "";
let pythonInit: Promise<PythonInit> | null = null;
let current: { slot: Slot; id: number; nonce: string; out: MessagePort } | null = null;
let packets = 0;
let chars = 0;
let pixels = 0;

addEventListener("message", (event: MessageEvent<InitMessage>) => {
  const port = event.ports[0];
  if (control || event.source !== parent || !port || event.data?.kind !== "init") return;
  control = port;
  engine = event.data.engine;
  workerUrl = scriptUrl(event.data.worker);
  control.onmessage = (message: MessageEvent<Command>) => obey(message.data, message.ports[0]);
  warm();
});

function scriptUrl(script: ArrayBuffer): string {
  return URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
}

function say(event: ShimEvent): void {
  control?.postMessage(event);
}

function spawn(language: Language): Slot {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(language === "py" ? pythonUrl : workerUrl);
  const slot: Slot = { language, worker, port: port1, ready: false, realm: null };
  port1.onmessage = (message: MessageEvent<Packet | "ready">) => pass(slot, message.data);
  worker.onerror = (event) => {
    event.preventDefault();
    died(slot, event.message || "the worker stopped");
  };
  if (language === "js") worker.postMessage({ engine } satisfies WorkerInit, [port2]);
  else {
    pythonInit?.then(
      (init) => worker.postMessage(init, [port2]),
      (error: unknown) => died(slot, String(error)),
    );
  }
  return slot;
}

function obey(command: Command, out: MessagePort | undefined): void {
  switch (command.kind) {
    case "ping":
      say({ kind: "pong", n: command.n });
      break;
    case "stop":
      if (current?.id === command.id) finish(command.keep);
      say({ kind: "stopped", id: command.id });
      break;
    case "prepare":
      if (!current) interpreter(command.realm);
      break;
    case "python": {
      if (pythonInit) break;
      const { stdlib, snapshot, packages } = command;
      pythonUrl = scriptUrl(command.worker);
      pythonInit = WebAssembly.compile(command.wasm).then((module) => ({
        engine,
        python: { module, stdlib, snapshot, packages },
      }));
      python = spawn("py");
      break;
    }
    case "job":
      if (out && !current) begin(command, out);
  }
}

function begin({ id, nonce, realm, job }: Command & { kind: "job" }, out: MessagePort): void {
  const slot = job.language === "py" ? interpreter(realm) : (spare ?? spawn("js"));
  if (!slot) return;
  if (slot === spare) spare = null;
  slot.realm = realm;
  packets = chars = pixels = 0;
  current = { slot, id, nonce, out };
  slot.port.postMessage({ nonce, job } satisfies WorkerJob);
  // The next worker warms up beside a run that lasts, or as soon as this one ends.
  if (slot.language === "js") setTimeout(warm, 400);
}

/** An interpreter that has run no program of another realm. */
function interpreter(realm: number): Slot | null {
  if (!pythonInit) return null;
  if (python && python.realm !== null && python.realm !== realm) end(python);
  python ??= spawn("py");
  return python;
}

function warm(): void {
  spare ??= spawn("js");
}

/** Lets one packet through to the host, or drops it. */
function pass(slot: Slot, packet: Packet | "ready"): void {
  if (packet === "ready") {
    const waiting = slot === spare || slot === python;
    if (!slot.ready && waiting) say({ kind: "ready", language: slot.language });
    slot.ready = true;
    return;
  }
  if (current?.slot !== slot || packet?.nonce !== current.nonce) return;
  packets += 1;
  if (packets > LIMITS.flood) died(slot, "it posted too many messages");
  if (packets > LIMITS.packets || !fits(packet)) return;
  const { json, pixels: bytes } = packet;
  chars += json.length;
  pixels += (bytes?.byteLength ?? 0) / 4;
  current?.out.postMessage({ nonce: packet.nonce, json, pixels: bytes }, bytes ? [bytes] : []);
}

function fits({ json, pixels: bytes }: Packet): boolean {
  if (typeof json !== "string" || json.length > LIMITS.packetChars) return false;
  if (bytes !== undefined && !(bytes instanceof ArrayBuffer)) return false;
  const more = (bytes?.byteLength ?? 0) / 4;
  return chars + json.length <= LIMITS.jobChars && pixels + more <= LIMITS.totalPixels;
}

function died(slot: Slot, detail: string): void {
  const id = current?.slot === slot ? current.id : -1;
  if (id >= 0) finish(false);
  else end(slot);
  say({ kind: "died", id, detail: String(detail).slice(0, 500) });
}

/** Takes the present job from its worker, and ends the worker unless it may be used again. */
function finish(keep: boolean): void {
  if (!current) return;
  const { slot, out } = current;
  out.close();
  current = null;
  if (slot.language === "py" && keep) return;
  end(slot);
  if (slot.language === "js") warm();
  else python ??= spawn("py");
}

/** Ends a worker and everything it started; its messages no longer count. */
function end(slot: Slot): void {
  slot.worker.terminate();
  slot.port.close();
  if (spare === slot) spare = null;
  if (python === slot) python = null;
}
