#%% grad of a vector
import jax, jax.numpy as jnp
jax.grad(lambda x: x * 2)(jnp.arange(3.0))

#%% grad of a tuple
import jax, jax.numpy as jnp
jax.grad(lambda x: (x, x))(1.0)

#%% grad of None
import jax, jax.numpy as jnp
def f(x):
    x * 2
jax.grad(f)(1.0)

#%% grad at integers
import jax, jax.numpy as jnp
jax.grad(lambda x: x ** 2)(3)

#%% grad of an integer result
import jax, jax.numpy as jnp
jax.grad(lambda x: jnp.argmax(x))(jnp.arange(3.0))

#%% grad with argnums out of bounds
import jax
jax.grad(lambda x: x, argnums=1)(1.0)

#%% grad of what is no function
import jax
jax.grad(3)

#%% grad of text
import jax
jax.grad(lambda x: 1.0)("a")

#%% a branch on a traced value
import jax
@jax.jit
def f(x):
    if x > 0:
        return x
    return -x
f(1.0)

#%% a while loop on a traced value
import jax
@jax.jit
def f(x):
    while x < 10:
        x = x * 2
    return x
f(1.0)

#%% and of traced values
import jax
jax.jit(lambda x: x > 0 and x < 1)(0.5)

#%% float of a traced value
import jax
jax.jit(lambda x: float(x))(1.0)

#%% int of a traced value
import jax
jax.jit(lambda x: int(x))(1)

#%% range of a traced value
import jax
jax.jit(lambda n: [i for i in range(n)])(3)

#%% item of a traced value
import jax, jax.numpy as jnp
jax.jit(lambda x: x.item())(jnp.array(1.0))

#%% numpy of a traced value
import jax, numpy as np
jax.jit(lambda x: np.sin(x))(1.0)

#%% np.asarray of a traced value
import jax, numpy as np
jax.jit(lambda x: np.asarray(x))(1.0)

#%% a shape that is traced
import jax, jax.numpy as jnp
jax.jit(lambda n: jnp.zeros(n))(3)

#%% a leaked tracer
import jax, jax.numpy as jnp
kept = []
@jax.jit
def f(x):
    kept.append(x * 2)
    return x
f(1.0)
print(kept[0] + 1)

#%% jit of text
import jax
jax.jit(lambda x: x)("a")

#%% a static argument that can't be hashed
import jax
jax.jit(lambda x, n: x, static_argnums=1)(1.0, [2])

#%% a static array
import jax, jax.numpy as jnp
jax.jit(lambda x, n: x, static_argnums=1)(1.0, jnp.arange(2))

#%% static_argnums out of bounds
import jax
jax.jit(lambda x: x, static_argnums=3)(1.0)

#%% a static name that is none
import jax
jax.jit(lambda x: x, static_argnames="y")

#%% jit that returns text
import jax
jax.jit(lambda x: "done")(1.0)

#%% vmap of other sizes
import jax, jax.numpy as jnp
jax.vmap(lambda a, b: a + b)(jnp.ones(3), jnp.ones(4))

#%% vmap of scalars
import jax
jax.vmap(lambda x: x)(1.0)

#%% vmap with too few in_axes
import jax, jax.numpy as jnp
jax.vmap(lambda a, b: a, in_axes=(0,))(jnp.ones(3), jnp.ones(3))

#%% vmap with an axis that is text
import jax, jax.numpy as jnp
jax.vmap(lambda a: a, in_axes="0")(jnp.ones(3))

#%% vmap of no arrays
import jax
jax.vmap(lambda: 1.0)()

#%% vmap axis out of bounds
import jax, jax.numpy as jnp
jax.vmap(lambda a: a, in_axes=1)(jnp.ones(3))

#%% vmap without out_axes for a batched result
import jax, jax.numpy as jnp
jax.vmap(lambda a: a, out_axes=None)(jnp.ones(3))

#%% jvp of no tuples
import jax
jax.jvp(lambda x: x, 1.0, 1.0)

#%% jvp of other trees
import jax
jax.jvp(lambda x, y: x, (1.0, 2.0), (1.0,))

#%% jvp of other dtypes
import jax, jax.numpy as jnp
jax.jvp(lambda x: x, (1.0,), (1,))

#%% jvp of other shapes
import jax, jax.numpy as jnp
jax.jvp(lambda x: x, (jnp.ones(3),), (jnp.ones(2),))

#%% vjp with two cotangents
import jax
_, pull = jax.vjp(lambda x: (x, x), 1.0)
pull(1.0, 1.0)

#%% vjp with a cotangent of another tree
import jax
_, pull = jax.vjp(lambda x: (x, x), 1.0)
pull(1.0)

#%% vjp with a cotangent of another shape
import jax, jax.numpy as jnp
_, pull = jax.vjp(lambda x: x * 2, jnp.ones(3))
pull(jnp.ones(2))

#%% linear_transpose of what is not linear
import jax, jax.numpy as jnp
jax.linear_transpose(jnp.sin, 1.0)(1.0)

#%% has_aux without a pair
import jax
jax.grad(lambda x: x, has_aux=True)(1.0)

#%% value of a global that is not there
import jax
jax.grad(lambda x: x * undefined)(1.0)

#%% an exception inside a transform
import jax
def f(x):
    raise KeyError("nothing here")
jax.jit(jax.grad(f))(1.0)

#%% exceptions can be caught
import jax, jax.numpy as jnp
try:
    jax.grad(lambda x: x)(jnp.ones(2))
except TypeError as e:
    print("caught", str(e)[:40])
try:
    jax.jit(lambda x: 1 if x else 2)(1.0)
except jax.errors.TracerBoolConversionError as e:
    print("caught", type(e).__name__, isinstance(e, jax.errors.ConcretizationTypeError))
try:
    jax.jit(lambda x: float(x))(1.0)
except jax.errors.ConcretizationTypeError as e:
    print("caught", isinstance(e, TypeError))
print(jax.grad(jnp.sin)(0.0))

#%% classes of errors
import jax
for name in ("ConcretizationTypeError", "TracerArrayConversionError", "TracerBoolConversionError", "TracerIntegerConversionError", "NonConcreteBooleanIndexError", "UnexpectedTracerError"):
    cls = getattr(jax.errors, name)
    print(name, [c.__name__ for c in cls.__mro__ if c.__module__ == "builtins"])

#%% a generator
import jax
def f(x):
    yield x
jax.jit(f)(1.0)

#%% lax does not promote
import jax, jax.numpy as jnp
from jax import lax
lax.add(jnp.ones(2), jnp.ones(2, dtype=jnp.int32))

#%% lax does not broadcast
import jax, jax.numpy as jnp
from jax import lax
lax.mul(jnp.ones((2, 3)), jnp.ones(3))

#%% reading a donated shape
import jax, jax.numpy as jnp
print(jnp.ones(3).shape[5])

#%% a syntax of python
import jax
print(jax.grad(lambda x: x)(1.0)
