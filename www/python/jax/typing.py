"""Types for annotations."""

from typing import Any, Union

import numpy as np

from jax._src.array import Array

ArrayLike = Union[Array, np.ndarray, np.bool_, np.number, bool, int, float]
DTypeLike = Union[str, type, np.dtype]
DeprecatedArg = Any

__all__ = ["ArrayLike", "DTypeLike", "DeprecatedArg"]
