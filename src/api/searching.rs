//! Finding, counting and ordering elements.

use super::args::Args;
use super::convert::{as_value, astype, concretization, promote_dtypes};
use super::prims::keep_dims;
use super::registry::{Arg, Ret, api};
use super::shaping::flat;
use super::support::{named, one, values};
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result};
use crate::kernel::ArgFn;
use crate::prim::rule::Ctx;
use crate::shape::{Shape, strides};
use crate::value::Value;
use alloc::{format, vec, vec::Vec};

api! { FUNCTIONS;
    /// Index of the largest element, the first of equal ones.
    ///
    /// - `axis`: along which; of the flattened array when null.
    "np.argmax"(a: LIKE, axis: AXIS = null; keepdims: BOOL = false) -> ARRAY => |_, a| arg_extremum(a, ArgFn::Max);
    /// Index of the smallest element, the first of equal ones.
    "np.argmin"(a: LIKE, axis: AXIS = null; keepdims: BOOL = false) -> ARRAY => |_, a| arg_extremum(a, ArgFn::Min);
    /// Elements in ascending order along an axis; NaN last.
    ///
    /// - `axis`: along which; the flattened array when null.
    /// - `descending`: the other way round.
    "np.sort"(a: LIKE, axis: AXIS = -1; stable: BOOL = true, descending: BOOL = false) -> ARRAY => |cx, a| {
        let (x, axis, down) = (a.value(0)?, sort_axis(a)?, a.bool(3)?);
        Ok(named(cx, "sort", &[x], move |cx, v| {
            let (x, axis) = along(cx, &v[0], axis)?;
            let sorted = one(cx.sort(&[x], axis, 1)?)?;
            if down { cx.rev(&sorted, &[axis]) } else { Ok(sorted) }
        })?.into())
    };
    /// Indices that would sort an array along an axis.
    "np.argsort"(a: LIKE, axis: AXIS = -1; stable: BOOL = true, descending: BOOL = false) -> ARRAY => |cx, a| {
        let (x, axis, down) = (a.value(0)?, sort_axis(a)?, a.bool(3)?);
        Ok(named(cx, "argsort", &[x], move |cx, v| {
            let (mut x, axis) = along(cx, &v[0], axis)?;
            let mut places = cx.iota(DType::I32, x.shape(), axis)?;
            // Turned around before and after, so that equal elements keep their order.
            if down {
                x = cx.rev(&x, &[axis])?;
                places = cx.rev(&places, &[axis])?;
            }
            let out = one(cx.sort(&[x, places], axis, 1)?)?;
            if down { cx.rev(&out, &[axis]) } else { Ok(out) }
        })?.into())
    };
    /// Indices that sort by several keys, the last one first.
    "np.lexsort"(keys: SEQUENCE, axis: INT = -1) -> ARRAY => |cx, a| {
        let keys: Vec<Value> = a.list(0)?.iter().map(|k| as_value(cx, k)).collect::<Result<_>>()?;
        let Some(shape) = keys.first().map(|k| Shape::from_slice(k.shape())) else {
            return Err(Error::type_error("need sequence of keys with len > 0 in lexsort"));
        };
        if keys.iter().any(|k| k.shape() != shape.as_slice()) {
            return Err(Error::value_error("all keys need to be the same shape"));
        }
        let axis = a.axis(1, shape.len())?;
        Ok(named(cx, "lexsort", &keys, move |cx, v| {
            let mut operands: Vec<Value> = v.iter().rev().cloned().collect();
            operands.push(cx.iota(DType::I32, v[0].shape(), axis)?);
            one(cx.sort(&operands, axis, v.len())?)
        })?.into())
    };
    /// Where elements would be inserted into a sorted vector to keep its order.
    ///
    /// - `side`: "left" before equal elements, or "right" behind them.
    "np.searchsorted"(a: LIKE, v: LIKE, side: STRING = "left") -> ARRAY => |cx, a| {
        let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
        let right = side(a.str(2)?)?;
        if v[0].rank() != 1 {
            return Err(Error::value_error("a should be 1-dimensional"));
        }
        Ok(named(cx, "searchsorted", &v, move |cx, v| {
            let (sorted, x) = promoted(cx, &v[0], &v[1])?;
            insertion(cx, &sorted, &x, right)
        })?.into())
    };
    /// The bin of every element, for bins that ascend or descend.
    "np.digitize"(x: LIKE, bins: LIKE, right: BOOL = false) -> ARRAY => |cx, a| {
        let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
        if v[1].rank() != 1 {
            return Err(Error::value_error(format!("digitize: bins must be a 1-dimensional array; got bins={}", v[1].aval().long())));
        }
        let right = a.bool(2)?;
        let (x, bins) = promoted(cx, &v[0], &v[1])?;
        let below = insertion(cx, &bins, &x, !right)?;
        if bins.concrete().is_some() && x.concrete().is_some() || bins.shape()[0] == 0 {
            return Ok(below.into());
        }
        // Bins that descend are counted from the other end.
        let n = bins.shape()[0];
        let (first, last) = (super::prims::index_in_dim(cx, &bins, 0, 0)?, super::prims::index_in_dim(cx, &bins, 0, n - 1)?);
        let rest = cx.sub(&cx.lit(n as f64, &below)?, &below)?;
        Ok(super::support::where_values(cx, &cx.ge(&last, &first)?, &below, &rest)?.into())
    };
    /// How often every whole number occurs.
    ///
    /// - `weights`: numbers added instead of 1.
    /// - `length`: how many numbers are counted; must be given for traced arrays.
    "np.bincount"(x: LIKE, weights: OPT_LIKE = null, minlength: INT = 0; length: OPT_INT = null) -> ARRAY => |cx, a| bincount(cx, a);
    /// The distinct elements in ascending order, for concrete arrays.
    ///
    /// - `returnIndex`, `returnInverse`, `returnCounts`: also give where each was first, where each
    ///   element went, how often each occurs.
    "np.unique"(ar: LIKE, returnIndex: BOOL = false, returnInverse: BOOL = false, returnCounts: BOOL = false) -> ARRAY => |_, a| unique(a);
    /// Indices of elements that are not zero, one array per axis, for concrete arrays.
    "np.nonzero"(a: LIKE) -> ARRAYS => |cx, a| nonzero(cx, &a.value(0)?);
    /// Indices of elements that are not zero in the flattened array, for concrete arrays.
    "np.flatnonzero"(a: LIKE) -> ARRAY => |cx, a| {
        let x = flat(cx, &a.value(0)?)?;
        Ok(one(concrete_places(&x)?)?.into())
    };
    /// Indices of elements that are not zero, one row each, for concrete arrays.
    "np.argwhere"(a: LIKE) -> ARRAY => |cx, a| {
        let found = concrete_places(&a.value(0)?)?;
        Ok(cx.stack(&found, 1)?.into())
    };
    /// Whether elements occur in another array.
    "np.isin"(element: LIKE, testElements: LIKE; invert: BOOL = false) -> ARRAY => |cx, a| {
        let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
        let invert = a.bool(2)?;
        let flats = [flat(cx, &v[0])?, flat(cx, &v[1])?];
        let out = named(cx, "_in1d", &flats, move |cx, v| {
            let args = super::convert::args_of(v);
            let v = promote_dtypes(cx, &[&args[0], &args[1]])?;
            let (x, y) = (cx.expand_dims(&v[0], &[1])?, cx.expand_dims(&v[1], &[0])?);
            if invert {
                return cx.reduce_and(&cx.ne(&x, &y)?, &[1]);
            }
            cx.reduce_or(&cx.eq(&x, &y)?, &[1])
        })?;
        Ok(cx.reshape(&out, v[0].shape())?.into())
    };
}

