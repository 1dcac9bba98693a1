//! `cond` and `switch`: one of several programs is run.

use super::{as_function, marked, present, restage, unzip_groups, zip_avals, zip_groups};
use crate::array::Array;
use crate::aval::Aval;
use crate::error::{Error, Result};
use crate::interp::eval::eval_jaxpr;
use crate::ir::Jaxpr;
use crate::pass::dce::{dce, dce_closed, readers_of};
use crate::prim::rule::{
    Ctx, Duals, Env, Fun, Lanes, Narrowed, Operand, Param, Primitive, Tangent,
};
use crate::prim::select::SelectN;
use crate::transform::jit::{rebind, spread};
use crate::transform::jvp::jvp;
use crate::transform::linearize::{Linear, linearize};
use crate::transform::transpose::backward_pass;
use crate::transform::vmap::{replicate, vmap_front};
use crate::value::Value;
use alloc::rc::Rc;
use alloc::{vec, vec::Vec};
use core::cell::RefCell;
use core::hash::{Hash, Hasher};

/// The `cond` primitive. Operands: an int32 index within range, then those of every branch.
#[derive(Clone, Debug)]
pub struct Cond {
    /// The programs, of equal types.
    pub branches: Vec<Rc<Jaxpr>>,
}

impl PartialEq for Cond {
    fn eq(&self, other: &Cond) -> bool {
        self.branches.len() == other.branches.len()
            && self
                .branches
                .iter()
                .zip(&other.branches)
                .all(|(a, b)| Rc::ptr_eq(a, b))
    }
}
impl Eq for Cond {}
impl Hash for Cond {
    fn hash<H: Hasher>(&self, h: &mut H) {
        let first = self.branches.first();
        first.map(|j| Rc::as_ptr(j) as usize).hash(h);
    }
}

/// What is made of one branch, and the values it closes over.
type Part = (Rc<Jaxpr>, Vec<Value>);

/// Branches that close over different values take those of all; gives them with one list of values.
pub fn joined(parts: Vec<Part>) -> (Vec<Rc<Jaxpr>>, Vec<Value>) {
    if parts.iter().all(|(_, consts)| consts.is_empty()) {
        return (parts.into_iter().map(|(j, _)| j).collect(), Vec::new());
    }
    let mut all: Vec<Value> = Vec::new();
    let mut places = Vec::new();
    for (_, consts) in &parts {
        let mut own = Vec::new();
        for c in consts {
            let known = all.iter().position(|v| crate::transform::jit::same(v, c));
            own.push(known.unwrap_or_else(|| {
                all.push(c.clone());
                all.len() - 1
            }));
        }
        places.push(own);
    }
    let avals: Vec<Aval> = all.iter().map(|v| v.aval().clone()).collect();
    let branches = parts.into_iter().zip(places).map(|((jaxpr, _), own)| {
        let mut wide = jaxpr.copied();
        let (mine, rest) = jaxpr.invars.split_at(own.len());
        let mut invars = Vec::new();
        for (i, aval) in avals.iter().enumerate() {
            invars.push(match own.iter().position(|&o| o == i) {
                Some(at) => mine[at],
                None => {
                    wide.avals.push(aval.clone());
                    crate::ir::Var(wide.avals.len() as u32 - 1)
                }
            });
        }
        invars.extend_from_slice(rest);
        wide.invars = invars;
        Rc::new(wide)
    });
    (branches.collect(), all)
}

impl Cond {
    /// Makes a branch of every branch. Values that those close over become operands behind the
    /// index.
    fn each(
        &self,
        cx: &Ctx,
        avals: &[Aval],
        make: &mut dyn FnMut(&Rc<Jaxpr>) -> Fun,
    ) -> Result<(Cond, Vec<Value>)> {
        let mut parts = Vec::new();
        for branch in &self.branches {
            parts.push(restage(cx, "cond", make(branch), avals)?);
        }
        let (branches, hoisted) = joined(parts);
        Ok((Cond { branches }, hoisted))
    }

    fn bind_with(
        &self,
        cx: &Ctx,
        index: &Value,
        hoisted: Vec<Value>,
        rest: &[Value],
    ) -> Result<Vec<Value>> {
        let mut operands = vec![index.clone()];
        operands.extend(hoisted);
        operands.extend_from_slice(rest);
        cx.bind(self, &operands)
    }

