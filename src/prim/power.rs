//! Powers: integer_pow (pow, sqrt, cbrt and kin join it here).

use super::elementwise::Accepts;
use super::elementwise::accept;
use super::rule::{Ctx, Duals, Env, Operand, Param, Primitive, Tangent};
use crate::array::Array;
use crate::aval::Aval;
use crate::error::{Error, Result, Rule};
use crate::kernel::UnaryFn;
use crate::runtime::launch;
use crate::value::Value;

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
        accept("integer_pow", Accepts::Numbers, avals[0], 0)?;
        Ok(vec![avals[0].clone()])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        Ok(vec![launch::unary(UnaryFn::IntegerPow(self.y), &args[0])?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let x = &primals[0];
        let out = cx.bind1(self, primals)?;
        let tangent = match &tangents[0] {
            None => None,
            Some(_) if self.y == 0 => None,
            Some(t) => {
                // d(x^n) = n x^(n-1) dx; for n = 2 JAX writes 2 x.
                let slope = if self.y == 1 {
                    cx.lit(1.0, x)?
                } else {
                    let power = cx.integer_pow(x, self.y - 1)?;
                    cx.mul(&cx.lit(self.y.into(), x)?, &power)?
                };
                Some(cx.mul(t, &slope)?)
            }
        };
        Ok((vec![out], vec![tangent]))
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(Error::rule_missing("integer_pow", Rule::Transpose))
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

impl Ctx {
    /// `x ** y` with an integer `y`; the power 1 is `x` itself.
    pub fn integer_pow(&self, x: &Value, y: i32) -> Result<Value> {
        if y == 1 {
            return Ok(x.clone());
        }
        self.bind1(&IntegerPow { y }, std::slice::from_ref(x))
    }
}