fn arg_extremum(a: &Args, which: ArgFn) -> Result<Ret> {
    let cx = a.cx;
    let x = a.value(0)?;
    let name = if which == ArgFn::Max {
        "argmax"
    } else {
        "argmin"
    };
    let given = a.opt_axis(1, x.rank())?;
    let (y, axis) = match given {
        Some(axis) => (x.clone(), axis),
        None => (flat(cx, &x)?, 0),
    };
    if y.shape()[axis] == 0 {
        return Err(Error::value_error(format!(
            "attempt to get {name} of an empty sequence"
        )));
    }
    let out = cx.arg_reduce(which, &y, axis, DType::I32)?;
    if !a.bool(2)? {
        return Ok(out.into());
    }
    match given {
        Some(axis) => Ok(keep_dims(cx, &out, &[axis])?.into()),
        None => Ok(cx
            .expand_dims(&out, &(0..x.rank()).collect::<Vec<_>>())?
            .into()),
    }
}

/// The axis of a sort; `None` for the flattened array.
fn sort_axis(a: &Args) -> Result<Option<i64>> {
    Ok(if a.is_null(1) { None } else { Some(a.int(1)?) })
}

fn along(cx: &Ctx, x: &Value, axis: Option<i64>) -> Result<(Value, usize)> {
    match axis {
        Some(n) => Ok((x.clone(), super::args::canonical_axis(n, x.rank())?)),
        None => Ok((flat(cx, x)?, 0)),
    }
}

