//! Element-wise mathematics, written once over [`Lane`].
//!
//! Every function is within 4 ulp (float32) of the exact value on all arguments, gradual underflow
//! included, and treats signed zeros, infinities and NaN as C99 and JAX do. The reductions are the
//! classical ones, each named where it is used; the polynomials are our own fits, made by `fit.py`
//! in this folder.

mod double;
mod erf;
mod exp_log;
mod gamma;
mod hyperbolic;
mod power;
mod trig;

pub use double::{erf_inv_f64, exp2_f64, integer_pow_f64, logistic_f64, pow_f64, sign_f64};
pub use erf::{erf, erf_inv, erfc};
pub use exp_log::{exp, exp2, expm1, log, log1p, log2, logistic};
pub use gamma::{digamma_f32, digamma_f64, lgamma_f32, lgamma_f64};
pub use hyperbolic::{acosh, asinh, atanh, cosh, sinh, tanh};
pub use power::{cbrt, integer_pow, pow, rem, rsqrt};
pub use trig::{acos, asin, atan, atan2, cos, sin, tan};

use super::lane::{IntLane, Lane};

/// Horner's rule, lowest coefficient first.
#[inline(always)]
fn poly<L: Lane, const N: usize>(x: L, coefficients: [f32; N]) -> L {
    let mut y = L::splat(coefficients[N - 1]);
    for k in (0..N - 1).rev() {
        y = y * x + L::splat(coefficients[k]);
    }
    y
}

/// Adding 1.5 * 2^23 leaves the nearest integer in the low mantissa bits.
const ROUND: f32 = 12_582_912.0;

/// The nearest integer to `x` as a float and as an integer, for |x| < 2^22.
#[inline(always)]
fn split_integer<L: Lane>(x: L) -> (L, L::Int) {
    let t = x + L::splat(ROUND);
    (t - L::splat(ROUND), t.bits() - L::splat(ROUND).bits())
}

/// 2^n for -127 < n < 128.
#[inline(always)]
fn power_of_two<L: Lane>(n: L::Int) -> L {
    L::from_bits((n + L::Int::splat(127)).shl(23))
}

/// x * 2^n for |n| < 253, rounded once: the first factor never leaves the normal range when x is
/// near 1.
#[inline(always)]
fn scale<L: Lane>(x: L, n: L::Int) -> L {
    let half = n.sar(1);
    x * power_of_two(half) * power_of_two(n - half)
}

/// -1, +-0, 1 or NaN.
#[inline(always)]
pub fn sign<L: Lane>(x: L) -> L {
    let one = L::splat(1.0).copysign(x);
    L::select(x.abs().gt(L::splat(0.0)), one, x)
}

/// The nearest integer, ties away from zero.
#[inline(always)]
pub fn round_away<L: Lane>(x: L) -> L {
    // x - trunc(x) is exact, unlike x + 0.5.
    let whole = x.trunc();
    let up = (x - whole).abs().ge(L::splat(0.5));
    L::select(up, whole + L::splat(1.0).copysign(x), whole).copysign(x)
}
