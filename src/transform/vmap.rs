//! Vectorisation: `vmap`.

use super::Named;
use crate::error::{Class, Error, Result};
use crate::interp::batch::Batch;
use crate::prim::rule::{Ctx, Interpreter};
use crate::shape::tuple;
use crate::value::Value;
use alloc::rc::Rc;
use alloc::{format, string::String, vec, vec::Vec};

/// Runs `f` once on `size` lanes. Mapped arguments carry their axis in front; so do mapped
/// results, and the second list says which those are.
pub fn vmap_front(
    cx: &Ctx,
    f: &Named,
    size: usize,
    args: &[Value],
    mapped: &[bool],
) -> Result<(Vec<Value>, Vec<bool>)> {
    let interp = Batch::new(cx, size, &f.name);
    let inner = cx.with(Rc::clone(&interp) as Rc<dyn Interpreter>);
    let lanes: Vec<Value> = args
        .iter()
        .zip(mapped)
        .map(|(v, &m)| {
            if m {
                interp.lane(&inner, v.clone())
            } else {
                v.clone()
            }
        })
        .collect();
    let outs = (f.fun)(&inner, &lanes).and_then(|outs| {
        outs.iter()
            .map(|v| interp.lanes(v))
            .collect::<Result<Vec<_>>>()
    });
    interp.end();
    Ok(outs?.into_iter().unzip())
}

/// Gives an unmapped result its axis: every lane has the same.
pub fn replicate(cx: &Ctx, value: &Value, size: usize) -> Result<Value> {
    let shape = value.aval().with_axis0(size).shape;
    let dims: Vec<usize> = (1..shape.len()).collect();
    cx.broadcast_in_dim(value, &shape, &dims)
}

/// Gives every result of a vectorised function the mapped axis.
pub fn all_mapped(cx: &Ctx, outs: Vec<Value>, mapped: &[bool], size: usize) -> Result<Vec<Value>> {
    outs.into_iter()
        .zip(mapped)
        .map(|(v, &m)| if m { Ok(v) } else { replicate(cx, &v, size) })
        .collect()
}

/// Arguments with their mapped axes moved to the front, flags of those mapped, and the axis size.
/// `size` is given when the caller fixed it; `names` name the arguments in messages.
///
/// Errors: `ValueError`, in JAX's words, for sizes that differ, axes out of range, nothing mapped.
pub fn moved_in(
    cx: &Ctx,
    args: Vec<Value>,
    axes: &[Option<i64>],
    size: Option<usize>,
    names: &dyn Fn() -> Vec<String>,
) -> Result<(usize, Vec<Value>, Vec<bool>)> {
    let mut sizes: Vec<(usize, usize)> = Vec::new();
    let mut moved = Vec::with_capacity(args.len());
    for (i, (v, axis)) in args.into_iter().zip(axes).enumerate() {
        let Some(axis) = *axis else {
            moved.push(v);
            continue;
        };
        let rank = v.rank() as i64;
        let at = if axis < 0 { axis + rank } else { axis };
        if at < 0 || at >= rank {
            let needed = if axis < 0 { -axis } else { axis + 1 };
            let message = format!(
                "vmap was requested to map its argument along axis {axis}, which implies that its \
                 rank should be at least {needed}, but is only {rank} (its shape is {})",
                tuple(v.shape())
            );
            let avals = core::slice::from_ref(v.aval());
            return Err(Error::mismatch(Class::ValueError, message, avals));
        }
        sizes.push((i, v.shape()[at as usize]));
        moved.push(cx.moveaxis(&v, at as usize, 0)?);
    }
    let Some(&(_, first)) = sizes.first() else {
        let size = size.ok_or_else(|| {
            Error::value_error(
                "vmap must have at least one non-None value in in_axes or axis_size must be \
                 specified",
            )
        })?;
        return Ok((size, moved, vec![false; axes.len()]));
    };
    let wanted = size.unwrap_or(first);
    if sizes.iter().any(|(_, n)| *n != wanted) {
        let names = names();
        let listed: Vec<String> = sizes
            .iter()
            .map(|(i, n)| {
                let name = names
                    .get(*i)
                    .cloned()
                    .unwrap_or_else(|| format!("argument {i}"));
                let axis = axes[*i].unwrap_or(0);
                format!("  * {name} has axis {axis} of size {n}")
            })
            .collect();
        let message = format!(
            "vmap got inconsistent sizes for array axes to be mapped:\n{}",
            listed.join("\n")
        );
        let avals: Vec<_> = moved.iter().map(|v| v.aval().clone()).collect();
        return Err(Error::mismatch(Class::ValueError, message, &avals));
    }
    Ok((wanted, moved, axes.iter().map(Option::is_some).collect()))
}

/// Results with their mapped axes where the caller wants them; an unmapped one is repeated there.
///
/// Errors: `ValueError` for a mapped result that was said to be unmapped, and for axes out of range.
pub fn moved_out(
    cx: &Ctx,
    outs: Vec<Value>,
    mapped: &[bool],
    axes: &[Option<i64>],
    size: usize,
) -> Result<Vec<Value>> {
    let mut moved = Vec::with_capacity(outs.len());
    for ((v, &m), axis) in outs.into_iter().zip(mapped).zip(axes) {
        moved.push(match (axis, m) {
            (None, false) => v,
            (None, true) => {
                return Err(Error::value_error(
                    "at vmap out_axes, got axis spec None but output was batched on axis 0",
                ));
            }
            (Some(axis), _) => {
                let v = if m { v } else { replicate(cx, &v, size)? };
                let rank = v.rank() as i64;
                let to = if *axis < 0 { axis + rank } else { *axis };
                if to < 0 || to >= rank {
                    return Err(Error::value_error(format!(
                        "axis {axis} is out of bounds for array of dimension {rank}"
                    )));
                }
                cx.moveaxis(&v, 0, to as usize)?
            }
        });
    }
    Ok(moved)
}
