//! Arrays put together and taken apart: concatenation, stacking, splitting, padding.

use super::args::{Args, canonical_axis, integer};
use super::convert::{as_value, cast, promote_dtypes};
use super::prims::slice_in_dim;
use super::registry::{Arg, Ret, api};
use super::shaping::{flat, flip, lifted};
use super::support::named;
use crate::aval::Aval;
use crate::error::{Class, Error, Result};
use crate::prim::rule::Ctx;
use crate::shape::{Shape, tuple};
use crate::value::Value;
use alloc::{boxed::Box, format, string::String, vec, vec::Vec};

api! { FUNCTIONS;
    /// Arrays one after the other along an axis.
    ///
    /// - `arrays`: a list of arrays that agree in all other axes.
    /// - `axis`: which axis; null joins the flattened arrays.
    ///
    /// Raises `TypeError` for shapes that do not fit, `ValueError` for an empty list.
    "np.concatenate"(arrays: SEQUENCE, axis: AXIS = 0, dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        if let Some(out) = merged(cx, a)? {
            return Ok(out.into());
        }
        let parts = sequence(cx, a, 0, "concatenate")?;
        concatenate(cx, a, parts, a.is_null(1))
    };
    /// Arrays one after the other along an axis, as `np.concatenate`.
    "np.concat"(arrays: SEQUENCE; axis: AXIS = 0) -> ARRAY => |cx, a| {
        let parts = sequence(cx, a, 0, "concatenate")?;
        concatenate(cx, a, parts, a.is_null(1))
    };
    /// Arrays of one shape side by side along a new axis.
    ///
    /// Raises `ValueError` if shapes differ or the list is empty.
    "np.stack"(arrays: SEQUENCE, axis: INT = 0; dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        if let Arg::Value(v) = a.arg(0)
            && v.rank() > 0
            && !a.given(2)
        {
            let axis = a.axis(1, v.rank())?;
            let spread = cx.expand_dims(v, &[axis + 1])?;
            let moved = cx.moveaxis(&spread, 0, axis)?;
            let mut sizes: Vec<usize> = v.shape()[1..].to_vec();
            sizes.insert(axis, v.shape()[0]);
            return Ok(cx.reshape(&moved, &sizes)?.into());
        }
        let mut parts = sequence(cx, a, 0, "stack")?;
        let shape = Shape::from_slice(parts[0].shape());
        if parts.iter().any(|p| p.shape() != shape.as_slice()) {
            let shapes: Vec<String> = parts.iter().map(|p| tuple(p.shape())).collect();
            let distinct: Vec<String> = shapes.iter().take(1).chain(shapes.iter().find(|s| **s != shapes[0])).cloned().collect();
            return Err(Error::value_error(format!("All input arrays must have the same shape. Got {}.", distinct.join(", "))));
        }
        if let Some(d) = a.dtype(2)? {
            for p in &mut parts {
                *p = super::convert::astype(cx, p, d)?;
            }
        }
        let axis = a.axis(1, shape.len() + 1)?;
        Ok(cx.stack(&parts, axis)?.into())
    };
    /// Rows put under each other: along the first axis, vectors as rows.
    "np.vstack"(tup: SEQUENCE; dtype: OPT_DTYPE = null) -> ARRAY => |_, a| stacked(a, "vstack", "atleast_2d", 2, |_| 0);
    /// Arrays put beside each other: along the second axis, vectors along the first.
    "np.hstack"(tup: SEQUENCE; dtype: OPT_DTYPE = null) -> ARRAY => |_, a| stacked(a, "hstack", "atleast_1d", 1, |rank| usize::from(rank > 1));
    /// Arrays put behind each other: along the third axis.
    "np.dstack"(tup: SEQUENCE; dtype: OPT_DTYPE = null) -> ARRAY => |_, a| stacked(a, "dstack", "atleast_3d", 3, |_| 2);
    /// Vectors as columns of a matrix.
    "np.columnStack"(tup: SEQUENCE) -> ARRAY => |cx, a| {
        let mut parts = unpromoted(cx, a, 0, "column_stack")?;
        for p in &mut parts {
            if p.rank() < 2 {
                *p = cx.transpose(&lifted(cx, "atleast_2d", p, 2)?, &[1, 0])?;
            }
        }
        Ok(cx.concatenate(&promoted(cx, &parts)?, 1)?.into())
    };
    /// Values put behind an array along an axis; both flattened when null.
    "np.append"(arr: LIKE, values: LIKE, axis: AXIS = null) -> ARRAY => |cx, a| {
        let (x, y) = (a.value(0)?, a.value(1)?);
        let axis = a.opt_axis(2, x.rank())?;
        Ok(named(cx, "append", &[x, y], move |cx, v| {
            let parts = match axis {
                Some(_) => v.to_vec(),
                None => vec![flat(cx, &v[0])?, flat(cx, &v[1])?],
            };
            cx.concatenate(&promoted(cx, &parts)?, axis.unwrap_or(0))
        })?.into())
    };
    /// Pieces along an axis.
    ///
    /// - `indicesOrSections`: how many equal pieces, or where to cut.
    ///
    /// Raises `ValueError` if the axis cannot be divided equally.
    "np.split"(ary: LIKE, indicesOrSections: INTS, axis: INT = 0) -> ARRAYS => |_, a| split(a, true, None);
    /// Pieces along an axis; the first ones are larger if it cannot be divided equally.
    "np.arraySplit"(ary: LIKE, indicesOrSections: INTS, axis: INT = 0) -> ARRAYS => |_, a| split(a, false, None);
    /// Pieces along the second axis, of vectors along the first.
    "np.hsplit"(ary: LIKE, indicesOrSections: INTS) -> ARRAYS => |_, a| {
        let rank = a.value(0)?.rank();
        split(a, true, Some(usize::from(rank > 1)))
    };
    /// Pieces along the first axis.
    "np.vsplit"(ary: LIKE, indicesOrSections: INTS) -> ARRAYS => |_, a| split(a, true, Some(0));
    /// The arrays along an axis, which disappears.
    "np.unstack"(x: LIKE; axis: INT = 0) -> ARRAYS => |cx, a| {
        let x = a.value(0)?;
        if x.rank() == 0 {
            return Err(Error::value_error("Unstack requires arrays with rank > 0, however a scalar array was passed."));
        }
        let out = cx.unstack(&x, a.axis(1, x.rank())?)?;
        Ok(Ret::List(out.into_iter().map(Ret::Value).collect()))
    };
    /// The array with elements added around it.
    ///
    /// - `padWidth`: one number, a pair [before, after], or a pair per axis.
    /// - `mode`: "constant", "edge", "reflect", "symmetric" or "wrap".
    /// - `constantValues`: what to fill with in the mode "constant".
    "np.pad"(array: LIKE, padWidth: WIDTHS, mode: STRING = "constant"; constantValues: LIKE = 0) -> ARRAY => |cx, a| pad(cx, a);
}

