# A rule of the wrong structure
# Shows: leaf by leaf, what bwd must return and what it returned.
import jax
import jax.numpy as jnp


@jax.custom_vjp
def weighted(params, x):
    return jnp.sum(params["w"] * x + params["b"])


def weighted_fwd(params, x):
    return weighted(params, x), (params["w"], x)


def weighted_bwd(residuals, g):
    w, x = residuals
    # Two arguments need two cotangents, and the first a dict with b and w.
    return {"w": g * x}, g * w


weighted.defvjp(weighted_fwd, weighted_bwd)

params = {"w": jnp.array([1.0, 2.0]), "b": jnp.array([0.5, 0.5])}
print(jax.grad(weighted)(params, jnp.array([3.0, 4.0])))
