//! Matrix products, in tiles where it pays and by short loops where the preparations would cost more
//! than the product.

use super::element::{Element, Kind, Unsupported};
use super::lane::{F32x4, Lane, WideLane};
use super::tiles::tiled;

/// The sizes of a batch of products `[m, k] x [k, n]` and where the factors' elements lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// How many products.
    pub batch: usize,
    /// Rows of the left factor.
    pub m: usize,
    /// Columns of the left and rows of the right factor.
    pub k: usize,
    /// Columns of the right factor.
    pub n: usize,
    /// Strides of the left factor in elements: from matrix to matrix, along m, along k.
    pub lhs: [isize; 3],
    /// Strides of the right factor in elements: from matrix to matrix, along k, along n.
    pub rhs: [isize; 3],
}

impl Product {
    /// Factors in row-major order.
    pub fn row_major(batch: usize, m: usize, k: usize, n: usize) -> Product {
        let at = |rows: usize, columns: usize| [(rows * columns) as isize, columns as isize, 1];
        Product {
            batch,
            m,
            k,
            n,
            lhs: at(m, k),
            rhs: at(k, n),
        }
    }

    /// The same with the left factor stored as `[k, m]`.
    pub fn transpose_lhs(mut self) -> Product {
        self.lhs = [self.lhs[0], 1, self.m as isize];
        self
    }

    /// The same with the right factor stored as `[n, k]`.
    pub fn transpose_rhs(mut self) -> Product {
        self.rhs = [self.rhs[0], 1, self.k as isize];
        self
    }
}

/// Below this many multiplications packing the factors does not pay.
const FEW: usize = 8 * 8 * 8;

/// `out[b] = lhs[b] x rhs[b]`, with `out` in row-major order.
///
/// Dtypes: f32, f64; i32 and u32, wrapping. Errors: [`Unsupported`] for bool.
pub fn matmul<T: Element>(
    p: &Product,
    lhs: &[T],
    rhs: &[T],
    out: &mut [T],
) -> Result<(), Unsupported> {
    let inside = |len: usize, sizes: [usize; 3], strides: [isize; 3]| {
        let last: isize = sizes
            .iter()
            .zip(strides)
            .map(|(&d, s)| (d as isize - 1) * s)
            .sum();
        sizes.contains(&0) || (strides.iter().all(|&s| s >= 0) && (last as usize) < len)
    };
    assert!(
        out.len() == p.batch * p.m * p.n
            && inside(lhs.len(), [p.batch, p.m, p.k], p.lhs)
            && inside(rhs.len(), [p.batch, p.k, p.n], p.rhs),
        "factors and product fit"
    );
    let (lhs, rhs, out) = (
        lhs.as_ptr().cast(),
        rhs.as_ptr().cast(),
        out.as_mut_ptr().cast(),
    );
    // SAFETY: every index was checked to be inside.
    unsafe { matmul_raw(T::KIND, p, lhs, rhs, out) }
}

/// [`matmul`] on untyped memory.
///
/// # Safety
/// All elements that the strides reach must be readable, `out` writable for `batch * m * n`, and
/// `out` must not overlap the factors.
pub unsafe fn matmul_raw(
    kind: Kind,
    p: &Product,
    lhs: *const u8,
    rhs: *const u8,
    out: *mut u8,
) -> Result<(), Unsupported> {
    if kind == Kind::Bool {
        return Err(Unsupported);
    }
    let size = kind.size();
    if p.k == 0 {
        // SAFETY: the caller's promise; zero bytes are zero in every type.
        unsafe { out.write_bytes(0, p.batch * p.m * p.n * size) };
        return Ok(());
    }
    for b in 0..p.batch {
        // SAFETY (of all calls): the caller's promise for matrix number b.
        unsafe {
            let lhs = lhs.offset(b as isize * p.lhs[0] * size as isize);
            let rhs = rhs.offset(b as isize * p.rhs[0] * size as isize);
            let out = out.add(b * p.m * p.n * size);
            match kind {
                Kind::F32 => one_f32(p, lhs.cast(), rhs.cast(), out.cast()),
                Kind::F64 if p.m * p.k * p.n > FEW => {
                    tiled::<f64>(p, lhs.cast(), rhs.cast(), out.cast())
                }
                Kind::F64 => {
                    short::<f64>(p, lhs.cast(), rhs.cast(), out.cast(), |s, a, b| s + a * b)
                }
                _ => short::<u32>(p, lhs.cast(), rhs.cast(), out.cast(), |s, a, b| {
                    s.wrapping_add(a.wrapping_mul(b))
                }),
            }
        }
    }
    Ok(())
}

