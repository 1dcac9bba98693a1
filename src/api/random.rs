//! Random keys and what is drawn from them: JAX's own numbers, bit for bit.

use super::args::Args;
use super::convert::{as_value, astype, cast, inexact, typed};
use super::draws::{
    along, bernoulli, between, epsilon, gumbel, just_above, lifted, misfit, number, permutation,
    randint, tiny, truncated_normal, uniform, weak,
};
use super::prims::index_in_dim;
use super::registry::{Arg, Ret, api};
use super::searching::insertion;
use super::support::named;
use crate::array::Array;
use crate::dtype::DType;
use crate::error::{Error, Result};
#[cfg(target_arch = "wasm32")]
use crate::kernel::Float;
use crate::kernel::{ArgFn, ScanFn};
use crate::prim::arithmetic::{ABS, SIGN};
use crate::prim::random::Step;
use crate::prim::rule::Ctx;
use crate::prim::special::ERF_INV;
use crate::prim::transcendental::{LOG, LOG1P, TAN};
use crate::shape::{Shape, broadcast, tuple};
use crate::value::Value;
use alloc::format;
use core::f64::consts::{PI, SQRT_2};

api! { FUNCTIONS;
    /// A new random key from an integer seed. Draws take a key and never change it: for other numbers
    /// make other keys with `random.split`.
    "random.key"(seed: LIKE) -> ARRAY => |cx, a| Ok(seeded(cx, a)?.into());
    /// A raw random key, two uint32, from an integer seed.
    "random.PRNGKey" as "PRNGKey" (seed: LIKE) -> ARRAY => |cx, a| Ok(unwrap(cx, &seeded(cx, a)?)?.into());
    /// The raw uint32 of keys, with a new last axis of size 2.
    "random.keyData"(keys: LIKE) -> ARRAY => |cx, a| {
        let (keys, _) = keys(cx, a, 0)?;
        Ok(unwrap(cx, &keys)?.into())
    };
    /// Keys from raw uint32, whose last axis has size 2.
    "random.wrapKeyData"(keyBits: LIKE) -> ARRAY => |cx, a| Ok(cx.random(Step::Wrap, &a.value(0)?, &[])?.into());
    /// The same key, for a use that is meant to draw the same numbers again.
    "random.clone"(key: LIKE) -> ARRAY => |cx, a| { keys(cx, a, 0)?; Ok(a.value(0)?.into()) };
    /// Several new keys from one: a row for each.
    ///
    /// - `num`: how many, or the shape of them.
    "random.split"(key: LIKE, num: SHAPE = 2) -> ARRAY => |cx, a| {
        let (key, raw) = single(cx, a)?;
        let shape = a.opt_shape(1)?.unwrap_or_else(|| Shape::from_slice(&[2]));
        like_given(cx, cx.random(Step::Split, &key, &shape)?, raw)
    };
    /// A new key from a key and an integer, such as the number of a step.
    "random.foldIn"(key: LIKE, data: LIKE) -> ARRAY => |cx, a| {
        let (key, raw) = single(cx, a)?;
        let data = cast(cx, a.array_like(1)?, (DType::U32, false))?;
        if data.rank() > 0 {
            return Err(Error::type_error(format!("fold_in accepts a scalar, but was given an array of shape {} != (). Use jax.vmap for batching.", tuple(data.shape()))));
        }
        like_given(cx, cx.fold_in(&key, &data)?, raw)
    };
    /// Random bits as uint32.
    "random.bits"(key: LIKE, shape: SHAPE = [], dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        let ((key, _), shape) = (single(cx, a)?, shape(a, 1)?);
        if !matches!(a.dtype(2)?, None | Some(DType::U32)) {
            return Err(Error::type_error("dtype argument to `bits` must be an unsigned int dtype, here uint32"));
        }
        Ok(cx.random(Step::Bits, &key, &shape)?.into())
    };
    /// Uniform numbers: at least minval, below maxval.
    "random.uniform"(key: LIKE, shape: SHAPE = [], dtype: OPT_DTYPE = null, minval: LIKE = 0.0, maxval: LIKE = 1.0) -> ARRAY => |cx, a| {
        let ((key, _), shape, dtype) = (single(cx, a)?, shape(a, 1)?, float(a, 2)?);
        let bound = |i, default| match a.given(i) {
            true => a.value(i),
            false => as_value(cx, &weak(default)),
        };
        Ok(uniform(cx, &key, &shape, dtype, &bound(3, 0.0)?, &bound(4, 1.0)?)?.into())
    };
    /// Numbers of the standard normal distribution.
    "random.normal"(key: LIKE, shape: SHAPE = [], dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        drawn(cx, a, "_normal", |cx, key, shape, dtype| {
            let shape = Shape::from_slice(shape);
            named(cx, "_normal_real", core::slice::from_ref(key), move |cx, v| {
                let (low, high) = (number(just_above(-1.0, dtype), dtype)?, number(1.0, dtype)?);
                let u = uniform(cx, &v[0], &shape, dtype, &low, &high)?;
                cx.mul(&number(SQRT_2, dtype)?, &cx.unary(&ERF_INV, &u)?)
            })
        })
    };
    /// Whole numbers: at least minval, below maxval, each as likely.
    "random.randint"(key: LIKE, shape: SHAPE, minval: LIKE, maxval: LIKE, dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        let ((key, _), shape) = (single(cx, a)?, shape(a, 1)?);
        let (low, high, dtype) = (a.value(2)?, a.value(3)?, a.dtype(4)?.unwrap_or(DType::I32));
        if !dtype.is_int() {
            return Err(Error::type_error(format!("randint only accepts integer dtypes, got {dtype}")));
        }
        for (name, v) in [("minval", &low), ("maxval", &high)] {
            if !v.dtype().is_int() {
                return Err(Error::type_error(format!("randint requires {name} to be an integer, got {}", v.dtype())));
            }
        }
        Ok(randint(cx, &key, &shape, &low, &high, dtype)?.into())
    };
    /// Booleans that are true with probability p.
    ///
    /// - `shape`: that of `p` when null.
    "random.bernoulli"(key: LIKE, p: LIKE = 0.5, shape: OPT_SHAPE = null) -> ARRAY => |cx, a| {
        let (key, _) = single(cx, a)?;
        let half = weak(0.5);
        let p = if a.given(1) { a.array_like(1)? } else { &half };
        let p = cast(cx, p, (inexact(cx, typed(cx, p)?).0, false))?;
        let shape = a.opt_shape(2)?.unwrap_or_else(|| p.shape().into());
        Ok(bernoulli(cx, &key, &p, &shape)?.into())
    };
    /// 1 and -1, each as likely.
    "random.rademacher"(key: LIKE, shape: SHAPE = [], dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        let ((key, _), shape, dtype) = (single(cx, a)?, shape(a, 1)?, a.dtype(2)?.unwrap_or(DType::I32));
        Ok(named(cx, "_rademacher", &[key], move |cx, v| {
            let yes = bernoulli(cx, &v[0], &number(0.5, cx.env.default_float())?, &shape)?;
            let yes = astype(cx, &yes, dtype)?;
            let twice = cx.mul(&cx.lit(2.0, &yes)?, &yes)?;
            cx.sub(&twice, &cx.lit(1.0, &yes)?)
        })?.into())
    };
    /// Numbers of the Gumbel distribution: -log(-log(u)).
    "random.gumbel"(key: LIKE, shape: SHAPE = [], dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        let ((key, _), shape, dtype) = (single(cx, a)?, shape(a, 1)?, float(a, 2)?);
        Ok(gumbel(cx, &key, &shape, dtype)?.into())
    };
    /// Numbers of the exponential distribution with mean 1.
    "random.exponential"(key: LIKE, shape: SHAPE = [], dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        drawn(cx, a, "_exponential", |cx, key, shape, dtype| {
            let u = between(cx, key, shape, dtype, 0.0)?;
            cx.neg(&cx.unary(&LOG1P, &cx.neg(&u)?)?)
        })
    };
    /// Numbers of the Laplace distribution.
    "random.laplace"(key: LIKE, shape: SHAPE = [], dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        drawn(cx, a, "_laplace", |cx, key, shape, dtype| {
            let u = between(cx, key, shape, dtype, -1.0 + epsilon(dtype) / 2.0)?;
            let sign = cx.unary(&SIGN, &u)?;
            cx.mul(&sign, &cx.unary(&LOG1P, &cx.neg(&cx.unary(&ABS, &u)?)?)?)
        })
    };
    /// Numbers of the logistic distribution.
    "random.logistic"(key: LIKE, shape: SHAPE = [], dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        drawn(cx, a, "_logistic", |cx, key, shape, dtype| {
            let u = between(cx, key, shape, dtype, tiny(dtype))?;
            let part = cx.unary(&LOG, &u)?;
            cx.sub(&part, &cx.unary(&LOG1P, &cx.neg(&u)?)?)
        })
    };
    /// Numbers of the Cauchy distribution.
    "random.cauchy"(key: LIKE, shape: SHAPE = [], dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        drawn(cx, a, "_cauchy", |cx, key, shape, dtype| {
            let u = between(cx, key, shape, dtype, epsilon(dtype))?;
            let off = cx.sub(&u, &cx.lit(0.5, &u)?)?;
            cx.unary(&TAN, &cx.mul(&cx.lit(PI, &off)?, &off)?)
        })
    };
    /// Numbers of the standard normal distribution between lower and upper.
    "random.truncatedNormal"(key: LIKE, lower: LIKE, upper: LIKE, shape: OPT_SHAPE = null, dtype: OPT_DTYPE = null) -> ARRAY => |cx, a| {
        let ((key, _), dtype) = (single(cx, a)?, float(a, 4)?);
        let (low, high) = (a.value(1)?, a.value(2)?);
        let shape = match a.opt_shape(3)? {
            Some(shape) => shape,
            None => broadcast([low.shape(), high.shape()]).ok_or_else(|| misfit(low.shape(), high.shape()))?,
        };
        Ok(named(cx, "_truncated_normal", &[key, low, high], move |cx, v| truncated_normal(cx, v, &shape, dtype))?.into())
    };
    /// An array with its rows in random order, or the numbers below an integer.
    ///
    /// - `axis`: along which it is shuffled.
    /// - `independent`: each column in an order of its own.
    "random.permutation"(key: LIKE, x: LIKE, axis: INT = 0, independent: BOOL = false) -> ARRAY => |cx, a| {
        let ((key, _), x, independent) = (single(cx, a)?, counted(cx, a, 1)?, a.bool(3)?);
        let axis = a.axis(2, x.rank())?;
        Ok(permutation(cx, &key, &x, axis, independent)?.into())
    };
    /// Random elements of an array, or random numbers below an integer.
    ///
    /// - `replace`: whether an element may be chosen again.
    /// - `p`: the probability of each; all alike when null.
    /// - `axis`: along which is chosen.
    "random.choice"(key: LIKE, a: LIKE, shape: SHAPE = [], replace: BOOL = true, p: OPT_LIKE = null, axis: INT = 0) -> ARRAY => |cx, a| choice(cx, a);
    /// Indices that are as likely as their share of exp(logits) along an axis.
    ///
    /// - `shape`: of the result; it ends with the shape of `logits` without the axis.
    /// - `replace`: whether an index may be drawn again.
    "random.categorical"(key: LIKE, logits: LIKE, axis: INT = -1, shape: OPT_SHAPE = null, replace: BOOL = true) -> ARRAY => |cx, a| categorical(cx, a);
}

