"""The way to the loops written in JavaScript (www/python-host/numpy-kernels.ts), present only inside the page.

What is to be done is written as 32-bit words into one buffer; arrays are named by the address of their memoryview.
Elsewhere `ready` is False. Each function answers whether it did the work; where it did not, Python's own loop does.
"""

from __future__ import annotations

from struct import pack_into
from typing import Any

from ._operations import raised

_words = bytearray(2048)
_view = memoryview(_words)
_ADDRESS = 0xFFFFFFFF
_FOLDS = {"add": 0, "multiply": 1, "maximum": 2, "minimum": 3, "logical_or": 4, "logical_and": 5}
_FLOAT, _FLOAT16 = 10, 9
_BFLOAT, _COMPLEX = 14, (12, 13, 15)


def _start() -> tuple[Any, dict[str, int]]:
    """The function that runs and the operations by number; none where there is no JavaScript side."""
    try:
        import _cotangent_numpy as module
    except ImportError:
        return None, {}
    pack_into("I", _words, 0, 0xC07A4E)
    if not module.start(id(_view), 0xC07A4E):
        return None, {}
    return module.run, {name: number for number, name in enumerate(module.names().split(" "))}


_run, _names = _start()
ready = _run is not None
_LIBRARY_FREE = frozenset(("absolute", "fabs", "square"))


def serves(name: str, loop: Any) -> bool:
    """Whether there is a loop of that name for the dtype (it may still decline)."""
    if name not in _names or loop.code in _COMPLEX or loop.kind == "V":
        return False
    if loop.kind in "iub":
        return name not in ("power", "square", "sign", "divide")
    return True


def _call(words: list[int]) -> int:
    pack_into(f"{len(words)}I", _words, 0, *[word & _ADDRESS for word in words])
    return _run()


def elementwise(name: str, loop: Any, operands: list[Any], target: Any, shape: tuple[int, ...]) -> bool:
    """target[...] = name(*operands), all broadcast to `shape`; notes conditions in `raised`."""
    if len(shape) > 16:
        return False
    words = [0, _names[name], loop.code, len(operands), len(shape), *shape]
    for each in (target, *operands):
        if each._dtype.code > _BFLOAT:
            return False
        if each._shape != shape:
            each = each._broadcast(shape)
        words += (id(each._mem), each._offset, each._dtype.code, *each._strides)
    flags = _call(words)
    if flags < 0:
        return False
    if flags:
        if flags & 1:
            raised.add("divide")
        if flags & 2:
            raised.add("invalid")
        if flags & 4:
            raised.add("over")
    return True


def cast(source: Any, target: Any) -> bool:
    """target[...] = source, converted."""
    kinds = source._dtype.kind + target._dtype.kind
    if "c" in kinds or "U" in kinds or target.size < 64:
        return False
    return elementwise("copy", target._dtype, [source], target, target._shape)


def copy_bits(source: memoryview, start: int, strides: tuple[int, ...], target: memoryview, offset: int,
              target_strides: tuple[int, ...], shape: tuple[int, ...], itemsize: int) -> bool:
    """Copies elements of `itemsize` bytes from one strided place to another."""
    if itemsize not in (1, 2, 4, 8, 16) or len(shape) > 16:
        return False
    words = [2, itemsize, len(shape), *shape, id(target), offset, 0, *target_strides, id(source), start, 0, *strides]
    return _call(words) >= 0


def select(mask: Any, one: Any, two: Any, target: Any) -> bool:
    """target[...] = where(mask, one, two), the choices of the target's dtype."""
    shape = target._shape
    if target._dtype.code in _COMPLEX or len(shape) > 16:
        return False
    words = [1, len(shape), *shape]
    for each in (target, mask, one, two):
        each = each._broadcast(shape)
        words += (id(each._mem), each._offset, each._dtype.code, *each._strides)
    return _call(words) >= 0


def fold(name: str, array: Any, axes: Any, kept: Any, loop: Any, result: Any, block: int, target: Any) -> bool:
    """Folds `axes` of `array` into the contiguous `target`; `block` is the length of pairwise runs, 0 for none."""
    number = _FOLDS.get(name)
    if number is None or array._dtype.code in _COMPLEX or loop.code in _COMPLEX or array.ndim > 16:
        return False
    if loop.kind == "V" or (loop.code == _FLOAT16 and name in ("add", "multiply")):
        return False
    order = (*kept, *axes)
    shape, strides = array._shape, array._strides
    words = [3, number, loop.code, block, len(kept), len(axes), *[shape[at] for at in order]]
    words += (id(array._mem), array._offset, array._dtype.code, *[strides[at] for at in order])
    words += (id(target._mem), target._offset, result.code)
    return _call(words) >= 0


def matmul(left: Any, right: Any, target: Any) -> bool:
    """target[...] = left @ right, all of one dtype, batches broadcast already."""
    held = target._dtype
    if held.code in _COMPLEX or held.code in (0, _BFLOAT):
        return False
    height, inner = left._shape[-2:]
    width = right._shape[-1]
    one, two = left._bytes(), right._bytes()
    batches = target.size // (height * width or 1)
    return _call([4, held.code, batches, height, inner, width, id(one), id(two), id(target._mem)]) >= 0


def _limbs(value: int) -> list[int]:
    return [value >> 16 * at & 0xFFFF for at in range(8)]


def pcg(state: int, increment: int, target: Any, tables: Any = None) -> int:
    """Fills `target` with uniform (with `tables`: normal) doubles of PCG64; the state after that."""
    views = [id(each) for each in tables] if tables else [0, 0, 0]
    _call([5, target.size, id(target._mem), *_limbs(state), *_limbs(increment), *views])
    limbs = _view[12:44].cast("I").tolist()
    return sum(limb << 16 * at for at, limb in enumerate(limbs))


def take(array: Any, shape: Any, strides: Any, offset: int, fancy: Any, common: Any, block: int, flat: memoryview,
         writes: bool) -> bool:
    """Moves blocks of bytes between `flat` and the places in `array` that arrays of indices name."""
    if len(fancy) > 4 or len(common) > 12:
        return False
    words = [6, int(writes), block, len(common), *common, len(fancy), id(array._mem), offset, id(flat)]
    for axis, each in fancy:
        each = each._broadcast(common)
        words += (id(each._mem), each._offset, each._dtype.code, *each._strides, shape[axis], strides[axis])
    return _call(words) >= 0


def sort(target: Any) -> bool:
    """Sorts the lines of a contiguous array in place."""
    held = target._dtype
    if held.code in _COMPLEX or held.code == _BFLOAT:
        return False
    length = target._shape[-1]
    return _call([7, held.code, target.size // (length or 1), length, id(target._mem)]) >= 0


def nonzero(mask: Any, found: list[Any]) -> bool:
    """Fills one int64 array an axis with the indices of the true elements of a contiguous boolean array."""
    words = [8, id(mask._mem), mask._offset, mask.ndim, *mask._shape, *[id(each._mem) for each in found]]
    return _call(words) >= 0
