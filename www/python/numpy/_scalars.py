"""NumPy's scalar types: what reading one element of an array gives.

A scalar behaves as an array without axes: arithmetic goes through the same ufuncs, so that dtypes mix alike.
"""

from __future__ import annotations

from typing import Any

import numpy as _np

from . import _dtypes as _d
from ._floats import complex_text, float_text
from ._operators import Operators

# The names below hide the builtins that methods need.
_bool, _float, _complex, _int, _str = bool, float, complex, int, str


class generic(Operators):
    """What all scalar types are."""

    __slots__ = ()
    __array_priority__ = -1000000.0
    dtype: _d.dtype

    shape = property(lambda self: ())
    ndim = property(lambda self: 0)
    size = property(lambda self: 1)
    strides = property(lambda self: ())
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: self.dtype.itemsize)
    T = property(lambda self: self)
    base = property(lambda self: None)
    real = property(lambda self: self)
    imag = property(lambda self: type(self)(0))
    flat = property(lambda self: _np.asarray(self).flat)

    def __class_getitem__(cls, item: Any) -> type:
        return cls

    def item(self, *args: Any) -> Any:
        """The value as a Python object."""
        return self._v

    tolist = item

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        made = _np._array.filled((), self._v, self.dtype)
        return made if dtype is None else made.astype(dtype)

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Any:
        """This value as another type."""
        return _np.asarray(self).astype(dtype)[()]

    def view(self, dtype: Any = None, type: Any = None) -> Any:
        """The bits of this value read as another type."""
        return self if dtype is None else _np.asarray(self).view(dtype)[()]

    def __getattr__(self, name: _str) -> Any:
        if name.startswith("__") or not hasattr(_np.ndarray, name):
            raise AttributeError(f"'numpy.{type(self).__name__}' object has no attribute '{name}'")
        found = getattr(_np.asarray(self), name)
        return found

    def copy(self, order: _str = "C") -> Any:
        """The same value."""
        return self

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self

    def conjugate(self) -> Any:
        """The complex conjugate."""
        return self

    conj = conjugate

    def __getitem__(self, index: Any) -> Any:
        if index == () or index is Ellipsis:
            return self if index == () else _np.asarray(self)
        if index is None or (isinstance(index, tuple) and set(index) <= {None, Ellipsis}):
            return _np.asarray(self)[index]
        raise IndexError("invalid index to scalar variable.")

    def __bool__(self) -> _bool:
        return _bool(self._v)

    def __int__(self) -> _int:
        return _int(self._v)

    def __float__(self) -> _float:
        return _float(self._v)

    def __complex__(self) -> _complex:
        return _complex(self._v)

    def __hash__(self) -> _int:
        return hash(self._v)

    def __round__(self, ndigits: _int | None = None) -> Any:
        return _int(round(self._v)) if ndigits is None else _np.round(self, ndigits)

    def __format__(self, spec: _str) -> _str:
        return format(self._v, spec) if spec else _str(self)

    def __reduce__(self) -> Any:
        return (type(self), (self._v,))

    def __repr__(self) -> _str:
        return _np._format.scalar_repr(self)

    def __str__(self) -> _str:
        return _str(self._v)


class number(generic):
    """Numbers."""

    __slots__ = ()


class integer(number):
    """Whole numbers."""

    __slots__ = ()
    numerator = property(lambda self: self)
    denominator = property(lambda self: type(self)(1))

    def __index__(self) -> _int:
        return self._v

    def is_integer(self) -> _bool:
        """Always true."""
        return True

    def bit_count(self) -> _int:
        """How many bits of the magnitude are set."""
        return abs(self._v).bit_count()


class signedinteger(integer):
    """Whole numbers with a sign."""

    __slots__ = ()


class unsignedinteger(integer):
    """Whole numbers from zero."""

    __slots__ = ()


class inexact(number):
    """Floating and complex numbers."""

    __slots__ = ()


