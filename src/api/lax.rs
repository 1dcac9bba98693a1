//! Primitives that move, reduce and multiply, under their own names.

use super::args::{Args, canonical_axis, integer};
use super::convert::{as_value, broadcast_to, cast, typed};
use super::index::from_the_end;
use super::prims::slice_in_dim;
use super::registry::{Arg, Ret, api};
use super::support::named;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::kernel::{ArgFn, ScanFn};
use crate::prim::dot::DotDims;
use crate::prim::rule::Ctx;
use crate::shape::Shape;
use crate::value::Value;
use alloc::{format, vec, vec::Vec};

api! { FUNCTIONS;
    /// The value as a constant to differentiation: its derivative is zero.
    "lax.stopGradient"(x: LIKE) -> ARRAY => |cx, a| {
        Ok(cx.stop_gradient(&a.value(0)?)?.into())
    };
    /// The same numbers in another dtype.
    "lax.convertElementType"(operand: LIKE, newDtype: DTYPE) -> ARRAY => |cx, a| {
        let d = a.dtype(1)?.ok_or_else(|| a.missing(1))?;
        Ok(cast(cx, a.array_like(0)?, (d, false))?.into())
    };
    /// The same bits read as another dtype of the same width.
    "lax.bitcastConvertType"(operand: LIKE, newDtype: DTYPE) -> ARRAY => |cx, a| {
        let d = a.dtype(1)?.ok_or_else(|| a.missing(1))?;
        Ok(cx.bitcast(&a.value(0)?, d)?.into())
    };
    /// A value repeated to a shape.
    "lax.full"(shape: SHAPE, fillValue: LIKE, dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        let fill = a.array_like(1)?;
        let to = a.dtype(2)?.map_or(typed(cx, fill)?, |d| (d, false));
        let fill = cast(cx, fill, to)?;
        if fill.rank() > 0 {
            return Err(Error::type_error(format!("full must be called with scalar fill_value, got fill_value.shape {}.", crate::shape::tuple(fill.shape()))));
        }
        Ok(broadcast_to(cx, &fill, &a.shape(0)?)?.into())
    };
    /// A value repeated to the shape of another array, in its dtype.
    "lax.fullLike"(x: LIKE, fillValue: LIKE, dtype: OPT_DTYPE = null, shape: OPT_SHAPE = null) -> ARRAY => |cx, a| {
        let like = a.value(0)?;
        let shape = a.opt_shape(3)?.unwrap_or_else(|| like.shape().into());
        let weak = like.aval().weak && !a.given(2);
        let fill = cast(cx, a.array_like(1)?, (a.dtype(2)?.unwrap_or(like.dtype()), weak))?;
        Ok(broadcast_to(cx, &fill, &shape)?.into())
    };
    /// The numbers 0, 1, 2 … up to size - 1.
    "lax.iota"(dtype: DTYPE, size: INT) -> ARRAY => |cx, a| {
        let d = a.dtype(0)?.ok_or_else(|| a.missing(0))?;
        Ok(cx.iota(d, &a.shape(1)?, 0)?.into())
    };
    /// The numbers 0, 1, 2 … along one axis of a shape.
    "lax.broadcastedIota"(dtype: DTYPE, shape: SHAPE, dimension: INT) -> ARRAY => |cx, a| {
        let d = a.dtype(0)?.ok_or_else(|| a.missing(0))?;
        let shape = a.shape(1)?;
        let axis = a.axis(2, shape.len())?;
        Ok(cx.iota(d, &shape, axis)?.into())
    };
    /// New leading axes along which the array repeats.
    "lax.broadcast"(operand: LIKE, sizes: SHAPE) -> ARRAY => |cx, a| {
        let (x, sizes) = (a.value(0)?, a.shape(1)?);
        let mut shape = sizes.clone();
        shape.extend_from_slice(x.shape());
        let dims: Vec<usize> = (sizes.len()..shape.len()).collect();
        Ok(cx.broadcast_in_dim(&x, &shape, &dims)?.into())
    };
    /// Places operand axis i at result axis `broadcastDimensions[i]`, repeating along the rest.
    "lax.broadcastInDim"(operand: LIKE, shape: SHAPE, broadcastDimensions: INTS) -> ARRAY => |cx, a| {
        Ok(cx.broadcast_in_dim(&a.value(0)?, &a.shape(1)?, &a.shape(2)?)?.into())
    };
    /// The same elements in another shape.
    "lax.reshape"(operand: LIKE, newSizes: SHAPE) -> ARRAY => |cx, a| {
        Ok(cx.reshape(&a.value(0)?, &a.shape(1)?)?.into())
    };
    /// Axes from start up to stop merged into one.
    "lax.collapse"(operand: LIKE, startDimension: INT, stopDimension: OPT_INT = null) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let start = a.axis(1, x.rank())?;
        let stop = match a.opt_int(2)? {
            Some(n) => canonical_axis(n - i64::from(n > 0), x.rank())? + usize::from(n > 0),
            None => x.rank(),
        };
        if stop < start {
            return Err(Error::value_error("collapse: startDimension is behind stopDimension"));
        }
        let mut shape = Shape::from_slice(&x.shape()[..start]);
        shape.push(x.shape()[start..stop].iter().product());
        shape.extend_from_slice(&x.shape()[stop..]);
        Ok(cx.reshape(&x, &shape)?.into())
    };
    /// Axes in another order.
    "lax.transpose"(operand: LIKE, permutation: INTS) -> ARRAY => |cx, a| {
        let op = crate::prim::movement::Transpose { permutation: a.shape(1)? };
        Ok(cx.bind1(&op, &[a.value(0)?])?.into())
    };
    /// New axes of size 1 at the given places of the result.
    "lax.expandDims"(array: LIKE, dimensions: INTS) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let rank = x.rank() + a.ints(1)?.len();
        Ok(cx.expand_dims(&x, &a.axes(1, rank)?)?.into())
    };
    /// Drops axes of size 1.
    "lax.squeeze"(array: LIKE, dimensions: INTS) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        Ok(cx.squeeze(&x, &a.axes(1, x.rank())?)?.into())
    };
    /// Elements in reverse order along axes.
    "lax.rev"(operand: LIKE, dimensions: INTS) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let mut dimensions = Shape::new();
        for n in a.ints(1)? {
            // Whatever is not an axis is refused by the primitive, in its words.
            dimensions.push(canonical_axis(n, x.rank()).unwrap_or(n.unsigned_abs() as usize));
        }
        crate::shape::sort_few(&mut dimensions, |&a| a);
        Ok(cx.rev(&x, &dimensions)?.into())
    };
    /// Arrays one after the other along an axis; all of one dtype.
    "lax.concatenate"(operands: LIKES, dimension: INT) -> ARRAY => |cx, a| {
        let parts = operands(cx, a)?;
        let axis = match parts.first() {
            Some(p) => a.axis(1, p.rank())?,
            None => return Err(Error::value_error("concatenate requires a non-empty sequences of arrays")),
        };
        Ok(cx.concatenate(&parts, axis)?.into())
    };
    /// Arrays of one shape side by side along a new axis.
    "lax.stack"(operands: LIKES, axis: INT = 0) -> ARRAY => |cx, a| {
        let parts = operands(cx, a)?;
        let rank = parts.first().map_or(0, Value::rank) + 1;
        Ok(cx.stack(&parts, a.axis(1, rank)?)?.into())
    };
    /// The arrays along an axis, which disappears.
    "lax.unstack"(operand: LIKE, axis: INT = 0) -> ARRAYS => |cx, a| {
        let x = a.value(0)?;
        Ok(several(cx.unstack(&x, a.axis(1, x.rank())?)?))
    };
    /// Pieces of the given sizes along an axis.
    "lax.split"(operand: LIKE, sizes: INTS, axis: INT = 0) -> ARRAYS => |cx, a| {
        let x = a.value(0)?;
        Ok(several(cx.split(&x, &a.shape(1)?, a.axis(2, x.rank())?)?))
    };
    /// The array repeated along each axis.
    "lax.tile"(operand: LIKE, reps: INTS) -> ARRAY => |cx, a| Ok(cx.tile(&a.value(0)?, &a.shape(1)?)?.into());
    /// A box of elements, from start up to limit, every stride-th.
    "lax.slice"(operand: LIKE, startIndices: INTS, limitIndices: INTS, strides: OPT_SHAPE = null) -> ARRAY => |cx, a| {
        let strides = a.opt_shape(3)?;
        Ok(cx.slice(&a.value(0)?, &a.shape(1)?, &a.shape(2)?, strides.as_deref())?.into())
    };
    /// Elements along one axis, from start up to limit, every stride-th.
    "lax.sliceInDim"(operand: LIKE, startIndex: OPT_INT, limitIndex: OPT_INT, stride: INT = 1, axis: INT = 0) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let axis = a.axis(4, x.rank())?;
        let n = x.shape()[axis] as i64;
        let inside = |i: i64| (if i < 0 { i + n } else { i }).clamp(0, n) as usize;
        let start = a.opt_int(1)?.map_or(0, inside);
        let limit = a.opt_int(2)?.map_or(n as usize, inside).max(start);
        let mut starts = Shape::from_elem(0, x.rank());
        let mut limits = Shape::from_slice(x.shape());
        let mut strides = Shape::from_elem(1, x.rank());
        let stride = usize::try_from(a.int(3)?).unwrap_or(0);
        (starts[axis], limits[axis], strides[axis]) = (start, limit, stride);
        Ok(cx.slice(&x, &starts, &limits, Some(&strides))?.into())
    };
    /// One index of an axis.
    ///
    /// - `keepdims`: keep the axis with size 1.
    "lax.indexInDim"(operand: LIKE, index: INT, axis: INT = 0, keepdims: BOOL = true) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let (axis, i) = (a.axis(2, x.rank())?, a.int(1)?);
        let n = x.shape()[axis] as i64;
        if i < -n || i >= n {
            return Err(Error::new(crate::error::Class::IndexError, format!("index {i} is out of bounds for axis {axis} with size {n}")));
        }
        let i = if i < 0 { i + n } else { i } as usize;
        let row = slice_in_dim(cx, &x, axis, i, i + 1)?;
        Ok(if a.bool(3)? { row } else { cx.squeeze(&row, &[axis])? }.into())
    };
    /// A box of fixed sizes that begins at computed indices, moved inside where it reaches over.
    "lax.dynamicSlice"(operand: LIKE, startIndices: LIKES, sliceSizes: SHAPE) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let starts = starts(cx, a, 1, &x)?;
        Ok(cx.dynamic_slice(&x, &starts, &a.shape(2)?)?.into())
    };
    /// Elements along one axis from a computed index on.
    "lax.dynamicSliceInDim"(operand: LIKE, startIndex: LIKE, sliceSize: INT, axis: INT = 0) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let axis = a.axis(3, x.rank())?;
        let mut sizes = Shape::from_slice(x.shape());
        sizes[axis] = usize::try_from(a.int(2)?).map_err(|_| Error::value_error("sliceSize must not be negative"))?;
        let starts = starts_in_dim(cx, a, 1, &x, axis)?;
        Ok(cx.dynamic_slice(&x, &starts, &sizes)?.into())
    };
    /// One computed index of an axis.
    ///
    /// - `keepdims`: keep the axis with size 1.
    "lax.dynamicIndexInDim"(operand: LIKE, index: LIKE, axis: INT = 0, keepdims: BOOL = true) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let (axis, keep) = (a.axis(2, x.rank())?, a.bool(3)?);
        let index = a.value(1)?;
        Ok(named(cx, "dynamic_index_in_dim", &[x, index], move |cx, v| {
            let mut sizes = Shape::from_slice(v[0].shape());
            let mut starts = vec![Value::scalar(0.0, DType::I32)?; sizes.len()];
            starts[axis] = from_the_end(cx, &v[1], sizes[axis])?;
            sizes[axis] = 1;
            let row = cx.dynamic_slice(&v[0], &starts, &sizes)?;
            if keep { Ok(row) } else { cx.squeeze(&row, &[axis]) }
        })?.into())
    };
    /// A copy with a box replaced that begins at computed indices.
    "lax.dynamicUpdateSlice"(operand: LIKE, update: LIKE, startIndices: LIKES) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let starts = starts(cx, a, 2, &x)?;
        Ok(cx.dynamic_update_slice(&x, &a.value(1)?, &starts)?.into())
    };
    /// A copy with elements along one axis replaced from a computed index on.
    "lax.dynamicUpdateSliceInDim"(operand: LIKE, update: LIKE, startIndex: LIKE, axis: INT) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let axis = a.axis(3, x.rank())?;
        let starts = starts_in_dim(cx, a, 2, &x, axis)?;
        Ok(cx.dynamic_update_slice(&x, &a.value(1)?, &starts)?.into())
    };
    /// A copy with one computed index of an axis replaced.
    "lax.dynamicUpdateIndexInDim"(operand: LIKE, update: LIKE, index: LIKE, axis: INT) -> ARRAY => |cx, a| {
        let (x, update, index) = (a.value(0)?, a.value(1)?, a.value(2)?);
        let axis = a.axis(3, x.rank())?;
        Ok(named(cx, "dynamic_update_index_in_dim", &[x, update, index], move |cx, v| {
            let mut update = v[1].clone();
            if update.rank() + 1 == v[0].rank() {
                update = cx.expand_dims(&update, &[axis])?;
            }
            let mut starts = vec![Value::scalar(0.0, DType::I32)?; v[0].rank()];
            starts[axis] = from_the_end(cx, &v[2], v[0].shape()[axis])?;
            cx.dynamic_update_slice(&v[0], &update, &starts)
        })?.into())
    };
    /// A scalar put around and between the elements.
    ///
    /// - `paddingConfig`: for every axis [before, after, between]; negative numbers cut away.
    "lax.pad"(operand: LIKE, paddingValue: LIKE, paddingConfig: ANY) -> ARRAY => |cx, a| {
        let triple = |arg: &Arg| -> Result<(isize, isize, isize)> {
            match arg {
                Arg::List(items) if items.len() == 3 => {
                    Ok((integer(&items[0])? as isize, integer(&items[1])? as isize, integer(&items[2])? as isize))
                }
                _ => Err(Error::type_error("pad: paddingConfig is a list of [before, after, between]")),
            }
        };
        let config = a.list(2)?.iter().map(triple).collect::<Result<Vec<_>>>()?;
        Ok(cx.pad(&a.value(0)?, &a.value(1)?, &config)?.into())
    };
    /// Sum over axes.
    "lax.reduceSum"(operand: LIKE, axes: INTS) -> ARRAY => |cx, a| reduction(a, |x, axes| cx.reduce_sum(x, axes));
    /// Product over axes.
    "lax.reduceProd"(operand: LIKE, axes: INTS) -> ARRAY => |cx, a| reduction(a, |x, axes| cx.reduce_prod(x, axes));
    /// Largest element over axes.
    "lax.reduceMax"(operand: LIKE, axes: INTS) -> ARRAY => |cx, a| reduction(a, |x, axes| cx.reduce_max(x, axes));
    /// Smallest element over axes.
    "lax.reduceMin"(operand: LIKE, axes: INTS) -> ARRAY => |cx, a| reduction(a, |x, axes| cx.reduce_min(x, axes));
    /// Bitwise and over axes; of booleans whether all hold.
    "lax.reduceAnd"(operand: LIKE, axes: INTS) -> ARRAY => |cx, a| reduction(a, |x, axes| cx.reduce_and(x, axes));
    /// Bitwise or over axes; of booleans whether any holds.
    "lax.reduceOr"(operand: LIKE, axes: INTS) -> ARRAY => |cx, a| reduction(a, |x, axes| cx.reduce_or(x, axes));
    /// Index of the largest element along an axis.
    "lax.argmax"(operand: LIKE, axis: INT, indexDtype: DTYPE = "int32") -> ARRAY => |_, a| arg_reduction(a, ArgFn::Max);
    /// Index of the smallest element along an axis.
    "lax.argmin"(operand: LIKE, axis: INT, indexDtype: DTYPE = "int32") -> ARRAY => |_, a| arg_reduction(a, ArgFn::Min);
    /// Running sum along an axis.
    "lax.cumsum"(operand: LIKE, axis: INT = 0, reverse: BOOL = false) -> ARRAY => |_, a| running(a, ScanFn::Sum);
    /// Running product along an axis.
    "lax.cumprod"(operand: LIKE, axis: INT = 0, reverse: BOOL = false) -> ARRAY => |_, a| running(a, ScanFn::Prod);
    /// Running maximum along an axis.
    "lax.cummax"(operand: LIKE, axis: INT = 0, reverse: BOOL = false) -> ARRAY => |_, a| running(a, ScanFn::Max);
    /// Running minimum along an axis.
    "lax.cummin"(operand: LIKE, axis: INT = 0, reverse: BOOL = false) -> ARRAY => |_, a| running(a, ScanFn::Min);
    /// Running log(sum(exp(x))) along an axis.
    "lax.cumlogsumexp"(operand: LIKE, axis: INT = 0, reverse: BOOL = false) -> ARRAY => |_, a| running(a, ScanFn::LogSumExp);
    /// Elements in ascending order along an axis. Several arrays are sorted by the first ones.
    ///
    /// - `operand`: an array or a list of arrays of one shape.
    /// - `numKeys`: how many of them are compared.
    "lax.sort"(operand: SEQUENCE, dimension: INT = -1, isStable: BOOL = true, numKeys: INT = 1) -> ARRAY => |cx, a| {
        let listed = matches!(a.arg(0), Arg::List(_));
        let parts = if listed { operands(cx, a)? } else { vec![a.value(0)?] };
        let Some(rank) = parts.first().map(Value::rank) else {
            return Err(Error::value_error("Sort requires at least one operand"));
        };
        let keys = a.int(3)?;
        if keys < 1 || keys > parts.len() as i64 {
            return Err(Error::value_error(format!("num_keys must be between 1 and len(operand)={}", parts.len())));
        }
        let out = cx.sort(&parts, a.axis(1, rank)?, keys as usize)?;
        if listed {
            return Ok(several(out));
        }
        Ok(super::support::one(out)?.into())
    };
    /// The k largest elements along an axis, in descending order, and their indices.
    "lax.topK"(operand: LIKE, k: INT; axis: INT = -1) -> PAIR => |cx, a| {
        let x = a.value(0)?;
        let axis = a.axis(2, x.rank())?;
        let k = a.int(1)?;
        if k < 0 {
            return Err(Error::value_error(format!("k argument to top_k must be nonnegative, got {k}")));
        }
        let (values, indices) = cx.top_k(&x, super::args::count(k)?, axis)?;
        Ok(several(vec![values, indices]))
    };
    /// Product of vectors or matrices: the last axis of the first with the first of the second.
    "lax.dot"(lhs: LIKE, rhs: LIKE; preferredElementType: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        let (x, y) = (a.value(0)?, a.value(1)?);
        if !(1..=2).contains(&x.rank()) || !(1..=2).contains(&y.rank()) {
            return Err(Error::type_error(format!("Incompatible shapes for dot: got {} and {}.", crate::shape::tuple(x.shape()), crate::shape::tuple(y.shape()))));
        }
        Ok(cx.dot_general(&x, &y, DotDims::contracting(x.rank() - 1, 0), a.dtype(2)?)?.into())
    };
    /// Products summed over chosen axes.
    ///
    /// - `dimensionNumbers`: [[lhsContracting, rhsContracting], [lhsBatch, rhsBatch]].
    /// - `preferredElementType`: the dtype of the result.
    "lax.dotGeneral"(lhs: LIKE, rhs: LIKE, dimensionNumbers: DOT_DIMS; preferredElementType: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        let dims = dot_dims(a.arg(2))?;
        Ok(cx.dot_general(&a.value(0)?, &a.value(1)?, dims, a.dtype(3)?)?.into())
    };
    /// Matrix products over the last two axes, the axes before them running along.
    "lax.batchMatmul"(lhs: LIKE, rhs: LIKE) -> ARRAY => |cx, a| {
        let (x, y) = (a.value(0)?, a.value(1)?);
        if x.rank() < 2 || y.rank() != x.rank() {
            return Err(Error::value_error(format!("Arguments to batch_matmul must be at least 2D, got {}, {}", x.rank(), y.rank())));
        }
        let batch: Shape = (0..x.rank() - 2).collect();
        let dims = DotDims { lhs_batch: batch.clone(), rhs_batch: batch, ..DotDims::contracting(x.rank() - 1, y.rank() - 2) };
        Ok(cx.dot_general(&x, &y, dims, None)?.into())
    };
}

