"""What `Generator` and `RandomState` have in common: sizes, broadcasting of parameters, and the distributions."""

from __future__ import annotations

import math
from math import prod
from typing import Any, Callable

from .. import _array as _a
from .. import _convert, _products, _reductions, _shaping, _sorting
from .. import _dtypes as _d
from . import _draws
from ._draws import Source


def shape_of(size: Any) -> tuple[int, ...]:
    """A size as a shape."""
    return () if size is None else _a.as_shape(size)


class Distributions:
    """Distributions over a source of normal and exponential draws."""

    _source: Source

    def _fill(self, draw: Callable[..., Any], size: Any, parameters: tuple[Any, ...], held: Any = _d.float64) -> Any:
        """`draw(source, *parameters)` for every element: the parameters broadcast together (and to `size`)."""
        source = self._source
        arrays = [_convert.asarray(each) for each in parameters]
        if all(not each.ndim for each in arrays):
            values = [each.item() for each in arrays]
            if size is None:
                drawn = draw(source, *values)
                return drawn if held is _d.float64 else int(drawn)
            shape = shape_of(size)
            return _a.from_values([draw(source, *values) for _ in range(prod(shape))], shape, held)
        common = _shaping.broadcast_shapes(*[each._shape for each in arrays])
        shape = common if size is None else shape_of(size)
        if size is not None and _shaping.broadcast_shapes(common, shape) != shape:
            raise ValueError(f"Output size {shape} is not compatible with broadcast dimensions of inputs {common}.")
        lists = [each._broadcast(shape)._values() for each in arrays]
        return _a.from_values([draw(source, *values) for values in zip(*lists)], shape, held)

    def _plain(self, draw: Callable[[int], list[float]], size: Any) -> Any:
        if size is None:
            return draw(1)[0]
        shape = shape_of(size)
        return _a.from_values(draw(prod(shape)), shape, _d.float64)

    def _affine(self, draw: Callable[[int], list[float]], loc: Any, scale: Any, size: Any) -> Any:
        """loc + scale * draw, element by element."""
        if type(loc) in (int, float) and type(scale) in (int, float):
            if size is None:
                return loc + scale * draw(1)[0]
            shape = shape_of(size)
            values = draw(prod(shape))
            if loc != 0.0 or scale != 1.0:
                values = [loc + scale * value for value in values]
            return _a.from_values(values, shape, _d.float64)
        return self._fill(lambda source, first, second: first + second * draw(1)[0], size, (loc, scale))

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None) -> Any:
        """Numbers evenly spread over [low, high)."""
        if type(low) in (int, float) and type(high) in (int, float):
            return self._affine(self._source.bits.doubles, float(low), float(high) - float(low), size)
        low, high = _convert.asarray(low), _convert.asarray(high)
        return self._fill(lambda source, first, width: first + width * source.double(), size, (low, high - low))

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Normally distributed numbers."""
        if (_convert.asarray(scale) < 0).any():
            raise ValueError("scale < 0")
        return self._affine(self._source.normals, loc, scale, size)

    def exponential(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Exponentially distributed numbers."""
        if (_convert.asarray(scale) < 0).any():
            raise ValueError("scale < 0")
        draw = self._source.exponentials
        if type(scale) in (int, float):
            if size is None:
                return scale * draw(1)[0]
            shape = shape_of(size)
            return _a.from_values([scale * value for value in draw(prod(shape))], shape, _d.float64)
        return self._fill(lambda source, width: width * source.exponential(), size, (scale,))

    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None) -> Any:
        """Gamma distributed numbers."""
        return self._fill(lambda source, form, width: width * _draws.gamma(source, form), size, (shape, scale))

    def beta(self, a: Any, b: Any, size: Any = None) -> Any:
        """Beta distributed numbers."""
        return self._fill(_draws.beta, size, (a, b))

    def chisquare(self, df: Any, size: Any = None) -> Any:
        """Chi-square distributed numbers."""
        return self._fill(lambda source, number: 2.0 * _draws.gamma(source, number / 2.0), size, (df,))

    def f(self, dfnum: Any, dfden: Any, size: Any = None) -> Any:
        """F distributed numbers."""
        def draw(source: Any, one: float, two: float) -> float:
            top = 2.0 * _draws.gamma(source, one / 2.0) * two
            return top / (2.0 * _draws.gamma(source, two / 2.0) * one)

        return self._fill(draw, size, (dfnum, dfden))

    def standard_t(self, df: Any, size: Any = None) -> Any:
        """Student's t distributed numbers."""
        return self._fill(_draws.student, size, (df,))

    def standard_cauchy(self, size: Any = None) -> Any:
        """Cauchy distributed numbers."""
        return self._fill(lambda source: source.normal() / source.normal(), size, ())

    def laplace(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Laplace distributed numbers."""
        return self._fill(_draws.laplace, size, (loc, scale))

    def logistic(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Logistically distributed numbers."""
        return self._fill(_draws.logistic, size, (loc, scale))

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Gumbel distributed numbers."""
        return self._fill(_draws.gumbel, size, (loc, scale))

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None) -> Any:
        """Numbers whose logarithm is normal."""
        return self._fill(lambda source, middle, width: math.exp(middle + width * source.normal()), size, (mean, sigma))

    def rayleigh(self, scale: Any = 1.0, size: Any = None) -> Any:
        """Rayleigh distributed numbers."""
        return self._fill(_draws.rayleigh, size, (scale,))

    def pareto(self, a: Any, size: Any = None) -> Any:
        """Lomax distributed numbers."""
        return self._fill(_draws.pareto, size, (a,))

    def weibull(self, a: Any, size: Any = None) -> Any:
        """Weibull distributed numbers."""
        return self._fill(_draws.weibull, size, (a,))

    def power(self, a: Any, size: Any = None) -> Any:
        """Numbers of density a x^(a-1)."""
        return self._fill(_draws.power, size, (a,))

    def triangular(self, left: Any, mode: Any, right: Any, size: Any = None) -> Any:
        """Triangularly distributed numbers."""
        return self._fill(_draws.triangular, size, (left, mode, right))

    def poisson(self, lam: Any = 1.0, size: Any = None) -> Any:
        """Poisson distributed whole numbers."""
        if (_convert.asarray(lam) < 0).any():
            raise ValueError("lam < 0 or lam is NaN")
        return self._fill(_draws.poisson, size, (lam,), _d.int64)

    def binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Binomially distributed whole numbers."""
        chance = _convert.asarray(p)
        if ((chance < 0) | (chance > 1)).any():
            raise ValueError("p < 0, p > 1 or p is NaN")
        return self._fill(_draws.binomial, size, (n, p), _d.int64)

    def geometric(self, p: Any, size: Any = None) -> Any:
        """Geometrically distributed whole numbers."""
        return self._fill(_draws.geometric, size, (p,), _d.int64)

    def negative_binomial(self, n: Any, p: Any, size: Any = None) -> Any:
        """Negative-binomially distributed whole numbers."""
        def draw(source: Any, count: float, chance: float) -> int:
            return _draws.poisson(source, (1 - chance) / chance * _draws.gamma(source, count))

        return self._fill(draw, size, (n, p), _d.int64)

    def multinomial(self, n: Any, pvals: Any, size: Any = None) -> Any:
        """How often each of several outcomes occurs in `n` trials."""
        chances = _convert.asarray(pvals, _d.float64)._values()
        if sum(chances[:-1]) > 1.0 + 1e-12:
            raise ValueError("sum(pvals[:-1]) > 1.0")
        shape = shape_of(size)
        rows: list[int] = []
        for _ in range(prod(shape)):
            left, rest = int(n), 1.0
            row = [0] * len(chances)
            for at, chance in enumerate(chances[:-1]):
                row[at] = _draws.binomial(self._source, left, chance / rest)
                left -= row[at]
                if left <= 0:
                    break
                rest -= chance
            if left > 0:
                row[-1] = left
            rows.extend(row)
        return _a.from_values(rows, (*shape, len(chances)), _d.int64)

    def dirichlet(self, alpha: Any, size: Any = None) -> Any:
        """Points of the simplex."""
        shapes = _convert.asarray(alpha, _d.float64)._values()
        shape = shape_of(size)
        rows: list[float] = []
        for _ in range(prod(shape)):
            row = [_draws.gamma(self._source, each) for each in shapes]
            scale = 1.0 / _plain_sum(row)
            rows.extend(value * scale for value in row)
        return _a.from_values(rows, (*shape, len(shapes)), _d.float64)

    def multivariate_normal(self, mean: Any, cov: Any, size: Any = None, check_valid: str = "warn",
                            tol: float = 1e-8, *, method: str = "svd") -> Any:
        """Normally distributed vectors with the covariance matrix `cov`."""
        from ..linalg import cholesky, svd
        from .._ufuncs import sqrt

        middle, spread = _convert.asarray(mean, _d.float64), _convert.asarray(cov, _d.float64)
        if middle.ndim != 1:
            raise ValueError("mean must be 1 dimensional")
        if spread.ndim != 2 or spread._shape[0] != spread._shape[1]:
            raise ValueError("cov must be 2 dimensional and square")
        if len(middle) != len(spread):
            raise ValueError("mean and cov must have same length")
        shape = shape_of(size) + (len(middle),)
        x = _a.from_values(self._source.normals(prod(shape)), (prod(shape) // len(middle), len(middle)), _d.float64)
        if method == "cholesky":
            x = _products.matmul(x, cholesky(spread).T)
        else:
            u, s, vh = svd(spread)
            x = _products.matmul(x, sqrt(s)[:, None] * vh)
        return (x + middle).reshape(shape)

    def bytes(self, length: int) -> bytes:
        """Random bytes."""
        words = [self._source.bits.next32() for _ in range((length + 3) // 4)]
        return b"".join(word.to_bytes(4, "little") for word in words)[:length]

    def _weighted(self, p: Any, size: int, replace: bool, uniform: Callable[[int], Any], shape: Any) -> Any:
        """Indices drawn with the probabilities `p`."""
        if replace:
            cdf = _reductions.cumsum(p)
            cdf = cdf / cdf[-1]
            return _sorting.searchsorted(cdf, uniform(size).reshape(shape), "right")
        if _reductions.count_nonzero(p > 0) < size:
            raise ValueError("Fewer non-zero entries in p than size")
        p = p.copy()
        found: list[int] = []
        while len(found) < size:
            x = uniform(size - len(found))
            for at in found:
                p[at] = 0.0
            cdf = _reductions.cumsum(p)
            cdf = cdf / cdf[-1]
            fresh = _sorting.searchsorted(cdf, x, "right")._values()
            found.extend(dict.fromkeys(fresh))
        return _a.from_values(found[:size], shape, _d.int64)


def _plain_sum(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


def probabilities(p: Any, count: int) -> Any:
    """Checked probabilities of a choice. ValueError where they are none."""
    made = _convert.asarray(p, _d.float64)
    if made.ndim != 1:
        raise ValueError("p must be 1-dimensional")
    if len(made) != count:
        raise ValueError("a and p must have same size")
    if (made < 0).any():
        raise ValueError("Probabilities are not non-negative")
    if abs(math.fsum(made._values()) - 1.0) > 1.5e-8:
        raise ValueError("Probabilities do not sum to 1. See Notes section of docstring for more information.")
    return made
