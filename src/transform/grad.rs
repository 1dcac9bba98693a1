//! Gradients of scalar functions.

use super::Named;
use super::linearize::linearize;
use crate::dtype::DType;
use crate::error::{Class, Error, Kind, Result};
use crate::prim::rule::Ctx;
use crate::shape::tuple;
use crate::value::Value;
use alloc::{format, vec, vec::Vec};

/// What `value_and_grad` gives: the value, auxiliary results, and one gradient per varying input.
pub struct ValueAndGrad {
    /// The scalar result.
    pub value: Value,
    /// Whatever else the function returned.
    pub aux: Vec<Value>,
    /// Gradients of the inputs marked in `wrt`, in order.
    pub grads: Vec<Value>,
}

/// The value of `f` and its gradient with respect to the inputs marked in `wrt`.
///
/// `f`'s first result is the scalar to differentiate; the rest is auxiliary. Inputs must be floats,
/// unless `allow_int`: then theirs is a float0 zero.
///
/// Errors: `TypeError` for a result that is not a float scalar or an input that is not a float.
pub fn value_and_grad(
    cx: &Ctx,
    transform: &'static str,
    f: &Named,
    args: &[Value],
    wrt: &[bool],
    allow_int: bool,
) -> Result<ValueAndGrad> {
    for (v, _) in args.iter().zip(wrt).filter(|(_, w)| **w) {
        check_input(transform, v.dtype(), allow_int)?;
    }
    let (mut outs, linear) = linearize(cx, transform, f, args, wrt)?;
    if outs.is_empty() {
        return Err(Error::internal("grad of a function without results"));
    }
    let value = outs.remove(0);
    check_output(transform, &value)?;
    let mut cts = vec![None; outs.len() + 1];
    cts[0] = Some(cx.lit(1.0, &value)?);
    let all = cx.in_frame("transpose", &f.name, || linear.pull_back_full(cx, &cts))?;
    let grads = all.into_iter().zip(wrt).filter(|(_, w)| **w);
    Ok(ValueAndGrad {
        value,
        aux: outs,
        grads: grads.map(|(g, _)| g).collect(),
    })
}

fn check_input(transform: &str, dtype: DType, allow_int: bool) -> Result<()> {
    if dtype.is_float() || allow_int {
        return Ok(());
    }
    Err(Error::type_error(format!(
        "{transform} requires real- or complex-valued inputs (input dtype that is a sub-dtype of \
         np.inexact), but got {dtype}. If you want to use Boolean- or integer-valued inputs, use \
         vjp or set allow_int to True."
    ))
    .with_kind(Kind::IntegerGrad))
}

fn check_output(transform: &str, value: &Value) -> Result<()> {
    if !value.shape().is_empty() {
        let message = format!(
            "Gradient only defined for scalar-output functions. Output had shape: {}.",
            tuple(value.shape())
        );
        let avals = core::slice::from_ref(value.aval());
        let error = Error::mismatch(Class::TypeError, message, avals);
        return Err(error.with_kind(Kind::NonScalarGrad));
    }
    if !value.dtype().is_float() {
        return Err(Error::type_error(format!(
            "{transform} requires real-valued outputs (output dtype that is a sub-dtype of \
             np.floating), but got {}. For differentiation of functions with integer outputs, use \
             jax.vjp directly.",
            value.dtype()
        ))
        .with_kind(Kind::IntegerGrad));
    }
    Ok(())
}
