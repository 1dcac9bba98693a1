//! The same bits read as another dtype.

use super::elementwise::nonlinear;
use super::rule::{Ctx, Duals, Env, Lanes, Operand, Param, Primitive, Tangent};
use super::typing::{mismatch, operands};
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Result};
use crate::value::Value;
use alloc::{format, vec, vec::Vec};

/// The operand's bits as another dtype of the same width.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BitcastConvertType {
    /// The result's dtype.
    pub new_dtype: DType,
}

impl Primitive for BitcastConvertType {
    fn name(&self) -> &'static str {
        "bitcast_convert_type"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("new_dtype", Param::Text(self.new_dtype.name().into()))]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [x] = operands("bitcast_convert_type", avals)?;
        if x.dtype.size() != self.new_dtype.size() || x.dtype == DType::Bool {
            let message = format!(
                "lax.bitcast_convert_type requires dtypes of equal width here, got {} and {}.",
                x.dtype, self.new_dtype
            );
            return Err(mismatch(Class::NotImplementedError, message, avals));
        }
        Ok(vec![Aval::new(&x.shape, self.new_dtype)])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let mut out = ArrayMut::uninit(Aval::new(args[0].shape(), self.new_dtype))?;
        out.bytes_mut().copy_from_slice(args[0].bytes());
        Ok(vec![out.freeze()])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], _: &[Tangent]) -> Result<Duals> {
        // Bits jump: like JAX, the derivative is taken to be zero.
        Ok((cx.bind(self, primals)?, vec![None]))
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(nonlinear("bitcast_convert_type"))
    }

    fn batch(&self, cx: &Ctx, _: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        Ok((cx.bind(self, args)?, vec![true]))
    }
}

impl Ctx {
    /// The same bits as another dtype of the same width.
    pub fn bitcast(&self, x: &Value, new_dtype: DType) -> Result<Value> {
        self.bind1(&BitcastConvertType { new_dtype }, core::slice::from_ref(x))
    }
}
