//! Comparisons, logic, bits, and choice by conditions.

use super::args::Args;
use super::convert::{broadcast_to, promote_args, promote_dtypes, promote_shapes};
use super::registry::{Arg, Ret, api};
use super::support::{named, promote2, promote2_inexact, truth, values, where_};
use super::ufuncs::{binary, unary};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::prim::arithmetic::ABS;
use crate::prim::compare::{EQ, GE, GT, LE, LT, NE};
use crate::prim::elementwise::BinaryDef;
use crate::prim::logic::{
    AND, IS_FINITE, NOT, OR, POPULATION_COUNT, SHIFT_LEFT, SHIFT_RIGHT_ARITHMETIC,
    SHIFT_RIGHT_LOGICAL, XOR,
};
use crate::prim::rule::Ctx;
use crate::shape::{Shape, broadcast};
use crate::value::Value;
use alloc::{format, vec, vec::Vec};

api! { FUNCTIONS;
    /// x == y, element by element; NaN equals nothing.
    "np.equal"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &EQ);
    /// x != y, element by element.
    "np.notEqual"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &NE);
    /// x < y, element by element.
    "np.less"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &LT);
    /// x <= y, element by element.
    "np.lessEqual"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &LE);
    /// x > y, element by element.
    "np.greater"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &GT);
    /// x >= y, element by element.
    "np.greaterEqual"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &GE);
    /// Logical and of the truth of elements.
    "np.logicalAnd"(x: LIKE, y: LIKE) -> ARRAY => |_, a| logical(a, &AND);
    /// Logical or of the truth of elements.
    "np.logicalOr"(x: LIKE, y: LIKE) -> ARRAY => |_, a| logical(a, &OR);
    /// Logical exclusive or of the truth of elements.
    "np.logicalXor"(x: LIKE, y: LIKE) -> ARRAY => |_, a| logical(a, &XOR);
    /// Logical not: true where an element is zero.
    "np.logicalNot"(x: LIKE) -> ARRAY => |cx, a| Ok(cx.not(&truth(cx, &a.value(0)?)?)?.into());
    /// Bitwise and of integers or booleans.
    "np.bitwiseAnd"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &AND);
    /// Bitwise or of integers or booleans.
    "np.bitwiseOr"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &OR);
    /// Bitwise exclusive or of integers or booleans.
    "np.bitwiseXor"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &XOR);
    /// All bits flipped.
    "np.bitwiseNot"(x: LIKE) -> ARRAY => |_, a| unary(a, &NOT);
    /// All bits flipped.
    "np.bitwiseInvert"(x: LIKE) -> ARRAY => |_, a| unary(a, &NOT);
    /// All bits flipped.
    "np.invert"(x: LIKE) -> ARRAY => |_, a| unary(a, &NOT);
    /// Bits moved left: x * 2 ** y.
    "np.leftShift"(x: LIKE, y: LIKE) -> ARRAY => |_, a| shift(a, true);
    /// Bits moved left: x * 2 ** y.
    "np.bitwiseLeftShift"(x: LIKE, y: LIKE) -> ARRAY => |_, a| shift(a, true);
    /// Bits moved right: floor(x / 2 ** y).
    "np.rightShift"(x1: LIKE, x2: LIKE) -> ARRAY => |_, a| shift(a, false);
    /// Bits moved right: floor(x / 2 ** y).
    "np.bitwiseRightShift"(x1: LIKE, x2: LIKE) -> ARRAY => |_, a| shift(a, false);
    /// The number of bits that are set in |x|.
    "np.bitwiseCount"(x: LIKE) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        Ok(named(cx, "bitwise_count", &[x], |cx, v| {
            let size = if v[0].dtype() == DType::I32 { cx.unary(&ABS, &v[0])? } else { v[0].clone() };
            cx.unary(&POPULATION_COUNT, &size)
        })?.into())
    };
    /// Elements of `x` where the condition holds, else of `y`.
    ///
    /// - `condition`: an array of booleans, or of numbers whose truth counts.
    /// - `x`, `y`: arrays or numbers; all three broadcast. With neither, the indices where the
    ///   condition holds, one array per axis, for concrete conditions.
    "np.where"(condition: LIKE, x: OPT_LIKE = null, y: OPT_LIKE = null) -> ARRAY => |cx, a| {
        let condition = a.value(0)?;
        if !a.given(1) && !a.given(2) {
            return super::searching::nonzero(cx, &condition);
        }
        for i in [1, 2] {
            if !matches!(a.arg(i), Arg::Value(_) | Arg::Number { .. } | Arg::Bool(_)) {
                return Err(super::args::not_array_like("where", a.arg(i), i));
            }
        }
        Ok(where_(cx, &condition, a.arg(1), a.arg(2))?.into())
    };
    /// For each element the choice of the first condition that holds, else the default.
    ///
    /// - `condlist`: boolean arrays.
    /// - `choicelist`: as many arrays.
    ///
    /// Raises `ValueError` if the lists differ in length or are empty.
    "np.select"(condlist: LIKES, choicelist: LIKES, defaultValue: LIKE = 0) -> ARRAY => |cx, a| select(cx, a);
    /// Whether elements agree within tolerances: |a - b| <= atol + rtol * |b|.
    ///
    /// - `equalNan`: whether NaN agrees with NaN.
    "np.isclose"(a: LIKE, b: LIKE, rtol: FLOAT = 1e-5, atol: FLOAT = 1e-8, equalNan: BOOL = false) -> ARRAY => |cx, a| {
        let mut v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
        let nan = a.bool(4)?;
        if a.given(2) || a.given(3) {
            v.extend(tolerances(cx, a)?);
        }
        Ok(named(cx, "isclose", &v, move |cx, v| isclose(cx, v, nan))?.into())
    };
    /// Whether all elements agree within tolerances.
    "np.allclose"(a: LIKE, b: LIKE, rtol: FLOAT = 1e-5, atol: FLOAT = 1e-8, equalNan: BOOL = false) -> ARRAY => |cx, a| {
        let mut v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
        let nan = a.bool(4)?;
        let given = a.given(2) || a.given(3);
        let tolerances = tolerances(cx, a)?;
        if given {
            v.extend(tolerances.clone());
        }
        Ok(named(cx, "allclose", &v, move |cx, v| {
            let mut v = v.to_vec();
            if !given {
                v.extend(tolerances.clone());
            }
            every(cx, &named(cx, "isclose", &v, move |cx, v| isclose(cx, v, nan))?)
        })?.into())
    };
    /// Whether two arrays have the same shape and elements.
    "np.arrayEqual"(a1: LIKE, a2: LIKE, equalNan: BOOL = false) -> ARRAY => |cx, a| {
        let (x, y) = (a.value(0)?, a.value(1)?);
        if x.shape() != y.shape() {
            return Ok(Value::scalar(0.0, DType::Bool)?.into());
        }
        let (p, q) = promote2(cx, "eq", &x, &y)?;
        let mut same = cx.eq(&p, &q)?;
        if a.bool(2)? {
            let nans = cx.and(&cx.ne(&x, &x)?, &cx.ne(&y, &y)?)?;
            same = cx.or(&same, &nans)?;
        }
        Ok(every(cx, &same)?.into())
    };
    /// Whether two arrays have the same elements after broadcasting.
    "np.arrayEquiv"(a1: LIKE, a2: LIKE) -> ARRAY => |cx, a| {
        let (x, y) = (a.value(0)?, a.value(1)?);
        if broadcast([x.shape(), y.shape()]).is_none() {
            return Ok(Value::scalar(0.0, DType::Bool)?.into());
        }
        let v = promote_args(cx, "eq", &[a.arg(0), a.arg(1)])?;
        Ok(every(cx, &cx.eq(&v[0], &v[1])?)?.into())
    };
}

