//! Comparing derivatives with finite differences: `check_grads`, and the check of a custom rule.

use super::Named;
use super::jvp::jvp;
use super::linearize::{instantiate_all, linearize};
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result};
use crate::ir::print::python_float;
use crate::prim::rule::{Ctx, Fun, Tangent};
use crate::value::Value;
use alloc::rc::Rc;
use alloc::{format, string::String, string::ToString, vec, vec::Vec};

/// A small deterministic generator (splitmix64), good enough for test directions.
#[derive(Debug, Clone)]
pub struct Directions(u64);

impl Directions {
    /// The same seed gives the same directions.
    pub fn new(seed: u64) -> Directions {
        Directions(seed)
    }

    /// A number in (-1, 1).
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// A random array of a float type; `None` for discrete types, which have no directions.
    pub fn tangent(&mut self, aval: &Aval) -> Result<Tangent> {
        self.array(aval, Directions::unit)
    }

    /// The same with no element near zero, so that an error in one element cannot hide.
    fn large_tangent(&mut self, aval: &Aval) -> Result<Tangent> {
        self.array(aval, |random| {
            let x = random.unit();
            x + 0.5f64.copysign(x)
        })
    }

    fn array(&mut self, aval: &Aval, number: impl Fn(&mut Self) -> f64) -> Result<Tangent> {
        if !aval.dtype.is_float() {
            return Ok(None);
        }
        let numbers: Vec<f64> = (0..aval.numel()).map(|_| number(self)).collect();
        Ok(Some(Value::Array(array_of(aval, &numbers)?)))
    }
}

/// A float array from numbers.
pub fn array_of(aval: &Aval, numbers: &[f64]) -> Result<Array> {
    let mut out = ArrayMut::uninit(aval.clone().with_weak(false))?;
    match aval.dtype {
        DType::F64 => out.slice_mut::<f64>().copy_from_slice(numbers),
        _ => {
            let narrow = numbers.iter().map(|&x| x as f32);
            out.slice_mut::<f32>()
                .iter_mut()
                .zip(narrow)
                .for_each(|(o, x)| *o = x);
        }
    }
    Ok(out.freeze())
}

/// The step of central differences: the cube root of the machine epsilon balances truncation
/// against rounding.
pub fn default_step(dtype: DType) -> f64 {
    match dtype {
        DType::F64 => 6.0e-6,
        _ => 4.9e-3,
    }
}

/// The tolerance that such differences can be held to.
pub fn default_tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::F64 => 1e-5,
        _ => 2e-2,
    }
}

fn numbers(v: &Value) -> Result<Vec<f64>> {
    match v.concrete() {
        Some(a) => Ok(a.to_f64()),
        None => Err(Error::new(
            Class::ConcretizationTypeError,
            "finite differences need concrete values",
        )),
    }
}

/// Dot product over all float leaves.
fn inner(a: &[Value], b: &[Value]) -> Result<f64> {
    let mut total = 0.0;
    for (a, b) in a.iter().zip(b).filter(|(a, _)| a.dtype().is_float()) {
        total += numbers(a)?
            .iter()
            .zip(numbers(b)?)
            .map(|(x, y)| x * y)
            .sum::<f64>();
    }
    Ok(total)
}

/// `x + step * direction`, in double precision before rounding.
fn moved(args: &[Value], direction: &[Tangent], step: f64) -> Result<Vec<Value>> {
    args.iter()
        .zip(direction)
        .map(|(x, d)| match d {
            None => Ok(x.clone()),
            Some(d) => {
                let sum: Vec<f64> = numbers(x)?
                    .iter()
                    .zip(numbers(d)?)
                    .map(|(x, d)| x + step * d)
                    .collect();
                Ok(Value::Array(array_of(x.aval(), &sum)?))
            }
        })
        .collect()
}

/// The directional derivative by central differences, one list of numbers per result.
fn numerical_jvp(
    cx: &Ctx,
    f: &Fun,
    args: &[Value],
    direction: &[Tangent],
    step: f64,
) -> Result<Vec<Vec<f64>>> {
    let above = f(cx, &moved(args, direction, step)?)?;
    let below = f(cx, &moved(args, direction, -step)?)?;
    above
        .iter()
        .zip(&below)
        .map(|(a, b)| {
            let pairs = numbers(a)?.into_iter().zip(numbers(b)?);
            Ok(pairs.map(|(a, b)| (a - b) / (2.0 * step)).collect())
        })
        .collect()
}

/// How a derivative compares with finite differences.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// The largest error relative to `max(1, |expected|)`.
    pub max_relative_error: f64,
    /// Elements that disagree: where, expected, got. At most a handful.
    pub rows: Vec<(String, f64, f64)>,
    /// How many elements were compared.
    pub compared: usize,
}

/// How many disagreeing elements are kept.
const MAX_ROWS: usize = 8;

