//! Arithmetic: neg, abs, sign, add, sub, mul, div, rem, max, min and the sum of cotangents.

use super::elementwise::{
    Accepts, BinaryDef, BinaryJvp, BinaryTranspose, PartialRule, UnaryDef, UnaryJvp, nonlinear,
};
use super::elementwise::{note, points};
use super::rule::{Ctx, Operand};
use crate::error::Result;
use crate::kernel::{BinaryFn, PairFn, UnaryFn};
use crate::value::Value;

/// Negation.
pub static NEG: UnaryDef = UnaryDef {
    name: "neg",
    doc: note("Elementwise negation: -x."),
    accepts: Accepts::Numbers,
    kernel: UnaryFn::Neg,
    jvp: UnaryJvp::Linear,
    samples: points(&[-2.0, -0.5, 0.0, 3.0]),
};

/// Absolute value.
pub static ABS: UnaryDef = UnaryDef {
    name: "abs",
    doc: note("Elementwise absolute value: |x|. Its slope at 0 counts as 1."),
    accepts: Accepts::Signed,
    kernel: UnaryFn::Abs,
    jvp: UnaryJvp::Rule(|cx, x, _, t| {
        let positive = cx.ge(x, &cx.lit(0.0, x)?)?;
        cx.select(&positive, t, &cx.neg(t)?)
    }),
    samples: points(&[-2.0, -0.5, 0.25, 3.0]),
};

/// Sign.
pub static SIGN: UnaryDef = UnaryDef {
    name: "sign",
    doc: note("Elementwise sign: -1, 0 or 1; zeros and NaN stay as they are."),
    accepts: Accepts::Numbers,
    kernel: UnaryFn::Sign,
    jvp: UnaryJvp::Zero,
    samples: points(&[-2.0, -0.5, 0.25, 3.0]),
};

/// Addition.
pub static ADD: BinaryDef = BinaryDef {
    name: "add",
    doc: note("Elementwise addition: x + y."),
    accepts: Accepts::Numbers,
    kernel: PairFn::Binary(BinaryFn::Add),
    jvp: BinaryJvp::Sum {
        negate_second: false,
    },
    transpose: BinaryTranspose::Sum {
        negate_second: false,
    },
    samples: points(&[(1.5, -2.0), (0.0, 0.25)]),
};

/// The sum of two cotangents of one value: `add` that accumulates in reverse mode.
pub static ADD_ANY: BinaryDef = BinaryDef {
    name: "add_any",
    doc: note("Sum of two tangents or cotangents of the same value."),
    accepts: Accepts::Numbers,
    kernel: PairFn::Binary(BinaryFn::Add),
    jvp: BinaryJvp::Linear,
    transpose: ADD.transpose,
    samples: points(&[(1.5, -2.0), (0.0, 0.25)]),
};

/// Subtraction.
pub static SUB: BinaryDef = BinaryDef {
    name: "sub",
    doc: note("Elementwise subtraction: x - y."),
    accepts: Accepts::Numbers,
    kernel: PairFn::Binary(BinaryFn::Sub),
    jvp: BinaryJvp::Sum {
        negate_second: true,
    },
    transpose: BinaryTranspose::Sum {
        negate_second: true,
    },
    samples: points(&[(1.5, -2.0), (0.0, 0.25)]),
};

/// Multiplication.
pub static MUL: BinaryDef = BinaryDef {
    name: "mul",
    doc: note("Elementwise multiplication: x * y."),
    accepts: Accepts::Numbers,
    kernel: PairFn::Binary(BinaryFn::Mul),
    jvp: BinaryJvp::Partials([
        |cx, a, _, t| cx.mul(t, &a[1]),
        |cx, a, _, t| cx.mul(&a[0], t),
    ]),
    transpose: BinaryTranspose::Rule(|cx, ct, x, y| match (x, y) {
        (Operand::Linear(_), Operand::Known(y)) => cx.mul(ct, y),
        (Operand::Known(x), Operand::Linear(_)) => cx.mul(x, ct),
        _ => Err(nonlinear("mul")),
    }),
    samples: points(&[(1.5, -2.0), (0.5, 0.25)]),
};

