import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEdits, type Failure, fixesFor } from "../../www/lib/fixes/fixes.ts";
import { Positions } from "../../www/lib/instrument/source.ts";
import type { Fix } from "../../www/lib/report.ts";
import { runSmall, Vec } from "./small-arrays.ts";

const f64 = (...shape: number[]) => ({ shape, dtype: "float64" });
const f32 = (...shape: number[]) => ({ shape, dtype: "float32" });
const int = (...shape: number[]) => ({ shape, dtype: "int32" });

/** The fixes for the last occurrence of `at` in a program. */
function fixes(source: string, at: string, failure: Partial<Failure> = {}): Fix[] {
  const from = source.lastIndexOf(at);
  assert.ok(from >= 0, at);
  const span = new Positions(source).span(from, from + at.length);
  const list = fixesFor(source, {
    kind: "callback-jvp",
    primitive: "buffer_callback",
    transform: "grad",
    inputs: [f32(4)],
    outputs: [f32(4)],
    ...failure,
    span,
  });
  for (const fix of list)
    assert.equal(applyEdits(source, fix.edits), fix.source, "edits give the source");
  return list;
}

function fix(source: string, at: string, id: string, failure: Partial<Failure> = {}): string {
  const [name, variant] = id.split(":");
  const list = fixes(source, at, failure);
  const found = list.find((f) => f.id === name && (variant === undefined || f.variant === variant));
  assert.ok(
    found,
    `${id} not among ${list.map((f) => f.id + (f.variant ? `:${f.variant}` : ""))}\n${source}`,
  );
  return found.source;
}

const FOUNDING = `import { np, grad, bufferCallback, ShapeDtypeStruct, print } from "cotangent";

const hostSin = (ctx, out, x) => { for (let i = 0; i < x.length; i++) out[i] = Math.sin(x[i]); };
const sin = bufferCallback(hostSin, ShapeDtypeStruct([4], "float32"));
const loss = (x) => np.sum(sin(x) * x);
print(grad(loss)(np.arange(4, { dtype: "float32" })));
`;

test("the founding case gets a rule by finite differences, and its uses stay as they are", () => {
  assert.equal(
    fix(FOUNDING, "sin(x)", "custom_vjp:finite-differences"),
    `import { np, grad, bufferCallback, ShapeDtypeStruct, print, customVjp } from "cotangent";

const hostSin = (ctx, out, x) => { for (let i = 0; i < x.length; i++) out[i] = Math.sin(x[i]); };
const sinCallback = bufferCallback(hostSin, ShapeDtypeStruct([4], "float32"));
const sin = customVjp((x) => sinCallback(x));
const sinFwd = (x) => [sinCallback(x), [x]];
// Central differences: two calls of hostSin for each element of x.
const sinBwd = ([x], ct) => {
  const differences = (ctx, d_x, x, ct) => {
    const xAt = x.slice();
    const weighed = () => {
      const out = ct.map(() => 0);
      hostSin(ctx, out, xAt);
      return ct.reduce((sum, c, j) => sum + c * out[j], 0);
    };
    for (let i = 0; i < xAt.length; i++) {
      const x = xAt[i];
      const h = 0.005 * Math.max(1, Math.abs(x));
      xAt[i] = x + h;
      const up = weighed();
      xAt[i] = x - h;
      d_x[i] = (up - weighed()) / (2 * h);
      xAt[i] = x;
    }
  };
  return [bufferCallback(differences, ShapeDtypeStruct(x.shape, x.dtype))(x, ct)];
};
sin.defvjp(sinFwd, sinBwd);
const loss = (x) => np.sum(sin(x) * x);
print(grad(loss)(np.arange(4, { dtype: "float32" })));
`,
  );
});

test("the other variants say what they are", () => {
  const list = fixes(FOUNDING, "sin(x)");
  assert.deepEqual(
    list.map((f) => [f.id, f.variant]),
    [
      ["custom_vjp", "finite-differences"],
      ["custom_vjp", "pass-through"],
      ["custom_vjp", "zeros"],
      ["stop_gradient", undefined],
    ],
  );
  assert.match(
    list[1]?.source ?? "",
    /const sinFwd = \(x\) => \[sinCallback\(x\), null\];\nconst sinBwd = \(_, ct\) => \[ct\];\n/,
  );
  assert.match(
    list[2]?.source ?? "",
    /const sinFwd = \(x\) => \[sinCallback\(x\), \[x\]\];\nconst sinBwd = \(\[x\], ct\) => \[np\.zerosLike\(x\)\];\n/,
  );
  assert.match(list[3]?.source ?? "", /sin\(stopGradient\(x\)\) \* x/);
  assert.match(list[3]?.source ?? "", /print, stopGradient \} from "cotangent"/);
});

