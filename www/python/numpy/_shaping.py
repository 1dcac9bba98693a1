"""Axes and shapes: moving, joining, splitting, repeating, padding."""

from __future__ import annotations

from math import prod
from typing import Any, Sequence

from . import _array as _a
from . import _convert, _memory
from . import _dtypes as _d


class AxisError(ValueError, IndexError):
    """An axis that the array does not have."""

    def __init__(self, axis: Any, ndim: int | None = None, msg_prefix: str | None = None) -> None:
        self.axis, self.ndim = axis, ndim
        text = axis if ndim is None else f"axis {axis} is out of bounds for array of dimension {ndim}"
        super().__init__(f"{msg_prefix}: {text}" if msg_prefix else text)


AxisError.__module__ = "numpy.exceptions"


def normal_axis(axis: Any, rank: int, prefix: str | None = None) -> int:
    """`axis` counted from the front. AxisError where there is none."""
    try:
        number = axis.__index__()
    except AttributeError:
        raise TypeError(f"'{type(axis).__name__}' object cannot be interpreted as an integer") from None
    if not -rank <= number < rank:
        raise AxisError(number, rank, prefix)
    return number + rank if number < 0 else number


def normal_axes(axis: Any, rank: int) -> tuple[int, ...]:
    """One axis, several, or all (None), counted from the front, in order."""
    if axis is None:
        return tuple(range(rank))
    if isinstance(axis, (tuple, list)):
        axes = [normal_axis(each, rank) for each in axis]
        if len(set(axes)) != len(axes):
            raise ValueError("duplicate value in 'axis'")
        return tuple(sorted(axes))
    if rank == 0 and axis in (0, -1):
        return ()
    return (normal_axis(axis, rank),)


def reshape(a: Any, /, shape: Any = None, order: str = "C", *, copy: bool | None = None) -> Any:
    """`a` with another shape."""
    return _convert.asarray(a).reshape(shape, order=order, copy=copy)


def ravel(a: Any, order: str = "C") -> Any:
    """`a` in one axis."""
    return _convert.asarray(a).ravel(order)


def transpose(a: Any, axes: Any = None) -> Any:
    """`a` with its axes reversed, or in the order `axes`."""
    return _convert.asarray(a).transpose(*(() if axes is None else (axes,)))


permute_dims = transpose


def matrix_transpose(x: Any, /) -> Any:
    """`x` with its last two axes exchanged."""
    made = _convert.asarray(x)
    if made.ndim < 2:
        raise ValueError("Input array must be at least 2-dimensional, but it is " + str(made.ndim))
    return swapaxes(made, -1, -2)


def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    """`a` with two axes exchanged."""
    made = _convert.asarray(a)
    order = list(range(made.ndim))
    one, two = normal_axis(axis1, made.ndim), normal_axis(axis2, made.ndim)
    order[one], order[two] = order[two], order[one]
    return made.transpose(order)


def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """`a` with axes moved to new places, the others in their order."""
    made = _convert.asarray(a)
    rank = made.ndim
    sources = [source] if not isinstance(source, (tuple, list)) else list(source)
    targets = [destination] if not isinstance(destination, (tuple, list)) else list(destination)
    if len(sources) != len(targets):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    sources = [normal_axis(axis, rank, "source") for axis in sources]
    targets = [normal_axis(axis, rank, "destination") for axis in targets]
    order = [axis for axis in range(rank) if axis not in sources]
    for target, axis in sorted(zip(targets, sources)):
        order.insert(target, axis)
    return made.transpose(order) if order else made


def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    """`a` with `axis` moved before `start`."""
    rank = _convert.asarray(a).ndim
    axis = normal_axis(axis, rank)
    start = start + rank if start < 0 else start
    return moveaxis(a, axis, start - 1 if axis < start else start)


def expand_dims(a: Any, axis: Any) -> Any:
    """`a` with axes of length one put in."""
    made = _convert.asarray(a)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    rank = made.ndim + len(axes)
    axes = normal_axes(tuple(axes), rank)
    lengths = iter(made._shape)
    return made.reshape(tuple(1 if at in axes else next(lengths) for at in range(rank)))


