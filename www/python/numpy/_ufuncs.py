"""All ufuncs by name, each with the rule that chooses its loop from the inputs' common dtype."""

from __future__ import annotations

from typing import Any

from . import _dtypes as _d
from ._ufunc import ufunc

Pair = tuple[_d.dtype, _d.dtype]


def _same(self: ufunc, held: _d.dtype) -> Pair:
    """Any type, the result of the same."""
    return held, held


def _no_bool(self: ufunc, held: _d.dtype) -> Pair:
    """As `_same`; booleans are treated as int8."""
    return (_d.int8, _d.int8) if held.kind == "b" else (held, held)


def _subtract(self: ufunc, held: _d.dtype) -> Pair:
    if held.kind == "b":
        raise TypeError(
            "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or "
            "the logical_xor function instead."
        )
    return held, held


def _negative(self: ufunc, held: _d.dtype) -> Pair:
    if held.kind == "b":
        raise TypeError(
            "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the "
            "logical_not function instead."
        )
    return held, held


def _sized(self: ufunc, held: _d.dtype) -> Pair:
    """Any number but bool."""
    if held.kind == "b":
        raise TypeError(
            f"ufunc '{self.__name__}' did not contain a loop with signature matching types {held!r} -> None"
        )
    return held, held


def _floats(self: ufunc, held: _d.dtype) -> Pair:
    """Floats and complex; integers become the float that holds them."""
    if held.kind == "U":
        self.unsupported()
    held = _d.float_for(held)
    return held, held


def _real_floats(self: ufunc, held: _d.dtype) -> Pair:
    """Floats only."""
    if held.kind in "cU":
        self.unsupported()
    held = _d.float_for(held)
    return held, held


def _divide(self: ufunc, held: _d.dtype) -> Pair:
    if held.kind == "U":
        self.unsupported()
    held = held if held.kind in "fcV" else _d.float64
    return held, held


def _wide(self: ufunc, held: _d.dtype) -> Pair:
    held = _d.complex128 if held.kind == "c" else _d.float64
    return held, held


def _real(self: ufunc, held: _d.dtype) -> Pair:
    """Real numbers; booleans as int8."""
    if held.kind in "cU":
        self.unsupported()
    return _no_bool(self, held)


def _absolute(self: ufunc, held: _d.dtype) -> Pair:
    if held.kind == "c":
        return held, _d.float32 if held is _d.complex64 else _d.float64
    return held, held


def _compare(self: ufunc, held: _d.dtype) -> Pair:
    return held, _d.bool_


def _test(self: ufunc, held: _d.dtype) -> Pair:
    if held.kind == "U":
        self.unsupported()
    return held, _d.bool_


def _float_test(self: ufunc, held: _d.dtype) -> Pair:
    return _real_floats(self, held)[0], _d.bool_


def _bits(self: ufunc, held: _d.dtype) -> Pair:
    if held.kind not in "biu":
        self.unsupported()
    return held, held


def _whole(self: ufunc, held: _d.dtype) -> Pair:
    if held.kind not in "biu":
        self.unsupported()
    return _no_bool(self, held)


def _count(self: ufunc, held: _d.dtype) -> Pair:
    return _whole(self, held)[0], _d.uint8


def _frexp(self: ufunc, held: _d.dtype) -> Any:
    held = _real_floats(self, held)[0]
    return held, (held, _d.int32)


def _ldexp(self: ufunc, held: _d.dtype) -> Pair:
    held = held if held.kind == "f" else _d.float64
    return held, held


