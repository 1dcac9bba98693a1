//! Families of element-wise primitives: what they share. Operands have equal shapes, or size-1
//! axes, or are scalars, which stand for every element, as in JAX.

use super::rule::{Ctx, Duals, Env, Operand, Param, Primitive, Tangent};
use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result, Rule};
use crate::kernel::{BinaryFn, UnaryFn};
use crate::runtime::launch;
use crate::shape::{Shape, tuple};
use crate::value::Value;

/// Sets of dtypes that a primitive takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Accepts {
    Floats,
    Ints,
    IntsAndBool,
    Numbers,
    All,
    Bool,
}

impl Accepts {
    /// Whether the dtype is in the set.
    pub fn contains(self, d: DType) -> bool {
        match self {
            Accepts::Floats => d.is_float(),
            Accepts::Ints => d.is_int(),
            Accepts::IntsAndBool => d.is_int() || d == DType::Bool,
            Accepts::Numbers => d.is_int() || d.is_float(),
            Accepts::Bool => d == DType::Bool,
            Accepts::All => d != DType::Float0,
        }
    }

    /// The set as JAX's messages list it.
    fn listed(self) -> &'static str {
        match self {
            Accepts::Floats => "floating or complexfloating",
            Accepts::Ints => "integer",
            Accepts::IntsAndBool => "integer or bool",
            Accepts::Numbers => "number",
            Accepts::Bool => "bool",
            Accepts::All => "generic",
        }
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
    /// Whether the result is boolean rather than of the operand's dtype.
    pub predicate: bool,
    /// Points at which the generated tests check it; they lie inside its domain.
    pub samples: &'static [f64],
}

