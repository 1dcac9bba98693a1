import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { deflateSync } from "fflate";
import {
  crc32,
  decodeLink,
  encodeLink,
  MAX_DECODED,
  MAX_ENCODED,
  type Program,
} from "../../www/share/codec.ts";
import { dictionaries } from "../../www/share/dictionary.ts";
import { fence, inline, markdownIssue } from "../../www/share/markdown.ts";

const hello: Program = { language: "js", source: 'print("hello");\n', engine: "0.1.0" };

let seed = 7;
const random = (n: number) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return Math.floor((seed / 2 ** 32) * n);
};

function randomProgram(): Program {
  const alphabet = [
    "a",
    "x",
    "\n",
    " ",
    '"',
    "`",
    "np.sin(",
    "é",
    "𝒳",
    "\u0000",
    "\ud800",
    "\r\n",
    "{}",
    "\\",
    "\ufeff",
    "#",
    "%20",
    "grad",
  ];
  const text = (n: number) =>
    Array.from({ length: random(n) }, () => alphabet[random(alphabet.length)]).join("");
  const program: Program = {
    language: random(2) ? "js" : "py",
    source: text(400),
    engine: "0.1.0",
  };
  if (random(2)) program.options = { x64: true, seed: random(100), note: text(20) };
  if (random(3) === 0) program.expect = { kind: "output", text: text(50) };
  else if (random(2)) {
    program.expect = {
      kind: "error",
      class: "ValueError",
      primitive: random(2) ? text(5) : null,
      line: random(2) ? 1 + random(9) : null,
    };
  }
  return program;
}

/** Refused, with a sentence, and quickly. */
function refused(fragment: string, kind?: string): void {
  let read = decodeLink("");
  let ms = Number.POSITIVE_INFINITY;
  // Again when slow: the machine may have been busy with something else.
  for (let attempt = 0; attempt < 6 && ms >= 50; attempt++) {
    const start = performance.now();
    read = decodeLink(fragment);
    ms = performance.now() - start;
  }
  assert.equal(read.ok, false, fragment.slice(0, 80));
  if (read.ok) return;
  assert.match(read.reason, /^This .*\.$/);
  if (kind) assert.equal(read.kind, kind, fragment.slice(0, 80));
  assert.ok(ms < 50, `${ms} ms`);
}

/** A fragment around any deflated bytes, with a right length and checksum. */
function forged(deflated: Uint8Array, version = "1"): string {
  const head: number[] = [];
  for (let n = deflated.length; ; n >>>= 7) {
    head.push(n > 127 ? (n & 127) | 128 : n);
    if (n <= 127) break;
  }
  const crc = crc32(deflated);
  const bytes = Buffer.from([
    ...head,
    crc & 255,
    (crc >>> 8) & 255,
    (crc >>> 16) & 255,
    crc >>> 24,
    ...deflated,
  ]);
  return version + bytes.toString("base64url");
}
const forgedText = (text: string | Uint8Array) =>
  forged(
    deflateSync(typeof text === "string" ? new TextEncoder().encode(text) : text, {
      dictionary: dictionaries[1],
    }),
  );

test("every link ever made opens the program it was made of", () => {
  const lines = readFileSync(new URL("links.txt", import.meta.url), "utf8").split("\n");
  const links = lines.filter((line) => line !== "" && !line.startsWith("#"));
  assert.ok(links.length >= 5);
  for (const line of links) {
    const [link = "", ...program] = line.split(" ");
    assert.deepEqual(decodeLink(link), { ok: true, program: JSON.parse(program.join(" ")) });
  }
});

test("the dictionary of version 1 is frozen", () => {
  assert.equal(crc32(dictionaries[1] ?? new Uint8Array()), 0xe5e164a9);
});

test("any program comes back as it was", () => {
  for (let i = 0; i < 300; i++) {
    const program = randomProgram();
    assert.deepEqual(decodeLink(encodeLink(program)), { ok: true, program });
  }
});

test("a typical program makes a short link", () => {
  const source =
    'import { np, grad, print } from "cotangent";\n\nconst f = (x) => np.sum(np.sin(x) * x);\nprint(grad(f)(np.arange(4.0)));\n';
  assert.ok(encodeLink({ ...hello, source }).length < 100, encodeLink({ ...hello, source }));
});

test("what mail and chats do to links is put up with", () => {
  const program: Program = {
    ...hello,
    source: "const x = [1, 2, 3].map((y) => y ** 2); // some text that is long enough\n",
  };
  const link = encodeLink(program);
  const same = [
    `#${link}`,
    `##${link}`,
    `https://example.org/sub/path/?q=1#${link}`,
    `${link}==`,
    link.replace(/(.{20})/g, "$1\r\n"),
    link.replace(/(.{20})/g, "$1=\n").replace(/=\n/g, "\n> "),
    [...link].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(""),
    [...link].map((char) => `%25${char.charCodeAt(0).toString(16).toUpperCase()}`).join(""),
    link.replace(/-/g, "+").replace(/_/g, "/"),
    `<${link}>`.slice(1),
    `${link}.`,
    `${link}).`,
    `${link}&run`,
    `\u200b${link}\ufeff`,
  ];
  for (const text of same) assert.deepEqual(decodeLink(text), { ok: true, program }, text);
});

