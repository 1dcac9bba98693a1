//! `scan`: a program run once per slice of its operands, with values carried from step to step.

use super::{
    as_function, cut, fixpoint, marked, present, restage, unzip_groups, zip_avals, zip_groups,
};
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::error::{Class, Error, Result};
use crate::interp::eval::eval_jaxpr;
use crate::ir::{ClosedJaxpr, Jaxpr};
use crate::pass::dce::{dce, dce_closed, readers_of};
use crate::prim::rule::{
    Ctx, Duals, Env, Fun, Lanes, Narrowed, Operand, Param, Primitive, Tangent,
};
use crate::transform::jit::{rebind, spread};
use crate::transform::jvp::jvp;
use crate::transform::linearize::{Linear, linearize};
use crate::transform::transpose::backward_pass;
use crate::transform::vmap::{replicate, vmap_front};
use crate::value::Value;
use alloc::rc::Rc;
use alloc::string::ToString;
use alloc::{vec, vec::Vec};
use core::cell::RefCell;
use core::hash::{Hash, Hasher};

/// The `scan` primitive. Operands: constants, initial carries, arrays that are sliced along axis 0.
/// Results: final carries, stacked results.
#[derive(Clone, Debug)]
pub struct Scan {
    /// From constants, carries and slices to carries and results of one step.
    pub jaxpr: Rc<Jaxpr>,
    /// The number of steps.
    pub length: usize,
    /// From the last slice to the first.
    pub reverse: bool,
    /// JAX's hint, printed and otherwise not looked at.
    pub unroll: usize,
    /// How many operands are constants.
    pub num_consts: usize,
    /// How many values are carried.
    pub num_carry: usize,
    /// Operands that a transposition takes for linear even where they are known: zeros that
    /// linearisation made explicit.
    pub linear: Vec<bool>,
}

impl PartialEq for Scan {
    fn eq(&self, other: &Scan) -> bool {
        Rc::ptr_eq(&self.jaxpr, &other.jaxpr)
            && self.length == other.length
            && self.reverse == other.reverse
    }
}
impl Eq for Scan {}
impl Hash for Scan {
    fn hash<H: Hasher>(&self, h: &mut H) {
        (Rc::as_ptr(&self.jaxpr) as usize).hash(h);
    }
}

/// Where a residual of a step is found after the loop.
#[derive(Clone)]
enum Residual {
    /// The same in every step.
    Fixed(Value),
    /// One of the scan's own sliced operands, or constants.
    Operand(usize),
    /// Stacked, the n-th of those.
    Stacked(usize),
}

