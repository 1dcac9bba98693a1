//! Reading and writing elements by index: `x[...]`, `x.at[...]`, take.

use super::args::{Args, canonical_axis};
use super::arithmetic::remainder;
use super::convert::{astype, convert, promote_dtypes};
use super::index::{Plan, by_slices, from_the_end, parse, plan};
use super::registry::{Arg, Ret, api};
use super::shaping::flat;
use super::support::{named, one, where_values};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result};
use crate::prim::gather::Gather;
use crate::prim::rule::Ctx;
use crate::prim::scatter::{Scatter, ScatterDims, Update};
use crate::runtime::index::{Fill, GatherDims, Mode};
use crate::shape::{Shape, tuple};
use crate::value::Value;
use alloc::{borrow::ToOwned, format, vec::Vec};

api! { FUNCTIONS;
    /// Elements by index, as `x[...]` in Python: integers, slices, null for a new axis, "..." and
    /// arrays of integers or (concrete) booleans.
    ///
    /// An index out of bounds is moved inside. Raises `IndexError` for too many indices.
    "array.get"(x: LIKE, index: INDEX)(..) -> ARRAY => |cx, a| {
        let (x, index) = (a.value(0)?, a.list(1)?);
        Ok(get(cx, &x, index, Reading::default())?.into())
    };
    /// Elements by index with a rule for indices out of bounds.
    ///
    /// - `mode`: "fill" (NaN, or the least integer), "clip" or "promise_in_bounds".
    /// - `fillValue`: what to fill with.
    "at.get"(x: LIKE, index: INDEX; mode: OPT_STRING = null, fillValue: OPT_FLOAT = null, indicesAreSorted: BOOL = false, uniqueIndices: BOOL = false) -> ARRAY => |cx, a| {
        let (x, index) = (a.value(0)?, a.list(1)?);
        let reading = Reading {
            mode: mode(a, 2)?,
            fill: if a.given(3) { Some(a.float(3)?) } else { None },
            sorted: a.bool(4)?,
            unique: a.bool(5)?,
        };
        Ok(get(cx, &x, index, reading)?.into())
    };
    /// A copy with elements at an index replaced: `x[index] = values`.
    ///
    /// - `mode`: "drop" (out of bounds is left out, the default), "clip" or "promise_in_bounds".
    "at.set"(x: LIKE, index: INDEX, values: NESTED; mode: OPT_STRING = null, indicesAreSorted: BOOL = false, uniqueIndices: BOOL = false) -> ARRAY => |_, a| write(a, Update::Set);
    /// A copy with values added at an index; every occurrence of an index counts.
    "at.add"(x: LIKE, index: INDEX, values: NESTED; mode: OPT_STRING = null, indicesAreSorted: BOOL = false, uniqueIndices: BOOL = false) -> ARRAY => |_, a| write(a, Update::Add);
    /// A copy with values subtracted at an index; every occurrence of an index counts.
    "at.subtract"(x: LIKE, index: INDEX, values: NESTED; mode: OPT_STRING = null, indicesAreSorted: BOOL = false, uniqueIndices: BOOL = false) -> ARRAY => |_, a| write(a, Update::Sub);
    /// A copy with elements at an index multiplied.
    "at.multiply"(x: LIKE, index: INDEX, values: NESTED; mode: OPT_STRING = null, indicesAreSorted: BOOL = false, uniqueIndices: BOOL = false) -> ARRAY => |_, a| write(a, Update::Mul);
    /// A copy with elements at an index multiplied.
    "at.mul"(x: LIKE, index: INDEX, values: NESTED; mode: OPT_STRING = null, indicesAreSorted: BOOL = false, uniqueIndices: BOOL = false) -> ARRAY => |_, a| write(a, Update::Mul);
    /// A copy with elements at an index replaced by the smaller of themselves and values.
    "at.min"(x: LIKE, index: INDEX, values: NESTED; mode: OPT_STRING = null, indicesAreSorted: BOOL = false, uniqueIndices: BOOL = false) -> ARRAY => |_, a| write(a, Update::Min);
    /// A copy with elements at an index replaced by the larger of themselves and values.
    "at.max"(x: LIKE, index: INDEX, values: NESTED; mode: OPT_STRING = null, indicesAreSorted: BOOL = false, uniqueIndices: BOOL = false) -> ARRAY => |_, a| write(a, Update::Max);
    /// A copy with elements at an index divided by values.
    "at.divide"(x: LIKE, index: INDEX, values: NESTED; mode: OPT_STRING = null, indicesAreSorted: BOOL = false, uniqueIndices: BOOL = false) -> ARRAY => |cx, a| {
        let (x, factors) = (a.value(0)?, factors(a)?);
        let v = super::support::promote2_inexact(cx, "div", &x, &factors)?;
        Ok(cx.div(&v.0, &v.1)?.into())
    };
    /// A copy with elements at an index raised to powers.
    "at.power"(x: LIKE, index: INDEX, values: NESTED; mode: OPT_STRING = null, indicesAreSorted: BOOL = false, uniqueIndices: BOOL = false) -> ARRAY => |cx, a| {
        let (x, factors) = (a.value(0)?, factors(a)?);
        Ok(super::arithmetic::power(cx, &Arg::Value(x), &Arg::Value(factors))?.into())
    };
    /// Elements at integer indices along an axis.
    ///
    /// - `axis`: along which; the flattened array when null.
    /// - `mode`: for indices out of bounds "fill" (NaN, the default), "clip" or "wrap".
    /// - `fillValue`: what to fill with.
    "np.take"(a: LIKE, indices: NESTED, axis: AXIS = null, mode: OPT_STRING = null, uniqueIndices: BOOL = false, indicesAreSorted: BOOL = false, fillValue: OPT_FLOAT = null) -> ARRAY => |cx, a| take(cx, a);
    /// Elements along an axis at indices that match the array in the other axes.
    "np.takeAlongAxis"(arr: LIKE, indices: LIKE, axis: AXIS = -1, mode: OPT_STRING = null, fillValue: OPT_FLOAT = null) -> ARRAY => |cx, a| take_along_axis(cx, a);
}

