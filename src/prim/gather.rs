//! Gather: boxes of elements at computed places, with XLA's general dimension numbers.

use super::movement::{mapped, shifted, shifted_with_front};
use super::rule::{Ctx, Duals, Env, Lanes, Operand, Param, Primitive, Tangent};
use super::scatter::{Scatter, ScatterDims, Update};
use super::typing::{mismatch, operands};
use crate::array::Array;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result, Rule};
use crate::runtime::index::{self, Fill, GatherDims, Mode};
use crate::shape::{Shape, tuple};
use crate::value::Value;
use alloc::{format, string::String, string::ToString, vec, vec::Vec};

impl Mode {
    /// As JAX prints it.
    pub fn text(self) -> String {
        let name = match self {
            Mode::Clip => "CLIP",
            Mode::FillOrDrop => "FILL_OR_DROP",
            Mode::PromiseInBounds => "PROMISE_IN_BOUNDS",
        };
        format!("GatherScatterMode.{name}")
    }
}

/// As Python prints a boolean.
pub fn python_bool(b: bool) -> Param {
    Param::Text(if b { "True" } else { "False" }.into())
}

/// Collects boxes of `slice_sizes` elements from the first operand; the second holds, along its last
/// axis, where each begins.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Gather {
    /// Which axes mean what.
    pub dims: GatherDims,
    /// The size of a box along every operand axis.
    pub slice_sizes: Shape,
    /// What happens to boxes that reach over the edge.
    pub mode: Mode,
    /// What is put where a box lies outside; only for `FillOrDrop`.
    pub fill_value: Option<Fill>,
    /// A promise of the caller, not needed here.
    pub indices_are_sorted: bool,
    /// A promise of the caller: no place is read twice, so that the transpose writes none twice.
    pub unique_indices: bool,
}

impl Gather {
    /// A gather without promises.
    pub fn new(dims: GatherDims, slice_sizes: &[usize], mode: Mode) -> Gather {
        Gather {
            dims,
            slice_sizes: Shape::from_slice(slice_sizes),
            mode,
            fill_value: None,
            indices_are_sorted: false,
            unique_indices: false,
        }
    }

    fn out_shape(&self, indices: &Aval) -> Shape {
        let window = self.dims.window_axes(self.slice_sizes.len());
        let mut places = indices.shape[..indices.rank() - 1].iter();
        let mut sizes = window.iter().map(|&a| self.slice_sizes[a]);
        let rank = window.len() + indices.rank() - 1;
        (0..rank)
            .filter_map(|i| match self.dims.offset_dims.contains(&i) {
                true => sizes.next(),
                false => places.next().copied(),
            })
            .collect()
    }

    /// What does not fit, in JAX's words.
    fn fault(&self, x: &Aval, indices: &Aval) -> Option<String> {
        let d = &self.dims;
        let rank = x.rank();
        let out_rank = d.offset_dims.len() + indices.rank().saturating_sub(1);
        let last = indices.shape.last().copied().unwrap_or(0);
        let unsorted = |v: &Shape| v.windows(2).any(|w| w[0] >= w[1]);
        let outside = |v: &Shape, n: usize| v.iter().position(|&a| a >= n);
        if unsorted(&d.offset_dims) {
            let dims = tuple(&d.offset_dims);
            return Some(format!(
                "offset_dims in gather op must be sorted; got {dims}"
            ));
        }
        if let Some(i) = outside(&d.offset_dims, out_rank) {
            return Some(format!(
                "Offset dimension {i} in gather op is out of bounds; got {}, but should have been in \
                 [0, {out_rank})",
                d.offset_dims[i]
            ));
        }
        if d.start_index_map.len() != last {
            return Some(format!(
                "Gather op has {} elements in start_index_map and the bound of dimension \
                 index_vector_dim={} of indices is {last}. These two numbers must be equal.",
                d.start_index_map.len(),
                indices.rank().saturating_sub(1)
            ));
        }
        if let Some(i) = outside(&d.start_index_map, rank) {
            return Some(format!(
                "Invalid start_index_map; domain is [0, {rank}), got: {i}->{}.",
                d.start_index_map[i]
            ));
        }
        for (name, dims) in [
            ("collapsed_slice_dims", &d.collapsed_slice_dims),
            ("operand_batching_dims", &d.operand_batching_dims),
        ] {
            if unsorted(dims) {
                return Some(format!(
                    "{name} in gather op must be sorted; got {}",
                    tuple(dims)
                ));
            }
            if let Some(i) = outside(dims, rank) {
                return Some(format!(
                    "Invalid {name} set in gather op; valid range is [0, {rank}); got: {}.",
                    dims[i]
                ));
            }
        }
        if d.collapsed_slice_dims
            .iter()
            .any(|a| d.operand_batching_dims.contains(a))
        {
            return Some(format!(
                "collapsed_slice_dims and operand_batching_dims in gather op must be disjoint; got: {} \
                 and {}.",
                tuple(&d.collapsed_slice_dims),
                tuple(&d.operand_batching_dims)
            ));
        }
        if let Some(message) = d.batching_fault("Gather", x, indices) {
            return Some(message);
        }
        if self.slice_sizes.len() != rank {
            return Some(format!(
                "Gather op must have one slice size for every input dimension; got: \
                 len(slice_sizes)={}, input_shape.rank={rank}",
                self.slice_sizes.len()
            ));
        }
        let apart = d.collapsed_slice_dims.len() + d.operand_batching_dims.len();
        if d.offset_dims.len() + apart != rank {
            return Some(format!(
                "All components of the offset index in a gather op must either be a offset dimension \
                 or explicitly collapsed/batching; got len(slice_sizes)={rank}, \
                 output_slice_sizes={}, collapsed_slice_dims={}, operand_batching_dims={}.",
                tuple(&d.offset_dims),
                tuple(&d.collapsed_slice_dims),
                tuple(&d.operand_batching_dims)
            ));
        }
        if let Some(i) = (0..rank).find(|&i| self.slice_sizes[i] > x.shape[i]) {
            return Some(format!(
                "Slice size at index {i} in gather op is out of range, must be within [0, {} + 1), \
                 got {}.",
                x.shape[i], self.slice_sizes[i]
            ));
        }
        for (what, dims) in [
            ("collapse slice", &d.collapsed_slice_dims),
            ("have operand batching", &d.operand_batching_dims),
        ] {
            let wide = dims.iter().position(|&a| self.slice_sizes[a] > 1);
            if let Some(i) = wide {
                return Some(format!(
                    "Gather op can only {what} dims with bound 1, but bound is {} for index {} at \
                     position {i}.",
                    self.slice_sizes[dims[i]], dims[i]
                ));
            }
        }
        None
    }
}

