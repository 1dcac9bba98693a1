"""Functions of `jax.numpy` that are made of others in Python: functions of functions, grids, and looks at shapes."""

from __future__ import annotations

import contextlib
import functools
from typing import Any, Callable, Iterator

import numpy as np

from . import engine
from .array import Array
from .mapping import vmap
from .registry import function as _f


def shape(a: Any) -> tuple[int, ...]:
    """Sizes of the axes."""
    return a.shape if hasattr(a, "shape") else tuple(_f("np.asarray")(a).shape)


def ndim(a: Any) -> int:
    """The number of axes."""
    return len(shape(a))


def size(a: Any, axis: Any = None) -> int:
    """The number of elements, or the size along an axis."""
    sizes = shape(a)
    if axis is None:
        return int(np.prod(sizes)) if sizes else 1
    axes = axis if isinstance(axis, tuple) else (axis,)
    n = 1
    for each in axes:
        n *= sizes[each]
    return n


def astype(x: Any, dtype: Any, /, *, copy: bool = False, device: Any = None) -> Any:
    """The elements in another dtype."""
    return _f("np.astype")(x, dtype)


def isscalar(element: Any) -> bool:
    """Whether it is a number or an array without axes."""
    if isinstance(element, Array):
        return element.ndim == 0
    return bool(np.isscalar(element)) or (hasattr(element, "shape") and element.shape == ())


def isrealobj(x: Any) -> bool:
    """True: arrays are real."""
    return not isinstance(x, complex)


def iscomplexobj(x: Any) -> bool:
    """False: arrays are real."""
    return isinstance(x, complex)


def iterable(y: Any) -> bool:
    """Whether it can be iterated over."""
    return hasattr(y, "__iter__") and not (isinstance(y, Array) and y.ndim == 0)


# -- functions of functions -------------------------------------------------------------------------------------


def vectorize(pyfunc: Callable[..., Any], *, excluded: Any = frozenset(), signature: str | None = None) -> Callable[..., Any]:
    """A function of arrays from one of their parts: `signature` says which axes it takes, `(n),(n)->()`; the others are
    mapped, broadcasting as NumPy does."""
    excluded = set(excluded)
    ins, outs = _parse_signature(signature) if signature else (None, None)

    @functools.wraps(pyfunc)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        at = [i for i in range(len(args)) if i not in excluded]
        cores = ins if ins is not None else [()] * len(at)
        if len(cores) != len(at):
            raise engine.failure(
                "TypeError",
                f"wrong number of positional arguments: expected {len(cores)}, got {len(at)}",
            )
        arrays = [_f("np.asarray")(args[i]) for i in at]
        sizes: dict[str, int] = {}
        for x, core in zip(arrays, cores):
            if x.ndim < len(core):
                raise engine.failure(
                    "ValueError",
                    f"{x.shape} does not have enough dimensions for all core dimensions {core} of vectorized function "
                    f"with excluded={excluded!r} and signature={signature!r}",
                )
            for name, n in zip(core, x.shape[x.ndim - len(core) :]):
                if sizes.setdefault(name, n) != n:
                    raise engine.failure(
                        "ValueError",
                        f"inconsistent size for core dimension {name!r}: {n} vs {sizes[name]}",
                    )
        loops = [x.shape[: x.ndim - len(core)] for x, core in zip(arrays, cores)]
        whole = np.broadcast_shapes(*loops) if loops else ()

        def call(*values: Any) -> Any:
            given = list(args)
            for i, value in zip(at, values):
                given[i] = value
            out = pyfunc(*given, **kwargs)
            several = out if isinstance(out, tuple) else (out,)
            if outs is not None and len(several) != len(outs):
                raise engine.failure(
                    "TypeError", f"wrong number of output arguments: expected {len(outs)}, got {len(several)}"
                )
            return out

        f = call
        squeezed = []
        for x, loop in zip(arrays, loops):
            padded = (1,) * (len(whole) - len(loop)) + loop
            squeezed.append(x.reshape(tuple(n for n, w in zip(padded, whole) if n == w or w == 1) + x.shape[len(loop) :]))
        masks = [
            [n == w for n, w in zip((1,) * (len(whole) - len(loop)) + loop, whole)] for loop in loops
        ]
        for axis in reversed(range(len(whole))):
            f = vmap(f, in_axes=tuple(0 if mask[axis] else None for mask in masks))
        return f(*squeezed)

    return wrapped


