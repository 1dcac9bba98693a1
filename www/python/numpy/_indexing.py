"""Reading and writing by index: integers, slices, None and Ellipsis as views, integer and boolean arrays by copy."""

from __future__ import annotations

from math import prod
from typing import Any, Iterator

from . import _array as _a
from . import _convert, _kernels, _memory
from . import _dtypes as _d
from ._scalars import bool_, box, generic, integer


def get(array: Any, index: Any) -> Any:
    """`array[index]`: a scalar, a view or (for arrays of indices) a copy."""
    if type(index) is int and len(array._shape) == 1:
        length = array._shape[0]
        if index < 0:
            index += length
        if not 0 <= index < length:
            raise IndexError(
                f"index {index if index >= length else index - length} is out of bounds for axis 0 with size {length}"
            )
        return element(array, array._offset + index * array._strides[0])
    if isinstance(index, str):
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are "
            "valid indices"
        )
    shape, strides, offset, fancy, whole = resolve(array, index)
    if fancy:
        return _take(array, shape, strides, offset, fancy)
    if not shape and whole:
        return element(array, offset)
    made = _a.view_of(array._mem, offset, shape, strides, array._dtype, array, array._writeable)
    if type(index) is _a.ndarray or type(index) is tuple and any(type(item) is _a.ndarray for item in index):
        return made.copy()  # an array without axes is an index like any array: what it chooses is copied
    return made


def element(array: Any, offset: int) -> Any:
    """The scalar at a byte offset."""
    held = array._dtype
    if held._struct is not None:
        return box(held._struct.unpack_from(array._mem, offset)[0], held)
    return box(held.unpack(array._mem[offset : offset + held.itemsize])[0], held)


def put(array: Any, index: Any, value: Any) -> None:
    """`array[index] = value`."""
    if not array._writeable:
        raise ValueError("assignment destination is read-only")
    shape, strides, offset, fancy, whole = resolve(array, index)
    held = array._dtype
    if fancy:
        _scatter(array, shape, strides, offset, fancy, value, index)
        return
    if not shape and type(value) in _convert._PYTHON:
        data = memoryview(held.pack([_convert.checked(value, held)])).cast("B")
        array._mem[offset : offset + held.itemsize] = data
        return
    target = _a.view_of(array._mem, offset, shape, strides, held)
    if whole and not shape and not isinstance(value, generic):
        if isinstance(value, (list, tuple)) and held.kind in "iuf":
            kind = type(value).__name__
            raise TypeError("int() argument must be a string, a bytes-like object or a real number, not "
                            f"'{kind}'") if held.kind != "f" else ValueError(
                                "setting an array element with a sequence.")
        made = _convert.asarray(value)
        if made.size != 1:
            raise ValueError("setting an array element with a sequence.")
        value = made.reshape(())
    assign(target, value)


def assign(target: Any, value: Any) -> None:
    """`target[...] = value` with casting and broadcasting."""
    held = target._dtype
    if type(value) in _convert._PYTHON:
        one = bytes(memoryview(held.pack([_convert.checked(value, held)])).cast("B"))
        target._store(one * target.size)
        return
    source = value if type(value) is _a.ndarray else _convert.asarray(value)
    if len(source._shape) > len(target._shape):
        extra = len(source._shape) - len(target._shape)
        if all(length == 1 for length in source._shape[:extra]):
            source = source.reshape(source._shape[extra:])
    source = source._broadcast(target._shape)
    if source._dtype is not held:
        if _kernels.ready and _kernels.cast(source, target):
            return
        source = source.astype(held)
    data = source._bytes()
    target._store(bytes(data) if source._mem is target._mem else data)


def _integer(item: Any) -> int | None:
    """The int that an index item is, None where it is no integer."""
    if type(item) is int:
        return item
    if isinstance(item, (bool, bool_)):
        return None
    if isinstance(item, integer):
        return item._v
    if isinstance(item, _a.ndarray):
        return item._values()[0] if not item._shape and item._dtype.kind in "iu" else None
    if isinstance(item, (list, tuple, slice, generic)) or item is None or item is Ellipsis:
        return None
    if hasattr(item, "__index__") and not getattr(item, "shape", ()):
        try:
            return item.__index__()
        except TypeError:
            return None
    return None


