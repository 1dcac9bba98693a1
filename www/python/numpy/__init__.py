"""NumPy as programs around JAX use it: Cotangent's own, written in Python, with NumPy 2's behaviour.

A name of NumPy's that is not here says so when it is asked for.
"""

from __future__ import annotations

from typing import Any

from . import _scalars, _array  # the order in which these two load is fixed: each needs the other's first half
from . import (
    _choosing, _creation, _dtypes, _einsum, _errors, _floats, _folding, _format, _functions, _grids, _limits, _missing,
    _nans, _products, _rearranging, _reductions, _sets, _shaping, _sorting, _ufunc, _ufuncs, exceptions,
)
from ._array import array, asanyarray, asarray, ascontiguousarray, ndarray, require
from ._dtypes import dtype
from ._einsum import einsum, einsum_path
from ._errors import errstate, geterr, geterrcall, seterr, seterrcall
from ._format import (
    array2string, array_repr, array_str, base_repr, binary_repr, format_float_positional, format_float_scientific, get_printoptions,
    printoptions, set_printoptions,
)
from ._grids import c_, index_exp, mgrid, ogrid, r_, s_
from ._scalars import (
    bool_, character, complex64, complex128, complexfloating, false_ as False_, flexible, float16, float32, float64,
    floating, generic, inexact, int8, int16, int32, int64, integer, number, sctypeDict, signedinteger, str_,
    true_ as True_, uint8, uint16, uint32, uint64, unsignedinteger,
)
from ._ufunc import ufunc


def _public(module: Any) -> dict[str, Any]:
    """The functions and classes that a module defines for programs."""
    return {
        name: value for name, value in vars(module).items()
        if name[0] != "_" and callable(value) and getattr(value, "__module__", "") == module.__name__
    }


_NoValue = _folding.MISSING
globals().update({_name: getattr(_ufuncs, _name) for _name in _ufuncs.NAMES})
for _module in (_creation, _reductions, _choosing, _rearranging, _sorting, _sets, _products, _grids, _limits,
                _functions, _nans):
    globals().update(_public(_module))
for _name in (
    "reshape", "ravel", "transpose", "permute_dims", "matrix_transpose", "swapaxes", "moveaxis", "rollaxis",
    "expand_dims", "squeeze", "broadcast_to", "broadcast_shapes", "broadcast_arrays", "atleast_1d", "atleast_2d",
    "atleast_3d", "concatenate", "concat", "stack", "vstack", "row_stack", "hstack", "dstack", "column_stack", "block",
    "array_split", "split", "unstack", "hsplit", "vsplit", "dsplit",
):
    globals()[_name] = getattr(_shaping, _name)
for _name in ("diagonal_of", "trace_of", "outer_of"):
    del globals()[_name]
del globals()["sliding_window_view"], globals()["as_strided"], globals()["byte_bounds"]

for _value in list(globals().values()):
    if isinstance(_value, type) and _value.__module__.startswith("numpy._"):
        _value.__module__ = "numpy"

bool = bool_
byte, short, intc, int_, intp, long, longlong = int8, int16, int32, int64, int64, int64, int64
ubyte, ushort, uintc, uint, uintp, ulong, ulonglong = uint8, uint16, uint32, uint64, uint64, uint64, uint64
half, single, double, longdouble = float16, float32, float64, float64
csingle, cdouble, clongdouble = complex64, complex128, complex128

nan = float("nan")
inf = float("inf")
pi = 3.141592653589793
e = 2.718281828459045
euler_gamma = 0.5772156649015329
newaxis = None
little_endian = True

__version__ = "2.4.0"
__array_api_version__ = "2024.12"


def __getattr__(name: str) -> Any:
    return _missing.find(name)
