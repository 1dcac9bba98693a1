//! Derivatives of scatter, in JAX's steps.

use super::gather::Gather;
use super::rule::{Ctx, Duals, Tangent};
use super::scatter::{Scatter, Update};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result, Rule};
use crate::runtime::index::Mode;
use crate::shape::{Shape, numel};
use crate::value::Value;
use alloc::vec;

fn zeros_like(cx: &Ctx, x: &Value) -> Result<Value> {
    cx.full(0.0, x.aval())
}

fn tangent_or_zeros(cx: &Ctx, i: usize, primals: &[Value], tangents: &[Tangent]) -> Result<Value> {
    match &tangents[i] {
        Some(t) => Ok(t.clone()),
        None => zeros_like(cx, &primals[i]),
    }
}

/// Linear in operand and updates together: `scatter-add`, `scatter-sub`.
pub fn adding(cx: &Ctx, op: &Scatter, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
    let out = cx.bind(op, primals)?;
    let operand = tangent_or_zeros(cx, 0, primals, tangents)?;
    let updates = tangent_or_zeros(cx, 2, primals, tangents)?;
    let tangent = cx.bind1(op, &[operand, primals[1].clone(), updates])?;
    Ok((out, vec![Some(tangent)]))
}

/// Overwriting where no place is written twice.
pub fn overwriting(
    cx: &Ctx,
    op: &Scatter,
    primals: &[Value],
    tangents: &[Tangent],
) -> Result<Duals> {
    let operand = tangent_or_zeros(cx, 0, primals, tangents)?;
    let updates = tangent_or_zeros(cx, 2, primals, tangents)?;
    let out = cx.bind(op, primals)?;
    let tangent = cx.bind1(op, &[operand, primals[1].clone(), updates])?;
    Ok((out, vec![Some(tangent)]))
}

/// Overwriting where a place may be written twice. Numbered updates tell which one has won; losers
/// and overwritten elements are masked, and adding then does what overwriting did.
pub fn overwriting_twice(
    cx: &Ctx,
    op: &Scatter,
    primals: &[Value],
    tangents: &[Tangent],
) -> Result<Duals> {
    let (operand, indices, updates) = (&primals[0], &primals[1], &primals[2]);
    let operand_t = tangent_or_zeros(cx, 0, primals, tangents)?;
    let updates_t = tangent_or_zeros(cx, 2, primals, tangents)?;
    let mut numbered = Shape::from_slice(updates.shape());
    for &d in &op.dims.update_window_dims {
        numbered[d] = 1;
    }
    let numbers = cx.iota(DType::U32, &[numel(&numbered)], 0)?;
    let numbers = cx.reshape(&numbers, &numbered)?;
    let ones = cx.full(1.0, &Aval::new(updates.shape(), DType::U32))?;
    let numbers = cx.add(&numbers, &ones)?;
    let unwritten = cx.full(0.0, &Aval::new(operand.shape(), DType::U32))?;
    let written = cx.bind1(op, &[unwritten, indices.clone(), numbers.clone()])?;
    let read = inverse(op, operand, updates);
    let winners = cx.bind1(&read, &[written.clone(), indices.clone()])?;
    let kept = |x: &Value| -> Result<Value> {
        let free = cx.eq(&written, &zeros_like(cx, &written)?)?;
        cx.select(&free, x, &zeros_like(cx, x)?)
    };
    let won = |x: &Value| -> Result<Value> {
        let mine = cx.eq(&numbers, &winners)?;
        cx.select(&mine, x, &zeros_like(cx, x)?)
    };
    let (operand, updates) = (kept(operand)?, won(updates)?);
    let (operand_t, updates_t) = (kept(&operand_t)?, won(&updates_t)?);
    let add = as_adding(op);
    let out = cx.bind1(&add, &[operand, indices.clone(), updates])?;
    let tangent = cx.bind1(&add, &[operand_t, indices.clone(), updates_t])?;
    Ok((vec![out], vec![Some(tangent)]))
}

