//! The polygamma function, in double precision. It occurs only as a derivative of `digamma`.

#[cfg(target_arch = "wasm32")]
use crate::kernel::Float;
use crate::kernel::math::pow_f64;
/// B(2k) / (2k)! for k = 1, 2, ..: coefficients of the Euler-Maclaurin tail.
const BERNOULLI: [f64; 10] = [
    1.0 / 12.0,
    -1.0 / 720.0,
    1.0 / 30_240.0,
    -1.0 / 1_209_600.0,
    1.0 / 47_900_160.0,
    -691.0 / 1_307_674_368_000.0,
    1.0 / 74_724_249_600.0,
    -3617.0 / 10_670_622_842_880_000.0,
    43_867.0 / 5_109_094_217_170_944_000.0,
    -174_611.0 / 802_857_662_698_291_200_000.0,
];

/// From here on the tail converges to double precision.
const FAR: f64 = 12.0;

/// The Hurwitz zeta function, the sum of (q + k)^-s over k >= 0, for s > 1. Infinite at the poles
/// q = 0, -1, ..; below 0 only whole `s` are defined.
pub fn zeta(s: f64, q: f64) -> f64 {
    if s.is_nan() || s <= 1.0 || q.is_nan() {
        return f64::NAN;
    }
    if q <= 0.0 {
        if q == q.floor() {
            return f64::INFINITY;
        }
        if s != s.floor() || q < -1e6 {
            return f64::NAN;
        }
    }
    let (mut sum, mut q) = (0.0, q);
    while q < FAR {
        sum += pow_f64(q, -s);
        q += 1.0;
    }
    // The rest by Euler-Maclaurin: integral, half the first term, then corrections with
    // derivatives s (s+1) .. (s+2k-2) q^(-s-2k+1).
    let power = pow_f64(q, -s);
    sum += power * q / (s - 1.0) + power / 2.0;
    let (mut rising, mut scale) = (s, power / q);
    for (k, b) in BERNOULLI.iter().enumerate() {
        sum += b * rising * scale;
        let k = 2.0 * k as f64;
        rising *= (s + k + 1.0) * (s + k + 2.0);
        scale /= q * q;
    }
    sum
}

/// The m-th derivative of digamma at x, for a whole number m >= 1: (-1)^(m+1) m! zeta(m+1, x).
/// NaN for other m but 0, where it is digamma itself.
pub fn polygamma(m: f64, x: f64) -> f64 {
    if m == 0.0 {
        return digamma(x);
    }
    if m.is_nan() || m < 0.0 || m != m.floor() || m > 170.0 {
        return f64::NAN;
    }
    let factorial: f64 = (1..=m as u32).map(f64::from).product();
    let sign = if m % 2.0 == 0.0 { -1.0 } else { 1.0 };
    sign * factorial * zeta(m + 1.0, x)
}

fn digamma(x: f64) -> f64 {
    let mut out = [f64::NAN];
    // The kernel takes every f64, so there is nothing to report.
    let _ = crate::kernel::unary(crate::kernel::UnaryFn::Digamma, &[x], &mut out);
    out[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeta_has_its_known_values() {
        let pi = core::f64::consts::PI;
        assert!((zeta(2.0, 1.0) - pi * pi / 6.0).abs() < 1e-14);
        assert!((zeta(4.0, 1.0) - pi.powi(4) / 90.0).abs() < 1e-14);
        assert!((zeta(2.0, 0.5) - pi * pi / 2.0).abs() < 1e-13);
        assert!(zeta(2.0, -1.0).is_infinite() && zeta(1.0, 2.0).is_nan());
    }

    #[test]
    fn polygamma_of_order_one_at_one_is_zeta_of_two() {
        let pi = core::f64::consts::PI;
        assert!((polygamma(1.0, 1.0) - pi * pi / 6.0).abs() < 1e-14);
        assert!((polygamma(2.0, 1.0) + 2.404_113_806_319_188_5).abs() < 1e-13);
        assert!(polygamma(1.5, 1.0).is_nan());
    }
}
