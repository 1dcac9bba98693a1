"""From any object to an array: nested lists, scalars, buffers and objects that know `__array__`."""

from __future__ import annotations

from typing import Any

from . import _array as _a
from . import _dtypes as _d
from . import _memory
from ._scalars import generic

_PYTHON = {bool: _d.bool_, int: _d.int64, float: _d.float64, complex: _d.complex128}
_FORMATS = {
    "?": _d.bool_, "b": _d.int8, "B": _d.uint8, "c": _d.uint8, "h": _d.int16, "H": _d.uint16, "i": _d.int32,
    "I": _d.uint32, "q": _d.int64, "Q": _d.uint64, "e": _d.float16, "f": _d.float32, "d": _d.float64,
    "Zf": _d.complex64, "Zd": _d.complex128, "F": _d.complex64, "D": _d.complex128,
}


def array(object: Any, dtype: Any = None, *, copy: bool | None = True, order: str | None = "K", subok: bool = False,
          ndmin: int = 0, ndmax: int = 0, like: Any = None) -> Any:
    """An array made from `object`, a copy unless `copy` is False or None."""
    held = None if dtype is None else _d.as_dtype(dtype)
    made, fresh = _convert(object, held, copy)
    if copy and not fresh:
        made = made.copy("F" if order in ("F", "K") and made.flags.f_contiguous else "C")
    elif copy is False and fresh and not isinstance(object, _a.ndarray):
        raise ValueError(
            "Unable to avoid copy while creating an array as requested.\nIf using `np.array(obj, copy=False)` replace "
            "it with `np.asarray(obj)` to allow a copy when needed (no behavior change in NumPy 1.x).\nFor more "
            "details, see https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-copy-keyword."
        )
    if order == "F" and not made.flags.f_contiguous:
        made = made.copy("F")
    elif order == "C" and not made._is_contiguous():
        made = made.copy()
    if made.ndim < ndmin:
        made = made.reshape((1,) * (ndmin - made.ndim) + made._shape)
    return made


def asarray(a: Any, dtype: Any = None, order: str | None = None, *, device: Any = None, copy: bool | None = None,
            like: Any = None) -> Any:
    """`a` as an array; the same object where it is one already."""
    if type(a) is _a.ndarray and copy is None and order is None:
        return a if dtype is None or _d.as_dtype(dtype) is a._dtype else a.astype(dtype)
    return array(a, dtype, copy=copy, order=order)


def asanyarray(a: Any, dtype: Any = None, order: str | None = None, **options: Any) -> Any:
    """As `asarray`."""
    return asarray(a, dtype, order, **options)


def ascontiguousarray(a: Any, dtype: Any = None, *, like: Any = None) -> Any:
    """`a` in row-major order with at least one axis."""
    return array(a, dtype, copy=None, order="C", ndmin=1)


def require(a: Any, dtype: Any = None, requirements: Any = None, *, like: Any = None) -> Any:
    """`a` as an array that meets `requirements` ('C', 'F', 'W', 'O', 'A')."""
    wants = {str(each)[0].upper() for each in requirements or ()}
    made = asarray(a, dtype, "F" if "F" in wants else "C" if "C" in wants else None)
    if ("O" in wants and made._base is not None) or ("W" in wants and not made._writeable):
        made = made.copy()
    return made


def _convert(object: Any, held: Any, copy: bool | None = None) -> tuple[Any, bool]:
    """The array and whether its memory is newly made."""
    kind = type(object)
    if kind is _a.ndarray or isinstance(object, _a.ndarray):
        if held is None or held == object._dtype or (held.kind == "U" == object._dtype.kind and not held.itemsize):
            return object, False
        return object.astype(held), True
    if kind in _PYTHON or isinstance(object, generic):
        return _of_scalar(object, held), True
    if kind is not list and kind is not tuple:
        found = _of_protocol(object, held, copy)
        if found is not None:
            return found
    if isinstance(object, (str, bytes)):
        return _of_scalar(object, held), True
    if isinstance(object, (list, tuple)):
        return _of_nested(object, held), True
    if _is_sequence(object):
        return _of_nested(list(object), held), True
    if hasattr(object, "__index__"):
        return _of_scalar(object.__index__(), held), True
    if hasattr(object, "__float__"):
        return _of_scalar(float(object), held), True
    raise NotAnArray(
        f"an array of objects ({kind.__name__}) was asked for: object arrays are not in Cotangent's NumPy"
    )


