"""Functions of elements that are no ufuncs, and functions that apply others."""

from __future__ import annotations

from functools import reduce as _fold
from math import pi
from typing import Any, Callable

from . import _array as _a
from . import _convert, _shaping, _ufuncs
from . import _dtypes as _d
from ._scalars import generic


def round(a: Any, decimals: int = 0, out: Any = None) -> Any:
    """`a` rounded to `decimals` places, halves to even."""
    made = a if isinstance(a, generic) else _convert.asarray(a)
    held = made.dtype
    if held.kind in "biu":
        if decimals >= 0 or held.kind == "b":
            result = _ufuncs.rint(made) if held.kind == "b" else made.copy()
        else:
            unit = 10**-decimals
            result = (_ufuncs.rint(made / unit) * unit).astype(held)
    elif decimals == 0:
        result = _ufuncs.rint(made)
    else:
        scale = float(10 ** abs(decimals))
        if decimals > 0:
            result = _ufuncs.rint(made * scale) / scale
        else:
            result = _ufuncs.rint(made / scale) * scale
    if isinstance(result, _a.ndarray) and not result.ndim:
        result = result[()]
    if out is not None:
        out[...] = result
        return out
    return result


around = round


def fix(x: Any, out: Any = None) -> Any:
    """`x` rounded towards zero."""
    return _ufuncs.trunc(x, out=out)


def real(val: Any) -> Any:
    """The real part."""
    return val.real if hasattr(val, "real") else _convert.asarray(val).real


def imag(val: Any) -> Any:
    """The imaginary part."""
    return val.imag if hasattr(val, "imag") else _convert.asarray(val).imag


def angle(z: Any, deg: bool = False) -> Any:
    """The angle of complex numbers."""
    made = _convert.asarray(z)
    found = _ufuncs.arctan2(imag(made), real(made))
    return found * (180 / pi) if deg else found


def isreal(x: Any) -> Any:
    """Whether the imaginary part is zero."""
    return imag(_convert.asarray(x)) == 0


def iscomplex(x: Any) -> Any:
    """Whether the imaginary part is not zero."""
    made = _convert.asarray(x)
    if made._dtype.kind == "c":
        return made.imag != 0
    return _a.empty(made._shape, _d.bool_)[()]


def real_if_close(a: Any, tol: float = 100) -> Any:
    """The real part where all imaginary parts are tiny."""
    made = _convert.asarray(a)
    if made._dtype.kind != "c":
        return made
    limit = tol * (2.0**-52 if made._dtype is _d.complex128 else 2.0**-23) if tol > 1 else tol
    return made.real if (_ufuncs.absolute(made.imag) < limit).all() else made


def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """`x` with nan and infinities replaced by finite numbers."""
    from ._limits import finfo

    made = _convert.array(x, copy=copy or None)
    if made._dtype.kind == "f":
        limits = finfo(made._dtype)
        made[_ufuncs.isnan(made)] = nan
        made[made == float("inf")] = limits.max if posinf is None else posinf
        made[made == -float("inf")] = limits.min if neginf is None else neginf
    elif made._dtype.kind == "c":
        made.real = nan_to_num(made.real, True, nan, posinf, neginf)
        made.imag = nan_to_num(made.imag, True, nan, posinf, neginf)
    return made[()]


def isposinf(x: Any, out: Any = None) -> Any:
    """Whether positive infinity."""
    return _ufuncs.logical_and(_ufuncs.isinf(x), ~_convert.asarray(_ufuncs.signbit(x)), out=out)


def isneginf(x: Any, out: Any = None) -> Any:
    """Whether negative infinity."""
    return _ufuncs.logical_and(_ufuncs.isinf(x), _ufuncs.signbit(x), out=out)


def sinc(x: Any) -> Any:
    """sin(pi x) / (pi x), one at zero."""
    from ._choosing import where

    made = _convert.asarray(x)
    held = made._dtype if made._dtype.kind in "fc" else _d.float64
    y = pi * where(made == 0, held.type(1e-20) if held.kind == "f" and held.itemsize > 2 else 1e-7, made)
    return _convert.asarray(_ufuncs.sin(y) / y).astype(held)[()]


