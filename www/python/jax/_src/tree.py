"""Trees of containers: taking apart, putting together, and what says how.

Containers are tuples, lists, dicts (in the order of their keys), None, named tuples, and registered classes; all else
is a leaf. Error texts are JAX's.
"""

from __future__ import annotations

import collections
import dataclasses
import difflib
import functools
import operator
from typing import Any, Callable, Iterable, Iterator, NamedTuple

# -- key paths --------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class SequenceKey:
    """A position in a tuple or list."""

    idx: int

    def __str__(self) -> str:
        return f"[{self.idx!r}]"


@dataclasses.dataclass(frozen=True)
class DictKey:
    """A key of a dict."""

    key: Any

    def __str__(self) -> str:
        return f"[{self.key!r}]"


@dataclasses.dataclass(frozen=True)
class GetAttrKey:
    """An attribute."""

    name: str

    def __str__(self) -> str:
        return f".{self.name}"


@dataclasses.dataclass(frozen=True)
class FlattenedIndexKey:
    """A position among the parts of a registered class."""

    key: int

    def __str__(self) -> str:
        return f"[<flat index {self.key}>]"


def keystr(keys: Iterable[Any], *, simple: bool = False, separator: str = "") -> str:
    """A path as text: `['a'][0].w`, or with `simple` the bare names with a separator between them."""
    if not simple:
        return separator.join(map(str, keys))
    return separator.join(_simple(key) for key in keys)


def _simple(key: Any) -> str:
    for name in ("idx", "key", "name"):
        if hasattr(key, name):
            return str(getattr(key, name))
    return str(key)


# -- the registry of containers ---------------------------------------------------------------------------------


class _Container(NamedTuple):
    """How a class is taken apart and put together."""

    #: `(children, data)` of an instance.
    flatten: Callable[[Any], tuple[Iterable[Any], Any]]
    #: An instance from `(data, children)`.
    unflatten: Callable[[Any, Any], Any]
    #: The keys of the children of an instance, or None where they are numbered.
    keys: Callable[[Any], list[Any]] | None


def _sorted_keys(tree: dict[Any, Any]) -> list[Any]:
    try:
        return sorted(tree)
    except TypeError:
        raise ValueError("Comparator raised exception while sorting pytree dictionary keys.") from None


_registry: dict[type, _Container] = {
    collections.OrderedDict: _Container(
        lambda x: (tuple(x.values()), tuple(x)),
        lambda keys, children: collections.OrderedDict(zip(keys, children)),
        lambda x: [DictKey(key) for key in x],
    ),
    collections.defaultdict: _Container(
        lambda x: (tuple(x[key] for key in _sorted_keys(x)), (x.default_factory, tuple(_sorted_keys(x)))),
        lambda data, children: collections.defaultdict(data[0], zip(data[1], children)),
        lambda x: [DictKey(key) for key in _sorted_keys(x)],
    ),
}
_BUILTIN = len(_registry)


def reset() -> None:
    """Forgets the classes that programs registered."""
    for kind in list(_registry)[_BUILTIN:]:
        if kind is not Partial:
            del _registry[kind]


def register_pytree_node(
    nodetype: type, flatten_func: Any, unflatten_func: Any, flatten_with_keys_func: Any = None
) -> None:
    """Makes instances of a class containers: `flatten_func(x)` gives `(children, aux)`, `unflatten_func(aux, children)`
    an instance."""
    if not callable(flatten_func) or not callable(unflatten_func):
        raise TypeError("register_pytree_node: flatten_func and unflatten_func must be functions")
    if nodetype in _registry or nodetype in (tuple, list, dict, type(None)):
        raise ValueError(f"Duplicate custom PyTreeDef type registration for {nodetype}.")
    keys = None
    if flatten_with_keys_func is not None:
        keys = lambda x: [key for key, _ in flatten_with_keys_func(x)[0]]  # noqa: E731
    _registry[nodetype] = _Container(flatten_func, unflatten_func, keys)


