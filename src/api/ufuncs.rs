//! Exponentials, logarithms, angles, rounding: element-wise functions of one or two numbers.

use super::args::Args;
use super::arithmetic::to_float;
use super::convert::{promote_args, promote_args_inexact};
use super::registry::{Ret, api};
use super::support::{
    custom_jvp, named, named_many, select, strong_lit, where_number, where_values,
};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result};
use crate::prim::arithmetic::{ABS, DIV};
use crate::prim::elementwise::{BinaryDef, UnaryDef};
use crate::prim::logic::IS_FINITE;
use crate::prim::rounding::{CEIL, FLOOR, Round, RoundingMethod};
use crate::prim::rule::Ctx;
use crate::prim::transcendental::{
    ACOS, ACOSH, ASIN, ASINH, ATAN, ATAN2, ATANH, COS, COSH, EXP, EXP2, EXPM1, LOG, LOG1P, SIN,
    SINH, TAN, TANH,
};
use crate::value::Value;
use alloc::vec;
use core::f64::consts::{LN_2, LN_10, PI};

api! { FUNCTIONS;
    /// Exponential: e ** x.
    "np.exp"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "exp", &EXP);
    /// Power of two: 2 ** x.
    "np.exp2"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "exp2", &EXP2);
    /// e ** x - 1, accurate near zero.
    "np.expm1"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "expm1", &EXPM1);
    /// Natural logarithm; NaN for negative numbers, -inf at zero.
    "np.log"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "log", &LOG);
    /// Logarithm to base 2.
    "np.log2"(x: LIKE) -> ARRAY => |cx, a| {
        let x = promote_args_inexact(cx, "log2", &[a.array_like(0)?])?;
        let (top, bottom) = (cx.unary(&LOG, &x[0])?, cx.unary(&LOG, &strong_lit(2.0, &x[0])?)?);
        Ok(cx.binary(&DIV, &top, &bottom)?.into())
    };
    /// Logarithm to base 10.
    "np.log10"(x: LIKE) -> ARRAY => |cx, a| {
        let x = promote_args_inexact(cx, "log10", &[a.array_like(0)?])?;
        let log = cx.unary(&LOG, &x[0])?;
        Ok(cx.mul(&log, &strong_lit(1.0 / LN_10, &log)?)?.into())
    };
    /// log(1 + x), accurate near zero.
    "np.log1p"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "log1p", &LOG1P);
    /// Sine of an angle in radians.
    "np.sin"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "sin", &SIN);
    /// Cosine of an angle in radians.
    "np.cos"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "cos", &COS);
    /// Tangent of an angle in radians.
    "np.tan"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "tan", &TAN);
    /// Inverse sine, in [-π/2, π/2]; NaN outside [-1, 1].
    "np.arcsin"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "arcsin", &ASIN);
    /// Inverse cosine, in [0, π]; NaN outside [-1, 1].
    "np.arccos"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "arccos", &ACOS);
    /// Inverse tangent, in [-π/2, π/2].
    "np.arctan"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "arctan", &ATAN);
    /// Angle of the point (x2, x1), in [-π, π].
    "np.arctan2"(x1: LIKE, x2: LIKE) -> ARRAY => |_, a| binary_inexact(a, &ATAN2);
    /// Hyperbolic sine.
    "np.sinh"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "sinh", &SINH);
    /// Hyperbolic cosine.
    "np.cosh"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "cosh", &COSH);
    /// Hyperbolic tangent.
    "np.tanh"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "tanh", &TANH);
    /// Inverse hyperbolic sine.
    "np.arcsinh"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "arcsinh", &ASINH);
    /// Inverse hyperbolic cosine; NaN below 1.
    "np.arccosh"(x: LIKE) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        Ok(named(cx, "arccosh", &[x], |cx, v| {
            cx.unary(&ACOSH, &to_float(cx, &super::registry::Arg::Value(v[0].clone()))?)
        })?.into())
    };
    /// Inverse hyperbolic tangent; NaN outside [-1, 1].
    "np.arctanh"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "arctanh", &ATANH);
    /// Degrees to radians: x * π / 180.
    "np.deg2rad"(x: LIKE) -> ARRAY => |_, a| scaled(a, "deg2rad", PI / 180.0);
    /// Degrees to radians: x * π / 180.
    "np.radians"(x: LIKE) -> ARRAY => |_, a| scaled(a, "radians", PI / 180.0);
    /// Radians to degrees: x * 180 / π.
    "np.rad2deg"(x: LIKE) -> ARRAY => |_, a| scaled(a, "rad2deg", 180.0 / PI);
    /// Radians to degrees: x * 180 / π.
    "np.degrees"(x: LIKE) -> ARRAY => |_, a| scaled(a, "degrees", 180.0 / PI);
    /// Normalised sinc: sin(πx) / (πx), 1 at zero.
    "np.sinc"(x: LIKE) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        Ok(named(cx, "sinc", &[x], sinc)?.into())
    };
    /// log(exp(x1) + exp(x2)) without overflow.
    "np.logaddexp"(x1: LIKE, x2: LIKE) -> ARRAY => |cx, a| {
        let v = promote_args_inexact(cx, "max", &[a.array_like(0)?, a.array_like(1)?])?;
        Ok(logaddexp(cx, &v, false)?.into())
    };
    /// log2(2 ** x1 + 2 ** x2) without overflow.
    "np.logaddexp2"(x1: LIKE, x2: LIKE) -> ARRAY => |cx, a| {
        let v = promote_args_inexact(cx, "max", &[a.array_like(0)?, a.array_like(1)?])?;
        Ok(logaddexp(cx, &v, true)?.into())
    };
    /// Largest whole number not above x. Integers stay as they are.
    "np.floor"(x: LIKE) -> ARRAY => |_, a| whole(a, &FLOOR);
    /// Smallest whole number not below x. Integers stay as they are.
    "np.ceil"(x: LIKE) -> ARRAY => |_, a| whole(a, &CEIL);
    /// Rounds to `decimals` places, ties to even.
    ///
    /// - `decimals`: may be negative for floats; negative for integers raises
    ///   `NotImplementedError`.
    "np.round"(a: LIKE, decimals: INT = 0) -> ARRAY => |_, a| round(a);
    /// Rounds to `decimals` places, ties to even.
    "np.around"(a: LIKE, decimals: INT = 0) -> ARRAY => |cx, a| {
        let (x, decimals) = (a.value(0)?, a.int(1)?);
        no_negative_decimals(&x, decimals)?;
        Ok(named(cx, "around", &[x], move |cx, v| named(cx, "round", v, move |cx, v| rounded(cx, &v[0], decimals)))?.into())
    };
    /// Rounds to the nearest whole number, ties to even; the result is a float.
    "np.rint"(x: LIKE) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        Ok(named(cx, "rint", &[x], |cx, v| {
            if v[0].dtype().is_float() {
                return to_even(cx, &v[0]);
            }
            super::convert::astype(cx, &v[0], cx.env.default_float())
        })?.into())
    };
    /// Cuts off the fraction: rounds toward zero.
    "np.trunc"(x: LIKE) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        Ok(named(cx, "trunc", &[x], |cx, v| trunc(cx, &v[0]))?.into())
    };
    /// Cuts off the fraction: rounds toward zero.
    "np.fix"(x: LIKE) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        Ok(named(cx, "trunc", &[x], |cx, v| trunc(cx, &v[0]))?.into())
    };
    /// Fraction and whole part, both with the sign of x.
    "np.modf"(x: LIKE) -> PAIR => |cx, a| {
        let x = to_float(cx, a.array_like(0)?)?;
        let out = named_many(cx, "modf", &[x], |cx, v| {
            let x = &v[0];
            let up = cx.ge(x, &cx.lit(0.0, x)?)?;
            let whole = where_values(cx, &up, &cx.unary(&FLOOR, x)?, &cx.unary(&CEIL, x)?)?;
            Ok(vec![cx.sub(x, &whole)?, whole])
        })?;
        Ok(Ret::List(out.into_iter().map(Ret::Value).collect()))
    };
    /// Whether an element is NaN.
    "np.isnan"(x: LIKE) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        Ok(cx.ne(&x, &x)?.into())
    };
    /// Whether an element is infinite.
    "np.isinf"(x: LIKE) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        Ok(named(cx, "isinf", &[x], |cx, v| {
            if !v[0].dtype().is_float() {
                return cx.full(0.0, &Aval::new(v[0].shape(), DType::Bool));
            }
            let size = cx.unary(&ABS, &v[0])?;
            cx.eq(&size, &strong_lit(f64::INFINITY, &size)?)
        })?.into())
    };
    /// Whether an element is neither infinite nor NaN.
    "np.isfinite"(x: LIKE) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        if x.dtype().is_float() {
            return Ok(cx.unary(&IS_FINITE, &x)?.into());
        }
        Ok(cx.full(1.0, &Aval::new(x.shape(), DType::Bool))?.into())
    };
    /// Whether an element is positive infinity.
    "np.isposinf"(x: LIKE) -> ARRAY => |_, a| is_infinity(a, f64::INFINITY);
    /// Whether an element is negative infinity.
    "np.isneginf"(x: LIKE) -> ARRAY => |_, a| is_infinity(a, f64::NEG_INFINITY);
    /// Replaces NaN and infinities by finite numbers.
    ///
    /// - `nan`: what becomes of NaN.
    /// - `posinf`, `neginf`: what becomes of infinities; the largest finite numbers when null.
    "np.nanToNum"(x: LIKE, copy: BOOL = true, nan: FLOAT = 0.0, posinf: OPT_FLOAT = null, neginf: OPT_FLOAT = null) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let nan = a.float(2)?;
        let limit = if x.dtype() == DType::F64 { f64::MAX } else { f32::MAX.into() };
        let high = if a.given(3) { a.float(3)? } else { limit };
        let low = if a.given(4) { a.float(4)? } else { -limit };
        Ok(named(cx, "nan_to_num", &[x], move |cx, v| {
            let x = &v[0];
            if !x.dtype().is_float() {
                return Ok(x.clone());
            }
            let out = where_values(cx, &cx.ne(x, x)?, &strong_lit(nan, x)?, x)?;
            let above = cx.eq(&out, &cx.lit(f64::INFINITY, &out)?)?;
            let out = where_number(cx, &above, high, &out)?;
            let below = cx.eq(&out, &cx.lit(f64::NEG_INFINITY, &out)?)?;
            where_number(cx, &below, low, &out)
        })?.into())
    };
    /// The real part; real arrays are given back as they are.
    "np.real"(val: LIKE) -> ARRAY => |_, a| Ok(a.value(0)?.into());
    /// The complex conjugate; real arrays are given back as they are.
    "np.conj"(x: LIKE) -> ARRAY => |_, a| Ok(a.value(0)?.into());
}

