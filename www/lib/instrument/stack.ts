/**
 * Where in the program an ordinary error of JavaScript came from.
 *
 * Errors of the engine have a site. One like "Cannot read properties of undefined" has only its stack;
 * the rewrite keeps lines, so the line of its first frame in the program is known.
 */

import type { Span } from "../report.ts";
import { LINES_BEFORE_BODY, PROGRAM_FILE } from "./instrument.ts";

/** The line of the program (1-based) that a stack trace begins in, or null. */
export function lineOfStack(stack: string): number | null {
  const escaped = PROGRAM_FILE.replace(/\./g, "\\.");
  const frame = new RegExp(`(?:^|[^\\w.-])${escaped}:(\\d+):\\d+`).exec(stack);
  const line = frame ? Number(frame[1]) - LINES_BEFORE_BODY : 0;
  return line >= 1 ? line : null;
}

/** The span of what is written on a line, without the white space around it and a comment after it. */
export function spanOfLine(source: string, line: number): Span | null {
  const text = source.split(/\r\n|\r|\n/)[line - 1];
  if (text === undefined || text.trim() === "") return null;
  const column = text.length - text.trimStart().length + 1;
  const written = text.replace(/\s+\/\/[^'"`]*$/, "").trimEnd();
  return { line, column, endLine: line, endColumn: Math.max(written.length, column) + 1 };
}
