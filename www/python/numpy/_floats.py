"""Floating point numbers as text with the fewest digits that read back as the same number of their type."""

from __future__ import annotations

from . import _dtypes as _d

# The digits that any number of the type survives (so the search starts there) and the digits it may need.
_DIGITS = {_d.float16: (3, 5), _d.float32: (6, 9), _d.bfloat16: (2, 4)}
_NORMAL = {_d.float16: 6.103515625e-05, _d.float32: 1.1754943508222875e-38, _d.bfloat16: 1.1754943508222875e-38}
_cache: dict[tuple[float, _d.dtype], tuple[str, int]] = {}


def digits(value: float, held: _d.dtype) -> tuple[str, int]:
    """The digits of |value| without a point, and the power of ten of the first: 0.0125 -> ("125", -2)."""
    if value == 0:
        return "0", 0
    value = abs(value)
    if held is _d.float64:
        text = repr(value)
        mantissa, _, power = text.partition("e")
        whole, _, part = mantissa.partition(".")
        exponent = int(power or 0) + len(whole) - 1
        figures = (whole + part).rstrip("0")
        trimmed = figures.lstrip("0")
        return trimmed or "0", exponent - (len(figures) - len(trimmed))
    found = _cache.get((value, held))
    if found is None:
        if len(_cache) > 4096:
            _cache.clear()
        found = _cache[value, held] = _search(value, held)
    return found


def _search(value: float, held: _d.dtype) -> tuple[str, int]:
    least, most = _DIGITS[held]
    if value < _NORMAL[held]:
        least = 1
    for count in range(least, most + 1):
        text = f"{value:.{count - 1}e}"
        if held.wrap(float(text)) == value:
            break
    mantissa, _, power = text.partition("e")
    return mantissa.replace(".", "").rstrip("0") or "0", int(power)


def positional(value: float, held: _d.dtype) -> str:
    """`value` without an exponent: "0.1", "3.", "-12.5" (finite values)."""
    figures, exponent = digits(value, held)
    sign = "-" if value < 0 or str(value)[0] == "-" else ""
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{figures}" if figures != "0" else f"{sign}0."
    figures = figures.ljust(exponent + 1, "0")
    return f"{sign}{figures[: exponent + 1]}.{figures[exponent + 1 :]}"


def scientific(value: float, held: _d.dtype) -> str:
    """`value` with an exponent of at least two digits: "1.e-05", "1.5e+20"."""
    figures, exponent = digits(value, held)
    sign = "-" if value < 0 or str(value)[0] == "-" else ""
    return f"{sign}{figures[0]}.{figures[1:]}e{'-' if exponent < 0 else '+'}{abs(exponent):02d}"


_LARGE = {_d.float16: 1e3, _d.float32: 1e6, _d.float64: 1e16, _d.bfloat16: 1e6}


def float_text(value: float, held: _d.dtype) -> str:
    """How a scalar prints: positional from 1e-4 up to a size that its digits reach, else with an exponent."""
    if value != value:
        return "nan"
    if value in (float("inf"), -float("inf")):
        return "inf" if value > 0 else "-inf"
    if held is _d.bfloat16:  # as the library that defines the type writes it: six digits, none in vain
        return f"{value:g}"
    if value == 0 or 1e-4 <= abs(value) < _LARGE[held]:
        text = positional(value, held)
        return text + "0" if text.endswith(".") else text
    return scientific(value, held).replace(".e", "e")


def complex_text(value: complex, held: _d.dtype) -> str:
    """How a complex scalar prints: as Python prints it, with the digits of its type."""
    part = _d.float32 if held is _d.complex64 else _d.float64

    def short(number: float) -> str:
        text = float_text(number, part)
        return text[:-2] if text.endswith(".0") else text

    imag = short(value.imag)
    if value.real == 0 and str(value.real)[0] != "-":
        return f"{imag}j"
    return f"({short(value.real)}{'' if imag[0] == '-' else '+'}{imag}j)"
