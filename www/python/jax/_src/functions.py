"""User functions as the engine calls them: flat values in, flat values out.

Trees are taken apart and rebuilt here, and what a call learns about its results' structure stays here.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable

import numpy as np

from . import engine, tree
from .arguments import encode
from .array import Array, read_values
from .engine import NONE, Reader


def name_of(f: Any) -> str:
    """A function's name in messages and jaxprs."""
    while isinstance(f, functools.partial):
        f = f.func
    return getattr(f, "__name__", None) or getattr(type(f), "__name__", "<unnamed>")


def place_of(f: Any) -> str:
    """A function's name and where it is written: `loss at <program>:3`."""
    inner = f
    while isinstance(inner, functools.partial) or hasattr(inner, "__wrapped__"):
        inner = inner.func if isinstance(inner, functools.partial) else inner.__wrapped__
    code = getattr(inner, "__code__", None)
    return f"{name_of(f)} at {code.co_filename}:{code.co_firstlineno}" if code else name_of(f)


def check_callable(f: Any) -> None:
    """Refuses what is not a function."""
    if not callable(f):
        raise engine.failure("TypeError", f"Expected a callable value, got {f}")
    if inspect.isgeneratorfunction(f):
        raise engine.failure("TypeError", f"Expected a function, got a generator function: {f}")


_LEAVES = (Array, int, float, bool, np.ndarray, np.generic)


def is_value(leaf: Any) -> bool:
    """Can this leaf be traced?"""
    return isinstance(leaf, _LEAVES) or hasattr(leaf, "__jax_array__") or (
        hasattr(leaf, "__array__") and hasattr(leaf, "shape")
    )


def check_arguments(leaves: list[Any], f: Any = None, args: Any = None) -> None:
    """Refuses leaves of arguments that are no arrays or numbers."""
    for leaf in leaves:
        if not isinstance(leaf, _LEAVES) and not is_value(leaf):
            raise engine.failure("TypeError", f"Argument '{leaf}' of type {type(leaf)} is not a valid JAX type.")


def check_jitted(leaves: list[Any], f: Any, args: Any, kwargs: dict[str, Any]) -> None:
    """Refuses leaves of a jitted function's arguments, naming the argument."""
    for i, leaf in enumerate(leaves):
        if not isinstance(leaf, _LEAVES) and not is_value(leaf):
            name = leaf_names(f, args, kwargs)[i]
            raise engine.failure(
                "TypeError",
                f"Error interpreting argument to {f} as an abstract array. The problematic value is of type {type(leaf)} "
                f"and was passed to the function at path {name}.\nThis typically means that a jit-wrapped function was "
                "called with a non-array argument, and this argument was not marked as static using the static_argnums "
                "or static_argnames parameters of jax.jit.",
            )


@functools.lru_cache(maxsize=512)
def _parameters(f: Any) -> tuple[tuple[str, ...], str | None]:
    try:
        params = inspect.signature(f).parameters.values()
    except (TypeError, ValueError):
        return (), None
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    rest = next((p.name for p in params if p.kind is inspect.Parameter.VAR_POSITIONAL), None)
    return tuple(p.name for p in params if p.kind in positional), rest


def parameter_names(f: Any, count: int) -> list[str]:
    """Names of a function's positional parameters, as many as there are arguments."""
    try:
        names, rest = _parameters(f)
    except TypeError:
        names, rest = (), None
    out = list(names[:count])
    while len(out) < count:
        out.append(f"{rest}[{len(out) - len(names)}]" if rest else f"args[{len(out)}]")
    return out


def leaf_names(f: Any, args: Any, kwargs: dict[str, Any] | None = None) -> list[str]:
    """Names of the leaves of arguments: `x`, `params['w'][0]`."""
    out = []
    for name, arg in zip(parameter_names(f, len(args)), args):
        out += [name + tree.keystr(path) for path, _ in tree.flatten_with_path(arg)[0]]
    for key in sorted(kwargs or {}):
        out += [key + tree.keystr(path) for path, _ in tree.flatten_with_path(kwargs[key])[0]]
    return out


class Traced:
    """A function registered with the engine, and the structure of its results once it has been called."""

    __slots__ = ("id", "out")

    def __init__(self) -> None:
        self.id = 0
        self.out: Any = None


