//! Arithmetic, powers, and functions of the sign of numbers.

use super::args::Args;
use super::convert::{cast, literal, promote_args, promote_args_inexact, result_type, typed};
use super::registry::{Arg, Ret, api};
use super::support::{
    named, named_many, promote2, promote2_inexact, values, where_, where_number, where_values,
};
use super::ufuncs::{binary, binary_inexact, unary, unary_inexact};
use crate::dtype::DType;
use crate::error::{Error, Result};
#[cfg(target_arch = "wasm32")]
use crate::kernel::Float;
use crate::prim::arithmetic::{ABS, ADD, DIV, MAX, MIN, MUL, NEG, REM, SIGN, SUB};
use crate::prim::logic::{AND, OR, SHIFT_RIGHT_ARITHMETIC, SHIFT_RIGHT_LOGICAL};
use crate::prim::power::{CBRT, IntegerPow, SQRT, SQUARE};
use crate::prim::rounding::{NEXTAFTER, Round, RoundingMethod};
use crate::prim::rule::Ctx;
use crate::value::Value;
use alloc::{boxed::Box, format, vec};

api! { FUNCTIONS;
    /// Sum, element by element: x + y. For booleans: or.
    ///
    /// Shapes broadcast as in NumPy; dtypes are promoted as in JAX, plain numbers taking the
    /// array's dtype. Raises `TypeError` for shapes that do not fit.
    "np.add"(x: LIKE, y: LIKE) -> ARRAY => |_, a| bool_binary(a, &ADD, &OR);
    /// Difference, element by element: x - y. Booleans raise `TypeError`.
    "np.subtract"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &SUB);
    /// Product, element by element: x * y. For booleans: and.
    "np.multiply"(x: LIKE, y: LIKE) -> ARRAY => |_, a| bool_binary(a, &MUL, &AND);
    /// Quotient, element by element: x / y. Integers become floats first.
    "np.divide"(x1: LIKE, x2: LIKE) -> ARRAY => |_, a| binary_inexact(a, &DIV);
    /// Quotient, element by element: x / y. Integers become floats first.
    "np.trueDivide"(x1: LIKE, x2: LIKE) -> ARRAY => |_, a| binary_inexact(a, &DIV);
    /// Quotient rounded down: the largest whole number not above x / y.
    "np.floorDivide"(x1: LIKE, x2: LIKE) -> ARRAY => |cx, a| {
        let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
        Ok(named(cx, "floor_divide", &v, |cx, v| floor_divide(cx, &v[0], &v[1]))?.into())
    };
    /// Remainder with the sign of the divisor: x - y * floor(x / y).
    "np.remainder"(x1: LIKE, x2: LIKE) -> ARRAY => |_, a| modulo(a);
    /// Remainder with the sign of the divisor: x - y * floor(x / y).
    "np.mod"(x1: LIKE, x2: LIKE) -> ARRAY => |_, a| modulo(a);
    /// Remainder with the sign of the dividend: x - y * trunc(x / y).
    "np.fmod"(x1: LIKE, x2: LIKE) -> ARRAY => |cx, a| {
        let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
        Ok(named(cx, "fmod", &v, |cx, v| {
            let integers = v[1].dtype().is_int() && !v[0].dtype().is_float();
            let y = if integers { not_zero(cx, &v[1])? } else { v[1].clone() };
            let (x, y) = promote2(cx, "rem", &v[0], &y)?;
            cx.binary(&REM, &from_bool(cx, &x)?, &from_bool(cx, &y)?)
        })?.into())
    };
    /// Floor quotient and remainder at once.
    "np.divmod"(x1: LIKE, x2: LIKE) -> PAIR => |cx, a| {
        let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
        let out = named_many(cx, "divmod", &v, |cx, v| {
            if v.iter().any(|x| x.dtype().is_float()) {
                let (x, y) = promote2(cx, "rem", &v[0], &v[1])?;
                let (quotient, rest) = divmod_floats(cx, &x, &y)?;
                return Ok(vec![quotient, rest]);
            }
            Ok(vec![floor_divide(cx, &v[0], &v[1])?, remainder(cx, &v[0], &v[1])?])
        })?;
        Ok(Ret::List(out.into_iter().map(Ret::Value).collect()))
    };
    /// Power, element by element: x ** y.
    ///
    /// A plain whole number as `y` gives `integer_pow`. Integers to a negative plain power raise
    /// `TypeError`.
    "np.power"(x1: LIKE, x2: LIKE) -> ARRAY => |cx, a| Ok(power(cx, a.array_like(0)?, a.array_like(1)?)?.into());
    /// Power, element by element: x ** y.
    "np.pow"(x1: LIKE, x2: LIKE) -> ARRAY => |cx, a| Ok(power(cx, a.array_like(0)?, a.array_like(1)?)?.into());
    /// Power in floats: x ** y after converting integers.
    "np.floatPower"(x: LIKE, y: LIKE) -> ARRAY => |cx, a| {
        let v = promote_args_inexact(cx, "pow", &[a.array_like(0)?, a.array_like(1)?])?;
        Ok(cx.pow(&v[0], &v[1])?.into())
    };
    /// Negation, element by element: -x. Booleans raise `TypeError`.
    "np.negative"(x: LIKE) -> ARRAY => |_, a| unary(a, &NEG);
    /// The argument itself: +x.
    "np.positive"(x: LIKE) -> ARRAY => |_, a| Ok(a.value(0)?.into());
    /// Absolute value: |x|.
    "np.abs"(x: LIKE) -> ARRAY => |_, a| absolute(a);
    /// Absolute value: |x|.
    "np.absolute"(x: LIKE) -> ARRAY => |_, a| absolute(a);
    /// Absolute value as a float.
    "np.fabs"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "fabs", &ABS);
    /// Sign: -1, 0 or 1; NaN stays.
    "np.sign"(x: LIKE) -> ARRAY => |_, a| unary(a, &SIGN);
    /// Square: x * x.
    "np.square"(x: LIKE) -> ARRAY => |cx, a| Ok(cx.unary(&SQUARE, &from_bool(cx, &a.value(0)?)?)?.into());
    /// Square root; NaN for negative numbers.
    "np.sqrt"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "sqrt", &SQRT);
    /// Cube root, also of negative numbers.
    "np.cbrt"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, "cbrt", &CBRT);
    /// Reciprocal: 1 / x.
    "np.reciprocal"(x: LIKE) -> ARRAY => |cx, a| {
        let x = promote_args_inexact(cx, "reciprocal", &[a.array_like(0)?])?;
        Ok(cx.bind1(&IntegerPow { y: -1 }, &x)?.into())
    };
    /// The larger of two, element by element; NaN if either is.
    "np.maximum"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &MAX);
    /// The smaller of two, element by element; NaN if either is.
    "np.minimum"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &MIN);
    /// The larger of two, element by element; a NaN gives way to the other.
    "np.fmax"(x1: LIKE, x2: LIKE) -> ARRAY => |_, a| nan_yields(a, "fmax");
    /// The smaller of two, element by element; a NaN gives way to the other.
    "np.fmin"(x1: LIKE, x2: LIKE) -> ARRAY => |_, a| nan_yields(a, "fmin");
    /// Keeps elements between bounds: min(max(arr, min), max).
    ///
    /// - `min`, `max`: bounds that broadcast with `arr`; null for none.
    "np.clip"(arr: LIKE, min: OPT_LIKE = null, max: OPT_LIKE = null) -> ARRAY => |cx, a| {
        let (low, high) = (a.opt_value(1)?, a.opt_value(2)?);
        Ok(clip(cx, &a.value(0)?, low.as_ref(), high.as_ref())?.into())
    };
    /// Step function: 0 where x < 0, y where x == 0, 1 where x > 0.
    "np.heaviside"(x1: LIKE, x2: LIKE) -> ARRAY => |cx, a| {
        let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
        Ok(named(cx, "heaviside", &v, |cx, v| {
            let (x, y) = dtypes2_inexact(cx, &v[0], &v[1])?;
            let zero = cx.lit(0.0, &x)?;
            let (below, above) = (cx.lt(&x, &zero)?, cx.gt(&x, &zero)?);
            let nan = cx.ne(&x, &x)?;
            let at_zero = where_values(cx, &nan, &x, &y)?;
            let right = where_number(cx, &above, 1.0, &at_zero)?;
            where_number(cx, &below, 0.0, &right)
        })?.into())
    };
    /// The first argument with the sign of the second.
    "np.copysign"(x1: LIKE, x2: LIKE) -> ARRAY => |cx, a| {
        let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
        Ok(named(cx, "copysign", &v, |cx, v| {
            let (x, y) = dtypes2_inexact(cx, &v[0], &v[1])?;
            let negative = signbit(cx, &y)?;
            let down = cx.neg(&cx.unary(&ABS, &x)?)?;
            where_values(cx, &negative, &down, &cx.unary(&ABS, &x)?)
        })?.into())
    };
    /// Whether the sign bit is set: true for negative numbers and -0.
    "np.signbit"(x: LIKE) -> ARRAY => |cx, a| Ok(signbit(cx, &a.value(0)?)?.into());
    /// Length of the hypotenuse: sqrt(x² + y²), without overflow on the way.
    "np.hypot"(x1: LIKE, x2: LIKE) -> ARRAY => |cx, a| {
        let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
        Ok(named(cx, "hypot", &v, hypot)?.into())
    };
    /// The next float after x in the direction of y.
    "np.nextafter"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary_inexact(a, &NEXTAFTER);
}

