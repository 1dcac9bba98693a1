//! Functions of two arguments, comparisons among them.

use super::element::{Element, Kind, Unsupported};
use super::lane::Lane;
use super::loops::{each1, each2, lanes2};
use super::math;

/// An element-wise function of two arguments whose result has the arguments' type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the names are those of the primitives
pub enum BinaryFn {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Pow,
    Atan2,
    Max,
    Min,
    Nextafter,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRightLogical,
    ShiftRightArithmetic,
    /// Greatest common divisor, not negative.
    Gcd,
}

/// A comparison, with a bool result. NaN is unequal to everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CompareFn {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// A function of two arguments of either sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairFn {
    /// The result has the arguments' type.
    Binary(BinaryFn),
    /// The result is bool.
    Compare(CompareFn),
}

impl From<BinaryFn> for PairFn {
    fn from(f: BinaryFn) -> PairFn {
        PairFn::Binary(f)
    }
}

impl From<CompareFn> for PairFn {
    fn from(f: CompareFn) -> PairFn {
        PairFn::Compare(f)
    }
}

impl PairFn {
    /// The element type of the result for arguments of `kind`.
    pub fn result(self, kind: Kind) -> Kind {
        match self {
            PairFn::Binary(_) => kind,
            PairFn::Compare(_) => Kind::Bool,
        }
    }
}

/// One operand of a raw call: `n` elements, or a single one used for all when `scalar`.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// The first element, aligned for its type.
    pub at: *const u8,
    /// Is there only that one?
    pub scalar: bool,
}

impl Operand {
    fn of<T>(x: &[T], n: usize) -> Operand {
        assert!(
            x.len() == n || x.len() == 1,
            "an operand has the result's length or 1"
        );
        Operand {
            at: x.as_ptr().cast(),
            scalar: x.len() == 1,
        }
    }

    fn typed<T>(self) -> (*const T, bool) {
        (self.at.cast(), self.scalar)
    }
}

/// `out[i] = f(x[i], y[i])`; an operand of length 1 is used for every i.
///
/// Dtypes and semantics, as XLA's on CPU:
/// - f32, f64: all but `And` .. `ShiftRightArithmetic`. `Max` and `Min` give NaN if either is NaN;
///   `Rem` is C's fmod; `Pow` and `Atan2` follow C99.
/// - i32, u32: all but `Atan2` and `Nextafter`. Arithmetic wraps; x/0 has all bits set, x rem 0 is
///   x; MIN/-1 is MIN; shifts by the width or more (or negative) give 0 or the sign.
///   `Pow` with a negative exponent is 1/x^|n| in integers.
/// - bool: `And`, `Or`, `Xor`, `Max`, `Min`.
///
/// Errors: [`Unsupported`] otherwise.
pub fn binary<T: Element>(f: BinaryFn, x: &[T], y: &[T], out: &mut [T]) -> Result<(), Unsupported> {
    let n = out.len();
    let (x, y) = (Operand::of(x, n), Operand::of(y, n));
    // SAFETY: lengths were checked, and the slices hold elements of T::KIND.
    unsafe { pair_raw(T::KIND, f.into(), x, y, out.as_mut_ptr().cast(), n) }
}

/// `out[i] = f(x[i], y[i])` as 0 or 1; an operand of length 1 is used for every i.
///
/// Dtypes: all; false < true. NaN is unequal to everything.
pub fn compare<T: Element>(f: CompareFn, x: &[T], y: &[T], out: &mut [u8]) {
    let n = out.len();
    let (x, y) = (Operand::of(x, n), Operand::of(y, n));
    // SAFETY: lengths were checked, and the slices hold elements of T::KIND.
    let done = unsafe { pair_raw(T::KIND, f.into(), x, y, out.as_mut_ptr(), n) };
    debug_assert!(done.is_ok(), "every type can be compared");
}