def register_pytree_with_keys(
    nodetype: type, flatten_with_keys: Any, unflatten_func: Any, flatten_func: Any = None
) -> None:
    """As `register_pytree_node`; `flatten_with_keys(x)` gives `([(key, child), …], aux)`."""
    if flatten_func is None:

        def flatten_func(x: Any) -> Any:
            pairs, data = flatten_with_keys(x)
            return [child for _, child in pairs], data

    register_pytree_node(nodetype, flatten_func, unflatten_func, flatten_with_keys)


def register_pytree_node_class(cls: Any) -> Any:
    """A decorator for a class with `tree_flatten` and `tree_unflatten`."""
    register_pytree_node(cls, operator.methodcaller("tree_flatten"), cls.tree_unflatten)
    return cls


def register_pytree_with_keys_class(cls: Any) -> Any:
    """A decorator for a class with `tree_flatten_with_keys` and `tree_unflatten`."""
    plain = operator.methodcaller("tree_flatten") if hasattr(cls, "tree_flatten") else None
    register_pytree_with_keys(cls, operator.methodcaller("tree_flatten_with_keys"), cls.tree_unflatten, plain)
    return cls


def register_static(cls: Any) -> Any:
    """Makes instances of a class containers without leaves: the whole of them is structure."""
    register_pytree_node(cls, lambda x: ((), x), lambda x, _: x)
    return cls


def register_dataclass(nodetype: Any, data_fields: Any = None, meta_fields: Any = None, drop_fields: Any = ()) -> Any:
    """Makes a dataclass a container: fields with `metadata=dict(static=True)` are structure, the others children."""
    if data_fields is None or meta_fields is None:
        if (data_fields is None) != (meta_fields is None):
            raise TypeError("register_dataclass: data_fields and meta_fields must both be specified when either is specified.")
        if not dataclasses.is_dataclass(nodetype):
            raise TypeError("register_dataclass: data_fields and meta_fields are required when nodetype is not a dataclass.")
        fields = [field for field in dataclasses.fields(nodetype) if field.init]
        data_fields = [field.name for field in fields if not field.metadata.get("static", False)]
        meta_fields = [field.name for field in fields if field.metadata.get("static", False)]
    elif dataclasses.is_dataclass(nodetype):
        names = {field.name for field in dataclasses.fields(nodetype) if field.init} - set(drop_fields)
        given = {*data_fields, *meta_fields}
        if given != names:
            missing, spare = sorted(names - given), sorted(given - names)
            said = "".join(
                f" {what} fields: {fields}." for what, fields in (("Missing", missing), ("Unexpected", spare)) if fields
            )
            raise ValueError(
                "data_fields and meta_fields must include all dataclass fields with ``init=True`` and only them." + said
            )
    data_fields, meta_fields = tuple(data_fields), tuple(meta_fields)

    def take_apart(x: Any) -> Any:
        return tuple(getattr(x, name) for name in data_fields), tuple(getattr(x, name) for name in meta_fields)

    def put_together(meta: Any, data: Any) -> Any:
        return nodetype(**dict(zip(meta_fields, meta)), **dict(zip(data_fields, data)))

    register_pytree_node(nodetype, take_apart, put_together)
    _registry[nodetype] = _registry[nodetype]._replace(keys=lambda x: [GetAttrKey(name) for name in data_fields])
    return nodetype


class Partial(functools.partial):
    """A partial application that is a container: its arguments are children, its function is structure."""


register_pytree_node(
    Partial,
    lambda p: ((p.args, p.keywords), p.func),
    lambda func, children: Partial(func, *children[0], **children[1]),
)

# -- structures -------------------------------------------------------------------------------------------------


