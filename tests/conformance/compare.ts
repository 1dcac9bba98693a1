// Compares what a program showed with what JAX showed. Pure functions of text: no files, no engine.

/** How the output of a case is compared. */
export type Comparison =
  /** Token by token; numbers within a tolerance, white space folded. */
  | { readonly kind: "values"; readonly rtol: number; readonly atol: number }
  /** Line by line, runs of blanks folded: variable names and line breaks count. */
  | { readonly kind: "jaxpr" }
  /** Line by line; only blanks at the ends of lines are ignored. */
  | { readonly kind: "exact" };

/** An error as both sides report it. */
export interface Failure {
  readonly class: string;
  readonly message: string;
}

/** What a program showed: its output and the error it ended in, if any. */
export interface Outcome {
  readonly stdout: string;
  readonly error: Failure | null;
}

/** What is expected: as `Outcome`, with the part of the message that has to be found. */
export interface Expected {
  readonly stdout: string;
  readonly error?: { readonly class: string; readonly key: string; readonly message: string };
}

const number = /^[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?|inf|nan)$/;
const token = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?(?![\w.])|[-+]?\b(?:inf|nan)\b|\w+|[^\s\w]/g;

/** Splits output into numbers, words and single marks. */
export function tokens(text: string): string[] {
  return text.match(token) ?? [];
}

/** The value of a number as NumPy prints it, or null for anything else. */
export function parseNumber(text: string): number | null {
  if (!number.test(text)) return null;
  if (text.endsWith("nan")) return Number.NaN;
  if (text.endsWith("inf")) {
    return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  return Number(text);
}

/** Whether `got` is `want` up to `atol + rtol * |want|`; nan equals nan, infinities only themselves. */
export function close(got: number, want: number, rtol: number, atol: number): boolean {
  if (Number.isNaN(want) || Number.isNaN(got)) return Number.isNaN(want) && Number.isNaN(got);
  if (!Number.isFinite(want) || !Number.isFinite(got)) return got === want;
  return Math.abs(got - want) <= atol + rtol * Math.abs(want);
}

/** The first difference between two outputs in words, or null if they agree. */
export function compareOutput(got: string, want: string, how: Comparison): string | null {
  return how.kind === "values" ? compareTokens(got, want, how) : compareLines(got, want, how.kind);
}

function compareTokens(
  got: string,
  want: string,
  { rtol, atol }: { readonly rtol: number; readonly atol: number },
): string | null {
  const gots = tokens(got);
  const wants = tokens(want);
  for (let i = 0; i < Math.max(gots.length, wants.length); i++) {
    const g = gots[i];
    const w = wants[i];
    if (g === w) continue;
    if (g === undefined) return `ends early: "${w}" is missing`;
    if (w === undefined) return `goes on: "${g}" is too much`;
    const [x, y] = [parseNumber(g), parseNumber(w)];
    if (x === null || y === null || !close(x, y, rtol, atol)) {
      return `token ${i + 1} is "${g}", JAX has "${w}"`;
    }
  }
  return null;
}

/** The lines of a text without blanks at their ends; for jaxprs with runs of blanks folded. */
export function normalLines(text: string, kind: "jaxpr" | "exact"): string[] {
  const lines = text.replace(/\s+$/, "").split("\n");
  return lines.map((line) =>
    (kind === "jaxpr" ? line.replace(/[ \t]+/g, " ") : line).replace(/[ \t]+$/, ""),
  );
}

function compareLines(got: string, want: string, kind: "jaxpr" | "exact"): string | null {
  const gots = normalLines(got, kind);
  const wants = normalLines(want, kind);
  for (let i = 0; i < Math.max(gots.length, wants.length); i++) {
    if (gots[i] === wants[i]) continue;
    if (gots[i] === undefined) return `ends early: line ${i + 1}, "${wants[i]}", is missing`;
    if (wants[i] === undefined) return `goes on: line ${i + 1}, "${gots[i]}", is too much`;
    return `line ${i + 1} is "${gots[i]}", JAX has "${wants[i]}"`;
  }
  return null;
}

/** The first difference between two errors: presence, class, then the key phrase of the message. */
export function compareError(got: Failure | null, want: Expected["error"]): string | null {
  if (want === undefined) return got === null ? null : `fails with ${got.class}: ${got.message}`;
  if (got === null) return `does not fail, JAX raises ${want.class}: ${want.message}`;
  if (got.class !== want.class) {
    return `fails with ${got.class} (${got.message}), JAX with ${want.class} (${want.message})`;
  }
  const fold = (text: string) => text.replace(/\s+/g, " ").trim();
  return fold(got.message).includes(fold(want.key))
    ? null
    : `says "${got.message}", JAX's key phrase is "${want.key}"`;
}

/** Every difference between what a program showed and what JAX showed; empty if they agree. */
export function differences(got: Outcome, want: Expected, how: Comparison): string[] {
  return [compareError(got.error, want.error), compareOutput(got.stdout, want.stdout, how)].filter(
    (difference) => difference !== null,
  );
}
