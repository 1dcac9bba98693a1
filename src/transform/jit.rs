//! `jit`: functions kept together as one equation.
//!
//! Where nothing is being staged the inner jaxpr is simply run under the current transform. Where a
//! jaxpr is being built, every transform of a `jit` equation is a `jit` equation again, as in JAX.

use super::Named;
use super::linearize::linearize;
use super::transpose::backward_pass;
use super::vmap::vmap_front;
use crate::array::Array;
use crate::aval::Aval;
use crate::error::{Error, Result};
use crate::interp::eval::eval_jaxpr;
use crate::interp::stage::trace_to_jaxpr;
use crate::ir::{ClosedJaxpr, Jaxpr};
use crate::pass::dce::{dce, dce_closed, narrow};
use crate::prim::rule::{Ctx, Duals, Env, Fun, Narrowed, Operand, Param, Primitive, Tangent};
use crate::value::Value;
use alloc::rc::Rc;
use alloc::{borrow::ToOwned, string::String, vec, vec::Vec};
use core::cell::{Cell, RefCell};
use core::hash::{Hash, Hasher};

/// The `jit` primitive: calls a jaxpr. Its constants are concrete arrays; whatever else the
/// function closed over has become a leading argument.
#[derive(Clone, Debug)]
pub struct Jit {
    /// The function's name.
    pub name: String,
    /// The program.
    pub closed: ClosedJaxpr,
}

impl PartialEq for Jit {
    fn eq(&self, other: &Jit) -> bool {
        self.name == other.name && Rc::ptr_eq(&self.closed.jaxpr, &other.closed.jaxpr)
    }
}
impl Eq for Jit {}
impl Hash for Jit {
    fn hash<H: Hasher>(&self, h: &mut H) {
        (Rc::as_ptr(&self.closed.jaxpr) as usize).hash(h);
    }
}

/// Turns closed-over tracers into leading arguments; gives the closed jaxpr and those arguments.
pub fn hoist_tracers(closed: ClosedJaxpr) -> (ClosedJaxpr, Vec<Value>) {
    if closed.consts.iter().all(|c| matches!(c, Value::Array(_))) {
        return (closed, Vec::new());
    }
    let old = &closed.jaxpr;
    let (mut constvars, mut consts) = (Vec::new(), Vec::new());
    let (mut invars, mut hoisted) = (Vec::new(), Vec::new());
    for (v, c) in old.constvars.iter().zip(closed.consts) {
        if matches!(c, Value::Array(_)) {
            constvars.push(*v);
            consts.push(c);
        } else {
            invars.push(*v);
            hoisted.push(c);
        }
    }
    invars.extend(&old.invars);
    let jaxpr = rebind(old, constvars, invars);
    (
        ClosedJaxpr {
            jaxpr: Rc::new(jaxpr),
            consts,
        },
        hoisted,
    )
}

/// The same jaxpr with every constant turned into a leading argument.
pub fn consts_to_args(closed: &ClosedJaxpr) -> Rc<Jaxpr> {
    let old = &closed.jaxpr;
    let invars = old.constvars.iter().chain(&old.invars).copied().collect();
    Rc::new(rebind(old, Vec::new(), invars))
}

/// The same program with other constants and arguments.
pub(super) fn rebind(
    old: &Jaxpr,
    constvars: Vec<crate::ir::Var>,
    invars: Vec<crate::ir::Var>,
) -> Jaxpr {
    Jaxpr {
        constvars,
        invars,
        ..old.copied()
    }
}

impl Jit {
    fn of_trace(name: &str, closed: ClosedJaxpr) -> (Jit, Vec<Value>) {
        let (closed, hoisted) = hoist_tracers(closed);
        (
            Jit {
                name: name.to_owned(),
                closed,
            },
            hoisted,
        )
    }

    /// The program as a function of its arguments.
    fn body(&self) -> Fun {
        let closed = self.closed.clone();
        Rc::new(move |cx, args| eval_jaxpr(cx, &closed.jaxpr, &closed.consts, args))
    }

    fn named_body(&self) -> Named {
        Named {
            name: self.name.clone(),
            fun: self.body(),
        }
    }

    /// Traces `fun` at the types of `args` and calls the result as a `jit` of the same name.
    fn rewrap(&self, cx: &Ctx, fun: &Fun, args: &[Value]) -> Result<Vec<Value>> {
        named_call(cx, "jit", &self.name, fun, args)
    }

    /// `rewrap` without the equations that nothing uses.
    fn rewrap_pruned(&self, cx: &Ctx, fun: &Fun, args: &[Value]) -> Result<Vec<Value>> {
        call_traced(cx, "jit", &self.name, fun, args, dce_closed)
    }
}

