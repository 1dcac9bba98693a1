//! Counting along an axis.

use super::rule::{Ctx, Duals, Env, Lanes, Operand, Param, Primitive, Tangent};
use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Error, Result, Rule};
use crate::runtime::movement;
use crate::shape::{Shape, tuple};
use crate::value::Value;
use alloc::{format, string::ToString, vec, vec::Vec};

/// 0, 1, 2 … along one axis, the same along all others. Takes no operands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Iota {
    /// The result's dtype.
    pub dtype: DType,
    /// The result's axis sizes.
    pub shape: Shape,
    /// The axis counted along.
    pub dimension: usize,
}

impl Iota {
    fn aval(&self) -> Aval {
        Aval::new(&self.shape, self.dtype)
    }
}

impl Primitive for Iota {
    fn name(&self) -> &'static str {
        "iota"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("dimension", Param::Text(self.dimension.to_string())),
            ("dtype", Param::Text(self.dtype.to_string())),
            ("shape", Param::Text(tuple(&self.shape))),
            ("sharding", Param::Text("None".into())),
        ]
    }

    fn abstract_eval(&self, _: &[&Aval]) -> Result<Vec<Aval>> {
        if self.dimension >= self.shape.len() {
            return Err(Error::value_error(format!(
                "iota dimension must be between 0 and len(shape), got dimension={} for shape={}",
                self.dimension,
                tuple(&self.shape)
            )));
        }
        if !(self.dtype.is_int() || self.dtype.is_float()) {
            return Err(Error::type_error(format!(
                "iota does not accept dtype {}. Accepted dtypes are subtypes of integer, floating, \
                 complexfloating.",
                self.dtype
            )));
        }
        Ok(vec![self.aval()])
    }

    fn eval(&self, _: &Env, _: &[Array]) -> Result<Vec<Array>> {
        Ok(vec![movement::iota(self.aval(), self.dimension)?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], _: &[Tangent]) -> Result<Duals> {
        Ok((cx.bind(self, primals)?, vec![None]))
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(Error::rule_missing("iota", Rule::Transpose))
    }

    fn batch(&self, cx: &Ctx, _: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        Ok((cx.bind(self, args)?, vec![false]))
    }
}

impl Ctx {
    /// 0, 1, 2 … along axis `dimension` of `shape`.
    pub fn iota(&self, dtype: DType, shape: &[usize], dimension: usize) -> Result<Value> {
        let shape = Shape::from_slice(shape);
        self.bind1(
            &Iota {
                dtype,
                shape,
                dimension,
            },
            &[],
        )
    }
}
