//! Sorting rows of arrays by the kernels.

use super::movement::{View, gather_view, signed};
use super::reduce::by_dtype;
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::Result;
use crate::kernel;
use crate::shape::{Shape, strides};
use alloc::{vec, vec::Vec};

/// The array with one axis moved last, or with the last axis moved to its place.
fn exchanged(x: &Array, axis: usize, to_last: bool) -> Result<Array> {
    let last = x.shape().len() - 1;
    if axis == last {
        return Ok(x.clone());
    }
    let mut order: Shape = (0..=last).collect();
    match to_last {
        true => order[axis..].rotate_left(1),
        false => order[axis..].rotate_right(1),
    }
    let s = signed(&strides(x.shape()));
    let shape: Shape = order.iter().map(|&a| x.shape()[a]).collect();
    let view = View {
        offset: 0,
        strides: order.iter().map(|&a| s[a]).collect(),
    };
    gather_view(x, &shape, &view)
}

/// Sorts along an axis by the first `keys` operands, the others following; stable.
pub fn sort(operands: &[Array], axis: usize, keys: usize) -> Result<Vec<Array>> {
    let rows = operands
        .iter()
        .map(|x| exchanged(x, axis, true))
        .collect::<Result<Vec<_>>>()?;
    let n = rows[0].shape().last().copied().unwrap_or(0);
    if n < 2 || rows[0].numel() == 0 {
        return Ok(operands.to_vec());
    }
    let sorted = match rows.as_slice() {
        [one] => {
            let mut out = ArrayMut::copy_of(one)?;
            by_dtype!(one.dtype(), T => kernel::sort_rows::<T>(out.slice_mut(), n));
            vec![out.freeze()]
        }
        _ => sort_together(&rows, n, keys)?,
    };
    sorted.iter().map(|x| exchanged(x, axis, false)).collect()
}

fn sort_together(rows: &[Array], n: usize, keys: usize) -> Result<Vec<Array>> {
    let mut outs = rows
        .iter()
        .map(|x| ArrayMut::uninit(x.aval().clone()))
        .collect::<Result<Vec<_>>>()?;
    let mut order: Vec<u32> = vec![0; n];
    for start in (0..rows[0].numel()).step_by(n) {
        order.iter_mut().zip(0..).for_each(|(o, i)| *o = i);
        for key in rows[..keys].iter().rev() {
            by_dtype!(key.dtype(), T => {
                kernel::argsort::<T>(&key.as_slice::<T>()[start..start + n], &mut order)
            });
        }
        for (x, out) in rows.iter().zip(&mut outs) {
            by_dtype!(x.dtype(), T => {
                let row = &x.as_slice::<T>()[start..start + n];
                kernel::permute(row, &order, &mut out.slice_mut::<T>()[start..start + n])
            });
        }
    }
    Ok(outs.into_iter().map(ArrayMut::freeze).collect())
}

/// The `k` greatest along an axis, descending, and their indices; of equals the first comes first.
pub fn top_k(x: &Array, axis: usize, k: usize) -> Result<(Array, Array)> {
    let rows = exchanged(x, axis, true)?;
    let n = rows.shape().last().copied().unwrap_or(0);
    let mut shape = Shape::from_slice(rows.shape());
    shape.pop();
    shape.push(k);
    let mut values = ArrayMut::uninit(x.aval().with_shape(&shape))?;
    let mut indices = ArrayMut::uninit(Aval::new(&shape, DType::I32))?;
    let mut order: Vec<u32> = vec![0; n];
    let lines = rows.numel().checked_div(n).unwrap_or(0);
    for line in 0..if k == 0 { 0 } else { lines } {
        let (start, to) = (line * n, line * k);
        // Ascending from the last to the first, read backwards: equals stay in order.
        order.iter_mut().rev().zip(0..).for_each(|(o, i)| *o = i);
        by_dtype!(x.dtype(), T => {
            let row = &rows.as_slice::<T>()[start..start + n];
            kernel::argsort::<T>(row, &mut order);
            order.reverse();
            kernel::permute(row, &order[..k], &mut values.slice_mut::<T>()[to..to + k])
        });
        let indices = &mut indices.slice_mut::<i32>()[to..to + k];
        indices
            .iter_mut()
            .zip(&order)
            .for_each(|(o, &i)| *o = i as i32);
    }
    let back = |x: ArrayMut| exchanged(&x.freeze(), axis, false);
    Ok((back(values)?, back(indices)?))
}
