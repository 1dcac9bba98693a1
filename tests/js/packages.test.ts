/** What is installed to build and test: nothing but what the lock file names, byte for byte. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

test("every package of the lock file is pinned by its hash", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { version?: string; integrity?: string; link?: boolean }>;
  };
  const loose = Object.entries(packages).filter(
    ([path, { integrity }]) => path !== "" && !integrity?.startsWith("sha512-"),
  );
  assert.deepEqual(loose, []);
});

test("the versions asked for are exact", () => {
  const { devDependencies, dependencies = {} } = JSON.parse(read("package.json")) as Record<
    "devDependencies" | "dependencies",
    Record<string, string>
  >;
  for (const [name, version] of Object.entries({ ...devDependencies, ...dependencies }))
    assert.match(version, /^\d+\.\d+\.\d+$/, name);
});

test("no package runs a script when it is installed", () => {
  assert.match(read("scripts/lib/toolchain.mjs"), /\["ci", "--ignore-scripts"/);
});
