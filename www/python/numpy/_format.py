"""Arrays as text: `repr`, `str`, `array2string` and the print options."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Callable, Iterator

from . import _convert
from . import _dtypes as _d
from ._floats import digits, float_text
from ._scalars import generic

_options: dict[str, Any] = {
    "edgeitems": 3, "threshold": 1000, "floatmode": "maxprec", "precision": 8, "suppress": False, "linewidth": 75,
    "nanstr": "nan", "infstr": "inf", "sign": "-", "formatter": None, "legacy": False, "override_repr": None,
}
_MODES = ("fixed", "unique", "maxprec", "maxprec_equal")
_LARGE = {_d.float16: 1e3, _d.float32: 1e6}  # from here on with exponents: what the type's digits reach
_IMPLIED = (_d.bool_, _d.int64, _d.float64, _d.complex128)


def get_printoptions() -> dict[str, Any]:
    """The options in force."""
    return dict(_options)


def set_printoptions(precision: int | None = None, threshold: int | None = None, edgeitems: int | None = None,
                     linewidth: int | None = None, suppress: bool | None = None, nanstr: str | None = None,
                     infstr: str | None = None, formatter: Any = None, sign: str | None = None,
                     floatmode: str | None = None, *, legacy: Any = None, override_repr: Any = None) -> None:
    """Sets how arrays print; what is None stays (`formatter` is reset)."""
    if floatmode is not None and floatmode not in _MODES:
        raise ValueError(f"floatmode option must be one of {', '.join(_quoted(mode) for mode in _MODES)}")
    if sign is not None and sign not in ("-", "+", " "):
        raise ValueError("sign option must be one of ' ', '+', or '-'")
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth,
             "suppress": suppress, "nanstr": nanstr, "infstr": infstr, "sign": sign, "floatmode": floatmode}
    _options.update({name: value for name, value in given.items() if value is not None})
    _options["formatter"] = formatter
    _options["override_repr"] = override_repr


def _quoted(text: str) -> str:
    return f'"{text}"'


@contextmanager
def printoptions(*args: Any, **kwargs: Any) -> Iterator[dict[str, Any]]:
    """A context with other print options."""
    before = get_printoptions()
    try:
        set_printoptions(*args, **kwargs)
        yield get_printoptions()
    finally:
        _options.update(before)


def _cut(value: float, held: Any, precision: int | None, scientific: bool) -> tuple[str, str, int]:
    """Digits before and after the point and the exponent: the shortest, rounded to `precision` places."""
    figures, exponent = digits(value, held)
    sign = "-" if value < 0 or str(value)[0] == "-" else ""
    if scientific:
        if precision is not None and len(figures) - 1 > precision:
            text = f"{abs(value):.{precision}e}"
            mantissa, _, power = text.partition("e")
            whole, _, part = mantissa.partition(".")
            return sign + whole, part.rstrip("0"), int(power)
        return sign + figures[0], figures[1:], exponent
    places = max(0, len(figures) - 1 - exponent)
    if precision is not None and places > precision:
        whole, _, part = f"{abs(value):.{precision}f}".partition(".")
        return sign + whole, part.rstrip("0"), 0
    if exponent < 0:
        return sign + "0", ("0" * (-exponent - 1) + figures) if figures != "0" else "", 0
    figures = figures.ljust(exponent + 1, "0")
    return sign + figures[: exponent + 1], figures[exponent + 1 :], 0


class FloatFormat:
    """Formats the floats of one array to one width, the points below each other."""

    def __init__(self, values: list[float], held: Any, options: dict[str, Any], sign: str | None = None) -> None:
        self.held = held
        self.sign = options["sign"] if sign is None else sign
        self.nan, self.inf = options["nanstr"], options["infstr"]
        mode = options["floatmode"]
        precision = None if mode == "unique" else options["precision"]
        finite = [value for value in values if abs(value) < float("inf")]
        sizes = [abs(value) for value in finite if value]
        self.scientific = bool(sizes) and (max(sizes) >= _LARGE.get(held, 1e8) or not options["suppress"] and (
            min(sizes) < 0.0001 or max(sizes) / min(sizes) > 1000.0))
        self.left = self.right = self.exponent = 0
        self.zeros = False
        self.precision = precision
        if finite:
            parts = [_cut(value, held, precision, self.scientific) for value in finite]
            self.left = max(len(whole) + (self.sign != "-" and whole[0] != "-") for whole, _, _ in parts)
            self.right = max(len(part) for _, part, _ in parts)
            if mode == "fixed":
                self.right = options["precision"]
            if self.scientific:
                self.exponent = max(max(len(str(abs(power))) for _, _, power in parts), 2)
                self.precision = self.right
                self.zeros = True
            elif mode in ("fixed", "maxprec_equal"):
                self.precision = self.right
                self.zeros = True
        self.fixed = mode == "fixed"
        self.width = self.left + 1 + self.right + (2 + self.exponent if self.scientific else 0)
        if len(finite) != len(values):
            negative = self.sign != "-" or any(value == -float("inf") for value in values)
            offset = self.width - self.left
            self.left = max(self.left, len(self.nan) - offset, len(self.inf) + negative - offset)
            self.width = self.left + offset

    def __call__(self, value: float) -> str:
        plus = self.sign if self.sign != "-" else ""
        if value != value:
            return ((plus if plus == "+" else "") + self.nan).rjust(self.width)
        if not abs(value) < float("inf"):
            return (("-" if value < 0 else plus if plus == "+" else "") + self.inf).rjust(self.width)
        if self.fixed:
            whole, part, power = _fixed(value, self.right, self.scientific)
        else:
            whole, part, power = _cut(value, self.held, self.precision, self.scientific)
            if self.zeros and len(part) < self.right and self.held is not _d.float64:
                whole, part, power = _fixed(value, self.right, self.scientific)
        if plus and whole[0] != "-":
            whole = plus + whole
        text = whole.rjust(self.left) + "." + (part.ljust(self.right, "0") if self.zeros else part)
        if self.scientific:
            return f"{text}e{'-' if power < 0 else '+'}{abs(power):0{self.exponent}d}"
        return text.ljust(self.left + 1 + self.right)


def _fixed(value: float, places: int, scientific: bool) -> tuple[str, str, int]:
    text = f"{value:.{places}{'e' if scientific else 'f'}}"
    mantissa, _, power = text.partition("e")
    whole, _, part = mantissa.partition(".")
    return whole, part, int(power or 0)


def _complex_format(values: list[complex], held: Any, options: dict[str, Any]) -> Callable[[complex], str]:
    part = _d.float32 if held is _d.complex64 else _d.float64
    real = FloatFormat([value.real for value in values], part, options)
    imag = FloatFormat([value.imag for value in values], part, options, "+")

    def apply(value: complex) -> str:
        second = imag(value.imag)
        bare = second.rstrip()
        return real(value.real) + bare + "j" + second[len(bare) :]

    return apply


def _formatter(values: list[Any], held: Any, shape: Any, options: dict[str, Any]) -> Callable[[Any], str]:
    custom = _custom(held, options["formatter"])
    if custom is not None:
        return custom
    kind = held.kind
    if kind == "b":
        return lambda value: ("True" if value else "False").rjust(5 if shape and True in values else 4) if shape else (
            str(value))
    if kind in "iu":
        sign = options["sign"]
        texts = [_signed(value, sign) for value in (max(values), min(values))] if values else [""]
        width = max(map(len, texts))
        return lambda value: _signed(value, sign).rjust(width)
    if kind in "f":
        return FloatFormat(values, held, options)
    if kind == "V":
        return lambda value: float_text(value, held)
    if kind == "c":
        return _complex_format(values, held, options)
    return repr


def _signed(value: int, sign: str) -> str:
    return str(value) if sign == "-" or value < 0 else sign + str(value)


_FORMATTERS = {
    "b": ("bool",), "i": ("int", "int_kind"), "u": ("int", "int_kind"), "f": ("float", "float_kind"),
    "c": ("complexfloat", "complex_kind"), "U": ("numpystr", "str_kind", "str"), "V": ("float", "float_kind"),
}


def _custom(held: Any, given: Any) -> Any:
    if given:
        for name in (*_FORMATTERS[held.kind], "all"):
            if given.get(name) is not None:
                function = given[name]
                cls = held.type
                return lambda value: function(cls(value))
    return None


def _edges(length: int, items: int, summary: bool) -> list[int | None]:
    """Which positions of an axis are shown; None stands for the dots."""
    if summary and length > 2 * items:
        return [*range(items), None, *range(length - items, length)]
    return list(range(length))


def _shown(array: Any, options: dict[str, Any], summary: bool) -> list[Any]:
    if not summary:
        return array._values()
    chosen = array
    for axis, length in enumerate(array._shape):
        items = options["edgeitems"]
        if length > 2 * items:
            front = (slice(None),) * axis
            parts = [chosen[(*front, slice(0, items))], chosen[(*front, slice(length - items, length))]]
            from ._shaping import concatenate

            chosen = concatenate(parts, axis)
    return chosen._values()


def _body(array: Any, options: dict[str, Any], separator: str, prefix: str, suffix: str) -> str:
    summary = array.size > options["threshold"]
    width = options["linewidth"] - len(suffix)
    values = _shown(array, options, summary)
    form = _formatter(values, array._dtype, array._shape, options)
    rank = array.ndim
    words = iter([form(value) for value in values])

    def nest(axis: int, indent: str, room: int) -> str:
        if axis == rank:
            return next(words)
        places = _edges(array._shape[axis], options["edgeitems"], summary)
        left = rank - axis
        if left == 1:
            room -= max(len(separator.rstrip()), 1)
            lines: list[str] = []
            line = indent
            for number, place in enumerate(places):
                word = "..." if place is None else next(words)
                if len(line) + len(word) > room and len(line) > len(indent):
                    lines.append(line.rstrip())
                    line = indent
                line += word
                if number + 1 < len(places):
                    line += separator
            text = "\n".join([*lines, line])
        else:
            gap = separator.rstrip() + "\n" * (left - 1)
            rows = []
            for place in places:
                rows.append(indent + ("..." if place is None else nest(axis + 1, indent + " ", room - 1)))
            text = gap.join(rows)
        return "[" + text[len(indent) :] + "]"

    return nest(0, " " + " " * len(prefix), width)


def array2string(a: Any, max_line_width: int | None = None, precision: int | None = None,
                 suppress_small: bool | None = None, separator: str = " ", prefix: str = "", *,
                 formatter: Any = None, threshold: int | None = None, edgeitems: int | None = None,
                 sign: str | None = None, floatmode: str | None = None, suffix: str = "", legacy: Any = None) -> str:
    """The array as text, under the options given and those in force."""
    array = _convert.asarray(a)
    options = dict(_options)
    given = {"linewidth": max_line_width, "precision": precision, "suppress": suppress_small, "formatter": formatter,
             "threshold": threshold, "edgeitems": edgeitems, "sign": sign, "floatmode": floatmode}
    options.update({name: value for name, value in given.items() if value is not None})
    if array.size == 0:
        return "[]"
    return _body(array, options, separator, prefix, suffix)


def array_repr(arr: Any, max_line_width: int | None = None, precision: int | None = None,
               suppress_small: bool | None = None) -> str:
    """The array as text that says its dtype where that is not the usual one."""
    held = arr._dtype
    if _options["override_repr"] is not None:
        return _options["override_repr"](arr)
    width = max_line_width or _options["linewidth"]
    prefix = "array("
    if arr.size:
        text = array2string(arr, max_line_width, precision, suppress_small, ", ", prefix, suffix=")")
    else:
        text = "[]"
    extras = []
    if (arr.size == 0 and arr._shape != (0,)) or arr.size > _options["threshold"]:
        extras.append(f"shape={arr._shape}")
    if held not in _IMPLIED or arr.size == 0:
        extras.append("dtype=" + (f"'{held.str}'" if held.kind == "U" else held.name))
    if not extras:
        return f"{prefix}{text})"
    text = f"{prefix}{text},"
    extra = ", ".join(extras) + ")"
    last = len(text) - (text.rfind("\n") + 1)
    gap = "\n" + " " * len(prefix) if last + len(extra) + 1 > width else " "
    return text + gap + extra


def array_str(a: Any, max_line_width: int | None = None, precision: int | None = None,
              suppress_small: bool | None = None) -> str:
    """The array's elements as text."""
    if not a._shape:
        return str(a[()])
    return array2string(a, max_line_width, precision, suppress_small, " ", "")