class PyTreeDef:
    """The structure of a tree: its containers, with places for leaves."""

    __slots__ = ("kind", "data", "nodes", "num_leaves", "num_nodes", "_hash")

    #: The class of the container; None for a leaf.
    kind: Any
    #: Keys of a dict, auxiliary data of a registered class.
    data: Any
    nodes: tuple[PyTreeDef, ...]
    num_leaves: int
    num_nodes: int

    def __init__(self, kind: Any, data: Any, nodes: tuple[PyTreeDef, ...]) -> None:
        self.kind = kind
        self.data = data
        self.nodes = nodes
        self._hash: int | None = None
        if kind is None:
            self.num_leaves = self.num_nodes = 1
            return
        leaves, count = 0, 1
        for node in nodes:
            leaves += node.num_leaves
            count += node.num_nodes
        self.num_leaves, self.num_nodes = leaves, count

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, PyTreeDef):
            return False
        return (
            self.kind is other.kind
            and self.num_nodes == other.num_nodes
            and self.nodes == other.nodes
            and (self.data is other.data or bool(self.data == other.data))
        )

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        if self._hash is None:
            try:
                data = hash(tuple(self.data) if isinstance(self.data, list) else self.data)
            except TypeError:
                data = 0
            self._hash = hash((self.kind, data, self.nodes))
        return self._hash

    def __repr__(self) -> str:
        return f"PyTreeDef({self._body()})"

    def _body(self) -> str:
        parts = [node._body() for node in self.nodes]
        kind = self.kind
        if kind is None:
            return "*"
        if kind is type(None):
            return "None"
        if kind is tuple:
            return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
        if kind is list:
            return f"[{', '.join(parts)}]"
        if kind is dict:
            return "{" + ", ".join(f"{key!r}: {part}" for key, part in zip(self.data, parts)) + "}"
        if _is_namedtuple(kind):
            return f"CustomNode(namedtuple[{kind.__name__}], [{', '.join(parts)}])"
        return f"CustomNode({kind.__name__}[{self.data}], [{', '.join(parts)}])"

    def children(self) -> list[PyTreeDef]:
        """Structures of the children."""
        return list(self.nodes)

    def node_data(self) -> tuple[Any, Any] | None:
        """The class of the outermost container and its data; None for a leaf."""
        if self.kind is None:
            return None
        return self.kind, list(self.data) if self.kind is dict else self.data

    def unflatten(self, leaves: Iterable[Any]) -> Any:
        """A tree of this structure with these leaves."""
        return unflatten(self, leaves)

    def flatten_up_to(self, tree: Any) -> list[Any]:
        """The parts of `tree` where this structure has its leaves."""
        out: list[Any] = []
        _up_to(self, tree, out)
        return out

    def compose(self, inner: PyTreeDef) -> PyTreeDef:
        """This structure with `inner` at each of its leaves."""
        if self.kind is None:
            return inner
        return PyTreeDef(self.kind, self.data, tuple(node.compose(inner) for node in self.nodes))

    def walk(self, f_node: Any, f_leaf: Any, leaves: Iterable[Any]) -> Any:
        """Folds a tree of this structure: `f_leaf` of leaves, `f_node` of the tuple of a container's results."""
        rest = iter(leaves)

        def fold(node: PyTreeDef) -> Any:
            if node.kind is None:
                leaf = next(rest)
                return f_leaf(leaf) if f_leaf else leaf
            return f_node(tuple(fold(child) for child in node.nodes), node.node_data())

        return fold(self)


_LEAF = PyTreeDef(None, None, ())
_NONE = PyTreeDef(type(None), None, ())


def _is_namedtuple(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, tuple) and hasattr(kind, "_fields")


def _take_apart(tree: Any) -> tuple[Any, Any, Any] | None:
    """Class, data and children of a container; None for a leaf."""
    kind = type(tree)
    if kind is tuple or kind is list:
        return kind, None, tree
    if kind is dict:
        keys = tuple(_sorted_keys(tree))
        return kind, keys, [tree[key] for key in keys]
    if tree is None:
        return kind, None, ()
    found = _registry.get(kind)
    if found is not None:
        children, data = found.flatten(tree)
        return kind, data, tuple(children)
    if _is_namedtuple(kind):
        return kind, None, tree
    return None


