/** The page's state. Views read it, run/controller.ts and state/documents.ts write it. */
import { computed, signal } from "@preact/signals";
import type { Check, OutputItem, RunReport } from "../../lib/report";
import type { Language } from "../../sandbox/protocol";
import type { Program } from "../../share/codec";

export type View = "output" | "jaxpr" | "diagnosis";
export type Pane = "code" | View;

/** Where the text in the editor came from. */
export type Origin =
  | { readonly kind: "example"; readonly id: string }
  | { readonly kind: "draft"; readonly example: string | null }
  | { readonly kind: "link"; readonly program: Program; readonly run: boolean };

/** What the last run, or the one under way, came to. */
export type RunState =
  | { readonly kind: "none" }
  | { readonly kind: "running"; readonly source: string; readonly since: number }
  | { readonly kind: "done"; readonly source: string; readonly report: RunReport }
  | { readonly kind: "stopped"; readonly source: string; readonly afterMs: number }
  | { readonly kind: "crashed"; readonly source: string; readonly detail: string };

/** Text lines are gathered into blocks, so that a new line touches only the last one. */
export type OutputEntry =
  | { readonly kind: "text"; readonly id: number; readonly text: string }
  | {
      readonly kind: "figure";
      readonly id: number;
      readonly item: OutputItem & { kind: "image" | "plot" | "figure" };
    };

export interface Output {
  readonly entries: readonly OutputEntry[];
  /** How many of what were not shown: "line" → 12. */
  readonly dropped: ReadonlyMap<string, number>;
}

export const NO_OUTPUT: Output = { entries: [], dropped: new Map() };

/** A fix that was applied, the run of its program, and the comparison with finite differences. */
export interface AppliedFix {
  readonly title: string;
  readonly state: "running" | "failed" | "checking" | "checked";
  readonly check: Check | null;
}

export interface Toast {
  readonly text: string;
  readonly tone: "info" | "error";
}

/** How far Python has come; JavaScript needs none of it. */
export type PythonState =
  | { readonly kind: "absent" }
  | { readonly kind: "loading"; readonly received: number; readonly total: number }
  | { readonly kind: "starting" }
  | { readonly kind: "ready" }
  | { readonly kind: "failed"; readonly detail: string };

export const text = signal("");
/** The language of the program in the editor. */
export const language = signal<Language>("js");
export const python = signal<PythonState>({ kind: "absent" });
export const origin = signal<Origin>({ kind: "draft", example: null });
export const run = signal<RunState>({ kind: "none" });
export const output = signal<Output>(NO_OUTPUT);
export const engineReady = signal(false);
/** True while a run has lasted so long that the page asks about it. */
export const longRun = signal(false);
export const applied = signal<AppliedFix | null>(null);
/** Checks of fixes that were tried without applying them, by fix id. */
export const tried = signal<ReadonlyMap<string, Check | "running">>(new Map());

/** The pane shown on a phone, and the view shown beside the editor on a wide screen. */
export const pane = signal<Pane>("code");
export const view = signal<View>("output");

/** The equations that belong to what is pointed at in the editor. */
export const pointed = signal<ReadonlySet<number>>(new Set());
/** Why a link could not be opened; null when there is nothing to say. */
export const brokenLink = signal<string | null>(null);
export const saved = signal<"saved" | "unsaved" | "failed">("saved");
export const toast = signal<Toast | null>(null);
export const dialog = signal<"none" | "shortcuts" | "share">("none");
/** `?safe` in the address: programs are shown, never run. */
export const safeMode = new URLSearchParams(location.search).has("safe");

export const running = computed(() => run.value.kind === "running");
export const report = computed(() => (run.value.kind === "done" ? run.value.report : null));
/** The text has changed since the run whose results are shown. */
export const stale = computed(() => run.value.kind !== "none" && run.value.source !== text.value);

/** The linked program, as long as the editor still holds exactly it. */
export const linked = computed(() => {
  const from = origin.value;
  return from.kind === "link" && from.program.source === text.value ? from : null;
});
