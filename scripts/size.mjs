// npm run size: what the engine's .wasm is made of. Builds it with the names of functions and adds up their
// bytes, by crate and module, by function without its type parameters, and one by one.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ensureEngine } from "./lib/engine.mjs";
import { at, must, output } from "./lib/project.mjs";
import { heading, main, say } from "./lib/say.mjs";
import { wasmBindgen, wasmTarget } from "./lib/toolchain.mjs";
import { functionsOf, namesOf, sectionsOf } from "./lib/wasm.mjs";

/** How many lines of each table are shown. */
const SHOWN = Number(process.argv[2] ?? 25);

const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;

/** A name without the hashes of crates and instances. */
const plain = (name) =>
  name.replace(/::h[0-9a-f]{16}(\[\d+\])?$/, "").replace(/\[[0-9a-f]+\]/g, "");

/** Whose a function is: of `<A as B>::f` that of A. */
const moduleOf = (name) =>
  plain(name)
    .replace(/^[<&(]*(mut |dyn )?/, "")
    .split("::")
    .slice(0, 2)
    .join("::");

function table(title, functions, key) {
  const groups = new Map();
  for (const f of functions) {
    const name = key(f.name);
    groups.set(name, [...(groups.get(name) ?? []), f.body]);
  }
  const size = (bodies) => bodies.reduce((sum, body) => sum + body.length, 0);
  const rows = [...groups].map(([name, bodies]) => ({ name, bodies, bytes: size(bodies) }));
  rows.sort((a, b) => b.bytes - a.bytes);
  heading(`${title} (bytes, bytes gzip by themselves, functions)`);
  for (const { name, bodies, bytes } of rows.slice(0, SHOWN)) {
    const packed = gzip(Buffer.concat(bodies));
    const columns = [bytes, packed, bodies.length].map((n) => String(n).padStart(8)).join("");
    say(`${columns}  ${name}`);
  }
}

async function report() {
  await ensureEngine();
  const { target_directory: target } = JSON.parse(
    output("cargo", ["metadata", "--no-deps", "--format-version", "1"]),
  );
  const built = join(target, wasmTarget, "release", "cotangent.wasm");
  const folder = join(target, "size");
  await must("wasm-bindgen", wasmBindgen, ["--target", "web", "--out-dir", folder, built]);
  const sections = sectionsOf(readFileSync(join(folder, "cotangent_bg.wasm")));
  const names = namesOf(sections);
  const { first, bodies } = functionsOf(sections);
  const functions = bodies.map((body, i) => ({ body, name: names.get(first + i) ?? "?" }));
  table("By crate and module", functions, moduleOf);
  table("By function, all instances together", functions, plain);
  table("By function", functions, (name) => name);
  const shipped = readFileSync(at("pkg/cotangent_bg.wasm"));
  heading("The file as it is delivered");
  for (const { id, content } of sectionsOf(shipped)) {
    const what = { 10: "code", 11: "data" }[id];
    if (what) say(`  ${what}: ${content.length} bytes, ${gzip(content)} gzip`);
  }
  say(`  all: ${shipped.length} bytes, ${gzip(shipped)} gzip`);
}

await main(report);
