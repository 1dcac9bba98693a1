//! Functions with derivative rules of their own: `custom_jvp` and `custom_vjp`.

use super::Named;
use super::jit::hoist_tracers;
use super::vmap::{all_mapped, vmap_front};
use crate::array::Array;
use crate::aval::Aval;
use crate::error::{Class, Error, Result, Rule};
use crate::interp::eval::eval_jaxpr;
use crate::interp::stage::trace_to_jaxpr;
use crate::ir::ClosedJaxpr;
use crate::prim::rule::{Ctx, Duals, Env, Fun, Op, Operand, Param, Primitive, Tangent};
use crate::value::Value;
use alloc::rc::Rc;
use alloc::{borrow::ToOwned, format, string::String, vec, vec::Vec};
use core::hash::{Hash, Hasher};

/// The forward rule of a `custom_vjp`: results and residuals.
pub type Fwd = Rc<dyn Fn(&Ctx, &[Value]) -> Result<(Vec<Value>, Vec<Value>)>>;

/// The backward rule: from residuals and cotangents of the results to one cotangent per argument.
pub type Bwd = Rc<dyn Fn(&Ctx, &[Value], &[Value]) -> Result<Vec<Tangent>>>;

/// The function itself: as the user gave it, or traced.
#[derive(Clone)]
enum Callee {
    Fun(Fun),
    Traced(ClosedJaxpr),
}

impl Callee {
    fn call(&self, cx: &Ctx, args: &[Value]) -> Result<Vec<Value>> {
        match self {
            Callee::Fun(f) => f(cx, args),
            Callee::Traced(c) => eval_jaxpr(cx, &c.jaxpr, &c.consts, args),
        }
    }

    fn as_fun(&self) -> Fun {
        let this = self.clone();
        Rc::new(move |cx, args| this.call(cx, args))
    }

    /// Traces the function; closed-over tracers are put in front of `args`. Gives how many.
    fn traced(&self, cx: &Ctx, name: &str, args: &mut Vec<Value>) -> Result<(Callee, usize)> {
        if let Callee::Traced(_) = self {
            return Ok((self.clone(), 0));
        }
        let avals: Vec<Aval> = args.iter().map(|v| v.aval().clone()).collect();
        let closed = trace_to_jaxpr(cx, "jit", name, &self.as_fun(), &avals, &[])?;
        let (closed, hoisted) = hoist_tracers(closed);
        let n = hoisted.len();
        args.splice(0..0, hoisted);
        Ok((Callee::Traced(closed), n))
    }

    fn out_avals(&self, name: &str) -> Result<Vec<Aval>> {
        match self {
            Callee::Traced(c) => Ok(c.jaxpr.out_avals()),
            Callee::Fun(_) => Err(Error::internal(format!(
                "{name} was staged without a jaxpr"
            ))),
        }
    }

    fn jaxpr_param(&self) -> Option<(&'static str, Param)> {
        match self {
            Callee::Traced(c) => Some(("call_jaxpr", Param::Jaxpr(c.clone()))),
            Callee::Fun(_) => None,
        }
    }
}

/// Makes two rule-carrying primitives equal only if they are the same object.
macro_rules! identity_by_rule {
    ($t:ty, $field:ident) => {
        impl PartialEq for $t {
            fn eq(&self, other: &Self) -> bool {
                Rc::ptr_eq(&self.$field, &other.$field)
            }
        }
        impl Eq for $t {}
        impl Hash for $t {
            fn hash<H: Hasher>(&self, h: &mut H) {
                (Rc::as_ptr(&self.$field) as *const () as usize).hash(h);
            }
        }
        impl core::fmt::Debug for $t {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{}", stringify!($t))
            }
        }
    };
}

/// Calls a function that has its own JVP rule.
#[derive(Clone)]
pub struct CustomJvpCall {
    name: String,
    rule_name: String,
    callee: Callee,
    /// From primals followed by tangents to results followed by their tangents.
    rule: Fun,
    /// Leading arguments that the traced function closed over.
    num_consts: usize,
}
identity_by_rule!(CustomJvpCall, rule);

impl CustomJvpCall {
    /// `rule` takes primals followed by tangents and gives results followed by result tangents.
    pub fn new(f: &Named, rule: &Named) -> CustomJvpCall {
        CustomJvpCall {
            name: f.name.clone(),
            rule_name: rule.name.clone(),
            callee: Callee::Fun(Rc::clone(&f.fun)),
            rule: Rc::clone(&rule.fun),
            num_consts: 0,
        }
    }
}

