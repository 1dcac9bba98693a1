//! Sums and their kin along axes.

use super::args::Args;
use super::convert::{astype, convert, inexact};
use super::prims::keep_dims;
use super::registry::{Arg, Ret, api};
use super::support::{named, truth, where_, where_number, where_values};
use crate::dtype::DType;
use crate::error::{Error, Result};
pub use crate::kernel::ReduceFn as Fold;
use crate::prim::power::SQRT;
use crate::prim::reduce::Reduce;
use crate::prim::rule::Ctx;
use crate::shape::Shape;
use crate::value::Value;
use alloc::{format, vec};

api! { FUNCTIONS;
    /// Sum of elements over axes.
    ///
    /// - `axis`: one axis, several, or null for all; negative ones count from the end.
    /// - `dtype`: the dtype of the sum; booleans are counted in int32.
    /// - `keepdims`: keep the axes with size 1.
    /// - `initial`: added to the sum.
    /// - `where`: a boolean array: which elements count.
    ///
    /// Raises `ValueError` for an axis out of bounds.
    "np.sum"(a: LIKE, axis: AXES = null, dtype: OPT_DTYPE = null; keepdims: BOOL = false, initial: OPT_LIKE = null, where: OPT_LIKE = null) -> ARRAY => |_, a| sum_like(a, Fold::Sum);
    /// Product of elements over axes. Arguments as in `np.sum`.
    "np.prod"(a: LIKE, axis: AXES = null, dtype: OPT_DTYPE = null; keepdims: BOOL = false, initial: OPT_LIKE = null, where: OPT_LIKE = null) -> ARRAY => |_, a| sum_like(a, Fold::Prod);
    /// Largest element over axes.
    ///
    /// - `axis`, `keepdims`, `where`: as in `np.sum`; with `where`, `initial` must be given.
    ///
    /// Raises `ValueError` for an empty axis without `initial`.
    "np.max"(a: LIKE, axis: AXES = null; keepdims: BOOL = false, initial: OPT_LIKE = null, where: OPT_LIKE = null) -> ARRAY => |_, a| extremum(a, Fold::Max);
    /// Smallest element over axes. Arguments as in `np.max`.
    "np.min"(a: LIKE, axis: AXES = null; keepdims: BOOL = false, initial: OPT_LIKE = null, where: OPT_LIKE = null) -> ARRAY => |_, a| extremum(a, Fold::Min);
    /// Largest element over axes. Arguments as in `np.max`.
    "np.amax"(a: LIKE, axis: AXES = null; keepdims: BOOL = false, initial: OPT_LIKE = null, where: OPT_LIKE = null) -> ARRAY => |_, a| extremum(a, Fold::Max);
    /// Smallest element over axes. Arguments as in `np.max`.
    "np.amin"(a: LIKE, axis: AXES = null; keepdims: BOOL = false, initial: OPT_LIKE = null, where: OPT_LIKE = null) -> ARRAY => |_, a| extremum(a, Fold::Min);
    /// Whether all elements hold, over axes.
    "np.all"(a: LIKE, axis: AXES = null; keepdims: BOOL = false, where: OPT_LIKE = null) -> ARRAY => |_, a| logical(a, Fold::And);
    /// Whether any element holds, over axes.
    "np.any"(a: LIKE, axis: AXES = null; keepdims: BOOL = false, where: OPT_LIKE = null) -> ARRAY => |_, a| logical(a, Fold::Or);
    /// Arithmetic mean over axes: sum(a) / n, a float.
    "np.mean"(a: LIKE, axis: AXES = null, dtype: OPT_DTYPE = null; keepdims: BOOL = false, where: OPT_LIKE = null) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let axes = a.axes(1, x.rank())?;
        let to = a.dtype(2)?.unwrap_or(inexact(cx, (x.dtype(), false)).0);
        let x = convert_for_reduction(cx, &x, to)?;
        Ok(mean(cx, &x, &axes, a.bool(3)?, a.opt_value(4)?.as_ref())?.into())
    };
    /// Variance over axes: mean(|a - mean(a)|²), with n - `ddof` in the denominator.
    "np.var"(a: LIKE, axis: AXES = null, dtype: OPT_DTYPE = null, ddof: FLOAT = 0; keepdims: BOOL = false, where: OPT_LIKE = null) -> ARRAY => |cx, a| Ok(variance(cx, a, false)?.into());
    /// Standard deviation over axes: sqrt(var(a)).
    "np.std"(a: LIKE, axis: AXES = null, dtype: OPT_DTYPE = null, ddof: FLOAT = 0; keepdims: BOOL = false, where: OPT_LIKE = null) -> ARRAY => |cx, a| Ok(variance(cx, a, true)?.into());
    /// Range over axes: max(a) - min(a).
    "np.ptp"(a: LIKE, axis: AXES = null; keepdims: BOOL = false) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let (axes, keep) = (a.axes(1, x.rank())?, a.bool(2)?);
        not_empty(&x, &axes, Fold::Max)?;
        Ok(named(cx, "_ptp", &[x], move |cx, v| {
            let high = reduce(cx, Fold::Max, &v[0], &axes, keep)?;
            cx.sub(&high, &reduce(cx, Fold::Min, &v[0], &axes, keep)?)
        })?.into())
    };
    /// How many elements are not zero, over axes.
    "np.countNonzero"(a: LIKE, axis: AXES = null; keepdims: BOOL = false) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let (axes, keep) = (a.axes(1, x.rank())?, a.bool(2)?);
        Ok(named(cx, "count_nonzero", &[x], move |cx, v| {
            let holds = cx.ne(&v[0], &cx.lit(0.0, &v[0])?)?;
            reduce(cx, Fold::Sum, &astype(cx, &holds, DType::I32)?, &axes, keep)
        })?.into())
    };
    /// Weighted mean over axes: sum(a * weights) / sum(weights).
    ///
    /// - `weights`: of the shape of `a`, or of one axis; null for the plain mean.
    "np.average"(a: LIKE, axis: AXES = null, weights: OPT_LIKE = null; keepdims: BOOL = false) -> ARRAY => |cx, a| average(cx, a);
    /// Sum over axes, NaN counting as 0.
    "np.nansum"(a: LIKE, axis: AXES = null, dtype: OPT_DTYPE = null; keepdims: BOOL = false) -> ARRAY => |_, a| nan_fold(a, "nansum", Fold::Sum, 0.0);
    /// Product over axes, NaN counting as 1.
    "np.nanprod"(a: LIKE, axis: AXES = null, dtype: OPT_DTYPE = null; keepdims: BOOL = false) -> ARRAY => |_, a| nan_fold(a, "nanprod", Fold::Prod, 1.0);
    /// Largest element over axes, NaN left out; NaN where nothing else is there.
    "np.nanmax"(a: LIKE, axis: AXES = null; keepdims: BOOL = false) -> ARRAY => |_, a| nan_extremum(a, "nanmax", Fold::Max);
    /// Smallest element over axes, NaN left out; NaN where nothing else is there.
    "np.nanmin"(a: LIKE, axis: AXES = null; keepdims: BOOL = false) -> ARRAY => |_, a| nan_extremum(a, "nanmin", Fold::Min);
    /// Mean over axes, NaN left out.
    "np.nanmean"(a: LIKE, axis: AXES = null, dtype: OPT_DTYPE = null; keepdims: BOOL = false) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let (axes, keep) = (a.axes(1, x.rank())?, a.bool(3)?);
        let to = a.dtype(2)?.unwrap_or(inexact(cx, (x.dtype(), false)).0);
        Ok(named(cx, "nanmean", &[x], move |cx, v| {
            let x = convert(cx, &v[0], (to, false))?;
            nanmean(cx, &x, &axes, keep)
        })?.into())
    };
    /// Variance over axes, NaN left out.
    "np.nanvar"(a: LIKE, axis: AXES = null, dtype: OPT_DTYPE = null, ddof: INT = 0; keepdims: BOOL = false) -> ARRAY => |cx, a| Ok(nanvar(cx, a)?.into());
    /// Standard deviation over axes, NaN left out.
    "np.nanstd"(a: LIKE, axis: AXES = null, dtype: OPT_DTYPE = null, ddof: INT = 0; keepdims: BOOL = false) -> ARRAY => |cx, a| {
        Ok(cx.unary(&SQRT, &nanvar(cx, a)?)?.into())
    };
}

