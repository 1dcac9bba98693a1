"""Scattered marks, areas between lines, and meshes of cells."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from . import _missing
from ._artist import COMMON, dashes, options
from ._data import Floats, Grid, as_array, floats, plain, spread
from ._mapped import MAPPED, Mapped
from ._scene import Box
from .colors import is_color_like
from .lines import LineCollection, check_marker
from .patches import PATCH, Patch

if TYPE_CHECKING:
    from ._scene import Point, Scene
    from .axes import Axes

SCATTER: dict[str, Any] = {
    **COMMON,
    **MAPPED,
    "color": None,
    "facecolor": None,
    "edgecolor": None,
    "linewidth": None,
    "marker": None,
    "linestyle": None,
    "plotnonfinite": False,
}
_STROKED = frozenset("+x|_1234")


class PathCollection(Mapped):
    """Marks of `scatter`: each with a size and a colour."""

    kind = "points"
    order = 1.0

    def __init__(self, x: Floats, y: Floats, s: Any, c: Any, cycled: str, **given: Any) -> None:
        taken = options("scatter", given, SCATTER)
        super().__init__(taken)
        self.x, self.y = x, y
        sizes = floats(s) if s is not None else [36.0]
        if len(sizes) not in (1, len(x)):
            raise ValueError("s must be a scalar, or float array-like with the same size as x and y")
        self.sizes = sizes
        self.marker = check_marker(taken["marker"])
        self.edge = taken["edgecolor"]
        self.linewidth = taken["linewidth"]
        self.face = taken["facecolor"] if taken["facecolor"] is not None else taken["color"]
        self._take(c, cycled)

    def _take(self, c: Any, cycled: str) -> None:
        """Reads `c`: numbers for the map, one colour, or as many as there are points."""
        if c is None:
            self.faces: list[Any] = self._each(self.face if self.face is not None else cycled)
            return
        if isinstance(c, str):
            self.faces = [c]
            return
        given = plain(c)
        count = len(self.x)
        flat = isinstance(given, list) and all(not isinstance(value, (list, str)) for value in given)
        if flat and len(given) == count and not (count in (3, 4) and isinstance(c, tuple)):
            self.faces = []
            self.set_array(given)
        elif flat and is_color_like(given):
            self.faces = [tuple(given)]
        elif isinstance(given, list) and not flat and len(given) in (1, count):
            self.faces = [tuple(color) if isinstance(color, list) else color for color in given]
        else:
            size = len(given) if isinstance(given, list) else 1
            raise ValueError(f"'c' argument has {size} elements, which is inconsistent with 'x' and 'y' with size {count}.")

    def _each(self, color: Any) -> list[Any]:
        if isinstance(color, str) or is_color_like(color):
            return [color]
        return [tuple(one) if isinstance(one, list) else one for one in plain(color)]

    def extent(self) -> tuple[list[float], list[float]]:
        """The points."""
        return (self.x, self.y) if self.transform is None or self.transform.kind == "data" else ([], [])

    def _colors(self) -> list[tuple[str | None, float]]:
        values = self.values()
        return (
            [self.color_of(value) for value in values] if values is not None else [self.drawn(face) for face in self.faces]
        )

    def draw(self, scene: Scene, axes: Axes) -> None:
        """All marks, those of one opacity together."""
        points = axes.points(self.x, self.y, self.transform)
        self._marks(scene, points, self._colors(), [math.sqrt(max(size, 0.0)) for size in self.sizes])

    def _marks(self, scene: Scene, points: list[Point], colors: list[tuple[str | None, float]], sizes: list[float]) -> None:
        faces = [color for color, _ in colors]
        if self.marker in _STROKED:
            edges, faces, width = faces, [None], 1.5
        elif self.edge is None or self.edge == "face":
            edges, width = faces, 0.8 if self.edge is None else 1.0
        else:
            single = isinstance(self.edge, str) or is_color_like(self.edge)
            edges = [self.drawn(edge)[0] for edge in ([self.edge] if single else plain(self.edge))]
            width = 1.0
        width = width if self.linewidth is None else floats(self.linewidth)[0]
        if width == 0:
            edges = [None]
        exact = self.values() is not None or None
        opacities = {round(opacity, 3) for _, opacity in colors} or {1.0}
        if len(opacities) == 1 or len(colors) == 1:
            if len(edges) not in (1, len(points)):
                edges = [edges[index % len(edges)] for index in range(len(points))]
            scene.marks(points, self.marker, sizes, faces or [None], edges or [None], width, opacities.pop(), exact)
            return
        for opacity in sorted(opacities):
            own = [index for index, (_, one) in enumerate(colors) if round(one, 3) == opacity]

            def pick(values: list[Any]) -> list[Any]:
                return values if len(values) == 1 else [values[index] for index in own if index < len(values)]

            scene.marks(
                [points[index] for index in own], self.marker, pick(sizes), pick(faces), pick(edges), width, opacity, exact
            )

    def key(self, scene: Scene, box: Box) -> None:
        """One mark."""
        values = self.values()
        colors = (
            [self.color_of(((self.norm.vmin or 0) + (self.norm.vmax or 1)) / 2)]
            if values is not None
            else self._colors()[:1]
        )
        middle = (box.x + box.width / 2, box.y + box.height / 2)
        self._marks(scene, [middle], colors, [min(math.sqrt(max(self.sizes[:1] or [36.0])), 10.0)])

    def words(self) -> str:
        """Its label and how many points there are."""
        return self.named(f"{len(self.x)} points")

    def get_offsets(self) -> Any:
        """The points as rows of an array."""
        return as_array([list(point) for point in zip(self.x, self.y)])

    def set_offsets(self, offsets: Any) -> None:
        """Other points."""
        pairs = [tuple(floats(pair)) for pair in plain(offsets)]
        self.x, self.y = [pair[0] for pair in pairs], [pair[1] for pair in pairs]

    def set_sizes(self, sizes: Any) -> None:
        """The areas of the marks."""
        self.sizes = floats(sizes)

    def get_sizes(self) -> Any:
        """The areas of the marks."""
        return as_array(self.sizes)

    def set_color(self, c: Any) -> None:
        """One colour for all."""
        self.faces = self._each(c)
        self._mapped.set_array(None)

    set_facecolor = set_color

    def set_edgecolor(self, color: Any) -> None:
        """The colour of the outlines."""
        self.edge = color

    def legend_elements(self, prop: str = "colors", num: Any = "auto", **given: Any) -> tuple[list[Any], list[str]]:
        """Marks and labels for a legend of the numbers behind the colours."""
        from .lines import Line2D
        from .ticker import MaxNLocator

        values = self.values() or []
        different = sorted(set(values))
        if len(different) > 9 or isinstance(num, int):
            low, high = min(different), max(different)
            ticks = MaxNLocator(num if isinstance(num, int) else 9, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
            different = [tick for tick in ticks if low <= tick <= high]
        marks = [
            Line2D(
                [], [], linestyle="None", marker=self.marker, color=self.cmap.at(self.norm.unit(value)), alpha=self.alpha
            )
            for value in different
        ]
        return marks, [f"{value:g}".replace("-", "\N{MINUS SIGN}") for value in different]


class PolyCollection(Patch):
    """Areas of one colour, as `fill_between` makes."""

    kind = "area"
    order = 1.0

    def __init__(self, rings: list[list[tuple[float, float]]], **given: Any) -> None:
        super().__init__(**{"linewidth": 0 if given.get("edgecolor") is None else None, **given})
        self.rings = rings

    def extent(self) -> tuple[list[float], list[float]]:
        """All corners."""
        if self.transform is not None and self.transform.kind != "data":
            return [], []
        return [x for ring in self.rings for x, _ in ring], [y for ring in self.rings for _, y in ring]

    def draw(self, scene: Scene, axes: Axes) -> None:
        """Each area."""
        for ring in self.rings:
            self.fill_shape(scene, axes.points([x for x, _ in ring], [y for _, y in ring], self.transform))

    def words(self) -> str:
        """Its label, or that it is an area."""
        return self.named("filled area")


MESH: dict[str, Any] = {**COMMON, **MAPPED, "edgecolor": None, "linewidth": None, "linestyle": "-", "shading": None}


class QuadMesh(Mapped):
    """Cells of a curved grid, each of one colour; `xs` and `ys` hold the corners."""

    kind = "mesh"
    order = 0.5

    def __init__(self, xs: Grid, ys: Grid, values: Grid, **given: Any) -> None:
        taken = options("pcolormesh", given, MESH)
        super().__init__(taken)
        self.xs, self.ys = xs, ys
        self.edge, self.linewidth = taken["edgecolor"], taken["linewidth"]
        self.rows, self.columns = len(values), len(values[0])
        self.set_array([value for row in values for value in row])
        self.sticky_x = tuple(value for row in (xs[0], xs[-1]) for value in (row[0], row[-1]))
        self.sticky_y = tuple(row[at] for row in (ys[0], ys[-1]) for at in (0, -1))

    def extent(self) -> tuple[list[float], list[float]]:
        """All corners."""
        return [x for row in self.xs for x in row], [y for row in self.ys for y in row]

    def draw(self, scene: Scene, axes: Axes) -> None:
        """An image where the cells are equal rectangles, else every cell."""
        values = self.values() or []
        corners = [axes.points(xs, ys) for xs, ys in zip(self.xs, self.ys)]
        if self.edge in (None, "none", "face") and _is_even(corners):
            self._draw_image(scene, corners, values)
            return
        edge, _ = self.drawn(self.edge) if self.edge not in (None, "face") else (None, 1.0)
        width = 1.0 if self.linewidth is None else floats(self.linewidth)[0]
        for row in range(self.rows):
            for column in range(self.columns):
                face, opacity = self.color_of(values[row * self.columns + column])
                if opacity == 0:
                    continue
                ring = [
                    corners[row][column],
                    corners[row][column + 1],
                    corners[row + 1][column + 1],
                    corners[row + 1][column],
                ]
                # An outline of the cell's own colour closes the hairlines between cells.
                outline = (edge, width) if edge else (face, 0.4 if opacity == 1 else 0.0)
                scene.area([ring], face, *outline, opacity=opacity, exact=True)

    def _draw_image(self, scene: Scene, corners: list[list[Point]], values: list[float]) -> None:
        from .image import paint_pixels

        first, last = corners[0][0], corners[-1][-1]
        rows = [values[at : at + self.columns] for at in range(0, len(values), self.columns)]
        paint_pixels(scene, (first[0], last[0], first[1], last[1]), self.cmap, self.norm, rows, self.alpha)

    def words(self) -> str:
        """How many cells there are."""
        return f"mesh of {self.rows} by {self.columns} cells"

    def set_edgecolor(self, color: Any) -> None:
        """The colour of the cells' outlines."""
        self.edge = color


