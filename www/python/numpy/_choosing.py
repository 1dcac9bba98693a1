"""Choosing elements by condition or index, and putting them back."""

from __future__ import annotations

from typing import Any

from . import _array as _a
from . import _convert, _indexing, _kernels, _shaping, _ufuncs
from . import _dtypes as _d

_PYTHON = (bool, int, float, complex)


def result_type(*arrays_and_dtypes: Any) -> _d.dtype:
    """The dtype that mixing these gives."""
    if not arrays_and_dtypes:
        raise ValueError("at least one array or dtype is required")
    strong = None
    weak = []
    for each in arrays_and_dtypes:
        kind = type(each)
        if kind in _PYTHON:
            weak.append(each)
            continue
        if kind is _d.dtype:
            held = each
        elif isinstance(each, (str, type)):
            held = _d.as_dtype(each)
        elif type(getattr(each, "dtype", None)) is _d.dtype:
            held = each.dtype
        else:
            held = _convert.asarray(each)._dtype
        strong = held if strong is None else _d.promote(strong, held)
    for value in sorted(weak, key=lambda value: _PYTHON.index(type(value))):
        kind = "bifc"[_PYTHON.index(type(value))]
        strong = _convert.scalar_dtype(value) if strong is None else _d.with_weak(strong, kind)
    return strong  # type: ignore[return-value]


def promote_types(type1: Any, type2: Any) -> _d.dtype:
    """The smallest dtype to which both cast safely."""
    return _d.promote(_d.as_dtype(type1), _d.as_dtype(type2))


def can_cast(from_: Any, to: Any, casting: str = "safe") -> bool:
    """Whether the casting rule allows the conversion."""
    if type(from_) in _PYTHON:
        raise TypeError(
            "can_cast() does not support Python ints, floats, and complex because the result used to depend on the "
            "value.\nThis change was part of adopting NEP 50, we may explicitly allow them again in the future."
        )
    source = from_.dtype if hasattr(from_, "dtype") and not isinstance(from_, type) else _d.as_dtype(from_)
    return _d.can_cast_dtypes(source, _d.as_dtype(to), casting)


def min_scalar_type(a: Any, /) -> _d.dtype:
    """The smallest dtype that holds the scalar `a`."""
    made = _convert.asarray(a)
    if made.ndim:
        return made._dtype
    value = made.item()
    if made._dtype.kind in "iu":
        order = (_d.uint8, _d.uint16, _d.uint32, _d.uint64) if value >= 0 else (_d.int8, _d.int16, _d.int32, _d.int64)
        return next(held for held in order if held._low <= value <= held._high)
    if made._dtype.kind == "f":
        for held, top in ((_d.float16, 65000.0), (_d.float32, 3.4e38)):
            if not abs(value) < float("inf") or abs(value) < top:
                return held
    return made._dtype


def where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    """Elements of `x` where the condition holds, of `y` elsewhere; without them, the indices where it holds."""
    if x is None and y is None:
        return nonzero(condition)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    held = result_type(x, y)
    mask = _convert.asarray(condition)
    one, two = _typed(x, held), _typed(y, held)
    try:
        shape = _shaping._memory.broadcast_shapes(mask._shape, one._shape, two._shape)
    except ValueError:
        text = " ".join(_a.shape_text(each._shape) for each in (mask, one, two))
        raise ValueError(f"operands could not be broadcast together with shapes {text} ") from None
    if mask._dtype is not _d.bool_:
        mask = mask.astype(_d.bool_)
    made = _a.empty(shape, held)
    if _kernels.ready and made.size >= 64 and _kernels.select(mask, one, two, made):
        return made
    if held.kind == "U":
        held = _d.promote(one._dtype, two._dtype)
    pairs = zip(mask._broadcast(shape)._values(), one._broadcast(shape)._values(), two._broadcast(shape)._values())
    return _a.from_values([first if yes else second for yes, first, second in pairs], shape, held)


def _typed(value: Any, held: Any) -> Any:
    if type(value) in _PYTHON:
        return _a.filled((), _convert.checked(value, held), held)
    made = _convert.asarray(value)
    return made if made._dtype is held else made.astype(held)


def nonzero(a: Any) -> tuple[Any, ...]:
    """The indices of the elements that are not zero, one array an axis."""
    made = _convert.asarray(a)
    if not made.ndim:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.")
    return _indexing.nonzero(made)


def argwhere(a: Any) -> Any:
    """The indices of the elements that are not zero, one row each."""
    made = _convert.asarray(a)
    if not made.ndim:
        return _a.empty((1 if made.item() else 0, 0), _d.int64)
    return _shaping.stack(nonzero(made), 1)


def flatnonzero(a: Any) -> Any:
    """The indices of the elements that are not zero in the flattened array."""
    return nonzero(_convert.asarray(a).ravel())[0]


