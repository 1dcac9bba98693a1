//! What programs call: functions of flat values are traced, checked and bound.

use super::cond::{Cond, joined};
use super::scan::Scan;
use super::stage;
use super::while_loop::While;

use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Error, Kind, Result};
use crate::ir::Jaxpr;
use crate::prim::rule::{Ctx, Fun};
use crate::shape::tuple;
use crate::transform::Named;
use crate::value::Value;
use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::string::{String, ToString};
use alloc::{format, vec, vec::Vec};

/// How a scan runs.
#[derive(Clone, Copy, Debug)]
pub struct ScanOptions {
    /// The number of steps; `None`: that of the sliced operands.
    pub length: Option<usize>,
    /// From the last slice to the first.
    pub reverse: bool,
    /// JAX's hint.
    pub unroll: usize,
}

/// A step of a loop as the front-end knows it.
pub struct Step<'a> {
    /// What runs.
    pub function: Named,
    /// Names of its arguments' leaves, for messages.
    pub names: &'a dyn Fn() -> Vec<String>,
}

/// `lax.scan`: `step` takes carries and slices, and gives carries and results.
///
/// Errors: `ValueError` for operands of different lengths; `TypeError` with a table for carries
/// that change their type.
pub fn scan(
    cx: &Ctx,
    step: &Step,
    init: &[Value],
    xs: &[Value],
    options: ScanOptions,
) -> Result<Vec<Value>> {
    let length = scan_length(xs, options.length)?;
    let slices: Vec<Aval> = xs.iter().map(|x| x.aval().without_axis0()).collect();
    let mut carry = init.to_vec();
    run_scan(cx, "scan", step, &mut carry, xs, &slices, length, options)
}

#[allow(clippy::too_many_arguments)]
fn run_scan(
    cx: &Ctx,
    called: &'static str,
    step: &Step,
    carry: &mut Vec<Value>,
    xs: &[Value],
    slices: &[Aval],
    length: usize,
    options: ScanOptions,
) -> Result<Vec<Value>> {
    let (jaxpr, mut operands) = traced_step(cx, called, "scan", step, carry, slices)?;
    let op = Scan {
        jaxpr,
        length,
        reverse: options.reverse,
        unroll: options.unroll,
        num_consts: operands.len(),
        num_carry: carry.len(),
        linear: Vec::new(),
    };
    operands.append(carry);
    operands.extend_from_slice(xs);
    cx.bind(&op, &operands)
}

fn scan_length(xs: &[Value], given: Option<usize>) -> Result<usize> {
    if let Some(x) = xs.iter().find(|x| x.rank() == 0) {
        let shown = x
            .concrete()
            .map_or_else(|| x.aval().long(), |a| format!("{:?}", a.number_at(0)));
        return Err(Error::value_error(format!(
            "scan got value with no leading axis to scan over: {shown}."
        )));
    }
    let mut sizes: Vec<usize> = Vec::new();
    for x in xs {
        if !sizes.contains(&x.shape()[0]) {
            sizes.push(x.shape()[0]);
        }
    }
    let listed = || {
        let texts: Vec<String> = sizes.iter().map(usize::to_string).collect();
        texts.join(", ")
    };
    match (given, sizes.as_slice()) {
        (Some(n), _) if sizes.iter().any(|&s| s != n) => Err(Error::value_error(format!(
            "scan got `length` argument of {n} which disagrees with leading axis sizes [{}].",
            listed()
        ))),
        (_, [_, _, ..]) => Err(Error::value_error(format!(
            "scan got values with different leading axis sizes: {}.",
            listed()
        ))),
        (Some(n), _) => Ok(n),
        (None, [n]) => Ok(*n),
        (None, _) => Err(Error::value_error(
            "scan got no values to scan over and `length` not provided.",
        )),
    }
}

