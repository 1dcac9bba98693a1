//! The roll of what reads and writes at computed places.

use super::dynamic::{DynamicSlice, DynamicUpdateSlice};
use super::gather::Gather;
use super::random::{Random, Step};
use super::roll::{Arg, Entry, Example};
use super::roll_shape::{dims, floats};
use super::scatter::{Scatter, ScatterDims, Update};
use crate::dtype::DType::{F64, I32, Key, U32};
use crate::runtime::index::{GatherDims, Mode};
use alloc::{vec, vec::Vec};

/// Their entries.
pub fn entries() -> Vec<Entry> {
    let mut out = dynamic();
    out.push(gathers());
    out.extend(scatters());
    out.extend(keys());
    out
}

fn keys() -> Vec<Entry> {
    let entry = |doc, step, shape: &[usize], args: Vec<Arg>| {
        let shape = dims(shape);
        Entry::new(doc, vec![Example::new(Random { step, shape }, args)])
    };
    let pair = || Arg::new(&[2], Key, &[7.0, 5e9]);
    let words = |shape: &[usize]| Arg::new(shape, U32, &[3.0, 4e9]);
    vec![
        entry("Keys of seeds.", Step::Seed, &[], vec![words(&[2])]),
        entry(
            "Keys of pairs of words.",
            Step::Wrap,
            &[],
            vec![words(&[1, 2])],
        ),
        entry("The words of keys.", Step::Unwrap, &[], vec![pair()]),
        entry("New keys from each key.", Step::Split, &[3], vec![pair()]),
        entry(
            "New keys from keys and words.",
            Step::FoldIn,
            &[],
            vec![pair(), words(&[2])],
        ),
        entry("Random bits.", Step::Bits, &[2, 3], vec![pair()]),
    ]
}

fn index(value: f64) -> Arg {
    Arg::new(&[], I32, &[value])
}

fn dynamic() -> Vec<Entry> {
    let read = |sizes: &[usize], mut args: Vec<Arg>, starts: &[f64]| {
        args.extend(starts.iter().map(|&s| index(s)));
        let slice_sizes = dims(sizes);
        Example::new(DynamicSlice { slice_sizes }, args)
    };
    let write = |mut args: Vec<Arg>, starts: &[f64]| {
        args.extend(starts.iter().map(|&s| index(s)));
        Example::new(DynamicUpdateSlice, args)
    };
    vec![
        Entry::new(
            "A box of elements at a computed place.",
            vec![
                read(&[2], vec![floats(&[5])], &[1.0]),
                read(&[2], vec![floats(&[5])], &[9.0]),
                read(&[1, 2], vec![floats(&[2, 3])], &[1.0, 1.0]),
                read(&[2, 2], vec![floats(&[3, 3])], &[-2.0, 2.0]),
            ],
        ),
        Entry::new(
            "An array with a box at a computed place overwritten.",
            vec![
                write(vec![floats(&[5]), floats(&[2])], &[1.0]),
                write(vec![floats(&[2, 3]), floats(&[1, 2])], &[1.0, 1.0]),
                write(vec![floats(&[3, 3]), floats(&[2, 1])], &[7.0, -1.0]),
            ],
        ),
    ]
}

/// Dimension numbers and operands that occur: a box size per operand axis, the operand's shape, and
/// the indices.
struct Case {
    dims: GatherDims,
    sizes: &'static [usize],
    operand: &'static [usize],
    indices: (&'static [usize], &'static [f64]),
    result: &'static [usize],
}

