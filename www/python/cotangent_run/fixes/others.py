"""Fixes for the failures that are not about callbacks."""

from __future__ import annotations

import ast
from typing import Any

from .source import Attempt, Failure, Fix, Function, Source

_GRADS = ("jax.grad", "jax.value_and_grad")


# -- a choice by a traced value ---------------------------------------------------------------------------------


def concretization_fixes(failure: Failure) -> list[Attempt]:
    """A choice made by the value of a tracer, under `jit`: choose element by element, or fix the value."""
    return [lambda source: _where(source, failure), lambda source: _static(source, failure)]


def _where(source: Source, failure: Failure) -> Fix | None:
    choice = source.at(failure["span"], ast.If, ast.IfExp)
    if choice is None:
        return None
    where = f"{source.library('jax.numpy')}.where"

    def chosen(a: ast.AST, b: ast.AST) -> str:
        return f"{where}({source.slice(choice.test)}, {source.slice(a)}, {source.slice(b)})"

    if isinstance(choice, ast.IfExp):
        source.replace(choice, chosen(choice.body, choice.orelse))
    else:
        then = choice.body[0] if len(choice.body) == 1 else None
        other = choice.orelse[0] if len(choice.orelse) == 1 else None
        last: Any = choice
        if not choice.orelse:
            other = last = _next(source, choice)
        if isinstance(then, ast.Return) and isinstance(other, ast.Return) and then.value and other.value:
            at = source.start(choice)
            source.edits.append((at, source.end(last), f"return {chosen(then.value, other.value)}"))
        elif isinstance(then, ast.Assign) and len(then.targets) == 1 and isinstance(then.targets[0], ast.Name):
            target = then.targets[0]
            if choice.orelse:
                same = isinstance(other, ast.Assign) and source.slice(other.targets[0]) == target.id
                if not same:
                    return None
                rest: ast.AST = other.value  # type: ignore[union-attr]
            else:
                rest = target
            source.replace(choice, f"{target.id} = {chosen(then.value, rest)}")
        else:
            return None
    return source.fix(
        "where",
        "Choose with jnp.where",
        "Computes both sides and takes from each where the condition says so; this can be traced and differentiated.",
    )


def _next(source: Source, node: ast.stmt) -> ast.stmt | None:
    up = source.parent(node)
    body = getattr(up, "body", None)
    if not isinstance(body, list) or node not in body:
        return None
    at = body.index(node) + 1
    return body[at] if at < len(body) else None


def _static(source: Source, failure: Failure) -> Fix | None:
    """Marks the parameter that decides as static, where the program passes plain numbers for it."""
    at = source.at(failure["span"], ast.expr, ast.stmt)
    function = at and source.above(at, *Function)
    if function is None:
        return None
    names = {node.id for node in ast.walk(at) if isinstance(node, ast.Name)}
    params = [arg.arg for arg in function.args.args]
    index = next((i for i, name in enumerate(params) if name in names), None)
    if index is None:
        return None
    decorator = next(
        (d for d in getattr(function, "decorator_list", ()) if source.path(d) == "jax.jit"), None
    )
    made = None if decorator is not None else _jit_of(source, function)
    if decorator is None and (made is None or len(made.args) != 1 or made.keywords):
        return None
    calls = _calls_of(source, function.name if decorator is not None else None, made)
    if not calls or not all(len(call.args) > index and _is_number(call.args[index]) for call in calls):
        return None
    if decorator is not None:
        source.replace(decorator, f'{source.slice(decorator)}(static_argnames="{params[index]}")')
    else:
        end = source.end(made.args[0])
        source.edits.append((end, end, f", static_argnums={index}"))
    return source.fix(
        "static_argnums",
        f"Make `{params[index]}` static",
        f"The function is compiled anew for each value of `{params[index]}`, which is then an ordinary number in it.",
    )


def _jit_of(source: Source, function: Any) -> ast.Call | None:
    """The call `jax.jit(f)` of a function."""
    for call in source.calls():
        if source.path(call.func) == "jax.jit" and call.args:
            if call.args[0] is function or source.definition(call.args[0]) is function:
                return call
    return None


def _calls_of(source: Source, name: str | None, made: ast.Call | None) -> list[ast.Call]:
    """Calls of a decorated function, or of what a call `jax.jit(f)` gives."""
    if made is not None:
        up = source.parent(made)
        if isinstance(up, ast.Call) and up.func is made:
            return [up]
        if isinstance(up, ast.Assign) and isinstance(up.targets[0], ast.Name):
            name = up.targets[0].id
    return [call for call in source.calls() if isinstance(call.func, ast.Name) and call.func.id == name]


def _is_number(node: ast.AST) -> bool:
    if isinstance(node, ast.UnaryOp):
        return _is_number(node.operand)
    return isinstance(node, ast.Constant) and isinstance(node.value, (int, float, bool))


