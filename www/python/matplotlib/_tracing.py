"""Marching squares: the curves of a level in a grid, and the regions above it."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right

from ._data import Floats, Grid

Curve = list[tuple[float, float]]


class Field:
    """Values at the nodes of a grid, whose lines may be curved.

    Curves run with what is above the level on one fixed side, so that those of neighbouring cells join: where one
    leaves a cell through an edge, the other begins.
    """

    def __init__(self, xs: Grid, ys: Grid, values: Grid) -> None:
        self.xs = [x for row in xs for x in row]
        self.ys = [y for row in ys for y in row]
        self.values = [value for row in values for value in row]
        self.rows, self.columns = len(values), len(values[0])
        self._cells = self._find_cells()

    def _find_cells(self) -> list[tuple[int, float, float]]:
        """The cells whose corners are finite: the first corner, the least and the greatest value."""
        found = []
        n, values = self.columns, self.values
        for row in range(self.rows - 1):
            for at in range(row * n, row * n + n - 1):
                a, b, c, d = values[at], values[at + 1], values[at + n + 1], values[at + n]
                total = a + b + c + d
                if total - total == 0:
                    found.append((at, min(a, b, c, d), max(a, b, c, d)))
        return found

    def _border(self) -> list[tuple[int, int]]:
        """The edges that belong to one cell only, in the sense of its outline."""
        n = self.columns
        there = {at for at, _, _ in self._cells}
        edges = []
        for at in there:
            inner = at % n
            if at - n not in there:
                edges.append((at, at + 1))
            if inner == n - 2 or at + 1 not in there:
                edges.append((at + 1, at + n + 1))
            if at + n not in there:
                edges.append((at + n + 1, at + n))
            if inner == 0 or at - 1 not in there:
                edges.append((at + n, at))
        return edges

    def _steps(self, levels: Floats) -> list[dict[int, list[int]]]:
        """For each level, where the curve goes on from each crossing. Crossings are numbered by `_edge`."""
        n, values = self.columns, self.values
        steps: list[dict[int, list[int]]] = [{} for _ in levels]
        for at, low, high in self._cells:
            first, last = bisect_left(levels, low), bisect_left(levels, high)
            if first == last:
                continue
            nodes = (at, at + 1, at + n + 1, at + n)
            corners = [values[node] for node in nodes]
            for index in range(first, last):
                level = levels[index]
                above = [value > level for value in corners]
                entries: list[tuple[int, int]] = []
                exits: list[tuple[int, int]] = []
                for side in range(4):
                    here, there = above[side], above[side - 3]
                    if here != there:
                        edge = self._edge(nodes[side], nodes[side - 3])
                        (exits if here else entries).append((side, edge))
                if len(exits) == 1:
                    steps[index].setdefault(exits[0][1], []).append(entries[0][1])
                elif len(exits) == 2:
                    # A saddle: the mean decides whether the high corners are joined.
                    joined = sum(corners) / 4 > level
                    for side, edge in exits:
                        later = min(entries, key=lambda entry: (entry[0] - side) % 4)
                        earlier = max(entries, key=lambda entry: (entry[0] - side) % 4)
                        steps[index].setdefault(edge, []).append((later if joined else earlier)[1])
        return steps

    def _edge(self, a: int, b: int) -> int:
        """The number of a crossing on the edge between two nodes; nodes themselves have negative numbers."""
        low = min(a, b)
        return 2 * low + (abs(a - b) == self.columns)

    def _point(self, key: int, level: float) -> tuple[float, float]:
        if key < 0:
            return self.xs[-key - 1], self.ys[-key - 1]
        low = key // 2
        high = low + (self.columns if key % 2 else 1)
        part = (level - self.values[low]) / (self.values[high] - self.values[low])
        return (self.xs[low] + (self.xs[high] - self.xs[low]) * part, self.ys[low] + (self.ys[high] - self.ys[low]) * part)

    def curves(self, levels: Floats) -> list[list[Curve]]:
        """For each of the rising levels its curves; those that are closed end where they begin."""
        found = []
        for level, steps in zip(levels, self._steps(levels)):
            ends = {key for targets in steps.values() for key in targets}
            starts = [key for key in steps if key not in ends]
            chains = [_follow(steps, key) for key in starts]
            while steps:
                chains.append(_follow(steps, next(iter(steps))))
            found.append([[self._point(key, level) for key in chain] for chain in chains])
        return found

    def regions(self, levels: Floats) -> list[list[Curve]]:
        """For each of the rising levels the closed outlines of what is above it."""
        border = self._border()
        found = []
        for level, steps in zip(levels, self._steps(levels)):
            if level == -math.inf:
                steps = {}
            for a, b in border:
                above_a, above_b = self.values[a] > level, self.values[b] > level
                if not (above_a or above_b):
                    continue
                start = -a - 1 if above_a else self._edge(a, b)
                end = -b - 1 if above_b else self._edge(a, b)
                steps.setdefault(start, []).append(end)
            chains = []
            while steps:
                chains.append(_follow(steps, next(iter(steps))))
            found.append([_without_straights([self._point(key, level) for key in chain]) for chain in chains])
        return found

    def range(self) -> tuple[float, float]:
        """The least and the greatest finite value."""
        shown = [value for value in self.values if math.isfinite(value)]
        return (min(shown), max(shown)) if shown else (0.0, 1.0)


def _follow(steps: dict[int, list[int]], start: int) -> list[int]:
    """The chain from a start until it closes or ends; takes its steps away."""
    chain = [start]
    while chain[-1] in steps:
        targets = steps[chain[-1]]
        here = targets.pop()
        if not targets:
            del steps[chain[-1]]
        chain.append(here)
        if here == start:
            break
    return chain


def _without_straights(points: Curve) -> Curve:
    """A ring without the points in the middle of upright and level stretches."""
    kept = points[:1]
    for before, here, after in zip(points, points[1:], points[2:]):
        upright = before[0] == here[0] == after[0]
        level = before[1] == here[1] == after[1]
        if not (upright or level):
            kept.append(here)
    return kept + points[-1:] if len(points) > 1 else kept


def between(levels: Floats, low: float, high: float) -> int:
    """How many of the rising levels lie in low..high."""
    return bisect_right(levels, high) - bisect_left(levels, low)
