//! The accuracy of element-wise mathematics: worst error in ulp of every float32 function, on
//! random bit patterns and edges, against double precision; and bit equality of the lane machines.
// Edge inputs are written as the numbers they are, and tables of functions have the types they have.
#![allow(
    clippy::excessive_precision,
    clippy::approx_constant,
    clippy::type_complexity
)]

use cotangent::kernel::lane::{F32x4, Lane};
use cotangent::kernel::{BinaryFn, UnaryFn, binary, math, unary};

/// A fixed-seed generator (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn uniform(&mut self, low: f64, high: f64) -> f32 {
        (low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64) as f32
    }
}

/// Edges, any bit pattern, and the stretches of the axis where functions are interesting.
fn arguments(seed: u64, per_range: usize) -> Vec<f32> {
    let mut random = Random(seed);
    let mut x = vec![];
    for v in [
        0.0f32,
        1.0,
        0.5,
        2.0,
        3.0,
        0.25,
        1e-45,
        1e-40,
        1.17549435e-38,
        1e-30,
        1e-10,
        3e-8,
        1e-8,
        0.99999994,
        1.0000001,
        0.41421357,
        2.4142137,
        0.625,
        0.70710677,
        1.4142135,
        87.3,
        88.72284,
        88.72283,
        89.41599,
        89.5,
        103.97208,
        104.0,
        126.0,
        127.99999,
        128.0,
        149.0,
        150.0,
        256.0,
        256.5,
        1e3,
        1e6,
        1048576.0,
        1048577.0,
        8388608.0,
        16777216.0,
        1e9,
        1e10,
        1e20,
        1e30,
        3.4028235e38,
        f32::INFINITY,
        f32::NAN,
        1.5707964,
        3.1415927,
        0.7853982,
        16367173e27,
    ] {
        x.extend([v, -v]);
    }
    for k in 1..400 {
        // The floats nearest to multiples of pi/2, where sine and cosine cancel most.
        let v = (k as f64 * std::f64::consts::FRAC_PI_2) as f32;
        x.extend([v, -v]);
    }
    for _ in 0..per_range {
        x.push(f32::from_bits(random.next() as u32));
        for reach in [1.0, 2.0, 12.0, 110.0, 160.0, 300.0, 1e6] {
            x.push(random.uniform(-reach, reach));
        }
        // Near 1 and near 0 in all magnitudes.
        x.push(1.0 + random.uniform(-1.0, 1.0) * 2f32.powi(-((random.next() % 23) as i32)));
        x.push(random.uniform(-1.0, 1.0) * 2f32.powi(-((random.next() % 140) as i32)));
    }
    x
}

/// The distance of `got` from `exact` in units of the last place of a float32 near `exact`;
/// infinite when one is NaN, infinite or zero in sign and the other is not.
fn ulps(got: f32, exact: f64) -> f64 {
    if exact.is_nan() || got.is_nan() {
        return if exact.is_nan() && got.is_nan() {
            0.0
        } else {
            f64::INFINITY
        };
    }
    let rounded = exact as f32;
    if got.is_infinite() || rounded.is_infinite() {
        let near = |v: f32| v.is_infinite() || v.abs() > 3.402822e38;
        let same = near(got) && near(rounded) && got.signum() == rounded.signum();
        return if got == rounded {
            0.0
        } else if same {
            1.0
        } else {
            f64::INFINITY
        };
    }
    if rounded == 0.0 && got == 0.0 {
        let same = got.is_sign_negative() == exact.is_sign_negative();
        return if same { 0.0 } else { f64::INFINITY };
    }
    let exponent = ((rounded.abs().to_bits() >> 23) as i32).max(1) - 150;
    (got as f64 - exact).abs() / 2f64.powi(exponent)
}

fn digamma(x: f64) -> f64 {
    // Euler-Maclaurin from 40 on: another cut than the kernel's.
    if x <= 0.0 {
        let part = x - x.round();
        if part == 0.0 {
            return f64::NAN;
        }
        return digamma(1.0 - x) - std::f64::consts::PI / (std::f64::consts::PI * part).tan();
    }
    let (mut y, mut sum) = (x, 0.0);
    while y < 40.0 {
        sum -= 1.0 / y;
        y += 1.0;
    }
    let w = 1.0 / (y * y);
    sum + y.ln() - 0.5 / y - w / 12.0 + w * w / 120.0 - w * w * w / 252.0
}

