//! Moving elements: every shape primitive is a walk over a box of elements, with one stride per
//! axis in the source and one in the destination.

use crate::array::{Array, ArrayMut};
use crate::aval::Aval;
use crate::error::Result;
use crate::shape::{Shape, numel, strides};
use smallvec::SmallVec;

/// Strides in elements; negative ones walk backwards.
pub type Strides = SmallVec<[isize; 4]>;

/// Where a walk begins in an array, and how far each axis steps.
#[derive(Clone, Debug)]
pub struct View {
    /// Index of the first element.
    pub offset: usize,
    /// One step per axis of the walk.
    pub strides: Strides,
}

impl View {
    /// A whole contiguous array.
    pub fn whole(shape: &[usize]) -> View {
        View {
            offset: 0,
            strides: signed(&strides(shape)),
        }
    }
}

/// Strides as signed numbers.
pub fn signed(strides: &[usize]) -> Strides {
    strides.iter().map(|&s| s as isize).collect()
}

/// An array of the given shape whose elements are read from `x` along `view`.
pub fn gather_view(x: &Array, shape: &[usize], view: &View) -> Result<Array> {
    let mut out = ArrayMut::uninit(Aval {
        shape: Shape::from_slice(shape),
        ..x.aval().clone()
    })?;
    copy(shape, x, view, &mut out, &View::whole(shape));
    Ok(out.freeze())
}

/// Copies a box of elements between arrays of one dtype. The views stay inside their arrays.
pub fn copy(shape: &[usize], src: &Array, from: &View, dst: &mut ArrayMut, to: &View) {
    if numel(shape) == 0 {
        return;
    }
    let walk = Walk::new(shape, from, to);
    match src.dtype().size() {
        1 => walk.run(words::<u8>(src.bytes()), words_mut::<u8>(dst.bytes_mut())),
        4 => walk.run(words::<u32>(src.bytes()), words_mut::<u32>(dst.bytes_mut())),
        8 => walk.run(words::<u64>(src.bytes()), words_mut::<u64>(dst.bytes_mut())),
        // float0 has no bytes.
        _ => {}
    }
}

/// Bytes as words of their dtype's size: three instances of every loop instead of five.
pub(super) fn words<T: Copy>(bytes: &[u8]) -> &[T] {
    // SAFETY: array storage is aligned to 64 bytes and holds initialised elements of this size;
    // unsigned integers have no invalid values.
    unsafe { core::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<T>()) }
}

/// As `words`, for writing.
pub(super) fn words_mut<T: Copy>(bytes: &mut [u8]) -> &mut [T] {
    let n = bytes.len() / size_of::<T>();
    // SAFETY: as in `words`, and the borrow is exclusive.
    unsafe { core::slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), n) }
}

/// One axis of a walk: how many steps, and how far each goes on both sides.
#[derive(Clone, Copy, Debug)]
struct Axis {
    n: usize,
    from: isize,
    to: isize,
}

/// A walk with its axes merged where both sides allow it, outermost first.
pub(super) struct Walk {
    axes: SmallVec<[Axis; 4]>,
    /// Where it begins in the source.
    pub(super) from: usize,
    /// Where it begins in the destination.
    pub(super) to: usize,
}

/// Edge of the square tiles in which two-axis exchanges are done: a tile fits the nearest cache.
const TILE: usize = 16;

impl Walk {
    pub(super) fn new(shape: &[usize], from: &View, to: &View) -> Walk {
        let mut axes: SmallVec<[Axis; 4]> = SmallVec::new();
        for (i, &n) in shape.iter().enumerate().filter(|(_, n)| **n != 1) {
            let axis = Axis {
                n,
                from: from.strides[i],
                to: to.strides[i],
            };
            match axes.last_mut() {
                Some(outer)
                    if outer.from == axis.from * n as isize && outer.to == axis.to * n as isize =>
                {
                    *outer = Axis {
                        n: outer.n * n,
                        ..axis
                    };
                }
                _ => axes.push(axis),
            }
        }
        Walk {
            axes,
            from: from.offset,
            to: to.offset,
        }
    }

    /// Joins every element of the source to its counterpart in the destination.
    pub(super) fn join<T: Copy>(&self, src: &[T], dst: &mut [T], join: impl Fn(T, T) -> T) {
        match self.axes.as_slice() {
            [] => dst[self.to] = join(dst[self.to], src[self.from]),
            [outer @ .., inner] => self.outer_loop(outer, |mut s, mut d| {
                for _ in 0..inner.n {
                    dst[d] = join(dst[d], src[s]);
                    s = s.wrapping_add_signed(inner.from);
                    d = d.wrapping_add_signed(inner.to);
                }
            }),
        }
    }

