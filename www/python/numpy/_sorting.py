"""Sorting, searching, counting in bins, and order statistics."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any

from . import _array as _a
from . import _convert, _kernels, _shaping, _ufuncs
from . import _dtypes as _d


def _key(held: _d.dtype) -> Any:
    """A sort key that puts nan last; None where plain order serves."""
    if held.kind in "fV":
        return lambda value: (value != value, value if value == value else 0.0)
    if held.kind == "c":
        return lambda value: (value.real != value.real, value.imag != value.imag,
                              value.real if value.real == value.real else 0.0,
                              value.imag if value.imag == value.imag else 0.0)
    return None


def _has_nan(values: list[Any], held: _d.dtype) -> bool:
    return held.kind in "fcV" and any(value != value for value in values)


def sort(a: Any, axis: int | None = -1, kind: Any = None, order: Any = None, *, stable: bool | None = None) -> Any:
    """A sorted copy along `axis`; nan comes last."""
    made = _convert.asarray(a)
    if axis is None:
        made, axis = made.ravel(), 0
    if not made.ndim:
        raise _shaping.AxisError(axis, 0)
    moved = _shaping.moveaxis(made, axis, -1)
    if _kernels.ready and made.size >= 64:
        copied = moved.copy()
        if _kernels.sort(copied):
            return _back(copied, axis)
    values = moved._values()
    count = moved._shape[-1] or 1
    key = _key(made._dtype) if made._dtype.kind == "c" or _has_nan(values, made._dtype) else None
    done: list[Any] = []
    for at in range(0, len(values), count):
        done.extend(sorted(values[at : at + count], key=key))
    return _back(_a.from_values(done, moved._shape, made._dtype), axis)


def _back(made: Any, axis: int) -> Any:
    result = _shaping.moveaxis(made, -1, axis)
    return result if result._is_contiguous() else result.copy()


def argsort(a: Any, axis: int | None = -1, kind: Any = None, order: Any = None, *,
            stable: bool | None = None) -> Any:
    """The indices that sort `a` along `axis`; equal elements keep their order."""
    made = _convert.asarray(a)
    if axis is None:
        made, axis = made.ravel(), 0
    if not made.ndim:
        made, axis = made.reshape(1), 0
    moved = _shaping.moveaxis(made, axis, -1)
    values = moved._values()
    count = moved._shape[-1] or 1
    key = _key(made._dtype) if made._dtype.kind == "c" or _has_nan(values, made._dtype) else None
    done: list[int] = []
    for at in range(0, len(values), count):
        row = values[at : at + count]
        keys = row if key is None else list(map(key, row))
        done.extend(sorted(range(len(row)), key=keys.__getitem__))
    return _back(_a.from_values(done, moved._shape, _d.int64), axis)


def partition(a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: Any = None) -> Any:
    """A copy with the kth smallest in its sorted place; here wholly sorted."""
    return sort(a, axis)


def argpartition(a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: Any = None) -> Any:
    """Indices for `partition`; here those that sort."""
    return argsort(a, axis)


def lexsort(keys: Any, axis: int = -1) -> Any:
    """The indices that sort by the last key, then the one before it, and so on."""
    rows = [_convert.asarray(key) for key in keys]
    values = [row._values() for row in rows]
    order = sorted(range(len(values[0])), key=lambda at: tuple(row[at] for row in reversed(values)))
    return _a.from_values(order, (len(order),), _d.int64)


def sort_complex(a: Any) -> Any:
    """A sorted complex copy."""
    made = sort(a)
    return made if made._dtype.kind == "c" else made.astype(_d.promote(made._dtype, _d.complex64))


def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """Where each of `v` would be put into the sorted `a`."""
    made = _convert.asarray(a)
    if sorter is not None:
        made = made[_convert.asarray(sorter)]
    if side not in ("left", "right"):
        raise ValueError(f"search side must be 'left' or 'right' (got {side!r})")
    values = made._values()
    wanted = _convert.asarray(v)
    find = bisect_left if side == "left" else bisect_right
    key = _key(made._dtype) if _has_nan(values, made._dtype) or _has_nan(wanted._values(), wanted._dtype) else None
    if key is not None:
        values = list(map(key, values))
    found = [find(values, value if key is None else key(value)) for value in wanted._values()]
    result = _a.from_values(found, wanted._shape, _d.int64)
    return result if result.ndim else result[()]


def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """The number of the bin in which each of `x` falls; bins may fall as well as rise."""
    edges = _convert.asarray(bins)
    values = edges._values()
    rising = all(one <= two for one, two in zip(values, values[1:]))
    if not rising and not all(one >= two for one, two in zip(values, values[1:])):
        raise ValueError("bins must be monotonically increasing or decreasing")
    side = "left" if right else "right"
    if rising:
        return searchsorted(edges, x, side)
    return len(values) - searchsorted(edges[::-1], x, "right" if right else "left")


def bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    """How often each whole number occurs, or the sum of its weights."""
    made = _convert.asarray(x)
    if made.ndim != 1:
        raise ValueError("object too deep for desired array" if made.ndim > 1 else "object of too small depth for "
                         "desired array")
    if made._dtype.kind not in "iub":
        if made.size:
            raise TypeError(f"Cannot cast array data from {made._dtype!r} to dtype('int64') according to the rule "
                            "'safe'")
        made = made.astype(_d.int64)
    values = made._values()
    if values and min(values) < 0:
        raise ValueError("'list' argument must have no negative elements")
    size = max(max(values, default=-1) + 1, minlength)
    if weights is None:
        counts = [0] * size
        for value in values:
            counts[value] += 1
        return _a.from_values(counts, (size,), _d.int64)
    heavy = _convert.asarray(weights, _d.float64)
    if heavy._shape != made._shape:
        raise ValueError("The weights and list don't have the same length.")
    totals = [0.0] * size
    for value, weight in zip(values, heavy._values()):
        totals[value] += weight
    return _a.from_values(totals, (size,), _d.float64)


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """The edges that `histogram` uses."""
    from ._creation import linspace

    made = _convert.asarray(a).ravel()
    if isinstance(bins, str):
        bins = _estimated(made, bins, range)
    if hasattr(bins, "__index__") and not getattr(bins, "shape", ()):
        if bins < 1:
            raise ValueError("`bins` must be positive, when an integer")
        if range is not None:
            low, high = range
            if low > high:
                raise ValueError("max must be larger than min in range parameter.")
        elif not made.size:
            low, high = 0.0, 1.0
        else:
            low, high = made.min(), made.max()
            if not (_ufuncs.isfinite(low) and _ufuncs.isfinite(high)):
                raise ValueError(f"autodetected range of [{low}, {high}] is not finite")
        if low == high:
            low, high = low - 0.5, high + 0.5
        held = _d.promote(_d.promote(_convert.asarray(low)._dtype, _convert.asarray(high)._dtype), made._dtype)
        held = held if held.kind in "fc" else _d.float64
        return linspace(low, high, int(bins) + 1, dtype=held)
    edges = _convert.asarray(bins)
    if (edges[:-1] > edges[1:]).any():
        raise ValueError("`bins` must increase monotonically, when an array")
    return edges


def _estimated(made: Any, rule: str, span: Any) -> int:
    from math import ceil, log2

    size = made.size
    if not size:
        return 1
    width = float(made.max() - made.min())
    if rule == "sqrt":
        return max(1, ceil(size**0.5))
    sturges = width / (log2(size) + 1.0)
    if rule == "sturges":
        return max(1, ceil(width / sturges)) if sturges else 1
    if rule not in ("auto", "fd"):
        raise ValueError(f"{rule!r} is not a valid estimator for `bins` in Cotangent's NumPy")
    quarter, three = percentile(made, [25, 75])
    spread = 2.0 * float(three - quarter) * size ** (-1.0 / 3.0)
    chosen = spread if rule == "fd" else min(spread, sturges) if spread else sturges
    return max(1, ceil(width / chosen)) if chosen else 1


def histogram(a: Any, bins: Any = 10, range: Any = None, density: bool | None = None, weights: Any = None) -> Any:
    """Counts of the elements in bins, and the bins' edges."""
    made = _convert.asarray(a).ravel()
    edges = histogram_bin_edges(made, bins, range)
    heavy = None if weights is None else _convert.asarray(weights).ravel()._values()
    known = edges._values()
    held = _d.int64 if heavy is None else _d.as_dtype(_convert.asarray(weights)._dtype)
    counts: list[Any] = [0] * (len(known) - 1)
    for at, value in enumerate(made._values()):
        if known[0] <= value <= known[-1]:
            spot = min(bisect_right(known, value) - 1, len(counts) - 1)
            counts[spot] += 1 if heavy is None else heavy[at]
    total = _a.from_values(counts, (len(counts),), held)
    if density:
        widths = edges[1:] - edges[:-1]
        total = total / widths / total.sum()
    return total, edges