/// Arrays of a list as they are; an array stands for its rows.
fn unpromoted(cx: &Ctx, a: &Args, i: usize, name: &str) -> Result<Vec<Value>> {
    let none = || Error::value_error(format!("Need at least one array to {name}."));
    match a.arg(i) {
        Arg::List(items) if items.is_empty() => Err(none()),
        Arg::Value(v) if v.shape().first() == Some(&0) => Err(none()),
        Arg::List(items) => {
            for (k, item) in items.iter().enumerate() {
                if !matches!(item, Arg::Value(_) | Arg::Number { .. } | Arg::Bool(_)) {
                    return Err(super::args::not_array_like(name, item, k));
                }
            }
            items.iter().map(|item| as_value(cx, item)).collect()
        }
        Arg::Value(v) if v.rank() > 0 => (0..v.shape()[0])
            .map(|k| super::prims::index_in_dim(cx, v, 0, k))
            .collect(),
        Arg::None => Err(a.missing(i)),
        other => Err(super::args::not_array_like(name, other, 0)),
    }
}

/// Arrays of a list, brought to one dtype; an array stands for its rows.
pub fn sequence(cx: &Ctx, a: &Args, i: usize, name: &str) -> Result<Vec<Value>> {
    let parts = unpromoted(cx, a, i, name)?;
    match a.arg(i) {
        // Plain numbers take the arrays' dtype without an equation.
        Arg::List(items) => promote_dtypes(cx, &items.iter().collect::<Vec<_>>()),
        _ => Ok(parts),
    }
}

