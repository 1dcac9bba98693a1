//! The intermediate representation: JAX's jaxpr. Immutable data; `build` makes it, `check` verifies
//! it, `print` shows it.

use alloc::{vec, vec::Vec};
pub mod build;
pub mod check;
pub mod print;

use crate::array::Array;
use crate::aval::Aval;
use crate::prim::rule::Op;
use crate::span::Site;
use crate::value::Value;
use alloc::rc::Rc;
use core::cell::OnceCell;

/// A variable: an index into its jaxpr's `avals`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Var(pub u32);

impl Var {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operand of an equation.
#[derive(Clone, Debug)]
pub enum Atom {
    /// A variable.
    Var(Var),
    /// A scalar written into the program.
    Lit(Array),
}

impl Atom {
    /// The variable, if it is one.
    pub fn var(&self) -> Option<Var> {
        match self {
            Atom::Var(v) => Some(*v),
            Atom::Lit(_) => None,
        }
    }
}

/// One equation: outputs = op(inputs), and where it came from.
#[derive(Clone, Debug)]
pub struct Eqn {
    /// The primitive with its parameters.
    pub op: Op,
    /// Operands.
    pub inputs: Vec<Atom>,
    /// Variables defined here.
    pub outputs: Vec<Var>,
    /// The call in the user's source.
    pub site: Site,
}

/// A typed, first-order program without control flow of the host language.
#[derive(Debug, Default)]
pub struct Jaxpr {
    /// Closed-over values, bound before the arguments.
    pub constvars: Vec<Var>,
    /// Arguments.
    pub invars: Vec<Var>,
    /// Equations, each using only what stands before it.
    pub eqns: Vec<Eqn>,
    /// Results.
    pub outvars: Vec<Atom>,
    /// The type of every variable, by index.
    pub avals: Vec<Aval>,
    /// Filled by `last_uses`.
    pub(crate) last_uses: OnceCell<Vec<Vec<Var>>>,
    /// Filled by `pass::dce`: this program without unused equations, `None` if there are none.
    pub(crate) pruned: OnceCell<Option<Rc<Jaxpr>>>,
}

impl Jaxpr {
    /// The type of an atom.
    pub fn aval<'a>(&'a self, atom: &'a Atom) -> &'a Aval {
        match atom {
            Atom::Var(v) => &self.avals[v.index()],
            Atom::Lit(a) => a.aval(),
        }
    }

    /// A copy without what is remembered of this one: to be changed.
    pub fn copied(&self) -> Jaxpr {
        Jaxpr {
            constvars: self.constvars.clone(),
            invars: self.invars.clone(),
            eqns: self.eqns.clone(),
            outvars: self.outvars.clone(),
            avals: self.avals.clone(),
            ..Jaxpr::default()
        }
    }

    /// The types of the results.
    pub fn out_avals(&self) -> Vec<Aval> {
        self.outvars.iter().map(|a| self.aval(a).clone()).collect()
    }

    /// The types of the arguments.
    pub fn in_avals(&self) -> Vec<Aval> {
        self.invars
            .iter()
            .map(|v| self.avals[v.index()].clone())
            .collect()
    }

    /// For every equation, the variables used there for the last time (results are never among
    /// them): what an evaluator may free after it.
    pub fn last_uses(&self) -> &[Vec<Var>] {
        self.last_uses.get_or_init(|| self.find_last_uses())
    }

    fn find_last_uses(&self) -> Vec<Vec<Var>> {
        let mut seen = vec![false; self.avals.len()];
        for v in self.outvars.iter().filter_map(Atom::var) {
            seen[v.index()] = true;
        }
        let mut out = vec![Vec::new(); self.eqns.len()];
        for (i, eqn) in self.eqns.iter().enumerate().rev() {
            let used = eqn
                .inputs
                .iter()
                .filter_map(Atom::var)
                .chain(eqn.outputs.iter().copied());
            for v in used {
                if !core::mem::replace(&mut seen[v.index()], true) {
                    out[i].push(v);
                }
            }
        }
        out
    }

    /// Whether any equation acts on the world (prints, calls back), here or in an inner jaxpr.
    pub fn has_effects(&self) -> bool {
        self.eqns.iter().any(|e| e.op.has_effect())
    }
}

/// A jaxpr together with its closed-over values.
#[derive(Clone, Debug)]
pub struct ClosedJaxpr {
    /// The program.
    pub jaxpr: Rc<Jaxpr>,
    /// Values of `constvars`.
    pub consts: Vec<Value>,
}

impl ClosedJaxpr {
    /// A closed jaxpr that closes over nothing.
    pub fn without_consts(jaxpr: Rc<Jaxpr>) -> ClosedJaxpr {
        ClosedJaxpr {
            jaxpr,
            consts: Vec::new(),
        }
    }
}
