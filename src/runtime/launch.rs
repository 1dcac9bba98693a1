//! Launching kernels on arrays. Operands have been validated by the primitives' shape rules.

use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::kernel::{self, BinaryFn, UnaryFn};
use crate::shape::{broadcast2, strides};

fn unsupported(what: &str, d: DType) -> Box<Error> {
    Error::internal(format!("no kernel for {what} on {d}"))
}

/// Element-wise function of one operand.
pub fn unary(f: UnaryFn, x: &Array) -> Result<Array> {
    let mut out = ArrayMut::uninit(x.aval().clone())?;
    match x.dtype() {
        DType::F32 => kernel::unary_f32(f, x.as_slice(), out.slice_mut()),
        d => return Err(unsupported("a unary function", d)),
    }
    Ok(out.freeze())
}

/// Element-wise function of two operands, broadcast.
pub fn binary(f: BinaryFn, x: &Array, y: &Array) -> Result<Array> {
    let shape = broadcast2(x.shape(), y.shape())
        .ok_or_else(|| Error::internal("operands of a kernel do not broadcast"))?;
    let aval = Aval::new(&shape, x.dtype()).with_weak(x.aval().weak && y.aval().weak);
    let mut out = ArrayMut::uninit(aval)?;
    match x.dtype() {
        DType::F32 => {
            let (xs, ys) = (x.as_slice::<f32>(), y.as_slice::<f32>());
            for (i, o) in out.slice_mut::<f32>().iter_mut().enumerate() {
                let at = |a: &Array| broadcast_index(i, &shape, a.shape());
                *o = kernel::binary_f32(f, xs[at(x)], ys[at(y)]);
            }
        }
        d => return Err(unsupported("a binary function", d)),
    }
    Ok(out.freeze())
}

fn broadcast_index(flat: usize, out: &[usize], shape: &[usize]) -> usize {
    let s = strides(shape);
    let o = strides(out);
    let skip = out.len() - shape.len();
    (0..shape.len())
        .map(|i| {
            if shape[i] == 1 {
                0
            } else {
                (flat / o[i + skip]) % out[i + skip] * s[i]
            }
        })
        .sum()
}
