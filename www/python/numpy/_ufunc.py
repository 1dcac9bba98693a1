"""The class of universal functions: choosing the loop's type, broadcasting, `out`, `where`, and writing results.

How results are folded along axes (`reduce`, `accumulate` …) stands in `_folding`; what a single element becomes
in `_operations`; quick loops in `_kernels`.
"""

from __future__ import annotations

from itertools import repeat
from math import prod
from typing import Any, Callable

from . import _array as _a
from . import _convert, _errors, _folding, _kernels, _memory
from . import _dtypes as _d
from ._convert import NotAnArray
from ._operations import TABLE, raised
from ._scalars import box, false_, generic, true_

_KIND = {bool: "b", int: "i", float: "f", complex: "c"}
_WEAK_DEFAULT = {"b": _d.bool_, "i": _d.int64, "f": _d.float64, "c": _d.complex128}
_RANK = "bifc"
_SMALL = 24  # below so many elements Python's own loop is as quick as a call
_LOOP = {"b": "b", "i": "i", "u": "i", "f": "f", "V": "f", "c": "c", "U": "U"}
Resolver = Callable[["ufunc", _d.dtype], tuple[_d.dtype, _d.dtype]]


class UFuncTypeError(TypeError):
    """A ufunc was given types for which it has no loop, or an `out` of the wrong type."""