/// How a gather treats what lies outside, and what is promised of its indices.
#[derive(Default, Clone, Copy)]
struct Reading {
    mode: Option<Mode>,
    fill: Option<f64>,
    sorted: bool,
    unique: bool,
}

fn mode(a: &Args, i: usize) -> Result<Option<Mode>> {
    Ok(Some(match a.str(i)? {
        "" => return Ok(None),
        "fill" | "drop" => Mode::FillOrDrop,
        "clip" => Mode::Clip,
        "promise_in_bounds" => Mode::PromiseInBounds,
        other => {
            return Err(Error::value_error(format!("Unknown gather mode {other:?}")));
        }
    }))
}

/// A number to fill with, in a dtype; what JAX fills with when none is given.
fn fill_of(dtype: DType, value: Option<f64>) -> Fill {
    match (value, dtype) {
        (None, d) => Fill::missing(d),
        (Some(v), DType::F32) => Fill::float(f64::from(v as f32)),
        (Some(v), DType::F64 | DType::Float0 | DType::Key) => Fill::float(v),
        (Some(v), DType::Bool) => Fill::Bool(v != 0.0),
        (Some(v), _) => Fill::Int(v as i64),
    }
}

fn get(cx: &Ctx, x: &Value, index: &[Arg], how: Reading) -> Result<Value> {
    let (x, index) = booleans_first(cx, x, index)?;
    let parts = parse(cx, x.shape(), &index)?;
    if how.mode.is_none()
        && how.fill.is_none()
        && let Some(out) = by_slices(cx, &x, &parts)?
    {
        return Ok(out);
    }
    let plan = plan(cx, &x, &parts)?;
    let default = if how.fill.is_some() && how.mode.is_some() {
        Mode::FillOrDrop
    } else {
        Mode::PromiseInBounds
    };
    let mut op = Gather::new(plan.dims, &plan.sizes, how.mode.unwrap_or(default));
    if op.mode == Mode::FillOrDrop {
        op.fill_value = Some(fill_of(x.dtype(), how.fill));
    }
    op.indices_are_sorted = plan.in_order || how.sorted;
    op.unique_indices = plan.in_order || how.unique;
    let out = cx.bind1(&op, &[x, plan.indices])?;
    let out = if plan.turned.is_empty() {
        out
    } else {
        cx.rev(&out, &plan.turned)?
    };
    cx.expand_dims(&out, &plan.new)
}

