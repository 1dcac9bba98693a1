//! Shape primitives: they move elements and compute nothing.

use super::rule::{Ctx, Duals, Env, Lanes, Operand, Param, Primitive, Tangent};
use crate::array::Array;
use crate::aval::Aval;
use crate::error::{Class, Error, Result};
use crate::runtime::movement::{self, View, signed};
use crate::shape::{Shape, numel, strides, tuple};
use crate::value::Value;
use alloc::{boxed::Box, format, string::String, vec, vec::Vec};

/// The JVP of a primitive linear in its one operand.
pub fn linear_jvp(
    cx: &Ctx,
    op: &dyn Primitive,
    primals: &[Value],
    tangents: &[Tangent],
) -> Result<Duals> {
    let outs = cx.bind(op, primals)?;
    let tangents = match &tangents[0] {
        Some(t) => {
            let t = cx.bind(op, core::slice::from_ref(t))?;
            t.into_iter().map(Some).collect()
        }
        None => vec![None; outs.len()],
    };
    Ok((outs, tangents))
}

/// The transpose of a primitive linear in its one operand: its cotangent by `back`.
pub fn linear_transpose(
    cts: &[Tangent],
    back: impl FnOnce(&Value) -> Result<Value>,
) -> Result<Vec<Tangent>> {
    Ok(vec![cts[0].as_ref().map(back).transpose()?])
}

/// An operand's shape refused by a primitive.
pub fn refused(class: Class, message: String, x: &Aval) -> Box<Error> {
    Error::mismatch(class, message, core::slice::from_ref(x))
}

/// The results of a batching rule with one result, which is mapped.
pub fn mapped(value: Result<Value>) -> Result<Lanes> {
    Ok((vec![value?], vec![true]))
}

/// Axes shifted by the mapped axis in front.
pub fn shifted(axes: &[usize]) -> Shape {
    axes.iter().map(|a| a + 1).collect()
}

/// Axes shifted by the mapped axis in front, and that axis itself before them.
pub fn shifted_with_front(axes: &[usize]) -> Shape {
    core::iter::once(0)
        .chain(axes.iter().map(|a| a + 1))
        .collect()
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
                "cannot reshape array of shape {} (size {}) into shape {} (size {})",
                tuple(&x.shape),
                x.numel(),
                tuple(&self.new_sizes),
                numel(&self.new_sizes),
            );
            return Err(refused(Class::TypeError, message, x));
        }
        Ok(vec![x.with_shape(&self.new_sizes)])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        Ok(vec![args[0].reshaped(&self.new_sizes)])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        linear_transpose(cts, |ct| cx.reshape(ct, &args[0].aval().shape))
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        let mut sizes = self.new_sizes.clone();
        sizes.insert(0, size);
        mapped(cx.reshape(&args[0], &sizes))
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

