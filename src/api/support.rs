//! Functions that JAX wraps in `jit` under a name.

pub use crate::transform::jit::named_jit;