fn side(side: &str) -> Result<bool> {
    match side {
        "left" => Ok(false),
        "right" => Ok(true),
        other => Err(Error::value_error(format!(
            "invalid argument side='{other}', expected 'left' or 'right'"
        ))),
    }
}

/// Two values of one dtype, their shapes left alone.
pub fn promoted(cx: &Ctx, x: &Value, y: &Value) -> Result<(Value, Value)> {
    let (x, y) = (Arg::Value(x.clone()), Arg::Value(y.clone()));
    let mut v = promote_dtypes(cx, &[&x, &y])?;
    let y = one(v.split_off(1))?;
    Ok((one(v)?, y))
}

/// How many elements of a sorted vector come before each element of `x`.
pub fn insertion(cx: &Ctx, sorted: &Value, x: &Value, right: bool) -> Result<Value> {
    if let (Some(s), Some(x)) = (sorted.concrete(), x.concrete()) {
        return insertion_of(&s.to_f64(), x, right).map(Value::from);
    }
    let column = cx.expand_dims(x, &[x.rank()])?;
    let mut shape = Shape::from_elem(1, column.rank());
    if let Some(last) = shape.last_mut() {
        *last = sorted.shape()[0];
    }
    let row = cx.reshape(sorted, &shape)?;
    let before = if right {
        cx.le(&row, &column)?
    } else {
        cx.lt(&row, &column)?
    };
    // NaN sorts last: everything that is not NaN comes before it.
    let before = if x.dtype().is_float() {
        let nan = cx.ne(&column, &column)?;
        let numbers = cx.eq(&row, &row)?;
        cx.or(&before, &cx.and(&nan, &numbers)?)?
    } else {
        before
    };
    cx.reduce_sum(&astype(cx, &before, DType::I32)?, &[column.rank() - 1])
}

fn insertion_of(sorted: &[f64], x: &Array, right: bool) -> Result<Array> {
    let descending = sorted.first() > sorted.last();
    let before = |s: f64, x: f64| match (s.is_nan(), x.is_nan()) {
        (false, true) => true,
        (true, true) => right,
        (true, false) => false,
        _ if descending && right => s > x,
        _ if descending => s >= x,
        _ if right => s <= x,
        _ => s < x,
    };
    let mut out = ArrayMut::uninit(Aval::new(x.shape(), DType::I32))?;
    for (o, x) in out.slice_mut::<i32>().iter_mut().zip(x.to_f64()) {
        *o = sorted.partition_point(|s| before(*s, x)) as i32;
    }
    Ok(out.freeze())
}

fn bincount(cx: &Ctx, a: &Args) -> Result<Ret> {
    let x = a.value(0)?;
    if x.rank() != 1 {
        return Err(Error::value_error("only 1-dimensional input supported."));
    }
    if !x.dtype().is_int() && x.dtype() != DType::Bool {
        return Err(Error::type_error(format!(
            "x argument to bincount must have an integer type; got {}",
            x.dtype()
        )));
    }
    let least = a.int(2)?.max(0);
    let length = match (a.opt_int(3)?, x.concrete()) {
        (Some(n), _) => n.max(least),
        (None, Some(array)) => {
            let top = array.to_f64().into_iter().fold(-1.0, f64::max);
            (top as i64 + 1).max(least)
        }
        (None, None) => return Err(concretization(&x, Class::ConcretizationTypeError)),
    };
    let weights = match a.opt_value(1)? {
        Some(w) if w.shape() != x.shape() => {
            return Err(Error::value_error(
                "shape of weights must match shape of x.",
            ));
        }
        Some(w) => w,
        None => Value::scalar(1.0, DType::I32)?,
    };
    let aval = Aval::new(&[super::args::count(length)?], weights.dtype());
    let zeros = cx.full(0.0, &aval)?;
    let x = astype(cx, &x, DType::I32)?;
    let zero = as_value(
        cx,
        &Arg::Number {
            value: 0.0,
            float: false,
        },
    )?;
    let x = super::arithmetic::clip(cx, &x, Some(&zero), None)?;
    super::indexing::add_at(cx, &zeros, &x, &weights).map(Ret::Value)
}

