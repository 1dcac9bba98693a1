# Newton's method with a Hessian
# Shows: second derivatives, and how few steps they save.
import jax
import jax.numpy as jnp


# Rosenbrock's valley: its lowest point is at [1, 1].
def f(x):
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


# The solution of a 2 by 2 system, by Cramer's rule.
def solve(h, g):
    det = h[0, 0] * h[1, 1] - h[0, 1] * h[1, 0]
    first = g[0] * h[1, 1] - h[0, 1] * g[1]
    second = h[0, 0] * g[1] - g[0] * h[1, 0]
    return jnp.stack([first, second]) / det


x = jnp.array([-1.2, 1.0])
for step in range(7):
    print(step, x, "f =", f(x))
    x = x - solve(jax.hessian(f)(x), jax.grad(f)(x))
print("end", x)
