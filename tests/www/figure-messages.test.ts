// Figures as a hostile program may send them, without a browser: refused whole, or cut to size.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readPacket } from "../../www/app/run/validate";
import { markPath } from "../../www/app/views/figure-marks";
import { paint } from "../../www/app/views/figure-paint";
import type { FigureItem } from "../../www/lib/figure";
import { MOST_FIGURE_CHARS, registerOutput } from "../../www/python-host/output";
import { createOutbox } from "../../www/sandbox/outbox";
import { LIMITS, type WireItem } from "../../www/sandbox/protocol";

const drawn = { clip: null, opacity: 1, exact: false };
const line = { kind: "line", ...drawn, points: [0, 0, 1, 1], color: "c0", width: 1, dash: [] };
const area = {
  kind: "area",
  ...drawn,
  rings: [[0, 0, 1, 0, 1, 1]],
  fill: "#ff0000",
  stroke: null,
  width: 0,
  dash: [],
};
const marks = {
  kind: "marks",
  ...drawn,
  marker: "o",
  points: [1, 1, 2, 2],
  sizes: [3],
  fills: ["c1", null],
  strokes: [null],
  width: 1,
};
const text = {
  kind: "text",
  ...drawn,
  x: 1,
  y: 1,
  text: "t",
  size: 10,
  anchor: "start",
  baseline: "top",
  angle: 0,
  color: "text",
  bold: false,
  italic: false,
  halo: false,
};
const image = {
  kind: "image",
  ...drawn,
  x: 0,
  y: 0,
  width: 10,
  height: 10,
  columns: 1,
  rows: 2,
  rgba: Buffer.from([1, 2, 3, 255, 4, 5, 6, 255]).toString("base64"),
  smooth: false,
};
const figure = {
  kind: "figure",
  title: "t",
  description: "d",
  axes: 1,
  width: 400,
  height: 300,
  clips: [{ x: 0, y: 0, width: 10, height: 10 }],
  shapes: [line, area, marks, text, image],
};

function read(item: unknown) {
  const packet = { nonce: "n", json: JSON.stringify({ kind: "item", item }) };
  const received = readPacket(packet, "n");
  assert.ok(received?.kind === "item");
  return received.item;
}

const changed = (shape: object, fields: object) =>
  read({ ...figure, shapes: [{ ...shape, ...fields }] }).kind;

test("a well-formed figure comes through as it is", () => {
  assert.deepEqual(read(figure), figure);
  const extra = { ...figure, onclick: "x", shapes: [{ ...line, style: "x" }] };
  assert.deepEqual(read(extra), { ...figure, shapes: [line] });
});

test("numbers that are none, infinite or huge are refused", () => {
  for (const bad of [null, "1", 1e7, -1e7, [], {}, true]) {
    assert.equal(changed(text, { x: bad }), "dropped", `${bad}`);
    assert.equal(changed(area, { rings: [[0, bad]] }), "dropped", `${bad}`);
    assert.equal(read({ ...figure, width: bad }).kind, "dropped");
  }
  assert.equal(changed(line, { points: [0, null, 1, null] }), "figure");
  assert.equal(changed(line, { points: [0, 0, 1] }), "dropped");
  assert.equal(changed(line, { opacity: 2 }), "dropped");
  assert.equal(changed(line, { dash: Array(100).fill(1) }), "dropped");
  assert.equal(read({ ...figure, width: 0 }).kind, "dropped");
  assert.equal(read({ ...figure, height: 1e5 }).kind, "dropped");
});

test("colours are roles or hexadecimal, nothing that CSS would read otherwise", () => {
  for (const bad of [
    "red",
    "url(#x)",
    "url(https://x.example/)",
    "#fff",
    "#GGGGGG",
    "c10",
    "var(--x)",
    "",
  ]) {
    assert.equal(changed(line, { color: bad }), "dropped", bad);
    assert.equal(changed(marks, { fills: [bad] }), "dropped", bad);
    assert.equal(changed(area, { stroke: bad }), "dropped", bad);
  }
});

