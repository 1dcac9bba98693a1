// What the scripts print: one heading per step, what it is about to do, and the time it took.

let out = process.stdout;
let quiet = false;

/** Sends all messages to stderr, for commands whose stdout is data; `silent` drops the routine ones. */
export function sayOnStderr({ silent = false } = {}) {
  out = process.stderr;
  quiet = silent;
}

/** The stream messages go to. */
export function stream() {
  return out;
}

const colour = (code, text) =>
  out.isTTY && !process.env.NO_COLOR ? `\x1b[${code}m${text}\x1b[0m` : text;

/** A line in the ordinary flow of work. */
export function say(text) {
  if (!quiet) out.write(`${text}\n`);
}

/** The heading of a step that takes noticeable time. Shown even when routine messages are not. */
export function heading(text) {
  out.write(`\n${colour("1", `== ${text}`)}\n`);
}

/** How a step ended. */
export function outcome(ok, text) {
  out.write(`${ok ? colour("32", "ok") : colour("31", "FAILED")}  ${text}\n`);
}

/** A span of milliseconds as people say it. */
export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** An expected failure: the message is for the person at the terminal and needs no stack trace. */
export class Stop extends Error {}

/** Runs a script's main function; a {@link Stop} is printed as its message alone. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    process.stderr.write(`\n${error instanceof Stop ? error.message : (error?.stack ?? error)}\n`);
    process.exitCode = 1;
  }
}
