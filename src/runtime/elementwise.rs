//! Element-wise primitives on arrays: choosing the kernel by dtype and shape, allocating the result.
//! Operands have been validated by the primitives' shape rules.

use super::movement::{words, words_mut};
use crate::array::{Array, ArrayMut, Element};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::kernel::{self, Kind, Operand, PairFn, UnaryFn, Unsupported};
use crate::shape::{Shape, broadcast2, strides};
use alloc::{boxed::Box, format, vec::Vec};
use smallvec::SmallVec;

/// The element type as kernels name it.
pub(super) fn kind(d: DType) -> Result<Kind> {
    Ok(match d {
        DType::F32 => Kind::F32,
        DType::F64 => Kind::F64,
        DType::I32 => Kind::I32,
        DType::U32 => Kind::U32,
        DType::Bool => Kind::Bool,
        DType::Float0 | DType::Key => return Err(no_numbers(d)),
    })
}

/// The error for elements that are no numbers.
pub(super) fn no_numbers(d: DType) -> Box<Error> {
    Error::type_error(format!("{d} has no numbers to compute with"))
}

pub(super) fn supported(
    done: core::result::Result<(), Unsupported>,
    what: &str,
    d: DType,
) -> Result<()> {
    done.map_err(|Unsupported| Error::internal(format!("no kernel for {what} on {d}")))
}

/// The type of the result of a function of one operand.
pub fn unary_type(f: UnaryFn, x: &Aval) -> Aval {
    let mut out = x.clone();
    if f == UnaryFn::IsFinite {
        out.dtype = DType::Bool;
    }
    out
}

/// Element-wise function of one operand.
pub fn unary(f: UnaryFn, x: &Array) -> Result<Array> {
    let mut out = ArrayMut::uninit(unary_type(f, x.aval()))?;
    let (kind, n) = (kind(x.dtype())?, x.numel());
    // SAFETY: x holds n elements of that kind, and the result is a new buffer for n of its own.
    let done = unsafe { kernel::unary_raw(kind, f, x.as_ptr(), out.as_mut_ptr(), n) };
    supported(done, "a function of one operand", x.dtype())?;
    Ok(out.freeze())
}

/// The shape of the result of two operands.
fn joint_shape(x: &Array, y: &Array) -> Result<Shape> {
    if x.shape() == y.shape() || y.shape().is_empty() {
        return Ok(x.aval().shape.clone());
    }
    if x.shape().is_empty() {
        return Ok(y.aval().shape.clone());
    }
    broadcast2(x.shape(), y.shape())
        .ok_or_else(|| Error::internal("operands of a kernel do not broadcast"))
}

/// Element-wise function or comparison of two operands of one dtype, broadcast.
pub fn pair(f: PairFn, x: &Array, y: &Array) -> Result<Array> {
    let kind = kind(x.dtype())?;
    let aval = Aval {
        shape: joint_shape(x, y)?,
        dtype: match f {
            PairFn::Binary(_) => x.dtype(),
            PairFn::Compare(_) => DType::Bool,
        },
        weak: x.aval().weak && y.aval().weak,
    };
    let n = aval.numel();
    let plain = |a: &Array| a.numel() == n || a.numel() == 1;
    let mut out = ArrayMut::uninit(aval)?;
    let done = if n == 0 {
        Ok(())
    } else if plain(x) && plain(y) {
        let operand = |a: &Array| Operand {
            at: a.as_ptr(),
            scalar: a.numel() == 1,
        };
        // SAFETY: each operand has n elements or is used as the one element it has; the result is
        // a new buffer of n elements.
        unsafe { kernel::pair_raw(kind, f, operand(x), operand(y), out.as_mut_ptr(), n) }
    } else {
        let shape = out.aval().shape.clone();
        let (xs, ys) = (broadcast_strides(x, &shape), broadcast_strides(y, &shape));
        let to = out.as_mut_ptr();
        // SAFETY: the strides walk each operand within its own shape; the result is a new buffer.
        unsafe { kernel::broadcast_raw(kind, f, (x.as_ptr(), &xs), (y.as_ptr(), &ys), &shape, to) }
    };
    supported(done, "a function of two operands", x.dtype())?;
    Ok(out.freeze())
}

/// Strides in elements with which an operand is read as the broadcast shape: 0 along what repeats.
fn broadcast_strides(a: &Array, shape: &[usize]) -> SmallVec<[isize; 4]> {
    let own = strides(a.shape());
    let missing = shape.len() - a.shape().len();
    (0..shape.len())
        .map(|i| match i.checked_sub(missing) {
            Some(j) if a.shape()[j] != 1 => own[j] as isize,
            _ => 0,
        })
        .collect()
}

