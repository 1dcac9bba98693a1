//! The checker: every variable is defined once before use, and every equation's types are what its
//! primitive says. Run after each pass, and in all tests.

use super::{Atom, Jaxpr, Var};
use crate::aval::Aval;
use crate::error::{Error, Result};
use crate::prim::rule::Param;
use alloc::{format, vec, vec::Vec};

/// Verifies a jaxpr and the jaxprs inside it.
pub fn check(jaxpr: &Jaxpr) -> Result<()> {
    let mut defined = vec![false; jaxpr.avals.len()];
    let mut define = |v: Var| -> Result<()> {
        match defined.get_mut(v.index()) {
            None => Err(Error::internal(format!("variable {v:?} has no type"))),
            Some(d) if *d => Err(Error::internal(format!("variable {v:?} is defined twice"))),
            Some(d) => {
                *d = true;
                Ok(())
            }
        }
    };
    let mut used = Vec::new();
    for v in jaxpr.constvars.iter().chain(&jaxpr.invars) {
        define(*v)?;
    }
    for (i, eqn) in jaxpr.eqns.iter().enumerate() {
        used.extend(eqn.inputs.iter().filter_map(Atom::var).map(|v| (v, i)));
        let in_avals: Vec<&Aval> = eqn.inputs.iter().map(|a| jaxpr.aval(a)).collect();
        let want = eqn.op.abstract_eval(&in_avals)?;
        let have: Vec<&Aval> = eqn
            .outputs
            .iter()
            .map(|v| &jaxpr.avals[v.index()])
            .collect();
        let agree = want.len() == have.len()
            && want
                .iter()
                .zip(&have)
                .all(|(w, h)| w.shape == h.shape && w.dtype == h.dtype);
        if !agree {
            let name = eqn.op.name();
            return Err(Error::internal(format!(
                "equation {i} ({name}) has results {have:?}, its primitive says {want:?}"
            )));
        }
        for v in &eqn.outputs {
            define(*v)?;
        }
        for (_, p) in eqn.op.params() {
            match p {
                Param::Jaxpr(inner) => check(&inner.jaxpr)?,
                Param::Jaxprs(all) => all.iter().try_for_each(|inner| check(inner))?,
                Param::Text(_) => {}
            }
        }
    }
    let order = definition_order(jaxpr);
    for (v, i) in used {
        if order.get(v.index()).is_none_or(|at| *at > i) {
            return Err(Error::internal(format!(
                "equation {i} uses {v:?} before its definition"
            )));
        }
    }
    for v in jaxpr.outvars.iter().filter_map(Atom::var) {
        if order.get(v.index()).is_none_or(|at| *at == usize::MAX) {
            return Err(Error::internal(format!("result {v:?} is not defined")));
        }
    }
    Ok(())
}

/// For every variable the index of the first equation that may use it.
fn definition_order(jaxpr: &Jaxpr) -> Vec<usize> {
    let mut order = vec![usize::MAX; jaxpr.avals.len()];
    for v in jaxpr.constvars.iter().chain(&jaxpr.invars) {
        order[v.index()] = 0;
    }
    for (i, eqn) in jaxpr.eqns.iter().enumerate() {
        for v in &eqn.outputs {
            order[v.index()] = i + 1;
        }
    }
    order
}
