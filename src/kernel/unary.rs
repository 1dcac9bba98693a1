//! Functions of one argument.

#[cfg(target_arch = "wasm32")]
use super::Float;
use super::element::{Element, Kind, Unsupported};
use super::lane::Lane;
use super::loops::{each1, lanes1};
use super::math;

/// An element-wise function of one argument. The result has the argument's type, except where
/// [`UnaryFn::result`] says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are those of the primitives
pub enum UnaryFn {
    Neg,
    Abs,
    Sign,
    Square,
    IntegerPow(i32),
    Floor,
    Ceil,
    RoundEven,
    RoundAwayFromZero,
    Exp,
    Exp2,
    Log,
    Log1p,
    Log2,
    Expm1,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Logistic,
    Sqrt,
    Rsqrt,
    Cbrt,
    Erf,
    Erfc,
    ErfInv,
    Lgamma,
    Digamma,
    /// Bitwise complement; logical on bool.
    Not,
    PopulationCount,
    /// Leading zero bits.
    Clz,
    /// Neither infinite nor NaN; the result is bool.
    IsFinite,
}

impl UnaryFn {
    /// The element type of the result for an argument of `kind`.
    pub fn result(self, kind: Kind) -> Kind {
        if self == UnaryFn::IsFinite {
            Kind::Bool
        } else {
            kind
        }
    }
}

/// `out[i] = f(x[i])`.
///
/// Dtypes: f32 and f64 for all but `Not`, `PopulationCount` and `Clz`; i32 and u32 for `Neg`, `Abs`,
/// `Sign`, `Square`, `IntegerPow`, `Not`, `PopulationCount`, `Clz` (wrapping); bool for `Not`; all for
/// `IsFinite`, whose result `U` is `u8` (otherwise `T`).
/// Errors: [`Unsupported`] otherwise.
pub fn unary<T: Element, U: Element>(
    f: UnaryFn,
    x: &[T],
    out: &mut [U],
) -> Result<(), Unsupported> {
    assert!(
        x.len() == out.len() && f.result(T::KIND) == U::KIND,
        "the result fits"
    );
    // SAFETY: both slices have the length given and hold elements of T::KIND.
    unsafe {
        unary_raw(
            T::KIND,
            f,
            x.as_ptr().cast(),
            out.as_mut_ptr().cast(),
            x.len(),
        )
    }
}

/// `x[i] = f(x[i])`: [`unary`] in place.
pub fn unary_inplace<T: Element>(f: UnaryFn, x: &mut [T]) -> Result<(), Unsupported> {
    if f.result(T::KIND) != T::KIND {
        return Err(Unsupported);
    }
    let p = x.as_mut_ptr();
    // SAFETY: input and output are the same memory, which the raw version allows.
    unsafe { unary_raw(T::KIND, f, p.cast_const().cast(), p.cast(), x.len()) }
}

/// [`unary`] on untyped memory.
///
/// # Safety
/// `x` must be readable for `n` aligned elements of `kind` and `out` writable for `n` of
/// `f.result(kind)`. If the two have the same size they may be the same address; otherwise they must
/// not overlap.
pub unsafe fn unary_raw(
    kind: Kind,
    f: UnaryFn,
    x: *const u8,
    out: *mut u8,
    n: usize,
) -> Result<(), Unsupported> {
    // SAFETY: handed on unchanged.
    unsafe {
        if f == UnaryFn::IsFinite {
            is_finite(kind, x, out, n);
            return Ok(());
        }
        match kind {
            Kind::F32 => unary_f32(f, x.cast(), out.cast(), n),
            Kind::F64 => unary_f64(f, x.cast(), out.cast(), n),
            Kind::I32 => unary_i32(f, x.cast(), out.cast(), n),
            Kind::U32 => unary_u32(f, x.cast(), out.cast(), n),
            Kind::Bool if f == UnaryFn::Not => {
                each1::<u8, u8, 16>(x, out, n, |a| a ^ 1);
                Ok(())
            }
            Kind::Bool => Err(Unsupported),
        }
    }
}

