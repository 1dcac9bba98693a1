/** Cuts a printed jaxpr into pieces to show: the equations, and what stands between them. */
import type { JaxprView } from "../../lib/report";

export interface Piece {
  readonly from: number;
  readonly text: string;
  /** The equation this piece is the head of; null for the text between. */
  readonly equation: number | null;
}

/** More equations than this are shown as plain text: nobody reads them one by one. */
const MOST_EQUATIONS = 3_000;

/**
 * An equation that holds other equations (a `pjit`, a `scan`) is cut at the first of them: its head
 * is one piece, what follows the inner ones is text between. So no piece stands inside another.
 */
export function pieces({ text, equations }: JaxprView): Piece[] {
  const sorted = equations
    .filter(({ from, to }) => from < to && to <= text.length)
    .slice(0, MOST_EQUATIONS)
    .sort((a, b) => a.from - b.from || b.to - a.to);
  const found: Piece[] = [];
  let at = 0;
  const upTo = (end: number) => {
    if (end > at) found.push({ from: at, text: text.slice(at, end), equation: null });
    at = Math.max(at, end);
  };
  sorted.forEach(({ id, from, to }, index) => {
    if (from < at) return;
    upTo(from);
    const inner = sorted[index + 1]?.from ?? text.length;
    const end = inner < to ? endOfHead(text, from, inner) : to;
    if (end > from) found.push({ from, text: text.slice(from, end), equation: id });
    at = end;
  });
  upTo(text.length);
  return found;
}

/** The head of an outer equation ends where the line of its first inner equation begins. */
function endOfHead(text: string, from: number, inner: number): number {
  const lineStart = text.lastIndexOf("\n", inner - 1);
  return lineStart > from ? lineStart : inner;
}

export interface Token {
  readonly kind: "type" | "word" | null;
  readonly text: string;
}

const TYPE = String.raw`\b(?:f|i|u|c|bf)(?:8|16|32|64|128)\[[^\]\n]*\]|\bbool\[[^\]\n]*\]`;
const WORD = String.raw`\b(?:lambda|let|in)\b`;
const PATTERN = new RegExp(`(${TYPE})|(${WORD})`, "g");

/** Types and the words of the language, for a touch of colour. */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  for (const match of text.matchAll(PATTERN)) {
    if (match.index > at) found.push({ kind: null, text: text.slice(at, match.index) });
    found.push({ kind: match[1] === undefined ? "word" : "type", text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < text.length) found.push({ kind: null, text: text.slice(at) });
  return found;
}