/// A key from the seed in the first argument.
fn seeded(cx: &Ctx, a: &Args) -> Result<Value> {
    let seed = match a.array_like(0)? {
        // A plain number keeps its lower 32 bits, as JAX does without 64-bit integers.
        Arg::Number {
            value,
            float: false,
        } if value.fract() == 0.0 => Value::Array(Array::scalar(*value, DType::U32, false)?),
        other => as_value(cx, other)?,
    };
    if !seed.dtype().is_int() {
        return Err(Error::type_error(format!(
            "PRNG key seed must be an integer; got {}",
            seed.dtype()
        )));
    }
    if seed.rank() > 0 {
        return Err(Error::type_error(format!(
            "PRNGKey accepts a scalar seed, but was given an array of shape {} != (). Use jax.vmap for \
             batching",
            tuple(seed.shape())
        )));
    }
    cx.random(Step::Seed, &seed, &[])
}

fn unwrap(cx: &Ctx, keys: &Value) -> Result<Value> {
    cx.random(Step::Unwrap, keys, &[])
}

/// Typed keys of an argument, and whether they were raw.
fn keys(cx: &Ctx, a: &Args, i: usize) -> Result<(Value, bool)> {
    let v = a.value(i)?;
    match v.dtype() {
        DType::Key => Ok((v, false)),
        DType::U32 if v.shape().last() == Some(&2) => Ok((cx.random(Step::Wrap, &v, &[])?, true)),
        _ => Err(Error::type_error(format!(
            "JAX encountered invalid PRNG key data: expected a key or uint32[2], got {}",
            v.aval().long()
        ))),
    }
}

