"""Figures: axes side by side, and how they are shown."""

from __future__ import annotations

import json
import warnings
from typing import Any

from . import _missing, rcParams
from ._artist import Transform
from ._colorbar import Colorbar
from ._grid import AxesArray
from ._frame import describe, draw_axes
from ._layout import bar_depth, place_all, tall
from ._scene import Box, Scene
from ._words import lines
from .axes import Axes
from .gridspec import GridSpec, cell_of, cells_of
from .legend import Legend
from .patches import Patch
from .text import Text, write

# Units of the figure to an inch: text of size 10 is then well read at the width of a phone.
UNITS = 62.5
_MOST_INCHES = 60.0


class Figure:
    """A figure."""

    def __init__(self, figsize: Any = None, dpi: Any = None, **given: Any) -> None:
        self.number = 0
        self.set_size_inches(*(rcParams["figure.figsize"] if figsize is None else figsize))
        self.dpi = dpi or rcParams["figure.dpi"]
        self.clear()

    def clear(self, keep_observers: bool = False) -> None:
        """Empties the figure."""
        self.axes_list: list[Axes] = []
        self.colorbars: list[Colorbar] = []
        self.texts: list[Text] = []
        self._legend: Legend | None = None
        self._titles: dict[str, Text] = {}
        self._current: Axes | None = None
        self.transFigure = Transform("figure")

    clf = clear

    # Axes.

    @property
    def axes(self) -> list[Axes]:
        """All axes, those of colour bars included, in the order they were made."""
        return list(self.axes_list)

    def get_axes(self) -> list[Axes]:
        """All axes."""
        return self.axes

    def add_made(self, axes: Axes) -> Axes:
        """Takes axes into the figure and makes them the current ones."""
        self.axes_list.append(axes)
        self._current = axes
        return axes

    def add_subplot(
        self,
        *args: Any,
        projection: str | None = None,
        polar: bool = False,
        sharex: Axes | None = None,
        sharey: Axes | None = None,
        **given: Any,
    ) -> Axes:
        """Axes in a cell of a grid: rows, columns and number, or a cell of a GridSpec."""
        if polar or projection not in (None, "rectilinear"):
            _missing.refuse(f"the projection {projection or 'polar'!r}", "axes are plane and rectangular here")
        given.pop("label", None)
        face = given.pop("facecolor", None)
        axes = Axes(self, cell_of(args))
        self._share(axes, sharex, sharey)
        axes.face = face
        for name in ("frameon", "autoscale_on"):
            given.pop(name, None)
        axes.set(**given)
        return self.add_made(axes)

    def _share(self, axes: Axes, sharex: Axes | None, sharey: Axes | None) -> None:
        if sharex is not None:
            axes.sharex(sharex)
        if sharey is not None:
            axes.sharey(sharey)

    def add_axes(self, rect: Any, **given: Any) -> Axes:
        """Axes at (left, bottom, width, height), as parts of the figure."""
        if given.pop("projection", None) not in (None, "rectilinear"):
            _missing.refuse("that projection", "axes are plane and rectangular here")
        axes = Axes(self, tuple(float(value) for value in rect))
        axes.set(**given)
        return self.add_made(axes)

    def subplots(
        self,
        nrows: int = 1,
        ncols: int = 1,
        *,
        sharex: Any = False,
        sharey: Any = False,
        squeeze: bool = True,
        width_ratios: Any = None,
        height_ratios: Any = None,
        subplot_kw: Any = None,
        gridspec_kw: Any = None,
    ) -> Any:
        """Axes in all cells of a grid: one, or an array of them."""
        ratios = {"width_ratios": width_ratios, "height_ratios": height_ratios}
        spec = GridSpec(
            nrows,
            ncols,
            self,
            **{**{name: value for name, value in ratios.items() if value is not None}, **(gridspec_kw or {})},
        )
        made: list[list[Axes]] = []
        for row in range(nrows):
            made.append([])
            for column in range(ncols):
                axes = self.add_subplot(spec[row, column], **(subplot_kw or {}))
                made[row].append(axes)
                partner_x, partner_y = _partner(made, row, column, sharex), _partner(made, row, column, sharey)
                self._share(axes, partner_x, partner_y)
                if partner_x is not None or sharex in (True, "all", "col"):
                    axes.xaxis.shows_labels = row == nrows - 1 or sharex == "row"
                if partner_y is not None or sharey in (True, "all", "row"):
                    axes.yaxis.shows_labels = column == 0 or sharey == "col"
        array = AxesArray([axes for row in made for axes in row], (nrows, ncols))
        if made and made[0]:
            self._current = made[0][0] if nrows * ncols == 1 else made[-1][-1]
        if not squeeze:
            return array
        if nrows == 1 and ncols == 1:
            return made[0][0]
        return array.ravel() if 1 in (nrows, ncols) else array

    def subplot_mosaic(self, mosaic: Any, **given: Any) -> dict[str, Axes]:
        """Axes by name, from a picture of where they stand."""
        return {name: self.add_subplot(cell) for name, cell in cells_of(mosaic).items()}

    def add_gridspec(self, nrows: int = 1, ncols: int = 1, **given: Any) -> GridSpec:
        """A grid for `add_subplot`."""
        return GridSpec(nrows, ncols, self, **given)

    def gca(self) -> Axes:
        """The current axes; made where there are none."""
        return self._current if self._current is not None else self.add_subplot()

    def sca(self, a: Axes) -> Axes:
        """Makes axes the current ones."""
        self._current = a
        return a

    def delaxes(self, ax: Axes) -> None:
        """Takes axes out of the figure."""
        if ax in self.axes_list:
            self.axes_list.remove(ax)
        if self._current is ax:
            self._current = self.axes_list[-1] if self.axes_list else None

    def colorbar(self, mappable: Any, cax: Axes | None = None, ax: Any = None, **given: Any) -> Colorbar:
        """A colour bar of what is mapped, beside its axes, or at the edge of the figure for several."""
        own = getattr(mappable, "axes", None)
        parents = (
            [own]
            if ax is None and own is not None
            else [ax]
            if isinstance(ax, Axes)
            else _flat(ax)
            if ax is not None
            else [self.gca()]
        )
        bar = Colorbar(self, mappable, parents, cax, **given)
        if cax is not None:
            cax.colorbar_of = bar
        elif len(parents) == 1:
            parents[0].colorbars.append(bar)
        else:
            self.colorbars.append(bar)
        return bar

    # Texts and legends of the whole figure.

    def suptitle(self, t: Any, **given: Any) -> Text:
        """The text above all axes."""
        return self._title("top", t, {"fontsize": rcParams["figure.titlesize"], **given})

    def supxlabel(self, t: Any, **given: Any) -> Text:
        """The text below all axes."""
        return self._title("bottom", t, {"fontsize": 11, **given})

    def supylabel(self, t: Any, **given: Any) -> Text:
        """The text on the left of all axes."""
        return self._title("left", t, {"fontsize": 11, **given})

    def _title(self, place: str, text: Any, look: dict[str, Any]) -> Text:
        # Where it stands follows from the layout.
        look = {name: value for name, value in look.items() if name not in ("x", "y")}
        self._titles[place] = Text(0, 0, text, **look)
        return self._titles[place]

    def text(self, x: float, y: float, s: Any, fontdict: Any = None, **given: Any) -> Text:
        """Text at a point, in parts of the figure."""
        made = Text(x, y, s, **{**(fontdict or {}), **given})
        self.texts.append(made)
        return made

    def legend(self, *args: Any, **given: Any) -> Legend:
        """A legend of what stands in all axes."""
        handles, labels = given.pop("handles", None), given.pop("labels", None)
        if len(args) == 2:
            handles, labels = args
        elif len(args) == 1:
            labels = args[0]
        entries = [entry for axes in self.axes_list for entry in axes.legend_entries()]
        if handles is not None:
            entries = [(handle, str(getattr(handle, "label", ""))) for handle in handles]
        if labels is not None:
            entries = [(handle, str(label)) for (handle, _), label in zip(entries, labels)]
        self._legend = Legend(entries, **{"loc": "upper right", **given})
        return self._legend

    def tight_layout(self, **given: Any) -> None:
        """Nothing: axes are always laid out tightly."""

    def set_tight_layout(self, tight: Any) -> None:
        """Nothing: axes are always laid out tightly."""

    set_layout_engine = set_constrained_layout = set_tight_layout

    def subplots_adjust(self, **given: Any) -> None:
        """Nothing: margins follow from what stands in them."""

    def autofmt_xdate(self, rotation: float = 30, **given: Any) -> None:
        """Slants the labels of x."""
        for axes in self.axes_list:
            axes.tick_params(axis="x", rotation=rotation)

    def set_size_inches(self, w: Any, h: Any = None, forward: bool = True) -> None:
        """The size."""
        wide, high = (float(value) for value in ((w, h) if h is not None else w))
        if not (0 < wide <= _MOST_INCHES and 0 < high <= _MOST_INCHES):
            raise ValueError(f"figure size must be positive and at most {_MOST_INCHES:g} inches, not {(wide, high)}")
        self._inches = (wide, high)
        self.size = (wide * UNITS, high * UNITS)

    def get_size_inches(self) -> Any:
        """The size, as an array."""
        import numpy

        return numpy.asarray(self._inches)

    def set_figwidth(self, val: float) -> None:
        """The width."""
        self.set_size_inches(val, self._inches[1])

    def set_figheight(self, val: float) -> None:
        """The height."""
        self.set_size_inches(self._inches[0], val)

    def set_facecolor(self, color: Any) -> None:
        """Nothing: figures stand on the page."""

    set_dpi = set_edgecolor = set_facecolor
    patch = property(lambda self: Patch())
    canvas = property(lambda self: _Canvas())

    # Showing.

    def edges(self) -> tuple[float, float, float, float]:
        """The room at the left, right, top and bottom for what belongs to no axes."""
        rooms = {place: tall(text.text, text.size) + 8.0 for place, text in self._titles.items() if text.text.strip()}
        right = sum(bar_depth(bar) for bar in self.colorbars if bar.upright)
        bottom = sum(bar_depth(bar) for bar in self.colorbars if not bar.upright)
        return rooms.get("left", 0.0), right, rooms.get("top", 0.0), rooms.get("bottom", 0.0) + bottom

    def scene(self) -> dict[str, Any]:
        """The figure as data, in the form that the page draws."""
        spans = {axis.span for axes in self.axes_list for axis in (axes.xaxis, axes.yaxis)}
        for span in spans:
            span.drawn = span.wanted = span.view()
        try:
            place_all(self)
            scene = Scene(*self.size)
            shown = [axes for axes in self.axes_list if axes.visible]
            for axes in shown:
                draw_axes(scene, axes, axes.colorbar_of)
            for bar in [*self.colorbars, *(bar for axes in shown for bar in axes.colorbars)]:
                draw_axes(scene, bar.ax, bar)
            self._draw_texts(scene)
            plots = [axes for axes in shown if axes._twin_of is None and axes.colorbar_of is None]
            said = [describe(axes) for axes in shown if axes.colorbar_of is None]
            if len(said) > 1:
                said = [f"Axes {index}: {text}" for index, text in enumerate(said, 1)]
            return scene.item(self._name(plots), ". ".join(said), len(plots))
        finally:
            for span in spans:
                span.drawn = None

    def _name(self, plots: list[Axes]) -> str:
        title = self._titles.get("top")
        if title is not None and title.text.strip():
            return " ".join(lines(title.text))
        return " ".join(lines(plots[0].get_title())) if len(plots) == 1 else ""

    def _draw_texts(self, scene: Scene) -> None:
        wide, high = self.size
        scene.cut_to(None)
        for place, text in self._titles.items():
            x, y, baseline, angle = {
                "top": (wide / 2, 6.0, "top", 0.0),
                "bottom": (wide / 2, high - 5.0, "bottom", 0.0),
                "left": (5.0, high / 2, "top", 90.0),
            }[place]
            bold = text.look["fontweight"] in ("bold", "semibold")
            write(
                scene, x, y, text.text, text.size, text.drawn(text.look["color"])[0], "middle", baseline, angle, bold=bold
            )
        for text in self.texts:
            text.place(scene, (float(text.x) * wide, high - float(text.y) * high))
        if self._legend is not None and self._legend.entries:
            self._legend.draw(scene, self._legend.box(Box(0, 0, wide, high), []))

    def show(self, warn: bool = True) -> None:
        """Shows the figure in the Output view, as it is now."""
        send(self)

    def savefig(self, fname: Any, **given: Any) -> None:
        """Says that there are no files here; the figure is shown in the Output view."""
        if hasattr(fname, "write"):
            raise NotImplementedError("savefig cannot write figures here: they are shown in the Output view")
        warnings.warn(
            f"savefig: {fname!r} was not written, there are no files here; the figure is shown in the Output view",
            stacklevel=3,
        )

    def __repr__(self) -> str:
        return f"<Figure size {self._inches[0] * 100:g}x{self._inches[1] * 100:g} with {len(self.axes_list)} Axes>"

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return _missing.find("Figure", name, dir(type(self)))


class _Canvas:
    """What is left of a canvas here: drawing again is showing again."""

    def draw(self) -> None:
        """Nothing."""

    draw_idle = flush_events = draw


def send(figure: Figure) -> None:
    """Hands a figure to the Output view; one without axes is passed over. ValueError where it is too large."""
    if not figure.axes_list and not figure.texts:
        return
    try:
        import _cotangent_output as output
    except ImportError:
        return
    text = json.dumps(figure.scene(), separators=(",", ":"))
    if len(text) > output.most_characters:
        raise ValueError("the figure is too large to be shown: draw fewer points or fewer images")
    output.figure(text)


def _partner(made: list[list[Axes]], row: int, column: int, shared: Any) -> Axes | None:
    """The axes whose axis the ones at (row, column) share."""
    if shared in (True, "all") and (row or column):
        return made[0][0]
    if shared == "col" and row:
        return made[0][column]
    if shared == "row" and column:
        return made[row][0]
    return None


def _flat(axes: Any) -> list[Axes]:
    """Axes in lists or arrays, as one list."""
    if isinstance(axes, Axes):
        return [axes]
    return [one for part in (axes.tolist() if hasattr(axes, "tolist") else axes) for one in _flat(part)]


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.figure", name, globals())