def scalar_repr(value: generic) -> str:
    """A scalar with its type: "np.float32(0.5)"."""
    held = value.dtype
    if held.kind == "b":
        return "np.True_" if value._v else "np.False_"
    if held.kind == "U":
        return f"np.str_({str.__repr__(value)})"  # type: ignore[arg-type]
    if held.kind == "V":
        return str(value)
    text = str(value)
    return f"np.{held.name}{text if held.kind == 'c' and text[0] == '(' else f'({text})'}"


def format_float_positional(x: Any, precision: int | None = None, unique: bool = True, fractional: bool = True,
                            trim: str = "k", sign: bool = False, pad_left: int | None = None,
                            pad_right: int | None = None, min_digits: int | None = None) -> str:
    """A float without an exponent."""
    held = x.dtype if isinstance(x, generic) and x.dtype.kind == "f" else _d.float64
    value = float(x)
    if unique:
        whole, part, _ = _cut(value, held, precision, False)
    else:
        whole, part, _ = _fixed(value, 0 if precision is None else precision, False)
    return _padded(whole, part, "", trim, sign, pad_left, pad_right, min_digits, precision if not unique else None)


def format_float_scientific(x: Any, precision: int | None = None, unique: bool = True, trim: str = "k",
                            sign: bool = False, pad_left: int | None = None, exp_digits: int | None = None,
                            min_digits: int | None = None) -> str:
    """A float with an exponent."""
    held = x.dtype if isinstance(x, generic) and x.dtype.kind == "f" else _d.float64
    value = float(x)
    whole, part, power = _cut(value, held, precision, True) if unique else _fixed(value, precision or 0, True)
    tail = f"e{'-' if power < 0 else '+'}{abs(power):0{exp_digits or 2}d}"
    return _padded(whole, part, tail, trim, sign, pad_left, None, min_digits, None)


