//! Reductions over axes.

use super::elementwise::{Accepts, accept};
use super::movement::linear_jvp;
use super::rule::{Ctx, Duals, Env, Operand, Param, Primitive, Tangent};
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::error::Result;
use crate::shape::{Shape, strides, tuple};
use crate::value::Value;

/// The type of a reduction's result: the reduced axes are gone.
pub fn reduced(x: &Aval, axes: &[usize]) -> Aval {
    let kept = x
        .shape
        .iter()
        .enumerate()
        .filter(|(i, _)| !axes.contains(i))
        .map(|(_, n)| *n);
    Aval {
        shape: kept.collect(),
        ..x.clone()
    }
}

/// Axes that are kept, in order: where a reduction's result lies in its operand.
pub fn kept_axes(rank: usize, axes: &[usize]) -> Vec<usize> {
    (0..rank).filter(|i| !axes.contains(i)).collect()
}

/// Sum over axes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ReduceSum {
    /// The axes summed over, ascending.
    pub axes: Shape,
}

impl Primitive for ReduceSum {
    fn name(&self) -> &'static str {
        "reduce_sum"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("axes", Param::Text(tuple(&self.axes))),
            ("out_sharding", Param::Text("None".into())),
        ]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        accept("reduce_sum", Accepts::Numbers, avals[0], 0)?;
        Ok(vec![reduced(avals[0], &self.axes)])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let x = &args[0];
        let mut out = ArrayMut::zeroed(reduced(x.aval(), &self.axes))?;
        let (s, kept) = (strides(x.shape()), kept_axes(x.shape().len(), &self.axes));
        let t = strides(&out.aval().shape.clone());
        let o = out.slice_mut::<f32>();
        for (i, v) in x.as_slice::<f32>().iter().enumerate() {
            let at: usize = kept
                .iter()
                .zip(&t)
                .map(|(&a, &t)| i / s[a] % x.shape()[a] * t)
                .sum();
            o[at] += v;
        }
        Ok(vec![out.freeze()])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let Some(ct) = &cts[0] else {
            return Ok(vec![None]);
        };
        let shape = &args[0].aval().shape;
        let kept = kept_axes(shape.len(), &self.axes);
        Ok(vec![Some(cx.broadcast_in_dim(ct, shape, &kept)?)])
    }

    fn batch(
        &self,
        cx: &Ctx,
        _: usize,
        args: &[Value],
        _: &[bool],
    ) -> Result<(Vec<Value>, Vec<bool>)> {
        let axes: Shape = self.axes.iter().map(|a| a + 1).collect();
        Ok((vec![cx.reduce_sum(&args[0], &axes)?], vec![true]))
    }
}