test("clips, anchors and kinds that are not known are refused", () => {
  for (const clip of [1, -1, 0.5, "0"]) assert.equal(changed(line, { clip }), "dropped");
  assert.equal(changed(line, { clip: 0 }), "figure");
  assert.equal(changed(text, { anchor: "evil" }), "dropped");
  assert.equal(changed(text, { baseline: "__proto__" }), "dropped");
  assert.equal(changed({ kind: "script", text: "x" }, {}), "dropped");
  assert.equal(changed(marks, { sizes: [1, 2, 3] }), "dropped");
});

test("texts are cut", () => {
  const long = read({
    ...figure,
    title: "x".repeat(10_000),
    shapes: [{ ...text, text: "y".repeat(10_000) }],
  });
  assert.ok(long.kind === "figure" && long.title.length < 400);
  const [shape] = long.shapes;
  assert.ok(shape?.kind === "text" && shape.text.length < 500);
});

test("more shapes, numbers or pixels than the limits are refused", () => {
  const many = Array(LIMITS.figureShapes + 1).fill(text);
  assert.equal(read({ ...figure, shapes: many }).kind, "dropped");
  const points = Array(200_002).fill(0);
  assert.equal(read({ ...figure, shapes: [{ ...line, points }] }).kind, "figure");
  assert.equal(read({ ...figure, shapes: Array(4).fill({ ...line, points }) }).kind, "dropped");
  assert.equal(read({ ...figure, clips: Array(2_001).fill(figure.clips[0]) }).kind, "dropped");
});

test("an image must hold just its bytes, as base64", () => {
  for (const rgba of ["", "AQID/wQFBg==", "AQID/wQFBv8", 'AQID/wQF"8=', "AQID/wQFBv==", null, 7])
    assert.equal(changed(image, { rgba }), "dropped", String(rgba));
  assert.equal(changed(image, { columns: 0 }), "dropped");
  assert.equal(changed(image, { columns: 4_096, rows: 4_096 }), "dropped");
});

test("a program may show so many figures, and no larger ones", () => {
  const sent: WireItem[] = [];
  const outbox = createOutbox((item) => sent.push(item));
  for (let i = 0; i < LIMITS.figures + 5; i += 1) outbox.put(figure as FigureItem);
  outbox.close();
  assert.equal(sent.filter(({ kind }) => kind === "figure").length, LIMITS.figures);
  const dropped = sent.flatMap((item) => (item.kind === "dropped" ? [item.count] : []));
  assert.equal(
    dropped.reduce((a, b) => a + b, 0),
    5,
  );
  const modules: { figure(json: string): void }[] = [];
  const connect = registerOutput({
    registerJsModule: (_name, module) => modules.push(module as { figure(json: string): void }),
  });
  const got: unknown[] = [];
  connect((item) => got.push(item));
  assert.throws(() => modules[0]?.figure(" ".repeat(MOST_FIGURE_CHARS + 1)), RangeError);
  assert.throws(() => modules[0]?.figure("no json"), SyntaxError);
  modules[0]?.figure(JSON.stringify({ kind: "image", rgba: "x" }));
  assert.deepEqual(got, []);
  modules[0]?.figure(JSON.stringify(figure));
  assert.deepEqual(got, [figure]);
});

test("dark colours get a lighter one for the dark theme, roles are the theme's", () => {
  assert.equal(paint("c0", false), "var(--figure-c0)");
  assert.equal(paint("#ffcc00", false), "#ffcc00");
  assert.match(paint("#000080", false), /^light-dark\(#000080, #[0-9a-f]{6}\)$/);
  assert.equal(paint("#000080", true), "#000080");
  assert.equal(paint(null, false), "none");
});

test("every marker has a path of numbers, an unknown one is a disc", () => {
  for (const marker of "o.,sv^<>12348pP*hH+xXDd|_")
    assert.match(markPath(marker, 1, 2, 6), /^M[-\d. MLZa]+$/, marker);
  assert.equal(markPath("__proto__", 0, 0, 2), markPath("o", 0, 0, 2));
});
