"""The sides of the frame of axes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import _missing


class Spine:
    """One side of the frame."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.visible = True
        self.color: Any = None
        self.linewidth = 0.8
        self.position: Any = None

    def set_visible(self, b: bool) -> None:
        """Whether it is drawn."""
        self.visible = bool(b)

    def set_color(self, c: Any) -> None:
        """The colour."""
        self.color = c
        if isinstance(c, str) and c.lower() == "none":
            self.visible = False

    set_edgecolor = set_color

    def set_linewidth(self, w: float) -> None:
        """The width."""
        self.linewidth = float(w)

    def set_position(self, position: Any) -> None:
        """Where it stands: "zero", "center", ("data", value) or ("axes", part)."""
        self.position = (
            {"zero": ("data", 0.0), "center": ("axes", 0.5)}.get(position, position)
            if isinstance(position, str)
            else position
        )

    def __getattr__(self, name: str) -> Any:
        if name.startswith("set_"):
            return lambda *values, **more: None
        return _missing.find("Spine", name, dir(type(self)))


class Spines(dict[str, Spine]):
    """The four sides of the frame, by name or as attributes."""

    def __getattr__(self, name: str) -> Spine:
        if name in self:
            return self[name]
        return _missing.find("Spines", name, self)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return super().__getitem__(key)
        names = list(self) if isinstance(key, slice) else list(key)
        return _Several([super(Spines, self).__getitem__(name) for name in names])


class _Several:
    """Several spines that are set at once."""

    def __init__(self, spines: list[Spine]) -> None:
        self.spines = spines

    def __iter__(self) -> Iterator[Spine]:
        return iter(self.spines)

    def __getattr__(self, name: str) -> Any:
        def call(*values: Any, **more: Any) -> None:
            for spine in self.spines:
                getattr(spine, name)(*values, **more)

        return call


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.spines", name, globals())
