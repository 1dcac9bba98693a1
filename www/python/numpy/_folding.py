"""Folding along axes: `reduce`, `accumulate`, `reduceat` and `at` of ufuncs.

Sums of floating numbers are added pairwise in blocks along the last axis, in NumPy's own order, so that the
last digit agrees; along other axes they are added row by row.
"""

from __future__ import annotations

from array import array as _packed
from functools import reduce as _fold
from itertools import accumulate as _accumulate
from math import prod
from typing import Any

from . import _array as _a
from . import _convert, _errors, _kernels, _memory, _shaping
from . import _dtypes as _d
from ._operations import raised
from ._scalars import box


class _Missing:
    def __repr__(self) -> str:
        return "<no value>"


MISSING = _Missing()
_BLOCK = 128
_BUFFER = 8192


def _rounded(held: _d.dtype) -> Any:
    """Rounds a Python float to `held`."""
    if held is _d.float32:
        return lambda value: _packed("f", (value,))[0]
    return held.wrap


def pairwise(values: list[Any], held: _d.dtype) -> Any:
    """The sum of floats in NumPy's blocked pairwise order, rounded to `held` at every step."""
    if held.kind == "c":
        return complex(*_pairwise_complex(values, held))
    if held is _d.float64:
        return _pairwise64(values)
    if held is _d.float16:
        return held.wrap(_pairwise_rounded(values, _rounded(_d.float32)))
    return _pairwise_rounded(values, _rounded(held))


def _plus(a: float, b: float) -> float:
    return a + b


def _pairwise64(values: list[float]) -> float:
    count = len(values)
    if count < 8:
        return _fold(_plus, values, -0.0) if count else 0.0
    if count <= _BLOCK:
        whole = count - count % 8
        r = [_fold(_plus, values[at:whole:8]) for at in range(8)]
        total = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]))
        return _fold(_plus, values[whole:], total)
    half = count // 2
    half -= half % 8
    return _pairwise64(values[:half]) + _pairwise64(values[half:])


def _pairwise_rounded(values: list[float], rounded: Any) -> float:
    def plus(a: float, b: float) -> float:
        return rounded(a + b)

    count = len(values)
    if count < 8:
        return _fold(plus, values, -0.0) if count else 0.0
    if count <= _BLOCK:
        whole = count - count % 8
        r = [_fold(plus, values[at:whole:8]) for at in range(8)]
        total = plus(plus(plus(r[0], r[1]), plus(r[2], r[3])), plus(plus(r[4], r[5]), plus(r[6], r[7])))
        return _fold(plus, values[whole:], total)
    half = count // 2
    half -= half % 8
    return rounded(_pairwise_rounded(values[:half], rounded) + _pairwise_rounded(values[half:], rounded))


def _pairwise_complex(values: list[complex], held: _d.dtype) -> tuple[float, float]:
    rounded = _rounded(_d.float32) if held is _d.complex64 else (lambda value: value)

    def total(parts: list[float]) -> float:
        count = 2 * len(parts)
        if count < 8:
            return _fold(lambda a, b: rounded(a + b), parts, -0.0)
        if count <= _BLOCK:
            whole = len(parts) - len(parts) % 4
            r = [_fold(lambda a, b: rounded(a + b), parts[at:whole:4]) for at in range(4)]
            joined = rounded(rounded(r[0] + r[1]) + rounded(r[2] + r[3]))
            return _fold(lambda a, b: rounded(a + b), parts[whole:], joined)
        half = count // 2
        half = (half - half % 8) // 2
        return rounded(total(parts[:half]) + total(parts[half:]))

    return total([value.real for value in values]), total([value.imag for value in values])


def _widened(function: Any, held: _d.dtype) -> _d.dtype:
    """The type in which sums and products of `held` are kept."""
    if function.__name__ in ("add", "multiply") and held.kind in "biu":
        return _d.uint64 if held.kind == "u" else _d.int64
    return held


