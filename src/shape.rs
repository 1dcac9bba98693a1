//! Pure shape arithmetic. Arrays are row-major and contiguous everywhere in the engine.

use alloc::{format, string::String, string::ToString, vec::Vec};
use smallvec::SmallVec;

/// The sizes of an array's axes, outermost first.
pub type Shape = SmallVec<[usize; 4]>;

/// The number of elements; saturates instead of overflowing, so that limits can be checked.
pub fn numel(shape: &[usize]) -> usize {
    shape.iter().fold(1usize, |a, &b| a.saturating_mul(b))
}

/// Row-major strides in elements.
pub fn strides(shape: &[usize]) -> Shape {
    let mut out: Shape = SmallVec::from_elem(1, shape.len());
    for i in (0..shape.len().saturating_sub(1)).rev() {
        out[i] = out[i + 1] * shape[i + 1];
    }
    out
}

/// NumPy's broadcast of two shapes, aligned at the right; `None` if they do not fit.
pub fn broadcast2(a: &[usize], b: &[usize]) -> Option<Shape> {
    let rank = a.len().max(b.len());
    let at = |s: &[usize], i: usize| {
        let missing = rank - s.len();
        if i < missing { 1 } else { s[i - missing] }
    };
    (0..rank)
        .map(|i| match (at(a, i), at(b, i)) {
            (x, y) if x == y => Some(x),
            (1, y) => Some(y),
            (x, 1) => Some(x),
            _ => None,
        })
        .collect()
}

/// NumPy's broadcast of any number of shapes.
pub fn broadcast<'a>(shapes: impl IntoIterator<Item = &'a [usize]>) -> Option<Shape> {
    shapes
        .into_iter()
        .try_fold(Shape::new(), |acc, s| broadcast2(&acc, s))
}

/// Sorts axes and other short lists by a key, stably. By insertion: the standard library's sorts are made for
/// long lists, and each use of them brings several kilobytes along.
pub fn sort_few<T>(items: &mut [T], key: impl Fn(&T) -> usize) {
    for i in 1..items.len() {
        let mut j = i;
        while j > 0 && key(&items[j - 1]) > key(&items[j]) {
            items.swap(j - 1, j);
            j -= 1;
        }
    }
}

/// A shape as Python prints a tuple: `()`, `(3,)`, `(2, 3)`.
pub fn tuple(dims: &[usize]) -> String {
    match dims {
        [n] => format!("({n},)"),
        _ => format!(
            "({})",
            dims.iter()
                .map(usize::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        ),
    }
}
