/**
 * A Vite plugin that makes the files of the sandbox and tells the page where they are.
 *
 * - `sandbox.html`: the frame, with the shim inlined and its SHA-256 in the frame's own policy;
 * - `assets/worker-*.js`: the guest's worker, one classic script, which the page fetches as bytes;
 * - `assets/engine-*.wasm`: the engine;
 * - `assets/python-*`: the worker for Python and what it needs, fetched on the first use of Python.
 *
 * The page imports their names from `virtual:cotangent-assets`; they are relative to the page. What
 * the engine's functions are called and do comes from `virtual:cotangent-registry`, and by their names in
 * Python from `virtual:cotangent-python-registry`.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import type { Plugin } from "vite";
import { describeRegistry, type Entry, type Registry } from "./registry.ts";

export interface SandboxOptions {
  /** The project's root. */
  readonly root: string;
  /** The engine's wasm file. */
  readonly engine: string;
  /** The folder that scripts/lib/python.mjs fills; a page built without it has no Python. */
  readonly python: string;
}

/** What Python needs beside its worker, by the names in run/python.ts. */
const PYTHON_FILES = {
  wasm: "pyodide.wasm.gz",
  stdlib: "stdlib.zip",
  snapshot: "snapshot.gz",
  packages: "packages.gz",
};

/** An asset of Python: its address, its size in bytes, and whether the page has to unzip it. */
type Sized = { path: string; bytes: number; gzip: boolean };

const VIRTUAL = "virtual:cotangent-assets";
const REGISTRY = "virtual:cotangent-registry";
const PYTHON_REGISTRY = "virtual:cotangent-python-registry";
const digest = (text: string | Buffer) => createHash("sha256").update(text);

export function sandboxPlugin(options: SandboxOptions): Plugin {
  const files = new Map<string, string | Buffer>();
  let registry: Registry = { javascript: [], python: [] };
  const names = { sandbox: "", worker: "", engine: "" };
  let python: Record<string, Sized> | null = null;

  const named = (stem: string, extension: string, content: string | Buffer) => {
    const name = `assets/${stem}-${digest(content).digest("hex").slice(0, 10)}.${extension}`;
    files.set(name, content);
    return name;
  };

  return {
    name: "cotangent-sandbox",
    async buildStart() {
      files.clear();
      const sandboxDir = resolve(options.root, "www/sandbox");
      const shim = await bundle(resolve(sandboxDir, "shim.ts"));
      const page = readFileSync(resolve(sandboxDir, "sandbox.html"), "utf8");
      const filled = page
        .replace("@HASH@", digest(shim).digest("base64"))
        .replace("@SHIM@", () => shim);
      files.set("sandbox.html", filled);
      names.sandbox = `sandbox.html?v=${digest(filled).digest("hex").slice(0, 10)}`;
      names.worker = named("worker", "js", await bundle(resolve(sandboxDir, "worker.ts")));
      if (!existsSync(options.engine)) {
        throw new Error(
          `The engine is not built: ${options.engine} is missing. Run \`npm run build\`.`,
        );
      }
      registry = describeRegistry(options.engine);
      names.engine = named("engine", "wasm", readFileSync(options.engine));
      python = null;
      if (!existsSync(resolve(options.python, PYTHON_FILES.packages))) return;
      // Named .bin: servers take a .gz for an encoding, and then it is not what was asked for.
      const sized = (stem: string, content: Buffer) => ({
        path: named(`python-${stem}`, "bin", content),
        bytes: content.length,
        gzip: content[0] === 0x1f && content[1] === 0x8b,
      });
      const worker = await bundle(resolve(sandboxDir, "python-worker.ts"));
      python = { worker: sized("worker", gzipSync(worker, { level: 9 })) };
      for (const [stem, file] of Object.entries(PYTHON_FILES))
        python[stem] = sized(stem, readFileSync(resolve(options.python, file)));
    },
    resolveId: (id) => ([VIRTUAL, REGISTRY, PYTHON_REGISTRY].includes(id) ? `\0${id}` : null),
    load(id) {
      if (id === `\0${VIRTUAL}`)
        return `export const assets = ${JSON.stringify({ ...names, python })};`;
      const exported = (entries: readonly Entry[]) =>
        `export const registry = ${JSON.stringify(entries)};`;
      if (id === `\0${REGISTRY}`) return exported(registry.javascript);
      if (id === `\0${PYTHON_REGISTRY}`) return exported(registry.python);
      return null;
    },
    generateBundle() {
      for (const [fileName, source] of files) this.emitFile({ type: "asset", fileName, source });
    },
  };
}

/** One entry as a minified classic script. */
async function bundle(entry: string): Promise<string> {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    charset: "ascii",
    minify: true,
    logLevel: "error",
    // The engine's glue names its wasm file by import.meta.url; here the bytes are handed in.
    define: { "import.meta.url": '"blob:"' },
    // Pyodide asks for these under Node only.
    external: ["node:*", "ws"],
  });
  const text = result.outputFiles[0]?.text.trim() ?? "";
  if (text.includes("</script"))
    throw new Error(`${entry}: a script must not close its own element`);
  return text;
}
