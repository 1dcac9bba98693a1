//! Scatter: boxes of updates written or combined at computed places, with XLA's general dimension
//! numbers.

use super::arithmetic::{ADD, MAX, MIN, MUL, SUB};
use super::elementwise::{Binary, BinaryDef};
use super::gather::{Gather, check_indices, python_bool};
use super::movement::{mapped, shifted, shifted_with_front};
use super::rule::{Ctx, Duals, Env, Lanes, Op, Operand, Param, Primitive, Tangent};
use super::scatter_jvp as rules;
use super::typing::{mismatch, operands};
use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result, Rule};
use crate::ir::build::Builder;
use crate::ir::{Atom, ClosedJaxpr};
use crate::runtime::index::{self, Fill, GatherDims, Mode};
use crate::shape::{Shape, tuple};
use crate::span::Site;
use crate::value::Value;
use alloc::rc::Rc;
use alloc::{format, string::String, vec, vec::Vec};

pub use crate::runtime::index::{ScatterDims, Update};

/// Combines boxes of updates with the first operand. Operands: the array, where the boxes begin
/// (coordinates along the last axis), the updates.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Scatter {
    /// How an update joins what is there.
    pub update: Update,
    /// Which axes mean what.
    pub dims: ScatterDims,
    /// What happens to boxes that reach over the edge.
    pub mode: Mode,
    /// The operand's dtype, which the printed operation shows.
    pub dtype: DType,
    /// A promise of the caller, not needed here.
    pub indices_are_sorted: bool,
    /// A promise of the caller: no place is written twice. Some derivatives need it.
    pub unique_indices: bool,
}

impl Scatter {
    /// A scatter without promises.
    pub fn new(update: Update, dims: ScatterDims, mode: Mode, dtype: DType) -> Scatter {
        Scatter {
            update,
            dims,
            mode,
            dtype,
            indices_are_sorted: false,
            unique_indices: false,
        }
    }

