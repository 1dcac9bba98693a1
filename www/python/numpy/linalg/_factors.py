"""Solving with triangular factors: LU with row exchanges, Cholesky, QR by reflections."""

from __future__ import annotations

import math
from collections import namedtuple
from typing import Any

from .. import _array as _a
from .. import _convert, _memory, _products
from .. import _dtypes as _d
from ._errors import LinAlgError, Rows, assemble, conjugated, dot, matrices, operand, real_of, result_type, scalars

QRResult = namedtuple("QRResult", ["Q", "R"])
SlogdetResult = namedtuple("SlogdetResult", ["sign", "logabsdet"])


def _lu(rows: Rows) -> tuple[Rows, list[int], int]:
    """The factors in one matrix, the order of rows, and the sign of that order; a zero pivot stays in it."""
    a = [list(row) for row in rows]
    size = len(a)
    order = list(range(size))
    sign = 1
    for k in range(size):
        best = max(range(k, size), key=lambda row: abs(a[row][k]))
        if a[best][k] == 0:
            continue
        if best != k:
            a[k], a[best] = a[best], a[k]
            order[k], order[best] = order[best], order[k]
            sign = -sign
        pivot, top = a[k][k], a[k]
        for row in range(k + 1, size):
            line = a[row]
            factor = line[k] / pivot
            line[k] = factor
            if factor:
                for column in range(k + 1, size):
                    line[column] -= factor * top[column]
    return a, order, sign


def _solve_one(rows: Rows, right: Rows) -> Rows:
    a, order, _ = _lu(rows)
    size = len(a)
    if any(a[k][k] == 0 for k in range(size)):
        raise LinAlgError("Singular matrix")
    x = [list(right[at]) for at in order]
    width = len(x[0]) if x else 0
    for k in range(size):
        for row in range(k + 1, size):
            factor = a[row][k]
            if factor:
                x[row] = [value - factor * above for value, above in zip(x[row], x[k])]
    for k in range(size - 1, -1, -1):
        x[k] = [value / a[k][k] for value in x[k]]
        for row in range(k):
            factor = a[row][k]
            if factor:
                x[row] = [value - factor * below for value, below in zip(x[row], x[k])]
    return x if width else [[] for _ in range(size)]


def solve(a: Any, b: Any) -> Any:
    """The x with a @ x = b. LinAlgError where `a` is singular."""
    left, _ = operand(a, True)
    right = _convert.asarray(b)
    held = result_type(left._dtype, right._dtype)
    flat = right.ndim == 1
    size = left._shape[-1]
    if flat:
        right = right[:, None]
    if right._shape[-2] != size:
        core = "(m,m),(m)->(m)" if flat else "(m,m),(m,n)->(m,n)"
        raise ValueError(
            f"solve{'1' if flat else ''}: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
            f"signature {core} (size {right._shape[-2]} is different from {size})"
        )
    outer = _memory.broadcast_shapes(left._shape[:-2], right._shape[:-2])
    width = right._shape[-1]
    left = left._broadcast(outer + (size, size))
    right = right._broadcast(outer + (size, width))
    parts = [_solve_one(one, two) for one, two in zip(matrices(left), matrices(right))]
    made = assemble(parts, outer, size, width, held)
    return made[..., 0] if flat else made


def inv(a: Any) -> Any:
    """The inverse. LinAlgError where there is none."""
    made, held = operand(a, True)
    size = made._shape[-1]
    unit = [[1.0 if row == column else 0.0 for column in range(size)] for row in range(size)]
    return assemble([_solve_one(one, unit) for one in matrices(made)], made._shape[:-2], size, size, held)


def det(a: Any) -> Any:
    """The determinant."""
    made, held = operand(a, True)
    found = []
    for one in matrices(made):
        factors, _, sign = _lu(one)
        total: Any = float(sign)
        for k in range(len(factors)):
            total *= factors[k][k]
        found.append(total)
    return scalars(found, made._shape[:-2], held)


def slogdet(a: Any) -> Any:
    """The sign and the logarithm of the size of the determinant."""
    made, held = operand(a, True)
    signs, logs = [], []
    for one in matrices(made):
        factors, _, sign = _lu(one)
        unit: Any = float(sign)
        total = 0.0
        for k in range(len(factors)):
            value = factors[k][k]
            if value == 0:
                unit, total = 0.0, -math.inf
                break
            unit *= value / abs(value)
            total += math.log(abs(value))
        signs.append(unit)
        logs.append(total)
    outer = made._shape[:-2]
    return SlogdetResult(scalars(signs, outer, held), scalars(logs, outer, real_of(held)))


