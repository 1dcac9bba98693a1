"""Filled shapes: rectangles of bars, discs, polygons, wedges."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from . import _missing
from ._artist import COMMON, Artist, dashes, options
from ._data import floats, plain
from ._scene import Box

if TYPE_CHECKING:
    from ._scene import Point, Scene
    from .axes import Axes

PATCH: dict[str, Any] = {
    **COMMON,
    "color": None,
    "facecolor": None,
    "edgecolor": None,
    "linewidth": None,
    "linestyle": "-",
    "fill": True,
    "hatch": None,
}


class Patch(Artist):
    """A filled shape; alone it stands for something in a legend."""

    kind = "shape"

    def __init__(self, **given: Any) -> None:
        taken = options(f"{type(self).__name__}.set()", given, PATCH)
        super().__init__(taken)
        color = taken["color"]
        self.face = taken["facecolor"] if taken["facecolor"] is not None else color if color is not None else "C0"
        self.edge = taken["edgecolor"] if taken["edgecolor"] is not None else color
        self.linewidth = 1.0 if taken["linewidth"] is None else float(taken["linewidth"])
        self.linestyle = taken["linestyle"]
        self.fill = bool(taken["fill"])
        if not self.fill and self.edge is None:
            self.edge = "k"

    def outline(self) -> list[tuple[float, float]]:
        """The corners, in data coordinates."""
        return []

    def extent(self) -> tuple[list[float], list[float]]:
        """The corners."""
        if self.transform is not None and self.transform.kind != "data":
            return [], []
        corners = self.outline()
        return [x for x, _ in corners], [y for _, y in corners]

    def draw(self, scene: Scene, axes: Axes) -> None:
        """The filled outline."""
        corners = self.outline()
        points = axes.points([x for x, _ in corners], [y for _, y in corners], self.transform)
        self.fill_shape(scene, points)

    def fill_shape(self, scene: Scene, points: list[Point]) -> None:
        """Draws the patch's colours in an outline of the figure."""
        face, opacity = self.drawn(self.face) if self.fill else (None, 1.0)
        edge, edge_opacity = self.drawn(self.edge)
        dash = dashes(self.linestyle, self.linewidth)
        width = 0.0 if dash is None or edge is None else self.linewidth
        if face is not None and width > 0 and opacity != edge_opacity:
            scene.area([points], face, opacity=opacity)
            face = None
        scene.area([points], face, edge, width, dash or (), opacity if face is not None else edge_opacity)

    def key(self, scene: Scene, box: Box) -> None:
        """A small rectangle."""
        self.fill_shape(scene, corners_of(box.x, box.y, box.width, box.height))

    def set_facecolor(self, color: Any) -> None:
        """The colour inside."""
        self.face = color

    def get_facecolor(self) -> Any:
        """The colour inside, as (red, green, blue, alpha)."""
        from .colors import to_rgba

        return to_rgba(self.face, self.alpha)

    def set_edgecolor(self, color: Any) -> None:
        """The colour of the outline."""
        self.edge = color

    def set_color(self, c: Any) -> None:
        """The colour of inside and outline."""
        self.face = self.edge = c

    def set_linewidth(self, w: float) -> None:
        """The width of the outline."""
        self.linewidth = float(w)

    def set_linestyle(self, ls: Any) -> None:
        """The style of the outline."""
        self.linestyle = ls

    def set_hatch(self, hatch: Any) -> None:
        """Taken and not shown: areas have plain colours here."""


