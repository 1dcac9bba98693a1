//! Families of element-wise primitives: what they share. Operands have equal shapes, or size-1
//! axes, or are scalars, which stand for every element, as in JAX.

use super::rule::{Ctx, Duals, Env, Operand, Param, Primitive, Tangent};
pub use super::typing::{Accepts, accept};
use super::typing::{accept_only, broadcast_shape, operands, same_dtypes};
use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Error, Result, Rule};
use crate::kernel::{PairFn, UnaryFn};
use crate::runtime::elementwise;
use crate::shape::Shape;
use crate::value::{Value, leaked};
use alloc::{boxed::Box, format, vec, vec::Vec};

/// What a definition says for readers: no part of the engine that people download.
pub const fn note(text: &'static str) -> &'static str {
    match cfg!(target_arch = "wasm32") {
        true => "",
        false => text,
    }
}

/// Points for tests: no part of the engine that people download.
pub const fn points<T>(points: &'static [T]) -> &'static [T] {
    match cfg!(target_arch = "wasm32") {
        true => &[],
        false => points,
    }
}

/// How a one-operand primitive differentiates.
#[derive(Clone, Copy)]
pub enum UnaryJvp {
    /// The result does not vary, or is discrete: the tangent is zero.
    Zero,
    /// The primitive is linear: it maps tangents as it maps values.
    Linear,
    /// Tangent of the result from operand `x`, result `y` and tangent `t`.
    Rule(fn(cx: &Ctx, x: &Value, y: &Value, t: &Value) -> Result<Value>),
}

/// The definition of a one-operand element-wise primitive.
pub struct UnaryDef {
    /// JAX's name.
    pub name: &'static str,
    /// One line for people.
    pub doc: &'static str,
    /// Dtypes taken.
    pub accepts: Accepts,
    /// The kernel.
    pub kernel: UnaryFn,
    /// The derivative.
    pub jvp: UnaryJvp,
    /// Points at which the generated tests check it; they lie inside its domain, away from kinks.
    pub samples: &'static [f64],
}

/// A one-operand element-wise primitive.
#[derive(Clone, Copy)]
pub struct Unary(pub &'static UnaryDef);

/// The definition of a two-operand element-wise primitive on operands of one dtype.
pub struct BinaryDef {
    /// JAX's name.
    pub name: &'static str,
    /// One line for people.
    pub doc: &'static str,
    /// Dtypes taken.
    pub accepts: Accepts,
    /// The kernel; a comparison's result is boolean.
    pub kernel: PairFn,
    /// The derivative.
    pub jvp: BinaryJvp,
    /// How cotangents flow back, where it is linear in an operand.
    pub transpose: BinaryTranspose,
    /// Pairs of points at which the generated tests check it.
    pub samples: &'static [(f64, f64)],
}

/// The tangent contributed by one operand, from all operands, the result and that operand's tangent.
pub type PartialRule = fn(cx: &Ctx, args: &[Value], out: &Value, t: &Value) -> Result<Value>;

/// How a two-operand primitive differentiates.
#[derive(Clone, Copy)]
pub enum BinaryJvp {
    /// Discrete: the tangent is zero.
    Zero,
    /// JAX defines none, so neither do we.
    NotDefined,
    /// One rule per operand; contributions are added.
    Partials([PartialRule; 2]),
    /// Linear in both together: `add`, or with the second negated `sub`.
    Sum {
        /// Whether the second operand counts negatively.
        negate_second: bool,
    },
    /// Linear in both together, zero tangents written out: `add_any`.
    Linear,
}

/// The cotangent of the one linear operand, before summing over broadcast axes.
pub type TransposeRule = fn(cx: &Ctx, ct: &Value, x: &Operand, y: &Operand) -> Result<Value>;

/// How a two-operand primitive transposes.
#[derive(Clone, Copy)]
pub enum BinaryTranspose {
    /// Not linear in either operand.
    Nonlinear,
    /// Linear in both together: `add`, or with the second negated `sub`.
    Sum {
        /// Whether the second operand counts negatively.
        negate_second: bool,
    },
    /// Linear in one operand while the other is known.
    Rule(TransposeRule),
}

/// A two-operand element-wise primitive.
#[derive(Clone, Copy)]
pub struct Binary(pub &'static BinaryDef);

macro_rules! identity_by_name {
    ($($t:ty),*) => {$(
        impl PartialEq for $t {
            fn eq(&self, other: &Self) -> bool {
                self.0.name == other.0.name
            }
        }
        impl Eq for $t {}
        impl core::hash::Hash for $t {
            fn hash<H: core::hash::Hasher>(&self, h: &mut H) {
                self.0.name.hash(h);
            }
        }
        impl core::fmt::Debug for $t {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(self.0.name)
            }
        }
    )*};
}
identity_by_name!(Unary, Binary);

impl Primitive for Unary {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [x] = operands(self.0.name, avals)?;
        accept_only(self.0.name, self.0.accepts, x)?;
        Ok(vec![elementwise::unary_type(self.0.kernel, x)])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        Ok(vec![elementwise::unary(self.0.kernel, &args[0])?])
    }

    fn apply(&self, _: &Ctx, args: &[Value]) -> Result<Vec<Value>> {
        if let [Value::Array(x)] = args {
            accept_only(self.0.name, self.0.accepts, x.aval())?;
            return Ok(vec![elementwise::unary(self.0.kernel, x)?.into()]);
        }
        Err(misapplied(self.0.name, args, 1))
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let y = cx.bind1(self, primals)?;
        let tangent = match (&tangents[0], self.0.jvp) {
            (None, _) | (_, UnaryJvp::Zero) => None,
            (Some(t), UnaryJvp::Linear) => Some(cx.bind1(self, core::slice::from_ref(t))?),
            (Some(t), UnaryJvp::Rule(rule)) => Some(rule(cx, &primals[0], &y, t)?),
        };
        Ok((vec![y], vec![tangent]))
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        match (self.0.jvp, &cts[0]) {
            // The linear one (neg) is its own transpose.
            (UnaryJvp::Linear, Some(ct)) => {
                Ok(vec![Some(cx.bind1(self, core::slice::from_ref(ct))?)])
            }
            _ => Err(nonlinear(self.0.name)),
        }
    }

    fn batch(
        &self,
        cx: &Ctx,
        _: usize,
        args: &[Value],
        _: &[bool],
    ) -> Result<(Vec<Value>, Vec<bool>)> {
        Ok((cx.bind(self, args)?, vec![true]))
    }
}

impl Primitive for Binary {
    fn name(&self) -> &'static str {
        self.0.name
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let name = self.0.name;
        let [x, y] = operands(name, avals)?;
        // JAX computes the shape first: of two faults it reports that one.
        let shape = broadcast_shape(name, avals)?;
        accept(name, self.0.accepts, x, 0)?;
        accept(name, self.0.accepts, y, 1)?;
        same_dtypes(name, avals)?;
        let dtype = match self.0.kernel {
            PairFn::Binary(_) => x.dtype,
            PairFn::Compare(_) => DType::Bool,
        };
        Ok(vec![Aval {
            shape,
            dtype,
            weak: x.weak && y.weak,
        }])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        Ok(vec![elementwise::pair(self.0.kernel, &args[0], &args[1])?])
    }

    fn apply(&self, _: &Ctx, args: &[Value]) -> Result<Vec<Value>> {
        let [Value::Array(x), Value::Array(y)] = args else {
            return Err(misapplied(self.0.name, args, 2));
        };
        let alike = x.dtype() == y.dtype() && self.0.accepts.contains(x.dtype());
        let plain = |a: &Array, b: &Array| b.shape().is_empty() || a.shape() == b.shape();
        if !alike || !(plain(x, y) || plain(y, x)) {
            // Size-1 axes, or operands to refuse.
            self.abstract_eval(&[x.aval(), y.aval()])?;
        }
        Ok(vec![elementwise::pair(self.0.kernel, x, y)?.into()])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        match self.0.jvp {
            BinaryJvp::Zero => Ok((cx.bind(self, primals)?, vec![None])),
            BinaryJvp::NotDefined => Err(Error::rule_missing(self.0.name, Rule::Jvp)),
            BinaryJvp::Partials(rules) => partials_jvp(cx, self, &rules, primals, tangents),
            BinaryJvp::Linear => linear_sum_jvp(cx, self, primals, tangents),
            BinaryJvp::Sum { negate_second } => sum_jvp(cx, self, negate_second, primals, tangents),
        }
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let Some(ct) = &cts[0] else {
            return Ok(vec![None, None]);
        };
        let (x, y) = (&args[0], &args[1]);
        match self.0.transpose {
            BinaryTranspose::Nonlinear => Err(nonlinear(self.0.name)),
            BinaryTranspose::Sum { negate_second } => {
                let dx = cx.unbroadcast(ct, &x.aval().shape)?;
                let ct = if negate_second { &cx.neg(ct)? } else { ct };
                let dy = cx.unbroadcast(ct, &y.aval().shape)?;
                Ok(vec![Some(dx), Some(dy)])
            }
            BinaryTranspose::Rule(rule) => {
                let back = rule(cx, ct, x, y)?;
                if x.is_linear() {
                    return Ok(vec![Some(cx.unbroadcast(&back, &x.aval().shape)?), None]);
                }
                Ok(vec![None, Some(cx.unbroadcast(&back, &y.aval().shape)?)])
            }
        }
    }

    fn batch(
        &self,
        cx: &Ctx,
        _: usize,
        args: &[Value],
        batched: &[bool],
    ) -> Result<(Vec<Value>, Vec<bool>)> {
        let args = align_lanes(cx, args, batched)?;
        Ok((cx.bind(self, &args)?, vec![true]))
    }
}

/// Evaluation was given a tracer that has escaped, or the wrong number of operands.
fn misapplied(name: &str, args: &[Value], want: usize) -> Box<Error> {
    let tracer = args.iter().find_map(|v| match v {
        Value::Tracer(t) => Some(leaked(&t.0)),
        Value::Array(_) => None,
    });
    let message = || format!("{name} takes {want} operands, got {}", args.len());
    tracer.unwrap_or_else(|| Error::internal(message()))
}

/// A primitive that is not linear reached transposition: the program is not linear.
pub fn nonlinear(name: &'static str) -> Box<Error> {
    Error::rule_missing(name, Rule::Transpose)
}

/// The JVP of a primitive with one rule per operand: contributions are added, first to last.
pub fn partials_jvp(
    cx: &Ctx,
    op: &dyn Primitive,
    rules: &[PartialRule],
    primals: &[Value],
    tangents: &[Tangent],
) -> Result<Duals> {
    let out = cx.bind1(op, primals)?;
    let mut parts: Vec<Value> = Vec::with_capacity(rules.len());
    for (rule, tangent) in rules.iter().zip(tangents) {
        if let Some(t) = tangent {
            parts.push(rule(cx, primals, &out, t)?);
        }
    }
    let mut parts = parts.into_iter();
    let mut total = parts.next();
    for part in parts {
        total = match total {
            Some(sum) => Some(cx.add_any(&sum, &part)?),
            None => Some(part),
        };
    }
    Ok((vec![out], vec![total]))
}

/// `add_any`: as JAX's, with the zeros of absent tangents written out.
fn linear_sum_jvp(
    cx: &Ctx,
    op: &dyn Primitive,
    primals: &[Value],
    tangents: &[Tangent],
) -> Result<Duals> {
    let out = cx.bind(op, primals)?;
    let tangents = tangents.iter().zip(primals).map(|(t, x)| match t {
        Some(t) => Ok(t.clone()),
        None => cx.zeros(&x.aval().tangent()),
    });
    let tangents = tangents.collect::<Result<Vec<_>>>()?;
    Ok((out, vec![Some(cx.bind1(op, &tangents)?)]))
}

/// `add` and `sub`: the tangent of a sum is the sum of the tangents that are there.
fn sum_jvp(
    cx: &Ctx,
    op: &dyn Primitive,
    negate_second: bool,
    primals: &[Value],
    tangents: &[Tangent],
) -> Result<Duals> {
    let out = cx.bind1(op, primals)?;
    let shape = out.shape();
    let tangent = match (&tangents[0], &tangents[1]) {
        (Some(a), Some(b)) => Some(cx.bind1(op, &[a.clone(), b.clone()])?),
        (Some(a), None) => Some(cx.broadcast_like(a, shape)?),
        (None, Some(b)) if negate_second => Some(cx.broadcast_like(&cx.neg(b)?, shape)?),
        (None, Some(b)) => Some(cx.broadcast_like(b, shape)?),
        (None, None) => None,
    };
    Ok((vec![out], vec![tangent]))
}

/// Makes element-wise operands fit each other when some carry a mapped axis in front: those that do
/// not get a leading axis of size 1 (scalars stay), and lanes of lower rank get axes behind the
/// mapped one.
pub fn align_lanes(cx: &Ctx, args: &[Value], batched: &[bool]) -> Result<Vec<Value>> {
    let lane_rank = |v: &Value, b: bool| v.rank() - usize::from(b);
    let ranks = args.iter().zip(batched).map(|(v, b)| lane_rank(v, *b));
    let rank = ranks.max().unwrap_or(0);
    let mut out = args.to_vec();
    for (v, _) in out.iter_mut().zip(batched).filter(|(_, b)| !**b) {
        if v.rank() > 0 {
            *v = cx.with_leading_axis(v, 1)?;
        }
    }
    for (v, _) in out.iter_mut().zip(batched).filter(|(_, b)| **b) {
        if v.rank() < rank + 1 {
            *v = cx.with_trailing_axes(v, rank + 1)?;
        }
    }
    Ok(out)
}

impl Ctx {
    /// An array with a new axis in front, repeated `n` times along it.
    pub fn with_leading_axis(&self, x: &Value, n: usize) -> Result<Value> {
        let shape = x.aval().with_axis0(n).shape;
        let dims: Vec<usize> = (1..shape.len()).collect();
        self.broadcast_in_dim(x, &shape, &dims)
    }

    /// An array with size-1 axes behind its own, up to the given rank.
    pub fn with_trailing_axes(&self, x: &Value, rank: usize) -> Result<Value> {
        let mut shape = Shape::from_slice(x.shape());
        shape.resize(rank, 1);
        let dims: Vec<usize> = (0..x.rank()).collect();
        self.broadcast_in_dim(x, &shape, &dims)
    }
}
