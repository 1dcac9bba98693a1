"""Data types: what an element is, how wide, how it is read from and written to memory, and how types mix.

Owns the singletons behind `numpy.dtype` and NumPy 2's promotion rules (NEP 50), in which Python scalars are
weak. Knows nothing of arrays.
"""

from __future__ import annotations

import struct
import sys
from array import array
from typing import Any, Callable

_TYPECODES = {  # struct character -> array typecode that is as wide on every platform
    "b": "b", "B": "B", "h": "h", "H": "H", "i": "i", "I": "I", "q": "q", "Q": "Q", "f": "f", "d": "d",
}


def _half_bits(value: float) -> float:
    """`value` as a float16 takes it: what is too large becomes an infinity."""
    try:
        struct.pack("e", value)
        return value
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _to_bfloat16(value: float) -> int:
    """The 16 bits of `value` rounded to bfloat16, ties to even."""
    bits = struct.unpack("I", array("f", [value]).tobytes())[0]
    if value != value:
        return 0x7FC0 | ((bits >> 16) & 0x8000)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16) & 0xFFFF


class dtype:
    """The type of an array's elements. `dtype(spec)` gives the one object that stands for `spec`.

    `spec` may be a name ("float32", "f4", "<f4"), a scalar type (`np.float32`), a Python type (`float`), a dtype,
    or anything with a `dtype` attribute. Raises TypeError for what is no type here.
    """

    __slots__ = (
        "name", "kind", "char", "itemsize", "num", "type", "fmt", "_unpack", "_pack", "_struct", "_low", "_high",
        "code", "metadata", "__weakref__",
    )

    def __new__(cls, spec: Any = None, align: bool = False, copy: bool = False, metadata: Any = None) -> dtype:
        return as_dtype(spec)

    def __class_getitem__(cls, item: Any) -> type:
        return cls

    @property
    def str(self) -> str:
        """The portable name, such as '<f4'."""
        if self.itemsize == 1:
            return f"|{self.kind}1"
        if self.kind == "U":
            return f"<U{self.itemsize // 4}"
        return f"<{self.kind}{self.itemsize}"

    @property
    def byteorder(self) -> str:
        """'=' for native order, '|' where order does not apply."""
        return "|" if self.itemsize == 1 else "="

    alignment = property(lambda self: min(self.itemsize, 8) if self.kind != "c" else self.itemsize // 2)
    base = property(lambda self: self)
    descr = property(lambda self: [("", self.str)])
    shape = property(lambda self: ())
    ndim = property(lambda self: 0)
    names = property(lambda self: None)
    fields = property(lambda self: None)
    subdtype = property(lambda self: None)
    isnative = property(lambda self: True)
    isbuiltin = property(lambda self: 1)
    hasobject = property(lambda self: False)
    isalignedstruct = property(lambda self: False)
    flags = property(lambda self: 0)

    def newbyteorder(self, new_order: str = "S") -> dtype:
        """This dtype: only the machine's own byte order exists here."""
        if new_order in ("=", "|", "<", "N", "n", "L", "l", "I", "i"):
            return self
        raise TypeError("arrays in another byte order are not in Cotangent's NumPy")

    def __repr__(self) -> str:
        if self.kind == "V":
            return f"dtype({self.name})"
        if self.kind == "U":
            return f"dtype('{self.str}')"
        return f"dtype('{self.name}')"

    def __str__(self) -> str:
        return self.str if self.kind == "U" else self.name

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if other is None:
            return self is float64
        try:
            there = as_dtype(other)
        except (TypeError, ValueError):
            return False
        return there is self or (self.kind == "U" == there.kind and self.itemsize == there.itemsize)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.name, self.itemsize))

    def __lt__(self, other: Any) -> bool:
        there = as_dtype(other)
        return self != there and can_cast_dtypes(self, there, "safe")

    def __le__(self, other: Any) -> bool:
        return can_cast_dtypes(self, as_dtype(other), "safe")

    def __gt__(self, other: Any) -> bool:
        return as_dtype(other) < self

    def __ge__(self, other: Any) -> bool:
        return as_dtype(other) <= self

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return 0

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return (as_dtype, (self.name if self.kind != "U" else self.str,))

    def __deepcopy__(self, memo: Any) -> dtype:
        return self

    def __copy__(self) -> dtype:
        return self

    def unpack(self, data: memoryview) -> list[Any]:
        """The elements in contiguous bytes, as Python values."""
        return self._unpack(data)

    def pack(self, values: list[Any]) -> Any:
        """Python values as contiguous bytes of this type; integers wrap, floats round."""
        return self._pack(values)

    def wrap(self, value: Any) -> Any:
        """`value` as it comes back after being stored."""
        return self._unpack(memoryview(self._pack([value])).cast("B"))[0]

    def wrap_int(self, value: int) -> int:
        """An integer of any size modulo this integer type's range."""
        span = self._high - self._low + 1
        return (value - self._low) % span + self._low


