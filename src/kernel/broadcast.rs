//! Two-argument functions on operands of different shapes.

use super::binary::{Operand, PairFn, pair_raw};
use super::element::{Element, Kind, Unsupported};
use super::layout::{Axis, Odometer, merge};

/// Rows shorter than this are gathered into a buffer first: a call per row would cost more.
const SHORT: usize = 16;
/// Elements gathered at a time.
const CHUNK: usize = 256;

/// `out[i] = f(x[i], y[i])` over the index space `shape`, where operands are read through strides
/// (in elements; 0 repeats along that axis) and `out` is row-major.
///
/// Dtypes, semantics and errors: those of [`super::binary()`] and [`super::compare`]; `U` is bool's `u8`
/// for a comparison and `T` otherwise.
pub fn broadcast<T: Element, U: Element>(
    f: PairFn,
    (x, x_strides): (&[T], &[isize]),
    (y, y_strides): (&[T], &[isize]),
    shape: &[usize],
    out: &mut [U],
) -> Result<(), Unsupported> {
    let n: usize = shape.iter().product();
    assert!(
        out.len() == n && f.result(T::KIND) == U::KIND,
        "the result fits"
    );
    for (len, strides) in [(x.len(), x_strides), (y.len(), y_strides)] {
        let last: isize = shape
            .iter()
            .zip(strides)
            .map(|(&d, &s)| (d as isize - 1) * s)
            .sum();
        let inside = strides.iter().all(|&s| s >= 0) && (last as usize) < len;
        assert!(n == 0 || inside, "strides stay within the operand");
    }
    let (x, y) = (
        (x.as_ptr().cast(), x_strides),
        (y.as_ptr().cast(), y_strides),
    );
    // SAFETY: every index was checked to be inside.
    unsafe { broadcast_raw(T::KIND, f, x, y, shape, out.as_mut_ptr().cast()) }
}

/// [`broadcast`] on untyped memory; strides still count elements.
///
/// # Safety
/// As [`pair_raw`], for every element that the strides reach. `out` may be an operand only if that
/// operand is read in row-major order without repetition.
pub unsafe fn broadcast_raw(
    kind: Kind,
    f: PairFn,
    (x, x_strides): (*const u8, &[isize]),
    (y, y_strides): (*const u8, &[isize]),
    shape: &[usize],
    out: *mut u8,
) -> Result<(), Unsupported> {
    if shape.contains(&0) {
        return Ok(());
    }
    let axes = merge((0..shape.len()).map(|i| Axis {
        size: shape[i],
        steps: [x_strides[i], y_strides[i]],
    }));
    let (size, result_size) = (kind.size(), f.result(kind).size());
    let Some((inner, outer)) = axes.split_last() else {
        let one = |at| Operand { at, scalar: true };
        // SAFETY: a walk over one element; the caller's promise.
        return unsafe { pair_raw(kind, f, one(x), one(y), out, 1) };
    };
    let rows = outer.iter().map(|a| a.size).product::<usize>();
    let plain = inner.steps.iter().all(|&s| s == 0 || s == 1);
    if plain && (inner.size >= SHORT || rows == 1) {
        let mut row = Odometer::new(outer);
        let mut to = out;
        for _ in 0..rows {
            // SAFETY: offsets that the strides reach; the caller's promise.
            unsafe {
                let operand = |p: *const u8, k: usize| Operand {
                    at: p.offset(row.at[k] * size as isize),
                    scalar: inner.steps[k] == 0,
                };
                pair_raw(kind, f, operand(x, 0), operand(y, 1), to, inner.size)?;
                to = to.add(inner.size * result_size);
            }
            row.advance();
        }
        return Ok(());
    }
    let mut buffers = [[0u64; CHUNK]; 2];
    let mut row = Odometer::new(outer);
    // Whole short rows go into the buffers together; long ones in pieces.
    let piece = inner.size.min(CHUNK);
    let (mut done, mut filled) = (0, 0);
    for _ in 0..rows {
        for first in (0..inner.size).step_by(piece) {
            let n = piece.min(inner.size - first);
            // SAFETY: offsets that the strides reach; a buffer holds CHUNK elements of any kind.
            unsafe {
                if filled + n > CHUNK {
                    flush(kind, f, &buffers, out.add(done * result_size), filled)?;
                    done += filled;
                    filled = 0;
                }
                for (k, from) in [x, y].into_iter().enumerate() {
                    let (step, to) = (inner.steps[k], buffers[k].as_mut_ptr());
                    let at = row.at[k] + first as isize * step;
                    match size {
                        1 => gather(from.cast::<u8>().offset(at), step, to.cast(), filled, n),
                        4 => gather(from.cast::<u32>().offset(at), step, to.cast(), filled, n),
                        _ => gather(from.cast::<u64>().offset(at), step, to, filled, n),
                    }
                }
            }
            filled += n;
        }
        row.advance();
    }
    // SAFETY: the last elements, of which there are as many as `out` has left.
    unsafe { flush(kind, f, &buffers, out.add(done * result_size), filled) }
}

/// Applies `f` to the `n` elements in the buffers.
///
/// # Safety
/// `to` must be writable for `n` results.
unsafe fn flush(
    kind: Kind,
    f: PairFn,
    [x, y]: &[[u64; CHUNK]; 2],
    to: *mut u8,
    n: usize,
) -> Result<(), Unsupported> {
    let operand = |p: &[u64; CHUNK]| Operand {
        at: p.as_ptr().cast(),
        scalar: false,
    };
    // SAFETY: the caller's promise; n <= CHUNK.
    unsafe { pair_raw(kind, f, operand(x), operand(y), to, n) }
}

/// Copies `n` elements, `step` apart, to place `at` of a buffer.
///
/// # Safety
/// All must be readable, and the buffer have room for `at + n`.
#[inline(always)]
unsafe fn gather<T: Copy>(from: *const T, step: isize, to: *mut T, at: usize, n: usize) {
    for i in 0..n {
        // SAFETY: the caller's promise.
        unsafe { *to.add(at + i) = *from.offset(i as isize * step) };
    }
}
