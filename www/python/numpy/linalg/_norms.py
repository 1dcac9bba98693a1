"""Lengths of vectors and sizes of matrices."""

from __future__ import annotations

from typing import Any

from .. import _convert, _reductions, _shaping, _ufuncs
from .. import _dtypes as _d

INF = float("inf")


def _floating(x: Any) -> Any:
    made = _convert.asarray(x)
    return made if made._dtype.kind in "fc" else made.astype(_d.float64)


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """The norm of a vector or matrix, or of those along `axis`."""
    made = _floating(x)
    if axis is None:
        if ord is None or (ord in ("f", "fro") and made.ndim == 2) or (ord == 2 and made.ndim == 1):
            flat = made.ravel()
            if made._dtype.kind == "c":
                total = _dot(flat.real, flat.real) + _dot(flat.imag, flat.imag)
            else:
                total = _dot(flat, flat)
            found = _ufuncs.sqrt(total)
            return _convert.asarray(found).reshape((1,) * made.ndim) if keepdims else found
        axes = tuple(range(made.ndim))
    else:
        axes = axis if isinstance(axis, tuple) else (axis,)
    if len(axes) == 1:
        return _vector(made, ord, axes[0], keepdims)
    if len(axes) == 2:
        one, two = (_shaping.normal_axis(each, made.ndim) for each in axes)
        if one == two:
            raise ValueError("Duplicate axes given.")
        return _matrix(made, ord, one, two, keepdims)
    raise ValueError("Improper number of dimensions to norm.")


def _dot(x: Any, y: Any) -> Any:
    from .._products import dot

    return dot(x, y)


def _vector(made: Any, ord: Any, axis: int, keepdims: bool) -> Any:
    size = _convert.asarray(_ufuncs.absolute(made))
    if ord == INF:
        return _reductions.max(size, axis, keepdims=keepdims)
    if ord == -INF:
        return _reductions.min(size, axis, keepdims=keepdims)
    if ord == 0:
        return _reductions.sum((made != 0).astype(size._dtype), axis, keepdims=keepdims)
    if ord == 1:
        return _reductions.sum(size, axis, keepdims=keepdims)
    if ord is None or ord == 2:
        squares = made.real * made.real + made.imag * made.imag if made._dtype.kind == "c" else made * made
        return _ufuncs.sqrt(_reductions.sum(squares, axis, keepdims=keepdims))
    if isinstance(ord, str):
        raise ValueError(f"Invalid norm order '{ord}' for vectors")
    total = _reductions.sum(size**ord, axis, keepdims=keepdims)
    return total ** (1.0 / ord)


def _matrix(made: Any, ord: Any, row: int, column: int, keepdims: bool) -> Any:
    if ord in (2, -2, "nuc"):
        from ._spectral import svdvals

        values = svdvals(_shaping.moveaxis(made, (row, column), (-2, -1)))
        found = {2: _reductions.max, -2: _reductions.min, "nuc": _reductions.sum}[ord](values, -1)
    elif ord in (1, -1, INF, -INF):
        first, second = (row, column) if abs(ord) == 1 else (column, row)
        sums = _reductions.sum(_ufuncs.absolute(made), first)
        second -= second > first
        found = (_reductions.max if ord > 0 else _reductions.min)(sums, second)
    elif ord in (None, "fro", "f"):
        squares = made.real * made.real + made.imag * made.imag if made._dtype.kind == "c" else made * made
        found = _ufuncs.sqrt(_reductions.sum(squares, (row, column)))
    else:
        raise ValueError("Invalid norm order for matrices.")
    if keepdims:
        shape = tuple(1 if at in (row, column) else length for at, length in enumerate(made._shape))
        found = _convert.asarray(found).reshape(shape)
    return found


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """The norm of vectors along `axis` (of all elements by default)."""
    made = _floating(x)
    if axis is None:
        found = norm(made.ravel(), ord)
        return _convert.asarray(found).reshape((1,) * made.ndim) if keepdims else found
    if isinstance(axis, tuple):
        rest = [at for at in range(made.ndim) if at not in _shaping.normal_axes(axis, made.ndim)]
        moved = made.transpose(rest + list(_shaping.normal_axes(axis, made.ndim)))
        found = _vector(moved.reshape(tuple(made._shape[at] for at in rest) + (-1,)), ord, -1, False)
        return _shaping.expand_dims(found, axis) if keepdims else found
    return _vector(made, ord, axis, keepdims)


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """The norm of the matrices in the last two axes."""
    made = _floating(x)
    return _matrix(made, ord, made.ndim - 2, made.ndim - 1, keepdims)


def cond(x: Any, p: Any = None) -> Any:
    """How much errors may grow when solving with the matrix."""
    from ._factors import inv
    from ._spectral import svdvals

    made = _floating(x)
    if p in (None, 2, -2):
        values = svdvals(made)
        found = values[..., 0] / values[..., -1] if p != -2 else values[..., -1] / values[..., 0]
        return found
    return norm(made, p, (-2, -1)) * norm(inv(made), p, (-2, -1))
