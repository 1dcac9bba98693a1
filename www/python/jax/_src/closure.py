"""Functions with what they close over made explicit."""

from __future__ import annotations

from typing import Any, Callable

from . import host as js

from . import engine, tree
from .array import read_values
from .engine import Reader
from .functions import encoded
from .jaxprs import _trace_abstractly


def convert(
    fun: Callable[..., Any], examples: Any, pick: Callable[[Any], bool]
) -> tuple[Callable[..., Any], list[Any]]:
    """`(converted, consts)`: `converted(*args, *consts)` is `fun(*args)`, and `consts` are those arrays among the ones
    that `fun` closes over for which `pick` holds.

    The function is traced at the types of `examples`.
    """
    number, _, out_tree, leaves = _trace_abstractly("make_jaxpr", fun, tuple(examples), {})
    engine.invoke("jaxprConsts", [], number)
    consts = read_values(Reader())
    picked = [const for const in consts if pick(const)]
    structure = tree.flatten((tuple(examples), {}))[1]
    held = _Jaxpr(number)
    del leaves

    def converted(*given: Any) -> Any:
        n = len(given) - len(picked)
        fresh = iter(given[n:])
        found, now = tree.flatten((given[:n], {}))
        if now != structure:
            raise engine.failure(
                "TypeError", f"a converted function was called with {now}, but it was converted for {structure}"
            )
        tape = encoded(found) + encoded([next(fresh) if pick(const) else const for const in consts])
        engine.invoke("evalJaxpr", tape, held.number)
        return tree.unflatten(out_tree, read_values(Reader()))

    return converted, picked


class _Jaxpr:
    """A jaxpr that the engine holds as long as this object lives."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.session = engine.session

    def __del__(self, drop: Any = js.dropHeld, engine: Any = engine) -> None:
        if self.session == engine.session:
            drop(self.number)
