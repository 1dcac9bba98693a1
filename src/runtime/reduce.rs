//! Folding axes away. Every reduction is done on a view of three axes, of which the middle one
//! disappears: along memory where it is innermost, row onto row where it is not.

use crate::array::{Array, ArrayMut, Element};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::shape::{Shape, numel};

/// What a reduction computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Fold {
    Sum,
    Prod,
    Max,
    Min,
    And,
    Or,
    Xor,
}

/// An associative operation with its neutral element.
trait Monoid<T> {
    const NEUTRAL: T;
    fn join(a: T, b: T) -> T;
}

struct Sum;
struct Prod;
struct Max;
struct Min;
struct And;
struct Or;
struct Xor;

macro_rules! monoid {
    ($name:ident for $($t:ty)*, $neutral:expr, $join:expr) => {$(
        impl Monoid<$t> for $name {
            const NEUTRAL: $t = $neutral;
            #[inline(always)]
            fn join(a: $t, b: $t) -> $t {
                let join: fn($t, $t) -> $t = $join;
                join(a, b)
            }
        }
    )*};
}
monoid!(Sum for f32 f64, 0.0, |a, b| a + b);
monoid!(Sum for i32 u32, 0, |a, b| a.wrapping_add(b));
monoid!(Prod for f32 f64, 1.0, |a, b| a * b);
monoid!(Prod for i32 u32, 1, |a, b| a.wrapping_mul(b));
// Once an operand is NaN, so is the result.
monoid!(Max for f32, f32::NEG_INFINITY, |a, b| if b > a || b.is_nan() { b } else { a });
monoid!(Max for f64, f64::NEG_INFINITY, |a, b| if b > a || b.is_nan() { b } else { a });
monoid!(Min for f32, f32::INFINITY, |a, b| if b < a || b.is_nan() { b } else { a });
monoid!(Min for f64, f64::INFINITY, |a, b| if b < a || b.is_nan() { b } else { a });
monoid!(Max for i32, i32::MIN, |a, b| a.max(b));
monoid!(Min for i32, i32::MAX, |a, b| a.min(b));
monoid!(Max for u32 u8, 0, |a, b| a.max(b));
monoid!(Min for u32, u32::MAX, |a, b| a.min(b));
// Booleans are 0 or 1.
monoid!(Min for u8, 1, |a, b| a.min(b));
monoid!(And for u8, 1, |a, b| a & b);
monoid!(And for i32, -1, |a, b| a & b);
monoid!(And for u32, u32::MAX, |a, b| a & b);
monoid!(Or for u8 i32 u32, 0, |a, b| a | b);
monoid!(Xor for u8 i32 u32, 0, |a, b| a ^ b);

/// Folds `axes` (ascending) of `x` away.
pub fn reduce(fold: Fold, x: &Array, axes: &[usize], out: Aval) -> Result<Array> {
    let mut current = x.clone();
    // Runs of neighbouring axes, the innermost first: no run moves an element out of order.
    let mut end = axes.len();
    while end > 0 {
        let mut start = end - 1;
        while start > 0 && axes[start - 1] + 1 == axes[start] {
            start -= 1;
        }
        let (first, last) = (axes[start], axes[end - 1]);
        let shape = current.shape();
        let view = [
            numel(&shape[..first]),
            numel(&shape[first..=last]),
            numel(&shape[last + 1..]),
        ];
        let kept: Shape = shape[..first]
            .iter()
            .chain(&shape[last + 1..])
            .copied()
            .collect();
        current = reduce_middle(fold, &current, view, out.with_shape(&kept))?;
        end = start;
    }
    Ok(current)
}

