//! Running totals, differences, quantiles, interpolation, polynomials, convolution.

use super::args::{Args, count};
use super::arithmetic::{clip, to_float};
use super::convert::{as_value, astype, convert, promote_inexact};
use super::indexing::rows_at;
use super::prims::index_in_dim;
use super::registry::{Arg, Ret, api};
use super::searching::insertion;
use super::shaping::{flat, flip};
use super::support::{named, one, promote2_inexact, values, where_, where_number, where_values};
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::kernel::ScanFn;
use crate::prim::arithmetic::ABS;
use crate::prim::dot::DotDims;
use crate::prim::rounding::{CEIL, FLOOR};
use crate::prim::rule::Ctx;
use crate::shape::Shape;
use crate::value::Value;
use alloc::{borrow::ToOwned, format, vec::Vec};

api! { FUNCTIONS;
    /// Running sum along an axis.
    ///
    /// - `axis`: along which; the flattened array when null.
    /// - `dtype`: the dtype of the sum; booleans are counted in int32.
    "np.cumsum"(a: LIKE, axis: AXIS = null, dtype: OPT_DTYPE = null) -> ARRAY => |_, a| running(a, "cumsum", ScanFn::Sum);
    /// Running product along an axis. Arguments as in `np.cumsum`.
    "np.cumprod"(a: LIKE, axis: AXIS = null, dtype: OPT_DTYPE = null) -> ARRAY => |_, a| running(a, "cumprod", ScanFn::Prod);
    /// Median along axes: the middle element, or the mean of the two middle ones.
    "np.median"(a: LIKE, axis: AXES = null; keepdims: BOOL = false) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let (axes, keep) = (a.axes(1, x.rank())?, a.bool(2)?);
        Ok(named(cx, "median", &[x], move |cx, v| {
            let half = as_value(cx, &Arg::Number { value: 0.5, float: true })?;
            let axes = axes.clone();
            named(cx, "quantile", &[v[0].clone(), half], move |cx, v| {
                quantile(cx, &v[0], &v[1], &axes, keep, Method::Midpoint)
            })
        })?.into())
    };
    /// The q-th quantile along axes, q from 0 to 1.
    ///
    /// - `q`: one number or an array of them.
    /// - `method`: "linear", "lower", "higher", "midpoint" or "nearest".
    "np.quantile"(a: LIKE, q: NESTED, axis: AXES = null; method: STRING = "linear", keepdims: BOOL = false) -> ARRAY => |cx, a| {
        let (x, q) = (a.value(0)?, as_value(cx, a.arg(1))?);
        Ok(quantile_call(cx, a, x, q)?.into())
    };
    /// The q-th percentile along axes, q from 0 to 100. Arguments as in `np.quantile`.
    "np.percentile"(a: LIKE, q: NESTED, axis: AXES = null; method: STRING = "linear", keepdims: BOOL = false) -> ARRAY => |cx, a| {
        let (x, q) = (a.value(0)?, as_value(cx, a.arg(1))?);
        let q = to_float(cx, &Arg::Value(q))?;
        let q = cx.div(&q, &cx.lit(100.0, &q)?)?;
        Ok(quantile_call(cx, a, x, q)?.into())
    };
    /// Differences of neighbours along an axis: a[i + 1] - a[i].
    ///
    /// - `n`: how often.
    "np.diff"(a: LIKE, n: INT = 1, axis: INT = -1) -> ARRAY => |cx, a| {
        let (x, n) = (a.value(0)?, a.int(1)?);
        if x.rank() == 0 {
            return Err(Error::value_error("diff requires input that is at least one dimensional; got 0"));
        }
        if n < 0 {
            return Err(Error::value_error(format!("order must be non-negative but got {n}")));
        }
        let axis = a.axis(2, x.rank())?;
        Ok(named(cx, "diff", &[x], move |cx, v| {
            let mut x = v[0].clone();
            for _ in 0..usize::try_from(n).unwrap_or(usize::MAX).min(v[0].shape()[axis]) {
                let size = x.shape()[axis];
                let (upper, lower) = (cx.slice_axis(&x, axis, 1, size)?, cx.slice_axis(&x, axis, 0, size - 1)?);
                x = if x.dtype() == DType::Bool { cx.ne(&upper, &lower)? } else { cx.sub(&upper, &lower)? };
            }
            Ok(x)
        })?.into())
    };
    /// Differences of neighbours of the flattened array.
    "np.ediff1d"(ary: LIKE) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        Ok(named(cx, "ediff1d", &[x], |cx, v| {
            let x = flat(cx, &v[0])?;
            let n = x.shape()[0];
            cx.sub(&cx.slice_axis(&x, 0, n.min(1), n)?, &cx.slice_axis(&x, 0, 0, n.saturating_sub(1))?)
        })?.into())
    };
    /// Integral by the trapezoidal rule along an axis.
    ///
    /// - `x`: where the values lie, a vector; `dx` apart when null.
    "np.trapezoid"(y: LIKE, x: OPT_LIKE = null, dx: LIKE = 1.0, axis: INT = -1) -> ARRAY => |cx, a| trapezoid(cx, a);
    /// Piecewise linear interpolation at `x` of the points (xp, fp).
    ///
    /// - `xp`: ascending. Left of it the result is fp[0], right of it the last of fp, unless `left`
    ///   or `right` is given.
    "np.interp"(x: LIKE, xp: LIKE, fp: LIKE, left: OPT_LIKE = null, right: OPT_LIKE = null) -> ARRAY => |cx, a| {
        let mut v = values(cx, &[a.array_like(0)?, a.array_like(1)?, a.array_like(2)?])?;
        if v[1].rank() != 1 || v[1].shape() != v[2].shape() {
            return Err(Error::value_error("xp and fp must be one-dimensional arrays of equal size"));
        }
        if v[1].shape()[0] == 0 {
            return Err(Error::value_error("array of sample points is empty"));
        }
        let (left, right) = (a.opt_value(3)?, a.opt_value(4)?);
        let (has_left, has_right) = (left.is_some(), right.is_some());
        v.extend(left);
        v.extend(right);
        Ok(named(cx, "_interp", &v, move |cx, v| interp(cx, v, has_left, has_right))?.into())
    };
    /// Value of a polynomial at `x` by Horner's rule; the highest coefficient first.
    "np.polyval"(p: LIKE, x: LIKE) -> ARRAY => |cx, a| {
        let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
        if v[0].rank() != 1 {
            return Err(Error::value_error("polyval: p must be one-dimensional"));
        }
        Ok(named(cx, "polyval", &v, |cx, v| {
            let args = super::convert::args_of(v);
            let to = super::convert::result_type(cx, &[&args[0], &args[1]])?;
            let (p, x) = (convert(cx, &v[0], to)?, convert(cx, &v[1], to)?);
            let mut out = cx.full(0.0, x.aval())?;
            for i in 0..p.shape()[0] {
                out = cx.add(&cx.mul(&out, &x)?, &index_in_dim(cx, &p, 0, i)?)?;
            }
            Ok(out)
        })?.into())
    };
    /// Convolution of two vectors: sum over k of a[k] * v[n - k].
    ///
    /// - `mode`: "full" (all overlaps), "same" (the middle, as long as the longer one) or "valid".
    "np.convolve"(a: LIKE, v: LIKE, mode: STRING = "full") -> ARRAY => |_, a| convolution(a, true);
    /// Correlation of two vectors: sum over k of a[n + k] * v[k].
    "np.correlate"(a: LIKE, v: LIKE, mode: STRING = "valid") -> ARRAY => |_, a| convolution(a, false);
    /// Matrix of powers of a vector, the highest first.
    "np.vander"(x: LIKE, N: OPT_INT = null, increasing: BOOL = false) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        if x.rank() != 1 {
            return Err(Error::value_error("x must be a one-dimensional array"));
        }
        let n = a.opt_int(1)?.map_or(Ok(x.shape()[0]), count)?;
        let up = a.bool(2)?;
        Ok(named(cx, "vander", &[x], move |cx, v| {
            let line = cx.iota(v[0].dtype(), &[n], 0)?;
            let powers = if up { line } else { cx.sub(&cx.lit(n as f64 - 1.0, &line)?, &line)? };
            let (x, n) = (cx.expand_dims(&v[0], &[1])?, cx.expand_dims(&powers, &[0])?);
            super::arithmetic::power(cx, &Arg::Value(x), &Arg::Value(n))
        })?.into())
    };
}

