//! Boxes at computed places, one coordinate an operand: dynamic_slice and dynamic_update_slice.
//! Boxes that would reach over the edge are moved inside.

use super::gather::Gather;
use super::rule::{Ctx, Duals, Env, Lanes, Operand, Param, Primitive, Tangent};
use super::scatter::{Scatter, ScatterDims, Update};
use super::typing::mismatch;
use crate::array::Array;
use crate::aval::Aval;
use crate::error::{Class, Error, Result, Rule};
use crate::runtime::index::{GatherDims, Mode, clamped_starts};
use crate::runtime::movement;
use crate::shape::{Shape, tuple};
use crate::value::Value;
use alloc::{format, string::String, vec, vec::Vec};

/// A box of fixed size. Operands: the array, then the first index along every axis.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DynamicSlice {
    /// The box's size along every axis.
    pub slice_sizes: Shape,
}

/// The array with a box overwritten. Operands: the array, the box's new elements, then the first
/// index along every axis.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DynamicUpdateSlice;

/// Refuses starts that are not one integer scalar per axis, in JAX's words.
fn check_starts(
    name: &str,
    separator: &str,
    rank: &Aval,
    starts: &[&Aval],
    avals: &[&Aval],
) -> Result<()> {
    if starts.len() != rank.rank() {
        let message = format!(
            "Length of slice indices must match number of operand dimensions ({} vs {})",
            starts.len(),
            tuple(&rank.shape)
        );
        return Err(mismatch(Class::ValueError, message, avals));
    }
    if starts.iter().any(|s| s.rank() != 0) {
        let all: Vec<String> = starts
            .iter()
            .map(|s| format!("ShapedArray({})", s.long()))
            .collect();
        let message = format!(
            "start_indices arguments to {name} must be scalars,  got indices ({})",
            all.join(", ")
        );
        return Err(mismatch(Class::TypeError, message, avals));
    }
    let fits = starts.iter().all(|s| s.dtype.is_int())
        && starts.windows(2).all(|w| w[0].dtype == w[1].dtype);
    if !fits {
        let dtypes: Vec<&str> = starts.iter().map(|s| s.dtype.name()).collect();
        let message = format!(
            "index arguments to {name} must be integers of the same type, got{separator} {}",
            dtypes.join(", ")
        );
        return Err(mismatch(Class::TypeError, message, avals));
    }
    Ok(())
}

/// The starts as the indices of a gather, and whether they carry the mapped axis.
fn joined_starts(
    cx: &Ctx,
    size: usize,
    starts: &[Value],
    batched: &[bool],
) -> Result<(Value, bool)> {
    let any = batched.contains(&true);
    let columns = starts
        .iter()
        .zip(batched)
        .map(|(s, &b)| match (any, b) {
            (false, _) => cx.broadcast_in_dim(s, &[1], &[]),
            (true, true) => cx.broadcast_in_dim(s, &[size, 1], &[0]),
            (true, false) => cx.broadcast_in_dim(s, &[size, 1], &[]),
        })
        .collect::<Result<Vec<_>>>()?;
    if columns.is_empty() {
        let none = Aval::new(&[0], crate::dtype::DType::I32);
        return Ok((cx.zeros(&none)?, false));
    }
    Ok((cx.concatenate(&columns, usize::from(any))?, any))
}

impl Primitive for DynamicSlice {
    fn name(&self) -> &'static str {
        "dynamic_slice"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![("slice_sizes", Param::Text(tuple(&self.slice_sizes)))]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let Some((x, starts)) = avals.split_first() else {
            return Err(Error::internal("dynamic_slice takes at least one operand"));
        };
        check_starts("dynamic_slice", ":", x, starts, avals)?;
        let texts = || (tuple(&self.slice_sizes), tuple(&x.shape));
        let message = if self.slice_sizes.len() != x.rank() {
            let (sizes, shape) = texts();
            format!(
                "slice slice_sizes must have length equal to the number of dimensions of the operand, \
                 got slice_sizes {sizes} for operand shape {shape}."
            )
        } else if self.slice_sizes.iter().zip(&x.shape).any(|(s, n)| s > n) {
            let (sizes, shape) = texts();
            format!(
                "slice slice_sizes must be less than or equal to operand shape, got slice_sizes {sizes} \
                 for operand shape {shape}."
            )
        } else {
            return Ok(vec![x.with_shape(&self.slice_sizes)]);
        };
        Err(mismatch(Class::TypeError, message, avals))
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let starts = clamped_starts(args[0].shape(), &self.slice_sizes, &args[1..])?;
        Ok(vec![movement::slice(
            &args[0],
            &starts,
            &self.slice_sizes,
            None,
        )?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let tangent = match &tangents[0] {
            Some(t) => {
                let mut args = primals.to_vec();
                args[0] = t.clone();
                Some(cx.bind1(self, &args)?)
            }
            None => None,
        };
        Ok((cx.bind(self, primals)?, vec![tangent]))
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let Some(ct) = &cts[0] else {
            return Ok(vec![None; args.len()]);
        };
        let mut operands = vec![cx.full(0.0, args[0].aval())?, ct.clone()];
        operands.extend(args[1..].iter().filter_map(Operand::known).cloned());
        let mut out: Vec<Tangent> = vec![None; args.len()];
        out[0] = Some(cx.bind1(&DynamicUpdateSlice, &operands)?);
        Ok(out)
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], batched: &[bool]) -> Result<Lanes> {
        let axes: Shape = (0..self.slice_sizes.len()).collect();
        let dims = GatherDims {
            offset_dims: axes.clone(),
            start_index_map: axes,
            ..GatherDims::default()
        };
        let op = Gather {
            indices_are_sorted: true,
            unique_indices: true,
            ..Gather::new(dims, &self.slice_sizes, Mode::Clip)
        };
        let (starts, mapped) = joined_starts(cx, size, &args[1..], &batched[1..])?;
        op.batch(cx, size, &[args[0].clone(), starts], &[batched[0], mapped])
    }
}

