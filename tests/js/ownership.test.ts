// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the programs under test are texts
import assert from "node:assert/strict";
import { test } from "node:test";
import { instrument } from "../../www/lib/instrument/instrument.ts";
import { runFake } from "./fake-arrays.ts";

const head =
  'import { np, print, grad, valueAndGrad, jit } from "cotangent";\nconst A = np.array;\n';

/** Runs a program with and without freeing: same output, and nothing used after it was freed. */
async function sameWithFreeing(source: string): Promise<{ live: number; made: number }> {
  const [freeing, keeping] = [await runFake(head + source), await runFake(head + source, false)];
  const context = `${source}\n${instrument(head + source).code}\n${freeing.error}`;
  assert.equal(String(freeing.error), String(keeping.error), context);
  assert.deepEqual(freeing.out, keeping.out, context);
  assert.deepEqual(String(freeing.result), String(keeping.result), context);
  return freeing;
}

test("a training loop holds a constant number of arrays", async () => {
  const loops = [
    "const g = A(1);\nlet w = A(10) * 1;\nfor (let i = 0; i < 200; i++) w = w - 0.01 * g;\nprint(w);",
    "const g = A(1);\nlet w = np.zeros(4);\nfor (let i = 0; i < 200; i++) { w -= 0.01 * g; }\nprint(w);",
    "const loss = (x) => x * x;\nconst step = grad(loss);\nlet w = np.full([1], 3);\nfor (let i = 0; i < 200; i++) { const g = step(w); w = w - 0.01 * g; }\nprint(w);",
    "const vg = valueAndGrad((x) => x * x);\nlet w = np.full([1], 3);\nfor (let i = 0; i < 200; i++) { const [l, g] = vg(w); if (i % 100 === 0) print(`${l}`); w = w - 0.01 * g; }\nprint(w);",
    "let w = np.full([1], 3);\nfor (let i = 0; i < 200; i++) { w = w - 0.01 * grad((x) => np.sin(x) * x)(w); }\nprint(w);",
    "const step = jit((w) => w - 0.5);\nlet w = np.full([1], 3);\nfor (let i = 0; i < 200; i++) w = step(w);\nprint(w);",
    "let x = np.zeros(1); let v = np.full([1], 1);\nwhile (x < 5) { const a = -x * 0.01; v = v + a * 0.1; x = x + v * 0.1; }\nprint(x, v);",
  ];
  for (const source of loops) {
    const { live, made } = await sameWithFreeing(source);
    assert.ok(made > 200, `${made} made`);
    // What the fakes of grad and jit hand to the user's function is not theirs to free.
    const inner = /grad|jit|valueAndGrad/.test(source) ? made * 0.7 : 10;
    assert.ok(live <= inner, `${live} of ${made} alive after\n${source}`);
  }
});

