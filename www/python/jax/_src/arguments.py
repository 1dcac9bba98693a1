"""Arguments as the tape has them."""

from __future__ import annotations

import operator
from array import array as packed
from typing import Any

from . import host as js
import numpy as np

from . import engine
from .array import Array, ArrayImpl, Tracer, from_numpy, handle_of, new_array
from .dtypes import dtype_name, is_dtype
from .engine import BOOL, ELLIPSIS, FLOAT, LIST, NAN, NEWAXIS, NUMBER, SLICE, STR, VALUE

#: Nested lists of more numbers than this are packed before they cross.
_PACK_FROM = 64
#: Lists nest as deeply as arrays may have axes; deeper ones may contain themselves.
_MAX_NESTING = 64


def encode(tape: list[float], v: Any, depth: int = 0) -> None:
    """Appends an argument to a tape under construction."""
    kind = type(v)
    if kind is ArrayImpl or kind is Tracer:
        tape += (VALUE, handle_of(v))
    elif kind is float:
        tape += (FLOAT, v)
    elif kind is int:
        tape += (NUMBER, v)
    elif kind is bool:
        tape += (BOOL, v)
    elif v is None:
        tape.append(NEWAXIS)
    elif kind is str:
        tape += (STR, js.putString(v))
    elif kind is list or kind is tuple:
        _encode_list(tape, v, depth)
    else:
        _encode_other(tape, v, depth)


def _encode_list(tape: list[float], v: Any, depth: int) -> None:
    if depth >= _MAX_NESTING:
        raise engine.failure("ValueError", f"a list is nested more than {_MAX_NESTING} levels deep, or contains itself")
    first = v[0] if v else None
    if len(v) * (len(first) if isinstance(first, (list, tuple)) else 1) >= _PACK_FROM:
        found = _pack(v)
        if found is not None:
            tape += (VALUE, _hold(found))
            return
    tape += (LIST, len(v))
    for item in v:
        encode(tape, item, depth + 1)


#: Arrays made for the call that is being put together live until the next one.
_held: list[Array] = []


def _hold(x: Array) -> float:
    if len(_held) >= 64:
        del _held[:32]
    _held.append(x)
    return handle_of(x)


def _encode_other(tape: list[float], v: Any, depth: int) -> None:
    if isinstance(v, slice):
        tape.append(SLICE)
        for part in (v.start, v.stop, v.step):
            tape.append(NAN if part is None else _static_index(part, v))
    elif v is Ellipsis:
        tape.append(ELLIPSIS)
    elif isinstance(v, (np.ndarray, np.generic)):
        tape += (VALUE, _hold(from_numpy(v)))
    elif is_dtype(v):
        tape += (STR, js.putString(dtype_name(v)))
    elif isinstance(v, bool):
        tape += (BOOL, v)
    elif isinstance(v, int):
        tape += (NUMBER, int(v))
    elif isinstance(v, float):
        tape += (FLOAT, float(v))
    elif isinstance(v, (list, tuple)):
        _encode_list(tape, v, depth)
    elif isinstance(v, str):
        tape += (STR, js.putString(str(v)))
    elif hasattr(v, "__jax_array__"):
        encode(tape, v.__jax_array__(), depth)
    elif hasattr(v, "__array__"):
        tape += (VALUE, _hold(from_numpy(np.asarray(v))))
    elif isinstance(v, range):
        encode(tape, list(v), depth)
    elif isinstance(v, complex):
        raise engine.failure("TypeError", "complex numbers are not in Cotangent: arrays are real")
    elif hasattr(v, "shape") and hasattr(v, "dtype"):
        # A type without elements, as `zeros_like` and its kin take it.
        from .registry import function

        tape += (VALUE, _hold(function("np.zeros")(v.shape, v.dtype)))
    elif isinstance(v, packed):
        encode(tape, v.tolist(), depth)
    else:
        raise NotAnArgument(v)


class NotAnArgument(Exception):
    """Something that is neither an array nor an option; the caller knows for which function, and says so."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


def _static_index(part: Any, whole: slice) -> int:
    if isinstance(part, Tracer):
        raise engine.failure(
            "IndexError",
            f"Slice entries must be static integers. Got slice({whole.start}, {whole.stop}, {whole.step}): to take a "
            "stretch of a known length at a traced position, use jax.lax.dynamic_slice or dynamic_update_slice.",
        )
    try:
        return operator.index(part)
    except TypeError:
        raise engine.failure(
            "TypeError", "slice indices must be integers or None or have an __index__ method"
        ) from None


def _pack(rows: Any) -> Array | None:
    """A long nested list of plain numbers as an array; None where it is ragged or holds other things."""
    shape = []
    row = rows
    while isinstance(row, (list, tuple)):
        shape.append(len(row))
        row = row[0] if row else None
        if len(shape) > _MAX_NESTING:
            return None
    flat = rows
    for size in shape[1:]:
        if not all(isinstance(row, (list, tuple)) and len(row) == size for row in flat):
            return None
        flat = [x for row in flat for x in row]
    kinds = set(map(type, flat))
    if kinds == {int}:
        try:
            return new_array(packed("i", flat), tuple(shape), 1)
        except OverflowError:
            return None
    if kinds and kinds <= {int, float}:
        x64 = js.isX64()
        return new_array(packed("d" if x64 else "f", flat), tuple(shape), 4 if x64 else 3)
    return new_array(bytes(flat), tuple(shape), 0) if kinds == {bool} else None