impl Primitive for Gather {
    fn name(&self) -> &'static str {
        "gather"
    }

    fn params(&self) -> Vec<(&'static str, Param)> {
        let d = &self.dims;
        let dims = format!(
            "GatherDimensionNumbers(offset_dims={}, collapsed_slice_dims={}, start_index_map={}, \
             operand_batching_dims={}, start_indices_batching_dims={})",
            tuple(&d.offset_dims),
            tuple(&d.collapsed_slice_dims),
            tuple(&d.start_index_map),
            tuple(&d.operand_batching_dims),
            tuple(&d.indices_batching_dims)
        );
        let fill = self.fill_value.map_or("None".into(), |f| f.text());
        vec![
            ("dimension_numbers", Param::Text(dims)),
            ("fill_value", Param::Text(fill)),
            ("indices_are_sorted", python_bool(self.indices_are_sorted)),
            ("mode", Param::Text(self.mode.text())),
            ("slice_sizes", Param::Text(tuple(&self.slice_sizes))),
            ("unique_indices", python_bool(self.unique_indices)),
        ]
    }

    fn abstract_eval(&self, avals: &[&Aval]) -> Result<Vec<Aval>> {
        let [x, indices] = operands("gather", avals)?;
        check_indices("Gather", indices, avals)?;
        match self.fault(x, indices) {
            Some(message) => Err(mismatch(Class::TypeError, message, avals)),
            None => Ok(vec![x.with_shape(&self.out_shape(indices))]),
        }
    }

    fn eval(&self, _: &Env, args: &[Array]) -> Result<Vec<Array>> {
        let (x, indices) = (&args[0], &args[1]);
        let out = x.aval().with_shape(&self.out_shape(indices.aval()));
        let fill = match (self.mode, self.fill_value) {
            (Mode::FillOrDrop, None) => Some(Fill::missing(x.dtype())),
            (Mode::FillOrDrop, fill) => fill,
            _ => None,
        };
        Ok(vec![index::gather(
            &self.dims,
            &self.slice_sizes,
            fill,
            x,
            indices,
            out,
        )?])
    }

    fn jvp(&self, cx: &Ctx, primals: &[Value], tangents: &[Tangent]) -> Result<Duals> {
        let out = cx.bind(self, primals)?;
        let Some(t) = &tangents[0] else {
            return Ok((out, vec![None]));
        };
        let op = Gather {
            fill_value: Some(Fill::Int(0)),
            ..self.clone()
        };
        let op = if self.mode == Mode::FillOrDrop {
            &op
        } else {
            self
        };
        let tangent = cx.bind1(op, &[t.clone(), primals[1].clone()])?;
        Ok((out, vec![Some(tangent)]))
    }

    fn transpose(&self, cx: &Ctx, cts: &[Tangent], args: &[Operand]) -> Result<Vec<Tangent>> {
        let (Some(ct), Some(indices)) = (&cts[0], args[1].known()) else {
            return Err(Error::rule_missing("gather", Rule::Transpose));
        };
        let op = Scatter {
            update: Update::Add,
            dims: ScatterDims {
                update_window_dims: self.dims.offset_dims.clone(),
                inserted_window_dims: self.dims.collapsed_slice_dims.clone(),
                scatter_dims_to_operand_dims: self.dims.start_index_map.clone(),
                operand_batching_dims: self.dims.operand_batching_dims.clone(),
                indices_batching_dims: self.dims.indices_batching_dims.clone(),
            },
            mode: self.mode,
            dtype: ct.dtype(),
            indices_are_sorted: self.indices_are_sorted,
            unique_indices: self.unique_indices,
        };
        let zeros = cx.full(0.0, args[0].aval())?;
        let back = cx.bind1(&op, &[zeros, indices.clone(), ct.clone()])?;
        Ok(vec![Some(back), None])
    }

    fn batch(&self, cx: &Ctx, size: usize, args: &[Value], batched: &[bool]) -> Result<Lanes> {
        let d = &self.dims;
        let in_operand = GatherDims {
            collapsed_slice_dims: shifted(&d.collapsed_slice_dims),
            start_index_map: shifted(&d.start_index_map),
            ..d.clone()
        };
        let with_front = |n: usize| -> Shape {
            core::iter::once(n)
                .chain(self.slice_sizes.iter().copied())
                .collect()
        };
        let op = match (batched[0], batched[1]) {
            (true, false) => Gather {
                dims: GatherDims {
                    offset_dims: shifted_with_front(&d.offset_dims),
                    operand_batching_dims: shifted(&d.operand_batching_dims),
                    ..in_operand
                },
                slice_sizes: with_front(size),
                ..self.clone()
            },
            (false, _) => Gather {
                dims: GatherDims {
                    offset_dims: shifted(&d.offset_dims),
                    indices_batching_dims: shifted(&d.indices_batching_dims),
                    ..d.clone()
                },
                // Lanes may read the same places.
                indices_are_sorted: false,
                unique_indices: false,
                ..self.clone()
            },
            (true, true) => Gather {
                dims: GatherDims {
                    offset_dims: shifted(&d.offset_dims),
                    operand_batching_dims: shifted_with_front(&d.operand_batching_dims),
                    indices_batching_dims: shifted_with_front(&d.indices_batching_dims),
                    ..in_operand
                },
                slice_sizes: with_front(1),
                ..self.clone()
            },
        };
        mapped(cx.bind1(&op, args))
    }
}

