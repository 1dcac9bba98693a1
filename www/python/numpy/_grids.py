"""Objects that are indexed to make arrays: mgrid, ogrid, r_, c_, s_; and walks over indices."""

from __future__ import annotations

from itertools import product
from typing import Any, Iterator

from . import _array as _a
from . import _convert, _creation, _shaping
from . import _dtypes as _d


class _Grid:
    """Grids from slices: `mgrid[0:3, 0:1:5j]`."""

    def __init__(self, sparse: bool) -> None:
        self._sparse = sparse

    def __getitem__(self, key: Any) -> Any:
        single = isinstance(key, slice)
        axes = [_line(each) for each in ((key,) if single else key)]
        if single:
            return axes[0]
        held = axes[0]._dtype
        for each in axes[1:]:
            held = _d.promote(held, each._dtype)
        grids = _creation.meshgrid(*[each.astype(held) for each in axes], sparse=self._sparse, indexing="ij")
        return tuple(grids) if self._sparse else _shaping.stack(grids)


def _line(key: slice) -> Any:
    start = 0 if key.start is None else key.start
    step = 1 if key.step is None else key.step
    if isinstance(step, complex):
        return _creation.linspace(start, key.stop, int(abs(step)))
    return _creation.arange(start, key.stop, step)


class _Concatenator:
    """Arrays joined by indexing: `r_[1, 2, 3:5]`, `c_[x, y]`."""

    def __init__(self, columns: bool) -> None:
        self._columns = columns

    def __getitem__(self, key: Any) -> Any:
        items = list(key) if isinstance(key, tuple) else [key]
        axis, rank, place = (-1, 2, 0) if self._columns else (0, 1, -1)
        if items and isinstance(items[0], str):
            numbers = [int(part) for part in items.pop(0).split(",")]
            axis, rank, place = (numbers + [1, -1][len(numbers) - 1 :])[:3]
        parts = []
        for item in items:
            made = _line(item) if isinstance(item, slice) else _convert.asarray(item)
            if made.ndim < rank:
                if self._columns and made.ndim == 1:
                    made = made[:, None]
                else:
                    made = made.reshape((1,) * (rank - made.ndim) + made._shape)
            parts.append(made)
        plain = [part for part, item in zip(parts, items) if type(item) not in (int, float, bool, complex)]
        if plain and len(plain) < len(parts):
            from ._choosing import result_type

            held = result_type(*plain, *[item for item in items if type(item) in (int, float, bool, complex)])
            parts = [part.astype(held) for part in parts]
        return _shaping.concatenate(parts, axis)


class _Slices:
    """Gives back what it is indexed with."""

    def __init__(self, maketuple: bool) -> None:
        self.maketuple = maketuple

    def __getitem__(self, key: Any) -> Any:
        return (key,) if self.maketuple and not isinstance(key, tuple) else key


mgrid, ogrid = _Grid(False), _Grid(True)
r_, c_ = _Concatenator(False), _Concatenator(True)
s_, index_exp = _Slices(False), _Slices(True)


class ndindex:
    """Walks all indices of a shape."""

    def __init__(self, *shape: Any) -> None:
        if len(shape) == 1 and isinstance(shape[0], tuple):
            shape = shape[0]
        self._walk = product(*map(range, _a.as_shape(shape)))

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return self._walk

    def __next__(self) -> tuple[int, ...]:
        return next(self._walk)


class ndenumerate:
    """Walks indices and elements."""

    def __init__(self, arr: Any) -> None:
        made = _convert.asarray(arr)
        self._walk = zip(product(*map(range, made._shape)), made.flat)

    def __iter__(self) -> Iterator[Any]:
        return self._walk

    def __next__(self) -> Any:
        return next(self._walk)


class nditer:
    """Walks the elements of arrays broadcast together; with "readwrite", each as an array to write into."""

    def __init__(self, op: Any, flags: Any = (), op_flags: Any = (), order: str = "K", **options: Any) -> None:
        several = isinstance(op, (tuple, list))
        arrays = _shaping.broadcast_arrays(*[_convert.asarray(each) for each in (op if several else [op])])
        self._several = several
        self._arrays = arrays
        self._indices = list(product(*map(range, arrays[0]._shape)))
        self._at = 0
        self._seen = False

    @property
    def finished(self) -> bool:
        """Whether all have been walked."""
        return self._at >= len(self._indices)

    @property
    def multi_index(self) -> tuple[int, ...]:
        """The index of the element that stands."""
        return self._indices[self._at]

    @property
    def index(self) -> int:
        """The number of the element that stands."""
        return self._at

    def _elements(self) -> Any:
        found = tuple(each[(*self._indices[self._at], Ellipsis)] for each in self._arrays)
        return found if self._several else found[0]

    @property
    def value(self) -> Any:
        """The element that stands."""
        return self._elements()

    def __getitem__(self, number: int) -> Any:
        return self._arrays[number][(*self._indices[self._at], Ellipsis)]

    def iternext(self) -> bool:
        """Goes on to the next; False behind the last."""
        self._at += 1
        return not self.finished

    def __iter__(self) -> nditer:
        return self

    def __next__(self) -> Any:
        self._at += self._seen
        self._seen = True
        if self.finished:
            raise StopIteration
        return self._elements()

    def __enter__(self) -> nditer:
        return self

    def __exit__(self, *exc: Any) -> None:
        return None


class broadcast:
    """What arrays broadcast together look like."""

    def __init__(self, *args: Any) -> None:
        self._arrays = _shaping.broadcast_arrays(*args)
        self.shape = self._arrays[0]._shape
        self.ndim = self.nd = len(self.shape)
        self.size = self._arrays[0].size
        self.numiter = len(args)

    def __iter__(self) -> Iterator[Any]:
        return zip(*[each.flat for each in self._arrays])
