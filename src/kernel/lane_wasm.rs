//! Four lanes as one `v128`: the vector type of wasm builds with simd128.

use super::{IntLane, Lane, WideLane};
use core::arch::wasm32::*;
use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

/// Four `f32`.
#[derive(Clone, Copy, Debug)]
pub struct F32x4(pub v128);
/// Four `i32`, or four masks.
#[derive(Clone, Copy, Debug)]
pub struct I32x4(pub v128);
/// Four `f64`: the low two lanes, then the high two.
#[derive(Clone, Copy, Debug)]
pub struct F64x4(pub v128, pub v128);

macro_rules! operator {
    ($($lane:ident $op:ident $method:ident $f:ident;)*) => {$(
        impl $op for $lane {
            type Output = $lane;
            #[inline(always)]
            fn $method(self, other: $lane) -> $lane {
                $lane($f(self.0, other.0))
            }
        }
    )*};
}
operator! {
    F32x4 Add add f32x4_add; F32x4 Sub sub f32x4_sub; F32x4 Mul mul f32x4_mul;
    F32x4 Div div f32x4_div;
    I32x4 Add add i32x4_add; I32x4 Sub sub i32x4_sub; I32x4 BitAnd bitand v128_and;
    I32x4 BitOr bitor v128_or; I32x4 BitXor bitxor v128_xor;
}

macro_rules! wide_operator {
    ($($op:ident $method:ident $f:ident;)*) => {$(
        impl $op for F64x4 {
            type Output = F64x4;
            #[inline(always)]
            fn $method(self, other: F64x4) -> F64x4 {
                F64x4($f(self.0, other.0), $f(self.1, other.1))
            }
        }
    )*};
}
wide_operator! { Add add f64x2_add; Sub sub f64x2_sub; Mul mul f64x2_mul; Div div f64x2_div; }

impl Neg for F32x4 {
    type Output = F32x4;
    #[inline(always)]
    fn neg(self) -> F32x4 {
        F32x4(f32x4_neg(self.0))
    }
}

impl Not for I32x4 {
    type Output = I32x4;
    #[inline(always)]
    fn not(self) -> I32x4 {
        I32x4(v128_not(self.0))
    }
}

impl WideLane for F64x4 {
    type Array = [f64; 4];
    #[inline(always)]
    fn splat(x: f64) -> F64x4 {
        F64x4(f64x2_splat(x), f64x2_splat(x))
    }
    #[inline(always)]
    fn to_array(self) -> [f64; 4] {
        let (low, high) = (self.0, self.1);
        [
            f64x2_extract_lane::<0>(low),
            f64x2_extract_lane::<1>(low),
            f64x2_extract_lane::<0>(high),
            f64x2_extract_lane::<1>(high),
        ]
    }
}

impl IntLane for I32x4 {
    #[inline(always)]
    fn splat(x: i32) -> I32x4 {
        I32x4(i32x4_splat(x))
    }
    #[inline(always)]
    fn shl(self, by: u32) -> I32x4 {
        I32x4(i32x4_shl(self.0, by))
    }
    #[inline(always)]
    fn sar(self, by: u32) -> I32x4 {
        I32x4(i32x4_shr(self.0, by))
    }
    #[inline(always)]
    fn shr(self, by: u32) -> I32x4 {
        I32x4(u32x4_shr(self.0, by))
    }
    #[inline(always)]
    fn eq(self, other: I32x4) -> I32x4 {
        I32x4(i32x4_eq(self.0, other.0))
    }
    #[inline(always)]
    fn gt(self, other: I32x4) -> I32x4 {
        I32x4(i32x4_gt(self.0, other.0))
    }
    #[inline(always)]
    fn any(self) -> bool {
        v128_any_true(self.0)
    }
}

