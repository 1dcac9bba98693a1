#%% ordered and default dicts
import jax
from collections import OrderedDict, defaultdict
tree = {"o": OrderedDict([("z", 1), ("a", 2)]), "d": defaultdict(list, {"q": 3, "b": 4})}
leaves, treedef = jax.tree.flatten(tree)
print(leaves)
print(treedef)
back = jax.tree.unflatten(treedef, [10, 20, 30, 40])
print(type(back["o"]).__name__, type(back["d"]).__name__, back["d"]["missing"])

#%% named tuples keep their names
import jax
from typing import NamedTuple
class Layer(NamedTuple):
    w: float
    b: float
doubled = jax.tree.map(lambda leaf: 2 * leaf, [Layer(1.0, 2.0)])
print(doubled)
print(jax.tree.structure(doubled))
print(jax.tree_util.tree_flatten_with_path(doubled)[0])

#%% keystr in its forms
import jax
flat, _ = jax.tree_util.tree_flatten_with_path({"a": [1, (2,)], "b": {"c": 3}})
for path, leaf in flat:
    print(jax.tree_util.keystr(path), jax.tree_util.keystr(path, simple=True, separator="/"), leaf)

#%% keys print and compare
from jax.tree_util import DictKey, FlattenedIndexKey, GetAttrKey, SequenceKey
for key in (DictKey("a"), SequenceKey(3), GetAttrKey("w"), FlattenedIndexKey(1)):
    print(str(key), repr(key))
print(DictKey("a") == DictKey("a"), SequenceKey(1) == SequenceKey(2))

#%% a class registered with keys
import jax
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y
jax.tree_util.register_pytree_with_keys(
    Point,
    lambda p: (((jax.tree_util.GetAttrKey("x"), p.x), (jax.tree_util.GetAttrKey("y"), p.y)), None),
    lambda _, children: Point(*children),
)
for path, leaf in jax.tree_util.tree_leaves_with_path({"p": Point(1, 2)}):
    print(jax.tree_util.keystr(path), leaf)

#%% map with paths
import jax
named = jax.tree_util.tree_map_with_path(
    lambda path, x, y: f"{jax.tree_util.keystr(path)}={x + y}", {"a": 1, "b": [2, 3]}, {"a": 10, "b": [20, 30]}
)
print(named)

#%% is_leaf stops the descent
import jax
pairs = [(1, 2), (3, 4)]
print(jax.tree.leaves(pairs, is_leaf=lambda node: isinstance(node, tuple)))
print(jax.tree.leaves([None, 1, None], is_leaf=lambda node: node is None))
print(jax.tree.map(lambda node: node is None, [None, 1], is_leaf=lambda node: node is None))

#%% too many leaves
import jax
treedef = jax.tree.structure({"a": 0, "b": (0, 0)})
jax.tree.unflatten(treedef, [1, 2, 3, 4])

#%% a map where a tuple meets a list
import jax
jax.tree.map(lambda a, b: a, (1, 2), [1, 2])

#%% a map where None meets a leaf
import jax
jax.tree.map(lambda a, b: a, {"a": None}, {"a": 1})

#%% children of a structure
import jax
treedef = jax.tree.structure({"a": 1, "b": [2, 3]})
print(treedef.children(), treedef.num_leaves, treedef.num_nodes)
print(jax.tree_util.treedef_is_leaf(jax.tree.structure(1)))
print(hash(treedef) == hash(jax.tree.structure({"a": 5, "b": [6, 7]})), treedef == jax.tree.structure(1))
print(jax.tree_util.treedef_tuple([treedef, jax.tree.structure(0)]))

#%% in_axes as a prefix of a tree
import jax, jax.numpy as jnp
def f(params, x):
    return params["w"] * x + params["b"]
params = {"w": jnp.arange(3.0), "b": jnp.float32(1)}
print(jax.vmap(f, in_axes=({"w": 0, "b": None}, None))(params, 2.0))
print(jax.vmap(lambda p, x: {"s": p["w"] + x, "x": x}, in_axes=(0, None), out_axes={"s": 0, "x": None})({"w": jnp.arange(2.0)}, 1.0))

#%% out_axes with another structure
import jax, jax.numpy as jnp
jax.vmap(lambda x: (x, x), out_axes=(0, 0, 0))(jnp.arange(2.0))

#%% in_axes of a tree that is not there
import jax, jax.numpy as jnp
jax.vmap(lambda d: d["a"], in_axes=({"b": 0},))({"a": jnp.arange(2.0)})

#%% ravel_pytree puts things back
import jax, jax.numpy as jnp
from jax.flatten_util import ravel_pytree
flat, unravel = ravel_pytree({"w": jnp.ones((2, 2)), "b": jnp.arange(3)})
print(flat, flat.dtype)
print(jax.tree.map(lambda x: (x.shape, str(x.dtype)), unravel(flat)))

#%% ravel_pytree of the wrong size
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
_, unravel = ravel_pytree([jnp.ones(2), jnp.ones(3)])
unravel(jnp.ones(4))

#%% grad of vmap of jvp
import jax, jax.numpy as jnp
def g(x):
    return jax.jvp(jnp.sin, (x,), (1.0,))[1]
print(jax.grad(lambda v: jax.vmap(g)(v).sum())(jnp.array([0.0, 0.5, 1.0])))

