//! Gather and scatter: walking boxes of elements at computed places.

use super::elementwise::supported;
use super::movement::{View, Walk, gather_view, signed, words, words_mut};
use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Error, Result};
use crate::kernel::Unsupported;
use crate::shape::{Shape, numel, strides, tuple};
use alloc::{format, string::String};
use smallvec::SmallVec;

/// What happens to boxes that reach over the edge of the operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// They are moved inside.
    Clip,
    /// Read, they are filled with a constant; written, they are dropped.
    FillOrDrop,
    /// The caller promises that there are none. Read, they are moved inside; written, dropped.
    PromiseInBounds,
}

/// What is put where a gather reads outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fill {
    /// A whole number.
    Int(i64),
    /// A float64's bits.
    Float(u64),
    /// A boolean.
    Bool(bool),
}

/// Which axes mean what in a gather; XLA's names.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct GatherDims {
    /// Result axes that run inside a box.
    pub offset_dims: Shape,
    /// Operand axes of box size 1 that do not appear in the result.
    pub collapsed_slice_dims: Shape,
    /// For every coordinate the operand axis it counts along.
    pub start_index_map: Shape,
    /// Operand axes that go together with axes of the indices.
    pub operand_batching_dims: Shape,
    /// The axes of the indices that those go with.
    pub indices_batching_dims: Shape,
}

/// Which axes mean what in a scatter; XLA's names.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ScatterDims {
    /// Axes of the updates that run inside a box.
    pub update_window_dims: Shape,
    /// Operand axes of box size 1 that do not appear in the updates.
    pub inserted_window_dims: Shape,
    /// For every coordinate the operand axis it counts along.
    pub scatter_dims_to_operand_dims: Shape,
    /// Operand axes that go together with axes of the indices.
    pub operand_batching_dims: Shape,
    /// The axes of the indices that those go with.
    pub indices_batching_dims: Shape,
}

/// How an update joins what a scatter finds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Update {
    Set,
    Add,
    Sub,
    Mul,
    Min,
    Max,
}

impl GatherDims {
    /// Operand axes that run inside a box and appear in the result.
    pub fn window_axes(&self, rank: usize) -> Shape {
        (0..rank)
            .filter(|a| {
                !self.collapsed_slice_dims.contains(a) && !self.operand_batching_dims.contains(a)
            })
            .collect()
    }

    /// What does not fit between the batching axes, in JAX's words.
    pub fn batching_fault(&self, what: &str, x: &Aval, indices: &Aval) -> Option<String> {
        let (of_operand, of_indices) = (&self.operand_batching_dims, &self.indices_batching_dims);
        let name = match what {
            "Gather" => "start_indices_batching_dims",
            _ => "scatter_indices_batching_dims",
        };
        if of_operand.len() != of_indices.len() {
            return Some(format!(
                "{what} op requires equal numbers of operand_batching_dims and {name}, got {} and{}.",
                tuple(of_operand),
                tuple(of_indices)
            ));
        }
        let limit = indices.rank() - 1;
        if let Some(a) = of_indices.iter().find(|&&a| a >= limit) {
            return Some(format!(
                "Invalid {name} set in {} op; valid range is [0, {limit}); got: {a}.",
                what.to_ascii_lowercase()
            ));
        }
        let a: Shape = of_operand.iter().map(|&a| x.shape[a]).collect();
        let b: Shape = of_indices.iter().map(|&a| indices.shape[a]).collect();
        (a != b).then(|| {
            format!(
                "{what} op requires operand batching dimensions and indices batching dimensions to have \
                 the same shape, got {} and {}.",
                tuple(&a),
                tuple(&b)
            )
        })
    }
}

impl ScatterDims {
    /// The gather that reads the same boxes.
    pub fn as_gather(&self) -> GatherDims {
        GatherDims {
            offset_dims: self.update_window_dims.clone(),
            collapsed_slice_dims: self.inserted_window_dims.clone(),
            start_index_map: self.scatter_dims_to_operand_dims.clone(),
            operand_batching_dims: self.operand_batching_dims.clone(),
            indices_batching_dims: self.indices_batching_dims.clone(),
        }
    }
}

