"""The legend: what the artists with labels stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _missing
from ._artist import options
from ._scene import Box
from ._words import lines, width
from .text import Text, points_of

if TYPE_CHECKING:
    from ._scene import Point, Scene
    from .axes import Axes

LEGEND: dict[str, Any] = {
    "loc": None,
    "fontsize": None,
    "title": None,
    "title_fontsize": None,
    "ncol": 1,
    "ncols": None,
    "frameon": True,
    "bbox_to_anchor": None,
    "bbox_transform": None,
    "framealpha": 0.8,
    "fancybox": True,
    "shadow": False,
    "borderaxespad": None,
    "handlelength": 2.0,
    "handletextpad": 0.8,
    "labelspacing": 0.5,
    "columnspacing": 2.0,
    "borderpad": 0.4,
    "markerscale": 1.0,
    "scatterpoints": 1,
    "numpoints": 1,
    "facecolor": None,
    "edgecolor": None,
    "labelcolor": None,
    "mode": None,
    "prop": None,
    "draggable": False,
    "alignment": "center",
    "zorder": None,
    "reverse": False,
    "handler_map": None,
}
_CODES = (
    "best",
    "upper right",
    "upper left",
    "lower left",
    "lower right",
    "right",
    "center left",
    "center right",
    "lower center",
    "upper center",
    "center",
)
_KEY = 20.0
_GAP = 7.0
_ROOM = 5.0
_PAD = 6.0


class Legend:
    """Keys and labels in a box."""

    def __init__(self, entries: list[tuple[Any, str]], **given: Any) -> None:
        look = options("legend", given, LEGEND)
        if look["reverse"]:
            entries = entries[::-1]
        self.entries = [(handle, Text(0, 0, label)) for handle, label in entries]
        self.look = look
        loc = look["loc"]
        loc = "best" if loc is None else loc
        if isinstance(loc, int):
            loc = _CODES[loc]
        if isinstance(loc, str) and loc not in _CODES and loc != "outside upper right":
            raise ValueError(f"{loc!r} is not a valid value for loc; supported values are {', '.join(map(repr, _CODES))}")
        self.loc = loc
        prop = look["prop"] or {}
        self.size = points_of(look["fontsize"] or prop.get("size"), 10.0)
        self.columns = max(1, int(look["ncols"] or look["ncol"]))
        self.visible = True
        self.zorder = 5.0

    def extent(self) -> tuple[float, float, list[float], float]:
        """Its width and height, the widths of its columns, and the height of a row."""
        row = self.size * 1.45
        labels = [text.get_text() for _, text in self.entries]
        tall = max((len(lines(label)) for label in labels), default=1)
        row += (tall - 1) * self.size * 1.2
        per_column = -(-len(labels) // self.columns) if labels else 0
        widths = []
        for start in range(0, len(labels), per_column or 1):
            column = labels[start : start + per_column]
            widths.append(_KEY + _GAP + max(width(line, self.size) * 0.94 for label in column for line in lines(label)))
        title = self.look["title"]
        wide = sum(widths) + max(0, len(widths) - 1) * 14 + 2 * _PAD
        if title:
            wide = max(wide, width(str(title), self.size) + 2 * _PAD)
        high = per_column * row + 2 * _ROOM - 2 + (row if title else 0.0)
        return wide, high, widths, row

    def box(self, around: Box, points: list[Point]) -> Box:
        """Where it stands in the box of its axes; "best" is where it hides the fewest points."""
        wide, high, _, _ = self.extent()
        anchor = self.look["bbox_to_anchor"]
        if anchor is not None:
            return self._anchored(around, [float(value) for value in anchor], wide, high)
        inner = Box(around.x + _PAD, around.y + _PAD, around.width - 2 * _PAD, around.height - 2 * _PAD)
        if isinstance(self.loc, str) and self.loc != "best":
            return _in_corner(self.loc, inner, wide, high)
        if not isinstance(self.loc, str):
            x, y = (float(value) for value in self.loc)
            return Box(around.x + x * around.width, around.bottom - y * around.height - high, wide, high)
        choices = [_in_corner(name, inner, wide, high) for name in _CODES[1:] if name != "right"]
        return min(choices, key=lambda box: _hidden(box, points))

    def _anchored(self, around: Box, anchor: list[float], wide: float, high: float) -> Box:
        x, y = around.x + anchor[0] * around.width, around.bottom - anchor[1] * around.height
        loc = self.loc if self.loc != "best" else "upper left"
        if len(anchor) == 4:
            region = Box(x, y - anchor[3] * around.height, anchor[2] * around.width, anchor[3] * around.height)
            return _in_corner(loc, region, wide, high)
        pad = _PAD if self.look["borderaxespad"] is None else float(self.look["borderaxespad"]) * self.size
        across = {"left": x + pad, "right": x - wide - pad}.get(loc.split()[-1], x - wide / 2)
        down = {"upper": y + pad, "lower": y - high - pad}.get(loc.split()[0], y - high / 2)
        return Box(across, down, wide, high)

    def draw(self, scene: Scene, box: Box) -> None:
        """The frame, the title, and each key with its label."""
        look = self.look
        wide, high, widths, row = self.extent()
        if look["frameon"]:
            from .colors import paint

            fill = paint(look["facecolor"])[0] if look["facecolor"] not in (None, "inherit") else "ground"
            edge = paint(look["edgecolor"])[0] if look["edgecolor"] is not None else "frame"
            opacity = 0.8 if look["framealpha"] is None else float(look["framealpha"])
            scene.area([_rounded(box, 3.0)], fill, opacity=opacity)
            scene.area([_rounded(box, 3.0)], None, edge, 0.7, opacity=0.7)
        top = box.y + _ROOM - 1
        if look["title"]:
            scene.text(box.x + wide / 2, top + row / 2, lines(str(look["title"]))[0], self.size, "text", "middle", "middle")
            top += row
        per_column = -(-len(self.entries) // self.columns) if self.entries else 1
        left = box.x + _PAD
        for index, (handle, label) in enumerate(self.entries):
            if index and index % per_column == 0:
                left += widths[index // per_column - 1] + 14
            middle = top + (index % per_column + 0.5) * row
            handle.key(scene, Box(left, middle - self.size * 0.36, _KEY, self.size * 0.72))
            parts = lines(label.get_text())
            for at, line in enumerate(parts):
                y = middle + (at - (len(parts) - 1) / 2) * self.size * 1.2
                color = _label_color(look["labelcolor"], handle) or label.drawn(label.look["color"])[0]
                scene.text(left + _KEY + _GAP, y, line, self.size, color, "start", "middle")

    def get_texts(self) -> list[Text]:
        """The labels."""
        return [text for _, text in self.entries]

    def get_lines(self) -> list[Any]:
        """The artists."""
        return [handle for handle, _ in self.entries]

    legend_handles = property(get_lines)

    def set_title(self, title: Any, **look: Any) -> None:
        """The text above the entries."""
        self.look["title"] = str(title)

    def get_title(self) -> Text:
        """The text above the entries."""
        return Text(0, 0, self.look["title"] or "")

    def set_loc(self, loc: Any = None) -> None:
        """Where it stands."""
        self.loc = loc

    def set_visible(self, b: bool) -> None:
        """Whether it is drawn."""
        self.visible = bool(b)

    def remove(self) -> None:
        """Draws it no more."""
        self.visible = False

    def get_frame(self) -> Any:
        """The frame, as a shape of its own whose changes are not seen."""
        from .patches import Patch

        return Patch()

    def __getattr__(self, name: str) -> Any:
        return _missing.find("Legend", name, dir(type(self)))


def _label_color(wanted: Any, handle: Any) -> str | None:
    from .colors import paint

    if wanted is None:
        return None
    if wanted in ("linecolor", "markerfacecolor", "mfc"):
        return paint(getattr(handle, "color", "k"))[0]
    return paint(wanted)[0]


def _in_corner(loc: str, inner: Box, wide: float, high: float) -> Box:
    across = inner.x + (inner.width - wide) / 2
    if "left" in loc:
        across = inner.x
    elif "right" in loc:
        across = inner.right - wide
    down = inner.y + (inner.height - high) / 2
    if "upper" in loc:
        down = inner.y
    elif "lower" in loc:
        down = inner.bottom - high
    return Box(across, down, wide, high)


def _hidden(box: Box, points: list[Point]) -> int:
    left, top, right, bottom = box.x - 3, box.y - 3, box.right + 3, box.bottom + 3
    return sum(left <= x <= right and top <= y <= bottom for x, y in points)


def _rounded(box: Box, radius: float) -> list[Point]:
    """The outline of a box with round corners."""
    import math

    made = []
    centers = (
        (box.right - radius, box.y + radius, -90),
        (box.right - radius, box.bottom - radius, 0),
        (box.x + radius, box.bottom - radius, 90),
        (box.x + radius, box.y + radius, 180),
    )
    for x, y, start in centers:
        for step in range(4):
            at = math.radians(start + 30 * step)
            made.append((x + radius * math.cos(at), y + radius * math.sin(at)))
    return made


def crowd(axes: Axes) -> list[Point]:
    """Points that a legend should not hide: of the data, and along its lines."""
    from .lines import Line2D, LineCollection
    from .patches import Rectangle

    found: list[Point] = []
    for artist in axes.artists:
        if not artist.visible or artist.transform is not None and artist.transform.kind != "data":
            continue
        xs, ys = artist.extent()
        if len(xs) != len(ys):
            continue
        step = max(1, len(xs) // 1500)
        points = axes.points(xs[::step], ys[::step])
        found += points
        if isinstance(artist, Line2D) and artist.linestyle not in ("None", "none", "", " "):
            found += _along(list(zip(points, points[1:])))
        elif isinstance(artist, LineCollection) and step == 1:
            found += _along([pair for pair in zip(points[::2], points[1::2])])
        elif isinstance(artist, Rectangle):
            found += _along(list(zip(points, [*points[1:], points[0]])))
        elif isinstance(artist, Text):
            found += axes.points([float(artist.x)], [float(artist.y)])
    return found


def _along(pairs: list[tuple[Point, Point]]) -> list[Point]:
    """Points on the way between those of each pair."""
    made = []
    for (x0, y0), (x1, y1) in pairs:
        length = max(abs(x1 - x0), abs(y1 - y0))
        if 8 < length < 1e4:
            pieces = min(int(length // 8), 60)
            made += [(x0 + (x1 - x0) * part / pieces, y0 + (y1 - y0) * part / pieces) for part in range(1, pieces)]
    return made


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.legend", name, globals())
