"""Arguments that JAX's functions take beside those of the registry: hints that change nothing on one device, and
options that are done here or refused."""

from __future__ import annotations

from typing import Any, Callable

from . import engine
from .dtypes import dtype_name


def apply(entry: Any, args: list[Any], extras: dict[str, Any], call: Callable[[Any, list[Any]], Any]) -> Any:
    """Calls the function of `entry` with `args`, having seen to `extras`."""
    given = {name: value for name, value in extras.items() if value is not None}
    if given.get("out") is not None:
        raise engine.failure("NotImplementedError", f"The 'out' argument to jnp.{entry.python} is not supported.")
    if "correction" in given:
        _put(entry, args, "ddof", given["correction"])
    if "a_min" in given:
        _put(entry, args, "min", given["a_min"])
    if "a_max" in given:
        _put(entry, args, "max", given["a_max"])
    for name in ("size", "axis"):
        if name in given:
            message = f"jnp.{entry.python}: the argument `{name}` is not in Cotangent"
            raise engine.failure("NotImplementedError", message)
    if entry.python in ("array", "asarray") and args and args[0] is None:
        raise engine.failure(
            "TypeError",
            "Value 'None' with dtype object is not a valid JAX array type. Only arrays of numeric types are supported by JAX.",
        )
    out = call(entry, args)
    wanted = given.get("preferred_element_type")
    if wanted is not None and hasattr(out, "astype") and out.dtype.name != dtype_name(wanted):
        return out.astype(wanted)
    return out


def _put(entry: Any, args: list[Any], name: str, value: Any) -> None:
    at = next(i for i, param in enumerate(entry.params) if param.name == name)
    args[at] = value


def zeros_of(x: Any) -> Any:
    """Zeros of the shape and dtype of something."""
    from .registry import function

    return function("np.zeros")(x.shape, x.dtype)