test("each transform is offered the rules it can use", () => {
  const rules = (transform: string) =>
    fixes(FOUNDING, "sin(x)", { transform }).map((f) => f.id.replace("stop_gradient", ""));
  for (const transform of ["grad", "value_and_grad", "valueAndGrad", "vjp", "jacrev"]) {
    assert.deepEqual(rules(transform), ["custom_vjp", "custom_vjp", "custom_vjp", ""], transform);
  }
  assert.deepEqual(rules("jvp"), ["custom_jvp", ""]);
  for (const transform of ["jacfwd", "hessian", "linearize"])
    assert.deepEqual(rules(transform), [""], transform);
  const batched = fix(FOUNDING, "sin(x)", "custom_vjp", { transform: "jacrev" });
  assert.match(
    batched,
    /ShapeDtypeStruct\(x\.shape, x\.dtype\), \{ vmapMethod: "sequential" \}\)\(x, ct\)/,
  );
});

test("the identity is not offered where shapes differ", () => {
  const variants = fixes(FOUNDING, "sin(x)", { outputs: [f32()] }).map((f) => f.variant);
  assert.deepEqual(variants, ["finite-differences", "zeros", undefined]);
});

const near = (got: unknown, want: readonly number[]) => {
  assert.ok(got instanceof Vec);
  assert.equal(got.size, want.length);
  for (const [i, value] of want.entries()) {
    const close: boolean = Math.abs((got.data[i] ?? Number.NaN) - value) < 1e-6;
    assert.ok(close, `${got.data} instead of ${want}`);
  }
};

const MIX = `import { np, vec, pullback, push, bufferCallback, pureCallback, ShapeDtypeStruct } from "cotangent";
const host = (ctx, out, x) => { out[0] = x[0] * x[1]; out[1] = Math.sin(x[2]) + x[0] ** 2; };
`;

test("the rule of a buffer callback is right where outputs depend on several inputs", async () => {
  const source = `${MIX}const mix = bufferCallback(host, ShapeDtypeStruct([2]));\nmix(vec([1, 2, 3]));\n`;
  const fixed = fix(source, "mix(vec([1, 2, 3]))", "custom_vjp", {
    inputs: [f64(3)],
    outputs: [f64(2)],
  });
  const [dx] = (await runSmall(
    `${fixed}pullback(mix, [vec([1, 2, 3])], vec([10, 100]));`,
  )) as unknown[];
  near(dx, [10 * 2 + 100 * 2, 10, 100 * Math.cos(3)]);
});

test("several inputs and outputs, scalars and integers", async () => {
  const source = `${MIX}const many = (ctx, [s, t], x, n, y) => { s[0] = x[0] * y[0] * n[0]; t[0] = y[1] + x[1]; t[1] = y[0]; };
const both = bufferCallback(many, [ShapeDtypeStruct([]), ShapeDtypeStruct([2])]);
both(vec([1, 2]), 3, vec([4, 5]));\n`;
  const failure = { inputs: [f64(2), int(), f64(2)], outputs: [f64(), f64(2)] };
  const fixed = fix(source, "both(vec([1, 2]), 3, vec([4, 5]))", "custom_vjp", failure);
  const cts = (await runSmall(
    `${fixed}pullback(both, [vec([1, 2]), vec([3]), vec([4, 5])], [vec([10]), vec([100, 1000])]);`,
  )) as unknown[];
  near(cts[0], [10 * 4 * 3, 100]);
  assert.equal(cts[1], null);
  near(cts[2], [10 * 1 * 3 + 1000, 100]);
});