fn erf_inv(x: f64) -> f64 {
    // Bisection on erfc: slow and sure.
    let a = x.abs();
    if a >= 1.0 || a.is_nan() {
        return if a == 1.0 {
            x * f64::INFINITY
        } else {
            f64::NAN
        };
    }
    if a < 1e-9 {
        return x / std::f64::consts::FRAC_2_SQRT_PI;
    }
    let (mut low, mut high) = (0.0f64, 7.0f64);
    for _ in 0..80 {
        let y = (low + high) / 2.0;
        let below = if a < 0.5 {
            libm::erf(y) < a
        } else {
            libm::erfc(y) > 1.0 - a
        };
        if below { low = y } else { high = y }
    }
    low.copysign(x)
}

type Exact = fn(f64) -> f64;

const UNARY: &[(&str, UnaryFn, Exact)] = &[
    ("exp", UnaryFn::Exp, f64::exp),
    ("exp2", UnaryFn::Exp2, f64::exp2),
    ("log", UnaryFn::Log, f64::ln),
    ("log1p", UnaryFn::Log1p, f64::ln_1p),
    ("log2", UnaryFn::Log2, f64::log2),
    ("expm1", UnaryFn::Expm1, f64::exp_m1),
    ("sin", UnaryFn::Sin, f64::sin),
    ("cos", UnaryFn::Cos, f64::cos),
    ("tan", UnaryFn::Tan, f64::tan),
    ("asin", UnaryFn::Asin, f64::asin),
    ("acos", UnaryFn::Acos, f64::acos),
    ("atan", UnaryFn::Atan, f64::atan),
    ("sinh", UnaryFn::Sinh, f64::sinh),
    ("cosh", UnaryFn::Cosh, f64::cosh),
    ("tanh", UnaryFn::Tanh, f64::tanh),
    ("asinh", UnaryFn::Asinh, libm::asinh),
    ("acosh", UnaryFn::Acosh, |x| {
        if x < 1.0 { f64::NAN } else { libm::acosh(x) }
    }),
    ("atanh", UnaryFn::Atanh, libm::atanh),
    ("logistic", UnaryFn::Logistic, |x| 1.0 / (1.0 + (-x).exp())),
    ("sqrt", UnaryFn::Sqrt, f64::sqrt),
    ("rsqrt", UnaryFn::Rsqrt, |x| 1.0 / x.sqrt()),
    ("cbrt", UnaryFn::Cbrt, f64::cbrt),
    ("erf", UnaryFn::Erf, libm::erf),
    ("erfc", UnaryFn::Erfc, libm::erfc),
    ("erf_inv", UnaryFn::ErfInv, erf_inv),
    ("lgamma", UnaryFn::Lgamma, libm::lgamma),
    ("digamma", UnaryFn::Digamma, digamma),
    ("sign", UnaryFn::Sign, |x| {
        if x == 0.0 || x.is_nan() {
            x
        } else {
            x.signum()
        }
    }),
    ("floor", UnaryFn::Floor, f64::floor),
    ("ceil", UnaryFn::Ceil, f64::ceil),
    ("round even", UnaryFn::RoundEven, f64::round_ties_even),
    ("round away", UnaryFn::RoundAwayFromZero, f64::round),
];

fn worst(x: &[f32], got: &[f32], exact: impl Fn(usize) -> f64) -> (f64, f32) {
    let mut worst = (0.0, 0.0);
    for (i, (&v, &y)) in x.iter().zip(got).enumerate() {
        let error = ulps(y, exact(i));
        if error > worst.0 {
            worst = (error, v);
        }
    }
    worst
}

#[test]
fn every_unary_function_is_within_4_ulp() {
    let x = arguments(1, 1500);
    let mut y = vec![0.0; x.len()];
    let mut failures = vec![];
    println!("{:<12} {:>10}  at", "function", "worst ulp");
    for (name, f, exact) in UNARY {
        unary(*f, &x, &mut y).unwrap();
        let (error, at) = worst(&x, &y, |i| exact(x[i] as f64));
        println!("{name:<12} {error:>10.2}  {at:e}");
        if error > 4.0 {
            failures.push((*name, error, at));
        }
    }
    assert!(failures.is_empty(), "{failures:?}");
}