fn running(a: &Args, name: &'static str, total: ScanFn) -> Result<Ret> {
    let x = a.value(0)?;
    let axis = a.opt_axis(1, x.rank())?;
    let dtype = a.dtype(2)?.unwrap_or(match x.dtype() {
        DType::Bool => DType::I32,
        d => d,
    });
    let out = named(a.cx, name, &[x], move |cx, v| {
        let (x, axis) = match axis {
            Some(axis) => (v[0].clone(), axis),
            None => (flat(cx, &v[0])?, 0),
        };
        cx.cumulative(total, &convert(cx, &x, (dtype, false))?, axis, false)
    })?;
    Ok(out.into())
}

fn quantile_call(cx: &Ctx, a: &Args, x: Value, q: Value) -> Result<Value> {
    let (axes, keep) = (a.axes(2, x.rank())?, a.bool(4)?);
    let method = match a.str(3)? {
        "linear" => Method::Linear,
        "lower" => Method::Lower,
        "higher" => Method::Higher,
        "midpoint" => Method::Midpoint,
        "nearest" => Method::Nearest,
        other => {
            return Err(Error::value_error(format!(
                "method can only be 'linear', 'lower', 'higher', 'midpoint', or 'nearest', got {other}"
            )));
        }
    };
    if q.rank() > 1 {
        return Err(Error::value_error(format!(
            "q must be have rank <= 1, got shape {}",
            crate::shape::tuple(q.shape())
        )));
    }
    named(cx, "quantile", &[x, q], move |cx, v| {
        quantile(cx, &v[0], &v[1], &axes, keep, method)
    })
}

