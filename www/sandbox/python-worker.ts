/** The guest's worker for Python: an interpreter that is kept between its programs, without a network. */
import { load } from "../lib/engine";
import { createPythonProgram } from "../python-host/program";
import type { Runner } from "./perform";
import { serve } from "./perform";
import type { PythonInit } from "./protocol";
import { startPyodide } from "./pyodide";

self.onmessage = (event: MessageEvent<PythonInit>) => {
  self.onmessage = null;
  const port = event.ports[0];
  if (port) serve(port, start(event.data), "many");
};

async function start({ engine, python }: PythonInit): Promise<Runner> {
  load(await WebAssembly.compile(engine));
  const program = createPythonProgram(await startPyodide(python));
  return {
    run: async ({ source, x64 }, onOutput) => program.run(source, { onOutput, x64 }),
    check: async (source) => program.check(source),
  };
}
