// Puts everything a page or Node needs for the race into one folder, and weighs what a user would load.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build, type Plugin } from "esbuild";

/** Where the bundles go; the folder is a site of its own. */
export const folder = join(import.meta.dirname, "..", ".cache", "bench");

const library = join(import.meta.dirname, "..", "dist", "lib");
const tfjsFiles = dirname(
  createRequire(import.meta.url).resolve("@tensorflow/tfjs-backend-wasm/package.json"),
);

/** The library as built for users, left beside the bundles as a file of its own. */
const builtLibrary: Plugin = {
  name: "built-library",
  setup({ onResolve }) {
    onResolve({ filter: /^cotangent$/ }, () => ({ path: "./lib/index.js", external: true }));
  },
};

/** The names of the programs that go from navigation to a first gradient. */
export const firstPages = readdirSync(join(import.meta.dirname, "first"))
  .filter((name) => name !== "done.ts")
  .map((name) => name.replace(/\.ts$/, ""));

/** Makes the folder anew. */
export async function bundle(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "lib"), { recursive: true });
  for (const name of ["index.js", "cotangent_bg.wasm", "package.json"]) {
    copyFileSync(join(library, name), join(folder, "lib", name));
  }
  for (const name of ["tfjs-backend-wasm.wasm", "tfjs-backend-wasm-simd.wasm"]) {
    copyFileSync(join(tfjsFiles, "dist", name), join(folder, name));
  }
  const common: BuildOptions = {
    outdir: folder,
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    mainFields: ["module", "main"],
    plugins: [builtLibrary],
    logLevel: "error",
  };
  const source = (name: string) => join(import.meta.dirname, name);
  const inPage: BuildOptions = {
    ...common,
    platform: "browser",
    mainFields: ["browser", "module", "main"],
  };
  // Each first page is one file, as a page's author would make it.
  await build({ ...inPage, entryPoints: firstPages.map((name) => source(`first/${name}.ts`)) });
  // In the race every library is a file of its own, loaded when its turn comes.
  await build({ ...inPage, entryPoints: [source("in-page.ts")], splitting: true });
  await build({
    ...common,
    entryPoints: [source("in-node.ts")],
    splitting: true,
    platform: "node",
    // tfjs's glue is written for CommonJS where it finds itself in Node.
    banner: {
      js: [
        'import { createRequire as makeRequire } from "node:module";',
        "const require = makeRequire(import.meta.url);",
        "const __dirname = import.meta.dirname; const __filename = import.meta.filename;",
      ].join("\n"),
    },
    outExtension: { ".js": ".mjs" },
  });
  for (const name of ["in-page", ...firstPages]) {
    writeFileSync(
      join(folder, `${name}.html`),
      `<!doctype html><meta charset="utf-8"><title>${name}</title><link rel="icon" href="data:,"><script type="module" src="./${name}.js"></script>\n`,
    );
  }
}

const gzip = (path: string) => gzipSync(readFileSync(path), { level: 9 }).length;

/** Gzipped bytes that a bare page loads for its first gradient, by library. */
export function sizes(): Record<string, number> {
  const extra: Record<string, string[]> = {
    cotangent: ["lib/index.js", "lib/cotangent_bg.wasm"],
    tfjs: ["tfjs-backend-wasm-simd.wasm"],
  };
  return Object.fromEntries(
    firstPages.map((name) => [
      name,
      [`${name}.js`, ...(extra[name] ?? [])].reduce(
        (sum, file) => sum + gzip(join(folder, file)),
        0,
      ),
    ]),
  );
}
