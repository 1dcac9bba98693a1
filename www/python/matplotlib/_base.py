"""What axes are, apart from what can be drawn in them: limits, texts, grid, spines, legend."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from . import _missing, rcParams
from ._artist import Artist, Transform
from ._data import plain
from ._scene import Box, Point
from .axis import Axis, Span
from .legend import Legend
from .text import Annotation, Text

if TYPE_CHECKING:
    from .figure import Figure


class Labelled(Protocol):
    """What may stand in a legend."""

    label: str


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
        self.position = {"zero": ("data", 0.0), "center": ("axes", 0.5)}.get(position, position) if isinstance(position, str) else position

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


class AxesBase:
    """One plot of a figure."""

    name = "rectilinear"

    def __init__(self, figure: Figure, place: Any) -> None:
        self.figure = figure
        self.place = place
        self.transAxes, self.transData = Transform("axes"), Transform("data")
        self.box = Box(0.0, 0.0, 340.0, 240.0)
        self._twin_of: AxesBase | None = None
        self.colorbars: list[Any] = []
        self.xaxis: Axis
        self.yaxis: Axis
        self.cla()

    def cla(self) -> None:
        """Empties the axes."""
        self.artists: list[Artist] = []
        self.containers: list[Any] = []
        self.titles: dict[str, Text] = {}
        self.legend_: Legend | None = None
        self.framed = True
        self.aspect: Any = "auto"
        self.adjustable = "box"
        self.face: Any = None
        self._next_color = 0
        self._colors: list[Any] | None = None
        self.spines = Spines({name: Spine(name) for name in ("left", "right", "bottom", "top")})
        for side in ("top", "right"):
            self.spines[side].visible = bool(rcParams[f"axes.spines.{side}"])
        for which in ("x", "y"):
            old = getattr(self, f"{which}axis", None)
            if old is not None and self in old.span.members:
                old.span.members.remove(self)
            setattr(self, f"{which}axis", Axis(which, self, Span(which)))
        if rcParams["axes.grid"]:
            self.grid(True)

    clear = cla

    def add_artist(self, a: Any) -> Any:
        """Draws an artist in these axes."""
        a.axes = self
        self.artists.append(a)
        return a

    add_patch = add_line = add_collection = add_image = add_artist

    def cycled(self) -> Any:
        """The next colour of the cycle."""
        colors = self._colors or rcParams["axes.prop_cycle"].colors
        color = colors[self._next_color % len(colors)]
        self._next_color += 1
        return color

    def set_prop_cycle(self, *args: Any, **given: Any) -> None:
        """Other colours for what follows: `color=[…]`, or None for the usual ones."""
        self._next_color = 0
        colors = given.get("color", args[1] if len(args) == 2 else getattr(args[0], "colors", None) if args else None)
        self._colors = None if colors is None else list(colors)

    def points(self, xs: list[float], ys: list[float], transform: Transform | None = None) -> list[Point]:
        """Points in units of the figure."""
        kind = "data" if transform is None else transform.kind
        if kind == "figure":
            width, height = self.figure.size
            return [(x * width, height - y * height) for x, y in zip(xs, ys)]
        box = self.box
        if kind in ("data", "xaxis"):
            place = self.xaxis.placing(box.x, box.width)
            across = [place(x) for x in xs]
        else:
            across = [box.x + x * box.width for x in xs]
        if kind in ("data", "yaxis"):
            place = self.yaxis.placing(box.bottom, -box.height)
            down = [place(y) for y in ys]
        else:
            down = [box.bottom - y * box.height for y in ys]
        return list(zip(across, down))

    def directions(self) -> tuple[float, float]:
        """1.0, or -1.0 for an axis that runs backwards."""
        return tuple(1.0 if low <= high else -1.0 for low, high in (self.xaxis.span.view(), self.yaxis.span.view()))

    def get_xaxis_transform(self) -> Transform:
        """x of the data, y of the axes."""
        return Transform("xaxis")

    def get_yaxis_transform(self) -> Transform:
        """x of the axes, y of the data."""
        return Transform("yaxis")

    def covered(self) -> bool:
        """Whether the ground is covered by an image or the like, on which colours stay as they are."""
        return any(artist.order <= 0.5 or getattr(artist, "filled", False) for artist in self.artists)

    # Texts.

    def text(self, x: Any, y: Any, s: Any, fontdict: Any = None, **given: Any) -> Text:
        """Text at a point."""
        made = Text(x, y, s, **{**(fontdict or {}), **given})
        if made.transform is None or made.transform.kind == "data":
            made.x, made.y = self.xaxis.numbers(x)[0], self.yaxis.numbers(y)[0]
        return self.add_artist(made)

    def annotate(self, text: Any, xy: Any, xytext: Any = None, xycoords: Any = "data", textcoords: Any = None, **given: Any) -> Annotation:
        """Text about a point, with an arrow to it where `arrowprops` is given."""
        return self.add_artist(Annotation(text, xy, xytext, xycoords, textcoords, **given))

    def set_title(self, label: Any, fontdict: Any = None, loc: str | None = None, **given: Any) -> Text:
        """The text above the axes."""
        place = loc or "center"
        if place not in ("center", "left", "right"):
            raise ValueError(f"{loc!r} is not a valid location; supported values are 'center', 'left', 'right'")
        look = {"fontsize": rcParams["axes.titlesize"], **(fontdict or {}), **given}
        self.titles[place] = Text(0, 0, label, **look)
        return self.titles[place]

    def get_title(self, loc: str = "center") -> str:
        """The text above the axes."""
        return self.titles[loc].get_text() if loc in self.titles else ""

    @property
    def title(self) -> Text:
        """The text above the axes."""
        return self.titles.setdefault("center", Text(0, 0, "", fontsize=rcParams["axes.titlesize"]))

    def set_xlabel(self, xlabel: Any, fontdict: Any = None, **given: Any) -> Text:
        """The text along the x axis."""
        return _label(self.xaxis, xlabel, {**(fontdict or {}), **given})

    def set_ylabel(self, ylabel: Any, fontdict: Any = None, **given: Any) -> Text:
        """The text along the y axis."""
        return _label(self.yaxis, ylabel, {**(fontdict or {}), **given})

    def get_xlabel(self) -> str:
        """The text along the x axis."""
        return self.xaxis.label

    def get_ylabel(self) -> str:
        """The text along the y axis."""
        return self.yaxis.label

    # Limits, scales and ticks.

    def set_xlim(self, left: Any = None, right: Any = None, *, auto: Any = False, xmin: Any = None, xmax: Any = None, emit: Any = True) -> Any:
        """The limits of x."""
        return _limits(self.xaxis, left, right, xmin, xmax, auto)

    def set_ylim(self, bottom: Any = None, top: Any = None, *, auto: Any = False, ymin: Any = None, ymax: Any = None, emit: Any = True) -> Any:
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
        return [Text(0, 0, label) for label in self.xaxis.ticks(self.box.width).labels]

    def get_yticklabels(self) -> list[Text]:
        """What is written at the ticks of y."""
        return [Text(0, 0, label) for label in self.yaxis.ticks(self.box.height).labels]

    def tick_params(self, axis: str = "both", **look: Any) -> None:
        """How ticks look: `labelsize`, `rotation`, `colors`, `direction`, `labelbottom` and their like."""
        for which in _which(axis):
            getattr(self, f"{which}axis").set_look(look)

    def ticklabel_format(self, *, axis: str = "both", style: str = "", **look: Any) -> None:
        """Taken and left without effect, except for "plain": numbers are then written out."""
        from .ticker import FuncFormatter

        if style == "plain":
            for which in _which(axis):
                getattr(self, f"{which}axis").set_major_formatter(FuncFormatter(lambda value, _: f"{value:.10g}"))

    def minorticks_on(self) -> None:
        """Taken and left without effect: logarithmic axes have minor ticks, others none."""

    minorticks_off = minorticks_on

    def locator_params(self, axis: str = "both", nbins: int | None = None, **more: Any) -> None:
        """At most so many intervals between ticks."""
        from .ticker import MaxNLocator

        for which in _which(axis):
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
        for which in _which(axis):
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

    # Frame, grid, legend.

    def grid(self, visible: bool | None = None, which: str = "major", axis: str = "both", **look: Any) -> None:
        """Lines across the axes at the ticks."""
        for name in _which(axis):
            own: Axis = getattr(self, f"{name}axis")
            shown = (own.grid_look is None or bool(look)) if visible is None else bool(visible)
            if which == "minor" and own.grid_look is not None:
                continue
            own.grid_look = {**look, "which": which} if shown else None

    def set_facecolor(self, color: Any) -> None:
        """The colour of the ground."""
        self.face = color

    def set_frame_on(self, b: bool) -> None:
        """Whether the sides of the frame are drawn."""
        for spine in self.spines.values():
            spine.visible = bool(b)

    def set_axisbelow(self, b: Any) -> None:
        """Nothing: the grid is always below what is drawn."""

    def legend_entries(self) -> list[tuple[Any, str]]:
        """The artists with labels, in the order of drawing."""
        inside = {id(part) for container in self.containers for part in container}
        listed = [*(artist for artist in self.artists if id(artist) not in inside), *self.containers]
        return [(artist, artist.label) for artist in listed if artist.label and not artist.label.startswith("_")]

    def get_legend_handles_labels(self) -> tuple[list[Any], list[str]]:
        """The artists with labels, and the labels."""
        entries = self.legend_entries()
        return [artist for artist, _ in entries], [label for _, label in entries]

    def legend(self, *args: Any, **given: Any) -> Legend:
        """A legend of the artists with labels, or of `handles` and `labels`."""
        handles, labels = given.pop("handles", None), given.pop("labels", None)
        if len(args) == 1:
            labels = args[0]
        elif len(args) == 2:
            handles, labels = args
        entries = self.legend_entries()
        if handles is not None:
            entries = [(handle[0] if isinstance(handle, (list, tuple)) and not hasattr(handle, "label") else handle, "") for handle in handles]
            entries = [(handle, str(getattr(handle, "label", ""))) for handle, _ in entries]
        elif labels is not None:
            inside = {id(part) for container in self.containers for part in container}
            entries = [(artist, "") for artist in [*self.artists, *self.containers] if id(artist) not in inside]
        if labels is not None:
            entries = [(handle, str(label)) for (handle, _), label in zip(entries, labels)]
        self.legend_ = Legend(entries, **given)
        return self.legend_

    def get_legend(self) -> Legend | None:
        """The legend."""
        return self.legend_

    def set(self, **properties: Any) -> None:
        """Sets properties by name, each by its own `set_` method."""
        for name, value in properties.items():
            getattr(self, f"set_{name}")(value)

    def remove(self) -> None:
        """Takes the axes out of their figure."""
        self.figure.delaxes(self)

    def set_visible(self, b: bool) -> None:
        """Whether the axes are drawn."""
        self.visible = bool(b)

    visible = True

    def get_figure(self) -> Figure:
        """The figure."""
        return self.figure

    def get_lines(self) -> list[Any]:
        """The lines."""
        from .lines import Line2D

        return [artist for artist in self.artists if isinstance(artist, Line2D)]

    lines = property(get_lines)

    @property
    def patches(self) -> list[Any]:
        """The patches."""
        from .collections import PolyCollection
        from .patches import Patch

        return [artist for artist in self.artists if isinstance(artist, Patch) and not isinstance(artist, PolyCollection)]

    @property
    def collections(self) -> list[Any]:
        """The marks, areas and contours."""
        from .collections import LineCollection, PathCollection, PolyCollection, QuadMesh
        from .contour import ContourSet

        kinds = (LineCollection, PathCollection, PolyCollection, QuadMesh, ContourSet)
        return [artist for artist in self.artists if isinstance(artist, kinds)]

    @property
    def images(self) -> list[Any]:
        """The images."""
        from .image import AxesImage

        return [artist for artist in self.artists if isinstance(artist, AxesImage)]

    @property
    def texts(self) -> list[Any]:
        """The texts."""
        return [artist for artist in self.artists if isinstance(artist, Text)]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in ("xaxis", "yaxis"):
            raise AttributeError(name)
        return _missing.find("Axes", name, dir(type(self)))


def _which(axis: str) -> str:
    if axis not in ("x", "y", "both"):
        raise ValueError(f"{axis!r} is not a valid value for axis; supported values are 'x', 'y', 'both'")
    return "xy" if axis == "both" else axis


def _label(axis: Axis, label: Any, look: dict[str, Any]) -> Text:
    axis.label = str(label)
    axis.label_look = look
    return _AxisLabel(axis)


class _AxisLabel(Text):
    """The text along an axis, whose changes are the axis's."""

    def __init__(self, axis: Axis) -> None:
        super().__init__(0, 0, axis.label, **axis.label_look)
        self._axis = axis

    def set_text(self, s: Any) -> None:
        """Another text."""
        self.text = self._axis.label = str(s)

    def set_color(self, color: Any) -> None:
        """The colour."""
        self._axis.label_look = {**self._axis.label_look, "color": color}

    def set_fontsize(self, fontsize: Any) -> None:
        """The font size."""
        self._axis.label_look = {**self._axis.label_look, "fontsize": fontsize}


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

