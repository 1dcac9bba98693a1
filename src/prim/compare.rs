//! Comparisons: eq, ne, lt, le, gt, ge. Results are booleans and carry no derivative.

use super::elementwise::points;
use super::elementwise::{Accepts, BinaryDef, BinaryJvp, BinaryTranspose};
use super::rule::Ctx;
use crate::error::Result;
use crate::kernel::{CompareFn, PairFn};
use crate::value::Value;

/// Equality.
pub static EQ: BinaryDef = comparison(
    "eq",
    "Elementwise x == y; NaN equals nothing.",
    CompareFn::Eq,
);

/// Inequality.
pub static NE: BinaryDef = comparison("ne", "Elementwise x != y; true for NaN.", CompareFn::Ne);

/// Less than.
pub static LT: BinaryDef = comparison("lt", "Elementwise x < y.", CompareFn::Lt);

/// Less than or equal.
pub static LE: BinaryDef = comparison("le", "Elementwise x <= y.", CompareFn::Le);

/// Greater than.
pub static GT: BinaryDef = comparison("gt", "Elementwise x > y.", CompareFn::Gt);

/// Greater than or equal.
pub static GE: BinaryDef = comparison("ge", "Elementwise x >= y.", CompareFn::Ge);

const fn comparison(name: &'static str, doc: &'static str, f: CompareFn) -> BinaryDef {
    BinaryDef {
        name,
        doc,
        accepts: Accepts::All,
        kernel: PairFn::Compare(f),
        jvp: BinaryJvp::Zero,
        transpose: BinaryTranspose::Nonlinear,
        samples: points(&[(1.5, -2.0), (0.5, 0.5), (-3.0, 2.0)]),
    }
}

impl Ctx {
    /// `x == y`
    pub fn eq(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&EQ, x, y)
    }

    /// `x != y`
    pub fn ne(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&NE, x, y)
    }

    /// `x < y`
    pub fn lt(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&LT, x, y)
    }

    /// `x <= y`
    pub fn le(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&LE, x, y)
    }

    /// `x > y`
    pub fn gt(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&GT, x, y)
    }

    /// `x >= y`
    pub fn ge(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&GE, x, y)
    }
}
