// Every fix that is offered for the programs of fixes/programs.py is the one that was tried on real JAX, and the fixed
// program answers here as it does there.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { load } from "../../www/lib/engine.ts";
import type { Fix } from "../../www/lib/report.ts";
import { startInNode } from "../../www/python-host/node.ts";
import { createPythonProgram, type PythonProgram } from "../../www/python-host/program.ts";
import { type Answer, difference, failing, fixed, keyOf } from "./programs.ts";

let program: PythonProgram;
before(async () => {
  load(readFileSync(new URL("../../pkg/cotangent_bg.wasm", import.meta.url)));
  program = createPythonProgram(await startInNode());
});

function run(source: string) {
  const lines: string[] = [];
  const onOutput = (item: { kind: string; text?: string }) =>
    void (item.kind === "text" && lines.push(item.text ?? ""));
  const report = program.run(source, { onOutput });
  const raised = report.error && {
    class: report.error.class,
    message: report.error.message,
  };
  return { report, answer: { stdout: lines.join("\n"), raised } satisfies Answer };
}

function applied(source: string, { edits }: Fix): string {
  let out = "";
  let at = 0;
  for (const { from, to, insert } of edits) {
    out += source.slice(at, from) + insert;
    at = Math.max(at, to);
  }
  return out + source.slice(at);
}

for (const [name, source] of failing()) {
  test(name, () => {
    const { error } = run(source).report;
    const fixes = error?.fixes ?? [];
    const expected = Object.keys(fixed).filter((key) => key.startsWith(`${name}: `));
    assert.ok(expected.length > 0, "no fix has been recorded");
    const keys = fixes.map((fix) => keyOf(name, fix));
    assert.deepEqual(keys, expected, "run tests/python/fixed.ts and record.py");
    for (const [i, fix] of fixes.entries()) {
      const { source: recorded, answer } = fixed[keys[i] as string] as (typeof fixed)[string];
      assert.equal(fix.source, recorded, "run tests/python/fixed.ts and record.py");
      assert.equal(applied(source, fix), fix.source, "the edits give the fixed program");
      assert.ok(answer && answer.raised === null, "real JAX accepts the fixed program");
      assert.equal(difference(answer, run(fix.source).answer), null, keys[i]);
    }
  });
}

test("a rule by finite differences passes the check, one that passes through what is not the identity fails", () => {
  const source = failing().get("the founding example") as string;
  const fixes = run(source).report.error?.fixes ?? [];
  const verdict = (variant: string) => {
    const fix = fixes.find((f) => f.variant === variant);
    return fix && program.check(fix.source).status;
  };
  assert.equal(verdict("finite-differences"), "pass");
  assert.equal(verdict("pass-through"), "fail");
});

test("programs that no fix fits get none, and never an error of the fixing itself", () => {
  for (const source of [
    "import jax\njax.grad(lambda x: x.undefined)(1.0)\n",
    "import jax\nexec('jax.grad(lambda x: (x, x))(1.0)')\n",
    "import jax\nprint(jax.grad(*[lambda x: x * jax.numpy.ones(2)])(1.0))\n",
  ]) {
    const { error } = run(source).report;
    assert.ok(error);
    assert.deepEqual(error.fixes, []);
  }
});
