//! Building a jaxpr equation by equation.

use super::{Atom, ClosedJaxpr, Eqn, Jaxpr, Var};
use crate::array::Array;
use crate::aval::Aval;
use crate::prim::rule::Op;
use crate::span::Site;
use crate::value::{Tracer, Value};
use alloc::rc::Rc;
use alloc::{vec, vec::Vec};

/// A jaxpr under construction.
#[derive(Debug, Default)]
pub struct Builder {
    avals: Vec<Aval>,
    invars: Vec<Var>,
    consts: Vec<(Var, Value)>,
    eqns: Vec<Eqn>,
}

impl Builder {
    /// A new variable.
    pub fn var(&mut self, aval: Aval) -> Var {
        let v = Var(self.avals.len() as u32);
        self.avals.push(aval);
        v
    }

    /// A new argument.
    pub fn invar(&mut self, aval: Aval) -> Var {
        let v = self.var(aval);
        self.invars.push(v);
        v
    }

    /// The atom for a value from outside: scalars made from numbers are written in, arrays of the
    /// program and tracers of enclosing transforms become constants, each once.
    pub fn constant(&mut self, value: &Value) -> Atom {
        if let Value::Array(a) = value
            && a.shape().is_empty()
            && !a.is_held()
        {
            return Atom::Lit(a.clone());
        }
        let known = self.consts.iter().find(|(_, c)| same_value(c, value));
        if let Some((v, _)) = known {
            return Atom::Var(*v);
        }
        let v = self.var(value.aval().clone());
        self.consts.push((v, value.clone()));
        Atom::Var(v)
    }

    /// Appends an equation and gives its result variables.
    pub fn eqn(&mut self, op: Op, inputs: Vec<Atom>, out_avals: Vec<Aval>, site: Site) -> Vec<Var> {
        let outputs: Vec<Var> = out_avals.into_iter().map(|a| self.var(a)).collect();
        self.eqns.push(Eqn {
            op,
            inputs,
            outputs: outputs.clone(),
            site,
        });
        outputs
    }

    /// Closes the jaxpr.
    pub fn finish(self, outvars: Vec<Atom>) -> ClosedJaxpr {
        let (constvars, consts) = self.consts.into_iter().unzip();
        let Builder {
            avals,
            invars,
            eqns,
            ..
        } = self;
        ClosedJaxpr {
            jaxpr: Rc::new(Jaxpr {
                constvars,
                invars,
                eqns,
                outvars,
                avals,
                ..Jaxpr::default()
            }),
            consts,
        }
    }

    /// The first `most` equations of the jaxpr so far with no results: what is shown when tracing
    /// failed midway.
    pub fn partial(&self, most: usize) -> ClosedJaxpr {
        let (constvars, consts) = self.consts.iter().cloned().unzip();
        let jaxpr = Jaxpr {
            constvars,
            invars: self.invars.clone(),
            eqns: self.eqns[..most.min(self.eqns.len())].to_vec(),
            outvars: Vec::new(),
            avals: self.avals.clone(),
            ..Jaxpr::default()
        };
        ClosedJaxpr {
            jaxpr: Rc::new(jaxpr),
            consts,
        }
    }

    /// Positions of the arguments that a variable depends on, ascending.
    pub fn arguments_behind(&self, v: Var) -> Vec<usize> {
        let mut needed = vec![false; self.avals.len()];
        needed[v.index()] = true;
        for eqn in self.eqns.iter().rev() {
            if eqn.outputs.iter().any(|o| needed[o.index()]) {
                let inputs = eqn.inputs.iter().filter_map(Atom::var);
                inputs.for_each(|i| needed[i.index()] = true);
            }
        }
        let args = self.invars.iter().enumerate();
        args.filter(|(_, v)| needed[v.index()])
            .map(|(i, _)| i)
            .collect()
    }

    /// The number of equations so far.
    pub fn len(&self) -> usize {
        self.eqns.len()
    }

    /// Whether there are no equations yet.
    pub fn is_empty(&self) -> bool {
        self.eqns.is_empty()
    }
}

fn same_value(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => same_array(a, b),
        (Value::Tracer(Tracer(a)), Value::Tracer(Tracer(b))) => Rc::ptr_eq(a, b),
        _ => false,
    }
}

fn same_array(a: &Array, b: &Array) -> bool {
    a.same_storage(b) && a.aval() == b.aval()
}
