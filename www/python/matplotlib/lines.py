"""Lines through points, with or without markers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import _missing, rcParams
from ._artist import COMMON, Artist, dashes, options
from ._data import as_array, floats, spread
from .colors import is_color_like

if TYPE_CHECKING:
    from ._scene import Box, Point, Scene
    from .axes import Axes

LINE: dict[str, Any] = {
    **COMMON,
    "color": None,
    "linewidth": None,
    "linestyle": None,
    "marker": None,
    "markersize": None,
    "markerfacecolor": None,
    "markeredgecolor": None,
    "markeredgewidth": 1.0,
    "drawstyle": "default",
    "markevery": None,
    "fillstyle": "full",
}
MARKERS = frozenset("o.,sv^<>12348pP*hH+xXDd|_")
_STROKED = frozenset("+x|_1234")
_NO_MARKER = ("", " ", "None", "none", None)
_COLORS = frozenset("bgrcmykw")
# A line of more points is thinned to what can be told apart.
_MANY = 5_000


def parse_format(text: str) -> dict[str, Any]:
    """The colour, marker and line style of a format string as "r--o". ValueError for what is none."""
    found: dict[str, Any] = {}
    # A grey as "0.5" would be the marker "." between two figures.
    if len(text) > 2 and not text[0].isdigit() and is_color_like(text):
        return {"color": text}
    rest = text
    while rest:
        if rest[:2] in ("--", "-."):
            part, name = rest[:2], "linestyle"
        elif rest[0] in "-:":
            part, name = rest[0], "linestyle"
        elif rest[0] == "C" and rest[1:2].isdigit():
            part, name = rest[:2], "color"
        elif rest[0] in _COLORS:
            part, name = rest[0], "color"
        elif rest[0] in MARKERS:
            part, name = rest[0], "marker"
        else:
            raise ValueError(f"{text!r} is not a valid format string (unrecognized character {rest[0]!r})")
        if name in found:
            raise ValueError(f"{text!r} is not a valid format string (two {name} symbols)")
        found[name] = part
        rest = rest[len(part) :]
    if "marker" in found and "linestyle" not in found:
        found["linestyle"] = "None"
    return found


class Line2D(Artist):
    """A line through points."""

    kind = "line"
    order = 2.0

    def __init__(self, xdata: Any, ydata: Any, **given: Any) -> None:
        taken = options("Line2D.set()", given, LINE)
        super().__init__(taken)
        self.x, self.y = floats(xdata), floats(ydata)
        self.color = "C0" if taken["color"] is None else taken["color"]
        self.linewidth = float(rcParams["lines.linewidth"] if taken["linewidth"] is None else taken["linewidth"])
        self.linestyle = rcParams["lines.linestyle"] if taken["linestyle"] is None else taken["linestyle"]
        dashes(self.linestyle, 1.0)
        self.marker = _marker(rcParams["lines.marker"] if taken["marker"] is None else taken["marker"])
        self.markersize = float(rcParams["lines.markersize"] if taken["markersize"] is None else taken["markersize"])
        self.face, self.edge = taken["markerfacecolor"], taken["markeredgecolor"]
        if taken["fillstyle"] == "none":
            self.face = "none"
        self.edgewidth = float(taken["markeredgewidth"])
        self.drawstyle = taken["drawstyle"]
        self.markevery = taken["markevery"]
        # Ends of the axes' own, as those of axhline, are not data.
        self.spans: tuple[str, ...] = ("x", "y")

    def extent(self) -> tuple[list[float], list[float]]:
        """The points; none for a line that is not in data coordinates."""
        if self.transform is not None and self.transform.kind != "data":
            return [], []
        return self.x if "x" in self.spans else [], self.y if "y" in self.spans else []

    def draw(self, scene: Scene, axes: Axes) -> None:
        """The line, then its markers."""
        points = axes.points(self.x, self.y, self.transform)
        dash = dashes(self.linestyle, self.linewidth)
        if dash is not None:
            color, opacity = self.drawn(self.color)
            scene.line(_thinned(_stepped(points, self.drawstyle)), color, self.linewidth, dash, opacity)
        if self.marker:
            self._marks(scene, _every(points, self.markevery))

    def _marks(self, scene: Scene, points: list[Point]) -> None:
        size = self.markersize / 2 if self.marker == "." else 1.0 if self.marker == "," else self.markersize
        face, opacity = self.drawn(self.color if self.face in (None, "auto") else self.face)
        edge, edge_opacity = self.drawn(self.color if self.edge in (None, "auto") else self.edge)
        scene.marks(
            _thinned_marks(points),
            self.marker,
            [size],
            [None if self.marker in _STROKED else face],
            [edge],
            1.2 if self.marker in _STROKED and self.edgewidth == 1.0 else self.edgewidth,
            opacity if face is not None else edge_opacity,
        )

    def key(self, scene: Scene, box: Box) -> None:
        """A short piece of the line with one marker."""
        middle = box.y + box.height / 2
        dash = dashes(self.linestyle, self.linewidth)
        if dash is not None:
            color, opacity = self.drawn(self.color)
            scene.line([(box.x, middle), (box.right, middle)], color, self.linewidth, dash, opacity)
        if self.marker:
            self._marks(scene, [(box.x + box.width / 2, middle)])

    def words(self) -> str:
        """Its label, or how many points it has."""
        name = "line" if dashes(self.linestyle, 1.0) is not None else "points"
        if self.label and not self.label.startswith("_"):
            return self.named(name)
        return f"{name} of {len(self.x)} points" if name == "line" else f"{len(self.x)} points"

    def set_data(self, *args: Any) -> None:
        """Other points: x and y, or a pair of them."""
        x, y = args if len(args) == 2 else args[0]
        self.x, self.y = floats(x), floats(y)

    def set_xdata(self, x: Any) -> None:
        """Other x values."""
        self.x = floats(x)

    def set_ydata(self, y: Any) -> None:
        """Other y values."""
        self.y = floats(y)

    def get_xdata(self, orig: bool = True) -> Any:
        """The x values, as an array."""
        return as_array(self.x)

    def get_ydata(self, orig: bool = True) -> Any:
        """The y values, as an array."""
        return as_array(self.y)

    def get_data(self, orig: bool = True) -> tuple[Any, Any]:
        """The x and the y values."""
        return self.get_xdata(), self.get_ydata()

    def get_xydata(self) -> Any:
        """The points as rows of an array."""
        return as_array([list(point) for point in zip(self.x, self.y)])

    def set_color(self, color: Any) -> None:
        """The colour."""
        self.color = color

    def get_color(self) -> Any:
        """The colour."""
        return self.color

    def set_linewidth(self, w: float) -> None:
        """The width."""
        self.linewidth = float(w)

    def get_linewidth(self) -> float:
        """The width."""
        return self.linewidth

    def set_linestyle(self, ls: Any) -> None:
        """The style: "-", "--", "-.", ":" or "None"."""
        dashes(ls, 1.0)
        self.linestyle = ls

    def get_linestyle(self) -> Any:
        """The style."""
        return self.linestyle

    def set_marker(self, marker: Any) -> None:
        """The marker."""
        self.marker = _marker(marker)

    def get_marker(self) -> str:
        """The marker."""
        return self.marker or "None"

    def set_markersize(self, sz: float) -> None:
        """The diameter of the marker."""
        self.markersize = float(sz)

    def set_markerfacecolor(self, fc: Any) -> None:
        """The colour inside the marker."""
        self.face = fc

    def set_markeredgecolor(self, ec: Any) -> None:
        """The colour of the marker's outline."""
        self.edge = ec

    def set_drawstyle(self, drawstyle: str) -> None:
        """Whether the line goes in steps."""
        self.drawstyle = drawstyle


