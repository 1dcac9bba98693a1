//! The roll: every primitive with its documentation and examples to test it on. What the generated
//! tests, the reference pages and the completeness checks walk over.

use super::elementwise::{Binary, BinaryDef, Unary, UnaryDef};
use super::rule::Op;
use super::{arithmetic as a, transcendental as t};
use crate::dtype::DType;
use std::rc::Rc;

/// One primitive on the roll.
pub struct Entry {
    /// JAX's name.
    pub name: &'static str,
    /// One line for people.
    pub doc: &'static str,
    /// Applications on which the generated tests check its rules.
    pub examples: Vec<Example>,
}

/// One application of a primitive to given operands.
pub struct Example {
    /// The primitive with its parameters.
    pub op: Op,
    /// The operands.
    pub args: Vec<Arg>,
}

/// An operand of an example.
#[derive(Clone)]
pub struct Arg {
    /// Axis sizes.
    pub shape: Vec<usize>,
    /// Element type.
    pub dtype: DType,
    /// The elements, row-major; inside the primitive's domain and away from its kinks.
    pub values: Vec<f64>,
}

impl Arg {
    /// An operand with the given elements.
    pub fn new(shape: &[usize], dtype: DType, values: &[f64]) -> Arg {
        Arg {
            shape: shape.to_vec(),
            dtype,
            values: values.to_vec(),
        }
    }
}

const UNARY: &[&UnaryDef] = &[&a::NEG, &t::SIN, &t::COS, &t::EXP, &t::LOG];

const BINARY: &[&BinaryDef] = &[&a::ADD, &a::ADD_ANY, &a::SUB, &a::MUL, &a::DIV];

/// Every primitive.
pub fn roll() -> Vec<Entry> {
    let mut out: Vec<Entry> = UNARY.iter().map(|d| unary(d)).collect();
    out.extend(BINARY.iter().map(|d| binary(d)));
    out
}

fn unary(def: &'static UnaryDef) -> Entry {
    let args = vec![Arg::new(&[def.samples.len()], DType::F32, def.samples)];
    let examples = vec![Example {
        op: Rc::new(Unary(def)),
        args,
    }];
    Entry {
        name: def.name,
        doc: def.doc,
        examples,
    }
}

fn binary(def: &'static BinaryDef) -> Entry {
    let column = |f: fn(&(f64, f64)) -> f64| -> Arg {
        let values: Vec<f64> = def.samples.iter().map(f).collect();
        Arg::new(&[values.len()], DType::F32, &values)
    };
    let args = vec![column(|p| p.0), column(|p| p.1)];
    let examples = vec![Example {
        op: Rc::new(Binary(def)),
        args,
    }];
    Entry {
        name: def.name,
        doc: def.doc,
        examples,
    }
}
