"""The error of linear algebra, and what every function here checks."""

from __future__ import annotations

from typing import Any, Callable

from .. import _array as _a
from .. import _convert
from .. import _dtypes as _d


class LinAlgError(ValueError):
    """A matrix has no such factorisation, or an iteration did not converge."""


LinAlgError.__module__ = "numpy.linalg"


def operand(a: Any, square: bool = False) -> tuple[Any, Any]:
    """`a` as an array of matrices, and the dtype of results. LinAlgError where it is no matrix."""
    made = _convert.asarray(a)
    if made.ndim < 2:
        raise LinAlgError(f"{made.ndim}-dimensional array given. Array must be at least two-dimensional")
    if square and made._shape[-1] != made._shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    return made, result_type(made._dtype)


def result_type(*held: Any) -> Any:
    """The dtype of results: float32 and complex64 stay, the rest is double."""
    for each in held:
        if each is _d.float16:
            raise TypeError("array type float16 is unsupported in linalg")
    widest = held[0] if held[0].kind in "fc" else _d.float64
    for each in held[1:]:
        widest = _d.promote(widest, each if each.kind in "fc" else _d.float64)
    return widest


def real_of(held: Any) -> Any:
    """The dtype of the parts of `held`."""
    return {_d.complex64: _d.float32, _d.complex128: _d.float64}.get(held, held)


Rows = list[list[Any]]


def matrices(made: Any) -> list[Rows]:
    """The matrices of an array as nested lists of Python numbers."""
    rows, columns = made._shape[-2:]
    values = made._values()
    if made._dtype.kind in "biu":
        values = list(map(float, values))
    found = []
    for start in range(0, len(values) or 0, rows * columns or 1):
        block = values[start : start + rows * columns]
        found.append([block[at * columns : (at + 1) * columns] for at in range(rows)])
    if not found and all(made._shape[:-2]):
        found = [[[] for _ in range(rows)]]
    return found


def assemble(parts: list[Rows], outer: Any, rows: int, columns: int, held: Any) -> Any:
    """An array of matrices from nested lists."""
    values = [value for part in parts for row in part for value in row]
    return _a.from_values(values, (*outer, rows, columns), held)


def vectors(parts: list[list[Any]], outer: Any, length: int, held: Any) -> Any:
    """An array of vectors from lists."""
    return _a.from_values([value for part in parts for value in part], (*outer, length), held)


def scalars(parts: list[Any], outer: Any, held: Any) -> Any:
    """An array of one number a matrix."""
    made = _a.from_values(parts, tuple(outer), held)
    return made if made.ndim else made[()]


def dot(x: list[Any], y: list[Any]) -> Any:
    """The plain product of two lists."""
    total: Any = 0.0
    for one, two in zip(x, y):
        total += one * two
    return total


def transpose(rows: Rows) -> Rows:
    """The transposed matrix."""
    return [list(column) for column in zip(*rows)]


def conjugated(value: Any) -> Any:
    """The complex conjugate of a Python number."""
    return value.conjugate()


Factor = Callable[[Rows], Any]
