"""What everything that is drawn has in common: a label, a place in the order of painting, options by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import _missing
from .colors import paint

if TYPE_CHECKING:
    from ._scene import Box, Scene
    from .axes import Axes

_ALIASES = {
    "lw": "linewidth",
    "linewidths": "linewidth",
    "ls": "linestyle",
    "linestyles": "linestyle",
    "c": "color",
    "ms": "markersize",
    "mfc": "markerfacecolor",
    "mec": "markeredgecolor",
    "mew": "markeredgewidth",
    "fc": "facecolor",
    "facecolors": "facecolor",
    "ec": "edgecolor",
    "edgecolors": "edgecolor",
    "ha": "horizontalalignment",
    "va": "verticalalignment",
    "size": "fontsize",
    "weight": "fontweight",
    "fontstyle": "style",
    "ds": "drawstyle",
    "aa": "antialiased",
}
# Taken and left without effect: they change nothing that could be seen here.
_QUIET = frozenset(
    (
        "antialiased",
        "rasterized",
        "clip_on",
        "solid_capstyle",
        "dash_capstyle",
        "solid_joinstyle",
        "dash_joinstyle",
        "picker",
        "snap",
        "gid",
        "path_effects",
        "in_layout",
        "animated",
        "url",
        "capstyle",
        "joinstyle",
        "clip_box",
        "fontfamily",
        "family",
        "fontname",
        "fontproperties",
        "wrap",
        "usetex",
        "multialignment",
        "linespacing",
    )
)


def options(what: str, given: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a call under their long names, with defaults. AttributeError for one that is not known."""
    taken = dict(known)
    for name, value in given.items():
        name = name if name in known else _ALIASES.get(name, name)
        if name in known:
            taken[name] = value
        elif name not in _QUIET:
            there = ", ".join(sorted(known))
            raise AttributeError(f"{what} got an unexpected keyword argument {name!r}; there are {there}")
    return taken


COMMON: dict[str, Any] = {"label": "", "alpha": None, "zorder": None, "visible": True, "transform": None}

_DASHES = {
    "-": (),
    "solid": (),
    "--": (3.7, 1.6),
    "dashed": (3.7, 1.6),
    ":": (1.0, 1.65),
    "dotted": (1.0, 1.65),
    "-.": (6.4, 1.6, 1.0, 1.6),
    "dashdot": (6.4, 1.6, 1.0, 1.6),
}
_NO_LINE = ("None", "none", " ", "", None)


def dashes(style: Any, width: float) -> list[float] | None:
    """The lengths of dashes and gaps of a line style; None for no line. ValueError for an unknown style."""
    if isinstance(style, tuple):
        return [float(length) * max(width, 1.0) for length in (style[1] or ())]
    if style in _NO_LINE:
        return None
    if style not in _DASHES:
        raise ValueError(f"{style!r} is not a valid value for ls; supported values are '-', '--', '-.', ':', 'None'")
    return [length * max(width, 1.0) for length in _DASHES[style]]


def named(thing: str, label: str) -> str:
    """What something is, with its label where it has one that is shown."""
    from ._words import plain_math

    return f"{thing} “{plain_math(label)}”" if label and not label.startswith("_") else thing


class Transform:
    """What coordinates are meant in: "data", "axes", "figure", "xaxis" (x of the data, y of the axes) or "yaxis"."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __add__(self, other: Any) -> Transform:
        return self


class Artist:
    """One thing drawn in axes."""

    kind = "shape"
    order = 1.0
    filled = False

    def __init__(self, taken: Mapping[str, Any]) -> None:
        label = taken.get("label")
        self.label = "" if label is None else str(label)
        self.alpha: float | None = taken.get("alpha")
        own_order = taken.get("zorder")
        self.zorder = self.order if own_order is None else float(own_order)
        self.visible = bool(taken.get("visible", True))
        self.transform: Transform | None = taken.get("transform")
        self.axes: Axes | None = None
        # Edges of the data at which limits taken from it get no margin.
        self.sticky_x: tuple[float, ...] = ()
        self.sticky_y: tuple[float, ...] = ()

    def extent(self) -> tuple[list[float], list[float]]:
        """The x and the y values that must be seen."""
        return [], []

    def draw(self, scene: Scene, axes: Axes) -> None:
        """Adds the artist's shapes to the scene."""

    def key(self, scene: Scene, box: Box) -> None:
        """Draws what stands for the artist in a legend."""

    def words(self) -> str:
        """What it is, for those who do not see it."""
        return self.kind

    def named(self, thing: str) -> str:
        """What it is, with its label where it has one."""
        return named(thing, self.label)

    def drawn(self, color: Any) -> tuple[str | None, float]:
        """A colour as the scene has it, and its opacity."""
        return paint(color, self.alpha)

    def set(self, **properties: Any) -> None:
        """Sets properties by name, each by its own `set_` method."""
        for name, value in properties.items():
            getattr(self, f"set_{_ALIASES.get(name, name)}")(value)

    def get_label(self) -> str:
        """The text for the legend."""
        return self.label

    def set_label(self, s: Any) -> None:
        """The text for the legend."""
        self.label = str(s)

    def set_alpha(self, alpha: float | None) -> None:
        """The opacity."""
        self.alpha = alpha

    def get_alpha(self) -> float | None:
        """The opacity."""
        return self.alpha

    def set_zorder(self, level: float) -> None:
        """The place in the order of painting."""
        self.zorder = float(level)

    def get_zorder(self) -> float:
        """The place in the order of painting."""
        return self.zorder

    def set_visible(self, b: bool) -> None:
        """Whether it is drawn."""
        self.visible = bool(b)

    def get_visible(self) -> bool:
        """Whether it is drawn."""
        return self.visible

    def remove(self) -> None:
        """Takes it out of its axes."""
        if self.axes is not None and self in self.axes.artists:
            self.axes.artists.remove(self)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("set_") and name[4:] in _QUIET:
            return lambda *values: None
        return _missing.find(type(self).__name__, name, dir(type(self)))
