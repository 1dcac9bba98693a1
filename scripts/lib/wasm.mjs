// Reading and writing wasm files: as much of the format as the build needs to put functions into another order
// and to leave sections out.

/** Reads a wasm file's parts. */
export class WasmReader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** The next byte. */
  byte() {
    return this.bytes[this.at++];
  }

  /** An unsigned number in LEB128. */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  /** Passes over a number in LEB128 of either kind. */
  skipNumber() {
    while (this.byte() >= 0x80);
  }

  /** The next `count` bytes. */
  take(count) {
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }
}

/** An unsigned number in LEB128. */
export function leb(value) {
  const out = [];
  do {
    const byte = value % 128;
    value = Math.floor(value / 128);
    out.push(value > 0 ? byte | 0x80 : byte);
  } while (value > 0);
  return Buffer.from(out);
}

/** The sections of a file in order: `{id, content}`. */
export function sectionsOf(wasm) {
  const reader = new WasmReader(wasm, 8);
  const sections = [];
  while (reader.at < wasm.length) {
    const id = reader.byte();
    sections.push({ id, content: reader.take(reader.number()) });
  }
  return sections;
}

/** A file of these sections. */
export function fileOf(sections) {
  const header = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
  const parts = sections.map(({ id, content }) => [
    Buffer.from([id]),
    leb(content.length),
    content,
  ]);
  return Buffer.concat([header, ...parts.flat()]);
}

/** The name of a custom section. */
export function sectionName({ id, content }) {
  if (id !== 0) return null;
  const reader = new WasmReader(content);
  return reader.take(reader.number()).toString("utf8");
}

/** A file without its custom sections of that name. */
export const withoutSection = (wasm, name) =>
  fileOf(sectionsOf(wasm).filter((section) => sectionName(section) !== name));

/** The numbers of functions that an instruction may be followed by. */
const CALL = 0x10;
const RETURN_CALL = 0x12;
const REF_FUNC = 0xd2;

/** What follows a one-byte instruction: how many numbers, or bytes. */
function skipOperands(reader, op) {
  const numbers = (count) => {
    for (let i = 0; i < count; i++) reader.skipNumber();
  };
  if (op === 0x0e) numbers(reader.number() + 1);
  else if (op === 0x1c) numbers(reader.number());
  else if (op === 0x11 || op === 0x13) numbers(2);
  else if (op >= 0x28 && op <= 0x3e) numbers(2);
  else if (op === 0x43) reader.take(4);
  else if (op === 0x44) reader.take(8);
  else if (op === 0xfc) skipBulk(reader, numbers);
  else if (op === 0xfd) skipVector(reader, numbers);
  else if ((op >= 0x02 && op <= 0x04) || op === 0x0c || op === 0x0d) numbers(1);
  else if ((op >= 0x20 && op <= 0x26) || (op >= 0x3f && op <= 0x42) || op === 0xd0) numbers(1);
  else if (op >= 0x06 && op <= 0x0a) {
    throw new Error(`exceptions in wasm are not expected here (instruction ${op})`);
  }
}

function skipBulk(reader, numbers) {
  const op = reader.number();
  if (op === 8 || op === 10 || op === 12 || op === 14) numbers(2);
  else if (op >= 9) numbers(1);
}

function skipVector(reader, numbers) {
  const op = reader.number();
  if (op <= 11 || op === 92 || op === 93) numbers(2);
  else if (op === 12 || op === 13) reader.take(16);
  else if (op >= 21 && op <= 34) reader.take(1);
  else if (op >= 84 && op <= 91) {
    numbers(2);
    reader.take(1);
  }
}

/** The instructions of a body: calls `visit` with the first byte of each, where it begins and where it ends. */
export function eachInstruction(body, visit) {
  const reader = new WasmReader(body);
  passLocals(reader);
  while (reader.at < body.length) {
    const from = reader.at;
    const op = reader.byte();
    if (op === CALL || op === RETURN_CALL || op === REF_FUNC) reader.skipNumber();
    else skipOperands(reader, op);
    visit(op, from, reader.at);
  }
}

/** Calls `found` with every function that a body calls or refers to, as often as it does. */
export function eachCall(body, found) {
  const reader = new WasmReader(body);
  passLocals(reader);
  renumberCode(reader, body.length, (index) => {
    found(index);
    return index;
  });
}

/** Passes over the local variables that a body begins with. */
function passLocals(reader) {
  for (let groups = reader.number(); groups > 0; groups--) {
    reader.skipNumber();
    reader.take(1);
  }
}

/** Code up to `end` with functions renumbered. */
function renumberCode(reader, end, numberOf) {
  const parts = [];
  let from = reader.at;
  while (reader.at < end) {
    const op = reader.byte();
    if (op === CALL || op === RETURN_CALL || op === REF_FUNC) {
      parts.push(reader.bytes.subarray(from, reader.at), leb(numberOf(reader.number())));
      from = reader.at;
    } else {
      skipOperands(reader, op);
    }
  }
  parts.push(reader.bytes.subarray(from, end));
  return Buffer.concat(parts);
}

/** Reads a constant expression, renumbered. */
function renumberExpression(reader, numberOf) {
  const start = reader.at;
  const probe = new WasmReader(reader.bytes, start);
  for (let op = probe.byte(); op !== 0x0b; op = probe.byte()) {
    if (op === REF_FUNC) probe.skipNumber();
    else skipOperands(probe, op);
  }
  return renumberCode(reader, probe.at, numberOf);
}

