//! Folding and accumulating along axes: arrays are seen as `[outer, n, inner]`, the form of the
//! kernels.

use super::elementwise::{kind, supported};
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::Result;
use crate::kernel::{self, ArgFn, ReduceFn, ScanFn};
use crate::shape::{Shape, numel};

/// `shape` around the axes `first ..= last`.
fn around(shape: &[usize], first: usize, last: usize) -> [usize; 3] {
    [
        numel(&shape[..first]),
        numel(&shape[first..=last]),
        numel(&shape[last + 1..]),
    ]
}

/// Folds `axes` (ascending) of `x` away.
pub fn reduce(fold: ReduceFn, x: &Array, axes: &[usize], out: Aval) -> Result<Array> {
    let mut current = x.clone();
    // Runs of neighbouring axes, the innermost first: no element has to be moved before.
    let mut end = axes.len();
    while end > 0 {
        let mut start = end - 1;
        while start > 0 && axes[start - 1] + 1 == axes[start] {
            start -= 1;
        }
        let (first, last) = (axes[start], axes[end - 1]);
        let shape = current.shape();
        let view = around(shape, first, last);
        let kept: Shape = shape[..first]
            .iter()
            .chain(&shape[last + 1..])
            .copied()
            .collect();
        current = if view[1] == 1 {
            current.reshaped(&kept)
        } else {
            reduce_middle(fold, &current, view, out.with_shape(&kept))?
        };
        end = start;
    }
    Ok(current)
}

fn reduce_middle(fold: ReduceFn, x: &Array, view: [usize; 3], out: Aval) -> Result<Array> {
    let mut result = ArrayMut::uninit(out)?;
    let kind = kind(x.dtype())?;
    // SAFETY: x has outer * n * inner elements of that kind, the result its own outer * inner.
    let done = unsafe { kernel::reduce_raw(kind, fold, x.as_ptr(), view, result.as_mut_ptr()) };
    supported(done, "a reduction", x.dtype())?;
    Ok(result.freeze())
}

/// Runs `$body` with `$t` as the type that stores `$dtype`.
macro_rules! by_dtype {
    ($dtype:expr, $t:ident => $body:expr) => {
        match $dtype {
            DType::F32 => {
                type $t = f32;
                $body
            }
            DType::F64 => {
                type $t = f64;
                $body
            }
            DType::I32 => {
                type $t = i32;
                $body
            }
            DType::U32 => {
                type $t = u32;
                $body
            }
            DType::Bool => {
                type $t = u8;
                $body
            }
            DType::Float0 | DType::Key => {
                return Err($crate::runtime::elementwise::no_numbers($dtype))
            }
        }
    };
}
pub(super) use by_dtype;

/// Running totals along an axis.
pub fn scan(total: ScanFn, x: &Array, axis: usize, reverse: bool) -> Result<Array> {
    let mut out = ArrayMut::uninit(x.aval().clone())?;
    let view = around(x.shape(), axis, axis);
    let done = by_dtype!(x.dtype(), T => {
        kernel::scan::<T>(total, x.as_slice(), view, reverse, out.slice_mut())
    });
    supported(done, "a running total", x.dtype())?;
    Ok(out.freeze())
}

/// The first index of the greatest or least element along an axis, which is not empty.
pub fn arg_reduce(which: ArgFn, x: &Array, axis: usize, out: Aval) -> Result<Array> {
    // Indices are below 2^31, so that both integer types hold them alike.
    let signed = Aval {
        dtype: DType::I32,
        ..out.clone()
    };
    let mut result = ArrayMut::uninit(signed)?;
    let view = around(x.shape(), axis, axis);
    by_dtype!(x.dtype(), T => kernel::arg_reduce::<T>(which, x.as_slice(), view, result.slice_mut()));
    let result = result.freeze();
    if out.dtype == DType::I32 {
        return Ok(result);
    }
    super::elementwise::convert(&result, out.dtype, false)
}
