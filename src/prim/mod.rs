//! Every primitive, each defined once. To add one: write its definition in the file of its family
//! and name it in `roll.rs`.

pub mod arg;
pub mod arithmetic;
pub mod bitcast;
pub mod callback;
pub mod compare;
pub mod convert;
pub mod cumulative;
pub mod dot;
pub mod dynamic;
pub mod elementwise;
pub mod gather;
pub mod iota;
pub mod joining;
pub mod logic;
pub mod movement;
pub mod ops;
pub mod power;
pub mod random;
pub mod reduce;
pub mod reduce_jvp;
pub mod roll;
pub mod roll_index;
pub mod roll_reduce;
pub mod roll_shape;
pub mod rounding;
pub mod rule;
pub mod scatter;
pub mod scatter_jvp;
pub mod select;
pub mod slicing;
pub mod sort;
pub mod special;
pub mod transcendental;
pub mod typing;
