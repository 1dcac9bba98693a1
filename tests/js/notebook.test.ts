import assert from "node:assert/strict";
import { test } from "node:test";
import { notebook } from "../../www/share/notebook.ts";

const parts = { source: "print(1)\n", output: "", error: null, engine: "0.1.0", link: null };

test("a program becomes one code cell, under a line on where it came from", () => {
  const { cells, nbformat, nbformat_minor, metadata } = JSON.parse(notebook(parts));
  assert.deepEqual([nbformat, nbformat_minor], [4, 5]);
  assert.equal(metadata.language_info.name, "python");
  assert.deepEqual(
    cells.map((cell: { id: string; cell_type: string }) => [cell.id, cell.cell_type]),
    [
      ["about", "markdown"],
      ["program", "code"],
    ],
  );
  assert.deepEqual(cells[1].source, ["print(1)"]);
  assert.deepEqual(cells[1].outputs, []);
  assert.equal(cells[1].execution_count, null);
});

test("what was printed and raised stands under the cell, and lines keep their breaks", () => {
  const error = { class: "ValueError", message: "no" };
  const text = notebook({ ...parts, source: "a\n\nb", output: "1\n2", error });
  const [, code] = JSON.parse(text).cells;
  assert.deepEqual(code.source, ["a\n", "\n", "b"]);
  assert.deepEqual(code.outputs[0], {
    output_type: "stream",
    name: "stdout",
    text: ["1\n", "2\n"],
  });
  assert.equal(code.outputs[1].evalue, "no");
  assert.equal(code.execution_count, 1);
});

test("a link cannot end its own parenthesis", () => {
  const text = notebook({ ...parts, link: "https://example.org/a)b<c> d#1" });
  const [about] = JSON.parse(text).cells;
  assert.match(about.source[0], /\(https:\/\/example\.org\/a%29b%3Cc%3E%20d#1\)/);
});