fn named_call(
    cx: &Ctx,
    transform: &'static str,
    name: &str,
    fun: &Fun,
    args: &[Value],
) -> Result<Vec<Value>> {
    call_traced(cx, transform, name, fun, args, ClosedJaxpr::clone)
}

fn call_traced(
    cx: &Ctx,
    transform: &'static str,
    name: &str,
    fun: &Fun,
    args: &[Value],
    pass: fn(&ClosedJaxpr) -> ClosedJaxpr,
) -> Result<Vec<Value>> {
    let avals: Vec<Aval> = args.iter().map(|v| v.aval().clone()).collect();
    let closed = trace_to_jaxpr(cx, transform, name, fun, &avals, &[])?;
    let (jit, mut all) = Jit::of_trace(name, pass(&closed));
    all.extend_from_slice(args);
    cx.bind(&jit, &all)
}

impl Primitive for Jit {
    fn name(&self) -> &'static str {
        "jit"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("name", Param::Text(self.name.clone())),
            ("jaxpr", Param::Jaxpr(self.closed.clone())),
        ]
    }

    fn abstract_eval(&self, _: &[&Aval]) -> Result<Vec<Aval>> {
        Ok(self.closed.jaxpr.out_avals())
    }

    fn eval(&self, _: &Env, _: &[Array]) -> Result<Vec<Array>> {
        Err(Error::internal("jit is evaluated in a context"))
    }

    fn eval_in(&self, cx: &Ctx, args: &[Value]) -> Result<Vec<Value>> {
        // Where this is called nothing is transformed any more.
        eval_jaxpr(cx, &dce(&self.closed.jaxpr), &self.closed.consts, args)
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let varying: Vec<bool> = tangents.iter().map(Option::is_some).collect();
        let body = self.named_body();
        if !cx.interp.is_staging() {
            return super::jvp::jvp(cx, &body, primals, tangents);
        }
        // One program of primals and the tangents that are there; which result tangents are zero
        // is learnt while tracing it.
        let nonzero = Rc::new(RefCell::new(Vec::new()));
        let (n, seen) = (primals.len(), Rc::clone(&nonzero));
        let fun: Fun = Rc::new(move |cx, args| {
            let mut rest = args[n..].iter().cloned();
            let tangents: Vec<Tangent> = varying
                .iter()
                .map(|&v| v.then(|| rest.next()).flatten())
                .collect();
            let (mut outs, out_tangents) = super::jvp::jvp(cx, &body, &args[..n], &tangents)?;
            *seen.borrow_mut() = out_tangents.iter().map(Option::is_some).collect();
            outs.extend(out_tangents.into_iter().flatten());
            Ok(outs)
        });
        let args: Vec<Value> = primals
            .iter()
            .cloned()
            .chain(tangents.iter().flatten().cloned())
            .collect();
        let outs = self.rewrap(cx, &fun, &args)?;
        Ok(split_duals(outs, &nonzero.borrow()))
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
        // The linear operands stand behind the residuals in what linearisation makes, but in user
        // programs they may stand anywhere: the jaxpr is reordered to constants first.
        let is_linear: Vec<bool> = args.iter().map(Operand::is_linear).collect();
        let old = &self.closed.jaxpr;
        let pick = |linear: bool| {
            let chosen = old
                .invars
                .iter()
                .zip(&is_linear)
                .filter(move |(_, l)| **l == linear);
            chosen.map(|(v, _)| *v).collect::<Vec<_>>()
        };
        let constvars: Vec<_> = old.constvars.iter().copied().chain(pick(false)).collect();
        let jaxpr = Rc::new(rebind(old, constvars, pick(true)));
        let known: Vec<Value> = args.iter().filter_map(|a| a.known().cloned()).collect();
        let consts = self.closed.consts.clone();
        let ins: Vec<Tangent> = if cx.interp.is_staging() {
            let given: Vec<bool> = cts.iter().map(Option::is_some).collect();
            let nonzero = Rc::new(RefCell::new(Vec::new()));
            let (seen, n) = (Rc::clone(&nonzero), known.len());
            let fun: Fun = Rc::new(move |cx, args| {
                let consts: Vec<Value> = consts.iter().chain(&args[..n]).cloned().collect();
                let mut rest = args[n..].iter().cloned();
                let cts: Vec<Tangent> = given
                    .iter()
                    .map(|&g| g.then(|| rest.next()).flatten())
                    .collect();
                let ins = backward_pass(cx, &jaxpr, &consts, &cts)?;
                *seen.borrow_mut() = ins.iter().map(Option::is_some).collect();
                Ok(ins.into_iter().flatten().collect())
            });
            let args: Vec<Value> = known
                .into_iter()
                .chain(cts.iter().flatten().cloned())
                .collect();
            let mut outs = self.rewrap(cx, &fun, &args)?.into_iter();
            let nonzero = nonzero.borrow();
            nonzero
                .iter()
                .map(|&n| n.then(|| outs.next()).flatten())
                .collect()
        } else {
            let consts: Vec<Value> = consts.into_iter().chain(known).collect();
            backward_pass(cx, &jaxpr, &consts, cts)?
        };
        let mut ins = ins.into_iter();
        Ok(is_linear
            .iter()
            .map(|&l| if l { ins.next().flatten() } else { None })
            .collect())
    }

    fn batch(
        &self,
        cx: &Ctx,
        size: usize,
        args: &[Value],
        batched: &[bool],
    ) -> Result<(Vec<Value>, Vec<bool>)> {
        if cx.interp.trace().is_none() {
            let jaxpr = dce(&self.closed.jaxpr);
            let consts = self.closed.consts.clone();
            let body = Named {
                name: self.name.clone(),
                fun: Rc::new(move |cx, args| eval_jaxpr(cx, &jaxpr, &consts, args)),
            };
            return vmap_front(cx, &body, size, args, batched);
        }
        let body = self.named_body();
        if !cx.interp.is_staging() {
            return vmap_front(cx, &body, size, args, batched);
        }
        let (batched, flags) = (batched.to_vec(), Rc::new(RefCell::new(Vec::new())));
        let seen = Rc::clone(&flags);
        let fun: Fun = Rc::new(move |cx, args| {
            let (outs, out_batched) = vmap_front(cx, &body, size, args, &batched)?;
            *seen.borrow_mut() = out_batched;
            Ok(outs)
        });
        let outs = self.rewrap(cx, &fun, args)?;
        let flags = flags.borrow().clone();
        Ok((outs, flags))
    }

    fn has_effect(&self) -> bool {
        self.closed.jaxpr.has_effects()
    }

    fn narrowed(&self, used: &[bool]) -> Option<Narrowed> {
        let (closed, operands) = narrow(&self.closed, used)?;
        let name = self.name.clone();
        Some((Rc::new(Jit { name, closed }), operands, used.to_vec()))
    }
}

