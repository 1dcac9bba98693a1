//! Circular functions and their inverses.

use super::super::lane::WideLane;
use super::{IntLane, Lane, poly, split_integer};
use core::f32::consts::{FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, PI};

/// pi/2 in three parts (Cody and Waite); the first two have 16 bits, so that their products with a
/// quadrant number below 2^8 are exact.
const PI_2: [f32; 3] = [1.570_770_3, 2.606_306_2e-5, 6.077_100_8e-11];
/// pi/2 in two doubles; the first has 33 bits.
const PI_2_WIDE: [f64; 2] = [1.5707963267341256, 6.077100506506192e-11];
/// pi/2 - FRAC_PI_2 and pi - PI.
const PI_2_REST: f32 = -4.371_139e-8;
const PI_REST: f32 = -8.742_278e-8;

/// Up to here the single-precision reduction holds, and up to the second bound the double one.
const SMALL: f32 = 256.0;
const MEDIUM: f32 = 1_048_576.0;

/// 8 zero bits, then the binary digits of 2/pi.
const TWO_OVER_PI: [u64; 4] = [
    0x00a2_f983_6e4e_4415,
    0x29fc_2757_d1f5_34dd,
    0xc0db_6295_993c_4390,
    0x41fe_5163_abde_bbc5,
];

/// Payne and Hanek's reduction of a huge argument: (remainder in [-pi/4, pi/4], quadrant).
#[cold]
fn reduce_huge(x: f32) -> (f32, i32) {
    if !x.is_finite() {
        return (f32::NAN, 0);
    }
    let bits = x.to_bits();
    let mantissa = ((bits & 0x7f_ffff) | 0x80_0000) as u128;
    let exponent = ((bits >> 23) & 255) as usize; // x = mantissa * 2^(exponent - 150)
    // 128 bits of 2^(exponent - 150) * 2/pi from weight 2 downwards. Digits above are multiples of
    // 4 and do not matter; the wrapping product drops those that the mantissa carries up there.
    let first = exponent - 144;
    let (word, shift) = (first / 64, first % 64);
    let pair = |k: usize| (TWO_OVER_PI[k] as u128) << 64 | TWO_OVER_PI[k + 1] as u128;
    let high = ((pair(word) << shift) >> 64) as u64;
    let low = ((pair(word + 1) << shift) >> 64) as u64;
    let turns = mantissa.wrapping_mul((high as u128) << 64 | low as u128);
    let quadrant = (turns.wrapping_add(1 << 125) >> 126) as i32 & 3;
    let fraction = turns.wrapping_sub((quadrant as u128) << 126) as i128;
    let r = ((fraction >> 64) as i64 as f64)
        * (1.0 / (1i64 << 62) as f64)
        * core::f64::consts::FRAC_PI_2;
    if x < 0.0 {
        (-r as f32, -quadrant)
    } else {
        (r as f32, quadrant)
    }
}

/// x = r + n pi/2 with |r| <= pi/4 (a rounding more at most). Returns (r, n modulo 4).
#[inline(always)]
fn reduce<L: Lane>(x: L) -> (L, L::Int) {
    let (n, k) = split_integer(x * L::splat(FRAC_2_PI));
    // Both products are exact; what rounding the second difference lost goes into the last term.
    let (a, b) = (x - n * L::splat(PI_2[0]), n * L::splat(PI_2[1]));
    let difference = a - b;
    let lost = (a - difference) - b;
    let r = difference + (lost - n * L::splat(PI_2[2]));
    let large = x.abs().gt(L::splat(SMALL));
    if !large.any() {
        return (r, k);
    }
    let (r_large, k_large) = reduce_large(x);
    (
        L::select(large, r_large, r),
        (k_large & large) | (k & !large),
    )
}

/// The same in double precision, with a scalar way out for the huge.
#[inline(never)]
fn reduce_large<L: Lane>(x: L) -> (L, L::Int) {
    let wide = x.widen();
    let round = L::Wide::splat(1.5 * (1u64 << 52) as f64);
    let n = (wide * L::Wide::splat(core::f64::consts::FRAC_2_PI) + round) - round;
    let quarter = (n * L::Wide::splat(0.25) + round) - round;
    let k = L::narrow(n - quarter * L::Wide::splat(4.0)).to_int();
    let r = L::narrow((wide - n * L::Wide::splat(PI_2_WIDE[0])) - n * L::Wide::splat(PI_2_WIDE[1]));
    let huge = x.abs().gt(L::splat(MEDIUM));
    if !huge.any() {
        return (r, k);
    }
    let scalar = |v: f32| {
        if v.abs() > MEDIUM {
            reduce_huge(v)
        } else {
            (0.0, 0)
        }
    };
    let (r_huge, k_huge) = x.map_pair(scalar);
    (L::select(huge, r_huge, r), (k_huge & huge) | (k & !huge))
}

/// (sin r, cos r) for |r| <= pi/4.
#[inline(always)]
fn sin_cos<L: Lane>(r: L) -> (L, L) {
    let z = r * r;
    let s = poly(z, [-0.16666667, 0.00833338, -0.00019853484, 2.836951e-6]);
    let c = poly(z, [0.041666646, -0.0013887301, 2.4430668e-5]);
    // What rounding 1 - z/2 lost goes into the small terms.
    let (one, half) = (L::splat(1.0), z * L::splat(0.5));
    let top = one - half;
    (r + r * z * s, top + (((one - top) - half) + z * z * c))
}