def squeeze(a: Any, axis: Any = None) -> Any:
    """`a` without axes of length one."""
    made = _convert.asarray(a)
    if axis is None:
        keep = [at for at, length in enumerate(made._shape) if length != 1]
    else:
        axes = normal_axes(axis, made.ndim)
        if any(made._shape[at] != 1 for at in axes):
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
        keep = [at for at in range(made.ndim) if at not in axes]
    if len(keep) == made.ndim:
        return made
    return _a.view_of(made._mem, made._offset, tuple(made._shape[at] for at in keep),
                      tuple(made._strides[at] for at in keep), made._dtype, made, made._writeable)


def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    """`array` stretched to `shape`: a view that may not be written."""
    made = _convert.asarray(array)
    shape = _a.as_shape(shape)
    strides = _memory.broadcast_strides(made._shape, made._strides, shape)
    if strides is None:
        if len(made._shape) > len(shape):
            raise ValueError("input operand has more dimensions than allowed by the axis remapping")
        raise ValueError(
            f"operands could not be broadcast together with remapped shapes [original->remapped]: "
            f"{_a.shape_text(made._shape)}  and requested shape {_a.shape_text(shape)}"
        )
    return _a.view_of(made._mem, made._offset, shape, strides, made._dtype, made, False)


def broadcast_shapes(*args: Any) -> tuple[int, ...]:
    """The shape to which all of these stretch."""
    shapes = [_a.as_shape(shape) for shape in args]
    try:
        return _memory.broadcast_shapes(*shapes) if shapes else ()
    except ValueError:
        first, second = _disagreeing(shapes)
        raise ValueError(
            f"shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg {first} with "
            f"shape {shapes[first]} and arg {second} with shape {shapes[second]}."
        ) from None


def _disagreeing(shapes: Sequence[Any]) -> tuple[int, int]:
    for second in range(len(shapes)):
        for first in range(second):
            try:
                _memory.broadcast_shapes(shapes[first], shapes[second])
            except ValueError:
                return first, second
    return 0, 1


def broadcast_arrays(*args: Any, subok: bool = False) -> tuple[Any, ...]:
    """All arrays stretched to their common shape."""
    arrays = [_convert.asarray(arg) for arg in args]
    shape = broadcast_shapes(*[each._shape for each in arrays])
    return tuple(each if each._shape == shape else broadcast_to(each, shape) for each in arrays)


def atleast_1d(*arys: Any) -> Any:
    """Arrays with at least one axis."""
    made = [each if (each := _convert.asarray(arg)).ndim else each.reshape(1) for arg in arys]
    return made[0] if len(made) == 1 else tuple(made)


def atleast_2d(*arys: Any) -> Any:
    """Arrays with at least two axes."""
    made = []
    for arg in arys:
        each = _convert.asarray(arg)
        made.append(each.reshape(1, 1) if each.ndim == 0 else each[None, :] if each.ndim == 1 else each)
    return made[0] if len(made) == 1 else tuple(made)


def atleast_3d(*arys: Any) -> Any:
    """Arrays with at least three axes."""
    made = []
    for arg in arys:
        each = _convert.asarray(arg)
        if each.ndim == 0:
            each = each.reshape(1, 1, 1)
        elif each.ndim == 1:
            each = each[None, :, None]
        elif each.ndim == 2:
            each = each[:, :, None]
        made.append(each)
    return made[0] if len(made) == 1 else tuple(made)


def concatenate(arrays: Any, /, axis: int | None = 0, out: Any = None, *, dtype: Any = None,
                casting: str = "same_kind") -> Any:
    """Arrays joined along an axis that they have."""
    parts = [_convert.asarray(each) for each in arrays]
    if not parts:
        raise ValueError("need at least one array to concatenate")
    if axis is None:
        parts, axis = [part.ravel() for part in parts], 0
    rank = parts[0].ndim
    if rank == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    axis = normal_axis(axis, rank)
    for number, part in enumerate(parts):
        if part.ndim != rank:
            raise ValueError(
                "all the input arrays must have same number of dimensions, but the array at index 0 has "
                f"{rank} dimension(s) and the array at index {number} has {part.ndim} dimension(s)"
            )
        for at in range(rank):
            if at != axis and part._shape[at] != parts[0]._shape[at]:
                raise ValueError(
                    "all the input array dimensions except for the concatenation axis must match exactly, but along "
                    f"dimension {at}, the array at index 0 has size {parts[0]._shape[at]} and the array at index "
                    f"{number} has size {part._shape[at]}"
                )
    held = parts[0]._dtype if dtype is None else _d.as_dtype(dtype)
    if dtype is None:
        for part in parts[1:]:
            held = _d.promote(held, part._dtype)
    total = sum(part._shape[axis] for part in parts)
    shape = parts[0]._shape[:axis] + (total,) + parts[0]._shape[axis + 1 :]
    chunk = prod(shape[axis + 1 :]) * held.itemsize
    blocks = [(part.astype(held, copy=False)._bytes(), part._shape[axis] * chunk) for part in parts]
    if axis == 0:
        data = b"".join([block for block, _ in blocks])
    else:
        rows = prod(shape[:axis])
        data = b"".join([block[row * size : (row + 1) * size] for row in range(rows) for block, size in blocks])
    made = _a.from_bytes(bytearray(data), shape, held)
    if out is not None:
        out[...] = made
        return out
    return made


