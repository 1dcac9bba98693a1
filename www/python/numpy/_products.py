"""Products of vectors, matrices and tensors."""

from __future__ import annotations

from math import prod
from operator import mul
from typing import Any

from . import _array as _a
from . import _convert, _kernels, _shaping, _ufuncs
from . import _dtypes as _d


def matmul(x1: Any, x2: Any, /, out: Any = None, *, dtype: Any = None, **options: Any) -> Any:
    """The matrix product over the last two axes, the others broadcast."""
    one, two = _operand(x1), _operand(x2)
    if not one.ndim or not two.ndim:
        which = 0 if not one.ndim else 1
        raise ValueError(f"matmul: Input operand {which} does not have enough dimensions (has 0, gufunc core with "
                         "signature (n?,k),(k,m?)->(n?,m?) requires 1)")
    left = one[None, :] if one.ndim == 1 else one
    right = two[:, None] if two.ndim == 1 else two
    if left._shape[-1] != right._shape[-2]:
        raise ValueError(
            "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            f"(n?,k),(k,m?)->(n?,m?) (size {right._shape[-2]} is different from {left._shape[-1]})"
        )
    held = _d.promote(one._dtype, two._dtype) if dtype is None else _d.as_dtype(dtype)
    try:
        batch = _shaping._memory.broadcast_shapes(left._shape[:-2], right._shape[:-2])
    except ValueError:
        raise ValueError(
            "operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{_a.shape_text(one._shape)}->({','.join(map(str, left._shape[:-2]))},newaxis,newaxis) "
            f"{_a.shape_text(two._shape)}->({','.join(map(str, right._shape[:-2]))},newaxis,newaxis)  and requested "
            f"shape ({left._shape[-2]},{right._shape[-1]})"
        ) from None
    rows, inner, columns = left._shape[-2], left._shape[-1], right._shape[-1]
    made = _multiply(left, right, batch, rows, inner, columns, held)
    if one.ndim == 1:
        made = made.reshape(batch + (columns,)) if two.ndim > 1 else made.reshape(batch)
    elif two.ndim == 1:
        made = made.reshape(batch + (rows,))
    if out is not None:
        out[...] = made
        return out
    return made if made.ndim else made[()]


def _operand(value: Any) -> Any:
    made = _convert.asarray(value)
    if made._dtype.kind == "U":
        raise TypeError("ufunc 'matmul' did not contain a loop with signature matching types (dtype('<U1'), "
                        "dtype('<U1')) -> None")
    return made


def _multiply(left: Any, right: Any, batch: Any, rows: int, inner: int, columns: int, held: Any) -> Any:
    left, right = left.astype(held, copy=False), right.astype(held, copy=False)
    left = left._broadcast(batch + (rows, inner))
    right = right._broadcast(batch + (inner, columns))
    made = _a.empty(batch + (rows, columns), held)
    if _kernels.ready and made.size * inner >= 64 and _kernels.matmul(left, right, made):
        return made
    a, b = left._values(), _shaping.swapaxes(right, -1, -2)._values()
    values: list[Any] = []
    total = any if held.kind == "b" else sum
    start = 0.0 if held.kind == "f" else 0j if held.kind == "c" else 0
    for at in range(prod(batch)):
        first = [a[at * rows * inner + row * inner :][:inner] for row in range(rows)]
        second = [b[at * columns * inner + column * inner :][:inner] for column in range(columns)]
        for row in first:
            for column in second:
                if held.kind == "b":
                    values.append(total(map(mul, row, column)))
                else:
                    values.append(_dot(row, column, start))
    return _a.from_values(values, made._shape, held)


def _dot(row: list[Any], column: list[Any], start: Any) -> Any:
    for one, two in zip(row, column):
        start += one * two
    return start


