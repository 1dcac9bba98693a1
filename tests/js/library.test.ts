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

test("its declarations stand alone under strict TypeScript", () => {
  writeFileSync(join(project, "main.ts"), program.replace("(x)", "(x: ReturnType<typeof np.sin>)"));
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
