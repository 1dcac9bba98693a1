//! Running totals along an axis: cumsum, cumprod, cummax, cummin, cumlogsumexp.

use super::arithmetic::{MAX, MIN};
use super::elementwise::Binary;
use super::movement::{linear_jvp, linear_transpose, mapped, refused};
use super::reduce::accept_number;
use super::reduce_jvp::{Dual, dual_mul, dual_pad, dual_slice};
use super::rule::{Ctx, Duals, Env, Lanes, Operand, Param, Primitive, Tangent};
use super::typing::{Accepts, accept_only};
use crate::array::Array;
use crate::aval::Aval;
use crate::error::{Class, Error, Result, Rule};
use crate::kernel::ScanFn;
use crate::runtime::reduce;
use crate::shape::tuple;
use crate::value::Value;
use alloc::{format, string::ToString, vec, vec::Vec};

/// Every element becomes the total of itself and all before it along an axis.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Cumulative {
    /// How totals are taken.
    pub total: ScanFn,
    /// The axis.
    pub axis: usize,
    /// From the end: totals of each element and all behind it.
    pub reverse: bool,
}

impl Primitive for Cumulative {
    fn name(&self) -> &'static str {
        match self.total {
            ScanFn::Sum => "cumsum",
            ScanFn::Prod => "cumprod",
            ScanFn::Max => "cummax",
            ScanFn::Min => "cummin",
            ScanFn::LogSumExp => "cumlogsumexp",
        }
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let reverse = if self.reverse { "True" } else { "False" };
        vec![
            ("axis", Param::Text(self.axis.to_string())),
            ("reverse", Param::Text(reverse.into())),
        ]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let x = avals[0];
        match self.total {
            ScanFn::LogSumExp => accept_only(self.name(), Accepts::Floats, x)?,
            _ => accept_number(self.name(), x)?,
        }
        if self.axis >= x.rank() {
            let (axis, shape) = (self.axis, tuple(&x.shape));
            let message = format!("axis {axis} is out of bounds for array of shape {shape}");
            return Err(refused(Class::ValueError, message, x));
        }
        Ok(vec![x.clone()])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let out = reduce::scan(self.total, &args[0], self.axis, self.reverse)?;
        Ok(vec![out])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        if self.total == ScanFn::Sum {
            return linear_jvp(cx, self, primals, tangents);
        }
        let Some(t) = &tangents[0] else {
            return Ok((cx.bind(self, primals)?, vec![None]));
        };
        let turn = |(x, t): &Dual| -> Result<Dual> {
            match self.reverse {
                true => Ok((cx.rev(x, &[self.axis])?, cx.rev(t, &[self.axis])?)),
                false => Ok((x.clone(), t.clone())),
            }
        };
        let turned = turn(&(primals[0].clone(), t.clone()))?;
        let (out, tangent) = turn(&self.scan(cx, &turned)?)?;
        Ok((vec![out], vec![Some(tangent)]))
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        if self.total != ScanFn::Sum {
            return Err(Error::rule_missing(self.name(), Rule::Transpose));
        }
        let back = Cumulative {
            reverse: !self.reverse,
            ..self.clone()
        };
        linear_transpose(cts, |ct| cx.bind1(&back, core::slice::from_ref(ct)))
    }

    fn batch(&self, cx: &Ctx, _: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        let op = Cumulative {
            axis: self.axis + 1,
            ..self.clone()
        };
        mapped(cx.bind1(&op, &args[..1]))
    }
}

impl Cumulative {
    /// The totals with their tangents, in a logarithmic number of steps: totals of pairs are
    /// scanned, which gives every second result; one more step gives those between.
    fn scan(&self, cx: &Ctx, d: &Dual) -> Result<Dual> {
        let axis = self.axis;
        let n = d.0.shape()[axis];
        if n < 2 {
            return Ok(d.clone());
        }
        let evens = dual_slice(cx, d, axis, 0, n - 1, 2)?;
        let odds = dual_slice(cx, d, axis, 1, n, 2)?;
        let pairs = self.join(cx, &evens, &odds)?;
        let odd_totals = self.scan(cx, &pairs)?;
        let half = odd_totals.0.shape()[axis];
        let before = match n % 2 {
            0 => dual_slice(cx, &odd_totals, axis, 0, half - 1, 1)?,
            _ => odd_totals.clone(),
        };
        let later_evens = dual_slice(cx, d, axis, 2.min(n), n, 2)?;
        let later = self.join(cx, &before, &later_evens)?;
        let first = dual_slice(cx, d, axis, 0, 1, 1)?;
        let even_totals = (
            cx.concatenate(&[first.0, later.0], axis)?,
            cx.concatenate(&[first.1, later.1], axis)?,
        );
        let (mut even_pad, mut odd_pad) =
            (vec![(0, 0, 0); d.0.rank()], vec![(0, 0, 0); d.0.rank()]);
        let odd_end = (n % 2) as isize;
        even_pad[axis] = (0, 1 - odd_end, 1);
        odd_pad[axis] = (1, odd_end, 1);
        let evens = dual_pad(cx, &even_totals, &even_pad, 0.0)?;
        let odds = dual_pad(cx, &odd_totals, &odd_pad, 0.0)?;
        Ok((cx.add(&evens.0, &odds.0)?, cx.add(&evens.1, &odds.1)?))
    }

    /// Two totals as one, with the tangent.
    fn join(&self, cx: &Ctx, a: &Dual, b: &Dual) -> Result<Dual> {
        let rule = match self.total {
            ScanFn::Max => &MAX,
            ScanFn::Min => &MIN,
            ScanFn::LogSumExp => return log_add_exp(cx, a, b),
            ScanFn::Sum | ScanFn::Prod => return dual_mul(cx, a, b),
        };
        let primals = [a.0.clone(), b.0.clone()];
        let tangents = [Some(a.1.clone()), Some(b.1.clone())];
        let (mut out, mut tangent) = Binary(rule).jvp(cx, &primals, &tangents)?;
        match (out.pop(), tangent.pop().flatten()) {
            (Some(out), Some(tangent)) => Ok((out, tangent)),
            _ => Err(Error::internal("an extreme of two values has no tangent")),
        }
    }
}

/// log(exp(x) + exp(y)) without overflow; each operand's tangent weighs as its share of the sum.
fn log_add_exp(cx: &Ctx, (x, t): &Dual, (y, s): &Dual) -> Result<Dual> {
    use super::transcendental::{EXP, LOG1P};
    let largest = cx.max(x, y)?;
    let gap = cx.sub(x, y)?;
    // Where the gap is no number, both are infinite of one sign, or one is no number: their sum.
    let odd = cx.ne(&gap, &gap)?;
    let distance = cx.unary(&super::arithmetic::ABS, &gap)?;
    let small = cx.unary(&LOG1P, &cx.unary(&EXP, &cx.neg(&distance)?)?)?;
    let out = cx.select(&odd, &cx.add(x, y)?, &cx.add(&largest, &small)?)?;
    let share = |v: &Value, t: &Value| cx.mul(t, &cx.unary(&EXP, &cx.sub(v, &out)?)?);
    let (first, second) = (share(x, t)?, share(y, s)?);
    let tangent = cx.add_any(&first, &second)?;
    Ok((out, tangent))
}

impl Ctx {
    /// Running totals along an axis.
    pub fn cumulative(
        &self,
        total: ScanFn,
        x: &Value,
        axis: usize,
        reverse: bool,
    ) -> Result<Value> {
        let op = Cumulative {
            total,
            axis,
            reverse,
        };
        self.bind1(&op, core::slice::from_ref(x))
    }
}
