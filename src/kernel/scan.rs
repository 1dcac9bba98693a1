//! Running totals along one axis of an array seen as `[outer, n, inner]`.

use super::element::{Element, Kind, Unsupported};

/// What is accumulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ScanFn {
    Sum,
    Prod,
    Max,
    Min,
    /// log of the running sum of exponentials
    LogSumExp,
}

/// Columns whose totals are carried at a time.
const COLUMNS: usize = 64;

/// `out[o, k, i]` = the combination of `x[o, ..=k, i]`, or of `x[o, k.., i]` if `reverse`.
///
/// Shapes: both `[outer, n, inner]`. Dtypes: f32, f64: all; i32, u32: all but `LogSumExp`, wrapping.
/// Float32 sums are carried in double precision; NaN stays from where it occurs.
/// Errors: [`Unsupported`] otherwise.
pub fn scan<T: Element>(
    f: ScanFn,
    x: &[T],
    [outer, n, inner]: [usize; 3],
    reverse: bool,
    out: &mut [T],
) -> Result<(), Unsupported> {
    assert!(
        x.len() == outer * n * inner && out.len() == x.len(),
        "shapes fit"
    );
    let (x, out) = (x.as_ptr().cast(), out.as_mut_ptr().cast());
    // SAFETY: the elements are of the type that T::KIND names; their numbers were checked.
    unsafe { scan_raw(T::KIND, f, x, [outer, n, inner], reverse, out) }
}

/// [`scan`] on untyped memory.
///
/// # Safety
/// `x` and `out` point to as many elements of that kind as `dims` say.
unsafe fn scan_raw(
    kind: Kind,
    f: ScanFn,
    x: *const u8,
    dims: [usize; 3],
    reverse: bool,
    out: *mut u8,
) -> Result<(), Unsupported> {
    let n = dims.iter().product();
    macro_rules! run {
        ($t:ty, $a:ty, $start:expr, $op:expr) => {{
            // SAFETY: the caller's promise.
            let (x, out) = unsafe {
                (
                    core::slice::from_raw_parts(x.cast::<$t>(), n),
                    core::slice::from_raw_parts_mut(out.cast::<$t>(), n),
                )
            };
            run(x, dims, reverse, out, $start as $a, $op, |a| a as $t)
        }};
    }
    // The rarer ones share a loop: each step waits for the one before, a call in it costs little.
    macro_rules! shared {
        ($t:ty, $a:ty, $start:expr, $op:expr) => {{
            let op: fn($a, $t) -> $a = $op;
            (op, $start as $a)
        }};
    }
    match kind {
        Kind::F32 => {
            let (op, start) = match f {
                ScanFn::Sum => {
                    run!(f32, f64, 0.0, |a, v| a + v as f64);
                    return Ok(());
                }
                ScanFn::Prod => {
                    run!(f32, f32, 1.0, |a, v| a * v);
                    return Ok(());
                }
                ScanFn::Max => shared!(f32, f64, f64::NEG_INFINITY, |a, v| max(a, v as f64)),
                ScanFn::Min => shared!(f32, f64, f64::INFINITY, |a, v| -max(-a, -v as f64)),
                ScanFn::LogSumExp => {
                    shared!(f32, f64, f64::NEG_INFINITY, |a, v| log_add_exp(a, v as f64))
                }
            };
            run!(f32, f64, start, op);
        }
        Kind::F64 => {
            let (op, start) = match f {
                ScanFn::Sum => shared!(f64, f64, 0.0, |a, v| a + v),
                ScanFn::Prod => shared!(f64, f64, 1.0, |a, v| a * v),
                ScanFn::Max => shared!(f64, f64, f64::NEG_INFINITY, max),
                ScanFn::Min => shared!(f64, f64, f64::INFINITY, |a, v| -max(-a, -v)),
                ScanFn::LogSumExp => shared!(f64, f64, f64::NEG_INFINITY, log_add_exp),
            };
            run!(f64, f64, start, op);
        }
        Kind::I32 | Kind::U32 => {
            let signed = kind == Kind::I32;
            let (op, start) = match f {
                ScanFn::Sum => shared!(u32, u32, 0, u32::wrapping_add),
                ScanFn::Prod => shared!(u32, u32, 1, u32::wrapping_mul),
                ScanFn::Max if signed => {
                    shared!(u32, u32, i32::MIN, |a, v| (a as i32).max(v as i32) as u32)
                }
                ScanFn::Min if signed => {
                    shared!(u32, u32, i32::MAX, |a, v| (a as i32).min(v as i32) as u32)
                }
                ScanFn::Max => shared!(u32, u32, 0, u32::max),
                ScanFn::Min => shared!(u32, u32, u32::MAX, u32::min),
                ScanFn::LogSumExp => return Err(Unsupported),
            };
            run!(u32, u32, start, op);
        }
        Kind::Bool => return Err(Unsupported),
    }
    Ok(())
}

/// The larger; NaN if either is.
fn max(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// log(e^a + e^b) without overflow.
fn log_add_exp(a: f64, b: f64) -> f64 {
    let high = max(a, b);
    if high.is_infinite() {
        return if a.is_nan() || b.is_nan() {
            f64::NAN
        } else {
            high
        };
    }
    high + libm::log1p(libm::exp(-(a - b).abs()))
}

#[inline(always)]
fn run<T: Copy, A: Copy>(
    x: &[T],
    [outer, n, inner]: [usize; 3],
    reverse: bool,
    out: &mut [T],
    start: A,
    op: impl Fn(A, T) -> A,
    give: impl Fn(A) -> T,
) {
    let place = |k: usize| if reverse { n - 1 - k } else { k };
    if inner == 1 {
        for (x, out) in x.chunks_exact(n.max(1)).zip(out.chunks_exact_mut(n.max(1))) {
            let mut total = start;
            for k in 0..n {
                total = op(total, x[place(k)]);
                out[place(k)] = give(total);
            }
        }
        return;
    }
    let mut totals = [start; COLUMNS];
    for o in 0..outer {
        for first in (0..inner).step_by(COLUMNS) {
            let totals = &mut totals[..COLUMNS.min(inner - first)];
            totals.fill(start);
            for k in 0..n {
                let at = (o * n + place(k)) * inner + first;
                let (x, out) = (&x[at..at + totals.len()], &mut out[at..at + totals.len()]);
                for ((total, &v), out) in totals.iter_mut().zip(x).zip(out) {
                    *total = op(*total, v);
                    *out = give(*total);
                }
            }
        }
    }
}
