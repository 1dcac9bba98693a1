//! Exponentials and logarithms.

use super::{IntLane, Lane, poly, scale, split_integer};

const LOG2_E: f32 = core::f32::consts::LOG2_E;
/// ln 2 in two parts; the first has 9 bits, so its product with an exponent is exact.
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// e^x = 2^n e^r with |r| <= ln(2)/2 (Cody and Waite). Returns (r, n); x must be in [-150, 150].
#[inline(always)]
fn reduce_exp<L: Lane>(x: L) -> (L, L::Int) {
    let (n, k) = split_integer(x * L::splat(LOG2_E));
    ((x - n * L::splat(LN_2_HIGH)) - n * L::splat(LN_2_LOW), k)
}

/// e^x as (p, n) with e^x = p 2^n and p in [0.7, 1.42]; arguments are clamped to where the result
/// is surely zero or infinite.
#[inline(always)]
pub(super) fn exp_parts<L: Lane>(x: L) -> (L, L::Int) {
    let (r, n) = reduce_exp(x.max(L::splat(-104.5)).min(L::splat(90.0)));
    (exp_fraction(r), n)
}

/// [`exp_parts`] of x + low for a low part that is tiny beside x, which must be in [-150, 89].
#[inline(always)]
pub(super) fn exp_parts_of_sum<L: Lane>(x: L, low: L) -> (L, L::Int) {
    let (r, n) = reduce_exp(x);
    (exp_fraction(r + low), n)
}

/// e^r for |r| <= ln(2)/2.
#[inline(always)]
fn exp_fraction<L: Lane>(r: L) -> L {
    let q = poly(
        r,
        [
            0.49999994,
            0.16666521,
            0.041668274,
            0.008368686,
            0.0013820138,
        ],
    );
    (r * r * q + r) + L::splat(1.0)
}

/// e^x.
#[inline(always)]
pub fn exp<L: Lane>(x: L) -> L {
    let (p, n) = exp_parts(x);
    scale(p, n)
}

/// 2^r for |r| <= 1/2.
#[inline(always)]
pub(super) fn exp2_fraction<L: Lane>(r: L) -> L {
    let q = poly(
        r,
        [
            core::f32::consts::LN_2,
            0.2402265,
            0.055503592,
            0.009618067,
            0.0013391174,
            0.00015460876,
        ],
    );
    r * q + L::splat(1.0)
}

/// 2^x.
#[inline(always)]
pub fn exp2<L: Lane>(x: L) -> L {
    let x = x.max(L::splat(-151.0)).min(L::splat(129.0));
    let (n, k) = split_integer(x);
    scale(exp2_fraction(x - n), k)
}

/// e^x - 1.
#[inline(always)]
pub fn expm1<L: Lane>(x: L) -> L {
    let (r, n) = reduce_exp(x.max(L::splat(-20.0)).min(L::splat(89.0)));
    let q = poly(
        r,
        [
            0.5,
            0.16666667,
            0.04166649,
            0.008333208,
            0.0013932686,
            0.00019944255,
        ],
    );
    let p = r * r * q + r;
    // 2^n (p + 1) - 1 at half scale, because 2^128 is not a float.
    let half = super::power_of_two::<L>(n - L::Int::splat(1));
    let y = half * p + (half - L::splat(0.5));
    L::select(x.abs().lt(L::splat(1e-8)), x, y + y)
}

/// x = m 2^e with m in [sqrt(1/2), sqrt(2)), for normal positive x. Returns (m, e).
#[inline(always)]
pub(super) fn split_exponent<L: Lane>(x: L) -> (L, L::Int) {
    let bits = x.bits();
    let e = (bits - L::splat(core::f32::consts::FRAC_1_SQRT_2).bits()).sar(23);
    (L::from_bits(bits - e.shl(23)), e)
}

/// The same for subnormal x as well.
#[inline(always)]
pub(super) fn split_any_exponent<L: Lane>(x: L) -> (L, L::Int) {
    let tiny = x.lt(L::splat(f32::MIN_POSITIVE));
    let (m, e) = split_exponent(L::select(tiny, x * L::splat(8_388_608.0), x));
    (m, e - (tiny & L::Int::splat(23)))
}

/// log(1 + f) - f for 1 + f in [sqrt(1/2), sqrt(2)), plus `extra`.
#[inline(always)]
fn log_rest<L: Lane>(f: L, extra: L) -> L {
    let z = f * f;
    let q = poly(
        f,
        [
            0.3333331,
            -0.24999985,
            0.20002227,
            -0.16669331,
            0.14218673,
            -0.1238292,
            0.118717045,
            -0.117981225,
            0.06928102,
        ],
    );
    (f * z * q + extra) - z * L::splat(0.5)
}

/// Puts in what a logarithm is at zero, infinity, NaN and below zero.
#[inline(always)]
fn log_edges<L: Lane>(x: L, y: L) -> L {
    let edge = L::select(
        x.eq(L::splat(0.0)),
        L::splat(f32::NEG_INFINITY),
        L::splat(f32::NAN),
    );
    let edge = L::select(x.eq(L::splat(f32::INFINITY)), x, edge);
    let inside = x.gt(L::splat(0.0)) & x.lt(L::splat(f32::INFINITY));
    L::select(inside, y, edge)
}

/// Natural logarithm.
#[inline(always)]
pub fn log<L: Lane>(x: L) -> L {
    let (m, e) = split_any_exponent(x);
    let (f, e) = (m - L::splat(1.0), L::from_int(e));
    let y = (f + log_rest(f, e * L::splat(LN_2_LOW))) + e * L::splat(LN_2_HIGH);
    log_edges(x, y)
}

/// Logarithm to base 2.
#[inline(always)]
pub fn log2<L: Lane>(x: L) -> L {
    let (m, e) = split_any_exponent(x);
    let f = m - L::splat(1.0);
    let y = (f + log_rest(f, L::splat(0.0))) * L::splat(LOG2_E) + L::from_int(e);
    log_edges(x, y)
}

/// log(1 + x).
#[inline(always)]
pub fn log1p<L: Lane>(x: L) -> L {
    let one = L::splat(1.0);
    let u = one + x;
    let (m, e) = split_exponent(u);
    // 1 + x = u + c exactly, and log(u + c) = log(u) + c/u to first order; where u is not scaled,
    // f = x needs no correction at all.
    let c = L::select(x.ge(one), one - (u - x), x - (u - one));
    let whole = e.eq(L::Int::splat(0));
    let f = L::select(whole, x, m - one);
    let c = L::select(whole, L::splat(0.0), c / u);
    let e = L::from_int(e);
    let y = (f + log_rest(f, e * L::splat(LN_2_LOW) + c)) + e * L::splat(LN_2_HIGH);
    L::select(x.abs().lt(L::splat(3e-8)), x, log_edges(u, y))
}

/// 1 / (1 + e^-x).
#[inline(always)]
pub fn logistic<L: Lane>(x: L) -> L {
    // With e^-|x| nothing overflows and the far left keeps its accuracy.
    let e = exp(-x.abs());
    L::select(x.lt(L::splat(0.0)), e, L::splat(1.0)) / (e + L::splat(1.0))
}
