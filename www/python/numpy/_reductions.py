"""Sums, means, extremes, cumulative sums and the statistics made of them."""

from __future__ import annotations

import builtins
from math import prod as _product
from typing import Any

from . import _array as _a
from . import _convert, _shaping, _ufuncs
from . import _dtypes as _d
from ._folding import MISSING, reduce


def _flag(keepdims: Any) -> bool:
    return False if keepdims is MISSING else bool(keepdims)


def sum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = MISSING, initial: Any = MISSING,
        where: Any = True) -> Any:
    """The sum along `axis` (all axes by default)."""
    return reduce(_ufuncs.add, a, axis, dtype, out, _flag(keepdims), initial, where)


def prod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = MISSING,
         initial: Any = MISSING, where: Any = True) -> Any:
    """The product along `axis`."""
    return reduce(_ufuncs.multiply, a, axis, dtype, out, _flag(keepdims), initial, where)


def max(a: Any, axis: Any = None, out: Any = None, keepdims: Any = MISSING, initial: Any = MISSING,
        where: Any = True) -> Any:
    """The greatest along `axis`; nan wins."""
    return reduce(_ufuncs.maximum, a, axis, None, out, _flag(keepdims), initial, where)


def min(a: Any, axis: Any = None, out: Any = None, keepdims: Any = MISSING, initial: Any = MISSING,
        where: Any = True) -> Any:
    """The least along `axis`; nan wins."""
    return reduce(_ufuncs.minimum, a, axis, None, out, _flag(keepdims), initial, where)


amax, amin = max, min


def any(a: Any, axis: Any = None, out: Any = None, keepdims: Any = MISSING, *, where: Any = True) -> Any:
    """Whether any element along `axis` is true."""
    made = _truth(a)
    return reduce(_ufuncs.logical_or, made, axis, None, out, _flag(keepdims), MISSING, where)


def all(a: Any, axis: Any = None, out: Any = None, keepdims: Any = MISSING, *, where: Any = True) -> Any:
    """Whether all elements along `axis` are true."""
    made = _truth(a)
    return reduce(_ufuncs.logical_and, made, axis, None, out, _flag(keepdims), MISSING, where)


def _truth(a: Any) -> Any:
    made = _convert.asarray(a)
    return made if made._dtype is _d.bool_ else made.astype(_d.bool_)


def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """How many elements are not zero."""
    made = _truth(a)
    if axis is None and not keepdims:
        return _d.int64.type(bytes(made._bytes()).count(1))
    return sum(made, axis, keepdims=keepdims)


def mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = MISSING, *,
         where: Any = True) -> Any:
    """The arithmetic mean along `axis`."""
    made = _convert.asarray(a)
    half = False
    if dtype is None:
        if made._dtype.kind in "biu":
            dtype = _d.float64
        elif made._dtype is _d.float16:
            dtype, half = _d.float32, True
    axes = _shaping.normal_axes(axis, made.ndim)
    count = _counted(made, axes, axis, _flag(keepdims), where)
    if where is True and count == 0:
        import warnings

        warnings.warn("Mean of empty slice", RuntimeWarning, stacklevel=2)
    total = sum(made, axis, dtype, out, keepdims, where=where)
    if out is not None:
        return _ufuncs.true_divide(total, count, out=out, casting="unsafe")
    held = total.dtype
    result = total / count if where is True else _ufuncs.true_divide(total, count)
    return result.astype(_d.float16) if half else result.astype(held) if result.dtype is not held else result


def _counted(made: Any, axes: Any, axis: Any, keepdims: bool, where: Any) -> Any:
    if where is True:
        return _product(made._shape[at] for at in axes)
    mask = _shaping.broadcast_to(_convert.asarray(where, _d.bool_), made._shape)
    return sum(mask, axis, dtype=_d.int64, keepdims=keepdims)