def dot(a: Any, b: Any, out: Any = None) -> Any:
    """The product over the last axis of `a` and the last but one of `b`."""
    one, two = _convert.asarray(a), _convert.asarray(b)
    if not one.ndim or not two.ndim:
        made = _ufuncs.multiply(one, two)
    else:
        axis = -1 if two.ndim == 1 else -2
        if one._shape[-1] != two._shape[axis]:
            where = two.ndim + axis
            raise ValueError(f"shapes {_a.shape_text(one._shape)} and {_a.shape_text(two._shape)} not aligned: "
                             f"{one._shape[-1]} (dim {one.ndim - 1}) != {two._shape[axis]} (dim {where})")
        made = matmul(one, two) if one.ndim <= 2 and two.ndim <= 2 else tensordot(one, two, ((-1,), (axis,)))[()]
    if out is not None:
        out[...] = made
        return out
    return made


def vdot(a: Any, b: Any, /) -> Any:
    """The product of the flattened arrays, the first conjugated."""
    one, two = _convert.asarray(a).ravel(), _convert.asarray(b).ravel()
    return dot(_ufuncs.conjugate(one) if one._dtype.kind == "c" else one, two)


def inner(a: Any, b: Any, /) -> Any:
    """The product over the last axes."""
    one, two = _convert.asarray(a), _convert.asarray(b)
    if not one.ndim or not two.ndim:
        return _ufuncs.multiply(one, two)
    if one._shape[-1] != two._shape[-1]:
        raise ValueError(f"shapes {_a.shape_text(one._shape)} and {_a.shape_text(two._shape)} not aligned: "
                         f"{one._shape[-1]} (dim {one.ndim - 1}) != {two._shape[-1]} (dim {two.ndim - 1})")
    return tensordot(one, two, ((-1,), (-1,)))[()]


def outer(a: Any, b: Any, out: Any = None) -> Any:
    """The products of all pairs of elements."""
    return _ufuncs.multiply(_convert.asarray(a).ravel()[:, None], _convert.asarray(b).ravel()[None, :], out=out)


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """The product summed over pairs of axes."""
    one, two = _convert.asarray(a), _convert.asarray(b)
    if hasattr(axes, "__index__"):
        count = axes.__index__()
        first, second = list(range(one.ndim - count, one.ndim)), list(range(count))
    else:
        first, second = ([each] if hasattr(each, "__index__") else list(each) for each in axes)
    first = [_shaping.normal_axis(axis, one.ndim) for axis in first]
    second = [_shaping.normal_axis(axis, two.ndim) for axis in second]
    if len(first) != len(second) or any(one._shape[x] != two._shape[y] for x, y in zip(first, second)):
        raise ValueError("shape-mismatch for sum")
    keep_one = [axis for axis in range(one.ndim) if axis not in first]
    keep_two = [axis for axis in range(two.ndim) if axis not in second]
    size = prod(one._shape[axis] for axis in first)
    left = one.transpose(keep_one + first) if one.ndim else one
    right = two.transpose(second + keep_two) if two.ndim else two
    shape = tuple(one._shape[axis] for axis in keep_one) + tuple(two._shape[axis] for axis in keep_two)
    rows = prod(one._shape[axis] for axis in keep_one)
    columns = prod(two._shape[axis] for axis in keep_two)
    made = matmul(left.reshape((rows, size)), right.reshape((size, columns))).reshape(shape)
    return made


def kron(a: Any, b: Any) -> Any:
    """The Kronecker product."""
    one, two = _convert.asarray(a), _convert.asarray(b)
    rank = max(one.ndim, two.ndim)
    one = one.reshape((1,) * (rank - one.ndim) + one._shape)
    two = two.reshape((1,) * (rank - two.ndim) + two._shape)
    left = one.reshape(tuple(length for each in one._shape for length in (each, 1)))
    right = two.reshape(tuple(length for each in two._shape for length in (1, each)))
    return (left * right).reshape(tuple(x * y for x, y in zip(one._shape, two._shape)))


def cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Any:
    """The vector product of vectors of length three (or two: its third part)."""
    if axis is not None:
        axisa = axisb = axisc = axis
    one = _shaping.moveaxis(_convert.asarray(a), axisa, -1)
    two = _shaping.moveaxis(_convert.asarray(b), axisb, -1)
    if one._shape[-1] == two._shape[-1] == 2:
        made = _convert.asarray(one[..., 0] * two[..., 1] - one[..., 1] * two[..., 0])
        import warnings

        warnings.warn("Arrays of 2-dimensional vectors are deprecated. Use arrays of 3-dimensional vectors instead. "
                      "(deprecated in NumPy 2.0)", DeprecationWarning, stacklevel=2)
        return made
    if one._shape[-1] != 3 or two._shape[-1] != 3:
        raise ValueError(f"Both input arrays must be (arrays of) 3-dimensional vectors, but they are "
                         f"{one._shape[-1]} and {two._shape[-1]} dimensional instead.")
    x, y, z = (one[..., at] for at in range(3))
    u, v, w = (two[..., at] for at in range(3))
    parts = [y * w - z * v, z * u - x * w, x * v - y * u]
    return _shaping.stack([_convert.asarray(part) for part in parts], axisc)


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
    """The sum along the diagonal."""
    from ._creation import diagonal

    return _ufuncs.add.reduce(diagonal(a, offset, axis1, axis2), -1, dtype, out)


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The products over the last axis, the first conjugated."""
    one, two = _convert.asarray(x1), _convert.asarray(x2)
    one = _ufuncs.conjugate(one) if one._dtype.kind == "c" else one
    return _ufuncs.add.reduce(one * two, axis)


def matvec(x1: Any, x2: Any, /) -> Any:
    """Matrices by vectors."""
    return matmul(x1, _convert.asarray(x2)[..., None])[..., 0]


def vecmat(x1: Any, x2: Any, /) -> Any:
    """Vectors by matrices."""
    return matmul(_ufuncs.conjugate(x1)[..., None, :], x2)[..., 0, :]


def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    """The discrete convolution of two flat arrays."""
    one, two = _shaping.atleast_1d(a), _shaping.atleast_1d(v)
    if len(two) > len(one):
        one, two = two, one
    if not len(two):
        raise ValueError("v cannot be empty" if len(one) else "a cannot be empty")
    return _correlate(one, two[::-1], mode)


def correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    """The cross-correlation of two flat arrays."""
    one, two = _shaping.atleast_1d(a), _shaping.atleast_1d(v)
    if two._dtype.kind == "c":
        two = _ufuncs.conjugate(two)
    if len(two) > len(one):
        return _correlate(two, one, mode)[::-1].copy()
    return _correlate(one, two, mode)


def _correlate(long: Any, short: Any, mode: str) -> Any:
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got '{mode}')")
    held = _d.promote(long._dtype, short._dtype)
    n, m = len(long), len(short)
    x, y = long.astype(held)._values(), short.astype(held)._values()
    start, stop = {"full": (1 - m, n), "valid": (0, n - m + 1), "same": (-((m - 1) - (m - 1) // 2), 0)}[mode]
    if mode == "same":
        start = -(m // 2)
        stop = start + n
    zero = 0.0 if held.kind == "f" else 0j if held.kind == "c" else 0
    values = []
    for at in range(start, stop):
        first, last = max(0, -at), min(m, n - at)
        values.append(_dot(x[at + first : at + last], y[first:last], zero))
    return _a.from_values(values, (len(values),), held)


def diagonal_of(x: Any, /, *, offset: int = 0) -> Any:
    """The diagonals of the matrices in the last two axes."""
    from ._creation import diagonal

    return diagonal(x, offset, -2, -1)


def trace_of(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The traces of the matrices in the last two axes."""
    return trace(x, offset, -2, -1, dtype)


def outer_of(x1: Any, x2: Any, /) -> Any:
    """The products of all pairs of elements of two flat arrays."""
    one, two = _convert.asarray(x1), _convert.asarray(x2)
    if one.ndim != 1 or two.ndim != 1:
        raise ValueError("Input arrays must be one-dimensional, but they are "
                         f"x1.ndim={one.ndim} and x2.ndim={two.ndim}.")
    return outer(one, two)


matrix_transpose = _shaping.matrix_transpose
