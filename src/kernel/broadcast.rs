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
    let total = rows * inner.size;
    let mut walk = Odometer::new(&axes);
    let mut done = 0;
    while done < total {
        let n = CHUNK.min(total - done);
        // SAFETY: offsets that the strides reach; a buffer holds CHUNK elements of any kind.
        unsafe {
            let [a, b] = &mut buffers;
            match size {
                1 => gather::<u8>(&mut walk, [x, y], [a, b], n),
                4 => gather::<u32>(&mut walk, [x, y], [a, b], n),
                _ => gather::<u64>(&mut walk, [x, y], [a, b], n),
            }
            let operand = |p: &[u64; CHUNK]| Operand {
                at: p.as_ptr().cast(),
                scalar: false,
            };
            let to = out.add(done * result_size);
            pair_raw(kind, f, operand(a), operand(b), to, n)?;
        }
        done += n;
    }
    Ok(())
}

/// Copies the next `n` elements of both operands into the buffers.
///
/// # Safety
/// All offsets the walk reaches must be readable.
unsafe fn gather<T: Copy>(
    walk: &mut Odometer<2>,
    from: [*const u8; 2],
    to: [&mut [u64; CHUNK]; 2],
    n: usize,
) {
    let [a, b] = to.map(|buffer| buffer.as_mut_ptr().cast::<T>());
    for i in 0..n {
        // SAFETY: the caller's promise; `n` <= CHUNK.
        unsafe {
            *a.add(i) = *from[0].cast::<T>().offset(walk.at[0]);
            *b.add(i) = *from[1].cast::<T>().offset(walk.at[1]);
        }
        walk.advance();
    }
}
