// Everyone in the race, in the order of their turns. Each is loaded only when it has the floor, so that
// what it does at import is counted as its own.

import type { Contestant } from "../contestant.ts";

/** A name and the way to the library behind it. */
export interface Entry {
  readonly name: string;
  import(): Promise<Contestant<unknown>>;
}

export const entries: readonly Entry[] = [
  { name: "cotangent", import: async () => (await import("./cotangent.ts")).cotangent },
  { name: "jax-js", import: async () => (await import("./jaxjs.ts")).jaxjs },
  { name: "tfjs", import: async () => (await import("./tfjs.ts")).tfjs },
];
