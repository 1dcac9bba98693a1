// Runs every case's JavaScript program and holds what it shows against what JAX showed.
// CONFORMANCE=substring runs only the cases whose name contains it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { initEngine, runProgram } from "../../www/lib/run.ts";
import { loadCases, loadKnownDifferences } from "./cases.ts";
import { differences, type Outcome } from "./compare.ts";

const cases = loadCases();
const known = loadKnownDifferences();
const chosen = cases.filter(({ name }) => name.includes(process.env.CONFORMANCE ?? ""));
const engine = new URL("../../pkg/cotangent_bg.wasm", import.meta.url);

before(async () => initEngine(await readFile(engine)));

test("every case has a program in both languages and an answer, and every answer a case", () => {
  for (const { name, javascript, python, answer } of cases) {
    assert.ok(javascript.trim() !== "" && python.trim() !== "", `${name} lacks a program`);
    assert.ok(answer !== undefined, `${name} has no answer: run tests/conformance/record.py`);
  }
  const names = new Set(cases.map(({ name }) => name));
  assert.equal(names.size, cases.length, "two cases share a name");
  for (const name of Object.keys(known)) assert.ok(names.has(name), `no case is called ${name}`);
});

async function outcome(source: string, x64: boolean): Promise<Outcome> {
  let stdout = "";
  const { error } = await runProgram(source, {
    x64,
    file: "case.js",
    onOutput: (item) => {
      if (item.kind === "text") stdout += `${item.text}\n`;
    },
  });
  return { stdout, error };
}

test("programs show what JAX shows", async (t) => {
  for (const { name, javascript, x64, compare, answer } of chosen) {
    await t.test(name, async () => {
      assert.ok(answer);
      const found = differences(await outcome(javascript, x64), answer, compare);
      const reason = known[name];
      if (reason === undefined) {
        assert.deepEqual(found, [], `${found.join("\n")}\n\n${javascript}`);
      } else {
        assert.notDeepEqual(
          found,
          [],
          `agrees with JAX now: strike it from known-differences.json`,
        );
      }
    });
  }
});
