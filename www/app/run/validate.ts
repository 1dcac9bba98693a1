/**
 * Reads what comes out of the sandbox. Nothing there is trusted: every packet is JSON text of
 * bounded length, and every field is copied by name after its type and size were looked at. What
 * does not fit is refused as a whole.
 */
import type {
  ChainLink,
  Check,
  Diagnosis,
  Fix,
  JaxprView,
  LeafRow,
  OutputItem,
  RuleCheck,
  RunReport,
  Span,
} from "../../lib/report";
import { LIMITS } from "../../sandbox/protocol";
import {
  type Fields,
  flag,
  list,
  natural,
  number,
  numbers,
  optional,
  record,
  text,
  Unfit,
} from "./fields";
import { readFigure } from "./validate-figure";

/** A report from the worker with its image put together again. */
export type Received =
  | { readonly kind: "item"; readonly item: OutputItem }
  | { readonly kind: "done"; readonly report: RunReport }
  | { readonly kind: "checked"; readonly check: Check }
  | { readonly kind: "broken"; readonly detail: string };

/** Reads one packet of the job with this nonce; null where it is not ours. */
export function readPacket(data: unknown, nonce: string): Received | null {
  if (typeof data !== "object" || data === null) return null;
  const packet = data as Fields;
  if (packet.nonce !== nonce || typeof packet.json !== "string") return null;
  if (packet.json.length > LIMITS.packetChars) return null;
  let kind: unknown;
  try {
    const report = record(JSON.parse(packet.json));
    kind = report.kind;
    return readReport(report, packet.pixels);
  } catch (error) {
    const unfit = error instanceof Unfit || error instanceof SyntaxError;
    if (!unfit && !(error instanceof RangeError)) throw error;
    // An item alone is passed over; without its report the run would never end.
    if (kind === "item") return { kind: "item", item: { kind: "dropped", what: "item", count: 1 } };
    return { kind: "broken", detail: "the run's report could not be read" };
  }
}

function readReport(report: Fields, pixels: unknown): Received {
  switch (report.kind) {
    case "item":
      return { kind: "item", item: readItem(record(report.item), pixels) };
    case "done":
      return { kind: "done", report: readRun(record(report.report)) };
    case "checked":
      return { kind: "checked", check: readCheck(record(report.check)) };
    case "broken":
      return { kind: "broken", detail: text(report.detail, 2_000) };
    default:
      throw new Unfit();
  }
}

function readItem(item: Fields, pixels: unknown): OutputItem {
  switch (item.kind) {
    case "text":
      return { kind: "text", text: text(item.text, LIMITS.textChars) };
    case "dropped":
      return { kind: "dropped", what: text(item.what, 40), count: natural(item.count, 1e12) };
    case "image": {
      const width = natural(item.width, 16_384);
      const height = natural(item.height, 16_384);
      if (!(pixels instanceof ArrayBuffer) || pixels.byteLength !== width * height * 4)
        throw new Unfit();
      if (width * height < 1 || width * height > LIMITS.imagePixels) throw new Unfit();
      const rgba = new Uint8ClampedArray(pixels);
      return { kind: "image", width, height, rgba, title: text(item.title, 300) };
    }
    case "plot": {
      const series = list(item.series, LIMITS.plotSeries, (entry) => ({
        label: text(entry.label, 200),
        x: numbers(entry.x, LIMITS.plotPoints),
        y: numbers(entry.y, LIMITS.plotPoints),
      }));
      if (series.some(({ x, y }) => x.length !== y.length)) throw new Unfit();
      const [title, xlabel, ylabel] = [item.title, item.xlabel, item.ylabel].map((s) =>
        text(s, 300),
      );
      return {
        kind: "plot",
        title: title ?? "",
        xlabel: xlabel ?? "",
        ylabel: ylabel ?? "",
        series,
      };
    }
    case "figure":
      return readFigure(item);
    default:
      throw new Unfit();
  }
}

function readRun(report: Fields): RunReport {
  return {
    ok: flag(report.ok),
    error: optional(report.error, readDiagnosis),
    jaxpr: optional(report.jaxpr, readJaxpr),
    ruleChecks: list(report.ruleChecks, 200, readRuleCheck),
    result: report.result === null ? null : text(report.result, LIMITS.lineChars),
    ms: number(report.ms),
  };
}

function readDiagnosis(error: Fields): Diagnosis {
  return {
    class: text(error.class, 100),
    message: text(error.message, 20_000),
    primitive: error.primitive === null ? null : text(error.primitive, 100),
    span: optional(error.span, readSpan),
    explanation: text(error.explanation, 20_000),
    chain: list(error.chain, 200, readLink),
    equation: error.equation === null ? null : natural(error.equation, 1e9),
    table: list(error.table, 500, readRow),
    fixes: list(error.fixes, 40, readFix),
  };
}

function readLink(link: Fields): ChainLink {
  return {
    transform: text(link.transform, 200),
    line: link.line === null ? null : natural(link.line, 1e7),
    span: optional(link.span, readSpan),
    text: text(link.text, 2_000),
  };
}

function readFix(fix: Fields): Fix {
  const edits = list(fix.edits, 100, (edit) => ({
    from: natural(edit.from, 1e7),
    to: natural(edit.to, 1e7),
    insert: text(edit.insert, 100_000),
  }));
  if (edits.some(({ from, to }) => from > to)) throw new Unfit();
  const read: Fix = {
    id: text(fix.id, 200),
    title: text(fix.title, 300),
    summary: text(fix.summary, 4_000),
    edits,
    source: text(fix.source, 1_000_000),
    check: optional(fix.check, readCheck),
  };
  return fix.variant === undefined ? read : { ...read, variant: text(fix.variant, 100) };
}

function readCheck(check: Fields): Check {
  const { status } = check;
  if (status !== "pass" && status !== "fail" && status !== "skipped") throw new Unfit();
  const worst = check.maxRelativeError;
  return {
    status,
    maxRelativeError: worst === null ? null : number(worst),
    detail: text(check.detail, 8_000),
  };
}

function readRuleCheck(rule: Fields): RuleCheck {
  const { kind } = rule;
  if (kind !== "custom_vjp" && kind !== "custom_jvp") throw new Unfit();
  return {
    name: text(rule.name, 200),
    kind,
    span: optional(rule.span, readSpan),
    check: readCheck(record(rule.check)),
    rows: list(rule.rows, 500, readRow),
  };
}

function readRow(row: Fields): LeafRow {
  return {
    path: text(row.path, 500),
    expected: text(row.expected, 2_000),
    got: text(row.got, 2_000),
    ok: flag(row.ok),
  };
}

function readJaxpr(jaxpr: Fields): JaxprView {
  const code = text(jaxpr.text, 2 * LIMITS.jaxprChars);
  const equations = list(jaxpr.equations, LIMITS.equations, (equation) => ({
    id: natural(equation.id, 1e9),
    from: natural(equation.from, code.length),
    to: natural(equation.to, code.length),
    span: optional(equation.span, readSpan),
    primitive: text(equation.primitive, 100),
  }));
  return { text: code, equations };
}

function readSpan(span: Fields): Span {
  return {
    line: natural(span.line, 1e7),
    column: natural(span.column, 1e7),
    endLine: natural(span.endLine, 1e7),
    endColumn: natural(span.endColumn, 1e7),
  };
}