#[test]
fn every_binary_function_is_within_4_ulp() {
    let mut random = Random(7);
    let (mut x, mut y) = (vec![], vec![]);
    let few = arguments(3, 12);
    for &a in few.iter().step_by(3) {
        for &b in few.iter().step_by(2) {
            x.push(a);
            y.push(b);
        }
    }
    for _ in 0..20_000 {
        let a = random.uniform(-4.0, 4.0).exp2();
        x.push(a);
        y.push(random.uniform(-150.0, 128.0) / a.log2());
        x.push(1.0 + random.uniform(-1.0, 1.0) * 2f32.powi(-((random.next() % 23) as i32)));
        y.push(random.uniform(-1.0, 1.0) * 2f32.powi((random.next() % 30) as i32));
        x.push(random.uniform(-9.0, 9.0));
        y.push(random.uniform(-9.0, 9.0).round());
    }
    let mut out = vec![0.0; x.len()];
    let table: [(&str, BinaryFn, fn(f64, f64) -> f64); 3] = [
        ("pow", BinaryFn::Pow, f64::powf),
        ("atan2", BinaryFn::Atan2, f64::atan2),
        ("rem", BinaryFn::Rem, |a, b| a % b),
    ];
    for (name, f, exact) in table {
        binary(f, &x, &y, &mut out).unwrap();
        let (mut error, mut at) = (0.0, (0.0, 0.0));
        for i in 0..x.len() {
            let e = ulps(out[i], exact(x[i] as f64, y[i] as f64));
            if e > error {
                (error, at) = (e, (x[i], y[i]));
            }
        }
        println!("{name:<12} {error:>10.2}  {at:?}");
        assert!(error <= 4.0, "{name} is {error} ulp off at {at:?}");
    }
}

#[test]
fn double_precision_functions_agree_with_slower_ones() {
    let x: Vec<f64> = arguments(5, 60).iter().map(|&v| v as f64).collect();
    let mut y = vec![0.0; x.len()];
    for (name, f, exact) in UNARY {
        unary(*f, &x, &mut y).unwrap();
        for (&v, &got) in x.iter().zip(&y) {
            let want = exact(v);
            let same = got == want || (got.is_nan() && want.is_nan());
            let near = (got - want).abs() <= 1e-13 * want.abs().max(1e-300);
            let cancels = *f == UnaryFn::Digamma && (got - want).abs() < 1e-9 * want.abs().max(1.0);
            assert!(
                same || near || cancels,
                "{name}({v:e}) = {got:e}, not {want:e}"
            );
        }
    }
}

/// Two floats that are the same to a program: equal bits, or both NaN.
fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

macro_rules! machines_agree {
    ($x:expr, $($f:path),* $(,)?) => {$(
        for four in $x.chunks_exact(4) {
            let mut vector = [0.0f32; 4];
            // SAFETY: chunks of exactly four elements.
            unsafe { $f(F32x4::load(four.as_ptr())).store(vector.as_mut_ptr()) };
            for (&v, &got) in four.iter().zip(&vector) {
                let one: f32 = $f(v);
                assert!(same(one, got), "{}({v:e}): {one:e} and {got:e}", stringify!($f));
            }
        }
    )*};
}

#[test]
fn one_lane_and_four_lanes_agree_bit_for_bit() {
    let x = arguments(11, 300);
    machines_agree!(
        x,
        math::exp,
        math::exp2,
        math::expm1,
        math::log,
        math::log1p,
        math::log2,
        math::logistic,
        math::sin,
        math::cos,
        math::tan,
        math::asin,
        math::acos,
        math::atan,
        math::sinh,
        math::cosh,
        math::tanh,
        math::asinh,
        math::acosh,
        math::atanh,
        math::erf,
        math::erfc,
        math::erf_inv,
        math::cbrt,
        math::rsqrt,
        math::sign,
        math::round_away,
        Lane::abs,
        Lane::sqrt,
        Lane::floor,
        Lane::ceil,
        Lane::trunc,
        Lane::nearest,
    );
    let y = arguments(12, 300);
    for (a, b) in x.chunks_exact(4).zip(y.chunks_exact(4)) {
        let pairs: [(fn(F32x4, F32x4) -> F32x4, fn(f32, f32) -> f32); 5] = [
            (math::pow, math::pow),
            (math::rem, math::rem),
            (math::atan2, math::atan2),
            (Lane::min, Lane::min),
            (Lane::max, Lane::max),
        ];
        for (wide, one) in pairs {
            let mut vector = [0.0f32; 4];
            // SAFETY: chunks of exactly four elements.
            unsafe {
                wide(F32x4::load(a.as_ptr()), F32x4::load(b.as_ptr())).store(vector.as_mut_ptr());
            }
            for i in 0..4 {
                assert!(
                    same(one(a[i], b[i]), vector[i]),
                    "at {:e}, {:e}",
                    a[i],
                    b[i]
                );
            }
        }
    }
}
