/**
 * Stands in for the engine in tests of the page alone: it evaluates the program with a `print` and
 * a `plot`, and answers a callback under `grad` with a recorded diagnosis.
 */
import type { Check, Diagnosis, OutputItem, RunReport } from "../../../www/lib/report";

export async function initEngine(): Promise<void> {}

export async function checkFix(): Promise<Check> {
  return { status: "pass", maxRelativeError: 2.4e-5, detail: "compared at 3 points" };
}

export async function runProgram(
  source: string,
  options: { onOutput(item: OutputItem): void; x64?: boolean },
): Promise<RunReport> {
  const began = performance.now();
  const body = source.replace(/^import .*$/gm, "");
  const print = (...values: unknown[]) =>
    options.onOutput({ kind: "text", text: values.map(String).join(" ") });
  const plot = (series: never[], axes: object) =>
    options.onOutput({ kind: "plot", title: "", xlabel: "", ylabel: "", series, ...axes });
  let error: Diagnosis | null = null;
  const report = (rest: Partial<RunReport>): RunReport => ({
    ok: error === null,
    error,
    jaxpr: null,
    ruleChecks: [],
    result: null,
    ms: performance.now() - began,
    ...rest,
  });
  if (source.includes("trapTheEngine")) throw new WebAssembly.RuntimeError("unreachable");
  if (/bufferCallback\(/.test(source) && !/customVjp|stopGradient/.test(source)) {
    error = founding(source);
    return report({ jaxpr: jaxprOf(source) });
  }
  if (/bufferCallback\(/.test(source)) {
    options.onOutput({ kind: "text", text: "[0.        1.3817732 0.0770038 -2.8288574]" });
    return report({
      ruleChecks: [
        {
          name: "sinWithRule",
          kind: "custom_vjp",
          span: null,
          check: { status: "pass", maxRelativeError: 1.1e-5, detail: "" },
          rows: [],
        },
      ],
    });
  }
  try {
    const AsyncFunction = Object.getPrototypeOf(async () => undefined)
      .constructor as FunctionConstructor;
    await (new AsyncFunction("print", "plot", body)(print, plot) as unknown as Promise<void>);
  } catch (thrown) {
    error = { ...blank, class: (thrown as Error).name, message: String((thrown as Error).message) };
  }
  return report({});
}

const blank: Diagnosis = {
  class: "Error",
  message: "",
  primitive: null,
  span: null,
  explanation: "",
  chain: [],
  equation: null,
  table: [],
  fixes: [],
};

function spanOf(source: string, words: string) {
  const at = Math.max(0, source.indexOf(words));
  const before = source.slice(0, at).split("\n");
  const line = before.length;
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { line, column, endLine: line, endColumn: column + words.length };
}

function jaxprOf(source: string): NonNullable<RunReport["jaxpr"]> {
  const lines = [
    "{ lambda ; a:f32[4]. let",
    "    b:f32[4] = buffer_callback[callback=hostSin] a",
    "    c:f32[4] = mul b a",
    "    d:f32[] = reduce_sum[axes=(0,)] c",
    "  in (d,) }",
  ];
  const text = lines.join("\n");
  const spans = [
    spanOf(source, "sin(x)"),
    spanOf(source, "sin(x) * x"),
    spanOf(source, "np.sum(sin(x) * x)"),
  ];
  const equations = [1, 2, 3].map((n, index) => {
    const from = text.indexOf(lines[n]?.trim() ?? "");
    const to = from + (lines[n]?.trim().length ?? 0);
    const primitive = ["buffer_callback", "mul", "reduce_sum"][index] ?? "";
    return { id: n, from, to, span: spans[index] ?? null, primitive };
  });
  return { text, equations };
}

function founding(source: string): Diagnosis {
  const anchor = 'const sin = bufferCallback(hostSin, ShapeDtypeStruct([4], "float32"));';
  const at = source.indexOf(anchor) + anchor.length;
  const rule = (body: string) =>
    `\nconst sinWithRule = customVjp((x) => sin(x));\nsinWithRule.defvjp((x) => [sinWithRule(x), x], (x, g) => [${body}]);`;
  const call = source.lastIndexOf("sin(x) * x");
  const fix = (variant: string, body: string) => {
    const edits = [
      { from: 0, to: 0, insert: 'import { customVjp } from "cotangent";\n' },
      { from: at, to: at, insert: rule(body) },
      { from: call, to: call + 3, insert: "sinWithRule" },
    ];
    let fixed = source;
    for (const edit of [...edits].reverse())
      fixed = fixed.slice(0, edit.from) + edit.insert + fixed.slice(edit.to);
    return {
      id: "custom_vjp",
      title: `Give it a derivative: ${variant}`,
      summary: "Wraps the callback in customVjp, with x as residual.",
      variant,
      edits,
      source: fixed,
      check: null,
    };
  };
  return {
    ...blank,
    class: "ValueError",
    message:
      "Buffer callbacks do not support JVP. Please use `jax.custom_jvp` or `jax.custom_vjp` to use callbacks while taking gradients.",
    primitive: "buffer_callback",
    span: spanOf(source, "sin(x)"),
    explanation:
      "grad needs to know how the result of sin changes with x. A callback is a black box to it: the engine can call hostSin, but cannot look inside.\n\nGive the callback a derivative rule, or say that nothing flows through it.",
    chain: [
      { transform: "grad", line: 6, span: spanOf(source, "grad(loss)"), text: "grad of loss" },
      {
        transform: "jvp",
        line: 5,
        span: spanOf(source, "sin(x)"),
        text: "JVP of buffer_callback, made here",
      },
    ],
    equation: 1,
    fixes: [fix("finite differences", "g * np.cos(x)"), fix("zeros", "np.zerosLike(x)")],
  };
}
