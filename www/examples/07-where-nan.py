# NaN through where
# Shows: the branch not taken still spoils the gradient, and the cure.
import jax
import jax.numpy as jnp


# At 0 the value is fine, but the derivative of sqrt there is infinite,
# and infinity times the 0 that where passes back is NaN.
def trap(x):
    return jnp.where(x > 0, jnp.sqrt(x), 0.0)


# The cure: give the branch not taken a harmless argument.
def safe(x):
    inside = jnp.where(x > 0, x, 1.0)
    return jnp.where(x > 0, jnp.sqrt(inside), 0.0)


print("values:   ", trap(0.0), safe(0.0))
print("gradients:", jax.grad(trap)(0.0), jax.grad(safe)(0.0))
print("at 4:     ", jax.grad(trap)(4.0), jax.grad(safe)(4.0))
