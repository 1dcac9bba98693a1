//! `while_loop`: a program run for as long as another says so.

use super::{
    as_function, cut, fixpoint, marked, present, restage, unzip_groups, zip_avals, zip_groups,
};
use crate::array::Array;
use crate::aval::Aval;
use crate::error::{Class, Error, Kind, Result, Rule};
use crate::interp::eval::eval_jaxpr;
use crate::ir::{ClosedJaxpr, Jaxpr};
use crate::pass::dce::dce;
use crate::prim::rule::{Ctx, Duals, Env, Fun, Lanes, Operand, Param, Primitive, Tangent};
use crate::transform::jvp::jvp;
use crate::transform::vmap::{replicate, vmap_front};
use crate::value::Value;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::ToString;
use alloc::{vec, vec::Vec};
use core::cell::RefCell;
use core::hash::{Hash, Hasher};

/// The `while` primitive. Operands: constants of the condition, constants of the body, carries.
/// A condition with axes has a truth for every lane: the loop runs until the last lane is done,
/// and lanes that are done keep their carries.
#[derive(Clone, Debug)]
pub struct While {
    /// From its constants and the carries to a truth.
    pub cond: Rc<Jaxpr>,
    /// How many constants the condition has.
    pub cond_consts: usize,
    /// From its constants and the carries to the next carries.
    pub body: Rc<Jaxpr>,
    /// How many constants the body has.
    pub body_consts: usize,
}

impl PartialEq for While {
    fn eq(&self, other: &While) -> bool {
        Rc::ptr_eq(&self.cond, &other.cond) && Rc::ptr_eq(&self.body, &other.body)
    }
}
impl Eq for While {}
impl Hash for While {
    fn hash<H: Hasher>(&self, h: &mut H) {
        (Rc::as_ptr(&self.body) as usize).hash(h);
    }
}