/// The one key in the first argument.
fn single(cx: &Ctx, a: &Args) -> Result<(Value, bool)> {
    let (key, raw) = keys(cx, a, 0)?;
    if key.rank() > 0 {
        return Err(Error::value_error(format!(
            "{} accepts a single key, but was given a key array of shape {}. Use jax.vmap for batching.",
            a.name(),
            tuple(key.shape())
        )));
    }
    Ok((key, raw))
}

fn like_given(cx: &Ctx, keys: Value, raw: bool) -> Result<Ret> {
    Ok(if raw { unwrap(cx, &keys)? } else { keys }.into())
}

/// The shape to draw: of no axes when not given.
fn shape(a: &Args, i: usize) -> Result<Shape> {
    Ok(a.opt_shape(i)?.unwrap_or_default())
}

/// The float dtype to draw in.
fn float(a: &Args, i: usize) -> Result<DType> {
    let dtype = a.dtype(i)?.unwrap_or(a.cx.env.default_float());
    if dtype.is_float() {
        return Ok(dtype);
    }
    Err(Error::value_error(format!(
        "dtype argument to `{}` must be a float dtype, got {dtype}",
        a.name()
    )))
}

/// A distribution without parameters: key, shape, dtype.
fn drawn(
    cx: &Ctx,
    a: &Args,
    name: &'static str,
    body: fn(&Ctx, &Value, &[usize], DType) -> Result<Value>,
) -> Result<Ret> {
    let ((key, _), shape, dtype) = (single(cx, a)?, shape(a, 1)?, float(a, 2)?);
    Ok(named(cx, name, &[key], move |cx, v| {
        body(cx, &v[0], &shape, dtype)
    })?
    .into())
}