impl Comparison {
    fn add(&mut self, place: impl FnOnce() -> String, expected: f64, got: f64, tolerance: f64) {
        // Where the function itself overflows, its differences say nothing about the rule.
        if !expected.is_finite() {
            return;
        }
        let error = (got - expected).abs() / expected.abs().max(1.0);
        let error = if error.is_nan() { f64::INFINITY } else { error };
        self.compared += 1;
        self.max_relative_error = self.max_relative_error.max(error);
        if error > tolerance && self.rows.len() < MAX_ROWS {
            self.rows.push((place(), expected, got));
        }
    }
}

/// Up to this many input elements a rule is checked element by element, beyond along directions.
const ELEMENTWISE_LIMIT: usize = 64;
/// Random directions tried on larger inputs.
const DIRECTIONS: usize = 8;

/// Compares a pullback with finite differences of `f`: for a random cotangent of the results, the
/// cotangent of every input element (or, for large inputs, along random directions).
///
/// `pullback` maps cotangents of the results to cotangents of the inputs.
pub fn compare_pullback(
    cx: &Ctx,
    f: &Fun,
    pullback: impl FnOnce(&Ctx, &[Value]) -> Result<Vec<Tangent>>,
    args: &[Value],
) -> Result<Comparison> {
    let outs = f(cx, args)?;
    let mut random = Directions::new(7);
    let mut cts = Vec::with_capacity(outs.len());
    for o in &outs {
        cts.push(match random.tangent(o.aval())? {
            Some(ct) => ct,
            None => cx.zeros(&o.aval().tangent())?,
        });
    }
    let pulled = pullback(cx, &cts)?;
    let floats: Vec<&Value> = args.iter().filter(|a| a.dtype().is_float()).collect();
    let dtype = floats.first().map_or(DType::F32, |a| a.dtype());
    let (step, tolerance) = (default_step(dtype), default_tolerance(dtype));
    let slope = |direction: &[Tangent], step: f64| -> Result<f64> {
        let columns = numerical_jvp(cx, f, args, direction, step)?;
        let mut total = 0.0;
        for (ct, column) in cts
            .iter()
            .zip(&columns)
            .filter(|(c, _)| c.dtype().is_float())
        {
            total += numbers(ct)?
                .iter()
                .zip(column)
                .map(|(c, d)| c * d)
                .sum::<f64>();
        }
        Ok(total)
    };
    let mut report = Comparison::default();
    let elements: usize = floats.iter().map(|a| a.aval().numel()).sum();
    if elements <= ELEMENTWISE_LIMIT {
        for (i, arg) in args
            .iter()
            .enumerate()
            .filter(|(_, a)| a.dtype().is_float())
        {
            let got = match pulled.get(i).and_then(Option::as_ref) {
                Some(g) => numbers(g)?,
                None => vec![0.0; arg.aval().numel()],
            };
            let here = numbers(arg)?;
            for (k, x) in here.iter().enumerate() {
                // A relative step keeps the difference meaningful at large arguments.
                let scale = x.abs().max(1.0);
                let mut unit = vec![0.0; here.len()];
                unit[k] = scale;
                let mut direction: Vec<Tangent> = vec![None; args.len()];
                direction[i] = Some(Value::Array(array_of(arg.aval(), &unit)?));
                let expected = slope(&direction, step)? / scale;
                let place = || format!("argument {i}{}", subscript(k, arg.shape()));
                let found = got.get(k).copied().unwrap_or(f64::NAN);
                report.add(place, expected, found, tolerance);
            }
        }
        return Ok(report);
    }
    for k in 0..DIRECTIONS {
        let direction = args
            .iter()
            .map(|a| random.tangent(a.aval()))
            .collect::<Result<Vec<_>>>()?;
        let expected = slope(&direction, step)?;
        let mut got = 0.0;
        for (p, d) in pulled.iter().zip(&direction) {
            if let (Some(p), Some(d)) = (p, d) {
                got += inner(core::slice::from_ref(p), core::slice::from_ref(d))?;
            }
        }
        report.add(|| format!("direction {}", k + 1), expected, got, tolerance);
    }
    Ok(report)
}

fn subscript(flat: usize, shape: &[usize]) -> String {
    if shape.is_empty() {
        return String::new();
    }
    let strides = crate::shape::strides(shape);
    let index: Vec<String> = strides
        .iter()
        .zip(shape)
        .map(|(s, n)| (flat / s % n).to_string())
        .collect();
    format!("[{}]", index.join(", "))
}

/// Options of `check_grads`.
#[derive(Clone, Copy, Debug)]
pub struct CheckOptions {
    /// How many times to differentiate.
    pub order: usize,
    /// Check forward mode.
    pub fwd: bool,
    /// Check reverse mode.
    pub rev: bool,
    /// Absolute tolerance.
    pub atol: Option<f64>,
    /// Relative tolerance.
    pub rtol: Option<f64>,
    /// Finite-difference step.
    pub eps: Option<f64>,
}

