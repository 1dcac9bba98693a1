"""What axes are, apart from what can be drawn in them: artists, texts, grid, legend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _missing, rcParams
from ._artist import Artist, Transform
from ._limits import Limits, which_of
from ._scene import Box, Point
from .axis import Axis, Span
from .legend import Legend
from .spines import Spine, Spines
from .text import Annotation, Text

if TYPE_CHECKING:
    from .figure import Figure


class AxesBase(Limits):
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

    def get_xaxis_transform(self) -> Transform:
        """x of the data, y of the axes."""
        return Transform("xaxis")

    def get_yaxis_transform(self) -> Transform:
        """x of the axes, y of the data."""
        return Transform("yaxis")

    def covered(self) -> bool:
        """Whether the ground is covered by an image or the like, on which colours stay as they are."""
        return any(artist.order <= 0.5 or artist.filled for artist in self.artists)

    # Texts.

    def text(self, x: Any, y: Any, s: Any, fontdict: Any = None, **given: Any) -> Text:
        """Text at a point."""
        made = Text(x, y, s, **{**(fontdict or {}), **given})
        if made.transform is None or made.transform.kind == "data":
            made.x, made.y = self.xaxis.numbers(x)[0], self.yaxis.numbers(y)[0]
        return self.add_artist(made)

    def annotate(
        self, text: Any, xy: Any, xytext: Any = None, xycoords: Any = "data", textcoords: Any = None, **given: Any
    ) -> Annotation:
        """Text about a point, with an arrow to it where `arrowprops` is given."""
        return self.add_artist(Annotation(text, xy, xytext, xycoords, textcoords, **given))

    def set_title(self, label: Any, fontdict: Any = None, loc: str | None = None, **given: Any) -> Text:
        """The text above the axes."""
        place = loc or "center"
        if place not in ("center", "left", "right"):
            raise ValueError(f"{loc!r} is not a valid location; supported values are 'center', 'left', 'right'")
        look = {"fontsize": rcParams["axes.titlesize"], **(fontdict or {}), **given}
        look = {name: value for name, value in look.items() if name not in ("x", "y")}
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

    # Frame, grid, legend.

    def grid(self, visible: bool | None = None, which: str = "major", axis: str = "both", **look: Any) -> None:
        """Lines across the axes at the ticks."""
        for name in which_of(axis):
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
            entries = [
                (handle[0] if isinstance(handle, (list, tuple)) and not hasattr(handle, "label") else handle, "")
                for handle in handles
            ]
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
