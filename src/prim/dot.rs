//! Products of arrays, summed over chosen axes.

use super::movement::inverse;
use super::rule::{Ctx, Duals, Env, Lanes, Operand, Param, Primitive, Tangent};
use super::typing::{mismatch, operands};
use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::{DType, promote};
use crate::error::{Class, Error, Result, Rule};
use crate::runtime::matmul::{self, Axes};
use crate::shape::{Shape, tuple};
use crate::value::Value;
use alloc::{format, string::String, string::ToString, vec, vec::Vec};

/// Which axes of the two factors go together.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct DotDims {
    /// Axes of the left factor that are summed over, in the order of the right one's.
    pub lhs_contract: Shape,
    /// Axes of the right factor that are summed over.
    pub rhs_contract: Shape,
    /// Axes of the left factor that run along with the right one's and stay, in front.
    pub lhs_batch: Shape,
    /// Axes of the right factor that run along with the left one's.
    pub rhs_batch: Shape,
}

impl DotDims {
    /// Sums over one axis of each factor.
    pub fn contracting(lhs: usize, rhs: usize) -> DotDims {
        DotDims {
            lhs_contract: Shape::from_slice(&[lhs]),
            rhs_contract: Shape::from_slice(&[rhs]),
            ..DotDims::default()
        }
    }

    /// The factors exchanged.
    pub fn swapped(&self) -> DotDims {
        DotDims {
            lhs_contract: self.rhs_contract.clone(),
            rhs_contract: self.lhs_contract.clone(),
            lhs_batch: self.rhs_batch.clone(),
            rhs_batch: self.lhs_batch.clone(),
        }
    }
}

/// Axes that are in neither list.
fn free(rank: usize, batch: &[usize], contract: &[usize]) -> Shape {
    (0..rank)
        .filter(|a| !batch.contains(a) && !contract.contains(a))
        .collect()
}

/// Multiplies and sums: the result has the batch axes, then the left factor's own, then the right's.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DotGeneral {
    /// Which axes go together.
    pub dims: DotDims,
    /// The result's dtype, where it was asked for.
    pub preferred_element_type: Option<DType>,
}

impl DotGeneral {
    fn out(&self, x: &Aval, y: &Aval) -> Aval {
        let d = &self.dims;
        let mut shape: Shape = d.lhs_batch.iter().map(|&a| x.shape[a]).collect();
        shape.extend(
            free(x.rank(), &d.lhs_batch, &d.lhs_contract)
                .iter()
                .map(|&a| x.shape[a]),
        );
        shape.extend(
            free(y.rank(), &d.rhs_batch, &d.rhs_contract)
                .iter()
                .map(|&a| y.shape[a]),
        );
        let natural = match x.dtype == y.dtype {
            true => x.dtype,
            false => promote([(x.dtype, false), (y.dtype, false)], true).0,
        };
        Aval::new(&shape, self.preferred_element_type.unwrap_or(natural))
    }

