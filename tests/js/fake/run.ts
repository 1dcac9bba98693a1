/** Stands in for the engine in tests of the command line: programs are plain JavaScript with `print`. */

import type { Check, OutputItem, RunReport } from "../../../www/lib/report.ts";

export async function initEngine(): Promise<void> {}

export async function checkFix(source: string): Promise<Check> {
  return { status: source.includes("fixed") ? "pass" : "fail", maxRelativeError: 0, detail: "" };
}

interface Options {
  onOutput(item: OutputItem): void;
  x64?: boolean;
  file?: string;
}

export async function runProgram(
  source: string,
  { onOutput, x64, file }: Options,
): Promise<RunReport> {
  const print = (...values: unknown[]) =>
    onOutput({ kind: "text", text: values.map(String).join(" ") });
  const report: RunReport = {
    ok: true,
    error: null,
    jaxpr: null,
    ruleChecks: [],
    result: null,
    ms: 1,
  };
  if (source.includes("crash")) throw new Error("the engine fell over");
  try {
    const result: unknown = new Function("print", "x64", "file", source)(print, x64, file);
    return { ...report, result: result === undefined ? null : String(result) };
  } catch (thrown) {
    const { name, message } = thrown as Error;
    const fix = { id: "custom_vjp", title: "Give it a rule", summary: "", edits: [], check: null };
    const error = {
      class: name,
      message,
      primitive: "buffer_callback",
      span: { line: 2, column: 3, endLine: 2, endColumn: 9 },
      explanation: "Something in it cannot be differentiated.",
      chain: [{ transform: "grad", line: 2, span: null, text: "`grad` at line 2" }],
      equation: null,
      table: [],
      fixes: [
        { ...fix, variant: "zeros", source: "fixed" },
        { ...fix, source: "wrong" },
      ],
    };
    return { ...report, ok: false, error };
  }
}