class floating(inexact):
    """Floating point numbers."""

    __slots__ = ()

    def is_integer(self) -> _bool:
        """Whether the value is whole."""
        return _float(self._v).is_integer()

    def as_integer_ratio(self) -> tuple[_int, _int]:
        """Two integers whose quotient the value is."""
        return _float(self._v).as_integer_ratio()

    def __str__(self) -> _str:
        return float_text(self._v, self.dtype)


class complexfloating(inexact):
    """Complex numbers."""

    __slots__ = ()

    @property
    def real(self) -> Any:
        return _PART[self.dtype](self._v.real)

    @property
    def imag(self) -> Any:
        return _PART[self.dtype](self._v.imag)

    def conjugate(self) -> Any:
        """The complex conjugate."""
        return type(self)(self._v.conjugate())

    conj = conjugate

    def __str__(self) -> _str:
        return complex_text(self._v, self.dtype)

    def __float__(self) -> _float:
        raise TypeError("float() argument must be a string or a real number, not 'complex'")


class flexible(generic):
    """Types whose width varies."""

    __slots__ = ()


class character(flexible):
    """Text."""

    __slots__ = ()


def _convert(cls: Any, value: Any) -> Any:
    """`value` as `cls` holds it: a Python value, or an array where `value` has axes."""
    held = cls.dtype
    if isinstance(value, generic):
        value = value._v
    kind = type(value)
    if kind is _str or kind is bytes:
        text = value if kind is _str else value.decode()
        value = _int(text) if held.kind in "iu" else _complex(text) if held.kind == "c" else _float(text)
        kind = type(value)
    if kind is _int and held.kind in "iu":
        if not held._low <= value <= held._high:
            raise OverflowError(f"Python integer {value} out of bounds for {held.name}")
        return value
    if kind is _float or kind is _int or kind is _bool or kind is _complex:
        if held.kind in "iu" and kind is _float:
            if value != value:
                raise ValueError("cannot convert float NaN to integer")
            if value in (_float("inf"), -_float("inf")):
                raise OverflowError("cannot convert float infinity to integer")
        if kind is _complex and held.kind != "c":
            raise TypeError(f"{'int' if held.kind in 'iu' else 'float'}() argument must be a string, a bytes-like "
                            "object or a real number, not 'complex'" if held.kind in "iu" else
                            "float() argument must be a string or a real number, not 'complex'")
        return held.wrap(value)
    if value is None:
        if held.kind in "fc":
            return held.wrap(_float("nan"))
        raise TypeError("int() argument must be a string, a bytes-like object or a real number, not 'NoneType'")
    if not hasattr(value, "__array__") and not isinstance(value, (list, tuple, memoryview)):
        if hasattr(value, "__index__"):
            return _convert(cls, value.__index__())
        if hasattr(value, "__float__"):
            return _convert(cls, value.__float__())
    made = _np.asarray(value, dtype=held)
    return made if made.ndim else made.item()


def _scalar_class(name: str, base: type, held: _d.dtype) -> type:
    def __new__(cls: Any, value: Any = 0, *args: Any) -> Any:
        got = _convert(cls, value)
        if isinstance(got, _np.ndarray):
            return got
        made = object.__new__(cls)
        made._v = got
        return made

    doc = f"A {held.name} scalar."
    made = type(name, (base,), {"__slots__": ("_v",), "__new__": __new__, "dtype": held, "__doc__": doc})
    made.__module__ = "numpy"
    made.__qualname__ = name
    held.type = made
    return made


int8 = _scalar_class("int8", signedinteger, _d.int8)
int16 = _scalar_class("int16", signedinteger, _d.int16)
int32 = _scalar_class("int32", signedinteger, _d.int32)
int64 = _scalar_class("int64", signedinteger, _d.int64)
uint8 = _scalar_class("uint8", unsignedinteger, _d.uint8)
uint16 = _scalar_class("uint16", unsignedinteger, _d.uint16)
uint32 = _scalar_class("uint32", unsignedinteger, _d.uint32)
uint64 = _scalar_class("uint64", unsignedinteger, _d.uint64)
float16 = _scalar_class("float16", floating, _d.float16)
float32 = _scalar_class("float32", floating, _d.float32)
bfloat16 = _scalar_class("bfloat16", generic, _d.bfloat16)
complex64 = _scalar_class("complex64", complexfloating, _d.complex64)
bool_ = _scalar_class("bool", generic, _d.bool_)
bfloat16.__str__ = floating.__str__
bool_.__index__ = None  # type: ignore[assignment]


