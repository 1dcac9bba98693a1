"""Powers of a matrix and products of several."""

from __future__ import annotations

from typing import Any

from .. import _convert, _products, _shaping
from ._errors import LinAlgError
from ._factors import identity, inv


def matrix_power(a: Any, n: int) -> Any:
    """The n-th power of a square matrix; a negative one of its inverse."""
    made = _convert.asarray(a)
    if made.ndim < 2:
        raise LinAlgError(f"{made.ndim}-dimensional array given. Array must be at least two-dimensional")
    if made._shape[-1] != made._shape[-2]:
        raise LinAlgError("Last 2 dimensions of the array must be square")
    if not hasattr(n, "__index__"):
        raise TypeError("exponent must be an integer")
    if n == 0:
        unit = identity(made._shape[-1], made._dtype)
        return _shaping.broadcast_to(unit, made._shape).copy()
    if n < 0:
        made, n = inv(made), -n
    result = None
    while n:
        if n & 1:
            result = made if result is None else _products.matmul(result, made)
        n >>= 1
        if n:
            made = _products.matmul(made, made)
    return result


def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    """The product of several matrices."""
    parts = [_convert.asarray(each) for each in arrays]
    if len(parts) < 2:
        raise ValueError("Expecting at least two arrays.")
    made = parts[0]
    for each in parts[1:]:
        made = _products.dot(made, each)
    if out is not None:
        out[...] = made
        return out
    return made
