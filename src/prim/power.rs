//! Powers and roots: square, integer_pow, pow, sqrt, rsqrt, cbrt.

use super::elementwise::{
    Accepts, PartialRule, UnaryDef, UnaryJvp, accept, align_lanes, nonlinear, partials_jvp,
};
use super::elementwise::{note, points};
use super::rule::{Ctx, Duals, Env, Operand, Param, Primitive, Tangent};
use super::transcendental::LOG;
use super::typing::{accept_only, broadcast_shape, mismatch, operands};
use crate::array::Array;
use crate::aval::Aval;
use crate::error::{Class, Result};
use crate::kernel::{BinaryFn, PairFn, UnaryFn};
use crate::runtime::elementwise;
use crate::value::Value;
use alloc::{format, string::ToString, vec, vec::Vec};

/// Square.
pub static SQUARE: UnaryDef = UnaryDef {
    name: "square",
    doc: note("Elementwise square: x * x."),
    accepts: Accepts::Numbers,
    kernel: UnaryFn::Square,
    jvp: UnaryJvp::Rule(|cx, x, _, t| cx.mul(t, &cx.mul(&cx.lit(2.0, x)?, x)?)),
    samples: points(&[-2.0, -0.5, 0.0, 3.0]),
};

/// Square root.
pub static SQRT: UnaryDef = UnaryDef {
    name: "sqrt",
    doc: note("Elementwise square root; NaN below 0."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Sqrt,
    jvp: UnaryJvp::Rule(|cx, x, y, t| cx.mul(t, &cx.div(&cx.lit(0.5, x)?, y)?)),
    samples: points(&[0.25, 1.0, 7.5]),
};

/// Inverse square root.
pub static RSQRT: UnaryDef = UnaryDef {
    name: "rsqrt",
    doc: note("Elementwise inverse square root: 1 / sqrt(x)."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Rsqrt,
    jvp: UnaryJvp::Rule(|cx, x, y, t| {
        let slope = cx.mul(&cx.lit(-0.5, x)?, &cx.div(y, x)?)?;
        cx.mul(t, &slope)
    }),
    samples: points(&[0.25, 1.0, 7.5]),
};

/// Cube root.
pub static CBRT: UnaryDef = UnaryDef {
    name: "cbrt",
    doc: note("Elementwise cube root."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Cbrt,
    jvp: UnaryJvp::Rule(|cx, x, y, t| {
        let slope = cx.mul(&cx.lit(1.0 / 3.0, x)?, &cx.integer_pow(y, -2)?)?;
        cx.mul(t, &slope)
    }),
    samples: points(&[-3.0, -0.5, 1.0, 7.5]),
};

/// `x ** y` with a fixed integer `y`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct IntegerPow {
    /// The exponent.
    pub y: i32,
}

impl Primitive for IntegerPow {
    fn name(&self) -> &'static str {
        "integer_pow"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("y", Param::Text(self.y.to_string()))]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [x] = operands("integer_pow", avals)?;
        accept_only("integer_pow", Accepts::Numbers, x)?;
        if self.y < 0 && x.dtype.is_int() {
            let message = format!(
                "Integers cannot be raised to negative powers, got integer_pow({}, {})",
                x.long(),
                self.y
            );
            return Err(mismatch(Class::TypeError, message, avals));
        }
        Ok(vec![x.clone()])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let kernel = UnaryFn::IntegerPow(self.y);
        Ok(vec![elementwise::unary(kernel, &args[0])?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let x = &primals[0];
        let out = cx.bind1(self, primals)?;
        let slope_times = |t: &Value| match self.y {
            0 => cx.full(0.0, t.aval()),
            1 => Ok(t.clone()),
            2 => cx.mul(t, &cx.mul(&cx.lit(2.0, x)?, x)?),
            y => {
                let scale = cx.lit(y.into(), x)?;
                cx.mul(t, &cx.mul(&scale, &cx.integer_pow(x, y - 1)?)?)
            }
        };
        let tangent = tangents[0].as_ref().map(slope_times).transpose()?;
        Ok((vec![out], vec![tangent]))
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(nonlinear("integer_pow"))
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

/// `x ** y`: a float base, and an exponent of the same dtype or an integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pow;

impl Primitive for Pow {
    fn name(&self) -> &'static str {
        "pow"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [x, y] = operands("pow", avals)?;
        let shape = broadcast_shape("pow", avals)?;
        accept("pow", Accepts::Floats, x, 0)?;
        accept("pow", Accepts::Numbers, y, 1)?;
        if x.dtype != y.dtype && !y.dtype.is_int() {
            let message = format!(
                "the first argument to pow must have an inexact dtype (float or complex), and the \
                 second argument must have an inexact or integer dtype, and two inexact dtypes must \
                 match, but got {} and {} respectively.",
                x.dtype, y.dtype
            );
            return Err(mismatch(Class::TypeError, message, avals));
        }
        Ok(vec![Aval {
            shape,
            dtype: x.dtype,
            weak: x.weak && y.weak,
        }])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let (x, y) = (&args[0], &args[1]);
        let kernel = PairFn::Binary(BinaryFn::Pow);
        if x.dtype() == y.dtype() {
            return Ok(vec![elementwise::pair(kernel, x, y)?]);
        }
        let y = elementwise::convert(y, x.dtype(), y.aval().weak)?;
        Ok(vec![elementwise::pair(kernel, x, &y)?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        partials_jvp(cx, self, &POW_PARTIALS, primals, tangents)
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(nonlinear("pow"))
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

const POW_PARTIALS: [PartialRule; 2] = [
    |cx, a, out, t| {
        // JAX makes weak operands strong here, which leaves equations.
        let x = cx.convert(&a[0], out.dtype(), false)?;
        let y = cx.convert(&a[1], out.dtype(), false)?;
        let slope = if a[1].dtype().is_int() {
            pow_slope_integer(cx, x, y, out)?
        } else {
            let less = cx.sub(&y, &cx.full(1.0, y.aval())?)?;
            cx.mul(&y, &cx.pow(&x, &less)?)?
        };
        cx.mul(t, &slope)
    },
    |cx, a, out, t| {
        let log = cx.unary(&LOG, &without_zeros(cx, &a[0])?)?;
        let tangent = cx.mul(t, &cx.mul(&log, out)?)?;
        cx.convert(&tangent, a[1].dtype(), false)
    },
];

/// y x^(y-1) for an integer y, which is 0 at y = 0 whatever x is.
fn pow_slope_integer(cx: &Ctx, mut x: Value, mut y: Value, out: &Value) -> Result<Value> {
    if x.shape() != y.shape() {
        x = cx.broadcast_like(&x, out.shape())?;
        y = cx.broadcast_like(&y, out.shape())?;
    }
    let is_zero = cx.eq(&y, &cx.lit(0.0, &y)?)?;
    let zeros = cx.full(0.0, y.aval())?;
    let scale = without_zeros(cx, &y)?;
    let less = cx.sub(&y, &cx.full(1.0, y.aval())?)?;
    let slope = cx.mul(&scale, &cx.pow(&x, &less)?)?;
    cx.select(&is_zero, &zeros, &slope)
}

/// x with ones in the place of zeros.
fn without_zeros(cx: &Ctx, x: &Value) -> Result<Value> {
    let is_zero = cx.eq(x, &cx.lit(0.0, x)?)?;
    cx.select(&is_zero, &cx.full(1.0, x.aval())?, x)
}

impl Ctx {
    /// `x ** y` with an integer `y`.
    pub fn integer_pow(&self, x: &Value, y: i32) -> Result<Value> {
        self.bind1(&IntegerPow { y }, core::slice::from_ref(x))
    }

    /// `x ** y` for floats, or a float and an integer exponent.
    pub fn pow(&self, x: &Value, y: &Value) -> Result<Value> {
        self.bind1(&Pow, &[x.clone(), y.clone()])
    }

    /// `x * x`
    pub fn square(&self, x: &Value) -> Result<Value> {
        self.unary(&SQUARE, x)
    }
}
