//! From arrays to kernels: choosing by dtype, allocating results.

pub mod elementwise;
pub mod gamma;
pub mod index;
pub mod matmul;
pub mod movement;
pub mod reduce;
pub mod sort;
