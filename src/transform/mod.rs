//! Public transforms, over flat lists of values. Front-ends flatten and rebuild pytrees.

use alloc::{borrow::ToOwned, string::String};
pub mod check;
pub mod control;
pub mod custom;
pub mod grad;
pub mod jacobian;
pub mod jit;
pub mod jvp;
pub mod linearize;
pub mod transpose;
pub mod vmap;

use crate::prim::rule::Fun;

/// A function of flat values with the name it has in messages.
#[derive(Clone)]
pub struct Named {
    /// The user's name for it, or `<lambda>`.
    pub name: String,
    /// What it does.
    pub fun: Fun,
}

impl Named {
    /// Names a function.
    pub fn new(name: &str, fun: Fun) -> Named {
        Named {
            name: name.to_owned(),
            fun,
        }
    }
}

/// The transforms that messages and chains name.
const TRANSFORMS: [&str; 16] = [
    "grad",
    "value_and_grad",
    "jvp",
    "vjp",
    "linearize",
    "linear_transpose",
    "transpose",
    "vmap",
    "jit",
    "jacfwd",
    "jacrev",
    "hessian",
    "make_jaxpr",
    "eval_shape",
    "check_grads",
    "checkpoint",
];

/// The transform of that name, as a name that lives for ever.
pub fn known_name(name: &str) -> &'static str {
    let found = TRANSFORMS.iter().find(|t| **t == name);
    found.copied().unwrap_or("transform")
}
