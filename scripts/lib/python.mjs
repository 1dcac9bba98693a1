// Builds what Python needs in the page, into pkg/python/: Pyodide's own files, the memory of an
// interpreter that has started, and our packages, compiled.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { at, clearStamp, filesUnder, fingerprint, isFresh, writeStamp } from "./project.mjs";
import { duration, heading, outcome } from "./say.mjs";
import { ensurePackages } from "./toolchain.mjs";

const folder = "pkg/python";
const runtime = ["pyodide.wasm.gz", "stdlib.zip", "snapshot.gz"].map((name) => `${folder}/${name}`);
const packages = `${folder}/packages.gz`;

/** Where the packages stand in the interpreter's file system. */
const HOME = "/lib/cotangent";

const pyodideFile = (name) => at("node_modules/pyodide", name);
const pyodideVersion = () => JSON.parse(readFileSync(pyodideFile("package.json"), "utf8")).version;

/** Builds pkg/python/ where Pyodide or our packages changed. */
export async function ensurePython() {
  await ensurePackages();
  const own = ["scripts/lib/python.mjs"];
  const runtimePrint = fingerprint(own, [pyodideVersion(), process.version]);
  const packagesPrint = fingerprint(["www/python", ...own], [pyodideVersion()]);
  const keptRuntime = isFresh("python", runtimePrint, runtime);
  if (keptRuntime && isFresh("python-packages", packagesPrint, [packages])) return;

  heading("Preparing Python for the page (some ten seconds)");
  const began = performance.now();
  mkdirSync(at(folder), { recursive: true });
  const { loadPyodide } = await import("pyodide");
  const pyodide = await loadPyodide({ _makeSnapshot: true, lockFileContents: emptyLock() });
  if (!keptRuntime) {
    clearStamp("python");
    // Before any Python has run: afterwards the memory holds references into JavaScript.
    const snapshot = pyodide.makeMemorySnapshot();
    writeGzip("snapshot.gz", snapshot);
    writeGzip("pyodide.wasm.gz", readFileSync(pyodideFile("pyodide.asm.wasm")));
    copyFileSync(pyodideFile("python_stdlib.zip"), at(folder, "stdlib.zip"));
    writeStamp("python", runtimePrint);
  }
  clearStamp("python-packages");
  writeGzip("packages.gz", pack(compilePackages(pyodide)));
  writeStamp("python-packages", packagesPrint);
  outcome(true, `Python in ${folder}/, ${duration(performance.now() - began)}`);
}

/** The lock file names packages to download; there are none. */
function emptyLock() {
  const { info } = JSON.parse(readFileSync(pyodideFile("pyodide-lock.json"), "utf8"));
  return JSON.stringify({ info, packages: {} });
}

function writeGzip(name, bytes) {
  writeFileSync(at(folder, name), gzipSync(bytes, { level: 9 }));
}

/**
 * Our Python files and, beside each, its bytecode in `__pycache__`, which the interpreter takes
 * without looking at the source.
 *
 * @returns {[string, Uint8Array][]} paths below HOME, and contents
 */
function compilePackages(pyodide) {
  const root = "www/python/";
  const sources = filesUnder(["www/python"]).filter((file) => file.endsWith(".py"));
  const compile = pyodide.runPython(COMPILE);
  const files = [];
  for (const file of sources) {
    const path = file.slice(root.length);
    const source = readFileSync(at(file));
    const proxy = compile(`${HOME}/${path}`, source.toString("utf8"));
    const code = proxy.toJs();
    proxy.destroy();
    const cached = path.replace(/([^/]+)\.py$/, "__pycache__/$1.cpython-314.pyc");
    files.push([path, source], [cached, code]);
  }
  return files;
}

const COMPILE = `
import importlib.util
from importlib._bootstrap_external import _code_to_hash_pyc

def _compile(path, text):
    source = text.encode()
    code = compile(source, path, "exec", dont_inherit=True)
    return bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source), False))

_compile
`;

/**
 * The archive that www/sandbox/pyodide.ts unpacks: the length of a JSON list of `[path, size]` as
 * four bytes, the list, the contents.
 */
function pack(files) {
  const list = Buffer.from(JSON.stringify(files.map(([path, bytes]) => [path, bytes.length])));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(list.length);
  return Buffer.concat([length, list, ...files.map(([, bytes]) => bytes)]);
}
