//! Other shapes for the same elements: reshaping, reordering axes, repeating, turning around.

use super::args::{Args, canonical_axis, python_tuple};
use super::convert::broadcast_to;
use super::prims::slice_in_dim;
use super::registry::{Arg, Ret, api};
use super::support::{named, values};
use crate::error::{Class, Error, Result};
use crate::prim::rule::Ctx;
use crate::shape::{Shape, broadcast, numel, tuple};
use crate::value::Value;
use alloc::{format, string::String, vec, vec::Vec};

/// The largest rank an array may get.
const MAX_RANK: usize = 64;

api! { FUNCTIONS;
    /// The same elements, row-major, in another shape.
    ///
    /// - `shape`: axis sizes; one may be -1 and is worked out.
    /// - `order`: "C" for row-major, "F" for column-major.
    ///
    /// Raises `TypeError` if the sizes do not multiply to the number of elements.
    "np.reshape"(a: LIKE, shape: SHAPE; order: STRING = "C") -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let items = match a.arg(1) {
            Arg::List(items) => items.as_slice(),
            one => core::slice::from_ref(one),
        };
        let traced = items.iter().find_map(|item| match item {
            Arg::Value(v) if v.concrete().is_none() => Some(v),
            _ => None,
        });
        if let Some(v) = traced {
            return Err(super::args::traced_shape(v, items));
        }
        let shape = wanted_shape(&x, &a.ints(1)?)?;
        if fortran(a, 2)? {
            return Ok(reverse(cx, &cx.reshape(&reverse(cx, &x)?, &flipped(&shape))?)?.into());
        }
        Ok(cx.reshape(&x, &shape)?.into())
    };
    /// All elements along one axis, row-major.
    "np.ravel"(a: LIKE, order: STRING = "C") -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let x = if fortran(a, 1)? { reverse(cx, &x)? } else { x };
        Ok(flat(cx, &x)?.into())
    };
    /// Axes in another order; all reversed when none is given.
    ///
    /// - `axes`: a permutation: result axis i is axis `axes[i]` of `a`.
    "np.transpose"(a: LIKE, axes: AXES = null) -> ARRAY => |_, a| transpose(a);
    /// Axes in another order. As `np.transpose` with `axes` given.
    "np.permuteDims"(a: LIKE, axes: AXES) -> ARRAY => |_, a| transpose(a);
    /// The last two axes exchanged.
    "np.matrixTranspose"(x: LIKE) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        if x.rank() < 2 {
            return Err(Error::value_error(format!("x must be at least two-dimensional for matrix_transpose; got ndim={}", x.rank())));
        }
        Ok(swap(cx, &x, x.rank() - 2, x.rank() - 1)?.into())
    };
    /// Two axes exchanged.
    "np.swapaxes"(a: LIKE, axis1: INT, axis2: INT) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        Ok(swap(cx, &x, a.axis(1, x.rank())?, a.axis(2, x.rank())?)?.into())
    };
    /// Axes moved to other places; the rest keep their order.
    ///
    /// - `source`, `destination`: one axis or as many of each.
    "np.moveaxis"(a: LIKE, source: INTS, destination: INTS) -> ARRAY => |cx, a| moveaxis(cx, a);
    /// Drops axes of size 1.
    ///
    /// - `axis`: which; all of size 1 when null. Raises `ValueError` if one is larger.
    "np.squeeze"(a: LIKE, axis: AXES = null) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let axes = match a.opt_axes(1, x.rank())? {
            Some(axes) => axes,
            None => (0..x.rank()).filter(|i| x.shape()[*i] == 1).collect(),
        };
        Ok(cx.squeeze(&x, &axes)?.into())
    };
    /// New axes of size 1 at the given places of the result.
    "np.expandDims"(a: LIKE, axis: AXES) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        if !a.given(1) {
            return Err(a.missing(1));
        }
        let given = a.ints(1)?;
        let rank = (x.rank() + given.len()).min(MAX_RANK);
        let mut axes = a.opt_axes(1, rank)?.unwrap_or_default();
        crate::shape::sort_few(&mut axes, |&a| a);
        Ok(cx.expand_dims(&x, &axes)?.into())
    };
    /// Repeated to a shape along new and size-1 axes.
    ///
    /// Raises `ValueError` if the shapes do not fit.
    "np.broadcastTo"(array: LIKE, shape: SHAPE) -> ARRAY => |cx, a| {
        Ok(broadcast_to(cx, &a.value(0)?, &a.shape(1)?)?.into())
    };
    /// All arrays repeated to their common shape.
    "np.broadcastArrays"(args: LIKES)(..) -> ARRAYS => |cx, a| {
        let v = values(cx, &a.list(0)?.iter().collect::<Vec<_>>())?;
        let shape = common_shape(v.iter().map(Value::shape))?;
        let out = v.iter().map(|x| Ok(Ret::Value(broadcast_to(cx, x, &shape)?)));
        Ok(Ret::List(out.collect::<Result<_>>()?))
    };
    /// The shape to which shapes broadcast, as a list of numbers.
    "np.broadcastShapes"(shapes: ANY)(..) -> INTS_OUT => |_, a| {
        let shapes = a.list(0)?.iter().map(super::args::parse_shape).collect::<Result<Vec<_>>>()?;
        let out = common_shape(shapes.iter().map(|s| s.as_slice()))?;
        Ok(Ret::List(out.iter().map(|n| Ret::Int(*n as i64)).collect()))
    };
    /// The array repeated along each axis.
    ///
    /// - `reps`: how often along each axis, the last ones if there are fewer.
    "np.tile"(A: LIKE, reps: INTS) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let mut reps = Vec::new();
        for n in a.ints(1)? {
            reps.push(usize::try_from(n).map_err(|_| Error::value_error("negative dimensions are not allowed"))?);
        }
        let rank = x.rank().max(reps.len()).min(MAX_RANK);
        reps.splice(0..0, core::iter::repeat_n(1, rank.saturating_sub(reps.len())));
        let new: Vec<usize> = (0..rank - x.rank()).collect();
        Ok(cx.tile(&cx.expand_dims(&x, &new)?, &reps)?.into())
    };
    /// Each element repeated in place.
    ///
    /// - `repeats`: how often: one number, or a concrete one per element of the axis.
    /// - `axis`: along which; the flattened array when null.
    "np.repeat"(a: LIKE, repeats: INTS, axis: AXIS = null) -> ARRAY => |cx, a| repeat(cx, a);
    /// Elements in reverse order along axes, all of them when null.
    "np.flip"(m: LIKE, axis: AXES = null) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let axes = a.axes(1, x.rank())?;
        Ok(flip(cx, &x, &axes)?.into())
    };
    /// Columns in reverse order. Raises `ValueError` below two axes.
    "np.fliplr"(m: LIKE) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        if x.rank() < 2 {
            return Err(Error::value_error("axis 1 is out of bounds for array of dimension 1"));
        }
        Ok(flip(cx, &x, &[1])?.into())
    };
    /// Rows in reverse order.
    "np.flipud"(m: LIKE) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        canonical_axis(0, x.rank())?;
        Ok(flip(cx, &x, &[0])?.into())
    };
    /// Elements shifted around the end of an axis.
    ///
    /// - `shift`: how far, or one number per axis.
    /// - `axis`: along which; the flattened array when null.
    "np.roll"(a: LIKE, shift: INTS, axis: AXES = null) -> ARRAY => |cx, a| roll(cx, a);
    /// Rotated by quarter turns from the first axis to the second.
    "np.rot90"(m: LIKE, k: INT = 1, axes: INTS = [0, 1]) -> ARRAY => |cx, a| rot90(cx, a);
    /// At least one axis; scalars get one of size 1. Several arrays give a list.
    "np.atleast1d"(arys: LIKES)(..) -> ARRAY => |_, a| at_least(a, "atleast_1d", 1);
    /// At least two axes; vectors become rows. Several arrays give a list.
    "np.atleast2d"(arys: LIKES)(..) -> ARRAY => |_, a| at_least(a, "atleast_2d", 2);
    /// At least three axes; vectors go to the middle one. Several arrays give a list.
    "np.atleast3d"(arys: LIKES)(..) -> ARRAY => |_, a| at_least(a, "atleast_3d", 3);
}

