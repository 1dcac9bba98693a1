//! Bits, divisors and truth values: not, and, or, xor, shifts, population_count, clz, gcd, is_finite.

use super::elementwise::{Accepts, BinaryDef, BinaryJvp, BinaryTranspose, UnaryDef, UnaryJvp};
use super::elementwise::{note, points};
use super::rule::Ctx;
use crate::error::Result;
use crate::kernel::{BinaryFn, PairFn, UnaryFn};
use crate::value::Value;

/// Complement.
pub static NOT: UnaryDef = UnaryDef {
    name: "not",
    doc: note("Elementwise complement: of every bit, or of a boolean."),
    accepts: Accepts::IntsAndBool,
    kernel: UnaryFn::Not,
    jvp: UnaryJvp::Zero,
    samples: points(&[0.0, 1.0, 5.0]),
};

/// Number of set bits.
pub static POPULATION_COUNT: UnaryDef = UnaryDef {
    name: "population_count",
    doc: note("Elementwise number of bits that are 1."),
    accepts: Accepts::Ints,
    kernel: UnaryFn::PopulationCount,
    jvp: UnaryJvp::Zero,
    samples: points(&[0.0, 1.0, 255.0]),
};

/// Number of leading zero bits.
pub static CLZ: UnaryDef = UnaryDef {
    name: "clz",
    doc: note("Elementwise number of zero bits above the highest bit that is 1."),
    accepts: Accepts::Ints,
    kernel: UnaryFn::Clz,
    jvp: UnaryJvp::Zero,
    samples: points(&[0.0, 1.0, 255.0]),
};

/// Greatest common divisor. JAX computes it with a loop; here it is one equation.
pub static GCD: BinaryDef = bitwise(
    "gcd",
    "Elementwise greatest common divisor, not negative; that of 0 and 0 is 0.",
    Accepts::Ints,
    BinaryFn::Gcd,
);

/// Conjunction.
pub static AND: BinaryDef = bitwise(
    "and",
    "Elementwise and: of every bit, or of booleans.",
    Accepts::IntsAndBool,
    BinaryFn::And,
);

/// Disjunction.
pub static OR: BinaryDef = bitwise(
    "or",
    "Elementwise or: of every bit, or of booleans.",
    Accepts::IntsAndBool,
    BinaryFn::Or,
);

/// Exclusive disjunction.
pub static XOR: BinaryDef = bitwise(
    "xor",
    "Elementwise exclusive or: of every bit, or of booleans.",
    Accepts::IntsAndBool,
    BinaryFn::Xor,
);

/// Left shift.
pub static SHIFT_LEFT: BinaryDef = bitwise(
    "shift_left",
    "Elementwise x << y; 0 where y is not within the width.",
    Accepts::Ints,
    BinaryFn::ShiftLeft,
);

/// Right shift that brings in zeros.
pub static SHIFT_RIGHT_LOGICAL: BinaryDef = bitwise(
    "shift_right_logical",
    "Elementwise x >> y, bringing in zeros; 0 where y is not within the width.",
    Accepts::Ints,
    BinaryFn::ShiftRightLogical,
);

/// Right shift that repeats the sign.
pub static SHIFT_RIGHT_ARITHMETIC: BinaryDef = bitwise(
    "shift_right_arithmetic",
    "Elementwise x >> y, repeating the sign bit; all sign where y is not within the width.",
    Accepts::Ints,
    BinaryFn::ShiftRightArithmetic,
);

const fn bitwise(
    name: &'static str,
    doc: &'static str,
    accepts: Accepts,
    f: BinaryFn,
) -> BinaryDef {
    BinaryDef {
        name,
        doc,
        accepts,
        kernel: PairFn::Binary(f),
        jvp: BinaryJvp::Zero,
        transpose: BinaryTranspose::Nonlinear,
        samples: points(&[(5.0, 3.0), (1.0, 0.0), (0.0, 1.0)]),
    }
}

/// Whether a float is neither infinite nor NaN.
pub static IS_FINITE: UnaryDef = UnaryDef {
    name: "is_finite",
    doc: note("Elementwise: is x neither infinite nor NaN?"),
    accepts: Accepts::Floats,
    kernel: UnaryFn::IsFinite,
    jvp: UnaryJvp::Zero,
    samples: points(&[-2.0, 0.0, 3.5]),
};

impl Ctx {
    /// Elementwise and.
    pub fn and(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&AND, x, y)
    }

    /// Elementwise or.
    pub fn or(&self, x: &Value, y: &Value) -> Result<Value> {
        self.binary(&OR, x, y)
    }

    /// Elementwise complement.
    pub fn not(&self, x: &Value) -> Result<Value> {
        self.unary(&NOT, x)
    }
}