/// [`binary`] or [`compare`] on untyped memory.
///
/// # Safety
/// The operands must be readable for what they claim and `out` writable for `n` elements of the
/// result's type. `out` may be the address of an operand with elements of the same size; otherwise
/// they must not overlap.
pub unsafe fn pair_raw(
    kind: Kind,
    f: PairFn,
    x: Operand,
    y: Operand,
    out: *mut u8,
    n: usize,
) -> Result<(), Unsupported> {
    // SAFETY: handed on unchanged.
    unsafe {
        match (kind, f) {
            (Kind::F32, PairFn::Binary(f)) => binary_f32(f, x, y, out.cast(), n),
            (Kind::F64, PairFn::Binary(f)) => binary_f64(f, x, y, out.cast(), n),
            (Kind::I32, PairFn::Binary(f)) => binary_i32(f, x, y, out.cast(), n),
            (Kind::U32, PairFn::Binary(f)) => binary_u32(f, x, y, out.cast(), n),
            (Kind::Bool, PairFn::Binary(f)) => binary_bool(f, x, y, out, n),
            (Kind::F32, PairFn::Compare(f)) => {
                compare_typed::<f32>(f, x, y, out, n);
                Ok(())
            }
            (Kind::F64, PairFn::Compare(f)) => {
                compare_typed::<f64>(f, x, y, out, n);
                Ok(())
            }
            (Kind::I32, PairFn::Compare(f)) => {
                compare_typed::<i32>(f, x, y, out, n);
                Ok(())
            }
            // Equality does not look at the sign.
            (Kind::U32, PairFn::Compare(CompareFn::Eq | CompareFn::Ne)) => {
                pair_raw(Kind::I32, f, x, y, out, n)
            }
            (Kind::U32, PairFn::Compare(f)) => {
                compare_typed::<u32>(f, x, y, out, n);
                Ok(())
            }
            (Kind::Bool, PairFn::Compare(f)) => {
                compare_typed::<u8>(f, x, y, out, n);
                Ok(())
            }
        }
    }
}

/// The next float after `x` in the direction of `y`, by stepping the bit pattern.
fn nextafter_f32(x: f32, y: f32) -> f32 {
    if x.is_nan() || y.is_nan() {
        f32::NAN
    } else if x == y {
        y
    } else if x == 0.0 {
        f32::from_bits(1).copysign(y)
    } else if (x < y) == (x > 0.0) {
        f32::from_bits(x.to_bits() + 1)
    } else {
        f32::from_bits(x.to_bits() - 1)
    }
}

fn nextafter_f64(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == y {
        y
    } else if x == 0.0 {
        f64::from_bits(1).copysign(y)
    } else if (x < y) == (x > 0.0) {
        f64::from_bits(x.to_bits() + 1)
    } else {
        f64::from_bits(x.to_bits() - 1)
    }
}

unsafe fn binary_f32(
    f: BinaryFn,
    x: Operand,
    y: Operand,
    out: *mut f32,
    n: usize,
) -> Result<(), Unsupported> {
    let (x, y) = (x.typed(), y.typed());
    // SAFETY (of all arms): the caller's promise.
    unsafe {
        match f {
            BinaryFn::Add => lanes2(x, y, out, n, |a, b| a + b),
            BinaryFn::Sub => lanes2(x, y, out, n, |a, b| a - b),
            BinaryFn::Mul => lanes2(x, y, out, n, |a, b| a * b),
            BinaryFn::Div => lanes2(x, y, out, n, |a, b| a / b),
            BinaryFn::Pow => lanes2(x, y, out, n, math::pow),
            BinaryFn::Atan2 => lanes2(x, y, out, n, math::atan2),
            BinaryFn::Max => lanes2(x, y, out, n, Lane::max),
            BinaryFn::Min => lanes2(x, y, out, n, Lane::min),
            BinaryFn::Rem => lanes2(x, y, out, n, math::rem),
            BinaryFn::Nextafter => each2::<_, _, 1>(x, y, out, n, nextafter_f32),
            _ => return Err(Unsupported),
        }
    }
    Ok(())
}

