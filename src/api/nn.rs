//! Functions of neural networks: activations, softmax, encodings.

use super::args::Args;
use super::arithmetic::{clip, to_float};
use super::convert::{as_value, astype, broadcast_to, cast, convert, inexact, promote_dtypes};
use super::reductions::{Fold, mean, neutral, reduce};
use super::registry::{Arg, Ret, api};
use super::support::{custom_jvp, named, select, where_, where_number, where_values};
use super::ufuncs::logaddexp;
use crate::error::{Error, Result};
#[cfg(target_arch = "wasm32")]
use crate::kernel::Float;
use crate::prim::arithmetic::ABS;
use crate::prim::logic::IS_FINITE;
use crate::prim::power::{RSQRT, SQRT};
use crate::prim::rule::Ctx;
use crate::prim::special::ERFC;
use crate::prim::transcendental::{EXP, EXPM1, LOG, LOGISTIC, TANH};
use crate::shape::Shape;
use crate::value::Value;
use alloc::vec;
use core::f64::consts::{FRAC_1_SQRT_2, PI};

api! { FUNCTIONS;
    /// Rectified linear unit: max(x, 0). Its derivative at 0 is 0.
    "nn.relu"(x: LIKE) -> ARRAY => |cx, a| Ok(relu(cx, &a.value(0)?)?.into());
    /// Rectified linear unit up to 6: min(max(x, 0), 6).
    "nn.relu6"(x: LIKE) -> ARRAY => |cx, a| Ok(relu6(cx, &a.value(0)?)?.into());
    /// Sigmoid: 1 / (1 + e ** -x).
    "nn.sigmoid"(x: LIKE) -> ARRAY => |cx, a| Ok(cx.unary(&LOGISTIC, &a.value(0)?)?.into());
    /// Sigmoid linear unit: x * sigmoid(x).
    "nn.silu"(x: LIKE) -> ARRAY => |_, a| silu(a);
    /// Sigmoid linear unit: x * sigmoid(x).
    "nn.swish"(x: LIKE) -> ARRAY => |_, a| silu(a);
    /// Smooth rectifier: log(1 + e ** x).
    "nn.softplus"(x: LIKE) -> ARRAY => |cx, a| Ok(softplus(cx, &a.value(0)?)?.into());
    /// Soft sign: x / (|x| + 1).
    "nn.softSign"(x: LIKE) -> ARRAY => |_, a| floats(a, "soft_sign", |cx, x| {
        let size = cx.unary(&ABS, x)?;
        cx.div(x, &cx.add(&size, &cx.lit(1.0, &size)?)?)
    });
    /// Hyperbolic tangent.
    "nn.tanh"(x: LIKE) -> ARRAY => |cx, a| Ok(cx.unary(&TANH, &to_float(cx, a.array_like(0)?)?)?.into());
    /// Sigmoid by straight pieces: relu6(x + 3) / 6.
    "nn.hardSigmoid"(x: LIKE) -> ARRAY => |_, a| floats(a, "hard_sigmoid", hard_sigmoid);
    /// Sigmoid linear unit by straight pieces: x * hardSigmoid(x).
    "nn.hardSilu"(x: LIKE) -> ARRAY => |_, a| floats(a, "hard_silu", |cx, x| {
        let gate = named(cx, "hard_sigmoid", core::slice::from_ref(x), |cx, v| hard_sigmoid(cx, &v[0]))?;
        cx.mul(x, &gate)
    });
    /// Tangent by straight pieces: x cut to [-1, 1].
    "nn.hardTanh"(x: LIKE) -> ARRAY => |_, a| numbers(a, "hard_tanh", |cx, x| {
        let above = cx.gt(x, &cx.lit(1.0, x)?)?;
        let below = cx.lt(x, &cx.lit(-1.0, x)?)?;
        let number = |value: f64| Arg::Number { value, float: false };
        let inner = where_(cx, &below, &number(-1.0), &Arg::Value(x.clone()))?;
        where_(cx, &above, &number(1.0), &Arg::Value(inner))
    });
    /// log(sigmoid(x)), accurate for large |x|.
    "nn.logSigmoid"(x: LIKE) -> ARRAY => |_, a| numbers(a, "log_sigmoid", |cx, x| {
        cx.neg(&softplus(cx, &cx.neg(x)?)?)
    });
    /// Exponential linear unit: x where x > 0, else alpha * (e ** x - 1).
    "nn.elu"(x: LIKE, alpha: LIKE = 1.0) -> ARRAY => |_, a| with_parameter(a, "elu", 1.0, elu);
    /// Continuously differentiable elu: max(x, 0) + min(alpha * (e ** (x / alpha) - 1), 0).
    "nn.celu"(x: LIKE, alpha: LIKE = 1.0) -> ARRAY => |_, a| with_parameter(a, "celu", 1.0, |cx, x, alpha| {
        let zero = cx.lit(0.0, x)?;
        let (above, below) = (cx.max(x, &zero)?, cx.min(x, &zero)?);
        let curve = cx.unary(&EXPM1, &cx.div(&below, &alpha.beside(cx, &below)?)?)?;
        cx.add(&above, &cx.mul(&alpha.beside(cx, &curve)?, &curve)?)
    });
    /// Self-normalising elu: 1.0507 * elu(x, 1.6733).
    "nn.selu"(x: LIKE) -> ARRAY => |_, a| floats(a, "selu", |cx, x| {
        let alpha = Arg::Number { value: 1.6732632423543772, float: true };
        let args = [x.clone(), as_value(cx, &alpha)?];
        let inner = named(cx, "elu", &args, |cx, v| elu(cx, &v[0], &Parameter::Given(v[1].clone())))?;
        cx.mul(&cx.lit(1.0507009873554805, &inner)?, &inner)
    });
    /// Leaky rectifier: x where x >= 0, else negativeSlope * x.
    "nn.leakyRelu"(x: LIKE, negativeSlope: LIKE = 0.01) -> ARRAY => |_, a| with_parameter(a, "leaky_relu", 0.01, |cx, x, slope| {
        let up = cx.ge(x, &cx.lit(0.0, x)?)?;
        where_values(cx, &up, x, &cx.mul(&slope.beside(cx, x)?, x)?)
    });
    /// Gaussian error linear unit: x * Φ(x).
    ///
    /// - `approximate`: by a tanh (the default), or exactly by erfc.
    "nn.gelu"(x: LIKE, approximate: BOOL = true) -> ARRAY => |cx, a| {
        let x = to_float(cx, a.array_like(0)?)?;
        Ok(gelu(cx, &x, a.bool(1)?)?.into())
    };
    /// Mish: x * tanh(softplus(x)).
    "nn.mish"(x: LIKE) -> ARRAY => |_, a| floats(a, "mish", |cx, x| {
        cx.mul(x, &cx.unary(&TANH, &softplus(cx, x)?)?)
    });
    /// Squareplus: (x + sqrt(x² + b)) / 2.
    "nn.squareplus"(x: LIKE, b: LIKE = 4.0) -> ARRAY => |_, a| with_parameter(a, "squareplus", 4.0, |cx, x, b| {
        let square = cx.square(x)?;
        let root = cx.unary(&SQRT, &cx.add(&square, &b.beside(cx, &square)?)?)?;
        cx.div(&cx.add(x, &root)?, &cx.lit(2.0, x)?)
    });
    /// Gated linear unit: the first half along an axis times the sigmoid of the second.
    "nn.glu"(x: LIKE, axis: INT = -1) -> ARRAY => |cx, a| {
        let x = to_float(cx, a.array_like(0)?)?;
        let axis = a.axis(1, x.rank())?;
        let n = x.shape()[axis];
        if n % 2 != 0 {
            return Err(Error::new(crate::error::Class::AssertionError, "axis size must be divisible by 2"));
        }
        Ok(named(cx, "glu", &[x], move |cx, v| {
            let halves = cx.split(&v[0], &[n / 2, n / 2], axis)?;
            cx.mul(&halves[0], &cx.unary(&LOGISTIC, &halves[1])?)
        })?.into())
    };
    /// Softmax over axes: e ** x / sum(e ** x), without overflow.
    ///
    /// - `axis`: the axis or axes that sum to one, the last by default.
    /// - `where`: which elements take part; the others become 0.
    "nn.softmax"(x: LIKE, axis: AXES = -1, where: OPT_LIKE = null) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let axes = softmax_axes(a, &x)?;
        let mask = a.opt_value(2)?;
        let shifted = shift_down(cx, &x, &axes, mask.as_ref())?;
        let exps = cx.unary(&EXP, &to_float(cx, &Arg::Value(shifted))?)?;
        let counted = match &mask {
            Some(mask) => where_values(cx, mask, &exps, &cx.lit(0.0, &exps)?)?,
            None => exps.clone(),
        };
        let out = cx.div(&exps, &reduce(cx, Fold::Sum, &counted, &axes, true)?)?;
        let zero = Arg::Number { value: 0.0, float: false };
        match &mask {
            Some(mask) => Ok(where_(cx, mask, &Arg::Value(out), &zero)?.into()),
            None => Ok(out.into()),
        }
    };
    /// log(softmax(x)) over axes, without overflow.
    "nn.logSoftmax"(x: LIKE, axis: AXES = -1, where: OPT_LIKE = null) -> ARRAY => |cx, a| {
        let x = to_float(cx, a.array_like(0)?)?;
        let axes = softmax_axes(a, &x)?;
        let mut args = vec![x];
        args.extend(a.opt_value(2)?);
        Ok(named(cx, "log_softmax", &args, move |cx, v| {
            let mask = v.get(1);
            let shifted = shift_down(cx, &v[0], &axes, mask)?;
            let mut exps = cx.unary(&EXP, &shifted)?;
            if let Some(mask) = mask {
                exps = where_values(cx, mask, &exps, &cx.lit(0.0, &exps)?)?;
            }
            let total = cx.unary(&LOG, &reduce(cx, Fold::Sum, &exps, &axes, true)?)?;
            let out = cx.sub(&shifted, &total)?;
            match mask {
                Some(mask) => where_values(cx, mask, &out, &cx.lit(f64::NEG_INFINITY, &out)?),
                None => Ok(out),
            }
        })?.into())
    };
    /// log(sum(b * e ** a)) over axes, without overflow.
    ///
    /// - `axis`: one axis, several, or null for all.
    /// - `b`: factors that broadcast with `a`.
    "nn.logsumexp"(a: LIKE, axis: AXES = null, b: OPT_LIKE = null; keepdims: BOOL = false) -> ARRAY => |cx, a| logsumexp(cx, a);
    /// Unit vectors: numClasses numbers, 1 at the place an element of `x` names.
    ///
    /// - `axis`: where the classes lie.
    "nn.oneHot"(x: LIKE, numClasses: INT; dtype: OPT_DTYPE = null, axis: INT = -1) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let n = usize::try_from(a.int(1)?).map_err(|_| Error::value_error("numClasses must not be negative"))?;
        let axis = a.axis(3, x.rank() + 1)?;
        let dtype = a.dtype(2)?.unwrap_or(cx.env.default_float());
        Ok(named(cx, "_one_hot", &[x], move |cx, v| {
            let column = cx.expand_dims(&v[0], &[axis])?;
            let mut shape = Shape::from_elem(1, column.rank());
            shape[axis] = n;
            let classes = cx.iota(v[0].dtype(), &shape, axis)?;
            astype(cx, &cx.eq(&column, &classes)?, dtype)
        })?.into())
    };
    /// Standardised along axes: (x - mean) / sqrt(variance + epsilon).
    "nn.standardize"(x: LIKE, axis: AXES = -1, mean: OPT_LIKE = null, variance: OPT_LIKE = null, epsilon: FLOAT = 1e-5) -> ARRAY => |_, a| standardize(a);
}

