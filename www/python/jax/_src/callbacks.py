"""Callbacks into the program: `buffer_callback`, `pure_callback`, `io_callback`, `debug.callback`, `debug.print`."""

from __future__ import annotations

import string
from typing import Any, Callable, Mapping

from . import host as js
import numpy as np

from . import engine, tree
from .array import Array, from_numpy, read_values
from .dtypes import DTYPES, NAMES, dtype_code
from .engine import Reader
from .functions import check_arguments, check_callable, encoded, name_of, returned
from .transforms import Held

_KINDS = {"buffer": 0, "pure": 1, "io": 2, "debug": 3, "print": 4}


def _new_callback(
    kind: str, number: int, name: str, results: list[Any], in_tree: Any, out_tree: Any, *,
    vmap_method: str | None = None, has_side_effect: bool = False, ordered: bool = False,
    aliases: Mapping[int, int] | None = None,
) -> Held:
    tape: list[float] = [len(results)]
    for result in results:
        tape += (dtype_code(result.dtype), len(result.shape), *result.shape)
    pairs = dict(aliases or {})
    tape.append(len(pairs))
    for source, target in pairs.items():
        tape += (source, target)
    options = (vmap_method or "", "1" if has_side_effect else "", "1" if ordered else "", str(in_tree), str(out_tree))
    engine.invoke("newCallback", tape, _KINDS[kind], number, name, "\n".join(options))
    return Held(Reader().count())


def _result_types(given: Any) -> tuple[list[Any], Any]:
    leaves, structure = tree.flatten(given)
    for leaf in leaves:
        if not (hasattr(leaf, "shape") and hasattr(leaf, "dtype")):
            raise engine.failure(
                "TypeError",
                f"a callback's result is described by jax.ShapeDtypeStruct(shape, dtype), got {leaf!r}",
            )
    return leaves, structure


class Buffer:
    """What a buffer callback gets for an operand or a result: memory that `np.asarray` shows, valid during the call."""

    __slots__ = ("shape", "dtype", "writeable", "_data")

    def __init__(self, shape: tuple[int, ...], dtype: Any, data: bytearray, writeable: bool) -> None:
        self.shape = shape
        self.dtype = dtype
        self.writeable = writeable
        self._data = data

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        size = int(np.prod(self.shape)) if self.shape else 1
        if size == 0:
            return np.zeros(self.shape, self.dtype)
        view = np.frombuffer(self._data, dtype=self.dtype).reshape(self.shape)
        if not self.writeable:
            view.flags.writeable = False
        if dtype is not None and np.dtype(dtype) != view.dtype:
            return view.astype(dtype)
        return view.copy() if copy else view

    def __buffer__(self, flags: int) -> memoryview:
        return memoryview(np.asarray(self))

    def __repr__(self) -> str:
        return f"Buffer(shape={self.shape}, dtype={self.dtype.name})"


class ExecutionContext:
    """What a buffer callback gets first: where it runs."""

    stage = "EXECUTE"

    def __repr__(self) -> str:
        return "ExecutionContext(stage=EXECUTE)"


def buffer_callback(
    callback: Callable[..., None], result_shape_dtypes: Any, *, has_side_effect: bool = False,
    vmap_method: str | None = None, input_output_aliases: Mapping[int, int] | None = None,
    command_buffer_compatible: bool = False,
) -> Callable[..., Any]:
    """A callback on buffers: `callback(ctx, out, *args)` writes `out` in place and returns nothing."""
    check_callable(callback)
    types, out_tree = _result_types(result_shape_dtypes)
    name = name_of(callback)
    held: dict[Any, Held] = {}

    def call(*args: Any, **kwargs: Any) -> Any:
        leaves, in_tree = tree.flatten((args, kwargs))
        check_arguments(leaves)
        key = (in_tree, engine.session)
        if key not in held:
            number = engine.register(lambda: _call_buffer(callback, in_tree, len(leaves), out_tree, len(types)))
            held[key] = _new_callback(
                "buffer", number, name, types, in_tree, out_tree, vmap_method=vmap_method,
                has_side_effect=has_side_effect, aliases=input_output_aliases,
            )
        engine.invoke("callbackCall", encoded(leaves), held[key].id)
        return tree.unflatten(out_tree, read_values(Reader()))

    return call


def _call_buffer(callback: Callable[..., None], in_tree: Any, n_in: int, out_tree: Any, n_out: int) -> list[float]:
    reader = Reader()

    def describe(writeable: bool) -> tuple[int, Buffer]:
        code, at, rank = reader.count(), reader.count(), reader.count()
        shape = tuple(reader.count() for _ in range(rank))
        length = DTYPES[code].itemsize
        for n in shape:
            length *= n
        data = bytearray(length)
        if length:
            js.readMemory(at, length).assign_to(data)
        return at, Buffer(shape, DTYPES[code], data, writeable)

    inputs = [describe(False) for _ in range(n_in)]
    outputs = [describe(True) for _ in range(n_out)]
    args, kwargs = tree.unflatten(in_tree, [buffer for _, buffer in inputs])
    returned = callback(ExecutionContext(), tree.unflatten(out_tree, [buffer for _, buffer in outputs]), *args, **kwargs)
    if returned is not None:
        raise engine.failure("ValueError", "buffer_callback callback must not return any values.")
    for at, buffer in outputs:
        if buffer._data:
            js.writeMemory(at, memoryview(buffer._data))
    return []