/// The median and other quantiles along axes: `quantile` as JAX spells it out.
pub fn quantile(
    cx: &Ctx,
    x: &Value,
    q: &Value,
    axes: &[usize],
    keep: bool,
    method: Method,
) -> Result<Value> {
    let x = to_float(cx, &Arg::Value(x.clone()))?;
    let q = to_float(cx, &Arg::Value(q.clone()))?;
    // Several axes become one, in front.
    let mut order: Vec<usize> = axes.to_vec();
    order.extend((0..x.rank()).filter(|i| !axes.contains(i)));
    let rest: Shape = order[axes.len()..].iter().map(|i| x.shape()[*i]).collect();
    let n: usize = axes.iter().map(|i| x.shape()[*i]).product();
    let mut shape = Shape::from_slice(&[n]);
    shape.extend_from_slice(&rest);
    let moved = cx.reshape(&cx.transpose(&x, &order)?, &shape)?;
    if n == 0 {
        return Err(Error::value_error("quantile of an empty axis"));
    }
    let nan = cx.reduce_or(&cx.ne(&moved, &moved)?, &[0])?;
    let nan = cx.expand_dims(&nan, &[0])?;
    let missing = Arg::Number {
        value: f64::NAN,
        float: true,
    };
    let filled = where_(cx, &nan, &missing, &Arg::Value(moved))?;
    let sorted = one(cx.sort(&[filled], 0, 1)?)?;
    let (count, one_less) = (cx.lit(n as f64, &x)?, cx.lit(1.0, &x)?);
    let last = || cx.sub(&count, &one_less);
    let place = cx.mul(&q, &last()?)?;
    let low = cx.unary(&FLOOR, &place)?;
    let high = cx.unary(&CEIL, &place)?;
    let weight = cx.sub(&place, &low)?;
    let counter = cx.sub(&cx.lit(1.0, &weight)?, &weight)?;
    let zero = cx.lit(0.0, &low)?;
    let inside = |place: &Value| cx.clamp(&zero, place, &last()?);
    let (low, high) = (inside(&low)?, inside(&high)?);
    let index = |place: &Value| astype(cx, place, DType::I32);
    let (low, high) = (index(&low)?, index(&high)?);
    let spread = |w: &Value| -> Result<Value> {
        let mut shape = Shape::from_slice(w.shape());
        shape.extend(core::iter::repeat_n(1, rest.len()));
        let dims: Vec<usize> = (0..w.rank()).collect();
        if w.rank() == 0 {
            Ok(w.clone())
        } else {
            cx.broadcast_in_dim(w, &shape, &dims)
        }
    };
    let (low, high) = (rows_at(cx, &sorted, &low)?, rows_at(cx, &sorted, &high)?);
    let out = match method {
        Method::Linear => {
            let first = cx.mul(&low, &spread(&counter)?)?;
            cx.add(&first, &cx.mul(&high, &spread(&weight)?)?)?
        }
        Method::Midpoint => {
            let total = cx.add(&low, &high)?;
            cx.mul(&total, &cx.lit(0.5, &total)?)?
        }
        Method::Lower => low,
        Method::Higher => high,
        Method::Nearest => {
            let half = cx.lit(0.5, &weight)?;
            let down = spread(&cx.le(&weight, &half)?)?;
            where_values(cx, &down, &low, &high)?
        }
    };
    if !keep {
        return Ok(out);
    }
    let places: Vec<usize> = axes.iter().map(|i| i + q.rank()).collect();
    cx.expand_dims(&out, &places)
}

