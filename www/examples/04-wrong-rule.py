# A wrong rule is caught
# Shows: every custom rule is compared with finite differences.
import jax
import jax.numpy as jnp


# This rule is found all over the web. It passes the cotangent on
# unchanged, which is right for x -> x and wrong for sin.
@jax.custom_vjp
def sin(x):
    return jnp.sin(x)


def sin_fwd(x):
    return jnp.sin(x), None


def sin_bwd(_, g):
    return (g,)


sin.defvjp(sin_fwd, sin_bwd)

x = jnp.array([0.0, 1.0, 2.0])
print("the rule says:", jax.grad(lambda x: jnp.sum(sin(x)))(x))
print("it should say:", jnp.cos(x))
# Diagnosis has the numbers.
