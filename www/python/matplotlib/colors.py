"""Colours: what names and tuples mean, maps from numbers to colours, and how numbers come into 0 to 1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from . import _missing, _tables
from ._data import finite, floats, plain

RGBA = tuple[float, float, float, float]
CSS4_COLORS = _tables.NAMES
BASE_COLORS = {
    "b": "#0000ff",
    "g": "#008000",
    "r": "#ff0000",
    "c": "#00bfbf",
    "m": "#bf00bf",
    "y": "#bfbf00",
    "k": "#000000",
    "w": "#ffffff",
}
_CYCLE = ("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf")
_TAB = ("blue", "orange", "green", "red", "purple", "brown", "pink", "gray", "olive", "cyan")
TABLEAU_COLORS = {f"tab:{name}": value for name, value in zip(_TAB, _CYCLE)}

# Colours that follow the theme: the cycle, and black and white, which are ink and paper.
_ROLES = {
    **{f"C{index}": f"c{index}" for index in range(10)},
    **{f"tab:{name}": f"c{index}" for index, name in enumerate(_TAB)},
    **{value: f"c{index}" for index, value in enumerate(_CYCLE)},
    "tab:grey": "c7",
    "k": "text",
    "black": "text",
    "#000000": "text",
    "w": "ground",
    "white": "ground",
    "#ffffff": "ground",
}


def to_rgba(c: Any, alpha: float | None = None) -> RGBA:
    """A colour as (red, green, blue, alpha), each in 0..1. ValueError for what is no colour."""
    if isinstance(c, tuple) and len(c) == 2 and not isinstance(c[0], (int, float)):
        c, alpha = c[0], c[1] if alpha is None else alpha
    if isinstance(c, str):
        parts = _from_text(c)
    else:
        parts = tuple(floats(c)) if c is not None else ()
    if len(parts) not in (3, 4) or not all(0 <= part <= 1 for part in parts):
        raise ValueError(f"{c!r} is not a valid value for color")
    own = parts[3] if len(parts) == 4 else 1.0
    return (parts[0], parts[1], parts[2], own if alpha is None else float(alpha))


def _from_text(name: str) -> tuple[float, ...]:
    if name.lower() == "none":
        return (0.0, 0.0, 0.0, 0.0)
    value = BASE_COLORS.get(name) or TABLEAU_COLORS.get(name) or CSS4_COLORS.get(name.lower()) or name
    if name == "tab:grey":
        value = _CYCLE[7]
    if len(name) > 1 and name[0] == "C" and name[1:].isdigit():
        value = _CYCLE[int(name[1:]) % 10]
    if value.startswith("#"):
        digits = value[1:]
        if len(digits) in (3, 4):
            digits = "".join(digit * 2 for digit in digits)
        if len(digits) in (6, 8):
            try:
                return tuple(int(digits[at : at + 2], 16) / 255 for at in range(0, len(digits), 2))
            except ValueError:
                return ()
    try:
        return (float(value),) * 3
    except ValueError:
        return ()


def to_rgb(c: Any) -> tuple[float, float, float]:
    """A colour as (red, green, blue)."""
    return to_rgba(c)[:3]


def to_rgba_array(c: Any, alpha: float | None = None) -> Any:
    """Colours as the rows of an array."""
    import numpy

    given = [c] if isinstance(c, str) else list(c)
    return numpy.asarray([to_rgba(color, alpha) for color in given])


def to_hex(c: Any, keep_alpha: bool = False) -> str:
    """A colour as "#rrggbb", or "#rrggbbaa"."""
    rgba = to_rgba(c)
    return "#" + "".join(f"{round(part * 255):02x}" for part in (rgba if keep_alpha else rgba[:3]))


def is_color_like(c: Any) -> bool:
    """Whether `c` is a colour."""
    try:
        to_rgba(c)
    except (ValueError, TypeError):
        return False
    return True


def paint(c: Any, alpha: float | None = None) -> tuple[str | None, float]:
    """A colour as a scene has it (a role or "#rrggbb"; None for no colour), and its opacity."""
    if c is None or isinstance(c, str) and c.lower() == "none":
        return None, 1.0
    if isinstance(c, tuple) and len(c) == 2 and isinstance(c[0], str):
        c, alpha = c[0], c[1] if alpha is None else alpha
    if isinstance(c, str):
        name = c if len(c) < 2 or c[0] != "C" or not c[1:].isdigit() else f"C{int(c[1:]) % 10}"
        if name in _ROLES or name.lower() in _ROLES and len(name) > 1:
            return _ROLES.get(name) or _ROLES[name.lower()], 1.0 if alpha is None else float(alpha)
    rgba = to_rgba(c, alpha)
    return to_hex(rgba), rgba[3]


class Normalize:
    """Takes numbers from vmin..vmax to 0..1; what is not given is taken from the first data."""

    def __init__(self, vmin: Any = None, vmax: Any = None, clip: bool = False) -> None:
        self.vmin = None if vmin is None else float(vmin)
        self.vmax = None if vmax is None else float(vmax)
        self.clip = clip

    def autoscale_None(self, values: Any) -> None:
        """Takes the limits that are not set from the data."""
        usable = self._usable(floats(values))
        if self.vmin is None:
            self.vmin = min(usable, default=0.0)
        if self.vmax is None:
            self.vmax = max(usable, default=1.0)

    def autoscale(self, values: Any) -> None:
        """Takes both limits from the data."""
        self.vmin = self.vmax = None
        self.autoscale_None(values)

    def _usable(self, values: list[float]) -> list[float]:
        return finite(values)

    def _forward(self, value: float) -> float:
        return value

    def unit(self, value: float) -> float:
        """Where one number stands between the limits."""
        low, high = self._forward(self.vmin or 0.0), self._forward(1.0 if self.vmax is None else self.vmax)
        if high == low:
            return 0.0
        place = (self._forward(value) - low) / (high - low)
        return min(max(place, 0.0), 1.0) if self.clip else place

    def scaled(self) -> bool:
        """Whether both limits are known."""
        return self.vmin is not None and self.vmax is not None

    def __call__(self, value: Any, clip: bool | None = None) -> Any:
        import numpy

        self.autoscale_None(value)
        values = plain(value)
        if not isinstance(values, list):
            return self.unit(float(values))
        array = numpy.asarray(values, dtype=float)
        return numpy.asarray([self.unit(one) for one in floats(values)]).reshape(array.shape)


class LogNorm(Normalize):
    """As Normalize, by logarithms; values that are not positive are left out."""

    def _usable(self, values: list[float]) -> list[float]:
        return [value for value in finite(values) if value > 0]

    def _forward(self, value: float) -> float:
        return math.log10(value) if value > 0 else math.nan


class TwoSlopeNorm(Normalize):
    """As Normalize, with `vcenter` in the middle of the map."""

    def __init__(self, vcenter: float, vmin: Any = None, vmax: Any = None) -> None:
        super().__init__(vmin, vmax)
        self.vcenter = float(vcenter)

    def unit(self, value: float) -> float:
        """Where one number stands, each side of the centre by its own slope."""
        low, high, middle = self.vmin or 0.0, 1.0 if self.vmax is None else self.vmax, self.vcenter
        if value < middle:
            return 0.5 * (value - low) / (middle - low) if middle > low else 0.0
        return 0.5 + 0.5 * (value - middle) / (high - middle) if high > middle else 0.5


class CenteredNorm(Normalize):
    """As Normalize, symmetrical around `vcenter`."""

    def __init__(self, vcenter: float = 0, halfrange: Any = None) -> None:
        around = (None, None) if halfrange is None else (vcenter - halfrange, vcenter + halfrange)
        super().__init__(*around)
        self.vcenter = float(vcenter)

    def autoscale_None(self, values: Any) -> None:
        """Takes the half range that is not set from the data."""
        if not self.scaled():
            reach = max((abs(value - self.vcenter) for value in finite(floats(values))), default=1.0)
            self.vmin, self.vmax = self.vcenter - reach, self.vcenter + reach


class BoundaryNorm(Normalize):
    """Steps: the colour of a number is that of the interval between boundaries it falls in."""

    def __init__(self, boundaries: Any, ncolors: int = 256, clip: bool = False) -> None:
        self.boundaries = floats(boundaries)
        self.ncolors = ncolors
        super().__init__(self.boundaries[0], self.boundaries[-1], clip)

    def unit(self, value: float) -> float:
        """The place of the interval's colour."""
        count = len(self.boundaries) - 1
        index = sum(boundary <= value for boundary in self.boundaries) - 1
        return (index + 0.5) / count if count > 1 else 0.5


