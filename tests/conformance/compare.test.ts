import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCases } from "./cases.ts";
import {
  type Comparison,
  close,
  compareError,
  compareOutput,
  differences,
  parseNumber,
  tokens,
} from "./compare.ts";

const values: Comparison = { kind: "values", rtol: 1e-5, atol: 1e-6 };
const jaxpr: Comparison = { kind: "jaxpr" };
const exact: Comparison = { kind: "exact" };

test("output is split into numbers, words and marks", () => {
  assert.deepEqual(tokens("[ 1.  -2.5e-03 nan]"), ["[", "1.", "-2.5e-03", "nan", "]"]);
  assert.deepEqual(tokens("x=-inf True"), ["x", "=", "-inf", "True"]);
  assert.deepEqual(tokens("float32[3] f32"), ["float32", "[", "3", "]", "f32"]);
  assert.deepEqual(tokens("[0 ... 9]"), ["[", "0", ".", ".", ".", "9", "]"]);
  assert.deepEqual(tokens("(2,)"), ["(", "2", ",", ")"]);
});

test("numbers are read as NumPy prints them", () => {
  assert.equal(parseNumber("1."), 1);
  assert.equal(parseNumber(".5"), 0.5);
  assert.equal(parseNumber("1.e+10"), 1e10);
  assert.equal(parseNumber("-inf"), Number.NEGATIVE_INFINITY);
  assert.ok(Number.isNaN(parseNumber("nan")));
  assert.equal(parseNumber("float32"), null);
  assert.equal(parseNumber("-"), null);
});

test("numbers agree within the tolerance, nan with nan, infinity only with itself", () => {
  assert.ok(close(1.000001, 1, 1e-5, 0));
  assert.ok(!close(1.0001, 1, 1e-5, 0));
  assert.ok(close(1e-7, 0, 1e-5, 1e-6));
  assert.ok(close(Number.NaN, Number.NaN, 0, 0));
  assert.ok(!close(Number.NaN, 1, 1e9, 1e9));
  assert.ok(!close(1e38, Number.POSITIVE_INFINITY, 1, 1));
  assert.ok(close(Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0));
});

test("values ignore layout and round-off but no word, bracket or missing element", () => {
  assert.equal(compareOutput("[1. 2.\n 3.]\n", "[1.0 2.000001   3]", values), null);
  assert.match(compareOutput("[1. 2.]", "[1. 2.1]", values) ?? "", /"2\." *, JAX has "2\.1"/);
  assert.match(compareOutput("[1. 2.]", "[1. 2. 3.]", values) ?? "", /JAX has "3\."/);
  assert.match(compareOutput("int32", "float32", values) ?? "", /"int32"/);
  assert.match(compareOutput("a", "a b", values) ?? "", /ends early/);
  assert.match(compareOutput("a b", "a", values) ?? "", /goes on/);
  assert.match(compareOutput("[1 2]", "[[1 2]]", values) ?? "", /JAX has "\["/);
});

test("jaxprs must agree in names and line breaks, not in runs of blanks", () => {
  const text = "{ lambda ; a:f32[]. let\n    b:f32[] = sin a \n  in (b,) }\n";
  assert.equal(compareOutput(text.replace("    b", "  b"), text, jaxpr), null);
  assert.match(compareOutput(text.replace("b:f32", "c:f32"), text, jaxpr) ?? "", /line 2/);
  assert.match(compareOutput(text.replace("\n ", ""), text, jaxpr) ?? "", /line 1/);
});

test("exact output keeps inner blanks and ignores those at the end of a line", () => {
  assert.equal(compareOutput("[ 1  2] \n\n", "[ 1  2]", exact), null);
  assert.match(compareOutput("[ 1 2]", "[ 1  2]", exact) ?? "", /line 1/);
});

test("errors agree in class and key phrase, whatever else the message says", () => {
  const want = {
    class: "TypeError",
    key: "incompatible shapes",
    message: "add got incompatible shapes",
  };
  const message = "add got incompatible\n shapes for broadcasting: [3], [4].";
  assert.equal(compareError({ class: "TypeError", message }, want), null);
  assert.match(compareError({ class: "ValueError", message }, want) ?? "", /ValueError/);
  assert.match(compareError({ class: "TypeError", message: "no" }, want) ?? "", /key phrase/);
  assert.match(compareError(null, want) ?? "", /does not fail/);
  assert.match(compareError({ class: "TypeError", message }, undefined) ?? "", /fails with/);
  assert.equal(compareError(null, undefined), null);
});

test("an outcome may differ in its error and in what was printed before", () => {
  const found = differences(
    { stdout: "1", error: null },
    { stdout: "2", error: { class: "E", key: "k", message: "k" } },
    values,
  );
  assert.equal(found.length, 2);
});

test("cases are read with the options of their file and their own", () => {
  const text = [
    "# Title",
    "x64: on",
    "## one: and two",
    "rtol: 1e-3",
    "```py",
    "key: value  # inside a program this is no option",
    "```",
    "```js",
    "print(1);",
    "```",
    "## three",
    "compare: exact",
  ].join("\n");
  const [one, three] = parseCases("file", text, { "file: three": { stdout: "3" } });
  assert.equal(one?.name, "file: one: and two");
  assert.deepEqual(one?.compare, { kind: "values", rtol: 1e-3, atol: 1e-6 });
  assert.equal(one?.javascript, "print(1);\n");
  assert.equal(one?.answer, undefined);
  assert.ok(one?.x64 && three?.x64);
  assert.deepEqual(three?.compare, { kind: "exact" });
  assert.deepEqual(three?.answer, { stdout: "3" });
});
