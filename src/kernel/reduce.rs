//! Folding one axis away. The array is seen as `[outer, n, inner]` in row-major order and the middle
//! axis goes: along memory where `inner` is 1, row onto row where it is not.

use super::element::{Element, Kind, Unsupported};
use super::lane::{F32x4, Lane, WideLane};

/// How the elements along an axis are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ReduceFn {
    Sum,
    Prod,
    Max,
    Min,
    And,
    Or,
    Xor,
}

/// Which position along an axis is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ArgFn {
    Max,
    Min,
}

/// Independent partial results along memory, so that the additions need not wait for each other.
const PARTS: usize = 32;
/// Columns handled at a time, so that their partial results stay in the nearest cache.
const COLUMNS: usize = 512;

/// `out[o, i]` = the combination of `x[o, .., i]`; where n is 0, the operation's neutral element.
///
/// Shapes: `x` is `[outer, n, inner]`, `out` is `[outer, inner]`.
/// Dtypes: f32, f64: `Sum`, `Prod`, `Max`, `Min` (NaN if any is NaN). i32, u32: all, wrapping. bool:
/// all but `Sum` and `Prod`. Float32 sums are taken in double precision above the level of four
/// terms. Errors: [`Unsupported`] otherwise.
pub fn reduce<T: Element>(
    f: ReduceFn,
    x: &[T],
    [outer, n, inner]: [usize; 3],
    out: &mut [T],
) -> Result<(), Unsupported> {
    assert!(
        x.len() == outer * n * inner && out.len() == outer * inner,
        "shapes fit"
    );
    // SAFETY: the slices have these lengths and hold elements of T::KIND.
    unsafe {
        reduce_raw(
            T::KIND,
            f,
            x.as_ptr().cast(),
            [outer, n, inner],
            out.as_mut_ptr().cast(),
        )
    }
}

/// [`reduce`] on untyped memory.
///
/// # Safety
/// `x` must be readable for `outer * n * inner` aligned elements of `kind`, `out` writable for
/// `outer * inner`, and they must not overlap.
pub unsafe fn reduce_raw(
    kind: Kind,
    f: ReduceFn,
    x: *const u8,
    dims: [usize; 3],
    out: *mut u8,
) -> Result<(), Unsupported> {
    macro_rules! fold {
        ($t:ty, $neutral:expr, $op:expr) => {{
            // SAFETY: the caller's promise.
            let (x, out) = unsafe { slices::<$t>(x, dims, out) };
            fold(x, dims, out, $neutral, $op)
        }};
    }
    macro_rules! lanes {
        ($neutral:expr, $op:expr) => {{
            // SAFETY: the caller's promise.
            let (x, out) = unsafe { slices::<f32>(x, dims, out) };
            fold_f32(x, dims, out, $neutral, $op)
        }};
    }
    match (kind, f) {
        (Kind::F32, ReduceFn::Sum) => {
            // SAFETY: the caller's promise.
            let (x, out) = unsafe { slices::<f32>(x, dims, out) };
            sum_f32(x, dims, out)
        }
        (Kind::F32, ReduceFn::Prod) => lanes!(1.0, |a, b| a * b),
        (Kind::F32, ReduceFn::Max) => lanes!(f32::NEG_INFINITY, Lane::max),
        (Kind::F32, ReduceFn::Min) => lanes!(f32::INFINITY, Lane::min),
        (Kind::F64, ReduceFn::Sum) => fold!(f64, 0.0, |a, b| a + b),
        (Kind::F64, ReduceFn::Prod) => fold!(f64, 1.0, |a, b| a * b),
        (Kind::F64, ReduceFn::Max) => fold!(f64, f64::NEG_INFINITY, larger),
        (Kind::F64, ReduceFn::Min) => fold!(f64, f64::INFINITY, smaller),
        // Two's complement: where the sign does not matter u32 does for both.
        (Kind::I32 | Kind::U32, ReduceFn::Sum) => fold!(u32, 0, u32::wrapping_add),
        (Kind::I32 | Kind::U32, ReduceFn::Prod) => fold!(u32, 1, u32::wrapping_mul),
        (Kind::I32 | Kind::U32, ReduceFn::And) => fold!(u32, !0, |a, b| a & b),
        (Kind::I32 | Kind::U32, ReduceFn::Or) => fold!(u32, 0, |a, b| a | b),
        (Kind::I32 | Kind::U32, ReduceFn::Xor) => fold!(u32, 0, |a, b| a ^ b),
        (Kind::I32, ReduceFn::Max) => fold!(i32, i32::MIN, i32::max),
        (Kind::I32, ReduceFn::Min) => fold!(i32, i32::MAX, i32::min),
        (Kind::U32, ReduceFn::Max) => fold!(u32, 0, u32::max),
        (Kind::U32, ReduceFn::Min) => fold!(u32, !0, u32::min),
        (Kind::Bool, ReduceFn::And | ReduceFn::Min) => fold!(u8, 1, |a, b| a & b),
        (Kind::Bool, ReduceFn::Or | ReduceFn::Max) => fold!(u8, 0, |a, b| a | b),
        (Kind::Bool, ReduceFn::Xor) => fold!(u8, 0, |a, b| a ^ b),
        _ => return Err(Unsupported),
    }
    Ok(())
}

