"""Repeating, rolling, turning, padding, inserting: arrays made of another's elements; and differences of them."""

from __future__ import annotations

from typing import Any

from . import _array as _a
from . import _convert, _shaping, _ufuncs
from . import _dtypes as _d


def repeat(a: Any, repeats: Any, axis: int | None = None) -> Any:
    """Each element (or slice along `axis`) repeated."""
    made = _convert.asarray(a)
    if axis is None:
        made, axis = made.ravel(), 0
    axis = _shaping.normal_axis(axis, made.ndim)
    length = made._shape[axis]
    counts = _convert.asarray(repeats).ravel()._values()
    if len(counts) == 1:
        counts = counts * length
    elif len(counts) != length:
        raise ValueError(f"operands could not be broadcast together with shape ({length},) ({len(counts)},)")
    if any(count < 0 for count in counts):
        raise ValueError("repeats may not contain negative values.")
    chosen = [at for at, count in enumerate(counts) for _ in range(count)]
    return made[(*((slice(None),) * axis), _a.from_values(chosen, (len(chosen),), _d.int64))]


def tile(A: Any, reps: Any) -> Any:
    """`A` laid side by side."""
    made = _convert.asarray(A)
    times = tuple(reps) if hasattr(reps, "__len__") else (reps,)
    rank = max(len(times), made.ndim)
    times = (1,) * (rank - len(times)) + times
    made = made.reshape((1,) * (rank - made.ndim) + made._shape)
    shape = tuple(length for pair in zip(times, made._shape) for length in pair)
    inner = tuple(length for each in made._shape for length in (1, each))
    spread = _shaping.broadcast_to(made.reshape(inner), shape)
    return spread.reshape(tuple(one * two for one, two in zip(times, made._shape))).copy()


def flip(m: Any, axis: Any = None) -> Any:
    """`m` with axes reversed (a view)."""
    made = _convert.asarray(m)
    axes = _shaping.normal_axes(axis, made.ndim)
    return made[tuple(slice(None, None, -1) if at in axes else slice(None) for at in range(made.ndim))]


def flipud(m: Any) -> Any:
    """`m` upside down."""
    return flip(m, 0)


def fliplr(m: Any) -> Any:
    """`m` from right to left."""
    return flip(m, 1)


def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """`m` turned by quarter turns in the plane of two axes."""
    made = _convert.asarray(m)
    first, second = (_shaping.normal_axis(axis, made.ndim) for axis in axes)
    k %= 4
    if k == 0:
        return made[...]
    if k == 2:
        return flip(flip(made, first), second)
    if k == 1:
        return _shaping.swapaxes(flip(made, second), first, second)
    return flip(_shaping.swapaxes(made, first, second), second)


def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """`a` with elements moved along axes, those that fall off coming back at the start."""
    made = _convert.asarray(a)
    if axis is None:
        return roll(made.ravel(), shift, 0).reshape(made._shape)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    shifts = tuple(shift) if hasattr(shift, "__len__") else (shift,) * len(axes)
    if len(axes) == 1 and len(shifts) > 1:
        axes = tuple(axes) * len(shifts)
    for each, step in zip(axes, shifts):
        place = _shaping.normal_axis(each, made.ndim)
        length = made._shape[place]
        if length and int(step) % length:
            step = int(step) % length
            front = (slice(None),) * place
            made = _shaping.concatenate([made[(*front, slice(length - step, None))],
                                         made[(*front, slice(0, length - step))]], place)
    return made if made._mem is not _convert.asarray(a)._mem else made.copy()


def append(arr: Any, values: Any, axis: int | None = None) -> Any:
    """`arr` with `values` behind it."""
    if axis is None:
        return _shaping.concatenate([_convert.asarray(arr).ravel(), _convert.asarray(values).ravel()])
    return _shaping.concatenate([arr, values], axis)


def delete(arr: Any, obj: Any, axis: int | None = None) -> Any:
    """`arr` without the slices at `obj`."""
    made = _convert.asarray(arr)
    if axis is None:
        made, axis = made.ravel(), 0
    axis = _shaping.normal_axis(axis, made.ndim)
    length = made._shape[axis]
    if isinstance(obj, slice):
        gone = set(range(length)[obj])
    else:
        index = _convert.asarray(obj)
        if index._dtype is _d.bool_:
            index = index.nonzero()[0]
        gone = set()
        for number in index.ravel()._values():
            if not -length <= number < length:
                raise IndexError(f"index {number} is out of bounds for axis {axis} with size {length}")
            gone.add(number % length)
    keep = [at for at in range(length) if at not in gone]
    return made[(*((slice(None),) * axis), _a.from_values(keep, (len(keep),), _d.int64))]


