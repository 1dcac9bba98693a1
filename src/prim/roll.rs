//! The roll: every primitive with its documentation and examples to test it on. What the generated
//! tests, the reference pages and the completeness checks walk over.

use super::elementwise::{Accepts, Binary, BinaryDef, BinaryJvp, Unary, UnaryDef};
use super::rounding::RoundingMethod::{AwayFromZero, ToNearestEven};
use super::rule::{Op, Primitive};
use super::{
    arithmetic as a, compare as c, convert, logic as l, power as p, rounding as r, select,
    special as s, transcendental as t,
};
use crate::dtype::DType::{self, Bool, F32, F64, I32, U32};
#[cfg(target_arch = "wasm32")]
use crate::kernel::Float;
use alloc::{vec, vec::Vec};

/// One primitive on the roll.
pub struct Entry {
    /// JAX's name.
    pub name: &'static str,
    /// One line for people.
    pub doc: &'static str,
    /// Applications on which the generated tests check its rules. Floats are float64 there, so
    /// that finite differences are sharp.
    pub examples: Vec<Example>,
}

impl Entry {
    /// An entry, named as its examples' primitive.
    pub fn new(doc: &'static str, examples: Vec<Example>) -> Entry {
        let name = examples.first().map_or("", |e| e.op.name());
        Entry {
            name,
            doc,
            examples,
        }
    }
}

/// One application of a primitive to given operands.
pub struct Example {
    /// The primitive with its parameters.
    pub op: Op,
    /// The operands.
    pub args: Vec<Arg>,
    /// Operands by which it is differentiated: all floats, unless some have no derivative.
    pub wrt: Vec<usize>,
}

impl Example {
    /// An application, differentiable in every float operand.
    pub fn new(op: impl Primitive, args: Vec<Arg>) -> Example {
        let wrt = (0..args.len())
            .filter(|&i| args[i].dtype.is_float())
            .collect();
        let op = op.shared();
        Example { op, args, wrt }
    }

    /// The same, differentiable in the given operands only.
    pub fn wrt(mut self, operands: &[usize]) -> Example {
        self.wrt = operands.to_vec();
        self
    }
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

    /// A vector.
    fn list(dtype: DType, values: &[f64]) -> Arg {
        Arg::new(&[values.len()], dtype, values)
    }
}

const UNARY: &[&UnaryDef] = &[
    &a::NEG,
    &a::ABS,
    &a::SIGN,
    &r::FLOOR,
    &r::CEIL,
    &t::SIN,
    &t::COS,
    &t::TAN,
    &t::ASIN,
    &t::ACOS,
    &t::ATAN,
    &t::SINH,
    &t::COSH,
    &t::TANH,
    &t::ASINH,
    &t::ACOSH,
    &t::ATANH,
    &t::EXP,
    &t::EXP2,
    &t::LOG,
    &t::LOG1P,
    &t::EXPM1,
    &t::LOGISTIC,
    &p::SQUARE,
    &p::SQRT,
    &p::RSQRT,
    &p::CBRT,
    &s::ERF,
    &s::ERFC,
    &s::ERF_INV,
    &s::LGAMMA,
    &s::DIGAMMA,
    &l::NOT,
    &l::POPULATION_COUNT,
    &l::CLZ,
    &l::IS_FINITE,
];

const BINARY: &[&BinaryDef] = &[
    &a::ADD,
    &a::ADD_ANY,
    &a::SUB,
    &a::MUL,
    &a::DIV,
    &a::REM,
    &a::MAX,
    &a::MIN,
    &t::ATAN2,
    &r::NEXTAFTER,
    &c::EQ,
    &c::NE,
    &c::LT,
    &c::LE,
    &c::GT,
    &c::GE,
    &l::AND,
    &l::OR,
    &l::XOR,
    &l::SHIFT_LEFT,
    &l::SHIFT_RIGHT_LOGICAL,
    &l::SHIFT_RIGHT_ARITHMETIC,
    &l::GCD,
];

/// Every primitive.
pub fn roll() -> Vec<Entry> {
    let mut out: Vec<Entry> = UNARY.iter().map(|d| unary(d)).collect();
    out.extend(BINARY.iter().map(|d| binary(d)));
    out.extend(others());
    out.extend(super::roll_shape::entries());
    out
}