impl While {
    fn groups<'a, T>(&self, all: &'a [T]) -> [&'a [T]; 3] {
        cut(all, [self.cond_consts, self.body_consts, 0])
    }

    /// The loop of primals and tangents, its operands, and which carries have tangents.
    fn with_tangents(
        &self,
        cx: &Ctx,
        primals: &[Value],
        tangents: &[Tangent],
    ) -> Result<(While, Vec<Value>, Vec<bool>)> {
        let varies = present(tangents);
        let [_, in_consts, in_carry] = self.groups(&varies);
        let avals = self.body.in_avals();
        let body = as_function("while_loop", &self.body);
        let mut made = None;
        let carry = fixpoint(in_carry, &mut |carry| {
            let groups = [in_consts.to_vec(), carry.to_vec()];
            let nonzero = Rc::new(RefCell::new(Vec::new()));
            let (seen, body) = (Rc::clone(&nonzero), body.clone());
            let fun: Fun = Rc::new(move |cx, args| {
                let [consts, carry] = &groups;
                let (primals, tangents) = unzip_groups(args, &[consts, carry]);
                let (outs, outs_t) = jvp(cx, &body, &primals, &tangents)?;
                *seen.borrow_mut() = present(&outs_t);
                zip_groups(cx, &outs, &outs_t, &[carry])
            });
            let in_avals = zip_avals(&avals, &[in_consts, carry]);
            made = Some(restage(cx, "while_loop", fun, &in_avals)?);
            Ok(nonzero.take())
        })?;
        let Some((body, hoisted)) = made else {
            return Err(Error::internal("differentiating a while_loop made nothing"));
        };
        // The condition does not look at tangents.
        let (old, n) = (Rc::clone(&self.cond), self.cond.invars.len());
        let fun: Fun = Rc::new(move |cx, args| eval_jaxpr(cx, &old, &[], &args[..n]));
        let mut cond_avals = self.cond.in_avals();
        let carried = marked(&cond_avals[self.cond_consts..], &carry);
        cond_avals.extend(carried.iter().map(Aval::tangent));
        let (cond, _) = restage(cx, "while_loop", fun, &cond_avals)?;
        let [cond_consts, body_primals, init] = self.groups(primals);
        let [_, body_tangents, init_t] = self.groups(tangents);
        let op = While {
            cond,
            cond_consts: self.cond_consts,
            body,
            body_consts: hoisted.len()
                + self.body_consts
                + in_consts.iter().filter(|v| **v).count(),
        };
        let mut operands = cond_consts.to_vec();
        operands.extend(hoisted);
        operands.extend(zip_groups(cx, body_primals, body_tangents, &[in_consts])?);
        operands.extend(zip_groups(cx, init, init_t, &[&carry])?);
        Ok((op, operands, carry))
    }

    fn run(&self, cx: &Ctx, args: &[Value]) -> Result<Vec<Value>> {
        let (cond, body) = (dce(&self.cond), dce(&self.body));
        let [cond_consts, body_consts, init] = self.groups(args);
        let mut of_cond = [cond_consts, init].concat();
        let mut of_body = [body_consts, init].concat();
        loop {
            let truth = eval_jaxpr(cx, &cond, &[], &of_cond)?;
            let Some(Value::Array(truth)) = truth.into_iter().next() else {
                return Err(Error::internal("a while_loop is run on arrays"));
            };
            let lanes = truth.as_slice::<u8>();
            if !lanes.contains(&1) {
                return Ok(of_body.split_off(body_consts.len()));
            }
            let mut next = eval_jaxpr(cx, &body, &[], &of_body)?;
            if lanes.contains(&0) {
                for (new, old) in next.iter_mut().zip(&of_body[body_consts.len()..]) {
                    *new = self.keep_done(cx, &truth, new, old)?;
                }
            }
            of_cond.truncate(cond_consts.len());
            of_cond.extend_from_slice(&next);
            of_body.truncate(body_consts.len());
            of_body.append(&mut next);
        }
    }

    /// `new` in lanes that go on, `old` in the others.
    fn keep_done(&self, cx: &Ctx, truth: &Array, new: &Value, old: &Value) -> Result<Value> {
        let lanes: Vec<usize> = (0..truth.shape().len()).collect();
        let truth = cx.broadcast_in_dim(&truth.clone().into(), new.shape(), &lanes)?;
        cx.select(&truth, new, old)
    }
}

