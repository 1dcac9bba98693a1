"""Places in a program's text, as the page counts them."""

from __future__ import annotations

import itertools
from typing import Any

#: The file name of the program.
FILE = "<program>"

Span = dict[str, int]


class Places:
    """Finds spans in one source text: lines from 1, columns from 1 in UTF-16, the end exclusive."""

    def __init__(self, source: str) -> None:
        self.lines = source.split("\n")

    def _column(self, line: str, offset: int) -> int:
        """A column from an offset in UTF-8 bytes."""
        before = line.encode()[:offset].decode(errors="replace")
        return len(before.encode("utf-16-le")) // 2 + 1

    def span(self, line: int | None, end_line: int | None, offset: int | None, end_offset: int | None) -> Span | None:
        """A span from what `co_positions()` says; the whole line where no columns are known."""
        lines = self.lines
        if line is None or not 0 < line <= len(lines):
            return None
        if offset is None or end_offset is None:
            text = lines[line - 1]
            offset, end_line, end_offset = len(text) - len(text.lstrip()), line, len(text.encode())
        end_line = min(max(end_line or line, line), len(lines))
        return {
            "line": line,
            "column": self._column(lines[line - 1], offset),
            "endLine": end_line,
            "endColumn": self._column(lines[end_line - 1], end_offset),
        }

    def of_error(self, error: BaseException) -> Span | None:
        """The innermost frame of the program itself, to the column; of a syntax error what it points at."""
        if isinstance(error, SyntaxError) and error.filename == FILE:
            return self._of_syntax(error)
        found: Any = None
        traceback = error.__traceback__
        while traceback is not None:
            code = traceback.tb_frame.f_code
            if code.co_filename == FILE:
                found = next(itertools.islice(code.co_positions(), traceback.tb_lasti // 2, None), None)
            traceback = traceback.tb_next
        return self.span(*found) if found else None

    def _of_syntax(self, error: SyntaxError) -> Span | None:
        def offset(line: int | None, text_offset: int | None) -> int | None:
            if not line or not 0 < line <= len(self.lines):
                return None
            return len(self.lines[line - 1][: max((text_offset or 1) - 1, 0)].encode())

        start = offset(error.lineno, error.offset)
        end = offset(error.end_lineno or error.lineno, error.end_offset or 0)
        if end is not None and start is not None and end <= start:
            end = start + 1
        return self.span(error.lineno, error.end_lineno, start, end)