/// An activation over floats, kept together under its name.
fn floats(
    a: &Args,
    name: &'static str,
    body: impl Fn(&Ctx, &Value) -> Result<Value> + 'static,
) -> Result<Ret> {
    let x = to_float(a.cx, a.array_like(0)?)?;
    Ok(named(a.cx, name, &[x], move |cx, v| body(cx, &v[0]))?.into())
}

/// An activation over any numbers, kept together under its name.
fn numbers(
    a: &Args,
    name: &'static str,
    body: impl Fn(&Ctx, &Value) -> Result<Value> + 'static,
) -> Result<Ret> {
    Ok(named(a.cx, name, &[a.value(0)?], move |cx, v| body(cx, &v[0]))?.into())
}

/// The parameter of an activation: a default, or an operand that is converted where it is used.
enum Parameter {
    Default(f64),
    Given(Value),
}

impl Parameter {
    fn beside(&self, cx: &Ctx, x: &Value) -> Result<Value> {
        match self {
            Parameter::Default(value) => cx.lit(*value, x),
            Parameter::Given(p) => convert(cx, p, (x.dtype(), p.aval().weak && x.aval().weak)),
        }
    }
}

/// An activation with a parameter; its default does not show as an operand.
fn with_parameter(
    a: &Args,
    name: &'static str,
    default: f64,
    body: impl Fn(&Ctx, &Value, &Parameter) -> Result<Value> + 'static,
) -> Result<Ret> {
    let cx = a.cx;
    let mut args = vec![to_float(cx, a.array_like(0)?)?];
    if a.given(1) {
        args.push(a.value(1)?);
    }
    let out = named(cx, name, &args, move |cx, v| {
        let parameter = match v.get(1) {
            Some(p) => Parameter::Given(p.clone()),
            None => Parameter::Default(default),
        };
        body(cx, &v[0], &parameter)
    })?;
    Ok(out.into())
}

