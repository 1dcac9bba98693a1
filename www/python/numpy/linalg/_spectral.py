"""Eigenvalues and singular values.

Symmetric matrices by cyclic Jacobi rotations, singular values by one-sided Jacobi (Hestenes), general matrices by
the shifted QR iteration on their Hessenberg form (Golub and Van Loan, Matrix Computations, chapters 7 and 8).
"""

from __future__ import annotations

import cmath
import math
from collections import namedtuple
from typing import Any

from .. import _array as _a
from .. import _convert, _products, _reductions, _shaping, _ufuncs
from .. import _dtypes as _d
from ._errors import (
    LinAlgError, Rows, assemble, conjugated, matrices, operand, real_of, result_type, transpose, vectors,
)

EighResult = namedtuple("EighResult", ["eigenvalues", "eigenvectors"])
EigResult = namedtuple("EigResult", ["eigenvalues", "eigenvectors"])
SVDResult = namedtuple("SVDResult", ["U", "S", "Vh"])
EPS = 2.0**-52


def _symmetric(rows: Rows, lower: bool) -> tuple[list[float], Rows]:
    """Eigenvalues, rising, and the eigenvectors as rows of a list."""
    size = len(rows)
    a = [[0.0] * size for _ in range(size)]
    for row in range(size):
        for column in range(row + 1):
            value = rows[row][column] if lower else conjugated(rows[column][row])
            a[row][column] = value if row != column else value.real
            a[column][row] = conjugated(value) if row != column else value.real
    v: Rows = [[1.0 if row == column else 0.0 for column in range(size)] for row in range(size)]
    scale = sum(abs(value) ** 2 for row in a for value in row) or 1.0
    for _ in range(60):
        off = sum(abs(a[row][column]) ** 2 for row in range(size) for column in range(row))
        if off <= 1e-34 * scale:
            break
        for p in range(size - 1):
            for q in range(p + 1, size):
                _rotate(a, v, p, q)
    order = sorted(range(size), key=lambda at: a[at][at].real)
    return [a[at][at].real for at in order], [_signed(v[at]) for at in order]


def _rotate(a: Rows, v: Rows, p: int, q: int) -> None:
    """One Jacobi rotation that makes a[p][q] zero; rows of `v` gather the eigenvectors."""
    size = len(a)
    value = a[p][q]
    magnitude = abs(value)
    if magnitude == 0:
        return
    phase = value / magnitude
    theta = (a[q][q].real - a[p][p].real) / (2.0 * magnitude)
    t = math.copysign(1.0, theta) / (abs(theta) + math.hypot(theta, 1.0))
    c = 1.0 / math.hypot(t, 1.0)
    s = t * c
    for k in range(size):
        x, y = a[k][p], a[k][q] * conjugated(phase)
        a[k][p], a[k][q] = c * x - s * y, s * x + c * y
    for k in range(size):
        x, y = a[p][k], a[q][k] * phase
        a[p][k], a[q][k] = c * x - s * y, s * x + c * y
    a[p][q] = a[q][p] = 0.0
    back = conjugated(phase)
    for k in range(size):
        x, y = v[p][k], v[q][k] * back
        v[p][k], v[q][k] = c * x - s * y, s * x + c * y


def _signed(vector: list[Any]) -> list[Any]:
    """A vector turned so that its last part is not negative: vectors are known only up to that."""
    if isinstance(vector[-1], complex):
        return vector
    return [-value for value in vector] if vector[-1] < 0 else vector


def eigh(a: Any, UPLO: str = "L") -> Any:
    """Eigenvalues (rising) and eigenvectors (columns) of a symmetric or Hermitian matrix."""
    if UPLO.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    made, held = operand(a, True)
    size = made._shape[-1]
    outer = made._shape[:-2]
    found = [_symmetric(one, UPLO.upper() == "L") for one in matrices(made)]
    values = vectors([each for each, _ in found], outer, size, real_of(held))
    return EighResult(values, assemble([transpose(each) for _, each in found], outer, size, size, held))


def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    """Eigenvalues, rising, of a symmetric or Hermitian matrix."""
    return eigh(a, UPLO)[0]


