"""`jax_debug_nans`: an operation whose result is not a number is told of at once."""

from __future__ import annotations

from typing import Any, NoReturn


def has_nan(x: Any) -> bool:
    """Whether an array, or one of several, holds a NaN; tracers hold nothing."""
    from .array import ArrayImpl, to_numpy

    if isinstance(x, (list, tuple)):
        return any(map(has_nan, x))
    if not isinstance(x, ArrayImpl) or x._code not in (3, 4):
        return False
    value = to_numpy(x)
    return bool((value != value).any())


def check_nans(name: str, x: Any) -> None:
    """Raises FloatingPointError where a result holds a NaN."""
    if has_nan(x):
        refuse(name)


def refuse(name: str) -> NoReturn:
    """The error for an operation that made a NaN."""
    raise FloatingPointError(f"invalid value (nan) encountered in {name}")
