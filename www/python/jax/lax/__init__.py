"""`jax.lax`: the primitives under `jax.numpy`, which don't promote or broadcast by themselves."""

from __future__ import annotations

import enum as _enum
from typing import Any

from jax._src import modules as _modules
from jax._src import registry as _registry
from jax._src.control import associative_scan, cond, fori_loop, map, scan, switch, while_loop  # noqa: A004
from jax._src.transforms import stop_gradient


class Precision(_enum.Enum):
    """How exactly products are to be computed; here always as exactly as float32 goes."""

    DEFAULT = 0
    HIGH = 1
    HIGHEST = 2


class RoundingMethod(_enum.IntEnum):
    """Where halves are rounded to."""

    AWAY_FROM_ZERO = 0
    TO_NEAREST_EVEN = 1


class GatherScatterMode(_enum.Enum):
    """What happens to indices out of bounds."""

    CLIP = 0
    FILL_OR_DROP = 1
    PROMISE_IN_BOUNDS = 2
    ONE_HOT = 3


_get = _modules.getter("lax", "jax.lax")
_HERE = (associative_scan, cond, fori_loop, map, scan, stop_gradient, switch, while_loop)


def __getattr__(name: str) -> Any:
    found = globals()[name] = _get(name)
    return found


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if not name.startswith("_")), *_registry.names_in("lax")})