def _parse_signature(signature: str) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    ins, arrow, outs = signature.replace(" ", "").partition("->")
    if not arrow:
        raise ValueError(f"not a valid gufunc signature: {signature}")

    def parse(text: str) -> list[tuple[str, ...]]:
        groups = text.removeprefix("(").removesuffix(")").split("),(")
        return [tuple(name for name in group.split(",") if name) for group in groups]

    return parse(ins), parse(outs)


def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """`func1d` of every one-dimensional part of `arr` along an axis."""
    x = _f("np.asarray")(arr)
    at = axis % x.ndim
    f = lambda part: func1d(part, *args, **kwargs)  # noqa: E731
    for _ in range(at + 1, x.ndim):
        f = vmap(f, in_axes=1, out_axes=-1)
    for _ in range(at):
        f = vmap(f, in_axes=0, out_axes=0)
    return f(x)


def apply_over_axes(func: Callable[..., Any], a: Any, axes: Any) -> Any:
    """`func` along one axis after the other, which stay with size 1."""
    x = _f("np.asarray")(a)
    for axis in axes if isinstance(axes, (tuple, list)) else (axes,):
        out = func(x, axis=axis)
        x = out if out.ndim == x.ndim else _f("np.expandDims")(out, axis)
    return x


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """Of each element what the function of the first condition that holds makes of it; the last one is for the rest."""
    x = _f("np.asarray")(x)
    conditions = list(condlist) if isinstance(condlist, (list, tuple)) else [condlist]
    functions = list(funclist)
    if len(functions) not in (len(conditions), len(conditions) + 1):
        raise engine.failure(
            "ValueError",
            f"with {len(conditions)} condition(s), either {len(conditions)} or {len(conditions) + 1} functions are "
            f"expected; got {len(functions)}",
        )
    default = functions.pop() if len(functions) > len(conditions) else 0
    of = lambda f: f(x, *args, **kw) if callable(f) else f  # noqa: E731
    out = _f("np.broadcastTo")(_f("np.asarray")(of(default)), x.shape).astype(x.dtype)
    for condition, f in reversed(list(zip(conditions, functions))):
        out = _f("np.where")(condition, _f("np.asarray")(of(f)).astype(x.dtype), out)
    return out


def fromfunction(function: Callable[..., Any], shape: Any, *, dtype: Any = float, **kwargs: Any) -> Any:
    """An array whose elements are a function of their positions."""
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    f = lambda *at: function(*at, **kwargs)  # noqa: E731
    n = len(sizes)
    for axis in range(n):
        f = vmap(f, in_axes=tuple(0 if other == n - 1 - axis else None for other in range(n)), out_axes=0)
    return f(*(_f("np.arange")(length, dtype=dtype) for length in sizes))


# -- grids and index helpers ------------------------------------------------------------------------------------

s_ = np.s_
index_exp = np.index_exp


class _Grid:
    """`mgrid` and `ogrid`."""

    def __init__(self, dense: bool) -> None:
        self.dense = dense

    def __getitem__(self, key: Any) -> Any:
        made = (np.mgrid if self.dense else np.ogrid)[key]
        if isinstance(made, (list, tuple)):
            return [_f("np.asarray")(part) for part in made]
        return _f("np.asarray")(made)


mgrid = _Grid(True)
ogrid = _Grid(False)


class _Joined:
    """`r_` and `c_`: ranges and arrays put together by indexing."""

    def __init__(self, columns: bool) -> None:
        self.columns = columns

    def __getitem__(self, key: Any) -> Any:
        parts = []
        for part in key if isinstance(key, tuple) else (key,):
            if isinstance(part, slice):
                step = part.step
                if isinstance(step, complex):
                    made = _f("np.linspace")(part.start, part.stop, int(abs(step)))
                else:
                    made = _f("np.arange")(part.start or 0, part.stop, 1 if step is None else step)
            else:
                made = _f("np.atleast1d")(part)
            parts.append(made.reshape(-1, 1) if self.columns and made.ndim == 1 else made)
        return _f("np.concatenate")(parts, -1 if self.columns else 0)


r_ = _Joined(False)
c_ = _Joined(True)


def ix_(*args: Any) -> tuple[Any, ...]:
    """Index arrays that pick a grid of positions."""
    n = len(args)
    out = []
    for i, arg in enumerate(args):
        x = _f("np.asarray")(arg)
        out.append(x.reshape((1,) * i + (x.size,) + (1,) * (n - 1 - i)))
    return tuple(out)


def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Any, Any]:
    """Positions on and below a diagonal."""
    return tuple(_f("np.asarray")(part) for part in np.tril_indices(n, k, m))  # type: ignore[return-value]


def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Any, Any]:
    """Positions on and above a diagonal."""
    return tuple(_f("np.asarray")(part) for part in np.triu_indices(n, k, m))  # type: ignore[return-value]


