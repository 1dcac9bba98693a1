"""Types of arrays: shape, dtype, weakness."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from .dtypes import NAMES, SHORT


class ShapedArray:
    """The type of an array: shape, dtype, weakness."""

    __slots__ = ("shape", "dtype", "weak_type")

    def __init__(self, shape: Any, dtype: Any, weak_type: bool = False) -> None:
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype) if not hasattr(dtype, "kind") else dtype
        self.weak_type = weak_type

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: prod(self.shape))

    def str_short(self, short_dtypes: bool = False) -> str:
        """`f32[3]`, or `float32[3]`."""
        name = self.dtype.name
        if short_dtypes and name in NAMES:
            name = SHORT[NAMES.index(name)]
        return f"{name}[{','.join(map(str, self.shape))}]"

    def __repr__(self) -> str:
        weak = ", weak_type=True" if self.weak_type else ""
        return f"ShapedArray({self.str_short()}{weak})"

    def __str__(self) -> str:
        return f"{'~' if self.weak_type else ''}{self.str_short()}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapedArray) and (self.shape, self.dtype, self.weak_type) == (
            other.shape, other.dtype, other.weak_type,
        )

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype.name, self.weak_type))
