"""`jax.nn`: activations and their kin."""

from __future__ import annotations

from typing import Any

from jax._src import modules as _modules
from jax._src import registry as _registry

_get = _modules.getter("nn", "jax.nn")


def identity(x: Any) -> Any:
    """Its argument as an array."""
    return _registry.function("np.asarray")(x)


def __getattr__(name: str) -> Any:
    found = globals()[name] = _get(name)
    return found


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if not name.startswith("_")), *_registry.names_in("nn")})
