"""Images: matrices of numbers by a colour map, or of colours."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from . import _missing, rcParams
from ._artist import COMMON, options
from ._data import depth, number, plain
from ._mapped import MAPPED, Mapped
from ._scene import Box
from .colors import Colormap, Normalize

if TYPE_CHECKING:
    from ._scene import Scene
    from .axes import Axes

IMAGE: dict[str, Any] = {
    **COMMON,
    **MAPPED,
    "origin": None,
    "extent": None,
    "interpolation": None,
    "aspect": None,
    "interpolation_stage": None,
    "resample": None,
    "filternorm": None,
}
# More than a figure can show; what is larger is thinned.
_MOST_SIDE = 420
_MOST_PIXELS = 600_000
_SHARP = (None, "nearest", "none", "antialiased", "auto")


class AxesImage(Mapped):
    """A matrix drawn as pixels."""

    kind = "image"
    order = 0.0

    def __init__(self, X: Any, **given: Any) -> None:
        taken = options("imshow", given, IMAGE)
        super().__init__(taken)
        self.origin = taken["origin"] or rcParams["image.origin"]
        if self.origin not in ("upper", "lower"):
            raise ValueError(f"{self.origin!r} is not a valid value for origin; supported values are 'upper', 'lower'")
        self.smooth = taken["interpolation"] not in _SHARP
        self.given_extent = None if taken["extent"] is None else tuple(float(value) for value in plain(taken["extent"]))
        self.set_data(X)

    def set_data(self, A: Any) -> None:
        """Another matrix. TypeError where it is neither numbers nor colours."""
        rows = plain(A)
        levels = depth(rows)
        self.colored = levels == 3
        channels = len(rows[0][0]) if self.colored and rows and rows[0] else 0
        if levels == 3 and channels == 1:
            rows = [[cell[0] for cell in row] for row in rows]
            self.colored = False
        elif levels not in (2, 3) or self.colored and channels not in (3, 4):
            raise TypeError(f"Invalid shape {_shape(rows)} for image data")
        self.rows = rows
        self.height, self.width = len(rows), len(rows[0]) if rows else 0
        # Whole numbers are 0 to 255, others 0 to 1.
        sample = rows[0][0] if rows and rows[0] else 0.0
        self.whole = self.colored and all(isinstance(value, int) and not isinstance(value, bool) for value in sample)
        if not self.colored:
            self.set_array([number(value) for row in rows for value in row])
        x0, x1, y0, y1 = self.get_extent()
        self.sticky_x, self.sticky_y = (x0, x1), (y0, y1)

    def get_extent(self) -> tuple[float, ...]:
        """The edges: left, right, bottom, top."""
        if self.given_extent is not None:
            return self.given_extent
        down = (self.height - 0.5, -0.5) if self.origin == "upper" else (-0.5, self.height - 0.5)
        return (-0.5, self.width - 0.5, *down)

    def set_extent(self, extent: Any) -> None:
        """The edges: left, right, bottom, top."""
        self.given_extent = tuple(float(value) for value in plain(extent))

    def extent(self) -> tuple[list[float], list[float]]:
        """The corners."""
        x0, x1, y0, y1 = self.get_extent()
        return [x0, x1], [y0, y1]

    def draw(self, scene: Scene, axes: Axes) -> None:
        """The pixels, thinned where there are more than can be seen."""
        x0, x1, y0, y1 = self.get_extent()
        if self.origin == "upper":
            y0, y1 = y1, y0
        (left, first), (right, last) = axes.points([x0, x1], [y0, y1])
        edges = (left, right, first, last)
        if self.colored:
            paint_colors(scene, edges, self.rows, 1.0 if self.whole else 255.0, self.alpha, self.smooth)
        else:
            values = self.values() or []
            rows = [values[at : at + self.width] for at in range(0, len(values), self.width)]
            paint_pixels(scene, edges, self.cmap, self.norm, rows, self.alpha, self.smooth)

    def words(self) -> str:
        """How many pixels it has."""
        return f"image of {self.height} by {self.width}"

    def get_array(self) -> Any:
        """The matrix, as an array."""
        from ._data import as_array

        return as_array(self.rows)


def _shape(rows: Any) -> tuple[int, ...]:
    shape = []
    while isinstance(rows, list):
        shape.append(len(rows))
        rows = rows[0] if rows else None
    return tuple(shape)


Edges = tuple[float, float, float, float]


def _picked(count: int, length: float, scene: Scene, flipped: bool) -> list[int]:
    """Which of `count` rows are drawn over a length, in the order they are drawn.

    So few that the pixels of a whole figure of images stay within what one may have.
    """
    finest = min(2.0, math.sqrt(_MOST_PIXELS / (scene.width * scene.height)))
    shown = min(count, _MOST_SIDE, max(1, math.ceil(length * finest)))
    indices = [(2 * index + 1) * count // (2 * shown) for index in range(shown)]
    return indices[::-1] if flipped else indices


def _pixels(scene: Scene, edges: Edges, rows: list[list[Any]], cell: Any, alpha: float | None, smooth: bool) -> None:
    """`edges` are where the first and last columns and rows end, in units of the figure."""
    if not rows or not rows[0] or not all(map(math.isfinite, edges)):
        return
    left, right, first, last = edges
    down = _picked(len(rows), abs(last - first), scene, first > last)
    across = _picked(len(rows[0]), abs(right - left), scene, left > right)
    rgba = b"".join([cell(rows[row][column]) for row in down for column in across])
    box = Box(min(left, right), min(first, last), abs(right - left), abs(last - first))
    scene.image(box, len(across), len(down), rgba, smooth, 1.0 if alpha is None else float(alpha))


def paint_pixels(
    scene: Scene,
    edges: Edges,
    cmap: Colormap,
    norm: Normalize,
    rows: list[list[float]],
    alpha: float | None,
    smooth: bool = False,
) -> None:
    """Numbers as pixels by a colour map."""
    table: dict[float, bytes] = {}
    unit, at = norm.unit, cmap.at
    steps = 1024.0

    def cell(value: float) -> bytes:
        place = unit(value)
        index = int(place * steps) if -4.0 < place < 4.0 else place
        found = table.get(index) if place == place else None
        if found is None:
            found = bytes([min(max(round(part * 255), 0), 255) for part in at(place)])
            if place == place:
                table[index] = found
        return found

    _pixels(scene, edges, rows, cell, alpha, smooth)


def paint_colors(
    scene: Scene, edges: Edges, rows: list[list[Any]], factor: float, alpha: float | None, smooth: bool
) -> None:
    """Colours as pixels; parts are multiplied by `factor` to come into 0 to 255."""

    def cell(parts: list[float]) -> bytes:
        channels = [min(max(round(float(part) * factor), 0), 255) if part == part else 0 for part in parts]
        return bytes(channels if len(channels) == 4 else [*channels, 255])

    _pixels(scene, edges, rows, cell, alpha, smooth)


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.image", name, globals())
