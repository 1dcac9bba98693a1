"""Element types and how they mix."""

from jax._src.dtypes import canonicalize_dtype, float0
from jax._src.numpy_types import finfo, iinfo, issubdtype, result_type

__all__ = ["canonicalize_dtype", "finfo", "float0", "iinfo", "issubdtype", "result_type"]