def binary_repr(num: int, width: int | None = None) -> str:
    """An integer in binary; a negative one as its two's complement if `width` is given."""
    value = num.__index__()
    if value >= 0 or width is None:
        return f"-{-value:b}" if value < 0 else f"{value:0{width or 1}b}"
    return f"{value % (1 << width):0{width}b}"


def base_repr(number: int, base: int = 2, padding: int = 0) -> str:
    """An integer to any base from 2 to 36."""
    if not 2 <= base <= 36:
        raise ValueError("Bases greater than 36 not handled in base_repr." if base > 36 else
                         "Bases less than 2 not handled in base_repr.")
    value = abs(int(number))
    found = ""
    while value:
        value, digit = divmod(value, base)
        found = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[digit] + found
    return ("-" if number < 0 else "") + "0" * padding + (found or ("" if padding else "0"))


def _padded(whole: str, part: str, tail: str, trim: str, sign: bool, left: int | None, right: int | None,
            least: int | None, exact: int | None) -> str:
    if sign and whole[0] != "-":
        whole = "+" + whole
    part = part.ljust(max(least or 0, exact or 0), "0")
    if trim in ".0-" and least is None:
        part = part.rstrip("0")
    if trim == "0" and not part:
        part = "0"
    point = "" if trim == "-" and not part else "."
    return whole.rjust(left or 0) + (point + part).ljust((right or 0) + 1 if right else 0) + tail