fn cases() -> Vec<Case> {
    let d = |offset: &[usize],
             collapsed: &[usize],
             map: &[usize],
             of_operand: &[usize],
             of_indices: &[usize]| {
        GatherDims {
            offset_dims: dims(offset),
            collapsed_slice_dims: dims(collapsed),
            start_index_map: dims(map),
            operand_batching_dims: dims(of_operand),
            indices_batching_dims: dims(of_indices),
        }
    };
    vec![
        // Single elements, with one place read twice and one outside.
        Case {
            dims: d(&[], &[0], &[0], &[], &[]),
            sizes: &[1],
            operand: &[5],
            indices: (&[4, 1], &[3.0, 0.0, 3.0, 7.0]),
            result: &[4],
        },
        // Rows.
        Case {
            dims: d(&[1], &[0], &[0], &[], &[]),
            sizes: &[1, 3],
            operand: &[4, 3],
            indices: (&[2, 1], &[2.0, 0.0]),
            result: &[2, 3],
        },
        // Columns: the box's axis comes first.
        Case {
            dims: d(&[0], &[1], &[1], &[], &[]),
            sizes: &[4, 1],
            operand: &[4, 3],
            indices: (&[2, 1], &[2.0, -1.0]),
            result: &[4, 2],
        },
        // Elements by two coordinates, in exchanged order.
        Case {
            dims: d(&[], &[0, 1], &[1, 0], &[], &[]),
            sizes: &[1, 1],
            operand: &[2, 3],
            indices: (&[3, 2], &[2.0, 0.0, 0.0, 1.0, 1.0, 1.0]),
            result: &[3],
        },
        // Boxes of two axes that overlap; one reaches over the edge.
        Case {
            dims: d(&[1, 2], &[], &[0, 1], &[], &[]),
            sizes: &[2, 2],
            operand: &[3, 4],
            indices: (&[3, 2], &[0.0, 0.0, 1.0, 1.0, 2.0, 3.0]),
            result: &[3, 2, 2],
        },
        // Along an axis, the other going together with the indices'.
        Case {
            dims: d(&[], &[1], &[1], &[0], &[0]),
            sizes: &[1, 1],
            operand: &[2, 3],
            indices: (&[2, 2, 1], &[2.0, 0.0, 1.0, 1.0]),
            result: &[2, 2],
        },
    ]
}

fn gathers() -> Entry {
    let mut examples = Vec::new();
    for mode in [Mode::Clip, Mode::PromiseInBounds, Mode::FillOrDrop] {
        for (i, case) in cases().into_iter().enumerate() {
            // The others break the promise.
            if mode == Mode::PromiseInBounds && !matches!(i, 1 | 3 | 5) {
                continue;
            }
            let (shape, places) = case.indices;
            // Differences of NaN are no test: zeros are filled in.
            let fill_value =
                (mode == Mode::FillOrDrop).then_some(crate::runtime::index::Fill::Int(0));
            let op = Gather {
                fill_value,
                ..Gather::new(case.dims, case.sizes, mode)
            };
            examples.push(Example::new(
                op,
                vec![floats(case.operand), Arg::new(shape, I32, places)],
            ));
        }
    }
    Entry::new("Boxes of elements at computed places.", examples)
}

fn scatters() -> Vec<Entry> {
    let docs = [
        (Update::Set, "Overwrites boxes at computed places."),
        (Update::Add, "Adds boxes at computed places."),
        (Update::Sub, "Subtracts boxes at computed places."),
        (Update::Mul, "Multiplies boxes at computed places."),
        (
            Update::Min,
            "Keeps the lesser of what is there and boxes at computed places.",
        ),
        (
            Update::Max,
            "Keeps the greater of what is there and boxes at computed places.",
        ),
    ];
    docs.map(|(update, doc)| Entry::new(doc, scatter(update)))
        .into()
}

fn scatter(update: Update) -> Vec<Example> {
    let mut examples = Vec::new();
    for mode in [Mode::FillOrDrop, Mode::Clip] {
        for (i, case) in cases().into_iter().enumerate() {
            let d = case.dims;
            let dims = ScatterDims {
                update_window_dims: d.offset_dims,
                inserted_window_dims: d.collapsed_slice_dims,
                scatter_dims_to_operand_dims: d.start_index_map,
                operand_batching_dims: d.operand_batching_dims,
                indices_batching_dims: d.indices_batching_dims,
            };
            let mut op = Scatter::new(update, dims, mode, F64);
            // The second and fourth cases write no place twice, in every lane.
            op.unique_indices = matches!(i, 1 | 3);
            let mut updates = floats(case.result);
            updates.values.iter_mut().for_each(|v| *v = 0.4 - *v * 1.1);
            let (shape, places) = case.indices;
            let indices = Arg::new(shape, I32, places);
            let example = Example::new(op.clone(), vec![floats(case.operand), indices, updates]);
            // A product written twice has no derivative by the updates, in JAX as here.
            let by_updates = update != Update::Mul || op.unique_indices;
            examples.push(if by_updates {
                example
            } else {
                example.wrt(&[0])
            });
        }
    }
    let whole = |shape: &[usize], values: &[f64]| Arg::new(shape, U32, values);
    let dims = ScatterDims {
        inserted_window_dims: dims(&[0]),
        scatter_dims_to_operand_dims: dims(&[0]),
        ..ScatterDims::default()
    };
    let places = Arg::new(&[3, 1], U32, &[1.0, 1.0, 9.0]);
    examples.push(Example::new(
        Scatter::new(update, dims, Mode::FillOrDrop, U32),
        vec![
            whole(&[3], &[5.0, 6.0, 7.0]),
            places,
            whole(&[3], &[3.0, 4.0, 5.0]),
        ],
    ));
    examples
}
