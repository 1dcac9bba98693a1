// npm run bench: builds what is raced, then bench/main.ts (its header lists the options).
import { at, run } from "./lib/project.mjs";
import { main } from "./lib/say.mjs";
import { ensureSite } from "./lib/site.mjs";

await main(async () => {
  await ensureSite();
  process.exitCode = await run(
    process.execPath,
    ["--import", "tsx", at("bench/main.ts"), ...process.argv.slice(2)],
    { stdio: "inherit" },
  );
});
