//! Floating-point numbers in decimal and back. Exact arithmetic on whole numbers of any size, in a fraction of
//! the code that the standard library brings along for speed: numbers are printed for people, a screenful at
//! a time.

use alloc::{borrow::ToOwned, format, string::String, vec, vec::Vec};
use core::cmp::Ordering;

/// Decimal digits, the first not 0 unless the number is: `d.ddd * 10^exponent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// Digits as ASCII.
    pub digits: String,
    /// The power of ten that the first digit stands for.
    pub exponent: i32,
}

const BASE: u64 = 1_000_000_000;

/// `mantissa * 2^exponent`, exactly.
fn exact(mantissa: u64, exponent: i32) -> Decimal {
    // In base 10^9, least first. Halves are fives with the point moved: m / 2^k = m * 5^k / 10^k.
    let mut limbs = vec![
        mantissa % BASE,
        mantissa / BASE % BASE,
        mantissa / BASE / BASE,
    ];
    let (factor, step) = if exponent < 0 { (5u64, 12) } else { (2, 29) };
    let mut left = exponent.unsigned_abs();
    while left > 0 {
        let by = factor.pow(left.min(step));
        let mut carry = 0;
        for limb in &mut limbs {
            carry += *limb * by;
            *limb = carry % BASE;
            carry /= BASE;
        }
        if carry > 0 {
            limbs.push(carry);
        }
        left -= left.min(step);
    }
    let mut digits = String::new();
    for limb in limbs.iter().rev() {
        digits.push_str(&format!("{limb:09}"));
    }
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Decimal {
            digits: "0".to_owned(),
            exponent: 0,
        };
    }
    Decimal {
        digits: digits.to_owned(),
        exponent: digits.len() as i32 - 1 + exponent.min(0),
    }
}

impl Decimal {
    /// The absolute value of a finite number, exactly.
    pub fn of(x: f64) -> Decimal {
        let (mantissa, exponent) = parts(x);
        exact(mantissa, exponent)
    }

    /// Compares sizes.
    fn compare(&self, other: &Decimal) -> Ordering {
        let zeros = core::iter::repeat(b'0');
        let n = self.digits.len().max(other.digits.len());
        let padded = |d: &Decimal| {
            d.digits
                .bytes()
                .chain(zeros.clone())
                .take(n)
                .collect::<Vec<_>>()
        };
        self.exponent
            .cmp(&other.exponent)
            .then_with(|| padded(self).cmp(&padded(other)))
    }

    /// The first `n` digits, as they are or one more in the last place. Of 0 digits one more is a 1 in the
    /// place before the first.
    fn cut(&self, n: usize, up: bool) -> Decimal {
        let mut digits: Vec<u8> = self
            .digits
            .bytes()
            .chain(core::iter::repeat(b'0'))
            .take(n)
            .collect();
        let mut exponent = self.exponent;
        if up {
            let nines = digits.iter().rev().take_while(|d| **d == b'9').count();
            digits[n - nines..].fill(b'0');
            match (n - nines).checked_sub(1) {
                Some(at) => digits[at] += 1,
                None => {
                    digits.insert(0, b'1');
                    digits.truncate(n.max(1));
                    exponent += 1;
                }
            }
        }
        Decimal {
            digits: digits.into_iter().map(char::from).collect(),
            exponent,
        }
    }

    /// Whether the nearest number of `n` digits is above that of the first `n`; halves go to even.
    fn rounds_up(&self, n: usize) -> bool {
        let digits = self.digits.as_bytes();
        let odd = n > 0 && digits.get(n - 1).is_some_and(|d| d % 2 == 1);
        match digits.get(n) {
            Some(b'5') => odd || digits[n + 1..].iter().any(|d| *d != b'0'),
            Some(d) => *d > b'5',
            None => false,
        }
    }

    /// Rounded to `n` digits, halves to even; shorter ones get zeros. 0 digits give 0 or a 1 before them.
    pub fn rounded(&self, n: usize) -> Decimal {
        self.cut(n, self.rounds_up(n))
    }

