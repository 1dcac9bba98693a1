"""Arrays as programs see them: handles of values in the engine, and tracers standing for such values.

A concrete array frees its handle when Python lets go of it. A tracer's handle dies with its transform, which the
engine sees to; one that is used afterwards has leaked.
"""

from __future__ import annotations

import operator
from array import array as packed
from math import prod
from typing import Any, Iterator, NoReturn

import _cotangent as js
import numpy as np

from . import engine
from .dtypes import DTYPES, ITEM_SIZES, NAMES, SHORT, dtype_code, dtype_name, is_dtype
from .engine import BOOL, ELLIPSIS, FLOAT, LIST, NAN, NEWAXIS, NONE, NUMBER, SLICE, STR, VALUE

#: Nested lists of more numbers than this are packed before they cross.
_PACK_FROM = 64
#: Lists nest as deeply as arrays may have axes; deeper ones may contain themselves.
_MAX_NESTING = 64

_window = engine._window
_free = js.free


class Array:
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
    def at(self) -> IndexHelper:
        """`x.at[index]`: ways to read or to update elements; each gives a new array."""
        return IndexHelper(self)

    def __getitem__(self, index: Any) -> Any:
        return _call_indexed("array.get", self, index)

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
            yield _call_indexed("array.get", self, i)

    def __reversed__(self) -> Iterator[Any]:
        if not self.shape:
            raise engine.failure("TypeError", "iteration over a 0-d array")
        for i in range(self.shape[0] - 1, -1, -1):
            yield _call_indexed("array.get", self, i)

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
        if isinstance(self, Tracer):
            engine.check(js.ask("refuseTracer", handle_of(self), "tolist()", engine.site()))
        return self._value.tolist()

    def tobytes(self, order: str = "C") -> bytes:
        """The elements as bytes, row-major."""
        return self._value.tobytes()

    def block_until_ready(self) -> Array:
        """Itself: nothing is computed later."""
        return self

    copy_to_host_async = block_until_ready

    def copy(self) -> Array:
        """An array of the same elements."""
        return _function("np.array")(self)

    def view(self, dtype: Any = None, type: Any = None) -> Array:
        """The same bits as elements of another dtype of the same width."""
        return self if dtype is None else _function("lax.bitcastConvertType")(self, dtype)

    def flatten(self, order: str = "C", out_sharding: Any = None) -> Array:
        """The elements along one axis."""
        return _function("np.ravel")(self, order)

    def reshape(self, *args: Any, order: str = "C", copy: bool | None = None, out_sharding: Any = None) -> Array:
        """The same elements in another shape, given as one tuple or size by size."""
        shape = args[0] if len(args) == 1 else args
        return _function("np.reshape")(self, shape, order=order)

    def transpose(self, *args: Any) -> Array:
        """Axes reversed, or permuted as given."""
        axes = args[0] if len(args) == 1 and not isinstance(args[0], int) else args or None
        return _function("np.transpose")(self, axes)

    def astype(self, dtype: Any, copy: bool = False, device: Any = None) -> Array:
        """The elements in another dtype."""
        return _function("np.astype")(self, dtype)

    def sort(self, axis: int | None = -1, *, kind: None = None, order: None = None, stable: bool = True,
             descending: bool = False) -> Array:
        """Elements in ascending order along an axis."""
        return _function("np.sort")(self, axis, stable=stable, descending=descending)

    def nonzero(self, *, fill_value: Any = None, size: int | None = None) -> tuple[Array, ...]:
        """Positions of the elements that are not zero, an array for each axis."""
        return _function("np.nonzero")(self)

    def searchsorted(self, v: Any, side: str = "left", sorter: Any = None, *, method: str = "scan") -> Array:
        """Where elements of `v` would have to stand for the order to be kept."""
        return _function("np.searchsorted")(self, v, side)

    def to_device(self, device: Any, *, stream: Any = None) -> Array:
        """Itself: there is one device."""
        return self

    @property
    def T(self) -> Array:
        """Axes reversed."""
        return _function("np.transpose")(self)

    @property
    def mT(self) -> Array:
        """The last two axes swapped."""
        return _function("np.matrixTranspose")(self)

    @property
    def real(self) -> Array:
        """Itself: arrays are real."""
        return self

    @property
    def imag(self) -> Array:
        """Zeros: arrays are real."""
        return _function("np.zerosLike")(self)

    def conj(self) -> Array:
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

    def addressable_data(self, index: int) -> Array:
        """Itself: there is one device."""
        return self

    def __reduce__(self) -> Any:
        return _restore, (self._value.tobytes(), self.shape, NAMES[self._code], self.weak_type)

    def __copy__(self) -> Array:
        return self

    def __deepcopy__(self, memo: Any) -> Array:
        return self

    def __getattr__(self, name: str) -> Any:
        message = f"{_class_name(self)} has no attribute {name}"
        if name in _NOT_HERE:
            message = f"the method `{name}` of arrays is not in Cotangent"
        raise AttributeError(message, name=name, obj=self)


