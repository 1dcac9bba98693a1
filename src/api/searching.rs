//! Finding and ordering elements.

use super::convert::concretization;
use super::registry::Ret;
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Result};
use crate::prim::rule::Ctx;
use crate::shape::strides;
use crate::value::Value;

/// The indices of elements that are not zero, one array per axis. The result's size depends on the
/// elements, so they must be concrete.
pub fn nonzero(_: &Ctx, x: &Value) -> Result<Ret> {
    let Some(array) = x.concrete() else {
        return Err(concretization(x, Class::ConcretizationTypeError));
    };
    let found: Vec<usize> = (0..array.numel())
        .filter(|i| array.number_at(*i) != 0.0)
        .collect();
    let s = strides(array.shape());
    let mut out = Vec::new();
    for (axis, n) in array.shape().iter().enumerate() {
        let indices: Vec<i32> = found.iter().map(|i| (i / s[axis] % n) as i32).collect();
        out.push(Ret::Value(integers(&indices)?.into()));
    }
    Ok(Ret::List(out))
}

/// A vector of int32.
pub fn integers(values: &[i32]) -> Result<Array> {
    let mut out = ArrayMut::uninit(Aval::new(&[values.len()], DType::I32))?;
    out.slice_mut::<i32>().copy_from_slice(values);
    Ok(out.freeze())
}