/// A primitive whose boolean form is another one.
fn bool_binary(
    a: &Args,
    def: &'static crate::prim::elementwise::BinaryDef,
    logical: &'static crate::prim::elementwise::BinaryDef,
) -> Result<Ret> {
    let v = promote_args(a.cx, def.name, &[a.array_like(0)?, a.array_like(1)?])?;
    let def = if v[0].dtype() == DType::Bool {
        logical
    } else {
        def
    };
    Ok(a.cx.binary(def, &v[0], &v[1])?.into())
}

fn absolute(a: &Args) -> Result<Ret> {
    let x = a.value(0)?;
    if matches!(x.dtype(), DType::Bool | DType::U32) {
        return Ok(x.into());
    }
    Ok(a.cx.unary(&ABS, &x)?.into())
}

fn modulo(a: &Args) -> Result<Ret> {
    let v = values(a.cx, &[a.array_like(0)?, a.array_like(1)?])?;
    Ok(named(a.cx, "remainder", &v, |cx, v| remainder(cx, &v[0], &v[1]))?.into())
}

/// Python's `%`, as JAX spells it out.
pub fn remainder(cx: &Ctx, x: &Value, y: &Value) -> Result<Value> {
    let (x, mut y) = promote2(cx, "rem", x, y)?;
    if x.dtype() == DType::Bool {
        return Err(numbers_only("rem", &x));
    }
    if x.dtype().is_int() {
        y = not_zero(cx, &y)?;
    }
    let rest = cx.binary(&REM, &x, &y)?;
    let zero = cx.lit(0.0, &x)?;
    let inexact = cx.ne(&rest, &zero)?;
    let signs = cx.ne(&cx.lt(&rest, &zero)?, &cx.lt(&y, &zero)?)?;
    let differs = cx.and(&signs, &inexact)?;
    super::support::select(cx, &differs, &cx.add(&rest, &y)?, &rest)
}

