/** Running a program: from source text to output and a report. Used by the page's worker and the CLI. */

import { binary, index, unary } from "./api.ts";
import {
  cell,
  forgetHandles,
  freeArray,
  isArray,
  type NdArray,
  pause,
  pauseIsDue,
  setX64,
  truthOf,
} from "./array.ts";
import { forgetCallbacks } from "./callbacks.ts";
import { diagnose, jaxprView, type ProgramText, syntaxDiagnosis } from "./diagnosis.ts";
import { glue, load, reset, TapeReader } from "./engine.ts";
import { guarded } from "./errors.ts";
import { instrument } from "./instrument/instrument.ts";
import { type ArrayOps, createRuntime } from "./instrument/runtime.ts";
import { type Library, makeLibrary, type Sink } from "./library.ts";
import type { Check, JaxprView, OutputItem, RuleCheck, RunReport } from "./report.ts";
import { show } from "./show.ts";
import { forgetTraces, type Jaxpr, lastTransform, onJaxpr } from "./transforms.ts";

/** Options of a run. */
export interface RunOptions {
  /** Receives output as it is made. */
  onOutput(item: OutputItem): void;
  /** 64-bit floats. */
  x64?: boolean;
  /** Name of the file, for nothing but messages. */
  file?: string;
}

let sink: Sink = () => {};
let library: Library | null = null;

/** Starts the engine from the bytes of its wasm module. */
export async function initEngine(wasm: BufferSource): Promise<void> {
  load(await WebAssembly.compile(wasm));
  library ??= makeLibrary((item) => sink(item));
}

const operations: ArrayOps = {
  cell,
  isArray,
  binary: (op, a, b, _site, flags) => binary(op, a, b, flags),
  unary: (op, a) => unary(op, a),
  truth: (v) => truthOf(v as NdArray),
  index: (v, i) => index(v, i),
  free: freeArray,
  due: pauseIsDue,
  tick: pause,
};

type Body = (runtime: unknown) => Promise<unknown>;
const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as new (
  parameter: string,
  code: string,
) => Body;

/** Runs a program from the beginning on a fresh engine. Never throws: what went wrong is in the report. */
export async function runProgram(source: string, options: RunOptions): Promise<RunReport> {
  if (!library) throw new Error("initEngine has not been called");
  const began = performance.now();
  const x64 = options.x64 ?? false;
  reset({ x64 });
  setX64(x64);
  forgetHandles();
  forgetTraces();
  forgetCallbacks();
  cell.site = 0;
  cell.floats = 0;
  const module = library as unknown as Readonly<Record<string, unknown>>;
  const report = (rest: Partial<RunReport>): RunReport => ({
    ok: (rest.error ?? null) === null,
    error: null,
    jaxpr: null,
    ruleChecks: [],
    result: null,
    ms: performance.now() - began,
    ...rest,
  });
  const instrumented = instrument(source, { exports: new Set(Object.keys(module)) });
  if (instrumented.error) {
    const { message, span } = instrumented.error;
    return report({ error: syntaxDiagnosis(message, span) });
  }
  const program: ProgramText = { source, instrumented };
  const runtime = createRuntime(
    operations,
    module,
    (site) => instrumented.sites[site - 1]?.text ?? "this",
  );
  let seen: Jaxpr | null = null;
  onJaxpr((jaxpr) => {
    seen = jaxpr;
  });
  glue.recordRules(true);
  sink = options.onOutput;
  try {
    const result = await new AsyncFunction(instrumented.parameter, instrumented.code)(runtime);
    sink = () => {};
    const ruleChecks = checkRules(program);
    const jaxpr = seen ? jaxprView(program, seen) : quietJaxpr(program);
    return report({ ruleChecks, jaxpr, result: result === undefined ? null : show(result) });
  } catch (thrown) {
    sink = () => {};
    const { error, jaxpr } = diagnose(program, thrown);
    return report({ error, jaxpr, ruleChecks: checkRules(program) });
  } finally {
    sink = () => {};
    glue.recordRules(false);
  }
}

/** The jaxpr of the last transformed function that was called, traced again in silence. */
function quietJaxpr(program: ProgramText): JaxprView | null {
  const again = lastTransform();
  if (!again) return null;
  glue.setMuted(true);
  try {
    return jaxprView(program, again());
  } catch {
    return null;
  } finally {
    glue.setMuted(false);
  }
}

/** Compares every custom rule that the program used with finite differences. */
function checkRules(program: ProgramText): RuleCheck[] {
  return Array.from({ length: glue.recordedRules() }, (_, i) => checkRule(program, i));
}

/** Errors of a rule up to this are those of finite differences in float32. */
const TOLERANCE = 2e-2;

function checkRule(program: ProgramText, i: number): RuleCheck {
  try {
    guarded(() => glue.checkRule(i, 0));
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    const check: Check = {
      status: "skipped",
      maxRelativeError: null,
      detail: `could not be compared: ${why}`,
    };
    return { name: "", kind: "custom_vjp", span: null, check, rows: [] };
  }
  const tape = new TapeReader();
  const own = tape.text();
  const kind = tape.next() === 1 ? "custom_jvp" : "custom_vjp";
  const site = program.instrumented.sites[tape.next() - 1];
  const span = site?.span ?? null;
  // A rule made from an arrow function has no name; the call that used it says what it is called.
  const called = /^([\p{ID_Start}$_][\p{ID_Continue}$.]*)\(/u.exec(site?.text ?? "")?.[1];
  const name = own === "<lambda>" ? (called ?? own) : own;
  const error = tape.next();
  const compared = tape.next();
  const rows = Array.from({ length: tape.next() }, () => {
    const path = tape.text();
    const [expected, got] = [tape.next(), tape.next()];
    return { path, expected: digits(expected), got: digits(got), ok: false };
  });
  const pass = error <= TOLERANCE;
  const detail =
    compared === 0
      ? "there is nothing to compare: no input is a float, or the function is not finite there"
      : pass
        ? `agrees with finite differences at ${compared} ${compared === 1 ? "place" : "places"}`
        : `disagrees with finite differences: ${rows[0] ? `${rows[0].path}: expected ${rows[0].expected}, got ${rows[0].got}` : ""}`;
  const status = compared === 0 ? "skipped" : pass ? "pass" : "fail";
  return {
    name,
    kind,
    span,
    check: { status, maxRelativeError: compared === 0 ? null : error, detail },
    rows,
  };
}

const digits = (x: number): string =>
  Number.isFinite(x) ? String(Number(x.toPrecision(4))) : String(x);

/** Runs a fixed program in silence and says how its rules compare with finite differences. */
export async function checkFix(source: string): Promise<Check> {
  const report = await runProgram(source, { onOutput: () => {} });
  if (report.error) {
    const { class: name, message } = report.error;
    return {
      status: "fail",
      maxRelativeError: null,
      detail: `the fixed program fails: ${name}: ${message}`,
    };
  }
  const checks = report.ruleChecks.map((rule) => rule.check);
  const worst = checks.find((c) => c.status === "fail") ?? checks.find((c) => c.status === "pass");
  return (
    worst ?? {
      status: "skipped",
      maxRelativeError: null,
      detail: "the program runs; it has no rule to check",
    }
  );
}
