"""JAX's programs on Cotangent's engine: transforms of functions of arrays.

A layer over the engine in WebAssembly. It takes trees apart, binds arguments, says JAX's sentences; arrays are
made, traced and differentiated in the engine.
"""

from __future__ import annotations

import contextlib as _contextlib
import functools as _functools
from typing import Any

from jax._src import engine as _engine
from jax._src import modules as _modules
from jax._src.array import Array
from jax._src.callbacks import pure_callback
from jax._src.config import (
    check_tracer_leaks,
    checking_leaks,
    config,
    debug_infs,
    debug_nans,
    default_matmul_precision,
    disable_jit,
    enable_x64,
    ensure_compile_time_eval,
    log_compiles,
    numpy_dtype_promotion,
    numpy_rank_promotion,
)
from jax._src.custom import closure_convert, custom_gradient, custom_jvp, custom_vjp
from jax._src.devices import (
    Device,
    block_until_ready,
    default_backend,
    device_count,
    device_get,
    device_put,
    devices,
)
from jax._src.dtypes import float0
from jax._src.jaxprs import ShapeDtypeStruct, eval_shape, make_jaxpr, typeof
from jax._src.jit import jit
from jax._src.mapping import vmap
from jax._src.remat import checkpoint
from jax._src.transforms import (
    grad,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    linear_transpose,
    linearize,
    value_and_grad,
    vjp,
)

from jax import ad_checkpoint, core, custom_derivatives, debug, dtypes, errors, experimental, lax, nn, numpy
from jax import flatten_util, random, test_util, tree, tree_util, typing

__version__ = "0.10.2"
__version_info__ = (0, 10, 2)

jacobian = jacrev
remat = checkpoint
local_devices = devices
local_device_count = device_count


def process_index() -> int:
    """Zero: there is one process."""
    return 0


def process_count() -> int:
    """One."""
    return 1


def effects_barrier() -> None:
    """Does nothing: effects happen at once."""


def clear_caches() -> None:
    """Does nothing: traces are kept with their functions."""


@_contextlib.contextmanager
def named_scope(name: str) -> Any:
    """A name for the operations inside, which change in nothing."""
    if not isinstance(name, str):
        raise TypeError(f"named_scope name argument must be a string.")
    yield


def named_call(fun: Any, *, name: str | None = None) -> Any:
    """The function under a name of its own."""

    @_functools.wraps(fun)
    def call(*args: Any, **kwargs: Any) -> Any:
        return fun(*args, **kwargs)

    call.__name__ = name or call.__name__
    return call


_WHY = {
    "pmap": "one device",
    "shard_map": "one device",
    "make_mesh": "one device",
    "scipy": "SciPy's functions are still to come",
    "distributed": "one process",
    "export": "there is no compiler to export to",
    "profiler": "use the time shown under the output",
    "image": "image functions are still to come",
    "ops": "segment functions are still to come",
}


def __getattr__(name: str) -> Any:
    import importlib
    import importlib.util

    if name in ("scipy", "ops", "extend", "checkpoint_policies") and importlib.util.find_spec(f"jax.{name}"):
        return importlib.import_module(f"jax.{name}")
    known = [known for known in globals() if not known.startswith("_")]
    raise _modules.missing("jax", name, known, _WHY.get(name, ""))


_HERE = (
    Array, Device, ShapeDtypeStruct, ad_checkpoint, block_until_ready, check_tracer_leaks, checking_leaks,
    closure_convert, config, core, custom_derivatives, custom_gradient, custom_jvp, custom_vjp, debug, debug_infs,
    debug_nans, default_backend, default_matmul_precision, device_get, device_put, disable_jit, dtypes, enable_x64,
    ensure_compile_time_eval, errors, eval_shape, experimental, flatten_util, float0, grad, hessian, jacfwd, jit, jvp,
    lax, linear_transpose, linearize, log_compiles, make_jaxpr, nn, numpy, numpy_dtype_promotion,
    numpy_rank_promotion, pure_callback, random, test_util, tree, tree_util, typeof, typing, value_and_grad, vjp, vmap, _engine,
)
