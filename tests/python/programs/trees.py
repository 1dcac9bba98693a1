#%% flatten and unflatten
import jax, collections
P = collections.namedtuple("P", "x y")
for t in (1, None, (), [1, (2, None)], {"b": 1, "a": [2]}, P(1, 2), collections.OrderedDict(b=1, a=2), collections.defaultdict(list, a=1)):
    leaves, d = jax.tree.flatten(t)
    print(leaves, d, d.num_leaves, jax.tree.unflatten(d, leaves) == t)

#%% map over several trees
import jax
print(jax.tree.map(lambda a, b: a + b, {"x": 1, "y": (2, 3)}, {"x": 10, "y": (20, 30)}))
print(jax.tree.map(lambda a, b: (a, b), (1, 2), ([3, 4], 5)))
print(jax.tree.map(lambda x: x is None, [1, None], is_leaf=lambda x: x is None))

#%% map of trees of other lengths
import jax
jax.tree.map(lambda a, b: a, (1, 2), (1, 2, 3))

#%% map of trees of other types
import jax
jax.tree.map(lambda a, b: a, {"a": 1}, [1])

#%% map of dicts with other keys
import jax
jax.tree.map(lambda a, b: a, {"a": 1}, {"b": 1})

#%% too few leaves
import jax
jax.tree.unflatten(jax.tree.structure((1, 2)), [1])

#%% paths
import jax
from jax.tree_util import keystr
t = {"a": [1, {"b": (2,)}], "c": 3}
for path, leaf in jax.tree_util.tree_leaves_with_path(t):
    print(keystr(path), leaf, path)
print(jax.tree_util.tree_map_with_path(lambda p, x: keystr(p, simple=True, separator="/"), t))

#%% a registered class
import jax, jax.numpy as jnp
class Point:
    def __init__(self, x, y, name):
        self.x, self.y, self.name = x, y, name
    def __repr__(self):
        return f"Point({self.x}, {self.y}, {self.name})"
jax.tree_util.register_pytree_node(Point, lambda p: ((p.x, p.y), p.name), lambda n, c: Point(*c, n))
p = Point(1.0, 2.0, "here")
print(jax.tree.map(lambda v: v * 2, p), jax.tree.structure(p))
print(jax.grad(lambda p: p.x ** 2 * p.y)(p))

#%% a registered class by decorator
import jax
@jax.tree_util.register_pytree_node_class
class Box:
    def __init__(self, *items):
        self.items = items
    def tree_flatten(self):
        return self.items, len(self.items)
    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)
print(jax.tree.leaves(Box(1, (2, 3))), jax.tree.map(str, Box(1, 2)).items)

#%% a dataclass
import jax, jax.numpy as jnp
from dataclasses import dataclass, field
@jax.tree_util.register_dataclass
@dataclass
class State:
    x: jax.Array
    v: jax.Array
    n: int = field(metadata=dict(static=True), default=3)
s = State(jnp.array(1.0), jnp.array(2.0))
print(jax.tree.map(lambda a: a + 1, s))
print(jax.grad(lambda s: s.x * s.v * s.n)(s))
print(jax.jit(lambda s: State(s.x + s.v, s.v, s.n + 1))(s))

#%% a dataclass that is not registered
import jax, jax.numpy as jnp
from dataclasses import dataclass
@dataclass
class S:
    x: float
jax.grad(lambda s: s.x ** 2)(S(1.0))

#%% a dataclass that is not registered, under jit
import jax, jax.numpy as jnp
from dataclasses import dataclass
@dataclass
class S:
    x: float
jax.jit(lambda s: s.x ** 2)(S(1.0))

#%% Partial
import jax, jax.numpy as jnp
from jax.tree_util import Partial
f = Partial(jnp.multiply, 3.0)
print(jax.jit(lambda f, x: f(x))(f, 2.0), jax.tree.leaves(f))

#%% transpose and broadcast
import jax
print(jax.tree.transpose(jax.tree.structure([0, 0]), jax.tree.structure({"a": 0}), [{"a": 1}, {"a": 2}]))
print(jax.tree.broadcast({"a": 1, "b": 2}, {"a": (0, 0), "b": 0}))

#%% reduce and all
import jax
print(jax.tree.reduce(lambda a, b: a + b, {"a": 1, "b": (2, 3)}), jax.tree.reduce(lambda a, b: a + b, [], 0), jax.tree.all([True, (False,)]))

#%% structures compare and compose
import jax
d = jax.tree.structure((1, [2, 3]))
print(d == jax.tree.structure((0, [0, 0])), d == jax.tree.structure((0, (0, 0))), d.children(), d.compose(jax.tree.structure([0])))
print(hash(d) == hash(jax.tree.structure((5, [6, 7]))), jax.tree_util.treedef_is_leaf(jax.tree.structure(1)))

#%% ravel_pytree
import jax, jax.numpy as jnp
from jax.flatten_util import ravel_pytree
flat, unravel = ravel_pytree({"b": jnp.ones((2, 2)), "a": jnp.array(5)})
print(flat, unravel(flat * 2))

#%% keys that can't be sorted
import jax
jax.tree.flatten({"a": 1, 1: 2})

#%% None is structure
import jax, jax.numpy as jnp
print(jax.grad(lambda t: t["a"] ** 2)({"a": 3.0, "b": None}), jax.vmap(lambda t: t)((jnp.arange(2), None)))

#%% dict order
import jax, jax.numpy as jnp
print(jax.jit(lambda d: d)({"z": 1, "a": 2}), list(jax.tree.map(lambda x: x, {"z": 1, "a": 2})))

#%% accessors
import jax
t = [1, {"k": 2}]
print(jax.tree_util.tree_leaves(t), jax.tree_util.tree_structure(t), jax.tree_util.all_leaves([1, 2]), jax.tree_util.tree_flatten_with_path(t)[0][1])
print(jax.tree_util.DictKey("a"), jax.tree_util.SequenceKey(0), jax.tree_util.GetAttrKey("x"))

#%% registering twice
import jax
class A: pass
jax.tree_util.register_pytree_node(A, lambda a: ((), None), lambda _, c: A())
jax.tree_util.register_pytree_node(A, lambda a: ((), None), lambda _, c: A())

#%% vmap axes of the wrong tree
import jax, jax.numpy as jnp
jax.vmap(lambda t: t["a"], in_axes=({"b": 0},))({"a": jnp.arange(3)})
