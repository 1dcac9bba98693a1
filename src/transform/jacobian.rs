//! Jacobians: a basis of tangents pushed forward, or of cotangents pulled back, all lanes at once.

use super::Named;
use super::linearize::linearize;
use super::vmap::{all_mapped, vmap_front};
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::prim::rule::{Ctx, Fun, Tangent};
use crate::value::Value;
use alloc::rc::Rc;
use alloc::{format, vec, vec::Vec};

/// The jacobian of every result with respect to every input marked in `wrt`.
#[derive(Debug)]
pub struct Jacobian {
    /// Results of the function.
    pub outs: Vec<Value>,
    /// `blocks[o][i]` has shape `out.shape + in.shape`.
    pub blocks: Vec<Vec<Value>>,
}

/// Forward mode: one tangent lane per input element.
pub fn jacfwd(cx: &Ctx, f: &Named, args: &[Value], wrt: &[bool]) -> Result<Jacobian> {
    check_floats("jacfwd", args, wrt)?;
    let chosen: Vec<Aval> = picked(args, wrt).map(|v| v.aval().clone()).collect();
    let (basis, total) = standard_basis(&chosen)?;
    let (g, args_in, mask) = (f.clone(), args.to_vec(), wrt.to_vec());
    let push: Fun = Rc::new(move |cx, lanes| {
        let mut lanes = lanes.iter().cloned();
        let tangents: Vec<Tangent> = mask
            .iter()
            .map(|&w| w.then(|| lanes.next()).flatten())
            .collect();
        let (outs, out_tangents) = super::jvp::jvp(cx, &g, &args_in, &tangents)?;
        let mut all = super::linearize::instantiate_all(cx, &outs, out_tangents)?;
        let mut result = outs;
        result.append(&mut all);
        Ok(result)
    });
    let push = Named::new(&f.name, push);
    let mapped = vec![true; basis.len()];
    let (mut outs, mut flags) = vmap_front(cx, &push, total, &basis, &mapped)?;
    let tangents = outs.split_off(outs.len() / 2);
    let tangent_flags = flags.split_off(flags.len() / 2);
    let tangents = all_mapped(cx, tangents, &tangent_flags, total)?;
    // Results do not depend on the lane, but callbacks and kin may have mapped them.
    let outs: Vec<Value> = outs
        .into_iter()
        .zip(flags)
        .map(|(v, m)| if m { cx.lane(&v, 0) } else { Ok(v) })
        .collect::<Result<_>>()?;
    let mut blocks = Vec::with_capacity(outs.len());
    for (out, t) in outs.iter().zip(&tangents) {
        let last = cx.moveaxis(t, 0, out.rank())?;
        let mut row = Vec::with_capacity(chosen.len());
        let mut start = 0;
        for input in &chosen {
            let end = start + input.numel();
            let block = cx.slice_axis(&last, out.rank(), start, end)?;
            let shape = [out.shape(), &input.shape].concat();
            row.push(cx.reshape(&block, &shape)?);
            start = end;
        }
        blocks.push(row);
    }
    Ok(Jacobian { outs, blocks })
}

/// Reverse mode: one cotangent lane per result element. The first `num_main` results are
/// differentiated, the rest is auxiliary.
pub fn jacrev(
    cx: &Ctx,
    f: &Named,
    args: &[Value],
    wrt: &[bool],
    num_main: impl FnOnce() -> usize,
) -> Result<Jacobian> {
    check_floats("jacrev", args, wrt)?;
    let (outs, linear) = linearize(cx, "jacrev", f, args, wrt)?;
    let main = num_main().min(outs.len());
    let chosen: Vec<Aval> = outs[..main].iter().map(|v| v.aval().clone()).collect();
    for out in &chosen {
        if !out.dtype.is_float() {
            return Err(Error::type_error(format!(
                "jacrev requires real-valued outputs (output dtype that is a sub-dtype of \
                 np.floating), but got {}. For differentiation of functions with integer outputs, \
                 use jax.vjp directly.",
                out.dtype
            )));
        }
    }
    let (basis, total) = standard_basis(&chosen)?;
    let aux = outs.len() - main;
    let mask = wrt.to_vec();
    let pull: Fun = Rc::new(move |cx, lanes| {
        let mut cts: Vec<Tangent> = lanes.iter().cloned().map(Some).collect();
        cts.extend(core::iter::repeat_n(None, aux));
        let all = cx.in_frame("transpose", "", || linear.pull_back_full(cx, &cts))?;
        Ok(all
            .into_iter()
            .zip(&mask)
            .filter(|(_, w)| **w)
            .map(|(v, _)| v)
            .collect())
    });
    let mapped = vec![true; basis.len()];
    let (rows, flags) = vmap_front(cx, &Named::new(&f.name, pull), total, &basis, &mapped)?;
    let rows = all_mapped(cx, rows, &flags, total)?;
    let inputs: Vec<Aval> = picked(args, wrt).map(|v| v.aval().clone()).collect();
    let mut blocks = Vec::with_capacity(main);
    let mut start = 0;
    for out in &chosen {
        let end = start + out.numel();
        let mut row = Vec::with_capacity(inputs.len());
        for (input, lanes) in inputs.iter().zip(&rows) {
            let block = cx.slice_axis(lanes, 0, start, end)?;
            let shape = [&out.shape[..], &input.shape].concat();
            row.push(cx.reshape(&block, &shape)?);
        }
        blocks.push(row);
        start = end;
    }
    Ok(Jacobian { outs, blocks })
}

fn picked<'a>(args: &'a [Value], wrt: &'a [bool]) -> impl Iterator<Item = &'a Value> {
    args.iter().zip(wrt).filter(|(_, w)| **w).map(|(v, _)| v)
}

fn check_floats(transform: &str, args: &[Value], wrt: &[bool]) -> Result<()> {
    match picked(args, wrt).find(|v| !v.dtype().is_float()) {
        None => Ok(()),
        Some(v) => {
            let dtype = v.dtype();
            let message = if transform == "jacrev" {
                format!(
                    "jacrev requires real- or complex-valued inputs (input dtype that is a \
                     sub-dtype of np.inexact), but got {dtype}. If you want to use Boolean- or \
                     integer-valued inputs, use vjp."
                )
            } else {
                format!(
                    "{transform} requires real-valued inputs (input dtype that is a sub-dtype of \
                     np.floating), but got {dtype}. For differentiation of functions of integer \
                     inputs, use jax.jvp directly."
                )
            };
            Err(Error::type_error(message).with_kind(crate::error::Kind::IntegerGrad))
        }
    }
}

/// For values of the given types, the unit vectors of their joint space: lane `k` is 1 at the
/// `k`-th element over all of them, 0 elsewhere. Also the number of lanes.
fn standard_basis(avals: &[Aval]) -> Result<(Vec<Value>, usize)> {
    let total: usize = avals.iter().map(Aval::numel).sum();
    let mut start = 0;
    let mut out = Vec::with_capacity(avals.len());
    for aval in avals {
        let n = aval.numel();
        let mut block = ArrayMut::zeroed(aval.with_axis0(total).with_weak(false))?;
        for k in 0..n {
            let at = (start + k) * n + k;
            match aval.dtype {
                DType::F64 => block.slice_mut::<f64>()[at] = 1.0,
                _ => block.slice_mut::<f32>()[at] = 1.0,
            }
        }
        let array: Array = block.freeze();
        out.push(Value::Array(array));
        start += n;
    }
    Ok((out, total))
}
