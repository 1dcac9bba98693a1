//! Control flow that is traced: `scan`, `while_loop`, `cond`. Each is one equation that holds the
//! programs of its parts; every transform of it is such an equation again.
//!
//! What the programs close over has become leading operands, in groups: those that stay the same,
//! those carried from step to step, those sliced.

pub mod cond;
pub mod enter;

pub mod scan;
pub mod while_loop;

use super::jit::consts_to_args;
use crate::aval::Aval;
use crate::error::Result;
use crate::interp::eval::eval_jaxpr;
use crate::interp::stage::trace_to_jaxpr;
use crate::ir::Jaxpr;
use crate::pass::dce::dce_closed;
use crate::prim::rule::{Ctx, Fun, Tangent};
use crate::transform::Named;
use crate::value::Value;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;

/// Traces a part of a control-flow primitive. What it closes over become leading arguments; their
/// values are given too.
fn stage(
    cx: &Ctx,
    transform: &'static str,
    f: &Named,
    avals: &[Aval],
    origins: &[String],
) -> Result<(Rc<Jaxpr>, Vec<Value>)> {
    let closed = trace_to_jaxpr(cx, transform, &f.name, &f.fun, avals, origins)?;
    Ok((consts_to_args(&closed), closed.consts))
}

/// `stage` for programs that a transform makes: without the equations that nothing uses.
fn restage(
    cx: &Ctx,
    transform: &'static str,
    fun: Fun,
    avals: &[Aval],
) -> Result<(Rc<Jaxpr>, Vec<Value>)> {
    let closed = trace_to_jaxpr(cx, transform, transform, &fun, avals, &[])?;
    let closed = dce_closed(&closed);
    Ok((consts_to_args(&closed), closed.consts))
}

/// A program without constants as a function.
fn as_function(name: &str, jaxpr: &Rc<Jaxpr>) -> Named {
    let jaxpr = Rc::clone(jaxpr);
    Named::new(
        name,
        Rc::new(move |cx, args| eval_jaxpr(cx, &jaxpr, &[], args)),
    )
}

/// A list in runs of the given sizes; the last takes what is left.
fn cut<const N: usize, T>(all: &[T], sizes: [usize; N]) -> [&[T]; N] {
    let mut rest = all;
    core::array::from_fn(|i| {
        let n = if i + 1 == N { rest.len() } else { sizes[i] };
        let (run, after) = rest.split_at(n.min(rest.len()));
        rest = after;
        run
    })
}

/// Those of `items` that are marked.
fn marked<T: Clone>(items: &[T], marks: &[bool]) -> Vec<T> {
    let chosen = items.iter().zip(marks).filter(|(_, m)| **m);
    chosen.map(|(item, _)| item.clone()).collect()
}

/// Per group, its members followed by the tangents of the marked ones: to all members, and all
/// tangents.
fn unzip_groups(all: &[Value], groups: &[&[bool]]) -> (Vec<Value>, Vec<Tangent>) {
    let (mut primals, mut tangents) = (Vec::new(), Vec::new());
    let mut rest = all.iter().cloned();
    for marks in groups {
        primals.extend(rest.by_ref().take(marks.len()));
        for &m in *marks {
            tangents.push(m.then(|| rest.next()).flatten());
        }
    }
    (primals, tangents)
}

/// The types of what `unzip_groups` takes apart.
fn zip_avals(avals: &[Aval], groups: &[&[bool]]) -> Vec<Aval> {
    let (mut out, mut at) = (Vec::new(), 0);
    for marks in groups {
        let own = &avals[at..at + marks.len()];
        at += marks.len();
        out.extend_from_slice(own);
        out.extend(marked(own, marks).iter().map(Aval::tangent));
    }
    out
}

/// The reverse of `unzip_groups`, where tangents of marked members are made explicit.
fn zip_groups(
    cx: &Ctx,
    primals: &[Value],
    tangents: &[Tangent],
    groups: &[&[bool]],
) -> Result<Vec<Value>> {
    let (mut out, mut at) = (Vec::new(), 0);
    for marks in groups {
        let range = at..at + marks.len();
        at += marks.len();
        out.extend_from_slice(&primals[range.clone()]);
        for (i, _) in range.zip(*marks).filter(|(_, m)| **m) {
            out.push(super::jvp::instantiate(
                cx,
                &primals[i],
                tangents[i].clone(),
            )?);
        }
    }
    Ok(out)
}

fn present(tangents: &[Tangent]) -> Vec<bool> {
    tangents.iter().map(Option::is_some).collect()
}

/// Marks of carries that stay as they are through a step: from `start`, those that a step finds
/// are added until it finds no more. `step` keeps what it made.
fn fixpoint(
    start: &[bool],
    step: &mut dyn FnMut(&[bool]) -> Result<Vec<bool>>,
) -> Result<Vec<bool>> {
    let mut marks = start.to_vec();
    loop {
        let found = step(&marks)?;
        let grown: Vec<bool> = marks.iter().zip(found).map(|(&m, f)| m || f).collect();
        if grown == marks {
            return Ok(marks);
        }
        marks = grown;
    }
}
