"""What each ufunc does to single elements, as Python functions on Python values.

An entry gives, for a kind of loop ('b' bool, 'i' integer, 'f' float, 'c' complex), a quick function that may raise
and a patient one that never does: it answers with nan or infinities, and notes what went wrong in `raised`.
"""

from __future__ import annotations

import cmath
import math
import operator as op
import struct
from typing import Any, Callable

NAN, INF = math.nan, math.inf
raised: set[str] = set()  # of 'divide', 'invalid', 'over'; read and emptied by the ufunc
Function = Callable[..., Any]
Entry = tuple[Function, Function]
TABLE: dict[str, dict[str, Entry]] = {}


def define(name: str, **kinds: Any) -> None:
    """Adds an operation: a function, or a (quick, patient) pair, by kind of loop."""
    TABLE[name] = {
        kind: (given if isinstance(given, tuple) else (given, given)) for kind, given in kinds.items()
    }


def _domain(function: Function, wrong: Callable[[float], float] | None = None) -> Entry:
    """A function of `math`, which raises, beside one that answers nan or infinity instead."""

    def patient(value: float) -> float:
        try:
            return function(value)
        except OverflowError:
            raised.add("over")
            return INF
        except (ValueError, ZeroDivisionError):
            return wrong(value) if wrong else invalid(value)

    return function, patient


def invalid(*_: Any) -> float:
    """nan, noting an invalid value."""
    raised.add("invalid")
    return NAN


def _log_wrong(pole: float) -> Callable[[float], float]:
    def wrong(value: float) -> float:
        if value == pole:
            raised.add("divide")
            return -INF
        return invalid()

    return wrong


def divide(a: float, b: float) -> float:
    """a / b with IEEE's answers for zero."""
    try:
        return a / b
    except ZeroDivisionError:
        if a == 0 or a != a:
            return invalid() if a == a else NAN
        raised.add("divide")
        return math.copysign(INF, a) * math.copysign(1.0, b)


def _divide_complex(a: complex, b: complex) -> complex:
    try:
        return a / b
    except ZeroDivisionError:
        raised.add("invalid" if a == 0 else "divide")
        return complex(divide(a.real, 0.0) if a.real else NAN, divide(a.imag, 0.0) if a.imag else NAN)


def _floor_divide(a: float, b: float) -> float:
    try:
        return a // b
    except ZeroDivisionError:
        return divide(a, b)


def _floor_divide_int(a: int, b: int) -> int:
    if b == 0:
        raised.add("divide")
        return 0
    return a // b


def _remainder(a: float, b: float) -> float:
    try:
        return a % b
    except (ZeroDivisionError, ValueError):
        return invalid() if a == a and b == b else NAN


def _remainder_int(a: int, b: int) -> int:
    if b == 0:
        raised.add("divide")
        return 0
    return a % b


def _fmod(a: float, b: float) -> float:
    try:
        return math.fmod(a, b)
    except ValueError:
        return invalid()


def _fmod_int(a: int, b: int) -> int:
    if b == 0:
        raised.add("divide")
        return 0
    return int(math.copysign(1, a)) * (abs(a) % abs(b)) if a else 0


def _power(a: float, b: float) -> float:
    try:
        return math.pow(a, b)
    except OverflowError:
        raised.add("over")
        return -INF if a < 0 and b % 2 == 1 else INF
    except ValueError:
        if a == 0:
            raised.add("divide")
            return math.copysign(INF, a) if b % 2 == 1 else INF
        return invalid()


def _power_int(a: int, b: int) -> int:
    if b < 64 or a in (0, 1, -1):
        return a**b
    return pow(a, b, 1 << 64) if a > 0 else pow(a % (1 << 64), b, 1 << 64)


def _power_complex(a: complex, b: complex) -> complex:
    try:
        return a**b
    except ZeroDivisionError:
        raised.add("invalid")
        return complex(NAN, NAN)
    except OverflowError:
        raised.add("over")
        return complex(INF, NAN)


def _maximum(a: float, b: float) -> float:
    return a if a >= b or a != a else b


def _minimum(a: float, b: float) -> float:
    return a if a <= b or a != a else b


def _fmax(a: float, b: float) -> float:
    return a if a >= b or b != b else b


def _fmin(a: float, b: float) -> float:
    return a if a <= b or b != b else b


def _order(a: complex) -> tuple[float, float]:
    return (a.real, a.imag)


def _round_even(value: float) -> float:
    if not abs(value) < 4503599627370496.0:
        return value
    return math.copysign(float(round(value)), value)


def _whole(function: Callable[[float], int]) -> Function:
    def apply(value: float) -> float:
        if not abs(value) < 4503599627370496.0:
            return value
        return math.copysign(float(function(value)), value)

    return apply


def _sign(value: float) -> float:
    return 1.0 if value > 0 else -1.0 if value < 0 else value if value != value else 0.0