def _marker(marker: Any) -> str:
    """The marker's letter, "" for none. ValueError for an unknown one."""
    if marker in _NO_MARKER:
        return ""
    if isinstance(marker, str) and (marker in MARKERS and len(marker) == 1 or marker[:1] == "$"):
        return "o" if marker[0] == "$" else marker
    raise ValueError(f"Unrecognized marker style {marker!r}; there are {' '.join(sorted(MARKERS))}")


def check_marker(marker: Any) -> str:
    """A marker for `scatter`: as for lines, a disc for none."""
    return _marker(marker) or "o"


def _stepped(points: list[Point], style: str) -> list[Point]:
    """The corners of a line that goes in steps."""
    where = {"steps": "pre", "steps-pre": "pre", "steps-post": "post", "steps-mid": "mid"}.get(style)
    if where is None or len(points) < 2:
        return points
    made = [points[0]]
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        if where == "pre":
            made += ((x0, y1), (x1, y1))
        elif where == "post":
            made += ((x1, y0), (x1, y1))
        else:
            middle = (x0 + x1) / 2
            made += ((middle, y0), (middle, y1), (x1, y1))
    return made


def stepped(points: list[Point], where: str) -> list[Point]:
    """The corners of steps: `where` is "pre", "post" or "mid"."""
    return _stepped(points, f"steps-{where}")


