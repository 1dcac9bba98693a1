//! Dead code elimination: drops equations whose results nothing uses.
//!
//! Equations that act on the world (prints, callbacks with side effects) stay. As in JAX, only what
//! is run is pruned; what is printed keeps its unused equations.

use crate::ir::{Atom, Jaxpr};
use std::rc::Rc;

/// The same program without unused equations, made once for each jaxpr. Arguments, constants and
/// results are those of `jaxpr`; a program without unused equations is given back itself.
pub fn dce(jaxpr: &Rc<Jaxpr>) -> Rc<Jaxpr> {
    let pruned = jaxpr.pruned.get_or_init(|| prune(jaxpr).map(Rc::new));
    Rc::clone(pruned.as_ref().unwrap_or(jaxpr))
}

fn prune(jaxpr: &Jaxpr) -> Option<Jaxpr> {
    let mut needed = vec![false; jaxpr.avals.len()];
    let mark = |needed: &mut Vec<bool>, atoms: &[Atom]| {
        for v in atoms.iter().filter_map(Atom::var) {
            needed[v.index()] = true;
        }
    };
    mark(&mut needed, &jaxpr.outvars);
    let mut eqns = Vec::with_capacity(jaxpr.eqns.len());
    for eqn in jaxpr.eqns.iter().rev() {
        if eqn.op.has_effect() || eqn.outputs.iter().any(|v| needed[v.index()]) {
            mark(&mut needed, &eqn.inputs);
            eqns.push(eqn.clone());
        }
    }
    if eqns.len() == jaxpr.eqns.len() {
        return None;
    }
    eqns.reverse();
    Some(Jaxpr {
        constvars: jaxpr.constvars.clone(),
        invars: jaxpr.invars.clone(),
        eqns,
        outvars: jaxpr.outvars.clone(),
        avals: jaxpr.avals.clone(),
        ..Jaxpr::default()
    })
}