class NotAnArray(TypeError):
    """An object that only an array of objects could hold."""


# Programs see the TypeError that it is; only operators need to know it from others.
NotAnArray.__name__ = NotAnArray.__qualname__ = "TypeError"
NotAnArray.__module__ = "builtins"


def _is_sequence(object: Any) -> bool:
    kind = type(object)
    if issubclass(kind, (dict, set, frozenset)):
        return False
    return hasattr(kind, "__len__") and hasattr(kind, "__getitem__")


def _of_protocol(object: Any, held: Any, copy: bool | None) -> tuple[Any, bool] | None:
    maker = getattr(object, "__array__", None)
    if maker is not None and not isinstance(object, type):
        made = maker() if held is None else _try_dtype(maker, held)
        if not isinstance(made, _a.ndarray):
            raise ValueError("object __array__ method not producing an array")
        if held is not None and made._dtype is not held:
            made = made.astype(held)
        return made, False
    kind = type(object)
    if kind in (bytes, str) or isinstance(object, (list, tuple, generic)):
        return None
    try:
        view = memoryview(object)
    except (TypeError, BufferError):
        return None
    return _of_buffer(view, object, held)


def _try_dtype(maker: Any, held: Any) -> Any:
    try:
        return maker(held)
    except TypeError:
        return maker()


def buffer_dtype(view: memoryview) -> Any:
    """The dtype of a memoryview's elements. ValueError for formats without one."""
    text = view.format.lstrip("@=<")
    if text in ("l", "n"):
        return _d.int64 if view.itemsize == 8 else _d.int32
    if text in ("L", "N", "P"):
        return _d.uint64 if view.itemsize == 8 else _d.uint32
    if text in _FORMATS:
        return _FORMATS[text]
    raise ValueError(f"a buffer of format {view.format!r} is not in Cotangent's NumPy")


def _of_buffer(view: memoryview, base: Any, held: Any) -> tuple[Any, bool]:
    """An array over the memory behind `view`, without a copy where it is contiguous."""
    found = buffer_dtype(view)
    if view.c_contiguous:
        memory = view if view.format == "B" and view.ndim == 1 else view.cast("B")
        strides = _memory.contiguous_strides(view.shape, found.itemsize)
        made = _a.view_of(memory, 0, tuple(view.shape), strides, found, base, not view.readonly)
        fresh = False
    else:
        made = _a.from_bytes(bytearray(view.tobytes()), tuple(view.shape), found)
        fresh = True
    if held is not None and held is not found:
        return made.astype(held), True
    return made, fresh


def _of_scalar(value: Any, held: Any) -> Any:
    found = scalar_dtype(value)
    if isinstance(value, generic):
        value = value._v
        if held is not None and held is not found:
            return _a.filled((), value, found).astype(held)
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if held is None:
        held = found
    elif held.kind == "U" and not held.itemsize:
        held = _d.string_dtype(len(str(value)))
    return _a.filled((), checked(value, held), held)


def scalar_dtype(value: Any) -> Any:
    """The dtype that a Python value or NumPy scalar becomes on its own."""
    kind = type(value)
    found = _PYTHON.get(kind)
    if found is None:
        if isinstance(value, generic):
            return value.dtype
        if isinstance(value, (str, bytes)):
            return _d.string_dtype(max(len(value), 1))
        for base, found in _PYTHON.items():
            if isinstance(value, base):
                return found
        raise NotAnArray(
            f"an array of objects ({kind.__name__}) was asked for: object arrays are not in Cotangent's NumPy"
        )
    if found is _d.int64 and not -(1 << 63) <= value < 1 << 63:
        if 0 <= value < 1 << 64:
            return _d.uint64
        raise OverflowError("Python int too large to convert to C long")
    return found


def checked(value: Any, held: Any) -> Any:
    """`value` as `held` may take it; raises as NumPy does where it may not."""
    kind = type(value)
    if held.kind in "iu":
        if kind is int:
            if not held._low <= value <= held._high:
                raise OverflowError(f"Python integer {value} out of bounds for {held.name}")
        elif kind is float:
            if value != value:
                raise ValueError("cannot convert float NaN to integer")
            if value in (float("inf"), -float("inf")):
                raise OverflowError("cannot convert float infinity to integer")
            return int(value)
        elif kind is str:
            return int(value)
    elif kind is str and held.kind in "fc":
        return float(value) if held.kind == "f" else complex(value)
    if kind is complex and held.kind in "iuf":
        name = "int" if held.kind in "iu" else "float"
        raise TypeError(f"{name}() argument must be a string or a real number, not 'complex'" if name == "float" else
                        "int() argument must be a string, a bytes-like object or a real number, not 'complex'")
    return value