def take(a: Any, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise") -> Any:
    """The elements (or slices along `axis`) at `indices`."""
    made = _convert.asarray(a)
    if axis is None:
        made, axis = made.ravel(), 0
    axis = _shaping.normal_axis(axis, made.ndim)
    chosen = _convert.asarray(indices)
    if chosen._dtype.kind not in "iub":
        if chosen.size:
            raise TypeError(f"Cannot cast array data from {chosen._dtype!r} to dtype('int64') according to the rule "
                            "'safe'")
        chosen = chosen.astype(_d.int64)
    chosen = _moded(chosen.astype(_d.int64, copy=False), made._shape[axis], mode)
    result = made[(*((slice(None),) * axis), chosen)]
    if out is not None:
        out[...] = result
        return out
    return result


def _moded(chosen: Any, length: int, mode: str) -> Any:
    if mode == "wrap":
        return _convert.asarray(chosen % length)
    if mode == "clip":
        return _convert.asarray(clip(chosen, 0, length - 1))
    if mode != "raise":
        raise ValueError(f"clipmode must be one of 'clip', 'raise', or 'wrap' (got '{mode}')")
    return chosen


def put(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    """Assigns to elements counted in row-major order, in place."""
    chosen = _moded(_convert.asarray(ind).ravel(), a.size, mode)
    values = _convert.asarray(v).ravel()
    if not chosen.size or not values.size:
        return
    flat = a.ravel().copy()
    listed = values._values()
    picked = [listed[at % len(listed)] for at in range(chosen.size)]
    flat[chosen] = _a.from_values(picked, (len(picked),), values._dtype)
    a._store(flat._bytes())


def take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> Any:
    """Elements at `indices`, which run along `axis`."""
    made, chosen = _convert.asarray(arr), _convert.asarray(indices)
    if axis is None:
        made, axis = made.ravel(), 0
    return made[_along(made, chosen, axis)]


def put_along_axis(arr: Any, indices: Any, values: Any, axis: int | None) -> None:
    """Assigns at `indices`, which run along `axis`, in place."""
    if axis is None:
        flat = arr.ravel()
        flat[_along(flat, _convert.asarray(indices), 0)] = values
        if flat._mem is not arr._mem:
            arr._store(flat._bytes())
        return
    arr[_along(arr, _convert.asarray(indices), axis)] = values


def _along(made: Any, chosen: Any, axis: int) -> tuple[Any, ...]:
    from ._creation import arange

    if chosen._dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if made.ndim != chosen.ndim:
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    axis = _shaping.normal_axis(axis, made.ndim)
    index: list[Any] = []
    for at in range(made.ndim):
        if at == axis:
            index.append(chosen)
        else:
            index.append(arange(made._shape[at]).reshape(tuple(-1 if one == at else 1 for one in range(made.ndim))))
    return tuple(index)


def clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None, *, min: Any = None, max: Any = None,
         **options: Any) -> Any:
    """Elements held between two bounds, either of which may be None."""
    low = min if a_min is None else a_min
    high = max if a_max is None else a_max
    made: Any = a if isinstance(a, _PYTHON) else _convert.asarray(a)
    if low is not None:
        made = _ufuncs.maximum(made, low)
    if high is not None:
        made = _ufuncs.minimum(made, high)
    if low is None and high is None:
        made = _ufuncs.positive(made)
    if out is not None:
        held = made.dtype
        if not _d.can_cast_dtypes(held, out._dtype, options.get("casting", "same_kind")):
            from ._ufunc import UFuncTypeError

            raise UFuncTypeError(f"Cannot cast ufunc 'clip' output from {held!r} to {out._dtype!r} with casting rule "
                                 "'same_kind'")
        out[...] = made
        return out
    return made


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Elements of the choice whose condition is the first that holds."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not condlist:
        raise ValueError("select with an empty condition list is not possible")
    held = result_type(*[each if type(each) in _PYTHON else _convert.asarray(each) for each in choicelist], default)
    made = _typed(default, held)
    for condition, choice in reversed(list(zip(condlist, choicelist))):
        test = _convert.asarray(condition)
        if test._dtype is not _d.bool_:
            raise TypeError("invalid entry 0 in condlist: should be boolean ndarray")
        made = where(test, _typed(choice, held), made)
    return made


def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    """Elements of the choices, each picked by its number in `a`."""
    listed = [_convert.asarray(each) for each in choices]
    number = _convert.asarray(a)
    if mode == "raise" and ((number < 0) | (number >= len(listed))).any():
        raise ValueError("invalid entry in choice array")
    number = _moded(number, len(listed), mode) if mode != "raise" else number
    result = select([number == at for at in range(len(listed))], listed)
    if out is not None:
        out[...] = result
        return out
    return result


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """A function of `x` given in pieces, each with its condition."""
    made = _convert.asarray(x)
    if isinstance(condlist, _a.ndarray) and condlist.ndim == made.ndim or isinstance(condlist, bool):
        condlist = [condlist]
    tests = [_convert.asarray(each, _d.bool_) for each in condlist]
    if len(funclist) == len(tests) + 1:
        rest = _a.filled(made._shape, True, _d.bool_)
        for test in tests:
            rest = rest & ~test
        tests.append(_convert.asarray(rest))
    result = _a.empty(made._shape, made._dtype)
    for test, function in zip(tests, funclist):
        if callable(function):
            if test.any():
                result[test] = function(made[test], *args, **kw)
        else:
            result[test] = function
    return result


def compress(condition: Any, a: Any, axis: int | None = None, out: Any = None) -> Any:
    """The slices along `axis` for which the condition holds."""
    return take(a, flatnonzero(condition), axis, out)


def extract(condition: Any, arr: Any) -> Any:
    """The elements for which the condition holds."""
    return take(arr, flatnonzero(condition))


def place(arr: Any, mask: Any, vals: Any) -> None:
    """Assigns `vals` one after another where the mask holds, in place."""
    chosen = flatnonzero(mask)
    put(arr, chosen, vals)


def putmask(a: Any, mask: Any, values: Any) -> None:
    """Assigns values[n] where mask.flat[n] holds, in place."""
    source = _convert.asarray(values).ravel()
    if source.size:
        chosen = flatnonzero(mask)
        put(a, chosen, take(source, _convert.asarray(chosen % source.size)))


def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """Writes `src` into `dst` where the mask holds."""
    if not isinstance(dst, _a.ndarray):
        raise TypeError(f"copyto() argument 1 must be numpy.ndarray, not {type(dst).__name__}")
    source = _typed(src, dst._dtype) if type(src) in _PYTHON else _convert.asarray(src)
    if not _d.can_cast_dtypes(source._dtype, dst._dtype, casting):
        raise TypeError(f"Cannot cast array data from {source._dtype!r} to {dst._dtype!r} according to the rule "
                        f"'{casting}'")
    if where is True:
        dst[...] = source
    else:
        mask = _shaping.broadcast_to(_convert.asarray(where, _d.bool_), dst._shape)
        dst[mask] = _shaping.broadcast_to(source, dst._shape)[mask]


def ravel_multi_index(multi_index: Any, dims: Any, mode: str = "raise", order: str = "C") -> Any:
    """Indices by axis as indices into the flattened array."""
    shape = _a.as_shape(dims)
    parts = [_convert.asarray(each) for each in multi_index]
    if order == "F":
        parts, shape = parts[::-1], shape[::-1]
    total: Any = 0
    for part, length in zip(parts, shape):
        if mode == "raise" and ((part < 0) | (part >= length)).any():
            raise ValueError("invalid entry in coordinates array")
        total = total * length + _moded(part, length, mode)
    return total


def unravel_index(indices: Any, shape: Any, order: str = "C") -> tuple[Any, ...]:
    """Indices into the flattened array as indices by axis."""
    lengths = _a.as_shape(shape)
    rest: Any = _convert.asarray(indices)
    size = 1
    for length in lengths:
        size *= length
    if ((rest < 0) | (rest >= size)).any():
        bad = next(value for value in rest.ravel()._values() if not 0 <= value < size)
        raise ValueError(f"index {bad} is out of bounds for array with size {size}")
    found = []
    rest = rest[()]
    for length in reversed(lengths) if order == "C" else lengths:
        found.append(rest % length)
        rest = rest // length
    return tuple(reversed(found) if order == "C" else found)


def packbits(a: Any, /, axis: int | None = None, bitorder: str = "big") -> Any:
    """Eight truth values to a byte, along `axis` (the flattened array by default)."""
    made = _convert.asarray(a)
    made = made.ravel() if axis is None else _shaping.moveaxis(made, axis, -1)
    count = made._shape[-1]
    values = list(map(bool, made._values()))
    done = []
    for start in range(0, len(values), count or 1):
        row = values[start : start + count] + [False] * (-count % 8)
        for at in range(0, len(row), 8):
            bits = row[at : at + 8] if bitorder == "big" else row[at : at + 8][::-1]
            done.append(int("".join("1" if bit else "0" for bit in bits), 2))
    result = _a.from_values(done, made._shape[:-1] + (-(-count // 8),), _d.uint8)
    return result if axis is None else _shaping.moveaxis(result, -1, axis)


def unpackbits(a: Any, /, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> Any:
    """The bits of bytes, along `axis` (the flattened array by default)."""
    made = _convert.asarray(a)
    if made._dtype is not _d.uint8:
        raise TypeError("Expected an input array of unsigned byte data type")
    made = made.ravel() if axis is None else _shaping.moveaxis(made, axis, -1)
    order = range(7, -1, -1) if bitorder == "big" else range(8)
    bits = [value >> at & 1 for value in made._values() for at in order]
    result = _a.from_values(bits, made._shape[:-1] + (8 * made._shape[-1],), _d.uint8)
    result = result if count is None else result[..., :count]
    return result if axis is None else _shaping.moveaxis(result, -1, axis)


def ix_(*args: Any) -> tuple[Any, ...]:
    """Flat arrays of indices shaped so that they index the grid they span."""
    found = []
    for at, arg in enumerate(args):
        made = _convert.asarray(arg)
        if made.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if made._dtype is _d.bool_:
            made = nonzero(made)[0]
        elif made.size == 0:
            made = made.astype(_d.int64)
        found.append(made.reshape((1,) * at + (-1,) + (1,) * (len(args) - at - 1)))
    return tuple(found)
