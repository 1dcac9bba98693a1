// The programs under programs/ and what JAX answered to them; how answers are compared.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const folder = fileURLToPath(new URL(".", import.meta.url));

export interface Answer {
  stdout: string;
  raised: { class: string; message: string } | null;
}

const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));

export const answers = read("answers.json") as Record<string, Record<string, Answer>>;

/** Programs that answer differently, and why. */
export const known = read("known-differences.json") as Record<string, Record<string, string>>;

/** The programs of a file: each begins with a line `#%% name`. */
function programsOf(file: string): Map<string, string> {
  const parts = `\n${readFileSync(join(folder, file), "utf8")}`.split("\n#%% ");
  return new Map(
    parts.slice(1).map((part) => {
      const end = part.indexOf("\n");
      return [part.slice(0, end), `${part.slice(end + 1).trimEnd()}\n`];
    }),
  );
}

/** The programs of every group. */
export function groups(): Map<string, Map<string, string>> {
  const files = readdirSync(join(folder, "programs")).filter((file) => file.endsWith(".py"));
  return new Map(files.sort().map((file) => [file.slice(0, -3), programsOf(`programs/${file}`)]));
}

/** Programs that fail, and for which there are fixes. */
export const failing = (): Map<string, string> => programsOf("fixes/programs.py");

/** A program that a fix gave, and what JAX answers to it. */
export interface Fixed {
  source: string;
  answer: Answer | null;
}

export const fixed = read("fixed.json") as Record<string, Fixed>;

/** The name of a fix of a program. */
export const keyOf = (name: string, { id, variant }: { id: string; variant?: string }): string =>
  `${name}: ${id}${variant ? ` ${variant}` : ""}`;

const NUMBER = /[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?/gi;

/** Texts with their numbers taken out, and the numbers. Blanks say how wide numbers are, so they don't count. */
function taken(text: string): [string, string[]] {
  const numbers = text.match(NUMBER) ?? [];
  const words = text.replace(NUMBER, "#").replace(/\s+/g, " ");
  return [words.replace(/ ?([[\](),]) ?/g, "$1"), numbers];
}

const isFloat = (number: string) => /[.e]/i.test(number);

/** Are texts equal, floats to 1e-5? A text without floats has to be equal to the letter. */
export function same(expected: string, got: string): boolean {
  if (expected === got) return true;
  const [[words, numbers], [otherWords, otherNumbers]] = [taken(expected), taken(got)];
  if (words !== otherWords || numbers.length !== otherNumbers.length) return false;
  if (!numbers.some(isFloat)) return false;
  return numbers.every((number, i) => {
    const other = otherNumbers[i] as string;
    if (!isFloat(number) || !isFloat(other)) return number === other;
    const [a, b] = [Number(number), Number(other)];
    return Math.abs(a - b) <= 1e-5 * Math.max(Math.abs(a), Math.abs(b)) + 1e-6;
  });
}

/** The part of a message by which people search for it: its first sentence, without addresses. */
export function phrase(message: string): string {
  const [line = ""] = message.split("\n");
  const [sentence = ""] = line.split(/(?<=[a-z)\]])\. /);
  return sentence
    .replace(/ at 0x[0-9a-f]+/g, "")
    .trim()
    .slice(0, 90);
}

/** What is different between JAX's answer and ours; null for nothing. */
export function difference(expected: Answer, got: Answer): string | null {
  const { raised } = expected;
  if ((raised?.class ?? null) !== (got.raised?.class ?? null)) {
    const ours = got.raised ? `${got.raised.class}: ${got.raised.message}` : "nothing";
    return `JAX raises ${raised ? `${raised.class}: ${raised.message}` : "nothing"}\nhere: ${ours}`;
  }
  if (raised && got.raised) {
    const message = got.raised.message.replace(/ at 0x[0-9a-f]+/g, "");
    if (!message.includes(phrase(raised.message))) {
      return `JAX says: ${raised.message}\nhere: ${got.raised.message}`;
    }
  }
  if (!same(expected.stdout.trimEnd(), got.stdout.trimEnd())) {
    return `JAX prints:\n${expected.stdout}\nhere:\n${got.stdout}`;
  }
  return null;
}
