"""Arrays as sets: distinct elements, membership, unions."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from . import _array as _a
from . import _convert, _shaping, _sorting
from . import _dtypes as _d

UniqueAllResult = namedtuple("UniqueAllResult", ["values", "indices", "inverse_indices", "counts"])
UniqueCountsResult = namedtuple("UniqueCountsResult", ["values", "counts"])
UniqueInverseResult = namedtuple("UniqueInverseResult", ["values", "inverse_indices"])


def unique(ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
           axis: int | None = None, *, equal_nan: bool = True, sorted: bool = True) -> Any:
    """The distinct elements (or slices along `axis`) in order; and, asked for, where and how often they occur."""
    made = _convert.asarray(ar)
    if axis is not None:
        axis = _shaping.normal_axis(axis, made.ndim)
        moved = _shaping.moveaxis(made, axis, 0)
        keys = [tuple(moved[at].ravel()._values()) for at in range(len(moved))]
    else:
        keys = made.ravel()._values()
    key = _sorting._key(made._dtype) if axis is None else None
    order = list(range(len(keys)))
    order.sort(key=(lambda at: key(keys[at])) if key else keys.__getitem__)
    starts: list[int] = []
    inverse = [0] * len(keys)
    counts: list[int] = []
    last: Any = None
    for at in order:
        value = keys[at]
        same = bool(starts) and (value == last or (equal_nan and axis is None and value != value and last != last))
        if not same:
            starts.append(at)
            counts.append(0)
            last = value
        counts[-1] += 1
        inverse[at] = len(starts) - 1
    chosen = _a.from_values(starts, (len(starts),), _d.int64)
    values = made.ravel()[chosen] if axis is None else _shaping.moveaxis(moved[chosen], 0, axis)
    result = [values]
    if return_index:
        result.append(chosen)
    if return_inverse:
        shape = made._shape if axis is None else (len(keys),)
        result.append(_a.from_values(inverse, shape, _d.int64))
    if return_counts:
        result.append(_a.from_values(counts, (len(counts),), _d.int64))
    return result[0] if len(result) == 1 else tuple(result)


def unique_values(x: Any, /) -> Any:
    """The distinct elements."""
    return unique(x, equal_nan=False)


def unique_counts(x: Any, /) -> Any:
    """The distinct elements and how often each occurs."""
    return UniqueCountsResult(*unique(x, return_counts=True, equal_nan=False))


def unique_inverse(x: Any, /) -> Any:
    """The distinct elements and, for each element, which of them it is."""
    return UniqueInverseResult(*unique(x, return_inverse=True, equal_nan=False))


def unique_all(x: Any, /) -> Any:
    """The distinct elements, where they first occur, which each element is, and how often they occur."""
    return UniqueAllResult(*unique(x, True, True, True, equal_nan=False))


def isin(element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *,
         kind: Any = None) -> Any:
    """Whether each element is among `test_elements`."""
    made = _convert.asarray(element)
    known = set(_convert.asarray(test_elements).ravel()._values())
    found = [(value in known and value == value) != invert for value in made._values()]
    result = _a.from_values(found, made._shape, _d.bool_)
    return result


def intersect1d(ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """The elements in both, distinct and sorted."""
    one, two = _convert.asarray(ar1).ravel(), _convert.asarray(ar2).ravel()
    values, where_one = unique(one, return_index=True)
    both = values[isin(values, two)]
    both = both.astype(_d.promote(one._dtype, two._dtype), copy=False)
    if not return_indices:
        return both
    others, where_two = unique(two, return_index=True)
    return both, where_one[isin(values, both)], where_two[isin(others, both)]


def union1d(ar1: Any, ar2: Any) -> Any:
    """The elements of either, distinct and sorted."""
    return unique(_shaping.concatenate([_convert.asarray(ar1).ravel(), _convert.asarray(ar2).ravel()]))


def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """The elements of the first that are not in the second."""
    one = _convert.asarray(ar1).ravel()
    values = one if assume_unique else unique(one)
    return values[isin(values, ar2, invert=True)]


def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """The elements of exactly one of the two."""
    one, two = unique(ar1), unique(ar2)
    return unique(_shaping.concatenate([one[isin(one, two, invert=True)], two[isin(two, one, invert=True)]]))
