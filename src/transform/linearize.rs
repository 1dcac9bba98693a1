//! Linearisation: run `f` once, keeping a linear jaxpr of its tangents. Reverse mode is this and a
//! transpose, so that every failure has a place: an equation, on the way forward or on the way back.

use super::Named;
use super::jvp::instantiate;
use super::transpose::backward_pass;
use crate::aval::Aval;
use crate::error::{Class, Error, Result};
use crate::interp::eval::eval_jaxpr;
use crate::interp::jvp::Jvp;
use crate::interp::stage::Stage;
use crate::ir::ClosedJaxpr;
use crate::pass::dce::dce;
use crate::prim::rule::{Ctx, Interpreter, Tangent};
use crate::value::Value;
use alloc::rc::Rc;
use alloc::{format, vec::Vec};

/// The linear part of a function at a point.
#[derive(Clone, Debug)]
pub struct Linear {
    /// From the tangents of the varying inputs to the tangents that are not zero; residuals are
    /// its constants.
    pub jaxpr: ClosedJaxpr,
    /// For every input whether it varies.
    pub wrt: Vec<bool>,
    /// For every output whether its tangent is in `jaxpr`.
    pub nonzero: Vec<bool>,
    /// Types of the inputs' tangents.
    pub in_avals: Vec<Aval>,
    /// Types of the outputs' tangents.
    pub out_avals: Vec<Aval>,
}

/// Runs `f` and linearises it there with respect to the inputs marked in `wrt`.
///
/// `transform` names in messages what the user called.
pub fn linearize(
    cx: &Ctx,
    transform: &'static str,
    f: &Named,
    primals: &[Value],
    wrt: &[bool],
) -> Result<(Vec<Value>, Linear)> {
    let stage = Stage::new(transform, &f.name);
    let interp = Jvp::linearizing(cx, &stage, transform, &f.name);
    let inner = cx.with(Rc::clone(&interp) as Rc<dyn Interpreter>);
    let args: Vec<Value> = primals
        .iter()
        .zip(wrt)
        .map(|(p, &varies)| {
            let tangent = p.aval().tangent();
            let varies = varies && tangent.dtype.is_float();
            let t = varies.then(|| stage.argument(&inner, tangent, None));
            interp.dual(&inner, p.clone(), t)
        })
        .collect();
    let run = || -> Result<(Vec<Value>, Linear)> {
        let outs = (f.fun)(&inner, &args)?;
        let duals = outs
            .iter()
            .map(|v| interp.split(v))
            .collect::<Result<Vec<_>>>()?;
        let tangents: Vec<Value> = duals.iter().filter_map(|(_, t)| t.clone()).collect();
        let linear = Linear {
            jaxpr: stage.finish(&tangents)?,
            wrt: primals
                .iter()
                .zip(wrt)
                .map(|(p, &w)| w && p.dtype().is_float())
                .collect(),
            nonzero: duals.iter().map(|(_, t)| t.is_some()).collect(),
            in_avals: primals.iter().map(|p| p.aval().tangent()).collect(),
            out_avals: duals.iter().map(|(p, _)| p.aval().tangent()).collect(),
        };
        Ok((duals.into_iter().map(|(p, _)| p).collect(), linear))
    };
    let result = run();
    interp.end();
    if result.is_err() {
        stage.abandon();
    }
    result
}

impl Linear {
    /// Applies the linear map to tangents of all inputs (those of inputs that do not vary are not
    /// looked at).
    pub fn apply(&self, cx: &Ctx, tangents: &[Value]) -> Result<Vec<Value>> {
        let varying: Vec<Value> = tangents
            .iter()
            .zip(&self.wrt)
            .filter(|(_, w)| **w)
            .map(|(t, _)| t.clone())
            .collect();
        let jaxpr = dce(&self.jaxpr.jaxpr);
        let mut outs = eval_jaxpr(cx, &jaxpr, &self.jaxpr.consts, &varying)?.into_iter();
        self.nonzero
            .iter()
            .zip(&self.out_avals)
            .map(
                |(&nonzero, aval)| match nonzero.then(|| outs.next()).flatten() {
                    Some(v) => Ok(v),
                    None => cx.zeros(aval),
                },
            )
            .collect()
    }

