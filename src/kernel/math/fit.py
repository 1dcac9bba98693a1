"""Fits the polynomials of src/kernel/math/*.rs (needs mpmath and numpy).

Each entry is a function g(z), an interval for z and a degree. The polynomial is the (near) minimax
fit in relative error of the *whole* function, found by Lawson's reweighted least squares on
Chebyshev nodes; coefficients are then rounded to float32 one by one from the lowest order, and the
remaining ones are fitted again, so that rounding does not accumulate.
"""
import sys
import mpmath as mp
import numpy as np

mp.mp.dps = 40
NODES = 400


def nodes(a, b):
    k = np.arange(NODES)
    return (a + b) / 2 + (b - a) / 2 * np.cos(np.pi * (k + 0.5) / NODES)


def lawson(z, y, scale, powers, iterations=60):
    """Coefficients c of sum c_k z^powers[k] minimising max |scale * (fit - y)|."""
    columns = np.stack([z**p for p in powers], axis=1).astype(np.float64)
    norms = np.abs(columns).max(axis=0)
    w = np.ones_like(z)
    best, best_error = None, np.inf
    for _ in range(iterations):
        root = np.sqrt(w) * scale
        c = np.linalg.lstsq(columns / norms * root[:, None], y * root, rcond=None)[0] / norms
        error = np.abs(scale * (columns @ c - y))
        if error.max() < best_error:
            best, best_error = c, error.max()
        w = w * (error + 1e-30)
        w /= w.sum()
    return best, best_error


def fit(name, g, a, b, degree, weight=None, exact=(), double=False):
    """Prints the polynomial for g on [a, b]; `exact` fixes the lowest coefficients."""
    z = nodes(a, b)
    y = np.array([float(g(mp.mpf(float(v)))) for v in z])
    scale = np.array([float(weight(mp.mpf(float(v)))) for v in z]) if weight else 1 / np.abs(y)
    kind = np.float64 if double else np.float32
    fixed = [kind(c) for c in exact]
    while len(fixed) <= degree:
        k = len(fixed)
        rest = y - sum(float(c) * z**p for p, c in enumerate(fixed))
        c, _ = lawson(z, rest, scale, range(k, degree + 1))
        fixed.append(kind(c[0]))
    error = np.abs(scale * (sum(float(c) * z**p for p, c in enumerate(fixed)) - y)).max()
    print(f"// {name}: [{a:.6g}, {b:.6g}], degree {degree}, error {error:.2g}")
    print("    [" + ", ".join(repr(float(c)) if double else str(c) for c in fixed) + "],")


def taylor_tail(f, order, lead):
    """(f(x) - lead(x)) / x^order, evaluated away from 0 by extra precision."""

    def g(x):
        x = x if x != 0 else mp.mpf(10) ** -12
        return (f(x) - lead(x)) / x**order

    return g


L = mp.log(2) / 2
SQ = mp.sqrt


def even(f, order, lead):
    """The same in z = x^2."""

    def g(z):
        z = z if z != 0 else mp.mpf(10) ** -20
        x = SQ(z)
        return (f(x) - lead(x)) / x**order

    return g


def main():
    half_ln2 = float(L) * 1.001
    # e^r = 1 + r + r^2 q(r)
    fit("exp", taylor_tail(mp.exp, 2, lambda x: 1 + x), -half_ln2, half_ln2, 4,
        weight=lambda r: r * r / mp.exp(r))
    fit("expm1", taylor_tail(mp.exp, 2, lambda x: 1 + x), -half_ln2, half_ln2, 5,
        weight=lambda r: abs(r) + 1e-9)
    fit("exp2", taylor_tail(lambda x: mp.power(2, x), 1, lambda x: 1), -0.5005, 0.5005, 5,
        weight=lambda r: abs(r) + 1e-9)
    # log(1+f) = f - f^2/2 + f^3 q(f)
    fit("log", taylor_tail(mp.log1p, 3, lambda x: x - x * x / 2), -0.2932, 0.4143, 8,
        weight=lambda f: f * f + 1e-9)
    q = float(mp.pi / 4) * 1.002
    fit("sin", even(mp.sin, 3, lambda x: x), 0, q * q, 3, weight=lambda z: z + 1e-9)
    fit("cos", even(mp.cos, 4, lambda x: 1 - x * x / 2), 0, q * q, 2, weight=lambda z: z * z + 1e-9)
    fit("asin", even(mp.asin, 3, lambda x: x), 0, 0.25, 4, weight=lambda z: z + 1e-9)
    t = float(mp.tan(mp.pi / 8)) * 1.0005
    fit("atan", even(mp.atan, 3, lambda x: x), 0, t * t, 3, weight=lambda z: z + 1e-9)
    fit("atan5", even(mp.atan, 3, lambda x: x), 0, t * t, 4, weight=lambda z: z + 1e-9)
    fit("sinh", even(mp.sinh, 3, lambda x: x), 0, 1, 3, weight=lambda z: z + 1e-9)
    fit("tanh", even(mp.tanh, 3, lambda x: x), 0, 0.625**2, 4, weight=lambda z: z + 1e-9)
    fit("erf", even(mp.erf, 1, lambda x: x), 0, 1.0, 7, weight=lambda z: SQ(z) / mp.erf(SQ(z) + 1e-12))
    fit("erf tail: log(erfc(a))", lambda a: mp.log(mp.erfc(a)), 0.98, 4.0, 7,
        weight=lambda a: mp.erfc(a) / mp.erf(a))
    fit("erf tail: log(erfc(a))", lambda a: mp.log(mp.erfc(a)), 0.98, 4.0, 8,
        weight=lambda a: mp.erfc(a) / mp.erf(a))
    # (1 + 2a) e^(a^2) erfc(a) in t = (a-4)/(a+4), a in [0, 10.6]

    def scaled(t):
        a = 4 * (1 + t) / (1 - t)
        return (1 + 2 * a) * mp.exp(a * a) * mp.erfc(a)

    top = (10.6 - 4) / (10.6 + 4)
    for d in (9, 10, 11):
        fit("erfc scaled", scaled, -1, top, d)

    # erfinv(x)/x in w = -log(1-x^2): near, w - 2.5 in [-2.5, 2.5]; far, sqrt(w) - 3

    def ratio(w):
        if w <= 0:
            return SQ(mp.pi) / 2
        x = SQ(-mp.expm1(-w))
        return mp.erfinv(x) / x

    mp.mp.dps = 60
    for d in (8, 9, 10):
        fit("erfinv near", lambda v: ratio(v + 2.5), -2.5, 2.5, d)
    for d in (7, 8, 9):
        fit("erfinv far", lambda v: ratio((v + 3) ** 2), float(np.sqrt(5.0)) - 3, 1.02, d)
    mp.mp.dps = 40
    # float64 polynomials for pow: log2((1+s)/(1-s)) = s p(s^2); 2^r
    s = float((SQ(2) - 1) / (SQ(2) + 1)) * 1.001
    fit("pow log2", even(lambda x: 2 * mp.atanh(x) / mp.log(2), 1, lambda x: 0), 0, s * s, 4,
        double=True)
    fit("pow exp2", lambda r: mp.power(2, r), -0.5005, 0.5005, 6, double=True)


if __name__ == "__main__":
    main()