/// How a quantile between two elements is found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// On the line between them.
    Linear,
    /// The lower one.
    Lower,
    /// The higher one.
    Higher,
    /// Their mean.
    Midpoint,
    /// The nearer one.
    Nearest,
}

fn trapezoid(cx: &Ctx, a: &Args) -> Result<Ret> {
    let y = a.value(0)?;
    if y.rank() == 0 {
        return Err(Error::value_error(
            "trapezoid: y must have at least one axis",
        ));
    }
    let axis = a.axis(3, y.rank())?;
    let n = y.shape()[axis];
    if a.given(1) {
        let x = a.value(1)?;
        let out = named(cx, "trapezoid", &[y, x], move |cx, v| {
            let (y, x) = promote2_inexact(cx, "trapezoid", &v[0], &v[1])?;
            if x.shape().last() != Some(&n) {
                return Err(Error::value_error("trapezoid: x does not fit y"));
            }
            let y = cx.moveaxis(&y, axis, y.rank() - 1)?;
            let pair = |cx: &Ctx, v: &Value| -> Result<(Value, Value)> {
                let (axis, n) = (v.rank() - 1, v.shape()[v.rank() - 1]);
                let after = cx.slice_axis(v, axis, n.min(1), n)?;
                Ok((after, cx.slice_axis(v, axis, 0, n.saturating_sub(1))?))
            };
            let widths = named(cx, "diff", &[x], move |cx, v| {
                let (after, before) = pair(cx, &v[0])?;
                cx.sub(&after, &before)
            })?;
            let (y1, y0) = pair(cx, &y)?;
            let areas = cx.mul(&widths, &cx.add(&y1, &y0)?)?;
            let total = cx.reduce_sum(&areas, &[areas.rank() - 1])?;
            cx.mul(&cx.lit(0.5, &total)?, &total)
        })?;
        return Ok(out.into());
    }
    let dx = if a.given(2) { a.float(2)? } else { 1.0 };
    let out = named(cx, "trapezoid", &[y], move |cx, v| {
        let y = to_float(cx, &Arg::Value(v[0].clone()))?;
        let y = cx.moveaxis(&y, axis, y.rank() - 1)?;
        let last = y.rank() - 1;
        let total = cx.reduce_sum(&y, &[last])?;
        if n == 0 {
            return Ok(total);
        }
        let ends = cx.add(
            &index_in_dim(cx, &y, last, 0)?,
            &index_in_dim(cx, &y, last, n - 1)?,
        )?;
        let ends = cx.mul(&cx.lit(0.5, &ends)?, &ends)?;
        cx.mul(&cx.lit(dx, &total)?, &cx.sub(&total, &ends)?)
    })?;
    Ok(out.into())
}

