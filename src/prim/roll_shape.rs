//! The roll of the primitives that are not element-wise, with the examples they are tested on.

use super::roll::{Arg, Entry, Example};
use super::{iota, joining as j, movement as m, slicing as s};
use crate::dtype::DType;
use crate::shape::{Shape, numel};
use alloc::{vec, vec::Vec};

/// Their entries.
pub fn entries() -> Vec<Entry> {
    let mut out = movement();
    out.extend(joining());
    out.extend(slicing());
    out.extend(super::roll_reduce::entries());
    out.extend(super::roll_index::entries());
    out
}

/// Floats without ties, of both signs, away from zero.
pub(super) fn floats(shape: &[usize]) -> Arg {
    let n = numel(shape);
    let value = |i: usize| ((i * 37 + 11) % 101) as f64 * 0.07 - 3.03;
    let values: Vec<f64> = (0..n).map(value).collect();
    Arg::new(shape, DType::F64, &values)
}

/// A list of axes or sizes.
pub(super) fn dims(d: &[usize]) -> Shape {
    Shape::from_slice(d)
}

fn movement() -> Vec<Entry> {
    let reshape = |x: &[usize], to: &[usize]| {
        Example::new(
            m::Reshape {
                new_sizes: dims(to),
            },
            vec![floats(x)],
        )
    };
    let broadcast = |x: &[usize], to: &[usize], at: &[usize]| {
        let op = m::BroadcastInDim {
            shape: dims(to),
            broadcast_dimensions: dims(at),
        };
        Example::new(op, vec![floats(x)])
    };
    let transpose = |x: &[usize], p: &[usize]| {
        let permutation = dims(p);
        Example::new(m::Transpose { permutation }, vec![floats(x)])
    };
    let squeeze = |x: &[usize], d: &[usize]| {
        let dimensions = dims(d);
        Example::new(m::Squeeze { dimensions }, vec![floats(x)])
    };
    let rev = |x: &[usize], d: &[usize]| {
        let dimensions = dims(d);
        Example::new(m::Rev { dimensions }, vec![floats(x)])
    };
    vec![
        Entry::new(
            "The same elements, row-major, in another shape.",
            vec![
                reshape(&[2, 3], &[3, 2]),
                reshape(&[4], &[2, 1, 2]),
                reshape(&[1], &[]),
                reshape(&[0, 3], &[0]),
            ],
        ),
        Entry::new(
            "Places axes in a larger shape and repeats along the others.",
            vec![
                broadcast(&[3], &[2, 3], &[1]),
                broadcast(&[], &[2, 2], &[]),
                broadcast(&[2, 1], &[4, 2, 3], &[1, 2]),
                broadcast(&[2], &[2, 3], &[0]),
            ],
        ),
        Entry::new(
            "Axes in another order.",
            vec![
                transpose(&[2, 3], &[1, 0]),
                transpose(&[2, 3, 4], &[2, 0, 1]),
                transpose(&[2, 3, 4], &[0, 2, 1]),
                transpose(&[2, 1, 3, 2], &[3, 1, 0, 2]),
                transpose(&[17, 33], &[1, 0]),
            ],
        ),
        Entry::new(
            "Drops axes of size 1.",
            vec![
                squeeze(&[1, 3, 1], &[0, 2]),
                squeeze(&[2, 1], &[1]),
                squeeze(&[1], &[0]),
            ],
        ),
        Entry::new(
            "Reverses the order of elements along axes.",
            vec![
                rev(&[5], &[0]),
                rev(&[2, 3], &[1]),
                rev(&[2, 3, 2], &[0, 2]),
            ],
        ),
        Entry::new(
            "Counts 0, 1, 2 … along an axis.",
            vec![
                Example::new(
                    iota::Iota {
                        dtype: DType::I32,
                        shape: dims(&[4]),
                        dimension: 0,
                    },
                    vec![],
                ),
                Example::new(
                    iota::Iota {
                        dtype: DType::F32,
                        shape: dims(&[2, 3]),
                        dimension: 0,
                    },
                    vec![],
                ),
                Example::new(
                    iota::Iota {
                        dtype: DType::U32,
                        shape: dims(&[2, 3, 2]),
                        dimension: 1,
                    },
                    vec![],
                ),
            ],
        ),
    ]
}

