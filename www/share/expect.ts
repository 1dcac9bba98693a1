/** Whether a run showed what the author of a link saw. */

import type { RunReport } from "../lib/report.ts";
import type { Program } from "./codec.ts";

/** What a link says its author saw. */
export type Expectation = NonNullable<Program["expect"]>;

/** What there is to compare of a run. */
export type Seen = Pick<RunReport, "error">;

/** What was seen, as a link records it. `printed` is the text output, lines joined. */
export function expectationOf({ error }: Seen, printed: string): Expectation {
  if (!error) return { kind: "output", text: printed };
  const { class: name, primitive, span } = error;
  return { kind: "error", class: name, primitive, line: span?.line ?? null };
}

/** Does a run show what was expected? White space at the end of the output does not count. */
export function holds(expected: Expectation, seen: Seen, printed: string): boolean {
  const { error } = seen;
  if (expected.kind === "output") return !error && printed.trimEnd() === expected.text.trimEnd();
  return (
    error !== null &&
    error.class === expected.class &&
    error.primitive === expected.primitive &&
    (expected.line === null || error.span?.line === expected.line)
  );
}

/** An expectation in words: "ValueError from buffer_callback at line 5". */
export function describeExpectation(expected: Expectation): string {
  if (expected.kind === "output") return expected.text === "" ? "no output" : expected.text;
  const from = expected.primitive === null ? "" : ` from ${expected.primitive}`;
  const at = expected.line === null ? "" : ` at line ${expected.line}`;
  return `${expected.class}${from}${at}`;
}