/// Values brought to one dtype.
fn promoted(cx: &Ctx, parts: &[Value]) -> Result<Vec<Value>> {
    let args = super::convert::args_of(parts);
    promote_dtypes(cx, &args.iter().collect::<Vec<_>>())
}

fn concatenate(cx: &Ctx, a: &Args, mut parts: Vec<Value>, flat_axis: bool) -> Result<Ret> {
    if a.function.params().count() > 2
        && let Some(d) = a.dtype(2)?
    {
        for p in &mut parts {
            *p = super::convert::astype(cx, p, d)?;
        }
    }
    if flat_axis {
        let flats = parts
            .iter()
            .map(|p| flat(cx, p))
            .collect::<Result<Vec<_>>>()?;
        return Ok(cx.concatenate(&flats, 0)?.into());
    }
    if parts.iter().any(|p| p.rank() == 0) && parts.iter().all(|p| p.rank() == 0) {
        return Err(Error::value_error(
            "Zero-dimensional arrays cannot be concatenated.",
        ));
    }
    let rank = parts[0].rank();
    check_joinable(&parts, a.int(1)?)?;
    let axis = a.axis(1, rank)?;
    Ok(cx.concatenate(&parts, axis)?.into())
}

/// The rows of one array joined: its first axis merges into another one.
fn merged(cx: &Ctx, a: &Args) -> Result<Option<Value>> {
    match a.arg(0) {
        Arg::Value(v) if v.rank() > 1 && !a.is_null(1) && !a.given(2) => {
            let axis = a.axis(1, v.rank() - 1)?;
            let mut shape: Vec<usize> = v.shape()[1..].to_vec();
            shape[axis] = shape[axis].saturating_mul(v.shape()[0]);
            let moved = cx.moveaxis(v, 0, axis)?;
            Ok(Some(cx.reshape(&moved, &shape)?))
        }
        _ => Ok(None),
    }
}

/// Refuses shapes that do not fit, in JAX's words.
fn check_joinable(parts: &[Value], axis: i64) -> Result<()> {
    let listed: Vec<String> = parts.iter().map(|p| tuple(p.shape())).collect();
    let avals: Vec<Aval> = parts.iter().map(|p| p.aval().clone()).collect();
    let rank = parts[0].rank();
    if parts.iter().any(|p| p.rank() != rank) {
        let message = format!(
            "Cannot concatenate arrays with different numbers of dimensions: got {}.",
            listed.join(", ")
        );
        return Err(Error::mismatch(Class::TypeError, message, &avals));
    }
    let axis = canonical_axis(axis, rank)?;
    let fits = |p: &Value| (0..rank).all(|i| i == axis || p.shape()[i] == parts[0].shape()[i]);
    if !parts.iter().all(fits) {
        let message = format!(
            "Cannot concatenate arrays with shapes that differ in dimensions other than the one being concatenated: concatenating along dimension {axis} for shapes {}.",
            listed.join(", ")
        );
        return Err(Error::mismatch(Class::TypeError, message, &avals));
    }
    Ok(())
}