fn logical(a: &Args, def: &'static BinaryDef) -> Result<Ret> {
    let v = promote_args(a.cx, def.name, &[a.array_like(0)?, a.array_like(1)?])?;
    let (x, y) = (truth(a.cx, &v[0])?, truth(a.cx, &v[1])?);
    Ok(a.cx.binary(def, &x, &y)?.into())
}

/// Shifts; booleans count as integers, right shifts keep the sign of signed ones.
fn shift(a: &Args, left: bool) -> Result<Ret> {
    let cx = a.cx;
    let mut v = promote_dtypes(cx, &[a.array_like(0)?, a.array_like(1)?])?;
    if v[0].dtype() == DType::Bool {
        for x in &mut v {
            *x = super::convert::astype(cx, x, DType::I32)?;
        }
    }
    let v = promote_shapes(cx, "shift", v)?;
    let def = match (left, v[0].dtype()) {
        (true, _) => &SHIFT_LEFT,
        (false, DType::U32) => &SHIFT_RIGHT_LOGICAL,
        (false, _) => &SHIFT_RIGHT_ARITHMETIC,
    };
    Ok(cx.binary(def, &v[0], &v[1])?.into())
}

/// Whether every element holds.
pub fn every(cx: &Ctx, x: &Value) -> Result<Value> {
    let axes: Vec<usize> = (0..x.rank()).collect();
    cx.reduce_and(x, &axes)
}

