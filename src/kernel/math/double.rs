//! The double-precision functions that neither std nor libm has.

#[cfg(target_arch = "wasm32")]
use super::super::Float;

/// 1 / (1 + e^-x).
pub fn logistic_f64(x: f64) -> f64 {
    let e = libm::exp(-x.abs());
    (if x < 0.0 { e } else { 1.0 }) / (1.0 + e)
}

/// 2^x by way of e^x: the function of the libraries has a table that is larger than all others together.
pub fn exp2_f64(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    let whole = x.clamp(-1100.0, 1100.0).round_ties_even();
    let rest = x.clamp(-1100.0, 1100.0) - whole;
    libm::scalbn(libm::exp(rest * core::f64::consts::LN_2), whole as i32)
}

/// x^y.
pub fn pow_f64(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// -1, +-0, 1 or NaN.
pub fn sign_f64(x: f64) -> f64 {
    if x == 0.0 || x.is_nan() {
        x
    } else {
        x.signum()
    }
}

/// Inverse of the error function.
pub fn erf_inv_f64(x: f64) -> f64 {
    let a = x.abs();
    if a >= 1.0 || a.is_nan() {
        return if a == 1.0 {
            x * f64::INFINITY
        } else {
            f64::NAN
        };
    }
    // A first guess good to 2e-3 (Winitzki 2008), then Halley's method on erf or, where erf is
    // flat, on erfc; convergence is cubic, so three steps are plenty.
    let log = libm::log1p(-a * a);
    const K: f64 = 0.147;
    let b = 2.0 / (core::f64::consts::PI * K) + log / 2.0;
    let mut y = ((b * b - log / K).sqrt() - b).max(0.0).sqrt();
    for _ in 0..3 {
        let miss = if a < 0.5 {
            libm::erf(y) - a
        } else {
            (1.0 - a) - libm::erfc(y)
        };
        let u = miss / (core::f64::consts::FRAC_2_SQRT_PI * libm::exp(-y * y));
        y -= u / (1.0 + y * u);
    }
    y.copysign(x)
}

/// x to an integer power by repeated squaring; 1/x^|n| for n < 0.
pub fn integer_pow_f64(x: f64, n: i32) -> f64 {
    let (mut y, mut power, mut rest) = (1.0, x, n.unsigned_abs());
    while rest > 0 {
        if rest & 1 == 1 {
            y *= power;
        }
        power *= power;
        rest >>= 1;
    }
    if n < 0 { 1.0 / y } else { y }
}
