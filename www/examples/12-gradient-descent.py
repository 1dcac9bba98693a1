# Gradient descent and its loss
# Shows: a training loop in plain code, and a line plot of its loss.
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt

# Points on a line, a little off it.
x = jnp.linspace(-1, 1, 40)
y = 0.8 * x - 0.3 + 0.1 * jnp.sin(17 * x)


def loss(params):
    return jnp.mean((params["slope"] * x + params["offset"] - y) ** 2)


step = jax.value_and_grad(loss)
params = {"slope": 0.0, "offset": 0.0}
losses = []
for _ in range(60):
    value, g = step(params)
    losses.append(float(value))
    params = jax.tree.map(lambda p, d: p - 0.3 * d, params, g)

print("slope", params["slope"], "offset", params["offset"])
plt.plot(losses)
plt.title("Loss")
plt.xlabel("step")
plt.ylabel("mean squared error")
plt.show()