impl Primitive for CustomJvpCall {
    fn name(&self) -> &'static str {
        "custom_jvp_call"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let mut out = vec![("name", Param::Text(self.name.clone()))];
        out.extend(self.callee.jaxpr_param());
        out.push(("jvp", Param::Text(self.rule_name.clone())));
        out.push(("symbolic_zeros", Param::Text("False".into())));
        out
    }

    fn abstract_eval(&self, _: &[&Aval]) -> Result<Vec<Aval>> {
        match &self.callee {
            // Evaluated directly: the function finds out.
            Callee::Fun(_) => Ok(Vec::new()),
            Callee::Traced(_) => self.callee.out_avals("custom_jvp_call"),
        }
    }

    fn eval(&self, _: &Env, _: &[Array]) -> Result<Vec<Array>> {
        Err(Error::internal("custom_jvp_call is evaluated in a context"))
    }

    fn eval_in(&self, cx: &Ctx, args: &[Value]) -> Result<Vec<Value>> {
        self.callee.call(cx, args)
    }

    fn staged(&self, cx: &Ctx, args: &mut Vec<Value>) -> Result<Op> {
        let (callee, n) = self.callee.traced(cx, &self.name, args)?;
        Ok(Rc::new(CustomJvpCall {
            callee,
            num_consts: self.num_consts + n,
            ..self.clone()
        }))
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let (primals, tangents) = (&primals[self.num_consts..], &tangents[self.num_consts..]);
        let mut args = primals.to_vec();
        for (p, t) in primals.iter().zip(tangents) {
            args.push(super::jvp::instantiate(cx, p, t.clone())?);
        }
        let mut outs = (self.rule)(cx, &args)?;
        let out_tangents = outs.split_off(outs.len() / 2);
        let tangents = out_tangents
            .into_iter()
            .map(|t| t.dtype().is_float().then_some(t));
        Ok((outs, tangents.collect()))
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(Error::rule_missing("custom_jvp_call", Rule::Transpose))
    }

    fn batch(
        &self,
        cx: &Ctx,
        size: usize,
        args: &[Value],
        batched: &[bool],
    ) -> Result<(Vec<Value>, Vec<bool>)> {
        let n = self.num_consts;
        let call = mapped_fun(&self.name, self.callee.as_fun(), size, batched.to_vec());
        let twice = [&batched[n..], &batched[n..]].concat();
        let rule = mapped_fun(&self.rule_name, Rc::clone(&self.rule), size, twice);
        let op = CustomJvpCall {
            callee: Callee::Fun(call),
            rule,
            ..self.clone()
        };
        let outs = cx.bind(&op, args)?;
        let flags = vec![true; outs.len()];
        Ok((outs, flags))
    }
}

/// `f` over `size` lanes, every result mapped.
fn mapped_fun(name: &str, f: Fun, size: usize, batched: Vec<bool>) -> Fun {
    let f = Named {
        name: name.to_owned(),
        fun: f,
    };
    Rc::new(move |cx, args| {
        let (outs, mapped) = vmap_front(cx, &f, size, args, &batched)?;
        all_mapped(cx, outs, &mapped, size)
    })
}

/// Calls a function that has its own forward and backward rule.
#[derive(Clone)]
pub struct CustomVjpCall {
    name: String,
    fwd_name: String,
    bwd_name: String,
    callee: Callee,
    fwd: Fwd,
    bwd: Bwd,
    num_consts: usize,
}
identity_by_rule!(CustomVjpCall, bwd);

impl CustomVjpCall {
    /// A function with its rules; the rules' names are printed in jaxprs.
    pub fn new(f: &Named, fwd: (&str, Fwd), bwd: (&str, Bwd)) -> CustomVjpCall {
        CustomVjpCall {
            name: f.name.clone(),
            fwd_name: fwd.0.to_owned(),
            bwd_name: bwd.0.to_owned(),
            callee: Callee::Fun(Rc::clone(&f.fun)),
            fwd: fwd.1,
            bwd: bwd.1,
            num_consts: 0,
        }
    }
}

