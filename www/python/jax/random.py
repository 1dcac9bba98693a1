"""`jax.random`: keys, and numbers drawn from them, bit for bit JAX's.

The functions come from the engine's registry when they are first asked for.
"""

from __future__ import annotations

from typing import Any

from jax._src import modules as _modules
from jax._src import registry as _registry
from jax._src.array import Array

_get = _modules.getter("random", "jax.random")
_registered_split = _registry.find("random", "split")


def split(key: Any, num: int | tuple[int, ...] = 2) -> Array:
    """As many new keys from one, which should not be used again."""
    if _registered_split is None:
        raise _modules.missing("jax.random", "split", [])
    return _registered_split(key, num)


def key_impl(keys: Any) -> str:
    """The generator that keys are for."""
    return "fry"


def __getattr__(name: str) -> Any:
    found = globals()[name] = _get(name)
    return found


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if not name.startswith("_")), *_registry.names_in("random")})
