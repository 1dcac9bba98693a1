//! The interpreters: one meaning of a program each.

pub mod batch;
pub mod eval;
pub mod jvp;
pub mod stage;