/// Goes through the boxes of a gather or scatter, in the order of the indices.
struct Boxes<'a> {
    dims: &'a GatherDims,
    /// Axis sizes of the operand and of a box.
    operand: &'a [usize],
    sizes: &'a [usize],
    /// Steps of the operand.
    steps: Shape,
    /// Axis sizes of the indices without the last, which holds coordinates.
    places: &'a [usize],
    /// Boxes over the edge are moved inside rather than left out.
    clip: bool,
}

impl<'a> Boxes<'a> {
    fn new(
        dims: &'a GatherDims,
        x: &'a Array,
        sizes: &'a [usize],
        indices: &'a Array,
        clip: bool,
    ) -> Boxes<'a> {
        let places = match indices.shape().split_last() {
            Some((_, places)) => places,
            None => &[],
        };
        Boxes {
            dims,
            operand: x.shape(),
            sizes,
            steps: strides(x.shape()),
            places,
            clip,
        }
    }

    /// Calls `body` for each box with its place among the indices, weighed by `weights`, and the
    /// offset of its first element in the operand; `None` for a box that reaches over the edge.
    #[inline(always)]
    fn each(&self, indices: &Array, weights: &[usize], mut body: impl FnMut(usize, Option<usize>)) {
        let raw = words::<u32>(indices.bytes());
        let signed = indices.dtype() == DType::I32;
        let read = |i: usize| match signed {
            true => i64::from(raw[i] as i32),
            false => i64::from(raw[i]),
        };
        // For every coordinate how far it may go, and what a step of it is in the operand.
        let axes = self.dims.start_index_map.iter();
        let coordinates: SmallVec<[(i64, usize); 4]> = axes
            .map(|&a| ((self.operand[a] - self.sizes[a]) as i64, self.steps[a]))
            .collect();
        // For every axis of the places what a step of it is in the operand.
        let mut batching: Shape = Shape::from_elem(0, self.places.len());
        let pairs = self.dims.operand_batching_dims.iter();
        for (&axis, &along) in pairs.zip(&self.dims.indices_batching_dims) {
            batching[along] += self.steps[axis];
        }
        let weighed = |place: &[usize], by: &[usize]| -> usize {
            place.iter().zip(by).map(|(p, w)| p * w).sum()
        };
        let rank = self.places.len();
        let row = self.places.last().copied().unwrap_or(1);
        let last = |v: &[usize]| v.last().copied().unwrap_or(0);
        let (row_step, row_weight) = (last(&batching), last(weights));
        let mut place: Shape = Shape::from_elem(0, rank.saturating_sub(1));
        let mut i = 0;
        for _ in 0..numel(&self.places[..rank.saturating_sub(1)]) {
            let (mut offset, mut weight) = (weighed(&place, &batching), weighed(&place, weights));
            for _ in 0..row {
                let (mut at, mut inside) = (offset, true);
                for &(room, step) in &coordinates {
                    let wanted = read(i);
                    let kept = wanted.clamp(0, room);
                    inside &= self.clip || wanted == kept;
                    at += kept as usize * step;
                    i += 1;
                }
                body(weight, inside.then_some(at));
                offset += row_step;
                weight += row_weight;
            }
            for (p, n) in place.iter_mut().zip(self.places).rev() {
                *p += 1;
                if *p < *n {
                    break;
                }
                *p = 0;
            }
        }
    }

    /// [`Boxes::each`] as one loop for all but the most frequent uses, which have one of their own.
    #[inline(never)]
    fn each_shared(
        &self,
        indices: &Array,
        weights: &[usize],
        body: &mut dyn FnMut(usize, Option<usize>),
    ) {
        self.each(indices, weights, body);
    }
}

fn index_at(indices: &Array, i: usize) -> i64 {
    match indices.dtype() {
        DType::U32 => indices.as_slice::<u32>()[i].into(),
        _ => indices.as_slice::<i32>()[i].into(),
    }
}

