"""`jax.numpy`: NumPy's functions on the engine's arrays.

Most come from the engine's registry when they are first asked for. What stands here is what Python has besides:
types, constants, and functions of functions.
"""

from __future__ import annotations

from typing import Any

import numpy as _np

from jax._src import modules as _modules
from jax._src import registry as _registry
from jax._src.array import Array as ndarray
from jax._src.dtypes import scalar_type as _scalar_type
from jax._src.numpy_types import finfo, iinfo, issubdtype, promote_types, result_type
from jax._src.numpy_extra import (
    apply_along_axis,
    apply_over_axes,
    array_repr,
    array_str,
    astype,
    c_,
    corrcoef,
    cov,
    fromfunction,
    histogram,
    index_exp,
    iterable,
    ix_,
    mgrid,
    ndim,
    ogrid,
    piecewise,
    printoptions,
    r_,
    s_,
    set_printoptions,
    get_printoptions,
    shape,
    size,
    tril_indices,
    triu_indices,
    diag_indices,
    unravel_index,
    ravel_multi_index,
    vectorize,
    isscalar,
    isrealobj,
    iscomplexobj,
    dsplit,
    block,
    choose,
)

bool_ = bool = _scalar_type("bool")
int32 = int_ = int64 = _scalar_type("int32")
uint32 = uint = uint64 = _scalar_type("uint32")
float32 = float_ = _scalar_type("float32")
float64 = double = _scalar_type("float64")
single = float32
dtype = _np.dtype
floating, integer, inexact, number, generic = _np.floating, _np.integer, _np.inexact, _np.number, _np.generic
signedinteger, unsignedinteger, complexfloating = _np.signedinteger, _np.unsignedinteger, _np.complexfloating
pi, e, euler_gamma, inf, nan, newaxis = _np.pi, _np.e, 0.5772156649015329, _np.inf, _np.nan, None

_HERE = (
    apply_along_axis, apply_over_axes, array_repr, array_str, astype, block, c_, choose, corrcoef, cov, diag_indices,
    dsplit, finfo, fromfunction, get_printoptions, histogram, iinfo, index_exp, iscomplexobj, isrealobj, isscalar,
    issubdtype, iterable, ix_, mgrid, ndarray, ndim, ogrid, piecewise, printoptions, promote_types, r_,
    ravel_multi_index, result_type, s_, set_printoptions, shape, size, tril_indices, triu_indices, unravel_index,
    vectorize,
)


def _extra(name: str) -> Any:
    if name == "linalg":
        import jax.numpy.linalg

        return jax.numpy.linalg
    return None


_get = _modules.getter("np", "jax.numpy", _extra)


def __getattr__(name: str) -> Any:
    found = globals()[name] = _get(name)
    return found


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if not name.startswith("_")), *_registry.names_in("np")})
