//! Dead code elimination: drops equations whose results nothing uses, and of equations that hold a
//! program the results and operands that nothing needs.
//!
//! Equations that act on the world (prints, callbacks with side effects) stay. As in JAX, what is
//! run is pruned, and so is what linearisation makes; what is traced from the program keeps its
//! unused equations.

use crate::ir::{Atom, ClosedJaxpr, Eqn, Jaxpr, Var};
use alloc::rc::Rc;
use alloc::{vec, vec::Vec};

/// The same program without unused equations, made once for each jaxpr. Arguments, constants and
/// results are those of `jaxpr`; a program without unused equations is given back itself.
pub fn dce(jaxpr: &Rc<Jaxpr>) -> Rc<Jaxpr> {
    let pruned = jaxpr.pruned.get_or_init(|| prune(jaxpr).map(Rc::new));
    Rc::clone(pruned.as_ref().unwrap_or(jaxpr))
}

/// `dce`, and the constants that are left without a reader go too.
pub fn dce_closed(closed: &ClosedJaxpr) -> ClosedJaxpr {
    let jaxpr = dce(&closed.jaxpr);
    let read = Readers::of(&jaxpr);
    let kept: Vec<bool> = jaxpr.constvars.iter().map(|v| read.has(*v)).collect();
    if kept.iter().all(|&k| k) {
        let consts = closed.consts.clone();
        return ClosedJaxpr { jaxpr, consts };
    }
    ClosedJaxpr {
        jaxpr: Rc::new(Jaxpr {
            constvars: chosen(&jaxpr.constvars, &kept),
            ..jaxpr.copied()
        }),
        consts: chosen(&closed.consts, &kept),
    }
}

/// The program of the `used` results alone, without unused equations, constants and arguments; and
/// which arguments are left. `None` if that is all of it.
pub fn narrow(closed: &ClosedJaxpr, used: &[bool]) -> Option<(ClosedJaxpr, Vec<bool>)> {
    let all = used.iter().all(|&u| u);
    let of_used = if all {
        closed.clone()
    } else {
        ClosedJaxpr {
            jaxpr: Rc::new(Jaxpr {
                outvars: chosen(&closed.jaxpr.outvars, used),
                ..closed.jaxpr.copied()
            }),
            consts: closed.consts.clone(),
        }
    };
    let pruned = dce_closed(&of_used);
    let read = Readers::of(&pruned.jaxpr);
    let args: Vec<bool> = pruned.jaxpr.invars.iter().map(|v| read.has(*v)).collect();
    if args.iter().all(|&a| a) {
        let same = Rc::ptr_eq(&pruned.jaxpr, &closed.jaxpr);
        return (!same).then_some((pruned, args));
    }
    let jaxpr = Rc::new(Jaxpr {
        invars: chosen(&pruned.jaxpr.invars, &args),
        ..pruned.jaxpr.copied()
    });
    let consts = pruned.consts;
    Some((ClosedJaxpr { jaxpr, consts }, args))
}

/// The program of the `used` results alone, without unused equations, and which of its arguments it
/// reads.
pub fn readers_of(jaxpr: &Rc<Jaxpr>, used: &[bool]) -> (Rc<Jaxpr>, Vec<bool>) {
    let of_used = match used.iter().all(|&u| u) {
        true => Rc::clone(jaxpr),
        false => Rc::new(Jaxpr {
            outvars: chosen(&jaxpr.outvars, used),
            ..jaxpr.copied()
        }),
    };
    let pruned = dce(&of_used);
    let read = Readers::of(&pruned);
    let args = pruned.invars.iter().map(|v| read.has(*v)).collect();
    (pruned, args)
}

fn prune(jaxpr: &Jaxpr) -> Option<Jaxpr> {
    let mut needed = Readers(vec![false; jaxpr.avals.len()]);
    needed.add(&jaxpr.outvars);
    let mut eqns = Vec::with_capacity(jaxpr.eqns.len());
    let mut changed = false;
    for eqn in jaxpr.eqns.iter().rev() {
        let used: Vec<bool> = eqn.outputs.iter().map(|v| needed.has(*v)).collect();
        if !eqn.op.has_effect() && !used.contains(&true) {
            changed = true;
            continue;
        }
        let eqn = match eqn.op.narrowed(&used) {
            None => eqn.clone(),
            Some((op, operands, results)) => {
                changed = true;
                Eqn {
                    op,
                    inputs: chosen(&eqn.inputs, &operands),
                    outputs: chosen(&eqn.outputs, &results),
                    site: eqn.site,
                }
            }
        };
        needed.add(&eqn.inputs);
        eqns.push(eqn);
    }
    if !changed {
        return None;
    }
    eqns.reverse();
    Some(Jaxpr {
        eqns,
        ..jaxpr.copied()
    })
}

/// For every variable, whether something reads it.
struct Readers(Vec<bool>);

impl Readers {
    fn of(jaxpr: &Jaxpr) -> Readers {
        let mut readers = Readers(vec![false; jaxpr.avals.len()]);
        readers.add(&jaxpr.outvars);
        jaxpr.eqns.iter().for_each(|e| readers.add(&e.inputs));
        readers
    }

    fn add(&mut self, atoms: &[Atom]) {
        for v in atoms.iter().filter_map(Atom::var) {
            self.0[v.index()] = true;
        }
    }

    fn has(&self, v: Var) -> bool {
        self.0[v.index()]
    }
}

fn chosen<T: Clone>(items: &[T], kept: &[bool]) -> Vec<T> {
    let kept = items.iter().zip(kept).filter(|(_, k)| **k);
    kept.map(|(item, _)| item.clone()).collect()
}
