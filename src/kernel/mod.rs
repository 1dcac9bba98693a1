//! Numerical kernels: pure functions on slices of f32, f64, i32, u32 and bool (stored as `u8`, 0 or
//! 1). They know nothing of arrays, tracers or shapes beyond what they are given; shapes have been
//! checked before.
//!
//! - [`lane`], [`math`]: element-wise mathematics, once for scalars and for SIMD vectors;
//! - [`unary()`], [`binary()`], [`compare`], [`broadcast()`], [`select()`], [`clamp`], [`convert`]: whole
//!   arrays of it;
//! - [`reduce()`], [`arg_reduce`], [`scan()`]: along one axis of `[outer, n, inner]`;
//! - [`matmul()`]: batches of matrix products;
//! - [`sort_rows`], [`argsort`]: stable, NaN last.
//!
//! Functions on slices check lengths and are safe. Their `_raw` forms work on untyped memory and
//! allow the output to be an input, so that a dead buffer can be reused.

#![cfg_attr(target_arch = "wasm32", no_std)]

extern crate alloc;

#[cfg(target_arch = "wasm32")]
mod float;
pub mod lane;
pub mod math;

mod binary;
mod broadcast;
mod element;
mod layout;
mod loops;
mod matmul;
mod reduce;
mod scan;
mod select;
mod sort;
mod tiles;
mod unary;

pub use binary::{BinaryFn, CompareFn, Operand, PairFn, binary, compare, pair_raw};
pub use broadcast::{broadcast, broadcast_raw};
pub use element::{Element, Kind, Unsupported};
#[cfg(target_arch = "wasm32")]
pub use float::Float;
pub use matmul::{Product, matmul, matmul_raw};
pub use reduce::{ArgFn, ReduceFn, arg_reduce, reduce, reduce_raw};
pub use scan::{ScanFn, scan};
pub use select::{clamp, convert, convert_raw, select, select_case};
pub use sort::{argsort, permute, sort_rows};
pub use unary::{UnaryFn, unary, unary_inplace, unary_raw};
