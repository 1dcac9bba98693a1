//! What stands between the brackets of `x[...]`: reading it, and turning it into slices or into the
//! operands of gather and scatter.

use super::args::integer;
use super::convert::{array_of, concretization, convert};
use super::registry::Arg;
use crate::array::ArrayMut;
use crate::aval::Aval;
use crate::dtype::DType;
use crate::error::{Class, Error, Result};
#[cfg(target_arch = "wasm32")]
use crate::kernel::Float;
use crate::prim::rule::Ctx;
use crate::runtime::index::GatherDims;
use crate::shape::{Shape, tuple};
use crate::value::Value;
use alloc::{boxed::Box, format, string::String, string::ToString, vec::Vec};

/// One part of an index, belonging to one axis of the array or making a new one.
#[derive(Clone, Debug)]
pub enum Part {
    /// A plain integer.
    Int(i64),
    /// A scalar that is a value: its number may be unknown.
    Scalar(Value),
    /// An array of indices.
    Array(Value),
    /// `count` elements from `start` by `step`; for negative steps `start` is the largest index.
    Range {
        /// The first index taken.
        start: i64,
        /// The step, not zero.
        step: i64,
        /// How many.
        count: usize,
        /// The limit as written, for the slice equation.
        limit: i64,
    },
    /// A new axis of size 1.
    New,
}

/// The parts of an index into an array of this shape, one per axis, new axes in between.
pub fn parse(cx: &Ctx, shape: &[usize], index: &[Arg]) -> Result<Vec<Part>> {
    let ellipses = index.iter().filter(|p| matches!(p, Arg::Ellipsis)).count();
    if ellipses > 1 {
        return Err(index_error(
            "an index can only have a single ellipsis ('...')",
        ));
    }
    let mut used = 0;
    for p in index {
        used += match p {
            Arg::None | Arg::NewAxis | Arg::Ellipsis | Arg::Bool(_) => 0,
            Arg::Value(v) if v.dtype() == DType::Bool => v.rank(),
            _ => 1,
        };
    }
    if used > shape.len() {
        return Err(index_error(format!(
            "Too many indices: array is {}-dimensional, but {used} were indexed",
            shape.len()
        )));
    }
    let whole = |n: usize| Part::Range {
        start: 0,
        step: 1,
        count: n,
        limit: n as i64,
    };
    let mut parts = Vec::new();
    let mut axis = 0;
    for (position, p) in index.iter().enumerate() {
        match p {
            Arg::None | Arg::NewAxis => parts.push(Part::New),
            Arg::Ellipsis => {
                let skipped = shape.len() - used;
                parts.extend(shape[axis..axis + skipped].iter().map(|n| whole(*n)));
                axis += skipped;
            }
            Arg::Value(v) if v.dtype() == DType::Bool => {
                let expected = &shape[axis..axis + v.rank()];
                parts.extend(mask(v, expected, position)?);
                axis += v.rank();
            }
            _ => {
                parts.push(part(cx, p, shape.get(axis).copied().unwrap_or(1))?);
                axis += 1;
            }
        }
    }
    parts.extend(shape[axis.min(shape.len())..].iter().map(|n| whole(*n)));
    Ok(parts)
}

fn index_error(message: impl Into<String>) -> Box<Error> {
    Error::new(Class::IndexError, message)
}

fn part(cx: &Ctx, arg: &Arg, n: usize) -> Result<Part> {
    match arg {
        Arg::Number { value, float } if !float && value.fract() == 0.0 => {
            Ok(Part::Int(*value as i64))
        }
        Arg::Number { .. } => Err(not_integer("float64")),
        Arg::Slice { start, stop, step } => range(*start, *stop, *step, n),
        Arg::List(_) => value_part(
            array_of(cx, arg, None)?,
            matches!(arg, Arg::List(l) if l.is_empty()),
        ),
        Arg::Value(v) => value_part(v.clone(), false),
        Arg::Str(s) => Err(Error::type_error(format!(
            "JAX does not support string indexing; got idx='{s}'"
        ))),
        other => integer(other).map(Part::Int),
    }
}

fn value_part(v: Value, empty: bool) -> Result<Part> {
    if empty {
        return Ok(Part::Array(
            crate::array::Array::zeros(Aval::new(&[0], DType::I32))?.into(),
        ));
    }
    match (v.dtype(), v.rank()) {
        (DType::I32 | DType::U32, 0) => Ok(Part::Scalar(v)),
        (DType::I32 | DType::U32, _) => Ok(Part::Array(v)),
        (d, _) => Err(not_integer(d.name())),
    }
}

fn not_integer(dtype: &str) -> Box<Error> {
    Error::type_error(format!(
        "Indexer must have integer or boolean type, got indexer with type {dtype}"
    ))
}

