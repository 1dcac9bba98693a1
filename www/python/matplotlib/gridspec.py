"""Where axes stand: cells of a grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from . import _missing
from ._data import floats

if TYPE_CHECKING:
    from .figure import Figure


class Cell(NamedTuple):
    """Some rows and columns of a grid; the ends are exclusive. Ratios are relative sizes."""

    rows: int
    columns: int
    top: int
    bottom: int
    left: int
    right: int
    heights: tuple[float, ...] = ()
    widths: tuple[float, ...] = ()


class GridSpec:
    """A grid of rows and columns; indexing gives cells for `add_subplot`."""

    def __init__(
        self,
        nrows: int,
        ncols: int,
        figure: Figure | None = None,
        *,
        width_ratios: Any = None,
        height_ratios: Any = None,
        **margins: Any,
    ) -> None:
        self.nrows, self.ncols, self.figure = int(nrows), int(ncols), figure
        self.widths = tuple(floats(width_ratios)) if width_ratios is not None else ()
        self.heights = tuple(floats(height_ratios)) if height_ratios is not None else ()

    def __getitem__(self, key: Any) -> Cell:
        if not isinstance(key, tuple):
            if isinstance(key, slice):
                first, last, _ = key.indices(self.nrows * self.ncols)
                top, left = divmod(first, self.ncols)
                bottom, right = divmod(last - 1, self.ncols)
                return self._cell(top, bottom + 1, left, right + 1)
            count = self.nrows * self.ncols
            if not -count <= key < count:
                raise IndexError("GridSpec index out of range")
            row, column = divmod(key % count, self.ncols)
            return self._cell(row, row + 1, column, column + 1)
        top, bottom = _range(key[0], self.nrows)
        left, right = _range(key[1], self.ncols)
        return self._cell(top, bottom, left, right)

    def _cell(self, top: int, bottom: int, left: int, right: int) -> Cell:
        return Cell(self.nrows, self.ncols, top, bottom, left, right, self.heights, self.widths)

    def subplots(self, **given: Any) -> Any:
        """Axes in all cells."""
        if self.figure is None:
            raise ValueError("GridSpec.subplots() only works for GridSpecs created with a figure")
        return self.figure.subplots(self.nrows, self.ncols, **given)

    def update(self, **margins: Any) -> None:
        """Nothing: margins follow from what stands in them."""


def _range(index: Any, count: int) -> tuple[int, int]:
    if isinstance(index, slice):
        first, last, _ = index.indices(count)
        return first, max(last, first + 1)
    if not -count <= index < count:
        raise IndexError("GridSpec index out of range")
    return index % count, index % count + 1


def cell_of(args: tuple[Any, ...]) -> Cell:
    """The cell that `subplot`'s positional arguments name. ValueError for what names none."""
    if not args:
        return GridSpec(1, 1)[0]
    if len(args) == 1:
        [given] = args
        if isinstance(given, Cell):
            return given
        digits = str(given)
        if len(digits) != 3 or not digits.isdigit():
            raise ValueError(f"Integer subplot specification must be a three-digit number, not {given!r}")
        args = tuple(int(digit) for digit in digits)
    if len(args) != 3:
        raise TypeError(f"subplot() takes 1 or 3 positional arguments but {len(args)} were given")
    rows, columns, index = args
    first, last = index if isinstance(index, (tuple, list)) else (index, index)
    if not 1 <= first <= last <= rows * columns:
        raise ValueError(f"num must be an integer with 1 <= num <= {rows * columns}, not {index!r}")
    top, left = divmod(first - 1, columns)
    bottom, right = divmod(last - 1, columns)
    return Cell(rows, columns, top, bottom + 1, min(left, right), max(left, right) + 1)


def cells_of(mosaic: Any) -> dict[str, Cell]:
    """The cells that a picture of names covers: lines of letters, or lists of names; "." is empty."""
    if isinstance(mosaic, str):
        rows = [list(row.strip()) for row in mosaic.strip().split("\n" if "\n" in mosaic else ";")]
    else:
        rows = [list(row) for row in mosaic]
    found = {}
    for name in dict.fromkeys(name for row in rows for name in row if name != "."):
        places = [(r, c) for r, row in enumerate(rows) for c, value in enumerate(row) if value == name]
        down, across = [r for r, _ in places], [c for _, c in places]
        found[name] = Cell(len(rows), len(rows[0]), min(down), max(down) + 1, min(across), max(across) + 1)
    return found


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.gridspec", name, globals())
