"""The one device there is."""

from __future__ import annotations

from typing import Any

from . import tree
from .array import Array


class Device:
    """The processor that the page runs on."""

    id = 0
    process_index = 0
    platform = "cpu"
    device_kind = "cpu"

    def __repr__(self) -> str:
        return "CpuDevice(id=0)"

    def __str__(self) -> str:
        return "TFRT_CPU_0"


DEVICE = Device()


class SingleDeviceSharding:
    """Arrays are whole, on one device."""

    def __init__(self, device: Any = DEVICE, **_: Any) -> None:
        self._device = device

    @property
    def device_set(self) -> set[Any]:
        """The one device, in a set."""
        return {self._device}

    def __repr__(self) -> str:
        return f"SingleDeviceSharding(device={self._device!r}, memory_kind=unpinned_host)"


def devices(backend: Any = None) -> list[Device]:
    """All devices: one."""
    if backend not in (None, "cpu"):
        raise RuntimeError(f"Unknown backend: '{backend}' requested, but no platforms that are instances of {backend} are present. Platforms present are: cpu")
    return [DEVICE]


def device_count(backend: Any = None) -> int:
    """One."""
    return len(devices(backend))


def default_backend() -> str:
    """`cpu`."""
    return "cpu"


def device_put(x: Any, device: Any = None, **_: Any) -> Any:
    """A tree of arrays, on the one device."""
    from .registry import function

    return tree.map(lambda leaf: leaf if isinstance(leaf, Array) else function("np.asarray")(leaf), x)


def device_get(x: Any) -> Any:
    """A tree of NumPy's arrays."""
    import numpy as np

    return tree.map(lambda leaf: np.asarray(leaf) if isinstance(leaf, Array) else leaf, x)


def block_until_ready(x: Any) -> Any:
    """Its argument: nothing is computed later."""
    return x


