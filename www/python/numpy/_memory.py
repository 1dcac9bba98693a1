"""Memory of arrays: allocation, strides, and moving elements between strided places and plain bytes.

Every array's elements live in a byte-wise `memoryview`; these functions know only shapes, strides and widths.
Loops go through `_kernels` where that is present (inside the page), else through Python.
"""

from __future__ import annotations

from array import array
from math import prod
from typing import Any, Sequence

from . import _kernels

Shape = tuple[int, ...]
_WORD = {1: "B", 2: "H", 4: "I", 8: "Q"}


def allocate(nbytes: int) -> memoryview:
    """Zeroed bytes of our own. MemoryError where they are more than this machine has."""
    return memoryview(bytearray(nbytes))


def contiguous_strides(shape: Shape, itemsize: int) -> Shape:
    """Strides in bytes of a row-major array."""
    strides = []
    step = itemsize
    for length in reversed(shape):
        strides.append(step)
        step *= length or 1
    return tuple(reversed(strides))


def fortran_strides(shape: Shape, itemsize: int) -> Shape:
    """Strides in bytes of a column-major array."""
    return contiguous_strides(shape[::-1], itemsize)[::-1]


def is_contiguous(shape: Shape, strides: Shape, itemsize: int) -> bool:
    """Whether the elements lie in row-major order without gaps."""
    step = itemsize
    for length, stride in zip(reversed(shape), reversed(strides)):
        if length == 0:
            return True
        if length != 1:
            if stride != step:
                return False
            step *= length
    return True if prod(shape) else True


def offsets(shape: Shape, strides: Shape, start: int) -> list[int]:
    """The byte offset of every element, in row-major order."""
    places = [start]
    for length, stride in zip(shape, strides):
        if length == 1:
            continue
        steps = range(0, length * stride, stride) if stride else (0,) * length
        places = [place + step for place in places for step in steps]
    return places


def gather(memory: memoryview, places: Sequence[int], itemsize: int) -> Any:
    """The elements of width `itemsize` at byte offsets `places`, one after the other."""
    word = _WORD.get(itemsize)
    if word is None:
        return b"".join([memory[at : at + itemsize] for at in places])
    if itemsize == 1:
        return bytes(map(memory.__getitem__, places))
    usable = memory.nbytes - memory.nbytes % itemsize
    if usable and all(at % itemsize == 0 for at in places[:2]):
        typed = memory[:usable].cast(word)
        try:
            return array(word, [typed[at // itemsize] for at in places])
        except IndexError:
            pass
    return b"".join([memory[at : at + itemsize] for at in places])


def scatter(memory: memoryview, places: Sequence[int], itemsize: int, data: memoryview) -> None:
    """Writes the elements of `data` at byte offsets `places`; the last of several to one place stays."""
    word = _WORD.get(itemsize)
    if word is None or memory.nbytes % itemsize or (places and places[0] % itemsize):
        for number, at in enumerate(places):
            memory[at : at + itemsize] = data[number * itemsize : (number + 1) * itemsize]
        return
    typed = memory.cast(word)
    for at, value in zip(places, data.cast(word).tolist()):
        typed[at // itemsize] = value


def read(memory: memoryview, shape: Shape, strides: Shape, start: int, itemsize: int) -> memoryview:
    """The elements in row-major order as contiguous bytes: the memory itself where it is so already."""
    total = prod(shape) * itemsize
    if is_contiguous(shape, strides, itemsize):
        return memory[start : start + total]
    if _kernels.ready and total >= 256:
        made = allocate(total)
        if _kernels.copy_bits(memory, start, strides, made, 0, contiguous_strides(shape, itemsize), shape, itemsize):
            return made
    if len(shape) == 1 and itemsize in _WORD and strides[0] > 0:
        return _read_line(memory, shape[0], strides[0], start, itemsize)
    return memoryview(gather(memory, offsets(shape, strides, start), itemsize)).cast("B")


def _read_line(memory: memoryview, length: int, stride: int, start: int, itemsize: int) -> memoryview:
    usable = memory.nbytes - memory.nbytes % itemsize
    if stride % itemsize or start % itemsize:
        return memoryview(gather(memory, range(start, start + length * stride, stride), itemsize)).cast("B")
    first, step = start // itemsize, stride // itemsize
    word = _WORD[itemsize]
    taken = memory[:usable].cast(word)[first : first + (length - 1) * step + 1 : step]
    return memoryview(array(word, taken.tolist())).cast("B")


def write(memory: memoryview, shape: Shape, strides: Shape, start: int, itemsize: int, data: Any) -> None:
    """Stores contiguous bytes (row-major elements) in a strided place."""
    source = memoryview(data)
    if source.format != "B" or source.ndim != 1:
        source = source.cast("B")
    if is_contiguous(shape, strides, itemsize):
        memory[start : start + source.nbytes] = source
        return
    if _kernels.ready and source.nbytes >= 256:
        inner = contiguous_strides(shape, itemsize)
        if _kernels.copy_bits(source, 0, inner, memory, start, strides, shape, itemsize):
            return
    scatter(memory, offsets(shape, strides, start), itemsize, source)


def broadcast_shapes(*shapes: Shape) -> Shape:
    """The shape that all of `shapes` stretch to. ValueError where they do not agree."""
    first = shapes[0]
    if all(shape == first for shape in shapes):
        return first
    rank = max(map(len, shapes))
    result = [1] * rank
    for shape in shapes:
        for at, length in enumerate(shape, rank - len(shape)):
            if length != 1 and result[at] != length:
                if result[at] != 1:
                    raise ValueError("mismatch")
                result[at] = length
    return tuple(result)


def broadcast_strides(shape: Shape, strides: Shape, target: Shape) -> Shape | None:
    """Strides with which an array of `shape` reads as `target`; None where it does not stretch so."""
    if shape == target:
        return strides
    extra = len(target) - len(shape)
    if extra < 0:
        return None
    result = [0] * extra
    for length, stride, wanted in zip(shape, strides, target[extra:]):
        if length == wanted:
            result.append(stride)
        elif length == 1:
            result.append(0)
        else:
            return None
    return tuple(result)


def reshape_strides(shape: Shape, strides: Shape, target: Shape, itemsize: int) -> Shape | None:
    """Strides under which the same memory has shape `target` in row-major order; None where a copy is due."""
    if is_contiguous(shape, strides, itemsize):
        return contiguous_strides(target, itemsize)
    old = [(length, stride) for length, stride in zip(shape, strides) if length != 1]
    result = [0] * len(target)
    at = 0  # into old
    place = 0  # into target
    while at < len(old):
        first = at
        start = place
        have, want = old[at][0], 1
        while place < len(target) and want < have or (place < len(target) and target[place] == 1):
            want *= target[place]
            place += 1
        while have != want:
            if have < want:
                at += 1
                have *= old[at][0]
            else:
                want *= target[place]
                place += 1
        for one in range(first, at):
            if old[one][1] != old[one + 1][1] * old[one + 1][0]:
                return None
        step = old[at][1]
        for one in range(place - 1, start - 1, -1):
            result[one] = step
            step *= target[one]
        at += 1
    return tuple(result)
