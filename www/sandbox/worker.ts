/** The guest's worker: the engine and one JavaScript program, in a classic worker without a network. */
import { checkFix, initEngine, runProgram } from "../lib/run";
import { serve } from "./perform";
import type { WorkerInit } from "./protocol";

self.onmessage = (event: MessageEvent<WorkerInit>) => {
  self.onmessage = null;
  const port = event.ports[0];
  if (!port) return;
  const runner = initEngine(event.data.engine).then(() => ({
    run: ({ source, x64 }: { source: string; x64: boolean }, onOutput: OnOutput) =>
      runProgram(source, { onOutput, x64 }),
    check: checkFix,
  }));
  serve(port, runner, "one");
};

type OnOutput = Parameters<typeof runProgram>[1]["onOutput"];