fn stacked(
    a: &Args,
    name: &'static str,
    lift: &'static str,
    rank: usize,
    axis: fn(usize) -> usize,
) -> Result<Ret> {
    let cx = a.cx;
    let parts = unpromoted(cx, a, 0, name)?;
    let mut lifted_parts = Vec::with_capacity(parts.len());
    for p in &parts {
        let p = lifted(cx, lift, p, rank)?;
        lifted_parts.push(match a.dtype(1)? {
            Some(d) => super::convert::astype(cx, &p, d)?,
            None => p,
        });
    }
    let lifted_parts = promoted(cx, &lifted_parts)?;
    let axis = axis(lifted_parts[0].rank());
    check_joinable(&lifted_parts, axis as i64)?;
    Ok(cx.concatenate(&lifted_parts, axis)?.into())
}

fn split(a: &Args, equal: bool, axis: Option<usize>) -> Result<Ret> {
    let cx = a.cx;
    let x = a.value(0)?;
    let axis = match axis {
        Some(axis) => canonical_axis(axis as i64, x.rank())?,
        None => a.axis(2, x.rank())?,
    };
    let size = x.shape()[axis];
    let whole =
        matches!(a.arg(1), Arg::List(_)) || matches!(a.arg(1), Arg::Value(v) if v.rank() > 0);
    let sizes: Vec<usize> = if whole {
        let mut cuts: Vec<usize> = vec![0];
        for n in a.ints(1)? {
            let n = if n < 0 { n + size as i64 } else { n }.clamp(0, size as i64) as usize;
            cuts.push(n);
        }
        cuts.push(size);
        cuts.windows(2).map(|w| w[1].saturating_sub(w[0])).collect()
    } else {
        let n = a.int(1)?;
        if n <= 0 {
            return Err(Error::value_error("number sections must be larger than 0."));
        }
        let n = super::args::count(n)?;
        if equal && !size.is_multiple_of(n) {
            return Err(Error::value_error(format!(
                "array split does not result in an equal division: rest is {}",
                size % n
            )));
        }
        if n > 1 << 20 {
            return Err(Error::value_error("too many pieces"));
        }
        (0..n)
            .map(|i| size / n + usize::from(i < size % n))
            .collect()
    };
    if sizes.iter().sum::<usize>() != size {
        return Err(Error::value_error("split: cuts must be in ascending order"));
    }
    let out = cx.split(&x, &sizes, axis)?;
    Ok(Ret::List(out.into_iter().map(Ret::Value).collect()))
}

/// Reads widths: one number, a pair, or a pair per axis.
fn widths(a: &Args, rank: usize) -> Result<Vec<(usize, usize)>> {
    let amount = |arg: &Arg| -> Result<usize> {
        usize::try_from(integer(arg)?)
            .map_err(|_| Error::value_error("index can't contain negative values"))
    };
    let pair = |items: &[Arg]| -> Result<(usize, usize)> {
        match items {
            [n] => Ok((amount(n)?, amount(n)?)),
            [before, after] => Ok((amount(before)?, amount(after)?)),
            _ => Err(bad_widths(rank)),
        }
    };
    match a.arg(1) {
        Arg::List(items) if items.iter().any(|i| matches!(i, Arg::List(_))) => {
            let pairs = items
                .iter()
                .map(|i| match i {
                    Arg::List(items) => pair(items),
                    one => pair(core::slice::from_ref(one)),
                })
                .collect::<Result<Vec<_>>>()?;
            match pairs.len() {
                1 => Ok(vec![pairs[0]; rank]),
                n if n == rank => Ok(pairs),
                _ => Err(bad_widths(rank)),
            }
        }
        Arg::List(items) => Ok(vec![pair(items)?; rank]),
        Arg::None => Err(a.missing(1)),
        one => Ok(vec![pair(core::slice::from_ref(one))?; rank]),
    }
}

fn bad_widths(rank: usize) -> Box<Error> {
    Error::value_error(format!(
        "jnp.pad: pad_width must be an integer, a pair, or a pair per axis of an array with ndim={rank}"
    ))
}