impl Primitive for CustomVjpCall {
    fn name(&self) -> &'static str {
        "custom_vjp_call"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let mut out = vec![
            ("name", Param::Text(self.name.clone())),
            ("bwd", Param::Text(self.bwd_name.clone())),
        ];
        out.extend(self.callee.jaxpr_param());
        out.push(("fwd", Param::Text(self.fwd_name.clone())));
        out.push(("symbolic_zeros", Param::Text("False".into())));
        out
    }

    fn abstract_eval(&self, _: &[&Aval]) -> Result<Vec<Aval>> {
        match &self.callee {
            Callee::Fun(_) => Ok(Vec::new()),
            Callee::Traced(_) => self.callee.out_avals("custom_vjp_call"),
        }
    }

    fn eval(&self, _: &Env, _: &[Array]) -> Result<Vec<Array>> {
        Err(Error::internal("custom_vjp_call is evaluated in a context"))
    }

    fn eval_in(&self, cx: &Ctx, args: &[Value]) -> Result<Vec<Value>> {
        self.callee.call(cx, args)
    }

    fn staged(&self, cx: &Ctx, args: &mut Vec<Value>) -> Result<Op> {
        let (callee, n) = self.callee.traced(cx, &self.name, args)?;
        Ok(Rc::new(CustomVjpCall {
            callee,
            num_consts: self.num_consts + n,
            ..self.clone()
        }))
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let (primals, tangents) = (&primals[self.num_consts..], &tangents[self.num_consts..]);
        let (outs, residuals) = (self.fwd)(cx, primals)?;
        let op = CustomLin {
            name: self.name.clone(),
            bwd: Rc::clone(&self.bwd),
            num_residuals: residuals.len(),
            in_avals: primals.iter().map(|p| p.aval().clone()).collect(),
            out_avals: outs.iter().map(|o| o.aval().tangent()).collect(),
        };
        let mut args = residuals;
        for (p, t) in primals.iter().zip(tangents) {
            args.push(super::jvp::instantiate(cx, p, t.clone())?);
        }
        let out_tangents = cx.bind(&op, &args)?;
        let tangents = out_tangents
            .into_iter()
            .map(|t| t.dtype().is_float().then_some(t));
        Ok((outs, tangents.collect()))
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(Error::rule_missing("custom_vjp_call", Rule::Transpose))
    }

    fn batch(
        &self,
        cx: &Ctx,
        size: usize,
        args: &[Value],
        batched: &[bool],
    ) -> Result<(Vec<Value>, Vec<bool>)> {
        let own = batched[self.num_consts..].to_vec();
        let call = mapped_fun(&self.name, self.callee.as_fun(), size, batched.to_vec());
        let fwd = Rc::clone(&self.fwd);
        let (fwd_name, fwd_batched) = (self.fwd_name.clone(), own.clone());
        let mapped_fwd: Fwd = Rc::new(move |cx, args| {
            let num_outs = Rc::new(core::cell::Cell::new(0));
            let (inner, count) = (Rc::clone(&fwd), Rc::clone(&num_outs));
            let flat: Fun = Rc::new(move |cx, args| {
                let (mut outs, residuals) = inner(cx, args)?;
                count.set(outs.len());
                outs.extend(residuals);
                Ok(outs)
            });
            let mut outs = mapped_fun(&fwd_name, flat, size, fwd_batched.clone())(cx, args)?;
            let residuals = outs.split_off(num_outs.get());
            Ok((outs, residuals))
        });
        let bwd = mapped_bwd(&self.bwd_name, Rc::clone(&self.bwd), size, own);
        let callee = Callee::Fun(call);
        let op = CustomVjpCall {
            callee,
            fwd: mapped_fwd,
            bwd,
            ..self.clone()
        };
        let outs = cx.bind(&op, args)?;
        let flags = vec![true; outs.len()];
        Ok((outs, flags))
    }
}

/// The backward rule over `size` lanes: all residuals and cotangents are mapped; the cotangent of
/// an argument that was not mapped is summed over the lanes.
fn mapped_bwd(name: &str, bwd: Bwd, size: usize, arg_mapped: Vec<bool>) -> Bwd {
    let name = name.to_owned();
    Rc::new(move |cx, residuals, cts| {
        let (inner, n) = (Rc::clone(&bwd), residuals.len());
        let present = Rc::new(core::cell::RefCell::new(Vec::new()));
        let seen = Rc::clone(&present);
        let flat: Fun = Rc::new(move |cx, args| {
            let ins = inner(cx, &args[..n], &args[n..])?;
            *seen.borrow_mut() = ins.iter().map(Option::is_some).collect();
            Ok(ins.into_iter().flatten().collect())
        });
        let args: Vec<Value> = residuals.iter().chain(cts).cloned().collect();
        let all = vec![true; args.len()];
        let mut outs = mapped_fun(&name, flat, size, all)(cx, &args)?.into_iter();
        let present = present.borrow();
        arg_mapped
            .iter()
            .zip(present.iter())
            .map(
                |(&mapped, &there)| match there.then(|| outs.next()).flatten() {
                    Some(ct) if !mapped => Ok(Some(cx.reduce_sum(&ct, &[0])?)),
                    ct => Ok(ct),
                },
            )
            .collect()
    })
}