def _bool_new(cls: Any, value: Any = False, *args: Any) -> Any:
    if not isinstance(value, (_np.ndarray, list, tuple)) and not hasattr(value, "__array__"):
        return true_ if value else false_
    got = _np.asarray(value, dtype=_d.bool_)
    return got if got.ndim else (true_ if got.item() else false_)


def _constant(value: bool) -> Any:
    made = object.__new__(bool_)
    made._v = value
    return made


true_, false_ = _constant(True), _constant(False)
bool_.__new__ = _bool_new  # type: ignore[method-assign]
del bool_.__index__


class float64(floating, _float):
    """A float64 scalar; also a Python float."""

    __slots__ = ()
    dtype = _d.float64
    _v = property(_float.__float__)

    def __new__(cls, value: Any = 0.0, *args: Any) -> Any:
        if type(value) is _float:
            return _float.__new__(cls, value)
        got = _convert(cls, value)
        return got if isinstance(got, _np.ndarray) else _float.__new__(cls, got)

    __float__ = _float.__float__
    __hash__ = _float.__hash__
    __bool__ = _float.__bool__
    __int__ = _float.__int__
    __trunc__ = _float.__trunc__
    hex = _float.hex
    is_integer = _float.is_integer
    as_integer_ratio = _float.as_integer_ratio


class complex128(complexfloating, _complex):
    """A complex128 scalar; also a Python complex."""

    __slots__ = ()
    dtype = _d.complex128
    _v = property(lambda self: _complex.__pos__(self))

    def __new__(cls, value: Any = 0j, imag: Any = None) -> Any:
        if imag is not None:
            value = _complex(value, imag)
        if type(value) is _complex:
            return _complex.__new__(cls, value)
        got = _convert(cls, value)
        return got if isinstance(got, _np.ndarray) else _complex.__new__(cls, got)

    __complex__ = _complex.__complex__
    __hash__ = _complex.__hash__
    __bool__ = _complex.__bool__


class str_(character, _str):
    """A text scalar; also a Python str."""

    __slots__ = ()
    dtype = property(lambda self: _d.string_dtype(max(len(self), 1)))
    _v = property(lambda self: _str.__str__(self))
    __hash__ = _str.__hash__
    __eq__ = _str.__eq__
    __ne__ = _str.__ne__
    __getitem__ = _str.__getitem__
    __str__ = _str.__str__
    __format__ = _str.__format__

    def __new__(cls, value: Any = "") -> Any:
        return _str.__new__(cls, value)

    def __getattr__(self, name: _str) -> Any:
        raise AttributeError(f"'numpy.str_' object has no attribute '{name}'")


_d.float64.type = float64
_d.complex128.type = complex128
_d._string_type.append(str_)
_PART = {_d.complex64: float32, _d.complex128: float64}
for _class in (generic, number, integer, signedinteger, unsignedinteger, inexact, floating, complexfloating,
               flexible, character, float64, complex128, str_):
    _class.__module__ = "numpy"


def box(value: Any, held: _d.dtype) -> Any:
    """A Python value that already fits `held`, as its scalar type."""
    cls = held.type
    if cls is float64:
        return _float.__new__(float64, value)
    if cls is bool_:
        return true_ if value else false_
    if cls is complex128:
        return _complex.__new__(complex128, value)
    if cls is str_:
        return _str.__new__(str_, value)
    made = object.__new__(cls)
    made._v = value
    return made


sctypeDict = {each.name: each.type for each in _d.ALL}
