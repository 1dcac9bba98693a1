//! Arrays made by a rule: ranges, grids, triangles, diagonals.

use super::args::{Args, canonical_axis};
use super::convert::{astype, broadcast_to, convert, inexact, promote_inexact, typed};
use super::registry::{Arg, Ret, api};
use super::shaping::flat;
use super::support::{named, select, values, where_values};
use crate::aval::Aval;
use crate::dtype::{DType, promote};
use crate::error::{Class, Error, Result};
use crate::ir::print::python_float;
#[cfg(target_arch = "wasm32")]
use crate::kernel::Float;
use crate::prim::arithmetic::SIGN;
use crate::prim::rounding::FLOOR;
use crate::prim::rule::Ctx;
use crate::prim::transcendental::{EXP, LOG};
use crate::shape::Shape;
use crate::value::Value;
use alloc::{format, string::String, string::ToString, vec, vec::Vec};

/// More elements than this in a range are refused before anything is computed.
const MAX_COUNT: f64 = (1u64 << 40) as f64;

api! { FUNCTIONS;
    /// Numbers from `start` up to `stop`, exclusive, by `step`.
    ///
    /// - `start`: the first number; with one argument it is the end, and the range starts at 0.
    /// - `dtype`: int32 for whole numbers, else float32, when null.
    "np.arange"(start: FLOAT, stop: OPT_FLOAT = null, step: OPT_FLOAT = null; dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| arange(cx, a);
    /// `num` numbers evenly from `start` to `stop`.
    ///
    /// - `endpoint`: whether `stop` is the last one.
    /// - `retstep`: give `[numbers, step]`.
    /// - `axis`: where the numbers lie, when `start` or `stop` is an array.
    "np.linspace"(start: LIKE, stop: LIKE, num: INT = 50, endpoint: BOOL = true, retstep: BOOL = false, dtype: OPT_DTYPE = null, axis: INT = 0) -> ARRAY => |cx, a| linspace(cx, a);
    /// `num` numbers evenly on a logarithmic scale, from base ** start to base ** stop.
    "np.logspace"(start: LIKE, stop: LIKE, num: INT = 50, endpoint: BOOL = true, base: LIKE = 10.0, dtype: OPT_DTYPE = null, axis: INT = 0) -> ARRAY => |cx, a| {
        let ten = Arg::Number { value: 10.0, float: true };
        let base = if a.given(4) { a.array_like(4)? } else { &ten };
        let v = values(cx, &[a.array_like(0)?, a.array_like(1)?, base])?;
        let (plan, dtype) = (Plan::read(a, 2, 3, 6)?, a.dtype(5)?);
        Ok(named(cx, "_logspace", &v, move |cx, v| {
            let args = super::convert::args_of(v);
            let v = promote_inexact(cx, &[&args[0], &args[1], &args[2]])?;
            let plan = plan.clone();
            let exponents = named(cx, "_linspace", &v[..2], move |cx, v| Ok(spaced(cx, v, &plan, None)?.0))?;
            let out = cx.pow(&v[2], &exponents)?;
            dtype.map_or(Ok(out.clone()), |d| astype(cx, &out, d))
        })?.into())
    };
    /// `num` numbers in geometric progression from `start` to `stop`, which have the same sign.
    ///
    /// - `endpoint`: whether `stop` is the last one.
    /// - `axis`: where the numbers lie, when `start` or `stop` is an array.
    "np.geomspace"(start: LIKE, stop: LIKE, num: INT = 50, endpoint: BOOL = true, dtype: OPT_DTYPE = null, axis: INT = 0) -> ARRAY => |cx, a| geomspace(cx, a);
    /// A matrix with ones on a diagonal, zeros elsewhere.
    ///
    /// - `N`, `M`: rows and columns; as many columns as rows when null.
    /// - `k`: which diagonal; positive ones lie above the main one.
    "np.eye"(N: INT, M: OPT_INT = null, k: INT = 0, dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        let (n, m) = (side(a, 0)?, if a.given(1) { side(a, 1)? } else { side(a, 0)? });
        let dtype = a.dtype(3)?.unwrap_or(cx.env.default_float());
        let (rows, columns) = (cx.iota(DType::I32, &[n, m], 0)?, cx.iota(DType::I32, &[n, m], 1)?);
        let shifted = cx.add(&rows, &cx.lit(a.int(2)? as f64, &rows)?)?;
        Ok(astype(cx, &cx.eq(&shifted, &columns)?, dtype)?.into())
    };
    /// The square identity matrix of n rows.
    "np.identity"(n: INT, dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        let n = side(a, 0)?;
        let dtype = a.dtype(1)?.unwrap_or(cx.env.default_float());
        let (rows, columns) = (cx.iota(DType::I32, &[n, n], 0)?, cx.iota(DType::I32, &[n, n], 1)?);
        let shifted = cx.add(&rows, &cx.lit(0.0, &rows)?)?;
        Ok(astype(cx, &cx.eq(&shifted, &columns)?, dtype)?.into())
    };
    /// A matrix with ones at and below a diagonal, zeros elsewhere.
    "np.tri"(N: INT, M: OPT_INT = null, k: INT = 0, dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        let (n, m) = (side(a, 0)?, if a.given(1) { side(a, 1)? } else { side(a, 0)? });
        let dtype = a.dtype(3)?.unwrap_or(cx.env.default_float());
        Ok(astype(cx, &triangle(cx, n, m, a.int(2)?)?, dtype)?.into())
    };
    /// The lower triangle of matrices: elements above the diagonal become 0.
    ///
    /// - `k`: which diagonal is the last one kept.
    "np.tril"(m: LIKE, k: INT = 0) -> ARRAY => |_, a| triangular(a, "tril", true);
    /// The upper triangle of matrices: elements below the diagonal become 0.
    ///
    /// - `k`: which diagonal is the first one kept.
    "np.triu"(m: LIKE, k: INT = 0) -> ARRAY => |_, a| triangular(a, "triu", false);
    /// A matrix with a vector on its diagonal, or the diagonal of a matrix.
    "np.diag"(v: LIKE, k: INT = 0) -> ARRAY => |cx, a| {
        let (x, k) = (a.value(0)?, a.int(1)?);
        Ok(named(cx, "_diag", &[x], move |cx, v| diag(cx, &v[0], k))?.into())
    };
    /// A matrix with all elements of an array on its diagonal.
    "np.diagflat"(v: LIKE, k: INT = 0) -> ARRAY => |cx, a| {
        let (x, k) = (flat(cx, &a.value(0)?)?, a.int(1)?);
        Ok(named(cx, "_diag", &[x], move |cx, v| diag(cx, &v[0], k))?.into())
    };
    /// Diagonals of matrices along two axes; they lie along the last axis of the result.
    "np.diagonal"(a: LIKE, offset: INT = 0, axis1: INT = 0, axis2: INT = 1) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        if x.rank() < 2 {
            return Err(Error::value_error("diagonal requires an array of at least two dimensions."));
        }
        let (k, p, q) = (a.int(1)?, a.axis(2, x.rank())?, a.axis(3, x.rank())?);
        Ok(named(cx, "diagonal", &[x], move |cx, v| diagonal(cx, &v[0], k, p, q))?.into())
    };
    /// Coordinate arrays of a grid from coordinate vectors.
    ///
    /// - `indexing`: "xy" (the second vector runs along the first axis) or "ij".
    /// - `sparse`: leave size-1 axes instead of repeating.
    "np.meshgrid"(xi: LIKES; sparse: BOOL = false, indexing: STRING = "xy")(..) -> ARRAYS => |cx, a| meshgrid(cx, a);
    /// Indices of all elements of a grid, one array per axis, stacked.
    "np.indices"(dimensions: INTS; dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        let shape = a.shape(0)?;
        let dtype = a.dtype(1)?.unwrap_or(DType::I32);
        let mut out = Vec::new();
        for (i, n) in shape.iter().enumerate() {
            let line = cx.iota(dtype, &[*n], 0)?;
            out.push(cx.broadcast_in_dim(&line, &shape, &[i])?);
        }
        if out.is_empty() {
            return Ok(cx.full(0.0, &Aval::new(&[0], dtype))?.into());
        }
        Ok(cx.stack(&out, 0)?.into())
    };
}