/// `relu` with JAX's derivative: 0 at 0.
pub fn relu(cx: &Ctx, x: &Value) -> Result<Value> {
    let body =
        |cx: &Ctx, v: &[Value]| named(cx, "relu", v, |cx, v| cx.max(&v[0], &cx.lit(0.0, &v[0])?));
    custom_jvp(
        cx,
        ("relu", "jvp"),
        core::slice::from_ref(x),
        body,
        |cx, x, t| {
            let out = relu(cx, &x[0])?;
            let up = cx.gt(&x[0], &cx.lit(0.0, &x[0])?)?;
            let zeros = cx.full(0.0, t[0].aval())?;
            Ok((out, select(cx, &up, &t[0], &zeros)?))
        },
    )
}

fn relu6(cx: &Ctx, x: &Value) -> Result<Value> {
    let body = |cx: &Ctx, v: &[Value]| {
        named(cx, "relu6", v, |cx, v| {
            let up = cx.max(&v[0], &cx.lit(0.0, &v[0])?)?;
            let six = Arg::Number {
                value: 6.0,
                float: true,
            };
            let v = promote_dtypes(cx, &[&Arg::Value(up), &six])?;
            cx.min(&v[0], &v[1])
        })
    };
    custom_jvp(
        cx,
        ("relu6", "jvp"),
        core::slice::from_ref(x),
        body,
        |cx, x, t| {
            let x = &x[0];
            let inside = cx.and(&cx.gt(x, &cx.lit(0.0, x)?)?, &cx.lt(x, &cx.lit(6.0, x)?)?)?;
            let zeros = cx.full(0.0, t[0].aval())?;
            Ok((relu6(cx, x)?, select(cx, &inside, &t[0], &zeros)?))
        },
    )
}