/// The places at which a concrete mask holds, one array per axis.
fn mask(v: &Value, expected: &[usize], position: usize) -> Result<Vec<Part>> {
    let Some(array) = v.concrete() else {
        return Err(concretization(v, Class::NonConcreteBooleanIndexError));
    };
    if array.shape() != expected {
        let listed: Vec<String> = expected.iter().map(usize::to_string).collect();
        return Err(index_error(format!(
            "boolean index did not match shape of indexed array in index {position}: got {}, expected [{}]",
            tuple(array.shape()),
            listed.join(", ")
        )));
    }
    Ok(super::searching::places(array)?
        .into_iter()
        .map(|a| Part::Array(a.into()))
        .collect())
}

/// A slice brought inside an axis of n elements, as Python does it.
fn range(start: Option<i64>, stop: Option<i64>, step: Option<i64>, n: usize) -> Result<Part> {
    let step = step.unwrap_or(1);
    if step == 0 {
        return Err(Error::value_error("slice step cannot be zero"));
    }
    let n = n as i64;
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let inside = |i: i64| (if i < 0 { i.saturating_add(n) } else { i }).clamp(low, high);
    let first = start.map_or(if step > 0 { 0 } else { n - 1 }, inside);
    let end = stop.map_or(if step > 0 { n } else { -1 }, inside);
    let span = if step > 0 { end - first } else { first - end };
    let count = if span <= 0 {
        0
    } else {
        (span - 1) / step.saturating_abs() + 1
    };
    let limit = if step > 0 { end.max(first) } else { first + 1 };
    Ok(Part::Range {
        start: first,
        step,
        count: count as usize,
        limit,
    })
}

/// `x[...]` by slices where the index allows it; `None` where a gather is needed.
pub fn by_slices(cx: &Ctx, x: &Value, parts: &[Part]) -> Result<Option<Value>> {
    let axes: Vec<&Part> = parts.iter().filter(|p| !matches!(p, Part::New)).collect();
    if axes.iter().any(|p| matches!(p, Part::Array(_))) {
        return Ok(None);
    }
    let inside = |i: i64, n: usize| -(n as i64) <= i && i < n as i64;
    let fixed = axes.iter().zip(x.shape()).all(|(p, n)| match p {
        Part::Int(i) => inside(*i, *n),
        Part::Scalar(_) => false,
        _ => true,
    });
    let unit = |p: &&Part| !matches!(p, Part::Range { step, .. } if step.abs() != 1);
    let empty = axes
        .iter()
        .zip(x.shape())
        .any(|(p, n)| matches!(p, Part::Int(_) | Part::Scalar(_)) && *n == 0);
    if empty {
        return Err(index_error("index is out of bounds for axis with size 0"));
    }
    let cut = if fixed {
        fixed_slice(cx, x, &axes)?
    } else if axes.iter().all(unit) {
        moving_slice(cx, x, &axes)?
    } else {
        return Ok(None);
    };
    let backward = |p: &Part| matches!(p, Part::Range { step, .. } if *step < 0);
    let turned: Vec<usize> = (0..axes.len()).filter(|i| backward(axes[*i])).collect();
    let out = if turned.is_empty() {
        cut
    } else {
        cx.rev(&cut, &turned)?
    };
    let dropped: Vec<usize> = (0..axes.len())
        .filter(|i| matches!(axes[*i], Part::Int(_) | Part::Scalar(_)))
        .collect();
    let out = cx.squeeze(&out, &dropped)?;
    Ok(Some(cx.expand_dims(&out, &new_axes(parts))?))
}

/// Where new axes lie in a result without advanced indices.
fn new_axes(parts: &[Part]) -> Vec<usize> {
    let shown = parts
        .iter()
        .filter(|p| !matches!(p, Part::Int(_) | Part::Scalar(_)));
    let new = shown.enumerate().filter(|(_, p)| matches!(p, Part::New));
    new.map(|(i, _)| i).collect()
}

/// The smallest index of a range and the number of elements.
fn lowest(start: i64, step: i64, count: usize) -> i64 {
    if step > 0 || count == 0 {
        start
    } else {
        start + step * (count as i64 - 1)
    }
}

