//! General products of arrays on the matrix kernel.

use super::elementwise::{convert, supported};
use super::movement::{View, gather_view};
use super::reduce::by_dtype;
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::Result;
use crate::kernel::{self, Product};
use crate::shape::{Shape, numel, strides};

/// Axes of one factor: those shared with the product and the other factor, its own, and those summed
/// over.
pub struct Axes<'a> {
    /// Axes that run along with the other factor's.
    pub batch: &'a [usize],
    /// Axes that only this factor has.
    pub free: &'a [usize],
    /// Axes summed over.
    pub contract: &'a [usize],
}

/// One stride for several axes taken together, where there is one.
fn joint_stride(shape: &[usize], steps: &[usize], axes: &[usize]) -> Option<usize> {
    let mut inner: Option<(usize, usize)> = None;
    for &a in axes.iter().rev().filter(|&&a| shape[a] != 1) {
        match inner {
            None => inner = Some((steps[a], shape[a])),
            Some((step, n)) if steps[a] == step * n => inner = Some((step, n * shape[a])),
            Some(_) => return None,
        }
    }
    Some(inner.map_or(0, |(step, _)| step))
}

/// The factor with strides along batch, free and contracted axes; copied only where its axes do not
/// lie so.
fn factor(x: &Array, axes: &Axes) -> Result<(Array, [isize; 3])> {
    let (shape, steps) = (x.shape(), strides(x.shape()));
    let joint = |axes: &[usize]| joint_stride(shape, &steps, axes).map(|s| s as isize);
    if let (Some(b), Some(f), Some(c)) = (joint(axes.batch), joint(axes.free), joint(axes.contract))
    {
        return Ok((x.clone(), [b, f, c]));
    }
    let order: Shape = [axes.batch, axes.free, axes.contract].concat().into();
    let view = View {
        offset: 0,
        strides: order.iter().map(|&a| steps[a] as isize).collect(),
    };
    let moved: Shape = order.iter().map(|&a| shape[a]).collect();
    let size = |axes: &[usize]| axes.iter().map(|&a| shape[a]).product::<usize>();
    let (f, c) = (size(axes.free), size(axes.contract));
    let copy = gather_view(x, &moved, &view)?;
    Ok((copy, [(f * c) as isize, c as isize, 1]))
}

/// The product of two factors: batch axes, then the free axes of the left and of the right one.
pub fn dot(x: &Array, of_x: &Axes, y: &Array, of_y: &Axes, out: Aval) -> Result<Array> {
    // Booleans are multiplied as integers: a sum of products is "any of both".
    let working = match out.dtype {
        DType::Bool => DType::I32,
        d => d,
    };
    let as_working = |a: &Array| match a.dtype() == working {
        true => Ok(a.clone()),
        false => convert(a, working, false),
    };
    let (x, y) = (as_working(x)?, as_working(y)?);
    let size =
        |a: &Array, axes: &[usize]| numel(&axes.iter().map(|&i| a.shape()[i]).collect::<Shape>());
    let (batch, m) = (size(&x, of_x.batch), size(&x, of_x.free));
    let (k, n) = (size(&x, of_x.contract), size(&y, of_y.free));
    let (x, [x_b, x_m, x_k]) = factor(&x, of_x)?;
    let (y, [y_b, y_n, y_k]) = factor(&y, of_y)?;
    let product = Product {
        batch,
        m,
        k,
        n,
        lhs: [x_b, x_m, x_k],
        rhs: [y_b, y_k, y_n],
    };
    let mut result = ArrayMut::uninit(Aval {
        dtype: working,
        ..out.clone()
    })?;
    let done = by_dtype!(working, T => {
        kernel::matmul::<T>(&product, x.as_slice(), y.as_slice(), result.slice_mut())
    });
    supported(done, "a product", working)?;
    as_out(result.freeze(), out.dtype)
}

fn as_out(x: Array, dtype: DType) -> Result<Array> {
    match x.dtype() == dtype {
        true => Ok(x),
        false => convert(&x, dtype, false),
    }
}