fn side(a: &Args, i: usize) -> Result<usize> {
    let n = a.int(i)?;
    usize::try_from(n).map_err(|_| {
        let other = if a.given(1) {
            a.int(1).map_or("None".into(), |n| n.to_string())
        } else {
            "None".into()
        };
        Error::value_error(format!(
            "negative dimensions are not allowed, got {n} and {other}"
        ))
    })
}

fn arange(cx: &Ctx, a: &Args) -> Result<Ret> {
    let mut types = Vec::new();
    for i in 0..3 {
        if i == 0 || a.given(i) {
            types.push(typed(cx, a.array_like(i)?)?);
        }
    }
    let dtype = a
        .dtype(3)?
        .unwrap_or_else(|| promote(types, cx.env.x64.get()).0);
    let (start, stop) = if a.given(1) {
        (a.float(0)?, a.float(1)?)
    } else {
        (0.0, a.float(0)?)
    };
    let step = if a.given(2) { a.float(2)? } else { 1.0 };
    if step == 0.0 {
        return Err(Error::new(Class::ZeroDivisionError, "division by zero"));
    }
    let count = ((stop - start) / step).ceil();
    if count.is_nan() {
        return Err(Error::value_error("arange: cannot compute length"));
    }
    if count > MAX_COUNT {
        return Err(Error::new(
            Class::ResourceError,
            format!(
                "arange of {} elements does not fit into memory",
                python_float(count)
            ),
        ));
    }
    let n = count.max(0.0) as usize;
    let line = cx.iota(dtype, &[n], 0)?;
    if a.given(2) {
        let scaled = cx.mul(&cx.lit(step, &line)?, &line)?;
        return Ok(cx.add(&cx.lit(start, &line)?, &scaled)?.into());
    }
    if start != 0.0 {
        return Ok(cx.add(&cx.lit(start, &line)?, &line)?.into());
    }
    Ok(line.into())
}