fn fortran(a: &Args, i: usize) -> Result<bool> {
    match a.str(i)? {
        "C" => Ok(false),
        "F" => Ok(true),
        other => Err(Error::value_error(format!(
            "Unexpected value for 'order' argument: {other}."
        ))),
    }
}

fn reverse(cx: &Ctx, x: &Value) -> Result<Value> {
    let order: Vec<usize> = (0..x.rank()).rev().collect();
    cx.transpose(x, &order)
}

fn flipped(shape: &[usize]) -> Shape {
    shape.iter().rev().copied().collect()
}

/// All elements along one axis.
pub fn flat(cx: &Ctx, x: &Value) -> Result<Value> {
    cx.reshape(x, &[numel(x.shape())])
}

/// Works out a -1 and checks that the sizes fit.
pub fn wanted_shape(x: &Value, sizes: &[i64]) -> Result<Shape> {
    let n = numel(x.shape());
    let fail = |end: String| {
        Err(Error::mismatch(
            Class::TypeError,
            format!(
                "cannot reshape array of shape {} (size {n}) into shape {}{end}",
                tuple(x.shape()),
                python_tuple(sizes)
            ),
            core::slice::from_ref(x.aval()),
        ))
    };
    let known: i64 = sizes
        .iter()
        .filter(|s| **s != -1)
        .fold(1, |a, s| a.saturating_mul(*s));
    let unknown = sizes.iter().filter(|s| **s == -1).count();
    if unknown > 1 {
        return Err(Error::type_error(format!(
            "can only specify one unknown axis size with a `-1` value, got {}",
            python_tuple(sizes)
        )));
    }
    if unknown == 1 && (known <= 0 || n as i64 % known != 0) {
        return fail(format!(
            " because the product of specified axis sizes ({known}) does not evenly divide {n}"
        ));
    }
    if unknown == 0 && (known != n as i64 || sizes.iter().any(|s| *s < 0)) {
        return fail(format!(" (size {known})"));
    }
    if sizes.iter().any(|s| *s < -1) {
        return fail(format!(" (size {known})"));
    }
    let filled = if known == 0 { 0 } else { n as i64 / known };
    Ok(sizes
        .iter()
        .map(|s| (if *s == -1 { filled } else { *s }) as usize)
        .collect())
}