def _is_even(corners: list[list[Point]]) -> bool:
    """Whether the cells are rectangles of one size, to within a tenth of a unit."""
    rows, columns = len(corners) - 1, len(corners[0]) - 1
    (x0, y0), (x1, y1) = corners[0][0], corners[-1][-1]
    return all(
        abs(x - (x0 + (x1 - x0) * column / columns)) < 0.1 and abs(y - (y0 + (y1 - y0) * row / rows)) < 0.1
        for row, line in enumerate(corners)
        for column, (x, y) in enumerate(line)
    )


def areas_between(
    along: Floats, first: Floats, second: Floats, where: Any, upright: bool
) -> list[list[tuple[float, float]]]:
    """The areas between two lines over `along`, one for each stretch where `where` holds and all is finite."""
    chosen = [bool(flag) for flag in (plain(where) if where is not None else [True] * len(along))]
    rings = []
    start: int | None = None
    for index in range(len(along) + 1):
        inside = (
            index < len(along)
            and chosen[index]
            and all(math.isfinite(value) for value in (along[index], first[index], second[index]))
        )
        if inside and start is None:
            start = index
        elif not inside and start is not None:
            span = range(start, index)
            if len(span) > 1:
                ring = [(along[at], first[at]) for at in span] + [(along[at], second[at]) for at in reversed(span)]
                rings.append([(y, x) for x, y in ring] if upright else ring)
            start = None
    return rings


__all__ = ["LineCollection", "PathCollection", "PolyCollection", "QuadMesh", "PATCH", "dashes", "spread"]


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.collections", name, globals())