/// Primitives outside of the families.
fn others() -> Vec<Entry> {
    let x = || Arg::list(F64, &[-2.25, 0.25, 1.75]);
    let y = || Arg::list(F64, &[0.5, -1.5, 2.0]);
    let positive = || Arg::list(F64, &[0.25, 1.5, 4.0]);
    let scalar = |v: f64| Arg::new(&[], F64, &[v]);
    let convert = |new_dtype: DType, weak_type: bool| convert::ConvertElementType {
        new_dtype,
        weak_type,
    };
    vec![
        Entry::new(
            "Elementwise rounding to the nearest whole number.",
            vec![
                Example::new(
                    r::Round {
                        rounding_method: AwayFromZero,
                    },
                    vec![x()],
                ),
                Example::new(
                    r::Round {
                        rounding_method: ToNearestEven,
                    },
                    vec![x()],
                ),
            ],
        ),
        Entry::new(
            "Elementwise x ** y for a fixed integer y.",
            [-3, -1, 0, 1, 2, 3, 5]
                .map(|y| Example::new(p::IntegerPow { y }, vec![x()]))
                .into(),
        ),
        Entry::new(
            "Elementwise x ** y.",
            vec![
                Example::new(p::Pow, vec![positive(), y()]),
                Example::new(p::Pow, vec![positive(), scalar(1.5)]),
                Example::new(p::Pow, vec![x(), Arg::list(I32, &[3.0, 2.0, 0.0])]),
            ],
        ),
        Entry::new(
            "Elementwise derivative of digamma of order m; m is a whole number.",
            vec![Example::new(s::Polygamma, vec![scalar(1.0), positive()]).wrt(&[1])],
        ),
        Entry::new(
            "Takes every element from the case that the first operand names.",
            vec![
                Example::new(
                    select::SelectN,
                    vec![Arg::list(Bool, &[1.0, 0.0, 1.0]), x(), y()],
                ),
                Example::new(select::SelectN, vec![Arg::new(&[], Bool, &[1.0]), x(), y()]),
                Example::new(
                    select::SelectN,
                    vec![Arg::list(I32, &[2.0, 0.0, 1.0]), x(), y(), positive()],
                ),
            ],
        ),
        Entry::new(
            "Elementwise min(max(x, low), high) of operands low, x, high.",
            vec![
                Example::new(select::Clamp, vec![scalar(-1.0), x(), scalar(1.0)]),
                Example::new(
                    select::Clamp,
                    vec![Arg::list(F64, &[-1.0, 0.5, -1.0]), x(), positive()],
                ),
            ],
        ),
        Entry::new(
            "The same numbers as another dtype.",
            vec![
                Example::new(convert(F32, false), vec![x()]),
                Example::new(convert(F64, true), vec![x()]),
                Example::new(convert(I32, false), vec![x()]),
                Example::new(convert(Bool, false), vec![x()]),
                Example::new(convert(F64, false), vec![Arg::list(U32, &[1.0, 7.0])]),
            ],
        ),
        Entry::new(
            "The same bits read as another dtype of the same width.",
            vec![
                Example::new(
                    super::bitcast::BitcastConvertType {
                        new_dtype: DType::I32,
                    },
                    vec![Arg::list(DType::F32, &[-2.25, 0.25, 1.75])],
                )
                .wrt(&[]),
            ],
        ),
        Entry::new(
            "The same values as a new array.",
            vec![Example::new(convert::CopyArray, vec![x()])],
        ),
        Entry::new(
            "The same values, as a constant to differentiation.",
            vec![Example::new(convert::StopGradient, vec![x()]).wrt(&[])],
        ),
    ]
}

/// The dtypes on which a family's examples are given: one of each sort the primitive takes.
fn sorts(accepts: Accepts) -> &'static [DType] {
    match accepts {
        Accepts::Floats => &[F64],
        Accepts::Ints => &[I32, U32],
        Accepts::IntsAndBool => &[I32, U32, Bool],
        Accepts::Numbers | Accepts::Reals => &[F64, I32, U32],
        Accepts::Signed => &[F64, I32],
        Accepts::All => &[F64, I32, U32, Bool],
        Accepts::Bool => &[Bool],
    }
}

/// Sample points as they are in the dtype: whole, not negative, or truth values.
fn fitted(values: &[f64], dtype: DType) -> Vec<f64> {
    let fit = |v: &f64| match dtype {
        Bool => f64::from(*v > 0.0),
        I32 => v.trunc(),
        U32 => v.trunc().abs(),
        _ => *v,
    };
    values.iter().map(fit).collect()
}

fn unary(def: &'static UnaryDef) -> Entry {
    let example = |&d: &DType| {
        let x = fitted(def.samples, d);
        Example::new(Unary(def), vec![Arg::list(d, &x)])
    };
    let examples = sorts(def.accepts).iter().map(example).collect();
    Entry::new(def.doc, examples)
}

fn binary(def: &'static BinaryDef) -> Entry {
    let (xs, ys): (Vec<f64>, Vec<f64>) = def.samples.iter().copied().unzip();
    let example = |&d: &DType| {
        let (x, y) = (fitted(&xs, d), fitted(&ys, d));
        Example::new(Binary(def), vec![Arg::list(d, &x), Arg::list(d, &y)])
    };
    let mut examples: Vec<Example> = sorts(def.accepts).iter().map(example).collect();
    if def.accepts.contains(F64) {
        // Operands that are repeated: a scalar on either side, and size-1 axes on both.
        let near = |v: f64, shape: &[usize]| {
            let n: usize = shape.iter().product();
            let values: Vec<f64> = (0..n).map(|k| v * (1.0 + k as f64 / 16.0)).collect();
            Arg::new(shape, F64, &values)
        };
        let shapes: [[&[usize]; 2]; 3] = [[&[3], &[]], [&[], &[2]], [&[2, 1], &[1, 3]]];
        for [sx, sy] in shapes {
            let args = vec![near(xs[0], sx), near(ys[0], sy)];
            examples.push(Example::new(Binary(def), args));
        }
    }
    if matches!(def.jvp, BinaryJvp::NotDefined) {
        examples = examples.into_iter().map(|e| e.wrt(&[])).collect();
    }
    Entry::new(def.doc, examples)
}
