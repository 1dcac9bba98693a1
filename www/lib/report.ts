/**
 * What a run of a program reports: the one shape that the page shows, the command line prints and the
 * sandbox sends across. Data only; everything in it survives `structuredClone`.
 */

import type { FigureItem } from "./figure.ts";

/** A range in the user's source: 1-based lines, 1-based UTF-16 columns, `endColumn` exclusive. */
export interface Span {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

/** One transform that was active when an operation failed; chains list the outermost first. */
export interface ChainLink {
  transform: string;
  line: number | null;
  span: Span | null;
  text: string;
}

/** The outcome of comparing a gradient with finite differences. */
export interface Check {
  status: "pass" | "fail" | "skipped";
  maxRelativeError: number | null;
  detail: string;
}

/** Replace `[from, to)` (UTF-16 offsets of the original source) by `insert`. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
}

/** A change of the program that removes the failure; `source` is the whole program with it applied. */
export interface Fix {
  id: string;
  title: string;
  summary: string;
  variant?: string;
  edits: Edit[];
  source: string;
  check: Check | null;
}

/** One leaf of two structures laid side by side. */
export interface LeafRow {
  path: string;
  expected: string;
  got: string;
  ok: boolean;
}

/** Everything there is to say about one failure. */
export interface Diagnosis {
  /** JAX's class: "ValueError", "TypeError", "TracerBoolConversionError", … */
  class: string;
  /** The sentence a JAX user would search for. */
  message: string;
  /** The failing primitive, as "buffer_callback". */
  primitive: string | null;
  /** The failing call in the user's source. */
  span: Span | null;
  /** In our own words: what happened and what to do. */
  explanation: string;
  chain: ChainLink[];
  /** The `id` of the failing equation in `jaxpr.equations`. */
  equation: number | null;
  /** Leaf-by-leaf expected and got, for errors of structure; otherwise empty. */
  table: LeafRow[];
  fixes: Fix[];
}

/** A printed jaxpr and where each equation stands in the text. */
export interface JaxprView {
  text: string;
  equations: { id: number; from: number; to: number; span: Span | null; primitive: string }[];
}

/** A custom rule compared with finite differences after the run. */
export interface RuleCheck {
  name: string;
  kind: "custom_vjp" | "custom_jvp";
  span: Span | null;
  check: Check;
  rows: LeafRow[];
}

/** One thing a program put out, streamed while it runs. */
export type OutputItem =
  | { kind: "text"; text: string }
  | { kind: "image"; width: number; height: number; rgba: Uint8ClampedArray; title: string }
  | {
      kind: "plot";
      title: string;
      xlabel: string;
      ylabel: string;
      series: { label: string; x: number[]; y: number[] }[];
    }
  | FigureItem
  | { kind: "dropped"; what: string; count: number };

/** The report of one run; the output is streamed beside it as `OutputItem`s. */
export interface RunReport {
  ok: boolean;
  error: Diagnosis | null;
  jaxpr: JaxprView | null;
  ruleChecks: RuleCheck[];
  result: string | null;
  ms: number;
}