/// Plain booleans in an index make a new axis of size 1 or 0.
fn booleans_first(cx: &Ctx, x: &Value, index: &[Arg]) -> Result<(Value, Vec<Arg>)> {
    let mut x = x.clone();
    let mut out = Vec::with_capacity(index.len());
    let mut axis = 0;
    for p in index {
        match p {
            Arg::Bool(keep) => {
                x = cx.expand_dims(&x, &[axis])?;
                out.push(Arg::Slice {
                    start: Some(0),
                    stop: Some((*keep).into()),
                    step: None,
                });
                axis += 1;
            }
            Arg::None | Arg::NewAxis => out.push(p.clone()),
            Arg::Ellipsis => {
                out.push(p.clone());
                let rest = index.iter().filter(|p| {
                    !matches!(p, Arg::None | Arg::NewAxis | Arg::Ellipsis | Arg::Bool(_))
                });
                axis = (x.rank() + axis).saturating_sub(rest.count());
            }
            _ => {
                out.push(p.clone());
                axis += 1;
            }
        }
    }
    Ok((x, out))
}

fn write(a: &Args, update: Update) -> Result<Ret> {
    let x = a.value(0)?;
    if !a.given(2) {
        return Err(a.missing(2));
    }
    Ok(scatter(a, &x, update, a.arg(2))?.into())
}

/// Rows of `x` at an array of indices that lie inside: `x[indices]`.
pub fn rows_at(cx: &Ctx, x: &Value, indices: &Value) -> Result<Value> {
    let rank = indices.rank();
    let column = cx.expand_dims(indices, &[rank])?;
    let dims = GatherDims {
        offset_dims: (rank..rank + x.rank() - 1).collect(),
        collapsed_slice_dims: Shape::from_slice(&[0]),
        start_index_map: Shape::from_slice(&[0]),
        ..GatherDims::default()
    };
    let mut sizes = Shape::from_slice(x.shape());
    sizes[0] = 1;
    cx.bind1(
        &Gather::new(dims, &sizes, Mode::PromiseInBounds),
        &[x.clone(), column],
    )
}

/// `x.at[indices].add(values)` for a vector of indices, those outside left out.
pub fn add_at(cx: &Ctx, x: &Value, indices: &Value, values: &Value) -> Result<Value> {
    let indices = from_the_end(cx, indices, x.shape()[0])?;
    let column = cx.expand_dims(&indices, &[1])?;
    let values = super::convert::broadcast_to(cx, values, indices.shape())?;
    let dims = ScatterDims {
        inserted_window_dims: Shape::from_slice(&[0]),
        scatter_dims_to_operand_dims: Shape::from_slice(&[0]),
        ..ScatterDims::default()
    };
    let op = Scatter::new(Update::Add, dims, Mode::FillOrDrop, x.dtype());
    cx.bind1(&op, &[x.clone(), column, values])
}

/// Products of the values at every place of the array, 1 elsewhere.
fn factors(a: &Args) -> Result<Value> {
    let x = a.value(0)?;
    let ones = a.cx.full(1.0, &Aval::new(x.shape(), x.dtype()))?;
    scatter(a, &ones, Update::Mul, a.arg(2))
}

