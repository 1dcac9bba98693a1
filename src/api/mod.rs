//! The functions people call, in one table for both languages.

pub mod args;
pub mod convert;
pub mod describe;
pub mod format;
pub mod registry;
pub mod support;
pub mod types;

mod arithmetic;
mod creation;
mod joining;
mod logic;
mod prims;
mod ranges;
mod reductions;
mod searching;
mod shaping;
mod ufuncs;

use registry::Function;

/// All tables, in the order in which reference pages list them.
static TABLES: &[&[Function]] = &[
    creation::FUNCTIONS,
    ranges::FUNCTIONS,
    arithmetic::FUNCTIONS,
    ufuncs::FUNCTIONS,
    logic::FUNCTIONS,
    reductions::FUNCTIONS,
    shaping::FUNCTIONS,
    joining::FUNCTIONS,
];