impl Primitive for DynamicUpdateSlice {
    fn name(&self) -> &'static str {
        "dynamic_update_slice"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        vec![]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [x, update, starts @ ..] = avals else {
            return Err(Error::internal(
                "dynamic_update_slice takes at least two operands",
            ));
        };
        check_starts("dynamic_update_slice", "", x, starts, avals)?;
        let texts = || (tuple(&update.shape), tuple(&x.shape));
        let message = if x.dtype != update.dtype {
            format!(
                "lax.dynamic_update_slice requires arguments to have the same dtypes, got {}, {}.",
                x.dtype, update.dtype
            )
        } else if x.rank() != update.rank() {
            let (u, shape) = texts();
            format!(
                "dynamic_update_slice update must have the same rank as operand, got update shape {u} \
                 for operand shape {shape}."
            )
        } else if update.shape.iter().zip(&x.shape).any(|(s, n)| s > n) {
            let (u, shape) = texts();
            format!(
                "dynamic_update_slice update shape must be smaller than operand shape, got update shape \
                 {u} for operand shape {shape}."
            )
        } else {
            return Ok(vec![(*x).clone()]);
        };
        Err(mismatch(Class::TypeError, message, avals))
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let starts = clamped_starts(args[0].shape(), args[1].shape(), &args[2..])?;
        Ok(vec![movement::update(&args[0], &args[1], &starts)?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let out = cx.bind(self, primals)?;
        let mut args = primals.to_vec();
        for i in [0, 1] {
            args[i] = match &tangents[i] {
                Some(t) => t.clone(),
                None => cx.full(0.0, primals[i].aval())?,
            };
        }
        Ok((out, vec![Some(cx.bind1(self, &args)?)]))
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let mut out: Vec<Tangent> = vec![None; args.len()];
        let Some(ct) = &cts[0] else {
            return Ok(out);
        };
        if args[2..].iter().any(Operand::is_linear) {
            return Err(Error::rule_missing("dynamic_update_slice", Rule::Transpose));
        }
        let starts: Vec<Value> = args[2..]
            .iter()
            .filter_map(Operand::known)
            .cloned()
            .collect();
        let update = args[1].aval();
        if args[0].is_linear() {
            let zeros = cx.full(0.0, update)?;
            out[0] = Some(cx.dynamic_update_slice(ct, &zeros, &starts)?);
        }
        if args[1].is_linear() {
            out[1] = Some(cx.dynamic_slice(ct, &starts, &update.shape)?);
        }
        Ok(out)
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], batched: &[bool]) -> Result<Lanes> {
        let rank = args[0].rank() - usize::from(batched[0]);
        let axes: Shape = (0..rank).collect();
        let dims = ScatterDims {
            update_window_dims: axes.clone(),
            scatter_dims_to_operand_dims: axes,
            ..ScatterDims::default()
        };
        let op = Scatter {
            indices_are_sorted: true,
            unique_indices: true,
            ..Scatter::new(Update::Set, dims, Mode::Clip, args[0].dtype())
        };
        let (starts, mapped) = joined_starts(cx, size, &args[2..], &batched[2..])?;
        let args = [args[0].clone(), starts, args[1].clone()];
        op.batch(cx, size, &args, &[batched[0], mapped, batched[1]])
    }
}

impl Ctx {
    /// The box of `sizes` elements that begins at `starts`, one integer scalar per axis.
    pub fn dynamic_slice(&self, x: &Value, starts: &[Value], sizes: &[usize]) -> Result<Value> {
        let op = DynamicSlice {
            slice_sizes: Shape::from_slice(sizes),
        };
        let args: Vec<Value> = core::iter::once(x).chain(starts).cloned().collect();
        self.bind1(&op, &args)
    }

    /// `x` with the box that begins at `starts` replaced by `update`.
    pub fn dynamic_update_slice(
        &self,
        x: &Value,
        update: &Value,
        starts: &[Value],
    ) -> Result<Value> {
        let args: Vec<Value> = [x, update].into_iter().chain(starts).cloned().collect();
        self.bind1(&DynamicUpdateSlice, &args)
    }
}
