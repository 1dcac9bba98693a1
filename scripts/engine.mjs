// npm run engine: builds pkg/ when src/ changed.
import { ensureEngine } from "./lib/engine.mjs";
import { main } from "./lib/say.mjs";

await main(ensureEngine);