fn reduce_middle(fold: Fold, x: &Array, view: [usize; 3], out: Aval) -> Result<Array> {
    if view[1] == 1 {
        return Ok(x.reshaped(&out.shape));
    }
    let mut result = ArrayMut::uninit(out)?;
    macro_rules! run {
        ($m:ty, $t:ty) => {
            middle::<$t, $m>(x.as_slice::<$t>(), view, result.slice_mut::<$t>())
        };
    }
    macro_rules! numbers {
        ($m:ty) => {
            match x.dtype() {
                DType::F32 => run!($m, f32),
                DType::F64 => run!($m, f64),
                DType::I32 => run!($m, i32),
                DType::U32 => run!($m, u32),
                d => return Err(no_kernel(d)),
            }
        };
    }
    macro_rules! bits {
        ($m:ty) => {
            match x.dtype() {
                DType::Bool => run!($m, u8),
                DType::I32 => run!($m, i32),
                DType::U32 => run!($m, u32),
                d => return Err(no_kernel(d)),
            }
        };
    }
    match (fold, x.dtype()) {
        (Fold::Max, DType::Bool) => run!(Max, u8),
        (Fold::Min, DType::Bool) => run!(Min, u8),
        (Fold::Sum, _) => numbers!(Sum),
        (Fold::Prod, _) => numbers!(Prod),
        (Fold::Max, _) => numbers!(Max),
        (Fold::Min, _) => numbers!(Min),
        (Fold::And, _) => bits!(And),
        (Fold::Or, _) => bits!(Or),
        (Fold::Xor, _) => bits!(Xor),
    }
    Ok(result.freeze())
}

fn no_kernel(d: DType) -> Box<Error> {
    Error::internal(format!("no kernel for a reduction on {d}"))
}

/// Partial results kept side by side: enough for the widest vectors, and they shorten the chains of
/// roundings.
const LANES: usize = 16;
/// How many elements or rows are folded before the partial result joins the total: sums of many
/// numbers then lose little.
const BLOCK: usize = 512;

/// Folds the middle axis of `[outer, n, inner]`.
fn middle<T: Element, M: Monoid<T>>(x: &[T], [outer, n, inner]: [usize; 3], out: &mut [T]) {
    if n == 0 {
        out.fill(M::NEUTRAL);
        return;
    }
    if inner == 1 {
        for (o, row) in out.iter_mut().zip(x.chunks_exact(n)) {
            *o = row
                .chunks(BLOCK * LANES)
                .fold(M::NEUTRAL, |a, c| M::join(a, along::<T, M>(c)));
        }
        return;
    }
    if inner == 0 || outer == 0 {
        return;
    }
    let mut partial: Vec<T> = Vec::new();
    for (o, plane) in out.chunks_exact_mut(inner).zip(x.chunks_exact(n * inner)) {
        o.copy_from_slice(&plane[..inner]);
        let (head, rest) = plane[inner..].split_at((n.min(BLOCK) - 1) * inner);
        onto::<T, M>(o, head);
        for block in rest.chunks(BLOCK * inner) {
            partial.clear();
            partial.extend_from_slice(&block[..inner]);
            onto::<T, M>(&mut partial, &block[inner..]);
            onto::<T, M>(o, &partial);
        }
    }
}

/// Joins every row of `rows` onto `total`.
fn onto<T: Element, M: Monoid<T>>(total: &mut [T], rows: &[T]) {
    for row in rows.chunks_exact(total.len()) {
        for (t, v) in total.iter_mut().zip(row) {
            *t = M::join(*t, *v);
        }
    }
}

/// Folds a contiguous run.
fn along<T: Element, M: Monoid<T>>(x: &[T]) -> T {
    let mut lanes = [M::NEUTRAL; LANES];
    let chunks = x.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, v) in lanes.iter_mut().zip(chunk) {
            *lane = M::join(*lane, *v);
        }
    }
    let mut width = LANES;
    while width > 1 {
        width /= 2;
        for i in 0..width {
            lanes[i] = M::join(lanes[i], lanes[i + width]);
        }
    }
    rest.iter().fold(lanes[0], |a, v| M::join(a, *v))
}
