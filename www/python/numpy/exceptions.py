"""Errors and warnings of NumPy's own."""

from __future__ import annotations

from ._dtypes import DTypePromotionError
from ._shaping import AxisError

__all__ = ["AxisError", "ComplexWarning", "DTypePromotionError", "RankWarning", "TooHardError", "VisibleDeprecationWarning"]


class ComplexWarning(RuntimeWarning):
    """An imaginary part was discarded."""


class VisibleDeprecationWarning(UserWarning):
    """Something will change in NumPy."""


class RankWarning(RuntimeWarning):
    """A matrix has less than full rank."""


class TooHardError(RuntimeError):
    """A problem was given up."""


for _each in (ComplexWarning, VisibleDeprecationWarning, RankWarning, TooHardError, DTypePromotionError):
    _each.__module__ = "numpy.exceptions"
