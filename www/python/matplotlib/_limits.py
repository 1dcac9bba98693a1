"""Limits, scales and ticks of axes."""

from __future__ import annotations

from typing import Any

from ._data import plain
from .axis import Axis, Span
from .text import Text


class TickLabel(Text):
    """What is written at a tick; how it looks is how all labels of its axis look."""

    def __init__(self, axis: Axis, label: str) -> None:
        super().__init__(0, 0, label)
        self._axis = axis

    def set_rotation(self, s: Any) -> None:
        """The angle."""
        self._axis.set_look({"rotation": s})

    def set_fontsize(self, fontsize: Any) -> None:
        """The font size."""
        self._axis.set_look({"fontsize": fontsize})

    set_size = set_fontsize

    def set_color(self, color: Any) -> None:
        """The colour."""
        self._axis.set_look({"color": color})

    def set_ha(self, align: str) -> None:
        """How it is aligned to its tick."""
        self._axis.set_look({"ha": align})

    set_horizontalalignment = set_ha

    def set_visible(self, b: bool) -> None:
        """Whether it is drawn."""
        self._axis.shows_labels = bool(b)


class Limits:
    """The methods of axes about their limits, scales and ticks."""

    xaxis: Axis
    yaxis: Axis
    box: Any
    framed: bool
    adjustable: str

    def directions(self) -> tuple[float, float]:
        """1.0, or -1.0 for an axis that runs backwards."""
        (x0, x1), (y0, y1) = self.xaxis.span.view(), self.yaxis.span.view()
        return (1.0 if x0 <= x1 else -1.0, 1.0 if y0 <= y1 else -1.0)

    def set_xlim(
        self,
        left: Any = None,
        right: Any = None,
        *,
        auto: Any = False,
        xmin: Any = None,
        xmax: Any = None,
        emit: Any = True,
    ) -> Any:
        """The limits of x."""
        return _limits(self.xaxis, left, right, xmin, xmax, auto)

    def set_ylim(
        self,
        bottom: Any = None,
        top: Any = None,
        *,
        auto: Any = False,
        ymin: Any = None,
        ymax: Any = None,
        emit: Any = True,
    ) -> Any:
        """The limits of y."""
        return _limits(self.yaxis, bottom, top, ymin, ymax, auto)

    def get_xlim(self) -> tuple[float, float]:
        """The limits of x."""
        return self.xaxis.span.view()

    def get_ylim(self) -> tuple[float, float]:
        """The limits of y."""
        return self.yaxis.span.view()

    set_xbound, set_ybound, get_xbound, get_ybound = set_xlim, set_ylim, get_xlim, get_ylim

    def invert_xaxis(self) -> None:
        """Turns the x axis around."""
        _turn(self.xaxis.span)

    def invert_yaxis(self) -> None:
        """Turns the y axis around."""
        _turn(self.yaxis.span)

    def xaxis_inverted(self) -> bool:
        """Whether x runs to the left."""
        return self.directions()[0] < 0

    def yaxis_inverted(self) -> bool:
        """Whether y runs downwards."""
        return self.directions()[1] < 0

    def set_xscale(self, value: str, **options: Any) -> None:
        """The scale of x: "linear", "log", "symlog" or "logit"."""
        self.xaxis.set_scale(value, options)

    def set_yscale(self, value: str, **options: Any) -> None:
        """The scale of y: "linear", "log", "symlog" or "logit"."""
        self.yaxis.set_scale(value, options)

    def get_xscale(self) -> str:
        """The scale of x."""
        return self.xaxis.span.scale.name

    def get_yscale(self) -> str:
        """The scale of y."""
        return self.yaxis.span.scale.name

    def set_xticks(self, ticks: Any, labels: Any = None, *, minor: bool = False, **look: Any) -> None:
        """Where the ticks of x stand, and what is written there."""
        self.xaxis.set_ticks(ticks, labels, minor=minor, **look)

    def set_yticks(self, ticks: Any, labels: Any = None, *, minor: bool = False, **look: Any) -> None:
        """Where the ticks of y stand, and what is written there."""
        self.yaxis.set_ticks(ticks, labels, minor=minor, **look)

    def get_xticks(self) -> Any:
        """Where the ticks of x stand, as an array."""
        return self.xaxis.get_ticklocs()

    def get_yticks(self) -> Any:
        """Where the ticks of y stand, as an array."""
        return self.yaxis.get_ticklocs()

    def set_xticklabels(self, labels: Any, **look: Any) -> None:
        """What is written at the ticks of x."""
        self.xaxis.set_ticklabels(labels, **look)

    def set_yticklabels(self, labels: Any, **look: Any) -> None:
        """What is written at the ticks of y."""
        self.yaxis.set_ticklabels(labels, **look)

    def get_xticklabels(self) -> list[Text]:
        """What is written at the ticks of x."""
        return [TickLabel(self.xaxis, label) for label in self.xaxis.ticks(self.box.width).labels]

    def get_yticklabels(self) -> list[Text]:
        """What is written at the ticks of y."""
        return [TickLabel(self.yaxis, label) for label in self.yaxis.ticks(self.box.height).labels]

    def tick_params(self, axis: str = "both", **look: Any) -> None:
        """How ticks look: `labelsize`, `rotation`, `colors`, `direction`, `labelbottom` and their like."""
        for which in which_of(axis):
            getattr(self, f"{which}axis").set_look(look)

    def ticklabel_format(self, *, axis: str = "both", style: str = "", **look: Any) -> None:
        """Taken and left without effect, except for "plain": numbers are then written out."""
        from .ticker import FuncFormatter

        if style == "plain":
            for which in which_of(axis):
                getattr(self, f"{which}axis").set_major_formatter(FuncFormatter(lambda value, _: f"{value:.10g}"))

    def minorticks_on(self) -> None:
        """Taken and left without effect: logarithmic axes have minor ticks, others none."""

    minorticks_off = minorticks_on

    def locator_params(self, axis: str = "both", nbins: int | None = None, **more: Any) -> None:
        """At most so many intervals between ticks."""
        from .ticker import MaxNLocator

        for which in which_of(axis):
            getattr(self, f"{which}axis").locator = MaxNLocator(nbins or 9, steps=[1, 2, 2.5, 5, 10])

    def margins(self, *margins: float, x: float | None = None, y: float | None = None, tight: Any = True) -> Any:
        """How much room is left around the data, as part of its range."""
        if margins:
            x, y = margins[0], margins[-1]
        if x is not None:
            self.xaxis.span.margin = float(x)
        if y is not None:
            self.yaxis.span.margin = float(y)
        return self.xaxis.span.margin, self.yaxis.span.margin

    def set_xmargin(self, m: float) -> None:
        """How much room is left around the data along x."""
        self.margins(x=m)

    def set_ymargin(self, m: float) -> None:
        """How much room is left around the data along y."""
        self.margins(y=m)

    def autoscale(self, enable: bool = True, axis: str = "both", tight: bool | None = None) -> None:
        """Takes the limits from the data again."""
        for which in which_of(axis):
            span = getattr(self, f"{which}axis").span
            span.limits = None if enable else span.view()
            if tight:
                span.margin = 0.0

    def autoscale_view(self, *args: Any, **given: Any) -> None:
        """Nothing: limits that nobody set are always those of the data."""

    relim = autoscale_view

    def set_aspect(self, aspect: Any, adjustable: str | None = None, anchor: Any = None, share: bool = False) -> None:
        """How many units of the figure a unit of y has for one of x: "equal", a number, or "auto"."""
        self.aspect = 1.0 if aspect == "equal" else aspect if aspect == "auto" else float(aspect)
        self.adjustable = adjustable or self.adjustable

    def set_box_aspect(self, aspect: float | None) -> None:
        """The height of the box over its width."""
        self.box_aspect = aspect

    box_aspect: float | None = None

    def get_aspect(self) -> Any:
        """How many units of the figure a unit of y has for one of x."""
        return self.aspect

    def axis(self, arg: Any = None, /, **given: Any) -> Any:
        """Limits as [xmin, xmax, ymin, ymax], or "equal", "off", "on", "tight", "square", "scaled", "image", "auto"."""
        if isinstance(arg, bool):
            self.framed = arg
        elif isinstance(arg, str):
            self._axis_by_name(arg)
        elif arg is not None:
            left, right, bottom, top = plain(arg)
            self.set_xlim(left, right)
            self.set_ylim(bottom, top)
        if given:
            self.set_xlim(given.get("xmin"), given.get("xmax"))
            self.set_ylim(given.get("ymin"), given.get("ymax"))
        return (*self.get_xlim(), *self.get_ylim())

    def _axis_by_name(self, name: str) -> None:
        if name in ("on", "off"):
            self.framed = name == "on"
        elif name == "equal":
            self.autoscale()
            self.set_aspect("equal", "datalim")
        elif name in ("scaled", "image", "square"):
            self.autoscale(tight=True if name == "image" else None)
            self.set_aspect("equal", "box")
            if name == "square":
                self.set_box_aspect(1)
        elif name in ("tight", "auto"):
            self.autoscale(tight=True if name == "tight" else None)
            self.aspect = "auto"
        else:
            raise ValueError(
                f"Unrecognized string {name!r} to axis; try 'on', 'off', 'equal', 'tight', 'scaled', 'image', 'auto' or 'square'"
            )

    def set_axis_off(self) -> None:
        """Draws no frame, no ticks and no labels."""
        self.framed = False

    def set_axis_on(self) -> None:
        """Draws the frame, the ticks and the labels."""
        self.framed = True


def which_of(axis: str) -> str:
    """The letters of the axes that an option `axis` names."""
    if axis not in ("x", "y", "both"):
        raise ValueError(f"{axis!r} is not a valid value for axis; supported values are 'x', 'y', 'both'")
    return "xy" if axis == "both" else axis


def _limits(axis: Axis, low: Any, high: Any, least: Any, most: Any, auto: Any) -> tuple[float, float]:
    if high is None and low is not None and hasattr(low, "__len__") and not isinstance(low, str):
        low, high = plain(low)
    low, high = (least if low is None else low), (most if high is None else high)
    axis.set_limits(low, high, auto)
    return axis.span.view()


def _turn(span: Span) -> None:
    if span.limits is None:
        span.inverted = not span.inverted
    else:
        span.limits = span.limits[::-1]
        span.inverted = span.limits[0] > span.limits[1]
