/** Starts Pyodide under Node, with our packages read from disk. */

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide, type PyodideAPI } from "pyodide";
import { registerModules } from "./modules.ts";

/** Where our packages stand in the interpreter's file system. */
const PACKAGES = "/lib/cotangent";

/** An interpreter that has our packages on its path. The engine must have been loaded before jax is imported. */
export async function startInNode(): Promise<PyodideAPI> {
  // Said outright: how Pyodide finds itself depends on what loads its module.
  const indexURL = dirname(createRequire(import.meta.url).resolve("pyodide/package.json"));
  const pyodide = await loadPyodide({ indexURL });
  registerModules(pyodide);
  copyPython(pyodide, fileURLToPath(new URL("../python", import.meta.url)), PACKAGES);
  pyodide.runPython(`import sys; sys.path.insert(0, "${PACKAGES}")`);
  return pyodide;
}

/** Copies a folder of Python files into the interpreter's file system. */
export function copyPython({ FS }: PyodideAPI, from: string, to: string): void {
  FS.mkdirTree(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (entry.isDirectory() && entry.name !== "__pycache__") {
      copyPython({ FS } as PyodideAPI, source, `${to}/${entry.name}`);
    } else if (entry.name.endsWith(".py")) {
      FS.writeFile(`${to}/${entry.name}`, readFileSync(source));
    }
  }
}
