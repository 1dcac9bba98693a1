/**
 * From a failure to changes of the program that remove it.
 *
 * Pure functions from text to text: each fix holds its edits and the whole program with them applied,
 * which is known to parse. Whether its derivatives are right is for the caller to check.
 */

import type { Fix } from "../report.ts";
import { callbackFixes } from "./callback.ts";
import type { Failure } from "./failure.ts";
import { bwdFix, concretizationFixes, intInputFix, nonScalarFixes } from "./others.ts";

export type { AvalInfo, Failure } from "./failure.ts";
export { applyEdits } from "./program.ts";

/** The fixes for a failure, the likeliest first. Never throws; [] where nothing can be offered. */
export function fixesFor(text: string, failure: Failure): Fix[] {
  try {
    return candidates(text, failure).filter((fix) => fix !== null);
  } catch {
    return [];
  }
}

function candidates(text: string, failure: Failure): (Fix | null)[] {
  switch (failure.kind) {
    case "callback-jvp":
    case "callback-transpose":
    case "callback-vmap":
      return callbackFixes(text, failure);
    case "concretization":
      return concretizationFixes(text, failure);
    case "non-scalar":
      return nonScalarFixes(text, failure);
    case "int-input":
      return [intInputFix(text, failure)];
    case "bwd-structure":
      return [bwdFix(text, failure)];
    default:
      // Leaks and shapes need thought.
      return [];
  }
}
