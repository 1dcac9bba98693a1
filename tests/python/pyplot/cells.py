"""Runs the small programs in this folder: each file is a list of cells, each headed by a line `# %% title`.

A cell prints by `show`, `inside` (ticks between limits) and `close` (colours). An exception ends it and
prints its class. Needs whatever `matplotlib` and `numpy` there are.
"""

from __future__ import annotations

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


def _plain(value: Any, figures: int) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(one, figures) for one in value]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(f"{value:.{figures}g}") + 0.0
    return value


def show(*values: Any) -> None:
    """Prints values as plain lists, floats to seven figures."""
    print(*(_plain(value, 7) for value in values))


def inside(ticks: Any, low: float, high: float) -> None:
    """Prints the ticks between the limits."""
    near = 1e-9 * min(abs(high - low), abs(high), abs(low) or abs(high))
    show([float(tick) for tick in ticks if min(low, high) - near <= tick <= max(low, high) + near])


def close(values: Any) -> None:
    """Prints parts of colours."""
    print([[round(float(part), 3) for part in value] for value in values])


def run(source: str) -> str:
    """What a cell prints."""
    import matplotlib.pyplot as plt
    import numpy

    space: dict[str, Any] = {"__name__": "__cell__", "np": numpy, "plt": plt, "show": show, "inside": inside, "close": close}
    out = io.StringIO()
    with redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(source, "<cell>", "exec"), space)
        except Exception as error:
            print(type(error).__name__)
    plt.close("all")
    return out.getvalue()


def run_all(sources: dict[str, str]) -> dict[str, dict[str, str]]:
    """The output of every cell of every file."""
    return {name: {title: run(body) for title, body in split(source).items()} for name, source in sources.items()}
