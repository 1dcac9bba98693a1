//! Arithmetic: add, sub, mul, div, neg and the sum of cotangents.

use super::elementwise::{
    Accepts, Binary, BinaryDef, BinaryJvp, BinaryTranspose, Unary, UnaryDef, UnaryJvp,
};
use super::rule::{Ctx, Duals, Tangent};
use crate::error::{Error, Result};
use crate::kernel::{BinaryFn, UnaryFn};
use crate::value::Value;

/// Negation.
pub static NEG: UnaryDef = UnaryDef {
    name: "neg",
    doc: "Elementwise negation: -x.",
    accepts: Accepts::Numbers,
    kernel: UnaryFn::Neg,
    jvp: UnaryJvp::Linear,
    predicate: false,
    samples: &[-2.0, -0.5, 0.0, 3.0],
};

/// Addition.
pub static ADD: BinaryDef = BinaryDef {
    name: "add",
    doc: "Elementwise addition: x + y.",
    accepts: Accepts::Numbers,
    kernel: BinaryFn::Add,
    jvp: BinaryJvp::Rule(|cx, x, t| linear_sum(cx, &ADD, x, t, false)),
    transpose: BinaryTranspose::Rule(|_, ct, x, y| {
        Ok((
            x.is_linear().then(|| ct.clone()),
            y.is_linear().then(|| ct.clone()),
        ))
    }),
    samples: &[(1.5, -2.0), (0.0, 0.25)],
};

/// The sum of two cotangents of one value: `add` that accumulates in reverse mode.
pub static ADD_ANY: BinaryDef = BinaryDef {
    name: "add_any",
    doc: "Sum of two tangents or cotangents of the same value.",
    accepts: Accepts::Numbers,
    kernel: BinaryFn::Add,
    jvp: BinaryJvp::Rule(|cx, x, t| linear_sum(cx, &ADD_ANY, x, t, false)),
    transpose: ADD.transpose,
    samples: &[(1.5, -2.0), (0.0, 0.25)],
};

/// Subtraction.
pub static SUB: BinaryDef = BinaryDef {
    name: "sub",
    doc: "Elementwise subtraction: x - y.",
    accepts: Accepts::Numbers,
    kernel: BinaryFn::Sub,
    jvp: BinaryJvp::Rule(|cx, x, t| linear_sum(cx, &SUB, x, t, true)),
    transpose: BinaryTranspose::Rule(|cx, ct, x, y| {
        let dy = if y.is_linear() {
            Some(cx.neg(ct)?)
        } else {
            None
        };
        Ok((x.is_linear().then(|| ct.clone()), dy))
    }),
    samples: &[(1.5, -2.0), (0.0, 0.25)],
};

/// Multiplication.
pub static MUL: BinaryDef = BinaryDef {
    name: "mul",
    doc: "Elementwise multiplication: x * y.",
    accepts: Accepts::Numbers,
    kernel: BinaryFn::Mul,
    jvp: BinaryJvp::Partials(|cx, _, y, _, t| cx.mul(t, y), |cx, x, _, _, t| cx.mul(x, t)),
    transpose: BinaryTranspose::Rule(|cx, ct, x, y| match (x.known(), y.known()) {
        (None, Some(y)) => Ok((Some(cx.mul(ct, y)?), None)),
        (Some(x), None) => Ok((None, Some(cx.mul(x, ct)?))),
        _ => Err(not_linear("mul")),
    }),
    samples: &[(1.5, -2.0), (0.5, 0.25)],
};

/// Division.
pub static DIV: BinaryDef = BinaryDef {
    name: "div",
    doc: "Elementwise division: x / y. Integers are divided toward zero.",
    accepts: Accepts::Numbers,
    kernel: BinaryFn::Div,
    jvp: BinaryJvp::Partials(
        |cx, _, y, _, t| cx.div(t, y),
        |cx, x, y, _, t| {
            // d(x/y) = -x y^-2 dy, in the order JAX writes it.
            let inverse_square = cx.integer_pow(y, -2)?;
            let scaled = cx.mul(t, &inverse_square)?;
            cx.neg(&cx.mul(&scaled, x)?)
        },
    ),
    transpose: BinaryTranspose::Rule(|cx, ct, _, y| match y.known() {
        Some(y) => Ok((Some(cx.div(ct, y)?), None)),
        None => Err(not_linear("div")),
    }),
    samples: &[(1.5, -2.0), (0.5, 0.25)],
};

/// `add`, `sub` and kin: the tangent of a sum is the sum of the tangents that are there.
fn linear_sum(
    cx: &Ctx,
    def: &'static BinaryDef,
    primals: &[Value],
    tangents: &[Tangent],
    negate_second: bool,
) -> Result<Duals> {
    let out = cx.bind1(&Binary(def), primals)?;
    let shape = out.aval().shape.clone();
    let tangent = match (&tangents[0], &tangents[1]) {
        (Some(a), Some(b)) => cx.bind1(&Binary(def), &[a.clone(), b.clone()])?,
        (Some(a), None) => cx.broadcast_like(a, &shape)?,
        (None, Some(b)) if negate_second => {
            let b = cx.broadcast_like(b, &shape)?;
            cx.bind1(&Unary(&NEG), &[b])?
        }
        (None, Some(b)) => cx.broadcast_like(b, &shape)?,
        (None, None) => return Ok((vec![out], vec![None])),
    };
    Ok((vec![out], vec![Some(tangent)]))
}

/// A product whose factors both vary reached transposition: the program is not linear.
pub fn not_linear(name: &'static str) -> Box<Error> {
    Error::rule_missing(name, crate::error::Rule::Transpose)
}