impl Primitive for While {
    fn name(&self) -> &'static str {
        "while"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let number = |n: usize| Param::Text(n.to_string());
        let jaxpr = |j: &Rc<Jaxpr>| Param::Jaxpr(ClosedJaxpr::without_consts(Rc::clone(j)));
        vec![
            ("body_jaxpr", jaxpr(&self.body)),
            ("body_nconsts", number(self.body_consts)),
            ("cond_jaxpr", jaxpr(&self.cond)),
            ("cond_nconsts", number(self.cond_consts)),
        ]
    }

    fn abstract_eval(&self, _: &[&Aval]) -> Result<Vec<Aval>> {
        Ok(self.body.out_avals())
    }

    fn eval(&self, _: &Env, _: &[Array]) -> Result<Vec<Array>> {
        Err(Error::internal("while is evaluated in a context"))
    }

    fn eval_in(&self, cx: &Ctx, args: &[Value]) -> Result<Vec<Value>> {
        self.run(cx, args)
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let (op, operands, carry) = self.with_tangents(cx, primals, tangents)?;
        let outs = cx.bind(&op, &operands)?;
        Ok(unzip_groups(&outs, &[&carry]))
    }

    fn linearize(
        &self,
        parent: &Ctx,
        linear: &Ctx,
        primals: &[Value],
        tangents: &[Tangent],
    ) -> Option<Result<Duals>> {
        // The results are computed at once. The tangents need the whole loop again.
        let run = || -> Result<Duals> {
            let (op, operands, carry) = self.with_tangents(linear, primals, tangents)?;
            let outs = parent.bind(self, primals)?;
            if !carry.contains(&true) {
                let none = vec![None; outs.len()];
                return Ok((outs, none));
            }
            let both = linear.bind(&op, &operands)?;
            Ok((outs, unzip_groups(&both, &[&carry]).1))
        };
        Some(run())
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        let message = "Reverse-mode differentiation does not work for lax.while_loop or \
                       lax.fori_loop with dynamic start/stop values. Try using lax.scan, or using \
                       fori_loop with static start/stop.";
        let mut e = Error::new(Class::ValueError, message);
        e.primitive = Some("while");
        Err(e.with_kind(Kind::NoRule {
            rule: Rule::Transpose,
        }))
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], batched: &[bool]) -> Result<Lanes> {
        let [in_cond, in_body, in_carry] = self.groups(batched);
        let with_lanes = |avals: &[Aval], flags: &[bool]| -> Vec<Aval> {
            let both = avals.iter().zip(flags);
            both.map(|(a, &b)| if b { a.with_axis0(size) } else { a.clone() })
                .collect()
        };
        let part = |jaxpr: &Rc<Jaxpr>, flags: &[bool], full: &[bool]| {
            let inner = as_function("while_loop", jaxpr);
            let found = Rc::new(RefCell::new(Vec::new()));
            let (seen, marks, full) = (Rc::clone(&found), flags.to_vec(), full.to_vec());
            let fun: Fun = Rc::new(move |cx, args| {
                let (mut outs, mapped) = vmap_front(cx, &inner, size, args, &marks)?;
                for (i, out) in outs.iter_mut().enumerate() {
                    if full[i] && !mapped[i] {
                        *out = replicate(cx, out, size)?;
                    }
                }
                *seen.borrow_mut() = mapped;
                Ok(outs)
            });
            let in_avals = with_lanes(&jaxpr.in_avals(), flags);
            let (jaxpr, hoisted) = restage(cx, "while_loop", fun, &in_avals)?;
            Ok::<_, Box<Error>>((jaxpr, hoisted, found.take()))
        };
        let mut made = None;
        let truth_has_lanes = self.cond.out_avals().iter().any(|a| a.rank() > 0);
        let carry = fixpoint(in_carry, &mut |carry| {
            let (_, _, truth) = part(&self.cond, &[in_cond, carry].concat(), &[false])?;
            let mut carry = carry.to_vec();
            // A truth per lane keeps a carry per lane; lanes of two kinds are kept together.
            let each = truth.contains(&true) || (truth_has_lanes && carry.contains(&true));
            if each {
                carry.fill(true);
            }
            let (cond, cond_hoisted, _) = part(&self.cond, &[in_cond, &carry].concat(), &[each])?;
            let (body, hoisted, mut found) = part(&self.body, &[in_body, &carry].concat(), &carry)?;
            made = Some((cond, cond_hoisted, body, hoisted));
            for (f, c) in found.iter_mut().zip(carry) {
                *f |= c;
            }
            Ok(found)
        })?;
        let Some((cond, mut operands, body, hoisted)) = made else {
            return Err(Error::internal("vectorising a while_loop made nothing"));
        };
        let [cond_consts, body_consts, init] = self.groups(args);
        let op = While {
            cond,
            cond_consts: operands.len() + self.cond_consts,
            body,
            body_consts: hoisted.len() + self.body_consts,
        };
        operands.extend_from_slice(cond_consts);
        operands.extend(hoisted);
        operands.extend_from_slice(body_consts);
        for ((v, &was), &is) in init.iter().zip(in_carry).zip(&carry) {
            operands.push(if is && !was {
                replicate(cx, v, size)?
            } else {
                v.clone()
            });
        }
        Ok((cx.bind(&op, &operands)?, carry))
    }

    fn has_effect(&self) -> bool {
        self.cond.has_effects() || self.body.has_effects()
    }
}