/// The input and output of a reduction as slices.
///
/// # Safety
/// As [`reduce_raw`].
unsafe fn slices<'a, T>(
    x: *const u8,
    [outer, n, inner]: [usize; 3],
    out: *mut u8,
) -> (&'a [T], &'a mut [T]) {
    // SAFETY: the caller's promise.
    unsafe {
        (
            core::slice::from_raw_parts(x.cast(), outer * n * inner),
            core::slice::from_raw_parts_mut(out.cast(), outer * inner),
        )
    }
}

/// The larger; NaN if either is.
#[inline(always)]
#[allow(clippy::eq_op)] // only NaN is unequal to itself
fn larger<T: PartialOrd + Copy>(a: T, b: T) -> T {
    if a > b || a != a { a } else { b }
}

/// The smaller; NaN if either is.
#[inline(always)]
#[allow(clippy::eq_op)]
fn smaller<T: PartialOrd + Copy>(a: T, b: T) -> T {
    if a < b || a != a { a } else { b }
}

/// Combines rows of `total.len()` elements, `stride` apart, into `total`: the one loop that becomes
/// SIMD, shared by all layouts.
#[inline(never)]
fn fold_rows<T: Copy>(
    x: &[T],
    stride: usize,
    rows: usize,
    total: &mut [T],
    op: impl Fn(T, T) -> T,
) {
    let width = total.len();
    for r in 0..rows {
        for (a, &b) in total.iter_mut().zip(&x[r * stride..][..width]) {
            *a = op(*a, b);
        }
    }
}

/// Combines a row of elements.
#[inline(always)]
fn fold_row<T: Copy>(row: &[T], neutral: T, op: impl Fn(T, T) -> T + Copy) -> T {
    if row.len() < 2 * PARTS {
        return row.iter().fold(neutral, |a, &b| op(a, b));
    }
    let (whole, rest) = row.split_at(row.len() / PARTS * PARTS);
    let mut parts = [neutral; PARTS];
    fold_rows(whole, PARTS, row.len() / PARTS, &mut parts, op);
    parts.iter().chain(rest).fold(neutral, |a, &b| op(a, b))
}

#[inline(never)]
fn fold<T: Copy>(
    x: &[T],
    [_, n, inner]: [usize; 3],
    out: &mut [T],
    neutral: T,
    op: impl Fn(T, T) -> T + Copy,
) {
    if inner == 1 {
        for (i, o) in out.iter_mut().enumerate() {
            *o = fold_row(&x[i * n..(i + 1) * n], neutral, op);
        }
        return;
    }
    out.fill(neutral);
    for (o, total) in out.chunks_exact_mut(inner.max(1)).enumerate() {
        for (c, total) in total.chunks_mut(COLUMNS).enumerate() {
            if n > 0 {
                fold_rows(&x[o * n * inner + c * COLUMNS..], inner, n, total, op);
            }
        }
    }
}

