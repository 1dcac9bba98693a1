//! Vectorisation: `vmap`.

use super::Named;
use crate::error::Result;
use crate::interp::batch::Batch;
use crate::prim::rule::{Ctx, Interpreter};
use crate::value::Value;
use std::rc::Rc;

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