impl Lane for F32x4 {
    type Int = I32x4;
    type Wide = F64x4;
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(x: f32) -> F32x4 {
        F32x4(f32x4_splat(x))
    }
    #[inline(always)]
    fn first(self) -> f32 {
        f32x4_extract_lane::<0>(self.0)
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> F32x4 {
        // SAFETY: the caller guarantees four readable elements; wasm loads need no alignment.
        F32x4(unsafe { v128_load(from.cast()) })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller guarantees four writable elements; wasm stores need no alignment.
        unsafe { v128_store(to.cast(), self.0) }
    }
    #[inline(always)]
    fn abs(self) -> F32x4 {
        F32x4(f32x4_abs(self.0))
    }
    #[inline(always)]
    fn sqrt(self) -> F32x4 {
        F32x4(f32x4_sqrt(self.0))
    }
    #[inline(always)]
    fn floor(self) -> F32x4 {
        F32x4(f32x4_floor(self.0))
    }
    #[inline(always)]
    fn ceil(self) -> F32x4 {
        F32x4(f32x4_ceil(self.0))
    }
    #[inline(always)]
    fn trunc(self) -> F32x4 {
        F32x4(f32x4_trunc(self.0))
    }
    #[inline(always)]
    fn nearest(self) -> F32x4 {
        F32x4(f32x4_nearest(self.0))
    }
    #[inline(always)]
    fn min(self, other: F32x4) -> F32x4 {
        F32x4(f32x4_min(self.0, other.0))
    }
    #[inline(always)]
    fn max(self, other: F32x4) -> F32x4 {
        F32x4(f32x4_max(self.0, other.0))
    }
    #[inline(always)]
    fn eq(self, other: F32x4) -> I32x4 {
        I32x4(f32x4_eq(self.0, other.0))
    }
    #[inline(always)]
    fn ne(self, other: F32x4) -> I32x4 {
        I32x4(f32x4_ne(self.0, other.0))
    }
    #[inline(always)]
    fn lt(self, other: F32x4) -> I32x4 {
        I32x4(f32x4_lt(self.0, other.0))
    }
    #[inline(always)]
    fn le(self, other: F32x4) -> I32x4 {
        I32x4(f32x4_le(self.0, other.0))
    }
    #[inline(always)]
    fn select(mask: I32x4, on_true: F32x4, on_false: F32x4) -> F32x4 {
        F32x4(v128_bitselect(on_true.0, on_false.0, mask.0))
    }
    #[inline(always)]
    fn bits(self) -> I32x4 {
        I32x4(self.0)
    }
    #[inline(always)]
    fn from_bits(bits: I32x4) -> F32x4 {
        F32x4(bits.0)
    }
    #[inline(always)]
    fn to_int(self) -> I32x4 {
        I32x4(i32x4_trunc_sat_f32x4(self.0))
    }
    #[inline(always)]
    fn from_int(i: I32x4) -> F32x4 {
        F32x4(f32x4_convert_i32x4(i.0))
    }
    #[inline(always)]
    fn widen(self) -> F64x4 {
        let high = i64x2_shuffle::<1, 1>(self.0, self.0);
        F64x4(
            f64x2_promote_low_f32x4(self.0),
            f64x2_promote_low_f32x4(high),
        )
    }
    #[inline(always)]
    fn narrow(wide: F64x4) -> F32x4 {
        let (low, high) = (
            f32x4_demote_f64x2_zero(wide.0),
            f32x4_demote_f64x2_zero(wide.1),
        );
        F32x4(i64x2_shuffle::<0, 2>(low, high))
    }
    #[inline(always)]
    fn map_pair(self, f: impl Fn(f32) -> (f32, i32)) -> (F32x4, I32x4) {
        let pairs = to_array(self).map(f);
        let [a, b, c, d] = pairs.map(|p| p.1);
        (from_array(pairs.map(|p| p.0)), I32x4(i32x4(a, b, c, d)))
    }
    #[inline(always)]
    fn map2(self, other: F32x4, f: impl Fn(f32, f32) -> f32) -> F32x4 {
        let (a, b) = (to_array(self), to_array(other));
        from_array(core::array::from_fn(|i| f(a[i], b[i])))
    }
}

fn to_array(x: F32x4) -> [f32; 4] {
    let mut lanes = [0.0; 4];
    // SAFETY: `lanes` holds four elements.
    unsafe { x.store(lanes.as_mut_ptr()) };
    lanes
}

fn from_array([a, b, c, d]: [f32; 4]) -> F32x4 {
    F32x4(f32x4(a, b, c, d))
}
