#%% scan
import jax, jax.numpy as jnp
from jax import lax
def step(c, x):
    return c + x, c * x
print(lax.scan(step, 0.0, jnp.arange(5.0)))
print(lax.scan(step, 0.0, jnp.arange(5.0), reverse=True))

#%% scan of trees
import jax, jax.numpy as jnp
from jax import lax
def step(c, x):
    new = {"a": c["a"] + x[0], "n": c["n"] + 1}
    return new, (new["a"], x[1] * 2)
print(lax.scan(step, {"a": 0.0, "n": 0}, (jnp.arange(3.0), jnp.ones((3, 2)))))

#%% scan without slices
import jax, jax.numpy as jnp
from jax import lax
print(lax.scan(lambda c, _: (c * 2, c), 1.0, None, length=4))

#%% gradients of scan
import jax, jax.numpy as jnp
from jax import lax
def f(w, xs):
    def step(c, x):
        c = jnp.tanh(w * c + x)
        return c, c
    return lax.scan(step, 0.0, xs)[1].sum()
xs = jnp.array([0.1, 0.2, 0.3])
print(jax.grad(f, (0, 1))(0.5, xs))
print(jax.jvp(f, (0.5, xs), (1.0, jnp.zeros(3))))
print(jax.grad(jax.grad(f))(0.5, xs), jax.jit(jax.grad(f))(0.5, xs))

#%% vmap of scan
import jax, jax.numpy as jnp
from jax import lax
f = lambda c, xs: lax.scan(lambda c, x: (c + x, c), c, xs)
print(jax.vmap(f)(jnp.arange(2.0), jnp.ones((2, 3))))
print(jax.vmap(f, in_axes=(0, None))(jnp.arange(2.0), jnp.ones(3)))

#%% jaxpr of scan
import jax, jax.numpy as jnp
from jax import lax
print(jax.make_jaxpr(lambda xs: lax.scan(lambda c, x: (c + x, c), 0.0, xs))(jnp.arange(3.0)))

#%% a scan whose carry changes its type
import jax, jax.numpy as jnp
from jax import lax
lax.scan(lambda c, x: (c + 0.5, x), 0, jnp.arange(3))

#%% a scan whose carry changes its tree
import jax, jax.numpy as jnp
from jax import lax
lax.scan(lambda c, x: ((c, c), x), 0.0, jnp.arange(3.0))

#%% a scan that gives no pair
import jax, jax.numpy as jnp
from jax import lax
lax.scan(lambda c, x: c + x, 0.0, jnp.arange(3.0))

#%% cond
import jax, jax.numpy as jnp
from jax import lax
f = lambda x: lax.cond(x > 0, lambda x: x * 2, lambda x: -x, x)
print(f(3.0), f(-3.0), jax.jit(f)(2.0), jax.grad(f)(3.0), jax.grad(f)(-3.0), jax.vmap(f)(jnp.array([-1.0, 2.0])))

#%% cond without operands
import jax, jax.numpy as jnp
from jax import lax
print(lax.cond(True, lambda: 1, lambda: 2), jax.jit(lambda p, x: lax.cond(p, lambda: x, lambda: x + 1))(False, 1.0))

#%% jaxpr of cond
import jax, jax.numpy as jnp
from jax import lax
print(jax.make_jaxpr(lambda x: lax.cond(x > 0, jnp.sin, jnp.cos, x))(1.0))

#%% cond with other results
import jax, jax.numpy as jnp
from jax import lax
lax.cond(True, lambda x: x, lambda x: (x, x), 1.0)

#%% cond with results of other types
import jax, jax.numpy as jnp
from jax import lax
lax.cond(True, lambda x: x, lambda x: 1, jnp.ones(2))

#%% switch
import jax, jax.numpy as jnp
from jax import lax
branches = [lambda x: x, lambda x: x * 10, lambda x: -x]
print([lax.switch(i, branches, 2.0) for i in (-1, 0, 1, 2, 9)])
print(jax.grad(lambda x: lax.switch(1, branches, x))(2.0), jax.vmap(lambda i: lax.switch(i, branches, 1.0))(jnp.arange(3)))

#%% while_loop
import jax, jax.numpy as jnp
from jax import lax
print(lax.while_loop(lambda v: v < 100, lambda v: v * 2, 3))
print(lax.while_loop(lambda s: s[0] < 5, lambda s: (s[0] + 1, s[1] * 2.0), (0, 1.0)))
print(jax.jit(lambda n: lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, s[1] + s[0]), (0, 0)))(5))
print(jax.vmap(lambda n: lax.while_loop(lambda v: v < n, lambda v: v + 2, 0))(jnp.array([1, 4, 7])))
print(jax.jvp(lambda x: lax.while_loop(lambda v: v < 10.0, lambda v: v * x, x), (2.0,), (1.0,)))

#%% while_loop in reverse
import jax, jax.numpy as jnp
from jax import lax
jax.grad(lambda x: lax.while_loop(lambda v: v < 10.0, lambda v: v * 2, x))(1.0)

#%% fori_loop
import jax, jax.numpy as jnp
from jax import lax
print(lax.fori_loop(0, 5, lambda i, v: v + i, 0), lax.fori_loop(2, 4, lambda i, v: v * i, 1.0))
print(jax.grad(lambda x: lax.fori_loop(0, 3, lambda i, v: v * x, x))(2.0))
print(jax.jit(lambda n: lax.fori_loop(0, n, lambda i, v: v + 1, 0))(4))

#%% map
import jax, jax.numpy as jnp
from jax import lax
print(lax.map(lambda x: x ** 2, jnp.arange(4.0)), lax.map(lambda x: x + 1, jnp.arange(5), batch_size=2))

#%% associative_scan
import jax, jax.numpy as jnp
from jax import lax
print(lax.associative_scan(jnp.add, jnp.arange(5)), lax.associative_scan(jnp.multiply, jnp.arange(1.0, 5.0), reverse=True))
print(lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), (jnp.full(4, 0.5), jnp.ones(4))))

#%% prints inside
import jax, jax.numpy as jnp
from jax import lax
def step(c, x):
    jax.debug.print("c = {c}", c=c, ordered=True)
    return c + x, None
lax.scan(step, 0.0, jnp.arange(3.0))

#%% a pendulum
import jax, jax.numpy as jnp
from jax import lax
def simulate(theta, length):
    def step(state, _):
        angle, speed = state
        speed = speed - 0.01 * 9.81 / length * jnp.sin(angle)
        angle = angle + 0.01 * speed
        return (angle, speed), angle
    return lax.scan(step, (theta, 0.0), None, length=100)[1]
print(simulate(0.5, 1.0)[::25], jax.grad(lambda l: simulate(0.5, l)[-1])(1.0))

#%% custom_vjp inside scan
import jax, jax.numpy as jnp
from jax import lax
@jax.custom_vjp
def f(x):
    return jnp.sin(x)
f.defvjp(lambda x: (f(x), x), lambda x, g: (2 * g * jnp.cos(x),))
print(jax.grad(lambda x: lax.scan(lambda c, _: (f(c), None), x, None, length=3)[0])(1.0))
