// Our NumPy against the real one: every cell under tests/python/numpy prints what NumPy printed when
// record.py ran it (answers.json); what may differ, and why, is in known-differences.json.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadPyodide, type PyodideAPI } from "pyodide";
import { numpyKernels, type PyodideMemory } from "../../www/python-host/numpy-kernels.ts";

const here = dirname(fileURLToPath(import.meta.url));
const packages = join(here, "../../www/python");
const folder = join(here, "numpy");

type Answers = Record<string, Record<string, string>>;
const answers: Answers = JSON.parse(readFileSync(join(folder, "answers.json"), "utf8"));
const known: Record<string, string> = JSON.parse(
  readFileSync(join(folder, "known-differences.json"), "utf8"),
);

/** Copies a folder of Python files into Pyodide's file system. */
function copy(pyodide: PyodideAPI, from: string, to: string): void {
  pyodide.FS.mkdirTree(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (entry.isDirectory() && entry.name !== "__pycache__") {
      copy(pyodide, source, `${to}/${entry.name}`);
    } else if (entry.name.endsWith(".py")) {
      pyodide.FS.writeFile(`${to}/${entry.name}`, readFileSync(source));
    }
  }
}

let pyodide: PyodideAPI;
let runAll: (files: string) => string;

before(async () => {
  pyodide = await loadPyodide();
  const kernels = numpyKernels(pyodide as unknown as PyodideMemory);
  pyodide.registerJsModule("_cotangent_numpy", kernels);
  copy(pyodide, join(packages, "numpy"), "/packages/numpy");
  copy(pyodide, folder, "/cells");
  runAll = pyodide.runPython(`
import sys
sys.path[:0] = ["/packages", "/cells"]
import json, cells
lambda files: json.dumps(cells.run_all(json.loads(files)))
`);
});

test("the loops in JavaScript are found", () => {
  assert.equal(pyodide.runPython("import numpy; numpy._kernels.ready"), true);
});

test("every loop in JavaScript gives what Python's own gives", () => {
  const source = readFileSync(join(here, "numpy_loops.py"), "utf8");
  pyodide.FS.writeFile("/cells/numpy_loops.py", source);
  const wrong: string[] = JSON.parse(
    pyodide.runPython("import numpy_loops; json.dumps(numpy_loops.differences())"),
  );
  assert.equal(wrong.length, 0, `${wrong.length} differ\n${wrong.slice(0, 40).join("\n")}`);
});

describe("our NumPy prints what NumPy prints", () => {
  for (const [file, cells] of Object.entries(answers)) {
    test(file, () => {
      const source = readFileSync(join(folder, `${file}.py`), "utf8");
      const got: Answers = JSON.parse(runAll(JSON.stringify({ [file]: source })));
      const wrong: string[] = [];
      for (const [title, expected] of Object.entries(cells)) {
        const name = `${file}: ${title}`;
        const same = got[file][title] === expected;
        if (same && name in known) wrong.push(`${name}: is listed as different and is not`);
        if (!same && !(name in known)) {
          wrong.push(`${name}\n--- numpy\n${expected}\n--- ours\n${got[file][title]}`);
        }
      }
      assert.equal(wrong.length, 0, wrong.join("\n\n"));
    });
  }
});
