# Transposing a callback
# Shows: even a linear callback has no transpose of its own.
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.buffer_callback import buffer_callback


# A running sum is linear, and its transpose is the running sum from the other end.
# JAX cannot know that: all it sees is a function that fills memory.
def host_cumsum(ctx, out, x):
    np.asarray(out)[...] = np.cumsum(np.asarray(x))


running_sum = buffer_callback(host_cumsum, jax.ShapeDtypeStruct((3,), jnp.float32))

print("forward:", running_sum(jnp.array([1.0, 2.0, 3.0])))

transposed = jax.linear_transpose(running_sum, jnp.zeros(3))
print("transposed:", transposed(jnp.array([1.0, 2.0, 3.0])))
