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
import { glue, load, originOf, type RuleOrigin, reset } from "./engine.ts";
import { fixesFor } from "./fixes/fixes.ts";
import { instrument } from "./instrument/instrument.ts";
import { type ArrayOps, createRuntime } from "./instrument/runtime.ts";
import { type Jaxpr, lastTransform, onJaxpr } from "./jaxprs.ts";
import { type Library, makeLibrary, type Sink } from "./library.ts";
import { forgetTraces } from "./mapping.ts";
import type { Check, JaxprView, OutputItem, RuleCheck, RunReport } from "./report.ts";
import { checkOfFix, checkRules } from "./rule-checks.ts";
import { show } from "./show.ts";
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
  value: (v) => {
    const array = v as NdArray;
    return array.dtype === "bool" ? truthOf(array) : numberOf(array, "item");
  },
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
  const program: ProgramText = {
    source,
    spanOf: (site) => instrumented.sites[site - 1]?.span ?? null,
    fixesFor: (failure) => fixesFor(source, failure),
  };
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
    const ruleChecks = rulesOf(program);
    const jaxpr = seen ? jaxprView(program, seen) : quietJaxpr(program);
    return report({ ruleChecks, jaxpr, result: result === undefined ? null : show(result) });
  } catch (thrown) {
    sink = () => {};
    const { error, jaxpr } = diagnose(program, thrown);
    if (changed !== "") {
      const cause = `The program changed built-in parts of the language that the library needs too (${changed}); that may be why.`;
      error.explanation = error.explanation === "" ? cause : `${error.explanation} ${cause}`;
    }
    return report({ error, jaxpr, ruleChecks: rulesOf(program) });
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
  } catch (error) {
    const many = error instanceof Error && /has more than (\d+) equations/.exec(error.message);
    if (!many) return null;
    const count = Number(many[1]).toLocaleString("en");
    return { text: `more than ${count} equations: too many to show`, equations: [] };
  } finally {
    glue.setMuted(false);
  }
}

/** The name of a function with a rule: its own, or that of the variable it was put into. */
function ruleName(program: ProgramText, name: string, origin: RuleOrigin | null): string {
  const span = origin && program.spanOf(origin.site);
  if (name !== "<lambda>" || !span) return name;
  const line = program.source.split(/\r\n|[\n\r\u2028\u2029]/)[span.line - 1] ?? "";
  return /([\p{ID_Continue}$]+)\s*=\s*$/u.exec(line.slice(0, span.column - 1))?.[1] ?? name;
}

/** Compares the rules that the program used with finite differences. */
function rulesOf(program: ProgramText): RuleCheck[] {
  return checkRules({
    spanOf: program.spanOf,
    originOf,
    nameOf: (name, number) => ruleName(program, name, originOf(number)),
  });
}

/** Runs a fixed program in silence and says how its rules compare with finite differences. */
export async function checkFix(source: string): Promise<Check> {
  return checkOfFix(await runProgram(source, { onOutput: () => {} }));
}
