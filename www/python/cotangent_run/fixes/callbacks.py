"""Fixes for a callback that stopped a derivative: a rule of its own for it, or no derivative at all."""

from __future__ import annotations

import ast
from typing import Any

from .rules import Callback, jvp_rule, takes_pass, vjp_rules
from .source import Attempt, Failure, Fix, Function, Source, is_float

_INLINE = {"jax.pure_callback", "jax.experimental.io_callback"}
_MAKER = "jax.experimental.buffer_callback.buffer_callback"

#: The transforms that use a `bwd`.
_REVERSE = {"grad", "value_and_grad", "vjp", "jacrev", "check_grads"}
#: More inputs than this, and a rule written out would be no help.
_MOST_INPUTS = 12

_VARIANTS = (
    (
        "finite-differences",
        "Give it a derivative: finite differences",
        "Works for any smooth callback. Costs two calls for each element of its input, and is as exact as differences "
        "are: about three digits in float32.",
    ),
    (
        "pass-through",
        "Give it a derivative: pass it through",
        "Treats the callback as the identity when differentiating. Right only if that is what you mean.",
    ),
    (
        "zeros",
        "Give it a derivative: zero",
        "Says that the result does not depend on the input. Right for a callback that only observes.",
    ),
)


def callback_fixes(failure: Failure) -> list[Attempt]:
    """For a callback that was to be differentiated or batched."""
    if failure["kind"] == "callback-vmap":
        return [lambda source: _vmap(source, failure)]
    attempts: list[Attempt] = []
    if failure["transform"] in _REVERSE:
        attempts += [lambda source, about=about: _rule(source, failure, *about) for about in _VARIANTS]
    if failure["transform"] == "jvp":
        attempts.append(lambda source: _jvp(source, failure))
    attempts.append(lambda source: _stop(source, failure))
    attempts.append(lambda source: _observe(source, failure))
    return attempts


def transpose_fixes(failure: Failure) -> list[Attempt]:
    """For a callback under `linear_transpose`: a rule for it, and the transpose taken by `vjp`, which uses the rule."""
    return [lambda source: _transposed(source, failure)] if failure["transform"] == "linear_transpose" else []


class _Site:
    """How a callback is written in the program."""

    def __init__(self, source: Source, call: ast.Call, args: list[ast.expr], maker: ast.Call | None, owner: Any,
                 direct: bool = False) -> None:
        self.source = source
        #: The failing call, and which of its arguments are arrays.
        self.call, self.args = call, args
        #: The call that makes or is the callback.
        self.maker = maker
        #: The statement that gives the whole callback a name, if there is one.
        self.owner = owner
        #: The callback itself was handed to a transform: no call of it is written.
        self.direct = direct


def _site(source: Source, failure: Failure) -> _Site | None:
    call = source.at(failure["span"], ast.Call)
    if call is None or any(isinstance(arg, ast.Starred) for arg in call.args):
        return None
    if source.path(call.func) in _INLINE:
        args = call.args[2:]
        return _Site(source, call, args, call, _wrapper(source, call, args))
    maker = _maker(source, call.func)
    if maker is not None:
        return _Site(source, call, call.args, maker, _assignment(source, maker))
    # `jax.grad(callback)(x)`, `jax.jvp(callback, (x,), (t,))`, `jax.vjp(callback, x)`.
    made = source.definition(call.func)
    of = made if isinstance(made, ast.Call) and made.args else call
    maker = _maker(source, of.args[0]) if of.args else None
    owner = maker and _assignment(source, maker)
    if maker is None or owner is None:
        return None
    if of is not call:
        args = call.args
    elif source.path(call.func).endswith(".jvp") and isinstance(call.args[1], (ast.Tuple, ast.List)):
        args = call.args[1].elts
    else:
        args = call.args[1:]
    return _Site(source, call, args, maker, owner, direct=True)