impl Jit {
    /// A `jit` of the primal computation that also gives the residuals, and a `jit` of the linear
    /// one. Where nothing is staged both run at once, without new jaxprs.
    fn linearized(
        &self,
        parent: &Ctx,
        linear: &Ctx,
        primals: &[Value],
        tangents: &[Tangent],
    ) -> Result<Duals> {
        let wrt: Vec<bool> = tangents.iter().map(Option::is_some).collect();
        let body = self.named_body();
        let varying: Vec<Value> = tangents.iter().flatten().cloned().collect();
        if !parent.interp.is_staging() {
            let (outs, lin) = linearize(parent, "jit", &body, primals, &wrt)?;
            let inner = &lin.jaxpr;
            let outs_t = eval_jaxpr(linear, &inner.jaxpr, &inner.consts, &varying)?;
            return Ok((outs, spread(outs_t, &lin.nonzero)));
        }
        let kept = Rc::new(RefCell::new(None));
        let (store, trace_wrt) = (Rc::clone(&kept), wrt);
        // Results that are arguments, and residuals that are arguments or results, do not come out
        // of the `jit` once more.
        let fun: Fun = Rc::new(move |cx, args| {
            let (outs, mut lin) = linearize(cx, "jit", &body, args, &trace_wrt)?;
            lin.jaxpr = dce_closed(&lin.jaxpr);
            let mut results = Vec::new();
            let outs_from: Vec<Place> = outs
                .iter()
                .map(|v| argument(args, v).unwrap_or_else(|| added(&mut results, v)))
                .collect();
            let residuals = lin.jaxpr.consts.iter();
            let residuals_from: Vec<Place> = residuals
                .map(|v| {
                    let result = results.iter().position(|r| same(r, v));
                    argument(args, v)
                        .or(result.map(Place::Result))
                        .unwrap_or_else(|| added(&mut results, v))
                })
                .collect();
            *store.borrow_mut() = Some((lin, outs_from, residuals_from));
            Ok(results)
        });
        let results = self.rewrap_pruned(parent, &fun, primals)?;
        let Some((lin, outs_from, residuals_from)) = kept.borrow_mut().take() else {
            return Err(Error::internal("linearising a jit left no linear program"));
        };
        let fetch = |at: Place| match at {
            Place::Argument(i) => primals[i].clone(),
            Place::Result(i) => results[i].clone(),
        };
        let outs = outs_from.into_iter().map(fetch).collect();
        let mut operands: Vec<Value> = residuals_from.into_iter().map(fetch).collect();
        operands.extend(varying);
        let closed = ClosedJaxpr::without_consts(consts_to_args(&lin.jaxpr));
        let jit = Jit {
            name: self.name.clone(),
            closed,
        };
        let outs_t = linear.bind(&jit, &operands)?;
        Ok((outs, spread(outs_t, &lin.nonzero)))
    }
}