def _of_nested(nested: Any, held: Any) -> Any:
    """An array from lists of lists; the leaves may be arrays of one shape."""
    shape: list[int] = []
    level: list[Any] = [nested]
    while level and all(isinstance(each, (list, tuple)) for each in level):
        length = len(level[0])
        if any(len(each) != length for each in level):
            _ragged(shape)
        shape.append(length)
        level = [leaf for each in level for leaf in each]
        if len(shape) > 64:
            raise ValueError("setting an array element with a sequence. The requested array would exceed the maximum "
                             "number of dimension of 64.")
    kinds = set(map(type, level))
    if kinds <= _PLAIN_KINDS:
        return _of_leaves(level, tuple(shape), kinds, held)
    if any(issubclass(kind, (list, tuple)) for kind in kinds) and all(
            issubclass(kind, (list, tuple)) or kind in _PLAIN_KINDS for kind in kinds):
        _ragged(shape)
    leaves = [leaf if isinstance(leaf, (generic, str, bytes, *_PLAIN_KINDS)) else _convert(leaf, None)[0]
              for leaf in level]
    if any(isinstance(leaf, _a.ndarray) for leaf in leaves):
        return _of_arrays(leaves, tuple(shape), held)
    return _of_leaves(leaves, tuple(shape), kinds, held)


_TEXT_WIDTH = {bool: 5, int: 21, float: 32, complex: 64}
_PLAIN_KINDS = frozenset((bool, int, float, complex))


def _of_leaves(leaves: list[Any], shape: tuple[int, ...], kinds: set[type], held: Any) -> Any:
    if not leaves:
        return _a.empty(shape, held or _d.float64)
    found = held
    if held is None or (held.kind == "U" and not held.itemsize):
        found = _common(leaves, kinds)
    if not kinds <= _PLAIN_KINDS:
        leaves = [leaf._v if isinstance(leaf, generic) else leaf for leaf in leaves]
    if found.kind == "U":
        if held is not None and held.itemsize:
            found = held
        else:
            texts = [str(leaf) for leaf in leaves]
            least = max([_TEXT_WIDTH.get(kind, 1) for kind in kinds])
            found = _d.string_dtype(max([len(text) for text in texts] + [least]))
        return _a.from_values([leaf.decode() if type(leaf) is bytes else str(leaf) for leaf in leaves], shape, found)
    if found.kind in "iu" or not kinds <= _PLAIN_KINDS or (complex in kinds and found.kind != "c"):
        leaves = [checked(leaf, found) for leaf in leaves]
    return _a.from_values(leaves, shape, found)


def _common(leaves: list[Any], kinds: set[type]) -> Any:
    """The dtype that holds all leaves."""
    if len(kinds) == 1:
        only = next(iter(kinds))
        if only in _PYTHON and only is not int:
            return _PYTHON[only]
    found = None
    strings = False
    seen: set[Any] = set()
    for leaf in leaves:
        kind = type(leaf)
        if kind is not int:
            if kind in seen:
                continue
            seen.add(kind)
        elif kind in seen and -(1 << 63) <= leaf < 1 << 63:
            continue
        else:
            seen.add(kind)
        each = scalar_dtype(leaf)
        strings = strings or each.kind == "U"
        found = each if found is None else (found if strings else _d.promote(found, each))
    return _d.string_dtype(1) if strings else found


def _of_arrays(leaves: list[Any], outer: tuple[int, ...], held: Any) -> Any:
    arrays = [leaf if isinstance(leaf, _a.ndarray) else _of_scalar(leaf, None) for leaf in leaves]
    inner = arrays[0]._shape
    if any(each._shape != inner for each in arrays):
        _ragged(outer)
    if held is None:
        held = arrays[0]._dtype
        for each in arrays[1:]:
            held = _d.promote(held, each._dtype)
    data = b"".join([each.astype(held, copy=False)._bytes() for each in arrays])
    return _a.from_bytes(bytearray(data), tuple(outer) + inner, held)


def _ragged(shape: Any) -> None:
    axes = len(shape)
    detected = tuple(shape)
    raise ValueError(
        f"setting an array element with a sequence. The requested array has an inhomogeneous shape after {axes} "
        f"dimensions. The detected shape was {detected} + inhomogeneous part."
    )