def cholesky(a: Any, /, *, upper: bool = False) -> Any:
    """The lower factor L with L L^H = a. LinAlgError where `a` is not positive definite."""
    made, held = operand(a, True)
    size = made._shape[-1]
    parts = []
    for one in matrices(made):
        if upper:
            one = [[conjugated(one[row][column]) for row in range(size)] for column in range(size)]
        low: Rows = [[0.0] * size for _ in range(size)]
        for row in range(size):
            for column in range(row + 1):
                rest = one[row][column] - dot(low[row][:column], [conjugated(v) for v in low[column][:column]])
                if row == column:
                    pivot = rest.real
                    if not pivot > 0:
                        raise LinAlgError("Matrix is not positive definite")
                    low[row][row] = math.sqrt(pivot)
                else:
                    low[row][column] = rest / low[column][column]
        if upper:
            low = [[conjugated(low[row][column]) for row in range(size)] for column in range(size)]
        parts.append(low)
    return assemble(parts, made._shape[:-2], size, size, held)


def householder(rows: Rows) -> tuple[Rows, list[tuple[list[Any], Any]]]:
    """The triangular factor and the reflections (vector, scale) that make it, with LAPACK's signs."""
    a = [list(row) for row in rows]
    height, width = len(a), len(a[0]) if a else 0
    reflections = []
    for k in range(min(height, width)):
        column = [a[row][k] for row in range(k, height)]
        alpha = column[0]
        rest = math.sqrt(sum(abs(value) ** 2 for value in column[1:]))
        if rest == 0 and (not isinstance(alpha, complex) or alpha.imag == 0):
            reflections.append(([1.0] + [0.0] * (height - k - 1), 0.0))
            continue
        size = math.hypot(alpha.real, alpha.imag, rest)
        beta = -math.copysign(size, alpha.real)
        tau = (beta - alpha) / beta
        v = [1.0] + [value / (alpha - beta) for value in column[1:]]
        a[k][k] = beta
        for row in range(k + 1, height):
            a[row][k] = 0.0
        scale = conjugated(tau)
        for at in range(k + 1, width):
            total = dot([conjugated(value) for value in v], [a[row][at] for row in range(k, height)]) * scale
            for row in range(k, height):
                a[row][at] -= v[row - k] * total
        reflections.append((v, tau))
    return a, reflections


def _orthogonal(reflections: list[tuple[list[Any], Any]], height: int, width: int) -> Rows:
    """The first `width` columns of the product of the reflections."""
    q = [[1.0 if row == column else 0.0 for column in range(width)] for row in range(height)]
    for k in range(len(reflections) - 1, -1, -1):
        v, tau = reflections[k]
        if tau == 0:
            continue
        for at in range(width):
            total = dot([conjugated(value) for value in v], [q[row][at] for row in range(k, height)]) * tau
            if total:
                for row in range(k, height):
                    q[row][at] -= v[row - k] * total
    return q


def qr(a: Any, mode: str = "reduced") -> Any:
    """An orthogonal and a triangular factor. Modes: 'reduced', 'complete', 'r'."""
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    made, held = operand(a)
    height, width = made._shape[-2:]
    least = min(height, width)
    size = height if mode == "complete" else least
    qs, rs = [], []
    for one in matrices(made):
        triangle, reflections = householder(one)
        rs.append(triangle[:size])
        if mode != "r":
            qs.append(_orthogonal(reflections, height, size))
    outer = made._shape[:-2]
    r = assemble(rs, outer, size, width, held)
    return r if mode == "r" else QRResult(assemble(qs, outer, height, size, held), r)


def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    """The x with tensordot(a, x, x.ndim) = b."""
    left, right = _convert.asarray(a), _convert.asarray(b)
    if axes is not None:
        order = [axis for axis in range(left.ndim) if axis not in axes] + list(axes)
        left = left.transpose(order)
    shape = left._shape[right.ndim :]
    size = math.prod(shape)
    return solve(left.reshape((-1, size)), right.ravel()).reshape(shape)


def tensorinv(a: Any, ind: int = 2) -> Any:
    """The inverse of a tensor as a map of its last axes onto its first `ind`."""
    made = _convert.asarray(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    front, back = made._shape[:ind], made._shape[ind:]
    return inv(made.reshape((math.prod(front), -1))).reshape(back + front)


def identity(size: int, held: Any = _d.float64) -> Any:
    """The identity matrix."""
    return _a.from_values([float(row == column) for row in range(size) for column in range(size)], (size, size), held)


matmul = _products.matmul
