//! Printing arrays as JAX and NumPy do: `str` for `print`, `repr` for containers.
//!
//! The layout follows the rules that NumPy documents for `array2string`: shortest digits that round
//! trip but at most 8 after the point, one width for all elements, an exponent for wide ranges,
//! three elements at each edge beyond a thousand.

use crate::array::Array;
use crate::decimal::{Decimal, plain, shortest};
use crate::dtype::DType;
use crate::shape::{strides, tuple};
use crate::value::{Payload, Value};
use alloc::{borrow::ToOwned, format, string::String, string::ToString, vec::Vec};

const LINE_WIDTH: usize = 75;
const PRECISION: usize = 8;
const THRESHOLD: usize = 1000;
const EDGE: usize = 3;

/// What `print(x)` shows.
pub fn str(v: &Value) -> String {
    match v {
        Value::Tracer(_) => tracer(v),
        Value::Array(a) if a.dtype() == DType::Key => keys(a),
        Value::Array(a) if a.shape().is_empty() => scalar(a.number_at(0), a.dtype()),
        Value::Array(a) => array(a, " ", "", ""),
    }
}

/// What stands for the value inside containers: `Array([1., 2.], dtype=float32)`.
pub fn repr(v: &Value) -> String {
    let a = match v {
        Value::Tracer(_) => return tracer(v),
        Value::Array(a) => a,
    };
    if a.dtype() == DType::Key {
        return keys(a);
    }
    const PREFIX: &str = "Array(";
    let weak = if a.aval().weak {
        ", weak_type=True"
    } else {
        ""
    };
    let dtype = format!("dtype={}{weak})", a.dtype());
    let body = match a.numel() {
        0 => format!("[], shape={}", tuple(a.shape())),
        _ => array(a, ", ", PREFIX, ","),
    };
    let last_line = body.len() - body.rfind('\n').map_or(0, |at| at + 1);
    // JAX counts from the line break itself, so a first line is two columns longer than it is.
    let last_line = if body.contains('\n') {
        last_line + 2
    } else {
        body.len() + 2
    };
    let separator = if last_line + dtype.len() + 1 > LINE_WIDTH {
        " ".repeat(PREFIX.len())
    } else {
        " ".to_owned()
    };
    format!("{PREFIX}{body},{separator}{dtype}")
}

fn tracer(v: &Value) -> String {
    let Value::Tracer(t) = v else { return str(v) };
    let weak = if t.0.aval.weak { "~" } else { "" };
    let aval = t.0.aval.long();
    match &t.0.payload {
        Payload::Stage { .. } => format!("JitTracer({weak}{aval})"),
        Payload::Jvp {
            primal,
            tangent,
            linear: false,
        } => format!(
            "JVPTracer(primal={}, tangent={})",
            str(primal),
            str(tangent)
        ),
        Payload::Jvp {
            primal, tangent, ..
        } => format!(
            "GradTracer(primal={}, typeof(tangent)={})",
            str(primal),
            tangent.aval()
        ),
        Payload::Batch { value } => {
            format!(
                "VmapTracer(aval={weak}{aval}, batched={})",
                value.aval().long()
            )
        }
    }
}

/// Keys, by the words that they lie over.
fn keys(a: &Array) -> String {
    let words = array(&a.key_words(), " ", "", "");
    let shape = tuple(a.shape());
    format!("Array({shape}, dtype={}) overlaying:\n{words}", a.dtype())
}

/// A scalar as Python prints it.
fn scalar(x: f64, dtype: DType) -> String {
    match dtype {
        DType::Bool => if x != 0.0 { "True" } else { "False" }.into(),
        DType::I32 | DType::U32 => plain(x, true),
        DType::F32 | DType::F64 => {
            if !x.is_finite() {
                return special(x).to_owned();
            }
            let single = dtype == DType::F32;
            let magnitude = x.abs();
            let limit = if single { 1e6 } else { 1e16 };
            if x != 0.0 && !(1e-4..limit).contains(&magnitude) {
                let (int, frac, exponent) = scientific(x, single, PRECISION.max(17));
                let point = if frac.is_empty() { "" } else { "." };
                return format!("{int}{point}{frac}e{}", signed_exponent(exponent, 2));
            }
            let (int, frac) = positional(x, single, 64);
            format!("{int}.{}", if frac.is_empty() { "0" } else { &frac })
        }
        DType::Float0 | DType::Key => "(b'',)".into(),
    }
}

fn special(x: f64) -> &'static str {
    match (x.is_nan(), x > 0.0) {
        (true, _) => "nan",
        (_, true) => "inf",
        _ => "-inf",
    }
}

fn signed_exponent(e: i32, digits: usize) -> String {
    format!("{}{:0>digits$}", if e < 0 { '-' } else { '+' }, e.abs())
}