def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Any:
    """`arr` with `values` put in before the positions `obj`."""
    made = _convert.asarray(arr)
    if axis is None:
        made, axis = made.ravel(), 0
    axis = _shaping.normal_axis(axis, made.ndim)
    length = made._shape[axis]
    single = hasattr(obj, "__index__") and not isinstance(obj, _a.ndarray)
    wanted = list(range(length)[obj]) if isinstance(obj, slice) else _convert.asarray(obj).ravel()._values()
    for number in wanted:
        if not -length <= number <= length:
            raise IndexError(f"index {obj if single else number} is out of bounds for axis {axis} with size {length}")
    places = [number + length if number < 0 else number for number in wanted]
    source = _convert.asarray(values).astype(made._dtype)
    moved = _shaping.moveaxis(made, axis, 0)
    if single:
        if source.ndim == made.ndim:
            block = _shaping.moveaxis(source, axis, 0)
        elif made.ndim == 1:
            block = source.reshape(-1)
        else:
            block = source[None]
        block = _shaping.broadcast_to(block, (len(block), *moved._shape[1:]))
        joined = _shaping.concatenate([moved[: places[0]], block, moved[places[0] :]])
        return _shaping.moveaxis(joined, 0, axis)
    shape = made._shape[:axis] + (len(places),) + made._shape[axis + 1 :]
    block = _shaping.moveaxis(_shaping.broadcast_to(source, shape), axis, 0)
    order = sorted(range(len(places)), key=lambda at: places[at])
    pieces = []
    last = 0
    for at in order:
        pieces.extend([moved[last : places[at]], block[at : at + 1]])
        last = places[at]
    joined = _shaping.concatenate([*pieces, moved[last:]])
    return _shaping.moveaxis(joined, 0, axis)