def i0(x: Any) -> Any:
    """The modified Bessel function of order zero, by its power series."""
    made = _convert.asarray(x, _d.float64)

    def one(value: float) -> float:
        term = total = 1.0
        quarter = value * value / 4
        for number in range(1, 500):
            term *= quarter / (number * number)
            total += term
            if term < 1e-17 * total:
                break
        return total

    return _a.from_values([one(value) for value in made._values()], made._shape, _d.float64)


def apply_along_axis(func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """`func1d` of every line along `axis`."""
    made = _convert.asarray(arr)
    axis = _shaping.normal_axis(axis, made.ndim)
    moved = _shaping.moveaxis(made, axis, -1)
    outer = moved._shape[:-1]
    lines = moved.reshape((-1, moved._shape[-1]))
    results = [_convert.asarray(func1d(line, *args, **kwargs)) for line in lines]
    if not results:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    joined = _shaping.stack(results).reshape(outer + results[0]._shape)
    count = results[0].ndim
    for at in range(count):
        joined = _shaping.moveaxis(joined, len(outer) + at, axis + at)
    return joined


def apply_over_axes(func: Callable[..., Any], a: Any, axes: Any) -> Any:
    """`func` over several axes, one after another, all kept."""
    made = _convert.asarray(a)
    for axis in axes if hasattr(axes, "__len__") else (axes,):
        found = _convert.asarray(func(made, axis))
        made = found if found.ndim == made.ndim else _shaping.expand_dims(found, axis)
    return made


class vectorize:
    """A Python function of scalars as a function of arrays; also a decorator."""

    def __init__(self, pyfunc: Any = None, otypes: Any = None, doc: str | None = None, excluded: Any = None,
                 cache: bool = False, signature: str | None = None) -> None:
        self.pyfunc, self.otypes, self.signature = pyfunc, otypes, signature
        self.excluded = set(excluded or ())
        self.__doc__ = doc or getattr(pyfunc, "__doc__", None)
        self.__name__ = getattr(pyfunc, "__name__", "vectorized")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.pyfunc is None:
            return vectorize(args[0], self.otypes, self.__doc__, self.excluded, signature=self.signature)
        if self.signature is not None:
            return self._signed(args, kwargs)
        function = self.pyfunc
        fixed = {at for at in range(len(args)) if at in self.excluded}
        moving = [_convert.asarray(arg) for at, arg in enumerate(args) if at not in fixed]
        names = [name for name in kwargs if name not in self.excluded]
        moving += [_convert.asarray(kwargs[name]) for name in names]
        spread = _shaping.broadcast_arrays(*moving)
        shape = spread[0]._shape if spread else ()
        results = []
        for values in zip(*[each.flat for each in spread]):
            rest = iter(values)
            called = [arg if at in fixed else next(rest) for at, arg in enumerate(args)]
            named = {name: next(rest) if name in names else value for name, value in kwargs.items()}
            results.append(function(*called, **named))
        if not results:
            if self.otypes is None:
                raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
            made = tuple(_a.empty(shape, _d.as_dtype(each)) for each in self.otypes)
            return made[0] if len(made) == 1 else made
        several = isinstance(results[0], tuple)
        columns = list(zip(*results)) if several else [results]
        made = []
        for at, column in enumerate(columns):
            held = _d.as_dtype(self.otypes[at]) if self.otypes is not None else _convert.asarray(column[0])._dtype
            values = _convert.asarray(list(column))
            values = values if values._dtype.kind == "U" == held.kind else values.astype(held)
            made.append(values.reshape(shape)[()] if not shape else values.reshape(shape))
        return tuple(made) if several else made[0]

    def _signed(self, args: Any, kwargs: Any) -> Any:
        text = self.signature.replace(" ", "")  # type: ignore[union-attr]
        inputs, _, outputs = text.partition("->")
        cores = [part.strip("()").split(",") if part.strip("()") else [] for part in inputs.replace("),(", ")|(").split(
            "|")]
        count = len(outputs.replace("),(", ")|(").split("|"))
        arrays = [_convert.asarray(arg) for arg in args]
        outer = [each._shape[: each.ndim - len(core)] for each, core in zip(arrays, cores)]
        shape = _shaping.broadcast_shapes(*outer)
        spread = [_shaping.broadcast_to(each, shape + each._shape[len(lead) :]) for each, lead in zip(arrays, outer)]
        from ._grids import ndindex

        results = [self.pyfunc(*[each[index] for each in spread], **kwargs) for index in ndindex(*shape)]
        columns = list(zip(*results)) if count > 1 else [results]
        made = [_shaping.stack([_convert.asarray(value) for value in column]) for column in columns]
        made = [each.reshape(shape + each._shape[1:])[()] for each in made]
        return tuple(made) if count > 1 else made[0]


def frompyfunc(func: Any, /, nin: int, nout: int, **options: Any) -> Any:
    """A Python function of scalars as a function of arrays."""
    return vectorize(func)


def shape(a: Any) -> tuple[int, ...]:
    """The lengths of the axes."""
    return a.shape if hasattr(a, "shape") else _convert.asarray(a)._shape


def ndim(a: Any) -> int:
    """How many axes there are."""
    return a.ndim if hasattr(a, "ndim") else _convert.asarray(a).ndim


def size(a: Any, axis: Any = None) -> int:
    """How many elements there are, or how many along `axis`."""
    made = a if hasattr(a, "shape") else _convert.asarray(a)
    if axis is None:
        return made.size
    total = 1
    for each in axis if isinstance(axis, tuple) else (axis,):
        total *= made.shape[each]
    return total


def cov(m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: int | None = None, fweights: Any = None,
        aweights: Any = None, *, dtype: Any = None) -> Any:
    """The covariance matrix of variables (rows)."""
    from ._reductions import average

    made = _shaping.atleast_2d(_convert.asarray(m))
    held = _d.as_dtype(dtype) if dtype is not None else _d.promote(made._dtype, _d.float64)
    made = made.astype(held)
    if not rowvar and _convert.asarray(m).ndim != 1:
        made = made.T
    if y is not None:
        other = _shaping.atleast_2d(_convert.asarray(y, held))
        if not rowvar and other._shape[0] != 1:
            other = other.T
        made = _shaping.concatenate([made, other])
    ddof = (0 if bias else 1) if ddof is None else ddof
    weights = None
    if fweights is not None:
        weights = _convert.asarray(fweights, _d.float64)
    if aweights is not None:
        heavy = _convert.asarray(aweights, _d.float64)
        weights = heavy if weights is None else weights * heavy
    middle, total = average(made, 1, weights, True)
    total = total[0]
    if weights is None:
        factor = made._shape[1] - ddof
    elif ddof == 0:
        factor = total
    elif aweights is None:
        factor = total - ddof
    else:
        factor = total - ddof * (weights * _convert.asarray(aweights)).sum() / total
    if factor <= 0:
        import warnings

        warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=2)
        factor = 0.0
    parts = made - middle[:, None]
    scaled = parts if weights is None else parts * weights
    from ._products import dot

    return (dot(parts, _ufuncs.conjugate(scaled.T)) * (1.0 / float(factor))).squeeze()


def corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    """The matrix of correlation coefficients."""
    from ._choosing import clip
    from ._creation import diag

    c = cov(x, y, rowvar, dtype=dtype)
    if not c.ndim:
        return c / c
    spread = _ufuncs.sqrt(diag(c).real)
    c = c / spread[:, None] / spread[None, :]
    return clip(c, -1, 1) if c._dtype.kind != "c" else c


def polyval(p: Any, x: Any) -> Any:
    """A polynomial (highest power first) at `x`."""
    coefficients = _convert.asarray(p)
    made = _convert.asarray(x)
    total: Any = _a.empty(made._shape, made._dtype)
    return _fold(lambda so_far, each: so_far * made + each, list(coefficients), total)


def polyfit(x: Any, y: Any, deg: int, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False) -> Any:
    """The polynomial (highest power first) of least squared error."""
    from . import linalg
    from ._creation import vander

    at, values = _convert.asarray(x) + 0.0, _convert.asarray(y) + 0.0
    matrix = vander(at, int(deg) + 1)
    if w is not None:
        weight = _convert.asarray(w) + 0.0
        matrix = matrix * weight[:, None]
        values = values * (weight[:, None] if values.ndim == 2 else weight)
    scale = _ufuncs.sqrt((matrix * matrix).sum(axis=0))
    found, residuals, rank, singular = linalg.lstsq(matrix / scale, values,
                                                    len(at) * 2.0**-52 if rcond is None else rcond)
    found = (found.T / scale).T
    return (found, residuals, rank, singular, rcond) if full else found