/// Traces a step; weak carries whose type the step changes begin with the type it gives them.
fn traced_step(
    cx: &Ctx,
    transform: &'static str,
    called: &str,
    step: &Step,
    carry: &mut [Value],
    slices: &[Aval],
) -> Result<(Rc<Jaxpr>, Vec<Value>)> {
    let names = (step.names)();
    loop {
        let types: Vec<Aval> = carry.iter().map(|v| v.aval().clone()).collect();
        let avals = [types.as_slice(), slices].concat();
        let (jaxpr, consts) = cx.in_frame(transform, &step.function.name, || {
            stage(cx, transform, &step.function, &avals, &names)
        })?;
        let outs = jaxpr.out_avals();
        let mut changed = false;
        for (v, out) in carry.iter_mut().zip(&outs) {
            if v.aval().weak && v.dtype() != out.dtype && promotes(v.dtype(), out.dtype) {
                *v = cx.convert(v, out.dtype, out.weak)?;
                changed = true;
            }
        }
        if !changed {
            same_carry(called, &types, &outs, &names)?;
            return Ok((jaxpr, consts));
        }
    }
}

/// `lax.while_loop`.
///
/// Errors: `TypeError` for a condition that is no scalar truth, and for carries that change.
pub fn while_loop(cx: &Ctx, cond: &Step, body: &Step, init: &[Value]) -> Result<Vec<Value>> {
    let mut carry = init.to_vec();
    let (body, consts) = traced_step(cx, "while_loop", "while_loop", body, &mut carry, &[])?;
    let avals: Vec<Aval> = carry.iter().map(|v| v.aval().clone()).collect();
    let (cond, mut operands) = cx.in_frame("while_loop", &cond.function.name, || {
        stage(cx, "while_loop", &cond.function, &avals, &(cond.names)())
    })?;
    let outs = cond.out_avals();
    if !matches!(outs.as_slice(), [one] if one.dtype == DType::Bool && one.shape.is_empty()) {
        let types: Vec<String> = outs
            .iter()
            .map(|a| format!("ShapedArray({})", a.long()))
            .collect();
        return Err(Error::type_error(format!(
            "cond_fun must return a boolean scalar, but got output type(s) [{}].",
            types.join(", ")
        )));
    }
    let op = While {
        cond,
        cond_consts: operands.len(),
        body,
        body_consts: consts.len(),
    };
    operands.extend(consts);
    operands.append(&mut carry);
    cx.bind(&op, &operands)
}

/// `lax.fori_loop`: `body` takes the index and the carries. A scan where both bounds are known, else
/// a while loop, which has no reverse mode.
pub fn fori_loop(
    cx: &Ctx,
    body: &Step,
    bounds: [Value; 2],
    init: &[Value],
    unroll: usize,
) -> Result<Vec<Value>> {
    let [mut lower, mut upper] = bounds;
    if lower.dtype() != upper.dtype() && lower.dtype().is_int() && upper.dtype().is_int() {
        if lower.aval().weak {
            lower = cx.convert(&lower, upper.dtype(), false)?;
        } else if upper.aval().weak {
            upper = cx.convert(&upper, lower.dtype(), false)?;
        }
    }
    let fits = |v: &Value| v.dtype().is_int() && v.rank() == 0;
    if lower.dtype() != upper.dtype() || !fits(&lower) || !fits(&upper) {
        let different = lower.dtype() != upper.dtype();
        let message = if different {
            format!(
                "lower and upper arguments to fori_loop must have equal types, got {} and {}",
                lower.dtype(),
                upper.dtype()
            )
        } else {
            format!(
                "fori_loop's bounds must be integer scalars, got {} and {}",
                lower.aval().long(),
                upper.aval().long()
            )
        };
        return Err(Error::type_error(message));
    }
    let known = (lower.as_array(), upper.as_array());
    let trips = match known {
        (Some(l), Some(u)) => Some((u.number_at(0) - l.number_at(0)).max(0.0) as usize),
        _ => None,
    };
    let inner = body.function.clone();
    let bounds = if trips.is_some() { 1 } else { 2 };
    let fun: Fun = Rc::new(move |cx, args| {
        let mut args = args.to_vec();
        let one = cx.one(&args[0])?;
        let mut outs = vec![cx.add(&args[0], &one)?];
        if bounds == 2 {
            outs.push(args.remove(1));
        }
        outs.extend((inner.fun)(cx, &args)?);
        Ok(outs)
    });
    let names = || {
        let mut names = (body.names)();
        if bounds == 2 {
            names.insert(names.len().min(1), "upper".into());
        }
        names
    };
    let step = Step {
        function: Named::new(&body.function.name, fun),
        names: &names,
    };
    let mut carry = vec![lower];
    let Some(length) = trips else {
        carry.push(upper);
        carry.extend_from_slice(init);
        let test = Step {
            function: Named::new(
                "cond_fun",
                Rc::new(|cx, args| Ok(vec![cx.lt(&args[0], &args[1])?])),
            ),
            names: &Vec::new,
        };
        return Ok(while_loop(cx, &test, &step, &carry)?.split_off(2));
    };
    carry.extend_from_slice(init);
    let options = ScanOptions {
        length: Some(length),
        reverse: false,
        unroll,
    };
    let outs = run_scan(
        cx,
        "fori_loop",
        &step,
        &mut carry,
        &[],
        &[],
        length,
        options,
    )?;
    Ok(outs[1..].to_vec())
}

