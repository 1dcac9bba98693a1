/** Runs programs, applies fixes and checks them. The only user of the sandbox. */
import type { Diagnosis, Fix, RunReport, Span } from "../../lib/report";
import type { Editor, Problem, Range } from "../editor/editor";
import {
  applied,
  language,
  linked,
  longRun,
  origin,
  pane,
  pointed,
  report,
  run,
  running,
  safeMode,
  stale,
  text,
  tried,
  type View,
  view,
} from "../state/state";
import { collect } from "./output";
import type { Outcome, Sandbox } from "./sandbox";

const ASK_AFTER_MS = 10_000;
const ASK_AGAIN_MS = 60_000;
/** A check runs unasked, so it is not let go on for long. */
const CHECK_LIMIT_MS = 10_000;

export interface Controller {
  run(): Promise<void>;
  stop(): void;
  keepGoing(): void;
  applyFix(fix: Fix): Promise<void>;
  /** Checks a fix without applying it. */
  tryFix(fix: Fix): Promise<void>;
  undoFix(): void;
  /** Selects a span of the last run in the editor. */
  goTo(span: Span): void;
  /** Marks a span in the editor while its equation is pointed at. */
  point(span: Span | null, reveal?: boolean): void;
  /** Finds the equations of the source position pointed at. */
  pointFromSource(position: number | null): void;
  /** Has Python fetched and started before it is asked to run anything. */
  preparePython(): void;
  /** Forgets results, as another program was opened. */
  reset(): void;
}