def _make(name: str, kind: str, char: str, itemsize: int, num: int, code: int) -> dtype:
    made = object.__new__(dtype)
    made.name, made.kind, made.char, made.itemsize, made.num, made.code = name, kind, char, itemsize, num, code
    made.type = None
    made.metadata = None
    made.fmt = made._struct = made._low = made._high = None
    return made


def _plain_unpack(fmt: str) -> Callable[[memoryview], list[Any]]:
    return lambda data: data.cast(fmt).tolist()


def _int_pack(made: dtype) -> Callable[[list[Any]], Any]:
    typecode = _TYPECODES[made.fmt]

    def pack(values: list[Any]) -> Any:
        try:
            return array(typecode, values)
        except (OverflowError, TypeError):
            return array(typecode, [made.wrap_int(_to_int(value)) for value in values])

    return pack


def _to_int(value: Any) -> int:
    if isinstance(value, float) and not (abs(value) < float("inf")):
        return -(1 << 63)
    if isinstance(value, complex):
        value = value.real
    return int(value)


def _to_float(value: Any) -> float:
    return value.real if isinstance(value, complex) else float(value)


def _float_pack(typecode: str) -> Callable[[list[Any]], Any]:
    def pack(values: list[Any]) -> Any:
        try:
            return array(typecode, values)
        except (TypeError, OverflowError):
            return array(typecode, [_to_float(value) for value in values])

    return pack


def _half_pack(values: list[Any]) -> bytes:
    try:
        return struct.pack(f"{len(values)}e", *values)
    except (OverflowError, struct.error):
        return struct.pack(f"{len(values)}e", *[_half_bits(_to_float(value)) for value in values])


def _complex_unpack(fmt: str) -> Callable[[memoryview], list[Any]]:
    def unpack(data: memoryview) -> list[Any]:
        parts = data.cast(fmt).tolist()
        return list(map(complex, parts[::2], parts[1::2]))

    return unpack


def _complex_pack(typecode: str) -> Callable[[list[Any]], Any]:
    def pack(values: list[Any]) -> Any:
        flat = array(typecode, bytes(2 * len(values) * (4 if typecode == "f" else 8)))
        flat[::2] = array(typecode, [value.real for value in values])
        flat[1::2] = array(typecode, [value.imag for value in values])
        return flat

    return pack


def _bool_unpack(data: memoryview) -> list[bool]:
    return list(map(bool, data))


def _bool_pack(values: list[Any]) -> bytes:
    try:
        return bytes(values) if not values or type(values[0]) is bool else bytes(map(bool, values))
    except (ValueError, TypeError):
        return bytes(map(bool, values))


def _bfloat_unpack(data: memoryview) -> list[float]:
    halves = data.cast("H").tolist()
    return array("f", array("I", [bits << 16 for bits in halves]).tobytes()).tolist()


def _bfloat_pack(values: list[Any]) -> Any:
    return array("H", [_to_bfloat16(_to_float(value)) for value in values])


bool_ = _make("bool", "b", "?", 1, 0, 0)
int8 = _make("int8", "i", "b", 1, 1, 1)
uint8 = _make("uint8", "u", "B", 1, 2, 2)
int16 = _make("int16", "i", "h", 2, 3, 3)
uint16 = _make("uint16", "u", "H", 2, 4, 4)
int32 = _make("int32", "i", "i", 4, 5, 5)
uint32 = _make("uint32", "u", "I", 4, 6, 6)
int64 = _make("int64", "i", "l", 8, 7, 7)
uint64 = _make("uint64", "u", "L", 8, 8, 8)
float16 = _make("float16", "f", "e", 2, 23, 9)
float32 = _make("float32", "f", "f", 4, 11, 10)
float64 = _make("float64", "f", "d", 8, 12, 11)
complex64 = _make("complex64", "c", "F", 8, 14, 12)
complex128 = _make("complex128", "c", "D", 16, 15, 13)
bfloat16 = _make("bfloat16", "V", "E", 2, 256, 14)

ALL = (
    bool_, int8, uint8, int16, uint16, int32, uint32, int64, uint64, float16, float32, float64, complex64, complex128,
    bfloat16,
)
INTEGERS = (int8, uint8, int16, uint16, int32, uint32, int64, uint64)

