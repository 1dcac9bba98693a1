// Builds the engine: src/ to pkg/ (cotangent.js, cotangent_bg.wasm and their types, registry.json).

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { apiTypes } from "./api-types.mjs";
import { at, clearStamp, fingerprint, isFresh, must, output, writeStamp } from "./project.mjs";
import { notesSection, registryOf } from "./registry.mjs";
import { duration, heading, outcome, Stop } from "./say.mjs";
import {
  checkNode,
  ensureRust,
  ensureWasmBindgen,
  lockedVersion,
  wasmBindgen,
  wasmTarget,
} from "./toolchain.mjs";
import { withoutSection } from "./wasm.mjs";
import { orderedByLikeness } from "./wasm-order.mjs";
import { withoutPanics } from "./wasm-panics.mjs";

const products = [
  "pkg/cotangent.js",
  "pkg/cotangent_bg.wasm",
  "pkg/cotangent.d.ts",
  "pkg/api.d.ts",
  "pkg/registry.json",
];

/** What a change of requires a new engine. */
function enginePrint() {
  return fingerprint(
    [
      "src",
      "Cargo.toml",
      "Cargo.lock",
      ".cargo/config.toml",
      "scripts/lib/api-types.mjs",
      "scripts/lib/registry.mjs",
      "scripts/lib/wasm.mjs",
      "scripts/lib/wasm-order.mjs",
      "scripts/lib/wasm-panics.mjs",
    ],
    [lockedVersion("wasm-bindgen"), output("rustc", ["--version"]) ?? ""],
  );
}

/**
 * The registry for readers and the types of its functions; what they are made from leaves the wasm file, and
 * the functions in it are put in an order that makes it small to download, without what panics would say.
 */
async function writeRegistry() {
  const wasm = readFileSync(at("pkg/cotangent_bg.wasm"));
  const glue = await import(pathToFileURL(at("pkg/cotangent.js")).href);
  glue.initSync({ module: wasm });
  const registry = registryOf(glue.describe(), wasm);
  writeFileSync(at("pkg/registry.json"), JSON.stringify(registry));
  writeFileSync(at("pkg/api.d.ts"), apiTypes(registry));
  writeFileSync(
    at("pkg/cotangent_bg.wasm"),
    orderedByLikeness(withoutPanics(withoutSection(wasm, notesSection))),
  );
}

/** Builds the engine when its sources changed, installing the tools for it where they are missing. */
export async function ensureEngine() {
  checkNode();
  const print = enginePrint();
  if (isFresh("engine", print, products)) return;
  await ensureRust();
  await ensureWasmBindgen();
  heading("Building the engine (a minute or two from scratch)");
  const began = performance.now();
  clearStamp("engine");
  // RUSTFLAGS from outside would replace the flags in .cargo/config.toml, SIMD among them.
  const env = { RUSTFLAGS: undefined, CARGO_ENCODED_RUSTFLAGS: undefined };
  await must(
    "Building the engine",
    "cargo",
    ["build", "--release", "--lib", "--target", wasmTarget],
    { env },
  );
  const metadata = output("cargo", ["metadata", "--no-deps", "--format-version", "1"]);
  if (metadata === null) throw new Stop("cargo metadata failed.");
  const wasm = join(JSON.parse(metadata).target_directory, wasmTarget, "release", "cotangent.wasm");
  await must("wasm-bindgen", wasmBindgen, [
    "--target",
    "web",
    "--remove-producers-section",
    "--out-dir",
    at("pkg"),
    wasm,
  ]);
  await writeRegistry();
  writeStamp("engine", print);
  const bytes = readFileSync(at("pkg/cotangent_bg.wasm"));
  const kilobytes = (count) => `${(count / 1000).toFixed(0)} kB`;
  const sizes = `${kilobytes(bytes.length)}, ${kilobytes(gzipSync(bytes, { level: 9 }).length)} gzip`;
  outcome(true, `engine, ${sizes}, ${duration(performance.now() - began)}`);
}