def polyadd(a1: Any, a2: Any) -> Any:
    """The sum of two polynomials."""
    one, two = _shaping.atleast_1d(a1), _shaping.atleast_1d(a2)
    size = max(len(one), len(two))
    from ._rearranging import pad

    return pad(one, (size - len(one), 0)) + pad(two, (size - len(two), 0))


def polymul(a1: Any, a2: Any) -> Any:
    """The product of two polynomials."""
    from ._products import convolve

    return convolve(_shaping.atleast_1d(a1), _shaping.atleast_1d(a2))


def polyder(p: Any, m: int = 1) -> Any:
    """The derivative of a polynomial."""
    from ._creation import arange

    made = _shaping.atleast_1d(p)
    for _ in range(m):
        made = made[:-1] * arange(len(made) - 1, 0, -1)
    return made


def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """The antiderivative of a polynomial."""
    from ._creation import arange

    made = _shaping.atleast_1d(p)
    for number in range(m):
        constant = 0.0 if k is None else _shaping.atleast_1d(k)[number]
        made = _shaping.concatenate([made / arange(len(made), 0, -1), [constant]])
    return made


def roots(p: Any) -> Any:
    """The roots of a polynomial, as eigenvalues of its companion matrix."""
    from . import linalg
    from ._creation import diag, ones
    from ._rearranging import trim_zeros

    made = _shaping.atleast_1d(p)
    bare = trim_zeros(made, "f")
    core = trim_zeros(bare, "b")
    zeros = len(bare) - len(core)
    if len(core) < 2:
        return _a.empty((max(zeros, 0),), _d.float64)
    matrix = diag(ones(len(core) - 2, core.dtype if core._dtype.kind in "fc" else float), -1)
    matrix[0, :] = -core[1:] / core[0]
    found = linalg.eigvals(matrix)
    return _shaping.concatenate([found, _a.empty((zeros,), found._dtype)]) if zeros else found


def poly(seq_of_zeros: Any) -> Any:
    """The polynomial with given roots."""
    from ._products import convolve

    made = _a.from_values([1.0], (1,), _d.float64)
    for root in _shaping.atleast_1d(seq_of_zeros):
        made = convolve(made, _convert.array([1.0, -root]))
    return made


def bartlett(M: int) -> Any:
    """The triangular window."""
    return _window(M, lambda x: 1 - abs(x))


def hanning(M: int) -> Any:
    """The Hann window."""
    return _window(M, lambda x: 0.5 + 0.5 * _ufuncs.cos(pi * x))


def hamming(M: int) -> Any:
    """The Hamming window."""
    return _window(M, lambda x: 0.54 + 0.46 * _ufuncs.cos(pi * x))


def blackman(M: int) -> Any:
    """The Blackman window."""
    return _window(M, lambda x: 0.42 + 0.5 * _ufuncs.cos(pi * x) + 0.08 * _ufuncs.cos(2.0 * pi * x))


def _window(M: int, shape: Callable[[Any], Any]) -> Any:
    from ._creation import arange, ones

    if M < 1:
        return _a.empty((0,), _d.float64)
    if M == 1:
        return ones(1)
    return shape(arange(1.0 - M, M, 2) / (M - 1))
