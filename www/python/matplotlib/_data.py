"""Takes numbers from whatever programs hand over: lists, arrays of numpy or jax, anything with `__array__`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

Floats = list[float]
Grid = list[list[float]]
_PLAIN = frozenset((float, int, bool, str))


def plain(values: Any) -> Any:
    """Nested lists of plain Python values, or one plain value."""
    if isinstance(values, (bool, int, float, complex, str)) or values is None:
        return values
    if type(values) is list and _PLAIN.issuperset(map(type, values)):
        return values
    if hasattr(values, "tolist"):
        return values.tolist()
    if hasattr(values, "__array__"):
        return values.__array__().tolist()
    if isinstance(values, Iterable):
        return [plain(value) for value in values]
    if hasattr(values, "__float__"):
        return float(values)
    raise TypeError(f"cannot draw {type(values).__name__}: numbers, lists of numbers or arrays are expected")


def number(value: Any) -> float:
    """One number as a float; None is NaN. TypeError for what is none."""
    if value is None:
        return math.nan
    if isinstance(value, complex):
        return value.real
    if isinstance(value, str):
        raise TypeError(f"cannot draw the text {value!r} as a number")
    if isinstance(value, list):
        if len(value) == 1:
            return number(value[0])
        raise ValueError("setting an array element with a sequence: the numbers are nested deeper than expected")
    return float(value)


def is_scalar(values: Any) -> bool:
    """Whether `values` is one number and no sequence of them."""
    return not isinstance(plain(values), list)


def floats(values: Any) -> Floats:
    """A flat list of floats; nested lists are read row by row."""
    values = plain(values)
    if not isinstance(values, list):
        return [number(values)]
    if values and isinstance(values[0], list):
        return [inner for row in values for inner in floats(row)]
    return _numbers(values)


def _numbers(values: list[Any]) -> Floats:
    """Plain values as floats, the usual ones at once."""
    if values and isinstance(values[0], (float, int)):
        try:
            return list(map(float, values))
        except (TypeError, ValueError):
            pass
    return [number(value) for value in values]


def depth(values: Any) -> int:
    """How deep plain lists are nested: 0 for a number."""
    levels = 0
    while isinstance(values, list):
        levels += 1
        values = values[0] if values else None
    return levels


def grid(values: Any, what: str) -> Grid:
    """A list of rows of equal length. TypeError where `values` has not two axes."""
    rows = plain(values)
    if depth(rows) != 2:
        raise TypeError(f"{what} must be 2D, it has {depth(rows)} axes")
    table = [_numbers(row) for row in rows]
    if len({len(row) for row in table}) > 1:
        raise ValueError(f"the rows of {what} differ in length")
    return table


def columns(values: Any) -> list[Any]:
    """What `plot` draws: the columns of a matrix, or a vector as the only column."""
    values = plain(values)
    if not isinstance(values, list):
        return [[values]]
    if depth(values) == 2:
        return [list(column) for column in zip(*values)]
    if depth(values) > 2:
        raise ValueError(f"x and y can be no greater than 2D, but one has {depth(values)} axes")
    return [values]


def spread(values: Any, count: int, what: str) -> Floats:
    """`count` floats: the numbers of `values`, or the one number repeated. ValueError for another length."""
    numbers = floats(values)
    if len(numbers) == count:
        return numbers
    if len(numbers) == 1:
        return numbers * count
    raise ValueError(f"shape mismatch: {what} has {len(numbers)} elements, {count} are expected")


def same_length(x: list[Any], y: list[Any]) -> None:
    """ValueError, in matplotlib's words, where x and y differ in length."""
    if len(x) != len(y):
        raise ValueError(f"x and y must have same first dimension, but have shapes ({len(x)},) and ({len(y)},)")


def finite(values: Iterable[float]) -> Floats:
    """The values that are neither NaN nor infinite."""
    return [value for value in values if math.isfinite(value)]


def as_array(values: Any) -> Any:
    """A NumPy array of plain values, for what functions give back."""
    import numpy

    return numpy.asarray(values)
