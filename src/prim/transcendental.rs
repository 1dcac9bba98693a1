//! Exponentials, logarithms, trigonometric and hyperbolic functions.

use super::elementwise::{Accepts, UnaryDef, UnaryJvp};
use crate::kernel::UnaryFn;

/// Sine.
pub static SIN: UnaryDef = UnaryDef {
    name: "sin",
    doc: "Elementwise sine of an angle in radians.",
    accepts: Accepts::Floats,
    kernel: UnaryFn::Sin,
    jvp: UnaryJvp::Rule(|cx, x, _, t| cx.mul(t, &cx.unary(&COS, x)?)),
    predicate: false,
    samples: &[-3.0, -0.5, 0.0, 2.5],
};

/// Cosine.
pub static COS: UnaryDef = UnaryDef {
    name: "cos",
    doc: "Elementwise cosine of an angle in radians.",
    accepts: Accepts::Floats,
    kernel: UnaryFn::Cos,
    jvp: UnaryJvp::Rule(|cx, x, _, t| cx.neg(&cx.mul(t, &cx.unary(&SIN, x)?)?)),
    predicate: false,
    samples: &[-3.0, -0.5, 0.0, 2.5],
};

/// Exponential.
pub static EXP: UnaryDef = UnaryDef {
    name: "exp",
    doc: "Elementwise exponential: e ** x.",
    accepts: Accepts::Floats,
    kernel: UnaryFn::Exp,
    jvp: UnaryJvp::Rule(|cx, _, y, t| cx.mul(t, y)),
    predicate: false,
    samples: &[-3.0, -0.5, 0.0, 2.5],
};

/// Natural logarithm.
pub static LOG: UnaryDef = UnaryDef {
    name: "log",
    doc: "Elementwise natural logarithm.",
    accepts: Accepts::Floats,
    kernel: UnaryFn::Log,
    jvp: UnaryJvp::Rule(|cx, x, _, t| cx.div(t, x)),
    predicate: false,
    samples: &[0.1, 0.5, 1.0, 7.5],
};