fn silu(a: &Args) -> Result<Ret> {
    numbers(a, "silu", |cx, x| cx.mul(x, &cx.unary(&LOGISTIC, x)?))
}

/// `softplus` as JAX has it: logaddexp(x, 0).
pub fn softplus(cx: &Ctx, x: &Value) -> Result<Value> {
    named(cx, "softplus", core::slice::from_ref(x), |cx, v| {
        let x = to_float(cx, &Arg::Value(v[0].clone()))?;
        let zero = cx.lit(0.0, &x)?;
        logaddexp(cx, &[x, zero], false)
    })
}

fn hard_sigmoid(cx: &Ctx, x: &Value) -> Result<Value> {
    let cut = relu6(cx, &cx.add(x, &cx.lit(3.0, x)?)?)?;
    cx.div(&cut, &cx.lit(6.0, &cut)?)
}

fn elu(cx: &Ctx, x: &Value, alpha: &Parameter) -> Result<Value> {
    let zero = cx.lit(0.0, x)?;
    let up = cx.gt(x, &zero)?;
    let number = Arg::Number {
        value: 0.0,
        float: true,
    };
    let safe = where_(cx, &cx.gt(x, &zero)?, &number, &Arg::Value(x.clone()))?;
    let curve = cx.unary(&EXPM1, &safe)?;
    let scaled = cx.mul(&alpha.beside(cx, &curve)?, &curve)?;
    where_values(cx, &up, x, &scaled)
}

