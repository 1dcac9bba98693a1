//! Putting arrays together and taking them apart: concatenate and split, stack and unstack, tile.

use super::movement::{linear_jvp, linear_transpose, mapped, refused};
use super::rule::{Ctx, Duals, Env, Lanes, Operand, Param, Primitive, Tangent};
use super::typing::{mismatch, same_dtypes};
use crate::array::Array;
use crate::aval::Aval;
use crate::error::{Class, Error, Result};
use crate::runtime::movement;
use crate::shape::{Shape, tuple};
use crate::value::Value;
use alloc::{format, string::String, string::ToString, vec, vec::Vec};

fn shapes(avals: &[&Aval]) -> String {
    let shapes: Vec<String> = avals.iter().map(|a| tuple(&a.shape)).collect();
    shapes.join(", ")
}

/// The JVP of a primitive linear in all its operands together: missing tangents become zeros.
fn jointly_linear(
    cx: &Ctx,
    op: &dyn Primitive,
    primals: &[Value],
    tangents: &[Tangent],
) -> Result<Duals> {
    let out = cx.bind(op, primals)?;
    let tangents = full(cx, tangents, |i| primals[i].aval().clone())?;
    let tangent = cx.bind1(op, &tangents)?;
    Ok((out, vec![Some(tangent)]))
}

/// Tangents or cotangents with zeros made explicit.
fn full(cx: &Ctx, given: &[Tangent], aval: impl Fn(usize) -> Aval) -> Result<Vec<Value>> {
    let values = given.iter().enumerate();
    values
        .map(|(i, t)| match t {
            Some(t) => Ok(t.clone()),
            None => cx.zeros(&aval(i)),
        })
        .collect()
}

/// Cotangents of joined operands, only where they are wanted.
fn wanted(parts: Vec<Value>, args: &[Operand]) -> Vec<Tangent> {
    let parts = parts.into_iter().zip(args);
    parts.map(|(p, a)| a.is_linear().then_some(p)).collect()
}

/// Operands that all carry the mapped axis in front.
fn all_mapped(cx: &Ctx, size: usize, args: &[Value], batched: &[bool]) -> Result<Vec<Value>> {
    args.iter()
        .zip(batched)
        .map(|(v, &b)| match b {
            true => Ok(v.clone()),
            false => cx.with_leading_axis(v, size),
        })
        .collect()
}

/// One after the other along an axis.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Concatenate {
    /// The axis along which operands are put one after the other.
    pub dimension: usize,
}

impl Primitive for Concatenate {
    fn name(&self) -> &'static str {
        "concatenate"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("dimension", Param::Text(self.dimension.to_string()))]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let d = self.dimension;
        let Some(first) = avals.first() else {
            let message = "concatenate requires a non-empty sequences of arrays";
            return Err(Error::value_error(message));
        };
        let message = if avals.iter().any(|a| a.rank() != first.rank()) {
            let shapes = shapes(avals);
            format!("Cannot concatenate arrays with different numbers of dimensions: got {shapes}.")
        } else if d >= first.rank() {
            let shapes = shapes(avals);
            format!("concatenate dimension out of bounds: dimension {d} for shapes {shapes}.")
        } else if avals
            .iter()
            .any(|a| a.shape[..d] != first.shape[..d] || a.shape[d + 1..] != first.shape[d + 1..])
        {
            format!(
                "Cannot concatenate arrays with shapes that differ in dimensions other than the one \
                 being concatenated: concatenating along dimension {d} for shapes {}.",
                shapes(avals)
            )
        } else {
            same_dtypes("concatenate", avals)?;
            let mut out = (*first).clone().with_weak(avals.iter().all(|a| a.weak));
            out.shape[d] = avals
                .iter()
                .fold(0, |n: usize, a| n.saturating_add(a.shape[d]));
            return Ok(vec![out]);
        };
        Err(mismatch(Class::TypeError, message, avals))
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let avals: Vec<&Aval> = args.iter().map(Array::aval).collect();
        let mut out = avals[0].clone().with_weak(avals.iter().all(|a| a.weak));
        out.shape[self.dimension] = avals.iter().map(|a| a.shape[self.dimension]).sum();
        Ok(vec![movement::concatenate(args, self.dimension, out)?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        jointly_linear(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let Some(ct) = &cts[0] else {
            return Ok(vec![None; args.len()]);
        };
        let d = self.dimension;
        let sizes: Shape = args.iter().map(|a| a.aval().shape[d]).collect();
        Ok(wanted(cx.split(ct, &sizes, d)?, args))
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], batched: &[bool]) -> Result<Lanes> {
        let args = all_mapped(cx, size, args, batched)?;
        mapped(cx.concatenate(&args, self.dimension + 1))
    }
}

