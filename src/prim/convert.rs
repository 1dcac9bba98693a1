//! Conversion between dtypes, and the identities: copy and stop_gradient.

use super::elementwise::nonlinear;
use super::rule::{Ctx, Duals, Env, Operand, Param, Primitive, Tangent};
use super::typing::operands;
use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::Result;
use crate::runtime::elementwise;
use crate::value::Value;
use alloc::{vec, vec::Vec};

/// The same numbers as another dtype: truncating and saturating from float to integer, `x != 0` to
/// bool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ConvertElementType {
    /// The result's dtype.
    pub new_dtype: DType,
    /// Whether the result is weakly typed.
    pub weak_type: bool,
}

impl Primitive for ConvertElementType {
    fn name(&self) -> &'static str {
        "convert_element_type"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let weak = if self.weak_type { "True" } else { "False" };
        vec![
            ("new_dtype", Param::Text(self.new_dtype.name().into())),
            ("weak_type", Param::Text(weak.into())),
        ]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [x] = operands("convert_element_type", avals)?;
        Ok(vec![Aval {
            shape: x.shape.clone(),
            dtype: self.new_dtype,
            weak: self.weak_type,
        }])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let out = elementwise::convert(&args[0], self.new_dtype, self.weak_type)?;
        Ok(vec![out])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let out = cx.bind(self, primals)?;
        let tangent = match &tangents[0] {
            Some(t) if self.new_dtype.is_float() => Some(cx.bind1(self, core::slice::from_ref(t))?),
            _ => None,
        };
        Ok((out, vec![tangent]))
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let x = args[0].aval();
        let (Some(ct), true) = (&cts[0], x.dtype.is_float()) else {
            return Ok(vec![None]);
        };
        Ok(vec![Some(cx.convert(ct, x.dtype, x.weak)?)])
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

/// A copy: the same values. Linear.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CopyArray;

/// The same values, as a constant to differentiation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StopGradient;

impl Primitive for CopyArray {
    fn name(&self) -> &'static str {
        "copy"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [x] = operands("copy", avals)?;
        Ok(vec![x.clone()])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        // Arrays never change, so sharing the storage is a copy.
        Ok(vec![args[0].clone()])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        super::movement::linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        let back = |ct: &Value| cx.bind1(self, core::slice::from_ref(ct));
        Ok(vec![cts[0].as_ref().map(back).transpose()?])
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

impl Primitive for StopGradient {
    fn name(&self) -> &'static str {
        "stop_gradient"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [x] = operands("stop_gradient", avals)?;
        Ok(vec![x.clone()])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        Ok(vec![args[0].clone()])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], _: &[Tangent]) -> Result<Duals> {
        Ok((cx.bind(self, primals)?, vec![None]))
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(nonlinear("stop_gradient"))
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
    /// The same numbers as another dtype; the value itself where it has that dtype and weakness.
    /// Concrete scalars are converted at once, also while staging: a literal needs no equation.
    pub fn convert(&self, x: &Value, new_dtype: DType, weak_type: bool) -> Result<Value> {
        if x.dtype() == new_dtype && x.aval().weak == weak_type {
            return Ok(x.clone());
        }
        // Scalars made from numbers are converted on the way, arrays of the program by an equation.
        let at_once =
            |a: &&Array| a.shape().is_empty() && !(a.is_held() && self.interp.trace().is_some());
        if let Some(a) = x.as_array().filter(at_once) {
            return Ok(elementwise::convert(a, new_dtype, weak_type)?.into());
        }
        let op = ConvertElementType {
            new_dtype,
            weak_type,
        };
        self.bind1(&op, core::slice::from_ref(x))
    }

    /// The value as a constant to differentiation.
    pub fn stop_gradient(&self, x: &Value) -> Result<Value> {
        self.bind1(&StopGradient, core::slice::from_ref(x))
    }

    /// The same values as a new array.
    pub fn copy(&self, x: &Value) -> Result<Value> {
        self.bind1(&CopyArray, core::slice::from_ref(x))
    }
}
