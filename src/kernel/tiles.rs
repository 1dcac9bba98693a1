//! Large matrix products: both factors are copied, a part that the caches hold at a time, into the
//! order in which a small tile of the product wants them; the tile's sums stay in registers.

use super::lane::{F32x4, Lane};
use super::matmul::Product;
use alloc::vec;

/// Rows of a tile.
const ROWS: usize = 4;
/// Columns of a tile. With four rows, eight vectors of sums, two of the right factor and one of the
/// left fit the sixteen registers that engines have.
const COLUMNS: usize = 8;
/// Terms of a sum that are taken together: the parts of both factors that a tile reads stay in the
/// first cache.
const DEPTH: usize = 256;
/// Rows of the left factor that are packed together (64 KiB in single precision).
const LEFT: usize = 64;
/// Columns of the right factor that are packed together (512 KiB in single precision).
const RIGHT: usize = 512;

/// The sums of a tile, row by row.
type Tile<T> = [[T; COLUMNS]; ROWS];

/// An element type that tiles can be made of.
pub(super) trait Tiled: Copy + Default + core::ops::Add<Output = Self> {
    /// The sums over `depth` terms of products of packed rows and packed columns.
    ///
    /// # Safety
    /// `left` readable for `depth * ROWS` and `right` for `depth * COLUMNS` elements.
    unsafe fn tile(depth: usize, left: *const Self, right: *const Self) -> Tile<Self>;
}

impl Tiled for f32 {
    #[inline(always)]
    unsafe fn tile(depth: usize, left: *const f32, right: *const f32) -> Tile<f32> {
        let mut sums = [[F32x4::splat(0.0); COLUMNS / 4]; ROWS];
        let (mut left, mut right) = (left, right);
        // SAFETY: the caller's promise; the pointers move `depth` times.
        unsafe {
            for _ in 0..depth {
                let b: [F32x4; COLUMNS / 4] =
                    core::array::from_fn(|j| F32x4::load(right.add(4 * j)));
                for (i, row) in sums.iter_mut().enumerate() {
                    let a = F32x4::splat(*left.add(i));
                    for (sum, &b) in row.iter_mut().zip(&b) {
                        *sum = *sum + a * b;
                    }
                }
                left = left.add(ROWS);
                right = right.add(COLUMNS);
            }
            let mut out = [[0.0; COLUMNS]; ROWS];
            for (row, to) in sums.iter().zip(&mut out) {
                for (j, sum) in row.iter().enumerate() {
                    sum.store(to.as_mut_ptr().add(4 * j));
                }
            }
            out
        }
    }
}

impl Tiled for f64 {
    #[inline(always)]
    unsafe fn tile(depth: usize, left: *const f64, right: *const f64) -> Tile<f64> {
        let mut sums = [[0.0; COLUMNS]; ROWS];
        for k in 0..depth {
            // SAFETY: the caller's promise.
            unsafe {
                for (i, row) in sums.iter_mut().enumerate() {
                    let a = *left.add(k * ROWS + i);
                    for (j, sum) in row.iter_mut().enumerate() {
                        *sum += a * *right.add(k * COLUMNS + j);
                    }
                }
            }
        }
        sums
    }
}

/// One product; every sum is taken in the order of its terms, `DEPTH` of them at a time.
///
/// # Safety
/// All elements of the factors that the strides reach must be readable, `out` writable for `m * n`
/// and apart from them.
pub(super) unsafe fn tiled<T: Tiled>(p: &Product, lhs: *const T, rhs: *const T, out: *mut T) {
    let deepest = p.k.min(DEPTH);
    let room = |lines: usize, most: usize, tile: usize| lines.min(most).div_ceil(tile) * tile;
    let mut left = vec![T::default(); room(p.m, LEFT, ROWS) * deepest];
    let mut right = vec![T::default(); room(p.n, RIGHT, COLUMNS) * deepest];
    for first_k in (0..p.k).step_by(DEPTH) {
        let depth = DEPTH.min(p.k - first_k);
        for first_n in (0..p.n).step_by(RIGHT) {
            let columns = RIGHT.min(p.n - first_n);
            // SAFETY (of the whole): indices stay below m, k and n.
            unsafe {
                let from = rhs.offset(first_k as isize * p.rhs[1] + first_n as isize * p.rhs[2]);
                pack::<T, COLUMNS>(from, p.rhs[2], p.rhs[1], columns, depth, &mut right);
                for first_m in (0..p.m).step_by(LEFT) {
                    let rows = LEFT.min(p.m - first_m);
                    let from =
                        lhs.offset(first_m as isize * p.lhs[1] + first_k as isize * p.lhs[2]);
                    pack::<T, ROWS>(from, p.lhs[1], p.lhs[2], rows, depth, &mut left);
                    let to = out.add(first_m * p.n + first_n);
                    let sizes = (rows, columns, depth);
                    block(sizes, &left, &right, to, p.n, first_k > 0);
                }
            }
        }
    }
}

/// Multiplies packed parts: `out (+)= left x right`, tile by tile.
///
/// # Safety
/// `out` writable at `rows` rows of `columns` elements, `stride` apart; the packed parts hold that
/// many lines.
#[inline(never)]
unsafe fn block<T: Tiled>(
    (rows, columns, depth): (usize, usize, usize),
    left: &[T],
    right: &[T],
    out: *mut T,
    stride: usize,
    add: bool,
) {
    for column in (0..columns).step_by(COLUMNS) {
        let right = &right[column * depth..][..COLUMNS * depth];
        for row in (0..rows).step_by(ROWS) {
            let left = &left[row * depth..][..ROWS * depth];
            // SAFETY: both slices have the length that a tile reads; what is written lies inside.
            unsafe {
                let tile = T::tile(depth, left.as_ptr(), right.as_ptr());
                let width = COLUMNS.min(columns - column);
                for (i, sums) in tile.iter().enumerate().take(rows - row) {
                    let to = out.add((row + i) * stride + column);
                    let to = core::slice::from_raw_parts_mut(to, width);
                    for (to, &sum) in to.iter_mut().zip(sums) {
                        *to = if add { *to + sum } else { sum };
                    }
                }
            }
        }
    }
}

/// Copies `lines` lines of `depth` elements so that the elements at one depth of `N` neighbouring
/// lines lie together; lines that lack at the end are zeros.
///
/// # Safety
/// `from` readable wherever fewer than `lines` steps of `along` and `depth` steps of `down` lead;
/// `to` holds the lines, rounded up to `N`.
unsafe fn pack<T: Tiled, const N: usize>(
    from: *const T,
    along: isize,
    down: isize,
    lines: usize,
    depth: usize,
    to: &mut [T],
) {
    for (group, to) in to.chunks_exact_mut(N * depth).enumerate() {
        let first = group * N;
        if first >= lines {
            return;
        }
        let width = N.min(lines - first);
        for (k, to) in to.chunks_exact_mut(N).enumerate() {
            // SAFETY: line `first + i` below `lines`, depth `k` below `depth`.
            unsafe {
                let from = from.offset(first as isize * along + k as isize * down);
                if width == N && along == 1 {
                    to.copy_from_slice(core::slice::from_raw_parts(from, N));
                    continue;
                }
                to.fill(T::default());
                for (i, to) in to.iter_mut().enumerate().take(width) {
                    *to = *from.offset(i as isize * along);
                }
            }
        }
    }
}