fn interp(cx: &Ctx, v: &[Value], has_left: bool, has_right: bool) -> Result<Value> {
    let args = super::convert::args_of(v);
    let v = promote_inexact(cx, &args.iter().collect::<Vec<_>>())?;
    let (x, xp, fp) = (&v[0], &v[1], &v[2]);
    let n = xp.shape()[0];
    let place = insertion(cx, xp, x, true)?;
    let number = |value: f64| {
        as_value(
            cx,
            &Arg::Number {
                value,
                float: false,
            },
        )
    };
    let (low, high) = (number(1.0)?, number(n as f64 - 1.0)?);
    let i = clip(cx, &place, Some(&low), Some(&high))?;
    let j = cx.sub(&i, &cx.lit(1.0, &i)?)?;
    let at = |v: &Value, i: &Value| rows_at(cx, v, &super::index::from_the_end(cx, i, n)?);
    let df = cx.sub(&at(fp, &i)?, &at(fp, &j)?)?;
    let dx = cx.sub(&at(xp, &i)?, &at(xp, &j)?)?;
    let delta = cx.sub(x, &at(xp, &j)?)?;
    // Points closer than this count as one: the quotient would be noise.
    let epsilon = cx.lit(f64::from(f32::EPSILON) * f64::from(f32::EPSILON), &dx)?;
    let flat = cx.le(&cx.unary(&ABS, &dx)?, &epsilon)?;
    let run = where_number(cx, &flat, 1.0, &dx)?;
    let rise = cx.mul(&cx.div(&delta, &run)?, &df)?;
    let start = at(fp, &j)?;
    let inner = where_values(cx, &flat, &start, &cx.add(&start, &rise)?)?;
    let left = if has_left {
        v[3].clone()
    } else {
        index_in_dim(cx, fp, 0, 0)?
    };
    let before = cx.lt(x, &index_in_dim(cx, xp, 0, 0)?)?;
    let out = where_values(cx, &before, &left, &inner)?;
    let right = match has_right {
        true => v[3 + usize::from(has_left)].clone(),
        false => index_in_dim(cx, fp, 0, n - 1)?,
    };
    let after = cx.gt(x, &index_in_dim(cx, xp, 0, n - 1)?)?;
    where_values(cx, &after, &right, &out)
}

fn convolution(a: &Args, flipped: bool) -> Result<Ret> {
    let cx = a.cx;
    let name = if flipped { "convolve" } else { "correlate" };
    let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
    if v.iter().any(|x| x.rank() != 1) {
        return Err(Error::value_error(format!(
            "{name}() only support 1-dimensional inputs."
        )));
    }
    if v.iter().any(|x| x.shape()[0] == 0) {
        return Err(Error::value_error(format!(
            "{name}: inputs cannot be empty, got shapes ({},) and ({},).",
            v[0].shape()[0],
            v[1].shape()[0]
        )));
    }
    let mode = a.str(2)?.to_owned();
    if !matches!(mode.as_str(), "full" | "same" | "valid") {
        return Err(Error::value_error(
            "mode must be one of ['full', 'same', 'valid']",
        ));
    }
    let out = named(cx, name, &v, move |cx, v| {
        let args = super::convert::args_of(v);
        let both = promote_inexact(cx, &[&args[0], &args[1]])?;
        let (mut x, mut y) = (both[0].clone(), both[1].clone());
        let swapped = x.shape()[0] < y.shape()[0];
        if swapped {
            core::mem::swap(&mut x, &mut y);
        }
        let (n, m) = (x.shape()[0], y.shape()[0]);
        // Correlating with the longer one second is the turned-around result.
        let kernel = if flipped { flip(cx, &y, &[0])? } else { y };
        let (before, after) = match mode.as_str() {
            "full" => (m - 1, m - 1),
            "same" => (m / 2, m - m / 2 - 1),
            _ => (0, 0),
        };
        let zero = cx.lit(0.0, &x)?;
        let padded = cx.pad(&x, &zero, &[(before as isize, after as isize, 0)])?;
        let count = n + before + after + 1 - m;
        let rows = cx.iota(DType::I32, &[count, m], 0)?;
        let places = cx.add(&rows, &cx.iota(DType::I32, &[count, m], 1)?)?;
        let windows = rows_at(cx, &padded, &places)?;
        let out = cx.dot_general(
            &windows,
            &kernel,
            DotDims::contracting(1, 0),
            Some(x.dtype()),
        )?;
        if swapped && !flipped {
            flip(cx, &out, &[0])
        } else {
            Ok(out)
        }
    })?;
    Ok(out.into())
}
