#%% integers and slices
import jax.numpy as jnp
x = jnp.arange(24).reshape(2, 3, 4)
print(x[0], x[-1, 2], x[0, 1, 2], x[:, 1], x[..., 0], x[1, ..., 1:3], x[:, ::-1, 0], x[0, :, ::2])

#%% new axes
import jax.numpy as jnp
x = jnp.arange(3)
print(x[None].shape, x[:, None].shape, x[jnp.newaxis, :, None].shape, x[..., None].shape)

#%% arrays of integers
import jax.numpy as jnp
x = jnp.arange(12).reshape(3, 4)
i = jnp.array([0, 2])
print(x[i], x[i, i], x[:, i], x[i[:, None], i], x[jnp.array([[0, 1], [2, 0]])].shape)

#%% booleans
import jax.numpy as jnp
x = jnp.arange(6.0)
print(x[x > 2], x[jnp.array([True, False, True, False, False, True])], x.at[x > 2].set(0))

#%% out of bounds
import jax.numpy as jnp
x = jnp.arange(3)
print(x[10], x[-10], x[jnp.array([1, 7])], x.at[7].set(1), x.at[7].get(mode="fill", fill_value=-1), x.at[7].get(mode="clip"))

#%% updates
import jax.numpy as jnp
x = jnp.arange(5.0)
print(x.at[1].set(10), x.at[1:3].add(1), x.at[jnp.array([0, 0])].add(1), x.at[2].multiply(3), x.at[-1].divide(2))
print(x.at[0].min(-1), x.at[0].max(9), x.at[1].power(2), x.at[::2].apply(jnp.negative), x.at[3].subtract(1), x.at[1:3].get())
print(x.at[jnp.array([0, 2])].set(jnp.array([7.0, 8.0])), jnp.zeros((2, 2)).at[:, 0].set(1.0))

#%% updates with modes
import jax.numpy as jnp
x = jnp.arange(3.0)
print(x.at[5].set(1, mode="drop"), x.at[5].set(1, mode="clip"), x.at[1].add(1, indices_are_sorted=True, unique_indices=True))

#%% updates are differentiable
import jax, jax.numpy as jnp
f = lambda x, v: jnp.sum(x.at[1].set(v) ** 2)
print(jax.grad(f, (0, 1))(jnp.arange(3.0), 5.0))
print(jax.grad(lambda x: jnp.sum(x[jnp.array([0, 0, 2])] * jnp.arange(3.0)))(jnp.ones(3)))

#%% indexing by lists
import jax.numpy as jnp
jnp.arange(3)[[0, 1]]

#%% indexing by text
import jax.numpy as jnp
jnp.arange(3)["a"]

#%% indexing by floats
import jax.numpy as jnp
jnp.arange(3)[1.0]

#%% too many indices
import jax.numpy as jnp
jnp.arange(3)[0, 0]

#%% dynamic slices under jit
import jax, jax.numpy as jnp
@jax.jit
def f(x, n):
    return x[:n]
f(jnp.arange(5), 2)

#%% traced indices
import jax, jax.numpy as jnp
print(jax.jit(lambda x, i: (x[i], x[i, ::2]))(jnp.arange(12).reshape(3, 4), 1))
print(jax.vmap(lambda x, i: x[i])(jnp.arange(6).reshape(2, 3), jnp.array([0, 2])))

#%% boolean masks under jit
import jax, jax.numpy as jnp
jax.jit(lambda x: x[x > 1])(jnp.arange(3))

#%% take and friends
import jax.numpy as jnp
x = jnp.arange(6).reshape(2, 3)
print(jnp.take(x, jnp.array([2, 0]), axis=1), jnp.take_along_axis(x, jnp.array([[1], [2]]), axis=1), jnp.where(x > 2, x, -x))
print(jnp.nonzero(x > 3), jnp.argwhere(x > 3), jnp.where(x[0] > 0))

#%% dynamic_slice
import jax, jax.numpy as jnp
from jax import lax
x = jnp.arange(10.0)
print(lax.dynamic_slice(x, (3,), (4,)), lax.dynamic_update_slice(x, jnp.zeros(2), (8,)), lax.dynamic_slice_in_dim(x, 8, 4))
print(jax.grad(lambda x: lax.dynamic_slice(x, (1,), (2,)).sum())(x))

#%% numpy integers as indices
import jax.numpy as jnp, numpy as np
x = jnp.arange(5)
print(x[np.int64(2)], x[np.array([0, 1])], x[np.arange(5) > 2], x[slice(np.int32(1), 3)])

#%% index of a python list by an array
import jax, jax.numpy as jnp
names = ["a", "b", "c"]
print(names[jnp.argmax(jnp.array([0.1, 0.9, 0.3]))])

#%% index of a python list by a tracer
import jax, jax.numpy as jnp
names = [1.0, 2.0, 3.0]
jax.jit(lambda i: names[i])(1)
