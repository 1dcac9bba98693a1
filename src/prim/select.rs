//! Choosing between values: select_n and clamp.

use super::compare::LT;
use super::elementwise::{Accepts, PartialRule, accept, nonlinear, partials_jvp};
use super::rule::{Ctx, Duals, Env, Operand, Param, Primitive, Tangent};
use super::typing::{mismatch, operands, same_dtypes};
use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result};
use crate::runtime::elementwise;
use crate::shape::tuple;
use crate::value::Value;
use alloc::{format, string::String, vec, vec::Vec};

/// Takes every element from the case that the first operand names: a boolean (false the first of
/// at most two) or an integer, of the cases' shape or a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SelectN;

impl Primitive for SelectN {
    fn name(&self) -> &'static str {
        "select_n"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let refuse = |message: String| Err(mismatch(Class::TypeError, message, avals));
        let Some((which, cases)) = avals.split_first().filter(|(_, c)| !c.is_empty()) else {
            let message = "select_n() must have at least one case";
            return Err(Error::value_error(message));
        };
        let shape = &cases[0].shape;
        if cases.iter().any(|c| c.shape != *shape) {
            let shapes: Vec<String> = cases.iter().map(|c| tuple(&c.shape)).collect();
            return refuse(format!(
                "select cases must have the same shapes, got [{}].",
                shapes.join(", ")
            ));
        }
        if !which.shape.is_empty() && which.shape != *shape {
            return refuse(format!(
                "select `which` must be scalar or have the same shape as cases, got `which` shape \
                 {} but case shape {}.",
                tuple(&which.shape),
                tuple(shape)
            ));
        }
        same_dtypes("select", cases)?;
        if which.dtype != DType::Bool && !which.dtype.is_int() {
            return refuse(format!(
                "select `which` must be boolean or integer type, got {}.",
                which.dtype
            ));
        }
        if which.dtype == DType::Bool && cases.len() > 2 {
            return refuse("select with boolean `which` cannot have > 2 cases.".into());
        }
        Ok(vec![Aval {
            weak: cases.iter().all(|c| c.weak),
            ..cases[0].clone()
        }])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        Ok(vec![elementwise::select_n(&args[0], &args[1..])?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let out = cx.bind(self, primals)?;
        let Some(present) = tangents[1..].iter().flatten().next() else {
            return Ok((out, vec![None]));
        };
        let zeros = cx.full(0.0, present.aval())?;
        let mut args = vec![primals[0].clone()];
        let filled = tangents[1..].iter().map(|t| t.as_ref().unwrap_or(&zeros));
        args.extend(filled.cloned());
        Ok((out, vec![Some(cx.bind1(self, &args)?)]))
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let (Some(ct), Some(which)) = (&cts[0], args[0].known()) else {
            return Err(nonlinear("select_n"));
        };
        let zeros = cx.full(0.0, ct.aval())?;
        let mut out: Vec<Tangent> = vec![None];
        for (i, case) in args[1..].iter().enumerate() {
            let back = match (case.is_linear(), which.dtype(), i) {
                (false, ..) => None,
                (true, DType::Bool, 0) => Some(cx.select(which, &zeros, ct)?),
                (true, DType::Bool, _) => Some(cx.select(which, ct, &zeros)?),
                (true, ..) => {
                    let chosen = cx.eq(which, &cx.lit(i as f64, which)?)?;
                    Some(cx.select(&chosen, ct, &zeros)?)
                }
            };
            out.push(back);
        }
        Ok(out)
    }

    fn batch(
        &self,
        cx: &Ctx,
        size: usize,
        args: &[Value],
        batched: &[bool],
    ) -> Result<(Vec<Value>, Vec<bool>)> {
        let (mut args, all_cases) = (args.to_vec(), batched[1..].iter().all(|b| *b));
        let scalar_which = args[0].rank() == 0;
        if all_cases && (scalar_which || batched[0]) {
            // One choice per lane, or one for all, on whole arrays.
            if !scalar_which && args[0].rank() < args[1].rank() {
                args[0] = cx.broadcast_in_dim(&args[0], args[1].shape(), &[0])?;
            }
            return Ok((cx.bind(self, &args)?, vec![true]));
        }
        if !scalar_which && !batched[0] {
            args[0] = cx.with_leading_axis(&args[0], size)?;
        }
        let scalar_cases = args[1..].iter().all(|c| c.rank() == 0);
        for (case, _) in args[1..]
            .iter_mut()
            .zip(&batched[1..])
            .filter(|(_, b)| !**b)
        {
            if !scalar_cases {
                *case = cx.with_leading_axis(case, size)?;
            }
        }
        let (which_rank, rank) = (args[0].rank(), args[1].rank());
        if 0 < which_rank && which_rank < rank {
            args[0] = cx.broadcast_in_dim(&args[0], args[1].shape(), &[0])?;
        } else if which_rank > rank {
            let shape = args[0].aval().shape.clone();
            for case in &mut args[1..] {
                *case = cx.broadcast_in_dim(case, &shape, &[])?;
            }
        }
        Ok((cx.bind(self, &args)?, vec![true]))
    }
}

/// `min(max(x, low), high)` of operands `low, x, high`; bounds are scalars or of x's shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Clamp;

impl Primitive for Clamp {
    fn name(&self) -> &'static str {
        "clamp"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [low, x, high] = operands("clamp", avals)?;
        for (name, bound) in [("min", low), ("max", high)] {
            if !bound.shape.is_empty() && bound.shape != x.shape {
                let message = format!(
                    "clamp requires {name}.shape == operand.shape or {name}.shape == (), got \
                     {name}.shape={}, operand.shape={}.",
                    tuple(&bound.shape),
                    tuple(&x.shape)
                );
                return Err(mismatch(Class::TypeError, message, avals));
            }
        }
        for (i, aval) in avals.iter().enumerate() {
            accept("clamp", Accepts::All, aval, i)?;
        }
        same_dtypes("clamp", avals)?;
        Ok(vec![Aval {
            weak: low.weak && x.weak && high.weak,
            ..x.clone()
        }])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        Ok(vec![elementwise::clamp(&args[0], &args[1], &args[2])?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        partials_jvp(cx, self, &CLAMP_PARTIALS, primals, tangents)
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(nonlinear("clamp"))
    }

    fn batch(
        &self,
        cx: &Ctx,
        size: usize,
        args: &[Value],
        batched: &[bool],
    ) -> Result<(Vec<Value>, Vec<bool>)> {
        if batched[1] && args[0].rank() == 0 && args[2].rank() == 0 {
            return Ok((cx.bind(self, args)?, vec![true]));
        }
        let mut args = args.to_vec();
        for i in [0, 2, 1] {
            if !batched[i] && args[i].rank() > 0 {
                args[i] = cx.with_leading_axis(&args[i], size)?;
            }
        }
        let shape = args[1].aval().shape.clone();
        for bound in [0, 2] {
            if args[bound].rank() == 0 && !shape.is_empty() {
                args[bound] = cx.broadcast_in_dim(&args[bound], &shape, &[])?;
            }
        }
        for bound in [0, 2] {
            // A bound that differs by lane but not within one.
            if args[bound].rank() == 1 && shape.len() > 1 {
                args[bound] = cx.broadcast_in_dim(&args[bound], &shape, &[0])?;
            }
        }
        if shape.is_empty() {
            args[1] = cx.broadcast_in_dim(&args[1], &[size], &[])?;
        }
        Ok((cx.bind(self, &args)?, vec![true]))
    }
}

/// Derivatives by the lower bound, the operand and the upper bound: each has the tangent where it
/// is the one that shows.
const CLAMP_PARTIALS: [PartialRule; 3] = [
    |cx, a, _, t| {
        let shows = cx.and(&cx.gt(&a[0], &a[1])?, &cx.lt(&a[0], &a[2])?)?;
        tangent_where(cx, &shows, t, &a[1])
    },
    |cx, a, _, t| {
        let shows = cx.and(&cx.gt(&a[1], &a[0])?, &cx.lt(&a[1], &a[2])?)?;
        tangent_where(cx, &shows, t, &a[1])
    },
    |cx, a, _, t| {
        let shows = cx.binary(&LT, &a[2], &a[1])?;
        tangent_where(cx, &shows, t, &a[1])
    },
];

/// The tangent where `shows`, zero elsewhere. A scalar bound's tangent serves every element.
fn tangent_where(cx: &Ctx, shows: &Value, t: &Value, x: &Value) -> Result<Value> {
    let zeros = cx.full(0.0, x.aval())?;
    let t = cx.broadcast_like(t, x.shape())?;
    cx.select(shows, &t, &zeros)
}

impl Ctx {
    /// `on_true` where `which`, else `on_false`; equal shapes, `which` may be a scalar.
    pub fn select(&self, which: &Value, on_true: &Value, on_false: &Value) -> Result<Value> {
        self.bind1(
            &SelectN,
            &[which.clone(), on_false.clone(), on_true.clone()],
        )
    }

    /// `x` kept between the bounds.
    pub fn clamp(&self, low: &Value, x: &Value, high: &Value) -> Result<Value> {
        self.bind1(&Clamp, &[low.clone(), x.clone(), high.clone()])
    }
}
