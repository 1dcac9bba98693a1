"""One axis of axes: its limits, scale, ticks, and what is written along it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _missing, _scale
from ._data import Floats, as_array, floats, number, plain
from ._words import width
from .ticker import (
    AutoLocator,
    FixedFormatter,
    FixedLocator,
    Formatter,
    FuncFormatter,
    Locator,
    LogFormatter,
    LogLocator,
    MaxNLocator,
    NullFormatter,
    NullLocator,
    ScalarFormatter,
    StrMethodFormatter,
    SymmetricalLogLocator,
)

if TYPE_CHECKING:
    from .axes import Axes

TICK_SIZE = 10.0


class Span:
    """The limits and the scale of an axis, or of several that share them."""

    def __init__(self, which: str) -> None:
        self.which = which
        self.members: list[Axes] = []
        self.limits: tuple[float, float] | None = None
        self.inverted = False
        self.scale = _scale.LINEAR
        self.margin: float | None = None
        self.categories: dict[str, int] = {}
        # The view while a figure is drawn, when nothing changes but what an equal aspect widens.
        self.drawn: tuple[float, float] | None = None
        self.wanted: tuple[float, float] = (0.0, 1.0)

    def view(self) -> tuple[float, float]:
        """The limits as they were set, or as the data has them."""
        if self.drawn is not None:
            return self.drawn
        if self.limits is not None:
            return self.limits
        low, high = self._automatic()
        return (high, low) if self.inverted else (low, high)

    def _automatic(self) -> tuple[float, float]:
        """The range of the data and a margin on both sides, except at edges to which data sticks."""
        values: Floats = []
        sticky: list[float] = []
        first = self.which == "x"
        for axes in self.members:
            for artist in axes.artists:
                if artist.visible:
                    values += artist.extent()[0 if first else 1]
                    sticky += artist.sticky_x if first else artist.sticky_y
        found = self.scale.limits(values)
        if found is None:
            return (1.0, 10.0) if self.scale.name == "log" else (0.0, 1.0)
        low, high = self._widened(*found)
        from . import rcParams

        share = rcParams[f"axes.{self.which}margin"] if self.margin is None else self.margin
        forward, inverse = self.scale.forward, self.scale.inverse
        reach = (forward(high) - forward(low)) * share
        below, above = inverse(forward(low) - reach), inverse(forward(high) + reach)
        near = 1e-5 * abs(forward(high) - forward(low))
        under = [edge for edge in sticky if edge <= low + near]
        over = [edge for edge in sticky if edge >= high - near]
        return (max(below, max(under)) if under else below), (min(above, min(over)) if over else above)

    def _widened(self, low: float, high: float) -> tuple[float, float]:
        """A range that is not empty."""
        if high - low > 1e-13 * max(abs(low), abs(high)):
            return low, high
        if self.scale.name == "log":
            power = math.log10(low)
            return 10.0 ** (math.ceil(power) - 1), 10.0 ** (math.floor(power) + 1)
        if low == 0 == high:
            return -0.05, 0.05
        return low - 0.05 * abs(low), high + 0.05 * abs(high)


class Ticks(NamedTuple):
    """What is drawn along an axis: places with their labels, minor places, and what stands at its end."""

    places: Floats
    labels: list[str]
    minor: Floats
    offset: str


class Axis:
    """The x axis or the y axis of axes."""

    def __init__(self, which: str, axes: Axes, span: Span) -> None:
        self.which = which
        self.axes = axes
        self.span = span
        span.members.append(axes)
        self.label = ""
        self.label_look: dict[str, Any] = {}
        self.locator: Locator | None = None
        self.formatter: Formatter | None = None
        self.minor_locator: Locator | None = None
        self.grid_look: dict[str, Any] | None = None
        self.side = "bottom" if which == "x" else "left"
        self.size = TICK_SIZE
        self.rotation = 0.0
        self.color: Any = None
        self.label_align: str | None = None
        self.shows_labels = True
        self.shows_ticks = True
        self.inward = False

    def share(self, span: Span) -> None:
        """Takes the limits and the scale of another axis."""
        self.span.members.remove(self.axes)
        self.span = span
        span.members.append(self.axes)

    def numbers(self, values: Any) -> Floats:
        """Values as floats; texts become the numbers of categories, in the order they come."""
        listed = plain(values)
        listed = listed if isinstance(listed, list) else [listed]
        if not any(isinstance(value, str) for value in listed):
            return floats(listed)
        categories = self.span.categories
        return [float(categories.setdefault(str(value), len(categories))) for value in listed]

    def set_scale(self, name: str, options: dict[str, Any]) -> None:
        """Changes the scale; the ticks become those of the new one."""
        self.span.scale = _scale.make(name, **options)
        for axes in self.span.members:
            own = axes.xaxis if self.which == "x" else axes.yaxis
            own.locator = own.formatter = None

    def placing(self, start: float, length: float) -> Callable[[float], float]:
        """A function from values to places, from `start` on over `length` (negative: backwards)."""
        low, high = self.span.view()
        forward = self.span.scale.forward
        first, last = forward(low), forward(high)
        factor = length / (last - first) if last != first else 0.0
        base = start - first * factor
        if self.span.scale is _scale.LINEAR:
            return lambda value: base + value * factor
        return lambda value: base + forward(value) * factor

    def _default_locator(self, bins: int) -> Locator:
        span = self.span
        if span.categories:
            return FixedLocator(list(span.categories.values()))
        if span.scale.name == "log":
            return LogLocator(numticks=bins)
        if span.scale.name == "symlog":
            return SymmetricalLogLocator(_threshold(span.scale))
        if span.scale.name == "logit":
            return FixedLocator([1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999])
        return AutoLocator()

    def values(self, bins: int = 9) -> Floats:
        """The ticks for the present view; some may stand outside of it."""
        low, high = sorted(self.span.view())
        locator = self.locator or self._default_locator(bins)
        if isinstance(locator, MaxNLocator) and locator.nbins == "auto":
            limited = MaxNLocator(bins, steps=locator.steps, integer=locator.integer, min_n_ticks=locator.least)
            return limited.tick_values(low, high)
        return locator.tick_values(low, high)

    def ticks(self, length: float) -> Ticks:
        """What is drawn, on an axis of this length: so many ticks that their labels do not touch."""
        spacing = self.size * (3.0 if self.which == "x" else 2.0)
        bins = max(1, min(9, int(length / spacing)))
        while True:
            made = self._ticks(bins)
            if self.which != "x" or bins <= 2 or self.rotation or self.locator is not None or self.span.categories:
                return made
            if sum(width(label, self.size) + 0.5 * self.size for label in made.labels) <= length * 1.05:
                return made
            bins -= 1

    def _ticks(self, bins: int) -> Ticks:
        low, high = sorted(self.span.view())
        forward = self.span.scale.forward
        near = 1e-7 * abs(forward(high) - forward(low))

        def inside(value: float) -> bool:
            place = forward(value)
            return forward(low) - near <= place <= forward(high) + near

        values = self.values(bins)
        formatter = self._formatter()
        if isinstance(formatter, FixedFormatter):
            pairs = [(value, label) for value, label in zip(values, formatter.labels(values)) if inside(value)]
        else:
            shown = [value for value in values if inside(value)]
            pairs = list(zip(shown, formatter.labels(shown)))
        minor = self._minor(low, high)
        if self.span.scale.name == "log" and self.locator is None and self.formatter is None and len(pairs) < 2:
            # Less than a decade: the numbers between are written too, as the powers alone would not tell the range.
            extra = [(value, f"{value:.6g}") for value in minor if inside(value)]
            pairs = sorted([*pairs, *extra[:: max(1, len(extra) // 5)]])
        return Ticks(
            [value for value, _ in pairs],
            [label for _, label in pairs],
            [value for value in minor if inside(value)],
            formatter.offset(),
        )

    def _minor(self, low: float, high: float) -> Floats:
        if self.minor_locator is not None:
            return self.minor_locator.tick_values(low, high)
        if self.span.scale.name == "log" and self.locator is None and low > 0:
            return LogLocator().minor(low, high)
        return []

    def _formatter(self) -> Formatter:
        if self.formatter is not None:
            return self.formatter
        if self.span.categories and self.locator is None:
            return FixedFormatter(list(self.span.categories))
        if self.span.scale.name in ("log", "symlog"):
            return LogFormatter()
        if self.span.scale.name == "logit":
            return FuncFormatter(lambda value, _: f"{value:g}")
        return ScalarFormatter()

    def set_ticks(self, ticks: Any, labels: Any = None, *, minor: bool = False, **look: Any) -> None:
        """Ticks at the given places, with the given texts or their numbers."""
        places = self.numbers(ticks)
        locator = FixedLocator(places) if places else NullLocator()
        if minor:
            self.minor_locator = locator
            return
        self.locator = locator
        if labels is not None:
            self.set_ticklabels(labels)
        elif isinstance(self.formatter, FixedFormatter):
            self.formatter = None
        if places and self.span.limits is None:
            self._see(places)
        self.set_look(look)

    def _see(self, places: Floats) -> None:
        """Widens the view, so that all ticks are in it."""
        view = self.span.view()
        low, high = sorted(view)
        if min(places) < low or max(places) > high:
            low, high = min(low, *places), max(high, *places)
            self.span.limits = (low, high) if view[0] <= view[1] else (high, low)

    def set_ticklabels(self, labels: Any, **look: Any) -> None:
        """Texts of the ticks."""
        texts = [text.get_text() if hasattr(text, "get_text") else str(text) for text in plain_texts(labels)]
        if self.locator is None:
            self.locator = FixedLocator(self.values())
        self.formatter = FixedFormatter(texts) if texts else NullFormatter()
        self.set_look(look)

    def set_look(self, look: dict[str, Any]) -> None:
        """How ticks look, by the options of `tick_params` and of texts."""
        from .text import angle_of, points_of

        for name, value in look.items():
            if name in ("rotation", "labelrotation"):
                self.rotation = angle_of(value)
            elif name in ("fontsize", "labelsize", "size"):
                self.size = points_of(value, TICK_SIZE)
            elif name in ("color", "colors", "labelcolor"):
                self.color = value
            elif name in ("ha", "horizontalalignment"):
                self.label_align = value
            elif name == "direction":
                self.inward = value == "in"
            elif name in ("labelbottom", "labelleft", "labeltop", "labelright"):
                if value and name[5:] in ("top", "right"):
                    self.side = name[5:]
                if name[5:] == self.side:
                    self.shows_labels = bool(value)
            elif name in ("bottom", "left", "top", "right") and name == self.side:
                self.shows_ticks = bool(value)
            elif name == "length" and value == 0:
                self.shows_ticks = False

    def set_major_locator(self, locator: Locator) -> None:
        """Where ticks stand."""
        self.locator = locator

    def set_minor_locator(self, locator: Locator) -> None:
        """Where ticks without labels stand."""
        self.minor_locator = locator

    def set_major_formatter(self, formatter: Any) -> None:
        """What is written at ticks: a formatter, a function, or a format string."""
        if isinstance(formatter, str):
            formatter = StrMethodFormatter(formatter)
        self.formatter = formatter if isinstance(formatter, Formatter) else FuncFormatter(formatter)

    def set_label_text(self, label: Any) -> None:
        """The text along the axis."""
        self.label = str(label)

    def set_label_position(self, position: str) -> None:
        """The side of the axes on which it stands."""
        self.side = position

    def set_ticks_position(self, position: str) -> None:
        """The side of the axes on which it stands."""
        self.side = position if position in ("bottom", "top", "left", "right") else self.side

    def tick_top(self) -> None:
        """Puts the axis on top."""
        self.side = "top"

    def tick_right(self) -> None:
        """Puts the axis on the right."""
        self.side = "right"

    def tick_bottom(self) -> None:
        """Puts the axis at the bottom."""
        self.side = "bottom"

    def tick_left(self) -> None:
        """Puts the axis on the left."""
        self.side = "left"

    def set_visible(self, b: bool) -> None:
        """Whether ticks and labels are drawn."""
        self.shows_labels = self.shows_ticks = bool(b)
        if not b:
            self.label = ""

    def get_ticklocs(self) -> Any:
        """The places of the ticks, as an array."""
        return as_array(self.values())

    def get_view_interval(self) -> Any:
        """The limits, as an array."""
        return as_array(list(self.span.view()))

    def set_limits(self, low: Any, high: Any, auto: Any) -> None:
        """Sets the limits; None keeps one as it is now."""
        now = self.span.view()
        limits = [now[at] if value is None else self._limit(value) for at, value in enumerate((low, high))]
        if self.span.scale.name == "log" and min(limits) <= 0:
            limits = [value if value > 0 else now[at] for at, value in enumerate(limits)]
        if limits[0] == limits[1]:
            reach = 0.05 * abs(limits[0]) or 0.05
            limits = [limits[0] - reach, limits[1] + reach]
        self.span.limits = (limits[0], limits[1])
        self.span.inverted = limits[0] > limits[1]
        if auto:
            self.span.limits = None

    def _limit(self, value: Any) -> float:
        limit = number(self.numbers(value)[0])
        if not math.isfinite(limit):
            raise ValueError("Axis limits cannot be NaN or Inf")
        return limit

    def __getattr__(self, name: str) -> Any:
        return _missing.find("Axis", name, dir(type(self)))


def plain_texts(labels: Any) -> list[Any]:
    """Labels one by one: text objects as they are, others as plain values."""
    listed = list(labels)
    return [label if hasattr(label, "get_text") else plain(label) for label in listed]


def _threshold(scale: _scale.Scale) -> float:
    """Where a symmetrical scale stops being linear: as far as its slope is that at zero."""
    slope = scale.forward(1e-12) / 1e-12
    size = 1e-12
    while size < 1e12 and abs(scale.forward(size * 10) / (size * 10) / slope - 1) < 1e-9:
        size *= 10
    return size


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.axis", name, globals())