def _maker(source: Source, node: ast.AST) -> ast.Call | None:
    """The `buffer_callback(…)` that a name or an expression stands for."""
    made = source.definition(node)
    return made if isinstance(made, ast.Call) and source.path(made.func) == _MAKER else None


def _assignment(source: Source, maker: ast.Call) -> ast.Assign | None:
    """The statement `name = buffer_callback(…)`."""
    up = source.parent(maker)
    simple = isinstance(up, ast.Assign) and len(up.targets) == 1 and isinstance(up.targets[0], ast.Name)
    return up if simple else None  # type: ignore[return-value]


def _wrapper(source: Source, call: ast.Call, args: list[ast.expr]) -> Any:
    """`def f(x, y): return jax.pure_callback(g, s, x, y)`, or the same as a lambda with a name: then f is the callback."""
    up = source.parent(call)
    if isinstance(up, ast.Return):
        function: Any = source.parent(up)
        if not isinstance(function, ast.FunctionDef) or function.decorator_list:
            return None
        body = [node for node in function.body if not _is_text(node)]
        owner: Any = function
        if len(body) != 1:
            return None
    elif isinstance(up, ast.Lambda):
        function, owner = up, source.parent(up)
        if not (isinstance(owner, ast.Assign) and len(owner.targets) == 1 and isinstance(owner.targets[0], ast.Name)):
            return None
    else:
        return None
    given = function.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.defaults:
        return None
    names = [arg.arg for arg in given.args]
    same = len(names) == len(args) and all(
        isinstance(arg, ast.Name) and arg.id == name for arg, name in zip(args, names)
    )
    return owner if same and not isinstance(source.parent(owner), ast.ClassDef) else None


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _describe(site: _Site, failure: Failure, custom: str, numeric: bool) -> Callback | None:
    """Chooses the names for the rules; None where a rule can't be written."""
    source = site.source
    inputs, outputs = failure.get("inputs") or [], failure.get("outputs") or []
    if len(inputs) != len(site.args) or len(inputs) > _MOST_INPUTS or not outputs:
        return None
    if not any(map(is_float, inputs)) or (numeric and not all(map(is_float, outputs))):
        return None
    result = source.definition(site.maker.args[1]) if site.maker and len(site.maker.args) > 1 else None
    container = isinstance(result, (ast.Tuple, ast.List, ast.Dict)) or len(outputs) > 1
    jnp = source.library("jax.numpy")
    leaves = source.library("jax.tree_util.tree_leaves") if container else ""
    names = _input_names(site, len(inputs))
    owner = site.owner
    if isinstance(owner, ast.Assign):
        name = owner.targets[0].id  # type: ignore[attr-defined]
        wrapped = isinstance(owner.value, ast.Lambda)
        call = name if wrapped else source.fresh(f"{name}_callback")
    elif owner is not None:
        name = call = owner.name
    else:
        base = _base_name(site)
        name = source.fresh(f"{base}_with_gradient")
        call = name
    return Callback(
        call, name, list(zip(names, inputs)), outputs, not container, jnp, leaves, custom,
        source.fresh(f"{name}_fwd" if custom.endswith("vjp") else f"{name}_jvp"), source.fresh(f"{name}_bwd"),
    )


def _base_name(site: _Site) -> str:
    function = site.maker.args[0] if site.maker and site.maker.args else None
    if isinstance(function, ast.Name):
        return function.id
    if isinstance(function, ast.Attribute):
        return function.attr
    return "callback"