/// `scatter-mul`: by the operand always, by the updates where no place is written twice.
pub fn multiplying(
    cx: &Ctx,
    op: &Scatter,
    primals: &[Value],
    tangents: &[Tangent],
) -> Result<Duals> {
    if tangents[2].is_some() && !op.unique_indices {
        let message = "scatter_mul gradients are only implemented if `unique_indices=True`";
        let class = Class::NotImplementedError;
        return Err(Error::no_rule("scatter-mul", Rule::Jvp, class, message));
    }
    let out = cx.bind(op, primals)?;
    let mut total: Tangent = None;
    if let Some(t) = &tangents[0] {
        total = Some(cx.bind1(op, &[t.clone(), primals[1].clone(), primals[2].clone()])?);
    }
    if let Some(t) = &tangents[2] {
        let zeros = zeros_like(cx, &primals[0])?;
        let placed = cx.bind1(&as_adding(op), &[zeros, primals[1].clone(), t.clone()])?;
        let part = cx.mul(&primals[0], &placed)?;
        total = Some(match total {
            Some(sum) => cx.add_any(&sum, &part)?,
            None => part,
        });
    }
    Ok((out, vec![total]))
}

/// `scatter-min` and `scatter-max`: whoever attains the result shares its derivative.
pub fn extreme(cx: &Ctx, op: &Scatter, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
    let (operand, indices, updates) = (&primals[0], &primals[1], &primals[2]);
    let out = cx.bind1(op, primals)?;
    let operand_t = tangent_or_zeros(cx, 0, primals, tangents)?;
    let updates_t = tangent_or_zeros(cx, 2, primals, tangents)?;
    let add = Scatter {
        unique_indices: false,
        indices_are_sorted: false,
        ..as_adding(op)
    };
    let read = |x: &Value| {
        cx.bind1(
            &inverse(op, operand, updates),
            &[x.clone(), indices.clone()],
        )
    };
    let placed = |zeros: Value, x: Value| cx.bind1(&add, &[zeros, indices.clone(), x]);
    let (before, after) = (read(operand)?, read(&out)?);
    let update_wins = cx.eq(updates, &after)?;
    let operand_wins = cx.eq(&before, &after)?;
    let one = cx.lit(1.0, updates)?;
    let ones = || cx.full(1.0, updates.aval());
    // How many updates attain the result at each place, and how many aim there at all.
    let nothing = zeros_like(cx, operand)?;
    let winners = cx.select(&update_wins, &ones()?, &zeros_like(cx, updates)?)?;
    let winners = read(&placed(nothing, winners)?)?;
    let aimed = read(&placed(zeros_like(cx, operand)?, ones()?)?)?;
    let shared_with_operand = cx.div(&one, &cx.add(&winners, &one)?)?;
    let shared = cx.div(&one, &winners)?;
    let share = cx.select(&operand_wins, &shared_with_operand, &shared)?;
    let update_slope = cx.select(&update_wins, &share, &zeros_like(cx, updates)?)?;
    let own = cx.div(&one, &cx.add(&winners, &one)?)?;
    let own = cx.select(&operand_wins, &own, &zeros_like(cx, updates)?)?;
    // The operand's tangent is already there once; each of the updates aiming at it corrects its part.
    let operand_slope = cx.div(&cx.add(&cx.lit(-1.0, updates)?, &own)?, &aimed)?;
    let correction = cx.mul(&read(&operand_t)?, &operand_slope)?;
    let change = cx.add(&correction, &cx.mul(&updates_t, &update_slope)?)?;
    let tangent = cx.bind1(&as_adding(op), &[operand_t, indices.clone(), change])?;
    Ok((vec![out], vec![Some(tangent)]))
}

/// The same scatter, adding.
fn as_adding(op: &Scatter) -> Scatter {
    Scatter {
        update: Update::Add,
        ..op.clone()
    }
}

/// Reads what `op` writes; what it drops is read somewhere and has no effect.
fn inverse(op: &Scatter, operand: &Value, updates: &Value) -> Gather {
    let mode = match op.mode {
        Mode::Clip => Mode::Clip,
        _ => Mode::PromiseInBounds,
    };
    Gather {
        mode,
        ..op.inverse(operand.aval(), updates.aval())
    }
}