/// How many numbers `linspace` makes, and where they lie.
#[derive(Clone)]
struct Plan {
    num: usize,
    endpoint: bool,
    axis: i64,
}

impl Plan {
    fn read(a: &Args, num: usize, endpoint: usize, axis: usize) -> Result<Plan> {
        let n = a.int(num)?;
        if n < 0 {
            return Err(Error::value_error(format!(
                "Number of samples, {n}, must be non-negative."
            )));
        }
        Ok(Plan {
            num: super::args::count(n)?,
            endpoint: a.bool(endpoint)?,
            axis: a.int(axis)?,
        })
    }
}

fn geomspace(cx: &Ctx, a: &Args) -> Result<Ret> {
    let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
    let (plan, dtype) = (Plan::read(a, 2, 3, 5)?, a.dtype(4)?);
    Ok(named(cx, "_geomspace", &v, move |cx, v| {
        let args = super::convert::args_of(v);
        let v = promote_inexact(cx, &[&args[0], &args[1]])?;
        let sign = cx.unary(&SIGN, &v[0])?;
        let logs = [&v[0], &v[1]].map(|x| cx.unary(&LOG, &cx.div(x, &sign)?));
        let [from, to] = logs;
        let first = Plan {
            axis: 0,
            ..plan.clone()
        };
        let exponents = spaced(cx, &[from?, to?], &first, None)?.0;
        let signs = broadcast_to(cx, &sign, exponents.shape())?;
        let out = cx.mul(&signs, &cx.unary(&EXP, &exponents)?)?;
        let axis = canonical_axis(plan.axis, out.rank())?;
        let out = cx.moveaxis(&out, 0, axis)?;
        dtype.map_or(Ok(out.clone()), |d| astype(cx, &out, d))
    })?
    .into())
}

fn linspace(cx: &Ctx, a: &Args) -> Result<Ret> {
    let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
    let (plan, dtype, retstep) = (Plan::read(a, 2, 3, 6)?, a.dtype(5)?, a.bool(4)?);
    let out = super::support::named_many(cx, "_linspace", &v, move |cx, v| {
        let (numbers, step) = spaced(cx, v, &plan, dtype)?;
        Ok(if retstep {
            vec![numbers, step]
        } else {
            vec![numbers]
        })
    })?;
    if retstep {
        return Ok(Ret::List(out.into_iter().map(Ret::Value).collect()));
    }
    Ok(super::support::one(out)?.into())
}

