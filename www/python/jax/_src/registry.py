"""The functions of `jax.numpy`, `jax.lax` and `jax.nn`, made from the engine's registry.

Every function is made when it is first asked for: a Python function with the parameters that the registry has,
whose call writes its arguments on the tape. No list of names is kept here, only what Python has besides.
"""

from __future__ import annotations

import inspect
import json
import re
from typing import Any, Callable, NamedTuple

from . import host as js

from . import config, engine
from .arguments import NotAnArgument, encode
from .array import read_first
from .engine import NONE
from .nans import check_nans


class Param(NamedTuple):
    """A parameter of a function of the registry."""

    name: str
    default: Any
    keyword_only: bool


class Entry(NamedTuple):
    """A function of the registry."""

    number: int
    name: str
    python: str
    module: str
    params: tuple[Param, ...]
    variadic: bool


class _LeftOut:
    """Stands for an argument that was not given: an explicit None is something else."""

    def __repr__(self) -> str:
        return "<default>"


LEFT_OUT: Any = _LeftOut()
REQUIRED: Any = inspect.Parameter.empty

#: JAX's names of parameters that are not made of words in small letters.
_PARAMETERS = {"a_min": "min", "a_max": "max"}
#: Python's names of functions that differ from the registry's in digits.
_NAMES = {"atleast1d": "atleast_1d", "atleast2d": "atleast_2d", "atleast3d": "atleast_3d"}
#: What JAX's functions take besides: hints that change nothing on one device.
_HINTS = {
    "np.array": "device=None, out_sharding=None, order=None",
    "np.asarray": "order=None, copy=None, device=None, out_sharding=None",
    **dict.fromkeys(
        ["np.zeros", "np.ones", "np.empty", "np.full", "np.zerosLike", "np.onesLike", "np.emptyLike", "np.fullLike", "np.arange", "np.linspace", "np.eye"],
        "device=None, out_sharding=None",
    ),
    **dict.fromkeys(["np.sum", "np.prod"], "out=None, promote_integers=True"),
    **dict.fromkeys(["np.max", "np.min", "np.amax", "np.amin", "np.all", "np.any", "np.mean", "np.cumsum", "np.cumprod", "np.ptp", "np.argmax", "np.argmin", "np.round", "np.around", "np.nansum", "np.nanmean", "np.median", "np.trace"], "out=None"),
    **dict.fromkeys(["np.var", "np.std"], "out=None, correction=None"),
    **dict.fromkeys(
        ["np.matmul", "np.dot", "np.vdot", "np.inner", "np.tensordot", "np.einsum", "lax.dot", "lax.dotGeneral", "np.convolve", "np.correlate", "np.vecdot", "np.matvec"],
        "precision=None, preferred_element_type=None, out_sharding=None",
    ),
    "np.reshape": "copy=None, out_sharding=None",
    "np.astype": "copy=False, device=None",
    "np.einsum": "optimize='auto', precision=None, preferred_element_type=None, out_sharding=None",
    "np.outer": "out=None",
    "np.concatenate": "",
    "np.stack": "out=None",
    "np.take": "out=None",
    "np.searchsorted": "sorter=None, method='scan'",
    "np.nonzero": "size=None, fill_value=None",
    "np.unique": "axis=None, equal_nan=True, size=None, fill_value=None, sorted=True",
    "np.argwhere": "size=None, fill_value=None",
    "np.flatnonzero": "size=None, fill_value=None",
    "np.clip": "a_min=None, a_max=None",
    "lax.reshape": "dimensions=None, out_sharding=None",
    "lax.convertElementType": "",
    "lax.cumsum": "",
}
#: Functions whose several results come in a list; those of the others come in a tuple.
_LISTS = {
    "np.split", "np.arraySplit", "np.hsplit", "np.vsplit", "np.meshgrid", "np.broadcastArrays", "np.atleast1d",
    "np.atleast2d", "np.atleast3d", "lax.split", "lax.topK",
}

_entries: dict[str, Entry] = {}
_by_module: dict[str, dict[str, str]] = {}
_constants: dict[str, Any] = {}
#: Methods of arrays and the functions they are, in Python's names.
methods: dict[str, str] = {}
_made: dict[str, Callable[..., Any]] = {}


def snake(name: str) -> str:
    """`keepDims` as Python spells it; capitals that stand alone stay."""
    if name in _NAMES:
        return _NAMES[name]
    return name if name.isupper() else re.sub(r"(?<=[a-z0-9])([A-Z])", lambda m: "_" + m[1].lower(), name)


def _read() -> None:
    number = 0
    for line in js.describe().split("\n"):
        kind, name, *rest = line.split("\t") if line else ("",  "")
        if kind == "f":
            python, dots, *params = rest
            module = name.rpartition(".")[0]
            python = _NAMES.get(python, python)
            entry = Entry(number, name, python, module, tuple(_parameter(p) for p in params), dots != "")
            number += 1
            _entries[name] = entry
            _by_module.setdefault(module, {})[python] = name
        elif kind == "c":
            module, _, short = name.rpartition(".")
            _constants[f"{module}.{snake(short)}"] = rest[1]
        elif kind == "m":
            methods[snake(name)] = rest[0]


def _parameter(text: str) -> Param:
    keyword_only = text.startswith("*")
    name, equals, default = text.removeprefix("*").partition("=")
    return Param(snake(name), _default(default) if equals else REQUIRED, keyword_only)


def _default(text: str) -> Any:
    value = json.loads(text)
    return tuple(value) if isinstance(value, list) else value