/// A one-operand primitive on the argument as it is.
pub fn unary(a: &Args, def: &'static UnaryDef) -> Result<Ret> {
    Ok(a.cx.unary(def, &a.value(0)?)?.into())
}

/// A one-operand primitive on floats: integers are converted first.
pub fn unary_inexact(a: &Args, name: &str, def: &'static UnaryDef) -> Result<Ret> {
    let x = promote_args_inexact(a.cx, name, &[a.array_like(0)?])?;
    Ok(a.cx.unary(def, &x[0])?.into())
}

/// A two-operand primitive after promotion.
pub fn binary(a: &Args, def: &'static BinaryDef) -> Result<Ret> {
    let v = promote_args(a.cx, def.name, &[a.array_like(0)?, a.array_like(1)?])?;
    Ok(a.cx.binary(def, &v[0], &v[1])?.into())
}

/// A two-operand primitive after promotion to floats.
pub fn binary_inexact(a: &Args, def: &'static BinaryDef) -> Result<Ret> {
    let v = promote_args_inexact(a.cx, def.name, &[a.array_like(0)?, a.array_like(1)?])?;
    Ok(a.cx.binary(def, &v[0], &v[1])?.into())
}

fn scaled(a: &Args, name: &str, factor: f64) -> Result<Ret> {
    let x = promote_args_inexact(a.cx, name, &[a.array_like(0)?])?;
    Ok(a.cx.mul(&x[0], &a.cx.lit(factor, &x[0])?)?.into())
}

