"""Types as `jax.numpy` speaks of them: limits, kinds, promotion."""

from __future__ import annotations

from typing import Any

import numpy as np

from .dtypes import DTYPES, NAMES, canonicalize_dtype, dtype_name
from .registry import function

finfo = np.finfo
iinfo = np.iinfo


def issubdtype(arg1: Any, arg2: Any) -> bool:
    """Whether a type is of a kind: `issubdtype(x.dtype, jnp.floating)`."""
    first, second = (getattr(arg, "dtype", arg) if isinstance(arg, type) and not issubclass(arg, np.generic) else arg
                     for arg in (arg1, arg2))
    first = getattr(first, "dtype", first) if not isinstance(first, type) else first
    return bool(np.issubdtype(first, second))


def _as_dtype(name: Any) -> Any:
    return DTYPES[NAMES.index(name)] if isinstance(name, str) and name in NAMES else canonicalize_dtype(name)


def promote_types(a: Any, b: Any) -> Any:
    """The type that two types mix to, by JAX's rules."""
    return _as_dtype(function("np.promoteTypes")(dtype_name(a), dtype_name(b)))


def result_type(*args: Any) -> Any:
    """The type of what arrays, numbers and types mix to, by JAX's rules."""
    return _as_dtype(function("np.resultType")(*args))
