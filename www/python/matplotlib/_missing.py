"""What is said when something of matplotlib's is asked for that is not here."""

from __future__ import annotations

from typing import Any
from collections.abc import Iterable

_REASONS = {
    "animation": "figures are still pictures here; show several with subplots",
    "widgets": "figures are still pictures here",
    "backends": "figures are shown in the Output view, there is nothing to choose",
    "savefig": "there are no files here",
    "imread": "there are no files here",
    "imsave": "there are no files here",
    "ginput": "figures are still pictures here",
}


def find(where: str, name: str, there: Iterable[str]) -> Any:
    """Raises the AttributeError for a name that `where` (a module or class) lacks; says what comes near it."""
    if name.startswith("__"):
        raise AttributeError(f"{where!r} has no attribute {name!r}")
    names = sorted(public for public in there if not public.startswith("_"))
    reason = _REASONS.get(name)
    words = f"`{where}.{name}` is not in Cotangent's matplotlib"
    if reason:
        raise AttributeError(f"{words}: {reason}.")
    from difflib import get_close_matches

    near = get_close_matches(name, names, 3, 0.6)
    if near:
        raise AttributeError(f"{words}. Near it there is: {', '.join(near)}.")
    raise AttributeError(f"{words}. What is there: {', '.join(names)}.")


def refuse(what: str, instead: str) -> Any:
    """Raises NotImplementedError for an option or kind of drawing that is not here."""
    raise NotImplementedError(f"{what} is not in Cotangent's matplotlib: {instead}.")
