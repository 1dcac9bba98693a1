"""JAX's classes of errors, and which class a name of the engine's stands for."""

from __future__ import annotations

import builtins


class JAXIndexError(IndexError):
    """An index that JAX refuses."""


class JAXTypeError(TypeError):
    """A type that JAX refuses."""


class ConcretizationTypeError(JAXTypeError):
    """A traced value was used where its elements are needed."""


class TracerArrayConversionError(JAXTypeError):
    """A traced value was to become a NumPy array."""


class TracerIntegerConversionError(JAXTypeError):
    """A traced value was to become an integer."""


class TracerBoolConversionError(ConcretizationTypeError):
    """A traced value was asked for its truth, as by `if`."""


class NonConcreteBooleanIndexError(JAXIndexError):
    """A traced array of booleans was used as an index."""


class UnexpectedTracerError(JAXTypeError):
    """A traced value was used outside the transform it belongs to."""


class KeyReuseError(RuntimeError):
    """A random key was used twice."""


class JaxRuntimeError(RuntimeError):
    """The engine failed while a program ran."""


def class_named(name: str) -> type[Exception]:
    """The class of an error by its name."""
    own = globals().get(name)
    if isinstance(own, type) and issubclass(own, Exception):
        return own
    found = getattr(builtins, name, None)
    return found if isinstance(found, type) and issubclass(found, Exception) else RuntimeError


for _value in list(globals().values()):
    if isinstance(_value, type) and issubclass(_value, Exception):
        _value.__module__ = "jax.errors"
