"""Functions as jaxprs: `make_jaxpr`, `eval_shape`, and types without elements."""

from __future__ import annotations

import json
from typing import Any, Callable

from . import host as js
import numpy as np

from . import engine, tree
from .array import Array
from .aval import ShapedArray
from .dtypes import DTYPES, canonicalize_dtype
from .engine import Reader
from .functions import check_callable, is_value, leaf_names, name_of, renamed, trace
from .transforms import encoded_avals


class ShapeDtypeStruct:
    """Shape and dtype of an array that need not exist."""

    __slots__ = ("shape", "dtype", "weak_type", "sharding")

    def __init__(self, shape: Any, dtype: Any, *, sharding: Any = None, weak_type: bool = False, **_: Any) -> None:
        if dtype is None:
            raise engine.failure("ValueError", "ShapeDtypeStruct: dtype must be specified.")
        try:
            self.shape = tuple(int(n) if not isinstance(n, int) else n for n in shape)
        except TypeError:
            raise engine.failure(
                "TypeError", f"'{type(shape).__name__}' object is not iterable"
            ) from None
        self.dtype = dtype.dtype if isinstance(dtype, Array) else np.dtype(dtype)
        self.weak_type = weak_type
        self.sharding = sharding

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        n = 1
        for length in self.shape:
            n *= length
        return n

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def update(self, **changes: Any) -> ShapeDtypeStruct:
        """The same with other values for some of its fields."""
        fields = {"shape": self.shape, "dtype": self.dtype, "weak_type": self.weak_type}
        return ShapeDtypeStruct(**{**fields, **changes})

    def __repr__(self) -> str:
        weak = ", weak_type=True" if self.weak_type else ""
        return f"ShapeDtypeStruct(shape={self.shape}, dtype={self.dtype.name}{weak})"

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ShapeDtypeStruct) and (self.shape, self.dtype) == (other.shape, other.dtype)

    def __hash__(self) -> int:
        return hash((self.shape, self.dtype.name))


