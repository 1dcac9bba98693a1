"""Random numbers with NumPy's own streams: `default_rng` (PCG64) and `RandomState` (MT19937)."""

from __future__ import annotations

from typing import Any

from . import _legacy
from ._bits import MT19937, PCG64, BitGenerator, SeedSequence
from ._generator import Generator, default_rng
from ._legacy import RandomState

__all__ = ["BitGenerator", "Generator", "MT19937", "PCG64", "RandomState", "SeedSequence", "default_rng"]

globals().update({_name: _legacy.get(_name) for _name in _legacy.NAMES})
sample = ranf = _legacy.get("random_sample")
for _class in (BitGenerator, Generator, MT19937, PCG64, RandomState, SeedSequence):
    _class.__module__ = "numpy.random"


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module 'numpy.random' has no attribute '{name}'")
    raise AttributeError(f"`numpy.random.{name}` is not in Cotangent's NumPy")