def corners_of(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    """The corners of a rectangle."""
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


class Rectangle(Patch):
    """A rectangle by a corner, its width and its height."""

    kind = "rectangle"

    def __init__(self, xy: Any, width: float, height: float, *, angle: float = 0.0, **given: Any) -> None:
        super().__init__(**given)
        self.x, self.y = floats(xy)
        self.width, self.height = float(width), float(height)
        self.angle = float(angle)

    def outline(self) -> list[tuple[float, float]]:
        """The four corners, turned around the first by the angle."""
        corners = corners_of(self.x, self.y, self.width, self.height)
        if not self.angle:
            return corners
        cosine, sine = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return [
            (self.x + (x - self.x) * cosine - (y - self.y) * sine, self.y + (x - self.x) * sine + (y - self.y) * cosine)
            for x, y in corners
        ]

    def get_x(self) -> float:
        """The left edge."""
        return self.x

    def get_y(self) -> float:
        """The lower edge."""
        return self.y

    def get_xy(self) -> tuple[float, float]:
        """The corner."""
        return self.x, self.y

    def get_width(self) -> float:
        """The width."""
        return self.width

    def get_height(self) -> float:
        """The height."""
        return self.height

    def get_center(self) -> tuple[float, float]:
        """The centre."""
        return self.x + self.width / 2, self.y + self.height / 2

    def set_height(self, h: float) -> None:
        """The height."""
        self.height = float(h)

    def set_width(self, w: float) -> None:
        """The width."""
        self.width = float(w)

    def set_xy(self, xy: Any) -> None:
        """The corner."""
        self.x, self.y = floats(xy)


class Polygon(Patch):
    """A polygon by its corners."""

    kind = "polygon"

    def __init__(self, xy: Any, *, closed: bool = True, **given: Any) -> None:
        super().__init__(**given)
        self.corners = [(float(x), float(y)) for x, y in plain(xy)]
        self.closed = closed

    def outline(self) -> list[tuple[float, float]]:
        """The corners."""
        return self.corners


class Ellipse(Patch):
    """An ellipse by its centre, its diameters and its turn in degrees."""

    kind = "ellipse"

    def __init__(self, xy: Any, width: float, height: float, *, angle: float = 0.0, **given: Any) -> None:
        super().__init__(**given)
        x, y = floats(xy)
        self.center = (x, y)
        self.width, self.height, self.angle = float(width), float(height), float(angle)
        self._from, self._to = 0.0, 360.0

    def outline(self) -> list[tuple[float, float]]:
        """Corners close enough to look round."""
        turn = math.radians(self.angle)
        made = []
        count = 96
        for index in range(count + 1):
            at = math.radians(self._from + (self._to - self._from) * index / count)
            x, y = self.width / 2 * math.cos(at), self.height / 2 * math.sin(at)
            cosine, sine = math.cos(turn), math.sin(turn)
            made.append((self.center[0] + x * cosine - y * sine, self.center[1] + x * sine + y * cosine))
        return made


class Circle(Ellipse):
    """A disc by its centre and radius."""

    kind = "circle"

    def __init__(self, xy: Any, radius: float = 5, **given: Any) -> None:
        super().__init__(xy, 2 * radius, 2 * radius, **given)

    @property
    def radius(self) -> float:
        """The radius."""
        return self.width / 2


class Wedge(Ellipse):
    """A sector of a disc, from angle to angle in degrees; with `width` only its outer ring."""

    kind = "wedge"

    def __init__(
        self, center: Any, r: float, theta1: float, theta2: float, *, width: float | None = None, **given: Any
    ) -> None:
        super().__init__(center, 2 * r, 2 * r, **given)
        self._from, self._to = float(theta1), float(theta2)
        self.ring = width

    def outline(self) -> list[tuple[float, float]]:
        """The arc and the centre, or the arc and the inner arc."""
        arc = super().outline()
        if self.ring is None:
            return [*arc, self.center]
        inner = 1 - self.ring / (self.width / 2)
        (cx, cy) = self.center
        return [*arc, *((cx + (x - cx) * inner, cy + (y - cy) * inner) for x, y in reversed(arc))]


ARROW: dict[str, Any] = {
    "arrowstyle": "-|>",
    "connectionstyle": None,
    "shrinkA": 2.0,
    "shrinkB": 2.0,
    "mutation_scale": 10.0,
}


class FancyArrowPatch(Patch):
    """An arrow from point to point."""

    kind = "arrow"
    order = 2.5

    def __init__(self, posA: Any, posB: Any, **given: Any) -> None:
        own = {name: given.pop(name) for name in list(given) if name in ARROW}
        super().__init__(**{"color": "k", **given})
        (x0, y0), (x1, y1) = floats(posA), floats(posB)
        self.start, self.end = (x0, y0), (x1, y1)
        self.look = {**ARROW, **own}

    def outline(self) -> list[tuple[float, float]]:
        """Both ends."""
        return [self.start, self.end]

    def draw(self, scene: Scene, axes: Axes) -> None:
        """The shaft and its head."""
        start, end = axes.points([self.start[0], self.end[0]], [self.start[1], self.end[1]], self.transform)
        color, opacity = self.drawn(self.edge if self.edge is not None else self.face)
        draw_arrow(
            scene,
            start,
            end,
            color,
            self.linewidth,
            str(self.look["arrowstyle"]),
            opacity,
            float(self.look["mutation_scale"]),
        )


def draw_arrow(
    scene: Scene,
    start: Point,
    end: Point,
    color: str | None,
    width: float,
    style: str = "->",
    opacity: float = 1.0,
    scale: float = 10.0,
) -> None:
    """An arrow in units of the figure; `style` is matplotlib's: "->", "-|>", "<->", "-", "simple" …"""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    if not length or not math.isfinite(length):
        return
    ux, uy = dx / length, dy / length
    head = min(0.6 * scale + width, length * 0.8)
    filled = "|>" in style or "<|" in style or style in ("simple", "fancy", "wedge")
    tips = []
    if ">" in style or style in ("simple", "fancy", "wedge"):
        tips.append((end, ux, uy))
    if "<" in style:
        tips.append((start, -ux, -uy))
    inner = head * 0.7 if filled else 0.0
    first = (start[0] + ux * inner, start[1] + uy * inner) if "<" in style else start
    last = (end[0] - ux * inner, end[1] - uy * inner) if len(tips) > ("<" in style) else end
    scene.line([first, last], color, width, (), opacity)
    for (x, y), tx, ty in tips:
        side = head * 0.42
        back = (x - tx * head, y - ty * head)
        left, right = (back[0] - ty * side, back[1] + tx * side), (back[0] + ty * side, back[1] - tx * side)
        if filled:
            scene.area([[left, (x, y), right]], color, opacity=opacity)
        else:
            scene.line([left, (x, y), right], color, width, (), opacity)


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.patches", name, globals())