def _checked(given: Any, types: list[Any], out_tree: Any) -> list[Any]:
    """Results of a callback in the order of their types; a RuntimeError where they are not as promised."""
    leaves, structure = tree.flatten(given)
    if len(types) == 1 and structure != out_tree and out_tree.num_nodes == 1:
        # One result may come as nested lists of numbers.
        leaves, structure = [np.asarray(given)], out_tree
    if structure != out_tree:
        raise engine.failure(
            "RuntimeError",
            f"Mismatched number of outputs from callback. Expected: {len(types)}, Actual: {len(leaves)}"
            if len(leaves) != len(types)
            else f"The callback's result has structure {structure}, but {out_tree} was promised",
        )
    out: list[Any] = []
    for i, (leaf, want) in enumerate(zip(leaves, types)):
        if isinstance(leaf, Array):
            out.append(leaf)
            continue
        found = np.asarray(leaf)
        if found.dtype.name not in (*NAMES, "int64", "float64") and found.dtype.kind not in "biuf":
            raise engine.failure("RuntimeError", f"return value #{i} of the callback is no array: {leaf!r}")
        if tuple(found.shape) == tuple(want.shape) and isinstance(leaf, (int, float, list)):
            found = found.astype(DTYPES[dtype_code(want.dtype)])
        out.append(from_numpy(found))
    return out


def _array_callback(
    kind: str, callback: Callable[..., Any], result_shape_dtypes: Any, args: Any, kwargs: Any, **options: Any
) -> Any:
    check_callable(callback)
    types, out_tree = _result_types(result_shape_dtypes)
    leaves, in_tree = tree.flatten((args, kwargs))
    check_arguments(leaves)

    def run() -> list[float]:
        given, named = tree.unflatten(in_tree, read_values(Reader()))
        return returned(_checked(callback(*given, **named), types, out_tree))

    held = _new_callback(kind, engine.register(run), name_of(callback), types, in_tree, out_tree, **options)
    engine.invoke("callbackCall", encoded(leaves), held.id)
    return tree.unflatten(out_tree, read_values(Reader()))


def pure_callback(
    callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None,
    vmap_method: str | None = None, vectorized: Any = None, **kwargs: Any,
) -> Any:
    """Calls a pure function of arrays: it may be called again, or not at all if its result is not used."""
    return _array_callback("pure", callback, result_shape_dtypes, args, kwargs, vmap_method=vmap_method)


def io_callback(
    callback: Callable[..., Any], result_shape_dtypes: Any, *args: Any, sharding: Any = None, ordered: bool = False,
    **kwargs: Any,
) -> Any:
    """Calls a function of arrays that acts on the world: called once for each time it is reached."""
    return _array_callback("io", callback, result_shape_dtypes, args, kwargs, ordered=ordered, has_side_effect=True)


def _observe(kind: str, name: str, look: Callable[..., Any], args: Any, kwargs: Any, ordered: bool) -> None:
    # Strings and other things that are no arrays are handed over as they are.
    leaves, in_tree = tree.flatten((args, kwargs))
    check_arguments(leaves)

    def run() -> list[float]:
        given, named = tree.unflatten(in_tree, read_values(Reader()))
        look(*given, **named)
        return [0]

    held = _new_callback(
        kind, engine.register(run), name, [], in_tree, "PyTreeDef(None)", ordered=ordered, has_side_effect=True
    )
    engine.invoke("callbackCall", encoded(leaves), held.id)


def debug_callback(
    callback: Callable[..., Any], *args: Any, ordered: bool = False, partitioned: bool = False, **kwargs: Any
) -> None:
    """Shows values to a function: under `grad` the primal ones, under `vmap` once per lane. Its result is ignored."""
    if not callable(callback):
        raise engine.failure("TypeError", "first argument to jax.debug.callback must be callable, but got an object of type "
            f"{type(callback)}")
    _observe("debug", name_of(callback), callback, args, kwargs, ordered)


class _Formatter(string.Formatter):
    """Notes which arguments a format uses."""

    def check_unused_args(self, used_args: Any, args: Any, kwargs: Any) -> None:
        unused = [i for i in range(len(args)) if i not in used_args]
        if unused:
            raise ValueError(f"Unused positional arguments to `jax.debug.print`: {[args[i] for i in unused]}")
        names = [key for key in kwargs if key not in used_args]
        if names:
            raise ValueError(
                f"Unused keyword arguments to `jax.debug.print`: {names}. You may be passing an f-string (i.e, "
                '`f"{x}"`) to `jax.debug.print` rather than a format string (i.e, `"{x}"`).'
            )


_formatter = _Formatter()


class _Anything:
    """Takes every format specification, to look at a format before its values are there."""

    def __format__(self, spec: str) -> str:
        return ""

    def __getattr__(self, name: str) -> Any:
        return self

    def __getitem__(self, index: Any) -> Any:
        return self


def debug_print(
    fmt: str, *args: Any, ordered: bool = False, partitioned: bool = False, skip_format_check: bool = False,
    _use_logging: bool = False, **kwargs: Any,
) -> None:
    """Prints values when they are there: `jax.debug.print("x = {x}", x=x)`."""
    if not isinstance(fmt, str):
        raise engine.failure("TypeError", f"jax.debug.print takes a format string first, got {fmt!r}")
    if not skip_format_check:
        try:
            _formatter.vformat(fmt, [_Anything()] * len(args), {key: _Anything() for key in kwargs})
        except (ValueError, KeyError, IndexError) as wrong:
            message = str(wrong)
            if isinstance(wrong, ValueError) and "positional" in message:
                message = "Unused positional arguments to `jax.debug.print`: " + str(list(args)[-1:])
            error = engine.failure(type(wrong).__name__, message)
            raise error from None

    # What is no array (a string, say) is there already.
    static = {key: value for key, value in kwargs.items() if isinstance(value, str)}
    traced = {key: value for key, value in kwargs.items() if key not in static}

    def look(*given: Any, **named: Any) -> None:
        print(_formatter.vformat(fmt, given, {**named, **static}))

    _observe("print", fmt, look, args, traced, ordered)

