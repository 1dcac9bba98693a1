"""`RandomState` and the functions `np.random.rand`, `seed` … with the streams they have had for ever."""

from __future__ import annotations

from math import prod
from typing import Any

from .. import _array as _a
from .. import _convert
from .. import _dtypes as _d
from . import _draws
from ._bits import MT19937, BitGenerator
from ._generator import whole_numbers
from ._shared import Distributions, probabilities, shape_of


class RandomState(Distributions):
    """Random numbers over the Mersenne Twister."""

    def __init__(self, seed: Any = None) -> None:
        if isinstance(seed, BitGenerator):
            self._bits = seed
        else:
            self._bits = MT19937()
            self._bits._legacy_seeding(seed)
        self._source = _draws.Legacy(self._bits)

    def __repr__(self) -> str:
        return f"RandomState({type(self._bits).__name__}) at 0x{id(self):X}"

    def __str__(self) -> str:
        return f"RandomState({type(self._bits).__name__})"

    def seed(self, seed: Any = None) -> None:
        """Starts the stream anew."""
        self._bits._legacy_seeding(seed)
        self._source = _draws.Legacy(self._bits)

    def get_state(self, legacy: bool = True) -> Any:
        """The state as a tuple, or a dict."""
        state = self._bits.state
        spare = self._source.spare
        if not legacy:
            return {**state, "has_gauss": int(spare is not None), "gauss": spare or 0.0}
        return ("MT19937", state["state"]["key"], state["state"]["pos"], int(spare is not None), spare or 0.0)

    def set_state(self, state: Any) -> None:
        """Takes up a state given by `get_state`."""
        if isinstance(state, dict):
            has, spare = state.get("has_gauss", 0), state.get("gauss", 0.0)
        else:
            has, spare = (state[3], state[4]) if len(state) > 3 else (0, 0.0)
        self._bits.state = state
        self._source = _draws.Legacy(self._bits)
        self._source.spare = spare if has else None

    def random_sample(self, size: Any = None) -> Any:
        """Numbers evenly spread over [0, 1)."""
        return self._plain(self._bits.doubles, size)

    random = random_sample

    def rand(self, *args: int) -> Any:
        """Numbers evenly spread over [0, 1), in the shape given."""
        return self.random_sample(args if args else None)

    def randn(self, *args: int) -> Any:
        """Standard normal numbers, in the shape given."""
        return self.standard_normal(args if args else None)

    def standard_normal(self, size: Any = None) -> Any:
        """Standard normal numbers."""
        return self._plain(self._source.normals, size)

    def standard_exponential(self, size: Any = None) -> Any:
        """Standard exponential numbers."""
        return self._plain(self._source.exponentials, size)

    def standard_gamma(self, shape: Any, size: Any = None) -> Any:
        """Standard gamma numbers."""
        return self._fill(_draws.gamma, size, (shape,))

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        """Whole numbers from `low` up to but without `high`."""
        return whole_numbers(self._source, low, high, size, dtype, False, True)

    def tomaxint(self, size: Any = None) -> Any:
        """Whole numbers up to the largest."""
        return whole_numbers(self._source, 0, None if size is None else _d.int64._high, size, int, True, True)

    def random_integers(self, low: int, high: int | None = None, size: Any = None) -> Any:
        """Whole numbers from `low` to `high`, both included."""
        low, high = (1, low) if high is None else (low, high)
        return self.randint(low, high + 1, size)

    def _order(self, count: int) -> list[int]:
        order = list(range(count))
        for at in range(count - 1, 0, -1):
            other = _draws.bounded(self._source, at, True)
            order[at], order[other] = order[other], order[at]
        return order

    def shuffle(self, x: Any) -> None:
        """Shuffles in place along the first axis."""
        if isinstance(x, _a.ndarray):
            order = self._order(len(x))
            if order:
                x[...] = x[_convert.asarray(order, _d.int64)]
            return
        for at in range(len(x) - 1, 0, -1):
            other = _draws.bounded(self._source, at, True)
            x[at], x[other] = x[other], x[at]

    def permutation(self, x: Any) -> Any:
        """A shuffled copy, or shuffled numbers 0 … x-1."""
        if hasattr(x, "__index__") and not getattr(x, "shape", ()):
            order = self._order(x.__index__())
            return _a.from_values(order, (len(order),), _d.int64)
        made = _convert.asarray(x)
        return made[_convert.asarray(self._order(len(made)), _d.int64)]

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Any:
        """Elements of `a` (or numbers below it), with or without putting them back."""
        made = _convert.asarray(a)
        number = made.ndim == 0
        if made.ndim > 1:
            raise ValueError("a must be 1-dimensional")
        count = int(made.item()) if number else len(made)
        shape = shape_of(size)
        many = prod(shape)
        if count <= 0 and many:
            raise ValueError("a must be greater than 0 unless no samples are taken" if number else
                             "'a' cannot be empty unless no samples are taken")
        weights = None if p is None else probabilities(p, count)
        if not replace and many > count:
            raise ValueError("Cannot take a larger sample than population when 'replace=False'")
        if weights is not None:
            found = self._weighted(weights, many, replace, lambda size: self.random_sample((size,)), shape)
        elif replace:
            found = self.randint(0, count, size=shape)
        else:
            found = self.permutation(count)[:many].reshape(shape)
        found = _convert.asarray(found)
        if number:
            return found if size is not None else int(found.item())
        return made[found] if size is not None else _convert.asarray(made[found])[()]


_shared = RandomState()
NAMES = tuple(
    name for name in dir(RandomState) if name[0] != "_" and callable(getattr(RandomState, name))
)


def get(name: str) -> Any:
    """A method of the RandomState that the module's functions share."""
    return getattr(_shared, name)