/// A scalar function of two float operands, broadcast, computed in double precision: for functions
/// that are too rare to have kernels.
pub fn map2(f: fn(f64, f64) -> f64, x: &Array, y: &Array) -> Result<Array> {
    let aval = Aval {
        shape: joint_shape(x, y)?,
        dtype: x.dtype(),
        weak: x.aval().weak && y.aval().weak,
    };
    let places = strides(&aval.shape);
    let (xs, ys) = (
        broadcast_strides(x, &aval.shape),
        broadcast_strides(y, &aval.shape),
    );
    let shape = aval.shape.clone();
    let at = |flat: usize, steps: &[isize]| -> usize {
        (0..shape.len())
            .map(|i| flat / places[i] % shape[i] * steps[i] as usize)
            .sum()
    };
    let mut out = ArrayMut::uninit(aval)?;
    for i in 0..out.aval().numel() {
        let value = f(x.number_at(at(i, &xs)), y.number_at(at(i, &ys)));
        match out.aval().dtype {
            DType::F32 => out.slice_mut::<f32>()[i] = value as f32,
            DType::F64 => out.slice_mut::<f64>()[i] = value,
            d => return supported(Err(Unsupported), "a special function", d).map(|()| x.clone()),
        }
    }
    Ok(out.freeze())
}

/// The same numbers as another dtype; the same storage where only the weakness changes.
pub fn convert(x: &Array, to: DType, weak: bool) -> Result<Array> {
    if x.dtype() == to {
        return Ok(x.with_weak(weak));
    }
    let aval = Aval {
        shape: x.aval().shape.clone(),
        dtype: to,
        weak,
    };
    if x.dtype() == DType::Float0 {
        return Array::zeros(aval);
    }
    let mut out = ArrayMut::uninit(aval)?;
    if to != DType::Float0 {
        let (from, to, n) = (kind(x.dtype())?, kind(to)?, x.numel());
        // SAFETY: n elements of each kind, and the result is a new buffer.
        unsafe { kernel::convert_raw(from, to, x.as_ptr(), out.as_mut_ptr(), n) };
    }
    Ok(out.freeze())
}

/// `cases[which[i]][i]`: `which` is boolean or integer, a scalar or of the cases' shape.
pub fn select_n(which: &Array, cases: &[Array]) -> Result<Array> {
    // Elements are only moved, so what counts is their size.
    match cases[0].dtype().size() {
        1 => select_words::<u8>(which, cases),
        4 => select_words::<u32>(which, cases),
        8 => select_words::<u64>(which, cases),
        _ => Ok(cases[0].clone()),
    }
}

fn select_words<T: Copy>(which: &Array, cases: &[Array]) -> Result<Array> {
    let weak = cases.iter().all(|c| c.aval().weak);
    if cases.len() == 1 {
        return Ok(cases[0].clone());
    }
    let mut out = ArrayMut::uninit(cases[0].aval().clone().with_weak(weak))?;
    let to = words_mut::<T>(out.bytes_mut());
    let (first, second) = (words(cases[0].bytes()), words(cases[1].bytes()));
    match which.dtype() {
        DType::Bool => kernel::select(which.as_slice::<u8>(), second, first, to),
        d => {
            let slices: Vec<&[T]> = cases.iter().map(|c| words(c.bytes())).collect();
            if d == DType::U32 {
                // A number beyond the signed range is above every case, so the last serves.
                let last = cases.len() as u32 - 1;
                let index = |w: &u32| (*w).min(last) as i32;
                let signed: Vec<i32> = which.as_slice::<u32>().iter().map(index).collect();
                kernel::select_case(&signed, &slices, to);
            } else {
                kernel::select_case(which.as_slice::<i32>(), &slices, to);
            }
        }
    }
    Ok(out.freeze())
}

/// `min(max(x, low), high)`; bounds are scalars or of x's shape.
pub fn clamp(low: &Array, x: &Array, high: &Array) -> Result<Array> {
    match x.dtype() {
        DType::Bool => clamp_typed::<u8>(low, x, high),
        DType::I32 => clamp_typed::<i32>(low, x, high),
        DType::U32 => clamp_typed::<u32>(low, x, high),
        DType::F32 => clamp_typed::<f32>(low, x, high),
        DType::F64 => clamp_typed::<f64>(low, x, high),
        DType::Float0 | DType::Key => Ok(x.clone()),
    }
}

fn clamp_typed<T: Element + kernel::Element>(
    low: &Array,
    x: &Array,
    high: &Array,
) -> Result<Array> {
    let weak = low.aval().weak && x.aval().weak && high.aval().weak;
    let mut out = ArrayMut::uninit(x.aval().clone().with_weak(weak))?;
    let (low, high) = (low.as_slice::<T>(), high.as_slice::<T>());
    kernel::clamp(low, x.as_slice::<T>(), high, out.slice_mut::<T>());
    Ok(out.freeze())
}
