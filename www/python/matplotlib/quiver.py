"""Fields of arrows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from . import _missing
from ._artist import COMMON, options
from ._data import Floats, depth, floats, plain
from ._mapped import MAPPED, Mapped
from ._scene import Box
from .lines import LineCollection

if TYPE_CHECKING:
    from ._scene import Point, Scene
    from .axes import Axes

QUIVER: dict[str, Any] = {
    **COMMON,
    **MAPPED,
    "color": None,
    "facecolor": None,
    "edgecolor": None,
    "linewidth": None,
    "angles": "uv",
    "scale": None,
    "scale_units": None,
    "units": "width",
    "width": None,
    "headwidth": 3.0,
    "headlength": 5.0,
    "headaxislength": 4.5,
    "minshaft": 1.0,
    "minlength": 1.0,
    "pivot": "tail",
}


class Quiver(Mapped):
    """Arrows at points, with components u and v."""

    kind = "arrows"
    order = 2.0

    def __init__(self, args: tuple[Any, ...], **given: Any) -> None:
        taken = options("quiver", given, QUIVER)
        super().__init__(taken)
        x, y, u, v, numbers = _arguments(args)
        self.x, self.y, self.u, self.v = x, y, u, v
        given_color = taken["color"] if taken["color"] is not None else taken["facecolor"]
        self.color = "k" if given_color is None else given_color
        if numbers is not None:
            self.set_array(numbers)
        self.look = taken

    def extent(self) -> tuple[list[float], list[float]]:
        """Where the arrows stand."""
        return self.x, self.y

    def set_UVC(self, U: Any, V: Any, C: Any = None) -> None:
        """Other components."""
        self.u, self.v = floats(U), floats(V)
        if C is not None:
            self.set_array(C)

    def _lengths(self, axes: Axes) -> tuple[float, float]:
        """Units of the figure that one unit of u and of v takes."""
        box = axes.box
        unit = self.look["scale_units"] or "width"
        scale = self.look["scale"]
        spans = {"width": box.width, "height": box.height, "dots": 1.0, "inches": 62.5}
        if scale is None:
            sizes = [size for size in map(math.hypot, self.u, self.v) if math.isfinite(size)]
            mean = sum(sizes) / len(sizes) if sizes else 1.0
            span = 1.8 * (mean or 1.0) * max(10.0, math.sqrt(len(self.u)))
            if unit in ("x", "y", "xy"):
                return box.width / span, box.width / span
            scale, unit = span, "width" if unit not in spans else unit
        if unit in ("x", "y", "xy"):
            (x0, y0), (x1, y1) = axes.points([0.0, 1.0], [0.0, 1.0])
            across, up = abs(x1 - x0), abs(y1 - y0)
            if unit == "x":
                up = across
            elif unit == "y":
                across = up
            return across / scale, up / scale
        length = spans.get(unit, box.width) / scale
        return length, length

    def draw(self, scene: Scene, axes: Axes) -> None:
        """Each arrow as one outline."""
        across, up = self._lengths(axes)
        count = min(max(math.sqrt(len(self.u)), 8.0), 25.0)
        width = 0.06 * axes.box.width / count if self.look["width"] is None else float(self.look["width"]) * axes.box.width
        width = max(width, 0.6)
        values = self.values()
        plain_colors = self._colors()
        angles = self.look["angles"]
        turned = [math.radians(angle) for angle in floats(angles)] if not isinstance(angles, str) else None
        flip_x, flip_y = axes.directions() if angles == "xy" else (1.0, 1.0)
        groups: dict[tuple[str | None, float], list[list[Point]]] = {}
        for index, (x, y) in enumerate(axes.points(self.x, self.y)):
            dx, dy = self.u[index] * across * flip_x, -self.v[index] * up * flip_y
            if turned is not None:
                size = math.hypot(dx, dy)
                dx, dy = size * math.cos(turned[index]), -size * math.sin(turned[index])
            elif angles == "xy" and across == up:
                dx, dy = _along_data(axes, self.x[index], self.y[index], self.u[index], self.v[index], math.hypot(dx, dy))
            if not math.isfinite(dx + dy + x + y):
                continue
            color = self.color_of(values[index]) if values is not None else plain_colors[index % len(plain_colors)]
            groups.setdefault(color, []).append(self._arrow(x, y, dx, dy, width))
        for (fill, opacity), rings in groups.items():
            scene.area(rings, fill, opacity=opacity, exact=values is not None or None)

    def _colors(self) -> list[tuple[str | None, float]]:
        many = isinstance(self.color, (list, tuple)) and bool(self.color) and isinstance(self.color[0], (str, tuple, list))
        return [self.drawn(color) for color in (self.color if many else [self.color])]

    def _arrow(self, x: float, y: float, dx: float, dy: float, width: float) -> list[Point]:
        """The outline of an arrow; of a very short one a small dot."""
        length = math.hypot(dx, dy)
        if length < width * self.look["minlength"]:
            return [
                (x + width * 0.6 * math.cos(k * math.pi / 3), y + width * 0.6 * math.sin(k * math.pi / 3)) for k in range(6)
            ]
        ux, uy = dx / length, dy / length
        pivot = {"tail": 0.0, "mid": 0.5, "middle": 0.5, "tip": 1.0}[self.look["pivot"]]
        x, y = x - dx * pivot, y - dy * pivot
        head, inner, side = (float(self.look[name]) * width for name in ("headlength", "headaxislength", "headwidth"))
        shrink = min(1.0, length / (head + self.look["minshaft"] * width))
        head, inner, side, thick = head * shrink, inner * shrink, side * shrink / 2, width * max(shrink, 0.5) / 2
        outline = [
            (0.0, thick),
            (length - inner, thick),
            (length - head, side),
            (length, 0.0),
            (length - head, -side),
            (length - inner, -thick),
            (0.0, -thick),
        ]
        return [(x + ux * along - uy * off, y + uy * along + ux * off) for along, off in outline]

    def key(self, scene: Scene, box: Box) -> None:
        """One arrow."""
        color, opacity = self._colors()[0]
        scene.area([self._arrow(box.x, box.y + box.height / 2, box.width, 0.0, 1.6)], color, opacity=opacity)

    def words(self) -> str:
        """How many arrows there are."""
        return f"{len(self.u)} arrows"


class StreamLines(LineCollection):
    """Stream lines with an arrow in the middle of each."""

    kind = "stream lines"

    def draw(self, scene: Scene, axes: Axes) -> None:
        """The lines, then the heads of their arrows."""
        super().draw(scene, axes)
        colors = self._colors()
        for index, segment in enumerate(self.segments):
            middle = len(segment) // 2
            pair = segment[max(middle - 1, 0) : middle + 1]
            if len(pair) < 2:
                continue
            start, end = axes.points([x for x, _ in pair], [y for _, y in pair])
            dx, dy = end[0] - start[0], end[1] - start[1]
            size = math.hypot(dx, dy)
            if size:
                ux, uy = dx / size * 7, dy / size * 7
                color, opacity = colors[index % len(colors)]
                tip = (end[0] + ux / 2, end[1] + uy / 2)
                back = (tip[0] - ux, tip[1] - uy)
                wings = [(back[0] - uy * 0.4, back[1] + ux * 0.4), tip, (back[0] + uy * 0.4, back[1] - ux * 0.4)]
                scene.area([wings], color, opacity=opacity)

    @property
    def lines(self) -> StreamLines:
        """The lines themselves."""
        return self

    def words(self) -> str:
        """How many lines there are."""
        return f"{len(self.segments)} stream lines"


def _along_data(axes: Axes, x: float, y: float, u: float, v: float, size: float) -> Point:
    """A vector of a given length in the direction from (x, y) to (x+u, y+v)."""
    step = 1e-3
    (x0, y0), (x1, y1) = axes.points([x, x + u * step], [y, y + v * step])
    length = math.hypot(x1 - x0, y1 - y0)
    return ((x1 - x0) / length * size, (y1 - y0) / length * size) if length else (0.0, 0.0)


def _arguments(args: tuple[Any, ...]) -> tuple[Floats, Floats, Floats, Floats, Any]:
    """x, y, u, v and the numbers for the colours, from `quiver`'s positional arguments."""
    if len(args) in (2, 3):
        u, v = plain(args[0]), plain(args[1])
        rows, columns = (len(u), len(u[0])) if depth(u) == 2 else (1, len(u))
        x = [float(at) for _ in range(rows) for at in range(columns)]
        y = [float(at) for at in range(rows) for _ in range(columns)]
    elif len(args) in (4, 5):
        given_x, given_y, u, v = (plain(arg) for arg in args[:4])
        if depth(u) == 2 and depth(given_x) == 1 and depth(given_y) == 1:
            x = [value for _ in given_y for value in floats(given_x)]
            y = [value for value in floats(given_y) for _ in given_x]
        else:
            x, y = floats(given_x), floats(given_y)
    else:
        raise TypeError(f"quiver() takes from 2 to 5 positional arguments but {len(args)} were given")
    us, vs = floats(u), floats(v)
    if len(x) != len(us) or len(y) != len(vs) or len(us) != len(vs):
        raise ValueError(f"quiver: x, y, u and v differ in size: {len(x)}, {len(y)}, {len(us)} and {len(vs)}")
    return x, y, us, vs, args[-1] if len(args) in (3, 5) else None


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.quiver", name, globals())