impl BroadcastInDim {
    /// What does not fit, in JAX's words.
    fn fault(&self, x: &Aval) -> Option<String> {
        let (dims, shape) = (&self.broadcast_dimensions, &self.shape);
        let what = if x.rank() > shape.len() {
            format!(
                "target broadcast shape must have equal or higher rank to the operand shape; got \
                 operand ndim {} and target broadcast ndim {}.",
                x.rank(),
                shape.len()
            )
        } else if dims.len() != x.rank() {
            format!(
                "broadcast_dimensions must have length equal to operand ndim; got \
                 broadcast_dimensions {} for operand ndim {}.",
                tuple(dims),
                x.rank()
            )
        } else if dims.iter().any(|&d| d >= shape.len()) {
            format!(
                "broadcast_dimensions must be a subset of output dimensions, got {} for operand \
                 ndim {} and shape {}.",
                tuple(dims),
                x.rank(),
                tuple(shape)
            )
        } else if x
            .shape
            .iter()
            .zip(dims)
            .any(|(&n, &d)| n != 1 && n != shape[d])
        {
            format!(
                "operand dimension sizes must either be 1, or be equal to their corresponding \
                 dimensions in the target broadcast shape; got operand of shape {}, target \
                 broadcast shape {}, broadcast_dimensions {} ",
                tuple(&x.shape),
                tuple(shape),
                tuple(dims)
            )
        } else if dims.windows(2).any(|w| w[0] >= w[1]) {
            format!(
                "broadcast_dimensions must be strictly increasing; got {}.",
                tuple(dims)
            )
        } else {
            return None;
        };
        Some(format!("broadcast_in_dim {what}"))
    }
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
        let dims = tuple(&self.broadcast_dimensions);
        vec![("broadcast_dimensions", Param::Text(dims))]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let x = avals[0];
        match self.fault(x) {
            Some(message) => Err(refused(Class::TypeError, message, x)),
            None => Ok(vec![x.with_shape(&self.shape)]),
        }
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let x = &args[0];
        if x.numel() == numel(&self.shape) {
            return Ok(vec![x.reshaped(&self.shape)]);
        }
        let s = strides(x.shape());
        let mut view = View {
            offset: 0,
            strides: core::iter::repeat_n(0, self.shape.len()).collect(),
        };
        for (a, &d) in self.broadcast_dimensions.iter().enumerate() {
            if x.shape()[a] != 1 {
                view.strides[d] = s[a] as isize;
            }
        }
        Ok(vec![movement::gather_view(x, &self.shape, &view)?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let operand = &args[0].aval().shape;
        let dims = &self.broadcast_dimensions;
        let stretched: Vec<usize> = (0..operand.len())
            .filter(|&a| operand[a] == 1 && self.shape[dims[a]] != 1)
            .collect();
        let summed: Vec<usize> = (0..self.shape.len())
            .filter(|d| !dims.contains(d) || stretched.iter().any(|&a| dims[a] == *d))
            .collect();
        linear_transpose(cts, |ct| {
            cx.expand_dims(&cx.reduce_sum(ct, &summed)?, &stretched)
        })
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        let mut shape = self.shape.clone();
        shape.insert(0, size);
        let dims = shifted_with_front(&self.broadcast_dimensions);
        mapped(cx.broadcast_in_dim(&args[0], &shape, &dims))
    }
}

/// Axes in another order: result axis `i` is operand axis `permutation[i]`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Transpose {
    /// For every result axis the operand's.
    pub permutation: Shape,
}

impl Primitive for Transpose {
    fn name(&self) -> &'static str {
        "transpose"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("permutation", Param::Text(tuple(&self.permutation)))]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let x = avals[0];
        let mut sorted = self.permutation.clone();
        crate::shape::sort_few(&mut sorted, |&a| a);
        if !sorted.iter().copied().eq(0..x.rank()) {
            let message = format!(
                "transpose permutation isn't a permutation of operand dimensions, got permutation \
                 {} for operand shape {}.",
                tuple(&self.permutation),
                tuple(&x.shape)
            );
            return Err(refused(Class::TypeError, message, x));
        }
        let shape: Shape = self.permutation.iter().map(|&p| x.shape[p]).collect();
        Ok(vec![x.with_shape(&shape)])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let x = &args[0];
        let shape: Shape = self.permutation.iter().map(|&p| x.shape()[p]).collect();
        // Moving only axes of size 1 leaves the elements where they are.
        let long: Shape = self
            .permutation
            .iter()
            .copied()
            .filter(|&p| x.shape()[p] != 1)
            .collect();
        if long.windows(2).all(|w| w[0] < w[1]) {
            return Ok(vec![x.reshaped(&shape)]);
        }
        let s = signed(&strides(x.shape()));
        let view = View {
            offset: 0,
            strides: self.permutation.iter().map(|&p| s[p]).collect(),
        };
        Ok(vec![movement::gather_view(x, &shape, &view)?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        linear_transpose(cts, |ct| cx.transpose(ct, &inverse(&self.permutation)))
    }

    fn batch(&self, cx: &Ctx, _: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        mapped(cx.transpose(&args[0], &shifted_with_front(&self.permutation)))
    }
}

/// The permutation that undoes `permutation`.
pub fn inverse(permutation: &[usize]) -> Shape {
    let mut out: Shape = Shape::from_elem(0, permutation.len());
    for (i, &p) in permutation.iter().enumerate() {
        out[p] = i;
    }
    out
}

/// Drops axes of size 1.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Squeeze {
    /// The axes to drop, ascending.
    pub dimensions: Shape,
}

