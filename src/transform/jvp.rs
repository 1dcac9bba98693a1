//! Forward mode: `jvp`.

use super::Named;
use crate::error::Result;
use crate::interp::jvp::Jvp;
use crate::prim::rule::{Ctx, Interpreter, Tangent};
use crate::value::Value;
use std::rc::Rc;

/// Pushes tangents forward through `f`: results and their tangents (`None` for zero).
///
/// Tangents have their primals' shapes; a symbolic zero marks an input that does not vary.
pub fn jvp(
    cx: &Ctx,
    f: &Named,
    primals: &[Value],
    tangents: &[Tangent],
) -> Result<(Vec<Value>, Vec<Tangent>)> {
    let interp = Jvp::forward(cx, "jvp", &f.name);
    let inner = cx.with(Rc::clone(&interp) as Rc<dyn Interpreter>);
    let args: Vec<Value> = primals
        .iter()
        .zip(tangents)
        .map(|(p, t)| interp.dual(&inner, p.clone(), t.clone()))
        .collect();
    let outs = (f.fun)(&inner, &args).and_then(|outs| {
        outs.iter()
            .map(|v| interp.split(v))
            .collect::<Result<Vec<_>>>()
    });
    interp.end();
    Ok(outs?.into_iter().unzip())
}

/// The tangent, zeros made explicit. Discrete results have float0 tangents.
pub fn instantiate(cx: &Ctx, primal: &Value, tangent: Tangent) -> Result<Value> {
    match tangent {
        Some(t) => Ok(t),
        None => cx.zeros(&primal.aval().tangent()),
    }
}
