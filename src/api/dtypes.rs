//! Questions about element types.

use super::convert::typed;
use super::registry::{Arg, Ret, api};
use crate::dtype::{DType, promote};
use crate::error::{Error, Result};
use crate::prim::rule::Ctx;
use alloc::{borrow::ToOwned, format, vec, vec::Vec};

api! { FUNCTIONS;
    /// The dtype to which two dtypes are promoted, by JAX's rules.
    "np.promoteTypes"(a: DTYPE, b: DTYPE) -> DTYPE => |cx, a| {
        let (p, q) = (a.dtype(0)?.ok_or_else(|| a.missing(0))?, a.dtype(1)?.ok_or_else(|| a.missing(1))?);
        Ok(Ret::Str(promote([(p, false), (q, false)], cx.env.x64.get()).0.name().into()))
    };
    /// The dtype of the result of an operation on arrays, numbers and dtypes.
    "np.resultType"(arraysAndDtypes: ANY)(..) -> DTYPE => |cx, a| {
        let types = a.list(0)?.iter().map(|arg| type_of(cx, arg)).collect::<Result<Vec<_>>>()?;
        if types.is_empty() {
            return Err(Error::value_error("at least one array or dtype is required"));
        }
        Ok(Ret::Str(promote(types, cx.env.x64.get()).0.name().into()))
    };
    /// The limits of a float type: eps, max, min, tiny, smallest subnormal, resolution and bits.
    ///
    /// Raises `ValueError` for a type that is no float.
    "np.finfo"(dtype: TYPED) -> INFO => |cx, a| match type_of(cx, a.arg(0))?.0 {
        DType::F32 => Ok(float_info("float32", 32, f32::EPSILON.into(), f32::MAX.into(), f32::MIN_POSITIVE.into(), f32::from_bits(1).into(), 1e-6, 23, 8)),
        DType::F64 => Ok(float_info("float64", 64, f64::EPSILON, f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), 1e-15, 52, 11)),
        other => Err(Error::value_error(format!("data type <class 'numpy.{other}'> not inexact"))),
    };
    /// The limits of an integer type: min, max and bits.
    ///
    /// Raises `ValueError` for a type that is no integer.
    "np.iinfo"(intType: TYPED) -> INFO => |cx, a| {
        let (d, min, max) = match type_of(cx, a.arg(0))?.0 {
            d @ DType::I32 => (d, i64::from(i32::MIN), i64::from(i32::MAX)),
            d @ DType::U32 => (d, 0, i64::from(u32::MAX)),
            other => return Err(Error::value_error(format!("Invalid integer data type {:?}.", &other.name()[..1]))),
        };
        Ok(Ret::Record(vec![
            ("dtype", Ret::Str(d.name().into())),
            ("bits", Ret::Int(32)),
            ("min", Ret::Int(min)),
            ("max", Ret::Int(max)),
        ]))
    };
    /// Whether a dtype belongs to a kind: "floating", "integer", "signedinteger", "unsignedinteger",
    /// "inexact", "number", "generic", or another dtype.
    "np.issubdtype"(arg1: TYPED, arg2: STRING) -> BOOL => |cx, a| {
        let d = type_of(cx, a.arg(0))?.0;
        let kind = a.str(1)?;
        Ok(Ret::Bool(match kind {
            "floating" | "inexact" => d.is_float(),
            "integer" => d.is_int(),
            "signedinteger" => d == DType::I32,
            "unsignedinteger" => d == DType::U32,
            "number" => d.is_float() || d.is_int(),
            "generic" => true,
            "complexfloating" => false,
            other => d == super::args::parse_dtype(cx, &Arg::Str(other.to_owned()))?,
        }))
    };
    /// The shape of an array, as a list of numbers.
    "np.shape"(a: LIKE) -> INTS_OUT => |_, a| {
        let x = a.value(0)?;
        Ok(Ret::List(x.shape().iter().map(|n| Ret::Int(*n as i64)).collect()))
    };
    /// The number of axes of an array.
    "np.ndim"(a: LIKE) -> INT => |_, a| Ok(Ret::Int(a.value(0)?.rank() as i64));
    /// The number of elements of an array, or of one of its axes.
    "np.size"(a: LIKE, axis: AXIS = null) -> INT => |_, a| {
        let x = a.value(0)?;
        Ok(Ret::Int(match a.opt_axis(1, x.rank())? {
            Some(axis) => x.shape()[axis],
            None => x.aval().numel(),
        } as i64))
    };
}

/// The type of an array, a number, or a named dtype.
fn type_of(cx: &Ctx, arg: &Arg) -> Result<(DType, bool)> {
    match arg {
        Arg::Str(_) => Ok((super::args::parse_dtype(cx, arg)?, false)),
        _ => typed(cx, arg),
    }
}

#[allow(clippy::too_many_arguments)]
fn float_info(
    name: &str,
    bits: i64,
    eps: f64,
    max: f64,
    tiny: f64,
    subnormal: f64,
    resolution: f64,
    mantissa: i64,
    exponent: i64,
) -> Ret {
    Ret::Record(vec![
        ("dtype", Ret::Str(name.into())),
        ("bits", Ret::Int(bits)),
        ("eps", Ret::Float(eps)),
        ("epsneg", Ret::Float(eps / 2.0)),
        ("max", Ret::Float(max)),
        ("min", Ret::Float(-max)),
        ("tiny", Ret::Float(tiny)),
        ("smallestNormal", Ret::Float(tiny)),
        ("smallestSubnormal", Ret::Float(subnormal)),
        ("resolution", Ret::Float(resolution)),
        ("nmant", Ret::Int(mantissa)),
        ("nexp", Ret::Int(exponent)),
    ])
}