/// Indices are integers and have at least the axis along which they hold coordinates.
pub fn check_indices(what: &str, indices: &Aval, avals: &[&Aval]) -> Result<()> {
    if !indices.dtype.is_int() {
        let message = "indices must have an integer type".into();
        return Err(mismatch(Class::ValueError, message, avals));
    }
    if indices.rank() == 0 {
        let message = format!("{what} indices must have at least one axis, got shape ()");
        return Err(mismatch(Class::TypeError, message, avals));
    }
    Ok(())
}

impl Fill {
    /// What JAX fills with where no value is given: NaN, the least of int32, the greatest of uint32.
    pub fn missing(dtype: DType) -> Fill {
        match dtype {
            DType::F32 | DType::F64 | DType::Float0 | DType::Key => Fill::float(f64::NAN),
            DType::I32 => Fill::Int(i32::MIN.into()),
            DType::U32 => Fill::Int(u32::MAX.into()),
            DType::Bool => Fill::Bool(true),
        }
    }

    /// A float.
    pub fn float(value: f64) -> Fill {
        Fill::Float(value.to_bits())
    }

    fn text(self) -> String {
        match self {
            Fill::Int(i) => i.to_string(),
            Fill::Float(bits) => crate::ir::print::python_float(f64::from_bits(bits)),
            Fill::Bool(b) => if b { "True" } else { "False" }.into(),
        }
    }
}

impl Ctx {
    /// Elements of `x` at `indices` along one axis, everything along the others: the inverse of a
    /// sort's permutation. `indices` has x's rank; its other axes are aligned with x's.
    pub fn gather_along(&self, x: &Value, indices: &Value, axis: usize) -> Result<Value> {
        let others: Shape = (0..x.rank()).filter(|&a| a != axis).collect();
        let dims = GatherDims {
            offset_dims: Shape::new(),
            collapsed_slice_dims: Shape::from_slice(&[axis]),
            start_index_map: Shape::from_slice(&[axis]),
            operand_batching_dims: others.clone(),
            indices_batching_dims: others,
        };
        let ones = Shape::from_elem(1, x.rank());
        let op = Gather::new(dims, &ones, Mode::PromiseInBounds);
        self.bind1(&op, &[x.clone(), indices.clone()])
    }
}
