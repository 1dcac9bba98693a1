"""Trees of containers, by JAX's short names."""

from jax._src.tree import flatten, flatten_with_path, map, map_with_path, structure, unflatten  # noqa: A004
from jax._src.tree import register_static as static
from jax.tree_util import tree_all as all  # noqa: A004
from jax.tree_util import tree_broadcast as broadcast
from jax.tree_util import tree_leaves as leaves
from jax.tree_util import tree_leaves_with_path as leaves_with_path
from jax.tree_util import tree_reduce as reduce
from jax.tree_util import tree_reduce_associative as reduce_associative
from jax.tree_util import tree_transpose as transpose

__all__ = [
    "all", "broadcast", "flatten", "flatten_with_path", "leaves", "leaves_with_path", "map", "map_with_path", "reduce",
    "reduce_associative", "static", "structure", "transpose", "unflatten",
]