def _singular(rows: Rows) -> tuple[Rows, list[float], Rows]:
    """U (as columns), the singular values, falling, and V (as columns) of a matrix at least as high as wide."""
    columns = transpose(rows)
    width = len(columns)
    v: Rows = [[1.0 if row == column else 0.0 for column in range(width)] for row in range(width)]
    for _ in range(60):
        worst = 0.0
        for p in range(width - 1):
            for q in range(p + 1, width):
                x, y = columns[p], columns[q]
                alpha = sum(abs(value) ** 2 for value in x)
                beta = sum(abs(value) ** 2 for value in y)
                gamma: Any = 0.0
                for one, two in zip(x, y):
                    gamma += conjugated(one) * two
                size = abs(gamma)
                limit = math.sqrt(alpha * beta)
                if size == 0 or size <= 1e-16 * limit:
                    continue
                worst = max(worst, size / limit)
                phase = gamma / size
                zeta = (beta - alpha) / (2.0 * size)
                t = math.copysign(1.0, zeta) / (abs(zeta) + math.hypot(1.0, zeta))
                c = 1.0 / math.hypot(1.0, t)
                s = c * t
                back = conjugated(phase)
                for both in (columns, v):
                    x, y = both[p], [value * back for value in both[q]]
                    both[p] = [c * one - s * two for one, two in zip(x, y)]
                    both[q] = [s * one + c * two for one, two in zip(x, y)]
        if worst <= 1e-15:
            break
    sizes = [math.sqrt(sum(abs(value) ** 2 for value in column)) for column in columns]
    order = sorted(range(width), key=lambda at: -sizes[at])
    u = []
    for at in order:
        u.append([value / sizes[at] for value in columns[at]] if sizes[at] > 0 else [0.0] * len(columns[at]))
    return u, [sizes[at] for at in order], [v[at] for at in order]


def _complete(u: Rows, height: int, wanted: int, sizes: list[float]) -> Rows:
    """Orthonormal columns: those given where their singular value is not zero, then others that fit."""
    done: Rows = []
    top = max(sizes, default=0.0)
    spare = iter(range(height))
    for at in range(wanted):
        if at < len(u) and sizes[at] > 1e-300 and sizes[at] > 1e-16 * top:
            done.append(u[at])
            continue
        for unit in spare:
            candidate: list[Any] = [1.0 if row == unit else 0.0 for row in range(height)]
            for _ in range(2):
                for other in done + [u[k] for k in range(at + 1, len(u)) if sizes[k] > 1e-16 * top]:
                    part: Any = 0.0
                    for one, two in zip(other, candidate):
                        part += conjugated(one) * two
                    candidate = [two - part * one for one, two in zip(other, candidate)]
            size = math.sqrt(sum(abs(value) ** 2 for value in candidate))
            if size > 1e-8:
                done.append([value / size for value in candidate])
                break
    return done


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """The factors U, S, Vh with a = U @ diag(S) @ Vh; the singular values alone without `compute_uv`."""
    made, held = operand(a)
    height, width = made._shape[-2:]
    outer = made._shape[:-2]
    least = min(height, width)
    us, ss, vs = [], [], []
    for one in matrices(made):
        flipped = height < width
        work = transpose(one) if flipped else one
        if flipped:
            work = [[conjugated(value) for value in row] for row in work]
        u, s, v = _singular(work) if least else ([], [], [])
        ss.append(s)
        if compute_uv:
            tall, small = max(height, width), least
            u = _complete(u, tall, tall if full_matrices else small, s)
            left, right = (v, u) if flipped else (u, v)
            us.append(transpose(left) if left else [[] for _ in range(height)])
            vs.append([[conjugated(value) for value in row] for row in right])
    values = vectors(ss, outer, least, real_of(held))
    if not compute_uv:
        return values
    rows, columns = (height, width) if full_matrices else (least, least)
    return SVDResult(assemble(us, outer, height, rows, held), values, assemble(vs, outer, columns, width, held))


def svdvals(x: Any, /) -> Any:
    """The singular values, falling."""
    return svd(x, compute_uv=False)


def pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    """The Moore-Penrose inverse."""
    made, held = operand(a)
    limit = rtol if rcond is None else rcond
    if limit is None:
        limit = 1e-15 if rtol is None else max(made._shape[-2:]) * EPS
    u, s, vh = svd(made, False)
    large = s > limit * _reductions.max(s, -1, keepdims=True)
    from .._choosing import where

    inverse = where(large, 1.0 / where(large, s, 1.0), 0.0).astype(s._dtype)
    left = _ufuncs.conjugate(_shaping.swapaxes(vh, -1, -2))
    right = _ufuncs.conjugate(_shaping.swapaxes(u, -1, -2))
    return _products.matmul(left, inverse[..., None] * right).astype(held)


def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    """How many singular values are not (nearly) zero."""
    made = _convert.asarray(A)
    if made.ndim < 2:
        return int(not (made == 0).all())
    s = svdvals(made)
    top = _reductions.max(s, -1, keepdims=True)
    eps = EPS if s._dtype is _d.float64 else 2.0**-23
    if tol is None:
        tol = top * (max(made._shape[-2:]) * eps if rtol is None else rtol)
    else:
        tol = _convert.asarray(tol)[..., None]
    return _reductions.count_nonzero(s > tol, axis=-1)


def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """The x of least squared error of a @ x = b, the residuals, the rank and the singular values."""
    left, right = _convert.asarray(a), _convert.asarray(b)
    flat = right.ndim == 1
    if left.ndim != 2:
        raise LinAlgError(f"{left.ndim}-dimensional array given. Array must be two-dimensional")
    if flat:
        right = right[:, None]
    height, width = left._shape
    if right._shape[0] != height:
        raise LinAlgError("Incompatible dimensions")
    held = result_type(left._dtype, right._dtype)
    limit = max(height, width) * (EPS if real_of(held) is _d.float64 else 2.0**-23) if rcond is None else rcond
    limit = EPS if rcond == -1 else limit
    u, s, vh = svd(left.astype(held), False)
    keep = s > limit * (s[0] if len(s) else 0.0)
    rank = int(_reductions.count_nonzero(keep))
    work = _products.matmul(_ufuncs.conjugate(u.T)[:rank], right.astype(held)) / s[:rank, None]
    found = _products.matmul(_ufuncs.conjugate(vh[:rank].T), work).astype(held)
    if rank == width and height > width:
        error = _products.matmul(left, found) - right
        squares = (_ufuncs.absolute(error) ** 2).sum(axis=0).astype(real_of(held))
    else:
        squares = _a.empty((0,), real_of(held))
    return (found[:, 0] if flat else found), squares, _d.int32.type(rank), s


def _hessenberg_eigen(rows: Rows) -> list[complex]:
    """Eigenvalues of a general matrix by shifted QR steps in complex arithmetic."""
    from ._factors import householder

    a = [[complex(value) for value in row] for row in rows]
    size = len(a)
    for k in range(size - 2):
        column = [[a[row][k]] for row in range(k + 1, size)]
        _, [(v, tau)] = householder(column)
        if tau == 0:
            continue
        scale = conjugated(tau)
        for at in range(size):
            total = sum(conjugated(v[row]) * a[row + k + 1][at] for row in range(len(v))) * scale
            for row in range(len(v)):
                a[row + k + 1][at] -= v[row] * total
        for at in range(size):
            line = a[at]
            total = sum(line[row + k + 1] * v[row] for row in range(len(v))) * tau
            for row in range(len(v)):
                line[row + k + 1] -= total * conjugated(v[row])
    found: list[complex] = []
    last = size - 1
    steps = 0
    while last >= 0:
        low = last
        while low > 0 and abs(a[low][low - 1]) > EPS * (abs(a[low][low]) + abs(a[low - 1][low - 1])):
            low -= 1
        if low == last:
            found.append(a[last][last])
            last -= 1
            steps = 0
            continue
        steps += 1
        if steps > 300:
            raise LinAlgError("Eigenvalues did not converge")
        _qr_step(a, low, last, _shift(a, last) if steps % 11 else complex(abs(a[last][last - 1]), 0.1))
    return found[::-1]


