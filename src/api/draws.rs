//! How random numbers are made from the bits of a key: the parts of [`random`](super::random).

use super::arithmetic::clip;
use super::convert::{as_value, astype};
use super::indexing::rows_at;
use super::prims::slice_in_dim;
use super::registry::Arg;
use super::support::{named, one, strong_lit};
use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::prim::arithmetic::REM;
use crate::prim::logic::SHIFT_RIGHT_LOGICAL;
use crate::prim::random::Step;
use crate::prim::rounding::NEXTAFTER;
use crate::prim::rule::Ctx;
use crate::prim::special::{ERF, ERF_INV};
use crate::prim::transcendental::LOG;
use crate::shape::{Shape, broadcast2, tuple};
use crate::value::Value;
use alloc::{boxed::Box, format, vec::Vec};
use core::f64::consts::SQRT_2;

/// A scalar constant.
pub fn number(value: f64, dtype: DType) -> Result<Value> {
    Ok(Array::scalar(value, dtype, false)?.into())
}

/// The distance from 1 to the next number.
pub fn epsilon(dtype: DType) -> f64 {
    match dtype {
        DType::F64 => f64::EPSILON,
        _ => f32::EPSILON.into(),
    }
}

/// The least positive number of full precision.
pub fn tiny(dtype: DType) -> f64 {
    match dtype {
        DType::F64 => f64::MIN_POSITIVE,
        _ => f32::MIN_POSITIVE.into(),
    }
}

/// The next number above a negative one.
pub fn just_above(x: f64, dtype: DType) -> f64 {
    match dtype {
        DType::F64 => x.next_up(),
        _ => (x as f32).next_up().into(),
    }
}

/// The error for shapes that do not broadcast.
pub fn misfit(x: &[usize], y: &[usize]) -> Box<Error> {
    Error::value_error(format!(
        "Incompatible shapes for broadcasting: shapes=[{}, {}]",
        tuple(x),
        tuple(y)
    ))
}

/// A bound with as many axes as what is drawn.
pub fn lifted(cx: &Ctx, v: &Value, shape: &[usize]) -> Result<Value> {
    if broadcast2(v.shape(), shape).as_deref() != Some(shape) {
        return Err(misfit(v.shape(), shape));
    }
    let new: Vec<usize> = (0..shape.len() - v.rank()).collect();
    cx.expand_dims(v, &new)
}

/// `random.uniform`: 23 bits behind the point of a number from 1 up to 2.
pub fn uniform(
    cx: &Ctx,
    key: &Value,
    shape: &[usize],
    dtype: DType,
    low: &Value,
    high: &Value,
) -> Result<Value> {
    let shape = Shape::from_slice(shape);
    let args = [key.clone(), low.clone(), high.clone()];
    named(cx, "_uniform", &args, move |cx, v| {
        stretched(cx, &v[0], &shape, dtype, (&v[1], &v[2]))
    })
}

/// A plain float of the language.
pub fn weak(value: f64) -> Arg {
    Arg::Number { value, float: true }
}

/// Uniform numbers between bounds.
fn stretched(
    cx: &Ctx,
    key: &Value,
    shape: &[usize],
    dtype: DType,
    (low, high): (&Value, &Value),
) -> Result<Value> {
    let (low, high) = (astype(cx, low, dtype)?, astype(cx, high, dtype)?);
    let (low, high) = (lifted(cx, &low, shape)?, lifted(cx, &high, shape)?);
    let floats = if dtype == DType::F64 {
        cx.random(Step::Doubles, key, shape)?
    } else {
        let bits = cx.random(Step::Bits, key, shape)?;
        let bits = cx.binary(&SHIFT_RIGHT_LOGICAL, &bits, &cx.lit(9.0, &bits)?)?;
        let one = cx.lit(f64::from(1.0f32.to_bits()), &bits)?;
        cx.bitcast(&cx.or(&bits, &one)?, DType::F32)?
    };
    let unit = cx.sub(&floats, &cx.lit(1.0, &floats)?)?;
    let range = cx.sub(&high, &low)?;
    let out = cx.add(&cx.mul(&unit, &range)?, &low)?;
    cx.max(&low, &out)
}