unsafe fn unary_f32(f: UnaryFn, x: *const f32, out: *mut f32, n: usize) -> Result<(), Unsupported> {
    macro_rules! lanes {
        ($f:expr) => {
            // SAFETY: the caller's promise.
            unsafe { lanes1(x, out, n, $f) }
        };
    }
    macro_rules! scalars {
        ($f:expr) => {
            // SAFETY: the caller's promise.
            unsafe { each1::<f32, f32, 1>(x, out, n, $f) }
        };
    }
    match f {
        UnaryFn::Neg => lanes!(|a| -a),
        UnaryFn::Abs => lanes!(Lane::abs),
        UnaryFn::Sign => lanes!(math::sign),
        UnaryFn::Square => lanes!(|a| a * a),
        UnaryFn::IntegerPow(k) => lanes!(|a| math::integer_pow(a, k)),
        UnaryFn::Floor => lanes!(Lane::floor),
        UnaryFn::Ceil => lanes!(Lane::ceil),
        UnaryFn::RoundEven => lanes!(Lane::nearest),
        UnaryFn::RoundAwayFromZero => lanes!(math::round_away),
        UnaryFn::Exp => lanes!(math::exp),
        UnaryFn::Exp2 => lanes!(math::exp2),
        UnaryFn::Log => lanes!(math::log),
        UnaryFn::Log1p => lanes!(math::log1p),
        UnaryFn::Log2 => lanes!(math::log2),
        UnaryFn::Expm1 => lanes!(math::expm1),
        UnaryFn::Sin => lanes!(math::sin),
        UnaryFn::Cos => lanes!(math::cos),
        UnaryFn::Tan => lanes!(math::tan),
        UnaryFn::Asin => lanes!(math::asin),
        UnaryFn::Acos => lanes!(math::acos),
        UnaryFn::Atan => lanes!(math::atan),
        UnaryFn::Sinh => lanes!(math::sinh),
        UnaryFn::Cosh => lanes!(math::cosh),
        UnaryFn::Tanh => lanes!(math::tanh),
        UnaryFn::Asinh => lanes!(math::asinh),
        UnaryFn::Acosh => lanes!(math::acosh),
        UnaryFn::Atanh => lanes!(math::atanh),
        UnaryFn::Logistic => lanes!(math::logistic),
        UnaryFn::Sqrt => lanes!(Lane::sqrt),
        UnaryFn::Rsqrt => lanes!(math::rsqrt),
        UnaryFn::Cbrt => lanes!(math::cbrt),
        UnaryFn::Erf => lanes!(math::erf),
        UnaryFn::Erfc => lanes!(math::erfc),
        UnaryFn::ErfInv => lanes!(math::erf_inv),
        UnaryFn::Lgamma => scalars!(math::lgamma_f32),
        UnaryFn::Digamma => scalars!(math::digamma_f32),
        UnaryFn::Not | UnaryFn::PopulationCount | UnaryFn::Clz | UnaryFn::IsFinite => {
            return Err(Unsupported);
        }
    }
    Ok(())
}

/// Double precision is for checking, not for speed: one loop, one call per element. All functions come from
/// `libm`: on wasm those of `std` are the same once more.
unsafe fn unary_f64(f: UnaryFn, x: *const f64, out: *mut f64, n: usize) -> Result<(), Unsupported> {
    let g: fn(f64) -> f64 = match f {
        UnaryFn::IntegerPow(k) => {
            // SAFETY: the caller's promise.
            unsafe { each1::<f64, f64, 1>(x, out, n, |a| math::integer_pow_f64(a, k)) };
            return Ok(());
        }
        UnaryFn::Neg => |a| -a,
        UnaryFn::Abs => f64::abs,
        UnaryFn::Sign => math::sign_f64,
        UnaryFn::Square => |a| a * a,
        UnaryFn::Floor => f64::floor,
        UnaryFn::Ceil => f64::ceil,
        UnaryFn::RoundEven => f64::round_ties_even,
        UnaryFn::RoundAwayFromZero => f64::round,
        UnaryFn::Exp => libm::exp,
        UnaryFn::Exp2 => math::exp2_f64,
        UnaryFn::Log => libm::log,
        UnaryFn::Log1p => libm::log1p,
        UnaryFn::Log2 => libm::log2,
        UnaryFn::Expm1 => libm::expm1,
        UnaryFn::Sin => libm::sin,
        UnaryFn::Cos => libm::cos,
        UnaryFn::Tan => libm::tan,
        UnaryFn::Asin => libm::asin,
        UnaryFn::Acos => libm::acos,
        UnaryFn::Atan => libm::atan,
        UnaryFn::Sinh => libm::sinh,
        UnaryFn::Cosh => libm::cosh,
        UnaryFn::Tanh => libm::tanh,
        UnaryFn::Asinh => libm::asinh,
        UnaryFn::Acosh => |a| if a < 1.0 { f64::NAN } else { libm::acosh(a) },
        UnaryFn::Atanh => libm::atanh,
        UnaryFn::Logistic => math::logistic_f64,
        UnaryFn::Sqrt => f64::sqrt,
        UnaryFn::Rsqrt => |a| 1.0 / a.sqrt(),
        UnaryFn::Cbrt => libm::cbrt,
        UnaryFn::Erf => libm::erf,
        UnaryFn::Erfc => libm::erfc,
        UnaryFn::ErfInv => math::erf_inv_f64,
        UnaryFn::Lgamma => math::lgamma_f64,
        UnaryFn::Digamma => math::digamma_f64,
        UnaryFn::Not | UnaryFn::PopulationCount | UnaryFn::Clz | UnaryFn::IsFinite => {
            return Err(Unsupported);
        }
    };
    // SAFETY: the caller's promise.
    unsafe { each1::<f64, f64, 1>(x, out, n, g) };
    Ok(())
}

