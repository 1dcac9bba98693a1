//! Einstein summation: parsing subscripts and contracting operands pairwise.

use super::args::{Args, integer};
use super::convert::promote_dtypes;
use super::products::dot;
use super::reductions::{Fold, reduce};
use super::registry::{Arg, Ret, api};
use super::support::select;
use crate::dtype::DType;
use crate::error::{Class, Error, Result};
use crate::prim::dot::DotDims;
use crate::prim::rule::Ctx;
use crate::shape::Shape;
use crate::value::Value;
use alloc::{borrow::ToOwned, boxed::Box, format, string::String, string::ToString, vec::Vec};

api! { FUNCTIONS;
    /// Einstein summation: products of operands summed over the labels that the result lacks.
    ///
    /// - `subscripts`: labels of the axes of each operand, "ij,jk->ik"; "..." stands for axes that
    ///   broadcast. Without "->" the result has the labels that occur once, in order of the alphabet.
    ///   Operands may instead be followed by lists of numbers as labels.
    ///
    /// Raises `ValueError` if sizes of one label differ, `TypeError` for malformed subscripts.
    "np.einsum"(subscripts: OPERANDS)(..) -> ARRAY => |cx, a| einsum(cx, a);
}

/// Labels beyond the alphabet stand for the axes of an ellipsis.
const ELLIPSIS_BASE: u32 = 0xE000;

fn einsum(cx: &Ctx, a: &Args) -> Result<Ret> {
    let items = a.list(0)?;
    let (text, operands) = match items {
        [Arg::Str(s), rest @ ..] => (s.clone(), rest.iter().collect()),
        [] => return Err(a.missing(0)),
        _ => interleaved(items)?,
    };
    for (i, op) in operands.iter().enumerate() {
        if !matches!(op, Arg::Value(_) | Arg::Number { .. } | Arg::Bool(_)) {
            return Err(super::args::not_array_like("einsum", op, i));
        }
    }
    let values = promote_dtypes(cx, &operands)?;
    let (inputs, output) = parse(&text, &values)?;
    let mut terms: Vec<Term> = values
        .into_iter()
        .zip(inputs)
        .map(|(value, labels)| Term { value, labels })
        .collect();
    check_sizes(&terms)?;
    drop_unit_axes(cx, &mut terms)?;
    for _ in 1..terms.len() {
        let (i, j) = cheapest_pair(&terms, &output);
        let y = terms.remove(j);
        let x = terms.remove(i);
        let kept = |l: &char| output.contains(l) || terms.iter().any(|t| t.labels.contains(l));
        let last = terms.is_empty();
        let term = contract(cx, x, y, &kept, last.then_some(output.as_slice()))?;
        terms.push(term);
    }
    let Some(term) = terms.pop() else {
        return Err(Error::value_error("einsum needs at least one operand"));
    };
    let term = summed(cx, term, &|l: &char| output.contains(l))?;
    let order: Vec<usize> = output
        .iter()
        .filter_map(|l| term.labels.iter().position(|m| m == l))
        .collect();
    Ok(cx.transpose(&term.value, &order)?.into())
}

/// `einsum(x, [0, 1], y, [1, 2], [0, 2])` as text.
fn interleaved(items: &[Arg]) -> Result<(String, Vec<&Arg>)> {
    let letters = |labels: &[Arg]| -> Result<String> {
        labels
            .iter()
            .map(|l| match l {
                Arg::Ellipsis => Ok("...".to_owned()),
                l => match integer(l)? {
                    n @ 0..=25 => Ok(char::from(b'a' + n as u8).to_string()),
                    n @ 26..=51 => Ok(char::from(b'A' + (n - 26) as u8).to_string()),
                    n => Err(Error::value_error(format!(
                        "einsum label {n} is out of range"
                    ))),
                },
            })
            .collect()
    };
    let (mut inputs, mut operands, mut output) = (Vec::new(), Vec::new(), None);
    for chunk in items.chunks(2) {
        match chunk {
            [op, Arg::List(labels)] => {
                operands.push(op);
                inputs.push(letters(labels)?);
            }
            [Arg::List(labels)] => output = Some(letters(labels)?),
            _ => {
                return Err(Error::type_error(
                    "einsum: operands must be followed by lists of labels",
                ));
            }
        }
    }
    let text = inputs.join(",");
    Ok((
        output.map_or(text.clone(), |o| format!("{text}->{o}")),
        operands,
    ))
}

fn bad(message: impl Into<String>) -> Box<Error> {
    Error::value_error(message)
}