/// Where the caller of a `jit` finds a value.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// Among the operands.
    Argument(usize),
    /// Among the results.
    Result(usize),
}

fn argument(args: &[Value], v: &Value) -> Option<Place> {
    args.iter().position(|a| same(a, v)).map(Place::Argument)
}

fn added(results: &mut Vec<Value>, v: &Value) -> Place {
    results.push(v.clone());
    Place::Result(results.len() - 1)
}

/// Whether both are the one value.
pub(super) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.same_storage(b),
        (Value::Tracer(a), Value::Tracer(b)) => Rc::ptr_eq(&a.0, &b.0),
        _ => false,
    }
}

/// Puts the values that are there at the places marked, `None` elsewhere.
pub(super) fn spread(values: Vec<Value>, present: &[bool]) -> Vec<Tangent> {
    let mut values = values.into_iter();
    present
        .iter()
        .map(|&p| p.then(|| values.next()).flatten())
        .collect()
}

fn split_duals(mut outs: Vec<Value>, nonzero: &[bool]) -> Duals {
    let tangents = outs.split_off(nonzero.len());
    (outs, spread(tangents, nonzero))
}

/// Runs `fun` as JAX's library runs its own jitted functions: as one `jit` equation where a jaxpr
/// is being built, directly elsewhere.
pub fn named_jit(cx: &Ctx, name: &'static str, fun: Fun, args: &[Value]) -> Result<Vec<Value>> {
    if !cx.interp.is_staging() {
        return fun(cx, args);
    }
    named_call(cx, "jit", name, &fun, args)
}

/// The traces of one jitted function, by the types of its arguments and a key for everything else
/// that the trace depends on (tree structure, static arguments).
#[derive(Default, Debug)]
pub struct JitCache {
    entries: RefCell<Vec<CacheEntry>>,
    next_id: Cell<u32>,
}

#[derive(Debug)]
struct CacheEntry {
    key: u32,
    avals: Vec<Aval>,
    x64: bool,
    jit: Jit,
    id: u32,
}

/// How many traces of one function are kept; the oldest go first.
const CACHE_ENTRIES: usize = 256;

impl JitCache {
    /// Calls the function, tracing it unless a trace for these types and this key is there.
    /// `origins` names the arguments in messages. Also gives the number of the trace used, from 1;
    /// 0 for one that cannot be kept, because the function closed over tracers.
    pub fn call(
        &self,
        cx: &Ctx,
        f: &Named,
        key: u32,
        args: &[Value],
        origins: &dyn Fn() -> Vec<String>,
    ) -> Result<(Vec<Value>, u32)> {
        let x64 = cx.env.x64.get();
        let fits = |e: &&CacheEntry| {
            e.key == key
                && e.x64 == x64
                && e.avals.len() == args.len()
                && e.avals.iter().zip(args).all(|(a, v)| a == v.aval())
        };
        let known = {
            let entries = self.entries.borrow();
            entries.iter().find(fits).map(|e| (e.jit.clone(), e.id))
        };
        if let Some((jit, id)) = known {
            return Ok((cx.bind(&jit, args)?, id));
        }
        let avals: Vec<Aval> = args.iter().map(|v| v.aval().clone()).collect();
        let closed = trace_to_jaxpr(cx, "jit", &f.name, &f.fun, &avals, &origins())?;
        let (jit, mut all) = Jit::of_trace(&f.name, closed);
        let mut id = 0;
        if all.is_empty() {
            id = self.next_id.get() + 1;
            self.next_id.set(id);
            let mut entries = self.entries.borrow_mut();
            if entries.len() == CACHE_ENTRIES {
                entries.remove(0);
            }
            let jit = jit.clone();
            entries.push(CacheEntry {
                key,
                avals,
                x64,
                jit,
                id,
            });
        }
        all.extend_from_slice(args);
        Ok((cx.bind(&jit, &all)?, id))
    }
}
