//! Functions of floats that are instructions on wasm but stand only in `std`, which the engine does without.

use core::arch::wasm32::*;

/// Rounding and roots, under the names they have in `std`.
pub trait Float {
    /// The largest whole number that is not above.
    fn floor(self) -> Self;
    /// The smallest whole number that is not below.
    fn ceil(self) -> Self;
    /// The whole number next to it towards zero.
    fn trunc(self) -> Self;
    /// The nearest whole number, of two equally near the even one.
    fn round_ties_even(self) -> Self;
    /// The nearest whole number, of two equally near the one away from zero.
    fn round(self) -> Self;
    /// What is behind the point.
    fn fract(self) -> Self;
    /// The square root.
    fn sqrt(self) -> Self;
}

macro_rules! float {
    ($t:ty, $splat:ident, $lane:ident, $floor:ident, $ceil:ident, $trunc:ident, $nearest:ident, $sqrt:ident) => {
        impl Float for $t {
            #[inline(always)]
            fn floor(self) -> $t {
                $lane::<0>($floor($splat(self)))
            }
            #[inline(always)]
            fn ceil(self) -> $t {
                $lane::<0>($ceil($splat(self)))
            }
            #[inline(always)]
            fn trunc(self) -> $t {
                $lane::<0>($trunc($splat(self)))
            }
            #[inline(always)]
            fn round_ties_even(self) -> $t {
                $lane::<0>($nearest($splat(self)))
            }
            fn round(self) -> $t {
                let whole = Float::trunc(self);
                if (self - whole).abs() >= 0.5 {
                    whole + (1.0 as $t).copysign(self)
                } else {
                    whole
                }
            }
            #[inline(always)]
            fn fract(self) -> $t {
                self - Float::trunc(self)
            }
            #[inline(always)]
            fn sqrt(self) -> $t {
                $lane::<0>($sqrt($splat(self)))
            }
        }
    };
}
#[rustfmt::skip]
float!(f32, f32x4_splat, f32x4_extract_lane, f32x4_floor, f32x4_ceil, f32x4_trunc, f32x4_nearest, f32x4_sqrt);
#[rustfmt::skip]
float!(f64, f64x2_splat, f64x2_extract_lane, f64x2_floor, f64x2_ceil, f64x2_trunc, f64x2_nearest, f64x2_sqrt);
