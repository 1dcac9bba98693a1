/** What crosses between sandbox and page, without a browser: caps, and the reading of hostile packets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readPacket } from "../../www/app/run/validate";
import { diffLines } from "../../www/app/views/diff";
import { pieces, tokens } from "../../www/app/views/jaxpr-text";
import type { RunReport } from "../../www/lib/report";
import { createOutbox } from "../../www/sandbox/outbox";
import { LIMITS, type WireItem } from "../../www/sandbox/protocol";

const packet = (report: unknown, pixels?: ArrayBuffer) => ({
  nonce: "n",
  json: JSON.stringify(report),
  pixels,
});
const fine: RunReport = {
  ok: true,
  error: null,
  jaxpr: null,
  ruleChecks: [],
  result: null,
  ms: 1,
};

test("a report that is well formed comes through as it is", () => {
  assert.deepEqual(readPacket(packet({ kind: "done", report: fine }), "n"), {
    kind: "done",
    report: fine,
  });
});

test("packets of another job, or of no form at all, are not ours", () => {
  assert.equal(readPacket(packet({ kind: "done", report: fine }), "m"), null);
  for (const data of [null, 1, "ready", [], {}, { nonce: "n" }, { nonce: "n", json: 7 }]) {
    assert.equal(readPacket(data, "n"), null);
  }
  assert.equal(readPacket({ nonce: "n", json: "x".repeat(LIMITS.packetChars + 1) }, "n"), null);
});

test("a report with anything wrong in it is refused whole, and nothing throws", () => {
  const wrong: unknown[] = [
    null,
    [],
    { kind: "nonsense" },
    { kind: "done" },
    { kind: "done", report: { ...fine, ok: "yes" } },
    { kind: "done", report: { ...fine, ms: null } },
    { kind: "done", report: { ...fine, error: { class: 1 } } },
    {
      kind: "done",
      report: { ...fine, jaxpr: { text: "a", equations: [{ id: 0, from: 0, to: 99 }] } },
    },
    { kind: "done", report: { ...fine, ruleChecks: Array(1_000).fill({}) } },
    { kind: "checked", check: { status: "perfect", maxRelativeError: 0, detail: "" } },
  ];
  for (const report of wrong) {
    assert.equal(readPacket(packet(report), "n")?.kind, "broken", JSON.stringify(report));
  }
  assert.equal(readPacket({ nonce: "n", json: `${"[".repeat(100_000)}` }, "n")?.kind, "broken");
  assert.equal(
    readPacket({ nonce: "n", json: '{"kind":"done","__proto__":{"report":1}}' }, "n")?.kind,
    "broken",
  );
});

test("only known fields are copied", () => {
  const read = readPacket(
    packet({ kind: "done", report: { ...fine, extra: "x", __proto__: {} } }),
    "n",
  );
  assert.deepEqual(read, { kind: "done", report: fine });
});

test("an image must come with just its pixels", () => {
  const item = { kind: "image", width: 2, height: 1, title: "t" };
  const good = readPacket(packet({ kind: "item", item }, new ArrayBuffer(8)), "n");
  assert.ok(good?.kind === "item" && good.item.kind === "image");
  for (const pixels of [undefined, new ArrayBuffer(7), new ArrayBuffer(12)]) {
    const bad = readPacket(packet({ kind: "item", item }, pixels), "n");
    assert.ok(bad?.kind === "item" && bad.item.kind === "dropped");
  }
  const huge = { ...item, width: 16_384, height: 16_384 };
  const refused = readPacket(packet({ kind: "item", item: huge }, new ArrayBuffer(8)), "n");
  assert.ok(refused?.kind === "item" && refused.item.kind === "dropped");
});

test("numbers that JSON cannot write arrive as NaN", () => {
  const item = {
    kind: "plot",
    title: "",
    xlabel: "",
    ylabel: "",
    series: [{ label: "", x: [0, 1], y: [1, null] }],
  };
  const read = readPacket(packet({ kind: "item", item }), "n");
  assert.ok(read?.kind === "item" && read.item.kind === "plot");
  assert.deepEqual(read.item.series[0]?.y, [1, Number.NaN]);
});

test("lines and characters over the caps are counted, not sent", () => {
  const sent: WireItem[] = [];
  const outbox = createOutbox((item) => sent.push(item));
  for (let i = 0; i < LIMITS.lines + 500; i += 1) outbox.put({ kind: "text", text: `${i}` });
  outbox.put({ kind: "text", text: "a\nb\nc" });
  outbox.close();
  assert.equal(sent.filter(({ kind }) => kind === "text").length, LIMITS.lines);
  const dropped = sent.flatMap((item) =>
    item.kind === "dropped" && item.what === "line" ? [item.count] : [],
  );
  assert.equal(
    dropped.reduce((a, b) => a + b, 0),
    503,
  );
});

test("one long line and one text of many lines are cut", () => {
  const sent: WireItem[] = [];
  const outbox = createOutbox((item) => sent.push(item));
  outbox.put({ kind: "text", text: "x".repeat(1_000_000) });
  outbox.put({ kind: "text", text: "y\n".repeat(LIMITS.lines * 3) });
  outbox.close();
  const texts = sent.flatMap((item) => (item.kind === "text" ? [item.text] : []));
  assert.equal(texts[0]?.length, LIMITS.lineChars);
  assert.ok((texts[1] ?? "").split("\n").length <= LIMITS.lines);
  assert.ok(sent.some((item) => item.kind === "dropped" && item.what === "character"));
  assert.ok(sent.some((item) => item.kind === "dropped" && item.what === "line"));
});

test("images and plots have their caps too", () => {
  const sent: WireItem[] = [];
  const outbox = createOutbox((item) => sent.push(item));
  const rgba = new Uint8ClampedArray(4);
  for (let i = 0; i < LIMITS.images + 5; i += 1)
    outbox.put({ kind: "image", width: 1, height: 1, rgba, title: "" });
  const x = Array.from({ length: LIMITS.plotPoints + 1 }, () => 0);
  outbox.put({ kind: "plot", title: "", xlabel: "", ylabel: "", series: [{ label: "", x, y: x }] });
  outbox.close();
  assert.equal(sent.filter(({ kind }) => kind === "image").length, LIMITS.images);
  const dropped = (what: string) =>
    sent.reduce(
      (sum, item) => sum + (item.kind === "dropped" && item.what === what ? item.count : 0),
      0,
    );
  assert.equal(dropped("image"), 5);
  assert.equal(dropped("plot"), 1);
});

test("a jaxpr is cut into pieces that join to the whole, none inside another", () => {
  const text =
    "{ let\n    a = jit[\n      jaxpr={ let\n          b = sin c\n        in b }\n    ] d\n    e = mul a a\n  in e }";
  const at = (id: number, words: string) => {
    const from = text.indexOf(words);
    return { id, from, to: from + words.length, span: null, primitive: "" };
  };
  const outer = text.slice(text.indexOf("a = jit"), text.indexOf("] d") + 3);
  const cut = pieces({ text, equations: [at(0, outer), at(1, "b = sin c"), at(2, "e = mul a a")] });
  assert.equal(cut.map((piece) => piece.text).join(""), text);
  assert.deepEqual(
    cut.flatMap(({ equation, text: words }) => (equation === null ? [] : [[equation, words]])),
    [
      [0, "a = jit[\n      jaxpr={ let"],
      [1, "b = sin c"],
      [2, "e = mul a a"],
    ],
  );
});

test("tokens join to the text they were made of", () => {
  const line = "{ lambda ; a:f32[3,4] b:bool[]. let c:i32[] = f a in (c,) }";
  const cut = tokens(line);
  assert.equal(cut.map(({ text }) => text).join(""), line);
  assert.deepEqual(
    cut.filter(({ kind }) => kind === "type").map(({ text }) => text),
    ["f32[3,4]", "bool[]", "i32[]"],
  );
});

test("a difference shows what is added and removed, with a line around it", () => {
  const lines = diffLines("a\nb\nc\nd\ne\nf", "a\nb\nX\nd\ne\nf\ng");
  assert.deepEqual(
    lines.map(({ kind, text }) => `${kind[0]}${text}`),
    ["sb", "rc", "aX", "sd", "g", "sf", "ag"],
  );
  assert.deepEqual(diffLines("same", "same"), []);
});