def _flatten(tree: Any, leaves: list[Any], is_leaf: Any) -> PyTreeDef:
    if is_leaf is not None and is_leaf(tree):
        leaves.append(tree)
        return _LEAF
    parts = _take_apart(tree)
    if parts is None:
        leaves.append(tree)
        return _LEAF
    kind, data, children = parts
    if tree is None:
        return _NONE
    return PyTreeDef(kind, data, tuple([_flatten(child, leaves, is_leaf) for child in children]))


def flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> tuple[list[Any], PyTreeDef]:
    """The leaves of a tree in order, and its structure."""
    leaves: list[Any] = []
    return leaves, _flatten(tree, leaves, is_leaf)


def _build(node: PyTreeDef, rest: Iterator[Any]) -> Any:
    kind = node.kind
    if kind is None:
        return next(rest)
    if kind is type(None):
        return None
    children = [_build(child, rest) for child in node.nodes]
    if kind is tuple:
        return tuple(children)
    if kind is list:
        return children
    if kind is dict:
        return dict(zip(node.data, children))
    found = _registry.get(kind)
    return found.unflatten(node.data, tuple(children)) if found else kind(*children)


def unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
    """A tree of a structure with these leaves; ValueError where there are too few or too many."""
    leaves = list(leaves)
    n = treedef.num_leaves
    if len(leaves) != n:
        if len(leaves) < n:
            raise ValueError(f"Too few leaves for PyTreeDef; expected {n}, got {len(leaves)}")
        raise ValueError(f"Too many leaves for PyTreeDef; expected {n}.")
    return _build(treedef, iter(leaves))


def structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> PyTreeDef:
    """The structure of a tree."""
    return flatten(tree, is_leaf)[1]


def _keys_of(tree: Any, kind: Any, data: Any, count: int) -> list[Any]:
    if kind is tuple or kind is list:
        return [SequenceKey(i) for i in range(count)]
    if kind is dict:
        return [DictKey(key) for key in data]
    found = _registry.get(kind)
    if found is not None and found.keys is not None:
        return found.keys(tree)
    if _is_namedtuple(kind):
        return [GetAttrKey(name) for name in kind._fields]
    return [FlattenedIndexKey(i) for i in range(count)]


def flatten_with_path(
    tree: Any, is_leaf: Callable[..., bool] | None = None, is_leaf_takes_path: bool = False
) -> tuple[list[tuple[tuple[Any, ...], Any]], PyTreeDef]:
    """The leaves of a tree with the paths to them, and its structure."""
    out: list[tuple[tuple[Any, ...], Any]] = []

    def visit(part: Any, path: tuple[Any, ...]) -> PyTreeDef:
        if is_leaf is not None and (is_leaf(path, part) if is_leaf_takes_path else is_leaf(part)):
            out.append((path, part))
            return _LEAF
        parts = _take_apart(part)
        if parts is None:
            out.append((path, part))
            return _LEAF
        kind, data, children = parts
        keys = _keys_of(part, kind, data, len(children))
        return PyTreeDef(kind, data, tuple(visit(child, (*path, key)) for key, child in zip(keys, children)))

    return out, visit(tree, ())


# -- one tree along another -------------------------------------------------------------------------------------