/// Boxes of `x`; those over the edge are filled with `fill`, or moved inside where there is none.
pub fn gather(
    dims: &GatherDims,
    sizes: &[usize],
    fill: Option<Fill>,
    x: &Array,
    indices: &Array,
    out: Aval,
) -> Result<Array> {
    let window = dims.window_axes(x.shape().len());
    let boxes = Boxes::new(dims, x, sizes, indices, fill.is_none());
    // Box after box first; then the axes go where the result wants them.
    let window_shape: Shape = window.iter().map(|&a| sizes[a]).collect();
    let stacked: Shape = boxes.places.iter().chain(&window_shape).copied().collect();
    let count = numel(&window_shape);
    let mut result = ArrayMut::uninit(out.with_shape(&stacked))?;
    if count > 0 {
        let from = View {
            offset: 0,
            strides: window.iter().map(|&a| boxes.steps[a] as isize).collect(),
        };
        let mut walk = Walk::new(&window_shape, &from, &View::whole(&window_shape));
        let filling = match fill {
            Some(fill) => Some(Array::full(fill.number(), Aval::new(&[], x.dtype()))?),
            None => None,
        };
        macro_rules! run {
            ($t:ty, $each:expr) => {{
                let (src, dst) = (words::<$t>(x.bytes()), words_mut::<$t>(result.bytes_mut()));
                let filling = filling.as_ref().map(|f| words::<$t>(f.bytes())[0]);
                let mut done = 0;
                $each(&mut |_, offset| {
                    match (offset, filling) {
                        (Some(from), _) if count == 1 => dst[done] = src[from],
                        (Some(from), _) => {
                            (walk.from, walk.to) = (from, done);
                            walk.run(src, dst);
                        }
                        (None, Some(filling)) => dst[done..done + count].fill(filling),
                        (None, None) => {}
                    }
                    done += count;
                });
            }};
        }
        match x.dtype().size() {
            1 => run!(u8, |body| boxes.each_shared(indices, &[], body)),
            4 => run!(u32, |body| boxes.each(indices, &[], body)),
            8 => run!(u64, |body| boxes.each_shared(indices, &[], body)),
            _ => {}
        }
    }
    let result = result.freeze();
    let trailing = dims
        .offset_dims
        .iter()
        .copied()
        .eq(boxes.places.len()..stacked.len());
    if trailing {
        return Ok(result);
    }
    let s = signed(&strides(&stacked));
    let (mut place, mut inside) = (0, boxes.places.len());
    let steps = (0..stacked.len()).map(|i| {
        let next = if dims.offset_dims.contains(&i) {
            &mut inside
        } else {
            &mut place
        };
        *next += 1;
        s[*next - 1]
    });
    let view = View {
        offset: 0,
        strides: steps.collect(),
    };
    gather_view(&result, &out.shape, &view)
}

impl Fill {
    fn number(self) -> f64 {
        match self {
            Fill::Int(i) => i as f64,
            Fill::Float(bits) => f64::from_bits(bits),
            Fill::Bool(b) => b.into(),
        }
    }
}

