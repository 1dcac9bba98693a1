"""Indices: `x[index]`, and `x.at[index]` with its updates."""

from __future__ import annotations

from typing import Any

from . import engine
from .arguments import NotAnArgument, encode
from .array import Array, handle_of, read_first
from .engine import LIST, NUMBER, VALUE


def _encode_index(tape: list[float], index: Any) -> None:
    parts = index if type(index) is tuple else (index,)
    tape += (LIST, len(parts))
    for part in parts:
        kind = type(part)
        if kind is int:
            tape += (NUMBER, part)
        elif kind is list or kind is tuple:
            if type(index) is not tuple:
                raise engine.failure(
                    "TypeError",
                    "Using a non-tuple sequence for multidimensional indexing is not allowed; use `arr[array(seq)]` "
                    "instead of `arr[seq]`. See https://github.com/jax-ml/jax/issues/4564 for more information.",
                )
            from .registry import function

            encode(tape, function("np.array")(list(part)) if part else [])
        elif kind is str:
            raise engine.failure(
                "TypeError",
                f"JAX does not support string indexing; got idx={index!r}",
            )
        else:
            encode(tape, part)


def call_indexed(name: str, x: Array, index: Any, *rest: Any) -> Any:
    """Calls a registry function whose second argument is an index."""
    from .registry import number_of

    tape = [VALUE, handle_of(x)]
    try:
        _encode_index(tape, index)
        for v in rest:
            encode(tape, v)
    except NotAnArgument as wrong:
        raise engine.failure(
            "TypeError",
            f"Indexer must have integer or boolean type, got indexer with type {type(wrong.value)} at position 0, "
            f"indexer value {wrong.value}",
        ) from None
    engine.call(number_of(name), 2 + len(rest), tape)
    return read_first()


class IndexHelper:
    """`x.at`."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array

    def __getitem__(self, index: Any) -> IndexUpdate:
        return IndexUpdate(self.array, index)

    def __repr__(self) -> str:
        return f"_IndexUpdateHelper({self.array!r})"


def _update(method: str) -> Any:
    def update(self: IndexUpdate, values: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False,
               mode: Any = None, wrap_negative_indices: bool = True, out_sharding: Any = None) -> Any:
        return call_indexed(f"at.{method}", self.array, self.index, values, _mode(mode))

    update.__name__ = method
    update.__doc__ = f"The array with elements there changed by `{method}`."
    return update


def _mode(mode: Any) -> Any:
    return getattr(mode, "name", mode) if mode is not None and not isinstance(mode, str) else mode


class IndexUpdate:
    """`x.at[index]`."""

    __slots__ = ("array", "index")

    def __init__(self, array: Any, index: Any) -> None:
        self.array = array
        self.index = index

    def __repr__(self) -> str:
        return f"_IndexUpdateRef({self.array!r}, {self.index!r})"

    set = _update("set")
    add = _update("add")
    subtract = _update("subtract")
    multiply = mul = _update("multiply")
    divide = _update("divide")
    power = _update("power")
    min = _update("min")
    max = _update("max")

    def get(self, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
            fill_value: Any = None, wrap_negative_indices: bool = True, out_sharding: Any = None) -> Any:
        """The elements there."""
        return call_indexed("at.get", self.array, self.index, _mode(mode), fill_value)

    def apply(self, func: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
              wrap_negative_indices: bool = True) -> Any:
        """The elements there replaced by what `func` makes of them."""
        return self.set(func(self.get(mode=mode)), mode=mode)
