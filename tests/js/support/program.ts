/** Running programs in tests: what was printed, what was reported, and the text that a span covers. */

import { readFile } from "node:fs/promises";
import type { Diagnosis, OutputItem, RunReport, Span } from "../../../www/lib/report.ts";
import { initEngine, runProgram } from "../../../www/lib/run.ts";

/** Starts the engine: to be called in `before`. */
export async function startEngine(): Promise<void> {
  await initEngine(await readFile(new URL("../../../pkg/cotangent_bg.wasm", import.meta.url)));
}

/** A finished run. */
export interface Ran {
  source: string;
  report: RunReport;
  items: OutputItem[];
  /** Everything printed, one line each. */
  text: string;
}

/** Imports everything that a program names. */
export const EVERYTHING =
  'import { np, lax, nn, tree, grad, valueAndGrad, jvp, vjp, jit, vmap, linearize, linearTranspose, jacfwd, jacrev, hessian, makeJaxpr, evalShape, customJvp, customVjp, stopGradient, checkGrads, bufferCallback, pureCallback, ioCallback, debugCallback, debugPrint, ShapeDtypeStruct, slice, print, plot } from "cotangent";';

/** Runs a program; everything is imported on its first line, so its own lines begin at 2. */
export async function run(program: string, options: { x64?: boolean } = {}): Promise<Ran> {
  return runAsIs(`${EVERYTHING}\n${program}`, options);
}

/** Runs a program as it stands. */
export async function runAsIs(source: string, options: { x64?: boolean } = {}): Promise<Ran> {
  const items: OutputItem[] = [];
  const report = await runProgram(source, { ...options, onOutput: (item) => items.push(item) });
  const text = items.flatMap((item) => (item.kind === "text" ? [item.text] : [])).join("\n");
  return { source, report, items, text };
}

/** What a program printed; it must have ended well. */
export async function printed(program: string, options: { x64?: boolean } = {}): Promise<string> {
  const { report, text } = await run(program, options);
  if (report.error) throw new Error(`${report.error.class}: ${report.error.message}\n${program}`);
  return text;
}

/** The numbers in what a program printed. */
export async function numbers(program: string, options: { x64?: boolean } = {}): Promise<number[]> {
  return numbersIn(await printed(program, options));
}

/** All numbers in a text. */
export function numbersIn(text: string): number[] {
  return (text.match(/-?(?:inf|nan|\d+\.?\d*(?:e[+-]?\d+)?)/g) ?? []).map((word) =>
    word === "nan"
      ? Number.NaN
      : word.endsWith("inf")
        ? Number(`${word}inity`.replace("inf", "Inf"))
        : Number(word),
  );
}

/** The diagnosis of a program that must fail. */
export async function failure(program: string, options: { x64?: boolean } = {}) {
  const ran = await run(program, options);
  const { error } = ran.report;
  if (!error) throw new Error(`the program did not fail; it printed ${ran.text}\n${program}`);
  return { ...ran, error, at: error.span ? textAt(ran.source, error.span) : null };
}

/** The names and lines of a diagnosis' chain. */
export const chainOf = (error: Diagnosis): [string, number | null][] =>
  error.chain.map(({ transform, line }) => [transform, line]);

/** The text that a span covers. */
export function textAt(source: string, span: Span): string {
  const lines = source.split("\n");
  if (span.line === span.endLine) {
    return (lines[span.line - 1] ?? "").slice(span.column - 1, span.endColumn - 1);
  }
  return [
    (lines[span.line - 1] ?? "").slice(span.column - 1),
    ...lines.slice(span.line, span.endLine - 1),
    (lines[span.endLine - 1] ?? "").slice(0, span.endColumn - 1),
  ].join("\n");
}