/// Divisors that are zero become one: the remainder is then zero.
fn not_zero(cx: &Ctx, y: &Value) -> Result<Value> {
    let zero = cx.eq(y, &cx.lit(0.0, y)?)?;
    let ones = match y.rank() {
        0 => cx.lit(1.0, y)?,
        _ => cx.full(1.0, y.aval())?,
    };
    where_values(cx, &zero, &ones, y)
}

/// Booleans as integers; other values as they are.
fn from_bool(cx: &Ctx, x: &Value) -> Result<Value> {
    if x.dtype() == DType::Bool {
        return super::convert::astype(cx, x, DType::I32);
    }
    Ok(x.clone())
}

/// Two values of one inexact dtype, their shapes left alone.
fn dtypes2_inexact(cx: &Ctx, x: &Value, y: &Value) -> Result<(Value, Value)> {
    let (x, y) = (Arg::Value(x.clone()), Arg::Value(y.clone()));
    let mut v = super::convert::promote_inexact(cx, &[&x, &y])?;
    let y = super::support::one(v.split_off(1))?;
    Ok((super::support::one(v)?, y))
}

/// Python's `//`, as JAX spells it out.
pub fn floor_divide(cx: &Ctx, x: &Value, y: &Value) -> Result<Value> {
    let float = x.dtype().is_float() || y.dtype().is_float();
    let (x, y) = promote2(cx, if float { "rem" } else { "div" }, x, y)?;
    match x.dtype() {
        DType::U32 => cx.div(&x, &y),
        DType::I32 => {
            let quotient = cx.div(&x, &y)?;
            let signs = cx.ne(&cx.unary(&SIGN, &x)?, &cx.unary(&SIGN, &y)?)?;
            let rest = cx.binary(&REM, &x, &y)?;
            let inexact = cx.ne(&rest, &cx.lit(0.0, &rest)?)?;
            let lower = cx.and(&signs, &inexact)?;
            let below = cx.sub(&quotient, &cx.one(&quotient)?)?;
            where_values(cx, &lower, &below, &quotient)
        }
        DType::F32 | DType::F64 => Ok(divmod_floats(cx, &x, &y)?.0),
        _ => Err(numbers_only("div", &x)),
    }
}

