"""Single draws from distributions, in the order in which NumPy consumes its bits.

Gamma: Marsaglia and Tsang, 2000. Poisson: Hörmann, "The transformed rejection method", 1993. Binomial by inversion:
Kachitvichyanukul and Schmeiser, 1988. Bounded integers: Lemire, 2019, and masked rejection for the legacy streams.
"""

from __future__ import annotations

import math
from typing import Any, Callable

M32 = 0xFFFFFFFF
M64 = 0xFFFFFFFFFFFFFFFF


class Source:
    """Bits with the two basic continuous draws, `normal` and `exponential`, in one of NumPy's two ways."""

    def __init__(self, bits: Any) -> None:
        self.bits = bits
        self.double: Callable[[], float] = bits.next_double
        self.spare: float | None = None

    def normals(self, count: int) -> list[float]:
        """`count` standard normal numbers."""
        raise NotImplementedError

    def exponentials(self, count: int) -> list[float]:
        """`count` standard exponential numbers."""
        raise NotImplementedError

    def normal(self) -> float:
        """A standard normal number."""
        return self.normals(1)[0]

    def exponential(self) -> float:
        """A standard exponential number."""
        return self.exponentials(1)[0]


class Modern(Source):
    """The draws of `Generator`: ziggurats."""

    legacy = False

    def normals(self, count: int) -> list[float]:
        from ._ziggurat import many_normals, normals

        return many_normals(self.bits, count) if count >= 32 else normals(self.bits, count)

    def exponentials(self, count: int) -> list[float]:
        from ._ziggurat import exponentials

        return exponentials(self.bits, count)


class Legacy(Source):
    """The draws of `RandomState`: the polar method, logarithms."""

    legacy = True

    def normals(self, count: int) -> list[float]:
        double, found = self.double, []
        if count and self.spare is not None:
            found.append(self.spare)
            self.spare = None
        while len(found) < count:
            while True:
                x = 2.0 * double() - 1.0
                y = 2.0 * double() - 1.0
                r = x * x + y * y
                if 0.0 < r < 1.0:
                    break
            f = math.sqrt(-2.0 * math.log(r) / r)
            found.append(f * y)
            if len(found) < count:
                found.append(f * x)
            else:
                self.spare = f * x
        return found

    def exponentials(self, count: int) -> list[float]:
        double, log = self.double, math.log
        return [-log(1.0 - double()) for _ in range(count)]


def gamma(source: Any, shape: float) -> float:
    """A standard gamma number."""
    if shape == 1.0:
        return source.exponential()
    if shape == 0.0:
        return 0.0
    double = source.double
    if shape < 1.0:
        while True:
            u = double()
            v = source.exponential()
            if u <= 1.0 - shape:
                x = math.pow(u, 1.0 / shape)
                if x <= v:
                    return x
            else:
                y = -math.log((1 - u) / shape)
                x = math.pow(1.0 - shape + shape * y, 1.0 / shape)
                if x <= v + y:
                    return x
    b = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9 * b)
    while True:
        while True:
            x = source.normal()
            v = 1.0 + c * x
            if v > 0.0:
                break
        v = v * v * v
        u = double()
        if u < 1.0 - 0.0331 * (x * x) * (x * x):
            return b * v
        if math.log(u) < 0.5 * x * x + b * (1.0 - v + math.log(v)):
            return b * v


def beta(source: Any, a: float, b: float) -> float:
    """A beta number."""
    if a <= 1.0 and b <= 1.0:
        while True:
            u, v = source.double(), source.double()
            x, y = math.pow(u, 1.0 / a), math.pow(v, 1.0 / b)
            total = x + y
            if total <= 1.0 and u + v > 0.0:
                if total > 0:
                    return x / total
                log_x, log_y = math.log(u) / a, math.log(v) / b
                top = max(log_x, log_y)
                log_x, log_y = log_x - top, log_y - top
                return math.exp(log_x - math.log(math.exp(log_x) + math.exp(log_y)))
    x = gamma(source, a)
    y = gamma(source, b)
    return x / (x + y)


def _log_gamma(x: float) -> float:
    """log(gamma(x)) by Stirling's series, as the Poisson draw uses it."""
    terms = (8.333333333333333e-02, -2.777777777777778e-03, 7.936507936507937e-04, -5.952380952380952e-04,
             8.417508417508418e-04, -1.917526917526918e-03, 6.410256410256410e-03, -2.955065359477124e-02,
             1.796443723688307e-01, -1.39243221690590e+00)
    if x in (1.0, 2.0):
        return 0.0
    steps = int(7 - x) if x < 7.0 else 0
    base = x + steps
    square = (1.0 / base) * (1.0 / base)
    total = terms[9]
    for at in range(8, -1, -1):
        total = total * square + terms[at]
    value = total / base + 0.5 * 1.8378770664093453e00 + (base - 0.5) * math.log(base) - base
    for _ in range(steps):
        value -= math.log(base - 1.0)
        base -= 1.0
    return value


