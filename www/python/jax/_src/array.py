"""Arrays as programs see them: handles of values in the engine, and tracers standing for such values.

A concrete array frees its handle when Python lets go of it. A tracer's handle dies with its transform, which the
engine sees to; one that is used afterwards has leaked.
"""

from __future__ import annotations

import struct
from math import prod
from typing import Any, Iterator, NoReturn

from . import host as js
import numpy as np

from . import engine
from .aval import ShapedArray
from .dtypes import DTYPES, ITEM_SIZES, NAMES, dtype_code
from .engine import BOOL, FLOAT, LIST, NONE, NUMBER, STR, VALUE
from .methods import Methods
from .operators import Operators

_window = engine._window
_storage = engine._storage
_free = js.free


class Array(Operators, Methods):
    """An array of numbers, or a tracer standing for one. Immutable."""

    __slots__ = ("_handle", "_code", "shape", "weak_type", "__weakref__")
    # NumPy leaves operators with an ndarray on their left to us.
    __array_priority__ = 100

    _handle: float
    #: The engine's number of the dtype.
    _code: int
    shape: tuple[int, ...]
    weak_type: bool

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("jax.Array cannot be instantiated directly: use jnp.array or jnp.asarray")

    @property
    def dtype(self) -> Any:
        """The element type, NumPy's object for it."""
        return DTYPES[self._code]

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return ITEM_SIZES[self._code]

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return prod(self.shape) * ITEM_SIZES[self._code]

    @property
    def aval(self) -> ShapedArray:
        """Shape, dtype and weakness."""
        return ShapedArray(self.shape, self.dtype, self.weak_type)

    @property
    def at(self) -> Any:
        """`x.at[index]`: ways to read or to update elements; each gives a new array."""
        return _indexing().IndexHelper(self)

    def __getitem__(self, index: Any) -> Any:
        return _indexing().call_indexed("array.get", self, index)

    def __setitem__(self, index: Any, value: Any) -> NoReturn:
        raise engine.failure(
            "TypeError",
            "JAX arrays are immutable and do not support in-place item assignment. Instead of x[idx] = y, use "
            "x = x.at[idx].set(y) or another .at[] method: "
            "https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html",
        )

    def __len__(self) -> int:
        if not self.shape:
            raise engine.failure("TypeError", "len() of unsized object")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise engine.failure("TypeError", "iteration over a 0-d array")
        for i in range(self.shape[0]):
            yield _indexing().call_indexed("array.get", self, i)

    def __reversed__(self) -> Iterator[Any]:
        if not self.shape:
            raise engine.failure("TypeError", "iteration over a 0-d array")
        for i in range(self.shape[0] - 1, -1, -1):
            yield _indexing().call_indexed("array.get", self, i)

    def __contains__(self, value: Any) -> bool:
        return bool((self == value).any())

    def __hash__(self) -> int:
        raise TypeError(f"unhashable type: '{_class_name(self)}'")

    def __bool__(self) -> bool:
        engine.check(js.ask("truth", handle_of(self), engine.site()))
        return _window[0] != 0

    def __float__(self) -> float:
        return self._number("float")

    def __int__(self) -> int:
        return int(self._number("int"))

    def __complex__(self) -> complex:
        return complex(self._number("complex"))

    def __index__(self) -> int:
        if self._code not in (1, 2) or self.shape:
            if isinstance(self, Tracer):
                engine.check(js.ask("toNumber", handle_of(self), "index", engine.site()))
            raise engine.failure("TypeError", "Only integer scalar arrays can be converted to a scalar index.")
        engine.check(js.ask("toNumber", handle_of(self), "index", engine.site()))
        return int(_window[0])

    def __round__(self, ndigits: int | None = None) -> Any:
        return self.round(ndigits or 0)

    def _number(self, purpose: str) -> float:
        engine.check(js.ask("toNumber", handle_of(self), purpose, engine.site()))
        return _window[0]

    def __format__(self, spec: str) -> str:
        if isinstance(self, Tracer):
            return format(str(self), spec)
        if not self.shape:
            return format(self._value[()], spec)
        return format(self._value, spec)

    def __repr__(self) -> str:
        return _format(self, True)

    def __str__(self) -> str:
        return _format(self, False)

    def __jax_array__(self) -> Array:
        return self

    @property
    def _value(self) -> np.ndarray:
        """The elements as a NumPy array that can't be written to."""
        value = to_numpy(self)
        value.flags.writeable = False
        return value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        value = to_numpy(self) if copy else self._value
        return value if dtype is None else value.astype(dtype, copy=False)

    def __buffer__(self, flags: int) -> memoryview:
        return memoryview(self._value)

    def __reduce__(self) -> Any:
        return _restore, (self._value.tobytes(), self.shape, NAMES[self._code], self.weak_type)

    def __copy__(self) -> Array:
        return self

    def __deepcopy__(self, memo: Any) -> Array:
        return self

    @property
    def _is_traced(self) -> bool:
        return type(self) is Tracer

    def __getattr__(self, name: str) -> Any:
        message = f"{_class_name(self)!r} object has no attribute {name!r}"
        if name in _NOT_HERE:
            message = f"the method `{name}` of arrays is not in Cotangent"
        raise AttributeError(message, name=name, obj=self)


