//! From arrays to kernels: choosing by dtype, allocating results.

pub mod elementwise;
pub mod gamma;
pub mod movement;
pub mod reduce;
