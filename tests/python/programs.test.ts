// Programs in Python answer as real JAX did when record.py ran them: the same output (floats to 1e-5), the same class
// of exception with the same key phrase. What differs, and why, is in known-differences.json.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { load } from "../../www/lib/engine.ts";
import { startInNode } from "../../www/python-host/node.ts";
import { createPythonProgram, type PythonProgram } from "../../www/python-host/program.ts";
import { type Answer, answers, difference, groups, known } from "./programs.ts";

let program: PythonProgram;
before(async () => {
  load(readFileSync(new URL("../../pkg/cotangent_bg.wasm", import.meta.url)));
  program = createPythonProgram(await startInNode());
});

function answerOf(source: string): Answer {
  const lines: string[] = [];
  const { error } = program.run(source, {
    onOutput: (item) => void (item.kind === "text" && lines.push(item.text)),
  });
  const raised = error && { class: error.class, message: error.message };
  return { stdout: lines.join("\n"), raised };
}

for (const [group, programs] of groups()) {
  describe(group, () => {
    for (const [name, source] of programs) {
      test(name, () => {
        const expected = answers[group]?.[name];
        assert.ok(expected, "JAX's answer has not been recorded: run tests/python/record.py");
        const found = difference(expected, answerOf(source));
        if (known[group]?.[name] === undefined) assert.equal(found, null, found ?? "");
        else
          assert.notEqual(
            found,
            null,
            "it answers as JAX does: it is no known difference any more",
          );
      });
    }
  });
}

test("the documentation lists every known difference with its reason", () => {
  const text = readFileSync(new URL("../../docs/python.md", import.meta.url), "utf8");
  for (const [group, names] of Object.entries(known)) {
    for (const [name, reason] of Object.entries(names)) {
      assert.ok(text.includes(`| ${group}: ${name} | ${reason} |`), `${group}: ${name}`);
    }
  }
});

test("every known difference is of a program that there is", () => {
  const all = groups();
  for (const [group, names] of Object.entries(known)) {
    for (const name of Object.keys(names))
      assert.ok(all.get(group)?.has(name), `${group}: ${name}`);
  }
});
