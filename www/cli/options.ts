/** The words of the command line. */

import { parseArgs } from "node:util";

/** What was asked for. */
export interface Options {
  command: "run" | "link" | "open";
  /** A file, "-" for standard input, or a fragment. */
  target: string;
  /** All files that are to be run. */
  targets: string[];
  /** `run`: the file is a JSON list of the cells of a notebook in Python. */
  cells: boolean;
  json: boolean;
  x64: boolean;
  /** `link`: run the program and record what it shows. */
  expect: boolean;
  /** Seconds after which the program is stopped; null for never. */
  timeout: number | null;
}

/** Something wrong with how the command was given; the message is for people. */
export class UsageError extends Error {}

export const USAGE = `Usage: cotangent COMMAND [OPTIONS]

  run FILE…            run programs; their output on stdout, diagnoses on stderr
  run --cells FILE     run the cells of a notebook, a JSON list of texts in Python,
                       in one namespace; print a JSON list of what each gave:
                       stdout, result_repr, exception
  link FILE            print the fragment of a link to a program
  open FRAGMENT        run the program of a link (or whole address) and say
                       whether it shows what its author saw

  --json               print one JSON object a line instead (run, open)
  --timeout SECONDS    stop the program after that time; what it printed is kept
  --x64                with 64-bit numbers (run, link)
  --expect             run the program first and record in the link what it shows (link)

FILE ends in .py for Python, else it is JavaScript; "-" stands for standard input.
A program runs in Node as any script does,
outside of the page's sandbox: open links of people you trust.

Exit status: 0 the program ran, or showed what was expected; 1 it failed, or did
not; 2 the command was wrong; 124 the time was over.
`;

/** Reads the arguments after the program's name. Null when help was asked for. */
export function readOptions(argv: readonly string[]): Options | null {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(argv);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  if (values.help) return null;
  const [command, target, ...rest] = positionals;
  if (command !== "run" && command !== "link" && command !== "open") {
    throw new UsageError(command ? `There is no command "${command}".` : "No command was given.");
  }
  const { cells = false } = values;
  const what = command === "open" ? "FRAGMENT" : "FILE";
  const several = command === "run" && !cells;
  if (target === undefined || (rest.length > 0 && !several)) {
    throw new UsageError(`"${command}" takes ${several ? "at least " : ""}one ${what}.`);
  }
  const timeout = values.timeout === undefined ? null : Number(values.timeout);
  if (timeout !== null && !(timeout > 0 && timeout <= 86_400)) {
    throw new UsageError(`--timeout takes a number of seconds, not "${values.timeout}".`);
  }
  const { json = false, x64 = false, expect = false } = values;
  const targets = [target, ...rest];
  return { command, target, targets, cells, json, x64, expect, timeout };
}

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      json: { type: "boolean" },
      timeout: { type: "string" },
      x64: { type: "boolean" },
      expect: { type: "boolean" },
      cells: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
}
