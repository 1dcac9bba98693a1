"""Style sheets: their grids and frames; the colours are those of the page's theme."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from . import _missing, rc_context, rcdefaults, rcParams

_GRID = {"axes.grid": True}
_BARE = {"axes.grid": True, "axes.spines.top": False, "axes.spines.right": False}
library: dict[str, dict[str, Any]] = {
    "default": {},
    "classic": {},
    "dark_background": {},
    "fast": {},
    "grayscale": {"image.cmap": "gray"},
    "bmh": _GRID,
    "ggplot": _GRID,
    "fivethirtyeight": {**_BARE, "lines.linewidth": 3.0},
    "tableau-colorblind10": {},
    "petroff10": {},
    "Solarize_Light2": _GRID,
    "seaborn-v0_8": _GRID,
    "seaborn-v0_8-whitegrid": _GRID,
    "seaborn-v0_8-darkgrid": _GRID,
    "seaborn-v0_8-white": {},
    "seaborn-v0_8-dark": {},
    "seaborn-v0_8-ticks": {},
    "seaborn-v0_8-paper": {},
    "seaborn-v0_8-notebook": {},
    "seaborn-v0_8-talk": {},
    "seaborn-v0_8-poster": {},
    "seaborn-v0_8-bright": {},
    "seaborn-v0_8-colorblind": {},
    "seaborn-v0_8-deep": {},
    "seaborn-v0_8-muted": {},
    "seaborn-v0_8-pastel": {},
}
available = sorted(library)


def _settings(style: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for one in [style] if isinstance(style, (str, dict)) else style:
        if isinstance(one, dict):
            found.update(one)
        elif one in library or one.replace("seaborn", "seaborn-v0_8", 1) in library:
            found.update(library.get(one, library.get(one.replace("seaborn", "seaborn-v0_8", 1), {})))
        else:
            raise OSError(f"{one!r} is not a valid package style; there are {', '.join(available)}")
    return found


def use(style: Any) -> None:
    """Takes the settings of a style, or of several."""
    if style == "default":
        rcdefaults()
    rcParams.update(_settings(style))


@contextmanager
def context(style: Any, after_reset: bool = False) -> Iterator[None]:
    """A style for a while."""
    with rc_context(_settings(style)):
        yield


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.style", name, globals())
