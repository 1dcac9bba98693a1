//! What happened, in our own words. The one place where the engine writes prose beyond JAX's
//! sentence.

use crate::error::{Class, Error, Kind, Rule};
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

/// An explanation of an error for its reader: what happened, and what to do.
pub fn explain(e: &Error) -> String {
    let primitive = e.primitive.unwrap_or("this operation");
    match &e.kind {
        Kind::NoRule { rule } => no_rule(e, primitive, *rule),
        Kind::Concretization { origin, .. } => concretization(e, origin.as_deref()),
        Kind::Leaked { transform, .. } => format!(
            "A value made inside `{transform}` was kept (in an outer variable, an array, an object) \
             and used after `{transform}` had finished. Inside a transform values are stand-ins that \
             mean nothing outside it. Return the value from the function instead of storing it."
        ),
        Kind::NonScalarGrad => {
            "`grad` answers how one number changes with the inputs, so the function must return \
             one number. This one returns more. Sum or average the result, differentiate one \
             element, or ask for all derivatives with `jacrev` or `jacfwd`."
                .to_owned()
        }
        Kind::IntegerGrad => {
            "Integers and booleans change in jumps: there is no slope to take. If the numbers \
             are meant to vary smoothly, make them floats (`x.astype(\"float32\")`, or write `3.0`)."
                .to_owned()
        }
        Kind::CustomRule { table } if table.is_empty() => {
            "The custom rule gave back something of the wrong structure. A backward rule returns \
             an array with one cotangent per argument (`[g]` for one argument); a forward rule returns \
             `[result, residuals]`; a JVP rule returns `[result, tangent]`."
                .to_owned()
        }
        Kind::CustomRule { .. } => {
            "The custom rule's results do not match what the function itself takes or returns. The \
             table sets them side by side, leaf by leaf."
                .to_owned()
        }
        Kind::Memory => {
            "The engine refuses arrays beyond its memory limit before it makes them, so that \
             the page stays alive. Use smaller arrays, or let intermediate ones go."
                .to_owned()
        }
        Kind::Mismatch => mismatch(e),
        Kind::Other => other(e),
    }
}

fn no_rule(e: &Error, primitive: &str, rule: Rule) -> String {
    let is_callback = primitive.ends_with("_callback");
    match (rule, is_callback) {
        (Rule::Jvp, true) => format!(
            "`{primitive}` hands its input to a function that cannot be seen into, and the \
             derivative has to pass through it. Say what its derivative is: wrap the call in \
             `customVjp` (for `grad`) or `customJvp` (for `jvp`); or, if nothing should flow through \
             it, stop the gradient at its input."
        ),
        (Rule::Transpose, true) => format!(
            "Reverse mode ran `{primitive}` forward and now has to run it backward, from cotangents \
             of its results to cotangents of its inputs. That direction cannot be found from the \
             function itself. A `customVjp` gives it; a `customJvp` rule that calls back on the \
             tangent does not, because the rule itself has to be transposed."
        ),
        (Rule::Batch, true) if e.class == Class::ValueError => {
            "An ordered callback is called once for each step of the program, and `vmap` runs all its \
             lanes in one step: there is no order to keep. Leave `ordered` out, or map over the lanes \
             with an ordinary loop."
                .to_owned()
        }
        (Rule::Batch, true) => format!(
            "`vmap` has to know how `{primitive}` takes many inputs at once. Say so with `vmapMethod`: \
             \"sequential\" calls it once for each, \"expand_dims\" and \"broadcast_all\" call it once with an \
             extra leading axis."
        ),
        (Rule::Jvp, false) if e.class == Class::TypeError => {
            "A function with a `customVjp` rule knows only how to run backward. Forward mode (`jvp`, \
             `jacfwd`, `hessian`) needs a `customJvp` rule, from which reverse mode follows too."
                .to_owned()
        }
        (Rule::Transpose, false) => format!(
            "Only linear operations can be transposed, and `{primitive}` is not linear in the value \
             that varies here. If this comes from a `customJvp` rule, its tangent must be computed \
             linearly from the tangents given to it."
        ),
        (rule, _) => format!("`{primitive}` has no {} rule.", rule.name()),
    }
}

fn concretization(e: &Error, origin: Option<&str>) -> String {
    let because = match origin {
        Some(names) => format!(" It depends on {names}, which stands for every possible value."),
        None => String::new(),
    };
    let instead = match e.class {
        Class::TracerBoolConversionError => {
            "Choose with `np.where(condition, a, b)` instead of `if`; or, if the argument is a setting \
             rather than data, mark it with `staticArgnums`."
        }
        Class::NonConcreteBooleanIndexError => {
            "How many elements a mask picks is not known while tracing: use `np.where(mask, x, 0)`, \
             which keeps the shape."
        }
        Class::TracerArrayConversionError => {
            "Use `np` functions on it, or a callback, which receives the numbers when they are there."
        }
        _ => {
            "Shapes, sizes and loop counts must be plain numbers: pass this one through \
             `staticArgnums`, or compute it outside."
        }
    };
    format!(
        "A plain number was needed here, but while tracing this value has none yet.{because} {instead}"
    )
}

fn mismatch(e: &Error) -> String {
    let types: Vec<String> = e.avals.iter().map(|a| format!("`{}`", a.long())).collect();
    let given = match types.len() {
        0 => String::new(),
        _ => format!(" It was given {}.", types.join(" and ")),
    };
    let name = e
        .primitive
        .map_or("The operation".to_owned(), |p| format!("`{p}`"));
    format!("{name} was called with operands that do not fit.{given}")
}

fn callback_result(primitive: &str) -> &'static str {
    if primitive == "buffer_callback" {
        "A buffer callback gets its results as arrays to fill (`out`) and returns nothing: write into \
         `out`, for example with `out.set(values)`. A `pureCallback` returns its results."
    } else {
        "What the callback returned does not fit what was promised: `ShapeDtypeStruct(shape, dtype)` says \
         what the rest of the program will get, before the callback is ever called."
    }
}

fn other(e: &Error) -> String {
    let primitive = e.primitive.unwrap_or("");
    match e.class {
        Class::InternalError => {
            "This is a fault of the engine, not of the program. A link to it is a good report."
                .to_owned()
        }
        Class::Foreign => "The program itself threw this.".to_owned(),
        _ if primitive.ends_with("_callback") => callback_result(primitive).to_owned(),
        _ => String::new(),
    }
}