/// One product in single precision.
///
/// # Safety
/// As [`matmul_raw`] with one matrix.
unsafe fn one_f32(p: &Product, lhs: *const f32, rhs: *const f32, out: *mut f32) {
    let [_, lhs_m, lhs_k] = p.lhs;
    let [_, rhs_k, rhs_n] = p.rhs;
    // SAFETY (of all arms): the caller's promise; vectors of stride 1 are contiguous.
    unsafe {
        if p.n == 1 && rhs_k == 1 && (lhs_k == 1 || p.k == 1) {
            for i in 0..p.m {
                *out.add(i) = dot(lhs.offset(i as isize * lhs_m), rhs, p.k);
            }
        } else if p.m == 1 && lhs_k == 1 && (rhs_k == 1 || p.k == 1) {
            for j in 0..p.n {
                *out.add(j) = dot(rhs.offset(j as isize * rhs_n), lhs, p.k);
            }
        } else if p.m == 1 && rhs_n == 1 {
            combine(rhs, rhs_k, lhs, lhs_k, p.k, out, p.n);
        } else if p.n == 1 && lhs_m == 1 {
            combine(lhs, lhs_k, rhs, rhs_k, p.k, out, p.m);
        } else if p.m * p.k * p.n <= FEW {
            short::<f32>(p, lhs, rhs, out, |s, a, b| s + a * b);
        } else {
            tiled::<f32>(p, lhs, rhs, out);
        }
    }
}

/// The textbook's three loops, in the order that walks memory forwards.
///
/// # Safety
/// As [`matmul_raw`] with one matrix.
#[inline(always)]
unsafe fn short<T: Copy + Default>(
    p: &Product,
    lhs: *const T,
    rhs: *const T,
    out: *mut T,
    step: impl Fn(T, T, T) -> T,
) {
    for i in 0..p.m {
        // SAFETY (of the block): the caller's promise; `row` is row i of `out`.
        unsafe {
            let row = core::slice::from_raw_parts_mut(out.add(i * p.n), p.n);
            row.fill(T::default());
            for k in 0..p.k {
                let a = *lhs.offset(i as isize * p.lhs[1] + k as isize * p.lhs[2]);
                let from = rhs.offset(k as isize * p.rhs[1]);
                if p.rhs[2] == 1 {
                    for (s, &b) in row.iter_mut().zip(core::slice::from_raw_parts(from, p.n)) {
                        *s = step(*s, a, b);
                    }
                } else {
                    for (j, s) in row.iter_mut().enumerate() {
                        *s = step(*s, a, *from.offset(j as isize * p.rhs[2]));
                    }
                }
            }
        }
    }
}

type Wide = <F32x4 as Lane>::Wide;

/// The inner product of two contiguous vectors: blocks of 16 products are added pairwise in single
/// precision, everything above that in double.
///
/// # Safety
/// Both readable for `n` elements.
unsafe fn dot(x: *const f32, y: *const f32, n: usize) -> f32 {
    let mut total = Wide::splat(0.0);
    let mut i = 0;
    // SAFETY: indices stay below n.
    unsafe {
        let at = |i: usize| F32x4::load(x.add(i)) * F32x4::load(y.add(i));
        while i + 16 <= n {
            total = total + ((at(i) + at(i + 4)) + (at(i + 8) + at(i + 12))).widen();
            i += 16;
        }
        while i + 4 <= n {
            total = total + at(i).widen();
            i += 4;
        }
        let mut rest = 0.0;
        while i < n {
            rest += *x.add(i) as f64 * *y.add(i) as f64;
            i += 1;
        }
        let [a, b, c, d] = total.to_array();
        (((a + b) + (c + d)) + rest) as f32
    }
}

/// `out = sum over k of rows[k] * weights[k]` for contiguous rows: a vector times a matrix without
/// walking down its columns.
///
/// # Safety
/// `rows` readable for `n` elements at each of `k` offsets of `row_stride`, `weights` for `k`
/// elements `weight_stride` apart, `out` writable for `n`.
unsafe fn combine(
    rows: *const f32,
    row_stride: isize,
    weights: *const f32,
    weight_stride: isize,
    k: usize,
    out: *mut f32,
    n: usize,
) {
    /// Columns at a time.
    const WIDTH: usize = 256;
    // SAFETY (of the block): offsets below k and columns below n; the caller's promise.
    unsafe {
        let row = |r: usize, j: usize| rows.offset(r as isize * row_stride).add(j);
        let weight = |r: usize| *weights.offset(r as isize * weight_stride);
        for first in (0..n).step_by(WIDTH) {
            let width = WIDTH.min(n - first);
            let vectors = width / 4;
            let mut sums = [Wide::splat(0.0); WIDTH / 4];
            let mut r = 0;
            while r < k {
                if r + 4 <= k {
                    let w: [F32x4; 4] = core::array::from_fn(|q| F32x4::splat(weight(r + q)));
                    for (j, sum) in sums[..vectors].iter_mut().enumerate() {
                        let at = |q: usize| F32x4::load(row(r + q, first + 4 * j)) * w[q];
                        *sum = *sum + ((at(0) + at(1)) + (at(2) + at(3))).widen();
                    }
                    r += 4;
                } else {
                    let w = F32x4::splat(weight(r));
                    for (j, sum) in sums[..vectors].iter_mut().enumerate() {
                        *sum = *sum + (F32x4::load(row(r, first + 4 * j)) * w).widen();
                    }
                    r += 1;
                }
            }
            for (j, sum) in sums[..vectors].iter().enumerate() {
                F32x4::narrow(*sum).store(out.add(first + 4 * j));
            }
            for j in first + 4 * vectors..first + width {
                let terms = (0..k).map(|r| *row(r, j) as f64 * weight(r) as f64);
                *out.add(j) = terms.sum::<f64>() as f32;
            }
        }
    }
}
