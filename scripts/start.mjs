// npm start: builds what changed, serves the playground on a local port, opens it.
//   --port N    that port instead of a free one        --no-open   only print the address

import { parseArgs } from "node:util";
import { openInBrowser } from "./lib/browser.mjs";
import { at } from "./lib/project.mjs";
import { duration, main, say } from "./lib/say.mjs";
import { serve } from "./lib/serve.mjs";
import { ensureSite } from "./lib/site.mjs";

await main(async () => {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "0" },
      "no-open": { type: "boolean", default: false },
    },
  });
  const began = performance.now();
  await ensureSite();
  const { url } = await serve(at("dist"), { port: Number(values.port) });
  say(
    `\nCotangent is at ${url} (ready in ${duration(performance.now() - began)}). Ctrl+C stops it.`,
  );
  if (!values["no-open"] && !process.env.CI) openInBrowser(url);
});