add = ufunc("add", 2, _same, 0)
subtract = ufunc("subtract", 2, _subtract)
multiply = ufunc("multiply", 2, _same, 1)
divide = true_divide = ufunc("divide", 2, _divide)
floor_divide = ufunc("floor_divide", 2, _real)
remainder = mod = ufunc("remainder", 2, _real)
fmod = ufunc("fmod", 2, _real)
divmod = ufunc("divmod", 2, _real, nout=2)
power = pow = ufunc("power", 2, _no_bool)
float_power = ufunc("float_power", 2, _wide)
negative = ufunc("negative", 1, _negative)
positive = ufunc("positive", 1, _sized)
absolute = abs = ufunc("absolute", 1, _absolute)
fabs = ufunc("fabs", 1, _real_floats)
sign = ufunc("sign", 1, _sized)
conjugate = conj = ufunc("conjugate", 1, _no_bool)
square = ufunc("square", 1, _no_bool)
reciprocal = ufunc("reciprocal", 1, _no_bool)
rint = ufunc("rint", 1, _floats)
floor = ufunc("floor", 1, lambda self, held: (held, held))
ceil = ufunc("ceil", 1, lambda self, held: (held, held))
trunc = ufunc("trunc", 1, lambda self, held: (held, held))
maximum = ufunc("maximum", 2, _same)
minimum = ufunc("minimum", 2, _same)
fmax = ufunc("fmax", 2, _same)
fmin = ufunc("fmin", 2, _same)

(sqrt, exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan, arcsin, arccos, arctan, sinh, cosh, tanh, arcsinh,
 arccosh, arctanh) = (
    ufunc(name, 1, _floats) for name in (
        "sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin", "arccos",
        "arctan", "sinh", "cosh", "tanh", "arcsinh", "arccosh", "arctanh",
    )
)
asin, acos, atan, asinh, acosh, atanh = arcsin, arccos, arctan, arcsinh, arccosh, arctanh
cbrt = ufunc("cbrt", 1, _real_floats)
deg2rad = ufunc("deg2rad", 1, _real_floats)
rad2deg = ufunc("rad2deg", 1, _real_floats)
radians = ufunc("radians", 1, _real_floats, table="deg2rad")
degrees = ufunc("degrees", 1, _real_floats, table="rad2deg")
spacing = ufunc("spacing", 1, _real_floats)
arctan2 = atan2 = ufunc("arctan2", 2, _real_floats)
hypot = ufunc("hypot", 2, _real_floats, 0)
logaddexp = ufunc("logaddexp", 2, _real_floats, float("-inf"))
logaddexp2 = ufunc("logaddexp2", 2, _real_floats, float("-inf"))
copysign = ufunc("copysign", 2, _real_floats)
nextafter = ufunc("nextafter", 2, _real_floats)
heaviside = ufunc("heaviside", 2, _real_floats)
ldexp = ufunc("ldexp", 2, _ldexp)
frexp = ufunc("frexp", 1, _frexp, nout=2)
modf = ufunc("modf", 1, lambda self, held: (_real_floats(self, held)[0],) * 2, nout=2)

equal, not_equal, less, less_equal, greater, greater_equal = (
    ufunc(name, 2, _compare) for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
)
isnan, isinf, isfinite = (ufunc(name, 1, _test) for name in ("isnan", "isinf", "isfinite"))
signbit = ufunc("signbit", 1, _float_test)
logical_and = ufunc("logical_and", 2, _test, True)
logical_or = ufunc("logical_or", 2, _test, False)
logical_xor = ufunc("logical_xor", 2, _test, False)
logical_not = ufunc("logical_not", 1, _test)
bitwise_and = ufunc("bitwise_and", 2, _bits, -1)
bitwise_or = ufunc("bitwise_or", 2, _bits, 0)
bitwise_xor = ufunc("bitwise_xor", 2, _bits, 0)
invert = bitwise_not = bitwise_invert = ufunc("invert", 1, _bits)
left_shift = bitwise_left_shift = ufunc("left_shift", 2, _whole)
right_shift = bitwise_right_shift = ufunc("right_shift", 2, _whole)
bitwise_count = ufunc("bitwise_count", 1, _count)
gcd = ufunc("gcd", 2, _whole, 0)
lcm = ufunc("lcm", 2, _whole)

NAMES = tuple(name for name, value in list(globals().items()) if isinstance(value, ufunc))
