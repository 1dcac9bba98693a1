/**
 * Starts Pyodide from bytes alone, in a worker without any network: its files are handed in, the
 * interpreter's memory is that of one that had started at build time, and its wasm module was
 * compiled by the frame, once for all workers.
 */
import { loadPyodide, type PyodideAPI } from "pyodide";
import createPyodideModule from "pyodide/pyodide.asm.mjs";
import { registerModules } from "../python-host/modules";
import type { PythonParts } from "./protocol";

/** Where the packages stand; their compiled files know themselves by these names. */
export const PACKAGES = "/lib/cotangent";

/** No such place: everything that is asked of it is answered from the bytes. */
const NOWHERE = "https://python.invalid/";

/** Resolves to an interpreter that has our packages on its path, and has run nothing. */
export async function startPyodide(parts: PythonParts): Promise<PyodideAPI> {
  const restore = answerFromBytes(parts);
  try {
    const pyodide = await loadPyodide({
      indexURL: NOWHERE,
      lockFileContents: { info: LOCK, packages: {} } as never,
      createPyodideModule: createPyodideModule as never,
      stdin: () => null,
      _loadSnapshot: parts.snapshot,
    });
    unpack(pyodide, parts.packages);
    registerModules(pyodide);
    pyodide.runPython(WAKE);
    return pyodide;
  } finally {
    restore();
  }
}

const LOCK = {
  abi_version: "2026_0",
  arch: "wasm32",
  platform: "emscripten_5_0_3",
  python: "3.14.2",
};

/** Every restored memory would draw the same numbers; and it knows nothing of our packages. */
const WAKE = `
import sys
sys.path.insert(0, "${PACKAGES}")
if "random" in sys.modules:
    sys.modules["random"].seed()
del sys
`;

/** While Pyodide starts, what it would fetch comes from the bytes; gives a function to end that. */
function answerFromBytes({ module, stdlib }: PythonParts): () => void {
  const scope = globalThis as { fetch: typeof globalThis.fetch };
  const { fetch } = scope;
  const { instantiateStreaming } = WebAssembly;
  scope.fetch = (input) => {
    const url = String(input);
    return Promise.resolve(url.endsWith(".zip") ? new Response(stdlib) : new Response());
  };
  WebAssembly.instantiateStreaming = async (_response, imports) => ({
    module,
    instance: await WebAssembly.instantiate(module, imports),
  });
  return () => {
    scope.fetch = fetch;
    WebAssembly.instantiateStreaming = instantiateStreaming;
  };
}

/** Unpacks the archive that scripts/lib/python.mjs made. */
function unpack({ FS }: PyodideAPI, archive: ArrayBuffer): void {
  const length = new DataView(archive).getUint32(0, true);
  const list = new TextDecoder().decode(new Uint8Array(archive, 4, length));
  let at = 4 + length;
  for (const [path, size] of JSON.parse(list) as [string, number][]) {
    const file = `${PACKAGES}/${path}`;
    FS.mkdirTree(file.slice(0, file.lastIndexOf("/")));
    FS.writeFile(file, new Uint8Array(archive, at, size));
    at += size;
  }
}