_NOT_HERE = {"argpartition", "choose", "compress", "partition"}


class ArrayImpl(Array):
    """A concrete array."""

    __slots__ = ("_session",)
    _session: int

    def __del__(self, dead: list[float] = engine.dead, engine: Any = engine) -> None:
        if self._session == engine.session:
            dead.append(self._handle)
            if len(dead) >= 24 or prod(self.shape) > 4096:
                engine.free_dead()

    def delete(self) -> None:
        """Frees the elements now. Not needed: unused arrays are freed by themselves."""
        if self._session == engine.session:
            _free(self._handle)
        self._session = 0

    def is_deleted(self) -> bool:
        """Whether `delete` has been called."""
        return self._session == 0

    @property
    def unsafe_buffer_pointer(self) -> Any:
        raise NotImplementedError("unsafe_buffer_pointer is not in Cotangent: memory is the sandbox's own")


ArrayImpl.__module__ = "jaxlib._jax"


class Tracer(Array):
    """Stands for an array while a function is traced."""

    __slots__ = ("_epoch", "_site", "_transform")
    _epoch: int
    #: Where it was made, and in which transform.
    _site: int
    _transform: str


Tracer.__module__ = "jax._src.core"


def _class_name(x: Array) -> str:
    return "DynamicJaxprTracer" if isinstance(x, Tracer) else "jaxlib._jax.ArrayImpl"


def _restore(data: bytes, shape: tuple[int, ...], dtype: str, weak: bool) -> Array:
    return new_array(data, shape, NAMES.index(dtype), weak)


def _indexing() -> Any:
    from . import indexing

    return indexing


# -- handles ----------------------------------------------------------------------------------------------------

_TRACERS = {
    "jit": "DynamicJaxprTracer",
    "make_jaxpr": "DynamicJaxprTracer",
    "eval_shape": "DynamicJaxprTracer",
    "linear_transpose": "DynamicJaxprTracer",
    "jvp": "JVPTracer",
    "jacfwd": "JVPTracer",
    "vmap": "BatchTracer",
}


def handle_of(x: Any) -> float:
    """The engine's handle of an array; raises for a tracer whose transform has ended."""
    if type(x) is ArrayImpl:
        if x._session != engine.session:
            gone = "has been deleted" if x._session == 0 else "belongs to an earlier run"
            raise engine.failure("RuntimeError", f"Array {gone} with shape={x.aval.str_short()}.")
        return x._handle
    if x._epoch != engine.epoch:
        kind = _TRACERS.get(x._transform, "LinearizeTracer")
        ref = js.raiseLeaked(x.aval.str_short(), kind, x._site, x._transform, engine.site())
        raise engine.error_of(ref)
    return x._handle


def _make(handle: float, code: int, weak: float, traced: float, shape: tuple[int, ...]) -> Array:
    if traced:
        made = object.__new__(Tracer)
        made._epoch = engine.epoch
        made._site = engine.last_site
        made._transform = engine.running
    else:
        made = object.__new__(ArrayImpl)
        made._session = engine.session
    made._handle = handle
    made._code = code
    made.shape = shape
    made.weak_type = weak != 0
    return made


