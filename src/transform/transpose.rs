//! Transposing a linear jaxpr: cotangents flow from its results back to its arguments.

use crate::aval::Aval;
use crate::error::{Class, Error, Result};
use crate::interp::stage::trace_to_jaxpr;
use crate::ir::{Atom, ClosedJaxpr, Jaxpr, Var};
use crate::prim::rule::{Ctx, Operand, Tangent};
use crate::value::Value;
use alloc::rc::Rc;
use alloc::{format, string::String, vec, vec::Vec};

/// Pulls `cts`, cotangents of the results, back to the arguments. Equations that do not depend on
/// an argument are evaluated on the way.
///
/// An error names its equation: the jaxpr and the index travel in `Error::program`.
pub fn backward_pass(
    cx: &Ctx,
    jaxpr: &Rc<Jaxpr>,
    consts: &[Value],
    cts: &[Tangent],
) -> Result<Vec<Tangent>> {
    let n = jaxpr.avals.len();
    let mut linear = vec![false; n];
    for v in &jaxpr.invars {
        linear[v.index()] = true;
    }
    let mut known: Vec<Option<Value>> = vec![None; n];
    for (v, c) in jaxpr.constvars.iter().zip(consts) {
        known[v.index()] = Some(c.clone());
    }
    let outer_site = cx.env.site.get();
    let mut backward = Vec::with_capacity(jaxpr.eqns.len());
    for (i, eqn) in jaxpr.eqns.iter().enumerate() {
        if eqn
            .inputs
            .iter()
            .filter_map(Atom::var)
            .any(|v| linear[v.index()])
        {
            eqn.outputs.iter().for_each(|v| linear[v.index()] = true);
            backward.push(i);
            continue;
        }
        let inputs = eqn
            .inputs
            .iter()
            .map(|a| known_value(&known, a))
            .collect::<Result<Vec<_>>>()?;
        cx.env.site.set(eqn.site);
        for (v, value) in eqn.outputs.iter().zip(cx.bind(&*eqn.op, &inputs)?) {
            known[v.index()] = Some(value);
        }
    }
    let mut cotangents: Vec<Tangent> = vec![None; n];
    for (atom, ct) in jaxpr.outvars.iter().zip(cts) {
        if let (Some(v), Some(ct)) = (atom.var(), ct) {
            accumulate(cx, &mut cotangents, v, ct.clone())?;
        }
    }
    for i in backward.into_iter().rev() {
        let eqn = &jaxpr.eqns[i];
        let out: Vec<Tangent> = eqn
            .outputs
            .iter()
            .map(|v| cotangents[v.index()].take())
            .collect();
        if out.iter().all(Option::is_none) {
            continue;
        }
        let operand = |a: &Atom| match a.var() {
            Some(v) if linear[v.index()] => Ok(Operand::Linear(jaxpr.aval(a).clone())),
            _ => known_value(&known, a).map(Operand::Known),
        };
        let operands = eqn.inputs.iter().map(operand).collect::<Result<Vec<_>>>()?;
        if eqn.site.is_known() {
            cx.env.site.set(eqn.site);
        }
        let ins = eqn.op.transpose(cx, &out, &operands).map_err(|mut e| {
            e.primitive.get_or_insert(eqn.op.name());
            if e.avals.is_empty() {
                e.avals = eqn.inputs.iter().map(|a| jaxpr.aval(a).clone()).collect();
            }
            if !e.site.is_known() {
                e.site = eqn.site;
            }
            if e.program.is_none() {
                let closed = ClosedJaxpr {
                    jaxpr: Rc::clone(jaxpr),
                    consts: consts.to_vec(),
                };
                e.program = Some(Rc::new(FailedAt {
                    closed,
                    equation: i,
                }));
            }
            if e.chain.is_empty() {
                e.chain = cx.env.frames.borrow().clone();
            }
            e
        })?;
        for ((atom, operand), ct) in eqn.inputs.iter().zip(&operands).zip(ins) {
            if let (Some(v), true, Some(ct)) = (atom.var(), operand.is_linear(), ct) {
                accumulate(cx, &mut cotangents, v, ct)?;
            }
        }
    }
    cx.env.site.set(outer_site);
    Ok(jaxpr
        .invars
        .iter()
        .map(|v| cotangents[v.index()].take())
        .collect())
}

/// A jaxpr and the equation in it whose rule failed.
#[derive(Clone, Debug)]
pub struct FailedAt {
    /// The program.
    pub closed: ClosedJaxpr,
    /// Index of the equation.
    pub equation: usize,
}

fn accumulate(cx: &Ctx, cotangents: &mut [Tangent], v: Var, ct: Value) -> Result<()> {
    let slot = &mut cotangents[v.index()];
    *slot = Some(match slot.take() {
        None => ct,
        Some(sum) => cx.add_any(&sum, &ct)?,
    });
    Ok(())
}

fn known_value(known: &[Option<Value>], atom: &Atom) -> Result<Value> {
    match atom {
        Atom::Lit(a) => Ok(Value::Array(a.clone())),
        Atom::Var(v) => known[v.index()]
            .clone()
            .ok_or_else(|| Error::internal("a linear jaxpr reads a value that is not known")),
    }
}

/// Traces `f` at the given types, for transposition by `backward_pass`.
pub fn linear_transpose(cx: &Ctx, f: &super::Named, avals: &[Aval]) -> Result<ClosedJaxpr> {
    trace_to_jaxpr(cx, "linear_transpose", &f.name, &f.fun, avals, &[])
}

/// Refuses cotangents that do not fit the results of the function being transposed.
pub fn check_linear_cotangents(out_avals: &[Aval], cts: &[Tangent]) -> Result<()> {
    let listed = |avals: &[String]| match avals {
        [one] => format!("({one},)"),
        _ => format!("({})", avals.join(", ")),
    };
    let fits = cts.len() == out_avals.len()
        && cts.iter().zip(out_avals).all(|(ct, aval)| match ct {
            None => true,
            Some(ct) => {
                ct.shape() == aval.shape.as_slice() && (ct.dtype() == aval.dtype || ct.aval().weak)
            }
        });
    if fits {
        return Ok(());
    }
    let want: Vec<String> = out_avals
        .iter()
        .map(|a| format!("ShapedArray({})", a.long()))
        .collect();
    let got: Vec<String> = cts
        .iter()
        .map(|ct| {
            ct.as_ref().map_or("null".into(), |c| {
                format!("ShapedArray({})", c.aval().long())
            })
        })
        .collect();
    let message = format!(
        "cotangent type does not match function output, expected {} but got {}",
        listed(&want),
        listed(&got)
    );
    let avals: Vec<Aval> = cts.iter().flatten().map(|c| c.aval().clone()).collect();
    Err(Error::mismatch(Class::TypeError, message, &avals))
}
