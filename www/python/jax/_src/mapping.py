"""Functions run on many lanes at once: `vmap`."""

from __future__ import annotations

from typing import Any, Callable

from . import engine, tree
from .array import read_values
from .engine import NAN, Reader
from .functions import check_arguments, check_callable, encoded, leaf_names, name_of, renamed, trace


def vmap(
    fun: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0, axis_name: Any = None, axis_size: int | None = None,
    spmd_axis_name: Any = None, sum_match: bool = False,
) -> Callable[..., Any]:
    """Vectorises `fun`: a function that takes arrays with one more axis and runs on all its lanes at once.

    Arguments given by name are mapped along their first axis.
    """
    check_callable(fun)
    if isinstance(in_axes, list):
        in_axes = tuple(in_axes)
    if not (in_axes is None or type(in_axes) in (int, tuple)):
        raise engine.failure(
            "TypeError",
            "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed "
            f"to the function, but got {in_axes}.",
        )
    _check_axes("in_axes", in_axes)
    _check_axes("out_axes", out_axes)
    name = name_of(fun)

    def batched(*args: Any, **kwargs: Any) -> Any:
        if isinstance(in_axes, tuple) and len(in_axes) != len(args):
            raise engine.failure(
                "ValueError",
                "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments "
                f"passed to the function, but got len(in_axes)={len(in_axes)}, len(args)={len(args)}",
            )
        leaves, structure = tree.flatten((args, kwargs))
        if not leaves and axis_size is None:
            raise engine.failure(
                "ValueError",
                "vmap wrapped function must be passed at least one argument containing an array or axis_size must be "
                "specified, got empty "
                f"*args={args} and **kwargs={kwargs}",
            )
        check_arguments(leaves)
        axes = _axes_of("in_axes", (in_axes, 0), structure)
        traced = trace(
            structure, lambda given: fun(*given[0], **given[1]), "vmap", name, lambda: leaf_names(fun, args, kwargs)
        )
        tape = encoded(leaves)
        tape.append(len(axes))
        tape += [NAN if axis is None else axis for axis in axes]
        tape.append(NAN if axis_size is None else axis_size)
        engine.invoke("vmapCall", tape, traced.id, name)
        reader = Reader()
        size = reader.next()
        flags = [reader.next() for _ in range(reader.count())]
        outs = read_values(reader)
        wanted = _axes_of("out_axes", out_axes, traced.out)
        finish = encoded(outs)
        finish += (len(flags), *flags, len(wanted), *(NAN if axis is None else axis for axis in wanted), size)
        engine.invoke("vmapFinish", finish)
        return tree.unflatten(traced.out, read_values(Reader()))

    return renamed(fun, batched)


def _check_axes(what: str, axes: Any) -> None:
    for leaf in tree.flatten(axes)[0]:
        if type(leaf) is not int:
            raise engine.failure(
                "TypeError",
                f"vmap {what} must be an int, None, or (nested) container with those types as leaves, but got {axes}.",
            )


def _axes_of(what: str, axes: Any, structure: Any) -> list[int | None]:
    """One axis per leaf."""
    try:
        return tree.flatten_axes(f"vmap {what}", structure, axes)
    except (ValueError, TypeError) as wrong:
        raise engine.failure(type(wrong).__name__, str(wrong)) from None