test("a link that was cut says so; one that was changed is damaged", () => {
  const link = encodeLink({ ...hello, source: "const abc = 123; ".repeat(9) + Math.PI });
  for (let n = 1; n < link.length - 1; n++) refused(link.slice(0, n), "cut-short");
  for (let i = 1; i < link.length; i++) {
    const other = link[i] === "A" ? "B" : "A";
    const changed = decodeLink(link.slice(0, i) + other + link.slice(i + 1));
    // The last character holds padding bits, which mean nothing.
    if (changed.ok) assert.ok(i === link.length - 1);
  }
  refused(`${link}AAAA`, "damaged");
  refused("", "empty");
  refused("#", "empty");
  refused("9future", "newer-version");
  for (const junk of ["zzzz", "%%%", "1", "1~~~", "hello", "0abc", "__proto__", "constructor"])
    refused(junk);
});

test("flipped bits never give another program", () => {
  const link = encodeLink({ ...hello, source: "const abc = 123; ".repeat(9) });
  const bytes = Buffer.from(link.slice(1), "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const copy = Buffer.from(bytes);
    copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    refused(`1${copy.toString("base64url")}`);
  }
});

test("bombs, huge and hostile payloads are refused within 50 ms", () => {
  refused(forgedText(new Uint8Array(64 * 1024 * 1024)), "too-long");
  refused(forgedText(new Uint8Array(MAX_DECODED + 1).fill(65)), "too-long");
  refused("1".repeat(2_000_000), "too-long");
  refused(`1${"A".repeat(MAX_ENCODED)}`, "too-long");
  refused("%".repeat(100_000));
  refused(`1${"%41".repeat(30_000)}`);
  refused(forgedText(`j0.1.0 ${"[".repeat(60_000)}\nx`), "damaged");
  refused(forgedText(`j0.1.0 ${'{"options":'.repeat(5_000)}\nx`), "damaged");
  refused(forgedText(Uint8Array.of(106, 48, 10, 0xff, 0xfe)), "damaged");
  refused(forged(Uint8Array.of(7, 7, 7)), "damaged");
});

test("only what the schema allows is let in", () => {
  const bad = [
    "",
    "j0.1.0",
    "x0.1.0\n",
    "j\n",
    "j0.1.0 \n",
    "j<b>\n",
    `j${"1".repeat(41)}\n`,
    ...[
      "null",
      "[]",
      "1",
      '{"__proto__":{}}',
      '{"constructor":{}}',
      '{"unknown":1}',
      '{"source":1}',
      '{"options":[]}',
      '{"options":{"__proto__":true}}',
      '{"options":{"constructor":true}}',
      '{"options":{"a b":true}}',
      '{"options":{"x":null}}',
      '{"options":{"x":1e999}}',
      '{"options":{"x":{}}}',
      `{"options":{"x":"${"a".repeat(201)}"}}`,
      '{"expect":{}}',
      '{"expect":{"kind":"output"}}',
      '{"expect":{"kind":"output","text":1}}',
      '{"expect":{"kind":"output","text":"a","line":1}}',
      '{"expect":{"kind":"error","class":"A","primitive":null,"line":1.5}}',
      '{"expect":{"kind":"error","class":"A","primitive":null,"line":0}}',
      '{"expect":{"kind":"error","class":"A","primitive":null}}',
      '{"expect":{"kind":"error","class":"A","line":null}}',
      '{"expect":{"kind":"error","class":"A","primitive":null,"line":null,"text":"x"}}',
      '{"expect":{"kind":"other"}}',
      '{"expect":null}',
    ].map((json) => `j0.1.0 ${json}\nsource`),
  ];
  for (const text of bad) refused(forgedText(text), "damaged");
  assert.equal(decodeLink(forgedText('j0.1.0 {"options":{"x":1}}\ns')).ok, true);
});

test("a program too large for a link makes one that is refused as too long", () => {
  const noise = Array.from({ length: 60_000 }, () => String.fromCharCode(33 + random(90))).join("");
  for (const source of [noise, "a".repeat(MAX_DECODED + 10)]) {
    const link = encodeLink({ ...hello, source });
    assert.ok(link.length > MAX_ENCODED);
    refused(link, "too-long");
  }
});

test("a Markdown issue cannot be broken out of", () => {
  const nasty = "```\n</script> @someone `x` ``````\n````";
  const text = markdownIssue({
    program: { ...hello, source: nasty },
    error: {
      class: "ValueError",
      message: "```\nboo",
      primitive: "a`b\n@c",
      span: { line: 3, column: 7 },
      chain: [{ text: "<img> `grad`" }],
    },
    output: nasty,
    jaxpr: { text: Array.from({ length: 60 }, (_, i) => `line ${i}`).join("\n"), around: 300 },
    environment: "<b>Browser</b>",
    link: "https://example.org/#1abc",
  });
  assert.match(text, /^### Program\n\n```````js\n```\n<\/script>/);
  assert.ok(text.includes("### Error\n\n````\nValueError: ```\nboo\n````"));
  assert.ok(text.includes("in `` a`b @c `` at line 3, column 7"));
  assert.ok(text.includes("- `` <img> `grad` ``"));
  assert.ok(/…\nline 26\n[\s\S]*line 38\n[\s\S]*line 49\n…/.test(text));
  assert.ok(
    text.endsWith(
      "Cotangent `0.1.0`, `<b>Browser</b>`\n\nOpen it in the playground: <https://example.org/#1abc>\n",
    ),
  );
});

test("fences and code spans are longer than what is inside", () => {
  assert.equal(fence("x\n", "js"), "```js\nx\n```");
  assert.equal(fence("````"), "`````\n````\n`````");
  assert.equal(inline("a"), "`a`");
  assert.equal(inline("``"), "``` `` ```");
  assert.equal(inline(""), "` `");
});