def poisson(source: Any, lam: float) -> int:
    """A Poisson number."""
    double = source.double
    if lam >= 10:
        root, log_lam = math.sqrt(lam), math.log(lam)
        b = 0.931 + 2.53 * root
        a = -0.059 + 0.02483 * b
        inverse = 1.1239 + 1.1328 / (b - 3.4)
        v_r = 0.9277 - 3.6224 / (b - 2)
        while True:
            u = double() - 0.5
            v = double()
            us = 0.5 - abs(u)
            k = math.floor((2 * a / us + b) * u + lam + 0.43)
            if us >= 0.07 and v <= v_r:
                return k
            if k < 0 or (us < 0.013 and v > us):
                continue
            if math.log(v) + math.log(inverse) - math.log(a / (us * us) + b) <= (
                    -lam + k * log_lam - _log_gamma(k + 1)):
                return k
    if lam == 0:
        return 0
    limit = math.exp(-lam)
    found, product = 0, 1.0
    while True:
        product *= double()
        if product <= limit:
            return found
        found += 1


def _binomial_inversion(source: Any, n: int, p: float) -> int:
    q = 1.0 - p
    start = math.exp(n * math.log(q))
    middle = n * p
    bound = int(min(float(n), middle + 10.0 * math.sqrt(middle * q + 1)))
    found, px = 0, start
    u = source.double()
    while u > px:
        found += 1
        if found > bound:
            found, px = 0, start
            u = source.double()
        else:
            u -= px
            px = ((n - found + 1) * p * px) / (found * q)
    return found


def _binomial_btpe(source: Any, n: int, p: float) -> int:
    """The triangle, parallelogram and exponential tails of Kachitvichyanukul and Schmeiser."""
    r = min(p, 1.0 - p)
    q = 1.0 - r
    fm = n * r + r
    m = int(math.floor(fm))
    p1 = math.floor(2.195 * math.sqrt(n * r * q) - 4.6 * q) + 0.5
    xm = m + 0.5
    xl, xr = xm - p1, xm + p1
    c = 0.134 + 20.5 / (15.3 + m)
    a = (fm - xl) / (fm - xl * r)
    laml = a * (1.0 + a / 2.0)
    a = (xr - fm) / (xr * q)
    lamr = a * (1.0 + a / 2.0)
    p2 = p1 * (1.0 + 2.0 * c)
    p3 = p2 + c / laml
    p4 = p3 + c / lamr
    nrq = n * r * q
    double = source.double
    while True:
        u = double() * p4
        v = double()
        if u <= p1:
            y = int(math.floor(xm - p1 * v + u))
            break
        if u <= p2:
            x = xl + (u - p1) / c
            v = v * c + 1.0 - abs(m - x + 0.5) / p1
            if v > 1.0:
                continue
            y = int(math.floor(x))
        elif u <= p3:
            y = int(math.floor(xl + math.log(v) / laml)) if v > 0 else -1
            if y < 0 or v == 0.0:
                continue
            v = v * (u - p2) * laml
        else:
            y = int(math.floor(xr - math.log(v) / lamr)) if v > 0 else n + 1
            if y > n or v == 0.0:
                continue
            v = v * (u - p3) * lamr
        k = abs(y - m)
        if not (k > 20 and k < nrq / 2.0 - 1):
            s = r / q
            a = s * (n + 1)
            f = 1.0
            if m < y:
                for at in range(m + 1, y + 1):
                    f *= a / at - s
            elif m > y:
                for at in range(y + 1, m + 1):
                    f /= a / at - s
            if v > f:
                continue
            break
        rho = (k / nrq) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / nrq + 0.5)
        t = -k * k / (2 * nrq)
        big = math.log(v)
        if big < t - rho:
            break
        if big > t + rho:
            continue
        x1, f1, z, w = float(y + 1), float(m + 1), float(n + 1 - m), float(n - y + 1)

        def series(value: float) -> float:
            x2 = value * value
            return (13680.0 - (462.0 - (132.0 - (99.0 - 140.0 / x2) / x2) / x2) / x2) / value / 166320.0

        if big > (xm * math.log(f1 / x1) + (n - m + 0.5) * math.log(z / w) + (y - m) * math.log(w * r / (x1 * q))
                  + series(f1) + series(z) + series(x1) + series(w)):
            continue
        break
    return n - y if p > 0.5 else y


def binomial(source: Any, n: int, p: float) -> int:
    """A binomial number."""
    if n == 0 or p == 0.0:
        return 0
    if p <= 0.5:
        return _binomial_inversion(source, n, p) if p * n <= 30.0 else _binomial_btpe(source, n, p)
    q = 1.0 - p
    return n - _binomial_inversion(source, n, q) if q * n <= 30.0 else _binomial_btpe(source, n, p)


