"""Runs programs: each in a fresh `__main__`, with its output line by line, and what it raised in its own lines."""

from __future__ import annotations

import json
import sys
import types
from typing import Any, Callable

from .missing import missing_import
from .output import Lines
from .places import FILE, Places

Emit = Callable[[str], object]


def run(source: str, emit: Emit, x64: bool = False) -> str:
    """Runs a program to its end; gives JSON: what it raised or null, the places of its call sites, its last jaxpr.

    `emit` gets whole lines of output.
    """
    return json.dumps(_run(source, emit, x64))


def _run(source: str, emit: Emit, x64: bool) -> dict[str, Any]:
    places = Places(source)
    _reset(x64)
    out = Lines(emit)
    main = types.ModuleType("__main__")
    saved = sys.stdout, sys.stderr, sys.modules.get("__main__")
    sys.stdout = sys.stderr = out
    sys.modules["__main__"] = main
    raised = None
    try:
        exec(compile(source, FILE, "exec", dont_inherit=True), main.__dict__)
    except SystemExit:
        pass
    except BaseException as error:
        raised = _described(error, places)
    finally:
        sys.stdout, sys.stderr, sys.modules["__main__"] = saved
    out.close_line()
    try:
        _show_figures()
    except Exception as error:
        raised = raised or _described(error, places)
    jaxpr = _last_jaxpr() if raised is None else None
    # The program's functions are needed once more, when its rules are compared with finite differences.
    _kept[:] = [main]
    return {"raised": raised, "sites": _sites(places), "jaxpr": jaxpr}


_kept: list[Any] = []

# What runs beside a program (its rules, once more, for their comparison with finite differences) prints nothing.
sys.stdout = sys.stderr = Lines(lambda _: None)


def _described(error: BaseException, places: Places) -> dict[str, Any]:
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    if isinstance(error, ImportError):
        message = missing_import(error) or message
    return {
        "class": type(error).__name__,
        "message": message,
        "span": places.of_error(error),
        # The engine's number for it, and the number under which it passed through the engine; 0 for none.
        "ref": getattr(error, "_cotangent_ref", 0),
        "number": getattr(error, "_cotangent_number", 0),
    }


def _engine() -> Any:
    """The module that knows the engine, if the program has imported jax."""
    return sys.modules.get("jax._src.engine")


def _reset(x64: bool) -> None:
    """Modules as they were before the first program, as far as programs can tell."""
    _kept.clear()
    engine = _engine()
    if engine is not None:
        from jax._src import config, jaxprs, tree

        engine.reset(x64)
        config.reset()
        config.values["jax_enable_x64"] = x64
        tree.reset()
        jaxprs.last = None
    elif x64:
        from jax._src import config as first

        first.config.update("jax_enable_x64", True)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(None)
        numpy.set_printoptions(edgeitems=3, infstr="inf", linewidth=75, nanstr="nan", precision=8, suppress=False,
                               threshold=1000, formatter=None)


def _show_figures() -> None:
    """Shows what the program drew and left open, as a notebook does, and forgets it with its settings."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot._end_of_program()


def _sites(places: Places) -> list[Any]:
    engine = _engine()
    if engine is None:
        return []
    return [places.span(*position) if file == FILE else None for file, position in engine.site_positions()]


def _last_jaxpr() -> Any:
    """The jaxpr the program made last, or that of the transformed function it called last, traced again in silence."""
    if _engine() is None:
        return None
    from jax._src import jaxprs

    return jaxprs.last_report()
