//! Shape primitives: they move elements and compute nothing.

use super::rule::{Ctx, Duals, Env, Operand, Param, Primitive, Tangent};
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::error::{Error, Result};
use crate::shape::{Shape, numel, strides, tuple};
use crate::value::Value;

/// The JVP of a primitive linear in its one operand.
pub fn linear_jvp(
    cx: &Ctx,
    op: &dyn Primitive,
    primals: &[Value],
    tangents: &[Tangent],
) -> Result<Duals> {
    let out = cx.bind1(op, primals)?;
    let tangent = match &tangents[0] {
        Some(t) => Some(cx.bind1(op, std::slice::from_ref(t))?),
        None => None,
    };
    Ok((vec![out], vec![tangent]))
}

/// The same elements, row-major, in another shape.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reshape {
    /// The new axis sizes.
    pub new_sizes: Shape,
}

impl Primitive for Reshape {
    fn name(&self) -> &'static str {
        "reshape"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("dimensions", Param::Text("None".into())),
            ("new_sizes", Param::Text(tuple(&self.new_sizes))),
            ("sharding", Param::Text("None".into())),
        ]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let x = avals[0];
        if numel(&self.new_sizes) != x.numel() {
            let message = format!(
                "reshape total size must be unchanged, got new_sizes {} (total size {}) for shape {} (total size {})",
                tuple(&self.new_sizes),
                numel(&self.new_sizes),
                tuple(&x.shape),
                x.numel()
            );
            let class = crate::error::Class::TypeError;
            return Err(Error::mismatch(class, message, std::slice::from_ref(x)));
        }
        Ok(vec![Aval {
            shape: self.new_sizes.clone(),
            ..x.clone()
        }])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        Ok(vec![args[0].reshaped(&self.new_sizes)])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let back = |ct: &Value| cx.reshape(ct, &args[0].aval().shape);
        Ok(vec![cts[0].as_ref().map(back).transpose()?])
    }

    fn batch(
        &self,
        cx: &Ctx,
        size: usize,
        args: &[Value],
        _: &[bool],
    ) -> Result<(Vec<Value>, Vec<bool>)> {
        let mut sizes = self.new_sizes.clone();
        sizes.insert(0, size);
        Ok((vec![cx.reshape(&args[0], &sizes)?], vec![true]))
    }
}

/// Places operand axis `i` at result axis `broadcast_dimensions[i]`, repeating along the rest.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BroadcastInDim {
    /// The result's axis sizes.
    pub shape: Shape,
    /// For every operand axis its place in the result.
    pub broadcast_dimensions: Shape,
}

impl Primitive for BroadcastInDim {
    fn name(&self) -> &'static str {
        "broadcast_in_dim"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        // JAX leaves out the shape, which the result's type shows, and empty dimensions.
        if self.broadcast_dimensions.is_empty() {
            return vec![];
        }
        vec![(
            "broadcast_dimensions",
            Param::Text(tuple(&self.broadcast_dimensions)),
        )]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let x = avals[0];
        let fits = self.broadcast_dimensions.len() == x.rank()
            && self.broadcast_dimensions.windows(2).all(|w| w[0] < w[1])
            && x.shape
                .iter()
                .zip(&self.broadcast_dimensions)
                .all(|(&n, &d)| self.shape.get(d).is_some_and(|&m| n == m || n == 1));
        if !fits {
            let message = format!(
                "broadcast_in_dim operand of shape {} does not fit shape {} along dimensions {}",
                tuple(&x.shape),
                tuple(&self.shape),
                tuple(&self.broadcast_dimensions)
            );
            let class = crate::error::Class::TypeError;
            return Err(Error::mismatch(class, message, std::slice::from_ref(x)));
        }
        Ok(vec![Aval {
            shape: self.shape.clone(),
            ..x.clone()
        }])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let x = &args[0];
        let aval = Aval {
            shape: self.shape.clone(),
            ..x.aval().clone()
        };
        let mut out = ArrayMut::uninit(aval)?;
        let size = x.dtype().size();
        let (src, in_strides) = (x.bytes(), strides(x.shape()));
        let out_strides = strides(&self.shape);
        for (i, o) in out.bytes_mut().chunks_exact_mut(size.max(1)).enumerate() {
            let from: usize = (0..x.shape().len())
                .filter(|&a| x.shape()[a] != 1)
                .map(|a| {
                    let d = self.broadcast_dimensions[a];
                    i / out_strides[d] % self.shape[d] * in_strides[a]
                })
                .sum();
            o.copy_from_slice(&src[from * size..(from + 1) * size]);
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
        let operand = &args[0].aval().shape;
        let stretched = |d: usize| {
            let at = self.broadcast_dimensions.iter().position(|&b| b == d);
            at.is_none_or(|a| operand[a] == 1 && self.shape[d] != 1)
        };
        let axes: Vec<usize> = (0..self.shape.len()).filter(|&d| stretched(d)).collect();
        let summed = cx.reduce_sum(ct, &axes)?;
        Ok(vec![Some(cx.reshape(&summed, operand)?)])
    }

    fn batch(
        &self,
        cx: &Ctx,
        size: usize,
        args: &[Value],
        _: &[bool],
    ) -> Result<(Vec<Value>, Vec<bool>)> {
        let mut shape = self.shape.clone();
        shape.insert(0, size);
        let mut dims: Shape = self.broadcast_dimensions.iter().map(|d| d + 1).collect();
        dims.insert(0, 0);
        Ok((
            vec![cx.broadcast_in_dim(&args[0], &shape, &dims)?],
            vec![true],
        ))
    }
}