class Retraced:
    """A registered function that is traced again and again, for arguments of other types: a jitted function's."""

    def __init__(self, transform: str, name: str, of: str) -> None:
        self.name = name
        #: What is being called, innermost last: structure of the arguments, how to call, names of leaves.
        self.calls: list[tuple[Any, Callable[[Any], Any], Callable[[], list[str]]]] = []
        #: Structure of the results of the last trace.
        self.out: Any = None
        self.id = engine.register(lambda: self._run(transform, of), lambda: self.calls[-1][2](), keep=True)

    def _run(self, transform: str, of: str) -> list[float]:
        values = read_values(Reader())
        structure, call, _ = self.calls[-1]
        with engine.in_transform(transform):
            leaves, out = tree.flatten(call(tree.unflatten(structure, values)))
            check_results(leaves, of, transform)
            self.out = out
            return returned(leaves)


def trace(
    structure: Any,
    call: Callable[[Any], Any],
    transform: str | None,
    name: str,
    names: Callable[[], list[str]] | None = None,
    of: str = "",
) -> Traced:
    """Registers a function of a tree of arguments: the engine's values are built into it, results flattened.

    `transform` is what asks, for messages; None runs under whatever transform is running. `of` is the function's name
    with its place.
    """
    traced = Traced()

    def run() -> list[float]:
        values = read_values(Reader())
        with engine.in_transform(transform):
            result = call(tree.unflatten(structure, values))
            leaves, traced.out = tree.flatten(result)
            check_results(leaves, of or name, transform or "custom rule")
            return returned(leaves)

    traced.id = engine.register(run, names)
    return traced


def check_results(leaves: list[Any], name: str, transform: str) -> None:
    """Refuses results that are no arrays or numbers."""
    for leaf in leaves:
        if not isinstance(leaf, _LEAVES) and not is_value(leaf):
            raise engine.failure(
                "TypeError",
                f"function {name} traced for {transform} returned a value of type {type(leaf)}, which is not a valid JAX type",
            )


def encoded(leaves: list[Any]) -> list[float]:
    """A counted run of values."""
    tape: list[float] = [len(leaves)]
    for leaf in leaves:
        if leaf is None:
            tape.append(NONE)
        else:
            encode(tape, leaf)
    return tape


def returned(leaves: list[Any], *more: list[Any]) -> list[float]:
    """Counted runs of values that a function gives to the engine; they live until it has read them."""
    engine.kept = (leaves, *more)
    tape = encoded(leaves)
    for others in more:
        tape += encoded(others)
    return tape


class Aux:
    """Auxiliary results: arrays go through the engine, everything else stays as it is."""

    def __init__(self) -> None:
        self.leaves: list[Any] = []
        self.structure: Any = None

    def take(self, aux: Any) -> list[Any]:
        """Takes a tree of auxiliary results apart; gives its arrays."""
        self.leaves, self.structure = tree.flatten(aux)
        return [leaf for leaf in self.leaves if isinstance(leaf, Array)]

    def rebuild(self, arrays: list[Any]) -> Any:
        """The tree with its arrays as they came out."""
        rest = iter(arrays)
        return tree.unflatten(
            self.structure, [next(rest) if isinstance(leaf, Array) else leaf for leaf in self.leaves]
        )


def aux_pair(out: Any) -> tuple[Any, Any]:
    """Result and auxiliary result of a function with has_aux."""
    if isinstance(out, (list, tuple)) and len(out) == 2:
        return out[0], out[1]
    kind = f"tuple of length {len(out)}" if isinstance(out, (list, tuple)) else f"type {type(out)}"
    if isinstance(out, (list, tuple)):
        raise engine.failure("TypeError", f"expected function with aux output to return a two-element tuple, but got {kind}")
    raise engine.failure(
        "TypeError",
        f"expected function with aux output to return a two-element tuple, but got {kind} with value {out!r}",
    )


def renamed(f: Any, wrapper: Any) -> Any:
    """`wrapper` with the name and the documentation of `f`, noted when the program itself calls it."""

    @functools.wraps(f, updated=())
    def noted(*args: Any, **kwargs: Any) -> Any:
        if engine.depth == 0:
            engine.last_call = noted, args, kwargs
        return wrapper(*args, **kwargs)

    noted.__name__ = name_of(f)
    return noted