/// An array, or the numbers below a plain integer.
fn counted(cx: &Ctx, a: &Args, i: usize) -> Result<Value> {
    let x = a.value(i)?;
    if x.rank() > 0 {
        return Ok(x);
    }
    if !x.dtype().is_int() {
        return Err(Error::type_error(format!(
            "{}: x must be an integer or at least 1-dimensional",
            a.name()
        )));
    }
    let n = super::args::count(a.int(i)?)?;
    cx.iota(DType::I32, &[n], 0)
}

fn choice(cx: &Ctx, a: &Args) -> Result<Ret> {
    let ((key, _), x, shape, replace) =
        (single(cx, a)?, counted(cx, a, 1)?, shape(a, 2)?, a.bool(3)?);
    let plain = a.value(1)?.rank() == 0;
    let axis = a.axis(5, x.rank())?;
    let n = x.shape()[axis];
    let draws: usize = shape.iter().product();
    if n == 0 && draws > 0 {
        return Err(Error::value_error(
            "a must be greater than 0 unless no samples are taken",
        ));
    }
    if !replace && draws > n {
        return Err(Error::value_error(format!(
            "Cannot take a larger sample (size {draws}) than population (size {n}) when 'replace=False'"
        )));
    }
    let at = match (a.opt_value(4)?, replace) {
        (None, true) => {
            let end = as_value(
                cx,
                &Arg::Number {
                    value: n as f64,
                    float: false,
                },
            )?;
            randint(cx, &key, &shape, &cx.lit(0.0, &end)?, &end, DType::I32)?
        }
        (None, false) => {
            let mixed = permutation(cx, &key, &x, axis, false)?;
            let taken = cx.slice_axis(&mixed, axis, 0, draws)?;
            let mut sizes = Shape::from_slice(&x.shape()[..axis]);
            sizes.extend_from_slice(&shape);
            sizes.extend_from_slice(&x.shape()[axis + 1..]);
            return Ok(cx.reshape(&taken, &sizes)?.into());
        }
        (Some(p), replace) => {
            let p = astype(cx, &p, inexact(cx, (p.dtype(), false)).0)?;
            if p.shape() != [n] {
                return Err(Error::value_error(format!(
                    "p must be None or a 1D vector with the same size as a.shape[axis]. p has shape {} \
                     and a.shape[axis] is {n}.",
                    tuple(p.shape())
                )));
            }
            if replace {
                let sums = cx.cumulative(ScanFn::Sum, &p, 0, false)?;
                let u = between(cx, &key, &shape, p.dtype(), 0.0)?;
                let rest = cx.sub(&cx.lit(1.0, &u)?, &u)?;
                let total = index_in_dim(cx, &sums, 0, n - 1)?;
                insertion(cx, &sums, &cx.mul(&total, &rest)?, false)?
            } else {
                let g = gumbel(cx, &key, &[n], p.dtype())?;
                let scores = cx.add(&g, &cx.unary(&LOG, &p)?)?;
                cx.reshape(&cx.top_k(&scores, draws, 0)?.1, &shape)?
            }
        }
    };
    Ok(if plain { at } else { along(cx, &x, &at, axis)? }.into())
}

