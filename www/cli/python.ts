/** Runs Python programs in the command's thread: what www/lib/run.ts is for JavaScript. */

import { load } from "../lib/engine.ts";
import type { Check, RunReport } from "../lib/report.ts";
import { startInNode } from "../python-host/node.ts";
import {
  createPythonProgram,
  type PythonOptions,
  type PythonProgram,
} from "../python-host/program.ts";

let program: PythonProgram | null = null;

function started(): PythonProgram {
  if (!program) throw new Error("initEngine has not been called");
  return program;
}

/** Starts the engine and an interpreter. */
export async function initEngine(wasm: BufferSource): Promise<void> {
  load(await WebAssembly.compile(wasm));
  program ??= createPythonProgram(await startInNode());
}

/** Runs a program from the beginning. Never throws: what went wrong is in the report. */
export async function runProgram(source: string, options: PythonOptions): Promise<RunReport> {
  return started().run(source, options);
}

/** Runs a fixed program in silence and says how its rules compare with finite differences. */
export async function checkFix(source: string): Promise<Check> {
  return started().check(source);
}
