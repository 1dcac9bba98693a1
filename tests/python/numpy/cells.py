"""Runs the small programs in this folder: each file is a list of cells, each headed by a line `# %% title`.

Every expression statement of a cell prints its repr. An exception ends the cell and prints as `Class: message`;
warnings print where they are raised. Needs only the standard library and whatever `numpy` there is.
"""

from __future__ import annotations

import ast
import io
import re
import warnings
from contextlib import redirect_stdout
from typing import Any

HEAD = re.compile(r"^# %% (.+)$", re.MULTILINE)


def split(source: str) -> dict[str, str]:
    """The cells of a file by title."""
    parts = HEAD.split(source)
    return {title.strip(): body.strip("\n") for title, body in zip(parts[1::2], parts[2::2])}


def _show(message: Any, category: type, *rest: Any, **named: Any) -> None:
    print(f"{category.__name__}: {message}")


def run(source: str) -> str:
    """What a cell prints."""
    import numpy

    space: dict[str, Any] = {"__name__": "__cell__", "np": numpy}
    out = io.StringIO()
    with redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = _show
        try:
            for statement in ast.parse(source).body:
                if isinstance(statement, ast.Expr):
                    value = eval(compile(ast.Expression(statement.value), "<cell>", "eval"), space)
                    if value is not None:
                        print(repr(value))
                else:
                    exec(compile(ast.Module([statement], []), "<cell>", "exec"), space)
        except Exception as error:
            print(f"{type(error).__name__.lstrip('_')}: {error}")
    return out.getvalue()


def run_all(sources: dict[str, str]) -> dict[str, dict[str, str]]:
    """The output of every cell of every file."""
    return {name: {title: run(body) for title, body in split(source).items()} for name, source in sources.items()}