#%% vjp inside vmap inside jit
import jax, jax.numpy as jnp
@jax.jit
def rows(xs, cts):
    def one(x, ct):
        y, pull = jax.vjp(lambda v: v ** 3, x)
        return y, pull(ct)[0]
    return jax.vmap(one)(xs, cts)
print(rows(jnp.array([1.0, 2.0]), jnp.array([1.0, 0.5])))

#%% jacobian of a gradient of a jitted function
import jax, jax.numpy as jnp
f = jax.jit(lambda x: jnp.sum(jnp.exp(x) * x[::-1]))
h = jax.jacrev(jax.grad(f))(jnp.array([0.1, 0.2]))
print(jnp.allclose(h, jax.hessian(f)(jnp.array([0.1, 0.2])), rtol=1e-5))
print(h)

#%% perturbations don't mix
import jax
print(jax.grad(lambda x: x * jax.grad(lambda y: x + y)(x))(3.0))
print(jax.jvp(lambda x: jax.jvp(lambda y: x * y, (x,), (1.0,))[1], (2.0,), (1.0,)))

#%% linear_transpose of a linearized function
import jax, jax.numpy as jnp
x = jnp.array([0.5, 1.0])
y, lin = jax.linearize(lambda v: jnp.sin(v) * v[0], x)
(ct,) = jax.linear_transpose(lin, x)(jnp.ones(2))
print(ct)
print(jax.vjp(lambda v: jnp.sin(v) * v[0], x)[1](jnp.ones(2))[0])

#%% sequential_unrolled calls once a lane
import jax, jax.numpy as jnp, numpy as np
def host(x):
    print("host", x.shape)
    return np.asarray(x) * 2
def f(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x, vmap_method="sequential_unrolled")
print(jax.vmap(f)(jnp.arange(2.0)))

#%% ordered io_callbacks keep their order
import jax, jax.numpy as jnp
from jax.experimental import io_callback
seen = []
@jax.jit
def f(x):
    io_callback(lambda v: seen.append(float(v)), None, x, ordered=True)
    io_callback(lambda v: seen.append(float(v) * 10), None, x, ordered=True)
    return x
f(jnp.float32(2)).block_until_ready()
jax.effects_barrier()
print(seen)

#%% debug.print with formats
import jax, jax.numpy as jnp
@jax.jit
def f(x):
    jax.debug.print("a={a:.2f} b={b:>6} {0!r}", x, a=x, b=jnp.int32(7), ordered=True)
    return x
f(jnp.float32(1.5)).block_until_ready()
jax.effects_barrier()

#%% a custom_jvp of several results
import jax, jax.numpy as jnp
@jax.custom_jvp
def polar(x, y):
    return jnp.hypot(x, y), jnp.arctan2(y, x)
@polar.defjvp
def polar_jvp(primals, tangents):
    (x, y), (dx, dy) = primals, tangents
    r, a = polar(x, y)
    return (r, a), ((x * dx + y * dy) / r, (x * dy - y * dx) / r**2)
print(jax.jacfwd(polar, argnums=(0, 1))(3.0, 4.0))

#%% a custom_vjp with the wrong number of arguments
import jax
@jax.custom_vjp
def f(x, y):
    return x * y
f.defvjp(lambda x, y: (x * y, (x, y)), lambda res, g: (res[1] * g, res[0] * g))
f(1.0)

#%% a bwd of the wrong arity
import jax
@jax.custom_vjp
def f(x):
    return 2 * x
f.defvjp(lambda x: (2 * x, None), lambda g: (2 * g,))
jax.grad(f)(1.0)

#%% a defjvp rule of the wrong arity
import jax
@jax.custom_jvp
def f(x):
    return 2 * x
@f.defjvp
def f_jvp(primals):
    return 2 * primals[0], 0.0
jax.grad(f)(1.0)

#%% a bwd that returns integers
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(x):
    return jnp.sum(x)
f.defvjp(lambda x: (jnp.sum(x), x.shape), lambda shape, g: (jnp.ones(shape, jnp.int32),))
print(jax.grad(f)(jnp.arange(3.0)))

#%% static arguments of a method
import jax, jax.numpy as jnp
from functools import partial
class Model:
    def __init__(self, n):
        self.n = n
    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return x ** self.n
print(Model(2)(3.0), Model(3)(3.0))

#%% a frozen dataclass as a static argument
import dataclasses, jax, jax.numpy as jnp
from functools import partial
@dataclasses.dataclass(frozen=True)
class Config:
    scale: float
    relu: bool = True
@partial(jax.jit, static_argnames="config")
def f(x, *, config):
    return config.scale * (jax.nn.relu(x) if config.relu else x)
print(f(jnp.array([-1.0, 2.0]), config=Config(3.0)), f(jnp.array([-1.0, 2.0]), config=Config(3.0, False)))

#%% ensure_compile_time_eval gives values
import jax, jax.numpy as jnp
@jax.jit
def f(x):
    with jax.ensure_compile_time_eval():
        n = int(jnp.sum(jnp.arange(4)))
    return x * n
print(f(2.0))

#%% eval_shape of a tree
import jax, jax.numpy as jnp
out = jax.eval_shape(lambda p, x: {"y": p["w"] @ x, "n": x.sum()}, {"w": jnp.ones((3, 4))}, jax.ShapeDtypeStruct((4, 2), jnp.float32))
print(out)

#%% typeof says shape and type
import jax, jax.numpy as jnp
print(jax.typeof(jnp.ones((2, 3))), jax.typeof(1.0), jax.typeof(jnp.int32(1)), jax.typeof(True))
