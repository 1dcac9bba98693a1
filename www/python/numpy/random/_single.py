"""The ziggurat in single precision: draws of 23 bits."""

from __future__ import annotations

import math
from array import array
from typing import Any

from ._ziggurat import NORMAL_R, tables

_table: list[Any] = []


def _single(value: float) -> float:
    return array("f", (value,))[0]


def _tables() -> Any:
    if not _table:
        k, w, f = tables("normal")
        widths = [_single(each * 2.0**29) for each in w]
        _table.extend(([each >> 29 for each in k], widths, [_single(each) for each in f]))
    return _table


def normals(bits: Any, count: int) -> list[float]:
    """`count` standard normal numbers that are float32."""
    k, w, f = _tables()
    draw = bits.next32

    def uniform() -> float:
        return (draw() >> 8) * 5.960464477539063e-08

    found: list[float] = []
    while len(found) < count:
        word = draw()
        strip = word & 0xFF
        size = word >> 9 & 0x7FFFFF
        x = _single(size * w[strip])
        if word >> 8 & 1:
            x = -x
        if size < k[strip]:
            found.append(x)
        elif strip == 0:
            while True:
                far = _single(-_single(1.0 / NORMAL_R) * _single(math.log1p(-uniform())))
                up = _single(-math.log1p(-uniform()))
                if _single(up + up) > _single(far * far):
                    reach = _single(_single(NORMAL_R) + far)
                    found.append(-reach if size >> 8 & 1 else reach)
                    break
        elif _single(_single(_single(f[strip - 1] - f[strip]) * uniform()) + f[strip]) < math.exp(-0.5 * x * x):
            found.append(x)
    return found
