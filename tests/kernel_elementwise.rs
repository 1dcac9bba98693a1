//! Element-wise kernels beyond accuracy: edge semantics as XLA has them on CPU (answers recorded
//! from JAX 0.10.2), operand forms, broadcasting, conversions, selection.

use cotangent::kernel::{
    BinaryFn, CompareFn, Element, UnaryFn, Unsupported, binary, broadcast, clamp, compare, convert,
    select, select_case, unary, unary_inplace,
};
use proptest::prelude::*;

const NAN: f32 = f32::NAN;
const INF: f32 = f32::INFINITY;

fn map1<T: Element>(f: UnaryFn, x: &[T]) -> Vec<T> {
    let mut out = vec![T::default(); x.len()];
    unary(f, x, &mut out).unwrap();
    out
}

fn map2<T: Element>(f: BinaryFn, x: &[T], y: &[T]) -> Vec<T> {
    let mut out = vec![T::default(); x.len().max(y.len())];
    binary(f, x, y, &mut out).unwrap();
    out
}

/// Equal bit for bit, all NaNs being one.
fn assert_same(got: &[f32], want: &[f32]) {
    let bits = |v: &f32| if v.is_nan() { u32::MAX } else { v.to_bits() };
    let (a, b): (Vec<_>, Vec<_>) = (
        got.iter().map(bits).collect(),
        want.iter().map(bits).collect(),
    );
    assert_eq!(a, b, "{got:?} is not {want:?}");
}

#[test]
fn integer_division_is_total() {
    let (x, y) = ([7, -7, 7, -7, 5, i32::MIN, 0], [2, 2, -2, -2, 0, -1, 0]);
    assert_eq!(
        map2(BinaryFn::Div, &x, &y),
        [3, -3, -3, 3, -1, i32::MIN, -1]
    );
    let (x, y) = ([7, -7, 7, -7, 5, i32::MIN, -5], [2, 2, -2, -2, 0, -1, 0]);
    assert_eq!(map2(BinaryFn::Rem, &x, &y), [1, -1, 1, -1, 5, 0, -5]);
    assert_eq!(map2(BinaryFn::Div, &[7u32, 5], &[2, 0]), [3, u32::MAX]);
    assert_eq!(map2(BinaryFn::Rem, &[7u32, 5], &[2, 0]), [1, 5]);
}

#[test]
fn shifts_beyond_the_width_give_zero_or_the_sign() {
    let shift = |f, x: &[i32], y: &[i32]| map2(f, x, y);
    assert_eq!(
        shift(BinaryFn::ShiftLeft, &[1, 1, 1, -1], &[31, 32, -1, 33]),
        [i32::MIN, 0, 0, 0]
    );
    assert_eq!(
        shift(BinaryFn::ShiftRightLogical, &[-1, -1, -1], &[31, 32, -1]),
        [1, 0, 0]
    );
    let (x, y) = ([-8, -8, 8, -8], [1, 32, 40, -1]);
    assert_eq!(
        shift(BinaryFn::ShiftRightArithmetic, &x, &y),
        [-4, -1, 0, -1]
    );
    let (x, y) = ([1u32 << 31, 1 << 31], [1, 32]);
    assert_eq!(
        map2(BinaryFn::ShiftRightArithmetic, &x, &y),
        [3_221_225_472, u32::MAX]
    );
}

#[test]
fn integer_functions_wrap() {
    assert_eq!(map1(UnaryFn::Abs, &[i32::MIN, -3, 3]), [i32::MIN, 3, 3]);
    assert_eq!(map1(UnaryFn::Neg, &[1u32, 0]), [u32::MAX, 0]);
    assert_eq!(map1(UnaryFn::Sign, &[-3, 0, 4]), [-1, 0, 1]);
    assert_eq!(map1(UnaryFn::Sign, &[3_000_000_000u32, 0]), [1, 0]);
    assert_eq!(map1(UnaryFn::IntegerPow(5), &[3, -2, 2]), [243, -32, 32]);
    assert_eq!(map1(UnaryFn::PopulationCount, &[-1, 3]), [32, 2]);
    assert_eq!(map1(UnaryFn::Clz, &[0, 1, 255, -1]), [32, 31, 24, 0]);
    assert_eq!(
        map2(BinaryFn::Gcd, &[12, -18, 0, i32::MIN], &[8, 27, -5, 6]),
        [4, 9, 5, 2]
    );
    assert_eq!(map1(UnaryFn::Not, &[0, -1]), [-1, 0]);
    assert_eq!(map1(UnaryFn::Not, &[0u8, 1]), [1, 0]);
    assert_eq!(
        map2(BinaryFn::Max, &[3_000_000_000u32], &[1]),
        [3_000_000_000]
    );
    assert_eq!(map2(BinaryFn::Mul, &[i32::MAX; 9], &[2]), [-2; 9]);
}

