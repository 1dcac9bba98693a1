"""From a failure to changes of the program that remove it.

Pure functions from text to text: each fix holds its edits and the whole program with them applied, which is known to
parse. Whether its derivatives are right is for the caller to check. What is written is plain JAX: a fixed program runs
there too.
"""

from __future__ import annotations

import json
from typing import Any

from .callbacks import callback_fixes, transpose_fixes
from .others import bwd_fixes, concretization_fixes, int_input_fixes, non_scalar_fixes
from .source import Failure, Source

_MAKERS = {
    "callback-jvp": callback_fixes,
    "callback-vmap": callback_fixes,
    "callback-transpose": transpose_fixes,
    "concretization": concretization_fixes,
    "non-scalar": non_scalar_fixes,
    "int-input": int_input_fixes,
    "bwd-structure": bwd_fixes,
}


def fixes_for(text: str, failure: str) -> str:
    """The fixes for a failure (JSON of www/lib/fixes/failure.ts's Failure), the likeliest first, as JSON.

    Never raises; an empty list where nothing can be offered.
    """
    return json.dumps(_fixes_for(text, json.loads(failure)))


def _fixes_for(text: str, failure: Failure) -> list[dict[str, Any]]:
    make = _MAKERS.get(failure["kind"])
    if make is None:
        return []
    found = []
    for attempt in make(failure):
        try:
            fix = attempt(Source(text))
        except Exception:  # a program that is stranger than the code for a fix expects gets no fix
            continue
        if fix is not None:
            found.append(fix)
    return found
