"""Functions kept as jaxprs: `jit`."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Sequence

from . import host as js

from . import config, engine, tree
from .array import read_values
from .engine import Reader
from .functions import (
    _LEAVES,
    Retraced,
    check_callable,
    check_jitted,
    encoded,
    leaf_names,
    name_of,
    parameter_names,
    place_of,
    renamed,
)
from .nans import has_nan, refuse
from .transforms import Held


def jit(
    fun: Any = None, /, *, in_shardings: Any = None, out_shardings: Any = None,
    static_argnums: int | Sequence[int] | None = None, static_argnames: str | Sequence[str] | None = None,
    donate_argnums: Any = None, donate_argnames: Any = None, keep_unused: bool = False, device: Any = None,
    backend: Any = None, inline: bool = False, abstracted_axes: Any = None, compiler_options: Any = None,
) -> Any:
    """A function that is traced once for every combination of types, and then run from its jaxpr.

    Without a function it gives a decorator. Static arguments are settings: a new value traces again.
    """
    options = {"static_argnums": static_argnums, "static_argnames": static_argnames}
    if fun is None:
        return functools.partial(jit, **options)
    check_callable(fun)
    statics = _Statics(fun, static_argnums, static_argnames)
    name = name_of(fun)
    cache = _Cache(lambda: Retraced("jit", name, place_of(fun)))

    def jitted(*args: Any, **kwargs: Any) -> Any:
        if config.values["jax_disable_jit"]:
            return fun(*args, **kwargs)
        if statics.used:
            dynamic, named, key, rebuild = statics.split(args, kwargs)
        else:
            dynamic, named, key, rebuild = args, kwargs, None, None
        leaves, structure = tree.flatten((dynamic, named))
        for leaf in leaves:
            if not isinstance(leaf, _LEAVES):
                check_jitted(leaves, fun, args if rebuild is None else dynamic, named)
                break

        def call(given: Any) -> Any:
            if rebuild is None:
                return fun(*given[0], **given[1])
            return rebuild(fun, given[0], given[1])

        def names() -> list[str]:
            if rebuild is None:
                return leaf_names(fun, args, kwargs)
            return statics.leaf_names(fun, args, named)

        label = cache.number((structure, key))
        traced = cache.function
        traced.calls.append((structure, call, names))
        try:
            engine.invoke("jitCall", encoded(leaves), cache.held.id, traced.id, name, label)
        finally:
            traced.calls.pop()
        reader = Reader()
        entry = reader.count()
        outs = read_values(reader)
        if entry not in cache.trees:
            cache.trees[entry] = traced.out
        if config.values["jax_debug_nans"] and engine.depth == 0 and has_nan(outs):
            # Operation by operation, so that the one that made it is found.
            with config.disable_jit():
                fun(*args, **kwargs)
            refuse(f"jit({name})")
        return tree.unflatten(cache.trees[entry], outs)

    made = renamed(fun, jitted)
    made.lower = functools.partial(_lower, made, fun, statics.argnums)
    made.trace = made.lower
    made.eval_shape = lambda *args, **kwargs: _eval_shape(made, *args, **kwargs)
    made.clear_cache = cache.clear
    made._cache_size = lambda: len(cache.trees)
    return made


def _eval_shape(f: Any, *args: Any, **kwargs: Any) -> Any:
    from .jaxprs import eval_shape

    return eval_shape(f, *args, **kwargs)


def _lower(f: Any, fun: Any, argnums: tuple[int, ...], *args: Any, **kwargs: Any) -> Any:
    from .jaxprs import Lowered

    return Lowered(f, fun, argnums, args, kwargs)


class _Cache:
    """The traces of one jitted function; an engine that has been reset has none."""

    #: What the engine holds of the traces, and the function that it calls to trace.
    held: Held
    function: Retraced

    def __init__(self, register: Callable[[], Retraced]) -> None:
        self.register = register
        self.clear()

    def clear(self) -> None:
        """Forgets all traces."""
        self.session = -1
        self.numbers: dict[Any, int] = {}
        self.trees: dict[int, Any] = {}

    def number(self, key: Any) -> int:
        """A number for a combination of structure and settings."""
        if self.session != engine.session:
            self.clear()
            self.session = engine.session
            self.held = Held(js.newJit())
            self.function = self.register()
        found = self.numbers.get(key)
        if found is None:
            found = self.numbers[key] = len(self.numbers) + 1
        return found


class _Statics:
    """Which arguments of a function are settings."""

    def __init__(self, fun: Any, argnums: Any, argnames: Any) -> None:
        self.argnums = _sequence(argnums, int, "static_argnums")
        self.argnames = set(_sequence(argnames, str, "static_argnames"))
        self.used = bool(self.argnums or self.argnames)
        self.fun = fun
        if self.used:
            self._infer()

    def _infer(self) -> None:
        try:
            signature = inspect.signature(self.fun)
        except (TypeError, ValueError):
            return
        params = list(signature.parameters.values())
        positional = [p for p in params if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        star = any(p.kind is p.VAR_POSITIONAL for p in params)
        starstar = any(p.kind is p.VAR_KEYWORD for p in params)
        names = {p.name for p in params}
        for n in self.argnums:
            if not star and not -len(positional) <= n < len(positional):
                shown = tuple(self.argnums)
                raise engine.failure(
                    "ValueError",
                    f"Jitted function has static_argnums={shown}, but only accepts "
                    f"{len(positional)} positional arguments.",
                )
        strange = {name for name in self.argnames if name not in names}
        if strange and not starstar:
            raise engine.failure(
                "ValueError",
                f"Jitted function has invalid argnames {strange} in static_argnames. Function does not take these args.",
            )
        for n in self.argnums:
            at = n % len(positional) if positional and not star else n
            if at < len(positional) and positional[at].kind is not inspect.Parameter.POSITIONAL_ONLY:
                self.argnames.add(positional[at].name)
        for i, p in enumerate(positional):
            if p.name in self.argnames and i not in self.argnums and i - len(positional) not in self.argnums:
                self.argnums = (*self.argnums, i)

    def split(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
        """Dynamic arguments by position and by name, the key of the static ones, and how to put a call together."""
        n = len(args)
        at = {i % n for i in self.argnums if -n <= i < n} if n else set()
        static = {i: args[i] for i in sorted(at)}
        static_named = {k: v for k, v in kwargs.items() if k in self.argnames}
        key = (
            tuple((i, type(v), _hashable(v, i)) for i, v in static.items()),
            tuple((k, type(v), _hashable(v, k)) for k, v in sorted(static_named.items())),
        )
        dynamic = tuple(arg for i, arg in enumerate(args) if i not in at)
        named = {k: v for k, v in kwargs.items() if k not in self.argnames}

        def rebuild(fun: Any, values: Any, given: dict[str, Any]) -> Any:
            rest = iter(values)
            merged = [static[i] if i in at else next(rest) for i in range(n)]
            return fun(*merged, **given, **static_named)

        return dynamic, named, key, rebuild

    def leaf_names(self, fun: Any, args: tuple[Any, ...], named: dict[str, Any]) -> list[str]:
        """Names of the leaves of the dynamic arguments."""
        n = len(args)
        at = {i % n for i in self.argnums if -n <= i < n} if n else set()
        out = []
        for i, (name, arg) in enumerate(zip(parameter_names(fun, n), args)):
            if i not in at:
                out += [name + tree.keystr(path) for path, _ in tree.flatten_with_path(arg)[0]]
        return out + leaf_names(fun, (), named)



def _hashable(value: Any, where: int | str) -> Any:
    try:
        hash(value)
    except TypeError as error:
        raise engine.failure(
            "ValueError",
            f"Non-hashable static arguments are not supported. An error occurred while trying to hash an object of "
            f"type {type(value)}, {value}. The error was:\nTypeError: {error}",
        ) from None
    return value


def _sequence(given: Any, kind: type, what: str) -> tuple[Any, ...]:
    if given is None:
        return ()
    if isinstance(given, kind):
        return (given,)
    try:
        items = tuple(given)
    except TypeError:
        items = (given,)
    for item in items:
        if not isinstance(item, kind):
            raise engine.failure("TypeError", f"{what} must be {kind.__name__}s, got {given!r}")
    return items
