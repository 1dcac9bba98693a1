/** After a run: the custom rules that a program used, compared with finite differences. */

import { glue, TapeReader } from "./engine.ts";
import { guarded } from "./errors.ts";
import type { Check, RuleCheck, RunReport, Span } from "./report.ts";
import { showSafely } from "./show.ts";

/** What is to be known of a program to tell its rules apart. */
export interface RulesOf {
  /** Where in the source a call site is. */
  spanOf(site: number): Span | null;
  /** Which function with a rule registered function `number` is of; null where that is not known. */
  originOf(number: number): unknown;
  /** The name for a rule's function, from the one that it has itself. */
  nameOf(name: string, number: number): string;
}

/** Compares every custom rule that the program used with finite differences; each is told of once. */
export function checkRules(program: RulesOf): RuleCheck[] {
  const found = new Map<unknown, RuleCheck>();
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

function checkRule(program: RulesOf, i: number): [unknown, RuleCheck] {
  guarded(() => glue.ruleInfo(i));
  const info = new TapeReader();
  const number = info.next();
  const origin = program.originOf(number);
  const name = program.nameOf(info.text(), number);
  const kind = info.next() === 1 ? "custom_jvp" : "custom_vjp";
  const span = program.spanOf(info.next());
  const [check, rows] = compareRule(i);
  return [origin, { name, kind, span, check, rows }];
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

/** Of a fixed program that was run in silence: how its rules compare with finite differences. */
export function checkOfFix({ error, ruleChecks }: RunReport): Check {
  if (error) {
    const detail = `the fixed program fails: ${error.class}: ${error.message}`;
    return { status: "fail", maxRelativeError: null, detail };
  }
  const checks = ruleChecks.map((rule) => rule.check);
  const worst = checks.find((c) => c.status === "fail") ?? checks.find((c) => c.status === "pass");
  const detail = "the program runs; it has no rule to check";
  return worst ?? { status: "skipped", maxRelativeError: null, detail };
}
