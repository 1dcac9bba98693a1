"""Helpers of NumPy's that programs import by their place."""

from . import stride_tricks

__all__ = ["stride_tricks"]