impl Scan {
    fn groups<'a, T>(&self, all: &'a [T]) -> [&'a [T]; 3] {
        cut(all, [self.num_consts, self.num_carry, 0])
    }

    /// The same loop around another program.
    fn around(&self, jaxpr: Rc<Jaxpr>, num_consts: usize, num_carry: usize) -> Scan {
        Scan {
            jaxpr,
            num_consts,
            num_carry,
            linear: Vec::new(),
            ..*self
        }
    }

    fn run(&self, cx: &Ctx, args: &[Value]) -> Result<Vec<Value>> {
        let jaxpr = dce(&self.jaxpr);
        let [consts, init, xs] = self.groups(args);
        let mut xs_arrays = Vec::with_capacity(xs.len());
        for x in xs {
            let Value::Array(a) = x else {
                return Err(Error::internal("a scan is run on arrays"));
            };
            xs_arrays.push((a, a.aval().without_axis0()));
        }
        let mut ys = Vec::new();
        for aval in &self.jaxpr.out_avals()[self.num_carry..] {
            ys.push(ArrayMut::uninit(aval.with_axis0(self.length))?);
        }
        let mut inputs = args[..consts.len() + init.len()].to_vec();
        for step in 0..self.length {
            let i = if self.reverse {
                self.length - 1 - step
            } else {
                step
            };
            for (a, row) in &xs_arrays {
                let mut slice = ArrayMut::uninit(row.clone())?;
                let n = row.bytes();
                slice
                    .bytes_mut()
                    .copy_from_slice(&a.bytes()[i * n..(i + 1) * n]);
                inputs.push(slice.freeze().into());
            }
            let mut outs = eval_jaxpr(cx, &jaxpr, &[], &inputs)?;
            for (y, out) in ys.iter_mut().zip(outs.drain(self.num_carry..)) {
                let Value::Array(a) = out else {
                    return Err(Error::internal("a scan is run on arrays"));
                };
                let n = a.bytes().len();
                y.bytes_mut()[i * n..(i + 1) * n].copy_from_slice(a.bytes());
            }
            inputs.truncate(consts.len());
            inputs.append(&mut outs);
        }
        let mut outs = inputs.split_off(consts.len());
        outs.extend(ys.into_iter().map(|y| Value::Array(y.freeze())));
        Ok(outs)
    }

    fn transpose_staged(
        &self,
        cx: &Ctx,
        cts: &[Tangent],
        args: &[Operand],
    ) -> Result<Vec<Tangent>> {
        let linear: Vec<bool> = args
            .iter()
            .enumerate()
            .map(|(i, a)| a.is_linear() || self.linear.get(i) == Some(&true))
            .collect();
        let [lin_consts, lin_carry, lin_xs] = self.groups(&linear);
        if lin_carry.contains(&false) {
            let message = "a scan whose carry is not linear throughout cannot be transposed";
            return Err(Error::new(Class::NotImplementedError, message));
        }
        let avals = self.jaxpr.in_avals();
        let known: Vec<bool> = linear.iter().map(|l| !l).collect();
        let jaxpr = Rc::new(rebind(
            &self.jaxpr,
            marked(&self.jaxpr.invars, &known),
            marked(&self.jaxpr.invars, &linear),
        ));
        let values = |args: &[Operand], known: &[bool]| -> Vec<Value> {
            let chosen = args.iter().zip(known).filter(|(_, k)| **k);
            chosen.filter_map(|(a, _)| a.known().cloned()).collect()
        };
        let [known_consts, _, known_xs] = self.groups(&known);
        let [arg_consts, _, arg_xs] = self.groups(args);
        let (res, eres) = (values(arg_consts, known_consts), values(arg_xs, known_xs));
        let [ct_carry, ct_ys] = cut(cts, [self.num_carry, 0]);
        let there = present(ct_ys);

        // A step backwards: the fixed residuals; sums for the linear constants and the carries'
        // cotangents, both carried; cotangents of the results and the stacked residuals, sliced.
        let [avals_consts, avals_carry, avals_xs] = self.groups(&avals);
        let tangents = |avals: &[Aval], marks: &[bool]| -> Vec<Aval> {
            marked(avals, marks).iter().map(Aval::tangent).collect()
        };
        let sums = tangents(avals_consts, lin_consts);
        let carried: Vec<Aval> = avals_carry.iter().map(Aval::tangent).collect();
        let sliced = tangents(avals_xs, lin_xs);
        let y_avals: Vec<Aval> = self.jaxpr.out_avals()[self.num_carry..].to_vec();
        let mut in_avals: Vec<Aval> = res.iter().map(|v| v.aval().clone()).collect();
        in_avals.extend(sums.iter().chain(&carried).cloned());
        in_avals.extend(tangents(&y_avals, &there));
        in_avals.extend(marked(avals_xs, known_xs));
        let (n_res, n_sums, n_carry) = (res.len(), sums.len(), carried.len());
        let fun: Fun = {
            let (sums, carried, sliced) = (sums.clone(), carried.clone(), sliced.clone());
            let there = there.clone();
            Rc::new(move |cx, args| {
                let n_ys = there.iter().filter(|t| **t).count();
                let [res, ct_sums, ct_carry, ct_ys, eres] =
                    cut(args, [n_res, n_sums, n_carry, n_ys, 0]);
                let consts: Vec<Value> = res.iter().chain(eres).cloned().collect();
                let mut cts: Vec<Tangent> = ct_carry.iter().cloned().map(Some).collect();
                cts.extend(spread(ct_ys.to_vec(), &there));
                let ins = backward_pass(cx, &jaxpr, &consts, &cts)?;
                let [in_sums, in_carry, in_xs] = cut(&ins, [sums.len(), carried.len(), 0]);
                let mut out = Vec::with_capacity(ins.len());
                for (sum, ct) in ct_sums.iter().zip(in_sums) {
                    out.push(match ct {
                        Some(ct) => cx.add_any(sum, ct)?,
                        None => sum.clone(),
                    });
                }
                for (ct, aval) in in_carry.iter().zip(&carried) {
                    out.push(ct.clone().map_or_else(|| cx.zeros(aval), Ok)?);
                }
                for (ct, aval) in in_xs.iter().zip(&sliced) {
                    out.push(ct.clone().map_or_else(|| cx.zeros(aval), Ok)?);
                }
                Ok(out)
            })
        };
        let (jaxpr, hoisted) = restage(cx, "scan", fun, &in_avals)?;
        let op = Scan {
            reverse: !self.reverse,
            ..self.around(jaxpr, hoisted.len() + n_res, n_sums + n_carry)
        };
        let mut operands = hoisted;
        operands.extend(res);
        for aval in &sums {
            operands.push(cx.zero_carry(aval)?);
        }
        for (ct, aval) in ct_carry.iter().zip(&carried) {
            operands.push(ct.clone().map_or_else(|| cx.zero_carry(aval), Ok)?);
        }
        operands.extend(ct_ys.iter().flatten().cloned());
        operands.extend(eres);
        let outs = cx.bind(&op, &operands)?;
        let [out_sums, out_carry, out_xs] = cut(&outs, [n_sums, n_carry, 0]);
        let mut ins = spread(out_sums.to_vec(), lin_consts);
        ins.extend(out_carry.iter().cloned().map(Some));
        ins.extend(spread(out_xs.to_vec(), lin_xs));
        Ok(ins)
    }

    fn linearized(
        &self,
        parent: &Ctx,
        linear: &Ctx,
        primals: &[Value],
        tangents: &[Tangent],
    ) -> Result<Duals> {
        let varies = present(tangents);
        let [in_consts, in_carry, in_xs] = self.groups(&varies);
        let avals = self.jaxpr.in_avals();
        let body = as_function("scan", &self.jaxpr);
        let mut made = None;
        let carry = fixpoint(in_carry, &mut |carry| {
            let wrt = [in_consts, carry, in_xs].concat();
            let kept = Rc::new(RefCell::new(None));
            let (store, body) = (Rc::clone(&kept), body.clone());
            let (num_consts, num_carry) = (self.num_consts, self.num_carry);
            let fun: Fun = Rc::new(move |cx, args| {
                let (mut outs, mut lin) = linearize(cx, "scan", &body, args, &wrt)?;
                lin.jaxpr = dce_closed(&lin.jaxpr);
                let mut residuals = Vec::new();
                let mut stacked: Vec<Value> = Vec::new();
                for v in &lin.jaxpr.consts {
                    let own = cx.interp.trace().and_then(|t| v.of_trace(t));
                    let same = |a: &Value| crate::transform::jit::same(a, v);
                    let at = args.iter().position(same);
                    let carried = num_consts..num_consts + num_carry;
                    residuals.push(match at {
                        Some(i) if !carried.contains(&i) => Residual::Operand(i),
                        None if own.is_none() => Residual::Fixed(v.clone()),
                        _ => {
                            stacked.push(v.clone());
                            Residual::Stacked(stacked.len() - 1)
                        }
                    });
                }
                outs.extend(stacked);
                *store.borrow_mut() = Some((lin, residuals));
                Ok(outs)
            });
            let (jaxpr, hoisted) = restage(parent, "scan", fun, &avals)?;
            let Some((lin, residuals)) = kept.borrow_mut().take() else {
                return Err(Error::internal("linearising a scan left no linear program"));
            };
            let found = lin.nonzero[..self.num_carry].to_vec();
            made = Some((jaxpr, hoisted, lin, residuals));
            Ok(found)
        })?;
        let Some((jaxpr, mut operands, lin, residuals)) = made else {
            return Err(Error::internal("linearising a scan made nothing"));
        };
        let op = self.around(jaxpr, operands.len() + self.num_consts, self.num_carry);
        operands.extend_from_slice(primals);
        let mut outs = parent.bind(&op, &operands)?;
        let stacked = outs.split_off(self.jaxpr.outvars.len());
        let marks = [in_consts, &carry, in_xs];
        let (op, operands, nonzero) =
            self.linear_part(linear, &lin, &residuals, &stacked, primals, tangents, marks)?;
        let outs_t = linear.bind(&op, &operands)?;
        Ok((outs, spread(outs_t, &nonzero)))
    }

    /// The loop over tangents, its operands, and which results of the scan have tangents.
    #[allow(clippy::too_many_arguments)]
    fn linear_part(
        &self,
        linear: &Ctx,
        lin: &Linear,
        residuals: &[Residual],
        stacked: &[Value],
        primals: &[Value],
        tangents: &[Tangent],
        [in_consts, carry, in_xs]: [&[bool]; 3],
    ) -> Result<(Scan, Vec<Value>, Vec<bool>)> {
        let value = |r: &Residual| match r {
            Residual::Fixed(v) => v.clone(),
            Residual::Operand(i) => primals[*i].clone(),
            Residual::Stacked(i) => stacked[*i].clone(),
        };
        let first_slice = self.num_consts + self.num_carry;
        let is_sliced = |r: &Residual| match r {
            Residual::Fixed(_) => false,
            Residual::Operand(i) => *i >= first_slice,
            Residual::Stacked(_) => true,
        };
        let sliced: Vec<bool> = residuals.iter().map(is_sliced).collect();
        let fixed: Vec<bool> = sliced.iter().map(|s| !s).collect();
        let values: Vec<Value> = residuals.iter().map(value).collect();
        let res_avals: Vec<Aval> = lin.jaxpr.consts.iter().map(|v| v.aval().clone()).collect();
        let avals: Vec<Aval> = self.jaxpr.in_avals().iter().map(Aval::tangent).collect();
        let [avals_consts, avals_carry, avals_xs] = self.groups(&avals);
        let [t_consts, t_carry, t_xs] = self.groups(tangents);

        let mut in_avals = marked(&res_avals, &fixed);
        in_avals.extend(marked(avals_consts, in_consts));
        in_avals.extend(marked(avals_carry, carry));
        in_avals.extend(marked(avals_xs, in_xs));
        in_avals.extend(marked(&res_avals, &sliced));
        let count = |marks: &[bool]| marks.iter().filter(|m| **m).count();
        let sizes = [
            count(&fixed),
            count(in_consts),
            count(carry),
            count(in_xs),
            0,
        ];
        let (inner, carries) = (lin.clone(), carry.to_vec());
        let carry_avals = avals_carry.to_vec();
        let marks = sliced.clone();
        let fun: Fun = Rc::new(move |cx, args| {
            let [res, consts, carry, xs, eres] = cut(args, sizes);
            let (mut res, mut eres) = (res.iter(), eres.iter());
            let ordered = marks.iter().filter_map(|&s| match s {
                true => eres.next().cloned(),
                false => res.next().cloned(),
            });
            let residuals: Vec<Value> = ordered.collect();
            let varying: Vec<Value> = consts.iter().chain(carry).chain(xs).cloned().collect();
            let outs = eval_jaxpr(cx, &inner.jaxpr.jaxpr, &residuals, &varying)?;
            let outs = spread(outs, &inner.nonzero);
            let mut results = Vec::new();
            for ((out, &kept), aval) in outs.iter().zip(&carries).zip(&carry_avals) {
                if kept {
                    results.push(out.clone().map_or_else(|| cx.zeros(aval), Ok)?);
                }
            }
            results.extend(outs[carries.len()..].iter().flatten().cloned());
            Ok(results)
        });
        let (jaxpr, hoisted) = restage(linear, "scan", fun, &in_avals)?;
        let known = hoisted.len() + sizes[0];
        let mut op = self.around(jaxpr, known + sizes[1], sizes[2]);
        let linear_operands = sizes[1] + sizes[2] + sizes[3];
        op.linear = vec![false; known];
        op.linear.resize(known + linear_operands, true);
        let mut operands = hoisted;
        operands.extend(marked(&values, &fixed));
        operands.extend(t_consts.iter().flatten().cloned());
        for ((t, &kept), aval) in t_carry.iter().zip(carry).zip(avals_carry) {
            if kept {
                operands.push(t.clone().map_or_else(|| linear.zero_carry(aval), Ok)?);
            }
        }
        operands.extend(t_xs.iter().flatten().cloned());
        operands.extend(marked(&values, &sliced));
        let mut nonzero = carry.to_vec();
        nonzero.extend_from_slice(&lin.nonzero[self.num_carry..]);
        Ok((op, operands, nonzero))
    }
}

