#%% buffer_callback forwards
import jax, jax.numpy as jnp, numpy as np
from jax.experimental.buffer_callback import buffer_callback
def host(ctx, out, x):
    np.asarray(out)[...] = np.asarray(x) * 2
f = buffer_callback(host, jax.ShapeDtypeStruct((3,), jnp.float32))
print(f(jnp.arange(3.0)))
print(jax.jit(f)(jnp.arange(3.0)))

#%% buffer_callback of a tree
import jax, jax.numpy as jnp, numpy as np
from jax.experimental.buffer_callback import buffer_callback
def host(ctx, out, x, y):
    np.asarray(out["s"])[...] = np.asarray(x) + np.asarray(y)
    np.asarray(out["d"])[...] = np.asarray(x) - np.asarray(y)
t = jax.ShapeDtypeStruct((2,), jnp.float32)
f = buffer_callback(host, {"s": t, "d": t})
print(f(jnp.array([1.0, 2.0]), jnp.array([10.0, 20.0])))

#%% grad of a buffer_callback
import jax, jax.numpy as jnp, numpy as np
from jax.experimental.buffer_callback import buffer_callback
def host(ctx, out, x):
    np.asarray(out)[...] = np.sin(np.asarray(x))
sin = buffer_callback(host, jax.ShapeDtypeStruct((3,), jnp.float32))
jax.grad(lambda x: jnp.sum(sin(x)))(jnp.arange(3.0))

#%% linear_transpose of a buffer_callback
import jax, jax.numpy as jnp, numpy as np
from jax.experimental.buffer_callback import buffer_callback
def host(ctx, out, x):
    np.asarray(out)[...] = 2 * np.asarray(x)
twice = buffer_callback(host, jax.ShapeDtypeStruct((3,), jnp.float32))
jax.linear_transpose(twice, jnp.ones(3))(jnp.ones(3))

#%% buffer_callback in a custom_vjp
import jax, jax.numpy as jnp, numpy as np
from jax.experimental.buffer_callback import buffer_callback
def host(ctx, out, x):
    np.asarray(out)[...] = np.sin(np.asarray(x))
host_sin = buffer_callback(host, jax.ShapeDtypeStruct((3,), jnp.float32))
@jax.custom_vjp
def sin(x):
    return host_sin(x)
sin.defvjp(lambda x: (sin(x), x), lambda x, g: (g * jnp.cos(x),))
print(jax.grad(lambda x: jnp.sum(sin(x) * x))(jnp.arange(3.0)))

#%% buffer_callback that returns a value
import jax, jax.numpy as jnp, numpy as np
from jax.experimental.buffer_callback import buffer_callback
f = buffer_callback(lambda ctx, out, x: np.asarray(x), jax.ShapeDtypeStruct((3,), jnp.float32))
try:
    f(jnp.arange(3.0))
except Exception as e:
    print("must not return any values" in str(e))

#%% buffer_callback with aliases
import jax, jax.numpy as jnp, numpy as np
from jax.experimental.buffer_callback import buffer_callback
def host(ctx, out, x):
    np.asarray(out)[0] += 1
f = buffer_callback(host, jax.ShapeDtypeStruct((3,), jnp.float32), input_output_aliases={0: 0})
print(jax.jit(f)(jnp.arange(3.0)))

#%% vmap of a buffer_callback
import jax, jax.numpy as jnp, numpy as np
from jax.experimental.buffer_callback import buffer_callback
def host(ctx, out, x):
    np.asarray(out)[...] = np.asarray(x) * 2
f = buffer_callback(host, jax.ShapeDtypeStruct((), jnp.float32), vmap_method="sequential")
print(jax.vmap(f)(jnp.arange(3.0)))

#%% vmap of a buffer_callback without a method
import jax, jax.numpy as jnp, numpy as np
from jax.experimental.buffer_callback import buffer_callback
f = buffer_callback(lambda ctx, out, x: None, jax.ShapeDtypeStruct((), jnp.float32))
jax.vmap(f)(jnp.arange(3.0))

#%% pure_callback
import jax, jax.numpy as jnp, numpy as np
f = lambda x: jax.pure_callback(lambda x: np.sin(x), jax.ShapeDtypeStruct(x.shape, x.dtype), x)
print(f(jnp.arange(3.0)), jax.jit(f)(jnp.arange(3.0)))

#%% pure_callback of a tree with keywords
import jax, jax.numpy as jnp, numpy as np
t = jax.ShapeDtypeStruct((2,), jnp.float32)
def host(x, *, y):
    return {"a": np.asarray(x) + 1, "b": (np.asarray(y) * 2,)}
print(jax.pure_callback(host, {"a": t, "b": (t,)}, jnp.zeros(2), y=jnp.ones(2)))

#%% grad of a pure_callback
import jax, jax.numpy as jnp, numpy as np
f = lambda x: jnp.sum(jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x))
jax.grad(f)(jnp.arange(3.0))

#%% jvp of a pure_callback
import jax, jax.numpy as jnp, numpy as np
f = lambda x: jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
jax.jvp(f, (jnp.arange(3.0),), (jnp.ones(3),))

#%% vmap of a pure_callback, one call a lane
import jax, jax.numpy as jnp, numpy as np
def host(x):
    print("called with", np.shape(x))
    return np.asarray(x) * 2
f = lambda x: jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x, vmap_method="sequential")
print(jax.vmap(f)(jnp.arange(3.0)))

