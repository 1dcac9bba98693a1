//! Every primitive, each defined once. To add one: write its definition in the file of its family
//! and name it in `roll.rs`.

pub mod arithmetic;
pub mod elementwise;
pub mod movement;
pub mod ops;
pub mod power;
pub mod reduce;
pub mod roll;
pub mod rule;
pub mod transcendental;
