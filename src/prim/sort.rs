//! Sorting along an axis, and the greatest few.

use super::gather::python_bool;
use super::movement::refused;
use super::rule::{Ctx, Duals, Env, Lanes, Operand, Param, Primitive, Tangent};
use super::typing::mismatch;
use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result, Rule};
use crate::runtime::sort;
use crate::shape::{Shape, tuple};
use crate::value::Value;
use alloc::{format, string::String, string::ToString, vec, vec::Vec};

/// Sorts along an axis by the first `num_keys` operands; the others are reordered with them. NaN
/// comes last.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Sort {
    /// The axis.
    pub dimension: usize,
    /// Whether equals must keep their order; here they always do.
    pub is_stable: bool,
    /// How many of the operands are compared.
    pub num_keys: usize,
}

impl Primitive for Sort {
    fn name(&self) -> &'static str {
        "sort"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("dimension", Param::Text(self.dimension.to_string())),
            ("is_stable", python_bool(self.is_stable)),
            ("num_keys", Param::Text(self.num_keys.to_string())),
        ]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let Some(first) = avals.first() else {
            return Err(Error::type_error("Sort requires at least one operand"));
        };
        if avals.iter().any(|a| a.shape != first.shape) {
            let shapes: Vec<String> = avals.iter().map(|a| tuple(&a.shape)).collect();
            let message = format!(
                "Arguments to sort must have equal shapes, got: {}",
                shapes.join(" ")
            );
            return Err(mismatch(Class::TypeError, message, avals));
        }
        let message = if self.num_keys == 0 || self.num_keys > avals.len() {
            let (keys, all) = (self.num_keys, avals.len());
            format!("num_keys={keys} must be between 1 and len(operand)={all}")
        } else if self.dimension >= first.rank() {
            let (axis, rank) = (self.dimension, first.rank());
            format!("axis {axis} is out of bounds for array of dimension {rank}")
        } else {
            return Ok(avals.iter().map(|a| (*a).clone()).collect());
        };
        Err(mismatch(Class::ValueError, message, avals))
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        sort::sort(args, self.dimension, self.num_keys)
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        // The places come along as one more operand; tangents are gathered from there.
        let shape = primals[0].shape();
        let places = cx.iota(DType::U32, shape, self.dimension)?;
        let args: Vec<Value> = primals.iter().cloned().chain([places]).collect();
        let mut outs = cx.bind(self, &args)?;
        let places = outs
            .pop()
            .ok_or_else(|| Error::internal("sort lost an operand"))?;
        let mut column = Shape::from_slice(shape);
        column.push(1);
        let dims: Shape = (0..shape.len()).collect();
        let places = cx.broadcast_in_dim(&places, &column, &dims)?;
        let gathered = |t: &Value| cx.gather_along(t, &places, self.dimension);
        let tangents = tangents
            .iter()
            .map(|t| t.as_ref().map(gathered).transpose());
        Ok((outs, tangents.collect::<Result<Vec<_>>>()?))
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(Error::rule_missing("sort", Rule::Transpose))
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], batched: &[bool]) -> Result<Lanes> {
        let front = |(v, &b): (&Value, &bool)| match b {
            true => Ok(v.clone()),
            false => cx.with_leading_axis(v, size),
        };
        let args = args
            .iter()
            .zip(batched)
            .map(front)
            .collect::<Result<Vec<_>>>()?;
        let op = Sort {
            dimension: self.dimension + 1,
            ..self.clone()
        };
        let outs = cx.bind(&op, &args)?;
        let mapped = vec![true; outs.len()];
        Ok((outs, mapped))
    }
}

/// The `k` greatest elements along an axis, descending, and where they are (int32).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TopK {
    /// How many.
    pub k: usize,
    /// The axis.
    pub axis: usize,
}

impl Primitive for TopK {
    fn name(&self) -> &'static str {
        "top_k"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("axis", Param::Text(self.axis.to_string())),
            ("k", Param::Text(self.k.to_string())),
        ]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let x = avals[0];
        let (k, axis) = (self.k, self.axis);
        let message = match x.shape.get(axis) {
            None => format!(
                "axis {axis} is out of bounds for array of dimension {}",
                x.rank()
            ),
            Some(&n) if k > n => format!(
                "k argument to top_k must be no larger than size along axis; got k={k} with shape={:?} \
                 and axis={axis}",
                x.shape.as_slice()
            ),
            Some(_) => {
                let mut values = x.clone();
                values.shape[axis] = k;
                let indices = Aval::new(&values.shape, DType::I32);
                return Ok(vec![values, indices]);
            }
        };
        Err(refused(Class::ValueError, message, x))
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let (values, indices) = sort::top_k(&args[0], self.axis, self.k)?;
        Ok(vec![values, indices])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let outs = cx.bind(self, primals)?;
        let tangent = match &tangents[0] {
            None => None,
            Some(t) => {
                let mut column = Shape::from_slice(outs[1].shape());
                column.push(1);
                let places = cx.reshape(&outs[1], &column)?;
                Some(cx.gather_along(t, &places, self.axis)?)
            }
        };
        Ok((outs, vec![tangent, None]))
    }

    fn transpose(&self, _: &Ctx, _: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        Err(Error::rule_missing("top_k", Rule::Transpose))
    }

    fn batch(&self, cx: &Ctx, _: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        let (values, indices) = cx.top_k(&args[0], self.k, self.axis + 1)?;
        Ok((vec![values, indices], vec![true, true]))
    }
}

impl Ctx {
    /// Sorts along an axis by the first `num_keys` operands, stably.
    pub fn sort(
        &self,
        operands: &[Value],
        dimension: usize,
        num_keys: usize,
    ) -> Result<Vec<Value>> {
        let op = Sort {
            dimension,
            is_stable: true,
            num_keys,
        };
        self.bind(&op, operands)
    }

    /// The `k` greatest along an axis, descending, and their indices.
    pub fn top_k(&self, x: &Value, k: usize, axis: usize) -> Result<(Value, Value)> {
        let mut outs = self
            .bind(&TopK { k, axis }, core::slice::from_ref(x))?
            .into_iter();
        match (outs.next(), outs.next()) {
            (Some(values), Some(indices)) => Ok((values, indices)),
            _ => Err(Error::internal("top_k gives two results")),
        }
    }
}
