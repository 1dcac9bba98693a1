//! Kernels on whole arrays: reductions, running totals, matrix products, sorting.

use cotangent::kernel::{
    ArgFn, Element, Product, ReduceFn, ScanFn, Unsupported, arg_reduce, argsort, matmul, permute,
    reduce, scan, sort_rows,
};
use proptest::prelude::*;

const NAN: f32 = f32::NAN;

/// Numbers in [-1, 1) from a fixed seed.
fn numbers(n: usize, seed: u64) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..n).map(|_| next()).collect()
}

fn reduced<T: Element>(f: ReduceFn, x: &[T], dims: [usize; 3]) -> Vec<T> {
    let mut out = vec![T::default(); dims[0] * dims[2]];
    reduce(f, x, dims, &mut out).unwrap();
    out
}

fn arg_reduced<T: Element>(f: ArgFn, x: &[T], dims: [usize; 3]) -> Vec<i32> {
    let mut out = vec![-1; dims[0] * dims[2]];
    arg_reduce(f, x, dims, &mut out);
    out
}

fn scanned<T: Element>(f: ScanFn, x: &[T], dims: [usize; 3], reverse: bool) -> Vec<T> {
    let mut out = x.to_vec();
    scan(f, x, dims, reverse, &mut out).unwrap();
    out
}

#[test]
fn a_million_terms_are_summed_to_seven_digits() {
    let x: Vec<f32> = numbers(1 << 20, 1).iter().map(|v| v + 1.0).collect();
    let exact: f64 = x.iter().map(|&v| v as f64).sum();
    let got = reduced(ReduceFn::Sum, &x, [1, x.len(), 1])[0] as f64;
    assert!((got - exact).abs() <= 1e-7 * exact, "{got} is not {exact}");
    // The same down the columns.
    let got = reduced(ReduceFn::Sum, &x, [1, x.len() / 4, 4]);
    for (c, got) in got.iter().enumerate() {
        let exact: f64 = x.iter().skip(c).step_by(4).map(|&v| v as f64).sum();
        assert!(
            (*got as f64 - exact).abs() <= 1e-7 * exact,
            "{got} is not {exact}"
        );
    }
}

#[test]
fn nan_and_emptiness_reduce_as_in_jax() {
    let x = [1.0, NAN, 3.0];
    assert!(reduced(ReduceFn::Max, &x, [1, 3, 1])[0].is_nan());
    assert!(reduced(ReduceFn::Min, &x, [1, 3, 1])[0].is_nan());
    let long: Vec<f32> = (0..100)
        .map(|i| if i == 37 { NAN } else { i as f32 })
        .collect();
    assert!(reduced(ReduceFn::Max, &long, [1, 100, 1])[0].is_nan());
    assert_eq!(arg_reduced(ArgFn::Max, &long, [1, 100, 1]), [37]);
    assert_eq!(
        arg_reduced(ArgFn::Max, &[1.0, NAN, 3.0, NAN], [1, 4, 1]),
        [1]
    );
    assert_eq!(
        arg_reduced(ArgFn::Min, &[1.0, 5.0, NAN, -3.0, NAN, 0.0], [1, 3, 2]),
        [1, 1]
    );
    assert_eq!(reduced::<f32>(ReduceFn::Sum, &[], [1, 0, 1]), [0.0]);
    assert_eq!(reduced::<f32>(ReduceFn::Prod, &[], [2, 0, 1]), [1.0; 2]);
    assert_eq!(
        reduced::<f32>(ReduceFn::Max, &[], [1, 0, 2]),
        [f32::NEG_INFINITY; 2]
    );
    assert_eq!(reduced::<i32>(ReduceFn::Min, &[], [1, 0, 1]), [i32::MAX]);
    assert_eq!(reduced(ReduceFn::And, &[1u8, 1, 0, 1], [2, 2, 1]), [1, 0]);
    assert_eq!(reduced(ReduceFn::Or, &[0u8, 0, 0, 1], [2, 2, 1]), [0, 1]);
    assert_eq!(
        reduced(ReduceFn::Sum, &[i32::MAX, 1], [1, 2, 1]),
        [i32::MIN]
    );
    assert_eq!(
        reduce(ReduceFn::Sum, &[1u8], [1, 1, 1], &mut [0]),
        Err(Unsupported)
    );
}