/// Wrapping power; a negative exponent gives 1/x^|n| in integers: x itself where x is 1 or -1 (by
/// parity) and 0 otherwise.
fn integer_pow_i32(x: i32, n: i32) -> i32 {
    let y = x.wrapping_pow(n.unsigned_abs());
    if n >= 0 {
        y
    } else {
        super::binary::div_i32(1, y)
    }
}

unsafe fn unary_i32(f: UnaryFn, x: *const i32, out: *mut i32, n: usize) -> Result<(), Unsupported> {
    // SAFETY (of all arms): the caller's promise.
    unsafe {
        match f {
            UnaryFn::Neg => each1::<_, _, 8>(x, out, n, i32::wrapping_neg),
            UnaryFn::Abs => each1::<_, _, 8>(x, out, n, i32::wrapping_abs),
            UnaryFn::Sign => each1::<_, _, 8>(x, out, n, i32::signum),
            UnaryFn::Square => each1::<_, _, 8>(x, out, n, |a| a.wrapping_mul(a)),
            UnaryFn::IntegerPow(k) => each1::<_, _, 1>(x, out, n, |a| integer_pow_i32(a, k)),
            UnaryFn::Not => each1::<_, _, 8>(x, out, n, |a| !a),
            UnaryFn::PopulationCount => each1::<_, _, 1>(x, out, n, |a| a.count_ones() as i32),
            UnaryFn::Clz => each1::<_, _, 1>(x, out, n, |a| a.leading_zeros() as i32),
            _ => return Err(Unsupported),
        }
    }
    Ok(())
}

/// Where signedness does not matter the signed loop does the work.
unsafe fn unary_u32(f: UnaryFn, x: *const u32, out: *mut u32, n: usize) -> Result<(), Unsupported> {
    // SAFETY (of all arms): the caller's promise.
    unsafe {
        match f {
            UnaryFn::Abs => core::ptr::copy(x, out, n),
            UnaryFn::Sign => each1::<_, _, 8>(x, out, n, |a| a.min(1)),
            UnaryFn::IntegerPow(k) if k < 0 => each1::<_, _, 1>(x, out, n, |a: u32| {
                super::binary::div_u32(1, a.wrapping_pow(k.unsigned_abs()))
            }),
            _ => return unary_i32(f, x.cast(), out.cast(), n),
        }
    }
    Ok(())
}

/// 1 where the element is neither infinite nor NaN, else 0; integers always are finite.
unsafe fn is_finite(kind: Kind, x: *const u8, out: *mut u8, n: usize) {
    // SAFETY (of all arms): the caller's promise.
    unsafe {
        match kind {
            Kind::F32 => each1::<f32, u8, 16>(x.cast(), out, n, |a| a.is_finite() as u8),
            Kind::F64 => each1::<f64, u8, 8>(x.cast(), out, n, |a| a.is_finite() as u8),
            _ => out.write_bytes(1, n),
        }
    }
}
