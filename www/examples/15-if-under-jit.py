# An if under jit
# Shows: tracing has no value to decide on, and where it noticed.
import jax


def relu(x):
    if x > 0:
        return x
    return 0 * x


# Without jit the value is there, also under grad.
print("plain:", relu(3.0), "gradient:", jax.grad(relu)(3.0))

# With jit there is only a shape. jnp.where(x > 0, x, 0 * x) would do.
print("jit:", jax.jit(relu)(3.0))