fn operands(cx: &Ctx, a: &Args) -> Result<Vec<Value>> {
    a.list(0)?.iter().map(|p| as_value(cx, p)).collect()
}

fn several(values: Vec<Value>) -> Ret {
    Ret::List(values.into_iter().map(Ret::Value).collect())
}

fn reduction(a: &Args, fold: impl Fn(&Value, &[usize]) -> Result<Value>) -> Result<Ret> {
    let x = a.value(0)?;
    let axes = a.axes(1, x.rank())?;
    Ok(fold(&x, &axes)?.into())
}

fn arg_reduction(a: &Args, which: ArgFn) -> Result<Ret> {
    let x = a.value(0)?;
    let axis = a.axis(1, x.rank())?;
    let dtype = a.dtype(2)?.unwrap_or(DType::I32);
    Ok(a.cx.arg_reduce(which, &x, axis, dtype)?.into())
}

fn running(a: &Args, total: ScanFn) -> Result<Ret> {
    let x = a.value(0)?;
    let axis = a.axis(1, x.rank())?;
    Ok(a.cx.cumulative(total, &x, axis, a.bool(2)?)?.into())
}

/// A start index: plain numbers are counted from the end at once, values by equations.
fn start(cx: &Ctx, arg: &Arg, n: usize) -> Result<Value> {
    match arg {
        Arg::Value(v) if !v.dtype().is_int() => Err(Error::type_error(format!(
            "index arguments to dynamic_slice must be integers of the same type, got: {}",
            v.dtype()
        ))),
        Arg::Value(v) => from_the_end(cx, v, n),
        _ => {
            let i = integer(arg)?;
            let i = if i < 0 { i + n as i64 } else { i };
            Value::scalar(i as f64, DType::I32)
        }
    }
}