for _each, _fmt in zip(INTEGERS, "bBhHiIqQ"):
    _each.fmt = _fmt
    _bits = 8 * _each.itemsize
    _each._low, _each._high = (0, (1 << _bits) - 1) if _each.kind == "u" else (-(1 << _bits - 1), (1 << _bits - 1) - 1)
    _each._unpack, _each._pack = _plain_unpack(_fmt), _int_pack(_each)
bool_.fmt, bool_._unpack, bool_._pack = "?", _plain_unpack("?"), _bool_pack
float16.fmt, float16._unpack, float16._pack = "e", _plain_unpack("e"), _half_pack
float32.fmt, float32._unpack, float32._pack = "f", _plain_unpack("f"), _float_pack("f")
float64.fmt, float64._unpack, float64._pack = "d", _plain_unpack("d"), _float_pack("d")
complex64._unpack, complex64._pack = _complex_unpack("f"), _complex_pack("f")
complex128._unpack, complex128._pack = _complex_unpack("d"), _complex_pack("d")
bfloat16._unpack, bfloat16._pack = _bfloat_unpack, _bfloat_pack
for _each in ALL:
    if _each.fmt is not None:
        _each._struct = struct.Struct("=" + _each.fmt)

_strings: dict[int, dtype] = {}


def string_dtype(length: int) -> dtype:
    """The type of text of up to `length` characters, kept as four bytes each."""
    made = _strings.get(length)
    if made is None:
        width = max(4 * length, 0)
        made = _make(f"str{8 * width}", "U", "U", width, 19, 15)

        def unpack(data: memoryview) -> list[str]:
            raw = bytes(data)
            starts = range(0, len(raw), width) if width else ()
            return [raw[at : at + width].decode("utf-32-le").rstrip("\0") for at in starts]

        def pack(values: list[Any]) -> bytes:
            texts = [str(value)[:length] for value in values]
            return b"".join(text.ljust(length, "\0").encode("utf-32-le") for text in texts)

        made._unpack, made._pack = unpack, pack
        made.type = _string_type[0] if _string_type else None
        _strings[length] = made
    return made


_string_type: list[Any] = []

_NAMES: dict[Any, dtype] = {each.name: each for each in ALL}
_NAMES.update({each.char: each for each in ALL if each is not bfloat16})
_NAMES.update({f"{each.kind}{each.itemsize}": each for each in ALL if each.kind != "V"})
_NAMES.update({
    "bool_": bool_, "bool8": bool_, "b1": bool_, "int": int64, "int_": int64, "intp": int64, "p": int64, "P": uint64,
    "long": int64, "longlong": int64, "q": int64, "Q": uint64, "uint": uint64, "uintp": uint64, "ulong": uint64,
    "ulonglong": uint64, "byte": int8, "ubyte": uint8, "short": int16, "ushort": uint16, "intc": int32,
    "uintc": uint32, "half": float16, "single": float32, "double": float64, "float": float64, "longdouble": float64,
    "g": float64, "csingle": complex64, "cdouble": complex128, "complex": complex128, "clongdouble": complex128,
    float: float64, int: int64, bool: bool_, complex: complex128,
})
_NATIVE = "<" if sys.byteorder == "little" else ">"


def as_dtype(spec: Any) -> dtype:
    """The dtype that `spec` names (None: float64). TypeError for what is no type here."""
    if type(spec) is dtype:
        return spec
    if spec is None:
        return float64
    try:
        found = _NAMES.get(spec)
    except TypeError:
        found = None
    if found is not None:
        return found
    if isinstance(spec, str):
        return _parse_name(spec)
    if spec is str:
        return string_dtype(0)
    if spec is object:
        raise TypeError("object arrays are not in Cotangent's NumPy")
    inner = getattr(spec, "dtype", None)
    if type(inner) is dtype:
        return inner
    if isinstance(spec, (list, dict)):
        raise TypeError("structured arrays are not in Cotangent's NumPy")
    if isinstance(spec, type) and spec.__name__ in _ABSTRACT:
        return _ABSTRACT[spec.__name__]
    raise TypeError(f"Cannot interpret '{spec!r}' as a data type")


_ABSTRACT = {
    "floating": float64, "inexact": float64, "complexfloating": complex128, "integer": int64, "signedinteger": int64,
    "unsignedinteger": uint64,
}


