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
    let (dims, n) = ([outer, n, inner], x.len());
    let (x, out) = (x.as_ptr().cast::<u8>(), out.as_mut_ptr().cast::<u8>());
    macro_rules! run {
        ($t:ty, $a:ty, $start:expr, $op:expr) => {{
            // SAFETY: n elements of the type that T::KIND names.
            let (x, out) = unsafe {
                (
                    std::slice::from_raw_parts(x.cast::<$t>(), n),
                    std::slice::from_raw_parts_mut(out.cast::<$t>(), n),
                )
            };
            run(x, dims, reverse, out, $start as $a, $op, |a| a as $t)
        }};
    }
    match (T::KIND, f) {
        (Kind::F32, ScanFn::Sum) => run!(f32, f64, 0.0, |a, v| a + v as f64),
        (Kind::F32, ScanFn::Prod) => run!(f32, f32, 1.0, |a, v| a * v),
        (Kind::F32, ScanFn::Max) => run!(f32, f64, f64::NEG_INFINITY, |a, v| max(a, v as f64)),
        (Kind::F32, ScanFn::Min) => run!(f32, f64, f64::INFINITY, |a, v| -max(-a, -v as f64)),
        (Kind::F32, ScanFn::LogSumExp) => {
            run!(f32, f64, f64::NEG_INFINITY, |a, v| log_add_exp(a, v as f64))
        }
        (Kind::F64, ScanFn::Sum) => run!(f64, f64, 0.0, |a, v| a + v),
        (Kind::F64, ScanFn::Prod) => run!(f64, f64, 1.0, |a, v| a * v),
        (Kind::F64, ScanFn::Max) => run!(f64, f64, f64::NEG_INFINITY, max),
        (Kind::F64, ScanFn::Min) => run!(f64, f64, f64::INFINITY, |a, v| -max(-a, -v)),
        (Kind::F64, ScanFn::LogSumExp) => run!(f64, f64, f64::NEG_INFINITY, log_add_exp),
        (Kind::I32 | Kind::U32, ScanFn::Sum) => run!(u32, u32, 0, u32::wrapping_add),
        (Kind::I32 | Kind::U32, ScanFn::Prod) => run!(u32, u32, 1, u32::wrapping_mul),
        (Kind::I32, ScanFn::Max) => run!(i32, i32, i32::MIN, i32::max),
        (Kind::I32, ScanFn::Min) => run!(i32, i32, i32::MAX, i32::min),
        (Kind::U32, ScanFn::Max) => run!(u32, u32, 0, u32::max),
        (Kind::U32, ScanFn::Min) => run!(u32, u32, u32::MAX, u32::min),
        _ => return Err(Unsupported),
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
    high + (-(a - b).abs()).exp().ln_1p()
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