/// `lax.cond` (`switch` false; the branch for false first) and `lax.switch`.
///
/// Errors: `TypeError` for a predicate that is no scalar, and, with a table, for branches whose
/// results differ in type.
pub fn cond(
    cx: &Ctx,
    switch: bool,
    which: &Value,
    branches: &[Step],
    operands: &[Value],
) -> Result<Vec<Value>> {
    let index = branch_index(cx, switch, which, branches.len())?;
    let transform = if switch { "switch" } else { "cond" };
    let avals: Vec<Aval> = operands.iter().map(|v| v.aval().clone()).collect();
    if let [only] = branches {
        return (only.function.fun)(cx, operands);
    }
    let trace = |f: &Named, names: &[String]| {
        cx.in_frame(transform, &f.name, || {
            stage(cx, transform, f, &avals, names)
        })
    };
    let mut parts = Vec::new();
    for branch in branches {
        parts.push(trace(&branch.function, &(branch.names)())?);
    }
    let outs: Vec<Vec<Aval>> = parts.iter().map(|(j, _)| j.out_avals()).collect();
    let mut common = outs[0].clone();
    for types in &outs[1..] {
        for (a, b) in common.iter_mut().zip(types) {
            if a.weak && a.dtype != b.dtype && a.shape == b.shape && promotes(a.dtype, b.dtype) {
                *a = b.clone();
            }
        }
    }
    for ((types, part), branch) in outs.iter().zip(&mut parts).zip(branches) {
        let change = types.iter().zip(&common);
        let needs = |(a, c): (&Aval, &Aval)| a.weak && a.dtype != c.dtype;
        if !change.clone().any(needs) {
            continue;
        }
        let (inner, want) = (Rc::clone(&branch.function.fun), common.clone());
        let fun: Fun = Rc::new(move |cx, args| {
            let outs = inner(cx, args)?;
            let both = outs.into_iter().zip(&want);
            both.map(|(v, c)| match v.aval().weak && v.dtype() != c.dtype {
                true if promotes(v.dtype(), c.dtype) => cx.convert(&v, c.dtype, c.weak),
                _ => Ok(v),
            })
            .collect()
        });
        *part = trace(&Named::new(&branch.function.name, fun), &(branch.names)())?;
    }
    same_branches(switch, &parts)?;
    let (branches, hoisted) = joined(parts);
    let mut all = vec![index];
    all.extend(hoisted);
    all.extend_from_slice(operands);
    cx.bind(&Cond { branches }, &all)
}

fn branch_index(cx: &Ctx, switch: bool, which: &Value, branches: usize) -> Result<Value> {
    let shown = |v: &Value| {
        v.as_array().filter(|a| a.numel() == 1).map_or_else(
            || v.aval().long(),
            |a| crate::decimal::plain(a.number_at(0), !a.dtype().is_float()),
        )
    };
    if which.rank() > 0 {
        let what = if switch {
            "Branch index must be scalar"
        } else {
            "Pred must be a scalar"
        };
        return Err(Error::type_error(format!(
            "{what}, got {} of shape {}.",
            shown(which),
            tuple(which.shape())
        )));
    }
    if switch {
        if branches == 0 {
            return Err(Error::value_error("Empty branch sequence"));
        }
        if !which.dtype().is_int() {
            return Err(Error::type_error(format!(
                "Index type must be an integer, got {} as {}",
                shown(which),
                which.dtype()
            )));
        }
        let index = cx.convert(which, DType::I32, false)?;
        let bound = |n: usize| {
            Ok::<_, Box<Error>>(Value::Array(Array::scalar(n as f64, DType::I32, false)?))
        };
        return cx.clamp(&bound(0)?, &index, &bound(branches - 1)?);
    }
    let truth = match which.dtype() {
        DType::Bool => which.clone(),
        _ => cx.ne(which, &cx.lit(0.0, which)?)?,
    };
    cx.convert(&truth, DType::I32, false)
}

