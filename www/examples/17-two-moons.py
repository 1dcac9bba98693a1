# A small network on two moons
# Shows: an MLP trained in the page, its loss, and what it learned.
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

rng = np.random.default_rng(7)
t = np.pi * rng.random(100)
upper = np.arange(100) % 2 == 0
points = np.stack(
    [np.where(upper, np.cos(t), 1 - np.cos(t)), np.where(upper, np.sin(t), 0.5 - np.sin(t))],
    axis=1,
)
x = jnp.asarray(points + 0.1 * rng.normal(size=points.shape), dtype=jnp.float32)
y = jnp.asarray(upper, dtype=jnp.float32)


def layer(rows, columns):
    w = rng.normal(size=(rows, columns)) / np.sqrt(rows)
    return {"w": jnp.asarray(w, dtype=jnp.float32), "b": jnp.zeros(columns)}


params = [layer(2, 16), layer(16, 16), layer(16, 1)]


def score(params, x):
    *hidden, last = params
    for p in hidden:
        x = jnp.tanh(x @ p["w"] + p["b"])
    return jnp.squeeze(x @ last["w"] + last["b"], axis=1)


def loss(params):
    s = score(params, x)
    return jnp.mean(jax.nn.softplus(s) - y * s)


@jax.jit
def step(params):
    value, g = jax.value_and_grad(loss)(params)
    return value, jax.tree.map(lambda p, d: p - 0.5 * d, params, g)


losses = []
for _ in range(400):
    value, params = step(params)
    losses.append(float(value))
plt.plot(losses)
plt.title("Loss")
plt.xlabel("step")
plt.ylabel("cross entropy")
plt.show()

right = jnp.mean((score(params, x) > 0) == (y > 0.5))
print("right on", right, "of the points")

# The score over the plane, as an image: one row of pixels per value of y.
across = jnp.tile(jnp.linspace(-1.5, 2.5, 96), 64)
down = jnp.repeat(jnp.linspace(1.5, -1, 64), 96)
grid = jnp.stack([across, down], axis=1)
plt.imshow(jnp.reshape(jax.nn.sigmoid(score(params, grid)), (64, 96)))
plt.title("Probability of the upper moon")
plt.show()
