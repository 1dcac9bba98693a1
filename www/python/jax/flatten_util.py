"""Trees as one long vector."""

from __future__ import annotations

from typing import Any, Callable

from jax._src import engine, tree
from jax._src.registry import function


def ravel_pytree(pytree: Any) -> tuple[Any, Callable[[Any], Any]]:
    """All leaves in one vector, and a function that makes such a tree of such a vector."""
    leaves, treedef = tree.flatten(pytree)
    arrays = [function("np.asarray")(leaf) for leaf in leaves]
    if not arrays:
        return function("np.zeros")(0), lambda _: treedef.unflatten([])
    types = [(x.shape, x.dtype, x.size) for x in arrays]
    flat = function("np.concatenate")([x.ravel() for x in arrays])
    size, dtype = flat.size, flat.dtype

    def unravel(vector: Any) -> Any:
        vector = function("np.asarray")(vector)
        if vector.shape != (size,):
            raise engine.failure(
                "ValueError",
                f"Sum of sizes {size} must be equal to dimension 0 of the operand shape {list(vector.shape)}",
            )
        if vector.dtype != dtype:
            raise engine.failure(
                "TypeError",
                f"unravel function given array of dtype {vector.dtype}, but expected dtype {dtype}",
            )
        out, at = [], 0
        for shape, kind, length in types:
            out.append(vector[at : at + length].reshape(shape).astype(kind))
            at += length
        return treedef.unflatten(out)

    return flat, unravel


__all__ = ["ravel_pytree"]
