//! The roll of reductions, running totals, products and sorting.

use super::dot::{DotDims, DotGeneral};
use super::roll::{Arg, Entry, Example};
use super::roll_shape::{dims, floats};
use super::{arg, cumulative, reduce, sort};
use crate::dtype::DType::{self, Bool, F64, I32, U32};
use crate::kernel::{ArgFn, ReduceFn, ScanFn};
use alloc::{vec, vec::Vec};

/// Their entries.
pub fn entries() -> Vec<Entry> {
    let mut out = reductions();
    out.extend(totals());
    out.extend(products());
    out.extend(sorting());
    out
}

/// Whole numbers of both signs, with ties.
fn whole(dtype: DType, shape: &[usize]) -> Arg {
    let n: usize = shape.iter().product();
    let low = if dtype == I32 { -3.0 } else { 0.0 };
    let limit = if dtype == Bool { 2 } else { 7 };
    let values: Vec<f64> = (0..n).map(|i| ((i * 5 + 3) % limit) as f64 + low).collect();
    Arg::new(shape, dtype, &values)
}

fn fold(fold: ReduceFn, axes: &[usize], x: Arg) -> Example {
    let axes = dims(axes);
    Example::new(reduce::Reduce { fold, axes }, vec![x])
}

fn reductions() -> Vec<Entry> {
    let numbers = |f: ReduceFn| {
        vec![
            fold(f, &[0], floats(&[4])),
            fold(f, &[0], floats(&[2, 3])),
            fold(f, &[1], floats(&[2, 3])),
            fold(f, &[0, 2], floats(&[2, 3, 4])),
            fold(f, &[0, 1, 2], floats(&[2, 1, 5])),
            fold(f, &[1], floats(&[2, 1])),
            fold(f, &[1], whole(I32, &[2, 5])),
            fold(f, &[0], whole(U32, &[3, 2])),
        ]
    };
    let bits = |f: ReduceFn| {
        vec![
            fold(f, &[0], whole(Bool, &[4])),
            fold(f, &[1], whole(Bool, &[2, 3])),
            fold(f, &[0], whole(I32, &[2, 3])),
            fold(f, &[0, 2], whole(U32, &[2, 3, 2])),
        ]
    };
    let find = |which: ArgFn| {
        let one = |axis: usize, index_dtype: DType, x: Arg| {
            let op = arg::ArgReduce {
                which,
                axis,
                index_dtype,
            };
            Example::new(op, vec![x])
        };
        vec![
            one(0, I32, floats(&[5])),
            one(1, I32, floats(&[2, 3])),
            one(1, U32, floats(&[2, 3, 2])),
            one(0, I32, whole(I32, &[4, 2])),
            one(0, I32, whole(Bool, &[3])),
        ]
    };
    vec![
        Entry::new("Sums over axes.", numbers(ReduceFn::Sum)),
        Entry::new("Multiplies over axes.", numbers(ReduceFn::Prod)),
        Entry::new(
            "The greatest along axes; NaN if there is one.",
            numbers(ReduceFn::Max),
        ),
        Entry::new(
            "The least along axes; NaN if there is one.",
            numbers(ReduceFn::Min),
        ),
        Entry::new(
            "Whether all along axes are true; bitwise on integers.",
            bits(ReduceFn::And),
        ),
        Entry::new(
            "Whether any along axes is true; bitwise on integers.",
            bits(ReduceFn::Or),
        ),
        Entry::new("Exclusive or along axes.", bits(ReduceFn::Xor)),
        Entry::new(
            "The first index of the greatest along an axis.",
            find(ArgFn::Max),
        ),
        Entry::new(
            "The first index of the least along an axis.",
            find(ArgFn::Min),
        ),
    ]
}

fn totals() -> Vec<Entry> {
    let of = |total: ScanFn| {
        let one = |axis: usize, reverse: bool, x: Arg| {
            let op = cumulative::Cumulative {
                total,
                axis,
                reverse,
            };
            Example::new(op, vec![x])
        };
        let mut out = vec![
            one(0, false, floats(&[5])),
            one(0, true, floats(&[4])),
            one(1, false, floats(&[2, 3])),
            one(0, true, floats(&[3, 2])),
            one(1, true, floats(&[2, 7, 2])),
            one(0, false, floats(&[1])),
        ];
        if total != ScanFn::LogSumExp {
            out.push(one(1, false, whole(I32, &[2, 4])));
            out.push(one(0, true, whole(U32, &[3])));
        }
        out
    };
    vec![
        Entry::new("Running sums along an axis.", of(ScanFn::Sum)),
        Entry::new("Running products along an axis.", of(ScanFn::Prod)),
        Entry::new("Running greatest along an axis.", of(ScanFn::Max)),
        Entry::new("Running least along an axis.", of(ScanFn::Min)),
        Entry::new(
            "Running log of the sum of exponentials along an axis.",
            of(ScanFn::LogSumExp),
        ),
    ]
}

