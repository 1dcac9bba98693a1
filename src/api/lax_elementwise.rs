//! Element-wise primitives under their own names: no promotion of dtypes, no raising of ranks.

use super::args::Args;
use super::registry::{Ret, api};
use super::ufuncs::unary;
use crate::error::{Error, Result};
use crate::prim::arithmetic::{ABS, ADD, DIV, MAX, MIN, MUL, NEG, REM, SIGN, SUB};
use crate::prim::compare::{EQ, GE, GT, LE, LT, NE};
use crate::prim::elementwise::BinaryDef;
use crate::prim::logic::{
    AND, CLZ, IS_FINITE, NOT, OR, POPULATION_COUNT, SHIFT_LEFT, SHIFT_RIGHT_ARITHMETIC,
    SHIFT_RIGHT_LOGICAL, XOR,
};
use crate::prim::power::{CBRT, IntegerPow, RSQRT, SQRT, SQUARE};
use crate::prim::rounding::{CEIL, FLOOR, NEXTAFTER, Round, RoundingMethod};
use crate::prim::special::{DIGAMMA, ERF, ERF_INV, ERFC, LGAMMA};
use crate::prim::transcendental::{
    ACOS, ACOSH, ASIN, ASINH, ATAN, ATAN2, ATANH, COS, COSH, EXP, EXP2, EXPM1, LOG, LOG1P,
    LOGISTIC, SIN, SINH, TAN, TANH,
};
use alloc::{format, vec};

