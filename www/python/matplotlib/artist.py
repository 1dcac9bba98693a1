"""What everything that is drawn has in common."""

from __future__ import annotations

from typing import Any

from . import _missing
from ._artist import Artist


def setp(obj: Any, *args: Any, **properties: Any) -> None:
    """Sets properties of an artist, or of each in a list."""
    listed = list(obj) if isinstance(obj, (list, tuple)) else [obj]
    pairs = {**dict(zip(args[::2], args[1::2])), **properties}
    for artist in listed:
        artist.set(**pairs)


def getp(obj: Any, property: str) -> Any:
    """A property of an artist."""
    return getattr(obj, f"get_{property}")()


__all__ = ["Artist", "getp", "setp"]


def __getattr__(name: str) -> Any:
    return _missing.find("matplotlib.artist", name, globals())
