"""The array: a dtype, a shape and strides over bytes that several arrays may share.

Owns the class `ndarray` and how arrays come to be from memory, from nested lists and from other objects.
Basic indexing gives views; what an array computes stands in other modules (ufuncs, reductions, shapes …).
"""

from __future__ import annotations

from math import prod
from typing import Any, Iterator

from . import _dtypes as _d
from . import _indexing, _memory
from ._dtypes import dtype as Dtype
from ._methods import Methods
from ._operators import InPlace, Operators
from ._scalars import box, generic

_new = object.__new__


class ndarray(Operators, InPlace, Methods):
    """An array of elements of one dtype.

    `ndarray(shape, dtype, buffer, offset, strides)` is the low-level constructor; programs use `array`, `zeros` …
    """

    __slots__ = ("_mem", "_offset", "_shape", "_strides", "_dtype", "_base", "_writeable", "_flat", "__weakref__")
    __array_priority__ = 0.0
    __hash__ = None  # type: ignore[assignment]

    def __new__(cls, shape: Any, dtype: Any = float, buffer: Any = None, offset: int = 0, strides: Any = None,
                order: str | None = None) -> ndarray:
        held = _d.as_dtype(dtype)
        shape = as_shape(shape)
        if strides is None:
            lay = _memory.fortran_strides if order == "F" else _memory.contiguous_strides
            strides = lay(shape, held.itemsize)
        if buffer is None:
            made = view_of(_memory.allocate(prod(shape) * held.itemsize), 0, shape, tuple(strides), held)
        else:
            memory = memoryview(buffer).cast("B")
            if not offset + prod(shape) * held.itemsize <= memory.nbytes:
                raise TypeError("buffer is too small for requested array")
            made = view_of(memory, offset, shape, tuple(strides), held, buffer, not memory.readonly)
        return made if cls is ndarray else made.view(cls)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"'numpy.ndarray' object has no attribute '{name}'")

    def __class_getitem__(cls, item: Any) -> type:
        return cls

    # --- what the array is -----------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes; may be set where no copy is needed."""
        return self._shape

    @shape.setter
    def shape(self, target: Any) -> None:
        made = self.reshape(target)
        if made._mem is not self._mem:
            raise AttributeError(
                "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with the desired shape."
            )
        self._shape, self._strides, self._flat = made._shape, made._strides, None

    @property
    def dtype(self) -> Dtype:
        """The elements' type."""
        return self._dtype

    strides = property(lambda self: self._strides, doc="Bytes from one element to the next, by axis.")
    ndim = property(lambda self: len(self._shape), doc="How many axes there are.")
    size = property(lambda self: prod(self._shape), doc="How many elements there are.")
    itemsize = property(lambda self: self._dtype.itemsize, doc="Bytes of one element.")
    nbytes = property(lambda self: prod(self._shape) * self._dtype.itemsize, doc="Bytes of all elements.")
    base = property(lambda self: self._base, doc="The object whose memory this is, or None.")
    data = property(lambda self: self.__buffer__(0), doc="The elements as a memoryview.")

    @property
    def flags(self) -> Flags:
        """Layout and whether the array may be written."""
        return Flags(self)

    @property
    def T(self) -> ndarray:
        """The array with its axes in reverse order (a view)."""
        return view_of(self._mem, self._offset, self._shape[::-1], self._strides[::-1], self._dtype, self,
                       self._writeable)

    @property
    def real(self) -> ndarray:
        """The real part (a view)."""
        return self._part(0)

    @real.setter
    def real(self, value: Any) -> None:
        self._part(0)[...] = value

    @property
    def imag(self) -> ndarray:
        """The imaginary part (a view; zeros of a real array)."""
        if self._dtype.kind != "c":
            made = filled(self._shape, 0, self._dtype)
            made._writeable = False
            return made
        return self._part(1)

    @imag.setter
    def imag(self, value: Any) -> None:
        if self._dtype.kind != "c":
            raise TypeError("array does not have imaginary part to set")
        self._part(1)[...] = value

    def _part(self, which: int) -> ndarray:
        if self._dtype.kind != "c":
            return self
        held = _d.float32 if self._dtype is _d.complex64 else _d.float64
        return view_of(self._mem, self._offset + which * held.itemsize, self._shape, self._strides, held, self,
                       self._writeable)

    @property
    def flat(self) -> Any:
        """The elements one after another, to read, index or assign."""
        return _indexing.Flat(self)

    @flat.setter
    def flat(self, value: Any) -> None:
        _indexing.Flat(self)[...] = value

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self._shape, "typestr": self._dtype.str, "strides": None if self._is_contiguous() else
            self._strides, "descr": self._dtype.descr, "data": self.tobytes(), "version": 3,
        }

    def _is_contiguous(self) -> bool:
        flat = self._flat
        if flat is None:
            flat = self._flat = _memory.is_contiguous(self._shape, self._strides, self._dtype.itemsize)
        return flat

    # --- elements -------------------------------------------------------------------------------------------

    def _bytes(self) -> memoryview:
        """The elements in row-major order; this array's own memory where it lies so."""
        if self._flat:
            start = self._offset
            return self._mem[start : start + prod(self._shape) * self._dtype.itemsize]
        return _memory.read(self._mem, self._shape, self._strides, self._offset, self._dtype.itemsize)

    def _values(self) -> list[Any]:
        """The elements in row-major order as Python values."""
        return self._dtype.unpack(self._bytes())

    def _store(self, data: Any) -> None:
        """Writes contiguous elements of this dtype."""
        _memory.write(self._mem, self._shape, self._strides, self._offset, self._dtype.itemsize, data)

    def _broadcast(self, shape: tuple[int, ...]) -> ndarray:
        """This array stretched to `shape` (a view). ValueError where it does not stretch so."""
        if shape == self._shape:
            return self
        strides = _memory.broadcast_strides(self._shape, self._strides, shape)
        if strides is None:
            raise ValueError(
                f"could not broadcast input array from shape {shape_text(self._shape)} into shape {shape_text(shape)}"
            )
        return view_of(self._mem, self._offset, shape, strides, self._dtype, self, self._writeable)

    def __getitem__(self, index: Any) -> Any:
        return _indexing.get(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        _indexing.put(self, index, value)

    def __delitem__(self, index: Any) -> None:
        raise ValueError("cannot delete array elements")

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("len() of unsized object")
        return self._shape[0]

    def __iter__(self) -> Iterator[Any]:
        if not self._shape:
            raise TypeError("iteration over a 0-d array")
        if len(self._shape) == 1:
            held = self._dtype
            return iter([box(value, held) for value in self._values()])
        return (self[at] for at in range(self._shape[0]))

    def __contains__(self, value: Any) -> bool:
        return bool((self == value).any())

    def __buffer__(self, flags: int) -> memoryview:
        held = self._dtype
        if flags & 1 and not self._writeable:
            raise BufferError("the array is not writeable")
        memory = self._mem if self._writeable else self._mem.toreadonly()
        if held.fmt is None or held.kind == "V":
            raise BufferError(f"an array of {held.name} has no buffer format in Cotangent's NumPy")
        if self._is_contiguous():
            taken = memory[self._offset : self._offset + self.nbytes]
            if len(self._shape) == 1 or self.size == 0 and self._shape:
                return taken.cast(held.fmt)
            return taken.cast(held.fmt, self._shape)
        step = self._strides[0]
        if len(self._shape) == 1 and step % held.itemsize == 0 and self._offset % held.itemsize == 0:
            typed = memory[: memory.nbytes - memory.nbytes % held.itemsize].cast(held.fmt)
            first, step = self._offset // held.itemsize, step // held.itemsize
            last = first + step * self._shape[0]
            return typed[first : last if last >= 0 else None : step]
        raise BufferError("memoryview: underlying buffer is not C-contiguous")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> ndarray:
        if dtype is not None and _d.as_dtype(dtype) is not self._dtype:
            return self.astype(dtype)
        return self.copy() if copy else self

    def _one(self, what: str) -> Any:
        if self.size != 1:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars" if what != "index" else
                            "only integer scalar arrays can be converted to a scalar index")
        if self._shape and what != "index":
            import warnings

            warnings.warn("Conversion of an array with ndim > 0 to a scalar is deprecated, and will error in future. "
                          "Ensure you extract a single element from your array before performing this operation. "
                          "(Deprecated NumPy 1.25.)", DeprecationWarning, stacklevel=3)
        return self._values()[0]

    def __bool__(self) -> bool:
        if self.size != 1:
            if self.size == 0:
                raise ValueError(
                    "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is "
                    "not empty."
                )
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            )
        return bool(self._values()[0])

    def __int__(self) -> int:
        return int(self._one("int"))

    def __float__(self) -> float:
        value = self._one("float")
        return float(value.real if isinstance(value, complex) else value)

    def __complex__(self) -> complex:
        return complex(self._one("complex"))

    def __index__(self) -> int:
        if self._dtype.kind not in "iu" or self._shape:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return self._one("index")

    def __repr__(self) -> str:
        return _format.array_repr(self)

    def __str__(self) -> str:
        return _format.array_str(self)

    def __format__(self, spec: str) -> str:
        if not self._shape:
            return format(self[()], spec)
        if spec:
            raise TypeError("unsupported format string passed to numpy.ndarray.__format__")
        return str(self)

    def __copy__(self) -> ndarray:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> ndarray:
        return self.copy()

    def __reduce__(self) -> Any:
        return (_rebuild, (self._shape, self._dtype, self.tobytes()))