/** Everything here can still see an old value; freeing it would show. */
const TRAPS: readonly string[] = [
  "let w = A(1) * 2; const keep = w; w = w + 1; print(keep, w);",
  "let w = A(1) * 2; const keep = [w]; w = w + 1; print(keep[0], w);",
  "let w = A(1) * 2; const keep = { w }; w = w + 1; print(keep.w, w);",
  "let w = A(1) * 2; const see = () => w; const old = see(); w = w + 1; print(old, w);",
  "let w = A(1) * 2; const list = []; for (let i = 0; i < 3; i++) { list.push(w); w = w * 2; } print(list.join());",
  "let w = A(1) * 2; let old; old = w; w = w + 1; print(old);",
  "let w = A(1) * 2, old = null; print((old = w) + 1); w = w + 1; print(old);",
  "let w = A(1) * 2; w = (w = w + 1) * 2 + w; print(w);",
  "let w = A(1) * 2; const x = w = w + 1; w = w + 1; print(x, w);",
  "let w = A(1) * 2; const f = (y) => y; const z = f(w); w = w + 1; print(z);",
  "let w = A(1) * 2; const z = np.asarray(w); w = w + 1; print(z);",
  "const x = A(1); let w = np.asarray(x); w = w + 1; print(x, w);",
  "const x = A(1); let w = x; w = w + 1; print(x, w);",
  "let w = A(1) * 2; const z = w || 3; w = w + 1; print(z);",
  "let w = A(1) * 2; const z = true && w; w = w + 1; print(z);",
  "let w = A(1) * 2; const z = true ? w : 0; w = w + 1; print(z);",
  "let w = A(1) * 2; const z = (0, w); w = w + 1; print(z);",
  "let w = A(1) * 2; const z = await w; w = w + 1; print(z);",
  "let w = A(1) * 2; const z = w ?? 1; w = w + 1; print(z);",
  "let w = A(1) * 2; const [z] = [w]; w = w + 1; print(z);",
  "let w = A(1) * 2; const { q = w } = {}; w = w + 1; print(q);",
  "let w = A(1) * 2; const f = (x = w) => x; const z = f(); w = w + 1; print(z);",
  "let w = A(1) * 2; class C { static x = w; } w = w + 1; print(C.x);",
  "let w = A(1) * 2; class C { static x; static { C.x = w; } } w = w + 1; print(C.x);",
  "let w = A(1) * 2; const o = { get w() { return w; } }; const z = o.w; w = w + 1; print(z);",
  "let w = A(1) * 2; const z = (() => w)(); w = w + 1; print(z);",
  "let w = A(1) * 2; function* g() { yield w; } const z = g().next().value; w = w + 1; print(z);",
  "let w = A(1) * 2; const t = (s, v) => v; const z = t`${w}`; w = w + 1; print(z);",
  "let w = A(1) * 2; const np2 = np; const z = np2.asarray(w); w = w + 1; print(z);",
  "let w = A(1) * 2; { const np = { sin: (x) => x, add: (x) => x }; const z = np.sin(w); w = w + 1; print(z); }",
  "let w = A(1) * 2; const print2 = (x) => x; { const print = print2; const z = print(w); w = w + 1; } print(w);",
  "let w = A(1) * 2; let z; { const print = (x) => { z = x; }; print(w); } w = w + 1; print(z);",
  "let w = A(1) * 2; const o = {}; o.z = w; w = w + 1; print(o.z);",
  "let w = A(1) * 2; const o = {}; o.z ??= w; w = w + 1; print(o.z);",
  "let w = A(1) * 2; try { w = w + missing(); } catch {} print(w);",
  "let w = A(1) * 2; try { w = w % 2; } catch {} print(w);",
  "const keep = []; for (let i = 0; i < 3; i++) { const y = A(i) * 2; keep.push(y); } print(keep.join());",
  "const keep = []; for (let i = 0; i < 3; i++) { const y = A(i) * 2; keep.push(() => y); } print(keep.map((f) => f()).join());",
  "let last; for (let i = 0; i < 3; i++) { const y = A(i) * 2; last = y; } print(last);",
  "let last = A(0) * 1; for (let i = 0; i < 3; i++) { const y = A(i) * 2; last = last + y; } print(last);",
  "const f = () => { const y = A(1) * 2; return y; }; print(f());",
  "const f = () => { { const y = A(1) * 2; return y * 3; } }; print(f());",
  "const f = () => { if (true) { const y = A(1) * 2; return y; } }; print(f());",
  "for (let i = 0; i < 3; i++) { const y = A(i) * 2; if (i === 1) continue; print(y); }",
  "let s = np.sin(A(1)); s = s * s; print(s + s, np.add(s, s));",
  "const t = A(2) * 3; print(t * t, t);",
  "let a = A(1) * 1, b = A(2) * 1; for (let i = 0; i < 3; i++) { const t = a + b; a = b + 0; b = t + 0; } print(a, b);",
  "let a = A(1) * 1, b = A(2) * 1; for (let i = 0; i < 3; i++) { const t = a + b; a = b; b = t; } print(a, b);",
  "let a = A(1) * 1; let b = a + 1; [a, b] = [b, a]; a = a + 1; print(a, b);",
  "let w = A(1) * 2; for (const x of [w]) { w = w + 1; print(x); }",
  "let w = A(1) * 2; var v = w; w += 1; v += 1; print(w, v);",
  "let w = A(1) * 2; label: { w = w + 1; break label; } print(w);",
  "let w = A(1) * 2; switch (1) { case 1: { const q = w + 1; print(q); } } print(w);",
  "let w = A(1) * 2; const g = grad((x) => { w2 = x; return x; }); let w2; const d = g(w); w = w - d; print(w, w2);",
  "let w = A(1) * 2; const id = jit((x) => x); const z = id(w); w = w + 1; print(z, w);",
  "let w = A(1) * 2; let grad2 = (f) => f; const z = grad2((x) => x)(w); w = w + 1; print(z);",
  "let w = A(1) * 2; { const grad = (f) => f; const z = grad((x) => x)(w); w = w + 1; print(z); }",
  "let w = A(1) * 2; let id = jit((x) => x); id = (x) => x; const z = id(w); w = w + 1; print(z);",
  "let w = A(1) * 2; const vg = valueAndGrad((x) => x); const keep = []; for (let i = 0; i < 2; i++) { const [l, g] = vg(w); keep.push(l); w = w - g; } print(keep.join());",
  "let w = A(1) * 2; const it = { [Symbol.toPrimitive]() { return 1; } }; w = w + it; print(w);",
  "const f = async () => { let w = A(1) * 2; const p = g(w); w = w + 1; print(await p); }; const g = async (x) => { await null; return x; }; await f();",
  "let w = A(5) * 1; w = -w; w = +w; print(w); w = w; print(w);",
  "let n = 1; n = n * 2; n += A(1); n = n + 1; print(n);",
  "let s = 'a'; s = s + A(1) * 2; s += A(3) * 4; print(s);",
  "A(1) * 2 + 1\nlet w = A(1) * 2\nw = w * 2",
];

