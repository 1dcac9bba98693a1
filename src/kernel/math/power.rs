//! Powers and roots.

use super::super::lane::WideLane;
use super::exp_log::{exp2_fraction, split_any_exponent};
use super::{IntLane, Lane, scale, split_integer};

/// 1 / sqrt(x).
#[inline(always)]
pub fn rsqrt<L: Lane>(x: L) -> L {
    L::splat(1.0) / x.sqrt()
}

/// Cube root.
#[inline(always)]
pub fn cbrt<L: Lane>(x: L) -> L {
    let a = x.abs();
    // Scaled by 2^24 into a middle range, where t^3 neither underflows nor overflows.
    let one = L::splat(1.0);
    let (low, high) = (a.lt(L::splat(1e-30)), a.gt(L::splat(1e30)));
    let by = |low_factor: f32, high_factor: f32| {
        let factor = L::select(high, L::splat(high_factor), one);
        L::select(low, L::splat(low_factor), factor)
    };
    let v = a * by(16_777_216.0, 1.0 / 16_777_216.0);
    // A third of the bit pattern is a third of the logarithm: about 5% off. One step of Halley,
    // then one of Newton whose correction is small, so that its rounding is too.
    let third = (L::from_int(v.bits()) * L::splat(1.0 / 3.0)).to_int();
    let t = L::from_bits(third + L::Int::splat(0x2a51_4067));
    let cube = t * t * t;
    let t = t * ((cube + (v + v)) / ((cube + cube) + v));
    let t = t + (v / (t * t) - t) * L::splat(1.0 / 3.0);
    let t = t * by(1.0 / 256.0, 256.0);
    let fine = a.gt(L::splat(0.0)) & a.lt(L::splat(f32::INFINITY));
    L::select(fine, t.copysign(x), x)
}

/// x to an integer power by repeated squaring, as XLA multiplies it out; 1/x^|n| for n < 0.
#[inline(always)]
pub fn integer_pow<L: Lane>(x: L, n: i32) -> L {
    let mut power = x;
    let mut y = L::splat(1.0);
    let mut rest = n.unsigned_abs();
    while rest > 0 {
        if rest & 1 == 1 {
            y = y * power;
        }
        rest >>= 1;
        if rest > 0 {
            power = power * power;
        }
    }
    if n < 0 { L::splat(1.0) / y } else { y }
}

/// x to the power y.
#[inline(always)]
pub fn pow<L: Lane>(x: L, y: L) -> L {
    let (zero, one, infinity) = (L::splat(0.0), L::splat(1.0), L::splat(f32::INFINITY));
    let a = x.abs();
    // 2^(y log2 a). The logarithm, 2 atanh((m-1)/(m+1)), and the product are in double precision,
    // because an error in the exponent counts 128-fold.
    let (m, e) = split_any_exponent(a);
    let (m, unit) = (m.widen(), L::Wide::splat(1.0));
    let s = (m - unit) / (m + unit);
    let z = s * s;
    let c = |k: usize| L::Wide::splat(LOG2[k]);
    let p = (((c(4) * z + c(3)) * z + c(2)) * z + c(1)) * z + c(0);
    let t = (s * p + L::from_int(e).widen()) * y.widen();
    let rough = L::narrow(t);
    let (n, k) = split_integer(rough.max(L::splat(-151.0)).min(L::splat(129.0)));
    let r = L::narrow(t - n.widen());
    let mut v = scale(exp2_fraction(r), k);
    v = L::select(rough.ge(L::splat(128.5)), infinity, v);
    v = L::select(rough.le(L::splat(-150.5)), zero, v);

    v = L::select(a.eq(one), one, v);
    let up = L::select(y.lt(zero), zero, infinity);
    v = L::select(a.eq(infinity), up, v);
    v = L::select(a.eq(zero), L::select(y.lt(zero), infinity, zero), v);
    let integral = y.eq(y.trunc());
    let half = y * L::splat(0.5);
    let odd = integral & half.ne(half.trunc());
    v = L::from_bits(v.bits() ^ (x.bits() & odd & L::Int::splat(i32::MIN)));
    let nan = (x.lt(zero) & x.gt(-infinity) & !integral & y.eq(y)) | x.ne(x) | y.ne(y);
    v = L::select(nan, L::splat(f32::NAN), v);
    L::select(x.eq(one) | y.eq(zero), one, v)
}

/// log2((1 + s)/(1 - s)) = s p(s^2) for s within (sqrt 2 - 1)/(sqrt 2 + 1).
const LOG2: [f64; 5] = [
    2.8853900817902036,
    0.9617966731822807,
    0.5770836174113575,
    0.41167066485827775,
    0.34076992711515597,
];

/// C's fmod: the remainder of x / y with the sign of x.
#[inline(always)]
pub fn rem<L: Lane>(x: L, y: L) -> L {
    let (a, b) = (x.abs(), y.abs());
    let q = (a / b).trunc();
    // Up to here the product below is exact, and q is the quotient or, where that lies just below
    // an integer, one too many.
    let near = q.lt(L::splat(4_194_304.0)) & b.lt(L::splat(f32::INFINITY));
    let r = L::narrow(a.widen() - q.widen() * b.widen());
    let r = L::select(r.lt(L::splat(0.0)), r + b, r).copysign(x);
    if !(!near).any() {
        return r;
    }
    L::select(near, r, x.map2(y, |x, y| x % y))
}
