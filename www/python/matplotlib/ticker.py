"""Where ticks stand and what is written at them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from . import _missing
from ._data import floats
from ._words import raised

MINUS = "\N{MINUS SIGN}"


class Locator:
    """Places of ticks between two limits."""

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        """The ticks for a range; some may stand just outside of it."""
        raise NotImplementedError


class NullLocator(Locator):
    """No ticks."""

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        """None at all."""
        return []


class FixedLocator(Locator):
    """Ticks at given places."""

    def __init__(self, locs: Any) -> None:
        self.locs = floats(locs)

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        """The places, whatever the range."""
        return self.locs


class MultipleLocator(Locator):
    """Ticks at the multiples of a base."""

    def __init__(self, base: float = 1.0, offset: float = 0.0) -> None:
        self.base, self.offset = float(base), float(offset)

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        """The multiples in the range, and one on either side of it."""
        first = math.ceil((vmin - self.offset) / self.base - 1e-9) - 1
        last = math.floor((vmax - self.offset) / self.base + 1e-9) + 1
        if last - first > 1000:
            raise RuntimeError(f"MultipleLocator would make {last - first} ticks, more than 1000")
        return [index * self.base + self.offset for index in range(first, last + 1)]


class MaxNLocator(Locator):
    """At most `nbins` intervals of a step that is a nice number times a power of ten."""

    def __init__(
        self, nbins: Any = 10, *, steps: Any = None, integer: bool = False, min_n_ticks: int = 2, **more: Any
    ) -> None:
        self.nbins = nbins
        self.integer = integer
        self.least = max(1, min_n_ticks)
        self.steps = floats(steps) if steps is not None else [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        """Ticks from just below the range to just above it."""
        vmin, vmax = min(vmin, vmax), max(vmin, vmax)
        if not (math.isfinite(vmin) and math.isfinite(vmax)):
            return []
        if vmin == vmax:
            vmin, vmax = vmin - (abs(vmin) * 0.05 or 0.05), vmax + (abs(vmax) * 0.05 or 0.05)
        bins = 9 if self.nbins == "auto" else int(self.nbins)
        # Far from zero, ticks are counted from a round number near by: their steps would drown in rounding.
        middle = (vmin + vmax) / 2
        far = abs(middle) / (vmax - vmin) >= 100
        offset = math.copysign(10.0 ** math.floor(math.log10(abs(middle))), middle) if far else 0.0
        low, high = vmin - offset, vmax - offset
        raw = (high - low) / bins
        power = 10.0 ** math.floor(math.log10(raw))
        nice = [*(step / 10 for step in self.steps[:-1]), *self.steps, *(step * 10 for step in self.steps[1:2])]
        steps = [step * power for step in nice]
        if self.integer:
            steps = [step for step in steps if step >= 1 and abs(step - round(step)) < 1e-3] or [1.0]
        large = [index for index, step in enumerate(steps) if step >= raw]
        start = large[0] if large else len(steps) - 1
        ticks: list[float] = []
        for step in steps[start::-1]:
            first = low // step
            base = first * step
            last = _at_most((high - base) / step, offset, step)
            begin = _at_least((low - base) / step, offset, step)
            ticks = [index * step + base + offset for index in range(begin, last + 1)]
            # No axis has more ticks than its bins allow, with one on either side.
            if sum(vmin <= tick <= vmax for tick in ticks) >= self.least:
                break
        return ticks


def _tolerance(offset: float, step: float) -> float:
    return max(1e-10, 10 ** (math.log10(abs(offset) / step) - 12) if offset else 0.0)


def _at_least(value: float, offset: float, step: float) -> int:
    """The greatest integer not above value, where value is next to an integer that integer."""
    near = min(_tolerance(offset, step), 0.4999)
    return round(value) if abs(value - round(value)) < near else math.floor(value)


def _at_most(value: float, offset: float, step: float) -> int:
    near = min(_tolerance(offset, step), 0.4999)
    return round(value) if abs(value - round(value)) < near else math.ceil(value)


class AutoLocator(MaxNLocator):
    """The ticks of an axis that nobody set."""

    def __init__(self) -> None:
        super().__init__("auto", steps=[1, 2, 2.5, 5, 10])


class LogLocator(Locator):
    """Powers of ten; where there are many, every second, third … one."""

    def __init__(self, base: float = 10.0, subs: Any = (1.0,), *, numticks: int = 9) -> None:
        self.base, self.numticks = float(base), numticks

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        """The powers from just below the range to just above it."""
        low, high = min(vmin, vmax), max(vmin, vmax)
        if not low > 0 or not math.isfinite(high):
            return []
        first = math.floor(math.log(low, self.base) + 1e-9)
        last = math.ceil(math.log(high, self.base) - 1e-9)
        stride = max(
            1, (last - first) // self.numticks + ((last - first) % self.numticks > 0 and last - first > self.numticks)
        )
        return [self.base**power for power in range(first - (first % stride), last + stride, stride)]

    def minor(self, vmin: float, vmax: float) -> list[float]:
        """The multiples of the powers between them; none where the powers are many."""
        low, high = math.floor(math.log10(vmin)), math.ceil(math.log10(vmax))
        if self.base != 10 or high - low > 10:
            return []
        return [multiple * 10.0**power for power in range(low, high) for multiple in range(2, 10)]


class SymmetricalLogLocator(Locator):
    """Zero, and powers of ten on both sides."""

    def __init__(self, linthresh: float = 2.0) -> None:
        self.linthresh = linthresh

    def tick_values(self, vmin: float, vmax: float) -> list[float]:
        """The powers beyond the linear part."""
        low, high = min(vmin, vmax), max(vmin, vmax)
        first = math.ceil(math.log10(self.linthresh) - 1e-9)
        last = math.ceil(math.log10(max(abs(low), abs(high), self.linthresh)))
        stride = max(1, (last - first) // 4)
        powers = [10.0**power for power in range(first, last + 1, stride)]
        ticks = [*(-power for power in reversed(powers)), 0.0, *powers]
        return [tick for tick in ticks if low <= tick <= high]


class Formatter:
    """What is written at ticks."""

    def labels(self, ticks: list[float]) -> list[str]:
        """One text for each tick."""
        return [self(tick, index) for index, tick in enumerate(ticks)]

    def offset(self) -> str:
        """What stands at the end of the axis, as "×10⁶"."""
        return ""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return self.labels([x])[0]


class NullFormatter(Formatter):
    """Nothing."""

    def labels(self, ticks: list[float]) -> list[str]:
        """Empty texts."""
        return [""] * len(ticks)


class FixedFormatter(Formatter):
    """Texts given in advance."""

    def __init__(self, seq: Any) -> None:
        self.seq = [str(text) for text in seq]

    def labels(self, ticks: list[float]) -> list[str]:
        """The texts, as far as there are some."""
        return (self.seq + [""] * len(ticks))[: len(ticks)]


class FuncFormatter(Formatter):
    """What a function of the tick and its number gives."""

    def __init__(self, func: Callable[[float, int | None], str]) -> None:
        self.func = func

    def __call__(self, x: float, pos: int | None = None) -> str:
        return str(self.func(x, pos))


class StrMethodFormatter(Formatter):
    """A format string over `x` and `pos`."""

    def __init__(self, fmt: str) -> None:
        self.fmt = fmt

    def __call__(self, x: float, pos: int | None = None) -> str:
        return self.fmt.format(x=x, pos=pos)


class FormatStrFormatter(Formatter):
    """A format string for the operator `%`."""

    def __init__(self, fmt: str) -> None:
        self.fmt = fmt

    def __call__(self, x: float, pos: int | None = None) -> str:
        return self.fmt % x


class PercentFormatter(Formatter):
    """Percent of `xmax`."""

    def __init__(self, xmax: float = 100, decimals: int | None = None, symbol: str = "%") -> None:
        self.xmax, self.decimals, self.symbol = xmax, decimals, symbol

    def __call__(self, x: float, pos: int | None = None) -> str:
        part = 100 * x / self.xmax
        return (f"{part:.10g}" if self.decimals is None else f"{part:.{self.decimals}f}") + (self.symbol or "")


class ScalarFormatter(Formatter):
    """As many decimals as the ticks need, all the same; a common power or summand stands at the end of the axis."""

    def __init__(self) -> None:
        self._power = 0
        self._summand = 0.0

    def labels(self, ticks: list[float]) -> list[str]:
        """The numbers, less the common part."""
        self._power, self._summand = 0, 0.0
        if not ticks:
            return []
        self._summand = self._common(ticks)
        rest = [tick - self._summand for tick in ticks]
        largest = max(map(abs, rest))
        if largest:
            order = math.floor(math.log10(largest))
            steps = [abs(b - a) for a, b in zip(rest, rest[1:])]
            if order <= -5 or order >= 6:
                self._power = math.floor(math.log10(min(steps, default=largest))) if order < -5 and not steps else order
        scaled = [value / 10.0**self._power for value in rest]
        decimals = next((count for count in range(12) if _fits(scaled, count)), 12)
        return [
            f"{value:.{decimals}f}".replace("-", MINUS) if _nonzero(value, decimals) else f"{0:.{decimals}f}"
            for value in scaled
        ]

    def _common(self, ticks: list[float]) -> float:
        """A number that all ticks begin with, where four or more figures are the same."""
        low, high = min(ticks), max(ticks)
        if len(ticks) < 2 or low == high or low <= 0 <= high:
            return 0.0
        least, most = sorted((abs(low), abs(high)))
        order = math.ceil(math.log10(most))
        while order > -300 and math.floor(least / 10.0**order) == math.floor(most / 10.0**order):
            order -= 1
        order += 1
        if (most - least) / 10.0**order < 0.01:
            return 0.0
        if math.floor(most / 10.0**order) < 1000:
            return 0.0
        return math.copysign(math.floor(most / 10.0**order) * 10.0**order, low)

    def offset(self) -> str:
        """The common power and summand."""
        power = f"×10{raised(self._power)}" if self._power else ""
        summand = f"{self._summand:+.10g}".replace("-", MINUS) if self._summand else ""
        return f"{power} {summand}".strip()


def _fits(values: list[float], decimals: int) -> bool:
    reach = max(map(abs, values), default=1.0) or 1.0
    gaps = [abs(b - a) for a, b in zip(values, values[1:]) if a != b]
    near = 1e-3 * min(gaps, default=reach)
    return all(abs(value - round(value, decimals)) < near for value in values)


def _nonzero(value: float, decimals: int) -> bool:
    return round(value, decimals) != 0


class LogFormatter(Formatter):
    """Powers of ten as "10ⁿ", other numbers plain."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        if x == 0:
            return "0"
        sign, size = (MINUS if x < 0 else ""), abs(x)
        power = math.log10(size)
        if abs(power - round(power)) < 1e-6:
            return f"{sign}10{raised(round(power))}"
        if 1e-3 <= size < 1e4:
            return f"{sign}{size:g}"
        lead = size / 10.0 ** math.floor(power)
        return f"{sign}{lead:g}×10{raised(math.floor(power))}"


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.ticker", name, globals())