proptest! {
    #[test]
    fn reductions_equal_the_plain_loop(
        outer in 0usize..4, n in 0usize..60, inner in prop_oneof![Just(1usize), 1usize..40], seed: u64,
    ) {
        let f: Vec<f32> = numbers(outer * n * inner, seed).iter().map(|v| (v * 8.0).round()).collect();
        let i: Vec<i32> = f.iter().map(|&v| v as i32).collect();
        let dims = [outer, n, inner];
        let column = |o: usize, c: usize| (0..n).map(move |k| (o * n + k) * inner + c);
        let (sums, isums) = (reduced(ReduceFn::Sum, &f, dims), reduced(ReduceFn::Sum, &i, dims));
        let (max, imin) = (reduced(ReduceFn::Max, &f, dims), reduced(ReduceFn::Min, &i, dims));
        let running = scanned(ScanFn::Sum, &f, dims, false);
        let rising = scanned(ScanFn::Max, &i, dims, true);
        for o in 0..outer {
            for c in 0..inner {
                let at = o * inner + c;
                let sum: f32 = column(o, c).map(|k| f[k]).sum();
                prop_assert_eq!(sums[at], sum);
                prop_assert_eq!(isums[at], sum as i32);
                let top = column(o, c).map(|k| f[k]).fold(f32::NEG_INFINITY, f32::max);
                prop_assert_eq!(max[at], top);
                prop_assert_eq!(imin[at], column(o, c).map(|k| i[k]).min().unwrap_or(i32::MAX));
                if n > 0 {
                    let first = column(o, c).position(|k| f[k] == top).unwrap();
                    prop_assert_eq!(arg_reduced(ArgFn::Max, &f, dims)[at], first as i32);
                }
                let mut total = 0.0;
                for k in column(o, c) {
                    total += f[k];
                    prop_assert_eq!(running[k], total);
                }
                let mut top = i32::MIN;
                for k in column(o, c).rev() {
                    top = top.max(i[k]);
                    prop_assert_eq!(rising[k], top);
                }
            }
        }
    }

    #[test]
    fn products_equal_the_plain_loop(
        batch in 1usize..3, m in 1usize..20, k in 0usize..40, n in 1usize..20,
        lhs_transposed: bool, rhs_transposed: bool, share: bool, seed: u64,
    ) {
        let mut p = Product::row_major(batch, m, k, n);
        if lhs_transposed { p = p.transpose_lhs() }
        if rhs_transposed { p = p.transpose_rhs() }
        if share { p.rhs[0] = 0 }
        let (a, b) = (numbers(batch * m * k, seed), numbers(batch * k * n, seed + 1));
        let wide = |v: &[f32]| v.iter().map(|&v| v as f64).collect::<Vec<_>>();
        let whole = |v: &[f32]| v.iter().map(|&v| (v * 100.0) as i32).collect::<Vec<_>>();
        let (a64, b64, ai, bi) = (wide(&a), wide(&b), whole(&a), whole(&b));
        let size = batch * m * n;
        let (mut c, mut c64, mut ci) = (vec![0f32; size], vec![0f64; size], vec![0i32; size]);
        matmul(&p, &a, &b, &mut c).unwrap();
        matmul(&p, &a64, &b64, &mut c64).unwrap();
        matmul(&p, &ai, &bi, &mut ci).unwrap();
        for flat in 0..size {
            let (g, i, j) = (flat / (m * n), flat / n % m, flat % n);
            let at = |s: [isize; 3], x: usize, y: usize| {
                (g as isize * s[0] + x as isize * s[1] + y as isize * s[2]) as usize
            };
            let pairs = || (0..k).map(|q| (at(p.lhs, i, q), at(p.rhs, q, j)));
            let exact: f64 = pairs().map(|(x, y)| a64[x] * b64[y]).sum();
            prop_assert!((c[flat] as f64 - exact).abs() < 3e-6);
            prop_assert!((c64[flat] - exact).abs() < 1e-13);
            prop_assert_eq!(ci[flat], pairs().map(|(x, y)| ai[x] * bi[y]).sum::<i32>());
        }
    }

    #[test]
    fn sorting_is_the_standard_stable_sort(
        x in prop::collection::vec(
            prop_oneof![Just(0.0f32), Just(-0.0), Just(NAN), Just(-NAN), any::<f32>(), -3.0f32..3.0],
            0..200,
        ),
    ) {
        let order = |a: &f32, b: &f32| match (a.is_nan(), b.is_nan()) {
            (false, false) => a.partial_cmp(b).unwrap(),
            (a, b) => a.cmp(&b),
        };
        let mut want: Vec<u32> = (0..x.len() as u32).collect();
        want.sort_by(|&a, &b| order(&x[a as usize], &x[b as usize]));
        let mut permutation: Vec<u32> = (0..x.len() as u32).collect();
        argsort(&x, &mut permutation);
        prop_assert_eq!(&permutation, &want);

        let mut sorted = x.clone();
        sort_rows(&mut sorted, x.len());
        let mut moved = x.clone();
        permute(&x, &permutation, &mut moved);
        let bits = |v: &f32| if v.is_nan() { 0x7fc0_0000 } else { v.to_bits() };
        prop_assert!(sorted.iter().map(bits).eq(moved.iter().map(bits)));

        let x64: Vec<f64> = x.iter().map(|&v| v as f64 * 1.0000000001).collect();
        let mut permutation: Vec<u32> = (0..x.len() as u32).collect();
        argsort(&x64, &mut permutation);
        prop_assert_eq!(&permutation, &want);
        let mut sorted = x64.clone();
        sort_rows(&mut sorted, x64.len());
        let moved: Vec<f64> = want.iter().map(|&i| x64[i as usize]).collect();
        prop_assert!(sorted.iter().zip(&moved).all(|(a, b)| a == b || (a.is_nan() && b.is_nan())));

        let mut i: Vec<i32> = x.iter().map(|v| v.to_bits() as i32).collect();
        let mut want = i.clone();
        want.sort();
        sort_rows(&mut i, x.len());
        prop_assert_eq!(i, want);
    }
}