/// The value that changes nothing in a reduction, in a dtype.
pub fn neutral(fold: Fold, dtype: DType) -> f64 {
    let (low, high) = match dtype {
        DType::I32 => (f64::from(i32::MIN), f64::from(i32::MAX)),
        DType::U32 => (0.0, f64::from(u32::MAX)),
        DType::Bool => (0.0, 1.0),
        _ => (f64::NEG_INFINITY, f64::INFINITY),
    };
    match fold {
        Fold::Sum | Fold::Or | Fold::Xor => 0.0,
        Fold::Prod | Fold::And => 1.0,
        Fold::Max => low,
        Fold::Min => high,
    }
}

/// Reduces over axes, keeping them with size 1 if asked.
pub fn reduce(cx: &Ctx, fold: Fold, x: &Value, axes: &[usize], keep: bool) -> Result<Value> {
    let x = convert_for_reduction(cx, x, x.dtype())?;
    let op = Reduce {
        fold,
        axes: Shape::from_slice(axes),
    };
    let out = cx.bind1(&op, &[x])?;
    if keep {
        keep_dims(cx, &out, axes)
    } else {
        Ok(out)
    }
}

/// A reduction's operand loses its weakness: the result is an array's.
fn convert_for_reduction(cx: &Ctx, x: &Value, dtype: DType) -> Result<Value> {
    convert(cx, x, (dtype, false))
}

