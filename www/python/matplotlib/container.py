"""Groups of artists that one call made: bars, error bars, stems."""

from __future__ import annotations

from typing import Any

from ._artist import named as label_of


class Container(tuple):
    """The artists of one call, as a tuple; with a label for all of them."""

    label: str
    # What stands for all of them in a legend.
    sample: Any

    def __new__(cls, parts: Any, label: Any = "", **more: Any) -> Container:
        made = super().__new__(cls, parts)
        made.label = "" if label is None else str(label)
        for name, value in more.items():
            setattr(made, name, value)
        return made

    def get_label(self) -> str:
        """The text for the legend."""
        return self.label

    def set_label(self, s: Any) -> None:
        """The text for the legend."""
        self.label = str(s)

    def remove(self) -> None:
        """Takes all parts out of their axes."""
        for part in self:
            if hasattr(part, "remove"):
                part.remove()

    def named(self, thing: str) -> str:
        """What they are, with their label where they have one."""
        return label_of(thing, self.label)

    def key(self, scene: Any, box: Any) -> None:
        """Draws what stands for the group in a legend: its first part."""
        self.sample.key(scene, box)


class BarContainer(Container):
    """Bars."""

    @property
    def patches(self) -> list[Any]:
        """The rectangles."""
        return list(self)

    def words(self) -> str:
        """How many bars there are."""
        return self.named(f"{len(self)} bars")


class ErrorbarContainer(Container):
    """Points with their error bars."""

    def words(self) -> str:
        """That there are error bars."""
        return self.named("points with error bars")


class StemContainer(Container):
    """Stems: markers, lines to the base, and the base."""

    @property
    def markerline(self) -> Any:
        """The markers."""
        return self[0]

    @property
    def stemlines(self) -> Any:
        """The lines."""
        return self[1]

    @property
    def baseline(self) -> Any:
        """The base."""
        return self[2]

    def words(self) -> str:
        """That there are stems."""
        return "stems"