    /// Copies. There is at least one element.
    pub(super) fn run<T: Copy>(&self, src: &[T], dst: &mut [T]) {
        let (outer, inner) = match self.axes.as_slice() {
            [] => {
                dst[self.to] = src[self.from];
                return;
            }
            [outer @ .., inner] => (outer, *inner),
        };
        // Where the source runs along another axis than the destination, both are walked in tiles.
        let crossing = outer.iter().rposition(|a| a.from.abs() == 1);
        match crossing {
            Some(k) if inner.from.abs() > 1 => {
                let mut rest: SmallVec<[Axis; 4]> = SmallVec::from_slice(outer);
                let cross = rest.remove(k);
                self.outer_loop(&rest, |s, d| exchange(src, dst, s, d, cross, inner));
            }
            _ => match outer.split_last() {
                None => row(src, dst, self.from, self.to, inner),
                // Each element several times in a row: an axis repeated inside of another.
                Some((rows, outer))
                    if inner.from == 0
                        && inner.to == 1
                        && rows.to == inner.n as isize
                        && rows.from >= 0 =>
                {
                    self.outer_loop(outer, |s, d| {
                        let from = src[s..].iter().step_by(rows.from.max(1) as usize);
                        let out = &mut dst[d..d + rows.n * inner.n];
                        if rows.from == 0 {
                            out.fill(src[s]);
                            return;
                        }
                        for (out, v) in out.chunks_exact_mut(inner.n).zip(from) {
                            out.fill(*v);
                        }
                    });
                }
                Some((rows, outer)) => self.outer_loop(outer, |s, d| {
                    let (mut s, mut d) = (s, d);
                    for _ in 0..rows.n {
                        row(src, dst, s, d, inner);
                        s = s.wrapping_add_signed(rows.from);
                        d = d.wrapping_add_signed(rows.to);
                    }
                }),
            },
        }
    }

    /// Calls `body` with both positions for every step of the outer axes.
    fn outer_loop(&self, axes: &[Axis], mut body: impl FnMut(usize, usize)) {
        let mut at: SmallVec<[usize; 4]> = SmallVec::from_elem(0, axes.len());
        let (mut s, mut d) = (self.from as isize, self.to as isize);
        loop {
            body(s as usize, d as usize);
            let mut k = axes.len();
            loop {
                if k == 0 {
                    return;
                }
                k -= 1;
                let a = axes[k];
                at[k] += 1;
                s += a.from;
                d += a.to;
                if at[k] < a.n {
                    break;
                }
                at[k] = 0;
                s -= a.from * a.n as isize;
                d -= a.to * a.n as isize;
            }
        }
    }
}

/// Copies along one axis.
fn row<T: Copy>(src: &[T], dst: &mut [T], s: usize, d: usize, axis: Axis) {
    let n = axis.n;
    match (axis.from, axis.to) {
        // A call to copy or fill costs more than a few elements.
        (0 | 1, 1) if n <= 8 => {
            for (i, o) in dst[d..d + n].iter_mut().enumerate() {
                *o = src[s + i * axis.from as usize];
            }
        }
        (1, 1) => dst[d..d + n].copy_from_slice(&src[s..s + n]),
        (0, 1) => dst[d..d + n].fill(src[s]),
        (-1, 1) => {
            let from = &src[s + 1 - n..=s];
            for (o, v) in dst[d..d + n].iter_mut().zip(from.iter().rev()) {
                *o = *v;
            }
        }
        (from, 1) if from > 0 => {
            for (o, v) in dst[d..d + n]
                .iter_mut()
                .zip(src[s..].iter().step_by(from as usize))
            {
                *o = *v;
            }
        }
        (from, to) => {
            let (mut s, mut d) = (s, d);
            for _ in 0..n {
                dst[d] = src[s];
                s = s.wrapping_add_signed(from);
                d = d.wrapping_add_signed(to);
            }
        }
    }
}

/// Copies over two axes of which one is near in the source and the other in the destination.
fn exchange<T: Copy>(src: &[T], dst: &mut [T], s: usize, d: usize, a: Axis, b: Axis) {
    for i0 in (0..a.n).step_by(TILE) {
        let ni = TILE.min(a.n - i0);
        for j0 in (0..b.n).step_by(TILE) {
            let nj = TILE.min(b.n - j0);
            for i in i0..i0 + ni {
                let at = |step: isize, k: usize| step * k as isize;
                let mut si = s.wrapping_add_signed(at(a.from, i) + at(b.from, j0));
                let mut di = d.wrapping_add_signed(at(a.to, i) + at(b.to, j0));
                for _ in 0..nj {
                    dst[di] = src[si];
                    si = si.wrapping_add_signed(b.from);
                    di = di.wrapping_add_signed(b.to);
                }
            }
        }
    }
}

