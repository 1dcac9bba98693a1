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
mod divisors;
mod draws;
mod dtypes;
mod einsum;
mod index;
mod indexing;
mod joining;
mod lax;
mod lax_elementwise;
mod logic;
mod nn;
mod numerics;
mod prims;
mod products;
mod random;
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
    divisors::FUNCTIONS,
    ufuncs::FUNCTIONS,
    logic::FUNCTIONS,
    reductions::FUNCTIONS,
    numerics::FUNCTIONS,
    products::FUNCTIONS,
    einsum::FUNCTIONS,
    shaping::FUNCTIONS,
    joining::FUNCTIONS,
    indexing::FUNCTIONS,
    searching::FUNCTIONS,
    dtypes::FUNCTIONS,
    lax_elementwise::FUNCTIONS,
    lax::FUNCTIONS,
    nn::FUNCTIONS,
    random::FUNCTIONS,
];

/// The documentation of every function, by id: for tests of the tables. The engine does not carry it.
#[cfg(not(target_arch = "wasm32"))]
pub fn docs() -> Vec<&'static str> {
    let tables = [
        creation::DOCS,
        ranges::DOCS,
        arithmetic::DOCS,
        divisors::DOCS,
        ufuncs::DOCS,
        logic::DOCS,
        reductions::DOCS,
        numerics::DOCS,
        products::DOCS,
        einsum::DOCS,
        shaping::DOCS,
        joining::DOCS,
        indexing::DOCS,
        searching::DOCS,
        dtypes::DOCS,
        lax_elementwise::DOCS,
        lax::DOCS,
        nn::DOCS,
        random::DOCS,
    ];
    tables.concat()
}