fn sign(x: f64) -> &'static str {
    if x.is_sign_negative() { "-" } else { "" }
}

/// Digits before and after the point, at most `precision` after it.
fn positional(x: f64, single: bool, precision: usize) -> (String, String) {
    let Decimal { digits, exponent } = shortest(x, single);
    let point = exponent + 1;
    let decimals = (digits.len() as i32 - point).max(0) as usize;
    let (int, frac) = if decimals > precision {
        Decimal::of(x).fixed(precision)
    } else if point <= 0 {
        (
            "0".to_owned(),
            "0".repeat(point.unsigned_abs() as usize) + &digits,
        )
    } else {
        let point = point as usize;
        let int: String = digits
            .chars()
            .chain(core::iter::repeat('0'))
            .take(point)
            .collect();
        (int, digits.chars().skip(point).collect())
    };
    (
        format!("{}{int}", sign(x)),
        frac.trim_end_matches('0').to_owned(),
    )
}

/// Digit before the point, digits after it, exponent.
fn scientific(x: f64, single: bool, precision: usize) -> (String, String, i32) {
    let mut short = shortest(x, single);
    if short.digits.len() > precision + 1 {
        short = Decimal::of(x).rounded(precision + 1);
    }
    let Decimal { digits, exponent } = short;
    let frac = digits
        .get(1..)
        .unwrap_or("")
        .trim_end_matches('0')
        .to_owned();
    (format!("{}{}", sign(x), &digits[..1]), frac, exponent)
}

/// The same with that many digits of the exact value behind the point.
fn exact_scientific(x: f64, frac: usize) -> (String, String, i32) {
    let Decimal { digits, exponent } = Decimal::of(x).rounded(frac + 1);
    let int = format!("{}{}", sign(x), &digits[..1]);
    (int, digits[1..].to_owned(), exponent)
}

/// How the elements of one array are written: all to one width.
enum Style {
    Bool,
    Int {
        width: usize,
    },
    Positional {
        left: usize,
        right: usize,
        single: bool,
    },
    Scientific {
        left: usize,
        right: usize,
        frac: usize,
        exponent: usize,
        single: bool,
    },
}

impl Style {
    /// The style that fits the numbers shown.
    fn of(numbers: &[f64], dtype: DType) -> Style {
        match dtype {
            DType::Bool | DType::Float0 | DType::Key => return Style::Bool,
            DType::I32 | DType::U32 => {
                let width = numbers
                    .iter()
                    .map(|x| plain(*x, true).len())
                    .max()
                    .unwrap_or(0);
                return Style::Int { width };
            }
            DType::F32 | DType::F64 => {}
        }
        let single = dtype == DType::F32;
        let finite: Vec<f64> = numbers.iter().copied().filter(|x| x.is_finite()).collect();
        let magnitudes = finite.iter().map(|x| x.abs()).filter(|x| *x != 0.0);
        let (low, high) =
            magnitudes.fold((f64::INFINITY, 0.0f64), |(l, h), x| (l.min(x), h.max(x)));
        // NumPy compares in the array's own precision, and single precision has fewer digits.
        let wide = if single {
            let (low, high) = (low as f32, high as f32);
            high >= 1e6 || (high > 0.0 && (low < 1e-4 || high / low > 1000.0))
        } else {
            high >= 1e8 || (high > 0.0 && (low < 1e-4 || high / low > 1000.0))
        };
        let specials = numbers.iter().filter(|x| !x.is_finite());
        let special_width = specials.map(|x| special(*x).len()).max().unwrap_or(0);
        let (mut style, right) = if wide {
            let parts: Vec<_> = finite
                .iter()
                .map(|x| scientific(*x, single, PRECISION))
                .collect();
            let left = parts.iter().map(|p| p.0.len()).max().unwrap_or(1);
            let frac = parts.iter().map(|p| p.1.len()).max().unwrap_or(0);
            let digits = |e: i32| e.unsigned_abs().to_string().len().max(2);
            let exponent = parts.iter().map(|p| digits(p.2)).max().unwrap_or(2);
            let right = exponent + 2 + frac;
            (
                Style::Scientific {
                    left,
                    right,
                    frac,
                    exponent,
                    single,
                },
                right,
            )
        } else {
            let parts: Vec<_> = finite
                .iter()
                .map(|x| positional(*x, single, PRECISION))
                .collect();
            let left = parts.iter().map(|p| p.0.len()).max().unwrap_or(0);
            let right = parts.iter().map(|p| p.1.len()).max().unwrap_or(0);
            (
                Style::Positional {
                    left,
                    right,
                    single,
                },
                right,
            )
        };
        let needed = special_width.saturating_sub(right + 1);
        match &mut style {
            Style::Scientific { left, .. } | Style::Positional { left, .. } => {
                *left = (*left).max(needed);
            }
            Style::Bool | Style::Int { .. } => {}
        }
        style
    }