/// Puts arrays one after the other along an axis.
pub fn concatenate(parts: &[Array], axis: usize, out: Aval) -> Result<Array> {
    let mut result = ArrayMut::uninit(out)?;
    let out_strides = signed(&strides(&result.aval().shape));
    let mut start = 0;
    for part in parts {
        let to = View {
            offset: start * out_strides[axis] as usize,
            strides: out_strides.clone(),
        };
        copy(
            part.shape(),
            part,
            &View::whole(part.shape()),
            &mut result,
            &to,
        );
        start += part.shape()[axis];
    }
    Ok(result.freeze())
}

/// The box of `sizes` elements of `x` from `starts` on, every `steps`-th along each axis.
pub fn slice(
    x: &Array,
    starts: &[usize],
    sizes: &[usize],
    steps: Option<&[usize]>,
) -> Result<Array> {
    if starts.iter().all(|&s| s == 0) && sizes == x.shape() {
        return Ok(x.clone());
    }
    let s = strides(x.shape());
    let view = View {
        offset: starts.iter().zip(&s).map(|(a, b)| a * b).sum(),
        strides: (0..s.len())
            .map(|i| (s[i] * steps.map_or(1, |t| t[i])) as isize)
            .collect(),
    };
    gather_view(x, sizes, &view)
}

/// A copy of `x` with the box from `starts` on replaced by `update`.
pub fn update(x: &Array, update: &Array, starts: &[usize]) -> Result<Array> {
    let mut out = ArrayMut::copy_of(x)?;
    let s = strides(x.shape());
    let to = View {
        offset: starts.iter().zip(&s).map(|(a, b)| a * b).sum(),
        strides: signed(&s),
    };
    copy(
        update.shape(),
        update,
        &View::whole(update.shape()),
        &mut out,
        &to,
    );
    Ok(out.freeze())
}

/// Elements `low` cells in and `interior` cells apart in a new array filled with `value`; negative
/// padding cuts elements off.
pub fn pad(x: &Array, value: &Array, config: &[(isize, isize, isize)], out: Aval) -> Result<Array> {
    let mut result = ArrayMut::uninit(out)?;
    let shape = result.aval().shape.clone();
    let rank = shape.len();
    let fill = View {
        offset: 0,
        strides: SmallVec::from_elem(0, rank),
    };
    copy(&shape, value, &fill, &mut result, &View::whole(&shape));
    let (from_steps, to_steps) = (strides(x.shape()), strides(&shape));
    let mut sizes = Shape::from_slice(x.shape());
    let mut from = View::whole(x.shape());
    let mut to = View::whole(&shape);
    for (i, &(low, _, interior)) in config.iter().enumerate() {
        let step = interior + 1;
        // The first and one past the last element that stay inside.
        let first = if low < 0 { (-low + step - 1) / step } else { 0 };
        let room = shape[i] as isize - low;
        let last = if room <= 0 {
            0
        } else {
            (room + step - 1) / step
        };
        let last = last.min(x.shape()[i] as isize);
        sizes[i] = (last - first).max(0) as usize;
        if sizes[i] == 0 {
            return Ok(result.freeze());
        }
        from.offset += first as usize * from_steps[i];
        to.offset += (low + first * step) as usize * to_steps[i];
        to.strides[i] *= step;
    }
    copy(&sizes, x, &from, &mut result, &to);
    Ok(result.freeze())
}

/// 0, 1, 2 … along one axis.
pub fn iota(aval: Aval, axis: usize) -> Result<Array> {
    use crate::dtype::DType;
    let n = aval.shape[axis];
    let line = Aval {
        shape: Shape::from_slice(&[n]),
        ..aval.clone()
    };
    let mut out = ArrayMut::uninit(line)?;
    macro_rules! count {
        ($t:ty) => {
            for (i, o) in out.slice_mut::<$t>().iter_mut().enumerate() {
                *o = i as $t;
            }
        };
    }
    match aval.dtype {
        DType::F32 => count!(f32),
        DType::F64 => count!(f64),
        DType::I32 => count!(i32),
        DType::U32 => count!(u32),
        DType::Bool | DType::Float0 | DType::Key => {}
    }
    let line = out.freeze();
    if aval.shape.len() == 1 {
        return Ok(line);
    }
    let mut view = View {
        offset: 0,
        strides: SmallVec::from_elem(0, aval.shape.len()),
    };
    view.strides[axis] = 1;
    gather_view(&line, &aval.shape, &view)
}