/// Labels of every operand and of the result; the axes of an ellipsis get labels of their own,
/// counted from the right.
fn parse(text: &str, values: &[Value]) -> Result<(Vec<Vec<char>>, Vec<char>)> {
    let text: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    let (left, right) = match text.split_once("->") {
        Some((l, r)) => (l, Some(r)),
        None => (text.as_str(), None),
    };
    let terms: Vec<&str> = left.split(',').collect();
    if terms.len() != values.len() {
        return Err(bad(format!(
            "Number of einsum subscripts, {}, must be equal to the number of operands, {}.",
            terms.len(),
            values.len()
        )));
    }
    let mut inputs = Vec::new();
    let mut widest = 0;
    for (i, (term, v)) in terms.iter().zip(values).enumerate() {
        let (before, after, dots) = split_ellipsis(term)?;
        let named = before.len() + after.len();
        if named > v.rank() || (!dots && named != v.rank()) {
            return Err(bad(format!(
                "Einstein sum subscript '{term}' does not contain the correct number of indices for operand {i}."
            )));
        }
        let hidden = v.rank() - named;
        widest = widest.max(hidden);
        let mut labels = before;
        labels.extend(ellipsis_labels(hidden));
        labels.extend(after);
        inputs.push(labels);
    }
    let output = match right {
        Some(term) => {
            let (before, after, dots) = split_ellipsis(term)?;
            let mut labels = before;
            if dots {
                labels.extend(ellipsis_labels(widest));
            }
            labels.extend(after);
            for (i, l) in labels.iter().enumerate() {
                if labels[..i].contains(l) {
                    return Err(bad(format!(
                        "Output character '{l}' appeared more than once in the output."
                    )));
                }
                if !inputs.iter().any(|t| t.contains(l)) {
                    return Err(bad(format!(
                        "Output character '{l}' did not appear in the input"
                    )));
                }
            }
            labels
        }
        None => {
            let all: Vec<char> = inputs.iter().flatten().copied().collect();
            let mut once: Vec<char> = all
                .iter()
                .filter(|l| {
                    (**l as u32) < ELLIPSIS_BASE && all.iter().filter(|m| m == l).count() == 1
                })
                .copied()
                .collect();
            crate::shape::sort_few(&mut once, |&c| c as usize);
            let mut labels: Vec<char> = ellipsis_labels(widest).collect();
            labels.extend(once);
            labels
        }
    };
    Ok((inputs, output))
}

/// Labels before and after an ellipsis, and whether there is one.
fn split_ellipsis(term: &str) -> Result<(Vec<char>, Vec<char>, bool)> {
    let labels = |part: &str| -> Result<Vec<char>> {
        match part
            .chars()
            .find(|c| c.is_ascii() && !c.is_ascii_alphabetic())
        {
            Some('.') => Err(bad("Invalid Ellipses.")),
            Some(c) => Err(bad(format!("Character {c} is not a valid symbol."))),
            None => Ok(part.chars().collect()),
        }
    };
    match term.split_once("...") {
        Some((before, after)) => Ok((labels(before)?, labels(after)?, true)),
        None => Ok((labels(term)?, Vec::new(), false)),
    }
}

/// Labels for n hidden axes; the last axis always has the same one.
fn ellipsis_labels(n: usize) -> impl Iterator<Item = char> {
    (0..n as u32)
        .rev()
        .filter_map(|i| char::from_u32(ELLIPSIS_BASE + i))
}

/// An operand with the labels of its axes.
struct Term {
    value: Value,
    labels: Vec<char>,
}

impl Term {
    fn size(&self, label: char) -> usize {
        let at = self.labels.iter().position(|l| *l == label);
        at.map_or(1, |i| self.value.shape()[i])
    }
}

fn check_sizes(terms: &[Term]) -> Result<()> {
    let mut known: Vec<(char, usize)> = Vec::new();
    for (i, t) in terms.iter().enumerate() {
        for (l, n) in t.labels.iter().zip(t.value.shape()) {
            match known.iter_mut().find(|(m, _)| m == l) {
                None => known.push((*l, *n)),
                Some((_, m)) if *m == 1 => *m = *n,
                Some((_, m)) if *m == *n || *n == 1 => {}
                Some((_, m)) => {
                    let avals: Vec<_> = terms.iter().map(|t| t.value.aval().clone()).collect();
                    let shown = if (*l as u32) >= ELLIPSIS_BASE {
                        "...".to_owned()
                    } else {
                        l.to_string()
                    };
                    let message = format!(
                        "Size of label '{shown}' for operand {i} ({m}) does not match previous terms ({n})."
                    );
                    return Err(Error::mismatch(Class::ValueError, message, &avals));
                }
            }
        }
    }
    Ok(())
}

