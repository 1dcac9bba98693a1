/** The guest's worker for Python: an interpreter that is kept between its programs, without a network. */
import type { Runner } from "./perform";
import { serve } from "./perform";
import type { PythonInit } from "./protocol";
import { startPyodide } from "./pyodide";
import { createPythonProgram } from "./python-program";

self.onmessage = (event: MessageEvent<PythonInit>) => {
  self.onmessage = null;
  const port = event.ports[0];
  if (port) serve(port, start(event.data), "many");
};

async function start({ python }: PythonInit): Promise<Runner> {
  const program = createPythonProgram(await startPyodide(python));
  return {
    run: async ({ source }, onOutput) => program.run(source, onOutput),
    check: async (source) => {
      const { ok, error } = program.run(source, () => undefined);
      const detail = ok
        ? "the program runs; it has no rule to check"
        : `the fixed program fails: ${error?.class}: ${error?.message}`;
      return { status: ok ? "skipped" : "fail", maxRelativeError: null, detail };
    },
  };
}
