"""Rematerialisation, by the names under which JAX keeps it."""

from jax._src.remat import checkpoint, checkpoint_name

remat = checkpoint

__all__ = ["checkpoint", "checkpoint_name", "remat"]
