"""Callbacks on the engine's own buffers."""

from jax._src.callbacks import Buffer, ExecutionContext, buffer_callback

__all__ = ["Buffer", "ExecutionContext", "buffer_callback"]
