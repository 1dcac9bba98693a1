//! Exponentials, logarithms, trigonometric and hyperbolic functions. Derivatives are written with the
//! operations JAX uses, in its order, so that jaxprs agree.

use super::elementwise::{Accepts, BinaryDef, BinaryJvp, BinaryTranspose, UnaryDef, UnaryJvp};
use super::elementwise::{note, points};
use super::power::RSQRT;
use super::rule::Ctx;
use crate::error::Result;
use crate::kernel::{BinaryFn, PairFn, UnaryFn};
use crate::value::Value;

/// Sine.
pub static SIN: UnaryDef = UnaryDef {
    name: "sin",
    doc: note("Elementwise sine of an angle in radians."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Sin,
    jvp: UnaryJvp::Rule(|cx, x, _, t| cx.mul(t, &cx.unary(&COS, x)?)),
    samples: points(&[-3.0, -0.5, 0.0, 2.5]),
};

/// Cosine.
pub static COS: UnaryDef = UnaryDef {
    name: "cos",
    doc: note("Elementwise cosine of an angle in radians."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Cos,
    jvp: UnaryJvp::Rule(|cx, x, _, t| cx.neg(&cx.mul(t, &cx.unary(&SIN, x)?)?)),
    samples: points(&[-3.0, -0.5, 0.0, 2.5]),
};

/// Tangent.
pub static TAN: UnaryDef = UnaryDef {
    name: "tan",
    doc: note("Elementwise tangent of an angle in radians."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Tan,
    jvp: UnaryJvp::Rule(|cx, x, y, t| {
        let slope = cx.add(&cx.lit(1.0, x)?, &cx.square(y)?)?;
        cx.mul(t, &slope)
    }),
    samples: points(&[-1.25, -0.5, 0.0, 1.0]),
};

/// Inverse sine.
pub static ASIN: UnaryDef = UnaryDef {
    name: "asin",
    doc: note("Elementwise inverse sine, in radians; NaN outside of [-1, 1]."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Asin,
    jvp: UnaryJvp::Rule(|cx, x, _, t| cx.mul(t, &arc_slope(cx, x)?)),
    samples: points(&[-0.75, -0.25, 0.0, 0.5]),
};

/// Inverse cosine.
pub static ACOS: UnaryDef = UnaryDef {
    name: "acos",
    doc: note("Elementwise inverse cosine, in radians; NaN outside of [-1, 1]."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Acos,
    jvp: UnaryJvp::Rule(|cx, x, _, t| cx.mul(t, &cx.neg(&arc_slope(cx, x)?)?)),
    samples: points(&[-0.75, -0.25, 0.0, 0.5]),
};

/// Inverse tangent.
pub static ATAN: UnaryDef = UnaryDef {
    name: "atan",
    doc: note("Elementwise inverse tangent, in radians."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Atan,
    jvp: UnaryJvp::Rule(|cx, x, _, t| {
        let denominator = cx.add(&cx.lit(1.0, x)?, &cx.square(x)?)?;
        cx.div(t, &denominator)
    }),
    samples: points(&[-3.0, -0.5, 0.0, 2.5]),
};

/// Angle of a point.
pub static ATAN2: BinaryDef = BinaryDef {
    name: "atan2",
    doc: note(
        "Elementwise angle of the point (y, x) to the axis of x, for operands in this order.",
    ),
    accepts: Accepts::Floats,
    kernel: PairFn::Binary(BinaryFn::Atan2),
    jvp: BinaryJvp::Partials([
        |cx, a, _, t| cx.mul(t, &cx.div(&a[1], &square_sum(cx, a)?)?),
        |cx, a, _, t| {
            let minus = cx.neg(&a[0])?;
            cx.mul(t, &cx.div(&minus, &square_sum(cx, a)?)?)
        },
    ]),
    transpose: BinaryTranspose::Nonlinear,
    samples: points(&[(1.5, -2.0), (0.5, 0.25), (-1.0, -3.0)]),
};

fn square_sum(cx: &Ctx, a: &[Value]) -> Result<Value> {
    cx.add(&cx.square(&a[0])?, &cx.square(&a[1])?)
}

/// Hyperbolic sine.
pub static SINH: UnaryDef = UnaryDef {
    name: "sinh",
    doc: note("Elementwise hyperbolic sine."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Sinh,
    jvp: UnaryJvp::Rule(|cx, x, _, t| cx.mul(t, &cx.unary(&COSH, x)?)),
    samples: points(&[-2.0, -0.5, 0.0, 1.5]),
};

/// Hyperbolic cosine.
pub static COSH: UnaryDef = UnaryDef {
    name: "cosh",
    doc: note("Elementwise hyperbolic cosine."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Cosh,
    jvp: UnaryJvp::Rule(|cx, x, _, t| cx.mul(t, &cx.unary(&SINH, x)?)),
    samples: points(&[-2.0, -0.5, 0.0, 1.5]),
};

/// Hyperbolic tangent.
pub static TANH: UnaryDef = UnaryDef {
    name: "tanh",
    doc: note("Elementwise hyperbolic tangent."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Tanh,
    jvp: UnaryJvp::Rule(|cx, x, y, t| {
        // 1 - y^2 as (1 + y)(1 - y), which keeps its digits near the ends.
        let plus = cx.add(t, &cx.mul(t, y)?)?;
        cx.mul(&plus, &cx.sub(&cx.one(x)?, y)?)
    }),
    samples: points(&[-2.0, -0.5, 0.0, 1.5]),
};

/// Inverse hyperbolic sine.
pub static ASINH: UnaryDef = UnaryDef {
    name: "asinh",
    doc: note("Elementwise inverse hyperbolic sine."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Asinh,
    jvp: UnaryJvp::Rule(|cx, x, _, t| {
        let inside = cx.add(&cx.square(x)?, &cx.one(x)?)?;
        cx.mul(t, &cx.unary(&RSQRT, &inside)?)
    }),
    samples: points(&[-2.0, -0.5, 0.0, 1.5]),
};

/// Inverse hyperbolic cosine.
pub static ACOSH: UnaryDef = UnaryDef {
    name: "acosh",
    doc: note("Elementwise inverse hyperbolic cosine; NaN below 1."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Acosh,
    jvp: UnaryJvp::Rule(|cx, x, _, t| {
        let inside = cx.sub(&cx.square(x)?, &cx.one(x)?)?;
        cx.mul(t, &cx.unary(&RSQRT, &inside)?)
    }),
    samples: points(&[1.25, 2.0, 7.5]),
};

/// Inverse hyperbolic tangent.
pub static ATANH: UnaryDef = UnaryDef {
    name: "atanh",
    doc: note("Elementwise inverse hyperbolic tangent; NaN outside of [-1, 1]."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Atanh,
    jvp: UnaryJvp::Rule(|cx, x, _, t| {
        let one = cx.one(x)?;
        let left = cx.integer_pow(&cx.add(&one, x)?, -1)?;
        cx.mul(&left, &cx.div(t, &cx.sub(&one, x)?)?)
    }),
    samples: points(&[-0.75, -0.25, 0.0, 0.5]),
};

/// Exponential.
pub static EXP: UnaryDef = UnaryDef {
    name: "exp",
    doc: note("Elementwise exponential: e ** x."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Exp,
    jvp: UnaryJvp::Rule(|cx, _, y, t| cx.mul(t, y)),
    samples: points(&[-3.0, -0.5, 0.0, 2.5]),
};

/// Power of two.
pub static EXP2: UnaryDef = UnaryDef {
    name: "exp2",
    doc: note("Elementwise power of two: 2 ** x."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Exp2,
    jvp: UnaryJvp::Rule(|cx, x, y, t| {
        let scale = cx.unary(&LOG, &cx.lit(2.0, x)?)?;
        cx.mul(&scale, &cx.mul(t, y)?)
    }),
    samples: points(&[-3.0, -0.5, 0.0, 2.5]),
};

/// Natural logarithm.
pub static LOG: UnaryDef = UnaryDef {
    name: "log",
    doc: note("Elementwise natural logarithm; NaN below 0."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Log,
    jvp: UnaryJvp::Rule(|cx, x, _, t| cx.div(t, x)),
    samples: points(&[0.1, 0.5, 1.0, 7.5]),
};

/// Logarithm near 1.
pub static LOG1P: UnaryDef = UnaryDef {
    name: "log1p",
    doc: note("Elementwise log(1 + x), accurate near 0."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Log1p,
    jvp: UnaryJvp::Rule(|cx, x, _, t| cx.div(t, &cx.add(x, &cx.one(x)?)?)),
    samples: points(&[-0.5, 0.0, 0.25, 7.5]),
};

/// Exponential near 0.
pub static EXPM1: UnaryDef = UnaryDef {
    name: "expm1",
    doc: note("Elementwise exp(x) - 1, accurate near 0."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Expm1,
    jvp: UnaryJvp::Rule(|cx, _, y, t| cx.mul(t, &cx.add(y, &cx.one(y)?)?)),
    samples: points(&[-3.0, -0.5, 0.0, 2.5]),
};

/// Logistic sigmoid.
pub static LOGISTIC: UnaryDef = UnaryDef {
    name: "logistic",
    doc: note("Elementwise logistic sigmoid: 1 / (1 + exp(-x))."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Logistic,
    jvp: UnaryJvp::Rule(|cx, _, y, t| {
        let slope = cx.mul(y, &cx.sub(&cx.one(y)?, y)?)?;
        cx.mul(t, &slope)
    }),
    samples: points(&[-3.0, -0.5, 0.0, 2.5]),
};

/// 1 / sqrt(1 - x^2): the slope of the inverse sine.
fn arc_slope(cx: &Ctx, x: &Value) -> Result<Value> {
    let inside = cx.sub(&cx.lit(1.0, x)?, &cx.square(x)?)?;
    cx.unary(&RSQRT, &inside)
}