def _input_names(site: _Site, count: int) -> list[str]:
    """Names for the inputs: those of the arguments, else those of the host function's parameters, else letters."""
    source = site.source
    owner = site.owner
    function = owner.value if isinstance(owner, ast.Assign) else owner
    if isinstance(function, Function):
        return [arg.arg for arg in function.args.args]
    host = source.definition(site.maker.args[0]) if site.maker else None
    skipped = 0 if site.maker is site.call else 2
    params = [arg.arg for arg in host.args.args][skipped:] if isinstance(host, Function) else []
    out: list[str] = []
    for k in range(count):
        arg = site.args[k] if k < len(site.args) else None
        choices = [arg.id] if isinstance(arg, ast.Name) and site.maker is site.call else []
        choices += [params[k]] if k < len(params) else []
        choices += [arg.id] if isinstance(arg, ast.Name) else []
        choices += ["xyz"[k] if k < 3 else f"x{k}", f"input_{k}"]
        local = {"ct", "res", "f", "h", "i", "size", "parts", "derivative", "up", "down", "change", *source.imports}
        out.append(next(name for name in choices if name not in out and name not in local))
    return out


def _install(site: _Site, cb: Callback, rules: list[str]) -> bool:
    """Puts the rules where everything they mention is known, and makes the program use them."""
    source, owner = site.source, site.owner
    decorated = [f"@{cb.custom}", f"def {cb.name}({cb.list}):"]
    if isinstance(owner, ast.FunctionDef):
        source.before(owner, [f"@{cb.custom}"])
        source.after(owner, ["", *rules])
        return True
    if isinstance(owner, ast.Assign):
        if isinstance(owner.value, ast.Lambda):
            source.after(owner, [f"{cb.name} = {cb.custom}({cb.name})", "", *rules])
            return True
        source.replace(owner.targets[0], cb.call)
        source.after(owner, ["", *decorated, f"    return {cb.call}({cb.list})", "", *rules])
        return True
    call, maker = site.call, site.maker
    assert maker is not None
    if maker is call:
        parts = [source.slice(arg) for arg in call.args[:2]] + [name for name, _ in cb.inputs]
        parts += [source.slice(keyword) for keyword in call.keywords]
        body = f"{source.slice(call.func)}({', '.join(parts)})"
        mentioned: list[ast.AST] = [*call.args[:2], *call.keywords]
    else:
        body = f"{source.slice(call.func)}({cb.list})"
        mentioned = [call.func]
    lines = [*decorated, f"    return {body}", "", *rules, ""]
    statement = _place(source, call, mentioned, {name for name, _ in cb.inputs})
    if statement is None:
        return False
    source.before(statement, lines)
    args = ", ".join(source.slice(arg) for arg in site.args)
    source.replace(call, f"{cb.name}({args})")
    return True


def _place(source: Source, call: ast.Call, mentioned: list[ast.AST], params: set[str]) -> Any:
    """The outermost statement before which everything that is mentioned is known; None inside a lambda that knows more."""
    free = {
        node.id for part in mentioned for node in ast.walk(part) if isinstance(node, ast.Name)
    } - params
    statement = source.statement(call)
    function = source.above(call, *Function)
    while function is not None:
        if free & source.local_names(function):
            return None if isinstance(function, ast.Lambda) else statement
        statement = source.statement(function)
        if isinstance(source.parent(statement), ast.ClassDef):
            statement = source.parent(statement)
        function = source.above(statement, *Function)
    return statement


def _rule(source: Source, failure: Failure, variant: str, title: str, summary: str) -> Fix | None:
    site = _site(source, failure)
    if site is None:
        return None
    cb = _describe(site, failure, source.library("jax.custom_vjp"), variant == "finite-differences")
    if cb is None or (variant == "pass-through" and not any(takes_pass(cb, aval) for _, aval in cb.inputs)):
        return None
    if not _install(site, cb, vjp_rules(cb, variant)):
        return None
    if failure["transform"] == "jacrev" and site.maker is not None:
        _one_by_one(source, site.maker)
    return source.fix("custom_vjp", title, summary, variant)


def _jvp(source: Source, failure: Failure) -> Fix | None:
    site = _site(source, failure)
    cb = site and _describe(site, failure, source.library("jax.custom_jvp"), True)
    if site is None or cb is None or not cb.single or not _install(site, cb, jvp_rule(cb)):
        return None
    return source.fix(
        "custom_jvp",
        "Give it a derivative for forward mode: finite differences",
        "Two calls for each derivative along a tangent. Good for `jvp`; for `grad` the callback would have to be "
        "transposed, so take custom_vjp there.",
        "finite-differences",
    )


