//! The lane machine: the operations element-wise mathematics is written in.
//!
//! A formula generic over [`Lane`] runs on one `f32` (the reference) and on four of them
//! ([`F32x4`], `v128` on wasm). Every operation is one IEEE-754 operation, and there is no fused
//! multiply-add, so all instances agree bit for bit (NaN payloads aside).

#[cfg(target_arch = "wasm32")]
use super::Float;
use core::num::Wrapping;
use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Neg, Not, Sub};

/// A function of one float, which is a method only where there is `std`.
macro_rules! scalar {
    ($f:ident, $x:expr) => {{
        #[cfg(target_arch = "wasm32")]
        let y = <f32 as Float>::$f($x);
        #[cfg(not(target_arch = "wasm32"))]
        let y = f32::$f($x);
        y
    }};
}

#[cfg(not(target_arch = "wasm32"))]
#[path = "lane_native.rs"]
mod vector;
#[cfg(target_arch = "wasm32")]
#[path = "lane_wasm.rs"]
mod vector;

pub use vector::{F32x4, F64x4, I32x4};

/// Float lanes: one or several `f32` in lockstep.
pub trait Lane:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// The same lanes seen as `i32`; also the type of masks (all ones or all zeros).
    type Int: IntLane;
    /// The same lanes in double precision.
    type Wide: WideLane;
    /// How many elements one value holds.
    const LANES: usize;

    /// All lanes equal to `x`.
    fn splat(x: f32) -> Self;
    /// The first lane.
    fn first(self) -> f32;
    /// Reads `LANES` elements.
    ///
    /// # Safety
    /// `from` must be readable for `LANES` elements; no alignment beyond that of `f32` is needed.
    unsafe fn load(from: *const f32) -> Self;
    /// Writes `LANES` elements.
    ///
    /// # Safety
    /// `to` must be writable for `LANES` elements.
    unsafe fn store(self, to: *mut f32);

    /// Clears the sign bit.
    fn abs(self) -> Self;
    /// Correctly rounded square root.
    fn sqrt(self) -> Self;
    /// The smaller; NaN if either is; -0 < +0.
    fn min(self, other: Self) -> Self;
    /// The larger; NaN if either is; -0 < +0.
    fn max(self, other: Self) -> Self;
    /// Largest integer not above.
    fn floor(self) -> Self;
    /// Smallest integer not below.
    fn ceil(self) -> Self;
    /// Integer part.
    fn trunc(self) -> Self;
    /// Nearest integer, ties to even.
    fn nearest(self) -> Self;

    /// Mask of `self == other`.
    fn eq(self, other: Self) -> Self::Int;
    /// Mask of `self != other` (true on NaN).
    fn ne(self, other: Self) -> Self::Int;
    /// Mask of `self < other`.
    fn lt(self, other: Self) -> Self::Int;
    /// Mask of `self <= other`.
    fn le(self, other: Self) -> Self::Int;
    /// Mask of `self > other`.
    fn gt(self, other: Self) -> Self::Int {
        other.lt(self)
    }
    /// Mask of `self >= other`.
    fn ge(self, other: Self) -> Self::Int {
        other.le(self)
    }

    /// `on_true` where the mask is set, else `on_false`.
    fn select(mask: Self::Int, on_true: Self, on_false: Self) -> Self;
    /// The bit pattern.
    fn bits(self) -> Self::Int;
    /// The float with this bit pattern.
    fn from_bits(bits: Self::Int) -> Self;
    /// Truncation to `i32`: saturates, NaN gives 0.
    fn to_int(self) -> Self::Int;
    /// Nearest float to an `i32`.
    fn from_int(i: Self::Int) -> Self;

    /// Exact conversion to double precision.
    fn widen(self) -> Self::Wide;
    /// Rounding from double precision.
    fn narrow(wide: Self::Wide) -> Self;
    /// Calls a scalar function lane by lane. Only for rare arguments: it is slow.
    fn map_pair(self, f: impl Fn(f32) -> (f32, i32)) -> (Self, Self::Int);
    /// The same for two arguments.
    fn map2(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self;

    /// The magnitude of `self` with the sign bit of `sign`.
    #[inline(always)]
    fn copysign(self, sign: Self) -> Self {
        let mask = Self::Int::splat(i32::MIN);
        Self::from_bits((self.bits() & !mask) | (sign.bits() & mask))
    }
}

/// Integer lanes and masks. Addition, subtraction and shifts wrap.
pub trait IntLane:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// All lanes equal to `x`.
    fn splat(x: i32) -> Self;
    /// Shift left.
    fn shl(self, by: u32) -> Self;
    /// Arithmetic shift right.
    fn sar(self, by: u32) -> Self;
    /// Logical shift right.
    fn shr(self, by: u32) -> Self;
    /// Mask of equality.
    fn eq(self, other: Self) -> Self;
    /// Mask of signed `self > other`.
    fn gt(self, other: Self) -> Self;
    /// Is any bit set in any lane?
    fn any(self) -> bool;
}