/// Uniform numbers from `low` up to 1.
pub fn between(cx: &Ctx, key: &Value, shape: &[usize], dtype: DType, low: f64) -> Result<Value> {
    let bound = |value| as_value(cx, &weak(value));
    let low = match low {
        0.0 => bound(low)?,
        _ => number(low, dtype)?,
    };
    uniform(cx, key, shape, dtype, &low, &bound(1.0)?)
}

/// `random.gumbel`: -log(-log(u)).
pub fn gumbel(cx: &Ctx, key: &Value, shape: &[usize], dtype: DType) -> Result<Value> {
    let shape = Shape::from_slice(shape);
    named(cx, "_gumbel", core::slice::from_ref(key), move |cx, v| {
        // Its bounds come in the order of their names, as JAX passes them.
        let high = as_value(cx, &weak(1.0))?;
        let args = [v[0].clone(), high, number(tiny(dtype), dtype)?];
        let own = shape.clone();
        let u = named(cx, "_uniform", &args, move |cx, v| {
            stretched(cx, &v[0], &own, dtype, (&v[2], &v[1]))
        })?;
        let log = |v: &Value| cx.neg(&cx.unary(&LOG, v)?);
        log(&log(&u)?)
    })
}

/// `random.bernoulli`: whether a uniform number lies below `p`.
pub fn bernoulli(cx: &Ctx, key: &Value, p: &Value, shape: &[usize]) -> Result<Value> {
    let shape = Shape::from_slice(shape);
    named(cx, "_bernoulli", &[key.clone(), p.clone()], move |cx, v| {
        let p = &v[1];
        let p = if p.rank() == 0 {
            p.clone()
        } else {
            lifted(cx, p, &shape)?
        };
        cx.lt(&between(cx, &v[0], &shape, p.dtype(), 0.0)?, &p)
    })
}

/// Two keys from one.
fn halves(cx: &Ctx, key: &Value) -> Result<(Value, Value)> {
    let both = cx.random(Step::Split, key, &[2])?;
    let at = |i| cx.squeeze(&slice_in_dim(cx, &both, 0, i, i + 1)?, &[0]);
    Ok((at(0)?, at(1)?))
}

/// The least and the greatest number of an integer type.
fn limits(dtype: DType) -> (f64, f64) {
    match dtype {
        DType::U32 => (0.0, f64::from(u32::MAX)),
        _ => (f64::from(i32::MIN), f64::from(i32::MAX)),
    }
}

/// A whole number brought into another integer type's range, then to that type.
fn clipped(cx: &Ctx, x: &Value, dtype: DType) -> Result<Value> {
    let ((low, high), own) = (limits(dtype), limits(x.dtype()));
    let (low, high) = (cx.lit(low.max(own.0), x)?, cx.lit(high.min(own.1), x)?);
    astype(cx, &clip(cx, x, Some(&low), Some(&high))?, dtype)
}

/// `random.randint`: two words for each number, so that all are nearly as likely whatever the range.
pub fn randint(
    cx: &Ctx,
    key: &Value,
    shape: &[usize],
    low: &Value,
    high: &Value,
    dtype: DType,
) -> Result<Value> {
    let shape = Shape::from_slice(shape);
    let args = [key.clone(), low.clone(), high.clone()];
    named(cx, "_randint", &args, move |cx, v| {
        let (_, last) = limits(dtype);
        let last = number(last, dtype)?;
        let own = v[2].dtype();
        let bounds = (limits(dtype), limits(own));
        let least = cx.lit(bounds.0.0.max(bounds.1.0), &last)?;
        let most = cx.lit(bounds.0.1.min(bounds.1.1), &last)?;
        let last = clip(cx, &last, Some(&least), Some(&most))?;
        let last = astype(cx, &last, own)?;
        let beyond = cx.gt(&v[2], &last)?;
        let low = lifted(cx, &clipped(cx, &v[1], dtype)?, &shape)?;
        let high = lifted(cx, &clipped(cx, &v[2], dtype)?, &shape)?;
        let (first, second) = halves(cx, &v[0])?;
        let upper = cx.random(Step::Bits, &first, &shape)?;
        let lower = cx.random(Step::Bits, &second, &shape)?;
        let span = astype(cx, &cx.sub(&high, &low)?, DType::U32)?;
        // An empty range gives minval; one that is a whole type's gives all of its numbers.
        let empty = cx.le(&high, &low)?;
        let ones = cx.full(1.0, &Aval::new(span.shape(), DType::U32))?;
        let span = cx.select(&empty, &ones, &span)?;
        let beyond = cx.and(&beyond, &cx.gt(&high, &low)?)?;
        let wider = cx.add(&span, &cx.lit(1.0, &span)?)?;
        let span = cx.select(&beyond, &wider, &span)?;
        let rem = |x: &Value, y: &Value| cx.binary(&REM, x, y);
        let half = rem(&cx.lit(65536.0, &span)?, &span)?;
        let power = rem(&cx.mul(&half, &half)?, &span)?;
        let high_part = cx.mul(&rem(&upper, &span)?, &power)?;
        let sum = cx.add(&high_part, &rem(&lower, &span)?)?;
        let offset = rem(&sum, &span)?;
        cx.add(&low, &astype(cx, &offset, dtype)?)
    })
}