def _shift(a: Rows, last: int) -> complex:
    p, q, r, s = a[last - 1][last - 1], a[last - 1][last], a[last][last - 1], a[last][last]
    half = (p + s) / 2
    root = cmath.sqrt(((p - s) / 2) ** 2 + q * r)
    one, two = half + root, half - root
    return one if abs(one - s) < abs(two - s) else two


def _qr_step(a: Rows, low: int, last: int, shift: complex) -> None:
    """One QR step with Givens rotations on rows and columns low..last."""
    size = len(a)
    for k in range(low, last + 1):
        a[k][k] -= shift
    turns = []
    for k in range(low, last):
        x, y = a[k][k], a[k + 1][k]
        length = math.hypot(abs(x), abs(y))
        c, s = (x / length, y / length) if length else (1.0 + 0j, 0j)
        turns.append((c, s))
        cc, cs = conjugated(c), conjugated(s)
        top, under = a[k], a[k + 1]
        for at in range(k, size):
            one, two = top[at], under[at]
            top[at], under[at] = cc * one + cs * two, -s * one + c * two
    for k, (c, s) in enumerate(turns, low):
        cc, cs = conjugated(c), conjugated(s)
        for row in range(min(k + 2, last) + 1):
            line = a[row]
            one, two = line[k], line[k + 1]
            line[k], line[k + 1] = one * c + two * s, -one * cs + two * cc
    for k in range(low, last + 1):
        a[k][k] += shift


def _null(rows: Rows, value: complex) -> list[complex]:
    """The unit eigenvector of an eigenvalue, by two steps of inverse iteration."""
    from ._factors import _lu

    size = len(rows)
    scale = max((abs(each) for row in rows for each in row), default=1.0) or 1.0
    moved = [[complex(each) - (value if row == column else 0) for column, each in enumerate(line)]
             for row, line in enumerate(rows)]
    a, order, _ = _lu(moved)
    for k in range(size):
        if abs(a[k][k]) < EPS * scale:
            a[k][k] = complex(EPS * scale)
    x: list[complex] = [complex(1.0, 0.0)] * size
    for turn in range(3):
        if turn:
            x = [x[at] for at in order]
            for k in range(size):
                for row in range(k + 1, size):
                    x[row] -= a[row][k] * x[k]
        for k in range(size - 1, -1, -1):
            x[k] = (x[k] - sum(a[k][at] * x[at] for at in range(k + 1, size))) / a[k][k]
        length = math.sqrt(sum(abs(each) ** 2 for each in x))
        x = [each / length for each in x]
    return x


def eig(a: Any) -> Any:
    """Eigenvalues and eigenvectors (columns) of a general matrix; real where all eigenvalues are."""
    made, held = operand(a, True)
    size = made._shape[-1]
    outer = made._shape[:-2]
    real = held.kind == "f"
    all_values, all_vectors = [], []
    for one in matrices(made):
        values = _hessenberg_eigen(one)
        scale = max((abs(value) for value in values), default=1.0) or 1.0
        if real:
            values = [complex(value.real, 0.0) if abs(value.imag) <= 1e-13 * scale else value for value in values]
        columns = []
        for value in values:
            x = _null(one, value)
            lead = max(x, key=abs)
            turn = abs(lead) / lead
            x = [each * turn for each in x]
            if real and value.imag == 0 and x[-1].real < 0 and size > 1:
                x = [-each for each in x]
            columns.append(x)
        all_values.append(values)
        all_vectors.append(transpose(columns))
    plain = real and all(value.imag == 0 for values in all_values for value in values)
    kept = held if plain or not real else _d.promote(held, _d.complex64)
    if plain:
        all_values = [[value.real for value in values] for values in all_values]
        all_vectors = [[[value.real for value in row] for row in rows] for rows in all_vectors]
    return EigResult(vectors(all_values, outer, size, kept), assemble(all_vectors, outer, size, size, kept))


def eigvals(a: Any) -> Any:
    """Eigenvalues of a general matrix."""
    return eig(a)[0]