/// A copy of `x` with boxes of `updates` joined to it, in order. Boxes over the edge are moved inside
/// if `clip`, else left out.
pub fn scatter(
    update: Update,
    dims: &ScatterDims,
    clip: bool,
    x: &Array,
    indices: &Array,
    updates: &Array,
) -> Result<Array> {
    let mut result = ArrayMut::copy_of(x)?;
    let gather_dims = dims.as_gather();
    let window = gather_dims.window_axes(x.shape().len());
    let mut sizes: Shape = Shape::from_elem(1, x.shape().len());
    let window_shape: Shape = dims
        .update_window_dims
        .iter()
        .map(|&u| updates.shape()[u])
        .collect();
    for (&a, &n) in window.iter().zip(&window_shape) {
        sizes[a] = n;
    }
    if updates.numel() == 0 {
        return Ok(result.freeze());
    }
    let boxes = Boxes::new(&gather_dims, x, &sizes, indices, clip);
    let update_steps = strides(updates.shape());
    let place_steps: Shape = (0..updates.shape().len())
        .filter(|u| !dims.update_window_dims.contains(u))
        .map(|u| update_steps[u])
        .collect();
    let from = View {
        offset: 0,
        strides: dims
            .update_window_dims
            .iter()
            .map(|&u| update_steps[u] as isize)
            .collect(),
    };
    let to = View {
        offset: 0,
        strides: window.iter().map(|&a| boxes.steps[a] as isize).collect(),
    };
    let mut walk = Walk::new(&window_shape, &from, &to);
    // One loop for each type, with the operation as a pointer: only what is common has its own.
    macro_rules! run {
        ($t:ty, $join:expr, $each:expr) => {{
            let (src, dst) = (
                words::<$t>(updates.bytes()),
                words_mut::<$t>(result.bytes_mut()),
            );
            $each(&mut |from, offset| {
                let Some(to) = offset else { return };
                (walk.from, walk.to) = (from, to);
                walk.join(src, dst, $join);
            });
            Ok(())
        }};
        ($t:ty, $join:expr) => {
            run!($t, $join, |body| boxes.each_shared(
                indices,
                &place_steps,
                body
            ))
        };
        (common $t:ty, $join:expr) => {
            run!($t, $join, |body| boxes.each(indices, &place_steps, body))
        };
    }
    macro_rules! floats {
        ($t:ty) => {{
            let join: fn($t, $t) -> $t = match update {
                Update::Set => |_, v| v,
                Update::Add => |a, b| a + b,
                Update::Sub => |a, b| a - b,
                Update::Mul => |a, b| a * b,
                // NaN on either side stays.
                Update::Min => |a, b| if b < a || b.is_nan() { b } else { a },
                Update::Max => |a, b| if b > a || b.is_nan() { b } else { a },
            };
            run!($t, join)
        }};
    }
    let signed = x.dtype() == DType::I32;
    let done = match (x.dtype(), update) {
        (DType::F32, Update::Add) => run!(common f32, |a, b| a + b),
        (DType::F32 | DType::I32 | DType::U32, Update::Set) => run!(common u32, |_, v| v),
        (DType::F32, _) => floats!(f32),
        (DType::F64, _) => floats!(f64),
        // Two's complement: where the sign does not matter u32 does for both.
        (DType::I32 | DType::U32, _) => {
            let join: fn(u32, u32) -> u32 = match update {
                Update::Set => |_, v| v,
                Update::Add => u32::wrapping_add,
                Update::Sub => u32::wrapping_sub,
                Update::Mul => u32::wrapping_mul,
                Update::Min if signed => |a, b| (a as i32).min(b as i32) as u32,
                Update::Max if signed => |a, b| (a as i32).max(b as i32) as u32,
                Update::Min => u32::min,
                Update::Max => u32::max,
            };
            run!(u32, join)
        }
        (DType::Bool, _) => {
            let join: Option<fn(u8, u8) -> u8> = match update {
                Update::Set => Some(|_, v| v),
                Update::Add | Update::Max => Some(|a, b| a | b),
                Update::Mul | Update::Min => Some(|a, b| a & b),
                Update::Sub => None,
            };
            match join {
                Some(join) => run!(u8, join),
                None => Err(Unsupported),
            }
        }
        _ => Err(Unsupported),
    };
    supported(done, "a scatter", x.dtype())?;
    Ok(result.freeze())
}

/// The first index of a box of the given size: XLA moves boxes inside.
pub fn clamped_starts(shape: &[usize], sizes: &[usize], starts: &[Array]) -> Result<Shape> {
    if starts.len() != shape.len() {
        return Err(Error::internal("a dynamic slice needs one start per axis"));
    }
    let starts = starts.iter().zip(shape.iter().zip(sizes));
    Ok(starts
        .map(|(s, (&n, &size))| index_at(s, 0).clamp(0, (n - size) as i64) as usize)
        .collect())
}
