/** Runs the cells of a notebook in the command's thread: the source is a JSON list, each output one cell's answer. */

import { load } from "../lib/engine.ts";
import type { Check, RunReport } from "../lib/report.ts";
import { startInNode } from "../python-host/node.ts";
import type { PythonOptions } from "../python-host/program.ts";

type RunCells = (sources: string, emit: (text: string) => void) => void;
let runCells: RunCells | null = null;

/** Starts the engine and an interpreter. */
export async function initEngine(wasm: BufferSource): Promise<void> {
  load(await WebAssembly.compile(wasm));
  const pyodide = await startInNode();
  runCells = pyodide.runPython("from cotangent_run.cells import run; run") as RunCells;
}

/** Runs all cells; every answer goes out as soon as it is there. */
export async function runProgram(source: string, { onOutput }: PythonOptions): Promise<RunReport> {
  const began = performance.now();
  runCells?.(source, (text) => onOutput({ kind: "text", text }));
  const ms = performance.now() - began;
  return { ok: true, error: null, jaxpr: null, ruleChecks: [], result: null, ms };
}

/** Cells have no fixes. */
export async function checkFix(): Promise<Check> {
  return { status: "skipped", maxRelativeError: null, detail: "" };
}