    /// Digits before the point and `places` behind it, rounded, halves to even.
    pub fn fixed(&self, places: usize) -> (String, String) {
        let kept = self.exponent + 1 + places as i32;
        let rounded = match kept {
            ..0 => self.cut(0, false),
            n => self.rounded(n as usize),
        };
        // All digits down to the last place: 9.5 has become 1e1, and few digits get zeros in front.
        let wanted = (rounded.exponent + 1 + places as i32).max(0) as usize;
        let mut all = rounded.digits;
        if kept >= 0 && all.len() < wanted {
            all.push('0');
        }
        let missing = (places + 1).saturating_sub(all.len());
        all.insert_str(0, &"0".repeat(missing));
        let frac = all.split_off(all.len() - places);
        (all, frac)
    }
}

/// Mantissa and exponent of two of a finite number's absolute value.
fn parts(x: f64) -> (u64, i32) {
    let (mantissa, exponent) = (
        x.to_bits() & ((1 << 52) - 1),
        (x.to_bits() >> 52 & 0x7ff) as i32,
    );
    match exponent {
        0 => (mantissa, -1074),
        e => (mantissa | 1 << 52, e - 1075),
    }
}

/// The least number of digits that give a finite number back in its own precision (`single` for float32), and
/// of those that do the nearest to its absolute value.
pub fn shortest(x: f64, single: bool) -> Decimal {
    let whole = Decimal::of(x);
    if x == 0.0 {
        return whole;
    }
    let (mut mantissa, mut exponent) = parts(x);
    let (digits, least) = if single { (24, -149) } else { (53, -1074) };
    // As many bits as the precision has; the value is one of it, so what goes is zeros.
    let spare = (53 - digits).max(least - exponent);
    mantissa >>= spare;
    exponent += spare;
    // What lies closer to it than to its neighbours; below a power of two these are closer.
    let closer = mantissa == 1 << (digits - 1) && exponent > least;
    let low = match closer {
        true => exact(4 * mantissa - 1, exponent - 2),
        false => exact(2 * mantissa - 1, exponent - 1),
    };
    let high = exact(2 * mantissa + 1, exponent - 1);
    let even = mantissa % 2 == 0;
    let gives_back = |d: &Decimal| match (low.compare(d), d.compare(&high)) {
        (Ordering::Less, Ordering::Less) => true,
        (Ordering::Greater, _) | (_, Ordering::Greater) => false,
        // Half way between two the even one is taken.
        _ => even,
    };
    for n in 1..whole.digits.len() {
        let up = whole.rounds_up(n);
        let candidates = [whole.cut(n, up), whole.cut(n, !up)];
        if let Some(mut found) = candidates.into_iter().find(gives_back) {
            found
                .digits
                .truncate(found.digits.trim_end_matches('0').len());
            return found;
        }
    }
    whole
}

/// A finite number as Python prints one without an exponent: `-1.5`, `2.0`, `0.0001`; whole numbers without
/// a point if `whole`.
pub fn plain(x: f64, whole: bool) -> String {
    let Decimal {
        mut digits,
        exponent,
    } = shortest(x, false);
    let point = (exponent + 1).max(0) as usize;
    if exponent < 0 {
        digits.insert_str(0, &"0".repeat(exponent.unsigned_abs() as usize));
    }
    let point = point.max(1);
    while digits.len() < point {
        digits.push('0');
    }
    let frac = digits.split_off(point);
    let sign = if x.is_sign_negative() { "-" } else { "" };
    match frac.as_str() {
        "" if whole => format!("{sign}{digits}"),
        "" => format!("{sign}{digits}.0"),
        _ => format!("{sign}{digits}.{frac}"),
    }
}

