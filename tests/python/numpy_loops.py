"""Every loop in JavaScript against Python's own: the same bytes for all operations, dtypes and layouts."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy import _kernels, _ufuncs

KINDS = ("?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8")


def _sample(kind: str, seed: int, shape: tuple[int, ...]) -> Any:
    rng = np.random.RandomState(seed)
    held = np.dtype(kind)
    if held.kind == "f":
        made = rng.randn(*shape) * 3
        made[0, 0], made[0, 1], made[0, 2], made[1, 0] = np.nan, np.inf, 0.0, -0.0
        return made.astype(held)
    if held.kind == "b":
        return rng.rand(*shape) > 0.5
    low, high = max(held._low, -300), min(held._high, 300)
    return rng.randint(low, high + 1, shape).astype(held)


def _layouts(kind: str, seed: int) -> list[Any]:
    wide = _sample(kind, seed, (16, 20))
    return [_sample(kind, seed, (8, 10)), wide[::2, ::2], wide[:10, :8].T, wide[7::-1, 9::-1]]


def _both(what: Any) -> tuple[Any, Any]:
    found = []
    for ready in (True, False):
        _kernels.ready = ready
        try:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                made = what()
            made = np.asarray(made)
            found.append((str(made.dtype), made.shape, made.tobytes(), sorted({str(each.message) for each in caught})))
        except Exception as error:
            found.append((type(error).__name__, str(error)))
        finally:
            _kernels.ready = True
    return found[0], found[1]


def _same(one: Any, two: Any) -> bool:
    if one == two:
        return True
    if len(one) != 4 or len(two) != 4 or one[:2] != two[:2] or one[3] != two[3]:
        return False
    a, b = (np.frombuffer(each[2], dtype=each[0]) for each in (one, two))
    return a.dtype.kind == "f" and np.array_equal(a, b, equal_nan=True)


def differences() -> list[str]:
    """The cases in which the two disagree."""
    wrong = []

    def check(name: str, what: Any) -> None:
        one, two = _both(what)
        if not _same(one, two):
            wrong.append(f"{name}: {str(one)[:150]} | {str(two)[:150]}")

    for name in _ufuncs.NAMES:
        function = getattr(_ufuncs, name)
        if function._kernel not in _kernels._names:
            continue
        for number, kind in enumerate(KINDS):
            for at, array in enumerate(_layouts(kind, 1)):
                if (at + number) % 2:
                    continue
                other = _layouts(kind, 2)[(at + 1) % 4]
                if other.shape != array.shape:
                    other = other.T
                args = (array,) if function.nin == 1 else (array, other)
                check(f"{name} {kind} layout {at}", lambda f=function, a=args: f(*a)[0] if f.nout == 2 else f(*a))
    for name in ("add", "multiply", "maximum", "minimum", "logical_or", "logical_and"):
        function = getattr(_ufuncs, name)
        for kind in KINDS:
            for at, array in enumerate(_layouts(kind, 3)):
                for axis in (0, 1, None, (0, 1)):
                    check(f"{name}.reduce {kind} layout {at} axis {axis}",
                          lambda f=function, a=array, x=axis: f.reduce(a, axis=x))
    for kind in KINDS:
        for target in KINDS:
            for at, array in enumerate(_layouts(kind, 4)[1:3]):
                check(f"cast {kind} {target} layout {at}", lambda a=array, t=target: a.astype(t))
        for at, array in enumerate(_layouts(kind, 5)):
            check(f"copy {kind} layout {at}", lambda a=array: a.copy())
            check(f"where {kind} layout {at}", lambda a=array: np.where(a > 1, a, a[::-1]))
            check(f"matmul {kind} layout {at}", lambda a=array: a @ a.T)
            check(f"sort {kind} layout {at}", lambda a=array: np.sort(a, axis=0) + 0)
            check(f"mask {kind} layout {at}", lambda a=array: a[a > 1])
            check(f"nonzero {kind} layout {at}", lambda a=array: np.stack(a.nonzero()))
            check(f"take {kind} layout {at}", lambda a=array: a[np.arange(20) % 7 - 3])
            check(f"take pairs {kind} layout {at}", lambda a=array: a[np.arange(20) % 7 - 3, np.arange(20)[:, None] % 5])
            check(f"put {kind} layout {at}", lambda a=array: _put(a))
            check(f"take outside {kind} layout {at}", lambda a=array: a[np.arange(30)])
            check(f"in place {kind} layout {at}", lambda a=array: _in_place(a))
    return wrong


def _put(array: Any) -> Any:
    made = array.copy()
    made[np.arange(20) % 6] = np.arange(20)[:, None] % 2
    made[:, np.arange(20) % 5] = 1
    made[made == 0] = 1
    made.T[np.arange(16) % 8, np.arange(16) % 4] = np.arange(16) % 2
    return made


def _in_place(array: Any) -> Any:
    made = array.copy()
    made[1:] = made[:-1]
    np.multiply(made, made[::-1], out=made)
    made[::2] += made[1::2]
    return made