#[test]
fn float_functions_have_the_edges_of_jax() {
    let x = [5.0, -5.0, 5.0, 0.0, 1.0, INF, 1.0, -0.0, NAN];
    let y = [3.0, 3.0, 0.0, 0.0, INF, 1.0, NAN, 1.0, 1.0];
    assert_same(
        &map2(BinaryFn::Rem, &x, &y),
        &[2.0, -2.0, NAN, NAN, 1.0, NAN, NAN, -0.0, NAN],
    );
    let (x, y) = ([NAN, 1.0, -0.0, 0.0], [1.0, NAN, 0.0, -0.0]);
    assert_same(&map2(BinaryFn::Max, &x, &y), &[NAN, NAN, 0.0, 0.0]);
    assert_same(&map2(BinaryFn::Min, &x, &y), &[NAN, NAN, -0.0, -0.0]);
    assert_same(
        &map1(UnaryFn::Sign, &[-0.0, 0.0, NAN, -3.0, INF]),
        &[-0.0, 0.0, NAN, -1.0, 1.0],
    );
    assert_same(
        &map1(UnaryFn::Rsqrt, &[-0.0, 0.0, INF, -1.0, NAN]),
        &[-INF, INF, 0.0, NAN, NAN],
    );
    let x = [
        1.0, 1.0, NAN, -1.0, -1.0, 0.0, -0.0, -0.0, -0.0, 0.0, -2.0, -2.0, INF, -INF, -INF, -INF,
        2.0, 0.5, 0.0, INF, -8.0, -1.0,
    ];
    let y = [
        NAN,
        INF,
        0.0,
        INF,
        -INF,
        -1.0,
        -1.0,
        3.0,
        -2.0,
        0.0,
        3.0,
        0.5,
        -1.0,
        3.0,
        2.0,
        -3.0,
        -INF,
        -INF,
        INF,
        0.0,
        1.0 / 3.0,
        NAN,
    ];
    let want = [
        1.0, 1.0, 1.0, 1.0, 1.0, INF, -INF, -0.0, INF, 1.0, -8.0, NAN, 0.0, -INF, INF, -0.0, 0.0,
        INF, 0.0, 1.0, NAN, NAN,
    ];
    assert_same(&map2(BinaryFn::Pow, &x, &y), &want);
    let x = [0.0, 0.0, -0.0, 1.0, NAN, INF, -0.0, 0.0];
    let y = [1.0, -1.0, 0.0, 1.0, 1.0, 0.0, 0.0, -0.0];
    let tiny = f32::from_bits(1);
    let want = [tiny, -tiny, 0.0, 1.0, NAN, f32::MAX, 0.0, -0.0];
    assert_same(&map2(BinaryFn::Nextafter, &x, &y), &want);
    assert_same(
        &map1(UnaryFn::IntegerPow(-3), &[0.0, -2.0, -0.0]),
        &[INF, -0.125, -INF],
    );
    assert_same(&map1(UnaryFn::IntegerPow(0), &[NAN, 0.0]), &[1.0, 1.0]);
    assert_same(
        &map1(UnaryFn::ErfInv, &[1.0, -1.0, -0.0, 2.0]),
        &[INF, -INF, -0.0, NAN],
    );
    assert_same(
        &map1(UnaryFn::Digamma, &[0.0, -1.0, INF, -INF]),
        &[NAN, NAN, INF, NAN],
    );
    assert_same(
        &map1(UnaryFn::Lgamma, &[0.0, -1.0, INF, -INF]),
        &[INF, INF, INF, INF],
    );
}

#[test]
fn comparisons_are_false_on_nan_but_for_unequal() {
    let (x, y) = ([1.0, 2.0, NAN, -0.0, 3.0], [2.0, 2.0, NAN, 0.0, 1.0]);
    let table = [
        (CompareFn::Eq, [0, 1, 0, 1, 0]),
        (CompareFn::Ne, [1, 0, 1, 0, 1]),
        (CompareFn::Lt, [1, 0, 0, 0, 0]),
        (CompareFn::Le, [1, 1, 0, 1, 0]),
        (CompareFn::Gt, [0, 0, 0, 0, 1]),
        (CompareFn::Ge, [0, 1, 0, 1, 1]),
    ];
    for (f, want) in table {
        let mut out = [9; 5];
        compare(f, &x, &y, &mut out);
        assert_eq!(out, want, "{f:?}");
    }
    let mut out = [9; 40];
    compare(CompareFn::Gt, &[3u32; 40], &[2], &mut out);
    assert_eq!(out, [1; 40]);
    compare(CompareFn::Lt, &[-1], &[0; 40], &mut out);
    assert_eq!(out, [1; 40]);
}

#[test]
fn what_is_not_defined_is_refused() {
    let mut out = [0; 1];
    assert_eq!(unary(UnaryFn::Sin, &[1], &mut out), Err(Unsupported));
    assert_eq!(
        binary(BinaryFn::And, &[1.0], &[1.0], &mut [0.0]),
        Err(Unsupported)
    );
    assert_eq!(
        binary(BinaryFn::Add, &[1u8], &[1], &mut [0]),
        Err(Unsupported)
    );
}