fn fixed_slice(cx: &Ctx, x: &Value, axes: &[&Part]) -> Result<Value> {
    let mut starts = Shape::new();
    let mut limits = Shape::new();
    let mut strides = Shape::new();
    for (p, &n) in axes.iter().zip(x.shape()) {
        let (start, limit, stride) = match p {
            Part::Int(i) => {
                let i = if *i < 0 { i + n as i64 } else { *i };
                (i, i + 1, 1)
            }
            Part::Range {
                start, count: 0, ..
            } => ((*start).max(0), (*start).max(0), 1),
            Part::Range {
                start,
                step,
                count,
                limit,
            } => (lowest(*start, *step, *count), *limit, step.abs()),
            _ => (0, n as i64, 1),
        };
        starts.push(start as usize);
        limits.push(limit as usize);
        strides.push(stride.min(n.max(1) as i64) as usize);
    }
    let plain = strides.iter().all(|s| *s == 1);
    if plain && starts.iter().all(|s| *s == 0) && limits.as_slice() == x.shape() {
        return Ok(x.clone());
    }
    cx.slice(x, &starts, &limits, (!plain).then_some(strides.as_slice()))
}

fn moving_slice(cx: &Ctx, x: &Value, axes: &[&Part]) -> Result<Value> {
    let mut starts = Vec::new();
    let mut sizes = Shape::new();
    for (p, &n) in axes.iter().zip(x.shape()) {
        let (start, size) = match p {
            Part::Scalar(v) => (v.clone(), 1),
            Part::Int(i) => (Value::scalar(*i as f64, DType::I32)?, 1),
            Part::Range {
                start, step, count, ..
            } => (
                Value::scalar(lowest(*start, *step, *count) as f64, DType::I32)?,
                *count,
            ),
            _ => (Value::scalar(0.0, DType::I32)?, n),
        };
        starts.push(from_the_end(cx, &start, n)?);
        sizes.push(size);
    }
    cx.dynamic_slice(x, &starts, &sizes)
}

/// Indices counted from the end where negative.
pub fn from_the_end(cx: &Ctx, index: &Value, n: usize) -> Result<Value> {
    if index.dtype() == DType::U32 {
        return convert(cx, index, (DType::I32, false));
    }
    let negative = cx.lt(index, &cx.lit(0.0, index)?)?;
    let strong = convert(cx, index, (DType::I32, false))?;
    let counted = cx.add(&strong, &cx.lit(n as f64, &strong)?)?;
    cx.select(&negative, &counted, index)
}

/// The operands and parameters of a gather or scatter for an index.
pub struct Plan {
    /// Coordinates along the last axis, one row per box.
    pub indices: Value,
    /// Which axes mean what.
    pub dims: GatherDims,
    /// Box sizes along the array's axes.
    pub sizes: Shape,
    /// Axes of the result, without new ones, that are to be turned around.
    pub turned: Shape,
    /// Where new axes lie in the result.
    pub new: Shape,
    /// The result's shape with new axes.
    pub shape: Shape,
    /// Without index arrays no place is met twice and all are in order.
    pub in_order: bool,
}

/// One coordinate: a value whose axes lie at the given batch axes.
struct Coordinate {
    axis: usize,
    value: Value,
    at: Shape,
}

/// Plans a gather. Index arrays are broadcast together; they stand where the first of them stands if
/// they are adjacent, else in front.
pub fn plan(cx: &Ctx, x: &Value, parts: &[Part]) -> Result<Plan> {
    let advanced = parts.iter().any(|p| matches!(p, Part::Array(_)));
    let is_advanced = |p: &Part| match p {
        Part::Array(_) => true,
        Part::Int(_) | Part::Scalar(_) => advanced,
        _ => false,
    };
    let places: Vec<usize> = (0..parts.len())
        .filter(|i| is_advanced(&parts[*i]))
        .collect();
    let adjacent = places.windows(2).all(|w| w[1] == w[0] + 1);
    let (mut arrays, common) = index_arrays(cx, x, parts, &is_advanced)?;
    let mut build = Build {
        batch: Shape::new(),
        coordinates: Vec::new(),
        out: Vec::new(),
    };
    let mut dims = GatherDims::default();
    let mut sizes = Shape::new();
    let (mut turned, mut new) = (Shape::new(), Shape::new());
    let mut index_axes: Option<Shape> = None;
    if !adjacent {
        index_axes = Some(build.index_axes(&common));
    }
    let mut axis = 0;
    for p in parts {
        if matches!(p, Part::New) {
            new.push(build.out.len() + new.len());
            continue;
        }
        let n = x.shape()[axis];
        if is_advanced(p) {
            let at = index_axes
                .get_or_insert_with(|| build.index_axes(&common))
                .clone();
            let value = arrays.remove(0);
            build.coordinates.push(Coordinate { axis, value, at });
            dims.collapsed_slice_dims.push(axis);
            sizes.push(1);
        } else {
            build.basic(cx, p, axis, n, &mut dims, &mut sizes, &mut turned)?;
        }
        axis += 1;
    }
    dims.offset_dims = (0..build.out.len()).filter(|i| build.out[*i].1).collect();
    dims.start_index_map = build.coordinates.iter().map(|c| c.axis).collect();
    let mut shape: Shape = build.out.iter().map(|(n, _)| *n).collect();
    for at in &new {
        shape.insert(*at, 1);
    }
    let indices = build.indices(cx)?;
    Ok(Plan {
        indices,
        dims,
        sizes,
        turned,
        new,
        shape,
        in_order: !advanced,
    })
}

