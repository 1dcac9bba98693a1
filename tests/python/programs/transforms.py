#%% grad of a sum of squares
import jax, jax.numpy as jnp
print(jax.grad(lambda x: jnp.sum(x ** 2))(jnp.arange(4.0)))

#%% grad with several argnums
import jax, jax.numpy as jnp
def f(x, y, z):
    return x * y + jnp.sin(z) * x
print(jax.grad(f, argnums=(0, 2))(2.0, 3.0, 0.5))
print(jax.grad(f, argnums=-1)(2.0, 3.0, 0.5))

#%% grad of trees
import jax, jax.numpy as jnp
params = {"w": jnp.ones((2, 3)), "b": jnp.zeros(3), "deep": [jnp.array(2.0), (jnp.array(3.0),)]}
def loss(p, x):
    return jnp.sum(jnp.tanh(x @ p["w"] + p["b"])) * p["deep"][0] + p["deep"][1][0] ** 2
g = jax.grad(loss)(params, jnp.array([0.1, 0.2]))
print(g)
print(jax.tree.map(jnp.shape, g))

#%% grad with auxiliary results
import jax, jax.numpy as jnp
def f(x):
    y = jnp.sin(x)
    return jnp.sum(y), {"y": y, "n": 3}
print(jax.grad(f, has_aux=True)(jnp.array([0.0, 1.0])))
print(jax.value_and_grad(f, has_aux=True)(jnp.array([0.0, 1.0])))

#%% value_and_grad
import jax, jax.numpy as jnp
v, g = jax.value_and_grad(lambda w: jnp.mean((w * 3 - 1) ** 2))(jnp.array([1.0, 2.0]))
print(v, g)
print(repr(v), repr(g))

#%% grad with keyword arguments
import jax, jax.numpy as jnp
def f(x, *, scale=1.0, shift):
    return jnp.sum(x * scale + shift)
print(jax.grad(f)(jnp.ones(3), scale=2.5, shift=1.0))

#%% second and third derivatives
import jax, jax.numpy as jnp
f = lambda x: x ** 5 + jnp.exp(2 * x)
for g in (f, jax.grad(f), jax.grad(jax.grad(f)), jax.grad(jax.grad(jax.grad(f)))):
    print(g(0.5))

#%% grad through python branches and loops
import jax, jax.numpy as jnp
def f(x):
    total = 0.0
    for i in range(4):
        if i % 2:
            total = total + x ** i
        else:
            total = total - x * i
    return total if x > 1 else -total
print(jax.grad(f)(2.0), jax.grad(f)(0.5))

#%% grad as decorator
import jax, jax.numpy as jnp
@jax.grad
def slope(x):
    return jnp.log(x) * x
print(slope(2.0), slope.__name__)

#%% jvp
import jax, jax.numpy as jnp
y, t = jax.jvp(lambda x, y: (x * y, jnp.sin(x)), (2.0, 3.0), (1.0, 0.5))
print(y, t)

#%% jvp with auxiliary results
import jax, jax.numpy as jnp
print(jax.jvp(lambda x: (x ** 2, x + 1), (jnp.arange(3.0),), (jnp.ones(3),), has_aux=True))

#%% vjp of several results
import jax, jax.numpy as jnp
out, pull = jax.vjp(lambda x, y: (x * y, x + y), 3.0, 4.0)
print(out)
print(pull((1.0, 0.0)), pull((0.0, 1.0)))

#%% vjp with auxiliary results
import jax, jax.numpy as jnp
out, pull, aux = jax.vjp(lambda x: (jnp.sum(x ** 3), x), jnp.arange(3.0), has_aux=True)
print(out, aux, pull(2.0))

#%% linearize
import jax, jax.numpy as jnp
y, f_lin = jax.linearize(lambda x: jnp.sin(x) * x, jnp.array([0.3, 0.7]))
print(y, f_lin(jnp.ones(2)), f_lin(jnp.array([2.0, 0.0])))