def geometric(source: Any, p: float) -> int:
    """The number of trials up to the first success."""
    if p >= 0.333333333333333333333333:
        found, total, product, q = 1, p, p, 1.0 - p
        u = source.double()
        while u > total:
            product *= q
            total += product
            found += 1
        return found
    if source.legacy:
        return int(math.ceil(math.log1p(-source.double()) / math.log(1.0 - p)))
    return int(math.ceil(-source.exponential() / math.log1p(-p)))


def laplace(source: Any, loc: float, scale: float) -> float:
    """A Laplace number."""
    while True:
        u = source.double()
        if u >= 0.5:
            return loc - scale * math.log(2.0 - u - u)
        if u > 0.0:
            return loc + scale * math.log(u + u)


def logistic(source: Any, loc: float, scale: float) -> float:
    """A logistic number."""
    while True:
        u = source.double()
        if u > 0.0:
            return loc + scale * math.log(u / (1.0 - u))


def gumbel(source: Any, loc: float, scale: float) -> float:
    """A Gumbel number."""
    while True:
        u = 1.0 - source.double()
        if u < 1.0:
            return loc - scale * math.log(-math.log(u))


def triangular(source: Any, left: float, mode: float, right: float) -> float:
    """A triangular number."""
    base, reach = right - left, mode - left
    ratio = reach / base
    u = source.double()
    if u <= ratio:
        return left + math.sqrt(u * reach * base)
    return right - math.sqrt((1.0 - u) * (right - mode) * base)


def rayleigh(source: Any, mode: float) -> float:
    """A Rayleigh number."""
    if source.legacy:
        return mode * math.sqrt(-2.0 * math.log1p(-source.double()))
    return mode * math.sqrt(2.0 * source.exponential())


def pareto(source: Any, a: float) -> float:
    """A Pareto (Lomax) number."""
    drawn = source.exponential() / a
    return math.exp(drawn) - 1 if source.legacy else math.expm1(drawn)


def weibull(source: Any, a: float) -> float:
    """A Weibull number."""
    return 0.0 if a == 0.0 else math.pow(source.exponential(), 1.0 / a)


def power(source: Any, a: float) -> float:
    """A number with density a x^(a-1) on [0, 1]."""
    drawn = -source.exponential()
    return math.pow(1 - math.exp(drawn) if source.legacy else -math.expm1(drawn), 1.0 / a)


def student(source: Any, df: float) -> float:
    """A number of Student's t distribution."""
    top = source.normal()
    return math.sqrt(df / 2) * top / math.sqrt(gamma(source, df / 2))


def bounded(source: Any, top: int, masked: bool) -> int:
    """A whole number in 0..top, by masks (the legacy way) or by Lemire's multiplication."""
    if top == 0:
        return 0
    bits = source.bits
    wide = top > M32
    draw, full = (bits.next64, M64) if wide else (bits.next32, M32)
    if top == full:
        return draw()
    if masked:
        mask = (1 << top.bit_length()) - 1
        while True:
            value = draw() & mask
            if value <= top:
                return value
    size = 64 if wide else 32
    count = top + 1
    product = draw() * count
    left = product & full
    if left < count:
        threshold = (full - top) % count
        while left < threshold:
            product = draw() * count
            left = product & full
    return product >> size


def bounded_list(source: Any, top: int, count: int, masked: bool) -> list[int]:
    """`count` of `bounded`."""
    if masked and 0 < top < M32:
        mask, draw, found = (1 << top.bit_length()) - 1, source.bits.next32, []
        while len(found) < count:
            value = draw() & mask
            if value <= top:
                found.append(value)
        return found
    return [bounded(source, top, masked) for _ in range(count)]


def narrow_list(source: Any, top: int, count: int, masked: bool, width: int) -> list[int]:
    """`count` numbers in 0..top, several of `width` (8 or 16, 1 for booleans) bits from each 32-bit word."""
    if top == 0:
        return [0] * count
    word, left = 0, 0
    full = (1 << width) - 1
    bits = source.bits

    def draw() -> int:
        nonlocal word, left
        if left == 0:
            word, left = bits.next32(), 32 // width - 1
        else:
            word >>= width
            left -= 1
        return word & full

    if top == full:
        return [draw() for _ in range(count)]
    found = []
    mask = (1 << top.bit_length()) - 1
    many = top + 1
    for _ in range(count):
        if masked:
            value = draw() & mask
            while value > top:
                value = draw() & mask
        else:
            product = draw() * many
            rest = product & full
            if rest < many:
                threshold = (full - top) % many
                while rest < threshold:
                    product = draw() * many
                    rest = product & full
            value = product >> width
        found.append(value)
    return found