/// The numbers of `linspace` and the step between them.
fn spaced(cx: &Ctx, v: &[Value], plan: &Plan, dtype: Option<DType>) -> Result<(Value, Value)> {
    let args = super::convert::args_of(v);
    let to = inexact(cx, super::convert::result_type(cx, &[&args[0], &args[1]])?).0;
    let result = dtype.unwrap_or(to);
    let compute = if result.is_float() { result } else { to };
    let (start, stop) = (astype(cx, &v[0], compute)?, astype(cx, &v[1], compute)?);
    let shape = super::shaping::common_shape([start.shape(), stop.shape()].into_iter())?;
    let (start, stop) = (
        broadcast_to(cx, &start, &shape)?,
        broadcast_to(cx, &stop, &shape)?,
    );
    let div = if plan.endpoint {
        plan.num.saturating_sub(1)
    } else {
        plan.num
    };
    let mut leading = shape.clone();
    leading.insert(0, 1);
    if plan.num <= 1 || div == 0 {
        let out = if plan.num == 0 {
            leading[0] = 0;
            cx.full(0.0, &Aval::new(&leading, compute))?
        } else {
            cx.reshape(&start, &leading)?
        };
        let step = match div {
            0 => cx.lit(f64::NAN, &start)?,
            _ => cx.sub(&stop, &start)?,
        };
        return Ok((convert(cx, &out, (result, false))?, step));
    }
    let step = cx.div(&cx.sub(&stop, &start)?, &cx.lit(div as f64, &start)?)?;
    let mut line = cx.iota(compute, &[div], 0)?;
    if !shape.is_empty() {
        let mut column = Shape::from_elem(1, shape.len() + 1);
        column[0] = div;
        line = cx.reshape(&line, &column)?;
    }
    let part = cx.div(&line, &cx.lit(div as f64, &line)?)?;
    let from = cx.reshape(&start, &leading)?;
    let rest = cx.sub(&cx.lit(1.0, &part)?, &part)?;
    let from = cx.mul(&from, &rest)?;
    let to = cx.mul(&cx.reshape(&stop, &leading)?, &part)?;
    let mut out = cx.add(&from, &to)?;
    if plan.endpoint {
        let dims: Vec<usize> = (1..leading.len()).collect();
        let last = cx.broadcast_in_dim(&stop, &leading, &dims)?;
        out = cx.concatenate(&[out, last], 0)?;
    }
    let axis = canonical_axis(plan.axis, out.rank())?;
    out = cx.moveaxis(&out, 0, axis)?;
    if !result.is_float() {
        out = cx.unary(&FLOOR, &out)?;
    }
    Ok((convert(cx, &out, (result, false))?, step))
}

/// Where row + k >= column.
fn triangle(cx: &Ctx, n: usize, m: usize, k: i64) -> Result<Value> {
    let rows = cx.iota(DType::I32, &[n, m], 0)?;
    let shifted = cx.add(&rows, &cx.lit(k as f64, &rows)?)?;
    cx.ge(&shifted, &cx.iota(DType::I32, &[n, m], 1)?)
}

fn triangular(a: &Args, name: &'static str, lower: bool) -> Result<Ret> {
    let (x, k) = (a.value(0)?, a.int(1)?);
    if x.rank() < 2 {
        return Err(Error::value_error(format!(
            "Argument to jax.numpy.{name} must be at least 2D"
        )));
    }
    let out = named(a.cx, name, &[x], move |cx, v| {
        let x = &v[0];
        let [.., n, m] = x.shape() else {
            return Ok(x.clone());
        };
        let below = triangle(cx, *n, *m, if lower { k } else { k - 1 })?;
        let below = broadcast_to(cx, &below, x.shape())?;
        let zeros = cx.full(0.0, x.aval())?;
        if lower {
            select(cx, &below, x, &zeros)
        } else {
            select(cx, &below, &zeros, x)
        }
    })?;
    Ok(out.into())
}