# -- the result of grad -----------------------------------------------------------------------------------------


def non_scalar_fixes(failure: Failure) -> list[Attempt]:
    """`grad` wants a number: sum the result, or ask for the whole Jacobian."""
    return [lambda source: _sum(source, failure), lambda source: _jacobian(source, failure)]


def _grad_at(source: Source, failure: Failure) -> ast.Call | None:
    """The call `jax.grad(f)` behind a failing call `jax.grad(f)(x)` or `g(x)`."""
    call = source.at(failure.get("transformSpan") or failure["span"], ast.Call)
    for node in (call, call and source.definition(call.func)):
        if isinstance(node, ast.Call) and source.path(node.func) in _GRADS and node.args and not isinstance(node.args[0], ast.Starred):
            return node
    return None


def _sum(source: Source, failure: Failure) -> Fix | None:
    made = _grad_at(source, failure)
    if made is None or any(keyword.arg == "has_aux" for keyword in made.keywords):
        return None
    function = made.args[0]
    total = f"{source.library('jax.numpy')}.sum"
    if isinstance(function, ast.Lambda):
        source.wrap(function.body, f"{total}(", ")")
    else:
        known = source.definition(function)
        args = known.args if isinstance(known, Function) else None
        plain = args and not (args.vararg or args.kwarg or args.kwonlyargs or args.defaults)
        names = ", ".join(arg.arg for arg in args.args) if plain and args else "*args"
        callee = source.slice(function)
        source.replace(function, f"lambda {names}: {total}({callee}({names}))")
    return source.fix(
        "sum", "Sum the result",
        "The gradient of the sum of all outputs. Each entry then adds up the effects on every output.",
    )


def _jacobian(source: Source, failure: Failure) -> Fix | None:
    made = _grad_at(source, failure)
    if made is None or source.path(made.func) != "jax.grad":
        return None
    source.replace(made.func, source.library("jax.jacrev"))
    return source.fix("jacrev", "Take the whole Jacobian with jax.jacrev", "The derivative of every output by every input.")


# -- arguments and rules ----------------------------------------------------------------------------------------


def int_input_fixes(failure: Failure) -> list[Attempt]:
    """Derivatives are by real numbers: make the argument one."""
    return [lambda source: _float(source, failure)]


def _float(source: Source, failure: Failure) -> Fix | None:
    call = source.at(failure.get("transformSpan") or failure["span"], ast.Call)
    at = failure.get("argument") or 0
    if call is None or len(call.args) <= at or source.path(call.func) in _GRADS:
        return None
    arg = call.args[at]
    makers = {f"jax.numpy.{name}" for name in ("array", "arange", "ones", "zeros", "full", "asarray")}
    if isinstance(arg, ast.Constant) and type(arg.value) is int:
        source.replace(arg, f"{source.slice(arg)}.0")
    elif isinstance(arg, ast.Call) and source.path(arg.func) in makers and not arg.keywords:
        end = source.end(arg) - 1
        source.edits.append((end, end, ", dtype=float"))
    else:
        source.wrap(arg, f"{source.library('jax.numpy')}.asarray(", ", dtype=float)")
    return source.fix(
        "float", "Make the argument a float",
        "Derivatives are defined for real numbers; float32 holds these integers exactly up to 16,777,216.",
    )


def bwd_fixes(failure: Failure) -> list[Attempt]:
    """`bwd` returns one cotangent for each argument, in a tuple, also when there is just one."""
    return [lambda source: _tuple(source, failure)]


def _tuple(source: Source, failure: Failure) -> Fix | None:
    bwd = _bwd_of(source, failure)
    if bwd is None:
        return None
    if isinstance(bwd, ast.Lambda):
        values: list[Any] = [bwd.body]
    else:
        values = [
            node.value for node in ast.walk(bwd)
            if isinstance(node, ast.Return) and node.value and source.above(node, *Function) is bwd
        ]
    values = [value for value in values if not isinstance(value, (ast.Tuple, ast.List))]
    for value in values:
        source.wrap(value, "(", ",)")
    if not values:
        return None
    return source.fix(
        "bwd_array", "Return the cotangent in a tuple",
        "A bwd function returns a tuple with one cotangent for each argument, also when there is only one.",
    )


def _bwd_of(source: Source, failure: Failure) -> Any:
    found = []
    for call in source.calls():
        if not isinstance(call.func, ast.Attribute) or call.func.attr != "defvjp" or len(call.args) < 2:
            continue
        bwd = source.definition(call.args[1])
        if not isinstance(bwd, Function):
            continue
        if failure.get("name") and isinstance(call.func.value, ast.Name) and call.func.value.id == failure["name"]:
            return bwd
        found.append(bwd)
    return found[0] if len(found) == 1 else None