fn scatter(a: &Args, x: &Value, update: Update, values: &Arg) -> Result<Value> {
    let cx = a.cx;
    let parts = parse(cx, x.shape(), a.list(1)?)?;
    let Plan {
        indices,
        dims,
        turned,
        new,
        shape,
        in_order,
        ..
    } = plan(cx, x, &parts)?;
    let own = (x.dtype(), x.aval().weak);
    let listed;
    let values = match values {
        Arg::List(_) => {
            listed = Arg::Value(super::convert::array_of(cx, values, None)?);
            &listed
        }
        other => other,
    };
    let mut v = promote_dtypes(cx, &[&Arg::Value(x.clone()), values])?;
    let y = one(v.split_off(1))?;
    let x = one(v)?;
    if y.rank() > shape.len() {
        return Err(Error::value_error(format!(
            "Cannot broadcast to shape with fewer dimensions: arr_shape={} shape={}",
            tuple(y.shape()),
            tuple(&shape)
        )));
    }
    let y = super::convert::broadcast_to(cx, &y, &shape)?;
    let y = cx.squeeze(&y, &new)?;
    let y = if turned.is_empty() {
        y
    } else {
        cx.rev(&y, &turned)?
    };
    let dims = ScatterDims {
        update_window_dims: dims.offset_dims,
        inserted_window_dims: dims.collapsed_slice_dims,
        scatter_dims_to_operand_dims: dims.start_index_map,
        operand_batching_dims: Shape::new(),
        indices_batching_dims: Shape::new(),
    };
    let mut op = Scatter::new(
        update,
        dims,
        mode(a, 3)?.unwrap_or(Mode::FillOrDrop),
        x.dtype(),
    );
    op.indices_are_sorted = in_order || a.bool(4)?;
    op.unique_indices = in_order || a.bool(5)?;
    let out = cx.bind1(&op, &[x, indices, y])?;
    if out.dtype() == own.0 {
        Ok(out)
    } else {
        convert(cx, &out, own)
    }
}

fn take(cx: &Ctx, a: &Args) -> Result<Ret> {
    let x = a.value(0)?;
    let flattened = a.opt_int(2)?.is_none();
    let axis = match a.opt_int(2)? {
        Some(n) => canonical_axis(n, x.rank())?,
        None => 0,
    };
    let indices = match a.arg(1) {
        list @ Arg::List(_) => super::convert::array_of(cx, list, None)?,
        _ => a.value(1)?,
    };
    if !indices.dtype().is_int() {
        return Err(Error::value_error("indices must have an integer type"));
    }
    let how = a.str(3)?.to_owned();
    if !matches!(
        how.as_str(),
        "" | "fill" | "clip" | "wrap" | "promise_in_bounds"
    ) {
        return Err(Error::value_error(format!(
            "Invalid mode '{how}' for np.take"
        )));
    }
    let (unique, sorted) = (a.bool(4)?, a.bool(5)?);
    let fill = if a.given(6) { Some(a.float(6)?) } else { None };
    let n = if flattened {
        x.aval().numel()
    } else {
        x.shape()[axis]
    };
    if n == 0 && indices.aval().numel() > 0 {
        return Err(Error::new(
            Class::IndexError,
            "cannot do a non-empty jnp.take() from an empty axis.",
        ));
    }
    let out = named(cx, "_take", &[x, indices], move |cx, v| {
        let x = if flattened { &flat(cx, &v[0])? } else { &v[0] };
        let indices = &v[1];
        let (mode, indices) = match how.as_str() {
            "clip" => (Mode::Clip, indices.clone()),
            "wrap" => (Mode::PromiseInBounds, remainder_of(cx, indices, n)?),
            "promise_in_bounds" => (Mode::PromiseInBounds, counted(cx, indices, n)?),
            _ => (Mode::FillOrDrop, counted(cx, indices, n)?),
        };
        let rank = indices.rank();
        let column = cx.expand_dims(&indices, &[rank])?;
        let axes = x.rank() - 1 + rank;
        let dims = GatherDims {
            offset_dims: (0..axes)
                .filter(|i| *i < axis || *i >= axis + rank)
                .collect(),
            collapsed_slice_dims: Shape::from_slice(&[axis]),
            start_index_map: Shape::from_slice(&[axis]),
            ..GatherDims::default()
        };
        let mut sizes = Shape::from_slice(x.shape());
        sizes[axis] = 1;
        let mut op = Gather::new(dims, &sizes, mode);
        if mode == Mode::FillOrDrop {
            op.fill_value = Some(fill_of(x.dtype(), fill));
        }
        op.unique_indices = unique;
        op.indices_are_sorted = sorted;
        cx.bind1(&op, &[x.clone(), column])
    })?;
    Ok(out.into())
}

