"""`checkpoint`: a mark on a function whose values may be computed again on the way back."""

from __future__ import annotations

import functools
from typing import Any, Callable

from .functions import check_callable, renamed


def checkpoint(
    fun: Any = None, *, prevent_cse: bool = True, policy: Any = None, static_argnums: Any = (), concrete: bool = False
) -> Any:
    """The function itself: its values are kept rather than computed again, which changes memory and no result."""
    if fun is None:
        return functools.partial(checkpoint, prevent_cse=prevent_cse, policy=policy, static_argnums=static_argnums)
    check_callable(fun)
    return renamed(fun, _same(fun))


def _same(fun: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return fun(*args, **kwargs)

    return call


def checkpoint_name(x: Any, name: str) -> Any:
    """Its argument: names matter to policies of `checkpoint` only."""
    return x
