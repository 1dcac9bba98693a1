"""Artists whose colours stand for numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._artist import Artist
from ._data import floats
from .cm import ScalarMappable
from .colors import Colormap, Normalize, LogNorm

MAPPED: dict[str, Any] = {"cmap": None, "norm": None, "vmin": None, "vmax": None}


class Mapped(Artist):
    """An artist with numbers, a colour map, and the limits between which it is used."""

    def __init__(self, taken: Mapping[str, Any]) -> None:
        super().__init__(taken)
        norm = taken["norm"]
        if isinstance(norm, str):
            norm = {"linear": Normalize, "log": LogNorm}[norm]()
        if norm is None:
            norm = Normalize(taken["vmin"], taken["vmax"])
        elif taken["vmin"] is not None or taken["vmax"] is not None:
            raise ValueError(
                "Passing a Normalize instance simultaneously with vmin/vmax is not supported: give them to the norm"
            )
        self._mapped = ScalarMappable(norm, taken["cmap"])

    @property
    def norm(self) -> Normalize:
        """How numbers come into 0 to 1."""
        return self._mapped.norm

    @property
    def cmap(self) -> Colormap:
        """The colour map."""
        return self._mapped.cmap

    def values(self) -> list[float] | None:
        """The numbers; None where the colours were given as colours."""
        return self._mapped.get_array()

    def set_array(self, A: Any) -> None:
        """Other numbers."""
        flat = None if A is None else floats(A)
        self._mapped.set_array(flat)
        if flat is not None:
            self.norm.autoscale_None(flat)

    def get_array(self) -> Any:
        """The numbers, as an array."""
        from ._data import as_array

        return None if self.values() is None else as_array(self.values())

    def set_clim(self, vmin: Any = None, vmax: Any = None) -> None:
        """The limits between which the map is used."""
        self._mapped.set_clim(vmin, vmax)

    def get_clim(self) -> tuple[float | None, float | None]:
        """The limits between which the map is used."""
        return self._mapped.get_clim()

    def set_cmap(self, cmap: Any) -> None:
        """The colour map."""
        self._mapped.set_cmap(cmap)

    def get_cmap(self) -> Colormap:
        """The colour map."""
        return self.cmap

    def autoscale(self) -> None:
        """Takes both limits from the numbers."""
        self.norm.autoscale(self.values() or [])

    def color_of(self, value: float) -> tuple[str | None, float]:
        """The colour of a number as the scene has it, and its opacity."""
        return self.drawn(self.cmap.at(self.norm.unit(value)))
