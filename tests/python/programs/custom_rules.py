#%% custom_jvp
import jax, jax.numpy as jnp
@jax.custom_jvp
def f(x, y):
    return jnp.sin(x) * y
@f.defjvp
def f_jvp(primals, tangents):
    x, y = primals
    dx, dy = tangents
    return f(x, y), jnp.cos(x) * dx * y + 100 * jnp.sin(x) * dy
print(f(2.0, 3.0), jax.grad(f, (0, 1))(2.0, 3.0))
print(jax.jvp(f, (2.0, 3.0), (1.0, 0.0)))
print(jax.vmap(jax.grad(f))(jnp.arange(2.0), jnp.ones(2)))

#%% custom_jvp with defjvps
import jax, jax.numpy as jnp
@jax.custom_jvp
def f(x, y):
    return x ** 2 * y
f.defjvps(lambda dx, out, x, y: 10 * x * dx, lambda dy, out, x, y: x * dy)
print(jax.grad(f, (0, 1))(3.0, 2.0))

#%% defjvps with None
import jax, jax.numpy as jnp
@jax.custom_jvp
def f(x, y):
    return x * y
f.defjvps(lambda dx, out, x, y: y * dx, None)
print(jax.grad(f, (0, 1))(3.0, 2.0))

#%% custom_jvp with nondiff_argnums
import jax, jax.numpy as jnp
from functools import partial
@partial(jax.custom_jvp, nondiff_argnums=(0,))
def app(f, x):
    return f(x)
@app.defjvp
def app_jvp(f, primals, tangents):
    (x,), (t,) = primals, tangents
    return f(x), 2.0 * t
print(app(jnp.sin, 1.0), jax.grad(app, argnums=1)(jnp.sin, 1.0))

#%% custom_vjp
import jax, jax.numpy as jnp
@jax.custom_vjp
def clip(x, lo, hi):
    return jnp.clip(x, lo, hi)
def fwd(x, lo, hi):
    return clip(x, lo, hi), (lo, hi, x)
def bwd(res, g):
    lo, hi, x = res
    return (jnp.where((x > lo) & (x < hi), g, 0.5 * g), None, None)
clip.defvjp(fwd, bwd)
print(jax.grad(lambda x: jnp.sum(clip(x, -1.0, 1.0)))(jnp.array([-2.0, 0.0, 2.0])))

#%% custom_vjp with nondiff_argnums
import jax, jax.numpy as jnp
from functools import partial
@partial(jax.custom_vjp, nondiff_argnums=(0, 2))
def f(g, x, n):
    return g(x) * n
def fwd(g, x, n):
    return f(g, x, n), x
def bwd(g, n, x, ct):
    return (ct * n * 10,)
f.defvjp(fwd, bwd)
print(jax.grad(f, argnums=1)(jnp.sin, 1.0, 3))

#%% custom_vjp of trees
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(p):
    return {"out": p["a"] * p["b"][0]}
def fwd(p):
    return f(p), p
def bwd(p, ct):
    return ({"a": ct["out"] * 2, "b": (ct["out"] * 3,)},)
f.defvjp(fwd, bwd)
print(jax.grad(lambda p: f(p)["out"])({"a": 1.0, "b": (2.0,)}))

#%% custom_vjp under jit and vmap
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(x):
    return jnp.sum(x ** 2)
f.defvjp(lambda x: (f(x), x), lambda x, g: (g * x * 7,))
print(jax.jit(jax.grad(f))(jnp.arange(3.0)))
print(jax.vmap(jax.grad(f))(jnp.arange(4.0).reshape(2, 2)))
print(jax.vjp(jax.vmap(f), jnp.ones((2, 2)))[1](jnp.array([1.0, 2.0])))

#%% jvp of a custom_vjp
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(x):
    return x ** 2
f.defvjp(lambda x: (f(x), x), lambda x, g: (2 * x * g,))
jax.jvp(f, (1.0,), (1.0,))

#%% second derivative through a custom_vjp
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(x):
    return jnp.sin(x)
f.defvjp(lambda x: (f(x), x), lambda x, g: (g * jnp.cos(x),))
print(jax.grad(jax.grad(f))(1.0))

#%% a custom_vjp without rules
import jax
@jax.custom_vjp
def f(x):
    return x
f(1.0)

#%% a custom_jvp without a rule
import jax
@jax.custom_jvp
def f(x):
    return x
f(1.0)

#%% bwd of the wrong length
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(x, y):
    return x * y
f.defvjp(lambda x, y: (f(x, y), (x, y)), lambda res, g: (g,))
jax.grad(f)(1.0, 2.0)

#%% bwd that returns no tuple
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(x):
    return x * 2
f.defvjp(lambda x: (f(x), None), lambda res, g: g * 2)
jax.grad(f)(1.0)

#%% bwd of the wrong shape
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(x):
    return jnp.sum(x)
f.defvjp(lambda x: (f(x), x), lambda x, g: (jnp.ones(2) * g,))
jax.grad(f)(jnp.ones(3))

#%% bwd of the wrong tree
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(p):
    return p["a"] * p["b"]