#%% linear_transpose
import jax, jax.numpy as jnp
A = jnp.arange(6.0).reshape(2, 3)
f = lambda x: A @ x
ft = jax.linear_transpose(f, jnp.ones(3))
print(ft(jnp.array([1.0, 2.0])))
ft = jax.linear_transpose(lambda x, y: 2 * x - 3 * y, 1.0, 1.0)
print(ft(1.0))

#%% linear_transpose at a ShapeDtypeStruct
import jax, jax.numpy as jnp
ft = jax.linear_transpose(lambda x: jnp.cumsum(x), jax.ShapeDtypeStruct((4,), jnp.float32))
print(ft(jnp.arange(4.0)))

#%% jacobians
import jax, jax.numpy as jnp
f = lambda x: jnp.array([x[0] * x[1], jnp.sin(x[1]), x[2] ** 2])
x = jnp.array([1.0, 2.0, 3.0])
print(jax.jacfwd(f)(x))
print(jax.jacrev(f)(x))
print(jax.jacobian(f)(x).shape)

#%% jacobians of trees
import jax, jax.numpy as jnp
f = lambda p: {"s": p["a"] * p["b"], "t": jnp.sum(p["a"])}
print(jax.jacrev(f)({"a": jnp.array([1.0, 2.0]), "b": jnp.array(3.0)}))
print(jax.jacfwd(f)({"a": jnp.array([1.0, 2.0]), "b": jnp.array(3.0)}))

#%% jacobian with argnums and aux
import jax, jax.numpy as jnp
f = lambda x, y: (x * y, x)
print(jax.jacfwd(f, argnums=(0, 1), has_aux=True)(jnp.array([1.0, 2.0]), jnp.array([3.0, 4.0])))

#%% hessian
import jax, jax.numpy as jnp
f = lambda x: jnp.sum(x ** 3) + x[0] * x[1]
print(jax.hessian(f)(jnp.array([1.0, 2.0])))

#%% hessian-vector product
import jax, jax.numpy as jnp
f = lambda x: jnp.sum(jnp.sin(x) * x ** 2)
hvp = lambda v: jax.jvp(jax.grad(f), (jnp.array([0.5, 1.0]),), (v,))[1]
print(hvp(jnp.array([1.0, 0.0])))

#%% vmap over both arguments
import jax, jax.numpy as jnp
print(jax.vmap(lambda a, b: a * b + 1)(jnp.arange(3.0), jnp.arange(3.0)))

#%% vmap with in_axes
import jax, jax.numpy as jnp
f = lambda a, b: a @ b
print(jax.vmap(f, in_axes=(0, None))(jnp.ones((2, 3)), jnp.arange(3.0)))
print(jax.vmap(f, in_axes=(1, 0))(jnp.ones((3, 2)), jnp.arange(6.0).reshape(2, 3)))

#%% vmap with out_axes
import jax, jax.numpy as jnp
f = lambda a: (a, a * 2)
print(jax.vmap(f, out_axes=(1, 0))(jnp.arange(6.0).reshape(2, 3)))

#%% vmap over trees
import jax, jax.numpy as jnp
tree = {"a": jnp.arange(3.0), "b": (jnp.ones((3, 2)), jnp.array(5.0))}
out = jax.vmap(lambda t: {"s": t["a"] + t["b"][0].sum() + t["b"][1]}, in_axes=({"a": 0, "b": (0, None)},))(tree)
print(out)

#%% vmap with keyword arguments
import jax, jax.numpy as jnp
print(jax.vmap(lambda x, y: x - y)(jnp.arange(3.0), y=jnp.ones(3)))

#%% vmap with axis_size
import jax, jax.numpy as jnp
print(jax.vmap(lambda: jnp.array(2.0), axis_size=3)())

#%% nested vmap is an outer product
import jax, jax.numpy as jnp
outer = jax.vmap(jax.vmap(lambda a, b: a * b, (None, 0)), (0, None))
print(outer(jnp.arange(3.0), jnp.arange(2.0) + 1))

