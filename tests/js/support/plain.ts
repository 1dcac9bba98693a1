/** The library without the rewrite, for tests in plain JavaScript: arrays have methods, no operators. */

import { readFile } from "node:fs/promises";
import { forgetHandles, setX64 } from "../../../www/lib/array.ts";
import { forgetCallbacks } from "../../../www/lib/callbacks.ts";
import { glue, load, reset, TapeReader } from "../../../www/lib/engine.ts";
import { type Library, makeLibrary } from "../../../www/lib/library.ts";
import { forgetTraces } from "../../../www/lib/mapping.ts";
import type { OutputItem } from "../../../www/lib/report.ts";

/** A library on a loaded engine, and what it has put out. */
export async function plainLibrary(): Promise<{ library: Library; output: OutputItem[] }> {
  const file = new URL("../../../pkg/cotangent_bg.wasm", import.meta.url);
  load(await WebAssembly.compile(await readFile(file)));
  const output: OutputItem[] = [];
  return { library: makeLibrary((item) => output.push(item)), output };
}

/** Begins afresh, as a run of a program does. */
export function afresh(options: { budget?: number; x64?: boolean } = {}): void {
  reset(options);
  setX64(options.x64 ?? false);
  forgetHandles();
  forgetTraces();
  forgetCallbacks();
}

/** Array storage in bytes (now, at the highest, idle, the limit) and the number of live handles. */
export function memoryUse() {
  glue.memoryUse();
  const tape = new TapeReader();
  const [live, peak, idle, budget, handles] = Array.from({ length: 5 }, () => tape.next());
  return { live, peak, idle, budget, handles } as Record<
    "live" | "peak" | "idle" | "budget" | "handles",
    number
  >;
}
