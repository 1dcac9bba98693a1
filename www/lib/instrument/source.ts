/**
 * Reading a program: positions, parsing with acorn, and parse errors in plain words.
 */

import { type Node, type Program, parse } from "acorn";
import type { Span } from "../report.ts";

/** How deeply a program may nest; see `tooDeep`. */
export const MAX_NESTING = 600;

/** Something wrong with the program that was found before running it. */
export interface SourceError {
  message: string;
  span: Span;
}

/** Thrown while reading or rewriting a program; never escapes `instrument`. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly from: number,
    readonly to: number,
  ) {
    super(message);
  }
}

/** Turns UTF-16 offsets into 1-based lines and columns. */
export class Positions {
  readonly #starts: number[] = [0];

  constructor(readonly source: string) {
    for (let i = 0; i < source.length; i++) {
      const c = source.charCodeAt(i);
      if (c === 13 && source.charCodeAt(i + 1) === 10) continue;
      if (c === 10 || c === 13) this.#starts.push(i + 1);
    }
  }

  /** The span of `[from, to)`. */
  span(from: number, to: number): Span {
    const [line, column] = this.#place(from);
    const [endLine, endColumn] = this.#place(to);
    return { line, column, endLine, endColumn };
  }

  /** The offset of a 1-based line and column. */
  offset(line: number, column: number): number {
    const start = this.#starts[line - 1] ?? this.source.length;
    return Math.min(start + column - 1, this.source.length);
  }

  #place(offset: number): [number, number] {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return [low + 1, offset - (this.#starts[low] ?? 0) + 1];
  }
}

/** Parses an ES module. Throws a `Refusal`. */
export function parseProgram(source: string): Program {
  try {
    return parse(source, {
      ecmaVersion: 2024,
      sourceType: "module",
      allowAwaitOutsideFunction: true,
      allowHashBang: true,
    });
  } catch (error) {
    // acorn reports an overflow of the stack as one or the other.
    if (error instanceof RangeError) throw tooDeep(source);
    if (error instanceof SyntaxError) {
      throw error.message.includes("stack space") ? tooDeep(source) : plainly(source, error);
    }
    throw error;
  }
}

/** The refusal of a program whose nesting would overflow the stack of the parser or of JavaScript. */
export function tooDeep(source: string): Refusal {
  let depth = 0;
  let at = 0;
  for (let i = 0; i < source.length; i++) {
    const c = source[i];
    if (c === "(" || c === "[" || c === "{") depth++;
    else if (c === ")" || c === "]" || c === "}") depth--;
    if (depth > MAX_NESTING) {
      at = i;
      break;
    }
  }
  return new Refusal(
    "The program is nested too deeply here; split the expression into parts",
    at,
    Math.min(at + 1, source.length),
  );
}

const WORDS: readonly [RegExp, (m: RegExpMatchArray, got: string) => string][] = [
  [/^Unexpected token/, (_, got) => `Unexpected ${got}`],
  [/^Unexpected keyword '(.+)'/, (m) => `Unexpected keyword \`${m[1]}\``],
  [/^Unterminated string/, () => "This string has no closing quote on its line"],
  [/^Unterminated template/, () => "This template string has no closing backtick"],
  [/^Unterminated comment/, () => "This comment has no closing `*/`"],
  [/^Unterminated regular/, () => "This regular expression has no closing slash"],
  [/^Identifier '(.+)' has already/, (m) => `\`${m[1]}\` is declared twice`],
  [/^'return' outside/, () => "`return` works only inside a function"],
  [/^(?:Cannot use keyword )?'await' outside|^Cannot use 'await'|^Await/i, awaitNeeds],
  [/^Cannot use keyword 'await'/, awaitNeeds],
  [/^Assigning to rvalue/, () => "This cannot be assigned to"],
  [/^Unsyntactic (break|continue)/, (m) => `\`${m[1]}\` works only inside a loop`],
];

function awaitNeeds(): string {
  return "`await` works only at the top level or in an async function";
}

/** acorn's error as a sentence for people, at the token it is about. */
function plainly(source: string, error: SyntaxError): Refusal {
  const pos = "pos" in error && typeof error.pos === "number" ? error.pos : 0;
  const message = error.message.replace(/ \(\d+:\d+\)$/, "");
  const token = /^(?:[\p{ID_Start}$_][\p{ID_Continue}$]*|\d[\w.]*|=>|[=!]==?|[\s\S])/u.exec(
    source.slice(pos, pos + 80),
  );
  const text = token?.[0] ?? "";
  const got =
    text === ""
      ? "end of the program: a closing bracket, brace or quote is missing"
      : text === "\n" || text === "\r"
        ? "end of the line"
        : `\`${text}\``;
  for (const [pattern, say] of WORDS) {
    const match = pattern.exec(message);
    if (match) return new Refusal(say(match, got), pos, pos + text.length);
  }
  return new Refusal(message, pos, pos + text.length);
}

/** For each type of node, the fields that can hold nodes: read off the first few of that type. */
const FIELDS = new Map<string, string[]>();

/** The child nodes of a node, in source order. */
export function childrenOf(node: Node): Node[] {
  let fields = FIELDS.get(node.type);
  if (fields === undefined) {
    // acorn gives every node of a type the same fields; only names and flags are never nodes.
    fields = Object.keys(node).filter((key) => !LEAVES.has(key));
    FIELDS.set(node.type, fields);
  }
  const out: Node[] = [];
  let last = -1;
  let sorted = true;
  const add = (value: unknown): void => {
    if (!isNode(value)) return;
    if (value.start < last) sorted = false;
    last = value.start;
    out.push(value);
  };
  const record = node as unknown as Readonly<Record<string, unknown>>;
  for (const field of fields) {
    const value = record[field];
    if (Array.isArray(value)) for (const item of value) add(item);
    else add(value);
  }
  return sorted ? out : out.sort((a, b) => a.start - b.start);
}

const LEAVES = new Set(
  (
    "type start end name raw kind operator prefix computed optional shorthand method generator " +
    "async static delegate await sourceType directive regex bigint tail"
  ).split(" "),
);

function isNode(v: unknown): v is Node {
  return typeof v === "object" && v !== null && "type" in v;
}
