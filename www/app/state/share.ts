/** Links and Markdown issues made of the program and of its last run. */
import type { RunReport } from "../../lib/report";
import { encodeLink, type Program } from "../../share/codec";
import { printedText } from "../run/output";
import { linked, report, stale, text } from "./state";

/** Longer links are refused, and longer than this is warned about. */
export const MAX_LINK = 32_000;
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
  const parts = ["### Program", fence(text.value, "js")];
  const seen = stale.value ? null : report.value;
  const printed = stale.value ? "" : printedText();
  if (seen?.error) {
    parts.push("### Error", fence(`${seen.error.class}: ${seen.error.message}`, ""));
    const place = seen.error.span ? [`at line ${seen.error.span.line}`] : [];
    const primitive = seen.error.primitive ? [`in ${code(seen.error.primitive)}`] : [];
    if (place.length + primitive.length > 0) parts.push([...primitive, ...place].join(" "));
    const steps = seen.error.chain.map((step) => `- ${code(step.text)}`);
    if (steps.length > 0) parts.push(steps.join("\n"));
  }
  if (printed !== "") parts.push("### Output", fence(clip(printed, 4_000), ""));
  const excerpt = seen && jaxprExcerpt(seen);
  if (excerpt) parts.push("### Jaxpr", fence(excerpt, ""));
  parts.push(`Cotangent ${__ENGINE_VERSION__}, ${code(navigator.userAgent)}`);
  if (link) parts.push(`[Open it in the playground](${link})`);
  return `${parts.join("\n\n")}\n`;
}

/** The failing equation with a few lines around it, or the beginning. */
function jaxprExcerpt({ jaxpr, error }: RunReport): string | null {
  if (!jaxpr) return null;
  const failing = jaxpr.equations.find(({ id }) => id === error?.equation);
  const lines = jaxpr.text.split("\n");
  if (lines.length <= 24) return jaxpr.text;
  const at = failing ? jaxpr.text.slice(0, failing.from).split("\n").length - 1 : 0;
  const from = Math.max(0, at - 12);
  const excerpt = lines.slice(from, from + 24);
  return [from > 0 ? "…" : "", ...excerpt, from + 24 < lines.length ? "…" : ""]
    .filter(Boolean)
    .join("\n");
}

/** A fence longer than any run of backticks inside. */
function fence(content: string, language: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}${language}\n${content}\n${marks}`;
}

/** Inline code, which is also what keeps an @name or an HTML tag from having an effect. */
function code(content: string): string {
  const line = content.replace(/\s+/g, " ");
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const marks = "`".repeat(longest + 1);
  return longest > 0 ? `${marks} ${line} ${marks}` : `${marks}${line}${marks}`;
}

function clip(content: string, limit: number): string {
  return content.length <= limit ? content : `${content.slice(0, limit)}\n… (cut)`;
}
