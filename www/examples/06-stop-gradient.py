# stop_gradient, straight through
# Shows: rounding has no useful gradient, until one is passed around it.
import jax
import jax.numpy as jnp


def hard(x):
    return jnp.sum(jnp.round(x) ** 2)


# Forward it rounds; backward the rounding is not there.
def round_through(x):
    return x + jax.lax.stop_gradient(jnp.round(x) - x)


def soft(x):
    return jnp.sum(round_through(x) ** 2)


x = jnp.array([0.2, 0.9, 2.4])
print("values:          ", hard(x), soft(x))
print("through round:   ", jax.grad(hard)(x))
print("straight through:", jax.grad(soft)(x))