    /// Pulls cotangents of the outputs back to cotangents of the inputs; `None` for zero.
    pub fn pull_back(&self, cx: &Ctx, cts: &[Tangent]) -> Result<Vec<Tangent>> {
        let cts: Vec<Tangent> = cts
            .iter()
            .zip(&self.nonzero)
            .filter(|(_, n)| **n)
            .map(|(c, _)| c.clone())
            .collect();
        // Where a text is made, what nothing uses is left out, inside of `jit` too; elsewhere it
        // costs nothing.
        let jaxpr = if cx.interp.is_staging() {
            dce(&self.jaxpr.jaxpr)
        } else {
            Rc::clone(&self.jaxpr.jaxpr)
        };
        let mut ins = backward_pass(cx, &jaxpr, &self.jaxpr.consts, &cts)?.into_iter();
        Ok(self
            .wrt
            .iter()
            .map(|&w| if w { ins.next().flatten() } else { None })
            .collect())
    }

    /// `pull_back` with zeros made explicit.
    pub fn pull_back_full(&self, cx: &Ctx, cts: &[Tangent]) -> Result<Vec<Value>> {
        let ins = self.pull_back(cx, cts)?;
        ins.into_iter()
            .zip(&self.in_avals)
            .map(|(ct, aval)| match ct {
                Some(ct) => Ok(ct),
                None => cx.zeros(aval),
            })
            .collect()
    }

    /// Refuses cotangents that do not fit the results, in JAX's words.
    pub fn checked_cotangents(&self, cts: &[Tangent]) -> Result<Vec<Tangent>> {
        if cts.len() != self.out_avals.len() {
            return Err(Error::value_error(format!(
                "unexpected tree structure of the argument to the vjp function: it has {} leaves, \
                 the differentiated function has {} results",
                cts.len(),
                self.out_avals.len()
            )));
        }
        cts.iter()
            .zip(&self.out_avals)
            .map(|(ct, aval)| match ct {
                Some(ct) if aval.dtype.is_float() && !fits(ct, aval) => {
                    let message = format!(
                        "unexpected JAX type (e.g. shape/dtype) for argument to VJP function: got \
                         {}, but expected {} because the corresponding output of the differentiated \
                         function had JAX type {}",
                        ct.aval().long(),
                        aval.long(),
                        aval.long()
                    );
                    let avals = [ct.aval().clone(), aval.clone()];
                    Err(Error::mismatch(Class::ValueError, message, &avals))
                }
                Some(ct) if aval.dtype.is_float() => Ok(Some(ct.clone())),
                _ => Ok(None),
            })
            .collect()
    }

    /// Refuses tangents that do not fit the point of linearisation; makes zeros explicit.
    pub fn checked_tangents(&self, cx: &Ctx, tangents: &[Tangent]) -> Result<Vec<Value>> {
        if tangents.len() != self.in_avals.len() {
            return Err(Error::type_error(format!(
                "linearized function called on {} tangents, but it was linearized at {} values",
                tangents.len(),
                self.in_avals.len()
            )));
        }
        tangents
            .iter()
            .zip(&self.in_avals)
            .map(|(t, aval)| match t {
                Some(t) if aval.dtype.is_float() && !fits(t, aval) => {
                    let message = format!(
                        "linearized function called on tangent values inconsistent with the \
                         original primal values: got tangent aval {} for primal aval {}",
                        t.aval().long(),
                        aval.long()
                    );
                    let avals = [t.aval().clone(), aval.clone()];
                    Err(Error::mismatch(Class::ValueError, message, &avals))
                }
                Some(t) => Ok(t.clone()),
                None => cx.zeros(aval),
            })
            .collect()
    }
}

/// Whether a tangent or cotangent is of the given type; weak scalars count as any float.
fn fits(v: &Value, aval: &Aval) -> bool {
    v.shape() == aval.shape.as_slice() && (v.dtype() == aval.dtype || v.aval().weak)
}

/// Tangents of results with zeros made explicit.
pub fn instantiate_all(cx: &Ctx, primals: &[Value], tangents: Vec<Tangent>) -> Result<Vec<Value>> {
    primals
        .iter()
        .zip(tangents)
        .map(|(p, t)| instantiate(cx, p, t))
        .collect()
}
