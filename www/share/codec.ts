/**
 * Links: a program as the fragment of an address.
 *
 * Grammar, version 1:
 *
 * ```text
 * fragment = "1" base64url(frame)                      at most MAX_ENCODED characters
 * frame    = length crc deflated                       length: LEB128; crc: CRC-32, little-endian
 * text     = inflate(deflated, dictionary 1)           at most MAX_DECODED bytes of UTF-8
 * text     = language engine [" " extras] "\n" source  language: "j" or "p"
 * extras   = JSON of { options?, expect?, source? }    source: where it has lone surrogates
 * ```
 *
 * `length` is the number of deflated bytes, so that a link that was cut can be told from a damaged
 * one; the CRC is over the deflated bytes, so nothing is inflated that was not made by `encodeLink` or
 * by someone who took pains; and those are stopped at the cap while inflating.
 *
 * No part of this file touches the DOM.
 */

import { deflateSync, Inflate } from "fflate";
import { dictionaries } from "./dictionary.ts";

/** Longest fragment that is opened. Longer links do not survive address bars and chats anyway. */
export const MAX_ENCODED = 32_000;

/** Most bytes that a fragment may unfold to. */
export const MAX_DECODED = 256 * 1024;

/** Longest extras; they hold at most a result of some thousand characters. */
const MAX_EXTRAS = 64_000;

/** Few enough bytes that no slice unfolds to much before the cap is looked at. */
const SLICE = 256;

/** What a link carries: what its author wrote, and nothing that can be derived from it. */
export interface Program {
  language: "js" | "py";
  source: string;
  /** Options that differ from their defaults, as `{ x64: true }`. */
  options?: Record<string, boolean | number | string>;
  /** Version of the engine it was written with. */
  engine: string;
  /** What the author saw: an error, or what was printed. */
  expect?:
    | { kind: "error"; class: string; primitive: string | null; line: number | null }
    | { kind: "output"; text: string };
}

/** Why a link could not be opened. */
export type LinkFault = "empty" | "too-long" | "cut-short" | "newer-version" | "damaged";

/** A program, or why there is none: `reason` is a sentence for people. */
export type DecodedLink =
  | { ok: true; program: Program }
  | { ok: false; kind: LinkFault; reason: string };

const REASONS: Readonly<Record<LinkFault, string>> = {
  empty: "This address carries no program.",
  "too-long": "This link is too long to be one of ours.",
  "cut-short":
    "This link was cut short; its end is missing. Ask for it again, as text or as a file.",
  "newer-version":
    "This link was made by a newer version of the playground. Reload the page, then open it again.",
  damaged: "This link is damaged: some of its characters were changed on the way.",
};

class Fault extends Error {
  constructor(readonly kind: LinkFault) {
    super(kind);
  }
}

const VERSION = "1";

/**
 * The fragment for a program, without the leading "#". A program too large for a link gives a
 * fragment longer than MAX_ENCODED, which is for the caller to refuse.
 */
export function encodeLink(program: Program): string {
  const { options, expect } = program;
  const extras: { options?: unknown; expect?: unknown; source?: string } = {};
  if (options && Object.keys(options).length > 0) extras.options = options;
  if (expect) extras.expect = expect;
  let source = program.source;
  if (
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(source)) !==
    source
  ) {
    // Lone surrogates have no UTF-8; JSON has an escape for them.
    extras.source = source;
    source = "";
  }
  const json = Object.keys(extras).length > 0 ? ` ${JSON.stringify(extras)}` : "";
  const language = program.language === "py" ? "p" : "j";
  const text = new TextEncoder().encode(`${language}${program.engine}${json}\n${source}`);
  const dictionary = dictionaries[VERSION];
  const level = text.length > MAX_DECODED ? 0 : 9;
  const deflated = deflateSync(text, { level, mem: 9, dictionary });
  const frame: number[] = [];
  for (let n = deflated.length; ; n >>>= 7) {
    frame.push(n > 127 ? (n & 127) | 128 : n);
    if (n <= 127) break;
  }
  const crc = crc32(deflated);
  for (let shift = 0; shift < 32; shift += 8) frame.push((crc >>> shift) & 255);
  const bytes = new Uint8Array(frame.length + deflated.length);
  bytes.set(frame);
  bytes.set(deflated, frame.length);
  return VERSION + toBase64(bytes);
}

/**
 * Reads a fragment, with or without "#", or a whole address with one. Mail and chats do things to
 * links: percent-encoding, line breaks, "=" at the end, punctuation after it are all put up with.
 * Never throws, and takes no more than a few milliseconds whatever it is given.
 */
export function decodeLink(fragment: string): DecodedLink {
  try {
    return { ok: true, program: decode(fragment) };
  } catch (error) {
    const kind = error instanceof Fault ? error.kind : "damaged";
    return { ok: false, kind, reason: REASONS[kind] };
  }
}

function decode(fragment: string): Program {
  // Room for percent-encoding and line breaks, no more.
  if (fragment.length > MAX_ENCODED * 4) throw new Fault("too-long");
  const payload = tidy(fragment.slice(fragment.lastIndexOf("#") + 1));
  if (payload === "") throw new Fault("empty");
  if (payload.length > MAX_ENCODED) throw new Fault("too-long");
  const version = payload.charAt(0);
  const dictionary = Object.hasOwn(dictionaries, version) ? dictionaries[version] : undefined;
  if (!dictionary) {
    const newer = version > VERSION && version <= "9";
    throw new Fault(newer ? "newer-version" : "damaged");
  }
  return parse(inflate(unframe(fromBase64(payload.slice(1))), dictionary));
}