/// Elements that do not count become the neutral one.
fn masked(cx: &Ctx, x: &Value, keep: Option<&Value>, neutral: f64) -> Result<Value> {
    match keep {
        Some(keep) => where_values(cx, keep, x, &cx.lit(neutral, x)?),
        None => Ok(x.clone()),
    }
}

fn sum_like(a: &Args, fold: Fold) -> Result<Ret> {
    let cx = a.cx;
    let x = a.value(0)?;
    let axes = a.axes(1, x.rank())?;
    let dtype = a.dtype(2)?.unwrap_or(match x.dtype() {
        DType::Bool => DType::I32,
        d => d,
    });
    let x = convert_for_reduction(cx, &x, dtype)?;
    let x = masked(cx, &x, a.opt_value(5)?.as_ref(), neutral(fold, dtype))?;
    let out = reduce(cx, fold, &x, &axes, a.bool(3)?)?;
    let Some(initial) = initial(a, 4, dtype)? else {
        return Ok(out.into());
    };
    let joined = match fold {
        Fold::Sum => cx.add(&initial, &out)?,
        _ => cx.mul(&initial, &out)?,
    };
    Ok(joined.into())
}

fn initial(a: &Args, i: usize, dtype: DType) -> Result<Option<Value>> {
    if !a.given(i) {
        return Ok(None);
    }
    let v = super::convert::cast(a.cx, a.array_like(i)?, (dtype, false))?;
    if v.rank() > 0 {
        return Err(Error::value_error("initial value must be a scalar"));
    }
    Ok(Some(v))
}

fn not_empty(x: &Value, axes: &[usize], fold: Fold) -> Result<()> {
    if axes.iter().any(|&i| x.shape()[i] == 0) {
        let name = if fold == Fold::Max { "max" } else { "min" };
        return Err(Error::value_error(format!(
            "zero-size array to reduction operation {name} which has no identity"
        )));
    }
    Ok(())
}

fn extremum(a: &Args, fold: Fold) -> Result<Ret> {
    let cx = a.cx;
    let x = a.value(0)?;
    let axes = a.axes(1, x.rank())?;
    let keep = a.opt_value(4)?;
    if !a.given(3) {
        not_empty(&x, &axes, fold)?;
        if keep.is_some() {
            let name = if fold == Fold::Max { "max" } else { "min" };
            return Err(Error::value_error(format!(
                "reduction operation {name} does not have an identity, so to use a where mask one has to specify 'initial'"
            )));
        }
    }
    let dtype = x.dtype();
    let x = convert_for_reduction(cx, &x, dtype)?;
    let x = masked(cx, &x, keep.as_ref(), neutral(fold, dtype))?;
    let out = reduce(cx, fold, &x, &axes, a.bool(2)?)?;
    let Some(initial) = initial(a, 3, dtype)? else {
        return Ok(out.into());
    };
    let joined = match fold {
        Fold::Max => cx.max(&initial, &out)?,
        _ => cx.min(&initial, &out)?,
    };
    Ok(joined.into())
}

fn logical(a: &Args, fold: Fold) -> Result<Ret> {
    let cx = a.cx;
    let x = a.value(0)?;
    let axes = a.axes(1, x.rank())?;
    let x = convert(cx, &x, (DType::Bool, false))?;
    let x = masked(cx, &x, a.opt_value(3)?.as_ref(), neutral(fold, DType::Bool))?;
    Ok(reduce(cx, fold, &x, &axes, a.bool(2)?)?.into())
}

