/** Running a program: from source text to output and a report. Used by the page's worker and the CLI. */

import { binary, index, unary } from "./api.ts";
import {
  cell,
  forgetHandles,
  freeArray,
  isArray,
  type NdArray,
  numberOf,
  pause,
  pauseIsDue,
  setX64,
  truthOf,
} from "./array.ts";
import { restoreBuiltins } from "./builtins.ts";
import { forgetCallbacks } from "./callbacks.ts";
import { diagnose, jaxprView, type ProgramText, syntaxDiagnosis } from "./diagnosis.ts";
import { glue, load, originOf, type RuleOrigin, reset, TapeReader } from "./engine.ts";
import { guarded } from "./errors.ts";
import { instrument } from "./instrument/instrument.ts";
import { type ArrayOps, createRuntime } from "./instrument/runtime.ts";
import { type Jaxpr, lastTransform, onJaxpr } from "./jaxprs.ts";
import { type Library, makeLibrary, type Sink } from "./library.ts";
import { forgetTraces } from "./mapping.ts";
import type { Check, JaxprView, OutputItem, RuleCheck, RunReport } from "./report.ts";
import { show, showSafely } from "./show.ts";
import { watchRejections } from "./strays.ts";

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
  position: (v) => numberOf(v as NdArray, "index"),
  index: (v, i) => index(v, i),
  free: freeArray,
  due: pauseIsDue,
  tick: () => tick(),
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
  waiting = 0;
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
  const globals = defineGlobals(library);
  const rejections = watchRejections();
  let changed = "";
  try {
    let result: unknown;
    try {
      result = await new AsyncFunction(instrumented.parameter, instrumented.code)(runtime);
      await strayWork();
    } finally {
      changed = restoreBuiltins();
    }
    const stray = rejections.first();
    if (stray) throw stray.reason;
    sink = () => {};
    const ruleChecks = checkRules(program);
    const jaxpr = seen ? jaxprView(program, seen) : quietJaxpr(program);
    return report({ ruleChecks, jaxpr, result: result === undefined ? null : show(result) });
  } catch (thrown) {
    sink = () => {};
    const { error, jaxpr } = diagnose(program, thrown);
    if (changed !== "") {
      const cause = `The program changed built-in parts of the language that the library needs too (${changed}); that may be why.`;
      error.explanation = error.explanation === "" ? cause : `${error.explanation} ${cause}`;
    }
    return report({ error, jaxpr, ruleChecks: checkRules(program) });
  } finally {
    sink = () => {};
    rejections.stop();
    glue.recordRules(false);
    globals.restore();
  }
}

/** Loops of the program that are waiting for their turn. */
let waiting = 0;

async function tick(): Promise<void> {
  waiting++;
  await pause();
  waiting--;
}

/** Lets functions come to their end that the program called without waiting for them. */
async function strayWork(): Promise<void> {
  try {
    do {
      await pause();
    } while (waiting > 0);
  } catch {
    // The program has broken waiting itself (`Promise = null`): then it has nothing to wait for.
  }
}

/** `print` and `plot` need no import; a program that imports or declares them has its own. */
function defineGlobals({ print, plot }: Library): { restore(): void } {
  const scope = globalThis as unknown as Record<string, unknown>;
  const before = { print: scope.print, plot: scope.plot };
  Object.assign(scope, { print, plot });
  return { restore: () => void Object.assign(scope, before) };
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

/** Compares every custom rule that the program used with finite differences; each is told of once. */
function checkRules(program: ProgramText): RuleCheck[] {
  const found = new Map<RuleOrigin | number, RuleCheck>();
  for (let i = 0; i < glue.recordedRules(); i++) {
    const [origin, check] = checkRule(program, i);
    const key = origin ?? i;
    const before = found.get(key);
    if (!before || RANK[check.check.status] > RANK[before.check.status]) found.set(key, check);
  }
  return [...found.values()];
}

/** Of several uses of a rule the one that says most is shown. */
const RANK = { skipped: 0, pass: 1, fail: 2 } as const;

/** Errors of a rule up to this are those of finite differences in float32. */
const TOLERANCE = 2e-2;

function checkRule(program: ProgramText, i: number): [RuleOrigin | null, RuleCheck] {
  guarded(() => glue.ruleInfo(i));
  const info = new TapeReader();
  const origin = originOf(info.next());
  const name = ruleName(program, info.text(), origin);
  const kind = info.next() === 1 ? "custom_jvp" : "custom_vjp";
  const span = program.instrumented.sites[info.next() - 1]?.span ?? null;
  const [check, rows] = compareRule(i);
  return [origin, { name, kind, span, check, rows }];
}

/** The name of a function with a rule: its own, or that of the variable it was put into. */
function ruleName({ source, instrumented }: ProgramText, name: string, origin: RuleOrigin | null) {
  const span = origin && instrumented.sites[origin.site - 1]?.span;
  if (name !== "<lambda>" || !span) return name;
  const line = source.split(/\r\n|[\n\r\u2028\u2029]/)[span.line - 1] ?? "";
  return /([\p{ID_Continue}$]+)\s*=\s*$/u.exec(line.slice(0, span.column - 1))?.[1] ?? name;
}

function compareRule(i: number): [Check, RuleCheck["rows"]] {
  try {
    guarded(() => glue.checkRule(i, 0));
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : showSafely(thrown);
    const detail = `could not be compared: ${why}`;
    return [{ status: "skipped", maxRelativeError: null, detail }, []];
  }
  const tape = new TapeReader();
  const error = tape.next();
  const compared = tape.next();
  const rows = Array.from({ length: tape.next() }, () => {
    const path = tape.text();
    const [expected, got] = [tape.next(), tape.next()];
    return { path, expected: digits(expected), got: digits(got), ok: false };
  });
  if (compared === 0) {
    const detail =
      "there is nothing to compare: no input is a float, or the function is not finite there";
    return [{ status: "skipped", maxRelativeError: null, detail }, rows];
  }
  const status = error <= TOLERANCE ? "pass" : "fail";
  const [first] = rows;
  const where = first ? `: ${first.path}: expected ${first.expected}, got ${first.got}` : "";
  const detail =
    status === "pass"
      ? `agrees with finite differences at ${compared} ${compared === 1 ? "place" : "places"}`
      : `disagrees with finite differences${where}`;
  return [{ status, maxRelativeError: error, detail }, rows];
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