class ufunc:
    """A function applied element by element, with broadcasting, `out=`, `where=`, `dtype=` and folding methods."""

    def __init__(self, name: str, nin: int, resolve: Resolver, identity: Any = None, nout: int = 1,
                 table: str | None = None) -> None:
        self.__name__ = self.__qualname__ = name
        self.nin, self.nout, self.nargs = nin, nout, nin + nout
        self.identity = identity
        self.signature = None
        self._resolve = resolve
        self._table = TABLE[table or name]
        self._kernel = table or name
        self._plans: dict[Any, Any] = {}
        self._floating = nin == 2 and resolve.__name__ == "_real_floats"
        self.__doc__ = f"{name}({', '.join('x1 x2'.split()[:nin])}, /, out=None, *, where=True, dtype=None)"

    __module__ = "numpy"

    def __repr__(self) -> str:
        return f"<ufunc '{self.__name__}'>"

    def __reduce__(self) -> str:
        return self.__name__

    @property
    def types(self) -> list[str]:
        """The loops, as "dd->d"."""
        found = []
        for held in _d.ALL[:-1]:
            try:
                loop, result = self._resolve(self, held)
            except TypeError:
                continue
            if loop is held:
                found.append(f"{held.char * self.nin}->{result.char * self.nout}")
        return found

    ntypes = property(lambda self: len(self.types))

    # --- calls ------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **options: Any) -> Any:
        if not options and len(args) == self.nin:
            made = self._short(args)
            if made is not None:
                return made
        return self._general(args, **options)

    def _short(self, args: Any) -> Any:
        """The result for few elements without detours; None where the general way must be taken."""
        first = args[0]
        if type(first) is not _a.ndarray or self.nout != 1:
            return None
        held = first._dtype
        shape = first._shape
        key: Any = held
        if len(args) == 2:
            second = args[1]
            if type(second) is _a.ndarray:
                if second._dtype is not held or second._shape != shape:
                    return None
            elif type(second) in _KIND:
                key = (held, type(second))
            else:
                return None
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._plan(held, key)
        loop, result, fast = plan
        if loop is not held or not shape or prod(shape) >= _SMALL:
            return None
        try:
            if len(args) == 1:
                values = list(map(fast, first._values()))
            elif key is held:
                values = list(map(fast, first._values(), second._values()))
            else:
                values = list(map(fast, first._values(), repeat(self._python(second, loop))))
        except (ZeroDivisionError, ValueError, OverflowError):
            return None
        if raised:
            raised.clear()
            return None
        return _a.from_values(values, shape, result)

    def _plan(self, held: Any, key: Any) -> Any:
        """Loop, result and quick function for a dtype (with a Python scalar of a type); no loop where it is special."""
        try:
            common = held if key is held else _d.with_weak(held, _KIND[key[1]])
            loop, result = self._resolve(self, common)
            found = self._table.get(loop.name) or self._table.get(_LOOP[loop.kind])
        except TypeError:
            found = None
        if found is None or held.kind == "U" or (self._kernel == "power" and loop.kind in "iu"):
            return None, None, None
        return loop, result, found[0]

    def _general(self, args: Any, out: Any = None, where: Any = True, dtype: Any = None, casting: str = "same_kind",
                 order: str = "K", subok: bool = True, signature: Any = None, axis: Any = None) -> Any:
        nin = self.nin
        if len(args) != nin:
            if len(args) == nin + 1 and out is None:
                args, out = args[:nin], args[nin]
            else:
                raise TypeError(
                    f"{self.__name__}() takes {f'from {nin} to {self.nargs}' if self.nargs > nin else nin} positional "
                    f"arguments but {len(args)} were given"
                )
        inputs, common, weak = self._inputs(args)
        if dtype is not None:
            common = _d.as_dtype(dtype)
        loop, result = self._resolve(self, common)
        if out is None and where is True:
            for each in inputs:
                if type(each) is _a.ndarray:
                    break
            else:
                return self._scalar(inputs, loop, result)
        if out is not None and type(out) is tuple:
            out = out[0] if self.nout == 1 else out
        return self._arrays(inputs, loop, result, out, where, casting)

    def _inputs(self, args: Any) -> tuple[list[Any], Any, str | None]:
        """Arguments as arrays (with axes or without), NumPy scalars or Python scalars; and their common dtype."""
        common = None
        weak = None
        inputs = []
        for arg in args:
            kind = type(arg)
            if kind is _a.ndarray:
                held = arg._dtype
                common = held if common is None or common is held else self._promote(common, held)
            elif kind in _KIND:
                rank = _KIND[kind]
                if weak is None or _RANK.index(rank) > _RANK.index(weak):
                    weak = rank
            else:
                if not isinstance(arg, generic):
                    try:
                        arg = _convert.asarray(arg)
                    except NotAnArray:
                        raise NotAnArray(
                            f"unsupported operand type(s) for {self.__name__}: '{type(arg).__name__}'"
                        ) from None
                held = arg.dtype
                common = held if common is None or common is held else self._promote(common, held)
            inputs.append(arg)
        if common is None:
            common = _WEAK_DEFAULT[weak]
            if weak == "i":
                for arg in args:
                    if not -(1 << 63) <= arg < 1 << 63:
                        common = _d.uint64 if 0 <= arg < 1 << 64 else _d.float64
        elif weak is not None:
            common = _d.with_weak(common, weak)
        return inputs, common, weak

    def _promote(self, first: Any, second: Any) -> Any:
        try:
            if self._floating:  # each whole number becomes a float by itself: int8 and uint8 meet in float16
                return _d.promote(_d.float_for(first), _d.float_for(second))
            return _d.promote(first, second)
        except TypeError:
            raise UFuncTypeError(
                f"ufunc '{self.__name__}' did not contain a loop with signature matching types ({first!r}, "
                f"{second!r}) -> None"
            ) from None

    def _entry(self, loop: Any) -> tuple[Any, Any]:
        found = self._table.get(loop.name) or self._table.get(_LOOP[loop.kind])
        if found is None:
            self.unsupported()
        return found

    def unsupported(self) -> None:
        """Raises the error for types without a loop."""
        raise TypeError(
            f"ufunc '{self.__name__}' not supported for the input types, and the inputs could not be safely coerced "
            "to any supported types according to the casting rule ''safe''"
        )

    def _python(self, value: Any, loop: Any) -> Any:
        """A scalar as the loop takes it."""
        kind = type(value)
        if kind is int and loop.kind in "iu":
            if not loop._low <= value <= loop._high and not self._compares:
                raise OverflowError(f"Python integer {value} out of bounds for {loop.name}")
            return value
        if kind not in _KIND:
            held = value.dtype
            value = value._v if isinstance(value, generic) else value._values()[0]
            if held is loop:
                return value
        if loop.kind in "fV":
            return float(value) if loop is _d.float64 else loop.wrap(value)
        if loop.kind == "c":
            return loop.wrap(complex(value))
        if loop.kind == "b":
            return bool(value)
        return int(value) if loop.kind in "iu" else str(value)

    @property
    def _compares(self) -> bool:
        return self.__name__ in _COMPARISONS

    def _scalar(self, inputs: list[Any], loop: Any, result: Any) -> Any:
        fast, patient = self._entry(loop)
        values = [self._python(value, loop) for value in inputs]
        if self._kernel == "power" and loop.kind in "iu" and values[1] < 0:
            raise ValueError("Integers to negative integer powers are not allowed.")
        try:
            value = fast(*values)
        except (ZeroDivisionError, ValueError, OverflowError):
            value = patient(*values)
        if raised:
            _errors.report(self.__name__, "scalar ")
        if self.nout == 2:
            return tuple(_boxed(part, held, "") for part, held in zip(value, _pair(result)))
        return _boxed(value, result, self.__name__)

    def _arrays(self, inputs: list[Any], loop: Any, result: Any, out: Any, where: Any, casting: str) -> Any:
        shapes = [each._shape for each in inputs if type(each) is _a.ndarray]
        arrays = self.nin == 1 and len(shapes) == 1
        if out is not None and self.nout == 1:
            if not isinstance(out, _a.ndarray):
                raise TypeError("return arrays must be of ArrayType")
            if not _d.can_cast_dtypes(result, out._dtype, casting):
                raise UFuncTypeError(
                    f"Cannot cast ufunc '{self.__name__}' output from {result!r} to {out._dtype!r} with casting rule "
                    f"'{casting}'"
                )
            if not out._writeable:
                raise ValueError("output array is read-only")
        if arrays:
            shape = shapes[0]
        else:
            shape = self._common_shape(shapes, out)
        if where is not True:
            where = _convert.asarray(where, _d.bool_)
            shape = self._common_shape([shape, where._shape], out)
        if out is not None and self.nout == 1 and out._shape != shape:
            joined = self._common_shape([*(shapes or [shape]), out._shape], None)
            if joined != out._shape:
                raise ValueError(
                    f"non-broadcastable output operand with shape {_a.shape_text(out._shape)} doesn't match the "
                    f"broadcast shape {_a.shape_text(joined)}"
                )
            shape = joined
        if where is True and self.nout == 1:
            made = self._quick(inputs, loop, result, shape, out)
            if made is not None:
                return made if out is not None or shape else made[()]
        values = self._loop(inputs, loop, shape)
        if self.nout == 2:
            return self._two(values, shape, result, out)
        made = _a.from_values(values, shape, result)
        if where is not True:
            target = out if out is not None else _a.empty(shape, result)
            keep = where._broadcast(shape)._values()
            chosen = [new if yes else old for new, old, yes in zip(made._values(), target._values(), keep)]
            target._store(target._dtype.pack(chosen))
            return target
        if out is not None:
            out._store((made if out._dtype is result else made.astype(out._dtype))._bytes())
            return out
        return made if shape else made[()]

    def _common_shape(self, shapes: list[Any], out: Any) -> Any:
        try:
            return _memory.broadcast_shapes(*shapes) if shapes else ()
        except ValueError:
            if isinstance(out, _a.ndarray):
                shapes = [*shapes, out._shape]
            text = " ".join(_a.shape_text(shape) for shape in shapes)
            raise ValueError(f"operands could not be broadcast together with shapes {text} ") from None

    def _quick(self, inputs: list[Any], loop: Any, result: Any, shape: Any, out: Any) -> Any:
        """The result by a kernel, None where none serves."""
        if not _kernels.ready or not _kernels.serves(self._kernel, loop) or prod(shape) < _SMALL:
            return None
        operands = []
        for each in inputs:
            if type(each) is not _a.ndarray:
                value = self._python(each, loop)
                if loop.kind in "iu" and not loop._low <= value <= loop._high:
                    return None
                each = _a.filled((), value, loop)
            operands.append(each)
        fresh = out is None or loop.itemsize == 8 and loop.kind in "iu" or any(
            each is not out and each._mem.obj is out._mem.obj for each in operands)
        target = _a.empty(shape, result) if fresh else out
        if not _kernels.elementwise(self._kernel, loop, operands, target, shape):
            return None
        if raised:
            _errors.report(self.__name__)
        if out is not None and fresh:
            out[...] = target
            return out
        return target

    def _loop(self, inputs: list[Any], loop: Any, shape: Any) -> list[Any]:
        """The results in row-major order, by Python."""
        fast, patient = self._entry(loop)
        lists: list[Any] = []
        size = 1
        for length in shape:
            size *= length
        for each in inputs:
            if type(each) is _a.ndarray and each._shape:
                each = each._broadcast(shape)
                if each._dtype is not loop and not (loop.kind in "iu" and each._dtype.kind in "iu"):
                    each = each.astype(loop)
                lists.append(each._values())
            else:
                lists.append(repeat(self._python(each, loop), size))
        if self._kernel == "power" and loop.kind in "iu":
            lists[1] = list(lists[1])
            if any(value < 0 for value in lists[1]):
                raise ValueError("Integers to negative integer powers are not allowed.")
        kept = [each if type(each) is list else None for each in lists]
        try:
            values = list(map(fast, *lists))
        except (ZeroDivisionError, ValueError, OverflowError):
            again = [each if each is not None else repeat(self._python(inputs[at], loop), size)
                     for at, each in enumerate(kept)]
            try:
                values = list(map(patient, *again))
            except Exception:
                raised.clear()
                raise
        if raised:
            _errors.report(self.__name__)
        return values

    def _two(self, values: list[Any], shape: Any, result: Any, out: Any) -> Any:
        made = []
        for at, held in enumerate(_pair(result)):
            array = _a.from_values([pair[at] for pair in values], shape, held)
            target = out[at] if type(out) is tuple else None
            if target is not None:
                target[...] = array
                array = target
            made.append(array if shape else array[()])
        return tuple(made)

    # --- folding ----------------------------------------------------------------------------------------------

    def reduce(self, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool = False,
               initial: Any = _folding.MISSING, where: Any = True) -> Any:
        """Folds the elements along `axis` (an int, a tuple, or None for all)."""
        return _folding.reduce(self, array, axis, dtype, out, keepdims, initial, where)

    def accumulate(self, array: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        """The folded values so far, along `axis`."""
        return _folding.accumulate(self, array, axis, dtype, out)

    def reduceat(self, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
        """Folds the slices between consecutive `indices`."""
        return _folding.reduceat(self, array, indices, axis, dtype, out)

    def outer(self, a: Any, b: Any, /, **options: Any) -> Any:
        """The function of every pair of elements: shape a.shape + b.shape."""
        left, right = _convert.asarray(a), _convert.asarray(b)
        return self(left.reshape(left._shape + (1,) * right.ndim), right, **options)

    def at(self, a: Any, indices: Any, b: Any = None, /) -> None:
        """Applies the function in place at `indices`, again for every repeated index."""
        _folding.at(self, a, indices, b)


_OVERFLOWING = frozenset(("add", "subtract", "multiply", "power", "negative", "absolute"))
_COMPARISONS = frozenset(("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"))


def _pair(result: Any) -> tuple[Any, Any]:
    return result if type(result) is tuple else (result, result)


def _boxed(value: Any, held: Any, name: str) -> Any:
    kind = held.kind
    if kind == "b":
        return true_ if value else false_
    if kind in "iu":
        if not held._low <= value <= held._high:
            value = held.wrap_int(int(value))
            if name in _OVERFLOWING:
                raised.add("over")
                _errors.report(name, "scalar ")
    elif held is not _d.float64 and held is not _d.complex128:
        value = held.wrap(value)
    return box(value, held)


def compare_equal(a: Any, b: Any, wanted: bool) -> Any:
    """`a == b` (or `!=`): where the two can never be equal, plain False or an array of it."""
    function = _ufuncs.equal if wanted else _ufuncs.not_equal
    if b is None or isinstance(b, (dict, set, type)) or type(b) is _d.dtype or type(b) is str:
        if not (type(b) is str and getattr(a, "dtype", _d.float64).kind == "U"):
            shape = getattr(a, "_shape", ())
            return _a.filled(shape, not wanted, _d.bool_) if shape else (false_ if wanted else true_)
    try:
        return function(a, b)
    except NotAnArray:
        return NotImplemented
    except UFuncTypeError:
        shape = getattr(a, "_shape", ())
        return _a.filled(shape, not wanted, _d.bool_) if shape else (false_ if wanted else true_)


from . import _ufuncs  # noqa: E402  (needs the class)
