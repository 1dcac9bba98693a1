//! The logarithm of the gamma function and its derivative, through double precision.

#[cfg(target_arch = "wasm32")]
use super::super::Float;
use core::f64::consts::PI;

/// log |gamma(x)| in double precision.
pub fn lgamma_f64(x: f64) -> f64 {
    // XLA has +inf at both infinities and at the poles, as C99 does.
    libm::lgamma(x)
}

/// log |gamma(x)|.
pub fn lgamma_f32(x: f32) -> f32 {
    lgamma_f64(x as f64) as f32
}

/// The derivative of log gamma in double precision; NaN at the poles, as in JAX.
pub fn digamma_f64(x: f64) -> f64 {
    if x <= 0.0 {
        if x == x.trunc() {
            return f64::NAN;
        }
        // psi(x) = psi(1 - x) - pi / tan(pi x); the argument is reduced first, exactly.
        return digamma_f64(1.0 - x) - PI / libm::tan(PI * (x - x.round_ties_even()));
    }
    // psi(x) = psi(x + 1) - 1/x up to where the asymptotic series (Bernoulli numbers) is good.
    let (mut y, mut shift) = (x, 0.0);
    while y < 12.0 {
        shift += 1.0 / y;
        y += 1.0;
    }
    let w = 1.0 / (y * y);
    const SERIES: [f64; 7] = [
        1.0 / 12.0,
        -1.0 / 120.0,
        1.0 / 252.0,
        -1.0 / 240.0,
        1.0 / 132.0,
        -691.0 / 32760.0,
        1.0 / 12.0,
    ];
    let tail = SERIES.iter().rev().fold(0.0, |sum, c| (sum + c) * w);
    libm::log(y) - 0.5 / y - tail - shift
}

/// The derivative of log gamma.
pub fn digamma_f32(x: f32) -> f32 {
    digamma_f64(x as f64) as f32
}