def _stop(source: Source, failure: Failure) -> Fix | None:
    site = _site(source, failure)
    if site is None or site.direct or not site.args:
        return None
    stop = source.library("jax.lax.stop_gradient")
    inputs = failure.get("inputs") or []
    for k, arg in enumerate(site.args):
        if len(inputs) != len(site.args) or is_float(inputs[k]):
            source.wrap(arg, f"{stop}(", ")")
    return source.fix(
        "stop_gradient",
        "Stop the gradient before the callback",
        "The result of the callback counts as a constant: its part of the derivative is left out.",
    )


def _one_by_one(source: Source, maker: ast.Call) -> bool:
    if any(keyword.arg == "vmap_method" for keyword in maker.keywords):
        return False
    end = source.end(maker) - 1
    inside = source.text[source.end(maker.func) : end].rstrip()
    comma = "" if inside.endswith(("(", ",")) else ", "
    source.edits.append((end, end, f'{comma}vmap_method="sequential"'))
    return True


def _vmap(source: Source, failure: Failure) -> Fix | None:
    site = _site(source, failure)
    maker = site and site.maker
    # io_callback has no such option: it fails only where it is ordered.
    if maker is None or source.path(maker.func).endswith("io_callback") or not _one_by_one(source, maker):
        return None
    return source.fix(
        "vmap_method",
        "Call it for one element of the batch after the other",
        'With `vmap_method="sequential"` the callback is called once for each element, as it was written.',
    )


def _observe(source: Source, failure: Failure) -> Fix | None:
    site = _site(source, failure)
    if site is None or site.maker is not site.call or not isinstance(source.parent(site.call), ast.Expr):
        return None
    debug = source.library("jax.debug") + ".callback"
    args = [source.slice(site.call.args[0]), *(source.slice(arg) for arg in site.args)]
    source.replace(site.call, f"{debug}({', '.join(args)})")
    return source.fix(
        "move-out",
        "Observe with jax.debug.callback",
        "Nothing uses the result, so the callback only looks on. jax.debug.callback does that and takes no part in "
        "derivatives.",
    )


def _transposed(source: Source, failure: Failure) -> Fix | None:
    call = source.at(failure.get("transformSpan"), ast.Call) or source.at(failure["span"], ast.Call)
    made = call
    while isinstance(made, ast.Call) and source.path(made.func) != "jax.linear_transpose":
        made = source.definition(made.func)
    if not isinstance(made, ast.Call) or not made.args or made.keywords:
        return None
    site = _site(source, failure)
    if site is None and made.args:
        maker = _maker(source, made.args[0])
        owner = maker and _assignment(source, maker)
        site = owner and _Site(source, made, made.args[1:], maker, owner, direct=True)
    if site is None:
        return None
    # On the way back only types of results are known; what is linear has inputs of floats.
    typed = {**failure, "inputs": failure.get("inputs") or [{"dtype": "float32", "shape": []} for _ in site.args]}
    cb = _describe(site, typed, source.library("jax.custom_vjp"), True)
    if cb is None or not _install(site, cb, vjp_rules(cb, "finite-differences")):
        return None
    zeros = ", ".join(f"{cb.jnp}.zeros_like({source.slice(arg)})" for arg in made.args[1:])
    source.replace(made, f"{source.library('jax.vjp')}({source.slice(made.args[0])}, {zeros})[1]")
    return source.fix(
        "custom_vjp",
        "Give it a derivative, and transpose with vjp",
        "The transpose of a linear function is what `vjp` pulls back through it. The rule finds it by differences, which "
        "are exact for a linear callback up to rounding.",
        "finite-differences",
    )
