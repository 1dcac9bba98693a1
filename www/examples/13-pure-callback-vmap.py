# pure_callback under vmap
# Shows: what vmap_method decides, and what happens without it.
import jax
import jax.numpy as jnp
import numpy as np

calls = 0


def host_norm(x):
    global calls
    calls += 1
    return np.sqrt(np.sum(np.asarray(x) ** 2))


shape = jax.ShapeDtypeStruct((), jnp.float32)


def norm(x):
    return jax.pure_callback(host_norm, shape, x, vmap_method="sequential")


rows = jnp.array([[3.0, 4.0], [5.0, 12.0], [8.0, 15.0]])
print(jax.vmap(norm)(rows), "in", calls, "calls")


# Without a vmap_method nobody has said how to call host_norm on a batch.
def bare(x):
    return jax.pure_callback(host_norm, shape, x)


print(jax.vmap(bare)(rows))