/// Quotient rounded down and remainder of floats; `//` uses only the first, as in JAX.
fn divmod_floats(cx: &Ctx, x: &Value, y: &Value) -> Result<(Value, Value)> {
    let rest = cx.binary(&REM, x, y)?;
    let by_zero = cx.eq(y, &cx.lit(0.0, y)?)?;
    let whole = where_values(cx, &by_zero, x, &cx.sub(x, &rest)?)?;
    let quotient = cx.div(&whole, y)?;
    let inexact = cx.ne(&rest, &cx.lit(0.0, &rest)?)?;
    let signs = cx.ne(&cx.unary(&SIGN, y)?, &cx.unary(&SIGN, &rest)?)?;
    let lower = cx.and(&inexact, &signs)?;
    let rest = super::support::select(cx, &lower, &cx.add(&rest, y)?, &rest)?;
    let below = cx.sub(&quotient, &cx.one(&quotient)?)?;
    let floored = super::support::select(cx, &lower, &below, &quotient)?;
    let rounding_method = RoundingMethod::AwayFromZero;
    Ok((cx.bind1(&Round { rounding_method }, &[floored])?, rest))
}

fn numbers_only(name: &str, x: &Value) -> Box<Error> {
    Error::type_error(format!(
        "{name} does not accept dtype {} at position 0. Accepted dtypes at position 0 are subtypes of integer, floating, complexfloating.",
        x.dtype()
    ))
}

/// `jnp.power` with its special cases for plain exponents and for integers.
pub fn power(cx: &Ctx, x: &Arg, y: &Arg) -> Result<Value> {
    let whole = match y {
        Arg::Number {
            value,
            float: false,
        } if value.fract() == 0.0 => Some(*value),
        Arg::Bool(_) => literal(y),
        _ => None,
    };
    if let Some(n) = whole
        && literal(x).is_none()
        && n.abs() <= f64::from(i32::MAX)
    {
        let (dtype, weak) = result_type(cx, &[x, y])?;
        let is_bool = typed(cx, x)?.0 == DType::Bool;
        let x = cast(cx, x, (dtype, weak && !is_bool))?;
        if n < 0.0 && !x.dtype().is_float() {
            return Err(Error::type_error(format!(
                "Integers cannot be raised to negative powers, got integer_pow({}, {})",
                x.aval().long(),
                n as i32
            )));
        }
        return cx.bind1(&IntegerPow { y: n as i32 }, &[x]);
    }
    let v = promote_args(cx, "pow", &[x, y])?;
    if v[0].dtype().is_float() {
        // An integer exponent of a float stays an integer: `pow` takes it as it is.
        let exponent = match y {
            Arg::Value(y) if y.dtype().is_int() && y.rank() == v[1].rank() => y.clone(),
            _ => v[1].clone(),
        };
        return cx.pow(&v[0], &exponent);
    }
    let mut v = v;
    if v[0].dtype() == DType::Bool {
        for x in &mut v {
            *x = super::convert::astype(cx, x, DType::I32)?;
        }
    }
    integer_power(cx, &v[0], &v[1])
}

/// Integer to integer power by repeated squaring; six bits of the exponent count, as in JAX.
fn integer_power(cx: &Ctx, x: &Value, y: &Value) -> Result<Value> {
    let zero = cx.eq(x, &cx.lit(0.0, x)?)?;
    let positive = cx.ne(y, &cx.lit(0.0, y)?)?;
    let vanishes = cx.and(&zero, &positive)?;
    let mut acc = where_values(cx, &vanishes, &cx.lit(0.0, x)?, &cx.lit(1.0, x)?)?;
    let (mut base, mut exponent) = (x.clone(), y.clone());
    let one = cx.lit(1.0, y)?;
    for _ in 0..6 {
        let odd = cx.and(&exponent, &one)?;
        let product = cx.mul(&acc, &base)?;
        acc = where_values(cx, &odd, &product, &acc)?;
        base = cx.mul(&base, &base)?;
        exponent = cx.binary(&SHIFT_RIGHT_LOGICAL, &exponent, &one)?;
    }
    Ok(acc)
}

