//! Derivatives of the reductions that are not linear.

use super::reduce::kept_axes;
use super::rule::{Ctx, Duals, Primitive, Tangent};
use crate::error::Result;
use crate::shape::Shape;
use crate::value::Value;
use alloc::{vec, vec::Vec};

/// A value with its tangent.
pub type Dual = (Value, Value);

/// Greatest and least: the tangents of all elements that attain it, averaged.
pub fn extreme(
    cx: &Ctx,
    op: &dyn Primitive,
    axes: &[usize],
    primals: &[Value],
    tangents: &[Tangent],
) -> Result<Duals> {
    let (x, out) = (&primals[0], cx.bind1(op, primals)?);
    let Some(t) = &tangents[0] else {
        return Ok((vec![out], vec![None]));
    };
    let mut aligned = Shape::from_slice(x.shape());
    axes.iter().for_each(|&a| aligned[a] = 1);
    let attains = cx.eq(x, &cx.reshape(&out, &aligned)?)?;
    let attains = cx.convert(&attains, t.dtype(), false)?;
    let count = cx.reduce_sum(&attains, axes)?;
    let total = cx.reduce_sum(&cx.mul(t, &attains)?, axes)?;
    Ok((vec![out], vec![Some(cx.div(&total, &count)?)]))
}

/// Product: a tree of products of halves, so that zeros among the factors do no harm.
pub fn product(cx: &Ctx, axes: &[usize], x: &Value, t: &Value) -> Result<Duals> {
    let kept = kept_axes(x.rank(), axes);
    let order: Vec<usize> = axes.iter().chain(&kept).copied().collect();
    let n: usize = axes.iter().map(|&a| x.shape()[a]).product();
    let mut shape: Shape = kept.iter().map(|&a| x.shape()[a]).collect();
    if n == 0 {
        let one = cx.full(1.0, &x.aval().with_shape(&shape))?;
        return Ok((vec![one], vec![None]));
    }
    shape.insert(0, n);
    let front = |v: &Value| cx.reshape(&cx.transpose(v, &order)?, &shape);
    let (mut x, mut t) = (front(x)?, front(t)?);
    while x.shape()[0] > 1 {
        let n = x.shape()[0];
        let half = n.div_ceil(2);
        let first = dual_slice(cx, &(x.clone(), t.clone()), 0, 0, half, 1)?;
        let mut second = dual_slice(cx, &(x, t), 0, half, n, 1)?;
        if n - half != half {
            let mut config = vec![(0, 0, 0); shape.len()];
            config[0] = (0, 1, 0);
            second = dual_pad(cx, &second, &config, 1.0)?;
        }
        (x, t) = dual_mul(cx, &first, &second)?;
    }
    Ok((
        vec![cx.squeeze(&x, &[0])?],
        vec![Some(cx.squeeze(&t, &[0])?)],
    ))
}

/// The product of two duals.
pub fn dual_mul(cx: &Ctx, (x, t): &Dual, (y, s): &Dual) -> Result<Dual> {
    let out = cx.mul(x, y)?;
    let first = cx.mul(t, y)?;
    let second = cx.mul(x, s)?;
    Ok((out, cx.add_any(&first, &second)?))
}

/// Elements of a dual from `start` up to `limit` along an axis, every `step`-th.
pub fn dual_slice(
    cx: &Ctx,
    (x, t): &Dual,
    axis: usize,
    start: usize,
    limit: usize,
    step: usize,
) -> Result<Dual> {
    let mut starts: Shape = Shape::from_elem(0, x.rank());
    let mut limits = Shape::from_slice(x.shape());
    let mut steps: Shape = Shape::from_elem(1, x.rank());
    (starts[axis], limits[axis], steps[axis]) = (start, limit, step);
    let cut = |v: &Value| cx.slice(v, &starts, &limits, Some(&steps));
    Ok((cut(x)?, cut(t)?))
}

/// A dual padded with a constant.
pub fn dual_pad(
    cx: &Ctx,
    (x, t): &Dual,
    config: &[(isize, isize, isize)],
    value: f64,
) -> Result<Dual> {
    let padded = cx.pad(x, &cx.lit(value, x)?, config)?;
    Ok((padded, cx.pad(t, &cx.lit(0.0, t)?, config)?))
}
