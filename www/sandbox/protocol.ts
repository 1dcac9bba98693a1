/**
 * Every message that passes between the page (host), the frame's shim and the worker.
 *
 *     host --window.postMessage, once--> shim : InitMessage, with the control port
 *     host <--control port--> shim            : Command / ShimEvent
 *     shim --worker.postMessage, once--> worker : WorkerInit, with the worker's port
 *     worker --its port--> shim --job port--> host : Packet (a nonce and a JSON text of a Report)
 *
 * Whatever comes from the worker was possibly written by the guest program: the shim only lets
 * packets of the right form and size through, and the host reads them with run/validate.ts.
 */
import type { Check, OutputItem, RunReport } from "../lib/report";

/** What a fresh worker is asked to do; it does one job in its life. */
export type Job =
  | { readonly kind: "run"; readonly source: string; readonly x64: boolean }
  | { readonly kind: "check"; readonly source: string };

export interface InitMessage {
  readonly kind: "init";
  /** The classic worker script, and the engine's wasm bytes. */
  readonly worker: ArrayBuffer;
  readonly engine: ArrayBuffer;
}

export type Command =
  | { readonly kind: "job"; readonly id: number; readonly nonce: string; readonly job: Job }
  | { readonly kind: "stop"; readonly id: number }
  | { readonly kind: "ping"; readonly n: number };

export type ShimEvent =
  | { readonly kind: "ready" }
  | { readonly kind: "pong"; readonly n: number }
  | { readonly kind: "stopped"; readonly id: number }
  | { readonly kind: "died"; readonly id: number; readonly detail: string };

export interface WorkerInit {
  readonly engine: ArrayBuffer;
}

/** Shim to worker, on the worker's port. */
export interface WorkerJob {
  readonly nonce: string;
  readonly job: Job;
}

/** Worker to host. `json` is a Report; `pixels` are the bytes of an image item. */
export interface Packet {
  readonly nonce: string;
  readonly json: string;
  readonly pixels?: ArrayBuffer;
}

/** An output item as it crosses: an image travels without its pixels, which are beside it. */
export type WireItem =
  | Exclude<OutputItem, { kind: "image" }>
  | {
      readonly kind: "image";
      readonly width: number;
      readonly height: number;
      readonly title: string;
    };

export type Report =
  | { readonly kind: "item"; readonly item: WireItem }
  | { readonly kind: "done"; readonly report: RunReport }
  | { readonly kind: "checked"; readonly check: Check }
  /** The engine itself failed (a trap, a panic, an exception of ours), not the program. */
  | { readonly kind: "broken"; readonly detail: string };

/**
 * The caps on what one run may show. The worker keeps to them and counts what it dropped; the shim
 * and the host enforce them again, since the worker runs code nobody has read.
 */
export const LIMITS = {
  lines: 5_000,
  lineChars: 20_000,
  textChars: 2_000_000,
  images: 60,
  imagePixels: 2_048 * 2_048,
  totalPixels: 24_000_000,
  plots: 60,
  plotSeries: 24,
  plotPoints: 200_000,
  jaxprChars: 600_000,
  equations: 10_000,
  /** One packet, all packets of a job, and their number, as the shim counts them. */
  packetChars: 8_000_000,
  jobChars: 24_000_000,
  packets: 12_000,
  /** A worker that posts more than this is ended. */
  flood: 400_000,
} as const;
