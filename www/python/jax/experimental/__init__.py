"""Parts of JAX that are experimental there: callbacks, and 64-bit floats for a while."""

from __future__ import annotations

from jax._src.callbacks import io_callback
from jax._src.config import enable_x64 as _enable_x64
from jax._src import modules as _modules


class disable_x64:
    """`with disable_x64():` turns 64-bit floats off for a while."""

    def __init__(self) -> None:
        self._inner = _enable_x64(False)

    def __enter__(self) -> None:
        self._inner.__enter__()

    def __exit__(self, *error: object) -> None:
        self._inner.__exit__(*error)  # type: ignore[arg-type]


def enable_x64(new_val: bool = True) -> object:
    """`with enable_x64():` turns 64-bit floats on for a while."""
    return _enable_x64(new_val)


def __getattr__(name: str) -> object:
    raise _modules.missing("jax.experimental", name, ["buffer_callback", "io_callback", "enable_x64"])


__all__ = ["disable_x64", "enable_x64", "io_callback"]