concat = concatenate


def stack(arrays: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """Arrays of one shape joined along a new axis."""
    parts = [_convert.asarray(each) for each in arrays]
    if not parts:
        raise ValueError("need at least one array to stack")
    if len({part._shape for part in parts}) != 1:
        raise ValueError("all input arrays must have the same shape")
    axis = normal_axis(axis, parts[0].ndim + 1)
    return concatenate([expand_dims(part, axis) for part in parts], axis, out, dtype=dtype)


def vstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """Arrays joined as rows."""
    parts = [atleast_2d(each) for each in tup]
    return concatenate(parts, 0, dtype=dtype)


row_stack = vstack


def hstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """Arrays joined along the second axis (the first of flat ones)."""
    parts = [atleast_1d(each) for each in tup]
    return concatenate(parts, 0 if parts and parts[0].ndim == 1 else 1, dtype=dtype)


def dstack(tup: Any) -> Any:
    """Arrays joined along the third axis."""
    return concatenate([atleast_3d(each) for each in tup], 2)


def column_stack(tup: Any) -> Any:
    """Flat arrays as the columns of a matrix."""
    parts = [_convert.asarray(each) for each in tup]
    return concatenate([part.reshape(-1, 1) if part.ndim < 2 else part for part in parts], 1)


def block(arrays: Any) -> Any:
    """An array from nested lists of blocks."""
    depth = 0
    inner = arrays
    while isinstance(inner, list):
        inner, depth = inner[0], depth + 1

    def leaves(nested: Any) -> list[Any]:
        if isinstance(nested, list):
            return [leaf for each in nested for leaf in leaves(each)]
        return [_convert.asarray(nested)]

    rank = max([depth] + [leaf.ndim for leaf in leaves(arrays)])

    def join(nested: Any, level: int) -> Any:
        if not isinstance(nested, list):
            made = _convert.asarray(nested)
            return made.reshape((1,) * (rank - made.ndim) + made._shape)
        return concatenate([join(each, level + 1) for each in nested], rank - depth + level)

    return join(arrays, 0)


def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """`ary` cut into parts that may differ by one in length, or at given places."""
    made = _convert.asarray(ary)
    axis = normal_axis(axis, made.ndim)
    total = made._shape[axis]
    if hasattr(indices_or_sections, "__index__"):
        count = indices_or_sections.__index__()
        if count <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, extra = divmod(total, count)
        ends = [0]
        for at in range(count):
            ends.append(ends[-1] + each + (at < extra))
    else:
        ends = [0, *[int(at) for at in indices_or_sections], total]
    front = (slice(None),) * axis
    return [made[(*front, slice(first, last))] for first, last in zip(ends, ends[1:])]


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> list[Any]:
    """`ary` cut into equal parts, or at given places."""
    made = _convert.asarray(ary)
    if hasattr(indices_or_sections, "__index__") and made._shape[axis] % int(indices_or_sections):
        raise ValueError("array split does not result in an equal division")
    return array_split(made, indices_or_sections, axis)


def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    """The slices of `x` along `axis`."""
    return tuple(moveaxis(x, axis, 0)[at] for at in range(_convert.asarray(x)._shape[axis]))


def hsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """`ary` cut along its second axis (the first of a flat one)."""
    return split(ary, indices_or_sections, 1 if _convert.asarray(ary).ndim > 1 else 0)


def vsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """`ary` cut along its first axis."""
    return split(ary, indices_or_sections, 0)


def dsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """`ary` cut along its third axis."""
    return split(ary, indices_or_sections, 2)