#[test]
fn conversions_saturate_and_nan_becomes_zero() {
    let mut i = [0; 7];
    convert(&[NAN, INF, -INF, 3e9, -3e9, 1.9, -1.9], &mut i);
    assert_eq!(i, [0, i32::MAX, i32::MIN, i32::MAX, i32::MIN, 1, -1]);
    let mut u = [0u32; 8];
    convert(&[NAN, INF, -INF, 5e9, -1.0, -3e9, 1.9, 3e9], &mut u);
    assert_eq!(u, [0, u32::MAX, 0, u32::MAX, 0, 0, 1, 3_000_000_000]);
    let mut b = [9u8; 4];
    convert(&[NAN, 0.0, -0.0, 0.1], &mut b);
    assert_eq!(b, [1, 0, 0, 1]);
    let mut f = [0.0f32; 2];
    convert(&[1u8, 0], &mut f);
    assert_eq!(f, [1.0, 0.0]);
    let mut u = [0u32; 2];
    convert(&[-1, 5], &mut u);
    assert_eq!(u, [u32::MAX, 5]);
    let mut f = [0.0f32; 2];
    convert(&[1e40, 0.1f64], &mut f);
    assert_eq!(f, [INF, 0.1]);
}

#[test]
fn select_and_clamp_take_scalars() {
    let mut out = [0.0; 3];
    select(&[1, 0, 1], &[1.0, 2.0, 3.0], &[9.0], &mut out);
    assert_eq!(out, [1.0, 9.0, 3.0]);
    select(&[0], &[1.0, 2.0, 3.0], &[7.0, 8.0, 9.0], &mut out);
    assert_eq!(out, [7.0, 8.0, 9.0]);
    select_case(&[2, -1, 5], &[&[1.0; 3], &[2.0; 3], &[3.0; 3]], &mut out);
    assert_eq!(out, [3.0, 1.0, 3.0]);
    clamp(&[1.0], &[0.0, 1.5, NAN], &[2.0], &mut out);
    assert_same(&out, &[1.0, 1.5, NAN]);
    clamp(
        &[0.0, NAN, 0.0],
        &[NAN, 1.0, 5.0],
        &[1.0, 1.0, NAN],
        &mut out,
    );
    assert_same(&out, &[NAN; 3]);
    clamp(&[1.0, 2.0, 5.0], &[3.0; 3], &[1.0], &mut out);
    assert_eq!(out, [1.0; 3]);
}

#[test]
fn every_length_and_operand_form_gives_the_same_elements() {
    for n in (0..40).chain([64, 100]) {
        let x: Vec<f32> = (0..n).map(|i| i as f32 * 0.5 - 3.0).collect();
        let y: Vec<f32> = (0..n).map(|i| 2.0 - i as f32).collect();
        let want: Vec<f32> = x.iter().zip(&y).map(|(a, b)| a - b).collect();
        assert_eq!(map2(BinaryFn::Sub, &x, &y), want);
        if n > 0 {
            let want: Vec<f32> = x.iter().map(|a| a - 2.0).collect();
            assert_eq!(map2(BinaryFn::Sub, &x, &[2.0]), want);
            let want: Vec<f32> = x.iter().map(|a| 2.0 - a).collect();
            assert_eq!(map2(BinaryFn::Sub, &[2.0], &x), want);
        }
        let mut inplace = x.clone();
        unary_inplace(UnaryFn::Exp, &mut inplace).unwrap();
        assert_eq!(inplace, map1(UnaryFn::Exp, &x));
    }
}

proptest! {
    #[test]
    fn broadcasting_reads_what_its_strides_say(
        shape in prop::collection::vec(prop_oneof![0usize..7, 1usize..7, 250usize..270], 0..4),
        x_has in prop::collection::vec(any::<bool>(), 5),
        y_has in prop::collection::vec(any::<bool>(), 5),
    ) {
        let strides = |has: &[bool]| {
            let (mut strides, mut size) = (vec![0isize; shape.len()], 1);
            for i in (0..shape.len()).rev() {
                if has[i] {
                    strides[i] = size as isize;
                    size *= shape[i];
                }
            }
            (strides, size)
        };
        prop_assume!(shape.iter().product::<usize>() < 20_000);
        let ((xs, nx), (ys, ny)) = (strides(&x_has), strides(&y_has));
        let x: Vec<i32> = (0..nx as i32).collect();
        let y: Vec<i32> = (0..ny as i32).map(|v| 1000 * v).collect();
        let n: usize = shape.iter().product();
        let (mut sum, mut less) = (vec![0i32; n], vec![0u8; n]);
        broadcast(BinaryFn::Add.into(), (&x, &xs), (&y, &ys), &shape, &mut sum).unwrap();
        broadcast(CompareFn::Lt.into(), (&x, &xs), (&y, &ys), &shape, &mut less).unwrap();
        for flat in 0..n {
            let (mut rest, mut a, mut b) = (flat, 0, 0);
            for i in (0..shape.len()).rev() {
                a += (rest % shape[i]) as isize * xs[i];
                b += (rest % shape[i]) as isize * ys[i];
                rest /= shape[i];
            }
            prop_assert_eq!(sum[flat], x[a as usize] + y[b as usize]);
            prop_assert_eq!(less[flat], (x[a as usize] < y[b as usize]) as u8);
        }
    }
}
