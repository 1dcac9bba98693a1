//! Stable sorting in JAX's order: -0.0 equals 0.0, and NaNs are equal to each other and last.
//!
//! Elements become unsigned integers in the same order, which are sorted by radix (least
//! significant digit first), or by insertion where there are few.

use super::element::{Element, Kind};
use alloc::{vec, vec::Vec};

/// Up to here insertion is quicker than counting digits.
const FEW: usize = 48;

/// An unsigned integer that carries an element, or a key above an index.
trait Record: Copy {
    /// How many bits it has.
    const BITS: u32;
    /// What float zeros look like: -0.0, directly below 0.0.
    const NEGATIVE_ZERO: u64;
    fn raw(self) -> u64;
}

impl Record for u32 {
    const BITS: u32 = 32;
    const NEGATIVE_ZERO: u64 = 0x7fff_ffff;
    #[inline(always)]
    fn raw(self) -> u64 {
        self as u64
    }
}

impl Record for u64 {
    const BITS: u32 = 64;
    const NEGATIVE_ZERO: u64 = 0x7fff_ffff_ffff_ffff;
    #[inline(always)]
    fn raw(self) -> u64 {
        self
    }
}

/// How a record is compared: without its lowest `shift` bits, and with the two zeros as one if
/// `zeros_meet`.
#[derive(Clone, Copy)]
struct Order {
    shift: u32,
    zeros_meet: bool,
}

impl Order {
    #[inline(always)]
    fn key<R: Record>(self, r: R) -> u64 {
        let raw = r.raw();
        (raw + (self.zeros_meet & (raw == R::NEGATIVE_ZERO)) as u64) >> self.shift
    }
}

/// Sorts records; `spare` is working space of the same length.
fn sort_records<R: Record>(records: &mut [R], spare: &mut [R], order: Order) {
    let n = records.len();
    if n <= FEW {
        for i in 1..n {
            let (r, key) = (records[i], order.key(records[i]));
            let mut j = i;
            while j > 0 && order.key(records[j - 1]) > key {
                records[j] = records[j - 1];
                j -= 1;
            }
            records[j] = r;
        }
        return;
    }
    let width = if n < 4096 { 8 } else { 11 };
    let (buckets, bits) = (1usize << width, R::BITS - order.shift);
    let mut counts = vec![0u32; buckets];
    let (mut from, mut to) = (&mut *records, &mut *spare);
    let mut swapped = false;
    for low in (0..bits).step_by(width) {
        let digit = |r: R| (order.key(r) >> low) as usize & (buckets - 1);
        counts.fill(0);
        for &r in from.iter() {
            counts[digit(r)] += 1;
        }
        // A digit that all share leaves the order as it is.
        if counts[digit(from[0])] as usize == n {
            continue;
        }
        let mut start = 0;
        for count in counts.iter_mut() {
            (*count, start) = (start, start + *count);
        }
        for &r in from.iter() {
            let place = &mut counts[digit(r)];
            to[*place as usize] = r;
            *place += 1;
        }
        core::mem::swap(&mut from, &mut to);
        swapped = !swapped;
    }
    if swapped {
        to.copy_from_slice(from);
    }
}

/// Bits of a float32 as an integer in the same order, NaNs on top.
#[inline(always)]
fn order_f32(bits: u32) -> u32 {
    if bits & 0x7fff_ffff > 0x7f80_0000 {
        return u32::MAX;
    }
    bits ^ (((bits as i32 >> 31) as u32) | 0x8000_0000)
}

#[inline(always)]
fn unorder_f32(r: u32) -> u32 {
    match r {
        u32::MAX => f32::NAN.to_bits(),
        _ if r >> 31 == 1 => r ^ 0x8000_0000,
        _ => !r,
    }
}

#[inline(always)]
fn order_f64(bits: u64) -> u64 {
    if bits & (u64::MAX >> 1) > 0x7ff0_0000_0000_0000 {
        return u64::MAX;
    }
    bits ^ (((bits as i64 >> 63) as u64) | 1 << 63)
}

#[inline(always)]
fn unorder_f64(r: u64) -> u64 {
    match r {
        u64::MAX => f64::NAN.to_bits(),
        _ if r >> 63 == 1 => r ^ (1 << 63),
        _ => !r,
    }
}

/// Sorts each row of `n` elements in ascending order, in place.
///
/// Shapes: `[rows, n]`. Dtypes: all.
pub fn sort_rows<T: Element>(x: &mut [T], n: usize) {
    // SAFETY: the elements are of the type that T::KIND names.
    unsafe { sort_rows_raw(T::KIND, x.as_mut_ptr().cast(), x.len(), n) }
}