/// Checks derivatives of `f` at `args` against finite differences along random directions, up to
/// the given order. `AssertionError` when they disagree.
pub fn check_grads(cx: &Ctx, f: &Named, args: &[Value], options: CheckOptions) -> Result<()> {
    check_order(cx, f, args, options, 1)
}

/// Directions tried at every order: errors of opposite sign may cancel along one of them.
const TRIALS: u64 = 2;

/// JAX's tolerance for derivatives.
fn gradient_tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::F64 => 1e-5,
        _ => 2e-3,
    }
}

fn check_order(cx: &Ctx, f: &Named, args: &[Value], opt: CheckOptions, order: usize) -> Result<()> {
    for trial in 0..TRIALS {
        let seed = order as u64 + 101 * trial;
        check_along(cx, f, args, opt, order, &mut Directions::new(seed))?;
    }
    if order == opt.order {
        return Ok(());
    }
    // The derivative along a direction, as a function of the arguments, is checked next.
    let (g, rev) = (f.clone(), opt.rev && !opt.fwd);
    let derivative: Fun = Rc::new(move |cx, args| {
        let mut random = Directions::new(11 + order as u64);
        if rev {
            let wrt = vec![true; args.len()];
            let (outs, linear) = linearize(cx, "vjp", &g, args, &wrt)?;
            return linear.pull_back_full(cx, &along(&mut random, &outs)?);
        }
        let direction = along(&mut random, args)?;
        let (outs, tangents) = jvp(cx, &g, args, &direction)?;
        instantiate_all(cx, &outs, tangents)
    });
    check_order(cx, &Named::new(&f.name, derivative), args, opt, order + 1)
}

/// A direction for every value.
fn along(random: &mut Directions, values: &[Value]) -> Result<Vec<Tangent>> {
    values
        .iter()
        .map(|v| random.large_tangent(v.aval()))
        .collect()
}

fn check_along(
    cx: &Ctx,
    f: &Named,
    args: &[Value],
    opt: CheckOptions,
    order: usize,
    random: &mut Directions,
) -> Result<()> {
    let floats = args.iter().map(Value::dtype).find(|d| d.is_float());
    let dtype = floats.unwrap_or(DType::F32);
    let step = opt.eps.unwrap_or_else(|| default_step(dtype));
    let (atol, rtol) = (
        opt.atol.unwrap_or_else(|| gradient_tolerance(dtype)),
        opt.rtol.unwrap_or_else(|| gradient_tolerance(dtype)),
    );
    let direction = along(random, args)?;
    let expected = numerical_jvp(cx, &f.fun, args, &direction, step)?;
    let agree = |what: &str, got: &[f64], want: &[f64]| -> Result<()> {
        let pairs = got.iter().zip(want);
        let worst = pairs.map(|(g, w)| ((g - w).abs() - rtol * w.abs(), g, w));
        match worst.max_by(|a, b| a.0.total_cmp(&b.0)) {
            Some((excess, g, w)) if excess > atol || excess.is_nan() => Err(Error::new(
                Class::AssertionError,
                format!(
                    "Not equal to tolerance rtol={}, atol={}\n{what} of order {order} of {} disagrees with \
                     finite differences: got {}, expected {}",
                    python_float(rtol),
                    python_float(atol),
                    f.name,
                    python_float(*g),
                    python_float(*w)
                ),
            )),
            _ => Ok(()),
        }
    };
    if opt.fwd {
        let (outs, tangents) = jvp(cx, f, args, &direction)?;
        let tangents = instantiate_all(cx, &outs, tangents)?;
        let floats = tangents.iter().zip(&expected);
        for (t, want) in floats.filter(|(t, _)| t.dtype().is_float()) {
            agree("JVP tangent (forward mode)", &numbers(t)?, want)?;
        }
    }
    if opt.rev {
        let wrt = vec![true; args.len()];
        let (outs, linear) = linearize(cx, "vjp", f, args, &wrt)?;
        let cts = along(random, &outs)?;
        let ins = linear.pull_back(cx, &cts)?;
        let mut want = 0.0;
        for (ct, column) in cts.iter().zip(&expected) {
            if let Some(ct) = ct {
                let products = numbers(ct)?.into_iter().zip(column).map(|(c, d)| c * d);
                want += products.sum::<f64>();
            }
        }
        let mut got = 0.0;
        for (g, d) in ins.iter().zip(&direction) {
            if let (Some(g), Some(d)) = (g, d) {
                got += inner(core::slice::from_ref(g), core::slice::from_ref(d))?;
            }
        }
        agree("VJP cotangent projection (reverse mode)", &[got], &[want])?;
    }
    Ok(())
}