/// Rounding that leaves integers alone.
fn whole(a: &Args, def: &'static UnaryDef) -> Result<Ret> {
    let x = a.value(0)?;
    if x.dtype().is_float() {
        return Ok(a.cx.unary(def, &x)?.into());
    }
    Ok(x.into())
}

/// Rounds floats to whole numbers, ties to even.
fn to_even(cx: &Ctx, x: &Value) -> Result<Value> {
    let rounding_method = RoundingMethod::ToNearestEven;
    cx.bind1(&Round { rounding_method }, core::slice::from_ref(x))
}

fn round(a: &Args) -> Result<Ret> {
    let (x, decimals) = (a.value(0)?, a.int(1)?);
    no_negative_decimals(&x, decimals)?;
    let out = named(a.cx, "round", &[x], move |cx, v| {
        rounded(cx, &v[0], decimals)
    })?;
    Ok(out.into())
}

fn no_negative_decimals(x: &Value, decimals: i64) -> Result<()> {
    if !x.dtype().is_float() && decimals < 0 {
        return Err(Error::new(
            Class::NotImplementedError,
            "integer np.round not implemented for decimals < 0",
        ));
    }
    Ok(())
}

fn rounded(cx: &Ctx, x: &Value, decimals: i64) -> Result<Value> {
    if !x.dtype().is_float() {
        return Ok(x.clone());
    }
    if decimals == 0 {
        return to_even(cx, x);
    }
    let scale = cx.lit(
        crate::kernel::math::integer_pow_f64(10.0, decimals.clamp(-400, 400) as i32),
        x,
    )?;
    cx.div(&to_even(cx, &cx.mul(x, &scale)?)?, &scale)
}