impl Ctx {
    /// Zeros to begin a loop with: a scalar is written in as a literal.
    pub(super) fn zero_carry(&self, aval: &Aval) -> Result<Value> {
        if aval.shape.is_empty() {
            return Ok(Array::scalar(0.0, aval.dtype, aval.weak)?.into());
        }
        self.zeros(aval)
    }
}

impl Primitive for Scan {
    fn name(&self) -> &'static str {
        "scan"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let number = |n: usize| Param::Text(n.to_string());
        let reverse = if self.reverse { "True" } else { "False" };
        vec![
            (
                "jaxpr",
                Param::Jaxpr(ClosedJaxpr::without_consts(Rc::clone(&self.jaxpr))),
            ),
            ("length", number(self.length)),
            ("num_carry", number(self.num_carry)),
            ("num_consts", number(self.num_consts)),
            ("reverse", Param::Text(reverse.into())),
            ("unroll", number(self.unroll)),
        ]
    }

    fn abstract_eval(&self, _: &[&Aval]) -> Result<Vec<Aval>> {
        let mut outs = self.jaxpr.out_avals();
        for y in &mut outs[self.num_carry..] {
            *y = y.with_axis0(self.length);
        }
        Ok(outs)
    }

    fn eval(&self, _: &Env, _: &[Array]) -> Result<Vec<Array>> {
        Err(Error::internal("scan is evaluated in a context"))
    }

    fn eval_in(&self, cx: &Ctx, args: &[Value]) -> Result<Vec<Value>> {
        self.run(cx, args)
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let varies = present(tangents);
        let [in_consts, in_carry, in_xs] = self.groups(&varies);
        let avals = self.jaxpr.in_avals();
        let body = as_function("scan", &self.jaxpr);
        let num_carry = self.num_carry;
        let mut made = None;
        let carry = fixpoint(in_carry, &mut |carry| {
            let groups = [in_consts.to_vec(), carry.to_vec(), in_xs.to_vec()];
            let nonzero = Rc::new(RefCell::new(Vec::new()));
            let (seen, body) = (Rc::clone(&nonzero), body.clone());
            let fun: Fun = Rc::new(move |cx, args| {
                let [consts, carry, xs] = &groups;
                let (primals, tangents) = unzip_groups(args, &[consts, carry, xs]);
                let (outs, outs_t) = jvp(cx, &body, &primals, &tangents)?;
                *seen.borrow_mut() = present(&outs_t);
                let ys = present(&outs_t[num_carry..]);
                zip_groups(cx, &outs, &outs_t, &[carry, &ys])
            });
            let in_avals = zip_avals(&avals, &[in_consts, carry, in_xs]);
            let (jaxpr, hoisted) = restage(cx, "scan", fun, &in_avals)?;
            let nonzero = nonzero.take();
            let found = nonzero[..num_carry].to_vec();
            made = Some((jaxpr, hoisted, nonzero));
            Ok(found)
        })?;
        let Some((jaxpr, mut operands, nonzero)) = made else {
            return Err(Error::internal("differentiating a scan made nothing"));
        };
        let count = |marks: &[bool]| marks.len() + marks.iter().filter(|m| **m).count();
        let op = self.around(jaxpr, operands.len() + count(in_consts), count(&carry));
        operands.extend(zip_groups(
            cx,
            primals,
            tangents,
            &[in_consts, &carry, in_xs],
        )?);
        let outs = cx.bind(&op, &operands)?;
        Ok(unzip_groups(&outs, &[&carry, &nonzero[num_carry..]]))
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
        self.transpose_staged(cx, cts, args)
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], batched: &[bool]) -> Result<Lanes> {
        let [in_consts, in_carry, in_xs] = self.groups(batched);
        let avals = self.jaxpr.in_avals();
        let body = as_function("scan", &self.jaxpr);
        let num_carry = self.num_carry;
        let mut made = None;
        let carry = fixpoint(in_carry, &mut |carry| {
            let flags = [in_consts, carry, in_xs].concat();
            let lanes = avals.iter().zip(&flags);
            let in_avals: Vec<Aval> = lanes
                .map(|(a, &b)| if b { a.with_axis0(size) } else { a.clone() })
                .collect();
            let found = Rc::new(RefCell::new(Vec::new()));
            let (seen, body, carry) = (Rc::clone(&found), body.clone(), carry.to_vec());
            let fun: Fun = Rc::new(move |cx, args| {
                let (mut outs, mapped) = vmap_front(cx, &body, size, args, &flags)?;
                for (i, out) in outs[..num_carry].iter_mut().enumerate() {
                    if carry[i] && !mapped[i] {
                        *out = replicate(cx, out, size)?;
                    }
                }
                *seen.borrow_mut() = mapped;
                Ok(outs)
            });
            let (jaxpr, hoisted) = restage(cx, "scan", fun, &in_avals)?;
            let found = found.take();
            let grown = found[..num_carry].to_vec();
            made = Some((jaxpr, hoisted, found));
            Ok(grown)
        })?;
        let Some((jaxpr, mut operands, mapped)) = made else {
            return Err(Error::internal("vectorising a scan made nothing"));
        };
        let op = self.around(jaxpr, operands.len() + self.num_consts, num_carry);
        let [consts, init, xs] = self.groups(args);
        operands.extend_from_slice(consts);
        for ((v, &was), &is) in init.iter().zip(in_carry).zip(&carry) {
            operands.push(if is && !was {
                replicate(cx, v, size)?
            } else {
                v.clone()
            });
        }
        for (v, &b) in xs.iter().zip(in_xs) {
            operands.push(if b { cx.moveaxis(v, 0, 1)? } else { v.clone() });
        }
        let mut outs = cx.bind(&op, &operands)?;
        for (y, &b) in outs.iter_mut().zip(&mapped).skip(num_carry) {
            if b {
                *y = cx.moveaxis(y, 1, 0)?;
            }
        }
        let flags = [&carry, &mapped[num_carry..]].concat();
        Ok((outs, flags))
    }

    fn has_effect(&self) -> bool {
        self.jaxpr.has_effects()
    }

    fn narrowed(&self, used: &[bool]) -> Option<Narrowed> {
        let mut carry = used[..self.num_carry].to_vec();
        loop {
            let results = [&carry, &used[self.num_carry..]].concat();
            let (jaxpr, read) = readers_of(&self.jaxpr, &results);
            let [consts, carries, xs] = self.groups(&read);
            let grown: Vec<bool> = carry.iter().zip(carries).map(|(a, b)| *a || *b).collect();
            if grown != carry {
                carry = grown;
                continue;
            }
            let operands = [consts, &carry, xs].concat();
            let same = Rc::ptr_eq(&jaxpr, &self.jaxpr) && !operands.contains(&false);
            if same {
                return None;
            }
            let jaxpr = Jaxpr {
                invars: marked(&jaxpr.invars, &operands),
                ..jaxpr.copied()
            };
            let count = |marks: &[bool]| marks.iter().filter(|m| **m).count();
            let mut op = self.around(Rc::new(jaxpr), count(consts), count(&carry));
            if !self.linear.is_empty() {
                let mut linear = self.linear.clone();
                linear.resize(operands.len(), false);
                op.linear = marked(&linear, &operands);
            }
            return Some((Rc::new(op), operands, results));
        }
    }
}
