//! Where the greatest or least element is: argmax and argmin.

use super::movement::{mapped, refused};
use super::rule::{Ctx, Duals, Env, Lanes, Operand, Param, Primitive, Tangent};
use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result, Rule};
use crate::kernel::ArgFn;
use crate::runtime::reduce;
use crate::shape::tuple;
use crate::value::Value;
use alloc::{format, string::ToString, vec, vec::Vec};

/// The first index along an axis at which the greatest or least element stands; that of the first
/// NaN if there is one.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ArgReduce {
    /// Greatest or least.
    pub which: ArgFn,
    /// The axis searched, which disappears.
    pub axis: usize,
    /// The result's dtype, an integer one.
    pub index_dtype: DType,
}

impl ArgReduce {
    fn out(&self, x: &Aval) -> Aval {
        let mut shape = x.shape.clone();
        shape.remove(self.axis);
        Aval::new(&shape, self.index_dtype)
    }
}

impl Primitive for ArgReduce {
    fn name(&self) -> &'static str {
        match self.which {
            ArgFn::Max => "argmax",
            ArgFn::Min => "argmin",
        }
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("axes", Param::Text(tuple(&[self.axis]))),
            ("index_dtype", Param::Text(self.index_dtype.to_string())),
        ]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let x = avals[0];
        if !self.index_dtype.is_int() {
            let message = format!(
                "index_dtype must be an integer type, but got {}",
                self.index_dtype
            );
            return Err(refused(Class::TypeError, message, x));
        }
        let (axis, shape) = (self.axis, tuple(&x.shape));
        let message = match x.shape.get(axis) {
            None => format!("Invalid axis {axis} for operand shape {shape}"),
            Some(0) => format!(
                "argmin and argmax require non-empty reduced dimension. operand.shape={shape} axis={axis}"
            ),
            Some(_) => return Ok(vec![self.out(x)]),
        };
        Err(refused(Class::ValueError, message, x))
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let out = self.out(args[0].aval());
        Ok(vec![reduce::arg_reduce(
            self.which, &args[0], self.axis, out,
        )?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], _: &[Tangent]) -> Result<Duals> {
        Ok((cx.bind(self, primals)?, vec![None]))
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(Error::rule_missing(self.name(), Rule::Transpose))
    }

    fn batch(&self, cx: &Ctx, _: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        mapped(cx.arg_reduce(self.which, &args[0], self.axis + 1, self.index_dtype))
    }
}

impl Ctx {
    /// The first index at which the greatest or least element along an axis stands.
    pub fn arg_reduce(
        &self,
        which: ArgFn,
        x: &Value,
        axis: usize,
        index_dtype: DType,
    ) -> Result<Value> {
        let op = ArgReduce {
            which,
            axis,
            index_dtype,
        };
        self.bind1(&op, core::slice::from_ref(x))
    }
}
