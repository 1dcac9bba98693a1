import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { main } from "../../www/cli/main.ts";
import { decodeLink, encodeLink, type Program } from "../../www/share/codec.ts";

const folder = mkdtempSync(join(tmpdir(), "cotangent-"));
after(() => rmSync(folder, { recursive: true }));

const FAKE = new URL("fake/run.ts", import.meta.url).href;

async function cli(...argv: string[]): Promise<{ status: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const status = await main(argv, {
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    runners: { js: FAKE, py: FAKE, cells: FAKE },
    engine: null,
  });
  return { status, out, err };
}

let count = 0;
function file(source: string): string {
  const path = join(folder, `p${count++}.js`);
  writeFileSync(path, source);
  return path;
}

const FAILS =
  'print("before");\n  f(sin(x)); function f() {}\nfunction sin() { const e = new Error("no JVP"); e.name = "ValueError"; throw e; } var x;\n';

test("run prints the output and nothing else", async () => {
  assert.deepEqual(await cli("run", file('print(1, "a");\nprint(file);')), {
    status: 0,
    out: `1 a\np0.js\n`,
    err: "",
  });
});

test("run --json prints one object", async () => {
  const { status, out, err } = await cli(
    "run",
    file('print("a\\nb"); print(x64); return 7;'),
    "--json",
    "--x64",
  );
  assert.deepEqual([status, err], [0, ""]);
  assert.deepEqual(JSON.parse(out), {
    ok: true,
    stdout: "a\nb\ntrue\n",
    result: "7",
    error: null,
    jaxpr: null,
    ruleChecks: [],
  });
});

test("a failing program exits with 1 and its diagnosis goes to stderr", async () => {
  const { status, out, err } = await cli("run", file(FAILS));
  assert.deepEqual([status, out], [1, "before\n"]);
  assert.match(
    err,
    /^ValueError: no JVP\n {2}at p\d+\.js:2:3\n {2}2 \| {3}f\(sin\(x\)\); function f\(\) \{\}\n {4}\| {3}\^{6}\n/,
  );
  assert.match(err, /cannot be differentiated\.\n\n {2}`grad` at line 2\n/);
  assert.match(err, /custom_vjp \(zeros\): Give it a rule/);
});

test("--json holds the error, its chain and its fixes, each checked", async () => {
  const { status, out } = await cli("run", "--json", file(FAILS));
  assert.equal(status, 1);
  const { ok, stdout, error } = JSON.parse(out);
  assert.deepEqual([ok, stdout], [false, "before\n"]);
  assert.equal(error.class, "ValueError");
  assert.deepEqual(error.span, { line: 2, column: 3, endLine: 2, endColumn: 9 });
  assert.deepEqual(error.chain, [{ transform: "grad", line: 2 }]);
  const fixes = error.fixes.map((fix: { source: string; check: { status: string } }) => [
    fix.source,
    fix.check.status,
  ]);
  assert.deepEqual(fixes, [
    ["fixed", "pass"],
    ["wrong", "fail"],
  ]);
});

test("an endless loop is stopped and what it printed is kept", async () => {
  const path = file('print("so far");\nwhile (true) {}');
  const text = await cli("run", path, "--timeout", "0.5");
  assert.deepEqual(text, {
    status: 124,
    out: "so far\n",
    err: "The program was stopped after 0.5 s.\n",
  });
  const { status, out } = await cli("run", path, "--timeout=0.5", "--json");
  assert.equal(status, 124);
  const { ok, stdout, error } = JSON.parse(out);
  assert.deepEqual([ok, stdout, error.class], [false, "so far\n", "TimeoutError"]);
});

test("a failure of our own is told from one of the program", async () => {
  const { status, err, out } = await cli("run", file("// crash"));
  assert.deepEqual([status, out], [1, ""]);
  assert.match(err, /the engine fell over/);
});

test("link and open are inverse", async () => {
  const source = 'print("hello");\n';
  const { status, out } = await cli("link", file(source), "--x64");
  assert.equal(status, 0);
  const read = decodeLink(out.trim());
  assert.ok(read.ok);
  assert.equal(read.program.source, source);
  assert.deepEqual(read.program.options, { x64: true });
  assert.deepEqual(await cli("open", out.trim()), { status: 0, out: "hello\n", err: "" });
});

test("open says whether what was expected holds", async () => {
  for (const source of ['print("hello");\n', FAILS]) {
    const link = (await cli("link", file(source), "--expect")).out.trim();
    const same = await cli("open", link);
    assert.equal(same.status, 0, same.err);
    assert.match(same.err, /As expected: (hello|ValueError from buffer_callback at line 2)\n$/);
  }
  const program: Program = {
    language: "js",
    source: 'print("hello");',
    engine: "0.1.0",
    expect: { kind: "output", text: "bye" },
  };
  const other = await cli("open", encodeLink(program));
  assert.equal(other.status, 1);
  assert.match(other.err, /Expected: bye\nGot: hello\n/);
  const { status, out } = await cli(
    "open",
    "--json",
    `https://example.org/#${encodeLink(program)}`,
  );
  assert.equal(status, 1);
  const { ok, stdout, expect } = JSON.parse(out);
  assert.deepEqual([ok, stdout], [true, "hello\n"]);
  assert.deepEqual(expect, { kind: "output", text: "bye", holds: false, seen: "hello" });
});

test("wrong commands are explained", async () => {
  for (const argv of [
    [],
    ["walk", "x"],
    ["run"],
    ["run", "a", "b"],
    ["run", "--what", "a"],
    ["run", "a", "--timeout", "soon"],
    ["run", join(folder, "missing.js")],
    ["open", "rubbish"],
    ["open", "1abc", "--json"],
  ]) {
    const { status, err, out } = await cli(...argv);
    assert.equal(status, 2, argv.join(" "));
    assert.ok(err !== "" || JSON.parse(out).ok === false);
  }
  assert.match((await cli("--help")).out, /^Usage: cotangent/);
});

test("a program too long for a link is refused", async () => {
  let noise = "";
  for (let i = 0; noise.length < 90_000; i++) noise += Math.sin(i * i).toString(36);
  const { status, err, out } = await cli("link", file(noise));
  assert.deepEqual([status, out], [1, ""]);
  assert.match(err, /too long for a link/);
});
