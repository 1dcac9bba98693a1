// The race in a page: the host calls `runRace` and reads what it resolves to.

import { entries } from "./contestants/all.ts";
import { type Options, type Race, race } from "./measure.ts";

declare global {
  interface Window {
    runRace(options: Omit<Options, "say">): Promise<Race>;
  }
}

window.runRace = (options) => race(entries, { ...options, say: (text) => console.log(text) });
