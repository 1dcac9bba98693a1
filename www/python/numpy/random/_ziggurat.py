"""Normal and exponential numbers by the ziggurat method.

Marsaglia and Tsang, "The Ziggurat Method for Generating Random Variables", 2000. The tables (256 strips of equal
area under the density) are computed on first use: those of the normal density in double precision, those of the
exponential one in decimal arithmetic, as the streams of NumPy ask for.
"""

from __future__ import annotations

import math
from array import array
from decimal import Decimal, localcontext
from typing import Any

from .. import _array as _a
from .. import _dtypes as _d
from .. import _kernels

NORMAL_R = 3.6541528853610088
NORMAL_AREA = 0.004928673233974652
EXPONENTIAL_R = 7.69711747013104972
_EXPONENTIAL_EDGE = "7.69711747013104971404462804811408952334296818528283253278834867283241051210533"
_tables: dict[str, Any] = {}


def _normal() -> tuple[list[int], list[float], list[float]]:
    """Draws accepted at once (of 52 bits), widths and heights for the normal density, strips numbered from the base."""
    x = [0.0] * 256
    f = [1.0] * 256
    x[255], f[255] = NORMAL_R, math.exp(-0.5 * NORMAL_R * NORMAL_R)
    for at in range(254, 0, -1):
        x[at] = math.sqrt(-2.0 * math.log(NORMAL_AREA / x[at + 1] + f[at + 1]))
        f[at] = math.exp(-0.5 * x[at] * x[at])
        if at == 38:  # here the reference table lies one step above the exponential of today's libraries
            f[at] = math.nextafter(f[at], 1.0)
    x[0] = NORMAL_AREA / f[255]
    scale = 2.0**52
    k = [int(x[255] / x[0] * scale), 0] + [round(x[at - 1] / x[at] * scale) for at in range(2, 256)]
    return k, [each / scale for each in x], f


def _exponential() -> tuple[list[int], list[float], list[float]]:
    """The same for the exponential density, with draws of 53 bits of which the lowest does not count."""
    with localcontext() as context:
        context.prec = 50
        edge = Decimal(_EXPONENTIAL_EDGE)
        area = (edge + 1) * (-edge).exp()
        x = [Decimal(0)] * 256
        f = [Decimal(1)] * 256
        x[255], f[255] = edge, (-edge).exp()
        for at in range(254, 0, -1):
            f[at] = area / x[at + 1] + f[at + 1]
            x[at] = -f[at].ln()
        x[0] = area / f[255]
        half = Decimal(2) ** 52
        k = [2 * int(x[255] / x[0] * half), 0] + [2 * int(x[at - 1] / x[at] * half) for at in range(2, 256)]
        return k, [float(each / half / 2) for each in x], list(map(float, f))


def tables(kind: str) -> tuple[list[int], list[float], list[float]]:
    """The tables of the "normal" or the "exponential" density."""
    found = _tables.get(kind)
    if found is None:
        found = _tables[kind] = _normal() if kind == "normal" else _exponential()
    return found


def normals(bits: Any, count: int) -> list[float]:
    """`count` standard normal numbers."""
    k, w, f = tables("normal")
    draw, uniform = bits.next64, bits.next_double
    found: list[float] = []
    while len(found) < count:
        word = draw()
        strip = word & 0xFF
        word >>= 8
        size = word >> 1 & 0xFFFFFFFFFFFFF
        x = size * w[strip]
        if word & 1:
            x = -x
        if size < k[strip]:
            found.append(x)
        elif strip == 0:
            while True:
                far = -(1.0 / NORMAL_R) * math.log1p(-uniform())
                up = -math.log1p(-uniform())
                if up + up > far * far:
                    found.append(-(NORMAL_R + far) if size >> 8 & 1 else NORMAL_R + far)
                    break
        elif (f[strip - 1] - f[strip]) * uniform() + f[strip] < math.exp(-0.5 * x * x):
            found.append(x)
    return found


def many_normals(bits: Any, count: int) -> list[float]:
    """As `normals`, by a kernel where there is one."""
    if not _kernels.ready or not hasattr(bits, "_inc"):
        return normals(bits, count)
    views = _tables.get("views")
    if views is None:
        views = _tables["views"] = [memoryview(array("d", table)) for table in tables("normal")]
    made = _a.empty((count,), _d.float64)
    bits._state = _kernels.pcg(bits._state, bits._inc, made, views)
    return made._values()


def exponentials(bits: Any, count: int) -> list[float]:
    """`count` standard exponential numbers."""
    k, w, f = tables("exponential")
    draw, uniform = bits.next64, bits.next_double
    found: list[float] = []
    while len(found) < count:
        word = draw() >> 3
        strip = word & 0xFF
        word >>= 8
        x = word * w[strip]
        if word < k[strip]:
            found.append(x)
        elif strip == 0:
            found.append(EXPONENTIAL_R - math.log1p(-uniform()))
        elif (f[strip - 1] - f[strip]) * uniform() + f[strip] < math.exp(-x):
            found.append(x)
    return found