/** Undoes what mail, chats and other sites do to a fragment. */
function tidy(fragment: string): string {
  const text = fragment
    .replace(/%25/g, "%")
    .replace(/%[0-7][0-9a-fA-F]/g, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
  return text
    .replace(/[&?][\s\S]*$/, "")
    .replace(/[\s>\u00ad\u200b-\u200f\u2060\ufeff]+/g, "")
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/[=.,;:!?)\]}"'*`~|]+$/, "");
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const DIGITS = new Map([...ALPHABET].map((char, i) => [char, i]));

function toBase64(bytes: Uint8Array): string {
  let out = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const n = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    const chars = Math.min(bytes.length - i, 3) + 1;
    for (let k = 0; k < chars; k++) out += ALPHABET.charAt((n >>> (18 - 6 * k)) & 63);
  }
  return out;
}

function fromBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let at = 0;
  let bits = 0;
  let held = 0;
  for (const char of text) {
    const digit = DIGITS.get(char);
    if (digit === undefined) throw new Fault("damaged");
    held = ((held << 6) | digit) & 0xffff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (held >>> bits) & 255;
    }
  }
  return bytes;
}

/** The deflated bytes of a frame, checked. */
function unframe(frame: Uint8Array): Uint8Array {
  let length = 0;
  let at = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = frame[at++];
    if (byte === undefined) throw new Fault("cut-short");
    if (shift > 21) throw new Fault("damaged");
    length |= (byte & 127) << shift;
    if (byte < 128) break;
  }
  const missing = at + 4 + length - frame.length;
  if (length > MAX_ENCODED || missing < 0) throw new Fault("damaged");
  if (missing > 0) throw new Fault("cut-short");
  const deflated = frame.subarray(at + 4);
  const crc = new DataView(frame.buffer, frame.byteOffset + at, 4).getUint32(0, true);
  if (crc !== crc32(deflated)) throw new Fault("damaged");
  return deflated;
}

/** Inflates in small slices and stops at the cap. */
function inflate(deflated: Uint8Array, dictionary: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let total = 0;
  const stream = new Inflate({ dictionary }, (part) => {
    total += part.length;
    if (total > MAX_DECODED) throw new Fault("too-long");
    parts.push(part);
  });
  for (let at = 0; at === 0 || at < deflated.length; at += SLICE) {
    stream.push(deflated.subarray(at, at + SLICE), at + SLICE >= deflated.length);
  }
  const out = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function parse(bytes: Uint8Array): Program {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const end = text.indexOf("\n");
  if (end < 0 || end > MAX_EXTRAS) throw new Fault("damaged");
  const head = /^([jp])([\w.+-]{1,40})(?: (.+))?$/.exec(text.slice(0, end));
  if (!head) throw new Fault("damaged");
  const [, language, engine = "", json] = head;
  const program: Program = {
    language: language === "p" ? "py" : "js",
    source: text.slice(end + 1),
    engine,
  };
  if (json === undefined) return program;
  const extras = record(JSON.parse(json), ["options", "expect", "source"]);
  if (extras.source !== undefined) program.source = string(extras.source, MAX_DECODED);
  if (extras.options !== undefined) program.options = readOptions(extras.options);
  if (extras.expect !== undefined) program.expect = readExpect(extras.expect);
  return program;
}

/** A plain object with no keys but the given ones. */
function record(value: unknown, keys: readonly string[]): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Fault("damaged");
  // Copied to an object without a prototype, so "__proto__" and friends are only keys.
  const copy: Record<string, unknown> = Object.assign(Object.create(null), value);
  if (Object.keys(value).some((key) => !keys.includes(key))) throw new Fault("damaged");
  return copy;
}

function string(value: unknown, most: number): string {
  if (typeof value !== "string" || value.length > most) throw new Fault("damaged");
  return value;
}

function readOptions(value: unknown): NonNullable<Program["options"]> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Fault("damaged");
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length > 32) throw new Fault("damaged");
  const options: NonNullable<Program["options"]> = {};
  for (const [key, v] of entries) {
    if (!/^[a-z]\w{0,39}$/i.test(key) || key in Object.prototype) throw new Fault("damaged");
    if (typeof v === "string") options[key] = string(v, 200);
    else if (typeof v === "boolean" || (typeof v === "number" && Number.isFinite(v)))
      options[key] = v;
    else throw new Fault("damaged");
  }
  return options;
}

function readExpect(value: unknown): NonNullable<Program["expect"]> {
  const expect = record(value, ["kind", "class", "primitive", "line", "text"]);
  if (expect.kind === "output" && Object.keys(expect).length === 2) {
    return { kind: "output", text: string(expect.text, MAX_EXTRAS) };
  }
  const { kind, primitive, line } = expect;
  if (kind !== "error" || "text" in expect) throw new Fault("damaged");
  const isLine = line === null || (Number.isSafeInteger(line) && Number(line) > 0);
  if (!isLine) throw new Fault("damaged");
  return {
    kind,
    class: string(expect.class, 100),
    primitive: primitive === null ? null : string(primitive, 100),
    line: line === null ? null : Number(line),
  };
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

/** CRC-32 as in zlib. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