def reduce(function: Any, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False,
           initial: Any = MISSING, where: Any = True) -> Any:
    """Folds `array` along `axis`. ValueError where nothing is left to fold and there is no identity."""
    if function.nin != 2 or function.nout != 1:
        raise ValueError("reduce only supported for binary functions")
    if type(array) is not _a.ndarray:
        array = _convert.asarray(array)
    if axis is None and dtype is None and out is None and not keepdims and initial is MISSING and where is True:
        made = _whole(function, array)
        if made is not None:
            return made
    rank = array.ndim
    axes = _shaping.normal_axes(axis, rank)
    if len(axes) > 1 and function.__name__ in ("subtract", "divide", "power", "floor_divide"):
        raise ValueError(f"reduction operation '{function.__name__}' is not reorderable, so at most one axis may be "
                         "specified")
    held = _d.as_dtype(dtype) if dtype is not None else _widened(function, array._dtype)
    loop, result = function._resolve(function, held)
    kept = [at for at in range(rank) if at not in axes]
    shape = tuple(array._shape[at] for at in kept)
    if keepdims:
        final = tuple(1 if at in axes else length for at, length in enumerate(array._shape))
    else:
        final = shape
    made = None
    if _kernels.ready and where is True and initial is MISSING and array.size >= 64:
        source = array if array._dtype is loop or loop is not _d.float64 else array.astype(loop)
        target = _a.empty(final, result)
        if _kernels.fold(function.__name__, source, axes, kept, loop, result, _block(source, axes, kept), target):
            made = target
    if made is None:
        made = _a.from_values(_rows(function, array, axes, kept, loop, initial, where), final, result)
    if raised:
        _errors.report("reduce")
    if out is not None:
        if type(out) is tuple:
            out = out[0]
        if not isinstance(out, _a.ndarray):
            raise TypeError("output must be an array")
        if out._shape != final:
            raise ValueError(
                f"output parameter for reduction operation {function.__name__} has the wrong number of dimensions: "
                f"Found {out.ndim} but expected {len(final)} (must match the operand's when keepdims=True)"
                if out.ndim != len(final) else
                f"non-broadcastable output operand with shape {_a.shape_text(out._shape)} doesn't match the broadcast "
                f"shape {_a.shape_text(final)}"
            )
        out[...] = made
        return out
    return made if final else made[()]


def _whole(function: Any, array: Any) -> Any:
    """All of a small array folded, without detours; None where the general way must be taken."""
    held = array._dtype
    if not array._is_contiguous() or not 0 < prod(array._shape) <= 64:
        return None
    name, kind = function.__name__, held.kind
    if name == "add":
        if held is _d.float64:
            return box(0.0 + _pairwise64(array._values()), held)
        if kind in "iub":
            total = sum(array._values())
            wide = _d.uint64 if kind == "u" else _d.int64
            return box(total, wide) if wide._low <= total <= wide._high else None
        return box(held.wrap(0.0 + pairwise(array._values(), held)), held) if held is _d.float32 else None
    if kind in "iub" and name in ("maximum", "minimum"):
        return box((max if name == "maximum" else min)(array._values()), held)
    if kind == "b" and name in ("logical_or", "logical_and"):
        return box((any if name == "logical_or" else all)(array._values()), held)
    return None


def _rows(function: Any, array: Any, axes: Any, kept: Any, loop: Any, initial: Any, where: Any) -> list[Any]:
    count = prod(array._shape[at] for at in axes)
    many = prod(array._shape[at] for at in kept)
    name = function.__name__
    identity = function.identity
    start = initial
    if start is MISSING:
        if count == 0 or where is not True:
            if identity is None:
                if where is not True and count:
                    raise ValueError(
                        f"reduction operation '{name}' does not have an identity, so to use a where mask one has to "
                        "specify 'initial'"
                    )
                if many:
                    raise ValueError(f"zero-size array to reduction operation {name} which has no identity")
            start = identity
    elif start is not None:
        start = loop.wrap(_convert.checked(getattr(start, "_v", start), loop))
    if array._dtype is not loop:
        array = array.astype(loop)
    if count == 0 or many == 0:
        return [start if start is not MISSING else identity] * many
    block = _block(array, axes, kept)
    order = list(kept) + list(axes)
    values = array.transpose(order)._values()
    rows = [values[at * count : (at + 1) * count] for at in range(many)]
    if where is not True:
        mask = _convert.asarray(where, _d.bool_)._broadcast(array._shape).transpose(order)._values()
        rows = [[value for value, yes in zip(row, mask[at * count : (at + 1) * count]) if yes]
                for at, row in enumerate(rows)]
    elif name == "add" and loop.kind in "fcV":
        return [_sum(row, loop, block, start) for row in rows]
    if loop.kind in "iub" and name in ("add", "maximum", "minimum") and where is True and start is MISSING:
        quick = {"add": sum if loop.kind != "b" else any, "maximum": max, "minimum": min}[name]
        return [quick(row) for row in rows]
    fast, patient = function._entry(loop)
    if loop.kind in "fV" and loop is not _d.float64 or loop is _d.complex64:
        rounded = _rounded(loop)
        step = lambda a, b: rounded(patient(a, b))  # noqa: E731
    elif loop.kind in "iu" and name in ("multiply", "power", "subtract"):
        step = lambda a, b: loop.wrap_int(fast(a, b))  # noqa: E731
    else:
        step = patient
    if start is MISSING:
        return [_fold(step, row) for row in rows]
    return [_fold(step, row, start) for row in rows]


