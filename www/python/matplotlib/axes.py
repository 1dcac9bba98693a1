"""Axes: one plot of a figure, with everything that can be drawn in it."""

from __future__ import annotations

from typing import Any

from . import _missing
from ._plot_bars import BarPlots
from ._plot_fields import FieldPlots
from ._plot_lines import LinePlots


class Axes(LinePlots, BarPlots, FieldPlots):
    """One plot of a figure."""

    # The colour bar that is drawn in these axes.
    colorbar_of: Any = None

    def twinx(self) -> Axes:
        """Axes in the same place with the same x axis, and a y axis of their own on the right."""
        return self._twin("x")

    def twiny(self) -> Axes:
        """Axes in the same place with the same y axis, and an x axis of their own on top."""
        return self._twin("y")

    def _twin(self, shared: str) -> Axes:
        twin = Axes(self.figure, self.place)
        twin._twin_of = self
        self.figure.add_made(twin)
        mine, other = (self.xaxis, twin.xaxis) if shared == "x" else (self.yaxis, twin.yaxis)
        other.share(mine.span)
        other.shows_labels = other.shows_ticks = False
        other.grid_look = None
        own = twin.yaxis if shared == "x" else twin.xaxis
        own.side = "right" if shared == "x" else "top"
        own.grid_look = None
        return twin

    def secondary_xaxis(self, *args: Any, **given: Any) -> Any:
        """Refused."""
        return _missing.refuse("secondary_xaxis", "use twiny() and set its limits")

    def secondary_yaxis(self, *args: Any, **given: Any) -> Any:
        """Refused."""
        return _missing.refuse("secondary_yaxis", "use twinx() and set its limits")

    def sharex(self, other: Axes) -> None:
        """Takes the x axis of other axes."""
        self.xaxis.share(other.xaxis.span)

    def sharey(self, other: Axes) -> None:
        """Takes the y axis of other axes."""
        self.yaxis.share(other.yaxis.span)

    def __repr__(self) -> str:
        return f"<Axes: title={{'center': {self.get_title()!r}}}>" if self.get_title() else "<Axes: >"


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.axes", name, globals())