    fn write(&self, x: f64) -> String {
        match self {
            Style::Bool => if x != 0.0 { " True" } else { "False" }.into(),
            Style::Int { width } => format!("{:>width$}", plain(x, true)),
            Style::Positional { left, right, .. } | Style::Scientific { left, right, .. }
                if !x.is_finite() =>
            {
                let width = left + right + 1;
                format!("{:>width$}", special(x))
            }
            Style::Positional {
                left,
                right,
                single,
            } => {
                let (int, frac) = positional(x, *single, PRECISION);
                format!("{int:>left$}.{frac:<right$}")
            }
            Style::Scientific {
                left,
                frac,
                exponent,
                single,
                ..
            } => {
                // Numbers with fewer digits than the longest show digits of their exact value, not
                // zeros: NumPy's scientific form has no padding.
                let (mut int, mut digits, mut e) = scientific(x, *single, PRECISION);
                if digits.len() < *frac {
                    (int, digits, e) = exact_scientific(x, *frac);
                }
                let e = signed_exponent(e, *exponent);
                format!("{int:>left$}.{digits:0<frac$}e{e}")
            }
        }
    }
}

/// Lays an array out in brackets.
fn array(a: &Array, separator: &str, prefix: &str, suffix: &str) -> String {
    if a.numel() == 0 {
        return "[]".into();
    }
    let summarise = a.numel() > THRESHOLD;
    let mut shown = Vec::new();
    collect(a, summarise, 0, 0, &mut shown);
    let style = Style::of(&shown, a.dtype());
    if a.shape().is_empty() {
        return style.write(a.number_at(0)).trim().to_owned();
    }
    let layout = Layout {
        a,
        style,
        separator,
        summarise,
        strides: strides(a.shape()).to_vec(),
    };
    let indent = " ".repeat(prefix.len() + 1);
    layout.axis(0, 0, &indent, LINE_WIDTH - suffix.len())
}

/// Positions along an axis of size `n`; `None` for the ellipsis.
fn positions(n: usize, summarise: bool) -> Vec<Option<usize>> {
    if summarise && n > 2 * EDGE {
        let head = (0..EDGE).map(Some);
        let tail = (n - EDGE..n).map(Some);
        head.chain([None]).chain(tail).collect()
    } else {
        (0..n).map(Some).collect()
    }
}

fn collect(a: &Array, summarise: bool, axis: usize, at: usize, out: &mut Vec<f64>) {
    if axis == a.shape().len() {
        out.push(a.number_at(at));
        return;
    }
    let stride = strides(a.shape())[axis];
    for i in positions(a.shape()[axis], summarise).into_iter().flatten() {
        collect(a, summarise, axis + 1, at + i * stride, out);
    }
}

struct Layout<'a> {
    a: &'a Array,
    style: Style,
    separator: &'a str,
    summarise: bool,
    strides: Vec<usize>,
}

impl Layout<'_> {
    fn axis(&self, axis: usize, at: usize, indent: &str, width: usize) -> String {
        let shape = self.a.shape();
        if axis == shape.len() {
            return self.style.write(self.a.number_at(at));
        }
        let items = positions(shape[axis], self.summarise);
        let left = shape.len() - axis;
        let mut text = String::new();
        if left == 1 {
            let room = width - self.separator.trim_end().len().max(1);
            let mut line = indent.to_owned();
            for (k, item) in items.iter().enumerate() {
                let word = match item {
                    Some(i) => self
                        .style
                        .write(self.a.number_at(at + i * self.strides[axis])),
                    None => "...".to_owned(),
                };
                if line.len() + word.len() > room && line.len() > indent.len() {
                    text.push_str(line.trim_end());
                    text.push('\n');
                    line = indent.to_owned();
                }
                line.push_str(&word);
                if k + 1 < items.len() {
                    line.push_str(self.separator);
                }
            }
            text.push_str(&line);
        } else {
            let break_lines = self.separator.trim_end().to_owned() + &"\n".repeat(left - 1);
            let deeper = format!("{indent} ");
            for (k, item) in items.iter().enumerate() {
                text.push_str(indent);
                match item {
                    Some(i) => {
                        let from = at + i * self.strides[axis];
                        text.push_str(&self.axis(axis + 1, from, &deeper, width - 1));
                    }
                    None => text.push_str("..."),
                }
                if k + 1 < items.len() {
                    text.push_str(&break_lines);
                }
            }
        }
        format!("[{}]", &text[indent.len()..])
    }
}