fn trunc(cx: &Ctx, x: &Value) -> Result<Value> {
    if !x.dtype().is_float() {
        return Ok(x.clone());
    }
    let below = cx.lt(x, &cx.lit(0.0, x)?)?;
    where_values(cx, &below, &cx.unary(&CEIL, x)?, &cx.unary(&FLOOR, x)?)
}

fn is_infinity(a: &Args, infinity: f64) -> Result<Ret> {
    let x = a.value(0)?;
    if !x.dtype().is_float() {
        return Ok(a.cx.full(0.0, &Aval::new(x.shape(), DType::Bool))?.into());
    }
    Ok(a.cx.eq(&x, &strong_lit(infinity, &x)?)?.into())
}

/// sin(πx) / (πx); at zero a Maclaurin series stands in, so that derivatives exist there too.
fn sinc(cx: &Ctx, v: &[Value]) -> Result<Value> {
    let x = to_float(cx, &super::registry::Arg::Value(v[0].clone()))?;
    let at_zero = cx.eq(&x, &cx.lit(0.0, &x)?)?;
    let angle = cx.mul(&cx.lit(PI, &x)?, &x)?;
    let safe = where_number(cx, &at_zero, 1.0, &angle)?;
    let series = maclaurin(cx, 0, &angle)?;
    let quotient = cx.div(&cx.unary(&SIN, &safe)?, &safe)?;
    where_values(cx, &at_zero, &series, &quotient)
}

/// The k-th derivative of sin(x) / x at zero, as a function whose derivative is the next one.
fn maclaurin(cx: &Ctx, k: i32, x: &Value) -> Result<Value> {
    // sin(x)/x = Σ (-1)^n x^2n / (2n+1)!: the k-th derivative at zero is ±1/(k+1) for even k.
    let coefficient = match k % 4 {
        0 => 1.0 / f64::from(k + 1),
        2 => -1.0 / f64::from(k + 1),
        _ => 0.0,
    };
    custom_jvp(
        cx,
        ("_sinc_maclaurin", "_sinc_maclaurin_jvp"),
        core::slice::from_ref(x),
        move |cx, v| {
            let zero = cx.mul(&v[0], &cx.lit(0.0, &v[0])?)?;
            if coefficient == 0.0 {
                return Ok(zero);
            }
            cx.add(&zero, &cx.lit(coefficient, &zero)?)
        },
        move |cx, x, t| {
            let out = maclaurin(cx, k, &x[0])?;
            Ok((out, cx.mul(&maclaurin(cx, k + 1, &x[0])?, &t[0])?))
        },
    )
}

/// `logaddexp` and its base-2 form, with JAX's rule for derivatives.
pub fn logaddexp(cx: &Ctx, v: &[Value], base2: bool) -> Result<Value> {
    let names = if base2 {
        ("logaddexp2", "_logaddexp2_jvp")
    } else {
        ("logaddexp", "_logaddexp_jvp")
    };
    let exp = if base2 { &EXP2 } else { &EXP };
    let body = move |cx: &Ctx, v: &[Value]| {
        let (x, y) = (&v[0], &v[1]);
        let high = cx.max(x, y)?;
        let gap = cx.sub(x, y)?;
        let nan = cx.ne(&gap, &gap)?;
        let sum = cx.add(x, y)?;
        let small = cx.unary(exp, &cx.neg(&cx.unary(&ABS, &gap)?)?)?;
        let mut rest = cx.unary(&LOG1P, &small)?;
        if base2 {
            rest = cx.mul(&cx.lit(1.0 / LN_2, &rest)?, &rest)?;
        }
        cx.select(&nan, &sum, &cx.add(&high, &rest)?)
    };
    custom_jvp(cx, names, v, body, move |cx, x, t| {
        let out = logaddexp(cx, x, base2)?;
        let finite = |v: &Value| {
            let infinite = cx.eq(v, &cx.lit(f64::INFINITY, v)?)?;
            select(cx, &infinite, &cx.full(0.0, v.aval())?, v)
        };
        let part = |x: &Value, t: &Value| {
            let shifted = cx.sub(&finite(x)?, &finite(&out)?)?;
            cx.mul(t, &cx.unary(exp, &shifted)?)
        };
        let tangent = cx.add(&part(&x[0], &t[0])?, &part(&x[1], &t[1])?)?;
        Ok((out, tangent))
    })
}
