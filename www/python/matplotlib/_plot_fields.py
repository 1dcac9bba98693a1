"""What axes can draw of points in the plane and of fields over it."""

from __future__ import annotations

from typing import Any

from ._base import AxesBase
from ._data import as_array, depth, floats, grid, plain
from .collections import PathCollection, QuadMesh
from .contour import ContourSet
from .image import AxesImage
from .quiver import Quiver, StreamLines


class FieldPlots(AxesBase):
    """The methods that draw marks, images, meshes, contours and arrows."""

    def scatter(self, x: Any, y: Any, s: Any = None, c: Any = None, *, data: Any = None, **given: Any) -> PathCollection:
        """Marks of area `s` and colour `c`: colours, or numbers for the map `cmap` between `vmin` and `vmax`."""
        if data is not None:
            x, y, s, c = (data[value] if isinstance(value, str) and value in data else value for value in (x, y, s, c))
        xs, ys = self.xaxis.numbers(_flat(x)), self.yaxis.numbers(_flat(y))
        if len(xs) != len(ys):
            raise ValueError("x and y must be the same size")
        own = any(name in given for name in ("color", "facecolor", "facecolors", "fc"))
        cycled = "C0" if own or c is not None else self.cycled()
        return self.add_artist(PathCollection(xs, ys, s, _flat_numbers(c), cycled, **given))

    def imshow(self, X: Any, cmap: Any = None, norm: Any = None, *, aspect: Any = None, **given: Any) -> AxesImage:
        """A matrix as an image by a colour map, or an array of colours (RGB or RGBA)."""
        from . import rcParams

        image = self.add_artist(AxesImage(X, cmap=cmap, norm=norm, **given))
        aspect = rcParams["image.aspect"] if aspect is None else aspect
        self.set_aspect(aspect, "box" if aspect == "equal" else None)
        span = self.yaxis.span
        if span.limits is None:
            x0, x1, y0, y1 = image.get_extent()
            span.inverted = y0 > y1
            self.xaxis.span.inverted = x0 > x1
        return image

    def matshow(self, Z: Any, **given: Any) -> AxesImage:
        """As `imshow`, with the columns' numbers on top."""
        from .ticker import MaxNLocator

        image = self.imshow(Z, **{"origin": "upper", **given})
        self.xaxis.tick_top()
        for axis in (self.xaxis, self.yaxis):
            axis.locator = MaxNLocator(9, steps=[1, 2, 5, 10], integer=True)
        return image

    def spy(self, Z: Any, **given: Any) -> AxesImage:
        """Where a matrix is not zero."""
        rows = [[1.0 if value else 0.0 for value in row] for row in grid(Z, "Z")]
        return self.matshow(
            rows, cmap="binary", **{name: value for name, value in given.items() if name in ("aspect", "origin")}
        )

    def pcolormesh(self, *args: Any, **given: Any) -> QuadMesh:
        """Cells by a colour map: values, or the corners (or centres) of the cells and the values."""
        if len(args) not in (1, 3):
            raise TypeError(f"pcolormesh() takes 1 or 3 positional arguments but {len(args)} were given")
        values = grid(args[-1], "C")
        rows, columns = len(values), len(values[0])
        if len(args) == 1:
            xs, ys = [float(at) for at in range(columns + 1)], [float(at) for at in range(rows + 1)]
        else:
            xs, ys = plain(args[0]), plain(args[1])
        table_x = grid(xs, "X") if depth(xs) == 2 else None
        table_y = grid(ys, "Y") if depth(ys) == 2 else None
        if table_x is None and table_y is None:
            across, down = _corners(floats(xs), columns), _corners(floats(ys), rows)
            table_x, table_y = [across] * len(down), [[y] * len(across) for y in down]
        else:
            table_x = table_x or [floats(xs)] * len(table_y or [])
            table_y = table_y or [[y] * len(table_x[0]) for y in floats(ys)]
            if len(table_x) == rows:
                table_x, table_y = _corners_2d(table_x, columns), _corners_2d(table_y, columns)
        if len(table_x) != rows + 1 or len(table_x[0]) != columns + 1:
            raise TypeError(
                f"Dimensions of C ({rows}, {columns}) should be one smaller than X({len(table_x[0])}) and Y({len(table_x)})"
            )
        return self.add_artist(QuadMesh(table_x, table_y, values, **given))

    pcolor = pcolormesh

    def hist2d(
        self, x: Any, y: Any, bins: Any = 10, range: Any = None, density: bool = False, weights: Any = None, **given: Any
    ) -> Any:
        """How many points fall into each cell of a grid; gives the counts, both edges and the mesh."""
        import numpy

        xs, ys = floats(x), floats(y)
        each = plain(bins)
        pair = each if isinstance(each, list) and len(each) == 2 else [each, each]
        spans = plain(range) if range is not None else [None, None]
        edges = [
            numpy.histogram_bin_edges(numpy.asarray(values), count, span).tolist()
            for values, count, span in zip((xs, ys), pair, spans)
        ]
        counts = [[0.0] * (len(edges[1]) - 1) for _ in edges[0][1:]]
        weight = floats(weights) if weights is not None else [1.0] * len(xs)
        for a, b, w in zip(xs, ys, weight):
            row, column = _bin(edges[0], a), _bin(edges[1], b)
            if row is not None and column is not None:
                counts[row][column] += w
        if density:
            total = sum(map(sum, counts)) or 1.0
            counts = [
                [
                    value / total / (edges[0][i + 1] - edges[0][i]) / (edges[1][j + 1] - edges[1][j])
                    for j, value in enumerate(row)
                ]
                for i, row in enumerate(counts)
            ]
        mesh = self.pcolormesh(edges[0], edges[1], [list(column) for column in zip(*counts)], **given)
        return as_array(counts), as_array(edges[0]), as_array(edges[1]), mesh

    def contour(self, *args: Any, **given: Any) -> ContourSet:
        """Contour lines: z, or x, y and z, then the levels or how many."""
        return self.add_artist(ContourSet(args, False, **given))

    def contourf(self, *args: Any, **given: Any) -> ContourSet:
        """Filled contours: z, or x, y and z, then the levels or how many."""
        return self.add_artist(ContourSet(args, True, **given))

    def clabel(
        self,
        CS: ContourSet,
        levels: Any = None,
        *,
        inline: bool = True,
        fontsize: Any = None,
        fmt: Any = None,
        colors: Any = None,
        **more: Any,
    ) -> None:
        """Writes the levels on contour lines."""
        from .text import points_of

        CS.clabel(levels, points_of(fontsize, 10.0), fmt, colors)

    def quiver(self, *args: Any, **given: Any) -> Quiver:
        """Arrows: u and v, or x, y, u and v, then numbers for their colours."""
        return self.add_artist(Quiver(args, **given))

    def streamplot(
        self,
        x: Any,
        y: Any,
        u: Any,
        v: Any,
        density: Any = 1,
        linewidth: Any = None,
        color: Any = None,
        cmap: Any = None,
        norm: Any = None,
        **given: Any,
    ) -> StreamLines:
        """Lines along which a field (u, v) on an even grid flows; `color` may be numbers on the grid."""
        from ._streams import Streams

        xs, ys = (plain(values) for values in (x, y))
        across = floats(xs[0]) if depth(xs) == 2 else floats(xs)
        up = [float(row[0]) for row in ys] if depth(ys) == 2 else floats(ys)
        us, vs = grid(u, "u"), grid(v, "v")
        if len(us) != len(up) or len(us[0]) != len(across) or len(vs) != len(us) or len(vs[0]) != len(us[0]):
            raise ValueError("'u' and 'v' must match the shape of the (x, y) grid")
        lines = Streams(across, up, us, vs, floats(density)[0]).lines()
        look = {name: value for name, value in given.items() if name in ("zorder", "alpha", "label", "transform")}
        width = floats(linewidth) if linewidth is not None and depth(plain(linewidth)) < 2 else [1.5]
        table = plain(color)
        numbers = None
        if depth(table) == 2:
            column = [min(range(len(across)), key=lambda at: abs(across[at] - line[len(line) // 2][0])) for line in lines]
            row = [min(range(len(up)), key=lambda at: abs(up[at] - line[len(line) // 2][1])) for line in lines]
            numbers, color = [float(table[r][c]) for r, c in zip(row, column)], None
        elif color is None:
            color = self.cycled()
        made = StreamLines(lines, colors=color, cmap=cmap, norm=norm, array=numbers, linewidth=width, **look)
        made.sticky_x, made.sticky_y = (across[0], across[-1]), (up[0], up[-1])
        return self.add_artist(made)


def _flat(values: Any) -> Any:
    listed = plain(values)
    return [inner for row in listed for inner in row] if depth(listed) == 2 else listed


def _flat_numbers(c: Any) -> Any:
    """A matrix of numbers as its flat list, when it is no list of colours."""
    if c is None or isinstance(c, str):
        return c
    listed = plain(c)
    rows = depth(listed) == 2 and not isinstance(listed[0][0], str)
    if rows and len(listed[0]) not in (3, 4):
        return [inner for row in listed for inner in row]
    return c


def _corners(places: list[float], count: int) -> list[float]:
    """The corners of cells from their corners or their centres."""
    if len(places) != count or count == 0:
        return places
    if count == 1:
        return [places[0] - 0.5, places[0] + 0.5]
    middles = [(a + b) / 2 for a, b in zip(places, places[1:])]
    return [places[0] * 1.5 - places[1] * 0.5, *middles, places[-1] * 1.5 - places[-2] * 0.5]


def _corners_2d(table: list[list[float]], columns: int) -> list[list[float]]:
    wide = [_corners(row, columns) for row in table]
    turned = [_corners(list(column), len(table)) for column in zip(*wide)]
    return [list(row) for row in zip(*turned)]


def _bin(edges: list[float], value: float) -> int | None:
    from bisect import bisect_right

    if not edges[0] <= value <= edges[-1]:
        return None
    return min(bisect_right(edges, value) - 1, len(edges) - 2)
