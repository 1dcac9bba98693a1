"""Views made by choosing strides."""

from .._creation import as_strided, sliding_window_view
from .._shaping import broadcast_arrays, broadcast_shapes, broadcast_to

__all__ = ["as_strided", "broadcast_arrays", "broadcast_shapes", "broadcast_to", "sliding_window_view"]