/// A one-operand element-wise primitive.
#[derive(Clone, Copy)]
pub struct Unary(pub &'static UnaryDef);

/// The definition of a two-operand element-wise primitive.
pub struct BinaryDef {
    /// JAX's name.
    pub name: &'static str,
    /// One line for people.
    pub doc: &'static str,
    /// Dtypes taken.
    pub accepts: Accepts,
    /// The kernel.
    pub kernel: BinaryFn,
    /// The derivative.
    pub jvp: BinaryJvp,
    /// How cotangents flow back, where it is linear in an operand.
    pub transpose: BinaryTranspose,
    /// Pairs of points at which the generated tests check it.
    pub samples: &'static [(f64, f64)],
}

/// The tangent contributed by one operand: from `x`, `y`, the result and that operand's tangent.
pub type PartialRule = fn(cx: &Ctx, x: &Value, y: &Value, out: &Value, t: &Value) -> Result<Value>;

/// How a two-operand primitive differentiates.
#[derive(Clone, Copy)]
pub enum BinaryJvp {
    /// Discrete: the tangent is zero.
    Zero,
    /// One rule per operand; contributions are added.
    Partials(PartialRule, PartialRule),
    /// Both tangents at once, for linear primitives such as `add`.
    Rule(fn(cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals>),
}

/// How a two-operand primitive transposes.
#[derive(Clone, Copy)]
pub enum BinaryTranspose {
    /// Not linear in either operand.
    Nonlinear,
    /// Cotangents of both operands, before summing over broadcast axes.
    Rule(fn(cx: &Ctx, ct: &Value, x: &Operand, y: &Operand) -> Result<(Tangent, Tangent)>),
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
        impl std::hash::Hash for $t {
            fn hash<H: std::hash::Hasher>(&self, h: &mut H) {
                self.0.name.hash(h);
            }
        }
        impl std::fmt::Debug for $t {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
        match self.0.kernel {
            UnaryFn::IntegerPow(y) => vec![("y", Param::Text(y.to_string()))],
            UnaryFn::RoundEven => vec![("rounding_method", Param::Text("1".into()))],
            UnaryFn::RoundAwayFromZero => vec![("rounding_method", Param::Text("0".into()))],
            _ => vec![],
        }
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [x] = avals else {
            return Err(wrong_arity(self.0.name, 1, avals.len()));
        };
        accept(self.0.name, self.0.accepts, x, 0)?;
        let dtype = if self.0.predicate {
            DType::Bool
        } else {
            x.dtype
        };
        let weak = x.weak && !self.0.predicate;
        Ok(vec![Aval {
            shape: x.shape.clone(),
            dtype,
            weak,
        }])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        Ok(vec![launch::unary(self.0.kernel, &args[0])?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let y = cx.bind1(self, primals)?;
        let tangent = match (&tangents[0], self.0.jvp) {
            (None, _) | (_, UnaryJvp::Zero) => None,
            (Some(t), UnaryJvp::Linear) => Some(cx.bind1(self, std::slice::from_ref(t))?),
            (Some(t), UnaryJvp::Rule(rule)) => Some(rule(cx, &primals[0], &y, t)?),
        };
        Ok((vec![y], vec![tangent]))
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        match (self.0.jvp, &cts[0]) {
            // The linear ones (neg, real identities) are their own transposes.
            (UnaryJvp::Linear, Some(ct)) => {
                Ok(vec![Some(cx.bind1(self, std::slice::from_ref(ct))?)])
            }
            _ => Err(Error::rule_missing(self.0.name, Rule::Transpose)),
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
        let [x, y] = avals else {
            return Err(wrong_arity(name, 2, avals.len()));
        };
        same_dtypes(name, avals)?;
        accept(name, self.0.accepts, x, 0)?;
        accept(name, self.0.accepts, y, 1)?;
        let shape = broadcast_shape(name, avals)?;
        Ok(vec![Aval {
            shape,
            dtype: x.dtype,
            weak: x.weak && y.weak,
        }])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        Ok(vec![launch::binary(self.0.kernel, &args[0], &args[1])?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let (first, second) = match self.0.jvp {
            BinaryJvp::Rule(rule) => return rule(cx, primals, tangents),
            BinaryJvp::Zero => return Ok((cx.bind(self, primals)?, vec![None])),
            BinaryJvp::Partials(first, second) => (first, second),
        };
        let out = cx.bind1(self, primals)?;
        let (x, y) = (&primals[0], &primals[1]);
        let mut total: Tangent = None;
        for (rule, tangent) in [(first, &tangents[0]), (second, &tangents[1])] {
            let Some(t) = tangent else { continue };
            let part = rule(cx, x, y, &out, t)?;
            let part = cx.broadcast_like(&part, &out.aval().shape)?;
            total = Some(match total {
                None => part,
                Some(sum) => cx.add_any(&sum, &part)?,
            });
        }
        Ok((vec![out], vec![total]))
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let (BinaryTranspose::Rule(rule), Some(ct)) = (self.0.transpose, &cts[0]) else {
            return Err(Error::rule_missing(self.0.name, Rule::Transpose));
        };
        let (dx, dy) = rule(cx, ct, &args[0], &args[1])?;
        let sum_to = |d: Tangent, arg: &Operand| -> Result<Tangent> {
            d.map(|d| cx.unbroadcast(&d, &arg.aval().shape)).transpose()
        };
        Ok(vec![sum_to(dx, &args[0])?, sum_to(dy, &args[1])?])
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

/// Makes element-wise operands fit each other when some carry a mapped axis in front: those that do
/// not get a leading axis of size 1 (scalars stay), and lanes of lower rank get axes behind the mapped one.
pub fn align_lanes(cx: &Ctx, args: &[Value], batched: &[bool]) -> Result<Vec<Value>> {
    let lane_rank = |v: &Value, b: bool| v.rank() - usize::from(b);
    let rank = args
        .iter()
        .zip(batched)
        .map(|(v, b)| lane_rank(v, *b))
        .max()
        .unwrap_or(0);
    args.iter()
        .zip(batched)
        .map(|(v, &b)| match (b, lane_rank(v, b)) {
            (true, r) if r == rank => Ok(v.clone()),
            // A mapped scalar among mapped arrays: one number per lane.
            (true, _) => {
                let mut shape = Shape::from_elem(1, rank + 1);
                shape[0] = v.shape()[0];
                cx.reshape(v, &shape)
            }
            (false, 0) => Ok(v.clone()),
            (false, _) => {
                let shape = v.aval().with_axis0(1).shape;
                let dims: Vec<usize> = (1..shape.len()).collect();
                cx.broadcast_in_dim(v, &shape, &dims)
            }
        })
        .collect()
}

/// The result shape of element-wise operands: equal ranks with size-1 axes stretched, or scalars.
pub fn broadcast_shape(name: &str, avals: &[&Aval]) -> Result<Shape> {
    let mut out: Option<Shape> = None;
    for a in avals.iter().filter(|a| !a.shape.is_empty()) {
        match &mut out {
            None => out = Some(a.shape.clone()),
            Some(s) => {
                if s.len() != a.shape.len() {
                    let shapes = listed_shapes(avals);
                    let message =
                        format!("{name}: arrays must have same number of dimensions, got {shapes}");
                    return Err(mismatch(Class::TypeError, message, avals));
                }
                for (d, &n) in s.iter_mut().zip(&a.shape) {
                    if *d == 1 {
                        *d = n;
                    } else if n != 1 && n != *d {
                        let shapes = listed_shapes(avals);
                        let message =
                            format!("{name} got incompatible shapes for broadcasting: {shapes}.");
                        return Err(mismatch(Class::TypeError, message, avals));
                    }
                }
            }
        }
    }
    Ok(out.unwrap_or_default())
}

fn listed_shapes(avals: &[&Aval]) -> String {
    avals
        .iter()
        .map(|a| tuple(&a.shape))
        .collect::<Vec<_>>()
        .join(", ")
}

fn mismatch(class: Class, message: String, avals: &[&Aval]) -> Box<Error> {
    let avals: Vec<Aval> = avals.iter().map(|a| (*a).clone()).collect();
    Error::mismatch(class, message, &avals)
}

/// Refuses operands of different dtypes, in JAX's words.
pub fn same_dtypes(name: &str, avals: &[&Aval]) -> Result<()> {
    if avals.windows(2).all(|w| w[0].dtype == w[1].dtype) {
        return Ok(());
    }
    let dtypes: Vec<_> = avals.iter().map(|a| a.dtype.name()).collect();
    let message = format!(
        "lax.{name} requires arguments to have the same dtypes, got {}. (Tip: jnp.{name} is a \
         similar function that does automatic type promotion on inputs).",
        dtypes.join(", ")
    );
    Err(mismatch(Class::TypeError, message, avals))
}

/// Refuses a dtype that the primitive does not take, in JAX's words.
pub fn accept(name: &str, accepts: Accepts, aval: &Aval, index: usize) -> Result<()> {
    if accepts.contains(aval.dtype) {
        return Ok(());
    }
    let message = format!(
        "{name} does not accept dtype {} at position {index}. Accepted dtypes at position {index} are subtypes of {}.",
        aval.dtype,
        accepts.listed()
    );
    Err(mismatch(Class::TypeError, message, &[aval]))
}

/// A rule or the builder called a primitive with the wrong number of operands.
pub fn wrong_arity(name: &str, want: usize, got: usize) -> Box<Error> {
    Error::internal(format!("{name} takes {want} operands, got {got}"))
}
