import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { at } from "../../scripts/lib/project.mjs";

// The built library, installed into a project of its own far from this one's files.
let project: string;

before(() => {
  assert.ok(
    existsSync(at("dist/lib/index.js")),
    "dist/lib is built by npm run build and by npm test",
  );
  project = mkdtempSync(join(tmpdir(), "library-"));
  mkdirSync(join(project, "node_modules"));
  cpSync(at("dist/lib"), join(project, "node_modules", "cotangent"), { recursive: true });
  writeFileSync(join(project, "package.json"), '{ "type": "module", "private": true }');
});

after(() => rmSync(project, { recursive: true, force: true }));

const program = `
import { grad, np } from "cotangent";
const loss = (x) => np.sum(np.sin(x).mul(x));
console.log(String(grad(loss)(np.arange(4, { dtype: "float32" }))));
`;

test("the built library gives a gradient in plain Node", () => {
  writeFileSync(join(project, "main.js"), program);
  const printed = execFileSync(process.execPath, ["main.js"], { cwd: project, encoding: "utf8" });
  assert.match(printed, /1\.38177/);
});

// What is right compiles, and what is wrong does not: the compiler checks both.
const typed = `
import { type Array as NdArray, bufferCallback, grad, jit, lax, nn, np, pureCallback, slice } from "cotangent";
import { ShapeDtypeStruct, stopGradient, vmap, valueAndGrad } from "cotangent";

const x: NdArray = np.arange(4, { dtype: "float32" }).reshape([2, 2]).add(1).mul(x0());
function x0(): number { return np.pi * 2; }
const loss = (w: NdArray) => np.sum(np.sin(w).mul(w), { axis: 0, keepdims: true }).mean();
const scalar: number | boolean = jit(loss)(x).item();
const parts: NdArray[] = np.split(x, 2, { axis: 1 });
const updated: NdArray = x.at(0, slice(1)).set(5).T.get(0, "...", null);
const sum: NdArray = np.einsum("ij,jk->ik", x, x).sum(0).sum({ axis: 0 });
const more = [nn.softmax(x, { axis: 0 }), lax.add(x, 1), np.linalg.norm(x), np.where(x.gt(0), x, 0), np.float32];
const two: [NdArray, NdArray] = pureCallback(() => [1, 2], [ShapeDtypeStruct([], "float32"), ShapeDtypeStruct([], "float32")] as [ReturnType<typeof ShapeDtypeStruct>, ReturnType<typeof ShapeDtypeStruct>]);
const one: NdArray = bufferCallback(() => {}, ShapeDtypeStruct([2], "float32"))(x).sub(stopGradient(x));
console.log(grad(loss)(x), valueAndGrad(loss)(x), vmap(loss)(x), scalar, parts, updated, sum, more, two, one);

// @ts-expect-error a list is no array here
np.sum([1, 2]);
// @ts-expect-error there is no such option
np.sum(x, { axes: 0 });
// @ts-expect-error there is no such function
np.summ(x);
// @ts-expect-error there is no such method
x.summ();
// @ts-expect-error an axis is a number
x.sum("0");
`;

test("its declarations stand alone under strict TypeScript", () => {
  writeFileSync(join(project, "main.ts"), typed);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    types: [],
    target: "es2023",
    module: "esnext",
    moduleResolution: "bundler",
  };
  writeFileSync(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions, files: ["main.ts"] }),
  );
  execFileSync(process.execPath, [at("node_modules/typescript/bin/tsc"), "-p", "."], {
    cwd: project,
    stdio: ["ignore", "inherit", "inherit"],
  });
});

test("the package names its entry, its types, its engine and its licence", () => {
  const manifest = JSON.parse(readFileSync(at("dist/lib/package.json"), "utf8"));
  assert.equal(manifest.name, "cotangent");
  assert.equal(manifest.license, "MIT OR Apache-2.0");
  for (const entry of Object.values<string | Record<string, string>>(manifest.exports)) {
    for (const file of typeof entry === "string" ? [entry] : Object.values(entry)) {
      assert.ok(existsSync(at("dist/lib", file)), file);
    }
  }
});
