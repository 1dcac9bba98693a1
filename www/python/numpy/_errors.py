"""Floating point conditions: what to do about a division by zero, an overflow, an invalid value."""

from __future__ import annotations

import warnings
from typing import Any, Callable

from ._operations import raised

_state: dict[str, Any] = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
_call: list[Any] = [None]
_WORDS = {"divide": "divide by zero", "over": "overflow", "under": "underflow", "invalid": "invalid value"}


def report(name: str, prefix: str = "") -> None:
    """Warns or raises, as the state asks, about the conditions noted in `raised`; empties it."""
    found = [kind for kind in ("divide", "over", "under", "invalid") if kind in raised]
    raised.clear()
    if prefix and name in _PLAIN_SCALAR:
        name = prefix + name
    for kind in found:
        todo = _state[kind]
        if todo == "ignore":
            continue
        text = f"{_WORDS[kind]} encountered in {name}"
        if todo == "raise":
            raise FloatingPointError(text)
        if todo == "warn":
            warnings.warn(text, RuntimeWarning, stacklevel=_depth())
        elif todo == "print":
            print(f"Warning: {text}")
        elif todo == "call" and _call[0] is not None:
            _call[0](_WORDS[kind], 1)


_PLAIN_SCALAR = frozenset(("add", "subtract", "multiply", "divide", "floor_divide", "remainder", "power", "negative", "absolute"))


def _depth() -> int:
    """How far up the caller's own code is, seen from `report`."""
    import sys

    frame = sys._getframe(1)
    depth = 1
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] == "numpy":
        frame = frame.f_back
        depth += 1
    return depth


def seterr(all: str | None = None, divide: str | None = None, over: str | None = None, under: str | None = None,
           invalid: str | None = None) -> dict[str, str]:
    """Sets what to do ('ignore', 'warn', 'raise', 'call', 'print') and gives what was set before."""
    before = dict(_state)
    for kind, given in (("divide", divide), ("over", over), ("under", under), ("invalid", invalid)):
        chosen = given or all
        if chosen is not None:
            if chosen not in ("ignore", "warn", "raise", "call", "print", "log"):
                raise ValueError(f"{chosen!r} is not one of 'ignore', 'warn', 'raise', 'call', 'print' or 'log'")
            _state[kind] = chosen
    return before


def geterr() -> dict[str, str]:
    """What is done about each condition."""
    return dict(_state)


def seterrcall(func: Callable[..., Any] | None) -> Any:
    """Sets the function that 'call' calls."""
    before, _call[0] = _call[0], func
    return before


def geterrcall() -> Any:
    """The function that 'call' calls."""
    return _call[0]


class errstate:
    """A context (or decorator) within which conditions are handled as given."""

    def __init__(self, *, call: Any = None, all: str | None = None, divide: str | None = None,
                 over: str | None = None, under: str | None = None, invalid: str | None = None) -> None:
        self._wanted = {"all": all, "divide": divide, "over": over, "under": under, "invalid": invalid}
        self._call = call

    def __enter__(self) -> None:
        self._before = seterr(**self._wanted)  # type: ignore[arg-type]
        self._before_call = seterrcall(self._call) if self._call is not None else None

    def __exit__(self, *exc: Any) -> None:
        _state.update(self._before)
        if self._call is not None:
            seterrcall(self._before_call)

    def __call__(self, function: Any) -> Any:
        from functools import wraps

        @wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return wrapped
