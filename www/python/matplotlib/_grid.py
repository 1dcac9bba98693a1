"""The axes that `subplots` makes: indexed as an array of objects would be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import _missing


class AxesArray:
    """Axes in one or two dimensions, with the indexing, the shape and the iteration of NumPy's arrays."""

    def __init__(self, items: list[Any], shape: tuple[int, ...]) -> None:
        self._items = items
        self.shape = shape

    @property
    def ndim(self) -> int:
        """How many dimensions it has."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many axes there are."""
        return len(self._items)

    @property
    def flat(self) -> AxesArray:
        """All axes, row by row."""
        return self.ravel()

    @property
    def T(self) -> AxesArray:
        """Rows as columns."""
        return self.transpose()

    def transpose(self) -> AxesArray:
        """Rows as columns."""
        if self.ndim < 2:
            return self
        rows, columns = self.shape
        return AxesArray(
            [self._items[row * columns + column] for column in range(columns) for row in range(rows)], (columns, rows)
        )

    def ravel(self, order: str = "C") -> AxesArray:
        """All axes, row by row (or column by column)."""
        source = self.transpose() if order == "F" else self
        return AxesArray(list(source._items), (self.size,))

    flatten = ravel

    def reshape(self, *shape: Any) -> AxesArray:
        """The same axes in another shape."""
        wanted = list(shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape)
        if -1 in wanted:
            known = 1
            for length in wanted:
                known *= length if length != -1 else 1
            wanted[wanted.index(-1)] = self.size // max(known, 1)
        count = 1
        for length in wanted:
            count *= length
        if count != self.size or len(wanted) not in (1, 2):
            raise ValueError(f"cannot reshape array of size {self.size} into shape {tuple(wanted)}")
        return AxesArray(list(self._items), tuple(wanted))

    def tolist(self) -> list[Any]:
        """The axes as a list, or a list of rows."""
        return list(self._items) if self.ndim == 1 else [row.tolist() for row in self]

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(self.shape[0]))

    def __getitem__(self, key: Any) -> Any:
        keys = key if isinstance(key, tuple) else (key,)
        keys = tuple(one for one in keys if one is not Ellipsis)
        if len(keys) > self.ndim:
            raise IndexError(f"too many indices for array: array is {self.ndim}-dimensional, but {len(keys)} were indexed")
        picked = [_picked(one, length, axis) for axis, (one, length) in enumerate(zip(keys, self.shape))]
        picked += [(list(range(length)), True) for length in self.shape[len(keys) :]]
        indices, kept = [one for one, _ in picked], [flag for _, flag in picked]
        if self.ndim == 1:
            items = [self._items[index] for index in indices[0]]
        else:
            items = [self._items[row * self.shape[1] + column] for row in indices[0] for column in indices[1]]
        shape = tuple(len(one) for one, flag in zip(indices, kept) if flag)
        return AxesArray(items, shape) if shape else items[0]

    def __repr__(self) -> str:
        return f"array({self.tolist()!r}, dtype=object)"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if hasattr(type(self._items[0]), name):
            raise AttributeError(
                f"'numpy.ndarray' object has no attribute {name!r}: these are {self.size} axes, take one of them, as axs[0]"
            )
        return _missing.find("the array of axes", name, dir(type(self)))


def _picked(key: Any, length: int, axis: int) -> tuple[list[int], bool]:
    """The indices that a key names along one dimension, and whether the dimension stays."""
    if isinstance(key, slice):
        return list(range(*key.indices(length))), True
    if isinstance(key, (list, tuple)):
        return [int(one) % length for one in key], True
    index = key.__index__()
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {length}")
    return [index % length], False