_NOT_HERE = {"argpartition", "choose", "compress", "partition"}


class ArrayImpl(Array):
    """A concrete array."""

    __slots__ = ("_session",)
    _session: int

    def __del__(self, free: Any = _free, engine: Any = engine) -> None:
        if self._session == engine.session:
            free(self._handle)

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


class ShapedArray:
    """The type of an array: shape, dtype, weakness."""

    __slots__ = ("shape", "dtype", "weak_type")

    def __init__(self, shape: Any, dtype: Any, weak_type: bool = False) -> None:
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype) if not hasattr(dtype, "kind") else dtype
        self.weak_type = weak_type

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: prod(self.shape))

    def str_short(self, short_dtypes: bool = False) -> str:
        """`f32[3]`, or `float32[3]`."""
        name = self.dtype.name
        if short_dtypes and name in NAMES:
            name = SHORT[NAMES.index(name)]
        return f"{name}[{','.join(map(str, self.shape))}]"

    def __repr__(self) -> str:
        weak = ", weak_type=True" if self.weak_type else ""
        return f"ShapedArray({self.str_short()}{weak})"

    def __str__(self) -> str:
        return f"{'~' if self.weak_type else ''}{self.str_short()}"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapedArray) and (self.shape, self.dtype, self.weak_type) == (
            other.shape, other.dtype, other.weak_type,
        )

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype.name, self.weak_type))


def _class_name(x: Array) -> str:
    return "DynamicJaxprTracer" if isinstance(x, Tracer) else type(x).__name__


def _restore(data: bytes, shape: tuple[int, ...], dtype: str, weak: bool) -> Array:
    return new_array(data, shape, NAMES.index(dtype), weak)


def _function(name: str) -> Any:
    from .registry import function

    return function(name)


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


def read_first() -> Any:
    """Reads the one result of a call."""
    tag, handle, code, weak, traced, rank = _window[:6].tolist()
    if tag == VALUE and rank <= 32:
        shape = tuple(map(int, _window[6 : 6 + int(rank)].tolist()))
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


# -- arguments --------------------------------------------------------------------------------------------------


def encode(tape: list[float], v: Any, depth: int = 0) -> None:
    """Appends an argument to a tape under construction."""
    kind = type(v)
    if kind is ArrayImpl or kind is Tracer:
        tape += (VALUE, handle_of(v))
    elif kind is float:
        tape += (FLOAT, v)
    elif kind is int:
        tape += (NUMBER, v)
    elif kind is bool:
        tape += (BOOL, v)
    elif v is None:
        tape.append(NEWAXIS)
    elif kind is str:
        tape += (STR, js.putString(v))
    elif kind is list or kind is tuple:
        _encode_list(tape, v, depth)
    else:
        _encode_other(tape, v, depth)


def _encode_list(tape: list[float], v: Any, depth: int) -> None:
    if depth >= _MAX_NESTING:
        raise engine.failure("ValueError", f"a list is nested more than {_MAX_NESTING} levels deep, or contains itself")
    first = v[0] if v else None
    if len(v) * (len(first) if isinstance(first, (list, tuple)) else 1) >= _PACK_FROM:
        found = _pack(v)
        if found is not None:
            tape += (VALUE, _hold(found))
            return
    tape += (LIST, len(v))
    for item in v:
        encode(tape, item, depth + 1)


#: Arrays made for the call that is being put together live until the next one.
_held: list[Array] = []


def _hold(x: Array) -> float:
    if len(_held) >= 64:
        del _held[:32]
    _held.append(x)
    return handle_of(x)


