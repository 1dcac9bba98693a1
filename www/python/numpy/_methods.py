"""The methods of arrays; each is short and hands on to the function of that name."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as _np

from . import _dtypes as _d
from . import _kernels, _memory


class Methods:
    """Methods of `ndarray`."""

    __slots__ = ()

    def item(self, *index: Any) -> Any:
        """One element as a Python object."""
        if not index:
            if self.size != 1:
                raise ValueError("can only convert an array of size 1 to a Python scalar")
            return self._values()[0]
        if len(index) == 1 and not isinstance(index[0], tuple):
            return self.ravel()[index[0]].item()
        return self[index[0] if len(index) == 1 else index].item()

    def tolist(self) -> Any:
        """Nested lists of Python values."""
        values = self._values()
        if not self._shape:
            return values[0]
        if 0 in self._shape[1:]:
            return [self[at].tolist() for at in range(self._shape[0])]
        for length in reversed(self._shape[1:]):
            values = [values[at : at + length] for at in range(0, len(values), length)]
        return values

    def tobytes(self, order: str = "C") -> bytes:
        """The elements' bytes in row-major (or column-major) order."""
        return bytes((self.T if order == "F" else self)._bytes())

    def copy(self, order: str = "C") -> Any:
        """The same elements in new memory."""
        if order == "F" or (order in "KA" and not self._is_contiguous() and self.T._is_contiguous()):
            return self.T.copy().T
        return _np._array.from_bytes(bytearray(self._bytes()), self._shape, self._dtype)

    def astype(self, dtype: Any, order: str = "K", casting: str = "unsafe", subok: bool = True,
               copy: bool = True) -> Any:
        """The elements converted to `dtype`."""
        held = dtype if type(dtype) is _d.dtype else _d.as_dtype(dtype)
        if held is self._dtype:
            return self.copy(order) if copy else self
        if casting != "unsafe" and not _d.can_cast_dtypes(self._dtype, held, casting):
            raise TypeError(f"Cannot cast array data from {self._dtype!r} to {held!r} according to the rule "
                            f"'{casting}'")
        if not self._is_contiguous() and self.T._is_contiguous():
            return self.T.astype(held).T
        if _kernels.ready and self.size >= 64:
            made = _np._array.empty(self._shape, held)
            if _kernels.cast(self, made):
                return made
        return _cast(self, held)

    def view(self, dtype: Any = None, type: Any = None) -> Any:
        """The same memory, read as another dtype."""
        if dtype is _np.ndarray:
            dtype, type = None, dtype
        held = self._dtype if dtype is None else _d.as_dtype(dtype)
        shape, strides = self._shape, self._strides
        old, new = self._dtype.itemsize, held.itemsize
        if old != new:
            if not shape:
                raise ValueError("Changing the dtype of a 0d array is only supported if the itemsize is unchanged")
            if shape[-1] != 1 and strides[-1] != old:
                raise ValueError("To change to a dtype of a different size, the last axis must be contiguous")
            if shape[-1] * old % new:
                raise ValueError(
                    "When changing to a larger dtype, its size must be a divisor of the total size in bytes of the "
                    "last axis of the array."
                )
            shape = shape[:-1] + (shape[-1] * old // new,)
            strides = strides[:-1] + (new,)
        made = _np._array.view_of(self._mem, self._offset, shape, strides, held, self, self._writeable)
        if type is not None and type is not _np.ndarray:
            raise TypeError("subclasses of ndarray are not in Cotangent's NumPy")
        return made

    def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
        """The same elements with another shape: a view where the layout allows."""
        if len(shape) == 1 and not isinstance(shape[0], int):
            shape = shape[0]
        if isinstance(shape, (list, _np.ndarray)):
            shape = tuple(shape)
        if type(shape) is not tuple:
            shape = (shape,)
        if order == "F":
            return self.T.reshape(tuple(shape)[::-1]).T if self.ndim else self.reshape(shape)
        target = _fill_in(tuple(length.__index__() for length in shape), self.size)
        strides = None if copy else _memory.reshape_strides(
            self._shape, self._strides, target, self._dtype.itemsize)
        if strides is None:
            if copy is False:
                raise ValueError("Unable to avoid creating a copy while reshaping.")
            return _np._array.from_bytes(bytearray(self._bytes()), target, self._dtype)
        return _np._array.view_of(self._mem, self._offset, target, strides, self._dtype, self, self._writeable)

    def resize(self, *shape: Any, refcheck: bool = True) -> None:
        """Changes shape and size in place; new elements are zero."""
        target = _np._array.as_shape(shape[0] if len(shape) == 1 else shape)
        if self._base is not None:
            raise ValueError("cannot resize this array: it does not own its data")
        data = bytearray(self._bytes())
        size = prod(target) * self._dtype.itemsize
        data = data[:size] + bytes(size - len(data)) if size > len(data) else data[:size]
        made = _np._array.from_bytes(data, target, self._dtype)
        self._mem, self._offset, self._shape, self._strides = made._mem, 0, made._shape, made._strides
        self._flat = True

    def ravel(self, order: str = "C") -> Any:
        """The elements in one axis: a view where they lie so."""
        if order == "F" or (order in "KA" and not self._is_contiguous() and self.T._is_contiguous()):
            return self.T.ravel()
        return self.reshape((self.size,))

    def flatten(self, order: str = "C") -> Any:
        """A copy of the elements in one axis."""
        made = self.ravel(order)
        return made.copy() if made._mem is self._mem else made

    def transpose(self, *axes: Any) -> Any:
        """The axes in another order (a view); reversed by default."""
        if not axes or axes == (None,):
            return self.T
        order = axes[0] if len(axes) == 1 and not hasattr(axes[0], "__index__") else axes
        rank = self.ndim
        if len(order) != rank:
            raise ValueError("axes don't match array")
        order = [_np._shaping.normal_axis(axis, rank) for axis in order]
        if len(set(order)) != rank:
            raise ValueError("repeated axis in transpose")
        shape, strides = self._shape, self._strides
        return _np._array.view_of(self._mem, self._offset, tuple([shape[at] for at in order]),
                                  tuple([strides[at] for at in order]), self._dtype, self, self._writeable)

    def fill(self, value: Any) -> None:
        """Puts `value` in every place."""
        self[...] = value

    def conjugate(self) -> Any:
        """The complex conjugates."""
        return _np.conjugate(self) if self._dtype.kind == "c" else self

    conj = conjugate

    def byteswap(self, inplace: bool = False) -> Any:
        """The elements with their bytes in reverse order."""
        size = self._dtype.itemsize // (2 if self._dtype.kind == "c" else 1)
        data = bytearray(self._bytes())
        swapped = bytearray(len(data))
        for at in range(size):
            swapped[at::size] = data[size - 1 - at :: size]
        if inplace:
            self._store(swapped)
            return self
        return _np._array.from_bytes(swapped, self._shape, self._dtype)

    def dump(self, file: Any) -> None:
        """Refused: there are no files to write to."""
        raise NotImplementedError("files cannot be written here: print the array or use tolist() instead")

    def tofile(self, *args: Any, **kwargs: Any) -> None:
        """Refused: there are no files to write to."""
        raise NotImplementedError("files cannot be written here: print the array or use tolist() instead")

    def setflags(self, write: bool | None = None, align: bool | None = None, uic: bool | None = None) -> None:
        """Sets whether elements may be assigned."""
        if write is not None:
            self.flags.writeable = write

    def sort(self, axis: int = -1, kind: Any = None, order: Any = None, *, stable: bool | None = None) -> None:
        """Sorts in place along `axis`."""
        self[...] = _np.sort(self, axis)

    def partition(self, kth: Any, axis: int = -1, kind: str = "introselect", order: Any = None) -> None:
        """Puts the kth smallest in its sorted place, smaller before and larger behind."""
        self[...] = _np.sort(self, axis)

    def put(self, indices: Any, values: Any, mode: str = "raise") -> None:
        """Assigns to elements counted in row-major order."""
        _np.put(self, indices, values, mode)

    def itemset(self, *args: Any) -> None:
        """Refused as in NumPy 2."""
        raise AttributeError("`itemset` was removed from the ndarray class in NumPy 2.0. Use "
                             "`arr[index] = value` instead.")

    def to_device(self, device: str, *, stream: Any = None) -> Any:
        """The same array: there is one device."""
        return self

    device = property(lambda self: "cpu")
    mT = property(lambda self: _np.matrix_transpose(self))


def _fill_in(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """A shape in which one -1 may stand for what is left. ValueError where the sizes differ."""
    if -1 in shape:
        known = -prod(shape)
        if shape.count(-1) > 1:
            raise ValueError("can only specify one unknown dimension")
        if known == 0 or size % known:
            text = _np._array.shape_text(shape).replace("-1", "newaxis")
            raise ValueError(f"cannot reshape array of size {size} into shape {text}")
        return tuple(size // known if length == -1 else length for length in shape)
    if prod(shape) != size:
        raise ValueError(f"cannot reshape array of size {size} into shape {_np._array.shape_text(shape)}")
    return shape


_TEXT_WIDTHS = {
    "bool": 5, "int8": 4, "int16": 6, "int32": 11, "int64": 21, "uint8": 3, "uint16": 5, "uint32": 10, "uint64": 20,
    "float16": 32, "float32": 32, "float64": 32, "complex64": 64, "complex128": 64, "bfloat16": 32,
}


def _cast(array: Any, held: Any) -> Any:
    values = array._values()
    source = array._dtype
    if held.kind == "U":
        texts = list(map(str, values)) if source.kind != "f" else [_np._floats.float_text(v, source) for v in values]
        if not held.itemsize:
            held = _d.string_dtype(max(map(len, texts), default=1) if source.kind == "U" else _TEXT_WIDTHS[source.name])
        values = texts
    elif source.kind == "U":
        values = [_np._scalars._convert(held.type, text) for text in values]
    elif source.kind == "c" and held.kind != "c":
        if held.kind != "b":
            import warnings

            warnings.warn("Casting complex values to real discards the imaginary part", _np.exceptions.ComplexWarning,
                          stacklevel=3)
            values = [value.real for value in values]
    if held.kind in "iu" and source.kind in "fcV":
        values = [int(value) if abs(value) < float("inf") else held._low for value in values]
    return _np._array.from_values(values, array._shape, held)


def _attach(name: str, function: str) -> None:
    namespace = vars(_np)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return namespace[function](self, *args, **kwargs)

    method.__name__ = name
    method.__qualname__ = f"ndarray.{name}"
    method.__doc__ = f"As `numpy.{function}`."
    setattr(Methods, name, method)


for _name in (
    "sum", "prod", "mean", "std", "var", "min", "max", "argmin", "argmax", "any", "all", "cumsum", "cumprod", "clip",
    "dot", "trace", "diagonal", "repeat", "take", "squeeze", "swapaxes", "nonzero", "argsort", "searchsorted",
    "round", "argpartition",
):
    _attach(_name, _name)


def _compress(self: Any, condition: Any, axis: Any = None, out: Any = None) -> Any:
    """As `numpy.compress`."""
    return _np.compress(condition, self, axis, out)


def _choose(self: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    """As `numpy.choose`."""
    return _np.choose(self, choices, out=out, mode=mode)


Methods.choose = _choose  # type: ignore[attr-defined]
Methods.compress = _compress  # type: ignore[attr-defined]
