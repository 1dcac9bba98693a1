/** Runs Python programs in the interpreter: each in a fresh `__main__`, with its output line by line. */
import type { PyodideAPI } from "pyodide";
import type { Diagnosis, OutputItem, RunReport } from "../lib/report";

type Emit = (text: string) => void;
type Outcome = Pick<Diagnosis, "class" | "message" | "span">;

export interface PythonProgram {
  /** Runs a program to its end; what it raised is in the report. */
  run(source: string, onOutput: (item: OutputItem) => void): RunReport;
}

export function createPythonProgram(pyodide: PyodideAPI): PythonProgram {
  const run = pyodide.runPython(RUN) as (source: string, emit: Emit) => string;
  return {
    run(source, onOutput) {
      const began = performance.now();
      const outcome = JSON.parse(run(source, (text) => onOutput({ kind: "text", text })));
      const error: Diagnosis | null = outcome && diagnosis(outcome as Outcome);
      const ms = performance.now() - began;
      return { ok: error === null, error, jaxpr: null, ruleChecks: [], result: null, ms };
    },
  };
}

function diagnosis(outcome: Outcome): Diagnosis {
  return {
    ...outcome,
    primitive: null,
    explanation: "",
    chain: [],
    equation: null,
    table: [],
    fixes: [],
  };
}

/** A function from a source text and a sink of lines to the JSON of what was raised, or "null". */
const RUN = `
def _make_run():
    import itertools
    import json
    import sys
    import types

    FILE = "<program>"

    class Lines:
        """A text stream whose full lines go to a sink, the last one when the program ends."""

        encoding = "utf-8"
        errors = "replace"

        def __init__(self, sink):
            self.sink = sink
            self.rest = ""

        def write(self, text):
            lines = (self.rest + text).split("\\n")
            self.rest = lines.pop()
            if lines:
                self.sink("\\n".join(lines))
            return len(text)

        def flush(self):
            pass

        def isatty(self):
            return False

        def close_line(self):
            if self.rest:
                self.sink(self.rest)
            self.rest = ""

    def column(line, offset):
        """A 1-based UTF-16 column from an offset in UTF-8 bytes."""
        before = line.encode()[:offset].decode(errors="replace")
        return len(before.encode("utf-16-le")) // 2 + 1

    def span(source, line, end_line, offset, end_offset):
        lines = source.split("\\n")
        if line is None or not 0 < line <= len(lines):
            return None
        if offset is None or end_offset is None:
            text = lines[line - 1]
            offset, end_line, end_offset = 0, line, len(text.encode())
        end_line = min(max(end_line or line, line), len(lines))
        return {
            "line": line,
            "column": column(lines[line - 1], offset),
            "endLine": end_line,
            "endColumn": column(lines[end_line - 1], end_offset),
        }

    def place(source, error):
        """The innermost frame of the program itself, to the column."""
        if isinstance(error, SyntaxError) and error.filename == FILE:
            lines = source.split("\\n")
            def offset(line, text_offset):
                if not line or not 0 < line <= len(lines):
                    return None
                return len(lines[line - 1][: max((text_offset or 1) - 1, 0)].encode())
            start = offset(error.lineno, error.offset)
            end = offset(error.end_lineno or error.lineno, error.end_offset or 0)
            if end is not None and start is not None and end <= start:
                end = start + 1
            return span(source, error.lineno, error.end_lineno, start, end)
        found = None
        traceback = error.__traceback__
        while traceback is not None:
            code = traceback.tb_frame.f_code
            if code.co_filename == FILE:
                positions = itertools.islice(code.co_positions(), traceback.tb_lasti // 2, None)
                found = next(positions, None)
            traceback = traceback.tb_next
        return found and span(source, *found)

    def run(source, sink):
        out = Lines(sink)
        main = types.ModuleType("__main__")
        saved = sys.stdout, sys.stderr, sys.modules.get("__main__")
        sys.stdout = sys.stderr = out
        sys.modules["__main__"] = main
        raised = None
        try:
            exec(compile(source, FILE, "exec", dont_inherit=True), main.__dict__)
        except SystemExit:
            pass
        except BaseException as error:
            message = error.msg if isinstance(error, SyntaxError) else str(error)
            raised = {
                "class": type(error).__name__,
                "message": message,
                "span": place(source, error),
            }
        finally:
            sys.stdout, sys.stderr, sys.modules["__main__"] = saved
        out.close_line()
        return json.dumps(raised)

    return run

_make_run()
`;