/// The linear part of a `custom_vjp` function: opaque forward, its transpose is the backward rule.
/// Operands: residuals, then one tangent per argument.
#[derive(Clone)]
struct CustomLin {
    name: String,
    bwd: Bwd,
    num_residuals: usize,
    in_avals: Vec<Aval>,
    out_avals: Vec<Aval>,
}
identity_by_rule!(CustomLin, bwd);

impl Primitive for CustomLin {
    fn name(&self) -> &'static str {
        "custom_lin"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("name", Param::Text(self.name.clone()))]
    }

    fn abstract_eval(&self, _: &[&Aval]) -> Result<Vec<Aval>> {
        Ok(self.out_avals.clone())
    }

    fn eval(&self, _: &Env, _: &[Array]) -> Result<Vec<Array>> {
        let message = "can't apply forward-mode autodiff (jvp) to a custom_vjp function.";
        Err(Error::no_rule(
            "custom_vjp_call",
            Rule::Jvp,
            Class::TypeError,
            message,
        ))
    }

    fn jvp(&self, _: &Ctx, _: &[Value], _: &[Tangent]) -> Result<Duals> {
        let message = "can't apply forward-mode autodiff (jvp) to a custom_vjp function.";
        Err(Error::no_rule(
            "custom_vjp_call",
            Rule::Jvp,
            Class::TypeError,
            message,
        ))
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let (residuals, tangents) = args.split_at(self.num_residuals);
        let residuals: Vec<Value> = residuals
            .iter()
            .filter_map(|r| r.known().cloned())
            .collect();
        let mut full = Vec::with_capacity(cts.len());
        for (ct, aval) in cts.iter().zip(&self.out_avals) {
            full.push(match ct {
                Some(ct) => ct.clone(),
                None => cx.zeros(aval)?,
            });
        }
        let ins = (self.bwd)(cx, &residuals, &full)?;
        check_cotangents(&self.in_avals, &ins)?;
        let wanted = tangents.iter().zip(ins);
        let none = core::iter::repeat_n(None, self.num_residuals);
        Ok(none
            .chain(wanted.map(|(t, ct)| ct.filter(|_| t.is_linear())))
            .collect())
    }

    fn batch(
        &self,
        cx: &Ctx,
        size: usize,
        args: &[Value],
        batched: &[bool],
    ) -> Result<(Vec<Value>, Vec<bool>)> {
        let mapped = batched[self.num_residuals..].to_vec();
        let mut full = Vec::with_capacity(args.len());
        for (i, (v, &b)) in args.iter().zip(batched).enumerate() {
            let residual = i < self.num_residuals;
            full.push(if b || !residual {
                v.clone()
            } else {
                super::vmap::replicate(cx, v, size)?
            });
        }
        let with_axis = |(a, &m): (&Aval, &bool)| if m { a.with_axis0(size) } else { a.clone() };
        let op = CustomLin {
            bwd: mapped_bwd(&self.name, Rc::clone(&self.bwd), size, mapped.clone()),
            in_avals: self.in_avals.iter().zip(&mapped).map(with_axis).collect(),
            out_avals: self.out_avals.iter().map(|a| a.with_axis0(size)).collect(),
            ..self.clone()
        };
        let outs = cx.bind(&op, &full)?;
        let flags = vec![true; outs.len()];
        Ok((outs, flags))
    }
}

/// Refuses a cotangent whose shape is not its argument's, in JAX's words.
fn check_cotangents(in_avals: &[Aval], ins: &[Tangent]) -> Result<()> {
    for (i, (aval, ct)) in in_avals.iter().zip(ins).enumerate() {
        let Some(ct) = ct else { continue };
        if ct.shape() == aval.shape.as_slice() || !aval.dtype.is_float() {
            continue;
        }
        let path = if in_avals.len() == 1 {
            "output[0]".to_owned()
        } else {
            format!("output[{i}]")
        };
        let message = format!(
            "Custom VJP bwd rule must produce an output with the same type as the args tuple of \
             the primal function, but at {path} the bwd rule produced an output of type {} \
             corresponding to an input of type {}, so the shapes do not match",
            ct.aval().long(),
            aval.long()
        );
        let table = in_avals
            .iter()
            .zip(ins)
            .enumerate()
            .map(|(i, (aval, ct))| {
                let got = ct.as_ref().map_or("null".to_owned(), |c| c.aval().long());
                let ok = ct
                    .as_ref()
                    .is_none_or(|c| c.shape() == aval.shape.as_slice());
                (format!("argument {i}"), aval.long(), got, ok)
            })
            .collect();
        let kind = crate::error::Kind::CustomRule { table };
        return Err(Error::value_error(message).with_kind(kind));
    }
    Ok(())
}