ndarray.__module__ = "numpy"


def _rebuild(shape: tuple[int, ...], held: Dtype, data: bytes) -> ndarray:
    return from_bytes(bytearray(data), shape, held)


class Flags:
    """`array.flags`: layout, by name or as attributes; only `writeable` may be set."""

    __slots__ = ("_of",)

    def __init__(self, of: ndarray) -> None:
        self._of = of

    c_contiguous = property(lambda self: self._of._is_contiguous())
    f_contiguous = property(lambda self: self._of.T._is_contiguous())
    contiguous = c_contiguous
    owndata = property(lambda self: self._of._base is None)
    aligned = property(lambda self: True)
    writebackifcopy = property(lambda self: False)
    forc = property(lambda self: self.c_contiguous or self.f_contiguous)

    @property
    def writeable(self) -> bool:
        """Whether elements may be assigned."""
        return self._of._writeable

    @writeable.setter
    def writeable(self, value: bool) -> None:
        if value and self._of._mem.readonly:
            raise ValueError("cannot set WRITEABLE flag to True of this array")
        self._of._writeable = bool(value)

    def __getitem__(self, name: str) -> bool:
        short = {"C": "c_contiguous", "F": "f_contiguous", "W": "writeable", "O": "owndata", "A": "aligned"}
        return getattr(self, short.get(name, name.lower()))

    def __setitem__(self, name: str, value: bool) -> None:
        if name not in ("W", "WRITEABLE"):
            raise ValueError("only the WRITEABLE flag can be set in Cotangent's NumPy")
        self.writeable = value

    def __repr__(self) -> str:
        names = ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA", "WRITEABLE", "ALIGNED", "WRITEBACKIFCOPY")
        return "\n".join(f"  {name} : {self[name]}" for name in names) + "\n"


