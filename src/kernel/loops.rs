//! The element-wise loops: blocks of a fixed width, then one padded block for the rest.
//!
//! A block is read completely before it is written, so the output may be the very same memory as an
//! input. The body is called from one place only, which keeps the code small. Every element function
//! has a loop of its own, never inlined into the dispatch: engines optimise function by function.

use super::lane::{F32x4, Lane};

/// An operand as the loops see it: a pointer that moves by whole blocks, or stays (a scalar, spread
/// over a block).
#[derive(Clone, Copy)]
struct Cursor<T> {
    at: *const T,
    step: usize,
}

/// Loop over one input. `body(from, to)` handles `W` elements.
///
/// # Safety
/// `x` readable and `out` writable for `n` elements; equal or disjoint.
#[inline(always)]
pub(super) unsafe fn blocks1<T: Copy + Default, U: Copy + Default, const W: usize>(
    x: *const T,
    out: *mut U,
    n: usize,
    body: impl Fn(*const T, *mut U),
) {
    let (mut from, mut to, mut count, rest) = (x, out, n / W, n % W);
    let (mut tail_in, mut tail_out) = ([T::default(); W], [U::default(); W]);
    let mut in_tail = false;
    loop {
        for _ in 0..count {
            body(from, to);
            // SAFETY: `count` blocks of W elements exist behind both pointers.
            unsafe {
                from = from.add(W);
                to = to.add(W);
            }
        }
        // SAFETY: `rest` elements remain behind `from` after the full blocks, and at the end of
        // `out`.
        unsafe {
            if in_tail {
                core::ptr::copy_nonoverlapping(tail_out.as_ptr(), out.add(n - rest), rest);
                return;
            }
            if rest == 0 {
                return;
            }
            core::ptr::copy_nonoverlapping(from, tail_in.as_mut_ptr(), rest);
        }
        (from, to, count) = (tail_in.as_ptr(), tail_out.as_mut_ptr(), 1);
        in_tail = true;
    }
}

/// Loop over two inputs. A scalar operand has its `scalar` flag set and one readable element.
///
/// # Safety
/// As [`blocks1`], for both inputs.
#[inline(always)]
pub(super) unsafe fn blocks2<T: Copy + Default, U: Copy + Default, const W: usize>(
    (x, x_scalar): (*const T, bool),
    (y, y_scalar): (*const T, bool),
    out: *mut U,
    n: usize,
    body: impl Fn(*const T, *const T, *mut U),
) {
    if n == 0 {
        return;
    }
    // SAFETY: n > 0, so there is a first element; scalars are copied before any write, so that
    // the output may replace them.
    let (x_spread, y_spread) = unsafe { ([*x; W], [*y; W]) };
    let cursor = |p: *const T, scalar: bool, spread: &[T; W]| {
        if scalar {
            Cursor {
                at: spread.as_ptr(),
                step: 0,
            }
        } else {
            Cursor { at: p, step: W }
        }
    };
    let (mut a, mut b) = (
        cursor(x, x_scalar, &x_spread),
        cursor(y, y_scalar, &y_spread),
    );
    let (mut to, mut count, rest) = (out, n / W, n % W);
    let (mut x_tail, mut y_tail, mut tail_out) = (x_spread, y_spread, [U::default(); W]);
    let mut in_tail = false;
    loop {
        for _ in 0..count {
            body(a.at, b.at, to);
            // SAFETY: `count` blocks exist; a scalar's cursor stays.
            unsafe {
                a.at = a.at.add(a.step);
                b.at = b.at.add(b.step);
                to = to.add(W);
            }
        }
        // SAFETY: `rest` elements remain behind each moving cursor and behind `out`.
        unsafe {
            if in_tail {
                core::ptr::copy_nonoverlapping(tail_out.as_ptr(), out.add(n - rest), rest);
                return;
            }
            if rest == 0 {
                return;
            }
            core::ptr::copy_nonoverlapping(a.at, x_tail.as_mut_ptr(), rest);
            core::ptr::copy_nonoverlapping(b.at, y_tail.as_mut_ptr(), rest);
        }
        a.at = x_tail.as_ptr();
        b.at = y_tail.as_ptr();
        (to, count, in_tail) = (tail_out.as_mut_ptr(), 1, true);
    }
}

/// `out = f(x)` on SIMD lanes.
///
/// # Safety
/// As [`blocks1`].
#[inline(never)]
pub(super) unsafe fn lanes1(x: *const f32, out: *mut f32, n: usize, f: impl Fn(F32x4) -> F32x4) {
    // SAFETY: the caller's promise; bodies touch exactly one block.
    unsafe { blocks1::<f32, f32, 4>(x, out, n, |from, to| f(F32x4::load(from)).store(to)) }
}

/// `out = f(x, y)` on SIMD lanes.
///
/// # Safety
/// As [`blocks2`].
#[inline(never)]
pub(super) unsafe fn lanes2(
    x: (*const f32, bool),
    y: (*const f32, bool),
    out: *mut f32,
    n: usize,
    f: impl Fn(F32x4, F32x4) -> F32x4,
) {
    // SAFETY: the caller's promise; bodies touch exactly one block.
    unsafe {
        blocks2::<f32, f32, 4>(x, y, out, n, |a, b, to| {
            f(F32x4::load(a), F32x4::load(b)).store(to)
        })
    }
}

/// `out = f(x)` by scalars in blocks of `W`, which the compiler turns into vectors where it can.
///
/// # Safety
/// As [`blocks1`].
#[inline(never)]
pub(super) unsafe fn each1<T: Copy + Default, U: Copy + Default, const W: usize>(
    x: *const T,
    out: *mut U,
    n: usize,
    f: impl Fn(T) -> U,
) {
    // SAFETY: the caller's promise; a body reads one block, then writes one.
    unsafe {
        blocks1::<T, U, W>(x, out, n, |from, to| {
            let block = from.cast::<[T; W]>().read_unaligned();
            to.cast::<[U; W]>().write_unaligned(block.map(&f));
        })
    }
}

/// `out = f(x, y)` by scalars in blocks of `W`.
///
/// # Safety
/// As [`blocks2`].
#[inline(never)]
pub(super) unsafe fn each2<T: Copy + Default, U: Copy + Default, const W: usize>(
    x: (*const T, bool),
    y: (*const T, bool),
    out: *mut U,
    n: usize,
    f: impl Fn(T, T) -> U,
) {
    // SAFETY: the caller's promise; a body reads its blocks, then writes one.
    unsafe {
        blocks2::<T, U, W>(x, y, out, n, |a, b, to| {
            let (a, b) = (
                a.cast::<[T; W]>().read_unaligned(),
                b.cast::<[T; W]>().read_unaligned(),
            );
            let block: [U; W] = core::array::from_fn(|i| f(a[i], b[i]));
            to.cast::<[U; W]>().write_unaligned(block);
        })
    }
}