/// Cuts an array along an axis into pieces of given sizes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Split {
    /// The pieces' sizes.
    pub sizes: Shape,
    /// The axis cut.
    pub axis: usize,
}

impl Primitive for Split {
    fn name(&self) -> &'static str {
        "split"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![
            ("axis", Param::Text(self.axis.to_string())),
            ("sizes", Param::Text(tuple(&self.sizes))),
        ]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let x = avals[0];
        let total: usize = self.sizes.iter().fold(0, |a, &b| a.saturating_add(b));
        let message = if self.axis >= x.rank() {
            let (axis, rank) = (self.axis, x.rank());
            format!("axis {axis} is out of bounds for array of dimension {rank}")
        } else if total != x.shape[self.axis] {
            format!(
                "Sum of sizes {total} must be equal to dimension {} of the operand shape {:?}",
                self.axis,
                x.shape.as_slice()
            )
        } else {
            let piece = |&n: &usize| {
                let mut piece = x.clone();
                piece.shape[self.axis] = n;
                piece
            };
            return Ok(self.sizes.iter().map(piece).collect());
        };
        Err(refused(Class::ValueError, message, x))
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let x = &args[0];
        let mut starts: Shape = Shape::from_elem(0, x.shape().len());
        let mut pieces = Vec::with_capacity(self.sizes.len());
        for &n in &self.sizes {
            let mut sizes = Shape::from_slice(x.shape());
            sizes[self.axis] = n;
            pieces.push(movement::slice(x, &starts, &sizes, None)?);
            starts[self.axis] += n;
        }
        Ok(pieces)
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let x = args[0].aval();
        let cts = full(cx, cts, |i| {
            let mut piece = x.clone();
            piece.shape[self.axis] = self.sizes[i];
            piece
        })?;
        Ok(vec![Some(cx.concatenate(&cts, self.axis)?)])
    }

    fn batch(&self, cx: &Ctx, _: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        let pieces = cx.split(&args[0], &self.sizes, self.axis + 1)?;
        let mapped = vec![true; pieces.len()];
        Ok((pieces, mapped))
    }
}

/// Puts arrays of one shape side by side along a new axis.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Stack {
    /// The new axis.
    pub axis: usize,
}

impl Primitive for Stack {
    fn name(&self) -> &'static str {
        "stack"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("axis", Param::Text(self.axis.to_string()))]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let Some(first) = avals.first() else {
            return Err(Error::value_error("Need at least one array to stack."));
        };
        let message = if avals.iter().any(|a| a.rank() != first.rank()) {
            let shapes = shapes(avals);
            format!("Cannot stack arrays with different numbers of dimensions: got {shapes}.")
        } else if avals.iter().any(|a| a.shape != first.shape) {
            let shapes = shapes(avals);
            format!("All input arrays must have the same shape. Got {shapes}.")
        } else if self.axis > first.rank() {
            let (axis, rank) = (self.axis, first.rank() + 1);
            format!("axis {axis} is out of bounds for array of dimension {rank}")
        } else {
            same_dtypes("stack", avals)?;
            let mut out = (*first).clone().with_weak(avals.iter().all(|a| a.weak));
            out.shape.insert(self.axis, avals.len());
            return Ok(vec![out]);
        };
        Err(mismatch(Class::ValueError, message, avals))
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let mut piece = Shape::from_slice(args[0].shape());
        piece.insert(self.axis, 1);
        let pieces: Vec<Array> = args.iter().map(|a| a.reshaped(&piece)).collect();
        let mut out = pieces[0].aval().clone();
        out.shape[self.axis] = args.len();
        out.weak = args.iter().all(|a| a.aval().weak);
        Ok(vec![movement::concatenate(&pieces, self.axis, out)?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        jointly_linear(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        match &cts[0] {
            Some(ct) => Ok(wanted(cx.unstack(ct, self.axis)?, args)),
            None => Ok(vec![None; args.len()]),
        }
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], batched: &[bool]) -> Result<Lanes> {
        let args = all_mapped(cx, size, args, batched)?;
        mapped(cx.stack(&args, self.axis + 1))
    }
}

/// Takes an array apart along an axis, which disappears.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Unstack {
    /// The axis taken apart.
    pub axis: usize,
}

