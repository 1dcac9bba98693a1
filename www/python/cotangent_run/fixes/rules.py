"""The text of derivative rules for a callback.

A callback can't be looked into, so a rule that is right for every smooth one differentiates numerically: with `s` the
sum of the results weighed by their cotangents, the cotangent of element i of an input is ∂s/∂x[i], here by central
differences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .source import is_float


@dataclass
class Callback:
    """A callback to write rules for, with names chosen so that nothing clashes."""

    #: What the rules call to get the result.
    call: str
    #: What the program calls it.
    name: str
    #: Names of the inputs with their types.
    inputs: list[tuple[str, dict[str, Any]]]
    outputs: list[dict[str, Any]]
    #: Is the result one array, rather than a container of them?
    single: bool
    #: How the program spells `jax.numpy`, and the function for leaves of a tree.
    jnp: str
    leaves: str
    custom: str
    fwd: str
    bwd: str

    @property
    def list(self) -> str:
        """The inputs, separated by commas."""
        return ", ".join(name for name, _ in self.inputs)

    @property
    def floats(self) -> list[str]:  # type: ignore[valid-type]
        """Names of the inputs that may be differentiated."""
        return [name for name, aval in self.inputs if is_float(aval)]


def step_of(cb: Callback) -> str:
    """The step of central differences, relative to max(1, |x|): the cube root of the precision."""
    return "6e-6" if all(aval["dtype"] == "float64" for _, aval in cb.inputs if is_float(aval)) else "0.005"


def takes_pass(cb: Callback, aval: dict[str, Any]) -> bool:
    """Does the cotangent of the result fit this input?"""
    return cb.single and len(cb.outputs) == 1 and is_float(aval) and cb.outputs[0] == aval


def vjp_rules(cb: Callback, variant: str) -> list[str]:
    """`f_fwd`, `f_bwd` and `f.defvjp(f_fwd, f_bwd)` as lines."""
    if variant == "finite-differences":
        kept = [name for name, _ in cb.inputs]
    elif variant == "zeros":
        kept = cb.floats
    else:
        kept = [name for name, aval in cb.inputs if is_float(aval) and not takes_pass(cb, aval)]
    residuals = kept[0] if len(kept) == 1 else f"({', '.join(kept)})" if kept else "None"
    taken = "res" if not kept else kept[0] if len(kept) == 1 else "res"
    lines = [
        f"def {cb.fwd}({cb.list}):",
        f"    return {cb.name}({cb.list}), {residuals}",
        "",
        f"def {cb.bwd}({taken}, ct):",
    ]
    if len(kept) > 1:
        lines.append(f"    {', '.join(kept)} = res")
    if variant == "finite-differences":
        lines += _differences(cb)
    else:
        cts = [
            "None" if not is_float(aval)
            else "ct" if variant == "pass-through" and takes_pass(cb, aval)
            else f"{cb.jnp}.zeros_like({name})"
            for name, aval in cb.inputs
        ]
        lines.append(f"    return ({', '.join(cts)},)" if len(cts) == 1 else f"    return ({', '.join(cts)})")
    return [*lines, "", f"{cb.name}.defvjp({cb.fwd}, {cb.bwd})"]


def _differences(cb: Callback) -> list[str]:
    jnp = cb.jnp
    if cb.single:
        change = f"{jnp}.sum(ct * (f(x + h) - f(x - h)))"
        before: list[str] = []
    else:
        before = [
            f"            up, down = {cb.leaves}(f(x + h)), {cb.leaves}(f(x - h))",
            f"            change = sum({jnp}.sum(c * (u - d)) for c, u, d in zip({cb.leaves}(ct), up, down))",
        ]
        change = "change"
    def of(name: str) -> str:
        return cb.call if len(cb.inputs) == 1 else f"lambda {name}: {cb.call}({cb.list})"

    cts = [f"derivative({name}, {of(name)})" if is_float(aval) else "None" for name, aval in cb.inputs]
    return [
        f"    # Central differences: two calls of {cb.call} for each element of {' and '.join(cb.floats)}.",
        "    def derivative(x, f):",
        f"        x = {jnp}.asarray(x)",
        f"        size = {step_of(cb)} * {jnp}.maximum(1.0, {jnp}.abs(x))",
        "        parts = []",
        "        for i in range(x.size):",
        f"            h = size * ({jnp}.arange(x.size) == i).reshape(x.shape)",
        *before,
        f"            parts.append({change} / (2 * {jnp}.sum(h)))",
        f"        return {jnp}.stack(parts).reshape(x.shape)",
        "",
        f"    return ({cts[0]},)" if len(cts) == 1 else f"    return ({', '.join(cts)})",
    ]


def jvp_rule(cb: Callback) -> list[str]:
    """`@f.defjvp` with the derivative along the tangent by central differences, as lines."""
    jnp = cb.jnp
    tangents = ", ".join(f"d_{name}" for name, _ in cb.inputs)
    one = "," if len(cb.inputs) == 1 else ""

    def largest(names: list[str]) -> str:
        parts = [f"{jnp}.max({jnp}.abs({name}))" for name in names]
        out = parts[0]
        for part in parts[1:]:
            out = f"{jnp}.maximum({out}, {part})"
        return out

    def moved(sign: str) -> str:
        return ", ".join(f"{name} {sign} h * d_{name}" if is_float(aval) else name for name, aval in cb.inputs)

    return [
        f"@{cb.name}.defjvp",
        f"def {cb.fwd}(primals, tangents):",
        f"    {cb.list}{one} = primals",
        f"    {tangents}{one} = tangents",
        f"    # The derivative along the tangent by central differences: two calls of {cb.call}.",
        f"    length = {largest([f'd_{name}' for name in cb.floats])}",
        f"    h = {step_of(cb)} * {jnp}.maximum(1.0, {largest(cb.floats)}) / {jnp}.where(length > 0, length, 1.0)",
        f"    slope = ({cb.call}({moved('+')}) - {cb.call}({moved('-')})) / (2 * h)",
        f"    return {cb.name}({cb.list}), slope",
    ]