def histogram2d(x: Any, y: Any, bins: Any = 10, range: Any = None, density: bool | None = None,
                weights: Any = None) -> Any:
    """Counts of points in a grid of bins, and the edges by axis."""
    both = list(bins) if isinstance(bins, (list, tuple)) and len(bins) == 2 else [bins, bins]
    spans = range if range is not None else (None, None)
    one, two = _convert.asarray(x), _convert.asarray(y)
    across, up = histogram_bin_edges(one, both[0], spans[0]), histogram_bin_edges(two, both[1], spans[1])
    left, low = across._values(), up._values()
    counts = [[0.0] * (len(low) - 1) for _ in left[:-1]]
    heavy = None if weights is None else _convert.asarray(weights)._values()
    for at, (first, second) in enumerate(zip(one._values(), two._values())):
        if left[0] <= first <= left[-1] and low[0] <= second <= low[-1]:
            row = min(bisect_right(left, first) - 1, len(left) - 2)
            column = min(bisect_right(low, second) - 1, len(low) - 2)
            counts[row][column] += 1.0 if heavy is None else heavy[at]
    total = _convert.array(counts)
    if density:
        area = (across[1:] - across[:-1])[:, None] * (up[1:] - up[:-1])[None, :]
        total = total / area / total.sum()
    return total, across, up


