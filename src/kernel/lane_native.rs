//! Four lanes as an array: the vector type of native builds.

use super::{IntLane, Lane, WideLane};
use core::num::Wrapping;
use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

/// Four `f32`.
#[derive(Clone, Copy, Debug)]
pub struct F32x4(pub [f32; 4]);
/// Four `i32`, or four masks.
#[derive(Clone, Copy, Debug)]
pub struct I32x4(pub [Wrapping<i32>; 4]);
/// Four `f64`.
#[derive(Clone, Copy, Debug)]
pub struct F64x4(pub [f64; 4]);

#[inline(always)]
fn zip<A: Copy, B: Copy, C>(a: [A; 4], b: [B; 4], f: impl Fn(A, B) -> C) -> [C; 4] {
    core::array::from_fn(|i| f(a[i], b[i]))
}

macro_rules! operator {
    ($($lane:ident $op:ident $method:ident;)*) => {$(
        impl $op for $lane {
            type Output = $lane;
            #[inline(always)]
            fn $method(self, other: $lane) -> $lane {
                $lane(zip(self.0, other.0, |a, b| a.$method(b)))
            }
        }
    )*};
}
operator! {
    F32x4 Add add; F32x4 Sub sub; F32x4 Mul mul; F32x4 Div div;
    F64x4 Add add; F64x4 Sub sub; F64x4 Mul mul; F64x4 Div div;
    I32x4 Add add; I32x4 Sub sub; I32x4 BitAnd bitand; I32x4 BitOr bitor; I32x4 BitXor bitxor;
}

impl Neg for F32x4 {
    type Output = F32x4;
    #[inline(always)]
    fn neg(self) -> F32x4 {
        F32x4(self.0.map(|a| -a))
    }
}

impl Not for I32x4 {
    type Output = I32x4;
    #[inline(always)]
    fn not(self) -> I32x4 {
        I32x4(self.0.map(|a| !a))
    }
}

impl WideLane for F64x4 {
    type Array = [f64; 4];
    #[inline(always)]
    fn splat(x: f64) -> F64x4 {
        F64x4([x; 4])
    }
    #[inline(always)]
    fn to_array(self) -> [f64; 4] {
        self.0
    }
}

impl IntLane for I32x4 {
    #[inline(always)]
    fn splat(x: i32) -> I32x4 {
        I32x4([Wrapping(x); 4])
    }
    #[inline(always)]
    fn shl(self, by: u32) -> I32x4 {
        I32x4(self.0.map(|a| a.shl(by)))
    }
    #[inline(always)]
    fn sar(self, by: u32) -> I32x4 {
        I32x4(self.0.map(|a| a.sar(by)))
    }
    #[inline(always)]
    fn shr(self, by: u32) -> I32x4 {
        I32x4(self.0.map(|a| a.shr(by)))
    }
    #[inline(always)]
    fn eq(self, other: I32x4) -> I32x4 {
        I32x4(zip(self.0, other.0, IntLane::eq))
    }
    #[inline(always)]
    fn gt(self, other: I32x4) -> I32x4 {
        I32x4(zip(self.0, other.0, IntLane::gt))
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0.iter().any(|a| a.0 != 0)
    }
}

impl Lane for F32x4 {
    type Int = I32x4;
    type Wide = F64x4;
    const LANES: usize = 4;

    #[inline(always)]
    fn splat(x: f32) -> F32x4 {
        F32x4([x; 4])
    }
    #[inline(always)]
    fn first(self) -> f32 {
        self.0[0]
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> F32x4 {
        // SAFETY: the caller guarantees four readable elements.
        F32x4(unsafe { from.cast::<[f32; 4]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller guarantees four writable elements.
        unsafe { to.cast::<[f32; 4]>().write_unaligned(self.0) }
    }
    #[inline(always)]
    fn abs(self) -> F32x4 {
        F32x4(self.0.map(Lane::abs))
    }
    #[inline(always)]
    fn sqrt(self) -> F32x4 {
        F32x4(self.0.map(Lane::sqrt))
    }
    #[inline(always)]
    fn floor(self) -> F32x4 {
        F32x4(self.0.map(Lane::floor))
    }
    #[inline(always)]
    fn ceil(self) -> F32x4 {
        F32x4(self.0.map(Lane::ceil))
    }
    #[inline(always)]
    fn trunc(self) -> F32x4 {
        F32x4(self.0.map(Lane::trunc))
    }
    #[inline(always)]
    fn nearest(self) -> F32x4 {
        F32x4(self.0.map(Lane::nearest))
    }
    #[inline(always)]
    fn min(self, other: F32x4) -> F32x4 {
        F32x4(zip(self.0, other.0, Lane::min))
    }
    #[inline(always)]
    fn max(self, other: F32x4) -> F32x4 {
        F32x4(zip(self.0, other.0, Lane::max))
    }
    #[inline(always)]
    fn eq(self, other: F32x4) -> I32x4 {
        I32x4(zip(self.0, other.0, Lane::eq))
    }
    #[inline(always)]
    fn ne(self, other: F32x4) -> I32x4 {
        I32x4(zip(self.0, other.0, Lane::ne))
    }
    #[inline(always)]
    fn lt(self, other: F32x4) -> I32x4 {
        I32x4(zip(self.0, other.0, Lane::lt))
    }
    #[inline(always)]
    fn le(self, other: F32x4) -> I32x4 {
        I32x4(zip(self.0, other.0, Lane::le))
    }
    #[inline(always)]
    fn select(mask: I32x4, on_true: F32x4, on_false: F32x4) -> F32x4 {
        F32x4(core::array::from_fn(|i| {
            f32::select(mask.0[i], on_true.0[i], on_false.0[i])
        }))
    }
    #[inline(always)]
    fn bits(self) -> I32x4 {
        I32x4(self.0.map(Lane::bits))
    }
    #[inline(always)]
    fn from_bits(bits: I32x4) -> F32x4 {
        F32x4(bits.0.map(<f32 as Lane>::from_bits))
    }
    #[inline(always)]
    fn to_int(self) -> I32x4 {
        I32x4(self.0.map(Lane::to_int))
    }
    #[inline(always)]
    fn from_int(i: I32x4) -> F32x4 {
        F32x4(i.0.map(<f32 as Lane>::from_int))
    }
    #[inline(always)]
    fn widen(self) -> F64x4 {
        F64x4(self.0.map(Lane::widen))
    }
    #[inline(always)]
    fn narrow(wide: F64x4) -> F32x4 {
        F32x4(wide.0.map(<f32 as Lane>::narrow))
    }
    #[inline(always)]
    fn map_pair(self, f: impl Fn(f32) -> (f32, i32)) -> (F32x4, I32x4) {
        let pairs = self.0.map(f);
        (
            F32x4(pairs.map(|p| p.0)),
            I32x4(pairs.map(|p| Wrapping(p.1))),
        )
    }
    #[inline(always)]
    fn map2(self, other: F32x4, f: impl Fn(f32, f32) -> f32) -> F32x4 {
        F32x4(zip(self.0, other.0, f))
    }
}
