// The build takes out of the wasm file what panics would say: checks have to go on checking.

import assert from "node:assert/strict";
import { test } from "node:test";
import { functionsOf, sectionsOf } from "../../scripts/lib/wasm.mjs";
import { orderedByLikeness } from "../../scripts/lib/wasm-order.mjs";
import { withoutPanics } from "../../scripts/lib/wasm-panics.mjs";

const sized = (...content: number[]) => [content.length, ...content];
const section = (id: number, ...content: number[]) => [id, ...sized(...content)];
const text = (s: string) => sized(...Buffer.from(s));

const word = (n: number) => [n, 0, 0, 0];
/** A path, and a place in it (address 32, 8 characters, line 7, column 3) at 16. */
const DATA = [...word(32), ...word(8), ...word(7), ...word(3), ...Buffer.from("src/a.rs")];

/** A function that panics unless its argument is below 5, and one that panics, with this name and end. */
const moduleWith = (name: string, ...end: number[]) =>
  Buffer.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 2, 0x60, 2, 0x7f, 0x7f, 0, 0x60, 1, 0x7f, 1, 0x7f),
    ...section(3, 2, 0, 1),
    ...section(5, 1, 0, 1),
    ...section(7, 2, ...text("checked"), 0, 1, ...text("memory"), 2, 0),
    ...section(
      10,
      2,
      ...sized(0, ...end, 0x0b),
      ...sized(
        ...[0, 0x02, 0x40, 0x20, 0, 0x41, 5, 0x49, 0x0d, 0],
        ...[0x20, 0, 0x41, 16, 0x10, 0, 0x00, 0x0b, 0x20, 0, 0x0b],
      ),
    ),
    ...section(11, 1, 0, 0x41, 16, 0x0b, ...sized(...DATA)),
    ...section(0, ...text("name"), 1, ...sized(2, 0, ...text(name), 1, ...text("checked"))),
  ]);

const PANIC = "core[0f]::panicking::panic_bounds_check";

function exportsOf(wasm: Uint8Array) {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm as BufferSource));
  return instance.exports as {
    checked: (n: number) => number;
    memory: WebAssembly.Memory;
  };
}

test("a check traps as before, without what it would have said", () => {
  const before = moduleWith(PANIC, 0x00);
  const after = withoutPanics(before);
  for (const wasm of [before, after]) {
    const { checked } = exportsOf(wasm);
    assert.equal(checked(4), 4);
    assert.throws(() => checked(5), WebAssembly.RuntimeError);
  }
  const code = (wasm: Uint8Array) => functionsOf(sectionsOf(wasm)).bodies[1];
  assert.equal(code(after)?.length, (code(before)?.length ?? 0) - 6);
});

test("places in the source become zeros, and nothing else does", () => {
  const { memory } = exportsOf(withoutPanics(moduleWith(PANIC, 0x00)));
  const bytes = Buffer.from(memory.buffer, 16, DATA.length);
  assert.deepEqual([...bytes], [...new Array(16).fill(0), ...Buffer.from("src/a.rs")]);
});

test("functions that nothing calls any more are left out", () => {
  const wasm = orderedByLikeness(withoutPanics(moduleWith(PANIC, 0x00)));
  assert.equal(functionsOf(sectionsOf(wasm)).bodies.length, 1);
  assert.equal(exportsOf(wasm).checked(3), 3);
});

test("a function that may return is not taken for a panic, nor is a file without names", () => {
  assert.throws(() => withoutPanics(moduleWith(PANIC, 0x01)), /may return/);
  assert.throws(() => withoutPanics(moduleWith("something", 0x00)), /was found by its name/);
});
