"""Operators, alike for arrays and scalars: each is the ufunc of that name."""

from __future__ import annotations

from typing import Any

import numpy as _np

_PLAIN = (int, float, bool, complex)


def _defers(self: Any, other: Any) -> bool:
    """Whether `other` (a JAX array, say) wants to do the operation itself."""
    kind = type(other)
    if kind in _PLAIN or kind is _np.ndarray or isinstance(other, (_np.ndarray, _np.generic, list, tuple)):
        return False
    if getattr(kind, "__array_ufunc__", 0) is None:
        return True
    return getattr(other, "__array_priority__", -1.0) > self.__array_priority__


class Operators:
    """Arithmetic, comparison and bit operators through ufuncs."""

    __slots__ = ()

    def __neg__(self) -> Any:
        return _np.negative(self)

    def __pos__(self) -> Any:
        return _np.positive(self)

    def __abs__(self) -> Any:
        return _np.absolute(self)

    def __invert__(self) -> Any:
        return _np.invert(self)

    def __divmod__(self, other: Any) -> Any:
        return _np.divmod(self, other)

    def __rdivmod__(self, other: Any) -> Any:
        return _np.divmod(other, self)

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        if _defers(self, other):
            return NotImplemented
        if modulo is not None:
            return NotImplemented
        return _np.power(self, other)

    def __rpow__(self, other: Any) -> Any:
        return _np.power(other, self)

    def __matmul__(self, other: Any) -> Any:
        if _defers(self, other):
            return NotImplemented
        return _np.matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _np.matmul(other, self)

    def __eq__(self, other: Any) -> Any:
        if _defers(self, other):
            return NotImplemented
        return _np._ufunc.compare_equal(self, other, True)

    def __ne__(self, other: Any) -> Any:
        if _defers(self, other):
            return NotImplemented
        return _np._ufunc.compare_equal(self, other, False)


_COMPARISONS = {"lt": "less", "le": "less_equal", "gt": "greater", "ge": "greater_equal"}
_BINARY = {
    "add": "add", "sub": "subtract", "mul": "multiply", "truediv": "true_divide", "floordiv": "floor_divide",
    "mod": "remainder", "and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "lshift": "left_shift",
    "rshift": "right_shift",
}


_SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%"}


def _forward(name: str, sign: str | None = None) -> Any:
    namespace = vars(_np)

    def operator(self: Any, other: Any) -> Any:
        if type(other) not in _PLAIN and type(other) is not type(self) and _defers(self, other):
            return NotImplemented
        if other is None and sign is not None:
            kind = type(_np.zeros((), self.dtype).item()).__name__
            raise TypeError(f"unsupported operand type(s) for {sign}: '{kind}' and 'NoneType'")
        try:
            return namespace[name](self, other)
        except _np._ufunc.NotAnArray:
            return NotImplemented

    return operator


def _reflected(name: str) -> Any:
    def operator(self: Any, other: Any) -> Any:
        try:
            return getattr(_np, name)(other, self)
        except _np._ufunc.NotAnArray:
            return NotImplemented

    return operator


def _in_place(name: str) -> Any:
    def operator(self: Any, other: Any) -> Any:
        return getattr(_np, name)(self, other, out=self)

    return operator


for _short, _name in (_COMPARISONS | _BINARY).items():
    setattr(Operators, f"__{_short}__", _forward(_name, _SIGNS.get(_short)))
for _short, _name in _BINARY.items():
    setattr(Operators, f"__r{_short}__", _reflected(_name))


class InPlace:
    """Operators that write into their left side: arrays only."""

    __slots__ = ()

    def __ipow__(self, other: Any) -> Any:
        return _np.power(self, other, out=self)

    def __imatmul__(self, other: Any) -> Any:
        self[...] = _np.matmul(self, other)
        return self


for _short, _name in _BINARY.items():
    setattr(InPlace, f"__i{_short}__", _in_place(_name))