def _block(array: Any, axes: Any, kept: Any) -> int:
    """How many elements in a row are added pairwise; 0 where the loop adds row to row."""
    count = prod(array._shape[at] for at in axes)
    outer = axes and kept and max(axes) < min(kept) or (len(axes) > 1 and kept and axes[-1] < kept[-1])
    if not axes or (count > 1 and (outer or not _last_is_inner(array, axes))):
        return 0
    if _joins(array, axes):
        return count or 1
    # All of a strided array goes through a buffer; else each line along the last folded axis is one block.
    return _BUFFER if len(axes) == array.ndim else array._shape[axes[-1]] or 1


def _sum(row: list[Any], loop: Any, block: int, start: Any) -> Any:
    """A sum of floats in the order in which NumPy's loop meets them."""
    total: Any = 0.0 if start is MISSING or start is None else start
    wide = loop is _d.float64 or loop is _d.complex128
    if block == 0:
        if wide:
            return _fold(_plus, row, total)
        rounded = _rounded(loop)
        return _fold(lambda a, b: rounded(a + b), row, total)
    for at in range(0, len(row), block):
        total = total + pairwise(row[at : at + block], loop)
        if not wide:
            total = loop.wrap(total)
    return total


def _last_is_inner(array: Any, axes: Any) -> bool:
    """Whether the axis with the smallest stride is one of those folded."""
    candidates = [(abs(stride), -at) for at, stride in enumerate(array._strides) if array._shape[at] > 1]
    return not candidates or -min(candidates)[1] in axes


def _joins(array: Any, axes: Any) -> bool:
    """Whether the folded axes are one run of memory."""
    shape = tuple(array._shape[at] for at in axes)
    strides = tuple(array._strides[at] for at in axes)
    return _memory.is_contiguous(shape, strides, array._dtype.itemsize)


def accumulate(function: Any, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
    """The folded values so far along `axis`: same shape as `array`."""
    array = _convert.asarray(array)
    if not array.ndim:
        raise TypeError("cannot accumulate on a scalar")
    axis = _shaping.normal_axis(axis, array.ndim)
    held = _d.as_dtype(dtype) if dtype is not None else _widened(function, array._dtype)
    loop, result = function._resolve(function, held)
    source = array if array._dtype is loop else array.astype(loop)
    moved = _shaping.moveaxis(source, axis, -1)
    count = moved._shape[-1]
    values = moved._values()
    fast, patient = function._entry(loop)
    if loop.kind in "iu":
        step = lambda a, b: loop.wrap_int(int(patient(a, b)))  # noqa: E731
        if function.__name__ in ("maximum", "minimum"):
            step = fast
    elif loop in (_d.float64, _d.complex128) or loop.kind in "bU":
        step = patient
    else:
        rounded = _rounded(loop)
        step = lambda a, b: rounded(patient(a, b))  # noqa: E731
    done: list[Any] = []
    for at in range(0, len(values), count or 1):
        done.extend(_accumulate(values[at : at + count], step))
    if raised:
        _errors.report("accumulate")
    made = _shaping.moveaxis(_a.from_values(done, moved._shape, result), -1, axis)
    if out is not None:
        out[...] = made
        return out
    return made if made._is_contiguous() else made.copy()


def reduceat(function: Any, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
    """Folds array[indices[i]:indices[i+1]] for every i, or takes the one element where the slice is empty."""
    array = _convert.asarray(array)
    axis = _shaping.normal_axis(axis, array.ndim)
    moved = _shaping.moveaxis(array, axis, 0)
    starts = _convert.asarray(indices)._values()
    pieces = []
    for at, first in enumerate(starts):
        last = starts[at + 1] if at + 1 < len(starts) else len(moved)
        piece = moved[first:last] if last > first else moved[first : first + 1]
        pieces.append(reduce(function, piece, 0, dtype))
    made = _shaping.moveaxis(_shaping.stack(pieces), 0, axis)
    if out is not None:
        out[...] = made
        return out
    return made


def at(function: Any, array: Any, indices: Any, values: Any = None) -> None:
    """Applies `function` in place at `indices`, again for every repeated index."""
    numbers = _a.from_values(list(range(array.size)), array._shape, _d.int64)
    chosen = _convert.asarray(numbers[indices])
    places = chosen._values()
    held = array._dtype
    loop, _ = function._resolve(function, held)
    current = array._values()
    _, patient = function._entry(loop)
    if function.nin == 1:
        for place in places:
            current[place] = held.wrap(patient(current[place]))
    else:
        source = _convert.asarray(values)
        if not _d.can_cast_dtypes(source._dtype, held, "same_kind"):
            raise TypeError(f"Cannot cast ufunc '{function.__name__}' input 1 from {source._dtype!r} to {held!r} with "
                            "casting rule 'same_kind'")
        others = source.astype(held)._broadcast(chosen._shape)._values()
        for place, other in zip(places, others):
            current[place] = held.wrap(patient(current[place], other))
    if raised:
        _errors.report(function.__name__)
    array._store(held.pack(current))


def boxed(value: Any, held: _d.dtype) -> Any:
    """A folded value as a scalar of `held`."""
    return box(held.wrap(value), held)
