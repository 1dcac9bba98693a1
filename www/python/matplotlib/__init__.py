"""Matplotlib as lessons use it: Cotangent's own, whose figures are shown in the Output view.

A name of matplotlib's that is not here says so when it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from . import _missing

__version__ = "3.11.0"
# The colours of the theme, by their names in the light one.
_CYCLE = ["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"]


class Cycler:
    """The colours that lines take in turn."""

    def __init__(self, colors: list[Any]) -> None:
        self.colors = colors

    def by_key(self) -> dict[str, list[Any]]:
        """The colours, under "color"."""
        return {"color": self.colors}

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter([{"color": color} for color in self.colors])

    def __len__(self) -> int:
        return len(self.colors)


def cycler(*args: Any, **given: Any) -> Cycler:
    """A cycle of colours: `cycler(color=[…])` or `cycler("color", […])`."""
    colors = given.get("color", args[-1] if args else _CYCLE)
    return Cycler(list(colors))


def _defaults() -> dict[str, Any]:
    return {
        "figure.figsize": (6.4, 4.8),
        "figure.dpi": 100.0,
        "figure.titlesize": "large",
        "lines.linewidth": 1.5,
        "lines.linestyle": "-",
        "lines.marker": "None",
        "lines.markersize": 6.0,
        "axes.grid": False,
        "axes.titlesize": "large",
        "axes.labelsize": "medium",
        "axes.xmargin": 0.05,
        "axes.ymargin": 0.05,
        "axes.spines.top": True,
        "axes.spines.right": True,
        "axes.prop_cycle": Cycler(list(_CYCLE)),
        "font.size": 10.0,
        "xtick.labelsize": "medium",
        "ytick.labelsize": "medium",
        "legend.fontsize": "medium",
        "image.cmap": "viridis",
        "image.origin": "upper",
        "image.aspect": "equal",
        "hist.bins": 10,
        "grid.alpha": 1.0,
        "figure.facecolor": "white",
        "axes.facecolor": "white",
        "savefig.dpi": "figure",
    }


class RcParams(dict[str, Any]):
    """The settings. What has no effect here may still be set."""

    _GROUPS = frozenset(
        "animation axes axes3d backend boxplot contour date docstring errorbar figure font grid hatch hist image interactive "
        "keymap legend lines markers mathtext patch path pcolor pdf pgf polaraxes ps savefig scatter svg text timezone toolbar "
        "tk webagg xaxis xtick yaxis ytick".split()
    )

    def __setitem__(self, key: str, val: Any) -> None:
        if key.split(".")[0] not in self._GROUPS:
            raise KeyError(f"{key} is not a valid rc parameter (see rcParams.keys() for a list of valid parameters)")
        if key == "axes.prop_cycle" and not isinstance(val, Cycler):
            val = Cycler(list(getattr(val, "by_key", lambda: {"color": val})()["color"]))
        super().__setitem__(key, val)

    def update(self, *args: Any, **given: Any) -> None:
        """Sets several."""
        for key, value in dict(*args, **given).items():
            self[key] = value

    def copy(self) -> RcParams:
        """The settings of now."""
        return RcParams(self)


rcParams = RcParams(_defaults())
rcParamsDefault = RcParams(_defaults())


def rcdefaults() -> None:
    """Takes all settings back."""
    rcParams.clear()
    dict.update(rcParams, _defaults())


def rc(group: str, **given: Any) -> None:
    """Sets several settings of a group."""
    for name, value in given.items():
        rcParams[f"{group}.{name}"] = value


@contextmanager
def rc_context(rc: Any = None, fname: Any = None) -> Iterator[None]:
    """Settings for a while."""
    kept = dict(rcParams)
    try:
        rcParams.update(rc or {})
        yield
    finally:
        rcParams.clear()
        dict.update(rcParams, kept)


def use(backend: Any, *, force: bool = True) -> None:
    """Nothing: figures are shown in the Output view."""


def get_backend() -> str:
    """The name of the only way of showing figures."""
    return "cotangent"


def is_interactive() -> bool:
    """Never: figures are shown when they are done."""
    return False


_MODULES = (
    "artist axes axis cm collections colors container contour figure gridspec image legend lines patches pyplot quiver style text ticker"
).split()


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"matplotlib.{name}")
    if name == "colormaps":
        from .cm import colormaps

        return colormaps
    return _missing.find("matplotlib", name, [*globals(), *_MODULES, "colormaps"])