fn gelu(cx: &Ctx, x: &Value, approximate: bool) -> Result<Value> {
    if !approximate {
        let half = cx.mul(&cx.lit(0.5, x)?, x)?;
        let scaled = cx.mul(&cx.neg(x)?, &cx.lit(FRAC_1_SQRT_2, x)?)?;
        let tail = cx.unary(&ERFC, &scaled)?;
        return cx.copy(&cx.mul(&half, &tail)?);
    }
    let cube = cx.bind1(
        &crate::prim::power::IntegerPow { y: 3 },
        core::slice::from_ref(x),
    )?;
    let inner = cx.add(x, &cx.mul(&cx.lit(0.044715, x)?, &cube)?)?;
    let inner = cx.mul(&cx.lit((2.0 / PI).sqrt(), x)?, &inner)?;
    let gate = cx.add(&cx.lit(1.0, x)?, &cx.unary(&TANH, &inner)?)?;
    cx.mul(x, &cx.mul(&cx.lit(0.5, x)?, &gate)?)
}

fn softmax_axes(a: &Args, x: &Value) -> Result<Shape> {
    if !a.given(1) && !a.is_null(1) {
        return Ok(Shape::from_elem(
            super::args::canonical_axis(-1, x.rank())?,
            1,
        ));
    }
    a.axes(1, x.rank())
}

/// The largest element as JAX computes it here: joined with -inf, so that empty axes work.
fn bounded_max(cx: &Ctx, x: &Value, axes: &[usize], mask: Option<&Value>) -> Result<Value> {
    let least = cx.lit(neutral(Fold::Max, x.dtype()), x)?;
    let x = match mask {
        Some(mask) => where_values(cx, mask, x, &least)?,
        None => x.clone(),
    };
    let high = reduce(cx, Fold::Max, &x, axes, false)?;
    cx.max(&least, &high)
}

fn minus_infinity() -> Arg {
    Arg::Number {
        value: f64::NEG_INFINITY,
        float: true,
    }
}

/// x minus its largest element, which does not count for derivatives.
fn shift_down(cx: &Ctx, x: &Value, axes: &[usize], mask: Option<&Value>) -> Result<Value> {
    let high = cx.expand_dims(&bounded_max(cx, x, axes, mask)?, axes)?;
    let x = match mask {
        Some(mask) => where_(cx, mask, &Arg::Value(x.clone()), &minus_infinity())?,
        None => x.clone(),
    };
    cx.sub(&x, &cx.stop_gradient(&high)?)
}

