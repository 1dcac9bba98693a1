//! Linear products: dot, matmul and kin, norms.

use super::args::Args;
use super::arithmetic::to_float;
use super::convert::{astype, promote_dtypes};
use super::prims::index_in_dim;
use super::reductions::{Fold, reduce};
use super::registry::{Arg, Ret, api};
use super::shaping::flat;
use super::support::{named, one, promote2, values, where_values};
use crate::dtype::DType;
use crate::error::{Class, Error, Result};
use crate::ir::print::python_float;
use crate::prim::arithmetic::ABS;
use crate::prim::dot::DotDims;
use crate::prim::power::SQRT;
use crate::prim::rule::Ctx;
use crate::shape::{Shape, tuple};
use crate::value::Value;
use alloc::{format, vec::Vec};

api! { FUNCTIONS;
    /// Dot product: of vectors their inner product, of matrices their product, in general the sum over
    /// the last axis of `a` and the last but one of `b`.
    "np.dot"(a: LIKE, b: LIKE) -> ARRAY => |cx, a| {
        let (x, y) = pair(cx, a)?;
        let dims = match (x.rank(), y.rank()) {
            (0, _) | (_, 0) => DotDims::default(),
            (p, q) => DotDims::contracting(p - 1, q.saturating_sub(2)),
        };
        Ok(dot(cx, &x, &y, dims)?.into())
    };
    /// Matrix product over the last two axes; the axes before them broadcast.
    ///
    /// Raises `ValueError` for scalars, `TypeError` for shapes that do not fit.
    "np.matmul"(a: LIKE, b: LIKE) -> ARRAY => |cx, a| {
        for i in [0, 1] {
            if a.value(i)?.rank() == 0 {
                return Err(Error::value_error(format!(
                    "matmul input operand {i} must have ndim at least 1, but it has ndim 0"
                )));
            }
        }
        let (x, y) = pair(cx, a)?;
        Ok(matmul(cx, &x, &y)?.into())
    };
    /// Inner product of all elements: sum(a * b) of the flattened arrays.
    "np.vdot"(a: LIKE, b: LIKE) -> ARRAY => |cx, a| {
        let (x, y) = pair(cx, a)?;
        Ok(dot(cx, &flat(cx, &x)?, &flat(cx, &y)?, DotDims::contracting(0, 0))?.into())
    };
    /// Inner product over the last axes of both.
    "np.inner"(a: LIKE, b: LIKE) -> ARRAY => |cx, a| {
        let (x, y) = pair(cx, a)?;
        if x.rank() == 0 || y.rank() == 0 {
            return Ok(cx.mul(&x, &y)?.into());
        }
        Ok(dot(cx, &x, &y, DotDims::contracting(x.rank() - 1, y.rank() - 1))?.into())
    };
    /// Outer product of the flattened arrays: a[i] * b[j].
    "np.outer"(a: LIKE, b: LIKE) -> ARRAY => |cx, a| {
        let (x, y) = pair(cx, a)?;
        let (x, y) = (flat(cx, &x)?, flat(cx, &y)?);
        Ok(cx.mul(&cx.expand_dims(&x, &[1])?, &cx.expand_dims(&y, &[0])?)?.into())
    };
    /// Sum of products over pairs of axes.
    ///
    /// - `axes`: how many of the last axes of `a` and first of `b`, or two lists of axes.
    "np.tensordot"(a: LIKE, b: LIKE, axes: PRODUCT_AXES = 2) -> ARRAY => |cx, a| tensordot(cx, a);
    /// Sum of products along an axis of both, the others broadcasting.
    "np.vecdot"(x1: LIKE, x2: LIKE; axis: INT = -1) -> ARRAY => |cx, a| {
        let (x, y) = pair(cx, a)?;
        if x.rank() == 0 || y.rank() == 0 {
            return Err(Error::value_error("vecdot: both arguments must have at least one axis"));
        }
        let (p, q) = (a.axis(2, x.rank())?, a.axis(2, y.rank())?);
        let (x, y) = (cx.moveaxis(&x, p, x.rank() - 1)?, cx.moveaxis(&y, q, y.rank() - 1)?);
        if x.shape() == y.shape() {
            let batch: Shape = (0..x.rank() - 1).collect();
            let dims = DotDims { lhs_batch: batch.clone(), rhs_batch: batch, ..DotDims::contracting(x.rank() - 1, y.rank() - 1) };
            return Ok(dot(cx, &x, &y, dims)?.into());
        }
        let row = cx.expand_dims(&x, &[x.rank() - 1])?;
        let column = cx.expand_dims(&y, &[y.rank()])?;
        let out = matmul(cx, &row, &column)?;
        Ok(cx.squeeze(&out, &[out.rank() - 2, out.rank() - 1])?.into())
    };
    /// Matrix times vector over the last axes.
    "np.matvec"(x1: LIKE, x2: LIKE) -> ARRAY => |cx, a| {
        let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
        if v[0].rank() < 2 || v[1].rank() < 1 {
            return Err(Error::value_error("matvec: needs a matrix and a vector"));
        }
        Ok(named(cx, "matvec", &v, |cx, v| {
            let args = super::convert::args_of(v);
            let v = promote_dtypes(cx, &[&args[0], &args[1]])?;
            if v[1].rank() == 1 {
                return matmul(cx, &v[0], &v[1]);
            }
            let column = cx.expand_dims(&v[1], &[v[1].rank()])?;
            let out = matmul(cx, &v[0], &column)?;
            cx.squeeze(&out, &[out.rank() - 1])
        })?.into())
    };
    /// Kronecker product.
    "np.kron"(a: LIKE, b: LIKE) -> ARRAY => |cx, a| {
        let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
        Ok(named(cx, "kron", &v, kron)?.into())
    };
    /// Cross product of vectors of three elements along an axis (or two: then a scalar).
    "np.cross"(a: LIKE, b: LIKE, axisa: INT = -1, axisb: INT = -1, axisc: INT = -1, axis: AXIS = null) -> ARRAY => |cx, a| cross(cx, a);
    /// Sum of a diagonal of matrices.
    "np.trace"(a: LIKE, offset: INT = 0, axis1: INT = 0, axis2: INT = 1, dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| trace(cx, a);
    /// Norm of vectors or matrices.
    ///
    /// - `ord`: of vectors any number, Infinity or -Infinity (2 when null); of matrices "fro", 1, -1,
    ///   Infinity or -Infinity.
    /// - `axis`: the axis of vectors or two axes of matrices; all elements when null.
    "np.linalg.norm"(x: LIKE, ord: ORDER = null, axis: AXES = null, keepdims: BOOL = false) -> ARRAY => |cx, a| norm(cx, a);
}

/// Two arguments of one dtype.
fn pair(cx: &Ctx, a: &Args) -> Result<(Value, Value)> {
    let mut v = promote_dtypes(cx, &[a.array_like(0)?, a.array_like(1)?])?;
    let y = one(v.split_off(1))?;
    Ok((one(v)?, y))
}

/// A product that states its result's dtype, as all of `jnp` does.
pub fn dot(cx: &Ctx, x: &Value, y: &Value, dims: DotDims) -> Result<Value> {
    cx.dot_general(x, y, dims, Some(x.dtype()))
}

/// `jnp.matmul` of operands of one dtype and at least one axis.
pub fn matmul(cx: &Ctx, x: &Value, y: &Value) -> Result<Value> {
    let (x_matrix, y_matrix) = (x.rank() >= 2, y.rank() >= 2);
    let (p, q) = (x.rank().saturating_sub(2), y.rank().saturating_sub(2));
    let rank = p.max(q);
    // Batch axes are aligned at the right; where one has size 1 it is dropped and the other's kept.
    let size =
        |v: &Value, own: usize, i: usize| i.checked_sub(rank - own).map(|at| (at, v.shape()[at]));
    let (mut x_drop, mut y_drop) = (Vec::new(), Vec::new());
    let (mut both, mut x_only, mut y_only) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..rank {
        match (size(x, p, i), size(y, q, i)) {
            (Some((_, n)), Some((_, m))) if n == m => both.push(i),
            (Some((at, 1)), Some(_)) => {
                x_drop.push(at);
                y_only.push(i);
            }
            (Some(_), Some((at, 1))) => {
                y_drop.push(at);
                x_only.push(i);
            }
            (Some(_), None) => x_only.push(i),
            (None, Some(_)) => y_only.push(i),
            _ => {
                let message = format!(
                    "Incompatible types for matmul arguments: {} and {}",
                    x.aval().long(),
                    y.aval().long()
                );
                let avals = [x.aval().clone(), y.aval().clone()];
                return Err(Error::mismatch(Class::ValueError, message, &avals));
            }
        }
    }
    let place = |own: usize, dropped: &[usize], i: usize| {
        let at = i - (rank - own);
        at - dropped.iter().filter(|d| **d < at).count()
    };
    let (x, y) = (cx.squeeze(x, &x_drop)?, cx.squeeze(y, &y_drop)?);
    let dims = DotDims {
        lhs_batch: both.iter().map(|i| place(p, &x_drop, *i)).collect(),
        rhs_batch: both.iter().map(|i| place(q, &y_drop, *i)).collect(),
        ..DotDims::contracting(x.rank() - 1, y.rank() - 1 - usize::from(y_matrix))
    };
    let out = dot(cx, &x, &y, dims)?;
    // The product has batch axes, then what is left of x, then of y.
    let mut order: Vec<usize> = Vec::new();
    let rows = both.len() + x_only.len();
    for i in 0..rank {
        let find =
            |list: &[usize], from: usize| list.iter().position(|j| *j == i).map(|k| k + from);
        let at = find(&both, 0)
            .or_else(|| find(&x_only, both.len()))
            .or_else(|| find(&y_only, rows + usize::from(x_matrix)));
        order.extend(at);
    }
    if x_matrix {
        order.push(rows);
    }
    if y_matrix {
        order.push(out.rank() - 1);
    }
    cx.transpose(&out, &order)
}

fn tensordot(cx: &Ctx, a: &Args) -> Result<Ret> {
    let (x, y) = pair(cx, a)?;
    let axes_of = |arg: &Arg, rank: usize| -> Result<Shape> {
        let items = match arg {
            Arg::List(items) => items.as_slice(),
            one => core::slice::from_ref(one),
        };
        let read = |n: &Arg| super::args::canonical_axis(super::args::integer(n)?, rank);
        items.iter().map(read).collect()
    };
    let (p, q) = match a.arg(2) {
        Arg::List(items) => {
            let [p, q] = items.as_slice() else {
                return Err(Error::type_error(
                    "tensordot axes argument must be an int, a pair of ints, or a pair of lists/tuples of ints.",
                ));
            };
            (axes_of(p, x.rank())?, axes_of(q, y.rank())?)
        }
        _ => {
            let n = usize::try_from(a.int(2)?).unwrap_or(usize::MAX);
            if n > x.rank().min(y.rank()) {
                return Err(Error::type_error(format!(
                    "Number of tensordot axes (axes {n}) exceeds input ranks ({} and {})",
                    tuple(x.shape()),
                    tuple(y.shape())
                )));
            }
            ((x.rank() - n..x.rank()).collect(), (0..n).collect())
        }
    };
    if p.len() != q.len() {
        return Err(Error::type_error(
            "tensordot requires axes lists to have equal length",
        ));
    }
    let dims = DotDims {
        lhs_contract: p,
        rhs_contract: q,
        ..DotDims::default()
    };
    Ok(dot(cx, &x, &y, dims)?.into())
}

fn kron(cx: &Ctx, v: &[Value]) -> Result<Value> {
    let (x, y) = (&v[0], &v[1]);
    let mut both = promote_dtypes(cx, &[&Arg::Value(x.clone()), &Arg::Value(y.clone())])?;
    let rank = x.rank().max(y.rank());
    for u in &mut both {
        let new: Vec<usize> = (0..rank - u.rank()).collect();
        *u = cx.expand_dims(u, &new)?;
    }
    let shape: Shape = both[0]
        .shape()
        .iter()
        .zip(both[1].shape())
        .map(|(n, m)| n * m)
        .collect();
    let odd: Vec<usize> = (0..rank).map(|i| 2 * i + 1).collect();
    let even: Vec<usize> = (0..rank).map(|i| 2 * i).collect();
    let product = cx.mul(
        &cx.expand_dims(&both[0], &odd)?,
        &cx.expand_dims(&both[1], &even)?,
    )?;
    cx.reshape(&product, &shape)
}

fn cross(cx: &Ctx, a: &Args) -> Result<Ret> {
    let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
    let axis = if a.given(5) { Some(a.int(5)?) } else { None };
    let read = |i: usize, rank: usize| match axis {
        Some(n) => super::args::canonical_axis(n, rank),
        None => a.axis(i, rank),
    };
    if v.iter().any(|x| x.rank() == 0) {
        return Err(Error::value_error(
            "cross: both arguments must have at least one axis",
        ));
    }
    let (p, q) = (read(2, v[0].rank())?, read(3, v[1].rank())?);
    if ![v[0].shape()[p], v[1].shape()[q]]
        .iter()
        .all(|n| matches!(n, 2 | 3))
    {
        return Err(Error::value_error(
            "Dimension must be either 2 or 3 for cross product",
        ));
    }
    let placed = axis.unwrap_or(a.int(4)?);
    let out = named(cx, "cross", &v, move |cx, v| {
        let (x, y) = promote2(cx, "cross", &v[0], &v[1])?;
        let (x, y) = (
            cx.moveaxis(&x, p + x.rank() - v[0].rank(), x.rank() - 1)?,
            cx.moveaxis(&y, q + y.rank() - v[1].rank(), y.rank() - 1)?,
        );
        let parts = |v: &Value| -> Result<Vec<Value>> {
            let axis = v.rank() - 1;
            (0..v.shape()[axis])
                .map(|i| index_in_dim(cx, v, axis, i))
                .collect()
        };
        let (x, y) = (parts(&x)?, parts(&y)?);
        let minus = |i: usize, j: usize| -> Result<Value> {
            let first = cx.mul(&x[i], &y[j])?;
            cx.sub(&first, &cx.mul(&x[j], &y[i])?)
        };
        if x.len() == 2 && y.len() == 2 {
            return minus(0, 1);
        }
        let zero = cx.lit(0.0, &x[0])?;
        let at = |v: &[Value], i: usize| v.get(i).cloned().unwrap_or_else(|| zero.clone());
        let part = |i: usize, j: usize| -> Result<Value> {
            let first = cx.mul(&at(&x, i), &at(&y, j))?;
            cx.sub(&first, &cx.mul(&at(&x, j), &at(&y, i))?)
        };
        let rows = [part(1, 2)?, part(2, 0)?, part(0, 1)?];
        let rows = rows
            .iter()
            .map(|r| cx.expand_dims(r, &[0]))
            .collect::<Result<Vec<_>>>()?;
        let out = cx.concatenate(&rows, 0)?;
        let to = super::args::canonical_axis(placed, out.rank())?;
        cx.moveaxis(&out, 0, to)
    })?;
    Ok(out.into())
}

fn trace(cx: &Ctx, a: &Args) -> Result<Ret> {
    let x = a.value(0)?;
    if x.rank() < 2 {
        return Err(Error::value_error(format!(
            "a.ndim must be at least 2 for trace; got ndim={}",
            x.rank()
        )));
    }
    let (k, p, q) = (a.int(1)?, a.axis(2, x.rank())?, a.axis(3, x.rank())?);
    if p == q {
        return Err(Error::value_error("axis1 and axis2 can not be same"));
    }
    let dtype = a.dtype(4)?.unwrap_or(match x.dtype() {
        DType::Bool => DType::I32,
        d => d,
    });
    let out = named(cx, "trace", &[x], move |cx, v| {
        let x = &v[0];
        let mut order: Vec<usize> = (0..x.rank()).filter(|i| *i != p && *i != q).collect();
        order.extend([p, q]);
        let x = cx.transpose(x, &order)?;
        let [.., n, m] = *x.shape() else {
            return Ok(x);
        };
        let (rows, columns) = (
            cx.iota(DType::I32, &[n, m], 0)?,
            cx.iota(DType::I32, &[n, m], 1)?,
        );
        let on = cx.eq(&cx.add(&rows, &cx.lit(k as f64, &rows)?)?, &columns)?;
        let zeros = cx.full(0.0, x.aval())?;
        let kept = where_values(cx, &on, &x, &zeros)?;
        let axes = [x.rank() - 2, x.rank() - 1];
        reduce(cx, Fold::Sum, &astype(cx, &kept, dtype)?, &axes, false)
    })?;
    Ok(out.into())
}

/// Which norm.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    Default,
    Frobenius,
    Number(f64),
}

