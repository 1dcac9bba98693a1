"""What happens when a name that is not here is asked for: modules load on first use, the rest is refused in words."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_MODULES = frozenset(("linalg", "random", "testing", "typing", "lib", "fft"))
_FILES = frozenset((
    "save", "savez", "savez_compressed", "load", "savetxt", "loadtxt", "genfromtxt", "fromfile", "memmap",
))
_REMOVED = {
    "float_": "float64", "complex_": "complex128", "unicode_": "str_", "Inf": "inf", "NaN": "nan", "Infinity": "inf",
    "infty": "inf", "product": "prod", "cumproduct": "cumprod", "sometrue": "any", "alltrue": "all", "in1d": "isin",
    "trapz": "trapezoid", "round_": "round", "PINF": "inf", "NINF": "-inf", "msort": "sort", "asfarray": "asarray",
}
_BUILTINS = frozenset(("object", "str", "float", "int", "complex", "unicode"))


def find(name: str) -> Any:
    """A module of NumPy by name. AttributeError that says what is missing, and what to use instead."""
    if name in _MODULES:
        return import_module(f"numpy.{name}")
    if name in _FILES:
        raise AttributeError(
            f"`numpy.{name}` is not in Cotangent's NumPy: there are no files here. Write the numbers into the program, "
            "or print them."
        )
    if name in _REMOVED:
        raise AttributeError(f"`np.{name}` was removed in the NumPy 2.0 release. Use `np.{_REMOVED[name]}` instead.")
    if name in _BUILTINS:
        raise AttributeError(
            f"module 'numpy' has no attribute '{name}'. `np.{name}` was a deprecated alias for the builtin `{name}`: "
            "use that."
        )
    if name.startswith("__"):
        raise AttributeError(f"module 'numpy' has no attribute '{name}'")
    raise AttributeError(f"`numpy.{name}` is not in Cotangent's NumPy")