/// The larger; NaN if either is. Of two zeros the positive one.
pub(super) fn max_f64(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else if a == b {
        // Equal numbers differ in the sign of zero only; their sum is -0 only if both are.
        if a == 0.0 { a + b } else { a }
    } else {
        a.max(b)
    }
}

/// The smaller; NaN if either is. Of two zeros the negative one.
pub(super) fn min_f64(a: f64, b: f64) -> f64 {
    -max_f64(-a, -b)
}

unsafe fn binary_f64(
    f: BinaryFn,
    x: Operand,
    y: Operand,
    out: *mut f64,
    n: usize,
) -> Result<(), Unsupported> {
    let g: fn(f64, f64) -> f64 = match f {
        BinaryFn::Add => |a, b| a + b,
        BinaryFn::Sub => |a, b| a - b,
        BinaryFn::Mul => |a, b| a * b,
        BinaryFn::Div => |a, b| a / b,
        BinaryFn::Rem => |a, b| a % b,
        BinaryFn::Pow => libm::pow,
        BinaryFn::Atan2 => libm::atan2,
        BinaryFn::Max => max_f64,
        BinaryFn::Min => min_f64,
        BinaryFn::Nextafter => nextafter_f64,
        _ => return Err(Unsupported),
    };
    // SAFETY: the caller's promise.
    unsafe { each2::<_, _, 1>(x.typed(), y.typed(), out, n, g) };
    Ok(())
}

/// Truncating division; -1 for a zero divisor, and MIN / -1 wraps.
pub(super) fn div_i32(a: i32, b: i32) -> i32 {
    if b == 0 { -1 } else { a.wrapping_div(b) }
}

/// Division; all bits set for a zero divisor.
pub(super) fn div_u32(a: u32, b: u32) -> u32 {
    a.checked_div(b).unwrap_or(u32::MAX)
}

fn shift_left(a: i32, b: i32) -> i32 {
    if (b as u32) < 32 { a << b } else { 0 }
}

fn shift_right_logical(a: i32, b: i32) -> i32 {
    if (b as u32) < 32 {
        ((a as u32) >> b) as i32
    } else {
        0
    }
}

fn shift_right_arithmetic(a: i32, b: i32) -> i32 {
    a >> (b as u32).min(31)
}

unsafe fn binary_i32(
    f: BinaryFn,
    x: Operand,
    y: Operand,
    out: *mut i32,
    n: usize,
) -> Result<(), Unsupported> {
    let (x, y) = (x.typed::<i32>(), y.typed::<i32>());
    // Shifts are vector instructions only where all lanes shift alike.
    macro_rules! shift {
        ($shift:ident) => {
            if y.1 && !x.1 && n > 0 {
                let by = *y.0;
                each1::<_, _, 8>(x.0, out, n, |a| $shift(a, by))
            } else {
                each2::<_, _, 1>(x, y, out, n, $shift)
            }
        };
    }
    // SAFETY (of all arms): the caller's promise.
    unsafe {
        match f {
            BinaryFn::Add => each2::<_, _, 8>(x, y, out, n, i32::wrapping_add),
            BinaryFn::Sub => each2::<_, _, 8>(x, y, out, n, i32::wrapping_sub),
            BinaryFn::Mul => each2::<_, _, 8>(x, y, out, n, i32::wrapping_mul),
            BinaryFn::Max => each2::<_, _, 8>(x, y, out, n, i32::max),
            BinaryFn::Min => each2::<_, _, 8>(x, y, out, n, i32::min),
            BinaryFn::And => each2::<_, _, 8>(x, y, out, n, |a, b| a & b),
            BinaryFn::Or => each2::<_, _, 8>(x, y, out, n, |a, b| a | b),
            BinaryFn::Xor => each2::<_, _, 8>(x, y, out, n, |a, b| a ^ b),
            BinaryFn::Div => each2::<_, _, 1>(x, y, out, n, div_i32),
            BinaryFn::Rem => {
                each2::<_, _, 1>(
                    x,
                    y,
                    out,
                    n,
                    |a: i32, b| {
                        if b == 0 { a } else { a.wrapping_rem(b) }
                    },
                )
            }
            BinaryFn::Pow => each2::<_, _, 1>(x, y, out, n, |a: i32, b: i32| {
                let power = a.wrapping_pow(b.unsigned_abs());
                if b < 0 { div_i32(1, power) } else { power }
            }),
            BinaryFn::ShiftLeft => shift!(shift_left),
            BinaryFn::ShiftRightLogical => shift!(shift_right_logical),
            BinaryFn::ShiftRightArithmetic => shift!(shift_right_arithmetic),
            BinaryFn::Gcd => each2::<_, _, 1>(x, y, out, n, |a: i32, b: i32| {
                gcd(a.unsigned_abs(), b.unsigned_abs()) as i32
            }),
            BinaryFn::Atan2 | BinaryFn::Nextafter => return Err(Unsupported),
        }
    }
    Ok(())
}

