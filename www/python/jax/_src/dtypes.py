"""Element types: the engine's numbers for them, `jax.numpy`'s scalar types, and names in front of the engine."""

from __future__ import annotations

from typing import Any

import numpy as np

#: The engine's numbers of dtypes, in their order on the tape.
NAMES = ("bool", "int32", "uint32", "float32", "float64", "float0", "key<fry>")

class _Float0:
    """The dtype of tangents of integers and booleans: it holds no information."""

    name = "float0"
    kind = "V"
    itemsize = 0

    def __repr__(self) -> str:
        return "dtype([('float0', 'V')])"

    def __str__(self) -> str:
        return "[('float0', 'V')]"


#: A value without a tangent has one of this type: integers under `allow_int`.
float0 = _Float0()



class _KeyType:
    """The dtype of random keys: two words each, which are only moved about."""

    name = "key<fry>"
    kind = "V"
    itemsize = 8

    def __repr__(self) -> str:
        return self.name


key_type = _KeyType()

DTYPES: tuple[Any, ...] = (*(np.dtype(name) for name in NAMES[:5]), float0, key_type)
SHORT = ("bool", "i32", "u32", "f32", "f64", "float0", "key<fry>")
ITEM_SIZES = (1, 4, 4, 4, 8, 0, 8)
_CODES = {name: code for code, name in enumerate(NAMES)}
_CODES.update({"int64": 1, "int": 1, "uint64": 2})
#: JAX's dtypes that the engine does not have.
_MISSING = {"int8", "int16", "uint8", "uint16", "float16", "bfloat16", "complex64", "complex128", "int4", "uint4"}


class ScalarMeta(type):
    """The type of `jax.numpy.float32` and its kin: callable, equal to NumPy's type of the same name."""

    dtype: Any

    def __call__(cls, x: Any = 0) -> Any:
        from .registry import function

        return function("np.asarray")(x, dtype=cls.dtype)

    def __eq__(cls, other: object) -> bool:
        return cls is other or getattr(cls.dtype, "type", None) is other or (isinstance(other, np.dtype) and cls.dtype == other)

    def __ne__(cls, other: object) -> bool:
        return not cls == other

    def __hash__(cls) -> int:
        return hash(cls.dtype.type)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.dtype.type)

    def __repr__(cls) -> str:
        return f"<class 'jax.numpy.{cls.__name__}'>"


def scalar_type(name: str) -> Any:
    """`jax.numpy`'s scalar type of a NumPy dtype's name."""
    return ScalarMeta(name.removesuffix("_"), (), {"dtype": np.dtype(name), "__module__": "jax.numpy"})


#: Python's own types and the weak dtypes they stand for.
PYTHON_TYPES = {bool: "bool", int: "int", float: "float", complex: "complex"}


def dtype_name(spec: Any) -> str:
    """The engine's name for whatever stands for a dtype; raises TypeError for what is none."""
    if spec is float0 or spec is key_type:
        return spec.name
    known = PYTHON_TYPES.get(spec) if isinstance(spec, type) else None
    if known is None:
        given = getattr(spec, "dtype", spec)
        if isinstance(given, property):
            given = spec
        known = given.name if given is float0 or given is key_type else np.dtype(given).name
    if known == "complex" or known in _MISSING:
        raise TypeError(
            f"dtype {known} is not in Cotangent: arrays are made of bool, int32, uint32, float32 and, with jax_enable_x64, float64"
        )
    return known


def dtype_code(spec: Any) -> int:
    """The engine's number for whatever stands for a dtype."""
    from . import engine

    name = dtype_name(spec)
    if name in ("float64", "float"):
        return 4 if engine.js.isX64() else 3
    return _CODES[name]


def dtype_of(x: Any) -> Any:
    """The dtype of an array, a scalar or a Python number."""
    found = getattr(x, "dtype", None)
    if found is not None:
        return found
    from . import engine

    if isinstance(x, bool):
        return DTYPES[0]
    if isinstance(x, int):
        return DTYPES[1]
    return DTYPES[4 if engine.js.isX64() else 3]


def is_dtype(x: Any) -> bool:
    """Whether an argument stands for a dtype rather than for a value."""
    return isinstance(x, (type, np.dtype)) or x is float0 or x is key_type


def canonicalize_dtype(spec: Any) -> Any:
    """The dtype that arrays made with `spec` have: 64-bit types are 32-bit ones unless x64 is on."""
    return DTYPES[dtype_code(spec)]