def _logaddexp(a: float, b: float) -> float:
    if a == b:
        return a + math.log(2.0)
    high, low = (a, b) if a > b else (b, a)
    if a != a or b != b:
        return NAN
    return high + math.log1p(math.exp(low - high)) if low != -INF else high


def _logaddexp2(a: float, b: float) -> float:
    if a == b:
        return a + 1.0
    high, low = (a, b) if a > b else (b, a)
    if a != a or b != b:
        return NAN
    return high + math.log1p(2.0 ** (low - high)) / math.log(2.0) if low != -INF else high


def _shift_left(a: int, b: int) -> int:
    return a << b if 0 <= b < 64 else 0


def _shift_right(a: int, b: int) -> int:
    return a >> b if 0 <= b < 64 else (-1 if a < 0 else 0)


def _hypot(a: float, b: float) -> float:
    return math.hypot(a, b)


def _ldexp(a: float, b: int) -> float:
    try:
        return math.ldexp(a, int(b))
    except OverflowError:
        raised.add("over")
        return math.copysign(INF, a)


def _reciprocal(a: float) -> float:
    return divide(1.0, a)


def _safe_complex(function: Function, at_zero: complex | None = None) -> Entry:
    def patient(value: complex) -> complex:
        try:
            return function(value)
        except (ValueError, OverflowError, ZeroDivisionError):
            if at_zero is not None and value == 0:
                raised.add("divide")
                return at_zero
            raised.add("invalid")
            return complex(NAN, NAN)

    return function, patient


def _neighbour(word: str, real: str) -> Function:
    """`nextafter` for a narrow type: its bits as an integer, one up or down."""

    def apply(a: float, b: float) -> float:
        if a != a or b != b:
            return NAN
        if a == b:
            return b
        bits = struct.unpack(word, struct.pack(real, a))[0]
        if a == 0:
            return math.copysign(struct.unpack(real, struct.pack(word, 1))[0], b)
        return struct.unpack(real, struct.pack(word, bits + (1 if (b > a) == (a > 0) else -1)))[0]

    return apply


def _gap(after: Function) -> Function:
    """`spacing` made of `nextafter`."""
    return lambda a: math.copysign(after(abs(a), INF) - abs(a), a) if abs(a) < INF else NAN


_after32, _after16 = _neighbour("i", "f"), _neighbour("h", "e")
define("add", b=op.or_, i=op.add, f=op.add, c=op.add)
define("subtract", i=op.sub, f=op.sub, c=op.sub)
define("multiply", b=op.and_, i=op.mul, f=op.mul, c=op.mul)
define("divide", f=(op.truediv, divide), c=(op.truediv, _divide_complex))
define("floor_divide", i=(op.floordiv, _floor_divide_int), f=(op.floordiv, _floor_divide))
define("remainder", i=(op.mod, _remainder_int), f=(op.mod, _remainder))
define("fmod", i=_fmod_int, f=(math.fmod, _fmod))
define("power", i=_power_int, f=(math.pow, _power), c=(op.pow, _power_complex))
define("float_power", f=(math.pow, _power), c=(op.pow, _power_complex))
define("negative", i=op.neg, f=op.neg, c=op.neg)
define("positive", i=op.pos, f=op.pos, c=op.pos)
define("absolute", b=lambda a: a, i=abs, f=abs, c=(abs, lambda a: math.hypot(a.real, a.imag)))
define("fabs", f=abs)
define("sign", i=lambda a: (a > 0) - (a < 0), f=_sign, c=lambda a: a / abs(a) if a else 0j)
define("conjugate", b=lambda a: a, i=lambda a: a, f=lambda a: a, c=lambda a: a.conjugate())
define("square", i=lambda a: a * a, f=lambda a: a * a, c=lambda a: a * a)
define("reciprocal", i=lambda a: 1 // a if a > 0 else -(1 // -a) if a else 0, f=_reciprocal,
       c=(lambda a: 1 / a, lambda a: _divide_complex(1 + 0j, a)))
define("sqrt", f=_domain(math.sqrt), c=_safe_complex(cmath.sqrt))
define("cbrt", f=math.cbrt)
define("exp", f=_domain(math.exp), c=_safe_complex(cmath.exp))
define("exp2", f=_domain(math.exp2), c=_safe_complex(lambda a: 2.0**a))
define("expm1", f=_domain(math.expm1), c=_safe_complex(lambda a: cmath.exp(a) - 1))
define("log", f=_domain(math.log, _log_wrong(0)), c=_safe_complex(cmath.log, complex(-INF, 0)))
define("log2", f=_domain(math.log2, _log_wrong(0)), c=_safe_complex(lambda a: cmath.log(a) / math.log(2)))
define("log10", f=_domain(math.log10, _log_wrong(0)), c=_safe_complex(cmath.log10))
define("log1p", f=_domain(math.log1p, _log_wrong(-1)), c=_safe_complex(lambda a: cmath.log(1 + a) if a != -1 else complex(-INF, a.imag)))
for _name, _theirs in {
    "sin": "sin", "cos": "cos", "tan": "tan", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "sinh": "sinh",
    "cosh": "cosh", "tanh": "tanh", "arcsinh": "asinh", "arccosh": "acosh",
}.items():
    define(_name, f=_domain(getattr(math, _theirs)), c=_safe_complex(getattr(cmath, _theirs)))


