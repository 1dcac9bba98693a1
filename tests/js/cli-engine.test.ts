// The command line's contract on the real engine: one object with --json, exit statuses, links that hold.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { main } from "../../www/cli/main.ts";

const around = (out: string[], err: string[]) => ({
  out: (text: string) => void out.push(text),
  err: (text: string) => void err.push(text),
  runners: {
    js: new URL("../../www/lib/run.ts", import.meta.url).href,
    py: new URL("../../www/cli/python.ts", import.meta.url).href,
    cells: new URL("../../www/cli/cells.ts", import.meta.url).href,
  },
  engine: fileURLToPath(new URL("../../pkg/cotangent_bg.wasm", import.meta.url)),
});

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "cotangent-"));
});
after(() => rm(folder, { recursive: true }));

async function file(source: string): Promise<string> {
  const path = join(folder, "program.js");
  await writeFile(path, source);
  return path;
}

async function command(...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const status = await main(argv, around(out, err));
  return { status, out: out.join(""), err: err.join("") };
}

const FOUNDING = `import { np, grad, bufferCallback, ShapeDtypeStruct } from "cotangent";

const hostSin = (ctx, out, x) => { for (let i = 0; i < x.length; i++) out[i] = Math.sin(x[i]); };
const sin = bufferCallback(hostSin, ShapeDtypeStruct([4], "float32"));
const loss = (x) => np.sum(sin(x) * x);
print(loss(np.arange(4, { dtype: "float32" })));
print(grad(loss)(np.arange(4, { dtype: "float32" })));
`.replace("{ np", "{ print, np");

interface Shown {
  ok: boolean;
  stdout: string;
  result: string | null;
  jaxpr: string | null;
  error: {
    class: string;
    message: string;
    primitive: string;
    span: Record<string, number>;
    chain: { transform: string; line: number }[];
    fixes: {
      id: string;
      variant?: string;
      title: string;
      source: string;
      check: { status: string };
    }[];
  };
}

test("run --json tells the whole of the founding story", async () => {
  const { status, out } = await command("run", await file(FOUNDING), "--json");
  assert.equal(status, 1);
  const shown = JSON.parse(out) as Shown;
  assert.equal(shown.ok, false);
  assert.match(shown.stdout, /^3\.0\d+\n$/);
  assert.equal(shown.result, null);
  assert.match(shown.jaxpr ?? "", /^\{ lambda ;[\s\S]*buffer_callback\[/);
  const { error } = shown;
  assert.equal(error.class, "ValueError");
  assert.match(error.message, /Buffer callbacks do not support JVP/);
  assert.equal(error.primitive, "buffer_callback");
  assert.deepEqual(error.span, { line: 5, column: 28, endLine: 5, endColumn: 34 });
  assert.deepEqual(error.chain, [{ transform: "grad", line: 7 }]);
  const statuses = error.fixes.map(({ id, variant, check }) => [id, variant, check.status]);
  assert.deepEqual(statuses, [
    ["custom_vjp", "finite-differences", "pass"],
    ["custom_vjp", "pass-through", "fail"],
    ["custom_vjp", "zeros", "fail"],
    ["stop_gradient", undefined, "skipped"],
  ]);
  for (const fix of error.fixes) {
    const fixed = await command("run", await file(fix.source), "--json");
    assert.equal(fixed.status, 0, fix.source);
    assert.equal((JSON.parse(fixed.out) as Shown).ok, true);
  }
});

test("run prints output on one stream and the diagnosis on the other", async () => {
  const { status, out, err } = await command("run", await file(FOUNDING));
  assert.equal(status, 1);
  assert.match(out, /^3\.0\d+\n$/);
  assert.match(err, /^ValueError: Buffer callbacks do not support JVP/);
  assert.match(err, /at program\.js:5:28/);
  assert.match(err, /`grad` of `loss` at line 7/);
});

test("a program that runs gives its result, and the jaxpr of what it transformed", async () => {
  const source = 'import { grad, np } from "cotangent";\ngrad((x) => np.sin(x))(0.0);\n';
  const { status, out } = await command("run", await file(source), "--json");
  assert.equal(status, 0);
  const { ok, error, jaxpr } = JSON.parse(out) as Shown;
  assert.deepEqual([ok, error], [true, null]);
  assert.match(jaxpr ?? "", /cos/);
});

test("an endless loop and a callback that never returns are stopped, with their output kept", async () => {
  const loops = [
    'import { print } from "cotangent";\nprint("before");\nwhile (true) {}\n',
    'import { print, pureCallback, ShapeDtypeStruct } from "cotangent";\nprint("before");\npureCallback((x) => { for (;;) {} }, ShapeDtypeStruct([], "float32"), 1.0);\n',
  ];
  for (const source of loops) {
    const { status, out } = await command("run", await file(source), "--json", "--timeout", "0.5");
    const shown = JSON.parse(out) as Shown;
    assert.equal(status, 124);
    assert.equal(shown.stdout, "before\n");
    assert.equal(shown.error.class, "TimeoutError");
  }
});

test("a million prints are bounded, and the rest is counted", async () => {
  const source =
    'import { print } from "cotangent";\nfor (let i = 0; i < 1e6; i++) print("line", i);\n';
  const { status, out } = await command("run", await file(source), "--json");
  const { stdout } = JSON.parse(out) as Shown;
  assert.equal(status, 0);
  assert.ok(stdout.startsWith("line 0\nline 1\n"));
  assert.ok(stdout.length < 5e6, `${stdout.length} characters`);
  assert.match(stdout.slice(-200), /900,?000/);
});

test("a link with an expectation says whether it still holds", async () => {
  const made = await command("link", await file(FOUNDING), "--expect");
  assert.equal(made.status, 0);
  const opened = await command("open", made.out.trim(), "--json");
  const { expect, program } = JSON.parse(opened.out) as {
    expect: { holds: boolean };
    program: { source: string };
  };
  assert.equal(opened.status, 0);
  assert.equal(expect.holds, true);
  assert.equal(program.source, FOUNDING);
});
