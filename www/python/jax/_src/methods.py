"""Methods of arrays: most are functions of the registry with the array in front."""

from __future__ import annotations

from typing import Any, NoReturn

from . import host as js

from . import engine


def _function(name: str) -> Any:
    from .registry import function

    return function(name)


class Methods:
    """What arrays and tracers can be asked to do."""

    __slots__ = ()

    def item(self, *args: Any) -> Any:
        """The one element of an array of one element, or the element at an index, as Python's number."""
        if args:
            return self[args if len(args) > 1 else args[0]].item()
        if self.size != 1:
            raise engine.failure("ValueError", "can only convert an array of size 1 to a Python scalar")
        x = self._number("item")
        return bool(x) if self._code == 0 else int(x) if self._code in (1, 2) else x

    def tolist(self) -> Any:
        """The elements as nested lists of Python's numbers."""
        if self._is_traced:
            from .array import handle_of

            engine.check(js.ask("refuseTracer", handle_of(self), "tolist()", engine.site()))
        return self._value.tolist()

    def tobytes(self, order: str = "C") -> bytes:
        """The elements as bytes, row-major."""
        return self._value.tobytes()

    def block_until_ready(self) -> Any:
        """Itself: nothing is computed later."""
        return self

    copy_to_host_async = block_until_ready

    def copy(self) -> Any:
        """An array of the same elements."""
        return _function("np.array")(self)

    def view(self, dtype: Any = None, type: Any = None) -> Any:
        """The same bits as elements of another dtype of the same width."""
        return self if dtype is None else _function("lax.bitcastConvertType")(self, dtype)

    def flatten(self, order: str = "C", out_sharding: Any = None) -> Any:
        """The elements along one axis."""
        return _function("np.ravel")(self, order)

    def reshape(self, *args: Any, order: str = "C", copy: bool | None = None, out_sharding: Any = None) -> Any:
        """The same elements in another shape, given as one tuple or size by size."""
        shape = args[0] if len(args) == 1 else args
        return _function("np.reshape")(self, shape, order=order)

    def transpose(self, *args: Any) -> Any:
        """Axes reversed, or permuted as given."""
        axes = args[0] if len(args) == 1 and not isinstance(args[0], int) else args or None
        return _function("np.transpose")(self, axes)

    def astype(self, dtype: Any, copy: bool = False, device: Any = None) -> Any:
        """The elements in another dtype."""
        return _function("np.astype")(self, dtype)

    def sort(self, axis: int | None = -1, *, kind: None = None, order: None = None, stable: bool = True,
             descending: bool = False) -> Any:
        """Elements in ascending order along an axis."""
        return _function("np.sort")(self, axis, stable=stable, descending=descending)

    def nonzero(self, *, fill_value: Any = None, size: int | None = None) -> tuple[Any, ...]:
        """Positions of the elements that are not zero, an array for each axis."""
        return _function("np.nonzero")(self)

    def searchsorted(self, v: Any, side: str = "left", sorter: Any = None, *, method: str = "scan") -> Any:
        """Where elements of `v` would have to stand for the order to be kept."""
        return _function("np.searchsorted")(self, v, side)

    def to_device(self, device: Any, *, stream: Any = None) -> Any:
        """Itself: there is one device."""
        return self

    @property
    def T(self) -> Any:
        """Axes reversed."""
        return _function("np.transpose")(self)

    @property
    def mT(self) -> Any:
        """The last two axes swapped."""
        return _function("np.matrixTranspose")(self)

    @property
    def real(self) -> Any:
        """Itself: arrays are real."""
        return self

    @property
    def imag(self) -> Any:
        """Zeros: arrays are real."""
        return _function("np.zerosLike")(self)

    def conj(self) -> Any:
        """Itself: arrays are real."""
        return self

    conjugate = conj

    @property
    def flat(self) -> NoReturn:
        """Not there: arrays can't be written to."""
        raise NotImplementedError("JAX Arrays do not implement the arr.flat property: consider arr.flatten() instead.")

    @property
    def device(self) -> Any:
        """The one device."""
        from .devices import DEVICE

        return DEVICE

    def devices(self) -> set[Any]:
        """The one device, in a set."""
        return {self.device}

    @property
    def sharding(self) -> Any:
        """On the one device."""
        from .devices import SingleDeviceSharding

        return SingleDeviceSharding(self.device)

    committed = property(lambda self: False)
    is_fully_addressable = property(lambda self: True)
    is_fully_replicated = property(lambda self: True)

    def addressable_data(self, index: int) -> Any:
        """Itself: there is one device."""
        return self


#: Methods under JAX's names whose functions the registry lists.
_AS_THEY_ARE = (
    "all", "any", "argmax", "argmin", "argsort", "clip", "cumprod", "cumsum", "diagonal", "dot", "max", "mean", "min",
    "prod", "ptp", "ravel", "repeat", "round", "squeeze", "std", "sum", "swapaxes", "take", "trace", "var",
)


def _method(name: str) -> Any:
    made = None

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal made
        if made is None:
            made = _function(f"np.{name}")
        return made(self, *args, **kwargs)

    method.__name__ = name
    method.__doc__ = f"`jax.numpy.{name}` of the array."
    return method


for _name in _AS_THEY_ARE:
    setattr(Methods, _name, _method(_name))