def resize(a: Any, new_shape: Any) -> Any:
    """The elements of `a`, repeated as needed, in a new shape."""
    made = _convert.asarray(a).ravel()
    shape = _a.as_shape(new_shape)
    size = 1
    for length in shape:
        size *= length
    if not made.size:
        return _a.empty(shape, made._dtype)
    data = bytes(made._bytes()) * (size // made.size + 1)
    return _a.from_bytes(bytearray(data[: size * made.itemsize]), shape, made._dtype)


def trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    """A flat array without zeros at its ends."""
    made = _convert.asarray(filt)
    found = made.nonzero()[0]._values() if made.size else []
    if not found:
        return made[:0]
    first = found[0] if "f" in trim.lower() else 0
    last = found[-1] + 1 if "b" in trim.lower() else len(made)
    return filt[first:last]


def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """`array` with borders: constant, edge, wrap, reflect, symmetric, linear_ramp, maximum, minimum, mean, median."""
    made = _convert.asarray(array)
    if isinstance(pad_width, dict):
        listed = [(0, 0)] * made.ndim
        for axis, each in pad_width.items():
            listed[axis] = (each, each) if isinstance(each, int) else tuple(each)
        pad_width = listed
    widths = _pairs(pad_width, made.ndim)
    if any(width < 0 for pair in widths for width in pair):
        raise ValueError("index can't contain negative values")
    known = ("constant", "empty", "edge", "wrap", "reflect", "symmetric", "linear_ramp", "maximum", "minimum", "mean",
             "median")
    if mode not in known:
        raise ValueError(f"mode '{mode}' is not supported")
    for axis, (before, after) in enumerate(widths):
        if before or after:
            made = _pad_axis(made, axis, before, after, mode, kwargs)
    return made if made._mem is not _convert.asarray(array)._mem else made.copy()


def _pairs(given: Any, rank: int) -> list[tuple[Any, Any]]:
    made = _convert.asarray(given)
    values = _shaping.broadcast_to(made, (rank, 2)).tolist()
    return [(first, second) for first, second in values]


def _pad_axis(made: Any, axis: int, before: int, after: int, mode: str, options: dict[str, Any]) -> Any:
    length = made._shape[axis]
    front = (slice(None),) * axis
    shape = made._shape
    if mode in ("constant", "empty", "linear_ramp", "maximum", "minimum", "mean", "median"):
        parts = [made]
        for size, side in ((before, 0), (after, 1)):
            block = _a.empty(shape[:axis] + (size,) + shape[axis + 1 :], made._dtype)
            if mode == "constant":
                block[...] = _pairs(options.get("constant_values", 0), made.ndim)[axis][side]
            elif mode == "linear_ramp":
                block = _ramp(made, axis, size, side, options)
            elif mode != "empty":
                block[...] = _statistic(made, axis, mode, options, side)
            parts = [block, *parts] if side == 0 else [*parts, block]
        return _shaping.concatenate(parts, axis)
    if length == 0:
        raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
    if mode == "edge":
        chosen = [min(max(at, 0), length - 1) for at in range(-before, length + after)]
    elif mode == "wrap":
        chosen = [at % length for at in range(-before, length + after)]
    else:
        bounce = 2 * length - 2 if mode == "reflect" else 2 * length
        chosen = []
        for at in range(-before, length + after):
            if length == 1:
                chosen.append(0)
                continue
            place = at % bounce
            top = bounce - place if mode == "reflect" else bounce - 1 - place
            chosen.append(place if place < length else top)
    return made[(*front, _a.from_values(chosen, (len(chosen),), _d.int64))]


def _ramp(made: Any, axis: int, size: int, side: int, options: dict[str, Any]) -> Any:
    from ._creation import linspace

    end = _pairs(options.get("end_values", 0), made.ndim)[axis][side]
    front = (slice(None),) * axis
    edge = made[(*front, 0 if side == 0 else -1)]
    ramp = linspace(end, edge, size, endpoint=False, axis=axis)
    if made._dtype.kind in "iu":
        ramp = _ufuncs.trunc(ramp)
    ramp = ramp.astype(made._dtype)
    return ramp if side == 0 else flip(ramp, axis)


def _statistic(made: Any, axis: int, mode: str, options: dict[str, Any], side: int) -> Any:
    from . import _reductions, _sorting

    stat = options.get("stat_length")
    length = made._shape[axis]
    if stat is not None:
        size = min(_pairs(stat, made.ndim)[axis][side], length)
        front = (slice(None),) * axis
        made = made[(*front, slice(0, size) if side == 0 else slice(length - size, length))]
    function = {"maximum": _reductions.max, "minimum": _reductions.min, "mean": _reductions.mean,
                "median": _sorting.median}[mode]
    found = function(made, axis=axis, keepdims=True)
    return _ufuncs.rint(found) if made._dtype.kind in "iu" and mode in ("mean", "median") else found


def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """The n-th differences of neighbours along `axis`."""
    made = _convert.asarray(a)
    if made.ndim == 0:
        raise ValueError("diff requires input that is at least one dimensional")
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    axis = _shaping.normal_axis(axis, made.ndim)
    parts = []
    for extra in (prepend, None, append):
        if extra is None:
            continue
        each = _convert.asarray(extra)
        if each.ndim == 0:
            each = _shaping.broadcast_to(each, tuple(1 if at == axis else length
                                                     for at, length in enumerate(made._shape)))
        parts.append(each)
    if prepend is not None or append is not None:
        joined = ([parts[0]] if prepend is not None else []) + [made] + ([parts[-1]] if append is not None else [])
        made = _shaping.concatenate(joined, axis)
    front = (slice(None),) * axis
    step = _ufuncs.not_equal if made._dtype is _d.bool_ else _ufuncs.subtract
    for _ in range(n):
        made = step(made[(*front, slice(1, None))], made[(*front, slice(None, -1))])
    return made


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """The differences of neighbours in the flattened array."""
    made = diff(_convert.asarray(ary).ravel())
    parts = [made]
    if to_begin is not None:
        parts.insert(0, _convert.asarray(to_begin).ravel())
    if to_end is not None:
        parts.append(_convert.asarray(to_end).ravel())
    return _shaping.concatenate(parts) if len(parts) > 1 else made


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """Central differences inside, one-sided ones at the ends, by axis."""
    made = _convert.asarray(f)
    if made._dtype.kind in "biu":
        made = made.astype(_d.float64)
    axes = _shaping.normal_axes(axis, made.ndim)
    steps = list(varargs) if varargs else [1.0]
    if len(steps) == 1:
        steps = steps * len(axes)
    if len(steps) != len(axes):
        raise TypeError("invalid number of arguments")
    found = []
    for each, step in zip(axes, steps):
        if made._shape[each] < edge_order + 1:
            raise ValueError("Shape of array too small to calculate a numerical gradient, at least (edge_order + 1) "
                             "elements are required.")
        found.append(_gradient_axis(made, each, step, edge_order))
    return found[0] if len(found) == 1 else tuple(found)


def _gradient_axis(made: Any, axis: int, step: Any, order: int) -> Any:
    y = _shaping.moveaxis(made, axis, 0)
    result = _a.empty(y._shape, y._dtype)
    spacing = _convert.asarray(step)
    if spacing.ndim == 0:
        h = spacing.item()
        result[1:-1] = (y[2:] - y[:-2]) / (2.0 * h)
        if order == 1:
            result[0] = (y[1] - y[0]) / h
            result[-1] = (y[-1] - y[-2]) / h
        else:
            result[0] = -1.5 / h * y[0] + 2.0 / h * y[1] + -0.5 / h * y[2]
            result[-1] = 0.5 / h * y[-3] + -2.0 / h * y[-2] + 1.5 / h * y[-1]
    else:
        gaps = diff(spacing).reshape((-1,) + (1,) * (y.ndim - 1))
        left, right = gaps[:-1], gaps[1:]
        result[1:-1] = (-(right) / (left * (left + right)) * y[:-2] + (right - left) / (left * right) * y[1:-1]
                        + left / (right * (left + right)) * y[2:])
        result[0] = (y[1] - y[0]) / gaps[0]
        result[-1] = (y[-1] - y[-2]) / gaps[-1]
    return _shaping.moveaxis(result, 0, axis)


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """The integral by the trapezoidal rule."""
    from ._reductions import sum

    made = _shaping.moveaxis(_convert.asarray(y), axis, -1)
    widths = dx if x is None else diff(_convert.asarray(x))
    return sum(widths * (made[..., 1:] + made[..., :-1]) / 2.0, -1)


def unwrap(p: Any, discont: Any = None, axis: int = -1, *, period: Any = 6.283185307179586) -> Any:
    """Angles without jumps of more than half a period."""
    from ._choosing import where

    made = _convert.asarray(p)
    jumps = diff(made, axis=axis)
    limit = period / 2 if discont is None else discont
    wrapped = (jumps + period / 2) % period - period / 2
    wrapped = where((wrapped == -period / 2) & (jumps > 0), period / 2, wrapped)
    fixes = where(_ufuncs.absolute(jumps) < limit, 0, wrapped - jumps)
    result = made.astype(_d.promote(made._dtype, _d.float64) if made._dtype.kind != "f" else made._dtype)
    front = (slice(None),) * _shaping.normal_axis(axis, made.ndim)
    result[(*front, slice(1, None))] = made[(*front, slice(1, None))] + _ufuncs.add.accumulate(fixes, axis)
    return result


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """Linear interpolation between the points (xp, fp)."""
    from bisect import bisect_right

    at, places, values = _convert.asarray(x), _convert.asarray(xp), _convert.asarray(fp)
    if len(places) != len(values):
        raise ValueError("fp and xp are not of the same length.")
    if period is not None:
        at, places = _convert.asarray(at % period), _convert.asarray(places % period)
        order = places.argsort()
        places, values = places[order], values[order]
        places = _shaping.concatenate([places[-1:] - period, places, places[:1] + period])
        values = _shaping.concatenate([values[-1:], values, values[:1]])
    known = [float(place) for place in places._values()]
    heights = values._values()
    low = heights[0] if left is None else left
    high = heights[-1] if right is None else right
    found = []
    for place in at.ravel()._values():
        if place != place:
            found.append(place)
        elif place < known[0]:
            found.append(low)
        elif place > known[-1]:
            found.append(high)
        else:
            spot = bisect_right(known, place) - 1
            if spot >= len(known) - 1:
                found.append(heights[-1])
                continue
            slope = (heights[spot + 1] - heights[spot]) / (known[spot + 1] - known[spot])
            found.append(slope * (place - known[spot]) + heights[spot])
    held = _d.complex128 if values._dtype.kind == "c" else _d.float64
    made = _a.from_values(found, at._shape, held)
    return made if made.ndim else made[()]
