// Builds what is published: the page into dist/, the library into dist/lib/.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { ensureEngine } from "./engine.mjs";
import { at, clearStamp, fingerprint, isFresh, must, writeStamp } from "./project.mjs";
import { ensurePython } from "./python.mjs";
import { duration, heading, outcome } from "./say.mjs";
import { ensurePackages } from "./toolchain.mjs";

const config = ["package.json", "package-lock.json", "tsconfig.json", "vite.config.ts"];

/** The command line that runs a program of an npm package with this Node. */
export const node = (file, ...args) => [process.execPath, [at("node_modules", file), ...args]];

/** Builds page and library when something they are made from changed. */
export async function ensureSite() {
  await ensurePackages();
  await ensureEngine();
  await ensurePython();
  await ensurePage();
  await ensureLibrary();
}

async function ensurePage() {
  const print = fingerprint(["www", "pkg", "index.html", ...config]);
  if (isFresh("page", print, ["dist/index.html"])) return;
  heading("Building the page (seconds)");
  const began = performance.now();
  clearStamp("page");
  clearStamp("library");
  await must("vite build", ...node("vite/bin/vite.js", "build", "--logLevel", "warn"));
  writeStamp("page", print);
  outcome(true, `page in dist/, ${duration(performance.now() - began)}`);
}

/** Builds the library alone: `import … from "cotangent"` for Node and for pages without the playground. */
export async function ensureLibrary() {
  await ensurePackages();
  await ensureEngine();
  const print = fingerprint(["www/lib", "www/share", "pkg", "scripts/lib/site.mjs", ...config]);
  if (isFresh("library", print, ["dist/lib/index.js", "dist/lib/package.json"])) return;
  heading("Building the library (seconds)");
  const began = performance.now();
  clearStamp("library");
  rmSync(at("dist/lib"), { recursive: true, force: true });
  mkdirSync(at("dist/lib/types/pkg"), { recursive: true });
  const { build } = await import("esbuild");
  await build({
    entryPoints: [at("www/lib/index.ts")],
    outfile: at("dist/lib/index.js"),
    bundle: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
    minify: true,
    sourcemap: true,
    external: ["node:*"],
    plugins: [besideBundle],
    logLevel: "warning",
  });
  copyFileSync(at("pkg/cotangent_bg.wasm"), at("dist/lib/cotangent_bg.wasm"));
  await must(
    "Declarations of the library",
    ...node("typescript/bin/tsc", "-p", at("tsconfig.lib.json")),
  );
  // Declarations are inputs to the compiler, so it does not copy the engine's.
  for (const name of readdirSync(at("pkg")).filter((name) => name.endsWith(".d.ts"))) {
    copyFileSync(at("pkg", name), at("dist/lib/types/pkg", name));
  }
  writeFileSync(at("dist/lib/package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) {
    if (existsSync(at(name))) copyFileSync(at(name), at("dist/lib", name));
  }
  writeStamp("library", print);
  outcome(true, `library in dist/lib/, ${duration(performance.now() - began)}`);
}

/**
 * The bundle is one file with the engine's bytes beside it, wherever the module that loads them stood in
 * the sources: every address of the engine becomes relative to the bundle.
 */
const besideBundle = {
  name: "engine-beside-bundle",
  setup(build) {
    build.onLoad({ filter: /[\\/](www[\\/]lib|pkg)[\\/].*\.(ts|js)$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(
        /new URL\(\s*(["'`])[^"'`]*cotangent_bg\.wasm\1\s*,\s*import\.meta\.url\s*\)/g,
        'new URL("./cotangent_bg.wasm", import.meta.url)',
      ),
      loader: path.endsWith(".ts") ? "ts" : "js",
    }));
  },
};

function manifest() {
  const { name, version, description, license, engines } = JSON.parse(
    readFileSync(at("package.json"), "utf8"),
  );
  return {
    name,
    version,
    description,
    license,
    type: "module",
    sideEffects: false,
    engines,
    exports: {
      ".": { types: "./types/www/lib/index.d.ts", default: "./index.js" },
      "./cotangent_bg.wasm": "./cotangent_bg.wasm",
      "./package.json": "./package.json",
    },
  };
}