fn transpose(a: &Args) -> Result<Ret> {
    let x = a.value(0)?;
    if !a.given(1) {
        return Ok(reverse(a.cx, &x)?.into());
    }
    let given = a.ints(1)?;
    let order = given
        .iter()
        .map(|n| canonical_axis(*n, x.rank()))
        .collect::<Result<Shape>>()?;
    let mut sorted = order.clone();
    crate::shape::sort_few(&mut sorted, |&a| a);
    if !sorted.iter().copied().eq(0..x.rank()) {
        return Err(Error::type_error(format!(
            "transpose permutation isn't a permutation of operand dimensions, got permutation {} for operand shape {}.",
            python_tuple(&given),
            tuple(x.shape())
        )));
    }
    Ok(a.cx.transpose(&x, &order)?.into())
}

fn swap(cx: &Ctx, x: &Value, p: usize, q: usize) -> Result<Value> {
    let mut order: Vec<usize> = (0..x.rank()).collect();
    order.swap(p, q);
    cx.transpose(x, &order)
}

fn moveaxis(cx: &Ctx, a: &Args) -> Result<Ret> {
    let x = a.value(0)?;
    let canonical = |i: usize| -> Result<Vec<usize>> {
        a.ints(i)?
            .iter()
            .map(|n| canonical_axis(*n, x.rank()))
            .collect()
    };
    let (from, to) = (canonical(1)?, canonical(2)?);
    if from.len() != to.len() {
        return Err(Error::value_error(format!(
            "Inconsistent number of elements: {} vs {}",
            from.len(),
            to.len()
        )));
    }
    let mut order: Vec<usize> = (0..x.rank()).filter(|i| !from.contains(i)).collect();
    let mut moves: Vec<(usize, usize)> = to.into_iter().zip(from).collect();
    crate::shape::sort_few(&mut moves, |m| m.0);
    if moves.windows(2).any(|w| w[0].0 == w[1].0) || order.len() + moves.len() != x.rank() {
        return Err(Error::value_error("repeated axis in moveaxis"));
    }
    for (to, from) in moves {
        order.insert(to, from);
    }
    Ok(cx.transpose(&x, &order)?.into())
}