    fn linearized(
        &self,
        parent: &Ctx,
        linear: &Ctx,
        primals: &[Value],
        tangents: &[Tangent],
    ) -> Result<Duals> {
        let wrt = present(&tangents[1..]);
        let avals = self.branches[0].in_avals();
        let num_outs = self.branches[0].outvars.len();
        // Once to learn what each branch has: its linear part and the types of its residuals.
        let mut slots: Vec<Aval> = Vec::new();
        let mut linears: Vec<(Linear, Vec<usize>)> = Vec::new();
        for branch in &self.branches {
            let lin = linear_of(parent, branch, &wrt, &avals)?;
            let mut taken: Vec<usize> = Vec::new();
            for v in &lin.jaxpr.consts {
                let free = |i: &usize| !taken.contains(i) && slots[*i] == *v.aval();
                let slot = (0..slots.len()).find(free).unwrap_or_else(|| {
                    slots.push(v.aval().clone());
                    slots.len() - 1
                });
                taken.push(slot);
            }
            linears.push((lin, taken));
        }
        let mut nonzero = vec![false; num_outs];
        for (lin, _) in &linears {
            for (n, l) in nonzero.iter_mut().zip(&lin.nonzero) {
                *n |= l;
            }
        }
        let mut at = 0;
        let (forward, hoisted) = self.each(parent, &avals, &mut |branch| {
            let body = as_function("cond", branch);
            let (taken, slots, wrt) = (linears[at].1.clone(), slots.clone(), wrt.clone());
            at += 1;
            Rc::new(move |cx, args| {
                let (mut outs, mut lin) = linearize(cx, "cond", &body, args, &wrt)?;
                lin.jaxpr = dce_closed(&lin.jaxpr);
                for (i, aval) in slots.iter().enumerate() {
                    outs.push(match taken.iter().position(|&t| t == i) {
                        Some(r) => lin.jaxpr.consts[r].clone(),
                        None => cx.zeros(aval)?,
                    });
                }
                Ok(outs)
            })
        })?;
        let mut outs = forward.bind_with(parent, &primals[0], hoisted, &primals[1..])?;
        let residuals = outs.split_off(num_outs);
        let tangent_avals: Vec<Aval> = avals.iter().map(Aval::tangent).collect();
        let mut in_avals = slots.clone();
        in_avals.extend(marked(&tangent_avals, &wrt));
        let out_avals: Vec<Aval> = outs.iter().map(|v| v.aval().tangent()).collect();
        let mut at = 0;
        let (back, hoisted) = self.each(linear, &in_avals, &mut |_| {
            let (lin, taken) = linears[at].clone();
            at += 1;
            let (n, nonzero, out_avals) = (slots.len(), nonzero.clone(), out_avals.clone());
            Rc::new(move |cx, args| {
                let residuals: Vec<Value> = taken.iter().map(|&t| args[t].clone()).collect();
                let outs = eval_jaxpr(cx, &lin.jaxpr.jaxpr, &residuals, &args[n..])?;
                let outs = spread(outs, &lin.nonzero);
                let mut full = Vec::new();
                for ((out, _), aval) in outs
                    .into_iter()
                    .zip(&nonzero)
                    .zip(&out_avals)
                    .filter(|((_, n), _)| **n)
                {
                    full.push(out.map_or_else(|| cx.zeros(aval), Ok)?);
                }
                Ok(full)
            })
        })?;
        let mut operands = residuals;
        operands.extend(tangents.iter().flatten().cloned());
        let outs_t = back.bind_with(linear, &primals[0], hoisted, &operands)?;
        Ok((outs, spread(outs_t, &nonzero)))
    }
}

/// The linear part of a branch; its constants have the right types, but belong to a trace that
/// has ended.
fn linear_of(cx: &Ctx, branch: &Rc<Jaxpr>, wrt: &[bool], avals: &[Aval]) -> Result<Linear> {
    let kept = Rc::new(RefCell::new(None));
    let (store, body, wrt) = (Rc::clone(&kept), as_function("cond", branch), wrt.to_vec());
    let fun: Fun = Rc::new(move |cx, args| {
        let (outs, mut lin) = linearize(cx, "cond", &body, args, &wrt)?;
        lin.jaxpr = dce_closed(&lin.jaxpr);
        *store.borrow_mut() = Some(lin);
        Ok(outs)
    });
    restage(cx, "cond", fun, avals)?;
    let lin = kept.borrow_mut().take();
    lin.ok_or_else(|| Error::internal("linearising a branch left no linear program"))
}