    /// What does not fit, in JAX's words.
    fn fault(&self, x: &Aval, y: &Aval) -> Option<String> {
        let d = &self.dims;
        let sides = [
            ("lhs", x, &d.lhs_batch, &d.lhs_contract),
            ("rhs", y, &d.rhs_batch, &d.rhs_contract),
        ];
        for (side, a, batch, contract) in sides {
            if batch.iter().chain(contract).any(|&i| i >= a.rank()) {
                return Some(format!(
                    "{side} dimension numbers to be nonnegative and less than the number of axes of the \
                     {side} value, got {side}_batch of {} and {side}_contracting of {} for {side} of \
                     rank {}",
                    tuple(batch),
                    tuple(contract),
                    a.rank()
                ));
            }
        }
        if d.lhs_batch.len() != d.rhs_batch.len() {
            return Some(format!(
                "equal numbers of lhs_batch and rhs_batch dimensions, got lhs_batch {} and rhs_batch {}.",
                tuple(&d.lhs_batch),
                tuple(&d.rhs_batch)
            ));
        }
        let repeats = |v: &Shape| (1..v.len()).any(|i| v[..i].contains(&v[i]));
        for (side, _, batch, contract) in sides {
            for (what, dims) in [("batch", batch), ("contracting", contract)] {
                if repeats(dims) {
                    return Some(format!(
                        "{side} {what} dimensions to be distinct, got {side}_{what} {}.",
                        tuple(dims)
                    ));
                }
            }
            if batch.iter().any(|a| contract.contains(a)) {
                return Some(format!(
                    "{side} batch dimensions to be disjoint from contracting dimensions, got \
                     {side}_batch {} and {side}_contracting {}.",
                    tuple(batch),
                    tuple(contract)
                ));
            }
        }
        let sizes =
            |a: &Aval, dims: &Shape| -> Shape { dims.iter().map(|&i| a.shape[i]).collect() };
        let (a, b) = (sizes(x, &d.lhs_batch), sizes(y, &d.rhs_batch));
        if a != b {
            return Some(format!(
                "lhs batch dimensions and rhs batch dimensions to have the same shape, got {} and {}.",
                tuple(&a),
                tuple(&b)
            ));
        }
        let (a, b) = (sizes(x, &d.lhs_contract), sizes(y, &d.rhs_contract));
        (a != b).then(|| {
            format!(
                "contracting dimensions to have the same shape, got {} and {}.",
                tuple(&a),
                tuple(&b)
            )
        })
    }
}

/// The cotangent of the left factor `x` of `dims`, from that of the product and the right factor.
/// `swapped`: the product's own axes are the right factor's first.
fn pull_back(
    cx: &Ctx,
    op: &DotGeneral,
    dims: &DotDims,
    swapped: bool,
    ct: &Value,
    x: &Aval,
    y: &Value,
) -> Result<Value> {
    let x_kept = free(x.rank(), &dims.lhs_batch, &dims.lhs_contract);
    let y_kept = free(y.rank(), &dims.rhs_batch, &dims.rhs_contract);
    let batch: Shape = (0..dims.lhs_batch.len()).collect();
    let from = if swapped {
        batch.len()
    } else {
        batch.len() + x_kept.len()
    };
    let back = DotGeneral {
        dims: DotDims {
            lhs_contract: (from..from + y_kept.len()).collect(),
            rhs_contract: y_kept,
            lhs_batch: batch,
            rhs_batch: dims.rhs_batch.clone(),
        },
        ..op.clone()
    };
    let product = cx.bind1(&back, &[ct.clone(), y.clone()])?;
    // Its axes: batch, x's own, then the contracted ones in the order in which y has them.
    let mut by_y: Vec<usize> = (0..dims.rhs_contract.len()).collect();
    crate::shape::sort_few(&mut by_y, |&i| dims.rhs_contract[i]);
    let mut order = dims.lhs_batch.clone();
    order.extend(x_kept);
    order.extend(by_y.iter().map(|&i| dims.lhs_contract[i]));
    let placed = cx.transpose(&product, &inverse(&order))?;
    cx.convert(&placed, x.dtype, placed.aval().weak)
}