/// `random.truncatedNormal` of key, lower and upper.
pub fn truncated_normal(cx: &Ctx, v: &[Value], shape: &[usize], dtype: DType) -> Result<Value> {
    let root = number(SQRT_2, dtype)?;
    let bounds = [astype(cx, &v[1], dtype)?, astype(cx, &v[2], dtype)?];
    let share = |x: &Value| cx.unary(&ERF, &cx.div(x, &root)?);
    let u = uniform(
        cx,
        &v[0],
        shape,
        dtype,
        &share(&bounds[0])?,
        &share(&bounds[1])?,
    )?;
    let out = cx.mul(&root, &cx.unary(&ERF_INV, &u)?)?;
    // Rounding must not reach the bounds.
    let inside = |x: &Value, towards: f64| {
        let towards = strong_lit(towards, x)?;
        cx.binary(&NEXTAFTER, &cx.stop_gradient(x)?, &towards)
    };
    let (low, high) = (
        inside(&bounds[0], f64::INFINITY)?,
        inside(&bounds[1], f64::NEG_INFINITY)?,
    );
    clip(cx, &out, Some(&low), Some(&high))
}

/// Shuffles along an axis: sorts by random words, as often as makes equal words harmless.
fn shuffle(cx: &Ctx, key: &Value, x: &Value, axis: usize) -> Result<Value> {
    named(cx, "_shuffle", &[key.clone(), x.clone()], move |cx, v| {
        let (mut key, mut x) = (v[0].clone(), v[1].clone());
        // Until there are as many sequences of words as the cube of the size.
        let size = x.aval().numel() as f64;
        let mut sequences = 1.0;
        while sequences < size * size * size {
            sequences *= f64::from(u32::MAX);
            let (rest, own) = halves(cx, &key)?;
            key = rest;
            let words = cx.random(Step::Bits, &own, x.shape())?;
            x = one(cx.sort(&[words, x], axis, 1)?)?;
        }
        Ok(x)
    })
}

/// Elements of an axis at positions; the positions' axes stand in its place.
pub fn along(cx: &Ctx, x: &Value, at: &Value, axis: usize) -> Result<Value> {
    let rows = rows_at(cx, &cx.moveaxis(x, axis, 0)?, at)?;
    let (k, rank) = (at.rank(), rows.rank());
    if axis == 0 || rank == 0 {
        return Ok(rows);
    }
    let order: Vec<usize> = (k..k + axis).chain(0..k).chain(k + axis..rank).collect();
    cx.transpose(&rows, &order)
}

/// `random.permutation` along an axis.
pub fn permutation(
    cx: &Ctx,
    key: &Value,
    x: &Value,
    axis: usize,
    independent: bool,
) -> Result<Value> {
    if independent || x.rank() == 1 {
        return shuffle(cx, key, x, axis);
    }
    let places = cx.iota(DType::I32, &[x.shape()[axis]], 0)?;
    along(cx, x, &shuffle(cx, key, &places, 0)?, axis)
}
