//! What the functions are written with: named pieces that show up as one equation when staged,
//! choice by a condition, rules of their own for derivatives.

use super::convert::{as_value, promote_dtypes, promote_shapes};
use super::registry::Arg;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::prim::rule::{Ctx, Fun};
use crate::shape::{Shape, broadcast, tuple};
use crate::transform::Named;
use crate::transform::custom::CustomJvpCall;
use crate::transform::jit::named_jit;
use crate::value::Value;
use alloc::rc::Rc;
use alloc::{format, string::String, vec, vec::Vec};

/// Arguments of a named piece as it sees them: plain numbers become weak scalars.
pub fn values(cx: &Ctx, args: &[&Arg]) -> Result<Vec<Value>> {
    args.iter().map(|a| as_value(cx, a)).collect()
}

/// Runs a piece with one result, as a `jit` of that name when staged.
pub fn named(
    cx: &Ctx,
    name: &'static str,
    args: &[Value],
    body: impl Fn(&Ctx, &[Value]) -> Result<Value> + 'static,
) -> Result<Value> {
    let fun: Fun = Rc::new(move |cx, args| Ok(vec![body(cx, args)?]));
    one(named_jit(cx, name, fun, args)?)
}

/// Runs a piece with several results, as a `jit` of that name when staged.
pub fn named_many(
    cx: &Ctx,
    name: &'static str,
    args: &[Value],
    body: impl Fn(&Ctx, &[Value]) -> Result<Vec<Value>> + 'static,
) -> Result<Vec<Value>> {
    named_jit(cx, name, Rc::new(body), args)
}

/// The only result.
pub fn one(mut values: Vec<Value>) -> Result<Value> {
    values
        .pop()
        .ok_or_else(|| Error::internal("a function gave no result"))
}

/// A piece with a JVP rule of its own: `rule` takes primals and tangents and gives the result
/// followed by its tangent.
pub fn custom_jvp(
    cx: &Ctx,
    (name, rule_name): (&str, &str),
    args: &[Value],
    body: impl Fn(&Ctx, &[Value]) -> Result<Value> + 'static,
    rule: impl Fn(&Ctx, &[Value], &[Value]) -> Result<(Value, Value)> + 'static,
) -> Result<Value> {
    let fun: Fun = Rc::new(move |cx, args| Ok(vec![body(cx, args)?]));
    let rule: Fun = Rc::new(move |cx, args| {
        let (primals, tangents) = args.split_at(args.len() / 2);
        let (out, tangent) = rule(cx, primals, tangents)?;
        Ok(vec![out, tangent])
    });
    let op = CustomJvpCall::new(&Named::new(name, fun), &Named::new(rule_name, rule));
    one(cx.bind(&op, args)?)
}

/// A scalar constant of a value's dtype that is strong even beside a weak scalar.
pub fn strong_lit(value: f64, like: &Value) -> Result<Value> {
    Ok(crate::array::Array::scalar(value, like.dtype(), false)?.into())
}

/// `select_n` where cases are scalars or arrays of one shape, the condition boolean.
pub fn select(cx: &Ctx, which: &Value, on_true: &Value, on_false: &Value) -> Result<Value> {
    let shapes = [on_true.shape(), on_false.shape()];
    let shape = broadcast(shapes).unwrap_or_else(|| Shape::from_slice(shapes[0]));
    let on_true = super::prims::broadcast_to(cx, on_true, &shape)?;
    let on_false = super::prims::broadcast_to(cx, on_false, &shape)?;
    cx.select(which, &on_true, &on_false)
}

/// A boolean of the value: itself, or `x != 0`.
pub fn truth(cx: &Ctx, x: &Value) -> Result<Value> {
    if x.dtype() == DType::Bool {
        return Ok(x.clone());
    }
    cx.ne(x, &cx.lit(0.0, x)?)
}

/// `jnp.where` of three arguments: elements of `x` where the condition holds, else of `y`.
pub fn where_(cx: &Ctx, condition: &Value, x: &Arg, y: &Arg) -> Result<Value> {
    let args = [condition.clone(), as_value(cx, x)?, as_value(cx, y)?];
    named(cx, "_where", &args, |cx, v| {
        let which = truth(cx, &v[0])?;
        let cases = [Arg::Value(v[1].clone()), Arg::Value(v[2].clone())];
        let mut cases = promote_dtypes(cx, &[&cases[0], &cases[1]])?;
        let shapes = [which.shape(), cases[0].shape(), cases[1].shape()];
        let Some(shape) = broadcast(shapes) else {
            let listed: Vec<String> = shapes.iter().map(|s| tuple(s)).collect();
            return Err(Error::value_error(format!(
                "Incompatible shapes for broadcasting: shapes=[{}]",
                listed.join(", ")
            )));
        };
        let which = match which.rank() {
            0 => which,
            _ => super::prims::broadcast_to(cx, &which, &shape)?,
        };
        for case in &mut cases {
            *case = super::prims::broadcast_to(cx, case, &shape)?;
        }
        cx.select(&which, &cases[0], &cases[1])
    })
}

/// `where_` on values.
pub fn where_values(cx: &Ctx, condition: &Value, x: &Value, y: &Value) -> Result<Value> {
    where_(
        cx,
        condition,
        &Arg::Value(x.clone()),
        &Arg::Value(y.clone()),
    )
}

/// `where_` with a plain number of the other case's dtype for the elements that hold.
pub fn where_number(cx: &Ctx, condition: &Value, x: f64, y: &Value) -> Result<Value> {
    where_values(cx, condition, &cx.lit(x, y)?, y)
}

/// Two values brought to one type and rank.
pub fn promote2(cx: &Ctx, name: &str, x: &Value, y: &Value) -> Result<(Value, Value)> {
    let (x, y) = (Arg::Value(x.clone()), Arg::Value(y.clone()));
    let mut v = promote_shapes(cx, name, promote_dtypes(cx, &[&x, &y])?)?;
    let y = one(v.split_off(1))?;
    Ok((one(v)?, y))
}

/// The same, to an inexact type.
pub fn promote2_inexact(cx: &Ctx, name: &str, x: &Value, y: &Value) -> Result<(Value, Value)> {
    let (x, y) = (Arg::Value(x.clone()), Arg::Value(y.clone()));
    let mut v = super::convert::promote_args_inexact(cx, name, &[&x, &y])?;
    let y = one(v.split_off(1))?;
    Ok((one(v)?, y))
}