fn nan_yields(a: &Args, name: &'static str) -> Result<Ret> {
    let v = values(a.cx, &[a.array_like(0)?, a.array_like(1)?])?;
    let larger = name == "fmax";
    let out = named(a.cx, name, &v, move |cx, v| {
        let (x, y) = promote2(cx, if larger { "gt" } else { "lt" }, &v[0], &v[1])?;
        let first = if larger {
            cx.gt(&x, &y)?
        } else {
            cx.lt(&x, &y)?
        };
        let nan = cx.ne(&v[1], &v[1])?;
        let (first, nan) = promote2(cx, "or", &first, &nan)?;
        where_(
            cx,
            &cx.or(&first, &nan)?,
            &Arg::Value(v[0].clone()),
            &Arg::Value(v[1].clone()),
        )
    })?;
    Ok(out.into())
}

/// `jnp.clip`: bounds are promoted with the array one after the other.
pub fn clip(cx: &Ctx, x: &Value, low: Option<&Value>, high: Option<&Value>) -> Result<Value> {
    let mut args = vec![x.clone()];
    args.extend(low.cloned());
    args.extend(high.cloned());
    let has_low = low.is_some();
    named(cx, "clip", &args, move |cx, v| {
        let mut out = v[0].clone();
        for (i, bound) in v[1..].iter().enumerate() {
            let (b, x) = promote2(cx, "clip", bound, &out)?;
            let def = if has_low && i == 0 { &MAX } else { &MIN };
            out = cx.binary(def, &b, &x)?;
        }
        Ok(out)
    })
}

/// Whether the sign bit is set: of floats the highest bit.
fn signbit(cx: &Ctx, x: &Value) -> Result<Value> {
    named(cx, "signbit", core::slice::from_ref(x), |cx, v| {
        let x = &v[0];
        match x.dtype() {
            DType::F32 => {
                let bits = cx.bitcast(x, DType::I32)?;
                let shift = cx.lit(31.0, &bits)?;
                let sign = cx.binary(&SHIFT_RIGHT_ARITHMETIC, &bits, &shift)?;
                super::convert::astype(cx, &sign, DType::Bool)
            }
            DType::F64 => {
                // Without integers of 64 bits -0 is told from 0 by its reciprocal.
                let zero = cx.lit(0.0, x)?;
                let inverse = cx.bind1(&IntegerPow { y: -1 }, core::slice::from_ref(x))?;
                let negative_zero = cx.and(&cx.eq(x, &zero)?, &cx.lt(&inverse, &zero)?)?;
                cx.or(&cx.lt(x, &zero)?, &negative_zero)
            }
            DType::I32 => cx.lt(x, &super::support::strong_lit(0.0, x)?),
            _ => cx.full(0.0, &crate::aval::Aval::new(x.shape(), DType::Bool)),
        }
    })
}

fn hypot(cx: &Ctx, v: &[Value]) -> Result<Value> {
    let (x, y) = promote2_inexact(cx, "or", &v[0], &v[1])?;
    let (x, y) = (cx.unary(&ABS, &x)?, cx.unary(&ABS, &y)?);
    let inf = cx.lit(f64::INFINITY, &x)?;
    let infinite = cx.or(&cx.eq(&x, &inf)?, &cx.eq(&y, &inf)?)?;
    let (high, low) = (cx.max(&x, &y)?, cx.min(&x, &y)?);
    let zero = cx.lit(0.0, &high)?;
    let is_zero = cx.eq(&high, &zero)?;
    let is_zero_again = cx.eq(&high, &zero)?;
    let ones = cx.full(1.0, high.aval())?;
    let divisor = where_values(cx, &is_zero_again, &ones, &high)?;
    let ratio = cx.square(&cx.div(&low, &divisor)?)?;
    let length = cx.mul(
        &high,
        &cx.unary(&SQRT, &cx.add(&cx.lit(1.0, &ratio)?, &ratio)?)?,
    )?;
    let finite = where_values(cx, &is_zero, &high, &length)?;
    where_number(cx, &infinite, f64::INFINITY, &finite)
}

/// Brings one argument out of the integers, for functions that only know floats.
pub fn to_float(cx: &Ctx, arg: &Arg) -> Result<Value> {
    let to = super::convert::inexact(cx, typed(cx, arg)?);
    cast(cx, arg, to)
}
