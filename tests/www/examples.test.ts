import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { decodeLink, encodeLink } from "../../www/share/codec";
import { choosePython, open, ready, runProgram, useSite } from "./browser";

const site = useSite();
const folder = new URL("../../www/examples/", import.meta.url);
const all = readdirSync(folder);
const files = all.filter((name) => name.endsWith(".js"));

/** Examples that show an error; all others run to their end. */
const errors: Readonly<Record<string, RegExp>> = {
  "01-callback-stops-gradient.py": /^ValueError at line 17/,
  "02-transpose-a-callback.py": /^ValueError at line \d+/,
  "05-rule-structure.py": /^TypeError at line 25/,
  "13-pure-callback-vmap.py": /^NotImplementedError at line 29/,
  "14-leaked-tracer.py": /^UnexpectedTracerError at line 18/,
  "15-if-under-jit.py": /^TracerBoolConversionError at line 7/,
  "01-callback-stops-gradient.js": /^ValueError at line 9/,
  "02-transpose-a-callback.js": /^ValueError at line \d+/,
  "05-rule-structure.js": /^(TypeError|ValueError) at line \d+/,
  "13-pure-callback-vmap.js": /^(ValueError|NotImplementedError) at line 2\d/,
  "14-leaked-tracer.js": /^UnexpectedTracerError at line 13/,
  "15-if-under-jit.js": /^TracerBoolConversionError at line 6/,
};

test("every example has a title, says what it shows, and makes a link", () => {
  for (const name of all) {
    const source = readFileSync(new URL(name, folder), "utf8");
    assert.match(source, /^(\/\/|#) .{5,60}\n\1 Shows: .{10,80}\n/, name);
    const language = name.endsWith(".py") ? "py" : "js";
    const program = { language, source, engine: "0.1.0" } as const;
    const link = encodeLink(program);
    assert.deepEqual(decodeLink(link), { ok: true, program }, name);
    assert.ok(link.length < 2_000, `${name}: ${link.length} characters`);
  }
  assert.ok(files.length >= 14);
});

test("every example is there in both languages, with the same title", () => {
  assert.deepEqual(
    all.filter((name) => name.endsWith(".py")),
    files.map((name) => name.replace(/js$/, "py")),
  );
  for (const name of files) {
    const [js, py] = [name, name.replace(/js$/, "py")].map((file) => {
      const [title = ""] = readFileSync(new URL(file, folder), "utf8").split("\n", 1);
      return title.replace(/^(\/\/|#) /, "");
    });
    assert.equal(py, js);
  }
});

test("every example runs, or fails as it says", async (t) => {
  const { page, context, complaints } = await open(site());
  await ready(page);
  for (const name of files) {
    await t.test(name, async () => {
      const source = readFileSync(new URL(name, folder), "utf8");
      const status = await runProgram(page, source);
      assert.match(status, errors[name] ?? /^Ran in/);
    });
  }
  assert.deepEqual(complaints, []);
  await context.close();
});

test("every example in Python runs, or fails as it says", async (t) => {
  const { page, context, complaints } = await open(site());
  await choosePython(page);
  await ready(page);
  for (const name of all.filter((file) => file.endsWith(".py"))) {
    await t.test(name, async () => {
      const source = readFileSync(new URL(name, folder), "utf8");
      assert.match(await runProgram(page, source), errors[name] ?? /^Ran in/);
    });
  }
  assert.deepEqual(complaints, []);
  await context.close();
});
