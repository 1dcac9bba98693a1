# The jaxpr of a gradient
# Shows: what grad makes of a function, equation by equation.
import jax
import jax.numpy as jnp


def f(x, y):
    return jnp.sum(jnp.sin(x) * y)


x = jnp.arange(3.0)
print(jax.make_jaxpr(f)(x, x))
print(jax.make_jaxpr(jax.grad(f))(x, x))
# In the Jaxpr view, point at an equation to see where it comes from.
