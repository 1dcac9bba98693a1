"""Runs the cells of a notebook in one namespace, as authors check the pages of a tutorial."""

from __future__ import annotations

import ast
import json
import sys
import types
from typing import Any, Callable

from .output import Lines


def run(sources: str, emit: Callable[[str], object]) -> None:
    """Runs cells (a JSON list of texts) one after the other; `emit` gets a JSON object for each: what it printed, the
    `repr` of its last expression or None, and what it raised as `Class: message` or None."""
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    for number, source in enumerate(json.loads(sources), 1):
        emit(json.dumps(_answer(source, f"<cell {number}>", main)))


def _answer(source: str, file: str, main: types.ModuleType) -> dict[str, Any]:
    lines: list[str] = []
    out = Lines(lines.append)
    saved = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = out
    result = exception = None
    try:
        result = _run(_without_magic(source), file, main)
    except SystemExit:
        pass
    except BaseException as error:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
        exception = f"{type(error).__name__}: {message}"
    finally:
        sys.stdout, sys.stderr = saved
    out.close_line()
    text = "\n".join(lines)
    return {"stdout": text + "\n" if text else "", "result_repr": result, "exception": exception}


def _run(source: str, file: str, main: types.ModuleType) -> str | None:
    """Runs a cell; gives the `repr` of its last expression, unless a semicolon ends it."""
    engine = sys.modules.get("jax._src.engine")
    if engine is not None:
        engine.USER_FILES.add(file)
    tree = ast.parse(source, file)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr):
        exec(compile(tree, file, "exec", dont_inherit=True), main.__dict__)
        return None
    tree.body.pop()
    exec(compile(tree, file, "exec", dont_inherit=True), main.__dict__)
    value = eval(compile(ast.Expression(last.value), file, "eval", dont_inherit=True), main.__dict__)
    if value is None or source.rstrip().endswith(";"):
        return None
    main.__dict__["_"] = value
    return repr(value)


def _without_magic(source: str) -> str:
    """Lines for the notebook itself (`%matplotlib inline`, `!pip install`) do nothing here."""
    kept = ["" if line.startswith(("%", "!")) else line for line in source.split("\n")]
    return "\n".join(kept)
