// node --import tsx tests/python/fixed.ts: writes the programs that the fixes of fixes/programs.py give into fixed.json,
// for record.py to run on real JAX. Answers that are there already are kept.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "../../www/lib/engine.ts";
import { startInNode } from "../../www/python-host/node.ts";
import { createPythonProgram } from "../../www/python-host/program.ts";
import { type Fixed, failing, fixed, folder, keyOf } from "./programs.ts";

load(readFileSync(new URL("../../pkg/cotangent_bg.wasm", import.meta.url)));
const program = createPythonProgram(await startInNode());
const out: Record<string, Fixed> = {};
for (const [name, source] of failing()) {
  const { error } = program.run(source, { onOutput: () => undefined });
  for (const fix of error?.fixes ?? []) {
    const key = keyOf(name, fix);
    const before = fixed[key];
    const answer = before?.source === fix.source ? before.answer : null;
    out[key] = { source: fix.source, answer };
  }
}
writeFileSync(join(folder, "fixed.json"), `${JSON.stringify(out, null, 1)}\n`);
