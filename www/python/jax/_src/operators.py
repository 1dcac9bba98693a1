"""Operators of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import config, engine
from .engine import VALUE
from .nans import check_nans

_OPERATORS = {
    "add": "np.add",
    "sub": "np.subtract",
    "mul": "np.multiply",
    "truediv": "np.trueDivide",
    "floordiv": "np.floorDivide",
    "mod": "np.remainder",
    "divmod": "np.divmod",
    "pow": "np.power",
    "matmul": "np.matmul",
    "and": "np.bitwiseAnd",
    "or": "np.bitwiseOr",
    "xor": "np.bitwiseXor",
    "lshift": "np.leftShift",
    "rshift": "np.rightShift",
}
_COMPARISONS = {
    "eq": "np.equal",
    "ne": "np.notEqual",
    "lt": "np.less",
    "le": "np.lessEqual",
    "gt": "np.greater",
    "ge": "np.greaterEqual",
}
_UNARY = {"neg": "np.negative", "pos": "np.positive", "invert": "np.bitwiseNot", "abs": "np.abs"}


class Operators:
    """What `+`, `<`, `@` and the other operators do."""

    __slots__ = ()


def _is_operand(v: Any) -> bool:
    return isinstance(v, (Operators, int, float, np.ndarray, np.generic, complex)) or hasattr(v, "__jax_array__")


def _binary(name: str, swapped: bool) -> Any:
    number = encode = handle_of = read_first = None

    def operate(self: Any, other: Any) -> Any:
        nonlocal number, encode, handle_of, read_first
        if not _is_operand(other):
            return NotImplemented
        if number is None:
            from .arguments import encode
            from .array import handle_of, read_first
            from .registry import number_of

            number = number_of(name)
        tape: list[float] = []
        if swapped:
            encode(tape, other)
            tape += (VALUE, handle_of(self))
        else:
            tape += (VALUE, handle_of(self))
            encode(tape, other)
        engine.call(number, 2, tape)
        out = read_first()
        if config.values["jax_debug_nans"]:
            check_nans(name.partition(".")[2], out)
        return tuple(out) if type(out) is list else out

    return operate


def _unary(name: str) -> Any:
    def operate(self: Any) -> Any:
        from .registry import function

        return function(name)(self)

    return operate


for _op, _name in _OPERATORS.items():
    setattr(Operators, f"__{_op}__", _binary(_name, False))
    setattr(Operators, f"__r{_op}__", _binary(_name, True))
for _op, _name in _COMPARISONS.items():
    setattr(Operators, f"__{_op}__", _binary(_name, False))
for _op, _name in _UNARY.items():
    setattr(Operators, f"__{_op}__", _unary(_name))
