"""New arrays: constants, ranges, grids, diagonals, and arrays over given memory."""

from __future__ import annotations

import math
from typing import Any, Callable

from . import _array as _a
from . import _convert, _memory, _shaping
from . import _dtypes as _d
from ._scalars import generic


def _held(dtype: Any) -> _d.dtype:
    return _d.float64 if dtype is None else _d.as_dtype(dtype)


def _laid(array: Any, order: str) -> Any:
    return array.T.copy().T if order == "F" and array.ndim > 1 else array


def empty(shape: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None) -> Any:
    """A new array; its elements happen to be zero."""
    return _laid(_a.empty(_a.as_shape(shape), _held(dtype)), order)


def zeros(shape: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None) -> Any:
    """A new array of zeros."""
    return empty(shape, dtype, order)


def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", *, device: Any = None,
         like: Any = None) -> Any:
    """A new array with `fill_value` (which may be an array that stretches to `shape`) everywhere."""
    value = _convert.asarray(fill_value)
    made = _a.empty(_a.as_shape(shape), value._dtype if dtype is None else _d.as_dtype(dtype))
    made[...] = fill_value if value.ndim == 0 and not isinstance(fill_value, generic) else value
    return _laid(made, order)


def ones(shape: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None) -> Any:
    """A new array of ones."""
    return _laid(_a.filled(_a.as_shape(shape), 1, _held(dtype)), order)


def _like(a: Any, dtype: Any, shape: Any) -> tuple[Any, Any]:
    made = _convert.asarray(a)
    return (made._shape if shape is None else _a.as_shape(shape)), (made._dtype if dtype is None else
                                                                    _d.as_dtype(dtype))


def empty_like(prototype: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *,
               device: Any = None) -> Any:
    """A new array like `prototype`."""
    return _a.empty(*_like(prototype, dtype, shape))


def zeros_like(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *,
               device: Any = None) -> Any:
    """Zeros in the shape and dtype of `a`."""
    return _a.empty(*_like(a, dtype, shape))


def ones_like(a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *,
              device: Any = None) -> Any:
    """Ones in the shape and dtype of `a`."""
    lengths, held = _like(a, dtype, shape)
    return _a.filled(lengths, 1, held)


def full_like(a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: Any = None, *,
              device: Any = None) -> Any:
    """`fill_value` in the shape and dtype of `a`."""
    lengths, held = _like(a, dtype, shape)
    return full(lengths, fill_value, held)


def arange(*args: Any, dtype: Any = None, device: Any = None, like: Any = None, **named: Any) -> Any:
    """Numbers from `start` (0) up to but without `stop`, in steps of `step` (1)."""
    if len(args) == 4:
        dtype, args = args[3], args[:3]
    start, stop, step = 0, None, 1
    if len(args) == 1:
        stop = args[0]
    elif len(args) == 2:
        start, stop = args
    elif args:
        start, stop, step = args
    start, stop, step = named.get("start", start), named.get("stop", stop), named.get("step", step)
    if stop is None:
        if "start" not in named and not args:
            raise TypeError("arange() requires stop to be specified.")
        start, stop = 0, start
    step = 1 if step is None else step
    held = _d.as_dtype(dtype) if dtype is not None else None
    parts = []
    for part in (start, stop, step):
        each = _convert.scalar_dtype(part) if not isinstance(part, _a.ndarray) else part._dtype
        parts.append(part.item() if isinstance(part, (_a.ndarray, generic)) else part)
        if dtype is None:
            held = each if held is None else _d.promote(held, each)
    start, stop, step = parts
    if held.kind == "b":
        held = _d.int64 if dtype is None else held
    if step == 0:
        raise ZeroDivisionError("division by zero")
    if held.kind in "iu" and all(type(part) is int for part in parts):
        return _of_range(range(start, stop, step), held)
    if held.kind in "iu" and dtype is not None:
        count = max(0, math.ceil((stop - start) / step))
        first = int(start)
        delta = int(start + step) - first
        return _a.from_values([first + at * delta for at in range(count)], (count,), held)
    count = max(0, math.ceil(((stop - start) / step).real if held.kind == "c" else (stop - start) / step))
    first = held.wrap(start)
    delta = held.wrap(start + step) - first if count > 1 else 0
    if held.kind == "f" and held is not _d.float64:
        delta = held.wrap(delta)
    values = [first + at * delta for at in range(count)]
    return _a.from_values(values, (count,), held)


def _of_range(values: range, held: Any) -> Any:
    return _a.from_values(list(values), (len(values),), held)


def linspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False, dtype: Any = None,
             axis: int = 0, *, device: Any = None) -> Any:
    """`num` numbers evenly from `start` to `stop`, which is left out unless `endpoint`."""
    if not hasattr(num, "__index__"):
        raise TypeError(f"'{type(num).__name__}' object cannot be interpreted as an integer")
    num = num.__index__()
    if num < 0:
        raise ValueError(f"Number of samples, {num}, must be non-negative.")
    div = num - 1 if endpoint else num
    first, last = _convert.asarray(start) * 1.0, _convert.asarray(stop) * 1.0
    first, last = _convert.asarray(first), _convert.asarray(last)
    from ._choosing import result_type

    held = result_type(*[each if type(each) in (bool, int, float, complex) else _convert.asarray(each)
                         for each in (start, stop)], 1.0)
    whole = dtype is not None and _d.as_dtype(dtype).kind in "iu"
    delta = _convert.asarray(last - first)
    counts = arange(num, dtype=_d.float64).reshape((-1,) + (1,) * delta.ndim)
    if div > 0:
        step = delta / div
        if (_convert.asarray(step) == 0).any():
            made = counts / div * delta
        else:
            made = counts * step
    else:
        step = float("nan")
        made = counts * delta
    made = made + first
    if endpoint and num > 1:
        made[-1, ...] = last
    if axis != 0:
        made = _shaping.moveaxis(made, 0, axis)
    if whole:
        from ._ufuncs import floor

        made = floor(made)
    made = made.astype(held if dtype is None else dtype, copy=False)
    return (made, step) if retstep else made


def logspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0, dtype: Any = None,
             axis: int = 0) -> Any:
    """`base` to the power of evenly spaced numbers."""
    from ._ufuncs import power

    made = power(base, linspace(start, stop, num, endpoint, axis=axis))
    return made if dtype is None else made.astype(dtype)


def geomspace(start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0) -> Any:
    """Numbers from `start` to `stop` evenly on a logarithmic scale."""
    from ._ufuncs import log10, sign

    first, last = _convert.asarray(start), _convert.asarray(stop)
    if (first == 0).any() or (last == 0).any():
        raise ValueError("Geometric sequence cannot include zero")
    signs = sign(first) * 1.0
    made = logspace(log10(first / signs), log10(last / signs), num, endpoint)
    if num > 0:
        made[0] = first / signs
        if num > 1 and endpoint:
            made[-1] = last / signs
    made = made * signs
    if axis != 0:
        made = _shaping.moveaxis(made, 0, axis)
    return made if dtype is None else made.astype(dtype)


def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = float, order: str = "C", *, device: Any = None,
        like: Any = None) -> Any:
    """Ones on the k-th diagonal, zeros elsewhere."""
    M = N if M is None else M
    made = _a.empty((int(N), int(M)), _held(dtype))
    for row in range(max(0, -k), min(N, M - k)):
        made[row, row + k] = 1
    return made


def identity(n: int, dtype: Any = None, *, like: Any = None) -> Any:
    """The identity matrix."""
    return eye(n, dtype=dtype)


def diag(v: Any, k: int = 0) -> Any:
    """A matrix with `v` on its k-th diagonal, or that diagonal of the matrix `v`."""
    made = _convert.asarray(v)
    if made.ndim == 1:
        size = len(made) + abs(k)
        result = _a.empty((size, size), made._dtype)
        rows = arange(len(made))
        result[rows - min(k, 0), rows + max(k, 0)] = made
        return result
    if made.ndim == 2:
        return diagonal(made, k)
    raise ValueError("Input must be 1- or 2-d.")


