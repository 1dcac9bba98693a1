//! The error function and its relatives.

use super::exp_log::exp_parts_of_sum;
use super::{IntLane, Lane, exp, log, poly, scale};

/// erf(x) for |x| <= 1.
#[inline(always)]
fn erf_near<L: Lane>(x: L) -> L {
    let p = poly(
        x * x,
        [
            0.12837917,
            -0.3761263,
            0.112836316,
            -0.026856495,
            0.005195796,
            -0.0008117626,
            8.62346e-5,
            -2.1722183e-6,
        ],
    );
    x + x * p
}

/// Error function.
#[inline(always)]
pub fn erf<L: Lane>(x: L) -> L {
    let a = x.abs();
    // 1 - e^(log erfc(a)); from 4 on that is 1.
    let t = a.min(L::splat(4.0));
    let q = poly(
        t,
        [
            0.00018848755,
            -1.1295804,
            -0.6332163,
            -0.108422115,
            0.02521031,
            -0.0042052614,
            0.00044146657,
            -2.1697144e-5,
        ],
    );
    let far = L::splat(1.0) - exp(q);
    L::select(a.lt(L::splat(1.0)), erf_near(a), far).copysign(x)
}

/// a^2 as an unevaluated sum (Dekker's product; each half of the split has 12 bits).
#[inline(always)]
fn square_parts<L: Lane>(a: L) -> (L, L) {
    let high = L::from_bits(a.bits() & L::Int::splat(!0xfff));
    let low = a - high;
    let z = a * a;
    (z, ((high * high - z) + (high + high) * low) + low * low)
}

/// 1 - erf(x), accurate far out.
#[inline(always)]
pub fn erfc<L: Lane>(x: L) -> L {
    // (1 + 2a) e^(a^2) erfc(a) is nearly constant; a polynomial in (a - 4)/(a + 4) after Shepherd
    // and Laframboise (1981).
    let a = x.abs().min(L::splat(10.5));
    let t = (a - L::splat(4.0)) / (a + L::splat(4.0));
    let p = poly(
        t,
        [
            1.2329952,
            -0.13962112,
            0.015376466,
            0.06809344,
            -0.100980744,
            0.09383392,
            -0.06665784,
            0.03635068,
            -0.015958484,
            0.0070008845,
            0.00088324136,
        ],
    );
    let (z, z_low) = square_parts(a);
    let (e, n) = exp_parts_of_sum(-z, -z_low);
    let (one, twice) = (L::splat(1.0), a + a);
    let d = one + twice;
    let q = p / d;
    // p / (d + lost), where p is about 1.2; the sum was exact but for `lost` as 2a > 1 out here.
    let lost = one - (d - twice);
    let q = q - q * (q * (lost * L::splat(0.83)));
    let y = scale(e * q, n);
    let far = L::select(x.lt(L::splat(0.0)), L::splat(2.0) - y, y);
    // Near 0 the result is near 1, where the roundings above would weigh double.
    L::select(x.abs().lt(L::splat(0.6)), L::splat(1.0) - erf_near(x), far)
}

/// Inverse of the error function.
#[inline(always)]
pub fn erf_inv<L: Lane>(x: L) -> L {
    // erfinv(x) / x as a function of w = -log(1 - x^2), after Giles (2010).
    let one = L::splat(1.0);
    let w = -log((one - x) * (one + x));
    let near = poly(
        w - L::splat(2.5),
        [
            1.5014094,
            0.24664028,
            -0.004177666,
            -0.0012527552,
            0.000218573,
            -4.9440937e-6,
            -3.5221485e-6,
            4.601331e-7,
            2.8041327e-8,
            -8.252786e-9,
        ],
    );
    let outside = w.ge(L::splat(5.0));
    if !outside.any() {
        return x * near;
    }
    let far = poly(
        w.sqrt() - L::splat(3.0),
        [
            2.8329768,
            1.0016752,
            0.009445322,
            -0.007640889,
            0.0056851516,
            -0.0035834159,
            0.001491214,
            -7.847196e-5,
            -0.00031488985,
            0.0001276952,
        ],
    );
    let y = x * L::select(outside, far, near);
    L::select(x.abs().eq(one), x * L::splat(f32::INFINITY), y)
}
