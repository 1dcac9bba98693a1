// The build puts the functions of the wasm file into another order: everything that goes by their numbers has
// to follow.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  functionsOf,
  reordered,
  sectionName,
  sectionsOf,
  withoutSection,
} from "../../scripts/lib/wasm.mjs";
import { orderByLikeness } from "../../scripts/lib/wasm-order.mjs";

const sized = (...content: number[]) => [content.length, ...content];
const section = (id: number, ...content: number[]) => [id, ...sized(...content)];
const text = (s: string) => sized(...Buffer.from(s));

/** An import; functions: 40 + import(), both of the table called and added, 7, the start; a table, exports. */
const MODULE = Buffer.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...section(1, 2, 0x60, 0, 1, 0x7f, 0x60, 0, 0),
  ...section(2, 1, ...text("m"), ...text("two"), 0, 0),
  ...section(3, 4, 0, 0, 0, 1),
  ...section(4, 1, 0x70, 0, 2),
  ...section(6, 1, 0x7f, 1, 0x41, 5, 0x0b),
  ...section(7, 3, ...text("sum"), 0, 1, ...text("through"), 0, 2, ...text("g"), 3, 0),
  ...section(8, 4),
  ...section(9, 1, 0, 0x41, 0, 0x0b, 2, 3, 1),
  ...section(
    10,
    4,
    ...sized(0, 0x10, 0, 0x41, 40, 0x6a, 0x0b),
    ...sized(1, 1, 0x7f, 0x41, 0, 0x11, 0, 0, 0x41, 1, 0x11, 0, 0, 0x6a, 0x0b),
    ...sized(0, 0x41, 7, 0x0b),
    ...sized(0, 0x41, 9, 0x24, 0, 0x0b),
  ),
  ...section(0, ...text("notes"), 1, 2, 3),
]);

function results(wasm: Uint8Array) {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(wasm as BufferSource), {
    m: { two: () => 2 },
  });
  const { sum, through, g } = instance.exports as Record<string, CallableFunction> & {
    g: WebAssembly.Global;
  };
  return [sum?.(), through?.(), g.value];
}

test("functions in any order do what they did", () => {
  const before = results(MODULE);
  assert.deepEqual(before, [42, 49, 9]);
  for (const order of [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [2, 0, 3, 1],
  ]) {
    assert.deepEqual(results(reordered(MODULE, order)), before);
  }
});

test("a section is taken out, the rest stays", () => {
  const without = sectionsOf(withoutSection(MODULE, "notes"));
  assert.equal(without.filter((s: { id: number }) => s.id === 0).length, 0);
  assert.equal(without.length, sectionsOf(MODULE).length - 1);
  assert.deepEqual(sectionsOf(MODULE).map(sectionName).filter(Boolean), ["notes"]);
});

test("every function has one place, and those that look alike are neighbours", () => {
  const { bodies } = functionsOf(sectionsOf(MODULE));
  assert.deepEqual([...orderByLikeness(bodies)].sort(), [0, 1, 2, 3]);
  const body = (seed: number) =>
    Buffer.from(Array.from({ length: 200 }, (_, i) => (i * seed) % 251));
  const order = orderByLikeness([body(3), body(7), body(3), body(7)]);
  assert.ok(Math.abs(order.indexOf(0) - order.indexOf(2)) === 1, `${order}`);
});