impl Primitive for DotGeneral {
    fn name(&self) -> &'static str {
        "dot_general"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let d = &self.dims;
        let list = |v: &Shape| format!("{:?}", v.as_slice());
        let dims = format!(
            "(({}, {}), ({}, {}))",
            list(&d.lhs_contract),
            list(&d.rhs_contract),
            list(&d.lhs_batch),
            list(&d.rhs_batch)
        );
        let mut out = vec![("dimension_numbers", Param::Text(dims))];
        if let Some(dtype) = self.preferred_element_type {
            out.push(("preferred_element_type", Param::Text(dtype.to_string())));
        }
        out
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [x, y] = operands("dot_general", avals)?;
        if let Some(what) = self.fault(x, y) {
            let message = format!("dot_general requires {what}");
            return Err(mismatch(Class::TypeError, message, avals));
        }
        if let Some(a) = avals.iter().find(|a| a.dtype == DType::Float0) {
            let message = format!("dot_general does not accept dtype {}.", a.dtype);
            return Err(mismatch(Class::TypeError, message, avals));
        }
        Ok(vec![self.out(x, y)])
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let (x, y, d) = (&args[0], &args[1], &self.dims);
        let of_x = Axes {
            batch: &d.lhs_batch,
            free: &free(x.shape().len(), &d.lhs_batch, &d.lhs_contract),
            contract: &d.lhs_contract,
        };
        let of_y = Axes {
            batch: &d.rhs_batch,
            free: &free(y.shape().len(), &d.rhs_batch, &d.rhs_contract),
            contract: &d.rhs_contract,
        };
        Ok(vec![matmul::dot(
            x,
            &of_x,
            y,
            &of_y,
            self.out(x.aval(), y.aval()),
        )?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let out = cx.bind1(self, primals)?;
        let mut total: Tangent = None;
        for (i, t) in tangents.iter().enumerate() {
            let Some(t) = t else { continue };
            let mut args = primals.to_vec();
            args[i] = t.clone();
            let part = cx.bind1(self, &args)?;
            total = Some(match total {
                Some(sum) => cx.add_any(&sum, &part)?,
                None => part,
            });
        }
        // A product of floats asked for as integers has no derivative.
        let total = total.filter(|_| out.dtype().is_float());
        Ok((vec![out], vec![total]))
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let Some(ct) = &cts[0] else {
            return Ok(vec![None, None]);
        };
        let (x, y) = (&args[0], &args[1]);
        match (x.known(), y.known()) {
            (None, Some(y)) => {
                let back = pull_back(cx, self, &self.dims, false, ct, x.aval(), y)?;
                Ok(vec![Some(back), None])
            }
            (Some(x), None) => {
                let dims = self.dims.swapped();
                let back = pull_back(cx, self, &dims, true, ct, y.aval(), x)?;
                Ok(vec![None, Some(back)])
            }
            _ => Err(Error::rule_missing("dot_general", Rule::Transpose)),
        }
    }

    fn batch(&self, cx: &Ctx, _: usize, args: &[Value], batched: &[bool]) -> Result<Lanes> {
        let shift =
            |v: &Shape, by: bool| -> Shape { v.iter().map(|a| a + usize::from(by)).collect() };
        let mut dims = DotDims {
            lhs_contract: shift(&self.dims.lhs_contract, batched[0]),
            rhs_contract: shift(&self.dims.rhs_contract, batched[1]),
            lhs_batch: shift(&self.dims.lhs_batch, batched[0]),
            rhs_batch: shift(&self.dims.rhs_batch, batched[1]),
        };
        let both = batched[0] && batched[1];
        if both {
            dims.lhs_batch.insert(0, 0);
            dims.rhs_batch.insert(0, 0);
        }
        let batch = dims.lhs_batch.len();
        let own = free(args[0].rank(), &dims.lhs_batch, &dims.lhs_contract).len();
        let op = DotGeneral {
            dims,
            ..self.clone()
        };
        let out = cx.bind1(&op, args)?;
        // The mapped axis is the first of its factor's own, unless both have it.
        let at = match (both, batched[0]) {
            (true, _) => 0,
            (false, true) => batch,
            (false, false) => batch + own,
        };
        Ok((vec![cx.moveaxis(&out, at, 0)?], vec![true]))
    }
}

impl Ctx {
    /// Multiplies and sums over axes; `preferred` asks for the result's dtype.
    pub fn dot_general(
        &self,
        x: &Value,
        y: &Value,
        dims: DotDims,
        preferred: Option<DType>,
    ) -> Result<Value> {
        let op = DotGeneral {
            dims,
            preferred_element_type: preferred,
        };
        self.bind1(&op, &[x.clone(), y.clone()])
    }
}