/// The shape to which shapes broadcast, or JAX's complaint.
pub fn common_shape<'a>(shapes: impl Iterator<Item = &'a [usize]> + Clone) -> Result<Shape> {
    broadcast(shapes.clone()).ok_or_else(|| {
        let listed: Vec<String> = shapes.map(tuple).collect();
        Error::value_error(format!(
            "Incompatible shapes for broadcasting: shapes=[{}]",
            listed.join(", ")
        ))
    })
}

fn repeat(cx: &Ctx, a: &Args) -> Result<Ret> {
    let mut x = a.value(0)?;
    let mut axis = 0;
    match a.opt_axis(2, x.rank())? {
        Some(given) => axis = given,
        None => x = flat(cx, &x)?,
    }
    if x.rank() == 0 {
        x = cx.reshape(&x, &[1])?;
    }
    let repeats = a.ints(1)?;
    let size = x.shape()[axis];
    if let [n] = repeats.as_slice()
        && *n < 0
        && !matches!(a.arg(1), Arg::List(_))
    {
        let mut sizes: Vec<i64> = x.shape().iter().map(|n| *n as i64).collect();
        sizes.insert(axis + 1, *n);
        return Err(Error::type_error(format!(
            "broadcast_in_dim shape must have every element be nonnegative, got {}.",
            python_tuple(&sizes)
        )));
    }
    if repeats.iter().any(|n| *n < 0) {
        return Err(Error::value_error(
            "repeats may not contain negative values.",
        ));
    }
    if let [n] = repeats.as_slice() {
        let n = super::args::count(*n)?;
        let mut shape = Shape::from_slice(x.shape());
        shape.insert(axis + 1, n);
        let kept: Vec<usize> = (0..shape.len()).filter(|i| *i != axis + 1).collect();
        let spread = cx.broadcast_in_dim(&x, &shape, &kept)?;
        shape.remove(axis + 1);
        shape[axis] = size.saturating_mul(n);
        return Ok(cx.reshape(&spread, &shape)?.into());
    }
    if repeats.len() != size {
        return Err(Error::value_error(format!(
            "repeats must be a scalar or have as many elements as the axis: got {} for size {size}",
            repeats.len()
        )));
    }
    let mut parts = Vec::new();
    for (i, n) in repeats.iter().enumerate().filter(|(_, n)| **n > 0) {
        let row = slice_in_dim(cx, &x, axis, i, i + 1)?;
        parts.extend(core::iter::repeat_n(row, super::args::count(*n)?));
    }
    if parts.is_empty() {
        return Ok(slice_in_dim(cx, &x, axis, 0, 0)?.into());
    }
    Ok(cx.concatenate(&parts, axis)?.into())
}

/// Turns axes around, as JAX's `flip`.
pub fn flip(cx: &Ctx, x: &Value, axes: &[usize]) -> Result<Value> {
    let axes = Shape::from_slice(axes);
    named(cx, "_flip", core::slice::from_ref(x), move |cx, v| {
        cx.rev(&v[0], &axes)
    })
}