def number_of(name: str) -> int:
    """The engine's number of a function by its full name."""
    return _entries[name].number


def names_in(module: str) -> list[str]:
    """Python's names of the functions of a module: `np`, `lax`, `nn`, `np.linalg`."""
    return list(_by_module.get(module, ()))


def constant_of(module: str, name: str) -> str | None:
    """The text of a constant's value."""
    return _constants.get(f"{module}.{name}")


def find(module: str, name: str) -> Callable[..., Any] | None:
    """A function by its module and Python's name for it."""
    full = _by_module.get(module, {}).get(name)
    return None if full is None else function(full)


def function(name: str) -> Callable[..., Any]:
    """The Python function of a registry entry by its full name."""
    made = _made.get(name)
    if made is None:
        made = _made[name] = _build(_entries[name])
    return made


def _build(entry: Entry) -> Callable[..., Any]:
    """Writes the function's head in Python, so that Python itself binds its arguments and refuses wrong ones."""
    heads = []
    starred = False
    for i, param in enumerate(entry.params):
        if entry.variadic and i == _rest_of(entry):
            heads.append(f"*{param.name}")
            starred = True
            continue
        if param.keyword_only and not starred:
            heads.append("*")
            starred = True
        heads.append(param.name if param.default is REQUIRED else f"{param.name}=LEFT_OUT")
    known = {param.name for param in entry.params}
    hints = [hint for hint in _HINTS.get(entry.name, "").split(", ") if hint and hint.partition("=")[0] not in known]
    if hints and not starred:
        heads.append("*")
    names = ", ".join(param.name for param in entry.params)
    if hints:
        extras = ", ".join(f"{hint.partition('=')[0]!r}: {hint.partition('=')[0]}" for hint in hints)
        body = f"_with_extras(ENTRY, [{names}], {{{extras}}})"
    elif len(entry.params) == 1 and not entry.variadic:
        body = f"_one(ENTRY, {names})"
    else:
        body = f"_call(ENTRY, [{names}])"
    source = f"def {entry.python}({', '.join(heads + hints)}):\n    return {body}\n"
    scope = {"LEFT_OUT": LEFT_OUT, "ENTRY": entry, "_call": _call, "_one": _one, "_with_extras": _with_extras}
    exec(compile(source, "<jax registry>", "exec"), scope)
    made = scope[entry.python]
    made.__module__ = {"np": "jax.numpy", "np.linalg": "jax.numpy.linalg"}.get(entry.module, f"jax.{entry.module}")
    made.__qualname__ = entry.python
    made.__signature__ = inspect.signature(made).replace(
        parameters=[_shown(p, entry) for p in inspect.signature(made).parameters.values()]
    )
    made.__doc__ = f"{entry.python}{made.__signature__}"
    return made


def _rest_of(entry: Entry) -> int:
    """Which parameter takes the rest of the arguments: the last positional one."""
    positional = [i for i, p in enumerate(entry.params) if not p.keyword_only]
    return positional[-1] if positional else -1


def _shown(param: inspect.Parameter, entry: Entry) -> inspect.Parameter:
    for known in entry.params:
        if known.name == param.name and param.default is LEFT_OUT:
            return param.replace(default=known.default)
    return param


def _one(entry: Entry, x: Any) -> Any:
    tape: list[float] = []
    if isinstance(x, str):
        raise _refusal(entry, x, 0)
    try:
        encode(tape, x)
    except NotAnArgument as wrong:
        raise _refusal(entry, wrong.value, 0) from None
    engine.call(entry.number, 1, tape)
    out = read_first()
    if config.values["jax_debug_nans"]:
        check_nans(entry.python, out)
    return _result(entry, out)


def _call(entry: Entry, args: list[Any]) -> Any:
    """Calls a function with arguments in the order of its parameters."""
    while args and args[-1] is LEFT_OUT:
        args.pop()
    tape: list[float] = []
    for i, arg in enumerate(args):
        if arg is LEFT_OUT:
            tape.append(NONE)
            continue
        try:
            encode(tape, arg)
        except NotAnArgument as wrong:
            raise _refusal(entry, wrong.value, i) from None
    engine.call(entry.number, len(args), tape)
    out = read_first()
    if config.values["jax_debug_nans"]:
        check_nans(entry.python, out)
    return _result(entry, out)


def _result(entry: Entry, out: Any) -> Any:
    if type(out) is list and entry.name not in _LISTS:
        return tuple(out)
    return out


def _refusal(entry: Entry, value: Any, position: int) -> Exception:
    if entry.python in ("array", "asarray"):
        text = repr(value)
        return engine.failure(
            "TypeError",
            f"Value '{text}' with dtype object is not a valid JAX array type. Only arrays of numeric types are supported by JAX.",
        )
    if entry.module == "np" and len(entry.params) == 1:
        return engine.failure(
            "TypeError",
            f"Error interpreting argument to {function(entry.name)} as an abstract array. The problematic value is of type "
            f"{type(value)} and was passed to the function at path {entry.params[0].name}.",
        )
    if entry.module == "lax":
        return engine.failure(
            "TypeError",
            f"Argument '{value}' of type {type(value)} is not a valid JAX type",
        )
    return engine.failure(
        "TypeError", f"{entry.python} requires ndarray or scalar arguments, got {type(value)} at position {position}."
    )


def _with_extras(entry: Entry, args: list[Any], extras: dict[str, Any]) -> Any:
    """Calls a function after a look at what JAX takes besides the registry's parameters."""
    from .extras import apply

    return apply(entry, args, extras, _call)


_read()
