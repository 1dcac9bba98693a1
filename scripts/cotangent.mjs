// npm run --silent cotangent -- run FILE.js: the command line, with the engine built first when it is stale.
// stdout belongs to the program that is run, so everything said here goes to stderr.

import { ensureEngine } from "./lib/engine.mjs";
import { at, run } from "./lib/project.mjs";
import { main, sayOnStderr } from "./lib/say.mjs";
import { ensurePackages } from "./lib/toolchain.mjs";

sayOnStderr({ silent: true });
await main(async () => {
  await ensurePackages();
  await ensureEngine();
  const { pathToFileURL } = await import("node:url");
  const loader = pathToFileURL(at("node_modules/tsx/dist/loader.mjs")).href;
  const program = ["--import", loader, at("www/cli/main.ts"), ...process.argv.slice(2)];
  // npm moves to the project's folder; paths on the command line are meant from where the user stands.
  const cwd = process.env.npm_lifecycle_event === "cotangent" ? process.env.INIT_CWD : undefined;
  process.exitCode = await run(process.execPath, program, {
    cwd: cwd ?? process.cwd(),
    env: { TSX_TSCONFIG_PATH: at("tsconfig.json") },
    stdio: "inherit",
  });
});
