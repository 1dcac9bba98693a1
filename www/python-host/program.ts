/** Runs Python programs in an interpreter: each in a fresh `__main__` on a fresh engine. */

import type { PyodideAPI } from "pyodide";
import { chainOf, engineDiagnosis, jaxprView, type ProgramText } from "../lib/diagnosis.ts";
import { glue, isLoaded } from "../lib/engine.ts";
import type { RawJaxpr, RawReport } from "../lib/errors.ts";
import type { Check, Diagnosis, Fix, OutputItem, RunReport, Span } from "../lib/report.ts";
import { checkOfFix, checkRules } from "../lib/rule-checks.ts";
import { engineRefOf } from "./bridge.ts";
import { registerOutput } from "./output.ts";

/** What Python says of a run (www/python/cotangent_run). */
interface Outcome {
  raised: {
    class: string;
    message: string;
    span: Span | null;
    /** The engine's number of the error, or 0. */
    ref: number;
    /** The number under which an exception of the program passed through the engine, or 0. */
    number: number;
  } | null;
  /** Spans of call sites; the first has number 1. */
  sites: (Span | null)[];
  jaxpr: RawJaxpr | null;
}

/** Options of a run. */
export interface PythonOptions {
  /** Receives output as it is made. */
  onOutput(item: OutputItem): void;
  /** 64-bit floats. */
  x64?: boolean;
}

/** Runs programs one after the other. */
export interface PythonProgram {
  /** Runs a program to its end; what it raised is in the report. */
  run(source: string, options: PythonOptions): RunReport;
  /** Runs a fixed program in silence and says how its rules compare with finite differences. */
  check(source: string): Check;
}

/** For an interpreter that has our packages on its path. */
export function createPythonProgram(pyodide: PyodideAPI): PythonProgram {
  const sendFiguresTo = registerOutput(pyodide);
  const execute = pyodide.runPython("from cotangent_run import run; run") as (
    source: string,
    emit: (text: string) => void,
    x64: boolean,
  ) => string;

  const offer = pyodide.runPython("from cotangent_run.fixes import fixes_for; fixes_for") as (
    source: string,
    failure: string,
  ) => string;

  const run = (source: string, { onOutput, x64 = false }: PythonOptions): RunReport => {
    const began = performance.now();
    if (isLoaded()) glue.recordRules(true);
    sendFiguresTo(onOutput);
    try {
      const text = execute(source, (line) => onOutput({ kind: "text", text: line }), x64);
      const { raised, sites, jaxpr } = JSON.parse(text) as Outcome;
      const program: ProgramText = {
        source,
        spanOf: (site) => sites[site - 1] ?? null,
        fixesFor: (failure) => JSON.parse(offer(source, JSON.stringify(failure))) as Fix[],
      };
      const failed = raised && diagnose(program, raised);
      return {
        ok: failed === null,
        error: failed?.error ?? null,
        jaxpr: failed ? failed.jaxpr : jaxprView(program, jaxpr),
        ruleChecks: isLoaded() ? rulesOf(program) : [],
        result: null,
        ms: performance.now() - began,
      };
    } finally {
      if (isLoaded()) glue.recordRules(false);
    }
  };
  return { run, check: (source) => checkOfFix(run(source, { onOutput: () => undefined })) };
}

/** Rules of functions that are defined where they are called are told of once for each name. */
const rulesOf = (program: ProgramText) =>
  checkRules({ spanOf: program.spanOf, originOf: () => null, nameOf: (name) => name });

/** An explanation with names as Python spells them. */
export const inPython = (text: string): string =>
  text.replace(/`[^`]+`/g, (code) =>
    code
      .replace(/\bnp\./g, "jnp.")
      .replace(/[a-z]+(?:[A-Z][a-z]+)+/g, (name) =>
        name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      )
      .replace(/\b(?=custom_|pure_callback)/, "jax."),
  );

const reportOf = (ref: number): RawReport | null =>
  ref === 0 ? null : (JSON.parse(glue.errorReport(ref)) as RawReport | null);

function diagnose(
  program: ProgramText,
  { ref, number, span, ...raised }: NonNullable<Outcome["raised"]>,
): { error: Diagnosis; jaxpr: RunReport["jaxpr"] } {
  const raw = reportOf(ref);
  if (raw) {
    const error = engineDiagnosis(program, raw, 0);
    return {
      error: { ...error, span: error.span ?? span, explanation: inPython(error.explanation) },
      jaxpr: jaxprView(program, raw.jaxpr),
    };
  }
  const passed = reportOf(engineRefOf(number));
  const chain = chainOf(program, passed?.chain ?? []);
  const blank = { primitive: null, equation: null, table: [], fixes: [], explanation: "" };
  return { error: { ...blank, ...raised, span, chain }, jaxpr: null };
}
