/** What the command line says: output, diagnoses, and the JSON object. */

import type { Diagnosis, OutputItem, RunReport, Span } from "../lib/report.ts";
import type { Outcome } from "./execute.ts";

/** An output as text, without a line break at its end. */
export function itemText(item: OutputItem): string {
  switch (item.kind) {
    case "text":
      return item.text;
    case "image":
      return `[image ${item.width}×${item.height}${item.title === "" ? "" : `: ${item.title}`}]`;
    case "plot":
      return `[plot${item.title === "" ? "" : `: ${item.title}`}, ${plural(item.series.length, "line")}]`;
    case "figure": {
      const title = item.title === "" ? "" : `: ${item.title}`;
      return `[figure${title}, ${item.axes} axes]`;
    }
    case "dropped":
      return `[${plural(item.count, `more ${item.what}`)} dropped]`;
  }
}

function plural(n: number, noun: string): string {
  const ending = n === 1 ? "" : noun.endsWith("s") ? "es" : "s";
  return `${n} ${noun}${ending}`;
}

/** The text output of a run, as a link records it. */
export function printed(items: readonly OutputItem[]): string {
  return items.flatMap((item) => (item.kind === "text" ? [item.text] : [])).join("\n");
}

/** Everything a run put out, each item ended by a line break. */
export function stdoutOf(items: readonly OutputItem[]): string {
  return items.map((item) => `${itemText(item)}\n`).join("");
}

/** A diagnosis for a terminal: what, where in the source, why, and what can be done. */
export function diagnosisText(error: Diagnosis, source: string, file: string): string {
  const out = [`${error.class}: ${error.message}`];
  if (error.span) {
    out.push(
      `  at ${file}:${error.span.line}:${error.span.column}`,
      ...excerpt(source, error.span),
    );
  }
  if (error.explanation !== "") out.push("", error.explanation);
  if (error.chain.length > 0) out.push("", ...error.chain.map(({ text }) => `  ${text}`));
  for (const row of error.table) {
    const mark = row.ok ? " " : "✗";
    out.push(`  ${mark} ${row.path}: expected ${row.expected}, got ${row.got}`);
  }
  if (error.fixes.length > 0) {
    out.push("", "Fixes (--json has each program, fixed):");
    for (const fix of error.fixes) {
      const variant = fix.variant === undefined ? "" : ` (${fix.variant})`;
      out.push(`  ${fix.id}${variant}: ${fix.title}`);
    }
  }
  return `${out.join("\n")}\n`;
}

/** The lines of a span with the span marked. */
function excerpt(source: string, span: Span): string[] {
  const lines = source.split(/\r\n|\r|\n/);
  const width = String(span.endLine).length;
  const out: string[] = [];
  const last = Math.min(span.endLine, span.line + 3);
  for (let n = span.line; n <= last; n++) {
    const line = lines[n - 1] ?? "";
    if (line.length > 200) continue;
    const from = n === span.line ? span.column - 1 : line.length - line.trimStart().length;
    const to = n === span.endLine ? span.endColumn - 1 : line.length;
    out.push(`  ${String(n).padStart(width)} | ${line}`);
    const blank = line.slice(0, from).replace(/[^\t]/g, " ");
    out.push(`  ${" ".repeat(width)} | ${blank}${"^".repeat(Math.max(1, to - from))}`);
  }
  return out;
}

/** Rules that are wrong are said to be, even when the program ran. */
export function ruleText({ ruleChecks }: RunReport): string {
  return ruleChecks
    .filter(({ check }) => check.status === "fail")
    .map(({ name, kind, check, span }) => {
      const at = span ? ` at line ${span.line}` : "";
      return `The ${kind} rule of ${name}${at} is wrong: ${check.detail}\n`;
    })
    .join("");
}

/** The object that --json prints. */
export function jsonOf(outcome: Outcome, seconds: number | null): Record<string, unknown> {
  const { report } = outcome;
  return {
    ok: report?.ok ?? false,
    stdout: stdoutOf(outcome.items),
    result: report?.result ?? null,
    error: report ? report.error && errorJson(report.error) : failure(outcome, seconds),
    jaxpr: report?.jaxpr?.text ?? null,
    ruleChecks: report?.ruleChecks ?? [],
  };
}

function errorJson(error: Diagnosis): Record<string, unknown> {
  const { class: name, message, primitive, span, explanation, chain, table, fixes } = error;
  return {
    class: name,
    message,
    primitive,
    span,
    explanation,
    chain: chain.map(({ transform, line }) => ({ transform, line })),
    table,
    fixes: fixes.map(({ id, variant, title, source, check }) => ({
      id,
      variant,
      title,
      source,
      check,
    })),
  };
}

/** The error of a run that came to no end of its own. */
function failure({ timedOut, broken }: Outcome, seconds: number | null): Record<string, unknown> {
  return {
    class: timedOut ? "TimeoutError" : "InternalError",
    message: timedOut ? timeoutText(seconds) : (broken ?? ""),
    primitive: null,
    span: null,
    chain: [],
    fixes: [],
  };
}

/** The sentence about a program that was stopped. */
export function timeoutText(seconds: number | null): string {
  return `The program was stopped after ${seconds} s.`;
}
