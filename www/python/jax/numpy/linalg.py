"""`jax.numpy.linalg`, as far as the engine's registry goes."""

from __future__ import annotations

from typing import Any

from jax._src import modules as _modules
from jax._src import registry as _registry
from jax._src.registry import function as _function


def matrix_power(a: Any, n: int) -> Any:
    """A square matrix times itself, `n` times; raises for negative powers, which need an inverse."""
    if n < 0:
        raise _modules.missing("jax.numpy.linalg", "inv", [], "negative powers need an inverse")
    eye = _function("np.eye")(a.shape[-1], dtype=a.dtype)
    out, square = eye, a
    while n:
        if n & 1:
            out = out @ square
        square, n = square @ square, n >> 1
    return out


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """The norm of vectors."""
    if axis is None:
        x, axis = x.ravel(), 0
    return _function("np.linalg.norm")(x, ord, axis, keepdims)


def multi_dot(arrays: Any, *, precision: Any = None) -> Any:
    """The product of several matrices."""
    out = arrays[0]
    for other in arrays[1:]:
        out = out @ other
    return out


_get = _modules.getter("np.linalg", "jax.numpy.linalg")


def __getattr__(name: str) -> Any:
    found = globals()[name] = _get(name)
    return found


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if not name.startswith("_")), *_registry.names_in("np.linalg")})