fn norm(cx: &Ctx, a: &Args) -> Result<Ret> {
    let x = a.value(0)?;
    let order = match a.arg(1) {
        Arg::None => Order::Default,
        Arg::Str(s) if s == "fro" => Order::Frobenius,
        Arg::Str(s) if s == "inf" => Order::Number(f64::INFINITY),
        Arg::Str(s) if s == "-inf" => Order::Number(f64::NEG_INFINITY),
        Arg::Str(s) if s == "nuc" => {
            return Err(Error::new(
                Class::NotImplementedError,
                "the nuclear norm needs a singular value decomposition, which is not available",
            ));
        }
        Arg::Str(s) => {
            return Err(Error::value_error(format!(
                "Invalid order '{s}' for vector norm."
            )));
        }
        _ => Order::Number(a.float(1)?),
    };
    let axes = a.opt_axes(2, x.rank())?;
    let keep = a.bool(3)?;
    if axes.as_ref().is_some_and(|axes| axes.len() > 2) {
        return Err(Error::value_error(format!(
            "Invalid axis values ({}) for jnp.linalg.norm.",
            tuple(&axes.unwrap_or_default())
        )));
    }
    let rank = x.rank();
    let out = named(cx, "norm", &[x], move |cx, v| {
        let x = to_float(cx, &Arg::Value(v[0].clone()))?;
        let all: Shape = (0..rank).collect();
        let axes = axes.clone().unwrap_or_else(|| all.clone());
        match (order, axes.len()) {
            (Order::Default, _) | (Order::Frobenius, 2) => euclidean(cx, &x, &axes, keep),
            (Order::Number(p), 1) => vector_norm(cx, &x, &axes, p, keep),
            (Order::Number(p), 2) => matrix_norm(cx, &x, &axes, p, keep),
            (Order::Frobenius, _) => {
                Err(Error::value_error("Invalid order 'fro' for vector norm."))
            }
            _ => Err(Error::value_error("Improper number of axes for norm")),
        }
    })?;
    Ok(out.into())
}

