/**
 * A Vite plugin that makes the files of the sandbox and tells the page where they are.
 *
 * - `sandbox.html`: the frame, with the shim inlined and its SHA-256 in the frame's own policy;
 * - `assets/worker-*.js`: the guest's worker, one classic script, which the page fetches as bytes;
 * - `assets/engine-*.wasm`: the engine.
 *
 * The page imports their names from `virtual:cotangent-assets`; they are relative to the page. What
 * the engine's functions are called and do comes from `virtual:cotangent-registry`.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { build } from "esbuild";
import type { Plugin } from "vite";

export interface SandboxOptions {
  /** The project's root. */
  readonly root: string;
  /** The engine's wasm file. */
  readonly engine: string;
}

const VIRTUAL = "virtual:cotangent-assets";
const REGISTRY = "virtual:cotangent-registry";
const digest = (text: string | Buffer) => createHash("sha256").update(text);

export function sandboxPlugin(options: SandboxOptions): Plugin {
  const files = new Map<string, string | Buffer>();
  let registry = "[]";
  const names = { sandbox: "", worker: "", engine: "" };

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
    },
    resolveId: (id) => (id === VIRTUAL || id === REGISTRY ? `\0${id}` : null),
    load(id) {
      if (id === `\0${VIRTUAL}`) return `export const assets = ${JSON.stringify(names)};`;
      if (id === `\0${REGISTRY}`) return `export const registry = ${registry};`;
      return null;
    },
    generateBundle() {
      for (const [fileName, source] of files) this.emitFile({ type: "asset", fileName, source });
    },
  };
}

/**
 * The registry of functions, which is written beside the engine when that is built: names, signatures and
 * words for the editor. An engine without it (in tests of the page alone) describes nothing.
 */
function describeRegistry(engine: string): string {
  const file = resolve(dirname(engine), "registry.json");
  if (!existsSync(file)) return "[]";
  type Described = Record<"name" | "signature" | "type" | "doc", string>;
  const { functions, constants } = JSON.parse(readFileSync(file, "utf8")) as Record<
    string,
    Described[]
  >;
  const entries = [
    ...(functions ?? []).map(({ name, signature, doc }) => ({ name, signature, doc })),
    ...(constants ?? []).map(({ name, type, doc }) => ({
      name,
      signature: `${name}: ${type}`,
      doc,
    })),
  ];
  return JSON.stringify(entries);
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
  });
  const text = result.outputFiles[0]?.text.trim() ?? "";
  if (text.includes("</script"))
    throw new Error(`${entry}: a script must not close its own element`);
  return text;
}