def diagflat(v: Any, k: int = 0) -> Any:
    """A matrix with the flattened `v` on its k-th diagonal."""
    return diag(_convert.asarray(v).ravel(), k)


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The diagonals along two axes, as the last axis of a view that may not be written."""
    made = _convert.asarray(a)
    if made.ndim < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    moved = _shaping.moveaxis(made, (axis1, axis2), (-2, -1))
    rows, columns = moved._shape[-2:]
    down, right = moved._strides[-2:]
    count = max(0, min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns))
    start = moved._offset + (offset * right if offset >= 0 else -offset * down if count else 0)
    return _a.view_of(moved._mem, start if count else moved._offset, moved._shape[:-2] + (count,),
                      moved._strides[:-2] + (down + right,), moved._dtype, made, False)


def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = float, *, like: Any = None) -> Any:
    """Ones at and below the k-th diagonal."""
    M = N if M is None else M
    values = [1 if column <= row + k else 0 for row in range(N) for column in range(M)]
    return _a.from_values(values, (N, M), _held(dtype)) if values else _a.empty((N, M), _held(dtype))


def _triangle(m: Any, k: int, lower: bool) -> Any:
    from ._choosing import where

    made = _convert.asarray(m)
    if made.ndim == 1:
        made = _shaping.broadcast_to(made, (made.size, made.size))
    mask = tri(*made._shape[-2:], k=k if lower else k - 1, dtype=_d.bool_)
    zero = _a.empty((), made._dtype)
    return where(mask, made, zero) if lower else where(mask, zero, made)


def tril(m: Any, k: int = 0) -> Any:
    """`m` with zeros above the k-th diagonal."""
    return _triangle(m, k, True)


def triu(m: Any, k: int = 0) -> Any:
    """`m` with zeros below the k-th diagonal."""
    return _triangle(m, k, False)


def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """The matrix of powers of `x`."""
    made = _convert.asarray(x)
    count = len(made) if N is None else N
    powers = arange(count) if increasing else arange(count - 1, -1, -1)
    return made[:, None] ** powers


def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> tuple[Any, ...]:
    """Coordinate arrays of the grid over the flat arrays `xi`."""
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    rank = len(xi)
    grids = []
    for at, each in enumerate(xi):
        shape = [1] * rank
        shape[at] = -1
        grids.append(_convert.asarray(each).reshape(tuple(shape)))
    if indexing == "xy" and rank > 1:
        grids = [_shaping.swapaxes(grid, 0, 1) for grid in grids]
    if not sparse:
        grids = list(_shaping.broadcast_arrays(*grids))
    return tuple(grid.copy() if copy else grid for grid in grids)


def indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    """The index of every element of an array of that shape, by axis."""
    shape = _a.as_shape(dimensions)
    grids = []
    for at, length in enumerate(shape):
        each = [1] * len(shape)
        each[at] = length
        grids.append(arange(length, dtype=dtype).reshape(tuple(each)))
    if sparse:
        return tuple(grids)
    if not shape:
        return _a.empty((0,), _d.as_dtype(dtype))
    return _shaping.stack([_shaping.broadcast_to(grid, shape) for grid in grids])


def fromfunction(function: Callable[..., Any], shape: Any, *, dtype: Any = float, like: Any = None,
                 **kwargs: Any) -> Any:
    """`function` of the index arrays."""
    return function(*indices(shape, dtype=dtype), **kwargs)


def fromiter(iter: Any, dtype: Any, count: int = -1, *, like: Any = None) -> Any:
    """A flat array of what `iter` gives."""
    values = []
    for value in iter:
        if len(values) == count:
            break
        values.append(value)
    if count > len(values):
        raise ValueError(f"iterator too short: Expected {count} but iterator had only {len(values)} items.")
    return _convert.array(values, dtype) if values else _a.empty((0,), _held(dtype))


def frombuffer(buffer: Any, dtype: Any = float, count: int = -1, offset: int = 0, *, like: Any = None) -> Any:
    """A flat array over the memory of `buffer`, not copied."""
    held = _held(dtype)
    memory = memoryview(buffer).cast("B")
    left = memory.nbytes - offset
    if count < 0:
        if left % held.itemsize:
            raise ValueError("buffer size must be a multiple of element size")
        count = left // held.itemsize
    elif count * held.itemsize > left:
        raise ValueError("buffer is smaller than requested size")
    return _a.view_of(memory, offset, (count,), (held.itemsize,), held, buffer, not memory.readonly)


def fromstring(string: str, dtype: Any = float, count: int = -1, *, sep: str, like: Any = None) -> Any:
    """Numbers written in a text, with `sep` between them."""
    parts = string.split(sep if sep.strip() else None)
    held = _held(dtype)
    values = [held.type(part).item() for part in parts if part.strip()]
    return _convert.array(values[: None if count < 0 else count], held)


def copy(a: Any, order: str = "K", subok: bool = False) -> Any:
    """A copy of `a`."""
    return _convert.array(a, order=order)


def asfortranarray(a: Any, dtype: Any = None, *, like: Any = None) -> Any:
    """`a` in column-major order."""
    return _convert.asarray(a, dtype).copy("F")


def asarray_chkfinite(a: Any, dtype: Any = None, order: str | None = None) -> Any:
    """`a` as an array. ValueError where an element is not finite."""
    from ._ufuncs import isfinite

    made = _convert.asarray(a, dtype, order)
    if made._dtype.kind in "fc" and not isfinite(made).all():
        raise ValueError("array must not contain infs or NaNs")
    return made


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Any, Any]:
    """The indices at and below the k-th diagonal."""
    return tri(n, m, k, dtype=bool).nonzero()


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Any, Any]:
    """The indices at and above the k-th diagonal."""
    return (~tri(n, m, k - 1, dtype=bool)).nonzero()


def tril_indices_from(arr: Any, k: int = 0) -> tuple[Any, Any]:
    """As `tril_indices`, for a matrix of that shape."""
    return tril_indices(arr.shape[-2], k, arr.shape[-1])


def triu_indices_from(arr: Any, k: int = 0) -> tuple[Any, Any]:
    """As `triu_indices`, for a matrix of that shape."""
    return triu_indices(arr.shape[-2], k, arr.shape[-1])


def diag_indices(n: int, ndim: int = 2) -> tuple[Any, ...]:
    """The indices of the main diagonal."""
    return (arange(n),) * ndim


def diag_indices_from(arr: Any) -> tuple[Any, ...]:
    """The indices of the main diagonal of `arr`."""
    return diag_indices(arr.shape[0], arr.ndim)


def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """Writes `val` on the main diagonal of `a`, in place."""
    count = min(a.shape)
    values = _convert.asarray(val).ravel()._values()
    held = a._dtype
    for at in range(count):
        a[(at,) * a.ndim] = held.wrap(values[at % len(values)])


def sliding_window_view(x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False,
                        writeable: bool = False) -> Any:
    """All windows of a shape along the axes, as a view."""
    made = _convert.asarray(x)
    window = window_shape if isinstance(window_shape, (tuple, list)) else (window_shape,)
    axes = range(made.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = [_shaping.normal_axis(each, made.ndim) for each in axes]
    if len(axes) != len(window):
        raise ValueError("Since axis is None, must provide window_shape for all dimensions of `x`; got "
                         f"{len(window)} window_shape elements and `x.ndim` is {made.ndim}.")
    shape = list(made._shape)
    for each, length in zip(axes, window):
        if shape[each] < length:
            raise ValueError("window shape cannot be larger than input array shape")
        shape[each] -= length - 1
    strides = made._strides + tuple(made._strides[each] for each in axes)
    return _a.view_of(made._mem, made._offset, (*shape, *window), strides, made._dtype, made, writeable)


def as_strided(x: Any, shape: Any = None, strides: Any = None, subok: bool = False, writeable: bool = True) -> Any:
    """A view with any shape and strides that stay within the memory."""
    made = _convert.asarray(x)
    lengths = made._shape if shape is None else _a.as_shape(shape)
    steps = made._strides if strides is None else tuple(strides)
    first = made._offset + sum(min(0, (n - 1) * s) for n, s in zip(lengths, steps))
    last = made._offset + sum(max(0, (n - 1) * s) for n, s in zip(lengths, steps)) + made.itemsize
    if math.prod(lengths) and (first < 0 or last > made._mem.nbytes):
        raise ValueError("as_strided would reach outside the memory of the array")
    return _a.view_of(made._mem, made._offset, lengths, steps, made._dtype, made, writeable and made._writeable)


def byte_bounds(a: Any) -> tuple[int, int]:
    """Where the first and behind the last byte of `a` lie, counted from its memory's start."""
    steps = list(zip(a._shape, a._strides))
    first = a._offset + sum(min(0, (n - 1) * s) for n, s in steps)
    return first, a._offset + sum(max(0, (n - 1) * s) for n, s in steps) + a.itemsize


def may_share_memory(a: Any, b: Any, /, max_work: Any = None) -> bool:
    """Whether the two may lie in the same memory."""
    one, two = _convert.asarray(a), _convert.asarray(b)
    if one._mem.obj is not two._mem.obj or not one.size or not two.size:
        return False
    (low, high), (start, stop) = byte_bounds(one), byte_bounds(two)
    return low < stop and start < high


def shares_memory(a: Any, b: Any, /, max_work: Any = None) -> bool:
    """Whether an element of one lies in an element of the other."""
    one, two = _convert.asarray(a), _convert.asarray(b)
    if not may_share_memory(one, two):
        return False
    places = {at + byte for at in _memory.offsets(one._shape, one._strides, one._offset)
              for byte in range(one.itemsize)}
    return any(at + byte in places for at in _memory.offsets(two._shape, two._strides, two._offset)
               for byte in range(two.itemsize))
