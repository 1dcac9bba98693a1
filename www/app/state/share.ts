/** Links and Markdown issues made of the program and of its last run. */
import { encodeLink, MAX_ENCODED, type Program } from "../../share/codec";
import { describeExpectation, expectationOf, holds } from "../../share/expect";
import { markdownIssue } from "../../share/markdown";
import { notebook } from "../../share/notebook";
import { printedText } from "../run/output";
import { language, linked, report, run, stale, text } from "./state";

/** Longer links are refused. */
export const MAX_LINK = MAX_ENCODED;
/** Longer links are warned about: some programs cut them. */
export const WARN_LINK = 2_000;

/** A result longer than this is not recorded: the link would grow too long. */
const MAX_EXPECTED = 2_000;

export function programToShare(record: boolean): Program {
  const program: Program = {
    language: language.value,
    source: text.value,
    engine: __ENGINE_VERSION__,
  };
  const seen = record && !stale.value ? report.value : null;
  const expect = seen && expectationOf(seen, printedText());
  if (!expect || (expect.kind === "output" && expect.text.length > MAX_EXPECTED)) return program;
  return { ...program, expect };
}

export function linkTo(program: Program): string {
  return `${location.origin}${location.pathname}#${encodeLink(program)}`;
}

export type Verdict = { readonly holds: true } | { readonly holds: false; readonly got: string };

/** Whether the run of a linked program showed what its author saw; null if there is nothing to compare. */
export function verify(): Verdict | null {
  const expected = linked.value?.program.expect;
  const seen = report.value;
  if (!expected || !seen || stale.value) return null;
  const printed = printedText();
  if (holds(expected, seen, printed)) return { holds: true };
  if (!seen.error && expected.kind === "error") return { holds: false, got: "no error" };
  return { holds: false, got: describeExpectation(expectationOf(seen, printed)) };
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

/** A file to save. */
export interface Download {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

/** The program as a file of its language. */
export function sourceFile(): Download {
  const type = language.value === "py" ? "text/x-python" : "text/javascript";
  return { name: `program.${language.value}`, type, content: text.value };
}

/** The program, and what it last said, as a Jupyter notebook. */
export function notebookFile(link: string | null): Download {
  const seen = stale.value ? null : report.value;
  const content = notebook({
    source: text.value,
    output: seen ? printedText() : "",
    error: seen?.error ?? null,
    engine: __ENGINE_VERSION__,
    link,
  });
  return { name: "program.ipynb", type: "application/x-ipynb+json", content };
}

const NO_PLACE = { primitive: null, span: null };