def median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    """The middle value along `axis`, the mean of two where their number is even."""
    from ._reductions import mean

    made = _convert.asarray(a)
    axes = _shaping.normal_axes(axis, made.ndim)
    rest = [at for at in range(made.ndim) if at not in axes]
    flat = made.transpose(rest + list(axes)).reshape(tuple(made._shape[at] for at in rest) + (-1,)) if made.ndim else (
        made.reshape(1))
    ordered = sort(flat)
    count = ordered._shape[-1]
    if not count:
        return mean(made, axis)
    half = count // 2
    middle = ordered[..., half : half + 1] if count % 2 else ordered[..., half - 1 : half + 1]
    found = mean(middle, -1)
    if made._dtype.kind in "fc":
        from ._choosing import where

        lost = _ufuncs.isnan(ordered[..., -1])
        if _convert.asarray(lost).any():
            found = where(lost, ordered[..., -1], found)[()]
    if keepdims:
        found = _convert.asarray(found).reshape(tuple(1 if at in axes else length
                                                      for at, length in enumerate(made._shape)))
    if out is not None:
        out[...] = found
        return out
    return found


_METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def quantile(a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
             method: str = "linear", keepdims: bool = False, *, weights: Any = None) -> Any:
    """The q-th quantiles along `axis`, 0 <= q <= 1."""
    wanted = _convert.asarray(q)
    if wanted._dtype.kind in "biu":
        wanted = wanted.astype(_d.float64)
    if wanted.size and ((wanted < 0) | (wanted > 1)).any():
        raise ValueError("Quantiles must be in the range [0, 1]")
    return _quantile(a, wanted, axis, out, method, keepdims)


def percentile(a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
               method: str = "linear", keepdims: bool = False, *, weights: Any = None) -> Any:
    """The q-th percentiles along `axis`, 0 <= q <= 100."""
    wanted = _convert.asarray(_convert.asarray(q) / 100)
    if wanted.size and ((wanted < 0) | (wanted > 1)).any():
        raise ValueError("Percentiles must be in the range [0, 100]")
    return _quantile(a, wanted, axis, out, method, keepdims)


def _quantile(a: Any, wanted: Any, axis: Any, out: Any, method: str, keepdims: bool) -> Any:
    if method not in _METHODS:
        raise ValueError(f"{method!r} is not a valid method in Cotangent's NumPy: use one of {sorted(_METHODS)}")
    made = _convert.asarray(a)
    if made._dtype.kind in "biu" and method in ("linear", "midpoint"):
        made = made.astype(_d.float64)
    axes = _shaping.normal_axes(axis, made.ndim)
    rest = [at for at in range(made.ndim) if at not in axes]
    outer = tuple(made._shape[at] for at in rest)
    flat = made.transpose(rest + list(axes)).reshape(outer + (-1,)) if made.ndim else made.reshape(1)
    ordered = sort(flat)
    count = ordered._shape[-1]
    found = []
    for place in wanted.ravel()._values():
        spot = place * (count - 1)
        low = int(spot // 1)
        high = min(low + 1, count - 1)
        part = spot - low
        if method == "lower":
            found.append(ordered[..., low])
        elif method == "higher":
            found.append(ordered[..., high if part else low])
        elif method == "nearest":
            found.append(ordered[..., int(round(spot))])
        else:
            part = 0.5 if method == "midpoint" and part else part
            first, second = ordered[..., low], ordered[..., high]
            gap = second - first
            value = first + gap * part if part < 0.5 else second - gap * (1 - part)
            found.append(value)
    held = made._dtype if wanted._dtype.kind != "f" else _d.promote(made._dtype, wanted._dtype) if (
        wanted.ndim) else made._dtype
    stacked = _shaping.stack([_convert.asarray(value) for value in found]) if found else _a.empty((0, *outer), held)
    if made._dtype.kind == "f":
        from ._choosing import where

        lost = _convert.asarray(_ufuncs.isnan(ordered[..., -1]))
        if lost.any():
            stacked = where(lost, float("nan"), stacked)
    kept = tuple(1 if at in axes else length for at, length in enumerate(made._shape)) if keepdims else outer
    result = stacked.reshape(wanted._shape + kept)
    if out is not None:
        out[...] = result
        return out
    return result if result.ndim else result[()]