def shape_text(shape: tuple[int, ...]) -> str:
    """A shape as NumPy's messages write it: "(2,3)", "(3,)"."""
    return f"({shape[0]},)" if len(shape) == 1 else f"({','.join(map(str, shape))})"


def as_shape(shape: Any) -> tuple[int, ...]:
    """A shape given as an integer or a sequence of them. ValueError where one is negative."""
    if type(shape) is int:
        shape = (shape,)
    elif type(shape) is not tuple or not all(type(length) is int for length in shape):
        if hasattr(shape, "__index__") and not getattr(shape, "shape", ()):
            shape = (shape.__index__(),)
        else:
            try:
                shape = tuple(shape)
            except TypeError:
                message = f"expected a sequence of integers or a single integer, got '{shape!r}'"
                raise TypeError(message) from None
            lengths = []
            for length in shape:
                if not hasattr(length, "__index__"):
                    raise TypeError(f"'{type(length).__name__}' object cannot be interpreted as an integer")
                lengths.append(length.__index__())
            shape = tuple(lengths)
    for length in shape:
        if length < 0:
            raise ValueError("negative dimensions are not allowed")
    return shape


def view_of(memory: memoryview, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], held: Dtype,
            base: Any = None, writeable: bool = True) -> ndarray:
    """An array over existing memory; `base` keeps alive what owns it."""
    made = _new(ndarray)
    made._mem, made._offset, made._shape, made._strides, made._dtype = memory, offset, shape, strides, held
    if type(base) is ndarray and base._base is not None:
        base = base._base
    made._base, made._writeable, made._flat = base, writeable, None
    return made


def fresh(memory: memoryview, shape: tuple[int, ...], held: Dtype) -> ndarray:
    """A row-major array over new memory."""
    made = _new(ndarray)
    made._mem, made._offset, made._shape, made._dtype = memory, 0, shape, held
    made._strides = (held.itemsize,) if len(shape) == 1 else _memory.contiguous_strides(shape, held.itemsize)
    made._base, made._writeable, made._flat = None, True, True
    return made


def empty(shape: tuple[int, ...], held: Dtype) -> ndarray:
    """A new row-major array of zeros."""
    return fresh(_memory.allocate(prod(shape) * held.itemsize), shape, held)


def from_bytes(data: Any, shape: tuple[int, ...], held: Dtype) -> ndarray:
    """An array over contiguous elements that nobody else holds (bytes are copied, so that it can be written)."""
    memory = memoryview(data)
    if memory.readonly:
        memory = memoryview(bytearray(data))
    elif memory.format != "B":
        memory = memory.cast("B")
    return fresh(memory, shape, held)


def from_values(values: list[Any], shape: tuple[int, ...], held: Dtype) -> ndarray:
    """An array of Python values in row-major order."""
    if not values and 0 in shape:
        return empty(shape, held)
    return from_bytes(held.pack(values), shape, held)


def filled(shape: tuple[int, ...], value: Any, held: Dtype) -> ndarray:
    """An array with `value` everywhere."""
    one = bytes(memoryview(held.pack([value])).cast("B"))
    return from_bytes(bytearray(one * prod(shape)), shape, held)


from . import _format  # noqa: E402  (needs the class)
from ._convert import array, asanyarray, asarray, ascontiguousarray, require  # noqa: E402, F401

__all__ = ["ndarray", "array", "asarray", "asanyarray", "ascontiguousarray", "require", "generic"]