/// Relative and absolute tolerance as weak scalars.
fn tolerances(cx: &Ctx, a: &Args) -> Result<Vec<Value>> {
    let mut out = Vec::new();
    for i in [2, 3] {
        out.push(if a.given(i) {
            a.value(i)?
        } else {
            let value = a.float(i)?;
            super::convert::as_value(cx, &Arg::Number { value, float: true })?
        });
    }
    Ok(out)
}

fn isclose(cx: &Ctx, v: &[Value], equal_nan: bool) -> Result<Value> {
    let (x, y) = promote2(cx, "isclose", &v[0], &v[1])?;
    let (x, y) = promote2_inexact(cx, "isclose", &x, &y)?;
    let tolerance = |i: usize, default: f64| match v.get(i) {
        Some(t) => super::convert::convert(cx, t, (x.dtype(), false)),
        None => super::support::strong_lit(default, &x),
    };
    let (rtol, atol) = (tolerance(2, 1e-5)?, tolerance(3, 1e-8)?);
    let nans = cx.and(&cx.ne(&x, &x)?, &cx.ne(&y, &y)?)?;
    let finite = cx.unary(&IS_FINITE, &y)?;
    let gap = cx.unary(&ABS, &cx.sub(&x, &y)?)?;
    let size = cx.unary(&ABS, &y)?;
    let relative = cx.mul(&rtol, &size)?;
    let allowed = cx.add(&atol, &relative)?;
    let within = cx.le(&gap, &allowed)?;
    let equal = cx.eq(&x, &y)?;
    let close = cx.or(&equal, &cx.and(&finite, &within)?)?;
    if equal_nan {
        cx.or(&close, &nans)
    } else {
        Ok(close)
    }
}

fn select(cx: &Ctx, a: &Args) -> Result<Ret> {
    let (conditions, choices) = (a.list(0)?, a.list(1)?);
    if conditions.len() != choices.len() {
        return Err(Error::value_error(format!(
            "condlist must have length equal to choicelist ({} vs {})",
            conditions.len(),
            choices.len()
        )));
    }
    if conditions.is_empty() {
        return Err(Error::value_error("condlist must be non-empty"));
    }
    let zero = Arg::Number {
        value: 0.0,
        float: false,
    };
    let default = if a.given(2) { a.arg(2) } else { &zero };
    let mut args: Vec<&Arg> = choices.iter().collect();
    args.push(default);
    let cases = promote_dtypes(cx, &args)?;
    let mut which = Vec::with_capacity(conditions.len() + 1);
    for c in conditions {
        which.push(truth(cx, &super::convert::as_value(cx, c)?)?);
    }
    let shapes = cases.iter().chain(&which).map(Value::shape);
    let shape: Shape = broadcast(shapes).ok_or_else(|| {
        Error::value_error("select: conditions and choices do not broadcast to one shape")
    })?;
    for v in &mut which {
        *v = broadcast_to(cx, v, &shape)?;
    }
    // The first case is the default: argmax finds it when nothing holds, since all are equal.
    which.insert(0, cx.full(0.0, &Aval::new(&shape, DType::Bool))?);
    let stacked = cx.stack(&which, 0)?;
    let mut operands = vec![cx.arg_reduce(crate::kernel::ArgFn::Max, &stacked, 0, DType::I32)?];
    operands.push(broadcast_to(cx, &cases[choices.len()], &shape)?);
    for case in &cases[..choices.len()] {
        operands.push(broadcast_to(cx, case, &shape)?);
    }
    Ok(cx.bind1(&crate::prim::select::SelectN, &operands)?.into())
}
