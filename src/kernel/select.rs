//! Choosing between values, clamping, converting between element types.

use super::element::{Element, Kind};
use super::loops::each1;

/// `out[i] = on_true[i]` where `which[i]` is not 0, else `on_false[i]`; any argument of length 1 is
/// used for every i. On any type of element: pass `u32` for all four-byte ones.
pub fn select<T: Copy>(which: &[u8], on_true: &[T], on_false: &[T], out: &mut [T]) {
    // SAFETY: a word of the same size holds an element, wherever it lies; it is only moved.
    unsafe {
        match (size_of::<T>(), align_of::<T>()) {
            (1, 1) => choose::<u8>(which, words(on_true), words(on_false), words_mut(out)),
            (4, 4) => choose::<u32>(which, words(on_true), words(on_false), words_mut(out)),
            (8, 8) => choose::<u64>(which, words(on_true), words(on_false), words_mut(out)),
            _ => choose(which, on_true, on_false, out),
        }
    }
}

/// # Safety
/// `U` has the size and alignment of `T`, and every pattern of bits is one of its values.
unsafe fn words<T, U>(x: &[T]) -> &[U] {
    // SAFETY: the caller's promise.
    unsafe { core::slice::from_raw_parts(x.as_ptr().cast(), x.len()) }
}

/// # Safety
/// As [`words`], both ways.
unsafe fn words_mut<T, U>(x: &mut [T]) -> &mut [U] {
    // SAFETY: the caller's promise.
    unsafe { core::slice::from_raw_parts_mut(x.as_mut_ptr().cast(), x.len()) }
}

fn choose<T: Copy>(which: &[u8], on_true: &[T], on_false: &[T], out: &mut [T]) {
    let n = out.len();
    for len in [which.len(), on_true.len(), on_false.len()] {
        assert!(
            len == n || len == 1,
            "an operand has the result's length or 1"
        );
    }
    if which.len() == 1 && n != 1 {
        let chosen = if which[0] != 0 { on_true } else { on_false };
        if chosen.len() == n {
            out.copy_from_slice(chosen)
        } else {
            out.fill(chosen[0])
        }
        return;
    }
    match (on_true, on_false) {
        (&[t], &[f]) => {
            for (o, &w) in out.iter_mut().zip(which) {
                *o = if w != 0 { t } else { f };
            }
        }
        (&[t], _) => {
            for ((o, &w), &f) in out.iter_mut().zip(which).zip(on_false) {
                *o = if w != 0 { t } else { f };
            }
        }
        (_, &[f]) => {
            for ((o, &w), &t) in out.iter_mut().zip(which).zip(on_true) {
                *o = if w != 0 { t } else { f };
            }
        }
        _ => {
            for (((o, &w), &t), &f) in out.iter_mut().zip(which).zip(on_true).zip(on_false) {
                *o = if w != 0 { t } else { f };
            }
        }
    }
}

/// `out[i] = cases[which[i]][i]`, the index clamped to the cases there are: `select_n` with an
/// integer selector.
pub fn select_case<T: Copy>(which: &[i32], cases: &[&[T]], out: &mut [T]) {
    let Some(last) = cases.len().checked_sub(1) else {
        return;
    };
    for (i, o) in out.iter_mut().enumerate() {
        let w = if which.len() == 1 { which[0] } else { which[i] };
        *o = cases[w.clamp(0, last as i32) as usize][i];
    }
}

/// `out[i] = min(max(x[i], low), high)`, NaN if any of the three is; bounds of length 1 serve all.
pub fn clamp<T: Element>(low: &[T], x: &[T], high: &[T], out: &mut [T]) {
    let n = out.len();
    assert!(x.len() == n, "one result per element");
    for len in [low.len(), high.len()] {
        assert!(len == n || len == 1, "a bound has the result's length or 1");
    }
    let (low_step, high_step) = ((low.len() != 1) as usize, (high.len() != 1) as usize);
    // Only floats have values unequal to themselves.
    let keep = |a: T, b: T, take_b: bool| {
        #[allow(clippy::eq_op)]
        let nan = a != a;
        if take_b && !nan { b } else { a }
    };
    for (i, (o, &v)) in out.iter_mut().zip(x).enumerate() {
        let (l, h) = (low[i * low_step], high[i * high_step]);
        #[allow(clippy::neg_cmp_op_on_partial_ord)]
        let v = keep(v, l, !(v >= l));
        #[allow(clippy::neg_cmp_op_on_partial_ord)]
        let v = keep(v, h, !(v <= h));
        *o = v;
    }
}

/// Converts `n` elements from one type to another as XLA does: towards zero and saturating from
/// float to integer (NaN gives 0), wrapping between the integers, rounding from f64 to f32; to bool
/// it is `x != 0`.
///
/// # Safety
/// `x` must be readable for `n` aligned elements of `from`, and `out` writable for `n` of `to`. They
/// may be the same address if the two have the same size; otherwise they must not overlap.
pub unsafe fn convert_raw(from: Kind, to: Kind, x: *const u8, out: *mut u8, n: usize) {
    macro_rules! cast {
        ($a:ty => $b:ty, $w:literal) => {
            each1::<$a, $b, $w>(x.cast(), out.cast(), n, |v| v as $b)
        };
    }
    macro_rules! test {
        ($a:ty) => {
            each1::<$a, u8, 16>(x.cast(), out, n, |v| (v != <$a>::default()) as u8)
        };
    }
    // SAFETY (of all arms): the caller's promise.
    unsafe {
        match (from, to) {
            _ if from == to => core::ptr::copy(x, out, n * from.size()),
            (Kind::I32, Kind::U32) | (Kind::U32, Kind::I32) => core::ptr::copy(x, out, n * 4),
            (Kind::F32, Kind::F64) => cast!(f32 => f64, 4),
            (Kind::F32, Kind::I32) => cast!(f32 => i32, 4),
            (Kind::F32, Kind::U32) => cast!(f32 => u32, 4),
            (Kind::F32, _) => test!(f32),
            (Kind::F64, Kind::F32) => cast!(f64 => f32, 4),
            (Kind::F64, Kind::I32) => cast!(f64 => i32, 1),
            (Kind::F64, Kind::U32) => cast!(f64 => u32, 1),
            (Kind::F64, _) => test!(f64),
            (Kind::I32, Kind::F32) => cast!(i32 => f32, 4),
            (Kind::I32, Kind::F64) => cast!(i32 => f64, 4),
            (Kind::U32, Kind::F32) => cast!(u32 => f32, 4),
            (Kind::U32, Kind::F64) => cast!(u32 => f64, 4),
            (Kind::I32 | Kind::U32, _) => test!(u32),
            (Kind::Bool, Kind::F32) => cast!(u8 => f32, 4),
            (Kind::Bool, Kind::F64) => cast!(u8 => f64, 4),
            (Kind::Bool, _) => cast!(u8 => u32, 16),
        }
    }
}

/// [`convert_raw`] on slices.
pub fn convert<A: Element, B: Element>(x: &[A], out: &mut [B]) {
    assert_eq!(x.len(), out.len(), "one result per element");
    // SAFETY: both slices have the length given and hold elements of their KIND.
    unsafe {
        convert_raw(
            A::KIND,
            B::KIND,
            x.as_ptr().cast(),
            out.as_mut_ptr().cast(),
            x.len(),
        );
    }
}