function renumberElements(content, numberOf) {
  const reader = new WasmReader(content);
  const count = reader.number();
  const out = [leb(count)];
  for (let i = 0; i < count; i++) {
    const flags = reader.number();
    out.push(leb(flags));
    const active = (flags & 1) === 0;
    if (active && flags & 2) out.push(leb(reader.number()));
    if (active) out.push(renumberExpression(reader, numberOf));
    if (flags & 3) out.push(reader.take(1));
    const items = reader.number();
    out.push(leb(items));
    for (let k = 0; k < items; k++) {
      if (flags & 4) out.push(renumberExpression(reader, numberOf));
      else out.push(leb(numberOf(reader.number())));
    }
  }
  return Buffer.concat(out);
}

function renumberExports(content, numberOf) {
  const reader = new WasmReader(content);
  const count = reader.number();
  const out = [leb(count)];
  for (let i = 0; i < count; i++) {
    const length = reader.number();
    out.push(leb(length), reader.take(length));
    const kind = reader.byte();
    const index = reader.number();
    out.push(Buffer.from([kind]), leb(kind === 0 ? numberOf(index) : index));
  }
  return Buffer.concat(out);
}

function renumberGlobals(content, numberOf) {
  const reader = new WasmReader(content);
  const count = reader.number();
  const out = [leb(count)];
  for (let i = 0; i < count; i++) out.push(reader.take(2), renumberExpression(reader, numberOf));
  return Buffer.concat(out);
}

/** How many functions a file imports. */
function importedFunctions(sections) {
  const section = sections.find(({ id }) => id === 2);
  if (!section) return 0;
  const reader = new WasmReader(section.content);
  let functions = 0;
  for (let left = reader.number(); left > 0; left--) {
    for (let part = 0; part < 2; part++) reader.take(reader.number());
    const kind = reader.byte();
    if (kind === 0) {
      reader.skipNumber();
      functions++;
    } else if (kind === 3) {
      reader.take(2);
    } else {
      // A table or memory: for a table its type of elements first, then limits.
      if (kind === 1) reader.take(1);
      const bounded = reader.byte() & 1;
      for (let n = 0; n <= bounded; n++) reader.skipNumber();
    }
  }
  return functions;
}

/** The functions of a file: `{first, types, bodies}`, `first` being the number of the first one. */
export function functionsOf(sections) {
  const listed = new WasmReader(sections.find(({ id }) => id === 3).content);
  const types = Array.from({ length: listed.number() }, () => listed.number());
  const code = new WasmReader(sections.find(({ id }) => id === 10).content);
  const bodies = Array.from({ length: code.number() }, () => code.take(code.number()));
  return { first: importedFunctions(sections), types, bodies };
}

/** The places of functions that can be called: from outside, through a table, or by others that can. */
export function reachable(sections) {
  const { first, bodies } = functionsOf(sections);
  const seen = new Set();
  const left = [];
  const found = (index) => {
    const place = index - first;
    if (place >= 0 && !seen.has(place)) {
      seen.add(place);
      left.push(place);
    }
    return index;
  };
  for (const { id, content } of sections) {
    if (id === 6) renumberGlobals(content, found);
    if (id === 7) renumberExports(content, found);
    if (id === 8) found(new WasmReader(content).number());
    if (id === 9) renumberElements(content, found);
  }
  while (left.length > 0) eachCall(bodies[left.pop()], found);
  return [...seen].sort((a, b) => a - b);
}

/** The names of functions by number. */
export function namesOf(sections) {
  const names = new Map();
  const section = sections.find((s) => sectionName(s) === "name");
  if (!section) return names;
  const reader = new WasmReader(section.content);
  reader.take(reader.number());
  while (reader.at < section.content.length) {
    const kind = reader.byte();
    const end = reader.number() + reader.at;
    if (kind === 1) {
      for (let left = reader.number(); left > 0; left--) {
        names.set(reader.number(), reader.take(reader.number()).toString("utf8"));
      }
    }
    reader.at = end;
  }
  return names;
}

/** How many parameters each function of a file has, by its place. */
export function parameterCounts(sections) {
  const reader = new WasmReader(sections.find(({ id }) => id === 1).content);
  const counts = [];
  for (let left = reader.number(); left > 0; left--) {
    if (reader.byte() !== 0x60) throw new Error("a type that is not of a function");
    const count = reader.number();
    counts.push(count);
    reader.take(count);
    reader.take(reader.number());
  }
  return functionsOf(sections).types.map((type) => counts[type]);
}

/** A file with its functions, or some of them that call no others, in another order: `order` has their places of before. */
export function reordered(wasm, order) {
  const sections = sectionsOf(wasm);
  const { first, types, bodies } = functionsOf(sections);
  const places = new Map(order.map((old, now) => [old, now]));
  const numberOf = (index) => (index < first ? index : first + places.get(index - first));
  const rewrite = {
    3: () => [leb(order.length), ...order.map((old) => leb(types[old]))],
    6: (content) => [renumberGlobals(content, numberOf)],
    7: (content) => [renumberExports(content, numberOf)],
    8: (content) => [leb(numberOf(new WasmReader(content).number()))],
    9: (content) => [renumberElements(content, numberOf)],
    10: () => [leb(order.length), ...order.flatMap((old) => renumberBody(bodies[old], numberOf))],
  };
  return fileOf(
    sections
      // Names go by number; what follows functions by name has no use for this file.
      .filter((section) => sectionName(section) !== "name")
      .map(({ id, content }) => ({
        id,
        content: rewrite[id] ? Buffer.concat(rewrite[id](content)) : content,
      })),
  );
}

function renumberBody(body, numberOf) {
  const reader = new WasmReader(body);
  passLocals(reader);
  const locals = body.subarray(0, reader.at);
  const code = renumberCode(reader, body.length, numberOf);
  return [leb(locals.length + code.length), locals, code];
}