test("the rule of a pure callback is right, whole or inline", async () => {
  const f = "const host2 = (x, y) => vec([x.data[0] * y.data[0], Math.exp(x.data[1])]);\n";
  const failure = { primitive: "pure_callback", inputs: [f64(2), f64(1)], outputs: [f64(2)] };
  const whole = `${MIX}${f}const prod = (x, y) => pureCallback(host2, ShapeDtypeStruct([2]), x, y);\n`;
  const fixed = fix(
    whole,
    "pureCallback(host2, ShapeDtypeStruct([2]), x, y)",
    "custom_vjp",
    failure,
  );
  assert.match(fixed, /const prodCallback = \(x, y\) => pureCallback.*\nconst prod = customVjp/);
  const at = "[vec([2, 0.5]), vec([3])], vec([10, 100])";
  const [dx, dy] = (await runSmall(`${fixed}pullback(prod, ${at});`)) as unknown[];
  near(dx, [30, 100 * Math.exp(0.5)]);
  near(dy, [20]);

  const inline = `${MIX}${f}const loss = (a) => np.sum(pureCallback(host2, ShapeDtypeStruct([2]), a * 2, vec([3]), { vmapMethod: "sequential" }));\n`;
  const lifted = fix(
    inline,
    'pureCallback(host2, ShapeDtypeStruct([2]), a * 2, vec([3]), { vmapMethod: "sequential" })',
    "custom_vjp",
    failure,
  );
  assert.match(
    lifted,
    /const host2Callback = \(x, y\) => pureCallback\(host2, ShapeDtypeStruct\(\[2\]\), x, y, \{ vmapMethod: "sequential" \}\);/,
  );
  assert.match(
    lifted,
    /const loss = \(a\) => np\.sum\(host2WithGradient\(a \* 2, vec\(\[3\]\)\)\);/,
  );
  near(((await runSmall(`${lifted}pullback(host2WithGradient, ${at});`)) as unknown[])[0], [
    30,
    100 * Math.exp(0.5),
  ]);
});

test("forward mode gets custom_jvp, right along the tangent", async () => {
  const source = `${MIX}const mix = bufferCallback(host, ShapeDtypeStruct([2]));\nmix(vec([1, 2, 3]));\n`;
  const failure = { inputs: [f64(3)], outputs: [f64(2)], transform: "jvp" };
  const fixed = fix(source, "mix(vec([1, 2, 3]))", "custom_jvp", failure);
  near(await runSmall(`${fixed}push(mix, [vec([1, 2, 3])], [vec([1, 10, 100])]);`), [
    12,
    100 * Math.cos(3) + 2,
  ]);
  near(await runSmall(`${fixed}push(mix, [vec([1, 2, 3])], [vec([0, 0, 0])]);`), [0, 0]);
  near(await runSmall(`${fixed}push(mix, [vec([1, 2, 3])], [vec([1e-9, 0, 0])]);`), [2e-9, 2e-9]);
});

const HEAD =
  'import { np, grad, bufferCallback, pureCallback, ShapeDtypeStruct, print } from "cotangent";\n';

test("an inline buffer callback is lifted to where its free variables live", () => {
  const top = `${HEAD}const h = (ctx, out, x) => {};\nconst f = (x) => bufferCallback(h, ShapeDtypeStruct([4], "float32"))(x);\n`;
  const call = 'bufferCallback(h, ShapeDtypeStruct([4], "float32"))(x)';
  assert.match(
    fix(top, call, "custom_vjp:zeros"),
    /\nconst hCallback = bufferCallback.*\nconst hWithGradient[\s\S]*\nconst f = \(x\) => hWithGradient\(x\);/,
  );
  const local = `${HEAD}function f(x) {\n  const h = (ctx, out, x) => {};\n  return bufferCallback(h, ShapeDtypeStruct([4], "float32"))(x);\n}\n`;
  assert.match(
    fix(local, call, "custom_vjp:zeros"),
    /\n {2}const hCallback = [\s\S]*\n {2}return hWithGradient\(x\);\n\}/,
  );
  const arrow = `${HEAD}const f = (h) => bufferCallback(h, ShapeDtypeStruct([4], "float32"))(x);\nconst x = 1;\n`;
  assert.match(
    fix(arrow, call, "custom_vjp:zeros"),
    /=> \{\n {2}const hCallback = [\s\S]*\n {2}return hWithGradient\(x\);\n\};\n/,
  );
});

test("names do not clash", () => {
  const source = FOUNDING.replace(
    "const loss",
    "const sinCallback = 1, sinFwd = 2, customVjp = 3;\nconst loss",
  );
  const fixed = fix(source, "sin(x)", "custom_vjp:zeros");
  assert.match(fixed, /customVjp as customVjpOf \}/);
  assert.match(fixed, /const sinCallback2 = bufferCallback/);
  assert.match(fixed, /const sin = customVjpOf\(/);
  assert.match(fixed, /sin\.defvjp\(sinFwd2, sinBwd\)/);
});