def diag_indices(n: int, ndim: int = 2) -> tuple[Any, ...]:
    """Positions of a diagonal."""
    return (_f("np.arange")(n),) * ndim


def unravel_index(indices: Any, shape: Any) -> tuple[Any, ...]:
    """Positions along every axis from positions in row-major order."""
    rest = _f("np.asarray")(indices)
    out = []
    for length in reversed((shape,) if isinstance(shape, int) else tuple(shape)):
        rest, at = rest // length, rest % length
        out.append(at)
    return tuple(reversed(out))


def ravel_multi_index(multi_index: Any, dims: Any, mode: str = "raise", order: str = "C") -> Any:
    """Positions in row-major order from positions along every axis."""
    total: Any = 0
    for at, length in zip(multi_index, dims):
        total = total * length + _f("np.asarray")(at)
    return total


def dsplit(ary: Any, indices_or_sections: Any) -> list[Any]:
    """Parts along the third axis."""
    return _f("np.split")(ary, indices_or_sections, 2)


def block(arrays: Any) -> Any:
    """An array put together from nested lists of blocks."""

    def build(part: Any, depth: int) -> Any:
        if not isinstance(part, list):
            return _f("np.asarray")(part)
        rows = [build(inner, depth - 1) for inner in part]
        axes = max(max(row.ndim for row in rows), depth)
        rows = [row.reshape((1,) * (axes - row.ndim) + row.shape) for row in rows]
        return _f("np.concatenate")(rows, -depth)

    def depth_of(part: Any) -> int:
        return 1 + max(map(depth_of, part)) if isinstance(part, list) and part else 0

    return build(arrays, depth_of(arrays))


def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    """Of each position the element of the choice that `a` names there."""
    parts = _f("np.broadcastArrays")(a, *choices)
    return _f("np.takeAlongAxis")(_f("np.stack")(parts[1:]), parts[0][None], 0)[0]


# -- statistics -------------------------------------------------------------------------------------------------


def cov(m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None) -> Any:
    """Covariances of variables, a row each."""
    x = _f("np.atleast2d")(_f("np.asarray")(m))
    if not rowvar and x.shape[0] != 1:
        x = x.T
    if y is not None:
        other = _f("np.atleast2d")(_f("np.asarray")(y))
        x = _f("np.concatenate")([x, other if rowvar or other.shape[0] == 1 else other.T])
    free = ddof if ddof is not None else 0 if bias else 1
    centred = x - x.mean(axis=1, keepdims=True)
    return (centred @ centred.T / (x.shape[1] - free)).squeeze()


def corrcoef(x: Any, y: Any = None, rowvar: bool = True) -> Any:
    """Correlations of variables, a row each."""
    c = cov(x, y, rowvar)
    if c.ndim == 0:
        return c / c
    scale = _f("np.sqrt")(_f("np.diag")(c))
    return _f("np.clip")(c / scale[:, None] / scale[None, :], -1, 1)


def histogram(a: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool | None = None) -> tuple[Any, Any]:
    """Counts in bins, and the edges of the bins."""
    x = _f("np.ravel")(_f("np.asarray")(a))
    if isinstance(bins, int):
        low, high = range if range is not None else (x.min(), x.max())
        edges = _f("np.linspace")(low, high, bins + 1, dtype="float32")
    else:
        edges = _f("np.asarray")(bins)
    at = _f("np.searchsorted")(edges, x, side="right")
    at = _f("np.where")(x == edges[-1], len(edges) - 1, at)
    w = _f("np.onesLike")(x, dtype=float) if weights is None else _f("np.ravel")(_f("np.asarray")(weights))
    counts = _f("np.zeros")(len(edges) + 1, w.dtype).at[at].add(w)[1:-1]
    if density:
        counts = counts / counts.sum() / (edges[1:] - edges[:-1])
    return counts, edges


# -- printing ---------------------------------------------------------------------------------------------------


def array_repr(arr: Any, max_line_width: int | None = None, precision: int | None = None, suppress_small: Any = None) -> str:
    """`repr` of an array."""
    return repr(arr)


def array_str(a: Any, max_line_width: int | None = None, precision: int | None = None, suppress_small: Any = None) -> str:
    """`str` of an array."""
    return str(a)


set_printoptions = np.set_printoptions
get_printoptions = np.get_printoptions


@contextlib.contextmanager
def printoptions(*args: Any, **kwargs: Any) -> Iterator[Any]:
    """Print options for a while."""
    with np.printoptions(*args, **kwargs) as options:
        yield options


