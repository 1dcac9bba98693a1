//! Rounding: floor, ceil, round, and nextafter.

use super::elementwise::{
    Accepts, BinaryDef, BinaryJvp, BinaryTranspose, UnaryDef, UnaryJvp, nonlinear,
};
use super::elementwise::{note, points};
use super::rule::{Ctx, Duals, Env, Operand, Param, Primitive, Tangent};
use super::typing::{accept_only, operands};
use crate::array::Array;
use crate::aval::Aval;
use crate::error::Result;
use crate::kernel::{BinaryFn, PairFn, UnaryFn};
use crate::runtime::elementwise;
use crate::value::Value;
use alloc::{vec, vec::Vec};

/// Rounding down.
pub static FLOOR: UnaryDef = UnaryDef {
    name: "floor",
    doc: note("Elementwise greatest whole number not above x."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Floor,
    jvp: UnaryJvp::Zero,
    samples: points(&[-2.5, -0.25, 0.75, 3.5]),
};

/// Rounding up.
pub static CEIL: UnaryDef = UnaryDef {
    name: "ceil",
    doc: note("Elementwise least whole number not below x."),
    accepts: Accepts::Floats,
    kernel: UnaryFn::Ceil,
    jvp: UnaryJvp::Zero,
    samples: points(&[-2.5, -0.25, 0.75, 3.5]),
};

/// The neighbouring float.
pub static NEXTAFTER: BinaryDef = BinaryDef {
    name: "nextafter",
    doc: note("Elementwise next number after x in the direction of y."),
    accepts: Accepts::Floats,
    kernel: PairFn::Binary(BinaryFn::Nextafter),
    jvp: BinaryJvp::NotDefined,
    transpose: BinaryTranspose::Nonlinear,
    samples: points(&[(1.5, -2.0), (0.0, 0.25), (1.0, 1.0)]),
};

/// Where `round` puts numbers halfway between two whole ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RoundingMethod {
    /// 0.5 to 1, -0.5 to -1.
    AwayFromZero,
    /// 0.5 to 0, 1.5 to 2.
    ToNearestEven,
}

/// Rounding to the nearest whole number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Round {
    /// What becomes of ties.
    pub rounding_method: RoundingMethod,
}

impl Primitive for Round {
    fn name(&self) -> &'static str {
        "round"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let number = match self.rounding_method {
            RoundingMethod::AwayFromZero => "0",
            RoundingMethod::ToNearestEven => "1",
        };
        vec![("rounding_method", Param::Text(number.into()))]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [x] = operands("round", avals)?;
        accept_only("round", Accepts::Floats, x)?;
        Ok(vec![x.clone()])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let kernel = match self.rounding_method {
            RoundingMethod::AwayFromZero => UnaryFn::RoundAwayFromZero,
            RoundingMethod::ToNearestEven => UnaryFn::RoundEven,
        };
        Ok(vec![elementwise::unary(kernel, &args[0])?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], _: &[Tangent]) -> Result<Duals> {
        Ok((cx.bind(self, primals)?, vec![None]))
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(nonlinear("round"))
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