test("nothing that can still be seen is ever freed", async () => {
  for (const source of TRAPS) {
    await sameWithFreeing(source);
    // The same inside a function, inside a loop, and inside a block.
    if (source.includes("await")) await sameWithFreeing(`await (async () => { ${source}\n})();`);
    else await sameWithFreeing(`(() => { ${source}\n})();`);
    await sameWithFreeing(`for (let k = 0; k < 2; k++) { ${source}\n}`);
  }
});

test("random programs compute the same with and without freeing", async () => {
  let seed = 12345;
  const random = (n: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * n);
  };
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const variables = ["a", "b", "c", "d"];
  const everyUnsafe = [
    ...[
      "np.asarray(X)",
      "[X, Y][0]",
      "[X, Y][1]",
      "(X || Y)",
      "(X > Y ? Y : X)",
      "id(X)",
      "keep(X)",
    ],
    ...[
      "X",
      "(a = X)",
      "(b = Y)",
      "(() => a)()",
      "(X && Y)",
      "(X, Y)",
      "jit(keep)(X)",
      "`${X}`.length",
    ],
  ];
  let unsafe: string[] = [];
  const expression = (depth: number): string => {
    if (depth === 0) return pick([...variables, ...variables, "2", "0.5"]);
    const [x, y] = [expression(depth - 1), expression(random(depth))];
    return pick([
      ...[`(${x} + ${y})`, `${x} * ${y}`, `(-${x})`, `np.sin(${x})`, `np.add(${x}, ${y})`],
      ...[`grad(id)(${x})`, `jit(id)(${x})`],
      ...unsafe.map((form) => form.replaceAll("X", x).replaceAll("Y", y)),
    ]);
  };
  const statement = (depth: number): string => {
    const v = pick(variables);
    const kind = random(depth === 0 ? 6 : 9);
    if (kind < 3) return `${v} = ${expression(1 + random(3))};`;
    if (kind === 3) return `${v} ${pick(["+=", "*=", "-="])} ${expression(random(3))};`;
    if (kind === 4) return `print(${expression(random(2))});`;
    if (kind === 5) return `${expression(2)};`;
    const body = Array.from({ length: 1 + random(3) }, () => statement(depth - 1)).join(" ");
    const local = pick(variables);
    if (kind === 6) return `for (let i = 0; i < 2; i++) { ${body} }`;
    if (kind === 7)
      return `{ ${pick(["let", "const"])} t = ${expression(2)}; ${body} print(t); ${local} = ${local} + t; }`;
    return `if (${expression(1)} > 1) { ${body} }`;
  };
  let freed = 0;
  for (let round = 0; round < 200; round++) {
    // One or two ways of letting a value escape at a time, or no variable would ever be owned.
    unsafe = Array.from({ length: random(3) }, () => pick(everyUnsafe));
    const declared = variables.map((v, i) => `let ${v} = A(${i}) * 1.5;`).join(" ");
    const body = Array.from({ length: 3 + random(6) }, () => statement(2)).join("\n");
    const shown = variables.filter(() => random(2) === 0);
    const { live, made } = await sameWithFreeing(
      `const kept = []; const keep = (x) => (kept.push(x), x); const id = (x) => x;\n${declared}\n${body}\nprint(${shown.join(", ")}); print(kept.join());`,
    );
    freed += made - live;
  }
  assert.ok(freed > 2500, `only ${freed} freed`);
});
