//! Special functions: erf and kin, and the logarithm of the gamma function with its derivatives.

use super::elementwise::{
    Accepts, PartialRule, UnaryDef, UnaryJvp, accept, align_lanes, nonlinear, partials_jvp,
};
use super::elementwise::{note, points};
use super::rule::{Ctx, Duals, Env, Operand, Param, Primitive, Tangent};
use super::transcendental::EXP;
use super::typing::{broadcast_shape, operands, same_dtypes};
use crate::array::Array;
use crate::aval::Aval;
use crate::error::{Error, Result};
#[cfg(target_arch = "wasm32")]
use crate::kernel::Float;
use crate::kernel::UnaryFn;
use crate::runtime::{elementwise, gamma};
use crate::value::Value;
use alloc::{vec, vec::Vec};
use core::f64::consts::{FRAC_2_SQRT_PI, PI};

/// Error function.
pub static ERF: UnaryDef = UnaryDef {
    name: "erf",
    doc: note("Elementwise error function."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Erf,
    jvp: UnaryJvp::Rule(|cx, x, _, t| scaled_bell(cx, FRAC_2_SQRT_PI, x, t)),
    samples: points(&[-1.5, -0.5, 0.0, 1.25]),
};

/// Complementary error function.
pub static ERFC: UnaryDef = UnaryDef {
    name: "erfc",
    doc: note("Elementwise complementary error function: 1 - erf(x), accurate for large x."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Erfc,
    jvp: UnaryJvp::Rule(|cx, x, _, t| scaled_bell(cx, -FRAC_2_SQRT_PI, x, t)),
    samples: points(&[-1.5, -0.5, 0.0, 1.25]),
};

/// Inverse error function.
pub static ERF_INV: UnaryDef = UnaryDef {
    name: "erf_inv",
    doc: note("Elementwise inverse error function; infinite at -1 and 1, NaN beyond."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::ErfInv,
    jvp: UnaryJvp::Rule(|cx, x, y, t| {
        let slope = cx.unary(&EXP, &cx.square(y)?)?;
        cx.mul(&cx.lit(PI.sqrt() / 2.0, x)?, &cx.mul(t, &slope)?)
    }),
    samples: points(&[-0.75, -0.25, 0.0, 0.5]),
};

/// t * scale * exp(-x^2), the multiplications in JAX's order.
fn scaled_bell(cx: &Ctx, scale: f64, x: &Value, t: &Value) -> Result<Value> {
    let bell = cx.unary(&EXP, &cx.neg(&cx.square(x)?)?)?;
    cx.mul(&cx.lit(scale, x)?, &cx.mul(t, &bell)?)
}

/// Logarithm of the gamma function.
pub static LGAMMA: UnaryDef = UnaryDef {
    name: "lgamma",
    doc: note("Elementwise logarithm of the absolute value of the gamma function."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Lgamma,
    jvp: UnaryJvp::Rule(|cx, x, _, t| cx.mul(t, &cx.unary(&DIGAMMA, x)?)),
    samples: points(&[0.25, 1.5, 4.0, 7.5]),
};

/// Derivative of `lgamma`.
pub static DIGAMMA: UnaryDef = UnaryDef {
    name: "digamma",
    doc: note("Elementwise derivative of lgamma."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Digamma,
    jvp: UnaryJvp::Rule(|cx, x, _, t| cx.mul(t, &cx.polygamma(&cx.lit(1.0, x)?, x)?)),
    samples: points(&[0.25, 1.5, 4.0, 7.5]),
};

/// Derivatives of `digamma` of any order: operands `m`, a whole number, and `x`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Polygamma;

impl Primitive for Polygamma {
    fn name(&self) -> &'static str {
        "polygamma"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [m, x] = operands("polygamma", avals)?;
        let shape = broadcast_shape("polygamma", avals)?;
        accept("polygamma", Accepts::Floats, m, 0)?;
        accept("polygamma", Accepts::Floats, x, 1)?;
        same_dtypes("polygamma", avals)?;
        Ok(vec![Aval {
            shape,
            dtype: x.dtype,
            weak: m.weak && x.weak,
        }])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let out = elementwise::map2(gamma::polygamma, &args[0], &args[1])?;
        Ok(vec![out])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        partials_jvp(cx, self, &POLYGAMMA_PARTIALS, primals, tangents)
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(nonlinear("polygamma"))
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

const POLYGAMMA_PARTIALS: [PartialRule; 2] = [
    |_, _, _, _| {
        let message = "polygamma gradient with respect to m is not supported";
        Err(Error::value_error(message))
    },
    |cx, a, _, t| {
        let next = cx.add(&a[0], &cx.lit(1.0, &a[0])?)?;
        cx.mul(t, &cx.polygamma(&next, &a[1])?)
    },
];

impl Ctx {
    /// The `m`-th derivative of digamma at `x`.
    pub fn polygamma(&self, m: &Value, x: &Value) -> Result<Value> {
        self.bind1(&Polygamma, &[m.clone(), x.clone()])
    }
}