/// Reads a short number such as `1e-5` or `0.25`: at most 15 digits and a small exponent, so that it is exact.
pub fn parse(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (int, frac) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: i64 = format!("{int}{frac}").parse().ok()?;
    let exponent = exponent.parse::<i32>().ok()? - frac.len() as i32;
    let mut power = 1.0;
    for _ in 0..exponent.unsigned_abs() {
        power *= 10.0;
    }
    let digits = digits as f64;
    Some(if exponent < 0 {
        digits / power
    } else {
        digits * power
    })
}

#[cfg(test)]
mod tests {
    use super::{Decimal, parse, plain, shortest};
    use proptest::prelude::*;

    fn scientific(d: &Decimal) -> String {
        let (first, rest) = d.digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        format!("{first}{point}{rest}e{}", d.exponent)
    }

    fn check(x: f64) {
        let x = x.abs();
        let short = shortest(x, false);
        assert_eq!(scientific(&short).parse::<f64>().unwrap(), x);
        let digits = format!("{x:e}")
            .bytes()
            .take_while(|b| *b != b'e')
            .filter(u8::is_ascii_digit)
            .count();
        assert_eq!(short.digits.len(), digits, "{x:e}");
        for n in [1, 3, 9, 17, 30] {
            let want = format!("{x:.*e}", n - 1);
            if x != 0.0 {
                assert_eq!(scientific(&Decimal::of(x).rounded(n)), want);
            }
        }
        for places in [0, 1, 4, 12] {
            let (int, frac) = Decimal::of(x).fixed(places);
            let point = if places > 0 { "." } else { "" };
            assert_eq!(format!("{int}{point}{frac}"), format!("{x:.places$}"));
        }
        // Of two that are as near the even one is taken, as Python does and Rust does not.
        let text = plain(-x, true);
        assert_eq!(text.len(), format!("{}", -x).len(), "{text}");
        assert_eq!(text.parse::<f64>().unwrap(), -x);
    }

    fn check_single(x: f32) {
        let x = x.abs();
        let short = shortest(x.into(), true);
        assert_eq!(scientific(&short).parse::<f32>().unwrap(), x);
        let digits = format!("{x:e}")
            .bytes()
            .take_while(|b| *b != b'e')
            .filter(u8::is_ascii_digit)
            .count();
        assert_eq!(short.digits.len(), digits, "{x:e}");
    }

    proptest! {
        #[test]
        fn any_double_is_written_in_the_fewest_digits_and_rounded_to_any_number(bits: u64) {
            let x = f64::from_bits(bits);
            if x.is_finite() {
                check(x);
            }
        }

        #[test]
        fn any_single_is_written_in_the_fewest_digits(bits: u32) {
            let x = f32::from_bits(bits);
            if x.is_finite() {
                check_single(x);
            }
        }

        #[test]
        fn short_decimals_are_written_as_they_stand(digits in 0u32..100_000, places in -8i32..9) {
            check(f64::from(digits) * 10f64.powi(places));
            check_single((f64::from(digits) * 10f64.powi(places)) as f32);
        }
    }

    #[test]
    fn powers_of_two_halves_and_the_ends_of_the_range_are_right() {
        for e in -1074..1024 {
            check(2f64.powi(e));
        }
        for e in -149..128 {
            check_single(2f64.powi(e) as f32);
        }
        for x in [
            0.0,
            0.5,
            1.5,
            2.5,
            0.125,
            9.5,
            99.5,
            0.05,
            0.95,
            9.96,
            1e22,
            1e23,
            5e-324,
            f64::MAX,
        ] {
            check(x);
        }
        check(f64::MIN_POSITIVE);
        assert_eq!(plain(2207422450562190.0 + 0.25, true), "2207422450562190.2");
        assert_eq!(plain(2.0, false), "2.0");
        assert_eq!(plain(0.0001, false), "0.0001");
    }

    #[test]
    fn short_numbers_are_read() {
        for text in ["0", "0.0", "1", "-2.5", "1e-5", "1e-8", "0.25", "12.5e3"] {
            assert_eq!(parse(text), text.parse().ok());
        }
        assert_eq!(parse("null"), None);
    }
}