/// Euclid's algorithm.
fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Where signedness does not matter the signed loop does the work.
unsafe fn binary_u32(
    f: BinaryFn,
    x: Operand,
    y: Operand,
    out: *mut u32,
    n: usize,
) -> Result<(), Unsupported> {
    let g: fn(u32, u32) -> u32 = match f {
        BinaryFn::Div => div_u32,
        BinaryFn::Rem => |a, b| a.checked_rem(b).unwrap_or(a),
        BinaryFn::Pow => u32::wrapping_pow,
        BinaryFn::Max => u32::max,
        BinaryFn::Min => u32::min,
        BinaryFn::Gcd => gcd,
        // SAFETY: the caller's promise; i32 and u32 have the same layout.
        _ => return unsafe { binary_i32(f, x, y, out.cast(), n) },
    };
    // SAFETY: the caller's promise.
    unsafe { each2::<_, _, 1>(x.typed(), y.typed(), out, n, g) };
    Ok(())
}

unsafe fn binary_bool(
    f: BinaryFn,
    x: Operand,
    y: Operand,
    out: *mut u8,
    n: usize,
) -> Result<(), Unsupported> {
    let (x, y) = (x.typed::<u8>(), y.typed::<u8>());
    // SAFETY (of all arms): the caller's promise.
    unsafe {
        match f {
            BinaryFn::And | BinaryFn::Min => each2::<_, _, 16>(x, y, out, n, |a, b| a & b),
            BinaryFn::Or | BinaryFn::Max => each2::<_, _, 16>(x, y, out, n, |a, b| a | b),
            BinaryFn::Xor => each2::<_, _, 16>(x, y, out, n, |a, b| a ^ b),
            _ => return Err(Unsupported),
        }
    }
    Ok(())
}

/// `Gt` and `Ge` are `Lt` and `Le` with the operands exchanged; four loops per type suffice.
unsafe fn compare_typed<T: Copy + Default + PartialOrd>(
    f: CompareFn,
    x: Operand,
    y: Operand,
    out: *mut u8,
    n: usize,
) {
    let (x, y) = (x.typed::<T>(), y.typed::<T>());
    // SAFETY (of all arms): the caller's promise.
    unsafe {
        match f {
            CompareFn::Eq => each2::<_, _, 16>(x, y, out, n, |a, b| (a == b) as u8),
            CompareFn::Ne => each2::<_, _, 16>(x, y, out, n, |a, b| (a != b) as u8),
            CompareFn::Lt => each2::<_, _, 16>(x, y, out, n, |a, b| (a < b) as u8),
            CompareFn::Le => each2::<_, _, 16>(x, y, out, n, |a, b| (a <= b) as u8),
            CompareFn::Gt => each2::<_, _, 16>(y, x, out, n, |a, b| (a < b) as u8),
            CompareFn::Ge => each2::<_, _, 16>(y, x, out, n, |a, b| (a <= b) as u8),
        }
    }
}
