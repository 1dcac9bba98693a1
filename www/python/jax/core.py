"""Types of the tracing core."""

from jax._src.array import Tracer
from jax._src.aval import ShapedArray
from jax._src.jaxprs import Jaxpr, Jaxpr as ClosedJaxpr, JaxprEqn, Primitive

__all__ = ["ClosedJaxpr", "Jaxpr", "JaxprEqn", "Primitive", "ShapedArray", "Tracer"]