def var(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: Any = MISSING, *,
        where: Any = True, mean: Any = MISSING, correction: Any = MISSING) -> Any:
    """The variance along `axis`: squares are divided by their number less `ddof`."""
    made = _convert.asarray(a)
    if correction is not MISSING:
        ddof = correction
    if dtype is None and made._dtype.kind in "biu":
        dtype = _d.float64
    axes = _shaping.normal_axes(axis, made.ndim)
    count = _counted(made, axes, axis, _flag(keepdims), where)
    if where is True and ddof >= count:
        import warnings

        warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=2)
    if mean is MISSING:
        total = _convert.asarray(sum(made, axis, dtype, None, True, where=where))
        middle = total / (count if where is True else _counted(made, axes, axis, True, where))
        if middle.dtype is not total.dtype:
            middle = middle.astype(total.dtype)
    else:
        middle = _convert.asarray(mean)
    parts = _convert.asarray(made - middle)
    if parts._dtype.kind == "c":
        parts = _convert.asarray(parts.real * parts.real + parts.imag * parts.imag)
    else:
        parts = _convert.asarray(parts * parts)
    total = sum(parts, axis, dtype if parts._dtype.kind != "c" else None, out, keepdims, where=where)
    left = count - ddof
    left = (left if left > 0 else 0) if where is True else _ufuncs.maximum(left, 0)
    if out is not None:
        return _ufuncs.true_divide(total, left, out=out, casting="unsafe")
    held = total.dtype
    result = total / left
    return result.astype(held) if result.dtype is not held else result


def std(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: Any = MISSING, *,
        where: Any = True, mean: Any = MISSING, correction: Any = MISSING) -> Any:
    """The standard deviation along `axis`."""
    found = var(a, axis, dtype, out, ddof, keepdims, where=where, mean=mean, correction=correction)
    return _ufuncs.sqrt(found) if out is None else _ufuncs.sqrt(found, out=out)


def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = MISSING) -> Any:
    """The greatest less the least along `axis`."""
    return _ufuncs.subtract(max(a, axis, keepdims=keepdims), min(a, axis, keepdims=keepdims), out=out)


def average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = MISSING) -> Any:
    """The weighted mean along `axis`."""
    made = _convert.asarray(a)
    if weights is None:
        result = mean(made, axis, keepdims=keepdims)
        scale: Any = result.dtype.type(made.size / _convert.asarray(result).size)
    else:
        factor = _convert.asarray(weights)
        if factor._shape != made._shape:
            if axis is None:
                raise TypeError("Axis must be specified when shapes of a and weights differ.")
            if factor.ndim == 1:
                place = _shaping.normal_axis(axis, made.ndim)
                if len(factor) != made._shape[place]:
                    raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
                factor = factor.reshape(tuple(-1 if at == place else 1 for at in range(made.ndim)))
                factor = _shaping.broadcast_to(factor, made._shape)
        held = _d.promote(made._dtype, factor._dtype)
        held = _d.float64 if held.kind in "biu" else held
        scale = sum(factor, axis, held, keepdims=keepdims)
        if (_convert.asarray(scale) == 0).any():
            raise ZeroDivisionError("Weights sum to zero, can't be normalized")
        result = sum(_ufuncs.multiply(made, factor, dtype=held), axis, keepdims=keepdims) / scale
    if returned:
        return result, _shaping.broadcast_to(scale, _convert.asarray(result)._shape).copy()[()]
    return result


def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """The sums so far along `axis` (of the flattened array by default)."""
    made, axis = _lined(a, axis)
    return _ufuncs.add.accumulate(made, axis, dtype, out)


def cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """The products so far along `axis`."""
    made, axis = _lined(a, axis)
    return _ufuncs.multiply.accumulate(made, axis, dtype, out)


def _lined(a: Any, axis: Any) -> tuple[Any, int]:
    made = _convert.asarray(a)
    return (made.ravel(), 0) if axis is None or not made.ndim else (made, axis)


