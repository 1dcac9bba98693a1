// The command line's contract for Python: several files in one interpreter, cells of a notebook, links.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { main } from "../../www/cli/main.ts";
import { encodeLink } from "../../www/share/codec.ts";

let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "cotangent-"));
});
after(() => rm(folder, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function command(...argv: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const runner = (name: string) => new URL(`../../www/${name}`, import.meta.url).href;
  const status = await main(argv, {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    runners: {
      js: runner("lib/run.ts"),
      py: runner("cli/python.ts"),
      cells: runner("cli/cells.ts"),
    },
    engine: fileURLToPath(new URL("../../pkg/cotangent_bg.wasm", import.meta.url)),
  });
  return { status, out: out.join(""), err: err.join("") };
}

const FAILS = `import jax, numpy as np, jax.numpy as jnp

def loss(x):
    return jax.pure_callback(np.sin, jax.ShapeDtypeStruct((), jnp.float32), x)

print("before")
jax.grad(loss)(1.0)
`;

test("several files run in one interpreter, each in a fresh namespace, one object a line", async () => {
  const first = await file("a.py", "import sys\nsys.kept = x = 1\nprint('a')\n");
  const second = await file("b.py", "import sys\nprint(sys.kept, 'x' in globals())\n");
  const { status, out } = await command("run", "--json", first, second);
  assert.equal(status, 0);
  const [a, b] = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { ok: boolean; stdout: string });
  assert.deepEqual([a?.stdout, b?.stdout], ["a\n", "1 False\n"]);
});

test("an error in Python comes with primitive, span, chain, checked fixes and the jaxpr, and exit status 1", async () => {
  const { status, out } = await command("run", "--json", await file("fails.py", FAILS));
  assert.equal(status, 1);
  const { ok, stdout, error, jaxpr } = JSON.parse(out);
  assert.equal(ok, false);
  assert.equal(stdout, "before\n");
  assert.equal(error.class, "ValueError");
  assert.equal(error.primitive, "pure_callback");
  assert.deepEqual(error.span, { line: 4, column: 12, endLine: 4, endColumn: 79 });
  assert.deepEqual(error.chain, [{ transform: "grad", line: 7 }]);
  const [rule] = error.fixes;
  assert.equal(rule.id, "custom_vjp");
  assert.equal(rule.check.status, "pass");
  assert.match(rule.source, /loss\.defvjp\(loss_fwd, loss_bwd\)/);
  assert.match(jaxpr, /pure_callback\[/);
});

test("without --json output and diagnosis are apart", async () => {
  const { status, out, err } = await command("run", await file("fails.py", FAILS));
  assert.equal(status, 1);
  assert.equal(out, "before\n");
  assert.match(err, /Pure callbacks do not support JVP/);
  assert.match(err, /fails\.py:4:12/);
});

test("a file after one that is stopped for its time still runs", async () => {
  const endless = await file("endless.py", "print('on')\nwhile True: pass\n");
  const next = await file("next.py", "print('next')\n");
  const { status, out } = await command("run", "--json", "--timeout", "1", endless, next);
  assert.equal(status, 124);
  const [a, b] = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(a.stdout, "on\n");
  assert.equal(a.error.class, "TimeoutError");
  assert.equal(b.stdout, "next\n");
});

test("cells share a namespace, go on after an error, and say what they printed, gave and raised", async () => {
  const cells = [
    "import jax\nx = 2.0",
    "%matplotlib inline\nprint('x', x)\njax.grad(lambda v: v ** 2)(x)",
    "jax.grad(lambda v: (v, v))(x)",
    "x * 3",
    "x;",
  ];
  const path = await file("cells.json", JSON.stringify(cells));
  const { status, out } = await command("run", "--cells", path);
  assert.equal(status, 0);
  const found = JSON.parse(out) as { stdout: string; result_repr: unknown; exception: unknown }[];
  assert.deepEqual(
    found.map(({ stdout }) => stdout),
    ["", "x 2.0\n", "", "", ""],
  );
  assert.deepEqual(
    found.map(({ result_repr }) => result_repr),
    [null, "Array(4., dtype=float32, weak_type=True)", null, "6.0", null],
  );
  assert.match(String(found[2]?.exception), /^TypeError: Gradient only defined/);
  assert.equal(found.filter(({ exception }) => exception === null).length, 4);
});

test("cells that are no list of texts are refused", async () => {
  const { status, err } = await command("run", "--cells", await file("no.json", '{"a": 1}'));
  assert.equal(status, 2);
  assert.match(err, /JSON list of texts/);
});

test("a link to a Python program is opened and run", async () => {
  const link = encodeLink({ language: "py", source: "print(6 * 7)\n", engine: "0.1.0" });
  const { status, out } = await command("open", link);
  assert.equal(status, 0);
  assert.equal(out, "42\n");
});