impl Primitive for Cond {
    fn name(&self) -> &'static str {
        "cond"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("branches", Param::Jaxprs(self.branches.clone()))]
    }

    fn abstract_eval(&self, _: &[&Aval]) -> Result<Vec<Aval>> {
        // Weak only where all branches are.
        let mut outs = self.branches[0].out_avals();
        for branch in &self.branches[1..] {
            for (out, other) in outs.iter_mut().zip(branch.out_avals()) {
                out.weak &= other.weak;
            }
        }
        Ok(outs)
    }

    fn eval(&self, _: &Env, _: &[Array]) -> Result<Vec<Array>> {
        Err(Error::internal("cond is evaluated in a context"))
    }

    fn eval_in(&self, cx: &Ctx, args: &[Value]) -> Result<Vec<Value>> {
        let Value::Array(index) = &args[0] else {
            return Err(Error::internal("cond is run on arrays"));
        };
        let last = self.branches.len() - 1;
        let chosen = (index.number_at(0).max(0.0) as usize).min(last);
        eval_jaxpr(cx, &dce(&self.branches[chosen]), &[], &args[1..])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let varies = present(&tangents[1..]);
        let avals = zip_avals(&self.branches[0].in_avals(), &[&varies]);
        let mut nonzero = vec![false; self.branches[0].outvars.len()];
        let mut made = None;
        // The second round knows which results have tangents in any branch.
        for _ in 0..2 {
            let found = Rc::new(RefCell::new(nonzero.clone()));
            let (op, hoisted) = self.each(cx, &avals, &mut |branch| {
                let body = as_function("cond", branch);
                let (varies, nonzero, seen) = (varies.clone(), nonzero.clone(), Rc::clone(&found));
                Rc::new(move |cx, args| {
                    let (primals, tangents) = unzip_groups(args, &[&varies]);
                    let (outs, outs_t) = jvp(cx, &body, &primals, &tangents)?;
                    for (s, t) in seen.borrow_mut().iter_mut().zip(&outs_t) {
                        *s |= t.is_some();
                    }
                    zip_groups(cx, &outs, &outs_t, &[&nonzero])
                })
            })?;
            made = Some((op, hoisted));
            let found = found.take();
            if found == nonzero {
                break;
            }
            nonzero = found;
        }
        let Some((op, hoisted)) = made else {
            return Err(Error::internal("differentiating a cond made nothing"));
        };
        let operands = zip_groups(cx, &primals[1..], &tangents[1..], &[&varies])?;
        let outs = op.bind_with(cx, &primals[0], hoisted, &operands)?;
        Ok(unzip_groups(&outs, &[&nonzero]))
    }

    fn linearize(
        &self,
        parent: &Ctx,
        linear: &Ctx,
        primals: &[Value],
        tangents: &[Tangent],
    ) -> Option<Result<Duals>> {
        Some(self.linearized(parent, linear, primals, tangents))
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let linear: Vec<bool> = args[1..].iter().map(Operand::is_linear).collect();
        let known: Vec<bool> = linear.iter().map(|l| !l).collect();
        let Some(index) = args[0].known() else {
            return Err(Error::internal("the index of a cond is not linear"));
        };
        let values: Vec<Value> = args[1..]
            .iter()
            .filter_map(|a| a.known().cloned())
            .collect();
        let there = present(cts);
        let avals = self.branches[0].in_avals();
        let mut in_avals: Vec<Aval> = values.iter().map(|v| v.aval().clone()).collect();
        in_avals.extend(cts.iter().flatten().map(|c| c.aval().clone()));
        let wanted: Vec<Aval> = marked(&avals, &linear).iter().map(Aval::tangent).collect();
        let n = values.len();
        let (op, hoisted) = self.each(cx, &in_avals, &mut |branch| {
            let jaxpr = Rc::new(rebind(
                branch,
                marked(&branch.invars, &known),
                marked(&branch.invars, &linear),
            ));
            let (there, wanted) = (there.clone(), wanted.clone());
            Rc::new(move |cx, args| {
                let cts = spread(args[n..].to_vec(), &there);
                let ins = backward_pass(cx, &jaxpr, &args[..n], &cts)?;
                let both = ins.into_iter().zip(&wanted);
                both.map(|(ct, aval)| ct.map_or_else(|| cx.zeros(aval), Ok))
                    .collect()
            })
        })?;
        let mut operands = values;
        operands.extend(cts.iter().flatten().cloned());
        let outs = op.bind_with(cx, index, hoisted, &operands)?;
        let mut ins = vec![None];
        ins.extend(spread(outs, &linear));
        Ok(ins)
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], batched: &[bool]) -> Result<Lanes> {
        if batched[0] {
            return self.select(cx, size, args, batched);
        }
        let flags = batched[1..].to_vec();
        let lanes = self.branches[0].in_avals();
        let lanes = lanes.iter().zip(&flags);
        let avals: Vec<Aval> = lanes
            .map(|(a, &b)| if b { a.with_axis0(size) } else { a.clone() })
            .collect();
        let mut mapped = vec![false; self.branches[0].outvars.len()];
        let mut made = None;
        for _ in 0..2 {
            let found = Rc::new(RefCell::new(mapped.clone()));
            made = Some(self.each(cx, &avals, &mut |branch| {
                let body = as_function("cond", branch);
                let (flags, full, seen) = (flags.clone(), mapped.clone(), Rc::clone(&found));
                Rc::new(move |cx, args| {
                    let (mut outs, own) = vmap_front(cx, &body, size, args, &flags)?;
                    for (i, out) in outs.iter_mut().enumerate() {
                        seen.borrow_mut()[i] |= own[i];
                        if full[i] && !own[i] {
                            *out = replicate(cx, out, size)?;
                        }
                    }
                    Ok(outs)
                })
            })?);
            let found = found.take();
            if found == mapped {
                break;
            }
            mapped = found;
        }
        let Some((op, hoisted)) = made else {
            return Err(Error::internal("vectorising a cond made nothing"));
        };
        let outs = op.bind_with(cx, &args[0], hoisted, &args[1..])?;
        Ok((outs, mapped))
    }

    fn has_effect(&self) -> bool {
        self.branches.iter().any(|b| b.has_effects())
    }

    fn narrowed(&self, used: &[bool]) -> Option<Narrowed> {
        let parts: Vec<_> = self.branches.iter().map(|b| readers_of(b, used)).collect();
        let n = self.branches[0].invars.len();
        let read: Vec<bool> = (0..n).map(|i| parts.iter().any(|(_, r)| r[i])).collect();
        let mut same = !read.contains(&false);
        let mut branches = Vec::new();
        for ((jaxpr, _), old) in parts.iter().zip(&self.branches) {
            same &= Rc::ptr_eq(jaxpr, old);
            branches.push(Rc::new(Jaxpr {
                invars: marked(&jaxpr.invars, &read),
                ..jaxpr.copied()
            }));
        }
        let operands = [&[true], read.as_slice()].concat();
        (!same).then(|| (Rc::new(Cond { branches }) as _, operands, used.to_vec()))
    }
}