def resolve(array: Any, index: Any) -> tuple[Any, Any, int, list[tuple[int, Any]], bool]:
    """Applies the basic part of an index.

    Gives shape, strides and offset of the view, the arrays of indices with the axis of the view each stands on
    (integers beside them included), and whether only integers were given.
    """
    items = list(index) if type(index) is tuple else [index]
    shape, strides, offset = array._shape, array._strides, array._offset
    parsed: list[Any] = []
    used = 0
    whole = True
    fancy = False
    ellipsis = False
    for item in items:
        if item is Ellipsis:
            if ellipsis:
                raise IndexError("an index can only have a single ellipsis ('...')")
            ellipsis = True
            whole = False
        elif item is None:
            whole = False
        elif isinstance(item, slice):
            used += 1
            whole = False
        elif (number := _integer(item)) is not None:
            used += 1
            item = number
        else:
            item = _index_array(item)
            fancy = True
            whole = False
            used += item.ndim if item._dtype is _d.bool_ else 1
        parsed.append(item)
    if used > len(shape):
        raise IndexError(
            f"too many indices for array: array is {len(shape)}-dimensional, but {used} were indexed"
        )
    rest = len(shape) - used
    if not ellipsis:
        parsed.append(Ellipsis)
    if not fancy:
        return _basic(parsed, shape, strides, offset, rest) + ([], whole)
    return _mixed(parsed, shape, strides, offset, rest)


def _index_array(item: Any) -> Any:
    made = _convert.asarray(item)
    if made._dtype.kind not in "iub":
        if made.size == 0 and isinstance(item, (list, tuple)):
            return made.astype(_d.int64)
        if isinstance(item, (float, complex, generic)) or not made._shape:
            raise IndexError(
                "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays "
                "are valid indices"
            )
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return made


def _one(number: int, axis: int, length: int) -> int:
    if number < -length or number >= length:
        raise IndexError(f"index {number} is out of bounds for axis {axis} with size {length}")
    return number + length if number < 0 else number


