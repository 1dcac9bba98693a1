//! Divisors of integers.

use super::args::Args;
use super::convert::{args_of, promote_args};
use super::registry::api;
use super::support::{named, values, where_number};
use crate::error::{Error, Result};
use crate::prim::arithmetic::ABS;
use crate::prim::logic::GCD;
use crate::prim::rule::Ctx;
use crate::value::Value;
use alloc::{format, vec::Vec};

api! { FUNCTIONS;
    /// Greatest common divisor of integers, not negative.
    "np.gcd"(x1: LIKE, x2: LIKE) -> ARRAY => |cx, a| {
        let v = integers(cx, a)?;
        Ok(named(cx, "gcd", &v, |cx, v| {
            let v = promoted(cx, "gcd", v)?;
            cx.binary(&GCD, &v[0], &v[1])
        })?.into())
    };
    /// Least common multiple of integers, not negative; 0 where either is 0.
    "np.lcm"(x1: LIKE, x2: LIKE) -> ARRAY => |cx, a| {
        let v = integers(cx, a)?;
        Ok(named(cx, "lcm", &v, |cx, v| {
            let v = promoted(cx, "lcm", v)?;
            let (x, y) = (cx.unary(&ABS, &v[0])?, cx.unary(&ABS, &v[1])?);
            let divisor = cx.binary(&GCD, &x, &y)?;
            let zero = cx.eq(&divisor, &cx.lit(0.0, &divisor)?)?;
            let divisor = where_number(cx, &zero, 1.0, &divisor)?;
            cx.mul(&x, &cx.div(&y, &divisor)?)
        })?.into())
    };
}

fn promoted(cx: &Ctx, name: &str, v: &[Value]) -> Result<Vec<Value>> {
    let args = args_of(v);
    promote_args(cx, name, &args.iter().collect::<Vec<_>>())
}

/// The two operands, which must be integers.
fn integers(cx: &Ctx, a: &Args) -> Result<Vec<Value>> {
    let v = values(cx, &[a.array_like(0)?, a.array_like(1)?])?;
    if v.iter().all(|x| x.dtype().is_int()) {
        return Ok(v);
    }
    Err(Error::value_error(format!(
        "Arguments to jax.numpy.{} must be integers.",
        a.name()
    )))
}
