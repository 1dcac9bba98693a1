// The race in Node: options as JSON on the command line, result as the last message to the parent.

import { entries } from "./contestants/all.ts";
import { race } from "./measure.ts";

const options = JSON.parse(process.argv[2] ?? "{}");
const result = await race(entries, { ...options, say: (text) => process.send?.({ say: text }) });
process.send?.({ result }, () => process.exit(0));