def _encode_other(tape: list[float], v: Any, depth: int) -> None:
    if isinstance(v, slice):
        tape.append(SLICE)
        for part in (v.start, v.stop, v.step):
            tape.append(NAN if part is None else _static_index(part, v))
    elif v is Ellipsis:
        tape.append(ELLIPSIS)
    elif isinstance(v, (np.ndarray, np.generic)):
        tape += (VALUE, _hold(from_numpy(v)))
    elif is_dtype(v):
        tape += (STR, js.putString(dtype_name(v)))
    elif isinstance(v, bool):
        tape += (BOOL, v)
    elif isinstance(v, int):
        tape += (NUMBER, int(v))
    elif isinstance(v, float):
        tape += (FLOAT, float(v))
    elif isinstance(v, (list, tuple)):
        _encode_list(tape, v, depth)
    elif isinstance(v, str):
        tape += (STR, js.putString(str(v)))
    elif hasattr(v, "__jax_array__"):
        encode(tape, v.__jax_array__(), depth)
    elif hasattr(v, "__array__"):
        tape += (VALUE, _hold(from_numpy(np.asarray(v))))
    elif isinstance(v, range):
        encode(tape, list(v), depth)
    elif isinstance(v, complex):
        raise engine.failure("TypeError", "complex numbers are not in Cotangent: arrays are real")
    elif hasattr(v, "shape") and hasattr(v, "dtype"):
        # A type without elements, as `zeros_like` and its kin take it.
        tape += (VALUE, _hold(_function("np.zeros")(v.shape, v.dtype)))
    elif isinstance(v, packed):
        encode(tape, v.tolist(), depth)
    else:
        raise NotAnArgument(v)


