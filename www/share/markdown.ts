/**
 * A program and what came of it as Markdown, for pasting into an issue tracker.
 *
 * Everything here may come from strangers, so nothing of it can end its block early, mention anybody
 * or become HTML: code stands in fences longer than any inside, all else in code spans.
 */

import type { Program } from "./codec.ts";

/** What goes into an issue. */
export interface IssueParts {
  program: Program;
  /** Class, message and place of the error that was seen. */
  error?: {
    class: string;
    message: string;
    primitive: string | null;
    span: { line: number; column: number } | null;
    chain?: readonly { text: string }[];
  } | null;
  output?: string;
  /** The printed jaxpr; `around` is an offset in it that the excerpt must contain. */
  jaxpr?: { text: string; around: number | null } | null;
  /** Where it ran: a browser or Node. */
  environment?: string;
  /** The address of the program, if it is short enough for one. */
  link?: string | null;
}

const MOST_OUTPUT = 4_000;
const MOST_JAXPR_LINES = 24;

/** The issue as Markdown, ending in a line break. */
export function markdownIssue(parts: IssueParts): string {
  const { program, error, output, jaxpr, environment, link } = parts;
  const out = ["### Program", fence(program.source, program.language)];
  if (error) {
    out.push("### Error", fence(`${error.class}: ${error.message}`));
    const place = [
      error.primitive === null ? "" : `in ${inline(error.primitive)}`,
      error.span ? `at line ${error.span.line}, column ${error.span.column}` : "",
    ].filter(Boolean);
    if (place.length > 0) out.push(place.join(" "));
    const steps = (error.chain ?? []).map(({ text }) => `- ${inline(text)}`);
    if (steps.length > 0) out.push(steps.join("\n"));
  }
  if (output) out.push("### Output", fence(clip(output)));
  if (jaxpr) out.push("### Jaxpr", fence(excerpt(jaxpr.text, jaxpr.around)));
  const where = environment ? `, ${inline(environment)}` : "";
  out.push(`Cotangent ${inline(program.engine)}${where}`);
  if (link) out.push(`Open it in the playground: <${link.replace(/[<>\s]/g, encodeURIComponent)}>`);
  return `${out.join("\n\n")}\n`;
}

/** A fenced block; the fence is longer than any run of backticks inside. */
export function fence(content: string, language = ""): string {
  const marks = "`".repeat(Math.max(3, longestRun(content) + 1));
  return `${marks}${language}\n${content.replace(/\n$/, "")}\n${marks}`;
}

/** A code span of one line. */
export function inline(content: string): string {
  const line = content.replace(/\s+/g, " ").trim() || " ";
  const run = longestRun(line);
  const marks = "`".repeat(run + 1);
  return run > 0 ? `${marks} ${line} ${marks}` : marks + line + marks;
}

function longestRun(content: string): number {
  let longest = 0;
  for (const [run] of content.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

function clip(content: string): string {
  return content.length <= MOST_OUTPUT ? content : `${content.slice(0, MOST_OUTPUT)}\n… (cut)`;
}

function excerpt(text: string, around: number | null): string {
  const lines = text.split("\n");
  if (lines.length <= MOST_JAXPR_LINES) return text;
  const at = around === null ? 0 : text.slice(0, around).split("\n").length - 1;
  const from = Math.max(0, Math.min(at - MOST_JAXPR_LINES / 2, lines.length - MOST_JAXPR_LINES));
  const to = from + MOST_JAXPR_LINES;
  const shown = lines.slice(from, to);
  if (from > 0) shown.unshift("…");
  if (to < lines.length) shown.push("…");
  return shown.join("\n");
}
