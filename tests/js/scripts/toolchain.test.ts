import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { at } from "../../../scripts/lib/project.mjs";
import { atLeast, lockedVersion } from "../../../scripts/lib/toolchain.mjs";

test("versions are compared number by number", () => {
  assert.ok(atLeast("20.19.0", "20.19"));
  assert.ok(atLeast("20.100.0", "20.19"));
  assert.ok(atLeast("22.0.0", "20.19.1"));
  assert.ok(!atLeast("20.9.9", "20.19"));
  assert.ok(!atLeast("18.20.0", "20"));
});

test("the crate wasm-bindgen is pinned to the version whose program is installed", () => {
  const version = lockedVersion("wasm-bindgen");
  const manifest = readFileSync(at("Cargo.toml"), "utf8");
  assert.match(manifest, new RegExp(`^wasm-bindgen = .*"=${version}"`, "m"));
});

test("lock files name packages, not the places they were fetched from", () => {
  assert.doesNotMatch(readFileSync(at("package-lock.json"), "utf8"), /"resolved"/);
  const sources = readFileSync(at("Cargo.lock"), "utf8").match(/^source = .*$/gm) ?? [];
  const cratesIo = 'source = "registry+https://github.com/rust-lang/crates.io-index"';
  assert.deepEqual([...new Set(sources)], [cratesIo]);
});

test("npm packages have fixed versions", () => {
  const { dependencies = {}, devDependencies } = JSON.parse(
    readFileSync(at("package.json"), "utf8"),
  );
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    assert.match(String(version), /^\d+\.\d+\.\d+$/, name);
  }
});