fn unique(a: &Args) -> Result<Ret> {
    let x = a.value(0)?;
    let Some(array) = x.concrete() else {
        return Err(concretization(&x, Class::ConcretizationTypeError));
    };
    let numbers = array.to_f64();
    let mut order: Vec<u32> = (0..numbers.len() as u32).collect();
    crate::kernel::argsort::<f64>(&numbers, &mut order);
    let key = |i: &usize| numbers[*i];
    let (mut first, mut counts) = (Vec::new(), Vec::new());
    let mut inverse = vec![0i32; numbers.len()];
    let mut last = None;
    for i in order.into_iter().map(|i| i as usize) {
        let same = last
            .is_some_and(|l: usize| key(&l) == key(&i) || (key(&l).is_nan() && key(&i).is_nan()));
        if !same {
            first.push(i as i32);
            counts.push(0);
            last = Some(i);
        }
        inverse[i] = first.len() as i32 - 1;
        if let Some(c) = counts.last_mut() {
            *c += 1;
        }
    }
    let distinct: Vec<f64> = first.iter().map(|i| numbers[*i as usize]).collect();
    let wide = Array::from_slice(&distinct, &[distinct.len()])?;
    let mut out = vec![Ret::Value(
        super::convert::narrow(&wide, array.dtype())?.into(),
    )];
    if a.bool(1)? {
        out.push(Ret::Value(integers(&first)?.into()));
    }
    if a.bool(2)? {
        out.push(Ret::Value(
            integers(&inverse)?.reshaped(array.shape()).into(),
        ));
    }
    if a.bool(3)? {
        out.push(Ret::Value(integers(&counts)?.into()));
    }
    match out.as_slice() {
        [one] => Ok(one.clone()),
        _ => Ok(Ret::List(out)),
    }
}

/// The indices of elements that are not zero, one array per axis. The result's size depends on the
/// elements, so they must be concrete.
pub fn nonzero(_: &Ctx, x: &Value) -> Result<Ret> {
    if x.rank() == 0 {
        return Err(Error::value_error(
            "Calling nonzero on 0d arrays is not allowed. Use jnp.atleast_1d(scalar).nonzero() instead.",
        ));
    }
    Ok(Ret::List(
        concrete_places(x)?.into_iter().map(Ret::Value).collect(),
    ))
}

fn concrete_places(x: &Value) -> Result<Vec<Value>> {
    let Some(array) = x.concrete() else {
        return Err(concretization(x, Class::ConcretizationTypeError));
    };
    Ok(places(array)?.into_iter().map(Value::from).collect())
}

/// Where elements of an array are not zero, one array per axis.
pub fn places(array: &Array) -> Result<Vec<Array>> {
    let found: Vec<usize> = (0..array.numel())
        .filter(|i| array.number_at(*i) != 0.0)
        .collect();
    let s = strides(array.shape());
    let along = |axis: usize, n: usize| -> Vec<i32> {
        found.iter().map(|i| (i / s[axis] % n) as i32).collect()
    };
    let axes = array.shape().iter().enumerate();
    axes.map(|(axis, n)| integers(&along(axis, *n))).collect()
}

/// A vector of int32.
pub fn integers(values: &[i32]) -> Result<Array> {
    let mut out = ArrayMut::uninit(Aval::new(&[values.len()], DType::I32))?;
    out.slice_mut::<i32>().copy_from_slice(values);
    Ok(out.freeze())
}
