"""The dtypes of `ml_dtypes` that Cotangent's NumPy has: bfloat16."""

from __future__ import annotations

from typing import Any

from numpy._limits import finfo, iinfo
from numpy._scalars import bfloat16

__all__ = ["bfloat16", "finfo", "iinfo"]
__version__ = "0.5.4"


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module 'ml_dtypes' has no attribute '{name}'")
    raise AttributeError(f"`ml_dtypes.{name}` is not in Cotangent")
