/**
 * The only script of sandbox.html's main thread. It starts workers, hands them one job each, lets
 * their packets through when they have the right form and size, and ends them. It runs no guest
 * code and does no heavy work: in Firefox this thread is the host's own.
 */
import type { Command, InitMessage, Packet, ShimEvent, WorkerInit, WorkerJob } from "./protocol";
import { LIMITS } from "./protocol";

interface Slot {
  readonly worker: Worker;
  readonly port: MessagePort;
  ready: boolean;
}

let control: MessagePort | null = null;
let workerUrl = "";
let engine: ArrayBuffer;
let spare: Slot | null = null;
let current: { slot: Slot; id: number; nonce: string; out: MessagePort } | null = null;
let packets = 0;
let chars = 0;
let pixels = 0;

addEventListener("message", (event: MessageEvent<InitMessage>) => {
  const port = event.ports[0];
  if (control || event.source !== parent || !port || event.data?.kind !== "init") return;
  control = port;
  engine = event.data.engine;
  workerUrl = URL.createObjectURL(new Blob([event.data.worker], { type: "text/javascript" }));
  control.onmessage = (message: MessageEvent<Command>) => obey(message.data, message.ports[0]);
  spare = spawn();
});

function say(event: ShimEvent): void {
  control?.postMessage(event);
}

function spawn(): Slot {
  const { port1, port2 } = new MessageChannel();
  const slot: Slot = { worker: new Worker(workerUrl), port: port1, ready: false };
  port1.onmessage = (message: MessageEvent<Packet | "ready">) => pass(slot, message.data);
  slot.worker.onerror = (event) => {
    event.preventDefault();
    died(slot, event.message || "the worker stopped");
  };
  slot.worker.postMessage({ engine } satisfies WorkerInit, [port2]);
  return slot;
}

function obey(command: Command, out: MessagePort | undefined): void {
  if (command.kind === "ping") say({ kind: "pong", n: command.n });
  else if (command.kind === "stop") {
    if (current?.id === command.id) end(current.slot);
    say({ kind: "stopped", id: command.id });
  } else if (out && !current) {
    const slot = spare ?? spawn();
    spare = null;
    packets = chars = pixels = 0;
    current = { slot, id: command.id, nonce: command.nonce, out };
    slot.port.postMessage({ nonce: command.nonce, job: command.job } satisfies WorkerJob);
    // The next worker warms up beside a run that lasts, or as soon as this one ends.
    setTimeout(warm, 400);
  }
}

function warm(): void {
  spare ??= spawn();
}

/** Lets one packet through to the host, or drops it. */
function pass(slot: Slot, packet: Packet | "ready"): void {
  if (packet === "ready") {
    if (!slot.ready && slot === spare) say({ kind: "ready" });
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
  end(slot);
  say({ kind: "died", id, detail: String(detail).slice(0, 500) });
}

/** Ends a worker and everything it started; its messages no longer count. */
function end(slot: Slot): void {
  slot.worker.terminate();
  slot.port.close();
  if (spare === slot) spare = null;
  if (current?.slot === slot) {
    current.out.close();
    current = null;
    warm();
  }
}