f.defvjp(lambda p: (f(p), p), lambda p, g: ({"a": g},))
jax.grad(f)({"a": 1.0, "b": 2.0})

#%% fwd that returns no pair
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(x):
    return x * 2
f.defvjp(lambda x: f(x), lambda res, g: (g,))
jax.grad(f)(1.0)

#%% fwd whose result has another structure
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(x):
    return x * 2
f.defvjp(lambda x: ((x, x), None), lambda res, g: (g,))
jax.grad(lambda x: f(x))(1.0)

#%% jvp rule that returns no pair
import jax, jax.numpy as jnp
@jax.custom_jvp
def f(x):
    return x * 2
@f.defjvp
def rule(primals, tangents):
    return tangents[0] * 2
jax.grad(f)(1.0)

#%% jvp rule with a tangent of another structure
import jax, jax.numpy as jnp
@jax.custom_jvp
def f(x):
    return x * 2
@f.defjvp
def rule(primals, tangents):
    return f(primals[0]), (tangents[0], tangents[0])
jax.grad(f)(1.0)

#%% jvp rule with a tangent of another shape
import jax, jax.numpy as jnp
@jax.custom_jvp
def f(x):
    return jnp.sum(x)
@f.defjvp
def rule(primals, tangents):
    return f(primals[0]), tangents[0]
jax.jvp(f, (jnp.ones(3),), (jnp.ones(3),))

#%% a tracer where nondiff_argnums says a setting
import jax, jax.numpy as jnp
from functools import partial
@partial(jax.custom_vjp, nondiff_argnums=(0,))
def f(n, x):
    return n * x
f.defvjp(lambda n, x: (f(n, x), None), lambda n, res, g: (g * n,))
jax.jit(lambda n: f(n, 2.0))(3.0)

#%% None where a cotangent is zero
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(x, y):
    return x * y
f.defvjp(lambda x, y: (f(x, y), y), lambda y, g: (g * y, None))
print(jax.grad(f, (0, 1))(1.0, 2.0))

#%% custom_gradient
import jax, jax.numpy as jnp
@jax.custom_gradient
def f(x):
    y = jnp.sin(x)
    def vjp(g):
        return (g * 10 * y,)
    return y, vjp
print(f(1.0), jax.grad(f)(1.0))

#%% custom_gradient of two arguments
import jax, jax.numpy as jnp
@jax.custom_gradient
def f(x, y):
    return x * y, lambda g: (g * y, g * x)
print(jax.grad(f, (0, 1))(3.0, 4.0))

#%% closure_convert
import jax, jax.numpy as jnp
def solve(f, x):
    f, consts = jax.closure_convert(f, x)
    return inner(f, x, *consts)
from functools import partial
@partial(jax.custom_vjp, nondiff_argnums=(0,))
def inner(f, x, *consts):
    return f(x, *consts)
def fwd(f, x, *consts):
    return inner(f, x, *consts), (x, consts)
def bwd(f, res, g):
    x, consts = res
    return (g * 2, *(g * 3 for _ in consts))
inner.defvjp(fwd, bwd)
print(jax.grad(lambda a: solve(lambda x: a * x, 2.0))(5.0))

#%% symbolic zeros in fwd
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(x, y):
    return x * y
def fwd(x, y):
    print(x.perturbed, y.perturbed)
    return x.value * y.value, (x.value, y.value)
def bwd(res, g):
    x, y = res
    return g * y, g * x
f.defvjp(fwd, bwd, symbolic_zeros=True)
print(jax.grad(f)(2.0, 3.0))

#%% rules that print while traced
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(x):
    print("primal")
    return x * 2
def fwd(x):
    print("fwd")
    return f(x), ()
def bwd(res, g):
    print("bwd")
    return (g * 2,)
f.defvjp(fwd, bwd)
f(1.0)
jax.grad(f)(1.0)

#%% custom_vjp with keyword arguments
import jax, jax.numpy as jnp
@jax.custom_vjp
def f(x, y=3.0):
    return x * y
f.defvjp(lambda x, y: (f(x, y), y), lambda y, g: (g * y, g))
print(jax.grad(lambda x: f(x, y=5.0))(1.0), jax.grad(lambda x: f(x))(1.0))

#%% jaxpr of a custom_jvp
import jax, jax.numpy as jnp
@jax.custom_jvp
def f(x):
    return jnp.sin(x)
f.defjvp(lambda p, t: (f(p[0]), t[0]))
print("custom_jvp_call[" in str(jax.make_jaxpr(f)(1.0)))
print(jax.make_jaxpr(jax.grad(f))(1.0))

#%% nondiff_argnames
import jax, jax.numpy as jnp
from functools import partial
@partial(jax.custom_vjp, nondiff_argnames=("n",))
def f(x, n):
    return x ** n
f.defvjp(lambda x, n: (f(x, n), x), lambda n, x, g: (g * n * 100.0,))
print(jax.grad(f)(2.0, 3))

#%% straight-through rounding
import jax, jax.numpy as jnp
@jax.custom_jvp
def ste(x):
    return jnp.round(x)
ste.defjvps(lambda t, out, x: t)
print(jax.grad(lambda x: jnp.sum(ste(x) ** 2))(jnp.array([0.4, 1.6])))