impl Primitive for Unstack {
    fn name(&self) -> &'static str {
        "unstack"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("axis", Param::Text(self.axis.to_string()))]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let x = avals[0];
        if self.axis >= x.rank() {
            let (axis, rank) = (self.axis, x.rank());
            let message = format!("axis {axis} is out of bounds for array of dimension {rank}");
            return Err(refused(Class::ValueError, message, x));
        }
        let mut piece = x.clone();
        let n = piece.shape.remove(self.axis);
        Ok(vec![piece; n])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let x = &args[0];
        let mut starts: Shape = Shape::from_elem(0, x.shape().len());
        let mut sizes = Shape::from_slice(x.shape());
        let n = core::mem::replace(&mut sizes[self.axis], 1);
        let mut flat = sizes.clone();
        flat.remove(self.axis);
        let mut pieces = Vec::with_capacity(n);
        for i in 0..n {
            starts[self.axis] = i;
            pieces.push(movement::slice(x, &starts, &sizes, None)?.reshaped(&flat));
        }
        Ok(pieces)
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let mut piece = args[0].aval().clone();
        piece.shape.remove(self.axis);
        let cts = full(cx, cts, |_| piece.clone())?;
        Ok(vec![Some(cx.stack(&cts, self.axis)?)])
    }

    fn batch(&self, cx: &Ctx, _: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        let pieces = cx.unstack(&args[0], self.axis + 1)?;
        let mapped = vec![true; pieces.len()];
        Ok((pieces, mapped))
    }
}

/// Repeats an array along its axes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Tile {
    /// How often along each axis.
    pub reps: Shape,
}

impl Primitive for Tile {
    fn name(&self) -> &'static str {
        "tile"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("reps", Param::Text(tuple(&self.reps)))]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let x = avals[0];
        if self.reps.len() != x.rank() {
            let message = format!(
                "reps length must be equal to the ndim of x, got len(reps)={} and x.ndim={}.",
                self.reps.len(),
                x.rank()
            );
            return Err(refused(Class::TypeError, message, x));
        }
        let sizes = x.shape.iter().zip(&self.reps);
        let shape: Shape = sizes.map(|(a, &b)| a.saturating_mul(b)).collect();
        Ok(vec![x.with_shape(&shape)])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let x = &args[0];
        let inner = movement::View::whole(x.shape());
        let mut view = movement::View {
            offset: 0,
            strides: Default::default(),
        };
        let (mut walk, mut shape) = (Shape::new(), Shape::new());
        for (i, (&n, &r)) in x.shape().iter().zip(&self.reps).enumerate() {
            walk.extend([r, n]);
            view.strides.extend([0, inner.strides[i]]);
            shape.push(n * r);
        }
        Ok(vec![
            movement::gather_view(x, &walk, &view)?.reshaped(&shape),
        ])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        linear_jvp(cx, self, primals, tangents)
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let shape = &args[0].aval().shape;
        let pairs = self.reps.iter().zip(shape);
        let split: Shape = pairs.flat_map(|(&r, &n)| [r, n]).collect();
        let repeats: Shape = (0..shape.len()).map(|i| 2 * i).collect();
        linear_transpose(cts, |ct| cx.reduce_sum(&cx.reshape(ct, &split)?, &repeats))
    }

    fn batch(&self, cx: &Ctx, _: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        let reps = core::iter::once(1)
            .chain(self.reps.iter().copied())
            .collect();
        mapped(cx.bind1(&Tile { reps }, &args[..1]))
    }
}

impl Ctx {
    /// One after the other along axis `dimension`; a single operand is itself.
    pub fn concatenate(&self, parts: &[Value], dimension: usize) -> Result<Value> {
        match parts {
            [one] => Ok(one.clone()),
            _ => self.bind1(&Concatenate { dimension }, parts),
        }
    }

    /// Pieces of the given sizes along `axis`.
    pub fn split(&self, x: &Value, sizes: &[usize], axis: usize) -> Result<Vec<Value>> {
        let sizes = Shape::from_slice(sizes);
        self.bind(&Split { sizes, axis }, core::slice::from_ref(x))
    }

    /// Side by side along a new axis.
    pub fn stack(&self, parts: &[Value], axis: usize) -> Result<Value> {
        self.bind1(&Stack { axis }, parts)
    }

    /// Taken apart along an axis, which disappears.
    pub fn unstack(&self, x: &Value, axis: usize) -> Result<Vec<Value>> {
        self.bind(&Unstack { axis }, core::slice::from_ref(x))
    }

    /// Repeats along each axis.
    pub fn tile(&self, x: &Value, reps: &[usize]) -> Result<Value> {
        let reps = Shape::from_slice(reps);
        self.bind1(&Tile { reps }, core::slice::from_ref(x))
    }
}
