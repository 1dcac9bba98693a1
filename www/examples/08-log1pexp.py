# log1pexp with a custom_jvp rule
# Shows: a derivative that is right on paper and NaN in float32, mended.
import jax
import jax.numpy as jnp


def naive(x):
    return jnp.log(1.0 + jnp.exp(x))


@jax.custom_jvp
def log1pexp(x):
    return jnp.log(1.0 + jnp.exp(x))


@log1pexp.defjvp
def log1pexp_jvp(primals, tangents):
    (x,), (t,) = primals, tangents
    # Written so that exp(x) may overflow: 1 - 1 / inf is 1.
    slope = 1.0 - 1.0 / (1.0 + jnp.exp(x))
    return log1pexp(x), slope * t


print("at 3:  ", jax.grad(naive)(3.0), jax.grad(log1pexp)(3.0))
print("at 100:", jax.grad(naive)(100.0), jax.grad(log1pexp)(100.0))
print("second derivative at 3:", jax.grad(jax.grad(log1pexp))(3.0))
