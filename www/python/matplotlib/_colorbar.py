"""Colour bars: which number a colour stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _scale
from ._scene import Box
from .axes import Axes
from .colors import LogNorm, Normalize
from .contour import ContourSet
from .image import paint_pixels
from .ticker import FixedLocator

if TYPE_CHECKING:
    from ._scene import Scene
    from .figure import Figure


class Colorbar:
    """A bar beside axes, with an axis of its own."""

    def __init__(
        self,
        figure: Figure,
        mappable: Any,
        parents: list[Axes],
        cax: Axes | None,
        label: Any = "",
        ticks: Any = None,
        orientation: str | None = None,
        shrink: float = 1.0,
        format: Any = None,
        location: str | None = None,
        **more: Any,
    ) -> None:
        self.mappable = mappable
        self.parents = parents
        self.upright = (orientation or ("horizontal" if location in ("top", "bottom") else "vertical")) == "vertical"
        self.shrink = min(max(float(shrink), 0.1), 1.0)
        self.ax = cax if cax is not None else Axes(figure, None)
        self.axis.side = "right" if self.upright else "bottom"
        other = self.ax.xaxis if self.upright else self.ax.yaxis
        other.set_visible(False)
        self.set_label(label)
        if ticks is not None:
            self.set_ticks(ticks)
        elif isinstance(mappable, ContourSet) and len(mappable.levels_list) <= 12:
            self.axis.locator = FixedLocator(mappable.levels_list)
        if format is not None:
            self.axis.set_major_formatter(format if not isinstance(format, str) or "{" in format else _percent(format))
        self.outline = self.ax.spines[:]
        self.update_normal()

    @property
    def axis(self) -> Any:
        """The axis along the bar."""
        return self.ax.yaxis if self.upright else self.ax.xaxis

    def update_normal(self, mappable: Any = None) -> None:
        """Takes the limits from what is mapped."""
        norm = self.mappable.norm
        low, high = 0.0 if norm.vmin is None else norm.vmin, 1.0 if norm.vmax is None else norm.vmax
        if isinstance(self.mappable, ContourSet) and len(self.mappable.levels_list) > 1:
            low, high = self.mappable.levels_list[0], self.mappable.levels_list[-1]
        if isinstance(norm, LogNorm):
            self.axis.span.scale = _scale.make("log")
        self.axis.span.limits = (low, high) if low != high else (low - 0.5, high + 0.5)

    def draw(self, scene: Scene) -> None:
        """The colours in the box of the bar's axes."""
        self.update_normal()
        box, mapped = self.ax.box, self.mappable
        if isinstance(mapped, ContourSet):
            self._draw_contours(scene, box, mapped)
            return
        count = min(256, mapped.cmap.N) if mapped.cmap.N < 64 else 128
        places = [(index + 0.5) / count for index in range(count)]
        rows = [[place] for place in places] if self.upright else [places]
        edges = (box.x, box.right, box.bottom, box.y) if self.upright else (box.x, box.right, box.y, box.bottom)
        paint_pixels(scene, edges, mapped.cmap, Normalize(0, 1), rows, mapped.alpha)

    def _draw_contours(self, scene: Scene, box: Box, mapped: ContourSet) -> None:
        start, length = (box.bottom, -box.height) if self.upright else (box.x, box.width)
        place = self.axis.placing(start, length)
        if mapped.filled:
            for low, high, color in mapped.band_colors():
                a, b = place(low), place(high)
                corners = (
                    [(box.x, a), (box.right, a), (box.right, b), (box.x, b)]
                    if self.upright
                    else [(a, box.y), (b, box.y), (b, box.bottom), (a, box.bottom)]
                )
                scene.area([corners], color, exact=True)
            return
        for index, level in enumerate(mapped.levels_list):
            at = place(level)
            color, opacity = mapped._color(index, level)
            line = [(box.x, at), (box.right, at)] if self.upright else [(at, box.y), (at, box.bottom)]
            scene.line(line, color, 2.0, (), opacity)

    def set_label(self, label: Any, **look: Any) -> None:
        """The text along the bar."""
        self.axis.label = "" if label is None else str(label)
        self.axis.label_look = look

    def set_ticks(self, ticks: Any, *, labels: Any = None, **look: Any) -> None:
        """Where ticks stand, and what is written there."""
        if hasattr(ticks, "tick_values"):
            self.axis.locator = ticks
        else:
            self.axis.set_ticks(ticks, labels)

    def set_ticklabels(self, ticklabels: Any, **look: Any) -> None:
        """What is written at the ticks."""
        self.axis.set_ticklabels(ticklabels)

    def minorticks_off(self) -> None:
        """Nothing: bars have no minor ticks."""

    minorticks_on = minorticks_off


def _percent(form: str) -> Any:
    from .ticker import FormatStrFormatter

    return FormatStrFormatter(form)
