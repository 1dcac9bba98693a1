//! Making arrays.

use super::convert::{array_of, as_value, astype, broadcast_to, convert, typed};
use super::registry::{Arg, Ret, api};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::Result;
use alloc::vec::Vec;

api! { FUNCTIONS;
    /// An array from numbers, nested lists, or arrays.
    ///
    /// - `object`: a number, a list of lists of equal lengths, or an array.
    /// - `dtype`: the element type; taken from the elements when null (integral numbers int32,
    ///   others float32).
    ///
    /// Raises `ValueError` for ragged lists.
    "np.array"(object: NESTED, dtype: OPT_DTYPE = null; copy: BOOL = true, ndmin: INT = 0) -> ARRAY => |cx, a| {
        let dtype = a.dtype(1)?;
        let copied = match a.arg(0) {
            Arg::Value(v) if a.bool(2)? => Arg::Value(cx.copy(v)?),
            other => other.clone(),
        };
        let out = array(cx, &copied, dtype)?;
        let missing = (a.int(3)?.clamp(0, 32) as usize).saturating_sub(out.rank());
        let new: Vec<usize> = (0..missing).collect();
        Ok(cx.expand_dims(&out, &new)?.into())
    };
    /// The argument as an array; an array is given back as it is.
    ///
    /// - `dtype`: the element type; kept when null.
    "np.asarray"(a: NESTED, dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        Ok(array(cx, a.arg(0), a.dtype(1)?)?.into())
    };
    /// An array of zeros.
    ///
    /// - `shape`: axis sizes.
    /// - `dtype`: float32 when null.
    "np.zeros"(shape: SHAPE, dtype: OPT_DTYPE = null) -> ARRAY => |_, a| filled(a, 0.0);
    /// An array of ones.
    ///
    /// - `shape`: axis sizes.
    /// - `dtype`: float32 when null.
    "np.ones"(shape: SHAPE, dtype: OPT_DTYPE = null) -> ARRAY => |_, a| filled(a, 1.0);
    /// An array whose elements are not specified; they are zeros, as in JAX.
    "np.empty"(shape: SHAPE, dtype: OPT_DTYPE = null) -> ARRAY => |_, a| filled(a, 0.0);
    /// An array filled with one value.
    ///
    /// - `shape`: axis sizes.
    /// - `fillValue`: a scalar, or an array that broadcasts to `shape`.
    /// - `dtype`: that of `fillValue` when null.
    "np.full"(shape: SHAPE, fillValue: LIKE, dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        let shape = a.shape(0)?;
        let fill = a.array_like(1)?;
        let (own, weak) = typed(cx, fill)?;
        let to = a.dtype(2)?.map_or((own, weak), |d| (d, false));
        let value = super::convert::cast(cx, fill, to)?;
        Ok(broadcast_to(cx, &value, &shape)?.into())
    };
    /// Zeros of the shape and dtype of another array.
    "np.zerosLike"(a: LIKE, dtype: OPT_DTYPE = null, shape: OPT_SHAPE = null) -> ARRAY => |_, a| filled_like(a, 0.0);
    /// Ones of the shape and dtype of another array.
    "np.onesLike"(a: LIKE, dtype: OPT_DTYPE = null, shape: OPT_SHAPE = null) -> ARRAY => |_, a| filled_like(a, 1.0);
    /// An array of the shape and dtype of another, its elements not specified (zeros).
    "np.emptyLike"(prototype: LIKE, dtype: OPT_DTYPE = null, shape: OPT_SHAPE = null) -> ARRAY => |_, a| filled_like(a, 0.0);
    /// One value repeated to the shape of another array.
    ///
    /// - `fillValue`: converted to the dtype of `a`, or to `dtype`.
    "np.fullLike"(a: LIKE, fillValue: LIKE, dtype: OPT_DTYPE = null, shape: OPT_SHAPE = null) -> ARRAY => |cx, a| {
        let like = a.value(0)?;
        let shape = a.opt_shape(3)?.unwrap_or_else(|| like.shape().into());
        let dtype = a.dtype(2)?.unwrap_or(like.dtype());
        let weak = like.aval().weak && !a.given(2);
        let fill = super::convert::cast(cx, a.array_like(1)?, (dtype, weak))?;
        Ok(broadcast_to(cx, &fill, &shape)?.into())
    };
    /// The array in another element type. Floats are cut toward zero to become integers.
    "np.astype"(x: LIKE, dtype: DTYPE) -> ARRAY => |cx, a| {
        let dtype = a.dtype(1)?.ok_or_else(|| a.missing(1))?;
        Ok(astype(cx, &a.value(0)?, dtype)?.into())
    };
}

fn array(
    cx: &crate::prim::rule::Ctx,
    arg: &Arg,
    dtype: Option<DType>,
) -> Result<crate::value::Value> {
    match (arg, dtype) {
        (Arg::List(_), _) => array_of(cx, arg, dtype),
        (_, Some(d)) => match super::convert::literal(arg) {
            Some(value) => {
                if matches!(arg, Arg::Number { float: false, .. }) {
                    super::convert::check_bounds(value, d)?;
                }
                super::convert::cast(cx, arg, (d, false))
            }
            None => convert(cx, &as_value(cx, arg)?, (d, false)),
        },
        (_, None) => {
            let value = as_value(cx, arg)?;
            // An array holds what its type holds, no longer the number as it was written.
            match super::convert::literal(arg) {
                Some(number) => Ok(crate::array::Array::full(number, value.aval().clone())?.into()),
                None => Ok(value),
            }
        }
    }
}

fn filled(a: &super::args::Args, value: f64) -> Result<Ret> {
    let shape = a.shape(0)?;
    let dtype = a.dtype(1)?.unwrap_or(a.cx.env.default_float());
    Ok(a.cx.full(value, &Aval::new(&shape, dtype))?.into())
}

fn filled_like(a: &super::args::Args, value: f64) -> Result<Ret> {
    let like = a.value(0)?;
    let shape = a.opt_shape(2)?.unwrap_or_else(|| like.shape().into());
    let dtype = a.dtype(1)?.unwrap_or(like.dtype());
    let weak = like.aval().weak && !a.given(1);
    Ok(a.cx
        .full(value, &Aval::new(&shape, dtype).with_weak(weak))?
        .into())
}