class NotAnArgument(Exception):
    """Something that is neither an array nor an option; the caller knows for which function, and says so."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


def _static_index(part: Any, whole: slice) -> int:
    if isinstance(part, Tracer):
        raise engine.failure(
            "IndexError",
            "Array slice indices must have static start/stop/step to be used with NumPy indexing syntax. "
            f"Found slice({whole.start}, {whole.stop}, {whole.step}). To index a statically sized array at a dynamic "
            "position, try lax.dynamic_slice/dynamic_update_slice (JAX does not support dynamically sized arrays "
            "within JIT compiled functions).",
        )
    try:
        return operator.index(part)
    except TypeError:
        raise engine.failure(
            "TypeError", "slice indices must be integers or None or have an __index__ method"
        ) from None


def _pack(rows: Any) -> Array | None:
    """A long nested list of plain numbers as an array; None where it is ragged or holds other things."""
    shape = []
    row = rows
    while isinstance(row, (list, tuple)):
        shape.append(len(row))
        row = row[0] if row else None
        if len(shape) > _MAX_NESTING:
            return None
    flat = rows
    for size in shape[1:]:
        if not all(isinstance(row, (list, tuple)) and len(row) == size for row in flat):
            return None
        flat = [x for row in flat for x in row]
    kinds = set(map(type, flat))
    if kinds == {int}:
        try:
            return new_array(packed("i", flat), tuple(shape), 1)
        except OverflowError:
            return None
    if kinds and kinds <= {int, float}:
        x64 = js.isX64()
        return new_array(packed("d" if x64 else "f", flat), tuple(shape), 4 if x64 else 3)
    return new_array(bytes(flat), tuple(shape), 0) if kinds == {bool} else None


def _encode_index(tape: list[float], index: Any) -> None:
    parts = index if type(index) is tuple else (index,)
    tape += (LIST, len(parts))
    for part in parts:
        kind = type(part)
        if kind is int:
            tape += (NUMBER, part)
        elif kind is list or kind is tuple:
            if type(index) is not tuple:
                raise engine.failure(
                    "TypeError",
                    "Using a non-tuple sequence for multidimensional indexing is not allowed; use `arr[array(seq)]` "
                    "instead of `arr[seq]`. See https://github.com/jax-ml/jax/issues/4564 for more information.",
                )
            encode(tape, _function("np.array")(list(part)) if part else [])
        elif kind is str:
            raise engine.failure(
                "TypeError",
                "JAX does not support string indexing; got idx=" + (f"{index!r}" if type(index) is tuple else f"({part!r},)"),
            )
        else:
            encode(tape, part)


def _call_indexed(name: str, x: Array, index: Any, *rest: Any) -> Any:
    """Calls a registry function whose second argument is an index."""
    from .registry import number_of

    tape = [VALUE, handle_of(x)]
    try:
        _encode_index(tape, index)
        for v in rest:
            encode(tape, v)
    except NotAnArgument as wrong:
        raise engine.failure(
            "TypeError",
            f"Indexer must have integer or boolean type, got indexer with type {type(wrong.value)} at position 0, "
            f"indexer value {wrong.value}",
        ) from None
    engine.call(number_of(name), 2 + len(rest), tape)
    return read_first()


class IndexHelper:
    """`x.at`."""

    __slots__ = ("array",)

    def __init__(self, array: Any) -> None:
        self.array = array

    def __getitem__(self, index: Any) -> IndexUpdate:
        return IndexUpdate(self.array, index)

    def __repr__(self) -> str:
        return f"_IndexUpdateHelper({self.array!r})"


def _update(method: str) -> Any:
    def update(self: IndexUpdate, values: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False,
               mode: Any = None, wrap_negative_indices: bool = True, out_sharding: Any = None) -> Any:
        return _call_indexed(f"at.{method}", self.array, self.index, values, _mode(mode))

    update.__name__ = method
    update.__doc__ = f"The array with elements there changed by `{method}`."
    return update


def _mode(mode: Any) -> Any:
    return getattr(mode, "name", mode) if mode is not None and not isinstance(mode, str) else mode


class IndexUpdate:
    """`x.at[index]`."""

    __slots__ = ("array", "index")

    def __init__(self, array: Any, index: Any) -> None:
        self.array = array
        self.index = index

    def __repr__(self) -> str:
        return f"_IndexUpdateRef({self.array!r}, {self.index!r})"

    set = _update("set")
    add = _update("add")
    subtract = _update("subtract")
    multiply = mul = _update("multiply")
    divide = _update("divide")
    power = _update("power")
    min = _update("min")
    max = _update("max")

    def get(self, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
            fill_value: Any = None, wrap_negative_indices: bool = True, out_sharding: Any = None) -> Any:
        """The elements there."""
        return _call_indexed("at.get", self.array, self.index, _mode(mode), fill_value)

    def apply(self, func: Any, *, indices_are_sorted: bool = False, unique_indices: bool = False, mode: Any = None,
              wrap_negative_indices: bool = True) -> Any:
        """The elements there replaced by what `func` makes of them."""
        return self.set(func(self.get(mode=mode)), mode=mode)


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


# -- operators --------------------------------------------------------------------------------------------------

_OPERATORS = {
    "add": "np.add",
    "sub": "np.subtract",
    "mul": "np.multiply",
    "truediv": "np.trueDivide",
    "floordiv": "np.floorDivide",
    "mod": "np.remainder",
    "divmod": "np.divmod",
    "pow": "np.power",
    "matmul": "np.matmul",
    "and": "np.bitwiseAnd",
    "or": "np.bitwiseOr",
    "xor": "np.bitwiseXor",
    "lshift": "np.leftShift",
    "rshift": "np.rightShift",
}
_COMPARISONS = {
    "eq": "np.equal",
    "ne": "np.notEqual",
    "lt": "np.less",
    "le": "np.lessEqual",
    "gt": "np.greater",
    "ge": "np.greaterEqual",
}
_UNARY = {"neg": "np.negative", "pos": "np.positive", "invert": "np.bitwiseNot", "abs": "np.abs"}

_OPERANDS = {ArrayImpl, Tracer, int, float, bool}


def _is_operand(v: Any) -> bool:
    return isinstance(v, (np.ndarray, np.generic, int, float, Array, complex)) or hasattr(v, "__jax_array__")


def _binary(name: str, swapped: bool) -> Any:
    number = None

    def operate(self: Array, other: Any) -> Any:
        nonlocal number
        kind = type(other)
        if kind not in _OPERANDS and not _is_operand(other):
            return NotImplemented
        if number is None:
            from .registry import number_of

            number = number_of(name)
        tape: list[float] = []
        if swapped:
            encode(tape, other)
            tape += (VALUE, handle_of(self))
        else:
            tape += (VALUE, handle_of(self))
            encode(tape, other)
        engine.call(number, 2, tape)
        out = read_first()
        return tuple(out) if type(out) is list else out

    return operate


def _unary(name: str) -> Any:
    def operate(self: Array) -> Any:
        return _function(name)(self)

    return operate


def _install() -> None:
    for op, name in _OPERATORS.items():
        setattr(Array, f"__{op}__", _binary(name, False))
        setattr(Array, f"__r{op}__", _binary(name, True))
    for op, name in _COMPARISONS.items():
        setattr(Array, f"__{op}__", _binary(name, False))
    for op, name in _UNARY.items():
        setattr(Array, f"__{op}__", _unary(name))


_install()
