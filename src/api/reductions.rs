//! Sums and their kin along axes.

use super::registry::api;
use crate::shape::Shape;

api! { FUNCTIONS;
    /// Sum of elements over axes.
    ///
    /// - `axis`: one axis, several, or null for all; negative ones count from the end.
    /// - `dtype`: the dtype of the sum.
    /// - `keepdims`: keep the axes with size 1.
    ///
    /// Raises `ValueError` for an axis out of bounds.
    "np.sum"(a: LIKE, axis: AXES = null, dtype: OPT_DTYPE = null; keepdims: BOOL = false) -> ARRAY => |cx, a| {
        let x = a.value(0)?;
        let axes = a.axes(1, x.rank())?;
        let out = cx.reduce_sum(&x, &axes)?;
        if !a.bool(3)? {
            return Ok(out.into());
        }
        let shape: Shape = (0..x.rank()).map(|i| if axes.contains(&i) { 1 } else { x.shape()[i] }).collect();
        let kept: Vec<usize> = (0..x.rank()).filter(|i| !axes.contains(i)).collect();
        Ok(cx.broadcast_in_dim(&out, &shape, &kept)?.into())
    };
}
