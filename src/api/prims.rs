//! Thin functions over primitives, by value: what the functions of this layer are written in.

use crate::dtype::DType;
use crate::error::Result;
use crate::prim::rule::Ctx;
use crate::shape::Shape;
use crate::value::Value;
use alloc::vec::Vec;

/// The same elements in another dtype, always by an equation.
pub fn convert_element_type(cx: &Ctx, v: &Value, dtype: DType, weak: bool) -> Result<Value> {
    cx.convert(v, dtype, weak)
}

/// Repeats along leading and size-1 axes to a shape that fits; itself where it fits already.
pub fn broadcast_to(cx: &Ctx, v: &Value, shape: &[usize]) -> Result<Value> {
    if v.shape() == shape {
        return Ok(v.clone());
    }
    let dims: Vec<usize> = (shape.len() - v.rank()..shape.len()).collect();
    cx.broadcast_in_dim(v, shape, &dims)
}

/// Elements of an axis from `start` up to `limit`; JAX writes these with strides of 1.
pub fn slice_in_dim(cx: &Ctx, v: &Value, axis: usize, start: usize, limit: usize) -> Result<Value> {
    let mut starts = Shape::from_elem(0, v.rank());
    let mut limits = Shape::from_slice(v.shape());
    starts[axis] = start;
    limits[axis] = limit;
    let strides = Shape::from_elem(1, v.rank());
    cx.slice(v, &starts, &limits, Some(&strides))
}

/// One index of an axis, which disappears.
pub fn index_in_dim(cx: &Ctx, v: &Value, axis: usize, index: usize) -> Result<Value> {
    cx.squeeze(&cx.slice_axis(v, axis, index, index + 1)?, &[axis])
}

/// A result without its reduced axes gets them back with size 1.
pub fn keep_dims(cx: &Ctx, out: &Value, axes: &[usize]) -> Result<Value> {
    cx.expand_dims(out, axes)
}