impl Primitive for Squeeze {
    fn name(&self) -> &'static str {
        "squeeze"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("dimensions", Param::Text(tuple(&self.dimensions)))]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let x = avals[0];
        let dims = &self.dimensions;
        let message = if let Some(d) = dims.iter().find(|&&d| d >= x.rank()) {
            let rank = x.rank();
            format!("axis {d} is out of bounds for array of dimension {rank}")
        } else if dims.windows(2).any(|w| w[0] >= w[1]) {
            format!("dimensions are not unique: {}", tuple(dims))
        } else if dims.iter().any(|&d| x.shape[d] != 1) {
            format!(
                "cannot select an axis to squeeze out which has size not equal to one, got \
                 shape={} and dimensions={}",
                tuple(&x.shape),
                tuple(dims)
            )
        } else {
            let kept = (0..x.rank()).filter(|d| !dims.contains(d));
            let shape: Shape = kept.map(|d| x.shape[d]).collect();
            return Ok(vec![x.with_shape(&shape)]);
        };
        Err(refused(Class::ValueError, message, x))
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let x = &args[0];
        let kept = (0..x.shape().len()).filter(|d| !self.dimensions.contains(d));
        let shape: Shape = kept.map(|d| x.shape()[d]).collect();
        Ok(vec![x.reshaped(&shape)])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        linear_transpose(cts, |ct| cx.expand_dims(ct, &self.dimensions))
    }

    fn batch(&self, cx: &Ctx, _: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        mapped(cx.squeeze(&args[0], &shifted(&self.dimensions)))
    }
}

/// Turns axes around.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rev {
    /// The axes to reverse.
    pub dimensions: Shape,
}

impl Primitive for Rev {
    fn name(&self) -> &'static str {
        "rev"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("dimensions", Param::Text(tuple(&self.dimensions)))]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let x = avals[0];
        let dims = &self.dimensions;
        let message = if dims.iter().enumerate().any(|(i, d)| dims[..i].contains(d)) {
            format!("rev dimensions must be unique, got {}.", tuple(dims))
        } else if dims.iter().any(|&d| d >= x.rank()) {
            format!(
                "rev dimensions must all be less than operand ndim, got dimensions {} for operand \
                 ndim {}.",
                tuple(dims),
                x.rank()
            )
        } else {
            return Ok(vec![x.clone()]);
        };
        Err(refused(Class::TypeError, message, x))
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let x = &args[0];
        let mut view = View::whole(x.shape());
        if x.numel() == 0 {
            return Ok(vec![x.clone()]);
        }
        for &d in &self.dimensions {
            view.offset += view.strides[d] as usize * (x.shape()[d] - 1);
            view.strides[d] = -view.strides[d];
        }
        Ok(vec![movement::gather_view(x, x.shape(), &view)?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], _: &[Operand]) -> Result<Vec<Tangent>> {
        linear_transpose(cts, |ct| cx.rev(ct, &self.dimensions))
    }

    fn batch(&self, cx: &Ctx, _: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        mapped(cx.rev(&args[0], &shifted(&self.dimensions)))
    }
}

impl Ctx {
    /// Axes in another order; nothing to do where it is theirs already.
    pub fn transpose(&self, x: &Value, permutation: &[usize]) -> Result<Value> {
        if permutation.iter().copied().eq(0..x.rank()) {
            return Ok(x.clone());
        }
        let permutation = Shape::from_slice(permutation);
        self.bind1(&Transpose { permutation }, core::slice::from_ref(x))
    }

    /// Moves one axis, the others keep their order.
    pub fn moveaxis(&self, x: &Value, from: usize, to: usize) -> Result<Value> {
        let mut order: Shape = (0..x.rank()).filter(|&a| a != from).collect();
        order.insert(to.min(order.len()), from);
        self.transpose(x, &order)
    }

    /// Drops axes of size 1; nothing to do for none.
    pub fn squeeze(&self, x: &Value, dimensions: &[usize]) -> Result<Value> {
        if dimensions.is_empty() {
            return Ok(x.clone());
        }
        let dimensions = Shape::from_slice(dimensions);
        self.bind1(&Squeeze { dimensions }, core::slice::from_ref(x))
    }

    /// Puts axes of size 1 at the given places of the result, ascending.
    pub fn expand_dims(&self, x: &Value, axes: &[usize]) -> Result<Value> {
        if axes.is_empty() {
            return Ok(x.clone());
        }
        let rank = x.rank() + axes.len();
        let kept: Vec<usize> = (0..rank).filter(|a| !axes.contains(a)).collect();
        let mut shape: Shape = Shape::from_elem(1, rank);
        for (&a, &n) in kept.iter().zip(x.shape()) {
            shape[a] = n;
        }
        self.broadcast_in_dim(x, &shape, &kept)
    }

    /// Turns axes around.
    pub fn rev(&self, x: &Value, dimensions: &[usize]) -> Result<Value> {
        let dimensions = Shape::from_slice(dimensions);
        self.bind1(&Rev { dimensions }, core::slice::from_ref(x))
    }
}
