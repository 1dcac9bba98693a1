#%% the founding example
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.buffer_callback import buffer_callback

def host_sin(ctx, out, x):
    np.asarray(out)[...] = np.sin(np.asarray(x))

sin = buffer_callback(host_sin, jax.ShapeDtypeStruct((4,), jnp.float32))

def loss(x):
    return jnp.sum(sin(x) * x)

print(jax.grad(loss)(jnp.arange(4.0)))

#%% a linear buffer callback, transposed
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.buffer_callback import buffer_callback

def host_twice(ctx, out, x):
    np.asarray(out)[...] = 2 * np.asarray(x)

twice = buffer_callback(host_twice, jax.ShapeDtypeStruct((3,), jnp.float32))

print(jax.linear_transpose(twice, jnp.ones(3))(jnp.array([1.0, 2.0, 3.0])))

#%% a callback of two arguments and a scalar result
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.buffer_callback import buffer_callback

def host(ctx, out, a, b):
    np.asarray(out)[...] = np.sum(np.asarray(a) * np.asarray(b) ** 2)

weighted = buffer_callback(host, jax.ShapeDtypeStruct((), jnp.float32))
print(jax.grad(lambda a, b: weighted(a, b), argnums=(0, 1))(jnp.ones(2), jnp.array([1.0, 3.0])))

#%% a callback of several results
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.buffer_callback import buffer_callback

def host(ctx, out, x):
    np.asarray(out["s"])[...] = np.sin(np.asarray(x))
    np.asarray(out["c"])[...] = np.cos(np.asarray(x))

t = jax.ShapeDtypeStruct((2,), jnp.float32)
both = buffer_callback(host, {"s": t, "c": t})

def loss(x):
    out = both(x)
    return jnp.sum(out["s"] * x) + jnp.sum(out["c"])

print(jax.grad(loss)(jnp.array([0.5, 1.0])))

#%% pure_callback in a function of its own
import jax
import jax.numpy as jnp
import numpy as np

def host_sin(x):
    return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

print(jax.grad(lambda x: jnp.sum(host_sin(x)))(jnp.arange(3.0)))

#%% pure_callback as a lambda
import jax
import jax.numpy as jnp
import numpy as np

f = lambda x: jax.pure_callback(np.tanh, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
value, slope = jax.value_and_grad(lambda x: f(x) * 2)(0.5 * jnp.ones(()))
print(value, slope)

#%% pure_callback inside a larger function
import jax
import jax.numpy as jnp
import numpy as np

def loss(params, x):
    """The loss of a model whose last layer is somebody else's."""
    h = jnp.tanh(params["w"] * x)
    y = jax.pure_callback(lambda a: np.exp(-a).astype(np.float32), jax.ShapeDtypeStruct(h.shape, h.dtype), h)
    return jnp.mean(y ** 2)

print(jax.grad(loss)({"w": jnp.array(0.3)}, jnp.arange(3.0)))

#%% a callback that knows a local value
import jax
import jax.numpy as jnp
import numpy as np

def loss(x, power=3):
    def host(a):
        return np.asarray(a) ** np.float32(power)
    shape = jax.ShapeDtypeStruct(x.shape, x.dtype)
    return jnp.sum(jax.pure_callback(host, shape, x))

print(jax.grad(loss)(jnp.array([1.0, 2.0])))

#%% jvp of a callback
import jax
import jax.numpy as jnp
import numpy as np

f = lambda x: jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
print(jax.jvp(lambda x: f(x) * x, (jnp.array([0.5, 1.0]),), (jnp.array([1.0, 0.0]),)))

#%% a callback that only looks on
import jax
import jax.numpy as jnp
from jax.experimental import io_callback

def loss(x):
    io_callback(lambda v: print("saw", v), None, x)
    return jnp.sum(x ** 2)

print(jax.grad(loss)(jnp.arange(2.0)))

#%% vmap of a callback without a method
import jax
import jax.numpy as jnp
import numpy as np

f = lambda x: jax.pure_callback(lambda v: np.float32(v) * 2, jax.ShapeDtypeStruct((), jnp.float32), x)
print(jax.vmap(f)(jnp.arange(3.0)))

#%% vmap of a buffer callback without a method
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.buffer_callback import buffer_callback

def host(ctx, out, x):
    np.asarray(out)[...] = np.asarray(x) + 1

bump = buffer_callback(
    host,
    jax.ShapeDtypeStruct((), jnp.float32),
)
print(jax.vmap(bump)(jnp.arange(3.0)))

#%% a branch on a traced value
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    if x > 0:
        return x * 2
    return -x

print(f(3.0), f(-1.0))

#%% a branch that assigns
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    y = x
    if x < 0:
        y = -x
    else:
        y = x ** 2
    return y + 1

print(f(3.0), f(-1.0))

#%% a conditional expression
import jax

f = jax.jit(lambda x: x if x > 0 else 0.1 * x)
print(f(2.0), f(-2.0))

#%% a loop as long as an argument says
import jax
import jax.numpy as jnp

@jax.jit
def power(x, n):
    out = 1.0
    for _ in range(n):
        out = out * x
    return out

print(power(2.0, 3))

#%% grad of a vector
import jax
import jax.numpy as jnp

def f(x):
    return jnp.sin(x) * x

print(jax.grad(f)(jnp.array([0.5, 1.0])))

#%% grad of a vector lambda
import jax
import jax.numpy as jnp

print(jax.grad(lambda x: x ** 2)(jnp.arange(3.0)))

#%% grad at an integer
import jax

print(jax.grad(lambda x: x ** 2)(3))

#%% grad at an array of integers
import jax
import jax.numpy as jnp

x = jnp.arange(3)
print(jax.grad(lambda x: jnp.sum(x ** 2))(x))

#%% bwd without a tuple
import jax
import jax.numpy as jnp

@jax.custom_vjp
def f(x):
    return jnp.sin(x)

def f_fwd(x):
    return f(x), x

def f_bwd(x, g):
    return g * jnp.cos(x)

f.defvjp(f_fwd, f_bwd)
print(jax.grad(f)(1.0))

#%% names imported one by one
from jax import grad, pure_callback, ShapeDtypeStruct
from jax.numpy import sum, arange
import numpy as np

def loss(x):
    return sum(pure_callback(np.cos, ShapeDtypeStruct(x.shape, x.dtype), x))

print(grad(loss)(arange(3.0)))

#%% the callback itself under grad
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.buffer_callback import buffer_callback

def host(ctx, out, x):
    np.asarray(out)[...] = np.asarray(x) ** 2

square = buffer_callback(host, jax.ShapeDtypeStruct((), jnp.float32))
print(jax.grad(square)(3.0))

#%% inside a method
import jax
import jax.numpy as jnp
import numpy as np

class Layer:
    def __init__(self, scale):
        self.scale = scale

    def __call__(self, x):
        y = jax.pure_callback(np.arctan, jax.ShapeDtypeStruct(x.shape, x.dtype), x * self.scale)
        return y.sum()

print(jax.grad(Layer(2.0))(jnp.arange(2.0)))

#%% ünïcode and tabs before the call
import jax
import jax.numpy as jnp
import numpy as np

é = "🙂"; f = lambda x: jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)
print("🙂", jax.grad(lambda x: ("é", f(x))[1])(1.0 * jnp.ones(())))
