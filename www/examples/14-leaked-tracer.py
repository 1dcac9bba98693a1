# A leaked tracer
# Shows: a value that outlives its trace, and where it was made.
import jax
import jax.numpy as jnp

remembered = None


@jax.jit
def f(x):
    global remembered
    doubled = x * 2
    remembered = doubled  # a side effect of tracing: it keeps a tracer, not a value
    return doubled + 1


print(f(jnp.array([1.0, 2.0])))
print(remembered + 1)
