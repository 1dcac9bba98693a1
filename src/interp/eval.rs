//! Evaluation: primitives on concrete arrays.

use crate::error::{Error, Result};
use crate::ir::{Atom, Jaxpr, Var};
use crate::prim::rule::{Ctx, Env, Interpreter, Primitive};
use crate::value::{Trace, Value};
use alloc::rc::Rc;
use alloc::{format, vec, vec::Vec};

/// Computes at once.
#[derive(Debug)]
pub struct Eval;

/// A context that evaluates.
pub fn eval_ctx(env: Rc<Env>) -> Ctx {
    Ctx {
        interp: Rc::new(Eval),
        env,
    }
}

impl Interpreter for Eval {
    fn process(&self, cx: &Ctx, op: &dyn Primitive, args: &[Value]) -> Result<Vec<Value>> {
        // Checked here too: eager programs meet the shape rule nowhere else.
        op.apply(cx, args)
    }

    fn is_staging(&self) -> bool {
        false
    }

    fn trace(&self) -> Option<&Rc<Trace>> {
        None
    }
}

/// Runs a jaxpr under any context, freeing each value after its last use.
pub fn eval_jaxpr(cx: &Ctx, jaxpr: &Jaxpr, consts: &[Value], args: &[Value]) -> Result<Vec<Value>> {
    if args.len() != jaxpr.invars.len() || consts.len() != jaxpr.constvars.len() {
        return Err(Error::internal(format!(
            "a jaxpr of {} arguments was called with {}",
            jaxpr.invars.len(),
            args.len()
        )));
    }
    let mut values: Vec<Option<Value>> = vec![None; jaxpr.avals.len()];
    let binders = jaxpr.constvars.iter().chain(&jaxpr.invars);
    for (v, value) in binders.zip(consts.iter().chain(args)) {
        values[v.index()] = Some(value.clone());
    }

    let outer_site = cx.env.site.get();
    for (eqn, dead) in jaxpr.eqns.iter().zip(jaxpr.last_uses()) {
        let inputs = eqn
            .inputs
            .iter()
            .map(|a| read(&values, a))
            .collect::<Result<Vec<_>>>()?;
        for v in dead {
            values[v.index()] = None;
        }
        if eqn.site.is_known() {
            cx.env.site.set(eqn.site);
        }
        let outputs = cx.bind(&*eqn.op, &inputs)?;
        for (v, value) in eqn.outputs.iter().zip(outputs) {
            if !dead.contains(v) {
                values[v.index()] = Some(value);
            }
        }
    }
    cx.env.site.set(outer_site);
    jaxpr.outvars.iter().map(|a| read(&values, a)).collect()
}

fn read(values: &[Option<Value>], atom: &Atom) -> Result<Value> {
    match atom {
        Atom::Lit(a) => Ok(Value::Array(a.clone())),
        Atom::Var(Var(i)) => values[*i as usize]
            .clone()
            .ok_or_else(|| Error::internal("a variable was read before it was defined")),
    }
}
