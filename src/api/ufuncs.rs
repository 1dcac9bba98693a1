//! Element-wise functions of numbers.

use super::args::Args;
use super::convert::{promote_args, promote_args_inexact};
use super::registry::{Ret, api};
use crate::error::Result;
use crate::prim::arithmetic::{ADD, DIV, MUL, NEG, SUB};
use crate::prim::elementwise::{BinaryDef, UnaryDef};
use crate::prim::transcendental::{COS, EXP, LOG, SIN};

api! { FUNCTIONS;
    /// Sum, element by element: x + y.
    ///
    /// Shapes broadcast; dtypes are promoted as in JAX. Booleans: or.
    "np.add"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &ADD);
    /// Difference, element by element: x - y.
    "np.subtract"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &SUB);
    /// Product, element by element: x * y.
    "np.multiply"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary(a, &MUL);
    /// Quotient, element by element: x / y, a float also for integers.
    "np.divide"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary_inexact(a, &DIV);
    /// Quotient, element by element: x / y, a float also for integers.
    "np.trueDivide"(x: LIKE, y: LIKE) -> ARRAY => |_, a| binary_inexact(a, &DIV);
    /// Negation, element by element: -x.
    "np.negative"(x: LIKE) -> ARRAY => |_, a| unary(a, &NEG);
    /// Sine of an angle in radians.
    "np.sin"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, &SIN);
    /// Cosine of an angle in radians.
    "np.cos"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, &COS);
    /// Exponential: e ** x.
    "np.exp"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, &EXP);
    /// Natural logarithm; NaN for negative numbers.
    "np.log"(x: LIKE) -> ARRAY => |_, a| unary_inexact(a, &LOG);
}

/// A one-operand primitive on the argument as it is.
fn unary(a: &Args, def: &'static UnaryDef) -> Result<Ret> {
    Ok(a.cx.unary(def, &a.value(0)?)?.into())
}

/// A one-operand primitive on floats: integers are converted first.
fn unary_inexact(a: &Args, def: &'static UnaryDef) -> Result<Ret> {
    let x = promote_args_inexact(a.cx, def.name, &[a.array_like(0)?])?;
    Ok(a.cx.unary(def, &x[0])?.into())
}

/// A two-operand primitive after promotion.
fn binary(a: &Args, def: &'static BinaryDef) -> Result<Ret> {
    let v = promote_args(a.cx, def.name, &[a.array_like(0)?, a.array_like(1)?])?;
    Ok(a.cx.binary(def, &v[0], &v[1])?.into())
}

/// A two-operand primitive after promotion to floats.
fn binary_inexact(a: &Args, def: &'static BinaryDef) -> Result<Ret> {
    let v = promote_args_inexact(a.cx, def.name, &[a.array_like(0)?, a.array_like(1)?])?;
    Ok(a.cx.binary(def, &v[0], &v[1])?.into())
}
