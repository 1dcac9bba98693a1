"""Reductions that leave nan out."""

from __future__ import annotations

import warnings
from typing import Any

from . import _array as _a
from . import _choosing, _convert, _functions, _reductions, _shaping, _sorting, _ufuncs
from . import _dtypes as _d


def _filled(a: Any, value: Any) -> tuple[Any, Any]:
    """`a` with `value` in place of nan, and where nan was (None where there cannot be any)."""
    made = _convert.asarray(a)
    if made._dtype.kind not in "fc":
        return made, None
    lost = _convert.asarray(_ufuncs.isnan(made))
    return _convert.asarray(_choosing.where(lost, made._dtype.type(value), made)), lost


def _counts(lost: Any, made: Any, axis: Any, keepdims: Any) -> Any:
    if lost is None:
        lost = _a.empty(made._shape, _d.bool_)
    return _reductions.sum(~lost, axis, dtype=_d.int64, keepdims=keepdims)


def nansum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
    """The sum without nan."""
    return _reductions.sum(_filled(a, 0)[0], axis, dtype, out, keepdims, **options)


def nanprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
    """The product without nan."""
    return _reductions.prod(_filled(a, 1)[0], axis, dtype, out, keepdims, **options)


def nancumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """The sums so far, nan counted as zero."""
    return _reductions.cumsum(_filled(a, 0)[0], axis, dtype, out)


def nancumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """The products so far, nan counted as one."""
    return _reductions.cumprod(_filled(a, 1)[0], axis, dtype, out)


def _extreme(a: Any, axis: Any, out: Any, keepdims: Any, value: float, function: Any, options: Any) -> Any:
    made, lost = _filled(a, value)
    found = function(made, axis, out, keepdims, **options)
    if lost is not None:
        none = _reductions.all(lost, axis, keepdims=keepdims)
        if _convert.asarray(none).any():
            warnings.warn("All-NaN slice encountered" if _convert.asarray(found).ndim else "All-NaN axis encountered",
                          RuntimeWarning, stacklevel=3)
            found = _choosing.where(none, float("nan"), found)[()]
    return found


def nanmax(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
    """The greatest without nan."""
    return _extreme(a, axis, out, keepdims, -float("inf"), _reductions.max, options)


def nanmin(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
    """The least without nan."""
    return _extreme(a, axis, out, keepdims, float("inf"), _reductions.min, options)


def nanargmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    """Where the greatest stands, nan left out."""
    return _place(a, axis, out, keepdims, -float("inf"), _reductions.argmax)


def nanargmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    """Where the least stands, nan left out."""
    return _place(a, axis, out, keepdims, float("inf"), _reductions.argmin)


def _place(a: Any, axis: Any, out: Any, keepdims: Any, value: float, function: Any) -> Any:
    made, lost = _filled(a, value)
    if lost is not None and _convert.asarray(_reductions.all(lost, axis)).any():
        raise ValueError("All-NaN slice encountered")
    return function(made, axis, out, keepdims=keepdims)


def nanmean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = False, **options: Any) -> Any:
    """The mean without nan."""
    made, lost = _filled(a, 0)
    if lost is None:
        return _reductions.mean(made, axis, dtype, out, keepdims, **options)
    count = _counts(lost, made, axis, keepdims)
    total = _reductions.sum(made, axis, dtype, None, keepdims)
    if (_convert.asarray(count) == 0).any():
        warnings.warn("Mean of empty slice", RuntimeWarning, stacklevel=2)
    from ._errors import errstate

    with errstate(all="ignore"):
        found = _ufuncs.true_divide(total, count).astype(total.dtype)
    if out is not None:
        out[...] = found
        return out
    return found


def nanvar(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: Any = False,
           **options: Any) -> Any:
    """The variance without nan."""
    made, lost = _filled(a, 0)
    if lost is None:
        return _reductions.var(made, axis, dtype, out, ddof, keepdims, **options)
    count = _counts(lost, made, axis, True)
    middle = _ufuncs.true_divide(_reductions.sum(made, axis, keepdims=True), count).astype(made._dtype)
    parts = _choosing.where(lost, made._dtype.type(0), made - middle)
    total = _reductions.sum(_ufuncs.absolute(parts) ** 2 if made._dtype.kind == "c" else parts * parts, axis,
                            keepdims=keepdims)
    left = _counts(lost, made, axis, keepdims) - ddof
    from ._errors import errstate

    if (_convert.asarray(left) <= 0).any():
        warnings.warn("Degrees of freedom <= 0 for slice.", RuntimeWarning, stacklevel=2)
    with errstate(all="ignore"):
        found = _ufuncs.true_divide(total, left).astype(total.dtype)
    return _choosing.where(left <= 0, float("nan"), found)[()] if _convert.asarray(left <= 0).any() else found


def nanstd(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: Any = False,
           **options: Any) -> Any:
    """The standard deviation without nan."""
    return _ufuncs.sqrt(nanvar(a, axis, dtype, None, ddof, keepdims, **options), out=out)


def _by_line(a: Any, axis: Any, keepdims: bool, function: Any) -> Any:
    made = _convert.asarray(a)
    if axis is None:
        flat = made.ravel()
        found = function(flat[~_convert.asarray(_ufuncs.isnan(flat))])
        return _convert.asarray(found).reshape((1,) * made.ndim) if keepdims else found
    found = _functions.apply_along_axis(lambda line: function(line[~_ufuncs.isnan(line)]), axis, made)
    return _shaping.expand_dims(found, axis) if keepdims else found


def _or_nan(function: Any) -> Any:
    def apply(line: Any) -> Any:
        if not line.size:
            warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=5)
            return float("nan")
        return function(line)

    return apply


def nanmedian(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    """The median without nan."""
    return _by_line(a, axis, keepdims, _or_nan(_sorting.median))


def nanquantile(a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
                method: str = "linear", keepdims: bool = False, **options: Any) -> Any:
    """Quantiles without nan."""
    found = _by_line(a, axis, keepdims, _or_nan(lambda line: _sorting.quantile(line, q, method=method)))
    return _shaping.moveaxis(found, axis, 0) if axis is not None and _convert.asarray(q).ndim else found


def nanpercentile(a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
                  method: str = "linear", keepdims: bool = False, **options: Any) -> Any:
    """Percentiles without nan."""
    found = _by_line(a, axis, keepdims, _or_nan(lambda line: _sorting.percentile(line, q, method=method)))
    return _shaping.moveaxis(found, axis, 0) if axis is not None and _convert.asarray(q).ndim else found