class Colormap:
    """A map from 0..1 to colours, linear between anchors or in steps."""

    def __init__(self, name: str, anchors: Sequence[RGBA], steps: bool = False) -> None:
        self.name = name
        self._anchors = list(anchors)
        self._steps = steps
        self.N = len(self._anchors) if steps else 256
        self._table: list[RGBA] | None = None
        self.bad: RGBA = (0.0, 0.0, 0.0, 0.0)
        self.under: RGBA | None = None
        self.over: RGBA | None = None

    def at(self, place: float) -> RGBA:
        """The colour of a place; outside of 0..1 that of the nearer end."""
        if place != place:
            return self.bad
        if place < 0 and self.under:
            return self.under
        if place > 1 and self.over:
            return self.over
        table = self._table or self._fill()
        return table[min(max(int(place * len(table)), 0), len(table) - 1)]

    def _fill(self) -> list[RGBA]:
        anchors = self._anchors
        if self._steps or len(anchors) == 1:
            table = [anchors[index % len(anchors)] for index in range(self.N)]
        else:
            table = []
            for index in range(self.N):
                place = index / max(self.N - 1, 1) * (len(anchors) - 1)
                low = min(int(place), len(anchors) - 2)
                part = place - low
                pairs = zip(anchors[low], anchors[low + 1])
                table.append(tuple(start + (end - start) * part for start, end in pairs))
        self._table = table
        return table

    def __call__(self, X: Any, alpha: float | None = None, bytes: bool = False) -> Any:
        """The colour of a number in 0..1 (an integer is an index), or an array of colours for an array."""
        import numpy

        values = plain(X)
        if not isinstance(values, list):
            color = self._indexed(values, alpha)
            return tuple(round(part * 255) for part in color) if bytes else color
        shape = numpy.asarray(values).shape
        flat: list[Any] = values
        for _ in shape[1:]:
            flat = [inner for row in flat for inner in row]
        table = numpy.asarray([self._indexed(value, alpha) for value in flat]).reshape((*shape, 4))
        return (table * 255).round().astype("uint8") if bytes else table

    def _indexed(self, value: Any, alpha: float | None) -> RGBA:
        whole = isinstance(value, int) and not isinstance(value, bool)
        color = self.at((value + 0.5) / self.N if whole else float(value))
        return color if alpha is None else (*color[:3], alpha)

    @property
    def colors(self) -> list[Any]:
        """The colours of all steps."""
        return [color[:3] for color in self._table or self._fill()]

    def resampled(self, lutsize: int) -> Colormap:
        """The same map in `lutsize` steps."""
        picked = [self.at(index / max(lutsize - 1, 1)) for index in range(lutsize)]
        return Colormap(self.name, picked, steps=True)

    def reversed(self, name: str | None = None) -> Colormap:
        """The map from its other end."""
        own = self.name[:-2] if self.name.endswith("_r") else f"{self.name}_r"
        return Colormap(name or own, self._anchors[::-1], self._steps)

    def copy(self) -> Colormap:
        """A map of its own."""
        made = Colormap(self.name, self._anchors, self._steps)
        made.N, made.bad, made.under, made.over = self.N, self.bad, self.under, self.over
        return made

    def set_bad(self, color: Any = "k", alpha: float | None = None) -> None:
        """The colour of NaN."""
        self.bad = to_rgba(color, alpha)

    def set_under(self, color: Any = "k", alpha: float | None = None) -> None:
        """The colour of what is below 0."""
        self.under = to_rgba(color, alpha)

    def set_over(self, color: Any = "k", alpha: float | None = None) -> None:
        """The colour of what is above 1."""
        self.over = to_rgba(color, alpha)

    def __repr__(self) -> str:
        return f"<Colormap {self.name!r}>"


