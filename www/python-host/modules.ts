/** Gives an interpreter the JavaScript modules that our Python packages import. */

import type { PyodideAPI } from "pyodide";
import { createBridge, type PythonMemory } from "./bridge.ts";
import { numpyKernels, type PyodideMemory } from "./numpy-kernels.ts";

/** Registers `_cotangent_numpy` and `_cotangent`; the engine must have been loaded before a program imports jax. */
export function registerModules(pyodide: PyodideAPI): void {
  pyodide.registerJsModule("_cotangent_numpy", numpyKernels(pyodide as unknown as PyodideMemory));
  pyodide.registerJsModule("_cotangent", createBridge(pyodide as unknown as PythonMemory));
}
