import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { loadPyodide } from "pyodide";
import { load } from "/work/wt/pyplot/www/lib/engine.ts";
import { registerModules } from "/work/wt/pyplot/www/python-host/modules.ts";
const root = "/work/wt/pyplot";
load(readFileSync(`${root}/pkg/cotangent_bg.wasm`));
const t0 = performance.now();
const pyodide = await loadPyodide();
const t1 = performance.now();
registerModules(pyodide);
function copy(from, to) {
  pyodide.FS.mkdirTree(to);
  for (const e of readdirSync(from, { withFileTypes: true })) {
    const s = join(from, e.name);
    if (e.isDirectory() && e.name !== "__pycache__") copy(s, `${to}/${e.name}`);
    else if (e.name.endsWith(".py")) pyodide.FS.writeFile(`${to}/${e.name}`, readFileSync(s));
  }
}
copy(`${root}/www/python`, "/packages");
pyodide.runPython(`import sys; sys.path.insert(0, "/packages")`);
const t2 = performance.now();
try { pyodide.runPython("import jax, jax.numpy"); } catch (e) { console.log(String(e.message).slice(-3000)); process.exit(1); }
const t3 = performance.now();
if (process.env.TIMES) console.log(`load ${t1-t0|0} copy ${t2-t1|0} import ${t3-t2|0}`);
pyodide.globals.set("SRC", "");
for (const f of process.argv.slice(2)) {
  const src = f === "-" ? readFileSync(0, "utf8") : readFileSync(f, "utf8");
  pyodide.globals.set("SRC", src);
  pyodide.runPython(`
import traceback
from jax._src import engine as _e
_e.reset()
try:
    exec(compile(SRC, "<program>", "exec"), {"__name__": "__main__"})
except BaseException:
    traceback.print_exc()
`);
}
