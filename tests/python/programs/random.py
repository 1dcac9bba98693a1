#%% keys
import jax, jax.numpy as jnp
k = jax.random.key(0)
print(k, repr(k), k.dtype, k.shape, jax.random.key_data(k), jax.random.PRNGKey(42))
print(jax.random.split(k), jax.random.key_data(jax.random.split(k, 3)), jax.random.key_data(jax.random.fold_in(k, 7)))

#%% unpacking a split
import jax
key = jax.random.key(1)
key, sub = jax.random.split(key)
a, b, c = jax.random.split(sub, 3)
print(jax.random.uniform(a), jax.random.uniform(b), jax.random.normal(c))

#%% raw keys
import jax, jax.numpy as jnp
k = jax.random.PRNGKey(3)
k1, k2 = jax.random.split(k)
print(k1, k2, jax.random.normal(k1, (3,)), jax.random.uniform(k2, (2, 2)))

#%% uniform and normal
import jax, jax.numpy as jnp
k = jax.random.key(5)
print(jax.random.uniform(k, (5,)), jax.random.uniform(k, (3,), minval=-1.0, maxval=1.0), jax.random.normal(k, (2, 3)), jax.random.normal(k))

#%% integers and choices
import jax, jax.numpy as jnp
k = jax.random.key(9)
print(jax.random.randint(k, (6,), 0, 10), jax.random.bernoulli(k, 0.3, (5,)), jax.random.permutation(k, 6), jax.random.permutation(k, jnp.arange(6.0)))
print(jax.random.choice(k, 5, (3,)), jax.random.choice(k, jnp.arange(10), (4,), replace=False), jax.random.choice(k, 3, (5,), p=jnp.array([0.1, 0.2, 0.7])))
print(jax.random.categorical(k, jnp.log(jnp.array([0.1, 0.6, 0.3])), shape=(5,)), jax.random.bits(k, (2,)))

#%% other distributions
import jax, jax.numpy as jnp
k = jax.random.key(11)
for f in (jax.random.gumbel, jax.random.exponential, jax.random.laplace, jax.random.logistic, jax.random.cauchy, jax.random.rademacher):
    print(f.__name__, f(k, (3,)))
print(jax.random.truncated_normal(k, -1.0, 1.0, (3,)))

#%% under jit and vmap
import jax, jax.numpy as jnp
k = jax.random.key(2)
print(jax.jit(lambda k: jax.random.normal(k, (3,)))(k))
print(jax.vmap(lambda k: jax.random.uniform(k))(jax.random.split(k, 4)))
print(jax.vmap(lambda i: jax.random.normal(jax.random.fold_in(k, i)))(jnp.arange(3)))

#%% reparametrised gradients
import jax, jax.numpy as jnp
k = jax.random.key(4)
print(jax.grad(lambda m, s: jnp.mean(m + s * jax.random.normal(k, (8,))), (0, 1))(1.0, 2.0))

#%% a network from random weights
import jax, jax.numpy as jnp
def init(key, sizes):
    keys = jax.random.split(key, len(sizes))
    return [(jax.random.normal(k, (m, n)) / jnp.sqrt(m), jnp.zeros(n)) for k, m, n in zip(keys, sizes[:-1], sizes[1:])]
def mlp(params, x):
    for w, b in params[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = params[-1]
    return x @ w + b
params = init(jax.random.key(0), [2, 4, 1])
x = jax.random.normal(jax.random.key(1), (5, 2))
print(mlp(params, x).ravel())
print(jax.grad(lambda p: jnp.mean(mlp(p, x) ** 2))(params)[0][1])

#%% arithmetic on keys is refused
import jax
jax.random.key(0) + 1