    /// The operation on elements; overwriting has none.
    fn combine(&self) -> Option<&'static BinaryDef> {
        Some(match self.update {
            Update::Set => return None,
            Update::Add => &ADD,
            Update::Sub => &SUB,
            Update::Mul => &MUL,
            Update::Min => &MIN,
            Update::Max => &MAX,
        })
    }

    /// The gather that reads what this writes.
    pub fn inverse(&self, operand: &Aval, updates: &Aval) -> Gather {
        let d = &self.dims;
        let dims = GatherDims {
            offset_dims: d.update_window_dims.clone(),
            collapsed_slice_dims: d.inserted_window_dims.clone(),
            start_index_map: d.scatter_dims_to_operand_dims.clone(),
            operand_batching_dims: d.operand_batching_dims.clone(),
            indices_batching_dims: d.indices_batching_dims.clone(),
        };
        let mut sizes = Shape::from_elem(1, operand.rank());
        let window = dims.window_axes(operand.rank());
        for (&a, &u) in window.iter().zip(&d.update_window_dims) {
            sizes[a] = updates.shape[u];
        }
        Gather::new(dims, &sizes, self.mode)
    }

    /// What does not fit, in JAX's words.
    fn fault(&self, x: &Aval, indices: &Aval, updates: &Aval) -> Option<String> {
        let d = &self.dims;
        let rank = x.rank();
        let want = d.update_window_dims.len() + indices.rank() - 1;
        let last = indices.shape.last().copied().unwrap_or(0);
        let unsorted = |v: &Shape| v.windows(2).any(|w| w[0] >= w[1]);
        let outside = |v: &Shape, n: usize| v.iter().position(|&a| a >= n);
        if updates.rank() != want {
            let got = updates.rank();
            return Some(format!("Updates tensor must be of rank {want}; got {got}."));
        }
        for (name, dims, limit) in [
            ("update_window_dims", &d.update_window_dims, want),
            ("inserted_window_dims", &d.inserted_window_dims, rank),
            ("operand_batching_dims", &d.operand_batching_dims, rank),
        ] {
            if unsorted(dims) {
                return Some(format!(
                    "{name} in scatter op must be sorted; got {}",
                    tuple(dims)
                ));
            }
            if let Some(i) = outside(dims, limit) {
                return Some(format!(
                    "Invalid {name} set in scatter op; valid range is [0, {limit}); got: {}.",
                    dims[i]
                ));
            }
        }
        if let Some(message) = d.as_gather().batching_fault("Scatter", x, indices) {
            return Some(message);
        }
        let apart = d.inserted_window_dims.len() + d.operand_batching_dims.len();
        if d.update_window_dims.len() + apart != rank {
            return Some(format!(
                "Scatter op has window of size {}; doesn't match operand of rank {rank}.",
                d.update_window_dims.len() + apart
            ));
        }
        if d.scatter_dims_to_operand_dims.len() != last {
            return Some(format!(
                "Scatter op has {} elements in scatter_dims_to_operand_dims and the bound of \
                 dimension index_vector_dim={} of indices is {last}. These two numbers must be equal",
                d.scatter_dims_to_operand_dims.len(),
                indices.rank() - 1
            ));
        }
        if let Some(i) = outside(&d.scatter_dims_to_operand_dims, rank) {
            return Some(format!(
                "Invalid scatter_dims_to_operand_dims mapping; domain is [0, {rank}), got: {i}->{}.",
                d.scatter_dims_to_operand_dims[i]
            ));
        }
        let window = d.as_gather().window_axes(rank);
        for (&u, &a) in d.update_window_dims.iter().zip(&window) {
            if updates.shape[u] > x.shape[a] {
                return Some(format!(
                    "Bounds of the window dimensions of updates must not exceed the bounds of the \
                     corresponding dimensions of operand. For dimension {u}, updates bound is {}, \
                     operand bound is {}.",
                    updates.shape[u], x.shape[a]
                ));
            }
        }
        let places = (0..want).filter(|i| !d.update_window_dims.contains(i));
        for (u, &n) in places.zip(&indices.shape) {
            if updates.shape[u] != n {
                return Some(format!(
                    "Bounds of the scatter dimensions of updates must be the same as the bounds of the \
                     corresponding dimensions of scatter indices. For scatter dimension {u}, updates \
                     bound is {}, indices bound is {n}.",
                    updates.shape[u]
                ));
            }
        }
        None
    }

    /// The jaxpr of the operation on elements, as JAX keeps it.
    fn update_jaxpr(def: &'static BinaryDef, dtype: DType) -> ClosedJaxpr {
        let scalar = Aval::new(&[], dtype);
        let mut b = Builder::default();
        let inputs = vec![
            Atom::Var(b.invar(scalar.clone())),
            Atom::Var(b.invar(scalar.clone())),
        ];
        let op: Op = Rc::new(Binary(def));
        let outs = b.eqn(op, inputs, vec![scalar], Site::UNKNOWN);
        b.finish(outs.into_iter().map(Atom::Var).collect())
    }
}

