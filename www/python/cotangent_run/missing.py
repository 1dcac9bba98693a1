"""What is said of imports of what is not here."""

from __future__ import annotations

import importlib
import sys

#: Packages that are here beside Python's own library.
_HERE = ("jax", "matplotlib", "numpy")


def missing_import(error: ImportError) -> str | None:
    """A plain sentence for an import that failed because Cotangent has no such thing; None for other failures."""
    module, name = error.name or "", getattr(error, "name_from", None)
    top = module.partition(".")[0]
    if top in _HERE and name is not None:
        return _said_by(module, name)
    if isinstance(error, ModuleNotFoundError) and top in _HERE and "." in module:
        parent, _, last = module.rpartition(".")
        return _said_by(parent, last)
    if isinstance(error, ModuleNotFoundError) and module and "." not in module:
        return f"`{module}` is not in Cotangent: there are jax, numpy, matplotlib.pyplot and Python's own library"
    return None


def _said_by(module: str, name: str) -> str:
    """What a module itself says when it is asked for a name that it has not."""
    try:
        found = sys.modules.get(module) or importlib.import_module(module)
        getattr(found, name)
    except AttributeError as error:
        said = str(error)
        if "is not in Cotangent" in said:
            return said
    except ImportError:
        pass
    return f"`{module}.{name}` is not in Cotangent"