#%% per-example gradients
import jax, jax.numpy as jnp
loss = lambda w, x, y: (jnp.dot(w, x) - y) ** 2
g = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(jnp.array([1.0, -1.0]), jnp.eye(2), jnp.array([0.5, 2.0]))
print(g)

#%% jit of grad of vmap
import jax, jax.numpy as jnp
f = jax.jit(jax.grad(lambda x: jnp.sum(jax.vmap(lambda a: jnp.sin(a) * a)(x))))
print(f(jnp.arange(3.0)))
print(f(jnp.arange(5.0)))

#%% grad of jit
import jax, jax.numpy as jnp
print(jax.grad(jax.jit(lambda x: x ** 3))(2.0))
print(jax.grad(jax.grad(jax.jit(lambda x: x ** 3)))(2.0))

#%% jit traces once for each type
import jax, jax.numpy as jnp
@jax.jit
def f(x):
    print("tracing", x.shape, x.dtype)
    return x + 1
f(jnp.ones(3)); f(jnp.zeros(3)); f(jnp.ones(4)); f(jnp.ones(3, dtype=jnp.int32)); f(1.0); f(2.0)

#%% jit with static arguments
import jax, jax.numpy as jnp
from functools import partial
@partial(jax.jit, static_argnums=(1,))
def power(x, n):
    print("tracing for", n)
    return x ** n
print(power(2.0, 3), power(3.0, 3), power(2.0, 2))

#%% jit with static names
import jax, jax.numpy as jnp
@jax.jit(static_argnames=("mode",))
def f(x, mode="sum"):
    return jnp.sum(x) if mode == "sum" else jnp.max(x)
x = jnp.arange(4.0)
print(f(x), f(x, mode="max"), f(x, "max"))

#%% jit with donated arguments
import jax, jax.numpy as jnp
f = jax.jit(lambda x: x + 1, donate_argnums=0)
print(f(jnp.arange(3.0)))

#%% jit of functions with trees and keywords
import jax, jax.numpy as jnp
@jax.jit
def f(t, *rest, k):
    return {"out": t["a"] + sum(rest) * k}
print(f({"a": jnp.ones(2)}, 1.0, 2.0, k=3.0))

#%% make_jaxpr
import jax, jax.numpy as jnp
print(jax.make_jaxpr(lambda x: jnp.sin(x) * 2.0)(1.0))
print(jax.make_jaxpr(jax.grad(lambda x: jnp.sum(jnp.tanh(x))))(jnp.ones(3)))

#%% make_jaxpr of jit
import jax, jax.numpy as jnp
@jax.jit
def inner(x):
    return x * x
print(jax.make_jaxpr(lambda x: inner(x) + 1)(jnp.ones(2)))

#%% make_jaxpr with shapes
import jax, jax.numpy as jnp
jaxpr, shape = jax.make_jaxpr(lambda x: {"y": x.sum(axis=0)}, return_shape=True)(jnp.ones((2, 3)))
print(jaxpr)
print(shape)

#%% eval_shape
import jax, jax.numpy as jnp
print(jax.eval_shape(lambda x: (x @ x.T, x.sum()), jnp.ones((2, 3))))
print(jax.eval_shape(lambda x: x + 1, jax.ShapeDtypeStruct((5,), jnp.int32)))

#%% grad of a function of integers allowed
import jax, jax.numpy as jnp
g = jax.grad(lambda x, y: x * y, argnums=(0, 1), allow_int=True)(3, 2.0)
print(g[0].dtype, g[1])

#%% forward over reverse agrees with reverse over forward
import jax, jax.numpy as jnp
f = lambda x: jnp.sum(jnp.exp(x) * jnp.sin(x))
x = jnp.array([0.1, 0.2])
a = jax.jacfwd(jax.grad(f))(x)
b = jax.jacrev(jax.jacfwd(f))(x)
print(jnp.allclose(a, b, atol=1e-5))
print(a)

