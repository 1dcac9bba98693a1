"""`Generator` and `default_rng`: random numbers over PCG64 with NumPy's streams."""

from __future__ import annotations

from math import prod
from typing import Any

from .. import _array as _a
from .. import _convert, _shaping
from .. import _dtypes as _d
from . import _draws
from ._bits import PCG64, BitGenerator, SeedSequence
from ._shared import Distributions, probabilities, shape_of


class Generator(Distributions):
    """Draws random numbers from a bit generator."""

    def __init__(self, bit_generator: BitGenerator) -> None:
        self._bits = bit_generator
        self._source = _draws.Modern(bit_generator)

    @property
    def bit_generator(self) -> BitGenerator:
        """Where the bits come from."""
        return self._bits

    def __repr__(self) -> str:
        return f"Generator({type(self._bits).__name__}) at 0x{id(self):X}"

    def __str__(self) -> str:
        return f"Generator({type(self._bits).__name__})"

    def spawn(self, n_children: int) -> list[Generator]:
        """New generators, each independent of the others."""
        return [Generator(bits) for bits in self._bits.spawn(n_children)]

    def random(self, size: Any = None, dtype: Any = _d.float64, out: Any = None) -> Any:
        """Numbers evenly spread over [0, 1)."""
        held = _d.as_dtype(dtype)
        if held is _d.float32:
            draw = self._bits.next32
            return self._typed(lambda count: [(draw() >> 8) * 5.960464477539063e-08 for _ in range(count)], size, held,
                               out)
        if held is not _d.float64:
            raise TypeError(f"Unsupported dtype {held!r} for random")
        return self._typed(self._bits.doubles, size, held, out)

    def _typed(self, draw: Any, size: Any, held: Any, out: Any) -> Any:
        if out is not None:
            out[...] = _a.from_values(draw(out.size), out._shape, held)
            return out
        if size is None:
            value = draw(1)[0]
            return value if held is _d.float64 else float(held.wrap(value))
        shape = shape_of(size)
        return _a.from_values(draw(prod(shape)), shape, held)

    def standard_normal(self, size: Any = None, dtype: Any = _d.float64, out: Any = None) -> Any:
        """Standard normal numbers."""
        held = _d.as_dtype(dtype)
        if held is _d.float32:
            from ._single import normals

            return self._typed(lambda count: normals(self._bits, count), size, held, out)
        if held is not _d.float64:
            raise TypeError(f"Unsupported dtype {held!r} for standard_normal")
        return self._typed(self._source.normals, size, held, out)

    def standard_exponential(self, size: Any = None, dtype: Any = _d.float64, method: str = "zig",
                             out: Any = None) -> Any:
        """Standard exponential numbers."""
        held = _d.as_dtype(dtype)
        if held is not _d.float64:
            raise TypeError("standard_exponential of float32 is not in Cotangent's NumPy: draw float64 and convert")
        if method == "inv":
            from math import log1p

            double = self._bits.next_double
            return self._typed(lambda count: [-log1p(-double()) for _ in range(count)], size, held, out)
        return self._typed(self._source.exponentials, size, held, out)

    def standard_gamma(self, shape: Any, size: Any = None, dtype: Any = _d.float64, out: Any = None) -> Any:
        """Standard gamma numbers."""
        if _d.as_dtype(dtype) is not _d.float64:
            raise TypeError("standard_gamma of float32 is not in Cotangent's NumPy: draw float64 and convert")
        return self._fill(_draws.gamma, size, (shape,))

    def integers(self, low: Any, high: Any = None, size: Any = None, dtype: Any = _d.int64,
                 endpoint: bool = False) -> Any:
        """Whole numbers from `low` up to but without `high` (with it if `endpoint`)."""
        return whole_numbers(self._source, low, high, size, dtype, endpoint, False)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Shuffles in place along `axis`."""
        source = self._source
        if isinstance(x, _a.ndarray):
            order = self._order(x._shape[_shaping.normal_axis(axis, x.ndim)])
            moved = _shaping.moveaxis(x, axis, 0)
            moved[...] = moved[_convert.asarray(order, _d.int64)] if order else moved
            return
        for at in range(len(x) - 1, 0, -1):
            other = _draws.bounded(source, at, True)
            x[at], x[other] = x[other], x[at]

    def _order(self, count: int) -> list[int]:
        order = list(range(count))
        for at in range(count - 1, 0, -1):
            other = _draws.bounded(self._source, at, True)
            order[at], order[other] = order[other], order[at]
        return order

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """A shuffled copy, or shuffled numbers 0 … x-1."""
        if hasattr(x, "__index__") and not getattr(x, "shape", ()):
            order = self._order(x.__index__())
            return _a.from_values(order, (len(order),), _d.int64)
        made = _convert.asarray(x)
        axis = _shaping.normal_axis(axis, made.ndim)
        order = _convert.asarray(self._order(made._shape[axis]), _d.int64)
        return made[(*((slice(None),) * axis), order)]

    def permuted(self, x: Any, *, axis: int | None = None, out: Any = None) -> Any:
        """A copy with every line along `axis` shuffled by itself."""
        made = _convert.array(x)
        if axis is None:
            flat = made.ravel()
            flat[...] = flat[_convert.asarray(self._order(flat.size), _d.int64)]
            made = flat.reshape(made._shape)
        else:
            moved = _shaping.moveaxis(made, axis, -1)
            from .._grids import ndindex

            for index in ndindex(*moved._shape[:-1]):
                moved[index] = moved[index][_convert.asarray(self._order(moved._shape[-1]), _d.int64)]
        if out is not None:
            out[...] = made
            return out
        return made

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0,
               shuffle: bool = True) -> Any:
        """Elements of `a` (or numbers below it), with or without putting them back."""
        made = _convert.asarray(a)
        number = made.ndim == 0
        if number and (made._dtype.kind not in "iu"):
            raise ValueError("a must be a sequence or an integer, not " + str(type(a)))
        count = int(made.item()) if number else made._shape[_shaping.normal_axis(axis, made.ndim)]
        shape = shape_of(size)
        many = prod(shape)
        if count <= 0 and many:
            raise ValueError("a must be a positive integer unless no samples are taken" if number else
                             "a cannot be empty unless no samples are taken")
        weights = None if p is None else probabilities(p, count)
        if weights is None and replace:
            found = self.integers(0, count, size=shape)
        elif not replace and many > count:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        elif weights is not None:
            found = self._weighted(weights, many, replace, lambda size: self.random((size,)), shape)
        else:
            found = _a.from_values(self._sample(count, many, shuffle), shape, _d.int64)
        found = _convert.asarray(found)
        if number:
            return found if size is not None else int(found.item())
        result = made[(*((slice(None),) * _shaping.normal_axis(axis, made.ndim)), found)]
        return result if size is not None or made.ndim > 1 else _convert.asarray(result)[()]

    def _sample(self, count: int, many: int, shuffle: bool) -> list[int]:
        """`many` different numbers below `count`: by Floyd's method, or by shuffling the tail of all of them."""
        source = self._source
        if count > 10000 and many > count // (50 if shuffle else 20):
            order = list(range(count))
            for at in range(count - 1, max(count - many, 1) - 1, -1):
                other = _draws.bounded(source, at, False)
                order[at], order[other] = order[other], order[at]
            return order[count - many :]
        seen: set[int] = set()
        found = []
        for at in range(count - many, count):
            value = _draws.bounded(source, at, False)
            value = at if value in seen else value
            seen.add(value)
            found.append(value)
        if shuffle:
            for at in range(many - 1, 0, -1):
                other = _draws.bounded(source, at, False)
                found[at], found[other] = found[other], found[at]
        return found


