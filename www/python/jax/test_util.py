"""Checks of derivatives."""

from jax._src.transforms import check_grads

__all__ = ["check_grads"]
