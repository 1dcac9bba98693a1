// What the compiler leaves in the engine's wasm file for messages of panics. The engine's panics say nothing (see
// src/wasm/mod.rs), but the standard library was compiled for such as do: each check of an index passes on what
// to say and where in the source it stands. All of it goes; a panic is a trap at the place of the check.

import {
  eachInstruction,
  fileOf,
  functionsOf,
  leb,
  namesOf,
  parameterCounts,
  sectionsOf,
  WasmReader,
} from "./wasm.mjs";

/** Functions of the standard library that panic and do nothing else, by the last part of their names. */
const PANICS =
  /^<?(core|alloc)\b.*::(panic\w*|assert_failed\w*|\w+_fail(ed)?(_rt)?|handle_error|handle_alloc_error|capacity_overflow)(::h[0-9a-f]{16})?(\[\d+\])?$/;

/** How the body of a function ends that does not return. */
const ENDLESS = Buffer.from([0x00, 0x0b]);

const UNREACHABLE = 0x00;
const CALL = 0x10;
/** Instructions that do nothing but put a value on the stack: variables and constants. */
const PLAIN = new Set([0x20, 0x23, 0x41, 0x42, 0x43, 0x44]);

/** A body in which calls of `panics` (numbers of functions to numbers of parameters) are traps. */
function trapping(body, panics) {
  const parts = [];
  /** Where plain instructions begin that directly precede this one. */
  let plain = [];
  let kept = 0;
  let trapped = false;
  eachInstruction(body, (op, from, to) => {
    const callee = op === CALL ? new WasmReader(body, from + 1).number() : -1;
    const parameters = panics.get(callee);
    if (parameters !== undefined) {
      const arguments_ = parameters > 0 ? plain.slice(-parameters) : [];
      parts.push(body.subarray(kept, arguments_[0] ?? from), Buffer.from([UNREACHABLE]));
      kept = to;
      plain = [];
      trapped = true;
      return;
    }
    // One trap is enough.
    if (trapped && op === UNREACHABLE) kept = to;
    trapped = false;
    plain = PLAIN.has(op) ? [...plain, from] : [];
  });
  return Buffer.concat([...parts, body.subarray(kept)]);
}

/** The code section with traps for panics. */
function withTraps(sections) {
  const { first, bodies } = functionsOf(sections);
  const counts = parameterCounts(sections);
  const panics = new Map();
  for (const [index, name] of namesOf(sections)) {
    if (!PANICS.test(name) || index < first) continue;
    if (!ENDLESS.equals(bodies[index - first].subarray(1).subarray(-2)))
      throw new Error(`${name} may return`);
    panics.set(index, counts[index - first]);
  }
  if (panics.size === 0) throw new Error("no function that panics was found by its name");
  const out = bodies.map((body) => trapping(body, panics));
  return Buffer.concat([leb(out.length), ...out.flatMap((body) => [leb(body.length), body])]);
}

/** The segments of the data section: where each is in memory, and its bytes. */
function segmentsOf(data) {
  const reader = new WasmReader(data);
  return Array.from({ length: reader.number() }, () => {
    if (reader.number() !== 0) throw new Error("data of another kind than was expected");
    reader.byte();
    const at = reader.number();
    reader.byte();
    return { at, bytes: reader.take(reader.number()) };
  });
}

/** Paths of Rust's sources, as places in the source have them. */
const SOURCE = /^[\w./\\:+-]+\.rs$/;

/** The data section with zeros for places in the source: address and length of a path, line, column. */
function withoutPlaces(data) {
  const out = Buffer.from(data);
  const segments = segmentsOf(out);
  const text = (address, length) => {
    const segment = segments.find(
      ({ at, bytes }) => at <= address && address + length <= at + bytes.length,
    );
    return segment?.bytes.toString("latin1", address - segment.at, address - segment.at + length);
  };
  for (const { at, bytes } of segments) {
    for (let i = (4 - (at % 4)) % 4; i + 16 <= bytes.length; i += 4) {
      const [address, length, line, column] = [0, 4, 8, 12].map((k) => bytes.readUInt32LE(i + k));
      const place = length > 3 && length < 256 && line > 0 && line < 1e5 && column < 1e3;
      if (place && SOURCE.test(text(address, length) ?? "")) bytes.fill(0, i, i + 16);
    }
  }
  return out;
}

/** The file without what panics would say. */
export function withoutPanics(wasm) {
  const sections = sectionsOf(wasm);
  return fileOf(
    sections.map(({ id, content }) => {
      if (id === 10) return { id, content: withTraps(sections) };
      if (id === 11) return { id, content: withoutPlaces(content) };
      return { id, content };
    }),
  );
}
