//! Public transforms, over flat lists of values. Front-ends flatten and rebuild pytrees.

pub mod custom;
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