/// Counted from the end where negative, as `take` spells it.
fn counted(cx: &Ctx, indices: &Value, n: usize) -> Result<Value> {
    if indices.dtype() == DType::U32 {
        return astype(cx, indices, DType::I32);
    }
    let negative = cx.lt(indices, &cx.lit(0.0, indices)?)?;
    let shifted = cx.add(indices, &cx.lit(n as f64, indices)?)?;
    where_values(cx, &negative, &shifted, indices)
}

fn remainder_of(cx: &Ctx, indices: &Value, n: usize) -> Result<Value> {
    let size = Value::scalar(n as f64, DType::I32)?;
    let args = [astype(cx, indices, DType::I32)?, size];
    named(cx, "remainder", &args, |cx, v| remainder(cx, &v[0], &v[1]))
}

fn take_along_axis(cx: &Ctx, a: &Args) -> Result<Ret> {
    let (mut x, mut indices) = (a.value(0)?, a.value(1)?);
    if !indices.dtype().is_int() {
        return Err(Error::type_error(format!(
            "take_along_axis indices must be of integer type, got {}",
            indices.dtype()
        )));
    }
    let axis = if a.is_null(2) {
        if indices.rank() != 1 {
            return Err(Error::value_error(format!(
                "take_along_axis indices must be 1D if axis=None, got shape {}",
                tuple(indices.shape())
            )));
        }
        x = flat(cx, &x)?;
        0
    } else {
        a.axis(2, x.rank())?
    };
    if indices.rank() != x.rank() {
        return Err(Error::value_error(format!(
            "indices and arr must have the same number of dimensions; {} vs. {}",
            indices.rank(),
            x.rank()
        )));
    }
    // Axes other than `axis` broadcast against each other.
    let mut x_shape = Shape::from_slice(x.shape());
    let mut i_shape = Shape::from_slice(indices.shape());
    for i in (0..x.rank()).filter(|i| *i != axis) {
        match (x_shape[i], i_shape[i]) {
            (n, m) if n == m => {}
            (1, m) => x_shape[i] = m,
            (n, 1) => i_shape[i] = n,
            _ => {
                return Err(Error::value_error(format!(
                    "Incompatible shapes for broadcasting: shapes=[{}, {}]",
                    tuple(x.shape()),
                    tuple(indices.shape())
                )));
            }
        }
    }
    x = super::convert::broadcast_to(cx, &x, &x_shape)?;
    indices = super::convert::broadcast_to(cx, &indices, &i_shape)?;
    let how = mode(a, 3)?.unwrap_or(Mode::FillOrDrop);
    let fill = if a.given(4) { Some(a.float(4)?) } else { None };
    let out = named(cx, "take_along_axis", &[x, indices], move |cx, v| {
        let (x, n) = (&v[0], v[0].shape()[axis]);
        let indices = if how == Mode::Clip {
            v[1].clone()
        } else {
            from_the_end(cx, &v[1], n)?
        };
        let mut shape = Shape::from_slice(indices.shape());
        shape.push(1);
        let column = cx.reshape(&indices, &shape)?;
        let others: Shape = (0..x.rank()).filter(|i| *i != axis).collect();
        let dims = GatherDims {
            offset_dims: Shape::new(),
            collapsed_slice_dims: Shape::from_slice(&[axis]),
            start_index_map: Shape::from_slice(&[axis]),
            operand_batching_dims: others.clone(),
            indices_batching_dims: others,
        };
        let mut op = Gather::new(dims, &Shape::from_elem(1, x.rank()), how);
        if how == Mode::FillOrDrop {
            op.fill_value = Some(fill_of(x.dtype(), fill));
        }
        cx.bind1(&op, &[x.clone(), column])
    })?;
    Ok(out.into())
}