def _parse_name(text: str) -> dtype:
    bare = text
    if text[:1] in ("<", ">", "=", "|"):
        bare = text[1:]
        found = _NAMES.get(bare)
        if text[0] == ">" and _NATIVE == "<" and not (found and found.itemsize == 1):
            raise TypeError("arrays in another byte order are not in Cotangent's NumPy")
        if found is not None:
            return found
    if bare[:1] == "U" and (bare[1:].isdigit() or bare == "U"):
        return string_dtype(int(bare[1:] or 0))
    if bare == "str":
        return string_dtype(0)
    if bare in ("O", "object", "S", "datetime64", "timedelta64") or bare[:1] in ("M", "m", "S"):
        raise TypeError(f"arrays of type {text!r} are not in Cotangent's NumPy")
    raise TypeError(f"data type {text!r} not understood")


# --- promotion -------------------------------------------------------------------------------------------------

_FLOAT_FOR_INT = {1: float16, 2: float32, 4: float64, 8: float64}
_SIGNED_ABOVE = {1: int16, 2: int32, 4: int64, 8: float64}
_promoted: dict[tuple[dtype, dtype], dtype] = {}


def float_for(each: dtype) -> dtype:
    """The float type in which mathematics on `each` happens: int8 -> float16, int32 -> float64, floats as they are."""
    if each.kind in "fcVU":
        return each
    return float16 if each.kind == "b" else _FLOAT_FOR_INT[each.itemsize]


def promote(a: dtype, b: dtype) -> dtype:
    """The smallest type that holds both. Raises TypeError where none does."""
    if a is b:
        return a
    found = _promoted.get((a, b))
    if found is None:
        found = _promoted[a, b] = _promote(a, b)
    return found


def _promote(a: dtype, b: dtype) -> dtype:
    if "U" in (a.kind, b.kind):
        if a.kind == b.kind:
            return a if a.itemsize >= b.itemsize else b
        raise DTypePromotionError(
            f"The DType {_class_name(a)} could not be promoted by {_class_name(b)}. This means that no common DType "
            "exists for the given inputs."
        )
    if a.kind == "b":
        return b
    if b.kind == "b":
        return a
    if "V" in (a.kind, b.kind):
        other = b if a.kind == "V" else a
        if other.kind in "iu":
            return bfloat16
        return complex64 if other is complex64 else complex128 if other is complex128 else promote(float32, other)
    order = "iufc"
    if order.index(a.kind) > order.index(b.kind):
        a, b = b, a
    if b.kind in "iu":
        if a.kind == b.kind:
            return a if a.itemsize >= b.itemsize else b
        signed, unsigned = (a, b) if a.kind == "i" else (b, a)
        return signed if signed.itemsize > unsigned.itemsize else _SIGNED_ABOVE[unsigned.itemsize]
    if a.kind in "iu":
        a = float_for(a)
    if b.kind == "f":
        return a if a.itemsize >= b.itemsize else b
    width = 2 * a.itemsize if a.kind == "f" else a.itemsize
    return b if b.itemsize >= width else complex128


class DTypePromotionError(TypeError):
    """No common type exists for two types that were mixed."""


def _class_name(each: dtype) -> str:
    inner = "StrDType" if each.kind == "U" else each.name.capitalize() + "DType"
    return f"<class 'numpy.dtypes.{inner.replace('Uint', 'UInt')}'>"


def with_weak(strong: dtype, kind: str) -> dtype:
    """`strong` mixed with a Python scalar of kind 'b', 'i', 'f' or 'c': the scalar never widens within its kind."""
    if kind == "b":
        return strong
    if kind == "i":
        return int64 if strong.kind == "b" else strong
    if kind == "f":
        return strong if strong.kind in "fcV" else float64
    if strong.kind == "c":
        return strong
    return complex64 if strong in (float32, float16) and strong.kind == "f" else complex128


_RANK = {"b": 0, "u": 1, "i": 1, "f": 2, "V": 2, "c": 3, "U": 4}


def can_cast_dtypes(source: dtype, target: dtype, casting: str = "safe") -> bool:
    """Whether the casting rule ('no', 'equiv', 'safe', 'same_kind', 'unsafe') allows `source` -> `target`."""
    if source is target or casting == "unsafe":
        return True
    if casting in ("no", "equiv"):
        return False
    if casting not in ("safe", "same_kind"):
        raise ValueError(
            "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe', or 'same_value' "
            f"(got {casting!r})"
        )
    if target.kind == "U":
        return True
    if source.kind == "U":
        return False
    if source.kind == "V" or target.kind == "V":
        safe = source.kind == "b" or (source.kind == "V" and target in (float32, float64, complex64, complex128))
    else:
        safe = promote(source, target) is target
    if safe or casting == "safe":
        return safe
    if source.kind == "i" and target.kind == "u":
        return False
    return _RANK[source.kind] <= _RANK[target.kind]