fn diag(cx: &Ctx, x: &Value, k: i64) -> Result<Value> {
    match x.rank() {
        1 => {
            let pad = k.unsigned_abs() as isize;
            let zero = cx.lit(0.0, x)?;
            let config = if k > 0 { (0, pad, 0) } else { (pad, 0, 0) };
            let padded = cx.pad(x, &zero, &[config])?;
            let n = padded.shape()[0];
            let (rows, columns) = (
                cx.iota(DType::I32, &[n, n], 0)?,
                cx.iota(DType::I32, &[n, n], 1)?,
            );
            let shifted = cx.add(&rows, &cx.lit(k as f64, &rows)?)?;
            let on = cx.eq(&shifted, &columns)?;
            let line = cx.broadcast_in_dim(&padded, &[n, 1], &[0])?;
            where_values(cx, &on, &line, &cx.lit(0.0, x)?)
        }
        2 => named(cx, "diagonal", core::slice::from_ref(x), move |cx, v| {
            diagonal(cx, &v[0], k, 0, 1)
        }),
        _ => Err(Error::value_error("diag input must be 1d or 2d")),
    }
}

/// The diagonal along two axes, put last: a strided slice of the flattened matrices.
pub fn diagonal(cx: &Ctx, x: &Value, k: i64, axis1: usize, axis2: usize) -> Result<Value> {
    if axis1 == axis2 {
        return Err(Error::value_error("axis1 and axis2 cannot be the same"));
    }
    let mut order: Vec<usize> = (0..x.rank())
        .filter(|i| *i != axis1 && *i != axis2)
        .collect();
    order.extend([axis1, axis2]);
    let x = cx.transpose(x, &order)?;
    let rank = x.rank();
    let (n, m) = (x.shape()[rank - 2] as i64, x.shape()[rank - 1] as i64);
    let count = if k >= 0 { n.min(m - k) } else { m.min(n + k) }.max(0) as usize;
    let mut shape = Shape::from_slice(&x.shape()[..rank - 2]);
    if count == 0 {
        shape.push(0);
        return cx.full(
            0.0,
            &Aval {
                shape,
                ..x.aval().clone()
            },
        );
    }
    shape.push((n * m) as usize);
    let flat = cx.reshape(&x, &shape)?;
    let first = if k >= 0 { k } else { -k * m } as usize;
    let last = first + (count - 1) * (m as usize + 1) + 1;
    let mut starts = Shape::from_elem(0, shape.len());
    let mut limits = shape.clone();
    let mut strides = Shape::from_elem(1, shape.len());
    if let (Some(s), Some(l), Some(t)) = (starts.last_mut(), limits.last_mut(), strides.last_mut())
    {
        (*s, *l, *t) = (first, last, m as usize + 1);
    }
    cx.slice(&flat, &starts, &limits, Some(&strides))
}

fn meshgrid(cx: &Ctx, a: &Args) -> Result<Ret> {
    let v = values(cx, &a.list(0)?.iter().collect::<Vec<_>>())?;
    let indexing = a.str(2)?;
    if !matches!(indexing, "xy" | "ij") {
        return Err(Error::value_error(format!(
            "Valid values for indexing are 'xy' and 'ij', got {indexing}"
        )));
    }
    if v.iter().any(|x| x.rank() > 1) {
        let shapes: Vec<String> = v.iter().map(|x| crate::shape::tuple(x.shape())).collect();
        return Err(Error::value_error(format!(
            "Arguments to jax.numpy.meshgrid must be 1D, got shapes [{}]",
            shapes.join(", ")
        )));
    }
    let mut place: Vec<usize> = (0..v.len()).collect();
    if indexing == "xy" && v.len() >= 2 {
        place.swap(0, 1);
    }
    let mut shape = Shape::from_elem(1, v.len());
    for (x, at) in v.iter().zip(&place) {
        shape[*at] = x.shape().first().copied().unwrap_or(1);
    }
    let sparse = a.bool(1)?;
    let mut out = vec![Ret::None; v.len()];
    // Made in the order of the axes they run along, as JAX does.
    for at in 0..v.len() {
        let i = place[at];
        let x = flat(cx, &v[i])?;
        let mut own = Shape::from_elem(1, v.len());
        own[at] = shape[at];
        let full = if sparse { &own } else { &shape };
        out[i] = Ret::Value(cx.broadcast_in_dim(&x, full, &[at])?);
    }
    Ok(Ret::List(out))
}
