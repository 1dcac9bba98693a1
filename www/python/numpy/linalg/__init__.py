"""Linear algebra: factorisations, solving, eigenvalues, norms. Matrices are the last two axes."""

from __future__ import annotations

from typing import Any

from .._products import (
    cross, diagonal_of as diagonal, matmul, matrix_transpose, outer_of as outer, tensordot, trace_of as trace, vecdot,
)
from ._errors import LinAlgError
from ._factors import cholesky, det, inv, qr, slogdet, solve, tensorinv, tensorsolve
from ._norms import cond, matrix_norm, norm, vector_norm
from ._powers import matrix_power, multi_dot
from ._spectral import (
    eig, eigh, eigvals, eigvalsh, lstsq, matrix_rank, pinv, svd, svdvals,
)

__all__ = [
    "LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv",
    "lstsq", "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "norm", "outer",
    "pinv", "qr", "slogdet", "solve", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot",
    "vector_norm",
]


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(f"module 'numpy.linalg' has no attribute '{name}'")
    raise AttributeError(f"`numpy.linalg.{name}` is not in Cotangent's NumPy")
