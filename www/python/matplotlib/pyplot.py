"""Pyplot: functions that draw in the current axes of the current figure."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from . import _missing, colormaps, cycler, rc, rc_context, rcdefaults, rcParams, style, ticker
from . import cm
from .artist import getp, setp
from .axes import Axes
from .cm import get_cmap
from .colors import Normalize
from .figure import Figure, send
from .gridspec import GridSpec, cell_of
from .lines import Line2D
from .patches import Circle, Polygon, Rectangle
from .text import Annotation, Text

_figures: dict[Any, Figure] = {}
_current: list[Any] = []
_image: list[Any] = []


def figure(num: Any = None, figsize: Any = None, dpi: Any = None, *, clear: bool = False, **given: Any) -> Figure:
    """A new figure, or the one of a number or name, which becomes the current one."""
    if isinstance(num, Figure):
        num = num.number
    if num is None:
        num = max((key for key in _figures if isinstance(key, int)), default=0) + 1
    if num not in _figures:
        _figures[num] = Figure(figsize, dpi, **given)
        _figures[num].number = num
    elif clear:
        _figures[num].clear()
    _current[:] = [num]
    return _figures[num]


def gcf() -> Figure:
    """The current figure; made where there is none."""
    return _figures[_current[0]] if _current and _current[0] in _figures else figure()


def gca() -> Axes:
    """The current axes; made where there are none."""
    return gcf().gca()


def sca(ax: Axes) -> None:
    """Makes axes, and their figure, the current ones."""
    for num, one in _figures.items():
        if one is ax.figure:
            _current[:] = [num]
    ax.figure.sca(ax)


def subplot(*args: Any, **given: Any) -> Axes:
    """Axes in a cell of the current figure; those that stand there already, or new ones."""
    cell = cell_of(args)
    for axes in gcf().axes_list:
        if axes.place == cell and axes._twin_of is None:
            return gcf().sca(axes)
    return gcf().add_subplot(cell, **given)


def subplots(
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
    **given: Any,
) -> tuple[Figure, Any]:
    """A new figure with axes in all cells of a grid: one, or an array of them."""
    made = figure(**given)
    return made, made.subplots(
        nrows,
        ncols,
        sharex=sharex,
        sharey=sharey,
        squeeze=squeeze,
        width_ratios=width_ratios,
        height_ratios=height_ratios,
        subplot_kw=subplot_kw,
        gridspec_kw=gridspec_kw,
    )


def subplot_mosaic(mosaic: Any, **given: Any) -> tuple[Figure, dict[str, Axes]]:
    """A new figure with axes by name."""
    made = figure(figsize=given.get("figsize"))
    return made, made.subplot_mosaic(mosaic)


def subplot2grid(shape: Any, loc: Any, rowspan: int = 1, colspan: int = 1, **given: Any) -> Axes:
    """Axes over some cells of a grid."""
    row, column = loc
    return gcf().add_subplot(GridSpec(*shape)[row : row + rowspan, column : column + colspan], **given)


def axes(arg: Any = None, **given: Any) -> Axes:
    """Axes at (left, bottom, width, height), or in the whole figure."""
    return gcf().add_subplot(**given) if arg is None else gcf().add_axes(arg, **given)


def delaxes(ax: Axes | None = None) -> None:
    """Takes axes out of their figure."""
    (ax or gca()).remove()


def clf() -> None:
    """Empties the current figure."""
    gcf().clear()


def cla() -> None:
    """Empties the current axes."""
    gca().cla()


def close(fig: Any = None) -> None:
    """Forgets a figure, the current one, or "all"."""
    if fig == "all":
        _figures.clear()
        _current.clear()
        return
    num = _current[0] if fig is None and _current else fig.number if isinstance(fig, Figure) else fig
    _figures.pop(num, None)
    if _current == [num]:
        _current[:] = list(_figures)[-1:]


def get_fignums() -> list[int]:
    """The numbers of the open figures."""
    return sorted(num for num in _figures if isinstance(num, int))


def fignum_exists(num: Any) -> bool:
    """Whether there is an open figure of that number."""
    return num in _figures


def show(*args: Any, **given: Any) -> None:
    """Shows all open figures in the Output view and closes them."""
    shown = list(_figures.values())
    close("all")
    for one in shown:
        send(one)


def savefig(*args: Any, **given: Any) -> None:
    """Says that there are no files here; the figure is shown in the Output view."""
    gcf().savefig(*args, **given)


def draw() -> None:
    """Nothing: figures are shown when they are done."""


ion = ioff = draw_if_interactive = draw


def pause(interval: float) -> None:
    """Shows the current figure as it is now."""
    send(gcf())


def isinteractive() -> bool:
    """Never: figures are shown when they are done."""
    return False


def switch_backend(newbackend: Any) -> None:
    """Nothing: figures are shown in the Output view."""


def _end_of_program() -> None:
    """What a program left open is shown, and all is as at the start."""
    try:
        show()
    finally:
        close("all")
        rcdefaults()


def suptitle(t: Any, **given: Any) -> Text:
    """The text above all axes of the current figure."""
    return gcf().suptitle(t, **given)


def supxlabel(t: Any, **given: Any) -> Text:
    """The text below all axes of the current figure."""
    return gcf().supxlabel(t, **given)


def supylabel(t: Any, **given: Any) -> Text:
    """The text on the left of all axes of the current figure."""
    return gcf().supylabel(t, **given)


def figtext(x: float, y: float, s: Any, **given: Any) -> Text:
    """Text at a point, in parts of the current figure."""
    return gcf().text(x, y, s, **given)


def figlegend(*args: Any, **given: Any) -> Any:
    """A legend of what stands in all axes of the current figure."""
    return gcf().legend(*args, **given)


def tight_layout(**given: Any) -> None:
    """Nothing: axes are always laid out tightly."""


def subplots_adjust(**given: Any) -> None:
    """Nothing: margins follow from what stands in them."""


def gci() -> Any:
    """What was mapped to colours last."""
    if _image and _image[0].axes is not None and _image[0].axes.figure is gcf():
        return _image[0]
    return None


def sci(im: Any) -> None:
    """Makes it what `colorbar` is about."""
    _image[:] = [im]


def colorbar(mappable: Any = None, cax: Axes | None = None, ax: Any = None, **given: Any) -> Any:
    """A colour bar of what was mapped to colours last, or of what is given."""
    mappable = gci() if mappable is None else mappable
    if mappable is None:
        raise RuntimeError(
            "No mappable was found to use for colorbar creation. First define a mappable such as an image (with imshow) or a contour set (with contourf)."
        )
    return gcf().colorbar(mappable, cax, ax, **given)


def clim(vmin: Any = None, vmax: Any = None) -> None:
    """The limits of what was mapped to colours last."""
    if gci() is None:
        raise RuntimeError("You must first define an image, e.g., with imshow")
    gci().set_clim(vmin, vmax)


def set_cmap(cmap: Any) -> None:
    """The colour map of what was mapped last and of what follows."""
    rcParams["image.cmap"] = get_cmap(cmap).name
    if gci() is not None:
        gci().set_cmap(cmap)


def title(label: Any, fontdict: Any = None, loc: str | None = None, **given: Any) -> Text:
    """The text above the axes."""
    return gca().set_title(label, fontdict, loc, **given)


def xlabel(xlabel: Any, fontdict: Any = None, **given: Any) -> Text:
    """The text along the x axis."""
    return gca().set_xlabel(xlabel, fontdict, **given)


def ylabel(ylabel: Any, fontdict: Any = None, **given: Any) -> Text:
    """The text along the y axis."""
    return gca().set_ylabel(ylabel, fontdict, **given)


def xlim(*args: Any, **given: Any) -> Any:
    """Sets the limits of x, or gives them."""
    return gca().set_xlim(*args, **given) if args or given else gca().get_xlim()


def ylim(*args: Any, **given: Any) -> Any:
    """Sets the limits of y, or gives them."""
    return gca().set_ylim(*args, **given) if args or given else gca().get_ylim()


def xscale(value: str, **given: Any) -> None:
    """The scale of x: "linear", "log", "symlog" or "logit"."""
    gca().set_xscale(value, **given)


def yscale(value: str, **given: Any) -> None:
    """The scale of y: "linear", "log", "symlog" or "logit"."""
    gca().set_yscale(value, **given)


def xticks(ticks: Any = None, labels: Any = None, **look: Any) -> Any:
    """Sets the ticks of x and what is written there, or gives both."""
    return _ticks(gca().xaxis, gca().get_xticklabels, ticks, labels, look)


def yticks(ticks: Any = None, labels: Any = None, **look: Any) -> Any:
    """Sets the ticks of y and what is written there, or gives both."""
    return _ticks(gca().yaxis, gca().get_yticklabels, ticks, labels, look)


def _ticks(axis: Any, texts: Callable[[], list[Text]], ticks: Any, labels: Any, look: dict[str, Any]) -> Any:
    if ticks is not None:
        axis.set_ticks(ticks, labels, **look)
    elif labels is not None:
        axis.set_ticklabels(labels, **look)
    elif look:
        axis.set_look(look)
    return axis.get_ticklocs(), texts()


def box(on: bool | None = None) -> None:
    """Whether the sides of the frame are drawn."""
    gca().set_frame_on(True if on is None else on)


def _on_axes(name: str, mapped: bool) -> Callable[..., Any]:
    """A function that calls a method of the current axes; `mapped` for those that `colorbar` may be about."""
    method = getattr(Axes, name)

    @functools.wraps(method)
    def call(*args: Any, **given: Any) -> Any:
        made = getattr(gca(), name)(*args, **given)
        if mapped:
            _image[:] = [made[-1] if name == "hist2d" else made]
        return made

    signature = inspect.signature(method)
    call.__signature__ = signature.replace(parameters=list(signature.parameters.values())[1:])  # type: ignore[attr-defined]
    call.__qualname__, call.__module__ = name, __name__
    return call


_DRAWING = (
    "annotate arrow axhline axhspan axis axline axvline axvspan bar bar_label barh boxplot clabel errorbar fill fill_between "
    "fill_betweenx grid hist hlines legend locator_params loglog margins minorticks_off minorticks_on pie plot semilogx semilogy spy "
    "stackplot stairs stem step text tick_params ticklabel_format twinx twiny vlines autoscale"
).split()
_MAPPED = "contour contourf hist2d imshow pcolor pcolormesh quiver scatter matshow streamplot".split()
globals().update({_name: _on_axes(_name, False) for _name in _DRAWING if hasattr(Axes, _name)})
globals().update({_name: _on_axes(_name, True) for _name in _MAPPED})

for _map in (
    "viridis",
    "plasma",
    "inferno",
    "magma",
    "cividis",
    "gray",
    "jet",
    "hot",
    "cool",
    "bone",
    "copper",
    "hsv",
    "spring",
    "summer",
    "autumn",
    "winter",
):
    globals()[_map] = functools.partial(set_cmap, _map)

__all__ = [_name for _name in dir() if not _name.startswith("_")]


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.pyplot", name, globals())
