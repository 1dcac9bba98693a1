//! Cotangent: tracing and automatic differentiation in the manner of JAX.
//!
//! A module uses only those above it in this list: data (`error` … `value`), `kernel`, `runtime`, `ir` with
//! `prim`, `pass`, `interp`, `transform`, `api`, `diagnose`, `wasm`. `tests/layers.rs` checks it.

#![cfg_attr(target_arch = "wasm32", no_std)]

extern crate alloc;

#[macro_use]
mod local;

pub mod array;
pub mod aval;
pub mod buffer;
pub mod decimal;
pub mod dtype;
pub mod error;
pub mod shape;
pub mod span;
pub mod value;

#[doc(inline)]
pub use cotangent_kernel as kernel;

pub mod runtime;

pub mod ir;
pub mod prim;

pub mod pass;

pub mod interp;
pub mod transform;

pub mod api;
pub mod diagnose;

#[cfg(target_arch = "wasm32")]
pub mod wasm;