fn logsumexp(cx: &Ctx, a: &Args) -> Result<Ret> {
    let (x, factors) = if a.given(2) {
        let v = promote_dtypes(cx, &[a.array_like(0)?, a.array_like(2)?])?;
        let to = inexact(cx, (v[0].dtype(), v[0].aval().weak));
        (convert(cx, &v[0], to)?, Some(convert(cx, &v[1], to)?))
    } else {
        (to_float(cx, a.array_like(0)?)?, None)
    };
    let axes = a.axes(1, x.rank())?;
    let x = match &factors {
        // Elements with factor 0 do not count, however large they are.
        Some(b) => where_values(
            cx,
            &cx.ne(b, &cx.lit(0.0, b)?)?,
            &x,
            &cx.lit(f64::NEG_INFINITY, &x)?,
        )?,
        None => x,
    };
    let keep = a.bool(3)?;
    let mut high = bounded_max(cx, &x, &axes, None)?;
    if keep {
        high = cx.expand_dims(&high, &axes)?;
    }
    let finite = cx.unary(&IS_FINITE, &high)?;
    let high = select(cx, &finite, &high, &cx.lit(0.0, &high)?)?;
    let high = cx.stop_gradient(&high)?;
    let spread = if keep {
        high.clone()
    } else {
        cx.expand_dims(&high, &axes)?
    };
    let mut exps = cx.unary(&EXP, &cx.sub(&x, &spread)?)?;
    if let Some(b) = &factors {
        exps = cx.mul(&exps, b)?;
    }
    let total = reduce(cx, Fold::Sum, &exps, &axes, keep)?;
    let sign = cx.unary(&crate::prim::arithmetic::SIGN, &total)?;
    let mut out = cx.unary(&LOG, &cx.unary(&ABS, &total)?)?;
    out = cx.add(&out, &high)?;
    if factors.is_some() {
        let negative = cx.lt(&sign, &cx.lit(0.0, &sign)?)?;
        out = where_number(cx, &negative, f64::NAN, &out)?;
    }
    Ok(out.into())
}

fn standardize(a: &Args) -> Result<Ret> {
    let cx = a.cx;
    let x = to_float(cx, a.array_like(0)?)?;
    let axes = softmax_axes(a, &x)?;
    let (center, spread, epsilon) = (a.opt_value(2)?, a.opt_value(3)?, a.float(4)?);
    let mut args = vec![x];
    let (has_center, has_spread) = (center.is_some(), spread.is_some());
    args.extend(center);
    args.extend(spread);
    let out = named(cx, "standardize", &args, move |cx, v| {
        let x = &v[0];
        let to = (x.dtype(), false);
        let center = match has_center {
            true => cast(cx, &Arg::Value(v[1].clone()), to)?,
            false => mean(cx, x, &axes, true, None)?,
        };
        let spread = if has_spread {
            cast(cx, &Arg::Value(v[1 + usize::from(has_center)].clone()), to)?
        } else {
            let squares = mean(cx, &cx.square(x)?, &axes, true, None)?;
            let raw = cx.sub(&squares, &cx.square(&center)?)?;
            let zero = as_value(
                cx,
                &Arg::Number {
                    value: 0.0,
                    float: false,
                },
            )?;
            clip(cx, &raw, Some(&zero), None)?
        };
        let center = fit(cx, &center, x)?;
        let spread = fit(cx, &spread, x)?;
        let gap = cx.sub(x, &center)?;
        let scale = cx.unary(&RSQRT, &cx.add(&spread, &cx.lit(epsilon, x)?)?)?;
        cx.mul(&gap, &scale)
    })?;
    Ok(out.into())
}

/// A statistic that broadcasts with the array it belongs to.
fn fit(cx: &Ctx, v: &Value, x: &Value) -> Result<Value> {
    if v.rank() == 0 || v.rank() == x.rank() {
        return Ok(v.clone());
    }
    broadcast_to(cx, v, x.shape())
}
