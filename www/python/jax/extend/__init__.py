"""Parts of JAX meant for those who extend it."""

from . import core

__all__ = ["core"]