def cumulative_sum(x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None,
                   include_initial: bool = False) -> Any:
    """As `cumsum`; with a zero in front if asked."""
    return _cumulative(x, axis, dtype, out, include_initial, cumsum, 0)


def cumulative_prod(x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None,
                    include_initial: bool = False) -> Any:
    """As `cumprod`; with a one in front if asked."""
    return _cumulative(x, axis, dtype, out, include_initial, cumprod, 1)


def _cumulative(x: Any, axis: Any, dtype: Any, out: Any, initial: bool, function: Any, first: int) -> Any:
    made = _convert.asarray(x)
    if axis is None:
        if made.ndim > 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        axis = 0
    done = function(made, axis, dtype, out)
    if not initial:
        return done
    shape = list(done._shape)
    shape[axis] = 1
    return _shaping.concatenate([_a.filled(tuple(shape), first, done._dtype), done], axis)


def argmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = MISSING) -> Any:
    """Where the greatest stands along `axis` (in the flattened array by default); the first of several."""
    return _argument(a, axis, out, _flag(keepdims), True)


def argmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = MISSING) -> Any:
    """Where the least stands along `axis`; the first of several."""
    return _argument(a, axis, out, _flag(keepdims), False)


def _argument(a: Any, axis: Any, out: Any, keepdims: bool, greatest: bool) -> Any:
    made = _convert.asarray(a)
    rank = made.ndim
    shape = (1,) * rank if axis is None or not rank else None
    axis = axis if axis is None else _shaping.normal_axis(axis, rank or 1)
    source = made.ravel() if axis is None or not rank else _shaping.moveaxis(made, axis, -1)
    count = source._shape[-1] if source.ndim else 1
    if count == 0:
        raise ValueError(f"attempt to get arg{'max' if greatest else 'min'} of an empty sequence")
    values = source._values()
    pick = builtins.max if greatest else builtins.min
    found = []
    nans = made._dtype.kind in "fc"
    for at in range(0, len(values), count):
        row = values[at : at + count] if count != len(values) else values
        best = None
        if nans:
            best = next((number for number, value in enumerate(row) if value != value), None)
        if best is None:
            if made._dtype.kind == "c":
                row = [(value.real, value.imag) for value in row]
            best = row.index(pick(row))
        found.append(best)
    outer = source._shape[:-1] if source.ndim else ()
    result = _a.from_values(found, outer, _d.int64) if found else _a.empty(outer, _d.int64)
    if keepdims:
        result = result.reshape(shape) if shape is not None else _shaping.expand_dims(result, axis)
    if out is not None:
        out[...] = result
        return out
    return result if result.ndim else result[()]


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    """Whether both have the same shape and elements."""
    one, two = _convert.asarray(a1), _convert.asarray(a2)
    if one._shape != two._shape:
        return False
    same = _ufuncs.equal(one, two)
    if equal_nan and one._dtype.kind in "fc":
        same = same | ((one != one) & (two != two))
    return bool(all(same))


def array_equiv(a1: Any, a2: Any) -> bool:
    """Whether both stretch to the same shape with the same elements."""
    one, two = _convert.asarray(a1), _convert.asarray(a2)
    try:
        return bool(all(_ufuncs.equal(one, two)))
    except ValueError:
        return False


def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    """Whether |a - b| <= atol + rtol |b|, element by element."""
    from ._errors import errstate

    one, two = _convert.asarray(a), _convert.asarray(b)
    if two._dtype.kind in "biu":
        two = two.astype(_d.float64)
    if one._dtype.kind == "b":
        one = one.astype(_d.float64)
    with errstate(all="ignore"):
        near = _ufuncs.absolute(one - two) <= atol + rtol * _ufuncs.absolute(two)
        result = (near & _ufuncs.isfinite(two)) | (one == two)
        if equal_nan:
            result = result | (_ufuncs.isnan(one) & _ufuncs.isnan(two))
    return result


def allclose(a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all elements are close."""
    return bool(all(isclose(a, b, rtol, atol, equal_nan)))