/// How many elements count, as a number or (with a mask) a sum.
fn counted(cx: &Ctx, x: &Value, axes: &[usize], keep: bool, mask: Option<&Value>) -> Result<Value> {
    let Some(mask) = mask else {
        let n: usize = axes.iter().map(|&i| x.shape()[i]).product();
        return cx.lit(n as f64, x);
    };
    let mask = super::convert::broadcast_to(cx, &truth(cx, mask)?, x.shape())?;
    let ones = astype(cx, &astype(cx, &mask, DType::I32)?, x.dtype())?;
    reduce(cx, Fold::Sum, &ones, axes, keep)
}

/// The mean of floats.
pub fn mean(
    cx: &Ctx,
    x: &Value,
    axes: &[usize],
    keep: bool,
    mask: Option<&Value>,
) -> Result<Value> {
    let count = counted(cx, x, axes, keep, mask)?;
    let x = masked(cx, x, mask, 0.0)?;
    cx.div(&reduce(cx, Fold::Sum, &x, axes, keep)?, &count)
}

/// `_var` and `_std`, whose `ddof` is an operand.
fn variance(cx: &Ctx, a: &Args, root: bool) -> Result<Value> {
    let x = a.value(0)?;
    let (axes, keep) = (a.axes(1, x.rank())?, a.bool(4)?);
    let to = a.dtype(2)?.unwrap_or(inexact(cx, (x.dtype(), false)).0);
    let zero = super::registry::Arg::Number {
        value: 0.0,
        float: false,
    };
    let ddof = if a.given(3) { a.array_like(3)? } else { &zero };
    let mut args = vec![x, super::convert::as_value(cx, ddof)?];
    args.extend(a.opt_value(5)?);
    let body = move |cx: &Ctx, v: &[Value]| {
        let x = convert(cx, &v[0], (to, false))?;
        let mask = v.get(2);
        let center = mean(cx, &x, &axes, true, mask)?;
        let squares = cx.square(&cx.sub(&x, &center)?)?;
        let count = counted(cx, &x, &axes, keep, mask)?;
        let rest = cx.sub(&count, &convert(cx, &v[1], (to, false))?)?;
        let squares = masked(cx, &squares, mask, 0.0)?;
        let total = reduce(cx, Fold::Sum, &squares, &axes, keep)?;
        let out = cx.div(&total, &rest)?;
        let enough = cx.gt(&rest, &cx.lit(0.0, &rest)?)?;
        let nan = Value::from(crate::array::Array::scalar(f64::NAN, to, true)?);
        where_values(cx, &enough, &out, &nan)
    };
    if !root {
        return named(cx, "_var", &args, body);
    }
    let body = alloc::rc::Rc::new(body);
    named(cx, "_std", &args, move |cx, v| {
        let inner = alloc::rc::Rc::clone(&body);
        let var = named(cx, "_var", v, move |cx, v| inner(cx, v))?;
        cx.unary(&SQRT, &var)
    })
}

fn average(cx: &Ctx, a: &Args) -> Result<Ret> {
    let x = a.value(0)?;
    let keep = a.bool(3)?;
    let axes = a.axes(1, x.rank())?;
    if !a.given(2) {
        let to = inexact(cx, (x.dtype(), false));
        return Ok(mean(cx, &convert(cx, &x, to)?, &axes, keep, None)?.into());
    }
    let mut v = super::convert::promote_inexact(cx, &[a.arg(0), a.array_like(2)?])?;
    let mut weights = super::support::one(v.split_off(1))?;
    let x = super::support::one(v)?;
    if weights.shape() != x.shape() {
        if !a.given(1) {
            return Err(Error::value_error(
                "Axis must be specified when shapes of a and weights differ.",
            ));
        }
        let fits =
            axes.len() == 1 && weights.rank() == 1 && weights.shape()[0] == x.shape()[axes[0]];
        if !fits {
            return Err(Error::value_error(
                "Shape of weights must be consistent with shape of a along specified axis.",
            ));
        }
        let mut shape = Shape::from_elem(1, x.rank());
        shape[axes[0]] = x.shape()[axes[0]];
        weights = cx.reshape(&weights, &shape)?;
    }
    let total = reduce(cx, Fold::Sum, &weights, &axes, keep)?;
    let products = cx.mul(&x, &weights)?;
    Ok(cx
        .div(&reduce(cx, Fold::Sum, &products, &axes, keep)?, &total)?
        .into())
}