def _basic(parsed: list[Any], shape: Any, strides: Any, offset: int, rest: int) -> tuple[Any, Any, int]:
    lengths: list[int] = []
    steps: list[int] = []
    axis = 0
    for item in parsed:
        if item is None:
            lengths.append(1)
            steps.append(0)
        elif item is Ellipsis:
            lengths.extend(shape[axis : axis + rest])
            steps.extend(strides[axis : axis + rest])
            axis += rest
        elif type(item) is int:
            offset += _one(item, axis, shape[axis]) * strides[axis]
            axis += 1
        else:
            first, last, step = item.indices(shape[axis])
            count = max(0, (last - first + step - (1 if step > 0 else -1)) // step)
            if count:
                offset += first * strides[axis]
            lengths.append(count)
            steps.append(step * strides[axis])
            axis += 1
    return tuple(lengths), tuple(steps), offset


def _mixed(parsed: list[Any], shape: Any, strides: Any, offset: int, rest: int) -> Any:
    """As `_basic`, keeping whole the axes that arrays of indices (and integers beside them) stand on."""
    basic: list[Any] = []
    fancy: list[tuple[int, Any]] = []
    place = 0  # the axis of the view that comes next
    axis = 0
    for item in parsed:
        if item is None:
            basic.append(None)
            place += 1
        elif item is Ellipsis:
            basic.extend([slice(None)] * rest)
            place += rest
            axis += rest
        elif isinstance(item, slice):
            basic.append(item)
            place += 1
            axis += 1
        elif type(item) is int:
            basic.append(slice(None))
            fancy.append((place, _a.filled((), _one(item, axis, shape[axis]), _d.int64)))
            place += 1
            axis += 1
        elif item._dtype is _d.bool_:
            for at, length in enumerate(item._shape):
                if length != shape[axis + at]:
                    raise IndexError(
                        f"boolean index did not match indexed array along axis {axis + at}; size of axis is "
                        f"{shape[axis + at]} but size of corresponding boolean axis is {length}"
                    )
            if item.ndim == 0:
                basic.append(None)
                chosen = [0] if item._values()[0] else []
                fancy.append((place, _a.from_values(chosen, (len(chosen),), _d.int64)))
                place += 1
                continue
            for found in nonzero(item):
                basic.append(slice(None))
                fancy.append((place, found))
                place += 1
                axis += 1
        else:
            basic.append(slice(None))
            fancy.append((place, item))
            place += 1
            axis += 1
    lengths, steps, offset = _basic(basic, shape, strides, offset, 0)
    return lengths, steps, offset, fancy, False


def nonzero(array: Any) -> tuple[Any, ...]:
    """The indices of the elements that are not zero, one int64 array an axis."""
    if _kernels.ready and array.size >= 64 and array._dtype.kind != "U":
        mask = array if array._dtype is _d.bool_ else array.astype(_d.bool_)
        mask = mask if mask._is_contiguous() else mask.copy()
        count = bytes(mask._bytes()).count(1)
        arrays = [_a.empty((count,), _d.int64) for _ in array._shape]
        if _kernels.nonzero(mask, arrays):
            return tuple(arrays)
    data = array._bytes() if array._dtype is _d.bool_ else bytes(map(bool, array._values()))
    if len(array._shape) == 1:
        places = [at for at, value in enumerate(data) if value]
        return (_a.from_values(places, (len(places),), _d.int64),)
    places = [at for at, value in enumerate(data) if value]
    found = []
    for length in reversed(array._shape):
        found.append(_a.from_values([at % length for at in places], (len(places),), _d.int64))
        places = [at // length for at in places]
    return tuple(reversed(found))


def _plan(shape: Any, strides: Any, offset: int, fancy: list[tuple[int, Any]]) -> Any:
    """Places of the chosen elements, chosen axes first; the shapes; and where the chosen axes go in the result."""
    try:
        common = _memory.broadcast_shapes(*[each._shape for _, each in fancy])
    except ValueError:
        shapes = " ".join(_a.shape_text(each._shape) for _, each in fancy if each._shape)
        raise IndexError(
            f"shape mismatch: indexing arrays could not be broadcast together with shapes {shapes} "
        ) from None
    count = prod(common)
    places: list[int] | None = None
    for axis, each in fancy:
        length, step = shape[axis], strides[axis]
        numbers = each._broadcast(common)._values()
        if numbers and (min(numbers) < -length or max(numbers) >= length):
            bad = next(number for number in numbers if not -length <= number < length)
            raise IndexError(f"index {bad} is out of bounds for axis {axis} with size {length}")
        moves = [(number + length if number < 0 else number) * step for number in numbers]
        places = moves if places is None else list(map(int.__add__, places, moves))
    axes = [axis for axis, _ in fancy]
    rest = [axis for axis in range(len(shape)) if axis not in axes]
    rest_shape = tuple(shape[axis] for axis in rest)
    rest_strides = tuple(strides[axis] for axis in rest)
    together = axes[-1] - axes[0] == len(axes) - 1
    first = axes[0] if together else 0
    assert places is not None and len(places) == count
    if offset:
        places = [place + offset for place in places]
    return places, common, rest_shape, rest_strides, first


def _quick(array: Any, shape: Any, strides: Any, offset: int, fancy: Any) -> Any:
    """What a kernel needs to move by index: the common shape, that of the rest, where the chosen axes stand."""
    try:
        common = _memory.broadcast_shapes(*[each._shape for _, each in fancy])
    except ValueError:
        return None
    axes = [axis for axis, _ in fancy]
    rest = [axis for axis in range(len(shape)) if axis not in axes]
    rest_shape = tuple(shape[axis] for axis in rest)
    size = array._dtype.itemsize
    if prod(common) < 16 or not _memory.is_contiguous(rest_shape, tuple(strides[axis] for axis in rest), size):
        return None
    first = axes[0] if axes[-1] - axes[0] == len(axes) - 1 else 0
    return common, rest_shape, first, prod(rest_shape) * size


def _take(array: Any, shape: Any, strides: Any, offset: int, fancy: Any) -> Any:
    quick = _quick(array, shape, strides, offset, fancy) if _kernels.ready else None
    if quick is not None:
        common, rest_shape, first, block = quick
        made = _a.empty(common + rest_shape, array._dtype)
        if block and _kernels.take(array, shape, strides, offset, fancy, common, block, made._mem, False):
            return _placed(made, len(common), first)
    places, common, rest_shape, rest_strides, first = _plan(shape, strides, offset, fancy)
    held = array._dtype
    size = held.itemsize
    block = prod(rest_shape) * size
    if rest_shape and block and _memory.is_contiguous(rest_shape, rest_strides, size):
        memory = array._mem
        data: Any = b"".join([memory[at : at + block] for at in places])
    else:
        if rest_shape:
            inner = _memory.offsets(rest_shape, rest_strides, 0)
            places = [place + step for place in places for step in inner]
        data = _memory.gather(array._mem, places, size)
    made = _a.from_bytes(bytearray(memoryview(data).cast("B")), common + rest_shape, held)
    return _placed(made, len(common), first)


def _placed(made: Any, count: int, first: int) -> Any:
    """Moves the first `count` axes to stand at `first`."""
    if first == 0 or count == 0:
        return made
    order = list(range(count, count + first)) + list(range(count)) + list(range(count + first, made.ndim))
    return made.transpose(order)


def _scatter(array: Any, shape: Any, strides: Any, offset: int, fancy: Any, value: Any, index: Any) -> None:
    held = array._dtype
    quick = _quick(array, shape, strides, offset, fancy) if _kernels.ready else None
    if quick is not None and not quick[2]:
        common, rest_shape, first, block = quick
        final = common + rest_shape
        source = _a.empty(final, held)
        try:
            source[...] = value
        except ValueError:  # the message must tell of the index: see below
            block = 0
        if block and _kernels.take(array, shape, strides, offset, fancy, common, block, source._mem, True):
            return
    places, common, rest_shape, rest_strides, first = _plan(shape, strides, offset, fancy)
    final = rest_shape[:first] + common + rest_shape[first:]
    if type(value) in _convert._PYTHON:
        value = _a.filled((), _convert.checked(value, held), held)
    source = _convert.asarray(value)
    while len(source._shape) > len(final) and source._shape[0] == 1:
        source = source.reshape(source._shape[1:])
    if _memory.broadcast_strides(source._shape, source._strides, final) is None:
        if type(index) is not tuple and len(source._shape) == len(final) == 1 and _index_array(index)._dtype is _d.bool_:
            raise ValueError(
                f"NumPy boolean array indexing assignment cannot assign {source.size} input values to the "
                f"{len(places)} output values where the mask is true"
            )
        raise ValueError(
            f"shape mismatch: value array of shape {_a.shape_text(source._shape)} could not be broadcast to indexing "
            f"result of shape {_a.shape_text(final)}"
        )
    source = source._broadcast(final)
    if source._dtype is not held:
        source = source.astype(held)
    if first and common:
        count = len(common)
        order = list(range(first, first + count)) + list(range(first)) + list(range(first + count, len(final)))
        source = source.transpose(order)
    if rest_shape:
        inner = _memory.offsets(rest_shape, rest_strides, 0)
        places = [place + step for place in places for step in inner]
    data = source._bytes()
    _memory.scatter(array._mem, places, held.itemsize, memoryview(bytes(data)))


class Flat:
    """`array.flat`: the elements in row-major order."""

    __slots__ = ("_array", "_at")

    def __init__(self, array: Any) -> None:
        self._array = array
        self._at = 0

    base = property(lambda self: self._array)

    def __iter__(self) -> Iterator[Any]:
        held = self._array._dtype
        return iter([box(value, held) for value in self._array._values()])

    def __next__(self) -> Any:
        if self._at >= self._array.size:
            raise StopIteration
        self._at += 1
        return self[self._at - 1]

    def __len__(self) -> int:
        return self._array.size

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self._array.ravel()

    def copy(self) -> Any:
        """A copy in one dimension."""
        return self._array.flatten()

    def __getitem__(self, index: Any) -> Any:
        return self._array.ravel()[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        flat = self._array.ravel().copy()
        if index is Ellipsis or isinstance(index, slice):
            size = flat[index].size
            values = _convert.asarray(value).ravel()
            if values.size and values.size != size:
                repeated = values._values() * (size // values.size + 1)
                value = _a.from_values(repeated[:size], (size,), values._dtype)
        flat[index] = value
        self._array._store(flat._bytes())
