//! Cotangent: tracing and automatic differentiation in the manner of JAX.