/// [`fold`] for float32, on lanes: a comparison of scalars would be a branch, and often the wrong one.
#[inline(never)]
fn fold_f32(
    x: &[f32],
    [_, n, inner]: [usize; 3],
    out: &mut [f32],
    neutral: f32,
    op: impl Fn(F32x4, F32x4) -> F32x4 + Copy,
) {
    // SAFETY (of all loads and stores): chunks have as many elements as are touched.
    let load = |p: &[f32], k: usize| unsafe { F32x4::load(p[4 * k..4 * k + 4].as_ptr()) };
    let one = |a: f32, b: f32| op(F32x4::splat(a), F32x4::splat(b)).first();
    if inner == 1 {
        for (i, o) in out.iter_mut().enumerate() {
            let blocks = x[i * n..(i + 1) * n].chunks_exact(16);
            let fours = blocks.remainder().chunks_exact(4);
            let rest = fours.remainder();
            let mut parts = [F32x4::splat(neutral); 4];
            for block in blocks {
                for (k, part) in parts.iter_mut().enumerate() {
                    *part = op(*part, load(block, k));
                }
            }
            let mut total = op(op(parts[0], parts[1]), op(parts[2], parts[3]));
            for four in fours {
                total = op(total, load(four, 0));
            }
            let mut lanes = [neutral; 4];
            // SAFETY: as above.
            unsafe { total.store(lanes.as_mut_ptr()) };
            let total = one(one(lanes[0], lanes[1]), one(lanes[2], lanes[3]));
            *o = rest.iter().fold(total, |a, &b| one(a, b));
        }
        return;
    }
    out.fill(neutral);
    for (o, total) in out.chunks_exact_mut(inner.max(1)).enumerate() {
        for (c, total) in total.chunks_mut(COLUMNS).enumerate() {
            for r in 0..n {
                let row = &x[(o * n + r) * inner + c * COLUMNS..][..total.len()];
                let fours = row.chunks_exact(4);
                let mut totals = total.chunks_exact_mut(4);
                let last = fours.remainder();
                for (a, b) in totals.by_ref().zip(fours) {
                    // SAFETY: as above.
                    unsafe { op(load(a, 0), load(b, 0)).store(a.as_mut_ptr()) };
                }
                for (a, &b) in totals.into_remainder().iter_mut().zip(last) {
                    *a = one(*a, b);
                }
            }
        }
    }
}

type Wide = <F32x4 as Lane>::Wide;

/// The sum of a row: four vectors are added pairwise in single precision, everything above that in
/// double.
fn sum_row(row: &[f32]) -> f32 {
    if row.len() < 8 {
        return row.iter().fold(0.0, |a, &v| a + v as f64) as f32;
    }
    let mut total = Wide::splat(0.0);
    let blocks = row.chunks_exact(16);
    let rest = blocks.remainder();
    // SAFETY (of all loads): each chunk has as many elements as are read.
    let load = |p: &[f32], k: usize| unsafe { F32x4::load(p[4 * k..4 * k + 4].as_ptr()) };
    for b in blocks {
        total = total + ((load(b, 0) + load(b, 1)) + (load(b, 2) + load(b, 3))).widen();
    }
    let fours = rest.chunks_exact(4);
    let last = fours.remainder();
    for four in fours {
        total = total + load(four, 0).widen();
    }
    let [a, b, c, d] = total.to_array();
    (last.iter().map(|&v| v as f64).sum::<f64>() + ((a + b) + (c + d))) as f32
}

fn sum_f32(x: &[f32], [_, n, inner]: [usize; 3], out: &mut [f32]) {
    if inner == 1 {
        for (i, o) in out.iter_mut().enumerate() {
            *o = sum_row(&x[i * n..(i + 1) * n]);
        }
        return;
    }
    let mut sums = [Wide::splat(0.0); COLUMNS / 4];
    for (o, total) in out.chunks_exact_mut(inner.max(1)).enumerate() {
        let x = &x[o * n * inner..(o + 1) * n * inner];
        for (c, total) in total.chunks_mut(COLUMNS).enumerate() {
            let sums = &mut sums[..total.len() / 4];
            sums.fill(Wide::splat(0.0));
            sum_columns(x, n, inner, c * COLUMNS, total, sums);
        }
    }
}

/// Sums of the columns from `first` on, as many as `total` has. `sums` is zero, a fourth as long.
fn sum_columns(
    x: &[f32],
    n: usize,
    inner: usize,
    first: usize,
    total: &mut [f32],
    sums: &mut [Wide],
) {
    let vectors = sums.len();
    let mut r = 0;
    while r < n {
        let rows = (n - r).min(4);
        let row = |k: usize| &x[(r + k) * inner + first..][..4 * vectors];
        if rows == 4 {
            let (a, b, c, d) = (row(0), row(1), row(2), row(3));
            for (j, sum) in sums.iter_mut().enumerate() {
                // SAFETY: each row has 4 * vectors elements.
                let load = |p: &[f32]| unsafe { F32x4::load(p.as_ptr().add(4 * j)) };
                *sum = *sum + ((load(a) + load(b)) + (load(c) + load(d))).widen();
            }
        } else {
            for k in 0..rows {
                let a = row(k);
                for (j, sum) in sums.iter_mut().enumerate() {
                    // SAFETY: as above.
                    *sum = *sum + unsafe { F32x4::load(a.as_ptr().add(4 * j)) }.widen();
                }
            }
        }
        r += rows;
    }
    let (whole, rest) = total.split_at_mut(4 * vectors);
    for (four, sum) in whole.chunks_exact_mut(4).zip(sums.iter()) {
        // SAFETY: a chunk of exactly four elements.
        unsafe { F32x4::narrow(*sum).store(four.as_mut_ptr()) };
    }
    for (k, o) in rest.iter_mut().enumerate() {
        let column = first + 4 * vectors + k;
        *o = (0..n).map(|r| x[r * inner + column] as f64).sum::<f64>() as f32;
    }
}