impl Primitive for Scatter {
    fn name(&self) -> &'static str {
        match self.update {
            Update::Set => "scatter",
            Update::Add => "scatter-add",
            Update::Sub => "scatter-sub",
            Update::Mul => "scatter-mul",
            Update::Min => "scatter-min",
            Update::Max => "scatter-max",
        }
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let d = &self.dims;
        let dims = format!(
            "ScatterDimensionNumbers(update_window_dims={}, inserted_window_dims={}, \
             scatter_dims_to_operand_dims={}, operand_batching_dims={}, \
             scatter_indices_batching_dims={})",
            tuple(&d.update_window_dims),
            tuple(&d.inserted_window_dims),
            tuple(&d.scatter_dims_to_operand_dims),
            tuple(&d.operand_batching_dims),
            tuple(&d.indices_batching_dims)
        );
        let jaxpr = match self.combine() {
            Some(def) => Param::Jaxpr(Scatter::update_jaxpr(def, self.dtype)),
            None => Param::Text("None".into()),
        };
        vec![
            ("dimension_numbers", Param::Text(dims)),
            ("indices_are_sorted", python_bool(self.indices_are_sorted)),
            ("mode", Param::Text(self.mode.text())),
            ("unique_indices", python_bool(self.unique_indices)),
            ("update_consts", Param::Text("()".into())),
            ("update_jaxpr", jaxpr),
        ]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [x, indices, updates] = operands(self.name(), avals)?;
        check_indices("Scatter", indices, avals)?;
        if x.dtype != updates.dtype {
            let message = format!(
                "lax.scatter requires arguments to have the same dtypes, got {}, {}.",
                x.dtype, updates.dtype
            );
            return Err(mismatch(Class::TypeError, message, avals));
        }
        match self.fault(x, indices, updates) {
            Some(message) => Err(mismatch(Class::TypeError, message, avals)),
            None => Ok(vec![x.clone()]),
        }
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let clip = self.mode == Mode::Clip;
        let out = index::scatter(self.update, &self.dims, clip, &args[0], &args[1], &args[2])?;
        Ok(vec![out])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        if tangents[0].is_none() && tangents[2].is_none() {
            return Ok((cx.bind(self, primals)?, vec![None]));
        }
        match self.update {
            Update::Set if self.unique_indices => rules::overwriting(cx, self, primals, tangents),
            Update::Set => rules::overwriting_twice(cx, self, primals, tangents),
            Update::Add | Update::Sub => rules::adding(cx, self, primals, tangents),
            Update::Mul => rules::multiplying(cx, self, primals, tangents),
            Update::Min | Update::Max => rules::extreme(cx, self, primals, tangents),
        }
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let (Some(ct), Some(indices)) = (&cts[0], args[1].known()) else {
            return Err(Error::rule_missing(self.name(), Rule::Transpose));
        };
        let read = |x: &Value| -> Result<Value> {
            let mut op = self.inverse(args[0].aval(), args[2].aval());
            op.fill_value = Some(Fill::Int(0));
            if self.mode != Mode::FillOrDrop {
                op.fill_value = None;
            }
            cx.bind1(&op, &[x.clone(), indices.clone()])
        };
        let (of_operand, of_updates) = (args[0].is_linear(), args[2].is_linear());
        let mut out: Vec<Tangent> = vec![None; 3];
        match (self.update, args[2].known()) {
            (Update::Add | Update::Sub, _) => {
                out[0] = of_operand.then(|| ct.clone());
                if of_updates {
                    let read = read(ct)?;
                    out[2] = Some(match self.update {
                        Update::Sub => cx.neg(&read)?,
                        _ => read,
                    });
                }
            }
            (Update::Set, _) if self.unique_indices => {
                if of_operand {
                    let zeros = cx.full(0.0, args[2].aval())?;
                    let args = [ct.clone(), indices.clone(), zeros];
                    out[0] = Some(cx.bind1(self, &args)?);
                }
                if of_updates {
                    out[2] = Some(read(ct)?);
                }
            }
            (Update::Mul, Some(updates)) if self.unique_indices || !of_updates => {
                let args = [ct.clone(), indices.clone(), updates.clone()];
                out[0] = Some(cx.bind1(self, &args)?);
            }
            (Update::Set, _) => {
                let message = "scatter transpose is only implemented where unique_indices=True";
                return Err(Error::no_rule(
                    "scatter",
                    Rule::Transpose,
                    Class::NotImplementedError,
                    message,
                ));
            }
            _ => return Err(Error::rule_missing(self.name(), Rule::Transpose)),
        }
        Ok(out)
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], batched: &[bool]) -> Result<Lanes> {
        let front = |i: usize| match batched[i] {
            true => Ok(args[i].clone()),
            false => cx.with_leading_axis(&args[i], size),
        };
        let (operand, updates) = (front(0)?, front(2)?);
        let d = &self.dims;
        let in_operand = ScatterDims {
            inserted_window_dims: shifted(&d.inserted_window_dims),
            scatter_dims_to_operand_dims: shifted(&d.scatter_dims_to_operand_dims),
            ..d.clone()
        };
        let dims = if batched[1] {
            ScatterDims {
                update_window_dims: shifted(&d.update_window_dims),
                operand_batching_dims: shifted_with_front(&d.operand_batching_dims),
                indices_batching_dims: shifted_with_front(&d.indices_batching_dims),
                ..in_operand
            }
        } else {
            ScatterDims {
                update_window_dims: shifted_with_front(&d.update_window_dims),
                operand_batching_dims: shifted(&d.operand_batching_dims),
                ..in_operand
            }
        };
        let op = Scatter {
            dims,
            ..self.clone()
        };
        mapped(cx.bind1(&op, &[operand, args[1].clone(), updates]))
    }
}
