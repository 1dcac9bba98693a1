/** Links and Markdown issues made of the program and of its last run. */
import type { RunReport } from "../../lib/report";
import { encodeLink, MAX_ENCODED, type Program } from "../../share/codec";
import { markdownIssue } from "../../share/markdown";
import { printedText } from "../run/output";
import { linked, report, run, stale, text } from "./state";

/** Longer links are refused. */
export const MAX_LINK = MAX_ENCODED;
/** Longer links are warned about: some programs cut them. */
export const WARN_LINK = 2_000;

/** A result longer than this is not recorded: the link would grow too long. */
const MAX_EXPECTED = 2_000;

export function programToShare(record: boolean): Program {
  const program: Program = { language: "js", source: text.value, engine: __ENGINE_VERSION__ };
  const expect = record && !stale.value && report.value ? expectation(report.value) : null;
  return expect ? { ...program, expect } : program;
}

export function linkTo(program: Program): string {
  return `${location.origin}${location.pathname}#${encodeLink(program)}`;
}

type Expectation = NonNullable<Program["expect"]>;

export function expectation(seen: RunReport): Expectation | null {
  if (seen.error) {
    const { class: name, primitive, span } = seen.error;
    return { kind: "error", class: name, primitive, line: span?.line ?? null };
  }
  const printed = printedText();
  return printed.length <= MAX_EXPECTED ? { kind: "output", text: printed } : null;
}

export type Verdict = { readonly holds: true } | { readonly holds: false; readonly got: string };

/** Whether the run of a linked program showed what its author saw; null if there is nothing to compare. */
export function verify(): Verdict | null {
  const expected = linked.value?.program.expect;
  const seen = report.value;
  if (!expected || !seen || stale.value) return null;
  const error = seen.error;
  if (expected.kind === "output") {
    const printed = printedText();
    if (error) return { holds: false, got: describeError(seen) };
    const same = printed.trimEnd() === expected.text.trimEnd();
    return same ? { holds: true } : { holds: false, got: printed === "" ? "no output" : printed };
  }
  if (!error) return { holds: false, got: "no error" };
  const same =
    error.class === expected.class &&
    error.primitive === expected.primitive &&
    (expected.line === null || error.span?.line === expected.line);
  return same ? { holds: true } : { holds: false, got: describeError(seen) };
}

/** What the author of a link saw, in words. */
export function describeExpectation(expected: Expectation): string {
  if (expected.kind === "output") return expected.text === "" ? "no output" : expected.text;
  const at = expected.line === null ? "" : ` at line ${expected.line}`;
  return `${expected.class}${expected.primitive ? ` from ${expected.primitive}` : ""}${at}`;
}

function describeError({ error }: RunReport): string {
  if (!error) return "no error";
  const at = error.span ? ` at line ${error.span.line}` : "";
  return `${error.class}${error.primitive ? ` from ${error.primitive}` : ""}${at}`;
}

/** The program, what it said, and where, as Markdown for an issue tracker. */
export function issueMarkdown(link: string | null): string {
  const seen = stale.value ? null : report.value;
  const error = seen?.error ?? null;
  const jaxpr = seen?.jaxpr;
  const failing = jaxpr?.equations.find(({ id }) => id === error?.equation);
  const crash = run.value.kind === "crashed" && !stale.value ? run.value.detail : null;
  return markdownIssue({
    program: programToShare(false),
    error: crash === null ? error : { ...NO_PLACE, class: "Engine failure", message: crash },
    output: stale.value ? "" : printedText(),
    jaxpr: jaxpr ? { text: jaxpr.text, around: failing?.from ?? null } : null,
    environment: navigator.userAgent,
    link,
  });
}

const NO_PLACE = { primitive: null, span: null };