#%% vmap of jvp and jvp of vmap
import jax, jax.numpy as jnp
f = jnp.cos
x, v = jnp.arange(3.0), jnp.ones(3)
a = jax.vmap(lambda x, v: jax.jvp(f, (x,), (v,))[1])(x, v)
b = jax.jvp(jax.vmap(f), (x,), (v,))[1]
print(a, b)

#%% stop_gradient
import jax, jax.numpy as jnp
from jax import lax
print(jax.grad(lambda x: x * lax.stop_gradient(x))(3.0))
print(jax.grad(lambda t: lax.stop_gradient(t)["a"] * t["b"])({"a": 2.0, "b": 5.0}))

#%% checkpoint leaves values as they are
import jax, jax.numpy as jnp
@jax.checkpoint
def f(x):
    return jnp.sin(jnp.sin(x))
print(f(1.0), jax.grad(f)(1.0))
g = jax.remat(lambda x: x ** 2)
print(jax.grad(g)(3.0))

#%% closures and partial
import jax, jax.numpy as jnp
from functools import partial
def f(a, x):
    return jnp.sum(a * x ** 2)
a = jnp.array([1.0, 2.0])
print(jax.grad(partial(f, a))(jnp.ones(2)))
print(jax.jit(lambda x: f(a, x))(jnp.ones(2)))

#%% classes with jitted methods
import jax, jax.numpy as jnp
from functools import partial
class Model:
    def __init__(self, w):
        self.w = w
    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return self.w * x
m = Model(3.0)
print(m(2.0), m(jnp.arange(3.0)))

#%% gradient descent
import jax, jax.numpy as jnp
X = jnp.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
y = jnp.array([1.0, 3.0, 5.0])
@jax.jit
def step(w):
    return w - 0.1 * jax.grad(lambda w: jnp.mean((X @ w - y) ** 2))(w)
w = jnp.zeros(2)
for _ in range(300):
    w = step(w)
print(jnp.round(w, 2))

#%% newton's method
import jax, jax.numpy as jnp
def newton(f, x, n=6):
    for _ in range(n):
        x = x - f(x) / jax.grad(f)(x)
    return x
print(newton(lambda x: x ** 2 - 2.0, 1.0))

#%% a jitted function of no arguments
import jax, jax.numpy as jnp
f = jax.jit(lambda: jnp.arange(3.0) + 1)
print(f())

#%% None and empty containers in arguments and results
import jax, jax.numpy as jnp
f = jax.jit(lambda t: (t, None, [], {}))
print(f((None, 1.0, ())))

#%% check_grads
import jax, jax.numpy as jnp
from jax.test_util import check_grads
check_grads(lambda x: jnp.sin(x) * x, (jnp.array([0.3, 0.6]),), order=2)
print("agrees")

#%% disable_jit
import jax, jax.numpy as jnp
@jax.jit
def f(x):
    return "yes" and (x if x > 0 else -x)
with jax.disable_jit():
    print(f(-2.0))

#%% value of grad at integers given as floats
import jax, jax.numpy as jnp
print(jax.grad(lambda x: x ** 2)(3.0), jax.grad(lambda x: 2 / x)(4.0))

#%% lower and trace give jaxprs
import jax, jax.numpy as jnp
print(jax.jit(lambda x: x + 1).trace(jnp.ones(2)).jaxpr)

#%% named scopes and calls change nothing
import jax, jax.numpy as jnp
@jax.named_call
def f(x):
    with jax.named_scope("inside"):
        return jnp.sin(x)
print(f(1.0), jax.grad(f)(1.0))

#%% vectorize
import jax, jax.numpy as jnp
from functools import partial
@partial(jnp.vectorize, signature="(n),(n)->()")
def dot(a, b):
    return jnp.sum(a * b)
print(dot(jnp.ones((2, 3)), jnp.arange(3.0)))
print(jnp.vectorize(lambda a, b: a + b)(jnp.arange(3.0)[:, None], jnp.arange(2.0)))