/// [`sort_rows`] on untyped memory.
///
/// # Safety
/// `p` points to `len` elements of that kind.
unsafe fn sort_rows_raw(kind: Kind, p: *mut u8, len: usize, n: usize) {
    if n < 2 {
        return;
    }
    match kind {
        Kind::Bool => {
            // SAFETY: the caller's promise.
            let x = unsafe { core::slice::from_raw_parts_mut(p.cast::<u8>(), len) };
            for row in x.chunks_exact_mut(n) {
                let zeros = row.iter().filter(|&&v| v == 0).count();
                row[..zeros].fill(0);
                row[zeros..].fill(1);
            }
        }
        Kind::F64 => {
            // SAFETY: the caller's promise; f64 has the size and alignment of u64.
            let x = unsafe { core::slice::from_raw_parts_mut(p.cast::<u64>(), len) };
            let order = Order {
                shift: 0,
                zeros_meet: true,
            };
            sort_all(x, n, order, order_f64, unorder_f64);
        }
        kind => {
            // SAFETY: the caller's promise; the other types have four bytes.
            let x = unsafe { core::slice::from_raw_parts_mut(p.cast::<u32>(), len) };
            let order = Order {
                shift: 0,
                zeros_meet: kind == Kind::F32,
            };
            match kind {
                Kind::F32 => sort_all(x, n, order, order_f32, unorder_f32),
                Kind::I32 => sort_all(x, n, order, |v| v ^ 0x8000_0000, |v| v ^ 0x8000_0000),
                _ => sort_all(x, n, order, |v| v, |v| v),
            }
        }
    }
}

fn sort_all<R: Record + Default>(
    x: &mut [R],
    n: usize,
    order: Order,
    to_record: fn(R) -> R,
    from_record: fn(R) -> R,
) {
    let mut spare = vec![R::default(); if n > FEW { n } else { 0 }];
    for row in x.chunks_exact_mut(n) {
        row.iter_mut().for_each(|v| *v = to_record(*v));
        sort_records(row, &mut spare, order);
        row.iter_mut().for_each(|v| *v = from_record(*v));
    }
}

/// Reorders the indices in `permutation` so that the keys they point to ascend; equal keys keep the
/// order that `permutation` had. Starting from 0, 1, 2, .. it is a stable argsort; called for the
/// least important key first and the most important last it sorts by several.
///
/// Dtypes: all. Indices must be below `keys.len()`.
pub fn argsort<T: Element>(keys: &[T], permutation: &mut [u32]) {
    // SAFETY: the keys are of the type that T::KIND names.
    unsafe { argsort_raw(T::KIND, keys.as_ptr().cast(), keys.len(), permutation) }
}

/// [`argsort`] on untyped memory.
///
/// # Safety
/// `p` points to `len` keys of that kind.
unsafe fn argsort_raw(kind: Kind, p: *const u8, len: usize, permutation: &mut [u32]) {
    match kind {
        Kind::F64 => {
            // SAFETY: the caller's promise; f64 has the size and alignment of u64.
            let keys = unsafe { core::slice::from_raw_parts(p.cast::<u64>(), len) };
            let key = |i: u32| {
                let r = order_f64(keys[i as usize]);
                r + (r == <u64 as Record>::NEGATIVE_ZERO) as u64
            };
            argsort_by(permutation, |i| key(i) as u32);
            argsort_by(permutation, |i| (key(i) >> 32) as u32);
        }
        Kind::Bool => {
            // SAFETY: the caller's promise.
            let keys = unsafe { core::slice::from_raw_parts(p.cast::<u8>(), len) };
            argsort_by(permutation, |i| keys[i as usize] as u32);
        }
        kind => {
            // SAFETY: the caller's promise; the other types have four bytes.
            let keys = unsafe { core::slice::from_raw_parts(p.cast::<u32>(), len) };
            match kind {
                Kind::F32 => argsort_by(permutation, |i| {
                    let r = order_f32(keys[i as usize]);
                    r + (r == 0x7fff_ffff) as u32
                }),
                Kind::I32 => argsort_by(permutation, |i| keys[i as usize] ^ 0x8000_0000),
                _ => argsort_by(permutation, |i| keys[i as usize]),
            }
        }
    }
}

fn argsort_by(permutation: &mut [u32], key: impl Fn(u32) -> u32) {
    let pack = |&i: &u32| (key(i) as u64) << 32 | i as u64;
    let mut records: Vec<u64> = permutation.iter().map(pack).collect();
    let mut spare = vec![
        0;
        if records.len() > FEW {
            records.len()
        } else {
            0
        }
    ];
    sort_records(
        &mut records,
        &mut spare,
        Order {
            shift: 32,
            zeros_meet: false,
        },
    );
    for (i, r) in permutation.iter_mut().zip(&records) {
        *i = *r as u32;
    }
}

/// `out[i] = x[permutation[i]]`.
pub fn permute<T: Copy>(x: &[T], permutation: &[u32], out: &mut [T]) {
    for (o, &i) in out.iter_mut().zip(permutation) {
        *o = x[i as usize];
    }
}
