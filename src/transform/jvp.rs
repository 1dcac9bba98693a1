//! Forward mode: `jvp`.

use super::Named;
use crate::error::{Class, Error, Result};
use crate::interp::jvp::Jvp;
use crate::prim::rule::{Ctx, Interpreter, Tangent};
use crate::shape::tuple;
use crate::value::Value;
use alloc::rc::Rc;
use alloc::{format, vec::Vec};

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

/// Refuses tangents that do not fit their primals, in JAX's words; float0 tangents of discrete
/// primals become symbolic zeros.
pub fn checked_tangents(primals: &[Value], tangents: Vec<Tangent>) -> Result<Vec<Tangent>> {
    let mut out = Vec::with_capacity(tangents.len());
    for (p, t) in primals.iter().zip(tangents) {
        let Some(t) = t else {
            out.push(None);
            continue;
        };
        let want = p.dtype().tangent();
        if t.dtype() != want && !(t.aval().weak && want.is_float()) {
            return Err(Error::type_error(format!(
                "primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in \
                 case of int/bool primal dtype the tangent dtype must be float0.Got primal dtype \
                 {} and so expected tangent dtype {want}, but got tangent dtype {} instead.",
                p.dtype(),
                t.dtype()
            )));
        }
        if t.shape() != p.shape() {
            let avals = [p.aval().clone(), t.aval().clone()];
            let message = format!(
                "jvp called with different primal and tangent shapes;Got primal shape {} and \
                 tangent shape as {}",
                tuple(p.shape()),
                tuple(t.shape())
            );
            return Err(Error::mismatch(Class::ValueError, message, &avals));
        }
        out.push(want.is_float().then_some(t));
    }
    Ok(out)
}
