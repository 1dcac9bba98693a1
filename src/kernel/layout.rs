//! Walking over strided arrays: merging axes and counting through the outer ones.

use smallvec::SmallVec;

/// One axis of a joint walk over `K` arrays: how often, and by how many elements each moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis<const K: usize> {
    pub(super) size: usize,
    pub(super) steps: [isize; K],
}

/// The axes of a walk, outermost first.
pub(super) type Axes<const K: usize> = SmallVec<[Axis<K>; 6]>;

/// Drops axes of size 1 and merges neighbours that all arrays step through evenly. An empty result
/// is a walk over one element.
pub(super) fn merge<const K: usize>(axes: impl Iterator<Item = Axis<K>>) -> Axes<K> {
    let mut merged = Axes::<K>::new();
    for axis in axes.filter(|a| a.size != 1) {
        if let Some(last) = merged.last_mut() {
            let even = |k: usize| last.steps[k] == axis.steps[k] * axis.size as isize;
            if (0..K).all(even) {
                *last = Axis {
                    size: last.size * axis.size,
                    steps: axis.steps,
                };
                continue;
            }
        }
        merged.push(axis);
    }
    merged
}

/// Counts through axes in row-major order, keeping the offset of each array.
pub(super) struct Odometer<'a, const K: usize> {
    axes: &'a [Axis<K>],
    index: SmallVec<[usize; 6]>,
    /// Where the arrays are now, in elements from their start.
    pub(super) at: [isize; K],
}

impl<'a, const K: usize> Odometer<'a, K> {
    pub(super) fn new(axes: &'a [Axis<K>]) -> Self {
        Odometer {
            axes,
            index: SmallVec::from_elem(0, axes.len()),
            at: [0; K],
        }
    }

    /// Moves to the next position; after the last one it is at the first again.
    #[inline]
    pub(super) fn advance(&mut self) {
        for (axis, i) in self.axes.iter().zip(self.index.iter_mut()).rev() {
            *i += 1;
            if *i < axis.size {
                for k in 0..K {
                    self.at[k] += axis.steps[k];
                }
                return;
            }
            *i = 0;
            for k in 0..K {
                self.at[k] -= axis.steps[k] * (axis.size as isize - 1);
            }
        }
    }
}