/// Start indices of all axes: a list, or a vector.
fn starts(cx: &Ctx, a: &Args, i: usize, x: &Value) -> Result<Vec<Value>> {
    let items: Vec<Arg> = match a.arg(i) {
        Arg::List(items) => items.clone(),
        Arg::Value(v) if v.rank() == 1 => (0..v.shape()[0])
            .map(|k| super::prims::index_in_dim(cx, v, 0, k).map(Arg::Value))
            .collect::<Result<_>>()?,
        one => vec![one.clone()],
    };
    if items.len() != x.rank() {
        return Err(Error::value_error(format!(
            "Length of slice indices must match number of operand dimensions ({} vs {})",
            items.len(),
            crate::shape::tuple(x.shape())
        )));
    }
    items
        .iter()
        .zip(x.shape())
        .map(|(s, n)| start(cx, s, *n))
        .collect()
}

/// Start indices that are 0 but for one axis.
fn starts_in_dim(cx: &Ctx, a: &Args, i: usize, x: &Value, axis: usize) -> Result<Vec<Value>> {
    let mut out = vec![Value::scalar(0.0, DType::I32)?; x.rank()];
    out[axis] = start(cx, a.arg(i), x.shape()[axis])?;
    Ok(out)
}

fn dot_dims(arg: &Arg) -> Result<DotDims> {
    let wrong = || {
        Error::type_error(
            "dot_general: dimensionNumbers is [[lhsContracting, rhsContracting], [lhsBatch, rhsBatch]]",
        )
    };
    let pair = |arg: &Arg| -> Result<(Shape, Shape)> {
        match arg {
            Arg::List(items) if items.len() == 2 => Ok((
                super::args::parse_shape(&items[0])?,
                super::args::parse_shape(&items[1])?,
            )),
            _ => Err(wrong()),
        }
    };
    match arg {
        Arg::List(items) if items.len() == 2 => {
            let (lhs_contract, rhs_contract) = pair(&items[0])?;
            let (lhs_batch, rhs_batch) = pair(&items[1])?;
            Ok(DotDims {
                lhs_contract,
                rhs_contract,
                lhs_batch,
                rhs_batch,
            })
        }
        _ => Err(wrong()),
    }
}