def _sinh_wide(value: float) -> float:
    try:
        return math.sinh(value)
    except OverflowError:
        raised.add("over")
        return math.copysign(INF, value)


def _arctanh(value: float) -> float:
    if abs(value) == 1:
        raised.add("divide")
        return math.copysign(INF, value)
    return invalid() if not abs(value) < 1 and value == value else math.atanh(value)


define("sinh", f=(math.sinh, _sinh_wide), c=_safe_complex(cmath.sinh))
define("arctanh", f=(math.atanh, _arctanh), c=_safe_complex(cmath.atanh))
define("deg2rad", f=lambda a: a * (math.pi / 180.0))
define("rad2deg", f=lambda a: a * (180.0 / math.pi))
define("floor", b=lambda a: a, i=lambda a: a, f=_whole(math.floor))
define("ceil", b=lambda a: a, i=lambda a: a, f=_whole(math.ceil))
define("trunc", b=lambda a: a, i=lambda a: a, f=_whole(math.trunc))
define("rint", f=_round_even, c=lambda a: complex(_round_even(a.real), _round_even(a.imag)))
define("isnan", b=lambda a: False, i=lambda a: False, f=math.isnan, c=cmath.isnan)
define("isinf", b=lambda a: False, i=lambda a: False, f=math.isinf, c=cmath.isinf)
define("isfinite", b=lambda a: True, i=lambda a: True, f=math.isfinite, c=cmath.isfinite)
define("signbit", f=lambda a: math.copysign(1.0, a) < 0)
define("spacing", f=lambda a: math.copysign(math.ulp(a), a), float32=_gap(_after32), float16=_gap(_after16))
define("maximum", b=op.or_, i=max, f=_maximum, c=lambda a, b: a if a != a or _order(a) >= _order(b) else b, U=max)
define("minimum", b=op.and_, i=min, f=_minimum, c=lambda a, b: a if a != a or _order(a) <= _order(b) else b, U=min)
define("fmax", b=op.or_, i=max, f=_fmax, c=lambda a, b: a if b != b or _order(a) >= _order(b) else b)
define("fmin", b=op.and_, i=min, f=_fmin, c=lambda a, b: a if b != b or _order(a) <= _order(b) else b)
define("arctan2", f=math.atan2)
define("hypot", f=_hypot)
define("logaddexp", f=_logaddexp)
define("logaddexp2", f=_logaddexp2)
define("copysign", f=math.copysign)
define("nextafter", f=math.nextafter, float32=_after32, float16=_after16)
define("ldexp", f=(lambda a, b: math.ldexp(a, int(b)), _ldexp))
define("heaviside", f=lambda a, b: a if a != a else 0.0 if a < 0 else 1.0 if a > 0 else b)
define("frexp", f=math.frexp)
define("modf", f=math.modf)
define("divmod", i=(divmod, lambda a, b: (_floor_divide_int(a, b), _remainder_int(a, b))),
       f=(divmod, lambda a, b: (_floor_divide(a, b), _remainder(a, b))))
for _name, _function in {"equal": op.eq, "not_equal": op.ne}.items():
    define(_name, b=_function, i=_function, f=_function, c=_function, U=_function)
for _name, _function in {"less": op.lt, "less_equal": op.le, "greater": op.gt, "greater_equal": op.ge}.items():
    define(_name, b=_function, i=_function, f=_function, U=_function,
           c=lambda a, b, f=_function: f(_order(a), _order(b)))
define("logical_and", b=op.and_, i=lambda a, b: bool(a) and bool(b), f=lambda a, b: bool(a) and bool(b),
       c=lambda a, b: bool(a) and bool(b))
define("logical_or", b=op.or_, i=lambda a, b: bool(a) or bool(b), f=lambda a, b: bool(a) or bool(b),
       c=lambda a, b: bool(a) or bool(b))
define("logical_xor", b=op.xor, i=lambda a, b: bool(a) != bool(b), f=lambda a, b: bool(a) != bool(b),
       c=lambda a, b: bool(a) != bool(b))
define("logical_not", b=op.not_, i=op.not_, f=op.not_, c=op.not_)
define("bitwise_and", b=op.and_, i=op.and_)
define("bitwise_or", b=op.or_, i=op.or_)
define("bitwise_xor", b=op.xor, i=op.xor)
define("invert", b=op.not_, i=op.invert)
define("left_shift", i=_shift_left)
define("right_shift", i=_shift_right)
define("bitwise_count", i=lambda a: abs(a).bit_count())
define("gcd", i=math.gcd)
define("lcm", i=math.lcm)