/// sin(r + k pi/2).
#[inline(always)]
fn quadrant_sin<L: Lane>(r: L, k: L::Int) -> L {
    let (s, c) = sin_cos(r);
    let one = L::Int::splat(1);
    let y = L::select((k & one).eq(one), c, s);
    L::from_bits(y.bits() ^ (k & L::Int::splat(2)).shl(30))
}

/// Sine of an angle in radians.
#[inline(always)]
pub fn sin<L: Lane>(x: L) -> L {
    let (r, k) = reduce(x);
    L::select(x.eq(L::splat(0.0)), x, quadrant_sin(r, k))
}

/// Cosine of an angle in radians.
#[inline(always)]
pub fn cos<L: Lane>(x: L) -> L {
    let (r, k) = reduce(x);
    quadrant_sin(r, k + L::Int::splat(1))
}

/// Tangent of an angle in radians.
#[inline(always)]
pub fn tan<L: Lane>(x: L) -> L {
    let (r, k) = reduce(x);
    let (s, c) = sin_cos(r);
    let one = L::Int::splat(1);
    let odd = (k & one).eq(one);
    let y = L::select(odd, -c, s) / L::select(odd, s, c);
    L::select(x.eq(L::splat(0.0)), x, y)
}

/// (asin(x) - x) / x for |x| <= 1/2, from z = x^2.
#[inline(always)]
fn asin_rest<L: Lane>(z: L) -> L {
    z * poly(
        z,
        [0.16666754, 0.07495252, 0.04547604, 0.024152093, 0.042211797],
    )
}

/// Inverse sine.
#[inline(always)]
pub fn asin<L: Lane>(x: L) -> L {
    // asin(a) = pi/2 - 2 asin(sqrt((1 - a)/2)) for a > 1/2.
    let a = x.abs();
    let far = a.gt(L::splat(0.5));
    let z = L::select(far, (L::splat(1.0) - a) * L::splat(0.5), a * a);
    let s = L::select(far, z.sqrt(), a);
    let y = s + s * asin_rest(z);
    let y_far = L::splat(FRAC_PI_2) - ((y + y) - L::splat(PI_2_REST));
    L::select(far, y_far, y).copysign(x)
}

/// Inverse cosine.
#[inline(always)]
pub fn acos<L: Lane>(x: L) -> L {
    let a = x.abs();
    let far = a.gt(L::splat(0.5));
    let z = L::select(far, (L::splat(1.0) - a) * L::splat(0.5), a * a);
    let s = L::select(far, z.sqrt(), x);
    let y = s + s * asin_rest(z);
    let near = L::splat(FRAC_PI_2) - (y - L::splat(PI_2_REST));
    let twice = y + y;
    let negative = L::splat(PI) - (twice - L::splat(PI_REST));
    L::select(far, L::select(x.lt(L::splat(0.0)), negative, twice), near)
}

/// (high, low) with atan(a) = high + low for a >= 0, high being 0, pi/4 or pi/2.
#[inline(always)]
fn atan_parts<L: Lane>(a: L) -> (L, L) {
    // tan(pi/8) and tan(3 pi/8) divide the axis into three pieces.
    let one = L::splat(1.0);
    let middle = a.gt(L::splat(0.414_213_57));
    let far = a.gt(L::splat(2.414_213_7));
    let top = L::select(far, -one, L::select(middle, a - one, a));
    let bottom = L::select(far, a, L::select(middle, a + one, one));
    let t = top / bottom;
    let zero = L::splat(0.0);
    let high = L::select(
        far,
        L::splat(FRAC_PI_2),
        L::select(middle, L::splat(FRAC_PI_4), zero),
    );
    let rest = L::select(
        far,
        L::splat(PI_2_REST),
        L::select(middle, L::splat(PI_2_REST * 0.5), zero),
    );
    let z = t * t;
    let p = poly(
        z,
        [
            -0.33333316,
            0.1999853,
            -0.14244425,
            0.105994076,
            -0.06090559,
        ],
    );
    (high, (t * z * p + rest) + t)
}

/// Inverse tangent.
#[inline(always)]
pub fn atan<L: Lane>(x: L) -> L {
    let (high, low) = atan_parts(x.abs());
    (high + low).copysign(x)
}

/// The angle of the point (x, y), in [-pi, pi].
#[inline(always)]
pub fn atan2<L: Lane>(y: L, x: L) -> L {
    let (ax, ay) = (x.abs(), y.abs());
    let zero = L::splat(0.0);
    let (small, large) = (ax.min(ay), ax.max(ay));
    // Two zeros are at angle 0 and two infinities at pi/4, which a quotient cannot tell.
    let q = L::select(large.eq(zero), zero, small / large);
    let q = L::select(small.eq(L::splat(f32::INFINITY)), L::splat(1.0), q);
    let (high, low) = atan_parts(q);
    let steep = ay.gt(ax);
    // pi/2 - (high + low), then pi - that; the constants are kept in two parts.
    let high = L::select(steep, L::splat(FRAC_PI_2) - high, high);
    let low = L::select(steep, L::splat(PI_2_REST) - low, low);
    let left = x.bits().sar(31);
    let high = L::select(left, L::splat(PI) - high, high);
    let low = L::select(left, L::splat(PI_REST) - low, low);
    (high + low).copysign(y)
}
