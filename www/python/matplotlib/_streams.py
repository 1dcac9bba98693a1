"""Stream lines of a field: where it flows, evenly spread over the plane."""

from __future__ import annotations

import math
from collections.abc import Callable

from ._data import Floats, Grid

Point = tuple[float, float]
Flow = Callable[[float, float], Point | None]


class Streams:
    """Traces lines through a field on an even grid; a mask keeps them apart.

    Places are counted in cells of the grid: (0, 0) is its first node.
    """

    def __init__(self, xs: Floats, ys: Floats, u: Grid, v: Grid, density: float) -> None:
        self.xs, self.ys = xs, ys
        self.columns, self.rows = len(xs) - 1, len(ys) - 1
        self.dx, self.dy = (xs[-1] - xs[0]) / self.columns, (ys[-1] - ys[0]) / self.rows
        self.u = [[value / self.dx for value in row] for row in u]
        self.v = [[value / self.dy for value in row] for row in v]
        self.marks = max(2, int(30 * density))
        self.taken: set[Point] = set()

    def flow(self, x: float, y: float) -> Point | None:
        """The direction at a place, of length one; None outside or where nothing flows."""
        column, row = min(int(x), self.columns - 1), min(int(y), self.rows - 1)
        if not (0 <= x <= self.columns and 0 <= y <= self.rows):
            return None
        a, b = x - column, y - row

        def between(field: Grid) -> float:
            low, high = field[row], field[row + 1]
            return (low[column] * (1 - a) + low[column + 1] * a) * (1 - b) + (
                high[column] * (1 - a) + high[column + 1] * a
            ) * b

        across, up = between(self.u), between(self.v)
        size = math.hypot(across / self.columns, up / self.rows)
        if not size or size != size:
            return None
        return across / size, up / size

    def _mark(self, x: float, y: float) -> Point:
        return int(x / self.columns * self.marks), int(y / self.rows * self.marks)

    def _walk(self, x: float, y: float, sign: float, own: set[Point]) -> list[Point]:
        """Places from a start on, until the line leaves, stops, or comes to another line or back to itself."""
        step = 0.25 / self.marks * sign
        made: list[Point] = []
        here = self._mark(x, y)
        for _ in range(12 * self.marks):
            first = self.flow(x, y)
            middle = first and self.flow(x + first[0] * step / 2, y + first[1] * step / 2)
            if not middle:
                break
            x, y = x + middle[0] * step, y + middle[1] * step
            if not (0 <= x <= self.columns and 0 <= y <= self.rows):
                break
            mark = self._mark(x, y)
            if mark != here:
                if mark in self.taken or mark in own:
                    break
                own.add(mark)
                here = mark
            made.append((x, y))
        return made

    def trace(self, x: float, y: float) -> list[Point] | None:
        """The line through a place, in coordinates of the data; None where it would be short or one is near."""
        start = self._mark(x, y)
        if start in self.taken:
            return None
        own = {start}
        back = self._walk(x, y, -1.0, own)
        line = [*back[::-1], (x, y), *self._walk(x, y, 1.0, own)]
        if len(own) < max(3, self.marks // 8):
            return None
        self.taken |= own
        return [(self.xs[0] + a * self.dx, self.ys[0] + b * self.dy) for a, b in line]

    def lines(self) -> list[list[Point]]:
        """Lines that fill the plane: begun at its edge and then inwards."""
        marks = self.marks
        found = []
        for ring in range((marks + 1) // 2):
            low, high = ring, marks - 1 - ring
            starts = [(at, low) for at in range(low, high + 1)] + [(at, high) for at in range(low, high + 1)]
            starts += [(low, at) for at in range(low + 1, high)] + [(high, at) for at in range(low + 1, high)]
            for column, row in starts:
                line = self.trace((column + 0.5) / marks * self.columns, (row + 0.5) / marks * self.rows)
                if line is not None:
                    found.append(line)
        return found
