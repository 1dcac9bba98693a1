/**
 * Every message that passes between the page (host), the frame's shim and the worker.
 *
 *     host --window.postMessage, once--> shim : InitMessage, with the control port
 *     host <--control port--> shim            : Command / ShimEvent
 *     shim --worker.postMessage, once--> worker : WorkerInit or PythonInit, with the worker's port
 *     worker --its port--> shim --job port--> host : Packet (a nonce and a JSON text of a Report)
 *
 * Whatever comes from the worker was possibly written by the guest program: the shim only lets
 * packets of the right form and size through, and the host reads them with run/validate.ts.
 */
import type { Check, OutputItem, RunReport } from "../lib/report";

export type Language = "js" | "py";

/** What a worker is asked to do. One for JavaScript does one job in its life, one for Python many. */
export type Job = { readonly language: Language; readonly source: string } & (
  | { readonly kind: "run"; readonly x64: boolean }
  | { readonly kind: "check" }
);

/** What Python needs, as the host fetched it. */
export interface PythonBytes {
  /** The classic worker script with Pyodide in it. */
  readonly worker: ArrayBuffer;
  /** The interpreter's wasm. */
  readonly wasm: ArrayBuffer;
  readonly stdlib: ArrayBuffer;
  /** The memory of an interpreter that has started. */
  readonly snapshot: ArrayBuffer;
  /** Our packages, as scripts/lib/python.mjs packs them. */
  readonly packages: ArrayBuffer;
}

/** The same as a worker gets it: the frame compiles the wasm once. */
export interface PythonParts extends Omit<PythonBytes, "worker" | "wasm"> {
  readonly module: WebAssembly.Module;
}

export interface InitMessage {
  readonly kind: "init";
  /** The classic worker script, and the engine's wasm bytes. */
  readonly worker: ArrayBuffer;
  readonly engine: ArrayBuffer;
}

/**
 * `realm` numbers the document a program belongs to: an interpreter that ran a program of one is
 * never given a program of another, which could be somebody else's.
 */
export type Command =
  | {
      readonly kind: "job";
      readonly id: number;
      readonly nonce: string;
      readonly realm: number;
      readonly job: Job;
    }
  /** The host is done with a job; `keep` spares the worker of one that ended well. */
  | { readonly kind: "stop"; readonly id: number; readonly keep: boolean }
  | ({ readonly kind: "python" } & PythonBytes)
  /** A Python program of this realm is likely to be run. */
  | { readonly kind: "prepare"; readonly realm: number }
  | { readonly kind: "ping"; readonly n: number };

export type ShimEvent =
  | { readonly kind: "ready"; readonly language: Language }
  | { readonly kind: "pong"; readonly n: number }
  | { readonly kind: "stopped"; readonly id: number }
  | { readonly kind: "died"; readonly id: number; readonly detail: string };

export interface WorkerInit {
  readonly engine: ArrayBuffer;
}

export interface PythonInit extends WorkerInit {
  readonly python: PythonParts;
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
  figures: 60,
  figureShapes: 20_000,
  /** Numbers in all shapes of a figure, and pixels in all its images. */
  figureNumbers: 600_000,
  figurePixels: 700_000,
  jaxprChars: 600_000,
  equations: 10_000,
  /** One packet, all packets of a job, and their number, as the shim counts them. */
  packetChars: 8_000_000,
  jobChars: 24_000_000,
  packets: 12_000,
  /** A worker that posts more than this is ended. */
  flood: 400_000,
} as const;