test("imports as a namespace or under other names are respected", () => {
  const star = FOUNDING.replace(/^import.*\n/, 'import * as ct from "cotangent";\n').replace(
    /\b(?=np\.|grad\(|bufferCallback\(|ShapeDtypeStruct\(|print\()/g,
    "ct.",
  );
  const fixed = fix(star, "sin(x)", "custom_vjp:finite-differences");
  assert.match(fixed, /ct\.customVjp\(\(x\)/);
  assert.match(fixed, /const sinBwd = \(\[x\], g\) =>/);
  const renamed = FOUNDING.replace("{ np,", "{ np as numpy,").replaceAll("np.", "numpy.");
  assert.match(fix(renamed, "sin(x)", "custom_vjp:zeros"), /numpy\.zerosLike\(x\)/);
});

test("strange names give valid code or no offer", () => {
  for (const name of [
    "𝒳é",
    "$",
    "_",
    "sin2",
    "\\u0061bc",
    "async",
    "of",
    "h",
    "out",
    "x",
    "differences",
    "ct",
  ]) {
    const source = FOUNDING.replace(/\bhostSin\b/g, () =>
      name === "𝒳é" ? "hostÉ" : `host${name.replace(/\W/g, "")}`,
    )
      .replace(/\bsin\b(?!\()/g, () => name)
      .replace("sum(sin(", () => `sum(${name}(`);
    const from = source.lastIndexOf(`${name}(x)`);
    const span = new Positions(source).span(from, from + `${name}(x)`.length);
    const list = fixesFor(source, {
      kind: "callback-jvp",
      primitive: "buffer_callback",
      transform: "grad",
      inputs: [f32(4)],
      outputs: [f32(4)],
      span,
    });
    for (const f of list) assert.equal(applyEdits(source, f.edits), f.source);
  }
  const many = Array.from({ length: 10_000 }, (_, i) => `a${i}`).join(", ");
  const source = `${HEAD}const f = bufferCallback(h, s);\nf(${many});`;
  assert.ok(
    fixes(source, `f(${many})`, { inputs: Array.from({ length: 10_000 }, () => f32()) }).every(
      (f) => f.id === "stop_gradient",
    ),
  );
  assert.deepEqual(
    fixesFor("not ( a program", {
      kind: "callback-jvp",
      primitive: null,
      transform: "grad",
      span: { line: 1, column: 1, endLine: 1, endColumn: 2 },
    }),
    [],
  );
  assert.deepEqual(
    fixesFor(FOUNDING, { kind: "callback-jvp", primitive: null, transform: "grad", span: null }),
    [],
  );
  assert.deepEqual(
    fixesFor(FOUNDING, { kind: "leak", primitive: null, transform: "grad", span: null }),
    [],
  );
});

test("a callback that only observes becomes a debugCallback", () => {
  const source = `${HEAD}const f = (x) => {\n  pureCallback(show, ShapeDtypeStruct([], "float32"), x, { vmapMethod: "sequential" });\n  return x;\n};\n`;
  assert.match(
    fix(
      source,
      'pureCallback(show, ShapeDtypeStruct([], "float32"), x, { vmapMethod: "sequential" })',
      "move-out",
    ),
    /\n {2}debugCallback\(show, x\);\n {2}return x;/,
  );
});

test("a callback under vmap is told how to go over a batch", () => {
  const about: Partial<Failure> = { kind: "callback-vmap", transform: "vmap" };
  assert.match(
    fix(FOUNDING, "sin(x)", "vmap_method", about),
    /ShapeDtypeStruct\(\[4\], "float32"\), \{ vmapMethod: "sequential" \}\);/,
  );
  const source = `${HEAD}const f = (x) => pureCallback(g, s, x, { ordered: true });\n`;
  assert.match(
    fix(source, "pureCallback(g, s, x, { ordered: true })", "vmap_method", about),
    /x, \{ ordered: true, vmapMethod: "sequential" \}\)/,
  );
});

test("a choice by a tracer becomes np.where, or the argument static", () => {
  const about: Partial<Failure> = { kind: "concretization", primitive: null, transform: "jit" };
  const jitHead = 'import { jit, print } from "cotangent";\n';
  const cases: readonly [string, RegExp][] = [
    [
      "const f = jit((x) => {\n  if (x > 0) return x;\n  return -x;\n});\nprint(f(1));",
      /\{\n {2}return np\.where\(x > 0, x, -x\);\n\}/,
    ],
    [
      "const f = jit((x) => {\n  if (x > 0) {\n    return x;\n  } else {\n    return -x;\n  }\n});\nprint(f(1));",
      /\{\n {2}return np\.where\(x > 0, x, -x\);\n\}/,
    ],
    [
      "const f = jit((x) => (x > 0 ? x : -x));\nprint(f(1));",
      /jit\(\(x\) => \(np\.where\(x > 0, x, -x\)\)\)/,
    ],
    [
      "const f = jit((x) => {\n  let y = 1;\n  if (x > 0) y = x;\n  else y = 2;\n  return y;\n});\nprint(f(1));",
      /y = np\.where\(x > 0, x, 2\);/,
    ],
    [
      "const f = jit((x) => {\n  let y = 1;\n  if (x > 0) { y = x; }\n  return y;\n});\nprint(f(1));",
      /y = np\.where\(x > 0, x, y\);/,
    ],
  ];
  for (const [source, wanted] of cases) {
    const fixed = fix(jitHead + source, "x > 0", "where", about);
    assert.match(fixed, wanted);
    assert.match(fixed, /import \{ jit, print, np \}/);
  }
  const source = `${jitHead}const f = jit((x, n) => {\n  if (n > 0) return x;\n  return -x;\n});\nprint(f(x, 1), f(x, -2));`;
  assert.match(
    fix(source, "n > 0", "static_argnums", about),
    /\n\}, \{ staticArgnums: \[1\] \}\);/,
  );
  const named = `${jitHead}function f(n) { while (n > 0) {} }\nconst g = jit(f);\ng(3);`;
  assert.match(
    fix(named, "n > 0", "static_argnums", about),
    /jit\(f, \{ staticArgnums: \[0\] \}\)/,
  );
  const arrays = source.replace("f(x, -2)", "f(x, x)");
  assert.ok(fixes(arrays, "n > 0", about).every((f) => f.id !== "static_argnums"));
});

test("grad of something that is no scalar: sum it, or take the Jacobian", () => {
  const about: Partial<Failure> = { kind: "non-scalar", primitive: null };
  const source =
    'import { np, grad } from "cotangent";\nconst f = (x, y) => x * y;\ngrad(f)(a, b);\n';
  assert.match(
    fix(source, "grad(f)(a, b)", "sum", about),
    /grad\(\(x, y\) => np\.sum\(f\(x, y\)\)\)\(a, b\)/,
  );
  assert.match(
    fix(source, "grad(f)(a, b)", "jacrev", about),
    /import \{ np, grad, jacrev \}[\s\S]*\njacrev\(f\)\(a, b\)/,
  );
  const inline = 'import { np, grad } from "cotangent";\nconst g = grad((x) => x * 2);\ng(a);\n';
  assert.match(fix(inline, "g(a)", "sum", about), /grad\(\(x\) => np\.sum\(x \* 2\)\)/);
});

test("grad of an integer: make it a float", () => {
  const about: Partial<Failure> = { kind: "int-input", primitive: null, argument: 0 };
  const head = 'import { np, grad } from "cotangent";\n';
  assert.match(
    fix(`${head}grad(f)(np.arange(4));\n`, "grad(f)(np.arange(4))", "float", about),
    /np\.arange\(4, \{ dtype: "float32" \}\)/,
  );
  assert.match(
    fix(`${head}grad(f)(x);\n`, "grad(f)(x)", "float", about),
    /grad\(f\)\(np\.asarray\(x, \{ dtype: "float32" \}\)\)/,
  );
});

test("a bwd that returns a bare cotangent returns it in an array", () => {
  const about: Partial<Failure> = { kind: "bwd-structure", primitive: null, name: "f" };
  const rule = (bwd: string) =>
    `import { customVjp } from "cotangent";\nconst f = customVjp(g);\n${bwd}\nf(1);\n`;
  assert.match(
    fix(rule("f.defvjp(fwd, (res, ct) => ct * 2);"), "f(1)", "bwd_array", about),
    /\(res, ct\) => \[ct \* 2\]\)/,
  );
  assert.match(
    fix(
      rule("const bwd = (res, ct) => { if (a) return ct; return ct * 2; };\nf.defvjp(fwd, bwd);"),
      "f(1)",
      "bwd_array",
      about,
    ),
    /return \[ct\]; return \[ct \* 2\];/,
  );
  assert.match(
    fix(rule("const bwd = (res, ct) => (ct);\nf.defvjp(fwd, bwd);"), "f(1)", "bwd_array", about),
    /=> \[\(ct\)\]/,
  );
  assert.deepEqual(fixes(rule("f.defvjp(fwd, (res, ct) => [ct]);"), "f(1)", about), []);
});