/// Double-precision lanes, for the few steps where single precision is not enough.
pub trait WideLane:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// The lanes in order.
    type Array;
    /// All lanes equal to `x`.
    fn splat(x: f64) -> Self;
    /// The lanes in order.
    fn to_array(self) -> Self::Array;
}

impl WideLane for f64 {
    type Array = [f64; 1];
    #[inline(always)]
    fn splat(x: f64) -> f64 {
        x
    }
    #[inline(always)]
    fn to_array(self) -> [f64; 1] {
        [self]
    }
}

/// All ones or all zeros.
#[inline(always)]
fn mask(b: bool) -> Wrapping<i32> {
    Wrapping(-(b as i32))
}

impl IntLane for Wrapping<i32> {
    #[inline(always)]
    fn splat(x: i32) -> Self {
        Wrapping(x)
    }
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        Wrapping(self.0 << by)
    }
    #[inline(always)]
    fn sar(self, by: u32) -> Self {
        Wrapping(self.0 >> by)
    }
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        Wrapping(((self.0 as u32) >> by) as i32)
    }
    #[inline(always)]
    fn eq(self, other: Self) -> Self {
        mask(self.0 == other.0)
    }
    #[inline(always)]
    fn gt(self, other: Self) -> Self {
        mask(self.0 > other.0)
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0 != 0
    }
}

impl Lane for f32 {
    type Int = Wrapping<i32>;
    type Wide = f64;
    const LANES: usize = 1;

    #[inline(always)]
    fn splat(x: f32) -> f32 {
        x
    }
    #[inline(always)]
    fn first(self) -> f32 {
        self
    }
    #[inline(always)]
    unsafe fn load(from: *const f32) -> f32 {
        // SAFETY: the caller guarantees one readable element.
        unsafe { from.read() }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f32) {
        // SAFETY: the caller guarantees one writable element.
        unsafe { to.write(self) }
    }
    #[inline(always)]
    fn abs(self) -> f32 {
        f32::abs(self)
    }
    #[inline(always)]
    fn sqrt(self) -> f32 {
        scalar!(sqrt, self)
    }
    #[inline(always)]
    fn min(self, other: f32) -> f32 {
        if self < other {
            self
        } else if self > other {
            other
        } else if self == other {
            f32::from_bits(self.to_bits() | other.to_bits())
        } else {
            f32::NAN
        }
    }
    #[inline(always)]
    fn max(self, other: f32) -> f32 {
        if self > other {
            self
        } else if self < other {
            other
        } else if self == other {
            f32::from_bits(self.to_bits() & other.to_bits())
        } else {
            f32::NAN
        }
    }
    #[inline(always)]
    fn floor(self) -> f32 {
        scalar!(floor, self)
    }
    #[inline(always)]
    fn ceil(self) -> f32 {
        scalar!(ceil, self)
    }
    #[inline(always)]
    fn trunc(self) -> f32 {
        scalar!(trunc, self)
    }
    #[inline(always)]
    fn nearest(self) -> f32 {
        scalar!(round_ties_even, self)
    }
    #[inline(always)]
    fn eq(self, other: f32) -> Self::Int {
        mask(self == other)
    }
    #[inline(always)]
    fn ne(self, other: f32) -> Self::Int {
        mask(self != other)
    }
    #[inline(always)]
    fn lt(self, other: f32) -> Self::Int {
        mask(self < other)
    }
    #[inline(always)]
    fn le(self, other: f32) -> Self::Int {
        mask(self <= other)
    }
    #[inline(always)]
    fn select(mask: Self::Int, on_true: f32, on_false: f32) -> f32 {
        if mask.0 != 0 { on_true } else { on_false }
    }
    #[inline(always)]
    fn bits(self) -> Self::Int {
        Wrapping(self.to_bits() as i32)
    }
    #[inline(always)]
    fn from_bits(bits: Self::Int) -> f32 {
        f32::from_bits(bits.0 as u32)
    }
    #[inline(always)]
    fn to_int(self) -> Self::Int {
        Wrapping(self as i32)
    }
    #[inline(always)]
    fn from_int(i: Self::Int) -> f32 {
        i.0 as f32
    }
    #[inline(always)]
    fn widen(self) -> f64 {
        self as f64
    }
    #[inline(always)]
    fn narrow(wide: f64) -> f32 {
        wide as f32
    }
    #[inline(always)]
    fn map_pair(self, f: impl Fn(f32) -> (f32, i32)) -> (f32, Self::Int) {
        let (y, k) = f(self);
        (y, Wrapping(k))
    }
    #[inline(always)]
    fn map2(self, other: f32, f: impl Fn(f32, f32) -> f32) -> f32 {
        f(self, other)
    }
}