/// An axis of size 1 whose label is larger elsewhere broadcasts: it is dropped.
fn drop_unit_axes(cx: &Ctx, terms: &mut [Term]) -> Result<()> {
    for i in 0..terms.len() {
        let larger = |l: char| terms.iter().any(|t| t.labels.contains(&l) && t.size(l) > 1);
        let dropped: Vec<usize> = (0..terms[i].labels.len())
            .filter(|k| terms[i].value.shape()[*k] == 1 && larger(terms[i].labels[*k]))
            .collect();
        if dropped.is_empty() {
            continue;
        }
        terms[i].value = cx.squeeze(&terms[i].value, &dropped)?;
        let mut k = 0;
        terms[i].labels.retain(|_| {
            k += 1;
            !dropped.contains(&(k - 1))
        });
    }
    Ok(())
}

/// The pair whose product takes the fewest multiplications, then gives the smallest result.
fn cheapest_pair(terms: &[Term], output: &[char]) -> (usize, usize) {
    let mut best = (0, 1);
    let mut least = (f64::INFINITY, f64::INFINITY);
    for i in 0..terms.len() {
        for j in i + 1..terms.len() {
            let mut labels = terms[i].labels.clone();
            labels.extend(
                terms[j]
                    .labels
                    .iter()
                    .filter(|l| !terms[i].labels.contains(l)),
            );
            let size = |l: &char| terms[i].size(*l).max(terms[j].size(*l)) as f64;
            let others = |l: &&char| {
                output.contains(l)
                    || (0..terms.len()).any(|k| k != i && k != j && terms[k].labels.contains(l))
            };
            let work: f64 = labels.iter().map(size).product();
            let result: f64 = labels.iter().filter(others).map(size).product();
            if (work, result) < least {
                least = (work, result);
                best = (i, j);
            }
        }
    }
    best
}

/// Diagonals of repeated labels taken, labels summed that nobody needs.
fn summed(cx: &Ctx, term: Term, kept: &dyn Fn(&char) -> bool) -> Result<Term> {
    let Term { mut value, labels } = term;
    let mut gone: Vec<usize> = Vec::new();
    for (i, l) in labels.iter().enumerate() {
        if let Some(j) = labels[i + 1..]
            .iter()
            .position(|m| m == l)
            .map(|k| k + i + 1)
        {
            // Everything off the diagonal becomes 0; then one of the axes may be summed.
            let shape = Shape::from_slice(value.shape());
            let rows = cx.iota(DType::U32, &shape, i)?;
            let on = cx.eq(&rows, &cx.iota(DType::U32, &shape, j)?)?;
            let zeros = cx.full(0.0, value.aval())?;
            value = select(cx, &on, &value, &zeros)?;
            gone.push(i);
        } else if !kept(l) {
            gone.push(i);
        }
    }
    let left = (0..labels.len())
        .filter(|i| !gone.contains(i))
        .map(|i| labels[i])
        .collect();
    if !gone.is_empty() {
        value = reduce(cx, Fold::Sum, &value, &gone, false)?;
    }
    Ok(Term {
        value,
        labels: left,
    })
}

/// The product of two operands, summed over the labels that nobody else needs. `wanted` is the order
/// of the result's labels, when this is the last product.
fn contract(
    cx: &Ctx,
    x: Term,
    y: Term,
    kept: &dyn Fn(&char) -> bool,
    wanted: Option<&[char]>,
) -> Result<Term> {
    let (x_labels, y_labels) = (x.labels.clone(), y.labels.clone());
    let x = summed(cx, x, &|l| kept(l) || y_labels.contains(l))?;
    let y = summed(cx, y, &|l| kept(l) || x_labels.contains(l))?;
    let shared: Vec<char> = x
        .labels
        .iter()
        .filter(|l| y.labels.contains(l))
        .copied()
        .collect();
    let (batch, contracted): (Vec<char>, Vec<char>) = shared.into_iter().partition(|l| kept(l));
    let names = |x: &Term, y: &Term| -> Vec<char> {
        let free = |t: &Term| -> Vec<char> {
            t.labels
                .iter()
                .filter(|l| !batch.contains(l) && !contracted.contains(l))
                .copied()
                .collect()
        };
        batch
            .iter()
            .copied()
            .chain(free(x))
            .chain(free(y))
            .collect()
    };
    // The later operand first, as JAX does, unless the other order gives the result as wanted.
    let (x, y) = match wanted {
        Some(w) if names(&x, &y) == w => (x, y),
        Some(w) if names(&y, &x) != w => (x, y),
        _ => (y, x),
    };
    let places = |t: &Term, labels: &[char]| -> Shape {
        labels
            .iter()
            .filter_map(|l| t.labels.iter().position(|m| m == l))
            .collect()
    };
    let dims = DotDims {
        lhs_contract: places(&x, &contracted),
        rhs_contract: places(&y, &contracted),
        lhs_batch: places(&x, &batch),
        rhs_batch: places(&y, &batch),
    };
    let labels = names(&x, &y);
    Ok(Term {
        value: dot(cx, &x.value, &y.value, dims)?,
        labels,
    })
}
