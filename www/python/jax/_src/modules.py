"""What a module of functions of the registry says when a name is asked of it."""

from __future__ import annotations

from typing import Any, Callable

from . import registry


def getter(module: str, label: str, extra: Callable[[str], Any] | None = None) -> Callable[[str], Any]:
    """A module's `__getattr__`: functions of the registry's `module`, made when they are first asked for.

    AttributeError for other names says plainly that they are not here.
    """

    def get(name: str) -> Any:
        found = registry.find(module, name)
        if found is None and extra is not None:
            found = extra(name)
        if found is None:
            raise missing(label, name, registry.names_in(module))
        return found

    return get


def missing(label: str, name: str, known: list[str], why: str = "") -> AttributeError:
    """The error for a name that is not in a module, with the nearest ones that are."""
    if name.startswith("__"):
        return AttributeError(f"module {label!r} has no attribute {name!r}")
    import difflib

    near = difflib.get_close_matches(name, known, 3, 0.75)
    message = f"`{label}.{name}` is not in Cotangent"
    if why:
        message += f": {why}"
    if near:
        message += "; did you mean " + " or ".join(f"`{label}.{other}`" for other in near) + "?"
    return AttributeError(message)