def _mismatch(node: PyTreeDef, tree: Any, path: tuple[Any, ...], name: str) -> str:
    """What is different at a place, in JAX's words; empty where nothing is at this level."""
    kind, got = node.kind, type(tree)
    where = f"at key path\n    {name}{keystr(path)}\nAt that key path, the prefix pytree {name} has a subtree of type"
    if got is not kind:
        shown = "<class 'jax._src.api_util.PytreeLeaf'>" if isinstance(tree, _Place) else got
        return (
            f"pytree structure error: different types {where}\n    {kind}\n"
            f"but at the same key path the full pytree has a subtree of different type\n    {shown}."
        )
    parts = _take_apart(tree)
    assert parts is not None
    _, data, children = parts
    if kind in (tuple, list) and len(children) != len(node.nodes):
        return (
            f"pytree structure error: different lengths of {kind.__name__} {where} {kind.__name__} of length "
            f"{len(node.nodes)}, but the full pytree has a subtree of the same type but of length {len(children)}."
        )
    if node.data != data:
        before, after = str(node.data), str(data)
        diff = "\n".join(
            "    " + line.rstrip("\n") for line in difflib.ndiff(before.splitlines(), after.splitlines())
        )
        return (
            f"pytree structure error: different pytree metadata {where}\n    {kind}\nwith metadata\n    {before}\n"
            "but at the same key path the full pytree has a subtree of the same type but with metadata\n"
            f"    {after}\nso the diff in the metadata at these pytree nodes is\n{diff}"
        )
    if len(children) != len(node.nodes):
        return (
            f"pytree structure error: different numbers of pytree children {where}\n    {kind}\nwith "
            f"{len(node.nodes)} child keys\nbut at the same key path the full pytree has a subtree of the same type but "
            f"with {len(children)} child keys."
        )
    return ""


class _Place:
    """Stands for a leaf where only a structure is known."""


def _up_to(
    node: PyTreeDef, tree: Any, out: list[Any], path: tuple[Any, ...] = (), name: str = "tree_map tree"
) -> None:
    if node.kind is None:
        out.append(tree)
        return
    if type(tree) is not node.kind:
        raise ValueError(_mismatch(node, tree, path, name))
    if node.kind is type(None):
        return
    wrong = _mismatch(node, tree, path, name)
    if wrong:
        raise ValueError(wrong)
    _, data, children = _take_apart(tree)  # type: ignore[misc]
    keys = _keys_of(tree, node.kind, data, len(children))
    for key, child, part in zip(keys, node.nodes, children):
        _up_to(child, part, out, (*path, key), name)


def flatten_axes(name: str, treedef: PyTreeDef, axes: Any) -> list[Any]:
    """A value for each leaf of a structure from a tree that is a prefix of it; None is a value too.

    Raises ValueError in JAX's words, with `name` for the prefix, where it is no prefix.
    """
    full = unflatten(treedef, [_Place()] * treedef.num_leaves)
    out: list[Any] = []

    def fill(prefix: Any, part: Any, path: tuple[Any, ...]) -> None:
        if prefix is None or _take_apart(prefix) is None:
            out.extend([prefix] * len(flatten(part)[0]))
            return
        kind, data, children = _take_apart(prefix)  # type: ignore[misc]
        node = PyTreeDef(kind, data, tuple(_LEAF for _ in children))
        wrong = _mismatch(node, part, path, name)
        if wrong:
            raise ValueError(
                f"{name} specification must be a tree prefix of the corresponding value; \n"
                f"  Mismatch details (1 found):\n  {wrong}"
            )
        _, _, parts = _take_apart(part)  # type: ignore[misc]
        for key, inner, value in zip(_keys_of(prefix, kind, data, len(children)), children, parts):
            fill(inner, value, (*path, key))

    fill(axes, full, ())
    return out


def map(f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:  # noqa: A001
    """A tree of the same structure whose leaves are what `f` makes of the leaves of all trees."""
    leaves, treedef = flatten(tree, is_leaf)
    columns = [leaves, *(treedef.flatten_up_to(other) for other in rest)]
    return unflatten(treedef, [f(*row) for row in zip(*columns)])


def map_with_path(
    f: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Any = None, is_leaf_takes_path: bool = False
) -> Any:
    """As `map`, and `f` gets the path to the leaf first."""
    found, treedef = flatten_with_path(tree, is_leaf, is_leaf_takes_path)
    columns = [treedef.flatten_up_to(other) for other in rest]
    return unflatten(treedef, [f(path, leaf, *row) for (path, leaf), *row in zip(found, *columns)])