#[test]
fn long_rows_are_sorted_by_wide_digits() {
    let mut x = numbers(20_000, 5);
    let mut want = x.clone();
    want.sort_by(f32::total_cmp);
    let mut permutation: Vec<u32> = (0..x.len() as u32).collect();
    argsort(&x, &mut permutation);
    assert!(
        permutation
            .iter()
            .zip(&want)
            .all(|(&i, w)| x[i as usize] == *w)
    );
    sort_rows(&mut x, 20_000);
    assert_eq!(x, want);
}

#[test]
fn several_keys_sort_from_the_last_to_the_first() {
    let (first, second) = ([1, 0, 1, 0, 1], [2.0f32, 1.0, 1.0, 1.0, 2.0]);
    let mut permutation = [0, 1, 2, 3, 4];
    argsort(&second, &mut permutation);
    argsort(&first, &mut permutation);
    assert_eq!(permutation, [1, 3, 2, 0, 4]);
    let mut rows = [3u8, 1, 2].map(|v| (v > 1) as u8);
    sort_rows(&mut rows, 3);
    assert_eq!(rows, [0, 1, 1]);
}

#[test]
fn running_totals_treat_nan_and_exponentials_as_jax_does() {
    let got = scanned(ScanFn::Max, &[1.0, NAN, 3.0], [1, 3, 1], false);
    assert!(got[0] == 1.0 && got[1].is_nan() && got[2].is_nan());
    let got = scanned(
        ScanFn::LogSumExp,
        &[100.0f32, 100.0, f32::NEG_INFINITY],
        [1, 3, 1],
        false,
    );
    assert_eq!(got, [100.0, 100.693_146, 100.693_146]);
    assert_eq!(
        scanned(ScanFn::Prod, &[2u32, 3, 4], [1, 3, 1], true),
        [24, 12, 4]
    );
}

#[test]
fn long_inner_products_keep_their_digits() {
    let x: Vec<f32> = numbers(100_000, 9).iter().map(|v| v + 1.5).collect();
    let exact: f64 = x.iter().map(|&v| v as f64 * v as f64).sum();
    let mut out = [0.0f32];
    matmul(&Product::row_major(1, 1, x.len(), 1), &x, &x, &mut out).unwrap();
    assert!((out[0] as f64 - exact).abs() < 1e-7 * exact);
}