def read_value(reader: engine.Reader) -> Array:
    """Reads a VALUE entry."""
    reader.next()
    return _read_body(reader)


def _read_body(reader: engine.Reader) -> Array:
    read = reader.next
    handle, code, weak, traced = read(), int(read()), read(), read()
    shape = tuple([int(read()) for _ in range(int(read()))])
    return _make(handle, code, weak, traced, shape)


def read_values(reader: engine.Reader) -> list[Array]:
    """Reads a counted run of values."""
    return [read_value(reader) for _ in range(reader.count())]


_head = struct.Struct("6d").unpack_from
#: Functions that read so many sizes behind the head of a value.
_sizes = [struct.Struct(f"{rank}d").unpack_from for rank in range(9)]


def read_first() -> Any:
    """Reads the one result of a call."""
    tag, handle, code, weak, traced, rank = _head(_storage)
    if tag == VALUE and rank < 9:
        shape = tuple(map(int, _sizes[int(rank)](_storage, 48))) if rank else ()
        return _make(handle, int(code), weak, traced, shape)
    return read_result(engine.Reader())


def read_result(reader: engine.Reader) -> Any:
    """Reads any result; lists come as lists."""
    tag = reader.next()
    if tag == VALUE:
        return _read_body(reader)
    if tag == NONE:
        return None
    if tag == NUMBER:
        return int(reader.next())
    if tag == FLOAT:
        return reader.next()
    if tag == BOOL:
        return reader.next() != 0
    if tag == STR:
        return reader.text()
    if tag == LIST:
        return [read_result(reader) for _ in range(reader.count())]
    return {reader.text(): read_result(reader) for _ in range(reader.count())}


# -- elements ---------------------------------------------------------------------------------------------------


def new_array(data: Any, shape: tuple[int, ...], code: int, weak: bool = False) -> Array:
    """Makes an array of raw elements, row-major; `data` has the buffer protocol and is copied."""
    n = engine.write([code, float(weak), len(shape), *shape])
    engine.check(js.invoke("newArray", n, engine.site()))
    made = read_first()
    if made.nbytes:
        js.writeMemory(int(_window[6 + len(shape)]), memoryview(data))
    return made


def from_numpy(x: Any) -> Array:
    """The engine's array of NumPy's elements; 64-bit types become 32-bit ones unless x64 is on."""
    x = np.asarray(x)
    kind = x.dtype.kind
    if kind not in "biuf":
        what = "object" if kind == "O" else x.dtype.name
        raise engine.failure(
            "TypeError",
            f"Value '{x}' with dtype {what} is not a valid JAX array type. Only arrays of numeric types are supported by JAX.",
        )
    code = dtype_code(x.dtype) if x.dtype.name not in _NARROW else _NARROW[x.dtype.name]
    if x.dtype.name != NAMES[code]:
        x = x.astype(NAMES[code])
    return new_array(x.tobytes(), x.shape, code)


#: Types of NumPy that the engine holds in wider ones.
_NARROW = {"int8": 1, "int16": 1, "uint8": 2, "uint16": 2, "float16": 3, "bfloat16": 3}


def to_numpy(x: Array) -> np.ndarray:
    """A copy of the elements; raises the concretization error for a tracer."""
    if x._code == 6:
        raise engine.failure(
            "TypeError",
            "JAX array with PRNGKey dtype cannot be converted to a NumPy array. Use jax.random.key_data(arr) if you wish "
            "to extract the underlying integer array.",
        )
    engine.check(js.ask("arrayData", handle_of(x), engine.site()))
    at, length = int(_window[0]), int(_window[1])
    data = bytearray(length)
    if length:
        js.readMemory(at, length).assign_to(data)
    dtype = x.dtype if x._code < 5 else np.dtype("bool")
    return np.frombuffer(data, dtype=dtype).reshape(x.shape) if length else np.zeros(x.shape, dtype)


def _format(x: Array, as_repr: bool) -> str:
    engine.check(js.ask("formatValue", handle_of(x), as_repr, engine.site()))
    return js.string(int(_window[0]))