export function createController(sandbox: Sandbox, editor: Editor): Controller {
  let asking: ReturnType<typeof setTimeout> | undefined;
  /** A run takes the sandbox from a check; later answers of that check are not waited for. */
  let checks = Promise.resolve();
  let checking = false;

  async function runProgram(): Promise<void> {
    if (running.value || safeMode) return;
    const source = editor.text();
    const since = performance.now();
    run.value = { kind: "running", source, since };
    applied.value = null;
    clearResults();
    editor.beginRun();
    const collector = collect();
    const from = origin.value;
    const x64 = from.kind === "link" && from.program.options?.x64 === true;
    if (checking) sandbox.stop();
    await checks;
    if (!running.value) return;
    asking = setTimeout(() => (longRun.value = true), ASK_AFTER_MS);
    const outcome = await sandbox.start(
      { kind: "run", language: language.value, source, x64 },
      collector.put,
    );
    collector.flush();
    quiet();
    settle(outcome, source, performance.now() - since);
  }

  function settle(outcome: Outcome, source: string, ms: number): void {
    if (!running.value) return;
    if (outcome.kind === "done") run.value = { kind: "done", source, report: outcome.report };
    else if (outcome.kind === "crashed")
      run.value = { kind: "crashed", source, detail: outcome.detail };
    else run.value = { kind: "stopped", source, afterMs: ms };
    if (linked.value) origin.value = { ...linked.value, run: true };
    const error = report.value?.error ?? null;
    if (error || outcome.kind === "crashed") show("diagnosis");
    else if (view.value === "diagnosis" || outcome.kind !== "done") show("output");
    else if (pane.value === "code") show(view.value);
    editor.showProblems(report.value ? problems() : []);
    if (report.value?.error) void checkFixes(report.value);
  }

  /** The fixes are compared with finite differences one after the other, before anybody asks. */
  async function checkFixes(seen: RunReport): Promise<void> {
    for (const fix of seen.error?.fixes ?? []) {
      if (report.value !== seen) return;
      if (fix.check === null && !tried.value.has(fixKey(fix))) await tryFix(fix);
    }
  }

  function show(wanted: View): void {
    view.value = wanted;
    pane.value = wanted;
  }

  function problems(): Problem[] {
    const { error = null, ruleChecks = [] } = report.value ?? {};
    const found: Problem[] = [];
    if (error?.span) {
      const fixes = error.fixes.slice(0, 3).map((fix) => ({
        name: fix.title,
        run: () => void applyFix(fix),
      }));
      found.push({ span: error.span, severity: "error", message: headline(error), actions: fixes });
    }
    for (const rule of ruleChecks) {
      if (rule.check.status !== "fail" || !rule.span) continue;
      const message = `The ${rule.kind} rule of ${rule.name} is wrong: ${rule.check.detail}`;
      found.push({ span: rule.span, severity: "warning", message, actions: [] });
    }
    return found;
  }

  function quiet(): void {
    clearTimeout(asking);
    longRun.value = false;
  }

  function clearResults(): void {
    editor.showProblems([]);
    editor.mark(null, false);
    pointed.value = new Set();
    tried.value = new Map();
  }

  /** One check at a time, and none while a program runs. */
  async function check(source: string): Promise<Outcome> {
    let release: () => void = () => undefined;
    const before = checks;
    checks = new Promise((resolve) => (release = resolve));
    await before;
    if (running.value) {
      release();
      return { kind: "stopped" };
    }
    checking = true;
    const limit = setTimeout(sandbox.stop, CHECK_LIMIT_MS);
    try {
      return await sandbox.start(
        { kind: "check", language: language.value, source },
        () => undefined,
      );
    } finally {
      clearTimeout(limit);
      checking = false;
      release();
    }
  }

  async function applyFix(fix: Fix): Promise<void> {
    if (running.value || stale.value) return;
    editor.apply(fix.edits);
    const { title } = fix;
    const finished = runProgram();
    applied.value = { title, state: "running", check: null };
    await finished;
    if (applied.value?.title !== title) return;
    if (!report.value?.ok) {
      applied.value = { title, state: "failed", check: null };
      return;
    }
    applied.value = { title, state: "checking", check: fix.check };
    const outcome = await check(editor.text());
    if (applied.value?.title !== title) return;
    const result = outcome.kind === "checked" ? outcome.check : fix.check;
    applied.value = { title, state: "checked", check: result };
  }

  async function tryFix(fix: Fix): Promise<void> {
    if (running.value || safeMode) return;
    const note = (entry: "running" | Fix["check"]) => {
      const next = new Map(tried.value);
      if (entry) next.set(fixKey(fix), entry);
      else next.delete(fixKey(fix));
      tried.value = next;
    };
    note("running");
    const outcome = await check(fix.source);
    if (!tried.value.has(fixKey(fix))) return;
    if (outcome.kind === "checked") note(outcome.check);
    else
      note({
        status: "skipped",
        maxRelativeError: null,
        detail: "The check did not come to an end.",
      });
  }

  return {
    run: runProgram,
    stop() {
      sandbox.stop();
      const state = run.value;
      if (state.kind !== "running") return;
      // Said at once, even where the frame needs replacing.
      quiet();
    },
    keepGoing() {
      quiet();
      asking = setTimeout(() => (longRun.value = running.value), ASK_AGAIN_MS);
    },
    applyFix,
    tryFix,
    undoFix() {
      editor.undo();
      applied.value = null;
      editor.focus();
    },
    goTo(span) {
      const range = editor.locate(span);
      if (!range) return;
      pane.value = "code";
      // On a phone the editor is not there until its pane is.
      requestAnimationFrame(() => editor.select(range));
    },
    point(span, reveal = false) {
      editor.mark(span && editor.locate(span), reveal);
    },
    pointFromSource(position) {
      const equations = report.value?.jaxpr?.equations ?? [];
      if (equations.length === 0) return;
      let best: Range | null = null;
      let ids = new Set<number>();
      for (const { id, span } of equations) {
        const range = span && editor.locate(span);
        if (position === null || !range || position < range.from || position > range.to) continue;
        const shorter = !best || range.to - range.from < best.to - best.from;
        const same = best?.from === range.from && best.to === range.to;
        if (same) ids.add(id);
        else if (shorter) {
          best = range;
          ids = new Set([id]);
        }
      }
      if (!sameSet(ids, pointed.value)) pointed.value = ids;
    },
    preparePython() {
      // That it failed is in the state, and the next run tries again.
      sandbox.preparePython().catch(() => undefined);
    },
    reset() {
      if (running.value || checking) sandbox.stop();
      sandbox.leaveRealm();
      run.value = { kind: "none" };
      applied.value = null;
      clearResults();
      collect();
      if (text.value !== "") view.value = "output";
    },
  };
}

/** Variants of a fix share its id. */
export function fixKey({ id, variant = "" }: Fix): string {
  return `${id} ${variant}`;
}

export function headline(error: Diagnosis): string {
  return `${error.class}: ${error.message}`;
}

function sameSet(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && [...a].every((id) => b.has(id));
}
