# Per-example gradients: vmap of grad
# Shows: a gradient of one example, mapped over a batch without a loop.
import jax
import jax.numpy as jnp


def loss(w, x, y):
    return (jnp.dot(w, x) - y) ** 2


w = jnp.array([1.0, -2.0, 0.5])
xs = jnp.reshape(jnp.arange(12.0), (4, 3)) / 10
ys = jnp.array([0.0, 1.0, 0.0, 1.0])

per_example = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))
gradients = per_example(w, xs, ys)
print(gradients)
print("their mean:", jnp.mean(gradients, axis=0))