/// Division.
pub static DIV: BinaryDef = BinaryDef {
    name: "div",
    doc: note("Elementwise division: x / y. Integers are divided toward zero."),
    accepts: Accepts::Numbers,
    kernel: PairFn::Binary(BinaryFn::Div),
    jvp: BinaryJvp::Partials([
        |cx, a, _, t| cx.div(t, &a[1]),
        // d(x/y) = -dy x y^-2, in the order JAX writes it.
        |cx, a, _, t| {
            let scaled = cx.mul(&cx.neg(t)?, &a[0])?;
            cx.mul(&scaled, &cx.integer_pow(&a[1], -2)?)
        },
    ]),
    transpose: BinaryTranspose::Rule(|cx, ct, x, y| match (x, y) {
        (Operand::Linear(_), Operand::Known(y)) => cx.div(ct, y),
        _ => Err(nonlinear("div")),
    }),
    samples: points(&[(1.5, -2.0), (0.5, 0.25)]),
};

/// Remainder.
pub static REM: BinaryDef = BinaryDef {
    name: "rem",
    doc: note("Elementwise remainder of x / y, with the sign of x."),
    accepts: Accepts::Reals,
    kernel: PairFn::Binary(BinaryFn::Rem),
    jvp: BinaryJvp::Partials([
        |cx, _, out, t| cx.broadcast_like(t, out.shape()),
        // d(x rem y)/dy = -trunc(x / y), the truncation written with sign, floor and abs.
        |cx, a, _, t| {
            let negated = cx.neg(t)?;
            let sign = cx.unary(&SIGN, &cx.div(&a[0], &a[1])?)?;
            let size = cx.unary(&ABS, &cx.div(&a[0], &a[1])?)?;
            let whole = cx.unary(&super::rounding::FLOOR, &size)?;
            cx.mul(&negated, &cx.mul(&sign, &whole)?)
        },
    ]),
    transpose: BinaryTranspose::Nonlinear,
    samples: points(&[(5.5, 2.0), (-7.25, 2.0), (3.75, -1.5)]),
};

/// Maximum.
pub static MAX: BinaryDef = BinaryDef {
    name: "max",
    doc: note("Elementwise maximum; NaN where either is. Equal operands share the derivative."),
    accepts: Accepts::All,
    kernel: PairFn::Binary(BinaryFn::Max),
    jvp: BinaryJvp::Partials(CHOOSER),
    transpose: BinaryTranspose::Nonlinear,
    samples: points(&[(1.5, -2.0), (0.5, 1.25)]),
};

/// Minimum.
pub static MIN: BinaryDef = BinaryDef {
    name: "min",
    doc: note("Elementwise minimum; NaN where either is. Equal operands share the derivative."),
    accepts: Accepts::All,
    kernel: PairFn::Binary(BinaryFn::Min),
    jvp: BinaryJvp::Partials(CHOOSER),
    transpose: BinaryTranspose::Nonlinear,
    samples: points(&[(1.5, -2.0), (0.5, 1.25)]),
};

/// Derivatives of `max` and `min`.
const CHOOSER: [PartialRule; 2] = [
    |cx, a, out, t| cx.mul(t, &share(cx, &a[0], out, &a[1])?),
    |cx, a, out, t| cx.mul(t, &share(cx, &a[1], out, &a[0])?),
];

/// The part of `chosen` that is due to `x`: 1 where it is x, half where `other` is equal, else 0.
fn share(cx: &Ctx, x: &Value, chosen: &Value, other: &Value) -> Result<Value> {
    let full = |n: f64| cx.full(n, chosen.aval());
    let mine = cx.select(&cx.eq(x, chosen)?, &full(1.0)?, &full(0.0)?)?;
    let count = cx.select(&cx.eq(other, chosen)?, &full(2.0)?, &full(1.0)?)?;
    cx.div(&mine, &count)
}