fn roll(cx: &Ctx, a: &Args) -> Result<Ret> {
    let x = a.value(0)?;
    let (mut shifts, flat_axis) = (a.ints(1)?, !a.given(2));
    let rolled = if flat_axis { flat(cx, &x)? } else { x.clone() };
    let mut axes: Vec<usize> = if flat_axis {
        vec![0]
    } else {
        let given = a.ints(2)?;
        given
            .iter()
            .map(|n| canonical_axis(*n, x.rank()))
            .collect::<Result<_>>()?
    };
    let n = shifts.len().max(axes.len());
    if shifts.len() == 1 {
        shifts = vec![shifts[0]; n];
    }
    if axes.len() == 1 {
        axes = vec![axes[0]; n];
    }
    if shifts.len() != axes.len() {
        return Err(Error::value_error(
            "shape mismatch: objects cannot be broadcast to a single shape",
        ));
    }
    let out = named(cx, "_roll_static", &[rolled], move |cx, v| {
        let mut x = v[0].clone();
        for (shift, axis) in shifts.iter().zip(&axes) {
            let size = x.shape()[*axis];
            if size == 0 {
                continue;
            }
            let cut = size - shift.rem_euclid(size as i64) as usize;
            // JAX writes a shift by nothing with the whole array first.
            let cut = if cut == size { 0 } else { cut };
            let parts = [
                slice_in_dim(cx, &x, *axis, cut, size)?,
                slice_in_dim(cx, &x, *axis, 0, cut)?,
            ];
            x = cx.concatenate(&parts, *axis)?;
        }
        Ok(x)
    })?;
    Ok(cx.reshape(&out, x.shape())?.into())
}

fn rot90(cx: &Ctx, a: &Args) -> Result<Ret> {
    let x = a.value(0)?;
    let k = a.int(1)?.rem_euclid(4);
    let given = if a.given(2) { a.ints(2)? } else { vec![0, 1] };
    let [p, q] = given.as_slice() else {
        return Err(Error::value_error("len(axes) must be 2"));
    };
    let (p, q) = (canonical_axis(*p, x.rank())?, canonical_axis(*q, x.rank())?);
    if p == q {
        return Err(Error::value_error("Axes must be different"));
    }
    let out = named(cx, "rot90", &[x], move |cx, v| match k {
        0 => Ok(v[0].clone()),
        1 => swap(cx, &flip(cx, &v[0], &[q])?, p, q),
        2 => flip(cx, &flip(cx, &v[0], &[p])?, &[q]),
        _ => flip(cx, &swap(cx, &v[0], p, q)?, &[q]),
    })?;
    Ok(out.into())
}

/// An array with at least that many axes, as JAX's `atleast_1d` and kin.
pub fn lifted(cx: &Ctx, name: &'static str, x: &Value, rank: usize) -> Result<Value> {
    named(cx, name, core::slice::from_ref(x), move |cx, v| {
        let new: &[usize] = match (rank, v[0].rank()) {
            (1, 0) | (2, 1) => &[0],
            (2, 0) => &[0, 1],
            (3, 0) => &[0, 1, 2],
            (3, 1) => &[0, 2],
            (3, 2) => &[2],
            _ => &[],
        };
        cx.expand_dims(&v[0], new)
    })
}

fn at_least(a: &Args, name: &'static str, rank: usize) -> Result<Ret> {
    let items = a.list(0)?;
    for (i, item) in items.iter().enumerate() {
        if !matches!(item, Arg::Value(_) | Arg::Number { .. } | Arg::Bool(_)) {
            return Err(super::args::not_array_like(name, item, i));
        }
    }
    let v = values(a.cx, &items.iter().collect::<Vec<_>>())?;
    if let [x] = v.as_slice() {
        return Ok(lifted(a.cx, name, x, rank)?.into());
    }
    let out = super::support::named_many(a.cx, name, &v, move |cx, v| {
        v.iter().map(|x| lifted(cx, name, x, rank)).collect()
    })?;
    Ok(Ret::List(out.into_iter().map(Ret::Value).collect()))
}