class Primitive:
    """An operation that has rules, by its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Primitive) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


class JaxprEqn:
    """An equation of a jaxpr as it is printed."""

    def __init__(self, text: str, primitive: str) -> None:
        self.text = text
        self.primitive = Primitive(primitive)

    def __repr__(self) -> str:
        return self.text


class Jaxpr:
    """A jaxpr: prints as JAX prints it."""

    def __init__(self, report: str, in_avals: list[ShapedArray], out_avals: list[ShapedArray]) -> None:
        found = json.loads(report)
        self.text = found["text"]
        #: Where every equation stands in the text, and the site of the call that made it.
        self.ranges = found["equations"]
        self.in_avals = in_avals
        self.out_avals = out_avals

    @property
    def jaxpr(self) -> Jaxpr:
        """Itself: constants are kept with it."""
        return self

    @property
    def eqns(self) -> list[JaxprEqn]:
        """Its own equations, not those of functions inside."""
        out, end = [], -1
        for entry in self.ranges:
            if entry["from"] >= end:
                out.append(JaxprEqn(self.text[entry["from"] : entry["to"]].strip(), entry["primitive"]))
                end = entry["to"]
        return out

    def pretty_print(self, **_: Any) -> str:
        """Its text."""
        return self.text

    def __repr__(self) -> str:
        return self.text


#: The jaxpr that the program made last.
last: Jaxpr | None = None


def last_report() -> Any:
    """Text and equations of the jaxpr the program made last, or of the transformed function that it called last, traced
    once more in silence; None where there is none."""
    made = last
    if made is None and engine.last_call is not None:
        f, args, kwargs = engine.last_call
        js.setMuted(True)
        try:
            types = tree.map(_type_of, (args, kwargs))
            made = make_jaxpr(f)(*types[0], **types[1])
        except Exception:
            return None
        finally:
            js.setMuted(False)
    return made and {"text": made.text, "equations": made.ranges}


def _type_of(leaf: Any) -> Any:
    if not isinstance(leaf, Array):
        return leaf
    return ShapeDtypeStruct(leaf.shape, leaf.dtype, weak_type=leaf.weak_type)


def _trace_abstractly(transform: str, f: Any, args: Any, kwargs: Any) -> tuple[int, list[ShapeDtypeStruct], Any, list[Any]]:
    check_callable(f)
    leaves, structure = tree.flatten((args, kwargs))
    for leaf in leaves:
        if not is_value(leaf) and not hasattr(leaf, "shape"):
            raise engine.failure("TypeError", f"Argument '{leaf}' of type {type(leaf)} is not a valid JAX type.")
    name = name_of(f)
    traced = trace(
        structure, lambda given: f(*given[0], **given[1]), transform, name, lambda: leaf_names(f, args, kwargs)
    )
    engine.invoke("traceCall", encoded_avals(leaves), transform, traced.id, name)
    reader = Reader()
    number = reader.count()
    types = []
    for _ in range(reader.count()):
        code, weak, rank = reader.count(), reader.next() != 0, reader.count()
        shape = tuple(reader.count() for _ in range(rank))
        types.append(ShapeDtypeStruct.__new__(ShapeDtypeStruct))
        types[-1].shape, types[-1].dtype, types[-1].weak_type, types[-1].sharding = shape, DTYPES[code], weak, None
    return number, types, traced.out, leaves


def make_jaxpr(
    fun: Callable[..., Any], static_argnums: Any = (), axis_env: Any = None, return_shape: bool = False,
    abstracted_axes: Any = None,
) -> Callable[..., Any]:
    """The jaxpr of a function: `make_jaxpr(fun)(*args)` prints as JAX prints it."""
    check_callable(fun)
    statics = {static_argnums} if isinstance(static_argnums, int) else set(static_argnums)

    def jaxpr_of(*args: Any, **kwargs: Any) -> Any:
        n = len(args)
        at = {i % n for i in statics if -n <= i < n} if n else set()
        dynamic = tuple(arg for i, arg in enumerate(args) if i not in at)

        def call(*values: Any, **named: Any) -> Any:
            rest = iter(values)
            return fun(*(args[i] if i in at else next(rest) for i in range(n)), **named)

        target = renamed(fun, call) if at else fun
        number, types, out, leaves = _trace_abstractly("make_jaxpr", target, dynamic, kwargs)
        report = js.jaxprReport(number)
        js.dropHeld(number)
        made = Jaxpr(report, [_aval(leaf) for leaf in leaves], [ShapedArray(t.shape, t.dtype, t.weak_type) for t in types])
        global last
        last = made
        return (made, tree.unflatten(out, types)) if return_shape else made

    renamed(fun, jaxpr_of)
    jaxpr_of.__name__ = f"make_jaxpr({name_of(fun)})"
    return jaxpr_of


def _aval(leaf: Any) -> ShapedArray:
    from .dtypes import dtype_of

    weak = getattr(leaf, "weak_type", type(leaf) in (int, float))
    return ShapedArray(getattr(leaf, "shape", ()), canonicalize_dtype(dtype_of(leaf)), weak)


def typeof(x: Any) -> ShapedArray:
    """The type of a value: `float32[3]`."""
    if not is_value(x) and not hasattr(x, "shape"):
        raise engine.failure("TypeError", f"Argument '{x}' of type '{type(x)}' is not a valid JAX type")
    return _aval(x)


def eval_shape(fun: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Shapes and dtypes of a function's results, without computing them."""
    number, types, out, _ = _trace_abstractly("eval_shape", fun, args, kwargs)
    js.dropHeld(number)
    return tree.unflatten(out, types)


class Lowered:
    """What `jit(f).lower(...)` and `.trace(...)` give: the jaxpr; there is no code of a compiler to look at."""

    def __init__(
        self, f: Any, fun: Any, argnums: tuple[int, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        self._f, self._fun, self._argnums, self._args, self._kwargs = f, fun, argnums, args, kwargs

    @property
    def jaxpr(self) -> Jaxpr:
        """The jaxpr of the function."""
        return make_jaxpr(self._fun, self._argnums)(*self._args, **self._kwargs)

    @property
    def out_info(self) -> Any:
        """Types of the results."""
        return eval_shape(self._f, *self._args, **self._kwargs)

    def lower(self) -> Lowered:
        """Itself."""
        return self

    def compile(self, *_: Any, **__: Any) -> Any:
        """The function, ready to be called."""
        return self._f

    def as_text(self, *_: Any, **__: Any) -> str:
        """Not there: nothing is lowered to a compiler's language."""
        raise NotImplementedError("Cotangent runs jaxprs itself: there is no StableHLO or HLO text; print jax.make_jaxpr(f)(...)")

    compiler_ir = as_text