fn euclidean(cx: &Ctx, x: &Value, axes: &[usize], keep: bool) -> Result<Value> {
    let squares = cx.mul(x, x)?;
    cx.unary(&SQRT, &reduce(cx, Fold::Sum, &squares, axes, keep)?)
}

/// The largest of numbers that are not negative, as JAX writes it: with 0 for empty axes.
fn largest(cx: &Ctx, x: &Value, axes: &[usize], keep: bool) -> Result<Value> {
    let high = reduce(cx, Fold::Max, x, axes, keep)?;
    cx.max(&cx.lit(0.0, &high)?, &high)
}

fn vector_norm(cx: &Ctx, x: &Value, axes: &[usize], p: f64, keep: bool) -> Result<Value> {
    if p == f64::INFINITY {
        return largest(cx, &cx.unary(&ABS, x)?, axes, keep);
    }
    if p == f64::NEG_INFINITY {
        return reduce(cx, Fold::Min, &cx.unary(&ABS, x)?, axes, keep);
    }
    if p == 0.0 {
        let there = cx.ne(x, &cx.lit(0.0, x)?)?;
        let ones = astype(cx, &astype(cx, &there, DType::I32)?, x.dtype())?;
        return reduce(cx, Fold::Sum, &ones, axes, keep);
    }
    if p == 1.0 {
        return reduce(cx, Fold::Sum, &cx.unary(&ABS, x)?, axes, keep);
    }
    if p == 2.0 {
        return euclidean(cx, x, axes, keep);
    }
    let size = cx.unary(&ABS, x)?;
    let powers = cx.pow(&size, &cx.lit(p, &size)?)?;
    let total = reduce(cx, Fold::Sum, &powers, axes, keep)?;
    cx.pow(&total, &cx.lit(1.0 / p, &total)?)
}

fn matrix_norm(cx: &Ctx, x: &Value, axes: &[usize], p: f64, keep: bool) -> Result<Value> {
    let (rows, columns) = (axes[0], axes[1]);
    let (sum, best) = match p.abs() {
        1.0 => (rows, columns),
        f64::INFINITY => (columns, rows),
        _ => {
            return Err(Error::value_error(format!(
                "Invalid order '{}' for matrix norm.",
                python_float(p)
            )));
        }
    };
    let totals = reduce(cx, Fold::Sum, &cx.unary(&ABS, x)?, &[sum], keep)?;
    let best = if keep || best < sum { best } else { best - 1 };
    if p > 0.0 {
        largest(cx, &totals, &[best], keep)
    } else {
        reduce(cx, Fold::Min, &totals, &[best], keep)
    }
}
