# A function and its derivatives
# Shows: grad of grad of grad, mapped over points and plotted.
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt


def f(x):
    return jnp.exp(-(x**2)) * jnp.sin(3 * x)


x = jnp.linspace(-2, 2, 161)
first = jax.grad(f)
second = jax.grad(first)
plt.plot(x, jax.vmap(f)(x), label="f")
plt.plot(x, jax.vmap(first)(x), label="f'")
plt.plot(x, jax.vmap(second)(x), label="f''")
plt.title("exp(-x²) sin(3x)")
plt.xlabel("x")
plt.legend()
plt.show()
