//! The functions people call, in one table for both languages.

pub mod args;
pub mod convert;
pub mod describe;
pub mod format;
pub mod registry;
pub mod support;

mod creation;
mod prims;
mod reductions;
pub mod types;
mod ufuncs;

use registry::Function;

/// All tables, in the order in which reference pages list them.
static TABLES: &[&[Function]] = &[
    creation::FUNCTIONS,
    ufuncs::FUNCTIONS,
    reductions::FUNCTIONS,
];
