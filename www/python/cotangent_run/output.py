"""Where a program's output goes."""

from __future__ import annotations

from typing import Callable


class Lines:
    """A text stream whose full lines go to a sink, the last one when the program ends."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, sink: Callable[[str], object]) -> None:
        self.sink = sink
        self.rest = ""

    def write(self, text: str) -> int:
        """Takes text; hands its full lines on."""
        lines = (self.rest + text).split("\n")
        self.rest = lines.pop()
        if lines:
            self.sink("\n".join(lines))
        return len(text)

    def flush(self) -> None:
        """Does nothing: full lines are out already."""

    def isatty(self) -> bool:
        """False."""
        return False

    def close_line(self) -> None:
        """Hands on what is left."""
        if self.rest:
            self.sink(self.rest)
        self.rest = ""