fn categorical(cx: &Ctx, a: &Args) -> Result<Ret> {
    let ((key, _), logits) = (
        single(cx, a)?,
        super::arithmetic::to_float(cx, a.array_like(1)?)?,
    );
    let axis = a.axis(2, logits.rank())?;
    let mut batch = Shape::from_slice(logits.shape());
    batch.remove(axis);
    let shape = a.opt_shape(3)?.unwrap_or_else(|| batch.clone());
    if !shape.ends_with(&batch) {
        return Err(Error::value_error(format!(
            "categorical: the end of shape={} must be the shape of logits without the axis, {}",
            tuple(&shape),
            tuple(&batch)
        )));
    }
    let prefix = &shape[..shape.len() - batch.len()];
    if a.bool(4)? {
        let mut whole = Shape::from_slice(prefix);
        whole.extend_from_slice(logits.shape());
        let g = gumbel(cx, &key, &whole, logits.dtype())?;
        let scores = cx.add(&g, &lifted(cx, &logits, &whole)?)?;
        return Ok(cx
            .arg_reduce(ArgFn::Max, &scores, prefix.len() + axis, DType::I32)?
            .into());
    }
    let k = prefix.iter().product();
    let g = gumbel(cx, &key, logits.shape(), logits.dtype())?;
    let scores = cx.moveaxis(&cx.add(&g, &logits)?, axis, logits.rank() - 1)?;
    let (_, best) = cx.top_k(&scores, k, scores.rank() - 1)?;
    let best = cx.moveaxis(&best, best.rank() - 1, 0)?;
    Ok(cx.reshape(&best, &shape)?.into())
}
