"""Types of jaxprs, by the names under which JAX's documentation prints them."""

from jax._src.jaxprs import Jaxpr, Jaxpr as ClosedJaxpr, JaxprEqn, Primitive

__all__ = ["ClosedJaxpr", "Jaxpr", "JaxprEqn", "Primitive"]