fn same_branches(switch: bool, parts: &[(Rc<Jaxpr>, Vec<Value>)]) -> Result<()> {
    let name = |i: usize| match (switch, i) {
        (true, i) => format!("branch {i}"),
        (false, 1) => "true_fun".into(),
        (false, _) => "false_fun".into(),
    };
    let first = if switch { 0 } else { 1 };
    let want = parts[first].0.out_avals();
    for (i, (jaxpr, _)) in parts.iter().enumerate() {
        let (a, b) = (name(first), name(i));
        let (mut table, mut lines) = (Vec::new(), Vec::new());
        for (k, (w, g)) in want.iter().zip(&jaxpr.out_avals()).enumerate() {
            let at = if want.len() == 1 {
                String::new()
            } else {
                format!(" at path [{k}]")
            };
            let differs = difference(w, g);
            let path = if want.len() == 1 {
                "(the whole)".into()
            } else {
                format!("[{k}]")
            };
            table.push((path, w.long(), g.long(), differs.is_none()));
            if let Some(why) = differs {
                lines.push(format!(
                    "the output of {a}{at} has type {} but the corresponding output of {b} has \
                     type {}, {why}",
                    w.long(),
                    g.long()
                ));
            }
        }
        if !lines.is_empty() {
            let called = if switch { "switch" } else { "cond" };
            let message = format!(
                "{called} branches must have equal output types but they differ.\n\n{}\n\nRevise \
                 {a} and/or {b} so that all output types match.",
                listed(&lines)
            );
            return Err(Error::type_error(message).with_kind(Kind::CustomRule { table }));
        }
    }
    Ok(())
}

/// Whether a weak value of one dtype may become one of the other.
fn promotes(from: DType, to: DType) -> bool {
    to.is_float() || (from == DType::Bool && to.is_int()) || (from.is_int() && to.is_int())
}

/// What differs between two types, in JAX's words.
fn difference(a: &Aval, b: &Aval) -> Option<&'static str> {
    match (a.shape == b.shape, a.dtype == b.dtype) {
        (true, true) => None,
        (true, false) => Some("so the dtypes do not match"),
        (false, true) => Some("so the shapes do not match"),
        (false, false) => Some("so the shapes and dtypes do not match"),
    }
}

fn same_carry(called: &str, want: &[Aval], got: &[Aval], names: &[String]) -> Result<()> {
    let mut table = Vec::new();
    let mut lines = Vec::new();
    for (i, (w, g)) in want.iter().zip(got).enumerate() {
        let name = names.get(i).cloned().unwrap_or_default();
        let differs = difference(w, g);
        table.push((name.clone(), w.long(), g.long(), differs.is_none()));
        if let Some(why) = differs {
            let whole = !name.contains(['[', '.']);
            let which = if whole { "carry" } else { "carry component" };
            lines.push(format!(
                "the input {which} {name} has type {} but the corresponding output carry component \
                 has type {}, {why}",
                w.long(),
                g.long()
            ));
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    let message = format!(
        "{called} body function carry input and carry output must have equal types, but they \
         differ:\n\n{}\n\nRevise the function so that all output types match the corresponding \
         input types.",
        listed(&lines)
    );
    Err(Error::type_error(message).with_kind(Kind::CustomRule { table }))
}

/// One difference as a sentence, several as a list.
fn listed(lines: &[String]) -> String {
    if let [one] = lines {
        let mut text = one.clone();
        text.replace_range(..1, "T");
        return text + ".";
    }
    let items: Vec<String> = lines.iter().map(|l| format!("  * {l}")).collect();
    items.join(";\n") + "."
}
