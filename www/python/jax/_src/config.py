"""`jax.config`: the options that mean something here."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

from . import host as js



_DEFAULTS: dict[str, Any] = {
    "jax_enable_x64": False,
    "jax_debug_nans": False,
    "jax_debug_infs": False,
    "jax_disable_jit": False,
    "jax_numpy_dtype_promotion": "standard",
    "jax_numpy_rank_promotion": "allow",
    "jax_platform_name": "",
    "jax_platforms": None,
    "jax_log_compiles": False,
    "jax_check_tracer_leaks": False,
    "jax_default_matmul_precision": None,
    "jax_traceback_filtering": "auto",
    "jax_enable_checks": False,
    "jax_default_device": None,
    "jax_threefry_partitionable": True,
    "jax_debug_key_reuse": False,
    "jax_explain_cache_misses": False,
    "jax_compilation_cache_dir": None,
}
#: The values of all options.
values: dict[str, Any] = dict(_DEFAULTS)


def reset() -> None:
    """All options as they are at first."""
    values.update(_DEFAULTS)


class Config:
    """Reads and sets options: `jax.config.update("jax_enable_x64", True)`."""

    def update(self, name: str, value: Any) -> None:
        """Sets an option; AttributeError for a name that is none."""
        if name not in values:
            raise AttributeError(f"Unrecognized config option: {name}")
        values[name] = value
        if name == "jax_enable_x64":
            js.setX64(bool(value))

    def read(self, name: str) -> Any:
        """The value of an option."""
        return self.__getattr__(name)

    def __getattr__(self, name: str) -> Any:
        if name in values:
            return values[name]
        raise AttributeError(f"Unrecognized config option: {name}")

    @property
    def x64_enabled(self) -> bool:
        """Whether 64-bit floats are on."""
        return bool(values["jax_enable_x64"])


config = Config()


@contextlib.contextmanager
def _set(name: str, value: Any) -> Iterator[None]:
    before = values[name]
    config.update(name, value)
    try:
        yield
    finally:
        config.update(name, before)


class _State:
    """A context manager for one option, `with jax.disable_jit():`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, value: Any = True) -> Any:
        return _set(self.name, value)


disable_jit = _State("jax_disable_jit")
enable_x64 = _State("jax_enable_x64")
debug_nans = _State("jax_debug_nans")
debug_infs = _State("jax_debug_infs")
check_tracer_leaks = _State("jax_check_tracer_leaks")
checking_leaks = check_tracer_leaks
numpy_dtype_promotion = _State("jax_numpy_dtype_promotion")
numpy_rank_promotion = _State("jax_numpy_rank_promotion")
default_matmul_precision = _State("jax_default_matmul_precision")
log_compiles = _State("jax_log_compiles")


@contextlib.contextmanager
def ensure_compile_time_eval() -> Iterator[None]:
    """Operations on concrete values are computed at once, also while a function is traced; here they always are."""
    yield


