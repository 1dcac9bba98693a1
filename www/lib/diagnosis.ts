/** From an exception to a diagnosis in the program's own lines, with fixes. */

import { cell } from "./array.ts";
import { CotangentError, foreignReport, type RawFrame, type RawReport } from "./errors.ts";
import type { AvalInfo, Failure } from "./fixes/failure.ts";
import { lineOfStack, spanOfLine } from "./instrument/stack.ts";
import type { ChainLink, Diagnosis, Fix, JaxprView, Span } from "./report.ts";
import { showSafely } from "./show.ts";

/** A program of either language, as its diagnosis needs it. */
export interface ProgramText {
  readonly source: string;
  /** Where in the source a call site is; null for none. */
  spanOf(site: number): Span | null;
  /** What would mend a failure. */
  fixesFor(failure: Failure): Fix[];
}

/** The links of a chain of transforms, in the program's lines. */
export const chainOf = (program: ProgramText, frames: readonly RawFrame[]): ChainLink[] =>
  frames.map((frame) => chainLink(program, frame));

function chainLink(program: ProgramText, frame: RawFrame): ChainLink {
  const span = program.spanOf(frame.site);
  const of = frame.function ? ` of \`${frame.function}\`` : "";
  const at = span ? ` at line ${span.line}` : "";
  return {
    transform: frame.transform,
    line: span?.line ?? null,
    span,
    text: `\`${frame.transform}\`${of}${at}`,
  };
}

/** The jaxpr of a report, with spans for sites. */
export function jaxprView(program: ProgramText, raw: RawReport["jaxpr"]): JaxprView | null {
  if (!raw) return null;
  const equations = raw.equations.map(({ from, to, site, primitive }, id) => ({
    id,
    from,
    to,
    span: program.spanOf(site),
    primitive,
  }));
  return { text: raw.text, equations };
}

const AVAL = /^(\w+)\[([\d,]*)\]$/;

function avalInfo(text: string): AvalInfo {
  const [, dtype = "float32", dims = ""] = AVAL.exec(text) ?? [];
  return { dtype, shape: dims === "" ? [] : dims.split(",").map(Number) };
}

/** Transforms that differentiate or batch: the ones that ask for rules. */
const ASKING =
  /^(?:grad|value_and_grad|jvp|vjp|linearize|linear_transpose|jacfwd|jacrev|hessian|vmap|check_grads)$/;

function failureKind(raw: RawReport): Failure["kind"] {
  switch (raw.kind) {
    case "noRule":
      if (!raw.primitive?.endsWith("_callback")) return "other";
      return raw.rule === "JVP"
        ? "callback-jvp"
        : raw.rule === "batching"
          ? "callback-vmap"
          : "callback-transpose";
    case "concretization":
      return "concretization";
    case "nonScalarGrad":
      return "non-scalar";
    case "integerGrad":
      return "int-input";
    case "customRule":
      return raw.message.includes("bwd rule") ? "bwd-structure" : "other";
    case "leaked":
      return "leak";
    case "mismatch":
      return "shape";
    default:
      return "other";
  }
}

/** Where it failed. A rule of the wrong structure is found on the way back: what counts is who called it. */
function siteOf(raw: RawReport): number {
  const equation = raw.equation === null ? undefined : raw.jaxpr?.equations[raw.equation];
  return raw.kind === "customRule" && equation?.site ? equation.site : raw.site;
}

/** JAX's name of a primitive; `custom_lin` is what is left of a custom rule on the way back. */
const primitiveOf = (raw: RawReport): string | null =>
  raw.primitive === "custom_lin" ? "custom_vjp_call" : raw.primitive;

/** The diagnosis of an error of the engine; `last` is the site of the last call, for want of a better one. */
export function engineDiagnosis(program: ProgramText, raw: RawReport, last: number): Diagnosis {
  const span = program.spanOf(siteOf(raw)) ?? program.spanOf(last);
  const asking = raw.chain.filter((frame) => ASKING.test(frame.transform)).at(-1);
  const failure: Failure = {
    kind: failureKind(raw),
    primitive: raw.primitive,
    span,
    transform: asking?.transform ?? "",
    transformSpan: asking ? program.spanOf(asking.site) : null,
    inputs: raw.avals.map(avalInfo),
    outputs: raw.results.map(avalInfo),
  };
  const madeAt = program.spanOf(raw.madeAt);
  const where = madeAt && raw.kind === "leaked" ? ` It was made at line ${madeAt.line}.` : "";
  return {
    class: raw.class,
    message: raw.message,
    primitive: primitiveOf(raw),
    span,
    explanation: raw.explanation + where,
    chain: chainOf(program, raw.chain),
    equation: raw.equation,
    table: raw.table.map(([path, expected, got, ok]) => ({ path, expected, got, ok })),
    fixes: program.fixesFor(failure),
  };
}

function isOurs(thrown: unknown): thrown is CotangentError {
  try {
    return thrown instanceof CotangentError;
  } catch {
    return false;
  }
}

/** The diagnosis of anything a program threw, and the jaxpr that goes with it. */
export function diagnose(
  program: ProgramText,
  thrown: unknown,
): { error: Diagnosis; jaxpr: JaxprView | null } {
  if (isOurs(thrown)) {
    const raw = thrown.report();
    if (raw) {
      const error = engineDiagnosis(program, raw, cell.site);
      return { error, jaxpr: jaxprView(program, raw.jaxpr) };
    }
  }
  const foreign = foreignReport(thrown);
  return {
    error: {
      ...plain(program, thrown),
      chain: chainOf(program, foreign?.chain ?? []),
    },
    jaxpr: null,
  };
}

/** The diagnosis of an exception that is not the engine's. */
function plain(program: ProgramText, thrown: unknown): Diagnosis {
  const { name, message, stack } = readThrown(thrown);
  const line = lineOfStack(stack);
  const site = program.spanOf(cell.site);
  const fromStack = line === null ? null : spanOfLine(program.source, line);
  // A site on the same line is the more exact of the two.
  const span = site && (line === null || site.line === line) ? site : (fromStack ?? site);
  const blank = { primitive: null, equation: null, table: [], fixes: [], chain: [] };
  const isDeep = /Maximum call stack/.test(message);
  const explanation = isDeep
    ? "Functions called each other too deeply: is there a recursion that does not end?"
    : "";
  return { ...blank, class: name, message, span, explanation };
}

/** What is known of anything that was thrown; objects of programs may throw at every question. */
function readThrown(thrown: unknown): { name: string; message: string; stack: string } {
  const text = (v: unknown): string => (typeof v === "string" ? v : showSafely(v));
  try {
    if (thrown instanceof Error) {
      const { name, message } = thrown;
      const stack: unknown = thrown.stack;
      return {
        name: text(name),
        message: text(message),
        stack: typeof stack === "string" ? stack : "",
      };
    }
  } catch {
    // Told below as what it is.
  }
  return { name: "Error", message: `the program threw ${showSafely(thrown)}`, stack: "" };
}

/** The diagnosis of a program that could not be read. */
export function syntaxDiagnosis(message: string, span: Span | null): Diagnosis {
  return {
    class: "SyntaxError",
    message,
    primitive: null,
    span,
    explanation: "The program could not be read, so nothing was run.",
    chain: [],
    equation: null,
    table: [],
    fixes: [],
  };
}
