"""The scene: a figure as a bounded list of shapes, which the page draws.

Units are those of the figure, its origin is the top left corner. The form is FigureItem in www/lib/figure.ts.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

Point = tuple[float, float]
_FAR = 20_000.0
_MOST_POINTS = 500_000
_MOST_PIXELS = 690_000
_MOST_SHAPES = 15_000
_INK: dict[str | None, str] = {"text": "#000000", "ground": "#ffffff"}


class Box(NamedTuple):
    """A rectangle by its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height


class Scene:
    """Gathers shapes in the order they are painted."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.clips: list[Box] = []
        self.shapes: list[dict[str, Any]] = []
        self.points = self.pixels = 0
        # What follows is cut to this box, and in this mode of colours.
        self.clip: int | None = None
        self.exact = False

    def cut_to(self, box: Box | None) -> None:
        """Shapes from here on are cut to the box; None for none."""
        if box is None:
            self.clip = None
        else:
            self.clip = len(self.clips)
            self.clips.append(box)

    def _add(self, kind: str, opacity: float, count: int, exact: bool | None = None, **fields: Any) -> None:
        self.points += count
        if self.points > _MOST_POINTS or len(self.shapes) >= _MOST_SHAPES:
            raise ValueError("the figure has too many points to be shown: draw fewer of them")
        if self.exact:
            # On an image black and white are meant as such, not as ink and paper.
            for name in ("color", "fill", "stroke", "fills", "strokes"):
                if name in fields:
                    given = fields[name]
                    fields[name] = (
                        [_INK.get(one, one) for one in given] if isinstance(given, list) else _INK.get(given, given)
                    )
        self.shapes.append(
            {
                "kind": kind,
                "clip": self.clip,
                "opacity": _round(min(max(opacity, 0.0), 1.0)),
                "exact": self.exact if exact is None else exact,
                **fields,
            }
        )

    def line(
        self, points: Iterable[Point], color: str | None, width: float, dash: Sequence[float] = (), opacity: float = 1.0
    ) -> None:
        """A polyline; a point with NaN breaks it."""
        if color is None or width <= 0:
            return
        flat: list[float | None] = []
        previous: Point | None = None
        for point in points:
            x, y = point
            if not (math.isfinite(x) and math.isfinite(y)):
                if previous is not None:
                    flat += (None, None)
                previous = None
                continue
            if previous is not None and abs(x - previous[0]) < 0.1 and abs(y - previous[1]) < 0.1:
                continue
            if abs(x) > _FAR or abs(y) > _FAR:
                x, y = _toward(previous, point)
            flat += (round(x, 2), round(y, 2))
            previous = point
        if flat:
            dashes = [_round(length) for length in dash]
            self._add("line", opacity, len(flat), points=flat, color=color, width=_round(width), dash=dashes)

    def area(
        self,
        rings: Iterable[Sequence[Point]],
        fill: str | None,
        stroke: str | None = None,
        width: float = 0.0,
        dash: Sequence[float] = (),
        opacity: float = 1.0,
        exact: bool | None = None,
    ) -> None:
        """An area within rings, by the even-odd rule."""
        flat = [
            [coordinate for x, y in ring if x - x + y - y == 0 for coordinate in (_near(x), _near(y))] for ring in rings
        ]
        flat = [ring for ring in flat if ring]
        if flat and not (fill is None and (stroke is None or width <= 0)):
            dashes = [_round(length) for length in dash]
            edge = stroke if width > 0 else None
            self._add(
                "area",
                opacity,
                sum(map(len, flat)),
                exact,
                rings=flat,
                fill=fill,
                stroke=edge,
                width=_round(width),
                dash=dashes,
            )

    def marks(
        self,
        points: Sequence[Point],
        marker: str,
        sizes: Sequence[float],
        fills: Sequence[str | None],
        strokes: Sequence[str | None],
        width: float,
        opacity: float = 1.0,
        exact: bool | None = None,
    ) -> None:
        """Markers around points; sizes and colours are one for all or one for each."""
        kept = [
            index
            for index, (x, y) in enumerate(points)
            if math.isfinite(x) and math.isfinite(y) and abs(x) < _FAR and abs(y) < _FAR
        ]
        if not kept:
            return
        flat = [round(coordinate, 2) for index in kept for coordinate in points[index]]

        def each(values: Sequence[Any]) -> list[Any]:
            return list(values) if len(values) == 1 else [values[index] for index in kept]

        looks = [[_round(size) for size in each(sizes)], each(fills), each(strokes)]
        self._add(
            "marks",
            opacity,
            len(flat) + sum(map(len, looks)),
            exact,
            marker=marker,
            points=flat,
            sizes=looks[0],
            fills=looks[1],
            strokes=looks[2],
            width=_round(width),
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        color: str | None = "text",
        anchor: str = "start",
        baseline: str = "alphabetic",
        angle: float = 0.0,
        bold: bool = False,
        italic: bool = False,
        halo: bool = False,
        opacity: float = 1.0,
    ) -> None:
        """One line of text."""
        if text.strip() and color is not None and math.isfinite(x) and math.isfinite(y) and abs(x) < _FAR and abs(y) < _FAR:
            self._add(
                "text",
                opacity,
                50,
                x=_round(x),
                y=_round(y),
                text=text[:300],
                size=_round(size),
                color=color,
                anchor=anchor,
                baseline=baseline,
                angle=_round(angle % 360),
                bold=bold,
                italic=italic,
                halo=halo,
            )

    def image(self, box: Box, columns: int, rows: int, rgba: bytes, smooth: bool, opacity: float = 1.0) -> None:
        """Pixels, row by row from the top."""
        self.pixels += columns * rows
        if self.pixels > _MOST_PIXELS:
            raise ValueError("the figure has too many pixels to be shown: draw fewer or smaller images")
        text = base64.b64encode(rgba).decode("ascii")
        x, y, width, height = map(_near, box)
        self._add(
            "image", opacity, 0, columns=columns, rows=rows, rgba=text, smooth=smooth, x=x, y=y, width=width, height=height
        )

    def item(self, title: str, description: str, axes: int) -> dict[str, Any]:
        """The figure as it is sent."""
        clips = [{name: _near(value) for name, value in box._asdict().items()} for box in self.clips]
        return {
            "kind": "figure",
            "title": title[:300],
            "description": description[:3000],
            "axes": axes,
            "width": _round(self.width),
            "height": _round(self.height),
            "clips": clips,
            "shapes": self.shapes,
        }


def _round(value: float) -> float:
    return round(float(value), 3)


def _near(value: float) -> float:
    return round(value, 2) if -_FAR < value < _FAR else math.copysign(_FAR, value)


def _toward(start: Point | None, end: Point) -> Point:
    """Where the way from start to a far end leaves the drawable square."""
    if start is None or abs(start[0]) > _FAR or abs(start[1]) > _FAR:
        return (_near(end[0]), _near(end[1]))
    parts = [1.0]
    for here, there in zip(start, end):
        if abs(there) > _FAR:
            parts.append((math.copysign(_FAR, there) - here) / (there - here))
    part = min(parts)
    return (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)