fn pad(cx: &Ctx, a: &Args) -> Result<Ret> {
    let x = a.value(0)?;
    let widths = widths(a, x.rank())?;
    let mode = match a.str(2)? {
        "constant" => Mode::Constant,
        "edge" => Mode::Edge,
        "reflect" => Mode::Reflect,
        "symmetric" => Mode::Symmetric,
        "wrap" => Mode::Wrap,
        other => {
            return Err(Error::new(
                Class::NotImplementedError,
                format!("Unimplemented padding mode '{other}' for np.pad."),
            ));
        }
    };
    let zero = Arg::Number {
        value: 0.0,
        float: false,
    };
    let fill = as_value(cx, if a.given(3) { a.array_like(3)? } else { &zero })?;
    if mode != Mode::Constant && x.shape().contains(&0) {
        return Err(Error::value_error("can't extend an empty axis"));
    }
    if fill.rank() > 0 {
        return Err(Error::value_error(
            "np.pad: constantValues must be a scalar",
        ));
    }
    let out = named(cx, "_pad", &[x, fill], move |cx, v| {
        let x = &v[0];
        if mode == Mode::Constant {
            let to = (x.dtype(), x.aval().weak);
            let fill = cast(cx, &Arg::Value(v[1].clone()), (to.0, false))?;
            let config: Vec<_> = widths
                .iter()
                .map(|(p, q)| (*p as isize, *q as isize, 0))
                .collect();
            return cx.pad(x, &fill, &config);
        }
        let mut out = x.clone();
        for (axis, (before, after)) in widths.iter().enumerate() {
            out = pad_axis(cx, &out, axis, *before, *after, mode)?;
        }
        Ok(out)
    })?;
    Ok(out.into())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Constant,
    Edge,
    Reflect,
    Symmetric,
    Wrap,
}

fn pad_axis(
    cx: &Ctx,
    x: &Value,
    axis: usize,
    before: usize,
    after: usize,
    mode: Mode,
) -> Result<Value> {
    let size = x.shape()[axis];
    match mode {
        Mode::Edge => {
            let repeated = |start: usize, n: usize| -> Result<Value> {
                let edge = slice_in_dim(cx, x, axis, start, start + 1)?;
                let mut shape = Shape::from_slice(x.shape());
                shape[axis] = n;
                cx.broadcast_like(&edge, &shape)
            };
            let mut parts = Vec::new();
            if before > 0 {
                parts.push(repeated(0, before)?);
            }
            parts.push(x.clone());
            if after > 0 {
                parts.push(repeated(size - 1, after)?);
            }
            cx.concatenate(&parts, axis)
        }
        Mode::Wrap => {
            let mut parts = Vec::new();
            let tail = before % size;
            if tail > 0 {
                parts.push(slice_in_dim(cx, x, axis, size - tail, size)?);
            }
            parts.extend(core::iter::repeat_n(
                x.clone(),
                before / size + 1 + after / size,
            ));
            if !after.is_multiple_of(size) {
                parts.push(slice_in_dim(cx, x, axis, 0, after % size)?);
            }
            cx.concatenate(&parts, axis)
        }
        Mode::Reflect | Mode::Symmetric | Mode::Constant => {
            let skip = usize::from(mode == Mode::Reflect);
            if skip == 1 && size == 1 {
                return pad_axis(cx, x, axis, before, after, Mode::Edge);
            }
            let mut out = x.clone();
            for front in [true, false] {
                let mut wanted = if front { before } else { after };
                while wanted > 0 {
                    let n = out.shape()[axis];
                    let take = wanted.min(n - skip);
                    let part = if front {
                        slice_in_dim(cx, &out, axis, skip, skip + take)?
                    } else {
                        slice_in_dim(cx, &out, axis, n - skip - take, n - skip)?
                    };
                    let part = flip(cx, &part, &[axis])?;
                    let parts = if front { [part, out] } else { [out, part] };
                    out = cx.concatenate(&parts, axis)?;
                    wanted -= take;
                }
            }
            Ok(out)
        }
    }
}