/// Index arrays and, beside them, scalars, counted from the front and broadcast together.
fn index_arrays(
    cx: &Ctx,
    x: &Value,
    parts: &[Part],
    is_advanced: &dyn Fn(&Part) -> bool,
) -> Result<(Vec<Value>, Shape)> {
    let mut arrays = Vec::new();
    let mut axis = 0;
    for p in parts {
        if matches!(p, Part::New) {
            continue;
        }
        let n = x.shape()[axis];
        axis += 1;
        match p {
            _ if !is_advanced(p) => {}
            Part::Array(v) | Part::Scalar(v) => arrays.push(from_the_end(cx, v, n)?),
            Part::Int(i) => {
                let i = if *i < 0 { i + n as i64 } else { *i };
                arrays.push(crate::array::Array::scalar(i as f64, DType::I32, true)?.into());
            }
            _ => {}
        }
    }
    let common = super::shaping::common_shape(arrays.iter().map(Value::shape))?;
    for v in &mut arrays {
        *v = convert(
            cx,
            &super::prims::broadcast_to(cx, v, &common)?,
            (DType::I32, false),
        )?;
    }
    Ok((arrays, common))
}

/// The result's axes and the coordinates, while they are collected.
struct Build {
    /// Sizes of the batch axes of the indices.
    batch: Shape,
    coordinates: Vec<Coordinate>,
    /// Result axes: their size, and whether they run inside a box.
    out: Vec<(usize, bool)>,
}

impl Build {
    /// The batch axes of the index arrays begin here.
    fn index_axes(&mut self, common: &[usize]) -> Shape {
        let first = self.batch.len();
        self.batch.extend_from_slice(common);
        self.out.extend(common.iter().map(|n| (*n, false)));
        (first..first + common.len()).collect()
    }

    #[allow(clippy::too_many_arguments)]
    fn basic(
        &mut self,
        cx: &Ctx,
        p: &Part,
        axis: usize,
        n: usize,
        dims: &mut GatherDims,
        sizes: &mut Shape,
        turned: &mut Shape,
    ) -> Result<()> {
        let mut fixed = |value: Value| {
            self.coordinates.push(Coordinate {
                axis,
                value,
                at: Shape::new(),
            });
        };
        match p {
            Part::Int(i) => {
                let i = if *i < 0 { i + n as i64 } else { *i };
                fixed(Value::scalar(i as f64, DType::I32)?);
                dims.collapsed_slice_dims.push(axis);
                sizes.push(1);
            }
            Part::Scalar(v) => {
                let v = from_the_end(cx, v, n)?;
                fixed(convert(cx, &v, (DType::I32, false))?);
                dims.collapsed_slice_dims.push(axis);
                sizes.push(1);
            }
            Part::Range {
                start,
                step: 1,
                count,
                ..
            } => {
                if *start != 0 || *count != n {
                    fixed(Value::scalar(*start as f64, DType::I32)?);
                }
                sizes.push(*count);
                self.out.push((*count, true));
            }
            Part::Range {
                start, step, count, ..
            } => {
                let line = cx.iota(DType::I32, &[*count], 0)?;
                let line = cx.mul(&cx.lit(*step as f64, &line)?, &line)?;
                let mut line = cx.add(&cx.lit(*start as f64, &line)?, &line)?;
                if *step < 0 {
                    // Read in ascending order and turned around afterwards, as JAX does.
                    line = cx.rev(&line, &[0])?;
                    turned.push(self.out.len());
                }
                let at = Shape::from_slice(&[self.batch.len()]);
                self.coordinates.push(Coordinate {
                    axis,
                    value: line,
                    at,
                });
                self.batch.push(*count);
                self.out.push((*count, false));
                dims.collapsed_slice_dims.push(axis);
                sizes.push(1);
            }
            Part::Array(_) | Part::New => {}
        }
        Ok(())
    }

    /// The coordinates side by side along a last axis.
    fn indices(&self, cx: &Ctx) -> Result<Value> {
        let mut shape = self.batch.clone();
        if self.coordinates.is_empty() {
            shape.push(0);
            return Ok(ArrayMut::zeroed(Aval::new(&shape, DType::I32))?
                .freeze()
                .into());
        }
        shape.push(1);
        let columns = self
            .coordinates
            .iter()
            .map(|c| cx.broadcast_in_dim(&c.value, &shape, &c.at))
            .collect::<Result<Vec<_>>>()?;
        cx.concatenate(&columns, shape.len() - 1)
    }
}
