"""Scales: how numbers of an axis become lengths along it."""

from __future__ import annotations

import math
from collections.abc import Callable

Forward = Callable[[float], float]


def _log(value: float) -> float:
    return math.log10(value) if value > 0 else math.nan


class Scale:
    """A named scale with its function and the inverse of that; `least` bounds what it can show."""

    def __init__(self, name: str, forward: Forward, inverse: Forward, least: float = -math.inf) -> None:
        self.name = name
        self.forward = forward
        self.inverse = inverse
        self.least = least

    def limits(self, values: list[float]) -> tuple[float, float] | None:
        """The least and the greatest value that the scale can show; None where there is none."""
        total = sum(values)
        if self.least == -math.inf and values and total - total == 0:
            return min(values), max(values)
        shown = [value for value in values if self.least < value < math.inf]
        return (min(shown), max(shown)) if shown else None


LINEAR = Scale("linear", lambda value: value, lambda value: value)


def _power(value: float) -> float:
    return 10.0**value if value < 308 else math.inf


def _symmetric(threshold: float, linear: float = 1.0) -> Scale:
    """Linear around zero, logarithmic beyond `threshold` on either side."""
    adjusted = linear / 0.9

    def forward(value: float) -> float:
        size = abs(value)
        if size <= threshold:
            return value * adjusted
        return math.copysign(threshold * (adjusted + math.log10(size / threshold)), value)

    def inverse(value: float) -> float:
        size = abs(value)
        if size <= threshold * adjusted:
            return value / adjusted
        return math.copysign(threshold * _power(size / threshold - adjusted), value)

    return Scale("symlog", forward, inverse)


def _logit(value: float) -> float:
    return math.log10(value / (1 - value)) if 0 < value < 1 else math.nan


def make(name: str, **options: float) -> Scale:
    """The scale of a name. ValueError for an unknown one."""
    if name == "linear":
        return LINEAR
    if name == "log":
        return Scale("log", _log, _power, 0.0)
    if name == "symlog":
        return _symmetric(float(options.get("linthresh", 2)), float(options.get("linscale", 1)))
    if name == "logit":
        return Scale("logit", _logit, lambda place: 1 / (1 + 10**-place), 0.0)
    raise ValueError(f"{name!r} is not a valid value for scale; supported values are 'linear', 'log', 'logit', 'symlog'")
