//! Thin functions over primitives, by value: what the functions of this layer are written in.

use super::convert::narrow;
use crate::array::ArrayMut;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result};
use crate::prim::rule::Ctx;
use crate::shape::Shape;
use crate::value::Value;

/// The same elements in another dtype.
pub fn convert_element_type(_: &Ctx, v: &Value, dtype: DType, weak: bool) -> Result<Value> {
    let Some(a) = v.as_array() else {
        return Err(missing("convert_element_type"));
    };
    let mut wide = ArrayMut::uninit(Aval::new(a.shape(), DType::F64))?;
    wide.slice_mut::<f64>().copy_from_slice(&a.to_f64());
    Ok(narrow(&wide.freeze(), dtype)?.with_weak(weak).into())
}

fn missing(name: &str) -> Box<Error> {
    Error::new(
        Class::NotImplementedError,
        format!("{name} is not available yet"),
    )
}

/// New axes of size 1 at the given places of the result.
pub fn expand_dims(cx: &Ctx, v: &Value, places: &[usize]) -> Result<Value> {
    if places.is_empty() {
        return Ok(v.clone());
    }
    let rank = v.rank() + places.len();
    let kept: Vec<usize> = (0..rank).filter(|i| !places.contains(i)).collect();
    let mut shape = Shape::from_elem(1, rank);
    for (at, n) in kept.iter().zip(v.shape()) {
        shape[*at] = *n;
    }
    cx.broadcast_in_dim(v, &shape, &kept)
}

/// Repeats along leading and size-1 axes to a shape that fits.
pub fn broadcast_to(cx: &Ctx, v: &Value, shape: &[usize]) -> Result<Value> {
    cx.broadcast_like(v, shape)
}

/// Joins along an axis.
pub fn concatenate(_: &Ctx, _: &[Value], _: usize) -> Result<Value> {
    Err(missing("concatenate"))
}
