"""What numbers of a type can hold: finfo, iinfo; and questions about types."""

from __future__ import annotations

from typing import Any

from . import _convert
from . import _dtypes as _d
from ._scalars import box, generic

# bits, mantissa digits, decimal precision, largest exponent, smallest normal exponent
_SHAPES = {
    _d.float16: (16, 10, 3, 16, -14), _d.float32: (32, 23, 6, 128, -126), _d.float64: (64, 52, 15, 1024, -1022),
    _d.bfloat16: (16, 7, 2, 128, -126),
}
_PARTS = {_d.complex64: _d.float32, _d.complex128: _d.float64}


class finfo:
    """Limits of a floating point type."""

    def __init__(self, dtype: Any) -> None:
        held = dtype.dtype if isinstance(dtype, generic) or hasattr(dtype, "_dtype") else _d.as_dtype(dtype)
        held = _PARTS.get(held, held)
        if held not in _SHAPES:
            raise ValueError(f"data type {held.type!r} not inexact")
        self.dtype = held
        self.bits, self.nmant, self.precision, self.maxexp, self.minexp = _SHAPES[held]
        self.iexp = self.nexp = self.bits - 1 - self.nmant
        self.machep, self.negep = -self.nmant, -self.nmant - 1

        def number(value: float) -> Any:
            return box(value, held)

        self.eps = number(2.0**-self.nmant)
        self.epsneg = number(2.0 ** (-self.nmant - 1))
        self.max = number((2.0 - 2.0**-self.nmant) * 2.0 ** (self.maxexp - 1))
        self.min = number(-self.max._v)
        self.tiny = self.smallest_normal = number(2.0**self.minexp)
        self.smallest_subnormal = number(2.0 ** (self.minexp - self.nmant))
        self.resolution = number(held.wrap(10.0**-self.precision))

    def __repr__(self) -> str:
        return (f"finfo(resolution={self.resolution}, min={self.min}, max={self.max}, dtype={self.dtype})")

    def __str__(self) -> str:
        rule = "-" * 63
        return (
            f"Machine parameters for {self.dtype}\n{rule}\nprecision = {self.precision:3d}   resolution = "
            f"{self.resolution}\nmachep = {self.machep:6d}   eps =        {self.eps}\nnegep =  {self.negep:6d}   "
            f"epsneg =     {self.epsneg}\nminexp = {self.minexp:6d}   tiny =       {self.tiny}\nmaxexp = "
            f"{self.maxexp:6d}   max =        {self.max}\nnexp =   {self.nexp:6d}   min =        -max\n"
            f"smallest_normal = {self.smallest_normal}   smallest_subnormal = {self.smallest_subnormal}\n{rule}\n"
        )


class iinfo:
    """Limits of an integer type."""

    def __init__(self, type: Any) -> None:
        held = type.dtype if isinstance(type, generic) or hasattr(type, "_dtype") else (
            _d.int64 if isinstance(type, int) and not isinstance(type, bool) else _d.as_dtype(type))
        if held.kind not in "iu":
            raise ValueError(f"Invalid integer data type {held.kind!r}.")
        self.dtype, self.kind, self.bits = held, held.kind, 8 * held.itemsize
        self.key = f"{held.kind}{self.bits}"
        self.min, self.max = held._low, held._high

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"

    def __str__(self) -> str:
        rule = "-" * 63
        return f"Machine parameters for {self.dtype}\n{rule}\nmin = {self.min}\nmax = {self.max}\n{rule}\n"


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Whether the first type is one of the second."""
    return issubclass(_class(arg1), _class(arg2))


def _class(given: Any) -> type:
    if isinstance(given, type) and issubclass(given, generic):
        return given
    return _d.as_dtype(given).type


def isdtype(dtype: Any, kind: Any) -> bool:
    """Whether a dtype is of a kind: a dtype, one of "bool", "integral", "numeric" …, or a tuple of such."""
    held = _d.as_dtype(dtype)
    names = {"bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
             "complex floating": "c", "numeric": "iufc"}
    for each in kind if isinstance(kind, tuple) else (kind,):
        if isinstance(each, str):
            if each not in names:
                raise ValueError(f"kind argument is a string, but {each!r} is not a known kind name.")
            if held.kind in names[each]:
                return True
        elif held == each:
            return True
    return False


def iscomplexobj(x: Any) -> bool:
    """Whether the type is complex."""
    return _convert.asarray(x)._dtype.kind == "c"


def isrealobj(x: Any) -> bool:
    """Whether the type is not complex."""
    return not iscomplexobj(x)


def isscalar(element: Any) -> bool:
    """Whether this is a scalar of Python or NumPy."""
    return isinstance(element, (generic, int, float, complex, str, bytes))


def iterable(y: Any) -> bool:
    """Whether this can be walked."""
    try:
        iter(y)
    except TypeError:
        return False
    return True


def common_type(*arrays: Any) -> type:
    """The floating type that all arrays share."""
    held = _d.float16
    for each in arrays:
        kind = each.dtype
        held = _d.promote(held, _d.float64 if kind.kind in "iub" else kind)
    return held.type


def mintypecode(typechars: Any, typeset: str = "GDFgdf", default: str = "d") -> str:
    """The character of the smallest type in `typeset` to which all of `typechars` cast."""
    chars = [each if isinstance(each, str) else _convert.asarray(each).dtype.char for each in typechars]
    found = [each for each in chars if each in typeset]
    if not found:
        return default
    if "F" in found and "d" in found:
        return "D"
    return min(found, key=typeset.index)


def typename(char: str) -> str:
    """What a type character stands for."""
    return _d.as_dtype(char).name


def issubclass_(arg1: Any, arg2: Any) -> bool:
    """As `issubclass`, False for what is no class."""
    try:
        return issubclass(arg1, arg2)
    except TypeError:
        return False