#%% vmap of a pure_callback, expand_dims
import jax, jax.numpy as jnp, numpy as np
def host(x, y):
    print("called with", np.shape(x), np.shape(y))
    return np.asarray(x) * np.asarray(y)
f = lambda x, y: jax.pure_callback(host, jax.ShapeDtypeStruct((2,), jnp.float32), x, y, vmap_method="expand_dims")
print(jax.vmap(f, in_axes=(0, None))(jnp.ones((3, 2)), jnp.arange(2.0)))

#%% vmap of a pure_callback, broadcast_all
import jax, jax.numpy as jnp, numpy as np
def host(x, y):
    print("called with", np.shape(x), np.shape(y))
    return np.asarray(x) * np.asarray(y)
f = lambda x, y: jax.pure_callback(host, jax.ShapeDtypeStruct((2,), jnp.float32), x, y, vmap_method="broadcast_all")
print(jax.vmap(f, in_axes=(0, None))(jnp.ones((3, 2)), jnp.arange(2.0)))

#%% vmap of a pure_callback without a method
import jax, jax.numpy as jnp, numpy as np
f = lambda x: jax.pure_callback(np.sin, jax.ShapeDtypeStruct((), jnp.float32), x)
jax.vmap(f)(jnp.arange(3.0))

#%% vmap method that is none
import jax, jax.numpy as jnp, numpy as np
f = lambda x: jax.pure_callback(np.sin, jax.ShapeDtypeStruct((), jnp.float32), x, vmap_method="sideways")
jax.vmap(f)(jnp.arange(3.0))

#%% pure_callback of the wrong shape
import jax, jax.numpy as jnp, numpy as np
f = lambda x: jax.pure_callback(lambda x: np.ones(2, np.float32), jax.ShapeDtypeStruct((3,), jnp.float32), x)
try:
    jax.block_until_ready(f(jnp.arange(3.0)))
except Exception as e:
    print("failed", "(3,)" in str(e) and "(2,)" in str(e))

#%% io_callback counts
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import io_callback
n = 0
def host(x):
    global n
    n += 1
    return np.float32(n)
@jax.jit
def f(x):
    a = io_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x, ordered=True)
    b = io_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x, ordered=True)
    return a + 10 * b
print(f(1.0), f(1.0), n)

#%% grad of an io_callback
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import io_callback
f = lambda x: io_callback(np.sin, jax.ShapeDtypeStruct((), jnp.float32), x)
jax.grad(f)(1.0)

#%% vmap of an ordered io_callback
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import io_callback
f = lambda x: io_callback(np.sin, jax.ShapeDtypeStruct((), jnp.float32), x, ordered=True)
jax.vmap(f)(jnp.arange(2.0))

#%% vmap of an io_callback
import jax, jax.numpy as jnp, numpy as np
from jax.experimental import io_callback
f = lambda x: io_callback(lambda x: np.float32(x) + 1, jax.ShapeDtypeStruct((), jnp.float32), x)
print(jax.vmap(f)(jnp.arange(2.0)))

#%% debug.print
import jax, jax.numpy as jnp
jax.debug.print("x = {}, y = {y:.2f}", jnp.arange(3), y=jnp.float32(1.23456))
@jax.jit
def f(x):
    jax.debug.print("inside {x}", x=x, ordered=True)
    return x * 2
print(f(jnp.array([1.0, 2.0])))

#%% debug.print under grad and vmap
import jax, jax.numpy as jnp
def f(x):
    jax.debug.print("x = {}", x)
    return x ** 2
print(jax.grad(f)(3.0))
jax.vmap(f)(jnp.arange(3.0))

#%% debug.print with unused arguments
import jax, jax.numpy as jnp
jax.debug.print("x = {}", 1.0, 2.0)

#%% debug.print with an f-string
import jax, jax.numpy as jnp
x = 3.0
jax.debug.print(f"x = {x}", x=x)

#%% debug.print with a missing name
import jax, jax.numpy as jnp
jax.debug.print("x = {x}", y=1.0)

#%% debug.callback
import jax, jax.numpy as jnp
seen = []
@jax.jit
def f(x):
    jax.debug.callback(lambda v: seen.append(float(v)), x.sum())
    return x + 1
f(jnp.arange(3.0)); f(jnp.arange(4.0))
jax.effects_barrier()
print(seen)

#%% debug.callback of what is no function
import jax
jax.debug.callback(3, 1.0)

#%% a callback that raises
import jax, jax.numpy as jnp, numpy as np
def host(x):
    raise ValueError("the host is unwell")
f = lambda x: jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x)
try:
    print(f(1.0))
except Exception as e:
    print("the host is unwell" in str(e))

#%% jaxpr of callbacks
import jax, jax.numpy as jnp, numpy as np
def host(x):
    return np.sin(x)
text = str(jax.make_jaxpr(lambda x: jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x))(1.0))
print("pure_callback[" in text, "vmap_method=None" in text)

#%% pure_callback inside custom_jvp
import jax, jax.numpy as jnp, numpy as np
@jax.custom_jvp
def sin(x):
    return jax.pure_callback(lambda x: np.sin(x).astype(np.float32), jax.ShapeDtypeStruct(x.shape, x.dtype), x, vmap_method="expand_dims")
@sin.defjvp
def sin_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    return sin(x), jnp.cos(x) * t
x = jnp.arange(3.0)
print(jax.grad(lambda x: jnp.sum(sin(x)))(x))
print(jax.vmap(jax.grad(sin))(x))