def _thinned(points: list[Point]) -> list[Point]:
    """Of very many points in order of x, per half unit of x the first, the last, the highest and the lowest."""
    if len(points) <= _MANY or any(b[0] < a[0] for a, b in zip(points, points[1:])):
        return points if len(points) <= 40_000 else points[:: len(points) // 40_000 + 1]
    made: list[Point] = []
    column: list[Point] = []
    for point in points:
        if column and (not math.isfinite(point[0]) or int(point[0] * 2) != int(column[0][0] * 2)):
            made += _ends(column)
            column = []
        if math.isfinite(point[0]) and math.isfinite(point[1]):
            column.append(point)
        else:
            made.append((math.nan, math.nan))
    return made + _ends(column)


def _ends(column: list[Point]) -> list[Point]:
    if len(column) < 5:
        return column
    low = min(range(len(column)), key=lambda index: column[index][1])
    high = max(range(len(column)), key=lambda index: column[index][1])
    return [column[index] for index in sorted({0, low, high, len(column) - 1})]


def _thinned_marks(points: list[Point]) -> list[Point]:
    """Of very many markers, one at each place that can be told apart."""
    if len(points) <= _MANY:
        return points
    return list({(round(x), round(y)): (x, y) for x, y in points if math.isfinite(x) and math.isfinite(y)}.values())


def _every(points: list[Point], every: Any) -> list[Point]:
    if every is None:
        return points
    if isinstance(every, int):
        return points[::every]
    if isinstance(every, tuple) and len(every) == 2 and isinstance(every[0], int):
        return points[every[0] :: every[1]]
    return [points[int(index)] for index in floats(every)]


SEGMENTS: dict[str, Any] = {**COMMON, "color": None, "linewidth": None, "linestyle": "-"}


class LineCollection(Artist):
    """Many separate lines of one style, or of one width and colour each."""

    kind = "lines"
    order = 2.0

    def __init__(
        self, segments: Any, *, colors: Any = None, cmap: Any = None, norm: Any = None, array: Any = None, **given: Any
    ) -> None:
        taken = options("LineCollection", given, SEGMENTS)
        super().__init__(taken)
        self.segments = [[(float(x), float(y)) for x, y in segment] for segment in segments]
        self.color = taken["color"] if colors is None else colors
        self.widths = floats(rcParams["lines.linewidth"] if taken["linewidth"] is None else taken["linewidth"])
        self.linestyle = taken["linestyle"]
        from .cm import ScalarMappable

        self._mapped = ScalarMappable(norm, cmap)
        self.spans: tuple[str, ...] = ("x", "y")
        if array is not None:
            self.set_array(array)

    norm = property(lambda self: self._mapped.norm)
    cmap = property(lambda self: self._mapped.cmap)

    def set_array(self, A: Any) -> None:
        """Numbers from which the colours come."""
        self._mapped.set_array(floats(A))
        self._mapped.norm.autoscale_None(A)

    def set_linewidth(self, w: Any) -> None:
        """The widths."""
        self.widths = floats(w)

    def set_color(self, c: Any) -> None:
        """The colour, or one for each line."""
        self.color = c

    def extent(self) -> tuple[list[float], list[float]]:
        """All points."""
        xs = [x for segment in self.segments for x, _ in segment] if "x" in self.spans else []
        ys = [y for segment in self.segments for _, y in segment] if "y" in self.spans else []
        return xs, ys

    def _colors(self) -> list[tuple[str | None, float]]:
        values = self._mapped.get_array()
        if values is not None:
            norm, cmap = self._mapped.norm, self._mapped.cmap
            return [self.drawn(cmap.at(norm.unit(value))) for value in values]
        color = "C0" if self.color is None else self.color
        each = isinstance(color, (list, tuple)) and len(color) > 0 and not isinstance(color[0], (int, float))
        return [self.drawn(one) for one in color] if each else [self.drawn(color)]

    def draw(self, scene: Scene, axes: Axes) -> None:
        """Lines of one colour and width together."""
        colors = self._colors()
        groups: dict[Any, list[Point]] = {}
        for index, segment in enumerate(self.segments):
            look = (*colors[index % len(colors)], self.widths[index % len(self.widths)])
            points = groups.setdefault(look, [])
            xs, ys = zip(*segment) if segment else ((), ())
            points += axes.points(list(xs), list(ys), self.transform)
            points.append((math.nan, math.nan))
        for (color, opacity, width), points in groups.items():
            scene.line(points, color, width, dashes(self.linestyle, width) or (), opacity)

    def key(self, scene: Scene, box: Box) -> None:
        """A short piece of the first line."""
        color, opacity = self._colors()[0]
        middle = box.y + box.height / 2
        scene.line(
            [(box.x, middle), (box.right, middle)],
            color,
            self.widths[0],
            dashes(self.linestyle, self.widths[0]) or (),
            opacity,
        )

    def words(self) -> str:
        """How many lines there are."""
        return f"{len(self.segments)} lines"


def each_of(values: Any, count: int) -> list[float]:
    """`count` numbers from one or as many."""
    return spread(values, count, "a sequence")


def own_options(given: Mapping[str, Any]) -> dict[str, Any]:
    """The options in `given` that are a line's."""
    return {name: value for name, value in given.items() if name in LINE}


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.lines", name, globals())
