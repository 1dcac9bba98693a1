//! Reductions over axes: sum, product, extremes, logic.

use super::movement::{linear_jvp, linear_transpose, mapped, refused, shifted};
use super::reduce_jvp::{extreme, product};
use super::rule::{Ctx, Duals, Env, Lanes, Operand, Param, Primitive, Tangent};
use super::typing::{Accepts, accept_only};
use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result, Rule};
use crate::kernel::ReduceFn as Fold;
use crate::runtime::reduce::reduce;
use crate::shape::{Shape, tuple};
use crate::value::Value;
use alloc::{format, vec, vec::Vec};

/// The type of a reduction's result: the reduced axes are gone.
pub fn reduced(x: &Aval, axes: &[usize]) -> Aval {
    let kept = kept_axes(x.rank(), axes);
    let shape: Shape = kept.iter().map(|&a| x.shape[a]).collect();
    x.with_shape(&shape)
}

/// Axes that are kept, in order: where a reduction's result lies in its operand.
pub fn kept_axes(rank: usize, axes: &[usize]) -> Vec<usize> {
    (0..rank).filter(|i| !axes.contains(i)).collect()
}

/// Folds axes away.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Reduce {
    /// What is computed.
    pub fold: Fold,
    /// The axes that disappear, ascending.
    pub axes: Shape,
}

impl Primitive for Reduce {
    fn name(&self) -> &'static str {
        match self.fold {
            Fold::Sum => "reduce_sum",
            Fold::Prod => "reduce_prod",
            Fold::Max => "reduce_max",
            Fold::Min => "reduce_min",
            Fold::And => "reduce_and",
            Fold::Or => "reduce_or",
            Fold::Xor => "reduce_xor",
        }
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let mut out = vec![("axes", Param::Text(tuple(&self.axes)))];
        if self.fold == Fold::Sum {
            out.push(("out_sharding", Param::Text("None".into())));
        }
        out
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let x = avals[0];
        match self.fold {
            Fold::Sum | Fold::Prod => accept_number(self.name(), x)?,
            Fold::Max | Fold::Min => accept_only(self.name(), Accepts::All, x)?,
            Fold::And | Fold::Or | Fold::Xor => {
                if !Accepts::IntsAndBool.contains(x.dtype) {
                    let message = format!(
                        "logical reduction requires operand dtype bool or int, got {}.",
                        x.dtype
                    );
                    return Err(refused(Class::TypeError, message, x));
                }
            }
        }
        check_axes(&self.axes, x)?;
        Ok(vec![reduced(x, &self.axes)])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let out = reduced(args[0].aval(), &self.axes);
        Ok(vec![reduce(self.fold, &args[0], &self.axes, out)?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        match (self.fold, &tangents[0]) {
            (Fold::Sum, _) => linear_jvp(cx, self, primals, tangents),
            (Fold::Max | Fold::Min, _) => extreme(cx, self, &self.axes, primals, tangents),
            (Fold::Prod, Some(t)) => product(cx, &self.axes, &primals[0], t),
            _ => Ok((cx.bind(self, primals)?, vec![None])),
        }
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        if self.fold != Fold::Sum {
            return Err(Error::rule_missing(self.name(), Rule::Transpose));
        }
        let shape = &args[0].aval().shape;
        let kept = kept_axes(shape.len(), &self.axes);
        linear_transpose(cts, |ct| cx.broadcast_in_dim(ct, shape, &kept))
    }

    fn batch(&self, cx: &Ctx, _: usize, args: &[Value], _: &[bool]) -> Result<Lanes> {
        mapped(cx.reduce(self.fold, &args[0], &shifted(&self.axes)))
    }
}

/// Refuses what is not a number, in JAX's words for reductions.
pub fn accept_number(name: &str, x: &Aval) -> Result<()> {
    if x.dtype == DType::Bool {
        let message =
            format!("{name} does not accept dtype bool. Accepted dtypes are subtypes of number.");
        return Err(refused(Class::TypeError, message, x));
    }
    accept_only(name, Accepts::Numbers, x)
}

/// Refuses axes that are out of range, repeated or out of order.
fn check_axes(axes: &[usize], x: &Aval) -> Result<()> {
    let message = if axes.iter().any(|&a| a >= x.rank()) {
        let (axes, x) = (tuple(axes), x.long());
        format!("reduction axes {axes} contains out-of-bounds indices for {x}.")
    } else if axes.windows(2).any(|w| w[0] >= w[1]) {
        format!("duplicate value in 'axes' of reduction: {}", tuple(axes))
    } else {
        return Ok(());
    };
    Err(refused(Class::ValueError, message, x))
}

impl Ctx {
    /// Folds the given axes (ascending) away; nothing to do for none.
    pub fn reduce(&self, fold: Fold, x: &Value, axes: &[usize]) -> Result<Value> {
        if axes.is_empty() {
            return Ok(x.clone());
        }
        let axes = Shape::from_slice(axes);
        self.bind1(&Reduce { fold, axes }, core::slice::from_ref(x))
    }

    /// Sums over the given axes, which disappear.
    pub fn reduce_sum(&self, x: &Value, axes: &[usize]) -> Result<Value> {
        self.reduce(Fold::Sum, x, axes)
    }

    /// The greatest element along the given axes, which disappear; NaN if there is one.
    pub fn reduce_max(&self, x: &Value, axes: &[usize]) -> Result<Value> {
        self.reduce(Fold::Max, x, axes)
    }

    /// The least element along the given axes, which disappear; NaN if there is one.
    pub fn reduce_min(&self, x: &Value, axes: &[usize]) -> Result<Value> {
        self.reduce(Fold::Min, x, axes)
    }

    /// The product along the given axes, which disappear.
    pub fn reduce_prod(&self, x: &Value, axes: &[usize]) -> Result<Value> {
        self.reduce(Fold::Prod, x, axes)
    }

    /// Whether all along the given axes are true; bitwise on integers.
    pub fn reduce_and(&self, x: &Value, axes: &[usize]) -> Result<Value> {
        self.reduce(Fold::And, x, axes)
    }

    /// Whether any along the given axes is true; bitwise on integers.
    pub fn reduce_or(&self, x: &Value, axes: &[usize]) -> Result<Value> {
        self.reduce(Fold::Or, x, axes)
    }
}
