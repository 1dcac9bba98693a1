//! Hyperbolic functions and their inverses.

use super::exp_log::exp_parts;
use super::{IntLane, Lane, exp, log, log1p, poly, scale};

/// e^x / 2, finite a little beyond where e^x overflows.
#[inline(always)]
fn half_exp<L: Lane>(x: L) -> L {
    let (p, n) = exp_parts(x);
    scale(p, n - L::Int::splat(1))
}

/// Hyperbolic sine.
#[inline(always)]
pub fn sinh<L: Lane>(x: L) -> L {
    let a = x.abs();
    let z = x * x;
    let near = a + a * (z * poly(z, [0.16666667, 0.008333311, 0.00019842635, 2.7839255e-6]));
    let e = half_exp(a);
    let far = e - L::splat(0.25) / e;
    L::select(a.lt(L::splat(1.0)), near, far).copysign(x)
}

/// Hyperbolic cosine.
#[inline(always)]
pub fn cosh<L: Lane>(x: L) -> L {
    let e = half_exp(x.abs());
    e + L::splat(0.25) / e
}

/// Hyperbolic tangent.
#[inline(always)]
pub fn tanh<L: Lane>(x: L) -> L {
    let a = x.abs();
    let z = x * x;
    let near = a + a
        * (z * poly(
            z,
            [
                -0.33333284,
                0.13331485,
                -0.053743005,
                0.020649103,
                -0.005715499,
            ],
        ));
    let one = L::splat(1.0);
    let far = one - L::splat(2.0) / (exp(a + a) + one);
    L::select(a.lt(L::splat(0.625)), near, far).copysign(x)
}

/// Beyond this x^2 drowns the 1 in sqrt(x^2 + 1), well before it overflows.
const HUGE: f32 = 1e8;

/// `y`, or log(2 a) where a is huge.
#[inline(always)]
fn with_huge<L: Lane>(a: L, y: L) -> L {
    let huge = a.gt(L::splat(HUGE));
    if !huge.any() {
        return y;
    }
    L::select(huge, log(a) + L::splat(core::f32::consts::LN_2), y)
}

/// Inverse hyperbolic sine.
#[inline(always)]
pub fn asinh<L: Lane>(x: L) -> L {
    // log1p(a + a^2 / (1 + sqrt(a^2 + 1))).
    let a = x.abs();
    let one = L::splat(1.0);
    let z = a * a;
    let y = log1p(a + z / (one + (z + one).sqrt()));
    with_huge(a, y).copysign(x)
}

/// Inverse hyperbolic cosine.
#[inline(always)]
pub fn acosh<L: Lane>(x: L) -> L {
    // log1p(t + sqrt(2 t + t^2)) with t = x - 1.
    let one = L::splat(1.0);
    let t = x - one;
    let y = log1p(t + (t + t + t * t).sqrt());
    L::select(x.ge(one), with_huge(x, y), L::splat(f32::NAN))
}

/// Inverse hyperbolic tangent.
#[inline(always)]
pub fn atanh<L: Lane>(x: L) -> L {
    // log1p(2 a / (1 - a)) / 2.
    let a = x.abs();
    let y = log1p((a + a) / (L::splat(1.0) - a)) * L::splat(0.5);
    y.copysign(x)
}