fn products() -> Vec<Entry> {
    let one = |x: Arg, y: Arg, contract: [&[usize]; 2], batch: [&[usize]; 2]| {
        let op = DotGeneral {
            dims: DotDims {
                lhs_contract: dims(contract[0]),
                rhs_contract: dims(contract[1]),
                lhs_batch: dims(batch[0]),
                rhs_batch: dims(batch[1]),
            },
            preferred_element_type: (x.dtype == F64).then_some(F64),
        };
        Example::new(op, vec![x, y])
    };
    let plain = |x: &[usize], y: &[usize], contract: [&[usize]; 2], batch: [&[usize]; 2]| {
        one(floats(x), floats(y), contract, batch)
    };
    let examples = vec![
        plain(&[2, 3], &[3, 4], [&[1], &[0]], [&[], &[]]),
        plain(&[3, 2], &[4, 3], [&[0], &[1]], [&[], &[]]),
        plain(&[4], &[4], [&[0], &[0]], [&[], &[]]),
        plain(&[2], &[3], [&[], &[]], [&[], &[]]),
        plain(&[], &[3], [&[], &[]], [&[], &[]]),
        plain(&[2, 3, 4], &[2, 4, 5], [&[2], &[1]], [&[0], &[0]]),
        plain(&[2, 3, 4], &[3, 4, 5, 2], [&[0, 2], &[3, 1]], [&[1], &[0]]),
        plain(&[2, 3, 2, 3], &[3, 2, 2], [&[1, 2], &[0, 2]], [&[], &[]]),
        plain(&[2, 3, 4], &[4, 3, 2], [&[], &[]], [&[0, 2], &[2, 0]]),
        plain(&[2, 0], &[0, 3], [&[1], &[0]], [&[], &[]]),
        plain(&[9, 17], &[17, 11], [&[1], &[0]], [&[], &[]]),
        one(
            whole(I32, &[2, 3]),
            whole(I32, &[3, 2]),
            [&[1], &[0]],
            [&[], &[]],
        ),
        one(
            whole(U32, &[2, 3]),
            whole(U32, &[2, 3]),
            [&[1], &[1]],
            [&[], &[]],
        ),
        one(
            whole(Bool, &[2, 3]),
            whole(Bool, &[3, 2]),
            [&[1], &[0]],
            [&[], &[]],
        ),
    ];
    vec![Entry::new(
        "Multiplies arrays and sums over chosen axes.",
        examples,
    )]
}

fn sorting() -> Vec<Entry> {
    let sort = |dimension: usize, num_keys: usize, args: Vec<Arg>| {
        let op = sort::Sort {
            dimension,
            is_stable: true,
            num_keys,
        };
        Example::new(op, args)
    };
    let top = |k: usize, axis: usize, x: Arg| Example::new(sort::TopK { k, axis }, vec![x]);
    vec![
        Entry::new(
            "Sorts along an axis by the first operands; the others follow.",
            vec![
                sort(0, 1, vec![floats(&[5])]),
                sort(1, 1, vec![floats(&[2, 4])]),
                sort(0, 1, vec![floats(&[3, 2])]),
                sort(1, 1, vec![whole(I32, &[2, 5])]),
                sort(0, 1, vec![whole(U32, &[6]), floats(&[6])]),
                sort(
                    0,
                    2,
                    vec![whole(I32, &[7, 2]), floats(&[7, 2]), floats(&[7, 2])],
                ),
                sort(0, 1, vec![whole(Bool, &[4])]),
            ],
        ),
        Entry::new(
            "The greatest few along an axis and where they are.",
            vec![
                top(2, 0, floats(&[5])),
                top(1, 1, floats(&[2, 4])),
                top(3, 0, floats(&[3, 2])),
                top(3, 0, whole(I32, &[9])),
                top(0, 0, floats(&[2])),
            ],
        ),
    ]
}