fn joining() -> Vec<Entry> {
    let split = |x: &[usize], sizes: &[usize], axis| {
        let sizes = dims(sizes);
        Example::new(j::Split { sizes, axis }, vec![floats(x)])
    };
    vec![
        Entry::new(
            "Puts arrays one after the other along an axis.",
            vec![
                Example::new(
                    j::Concatenate { dimension: 0 },
                    vec![floats(&[2]), floats(&[3])],
                ),
                Example::new(
                    j::Concatenate { dimension: 1 },
                    vec![floats(&[2, 1]), floats(&[2, 3]), floats(&[2, 0])],
                ),
                Example::new(
                    j::Concatenate { dimension: 1 },
                    vec![floats(&[2, 2, 2]), floats(&[2, 1, 2])],
                ),
            ],
        ),
        Entry::new(
            "Cuts an array along an axis into pieces of given sizes.",
            vec![
                split(&[4], &[1, 3], 0),
                split(&[2, 3], &[1, 0, 2], 1),
                split(&[4, 2], &[4], 0),
            ],
        ),
        Entry::new(
            "Puts arrays side by side along a new axis.",
            vec![
                Example::new(j::Stack { axis: 0 }, vec![floats(&[]), floats(&[])]),
                Example::new(j::Stack { axis: 1 }, vec![floats(&[2, 3]), floats(&[2, 3])]),
                Example::new(j::Stack { axis: 2 }, vec![floats(&[2, 3]), floats(&[2, 3])]),
            ],
        ),
        Entry::new(
            "Takes an array apart along an axis, which disappears.",
            vec![
                Example::new(j::Unstack { axis: 0 }, vec![floats(&[3])]),
                Example::new(j::Unstack { axis: 1 }, vec![floats(&[2, 3])]),
            ],
        ),
        Entry::new(
            "Repeats an array along its axes.",
            vec![
                Example::new(j::Tile { reps: dims(&[3]) }, vec![floats(&[2])]),
                Example::new(
                    j::Tile {
                        reps: dims(&[2, 1, 3]),
                    },
                    vec![floats(&[1, 2, 2])],
                ),
            ],
        ),
    ]
}

fn slicing() -> Vec<Entry> {
    let slice = |x: &[usize], from: &[usize], to: &[usize], by: Option<&[usize]>| {
        let op = s::Slice {
            start_indices: dims(from),
            limit_indices: dims(to),
            strides: by.map(dims),
        };
        Example::new(op, vec![floats(x)])
    };
    let pad = |x: &[usize], config: &[(isize, isize, isize)]| {
        let padding_config = config.to_vec();
        Example::new(s::Pad { padding_config }, vec![floats(x), floats(&[])])
    };
    vec![
        Entry::new(
            "A box of elements at a fixed place.",
            vec![
                slice(&[5], &[1], &[4], None),
                slice(&[5], &[0], &[5], Some(&[2])),
                slice(&[3, 4], &[1, 0], &[3, 3], None),
                slice(&[3, 4], &[0, 1], &[3, 4], Some(&[2, 3])),
                slice(&[3, 4], &[1, 2], &[1, 4], None),
            ],
        ),
        Entry::new(
            "Puts a scalar around and between the elements; negative padding cuts off.",
            vec![
                pad(&[4], &[(1, 2, 0)]),
                pad(&[4], &[(0, 0, 2)]),
                pad(&[4], &[(-1, -2, 0)]),
                pad(&[2, 3], &[(1, -1, 0), (0, 2, 1)]),
                pad(&[2, 3], &[(-1, 1, 1), (-2, 0, 2)]),
                pad(&[0, 2], &[(1, 1, 3), (0, 0, 0)]),
            ],
        ),
    ]
}
