"""The colour maps by name, and objects that map numbers to colours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import _missing, _tables
from .colors import Colormap, Normalize, to_rgba


class _Maps:
    """All colour maps, by name; a name ending in `_r` is the map from its other end."""

    def __init__(self) -> None:
        self._made: dict[str, Colormap] = {}

    def __getitem__(self, name: str) -> Colormap:
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name].copy()

    def _make(self, name: str) -> Colormap:
        if name.endswith("_r"):
            return self[name[:-2]].reversed(name)
        table = _tables.ALIASES.get(name, name)
        colors = _tables.MAPS.get(table) or _tables.LISTS.get(table)
        if colors is None:
            there = ", ".join(sorted(self))
            raise ValueError(f"{name!r} is not a known colormap name here; known are {there}, and each with '_r'")
        anchors = [to_rgba(f"#{color}") for color in colors.split()]
        return Colormap(name, anchors, steps=table in _tables.LISTS)

    def __iter__(self) -> Iterator[str]:
        return iter([*_tables.MAPS, *_tables.LISTS, *_tables.ALIASES])

    def __len__(self) -> int:
        return len(_tables.MAPS) + len(_tables.LISTS)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name.removesuffix("_r") in set(self)

    def __call__(self) -> list[str]:
        return list(self)

    def register(self, cmap: Colormap, *, name: str | None = None, force: bool = False) -> None:
        """Makes a map known by its name."""
        self._made[name or cmap.name] = cmap

    def get_cmap(self, cmap: Any = None) -> Colormap:
        """The map of a name; a map is given back as it is."""
        return get_cmap(cmap)


colormaps = _Maps()


def get_cmap(name: Any = None, lut: int | None = None) -> Colormap:
    """The colour map of a name (None for the default), in `lut` steps where that is given."""
    if isinstance(name, Colormap):
        return name
    from . import rcParams

    found = colormaps[name or rcParams["image.cmap"]]
    return found.resampled(lut) if lut else found


class ScalarMappable:
    """Numbers with the map and the limits by which they are coloured."""

    def __init__(self, norm: Normalize | None = None, cmap: Any = None) -> None:
        self.norm = norm or Normalize()
        self.cmap = get_cmap(cmap)
        self._values: Any = None

    def set_array(self, A: Any) -> None:
        """The numbers."""
        self._values = A

    def get_array(self) -> Any:
        """The numbers."""
        return self._values

    def set_clim(self, vmin: Any = None, vmax: Any = None) -> None:
        """The limits; also as one pair."""
        if vmax is None and isinstance(vmin, (tuple, list)):
            vmin, vmax = vmin
        if vmin is not None:
            self.norm.vmin = float(vmin)
        if vmax is not None:
            self.norm.vmax = float(vmax)

    def get_clim(self) -> tuple[float | None, float | None]:
        """The limits."""
        return self.norm.vmin, self.norm.vmax

    def set_cmap(self, cmap: Any) -> None:
        """The map."""
        self.cmap = get_cmap(cmap)

    def get_cmap(self) -> Colormap:
        """The map."""
        return self.cmap

    def to_rgba(self, x: Any, alpha: float | None = None) -> Any:
        """The colours of numbers."""
        return self.cmap(self.norm(x), alpha)


def __getattr__(name: str) -> Any:
    if name in colormaps:
        return colormaps[name]
    return _missing.find("matplotlib.cm", name, globals())
