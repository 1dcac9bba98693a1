//! Launching kernels on arrays. Operands have been validated by the primitives' shape rules.

use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::kernel::{self, BinaryFn, CompareFn, Kind, Operand, PairFn, UnaryFn};
use crate::shape::{broadcast2, strides};

/// The kernels' name of a dtype.
fn kind(d: DType) -> Result<Kind> {
    match d {
        DType::F32 => Ok(Kind::F32),
        DType::F64 => Ok(Kind::F64),
        DType::I32 => Ok(Kind::I32),
        DType::U32 => Ok(Kind::U32),
        DType::Bool => Ok(Kind::Bool),
        DType::Float0 => Err(Error::internal("no kernel runs on float0")),
    }
}

/// The dtype of a kernel's result.
fn dtype(kind: Kind) -> DType {
    match kind {
        Kind::F32 => DType::F32,
        Kind::F64 => DType::F64,
        Kind::I32 => DType::I32,
        Kind::U32 => DType::U32,
        Kind::Bool => DType::Bool,
    }
}

/// Element-wise function of one operand.
pub fn unary(f: UnaryFn, x: &Array) -> Result<Array> {
    let kind = kind(x.dtype())?;
    let aval = Aval::new(x.shape(), dtype(f.result(kind))).with_weak(x.aval().weak);
    let mut out = ArrayMut::uninit(aval)?;
    // SAFETY: `x` holds numel elements of `kind`, and `out`, which is new, as many of the result's.
    unsafe { kernel::unary_raw(kind, f, x.as_ptr(), out.as_mut_ptr(), x.numel()) }
        .map_err(|_| Error::internal(format!("no kernel for {f:?} on {}", x.dtype())))?;
    Ok(out.freeze())
}

/// Element-wise function of two operands, broadcast.
pub fn binary(f: BinaryFn, x: &Array, y: &Array) -> Result<Array> {
    pair(f.into(), x, y)
}

/// Comparison of two operands, broadcast; the result is bool.
pub fn compare(f: CompareFn, x: &Array, y: &Array) -> Result<Array> {
    pair(f.into(), x, y)
}

fn pair(f: PairFn, x: &Array, y: &Array) -> Result<Array> {
    let shape = broadcast2(x.shape(), y.shape())
        .ok_or_else(|| Error::internal("operands of a kernel do not broadcast"))?;
    let kind = kind(x.dtype())?;
    let aval = Aval::new(&shape, dtype(f.result(kind))).with_weak(x.aval().weak && y.aval().weak);
    let mut out = ArrayMut::uninit(aval)?;
    let n = out.aval().numel();
    let fits = |a: &Array| a.numel() == n || a.numel() == 1;
    let done = if fits(x) && fits(y) {
        let operand = |a: &Array| Operand {
            at: a.as_ptr(),
            scalar: a.numel() == 1,
        };
        // SAFETY: operands hold n elements or one, and `out`, which is new, has room for n.
        unsafe { kernel::pair_raw(kind, f, operand(x), operand(y), out.as_mut_ptr(), n) }
    } else {
        let (xs, ys) = (broadcast_strides(x, &shape), broadcast_strides(y, &shape));
        let (x, y) = ((x.as_ptr(), &xs[..]), (y.as_ptr(), &ys[..]));
        // SAFETY: strides of a broadcast stay within the operand; `out` is new.
        unsafe { kernel::broadcast_raw(kind, f, x, y, &shape, out.as_mut_ptr()) }
    };
    done.map_err(|_| Error::internal(format!("no kernel for {f:?} on {}", x.dtype())))?;
    Ok(out.freeze())
}

/// Strides with which an array is read at a broadcast shape: 0 along axes it does not have.
fn broadcast_strides(a: &Array, shape: &[usize]) -> Vec<isize> {
    let own = strides(a.shape());
    let skip = shape.len() - a.shape().len();
    (0..shape.len())
        .map(|i| match i.checked_sub(skip) {
            Some(j) if a.shape()[j] != 1 => own[j] as isize,
            _ => 0,
        })
        .collect()
}