impl Cond {
    /// With an index per lane all branches run and every lane takes its own. A branch that is not
    /// a lane's sees no tangents of it, so that what is not finite there does no harm.
    fn select(&self, cx: &Ctx, size: usize, args: &[Value], batched: &[bool]) -> Result<Lanes> {
        let index = &args[0];
        let mut results: Vec<Vec<Value>> = Vec::new();
        for (i, branch) in self.branches.iter().enumerate() {
            let wanted = Value::Array(Array::scalar(i as f64, index.dtype(), false)?);
            let here = cx.eq(index, &wanted)?;
            let mut inputs = Vec::new();
            let flags = vec![true; args.len() - 1];
            for (v, &b) in args[1..].iter().zip(&batched[1..]) {
                let v = if b {
                    v.clone()
                } else {
                    replicate(cx, v, size)?
                };
                if !v.dtype().is_float() {
                    inputs.push(v);
                    continue;
                }
                let still = cx.stop_gradient(&v)?;
                let here = cx.broadcast_in_dim_front(&here, v.shape())?;
                inputs.push(cx.select(&here, &v, &still)?);
            }
            let body = as_function("cond", branch);
            let (outs, mapped) = vmap_front(cx, &body, size, &inputs, &flags)?;
            results.push(crate::transform::vmap::all_mapped(cx, outs, &mapped, size)?);
        }
        let mut outs = Vec::new();
        for i in 0..self.branches[0].outvars.len() {
            let which = cx.broadcast_in_dim_front(index, results[0][i].shape())?;
            let mut operands = vec![which];
            operands.extend(results.iter().map(|r| r[i].clone()));
            outs.push(cx.bind1(&SelectN, &operands)?);
        }
        let flags = vec![true; outs.len()];
        Ok((outs, flags))
    }
}

impl Ctx {
    /// One value per lane repeated along the other axes.
    fn broadcast_in_dim_front(&self, lanes: &Value, shape: &[usize]) -> Result<Value> {
        if lanes.shape() == shape {
            return Ok(lanes.clone());
        }
        self.broadcast_in_dim(lanes, shape, &[0])
    }
}