/// NaN replaced by a number; integers have none.
fn without_nan(cx: &Ctx, x: &Value, by: f64) -> Result<Value> {
    if !x.dtype().is_float() {
        return Ok(x.clone());
    }
    where_number(cx, &cx.ne(x, x)?, by, x)
}

fn nan_fold(a: &Args, name: &'static str, fold: Fold, neutral: f64) -> Result<Ret> {
    let x = a.value(0)?;
    let (axes, keep) = (a.axes(1, x.rank())?, a.bool(3)?);
    let dtype = a.dtype(2)?.unwrap_or(match x.dtype() {
        DType::Bool => DType::I32,
        d => d,
    });
    let out = named(a.cx, name, &[x], move |cx, v| {
        let x = without_nan(cx, &v[0], neutral)?;
        reduce(cx, fold, &convert(cx, &x, (dtype, false))?, &axes, keep)
    })?;
    Ok(out.into())
}

fn nan_extremum(a: &Args, name: &'static str, fold: Fold) -> Result<Ret> {
    let x = a.value(0)?;
    let (axes, keep) = (a.axes(1, x.rank())?, a.bool(2)?);
    not_empty(&x, &axes, fold)?;
    let out = named(a.cx, name, &[x], move |cx, v| {
        let x = convert_for_reduction(cx, &v[0], v[0].dtype())?;
        if !x.dtype().is_float() {
            return reduce(cx, fold, &x, &axes, keep);
        }
        let filled = without_nan(cx, &x, neutral(fold, x.dtype()))?;
        let out = reduce(cx, fold, &filled, &axes, keep)?;
        let all_nan = reduce(cx, Fold::And, &cx.ne(&x, &x)?, &axes, keep)?;
        where_number(cx, &all_nan, f64::NAN, &out)
    })?;
    Ok(out.into())
}

fn nanmean(cx: &Ctx, x: &Value, axes: &[usize], keep: bool) -> Result<Value> {
    let there = cx.not(&cx.ne(x, x)?)?;
    let ones = astype(cx, &astype(cx, &there, DType::I32)?, x.dtype())?;
    let count = reduce(cx, Fold::Sum, &ones, axes, keep)?;
    let axes = Shape::from_slice(axes);
    let total = named(cx, "nansum", core::slice::from_ref(x), move |cx, v| {
        reduce(cx, Fold::Sum, &without_nan(cx, &v[0], 0.0)?, &axes, keep)
    })?;
    cx.div(&total, &count)
}

fn nanvar(cx: &Ctx, a: &Args) -> Result<Value> {
    let x = a.value(0)?;
    let (axes, keep, ddof) = (a.axes(1, x.rank())?, a.bool(4)?, a.int(3)?);
    let to = a.dtype(2)?.unwrap_or(inexact(cx, (x.dtype(), false)).0);
    let number = |value: f64, float: bool| Arg::Number { value, float };
    named(cx, "nanvar", &[x], move |cx, v| {
        let x = convert(cx, &v[0], (to, false))?;
        let over = axes.clone();
        let center = named(cx, "nanmean", core::slice::from_ref(&x), move |cx, v| {
            nanmean(cx, &v[0], &over, true)
        })?;
        let nan = cx.ne(&x, &x)?;
        let gap = Arg::Value(cx.sub(&x, &center)?);
        let squares = cx.square(&where_(cx, &nan, &number(0.0, false), &gap)?)?;
        let there = astype(cx, &cx.not(&cx.ne(&x, &x)?)?, DType::I32)?;
        let count = reduce(cx, Fold::Sum, &there, &axes, keep)?;
        let rest = cx.sub(&count, &cx.lit(ddof as f64, &count)?)?;
        let too_few = cx.le(&rest, &cx.lit(0.0, &rest)?)?;
        let total = Arg::Value(reduce(cx, Fold::Sum, &squares, &axes, keep)?);
        let total = where_(cx, &too_few, &number(f64::NAN, true), &total)?;
        let rest = where_(cx, &too_few, &number(1.0, false), &Arg::Value(rest))?;
        cx.div(&total, &astype(cx, &rest, to)?)
    })
}