class ListedColormap(Colormap):
    """A map in steps, of the colours given."""

    def __init__(self, colors: Any, name: str = "from_list", N: int | None = None) -> None:
        given = [colors] if isinstance(colors, str) else list(colors)
        super().__init__(name, [to_rgba(color) for color in given], steps=True)
        self.N = N or self.N


class LinearSegmentedColormap(Colormap):
    """A map that is linear between colours; made by `from_list`."""

    @classmethod
    def from_list(cls, name: str, colors: Any, N: int = 256, gamma: float = 1.0) -> Colormap:
        """A map through the colours, evenly spaced, or at the places given as (place, colour)."""
        given = list(colors)
        if given and isinstance(given[0], tuple) and len(given[0]) == 2 and not isinstance(given[0][0], str):
            given = _resample([(float(place), to_rgba(color)) for place, color in given])
        made = cls(name, [to_rgba(color) for color in given])
        made.N = N
        return made


def _resample(stops: list[tuple[float, RGBA]]) -> list[RGBA]:
    """Evenly spaced anchors of a map whose anchors stand at any places."""
    anchors = []
    for index in range(129):
        place = index / 128
        after = next((n for n, (at, _) in enumerate(stops) if at >= place), len(stops) - 1)
        (start, first), (end, last) = stops[max(after - 1, 0)], stops[after]
        part = (place - start) / (end - start) if end > start else 1.0
        anchors.append(tuple(a + (b - a) * part for a, b in zip(first, last)))
    return anchors


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.colors", name, globals())
