// npm run build: the static site in dist/ and the library in dist/lib/.
import { main, say } from "./lib/say.mjs";
import { ensureSite } from "./lib/site.mjs";

await main(async () => {
  await ensureSite();
  say("dist/ is a static site for any path of any host; dist/lib/ is the library.");
});