/// `out[o, i]` = the first position along the middle axis where `x[o, .., i]` is largest or
/// smallest; the first NaN wins. n must not be 0.
///
/// Shapes: `x` is `[outer, n, inner]`, `out` is `[outer, inner]`. Dtypes: all.
pub fn arg_reduce<T: Element>(f: ArgFn, x: &[T], [outer, n, inner]: [usize; 3], out: &mut [i32]) {
    assert!(
        x.len() == outer * n * inner && out.len() == outer * inner,
        "shapes fit"
    );
    // SAFETY: the elements are of the type that T::KIND names.
    unsafe { arg_reduce_raw(T::KIND, f, x.as_ptr().cast(), [outer, n, inner], out) }
}

/// [`arg_reduce`] on untyped memory.
///
/// # Safety
/// `x` points to as many elements of that kind as `dims` say.
unsafe fn arg_reduce_raw(kind: Kind, f: ArgFn, x: *const u8, dims: [usize; 3], out: &mut [i32]) {
    let count = dims.iter().product();
    macro_rules! run {
        ($t:ty) => {{
            // SAFETY: the caller's promise.
            let x = unsafe { core::slice::from_raw_parts(x.cast::<$t>(), count) };
            match f {
                ArgFn::Max => arg_fold(x, dims, out, larger, |v, best| v > best),
                ArgFn::Min => arg_fold(x, dims, out, smaller, |v, best| v < best),
            }
        }};
    }
    // Integers are compared as unsigned after turning some of their bits over: one loop for both ways.
    macro_rules! turned {
        ($t:ty, $max:expr) => {{
            let max: $t = $max;
            let mask = if f == ArgFn::Max { max } else { !max };
            // SAFETY: the caller's promise; signed integers are read as unsigned ones.
            let x = unsafe { core::slice::from_raw_parts(x.cast::<$t>(), count) };
            let above = move |a: $t, b: $t| a ^ mask > b ^ mask;
            arg_fold(
                x,
                dims,
                out,
                move |a, b| if above(a, b) { a } else { b },
                above,
            )
        }};
    }
    match kind {
        Kind::F32 => run!(f32),
        Kind::F64 => run!(f64),
        Kind::I32 | Kind::U32 => turned!(u32, if kind == Kind::I32 { 1u32 << 31 } else { 0 }),
        Kind::Bool => turned!(u8, 0),
    }
}

#[inline(always)]
#[allow(clippy::eq_op)] // only NaN is unequal to itself
fn arg_fold<T: Element>(
    x: &[T],
    [_, n, inner]: [usize; 3],
    out: &mut [i32],
    pick: impl Fn(T, T) -> T + Copy,
    beats: impl Fn(T, T) -> bool,
) {
    if n == 0 {
        out.fill(0);
        return;
    }
    if inner == 1 {
        for (o, row) in out.iter_mut().zip(x.chunks_exact(n)) {
            let best = fold_row(row, row[0], pick);
            let found = |v: &T| if best == best { *v == best } else { *v != *v };
            *o = row.iter().position(found).unwrap_or(0) as i32;
        }
        return;
    }
    let mut best = [T::default(); COLUMNS];
    for (o, out) in out.chunks_exact_mut(inner.max(1)).enumerate() {
        let x = &x[o * n * inner..(o + 1) * n * inner];
        for (c, at) in out.chunks_mut(COLUMNS).enumerate() {
            let width = at.len();
            let best = &mut best[..width];
            best.copy_from_slice(&x[c * COLUMNS..][..width]);
            at.fill(0);
            for r in 1..n {
                let row = &x[r * inner + c * COLUMNS..][..width];
                for ((best, at), &v) in best.iter_mut().zip(at.iter_mut()).zip(row) {
                    let wins = beats(v, *best) || (v != v && *best == *best);
                    *best = if wins { v } else { *best };
                    *at = if wins { r as i32 } else { *at };
                }
            }
        }
    }
}
