"""Contour lines, filled contours, and the numbers on them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from . import _missing
from ._artist import COMMON, dashes, options
from ._data import Floats, Grid, depth, floats, grid, plain
from ._mapped import MAPPED, Mapped
from ._scene import Box
from ._tracing import Field
from .colors import ListedColormap, LogNorm, Normalize, is_color_like
from .ticker import LogLocator, MaxNLocator

if TYPE_CHECKING:
    from ._scene import Scene
    from .axes import Axes

CONTOUR: dict[str, Any] = {
    **COMMON,
    **MAPPED,
    "levels": None,
    "colors": None,
    "linewidth": None,
    "linestyle": None,
    "extend": "neither",
    "origin": None,
    "extent": None,
    "locator": None,
    "negative_linestyles": None,
    "hatches": None,
    "corner_mask": None,
    "algorithm": None,
}


class ContourSet(Mapped):
    """The contours of a field: lines at levels, or areas between them."""

    kind = "contours"

    def __init__(self, axes_numbers: tuple[Any, ...], filled: bool, **given: Any) -> None:
        what = "contourf" if filled else "contour"
        self.filled = filled
        self.order = 1.0 if filled else 2.0
        taken = options(what, given, CONTOUR)
        if taken["levels"] is None and len(axes_numbers) in (2, 4):
            taken["levels"], axes_numbers = axes_numbers[-1], axes_numbers[:-1]
        super().__init__(taken)
        xs, ys, values = _coordinates(axes_numbers, taken["extent"], what)
        self._field = Field(xs, ys, values)
        self._ends = ([x for row in xs for x in row], [y for row in ys for y in row])
        self.sticky_x = (min(self._ends[0]), max(self._ends[0]))
        self.sticky_y = (min(self._ends[1]), max(self._ends[1]))
        self.extend = taken["extend"]
        low, high = self._field.range()
        self.levels_list = self._levels(taken["levels"], taken["locator"], low, high)
        self._below = low
        colors = taken["colors"]
        self.single = None
        if colors is not None:
            listed = [colors] if isinstance(colors, str) or is_color_like(colors) else list(plain(colors))
            self.single = listed[0] if len(listed) == 1 else None
            wanted = len(self._bands()) if filled else len(self.levels_list)
            self._mapped.cmap = ListedColormap([listed[index % len(listed)] for index in range(max(wanted, 1))])
            self._listed = [listed[index % len(listed)] for index in range(max(wanted, 1))]
        else:
            self._listed = []
        self._mapped.set_array(self.levels_list)
        self.norm.autoscale_None(self.levels_list)
        self.linewidths = floats(1.5 if taken["linewidth"] is None else taken["linewidth"])
        self.linestyle = taken["linestyle"]
        self._labelled: dict[str, Any] | None = None

    @property
    def levels(self) -> Any:
        """The levels, as an array."""
        from ._data import as_array

        return as_array(self.levels_list)

    def _levels(self, given: Any, locator: Any, low: float, high: float) -> Floats:
        if given is not None and not isinstance(plain(given), int):
            levels = floats(given)
            if any(b <= a for a, b in zip(levels, levels[1:])):
                raise ValueError("Contour levels must be increasing")
            if self.filled and len(levels) < 2:
                raise ValueError("Filled contours require at least 2 levels.")
            return levels
        count = 7 if given is None else int(plain(given))
        if locator is None:
            locator = LogLocator() if isinstance(self.norm, LogNorm) else MaxNLocator(count + 1, min_n_ticks=1)
        levels = locator.tick_values(low, high)
        under = [index for index, level in enumerate(levels) if level < low]
        over = [index for index, level in enumerate(levels) if level > high]
        start = under[-1] if under else 0
        end = over[0] + 1 if over else len(levels)
        if self.extend in ("min", "both"):
            start += 1
        if self.extend in ("max", "both"):
            end -= 1
        if end - start < 3:
            start, end = 0, len(levels)
        return levels[start:end]

    def _bands(self) -> list[tuple[float, float]]:
        """The pairs of levels between which areas are filled."""
        levels = list(self.levels_list)
        bands = list(zip(levels, levels[1:]))
        if self.extend in ("min", "both"):
            bands.insert(0, (-math.inf, levels[0]))
        if self.extend in ("max", "both"):
            bands.append((levels[-1], math.inf))
        return bands

    def extent(self) -> tuple[list[float], list[float]]:
        """The corners of the grid."""
        return self._ends

    def _color(self, index: int, value: float) -> tuple[str | None, float]:
        if self._listed:
            return self.drawn(self._listed[index % len(self._listed)])
        if value == math.inf:
            return self.drawn(self.cmap.at(1.1))
        if value == -math.inf:
            return self.drawn(self.cmap.at(-0.1))
        return self.color_of(value)

    def draw(self, scene: Scene, axes: Axes) -> None:
        """Areas from low to high, each painted over what is below it; or lines with their numbers."""
        if self.filled:
            self._draw_areas(scene, axes)
        else:
            self._draw_lines(scene, axes)

    def _draw_areas(self, scene: Scene, axes: Axes) -> None:
        bands = self._bands()
        levels = [low for low, _ in bands] + [bands[-1][1]]
        # What lies on the lowest level itself belongs to the lowest area.
        if levels[0] == self._below:
            levels[0] = -math.inf
        regions = self._field.regions(levels)
        outlines = [[axes.points([x for x, _ in ring], [y for _, y in ring]) for ring in rings] for rings in regions]
        top = outlines[-1]
        for index, (low, high) in enumerate(bands):
            middle = low if high == math.inf else high if low == -math.inf else (low + high) / 2
            value = math.inf if high == math.inf else -math.inf if low == -math.inf else middle
            color, opacity = self._color(index, value)
            # Where areas shine through, or nothing is painted above, the upper ones are cut out.
            cut = outlines[index + 1] if opacity < 1 else top
            scene.area(outlines[index] + cut, color, opacity=opacity, exact=not self._listed or None)

    def _draw_lines(self, scene: Scene, axes: Axes) -> None:
        for index, (level, curves) in enumerate(zip(self.levels_list, self._field.curves(self.levels_list))):
            color, opacity = self._color(index, level)
            width = self.linewidths[index % len(self.linewidths)]
            style = self.linestyle
            if isinstance(style, (list, tuple)) and style and not isinstance(style[0], (int, float)):
                style = style[index % len(style)]
            if style is None:
                style = "--" if self.single is not None and level < 0 else "-"
            drawn = [axes.points([x for x, _ in curve], [y for _, y in curve]) for curve in curves]
            for curve in drawn:
                scene.line(curve, color, width, dashes(style, width) or (), opacity)
            if self._labelled is not None and level in self._labelled["levels"]:
                self._number(scene, drawn, level, color)

    def _number(self, scene: Scene, curves: list[Any], level: float, color: str | None) -> None:
        """Writes the level on each curve that is long enough, at its middle, along it."""
        options = self._labelled or {}
        text, size = options["format"](level), options["fontsize"]
        from ._words import width

        room = width(text, size)
        for curve in curves:
            lengths = [math.dist(a, b) for a, b in zip(curve, curve[1:])]
            if sum(lengths) < 2.2 * room:
                continue
            left, at = sum(lengths) / 2, 0
            while at < len(lengths) - 1 and left > lengths[at]:
                left -= lengths[at]
                at += 1
            (x, y), span = curve[at], max(at - 2, 0)
            (x0, y0), (x1, y1) = curve[span], curve[min(at + 3, len(curve) - 1)]
            angle = math.degrees(math.atan2(y0 - y1, x1 - x0))
            angle = angle - 180 if angle > 90 else angle + 180 if angle < -90 else angle
            scene.text(x, y, text, size, options["colors"] or color, "middle", "middle", angle, halo=True)

    def clabel(self, levels: Any, fontsize: float, form: Any, colors: Any) -> None:
        """Remembers which levels are numbered and how."""
        write = form if callable(form) else (lambda level: form % level) if isinstance(form, str) else None
        if isinstance(form, dict):
            write = lambda level: str(form.get(level, f"{level:g}"))  # noqa: E731
        decimals = next((n for n in range(8) if all(abs(x - round(x, n)) < 1e-9 for x in self.levels_list)), 3)
        self._labelled = {
            "levels": self.levels_list if levels is None else floats(levels),
            "fontsize": fontsize,
            "format": write or (lambda level: f"{level:.{decimals}f}".replace("-", "\N{MINUS SIGN}")),
            "colors": self.drawn(colors)[0] if colors is not None else None,
        }

    def key(self, scene: Scene, box: Box) -> None:
        """A line, or an area, of the middle colour."""
        at = len(self.levels_list) // 2
        color, opacity = self._color(at, self.levels_list[at])
        middle = box.y + box.height / 2
        scene.line([(box.x, middle), (box.right, middle)], color, self.linewidths[0], (), opacity)

    def legend_elements(self, **given: Any) -> tuple[list[Any], list[str]]:
        """A line and a label for each level."""
        from .lines import Line2D

        made = [Line2D([], [], color=self.cmap.at(self.norm.unit(level))) for level in self.levels_list]
        return made, [f"$x = {level:g}$" for level in self.levels_list]

    def words(self) -> str:
        """How many levels there are."""
        name = "filled contours" if self.filled else "contours"
        return f"{name} at {len(self.levels_list)} levels"

    def band_colors(self) -> list[tuple[float, float, str | None]]:
        """Each filled band with its colour, for the colour bar."""
        bands = [(low, high) for low, high in self._bands() if math.isfinite(low) and math.isfinite(high)]
        skipped = 1 if self.extend in ("min", "both") else 0
        return [(low, high, self._color(index + skipped, (low + high) / 2)[0]) for index, (low, high) in enumerate(bands)]


def _coordinates(args: tuple[Any, ...], extent: Any, what: str) -> tuple[Grid, Grid, Grid]:
    """The x and y of every node, and the values."""
    if len(args) == 1:
        values = grid(args[0], "Input z")
        rows, columns = len(values), len(values[0]) if values else 0
        x, y = [float(at) for at in range(columns)], [float(at) for at in range(rows)]
        if extent is not None:
            left, right, bottom, top = floats(extent)
            x = [left + (right - left) * (at + 0.5) / columns for at in range(columns)]
            y = [bottom + (top - bottom) * (at + 0.5) / rows for at in range(rows)]
        xs, ys = [x] * rows, [[value] * columns for value in y]
    elif len(args) == 3:
        values = grid(args[2], "Input z")
        rows, columns = len(values), len(values[0]) if values else 0
        given_x, given_y = plain(args[0]), plain(args[1])
        xs = grid(given_x, "x") if depth(given_x) == 2 else [floats(given_x)] * rows
        ys = grid(given_y, "y") if depth(given_y) == 2 else [[value] * columns for value in floats(given_y)]
        if len(xs) != rows or len(xs[0]) != columns:
            raise TypeError(f"Length of x ({len(xs[0])}) must match number of columns in z ({columns})")
        if len(ys) != rows or len(ys[0]) != columns:
            raise TypeError(f"Length of y ({len(ys)}) must match number of rows in z ({rows})")
    else:
        raise TypeError(f"{what}() takes from 1 to 4 positional arguments but {len(args)} were given")
    if len(values) < 2 or len(values[0]) < 2:
        raise TypeError(
            f"Input z must be at least a (2, 2) shaped array, but has shape ({len(values)}, {len(values[0]) if values else 0})"
        )
    return xs, ys, values


QuadContourSet = ContourSet
__all__ = ["ContourSet", "Normalize", "QuadContourSet"]


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.contour", name, globals())