api! { FUNCTIONS;
    /// Absolute value: |x|.
    "lax.abs"(x: LIKE) -> ARRAY => |_, a| unary(a, &ABS);
    /// Inverse cosine.
    "lax.acos"(x: LIKE) -> ARRAY => |_, a| unary(a, &ACOS);
    /// Inverse hyperbolic cosine.
    "lax.acosh"(x: LIKE) -> ARRAY => |_, a| unary(a, &ACOSH);
    /// Inverse sine.
    "lax.asin"(x: LIKE) -> ARRAY => |_, a| unary(a, &ASIN);
    /// Inverse hyperbolic sine.
    "lax.asinh"(x: LIKE) -> ARRAY => |_, a| unary(a, &ASINH);
    /// Inverse tangent.
    "lax.atan"(x: LIKE) -> ARRAY => |_, a| unary(a, &ATAN);
    /// Inverse hyperbolic tangent.
    "lax.atanh"(x: LIKE) -> ARRAY => |_, a| unary(a, &ATANH);
    /// All bits flipped.
    "lax.bitwiseNot"(x: LIKE) -> ARRAY => |_, a| unary(a, &NOT);
    /// Cube root.
    "lax.cbrt"(x: LIKE) -> ARRAY => |_, a| unary(a, &CBRT);
    /// Smallest whole number not below x.
    "lax.ceil"(x: LIKE) -> ARRAY => |_, a| unary(a, &CEIL);
    /// Cosine of an angle in radians.
    "lax.cos"(x: LIKE) -> ARRAY => |_, a| unary(a, &COS);
    /// Hyperbolic cosine.
    "lax.cosh"(x: LIKE) -> ARRAY => |_, a| unary(a, &COSH);
    /// Derivative of the logarithm of the gamma function.
    "lax.digamma"(x: LIKE) -> ARRAY => |_, a| unary(a, &DIGAMMA);
    /// Error function.
    "lax.erf"(x: LIKE) -> ARRAY => |_, a| unary(a, &ERF);
    /// Inverse of the error function.
    "lax.erfInv"(x: LIKE) -> ARRAY => |_, a| unary(a, &ERF_INV);
    /// Complementary error function: 1 - erf(x).
    "lax.erfc"(x: LIKE) -> ARRAY => |_, a| unary(a, &ERFC);
    /// Exponential: e ** x.
    "lax.exp"(x: LIKE) -> ARRAY => |_, a| unary(a, &EXP);
    /// Power of two: 2 ** x.
    "lax.exp2"(x: LIKE) -> ARRAY => |_, a| unary(a, &EXP2);
    /// e ** x - 1, accurate near zero.
    "lax.expm1"(x: LIKE) -> ARRAY => |_, a| unary(a, &EXPM1);
    /// Largest whole number not above x.
    "lax.floor"(x: LIKE) -> ARRAY => |_, a| unary(a, &FLOOR);
    /// Whether x is neither infinite nor NaN.
    "lax.isFinite"(x: LIKE) -> ARRAY => |_, a| unary(a, &IS_FINITE);
    /// Logarithm of the absolute value of the gamma function.
    "lax.lgamma"(x: LIKE) -> ARRAY => |_, a| unary(a, &LGAMMA);
    /// Natural logarithm.
    "lax.log"(x: LIKE) -> ARRAY => |_, a| unary(a, &LOG);
    /// log(1 + x), accurate near zero.
    "lax.log1p"(x: LIKE) -> ARRAY => |_, a| unary(a, &LOG1P);
    /// Sigmoid: 1 / (1 + e ** -x).
    "lax.logistic"(x: LIKE) -> ARRAY => |_, a| unary(a, &LOGISTIC);
    /// Negation: -x.
    "lax.neg"(x: LIKE) -> ARRAY => |_, a| unary(a, &NEG);
    /// The number of zero bits above the highest bit that is set.
    "lax.clz"(x: LIKE) -> ARRAY => |_, a| unary(a, &CLZ);
    /// The number of bits that are set.
    "lax.populationCount"(x: LIKE) -> ARRAY => |_, a| unary(a, &POPULATION_COUNT);
    /// Reciprocal square root: 1 / sqrt(x).
    "lax.rsqrt"(x: LIKE) -> ARRAY => |_, a| unary(a, &RSQRT);
    /// Sign: -1, 0 or 1.
    "lax.sign"(x: LIKE) -> ARRAY => |_, a| unary(a, &SIGN);
    /// Sine of an angle in radians.
    "lax.sin"(x: LIKE) -> ARRAY => |_, a| unary(a, &SIN);
    /// Hyperbolic sine.
    "lax.sinh"(x: LIKE) -> ARRAY => |_, a| unary(a, &SINH);
    /// Square root.
    "lax.sqrt"(x: LIKE) -> ARRAY => |_, a| unary(a, &SQRT);
    /// Square: x * x.
    "lax.square"(x: LIKE) -> ARRAY => |_, a| unary(a, &SQUARE);
    /// Tangent of an angle in radians.
    "lax.tan"(x: LIKE) -> ARRAY => |_, a| unary(a, &TAN);
    /// Hyperbolic tangent.
    "lax.tanh"(x: LIKE) -> ARRAY => |_, a| unary(a, &TANH);
    /// Sum: x + y. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.add"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &ADD);
    /// Angle of the point (y, x). Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.atan2"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &ATAN2);
    /// Bitwise and. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.bitwiseAnd"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &AND);
    /// Bitwise or. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.bitwiseOr"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &OR);
    /// Bitwise exclusive or. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.bitwiseXor"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &XOR);
    /// Quotient: x / y; integers are divided toward zero. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.div"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &DIV);
    /// x == y. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.eq"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &EQ);
    /// x >= y. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.ge"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &GE);
    /// x > y. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.gt"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &GT);
    /// x <= y. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.le"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &LE);
    /// x < y. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.lt"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &LT);
    /// The larger of two; NaN if either is. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.max"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &MAX);
    /// The smaller of two; NaN if either is. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.min"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &MIN);
    /// Product: x * y. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.mul"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &MUL);
    /// x != y. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.ne"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &NE);
    /// The next float after x in the direction of y. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.nextafter"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &NEXTAFTER);
    /// Remainder with the sign of x. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.rem"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &REM);
    /// Bits moved left. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.shiftLeft"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &SHIFT_LEFT);
    /// Bits moved right, keeping the sign. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.shiftRightArithmetic"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &SHIFT_RIGHT_ARITHMETIC);
    /// Bits moved right, zeros moving in. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.shiftRightLogical"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &SHIFT_RIGHT_LOGICAL);
    /// Difference: x - y. Operands have one dtype, and equal ranks unless one is a scalar.
    "lax.sub"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &SUB);
    /// Power: x ** y, with a float x and y of its dtype or an integer.
    "lax.pow"(x: LIKE, y: LIKE) -> ARRAY => |cx, a| Ok(cx.pow(&a.value(0)?, &a.value(1)?)?.into());
    /// Power with a fixed whole exponent: x ** y.
    "lax.integerPow"(x: LIKE, y: INT) -> ARRAY => |cx, a| {
        let y = i32::try_from(a.int(1)?).map_err(|_| Error::value_error("integer_pow: the exponent is out of range"))?;
        Ok(cx.bind1(&IntegerPow { y }, &[a.value(0)?])?.into())
    };
    /// Reciprocal: 1 / x.
    "lax.reciprocal"(x: LIKE) -> ARRAY => |cx, a| Ok(cx.bind1(&IntegerPow { y: -1 }, &[a.value(0)?])?.into());
    /// Rounds to the nearest whole number.
    ///
    /// - `roundingMethod`: 0 rounds ties away from zero, 1 to even.
    "lax.round"(x: LIKE, roundingMethod: INT = 0) -> ARRAY => |cx, a| {
        let rounding_method = match a.int(1)? {
            0 => RoundingMethod::AwayFromZero,
            1 => RoundingMethod::ToNearestEven,
            n => return Err(Error::value_error(format!("{n} is not a valid RoundingMethod"))),
        };
        Ok(cx.bind1(&Round { rounding_method }, &[a.value(0)?])?.into())
    };
    /// Elements kept between bounds: max(min, min(x, max)). All of one dtype.
    "lax.clamp"(min: LIKE, x: LIKE, max: LIKE) -> ARRAY => |cx, a| {
        Ok(cx.clamp(&a.value(0)?, &a.value(1)?, &a.value(2)?)?.into())
    };
    /// Elements of the first case where the predicate holds, else of the second. Equal shapes.
    "lax.select"(pred: LIKE, onTrue: LIKE, onFalse: LIKE) -> ARRAY => |cx, a| {
        Ok(cx.select(&a.value(0)?, &a.value(1)?, &a.value(2)?)?.into())
    };
    /// Every element from the case that the first operand names. A boolean takes the first case where
    /// it is false.
    "lax.selectN"(which: LIKE, cases: LIKES)(..) -> ARRAY => |cx, a| {
        let mut operands = vec![a.value(0)?];
        for case in a.list(1)? {
            operands.push(super::convert::as_value(cx, case)?);
        }
        Ok(cx.bind1(&crate::prim::select::SelectN, &operands)?.into())
    };
}

/// A two-operand primitive on operands as they are. Ranks must agree, unless one is a scalar.
fn binary(a: &Args, def: &'static BinaryDef) -> Result<Ret> {
    let (x, y) = (a.value(0)?, a.value(1)?);
    Ok(a.cx.binary(def, &x, &y)?.into())
}
