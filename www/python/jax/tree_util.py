"""Trees of containers, by JAX's long names."""

from __future__ import annotations

import functools
from typing import Any, Callable

from jax._src.tree import (
    DictKey,
    FlattenedIndexKey,
    GetAttrKey,
    Partial,
    PyTreeDef,
    SequenceKey,
    _take_apart,
    keystr,
    register_dataclass,
    register_pytree_node,
    register_pytree_node_class,
    register_pytree_with_keys,
    register_pytree_with_keys_class,
    register_static,
)
from jax._src.tree import flatten as tree_flatten
from jax._src.tree import flatten_with_path as tree_flatten_with_path
from jax._src.tree import map as tree_map
from jax._src.tree import map_with_path as tree_map_with_path
from jax._src.tree import structure as tree_structure
from jax._src.tree import unflatten as tree_unflatten

KeyEntry = Any
KeyPath = tuple[Any, ...]


def tree_leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list[Any]:
    """The leaves of a tree in order."""
    return tree_flatten(tree, is_leaf)[0]


def tree_leaves_with_path(tree: Any, is_leaf: Any = None, is_leaf_takes_path: bool = False) -> list[Any]:
    """The leaves of a tree with the paths to them."""
    return tree_flatten_with_path(tree, is_leaf, is_leaf_takes_path)[0]


_NOTHING = object()


def tree_reduce(function: Callable[[Any, Any], Any], tree: Any, initializer: Any = _NOTHING, is_leaf: Any = None) -> Any:
    """Leaves folded from the left."""
    leaves = tree_leaves(tree, is_leaf)
    return functools.reduce(function, leaves) if initializer is _NOTHING else functools.reduce(function, leaves, initializer)


def tree_reduce_associative(operation: Callable[[Any, Any], Any], tree: Any, *, identity: Any = _NOTHING, is_leaf: Any = None) -> Any:
    """Leaves folded in pairs of pairs, as an associative operation may be."""
    row = tree_leaves(tree, is_leaf)
    if not row:
        if identity is _NOTHING:
            raise ValueError("Must specify identity for parallel reduction of empty sequence.")
        return identity
    while len(row) > 1:
        row = [operation(*row[i : i + 2]) if i + 1 < len(row) else row[i] for i in range(0, len(row), 2)]
    return row[0]


def tree_all(tree: Any, *, is_leaf: Any = None) -> bool:
    """Whether all leaves are true."""
    return all(tree_leaves(tree, is_leaf))


def tree_transpose(outer_treedef: PyTreeDef, inner_treedef: PyTreeDef | None, pytree_to_transpose: Any) -> Any:
    """A tree of trees with inner and outer structure exchanged; TypeError where it has not these structures."""
    leaves, treedef = tree_flatten(pytree_to_transpose)
    if inner_treedef is None:
        inner_treedef = tree_structure(outer_treedef.flatten_up_to(pytree_to_transpose)[0])
    if treedef != outer_treedef.compose(inner_treedef):
        raise TypeError(f"Mismatch\n{outer_treedef.compose(inner_treedef)}\n != \n{treedef}")
    width = inner_treedef.num_leaves
    columns = [outer_treedef.unflatten(leaves[i::width]) for i in range(width)]
    return inner_treedef.unflatten(columns)


def tree_broadcast(prefix_tree: Any, full_tree: Any, is_leaf: Any = None) -> Any:
    """A tree of the structure of `full_tree`, whose leaves are those of the prefix, repeated."""
    prefix, treedef = tree_flatten(prefix_tree, is_leaf)
    parts = treedef.flatten_up_to(full_tree)
    filled = [tree_map(lambda _, value=value: value, part) for value, part in zip(prefix, parts)]
    return treedef.unflatten(filled)


def treedef_children(treedef: PyTreeDef) -> list[PyTreeDef]:
    """Structures of the children."""
    return treedef.children()


def treedef_is_leaf(treedef: PyTreeDef) -> bool:
    """Whether it is the structure of a leaf."""
    return treedef.num_nodes == 1


def treedef_tuple(treedefs: Any) -> PyTreeDef:
    """The structure of a tuple of trees of these structures."""
    return PyTreeDef(tuple, None, tuple(treedefs))


def all_leaves(iterable: Any, is_leaf: Callable[[Any], bool] | None = None) -> bool:
    """Whether none of its items is a container."""
    return all(_take_apart(item) is None or (is_leaf is not None and is_leaf(item)) for item in iterable)


def is_tree_node(x: Any) -> bool:
    """Whether it is a container."""
    return _take_apart(x) is not None


def flatten_one_level(tree: Any) -> tuple[Any, Any]:
    """Children and data of a container."""
    parts = _take_apart(tree)
    if parts is None:
        raise ValueError(f"can't tree-flatten type: {type(tree)}")
    return parts[2], parts[1]


__all__ = [
    "DictKey", "FlattenedIndexKey", "GetAttrKey", "KeyEntry", "KeyPath", "Partial", "PyTreeDef", "SequenceKey",
    "all_leaves", "flatten_one_level", "is_tree_node", "keystr", "register_dataclass", "register_pytree_node",
    "register_pytree_node_class", "register_pytree_with_keys", "register_pytree_with_keys_class", "register_static",
    "tree_all", "tree_broadcast", "tree_flatten", "tree_flatten_with_path", "tree_leaves", "tree_leaves_with_path",
    "tree_map", "tree_map_with_path", "tree_reduce", "tree_reduce_associative", "tree_structure", "tree_transpose",
    "tree_unflatten", "treedef_children", "treedef_is_leaf", "treedef_tuple",
]