def whole_numbers(source: Any, low: Any, high: Any, size: Any, dtype: Any, endpoint: bool, masked: bool) -> Any:
    """Bounded whole numbers of an integer dtype, parameters broadcast."""
    held = _d.as_dtype(dtype)
    if held.kind not in "iub":
        raise TypeError(f"Unsupported dtype {held!r} for {'randint' if masked else 'integers'}")
    if high is None:
        low, high = 0, low
    first, last = _limit(low), _limit(high)
    least, most = (0, 1) if held.kind == "b" else (held._low, held._high)
    plain = isinstance(first, int) and isinstance(last, int)
    lows, highs = _listed(first), _listed(last)
    highs = [value if endpoint else value - 1 for value in highs]
    if any(value < least for value in lows):
        raise ValueError(f"low is out of bounds for {held.name}")
    if any(value > most for value in highs):
        raise ValueError(f"high is out of bounds for {held.name}")
    if plain:
        if lows[0] > highs[0]:
            raise ValueError("low > high" if endpoint else "low >= high")
        shape = shape_of(size)
        top = highs[0] - lows[0]
        count = prod(shape)
        values = _drawn(source, top, count, masked, held)
        values = [lows[0] + value for value in values]
        if size is None:
            if dtype is int or dtype is bool:
                return values[0]
            return held.type(values[0])
        return _a.from_values(values, shape, held)
    first, last = _convert.asarray(first), _convert.asarray(last)
    common = _shaping.broadcast_shapes(first._shape, last._shape)
    shape = common if size is None else shape_of(size)
    starts = _a.from_values(lows, first._shape, _d.int64)._broadcast(shape)._values()
    stops = _a.from_values(highs, last._shape, _d.int64)._broadcast(shape)._values()
    if any(start > stop for start, stop in zip(starts, stops)):
        raise ValueError("low > high" if endpoint else "low >= high")
    values = [start + _drawn(source, stop - start, 1, masked, held)[0] for start, stop in zip(starts, stops)]
    return _a.from_values(values, shape, held)


def _limit(value: Any) -> Any:
    """A bound as a Python integer, or as an array where there are several."""
    if isinstance(value, (int, float)) and not hasattr(value, "dtype"):
        return int(value)
    made = _convert.asarray(value)
    return made if made.ndim else int(made.item())


def _listed(limit: Any) -> list[int]:
    return [limit] if isinstance(limit, int) else [int(value) for value in limit._values()]


def _drawn(source: Any, top: int, count: int, masked: bool, held: Any) -> list[int]:
    if held.kind == "b":
        return _draws.narrow_list(source, top, count, True, 1)
    if held.itemsize <= 2:
        return _draws.narrow_list(source, top, count, masked, 8 * held.itemsize)
    return _draws.bounded_list(source, top, count, masked)


def default_rng(seed: Any = None) -> Generator:
    """A new Generator over PCG64."""
    if isinstance(seed, Generator):
        return seed
    if isinstance(seed, BitGenerator):
        return Generator(seed)
    if hasattr(seed, "_source") and hasattr(seed, "_bits"):
        return Generator(seed._bits)
    return Generator(PCG64(seed if isinstance(seed, SeedSequence) else SeedSequence(seed)))
