"""Control flow that is traced: `scan`, `map`, `while_loop`, `fori_loop`, `cond`, `switch`, `associative_scan`.

Trees are taken apart and compared here; types are the engine's business.
"""

from __future__ import annotations

from typing import Any, Callable, Sequence

import numpy as np

from . import config, engine, tree
from .array import Array, Tracer, read_values
from .custom import _leaf_table
from .engine import NAN, Reader
from .functions import check_arguments, encoded, leaf_names, name_of, place_of, trace
from .mapping import vmap
from .registry import function as _f


def _unroll(unroll: Any) -> int:
    n = int(unroll) if isinstance(unroll, bool) else unroll
    if isinstance(n, int) and n >= 0:
        return n
    raise engine.failure("ValueError", "`unroll` must be a `bool` or a non-negative `int`.")


def _same_carry(called: str, wanted: Any, init: Any, got: Any) -> None:
    """Refuses a carry whose tree changes, in JAX's words and with a table."""
    found = tree.structure(got)
    if found != wanted:
        raise engine.failure(
            "TypeError",
            f"{called} body function carry input and carry output must have the same pytree structure, but they differ:\n\n"
            f"The carry input has structure {wanted} but the carry output has structure {found}.\n\nRevise the function so "
            "that the carry output has the same pytree structure as the carry input.",
            "customRule", _leaf_table(init, got),
        )


def scan(
    f: Callable[..., Any], init: Any, xs: Any = None, length: int | None = None, reverse: bool = False,
    unroll: int | bool = 1, _split_transpose: bool = False,
) -> tuple[Any, Any]:
    """Runs `f(carry, x) -> (carry, y)` over the slices of `xs` along axis 0: `(carry, ys)` with the results stacked.

    `xs` is a tree of arrays of one length, or None with `length`. Differentiable in both modes.
    """
    if not callable(f):
        raise engine.failure("TypeError", "lax.scan: f argument should be a callable.")
    if length is not None:
        try:
            length = int(length)
        except Exception:
            raise engine.failure(
                "TypeError",
                "The `length` argument to `scan` expects a concrete `int` value. For scan-like iteration with a dynamic "
                f"length, use `while_loop` or `fori_loop`. Got {length}.",
            ) from None
    carry, carry_tree = tree.flatten(init)
    slices = tree.flatten(xs)[0]
    check_arguments([*carry, *slices])
    if config.values["jax_disable_jit"]:
        return _scan_by_python(f, init, xs, length, reverse)
    name = name_of(f)

    def step(given: Any) -> Any:
        c, x = given
        out = f(c, x)
        if not isinstance(out, (tuple, list)) or len(out) != 2:
            shown = out.aval.str_short() if isinstance(out, Array) else out
            raise engine.failure("TypeError", f"scan body output must be a pair, got {shown}.")
        _same_carry("scan", carry_tree, c, out[0])
        return tuple(out)

    traced = trace(tree.structure((init, xs)), step, "scan", name, lambda: leaf_names(f, (init, xs)), place_of(f))
    tape = encoded(carry) + encoded(slices)
    tape += (NAN if length is None else length, float(reverse), _unroll(unroll))
    engine.invoke("scanCall", tape, traced.id, name)
    return tree.unflatten(traced.out, read_values(Reader()))


def _scan_by_python(f: Any, carry: Any, xs: Any, length: int | None, reverse: bool) -> tuple[Any, Any]:
    leaves = tree.flatten(xs)[0]
    n = len(leaves[0]) if leaves else int(length or 0)
    ys = []
    for i in reversed(range(n)) if reverse else range(n):
        carry, y = f(carry, tree.map(lambda x: x[i], xs))
        ys.append(y)
    if reverse:
        ys.reverse()
    stacked = tree.map(lambda *parts: _f("np.stack")(parts), *ys) if ys else None
    return carry, stacked


def map(f: Callable[..., Any], xs: Any, *, batch_size: int | None = None) -> Any:  # noqa: A001
    """Applies `f` to every slice of `xs` along axis 0, one after another or so many at once, and stacks the results."""

    def each(g: Any, over: Any) -> Any:
        def step(_: Any, x: Any) -> Any:
            return (), g(x)

        step.__name__ = name_of(f)
        return scan(step, (), over)[1]

    leaves = tree.flatten(xs)[0]
    if batch_size is None or not leaves:
        return each(f, xs)
    n = len(leaves[0])
    whole = n // batch_size * batch_size
    batched = tree.map(lambda x: x[:whole].reshape((n // batch_size, batch_size, *x.shape[1:])), xs)
    many = tree.map(lambda y: y.reshape((whole, *y.shape[2:])), each(vmap(f), batched))
    if whole == n:
        return many
    rest = vmap(f)(tree.map(lambda x: x[whole:], xs))
    return tree.map(lambda a, b: _f("np.concatenate")([a, b]), many, rest)


def while_loop(cond_fun: Callable[..., Any], body_fun: Callable[..., Any], init_val: Any) -> Any:
    """Runs `body_fun(value) -> value` for as long as `cond_fun(value)` is true, from `init_val`.

    Forward mode only: reverse mode needs a `scan`.
    """
    if not callable(cond_fun) or not callable(body_fun):
        raise engine.failure("TypeError", "lax.while_loop: body_fun and cond_fun arguments should be callable.")
    carry, carry_tree = tree.flatten(init_val)
    check_arguments(carry)
    if config.values["jax_disable_jit"]:
        value = init_val
        while cond_fun(value):
            value = body_fun(value)
        return value
    one = tree.structure((init_val,))

    def test(given: Any) -> Any:
        out = cond_fun(*given)
        found = tree.structure(out)
        if found.num_nodes != 1 or out is None:
            raise engine.failure("TypeError", f"cond_fun must return a boolean scalar, but got pytree {found}.")
        return out

    def step(given: Any) -> Any:
        out = body_fun(*given)
        _same_carry("while_loop", carry_tree, given[0], out)
        return out

    names = name_of(cond_fun), name_of(body_fun)
    asked = trace(one, test, "while_loop", names[0], lambda: leaf_names(cond_fun, (init_val,)), place_of(cond_fun))
    traced = trace(one, step, "while_loop", names[1], lambda: leaf_names(body_fun, (init_val,)), place_of(body_fun))
    engine.invoke("whileCall", encoded(carry), asked.id, traced.id, "\n".join(names))
    return tree.unflatten(carry_tree, read_values(Reader()))


def fori_loop(lower: Any, upper: Any, body_fun: Callable[..., Any], init_val: Any, *, unroll: int | bool | None = None) -> Any:
    """Runs `body_fun(i, value) -> value` for `i` from `lower` up to, not including, `upper`.

    With known bounds it is a `scan`, differentiable in both modes; with traced ones a `while_loop`.
    """
    if not callable(body_fun):
        raise engine.failure("TypeError", "lax.fori_loop: body_fun argument should be callable.")
    carry, carry_tree = tree.flatten(init_val)
    check_arguments([lower, upper, *carry])
    if config.values["jax_disable_jit"]:
        value = init_val
        for i in range(int(lower), int(upper)):
            value = body_fun(_f("np.asarray")(i), value)
        return value

    def step(given: Any) -> Any:
        i, value = given
        out = body_fun(i, value)
        _same_carry("scan", carry_tree, value, out)
        return out

    name = name_of(body_fun)
    traced = trace(
        tree.structure((0, init_val)), step, "fori_loop", name, lambda: leaf_names(body_fun, (0, init_val)),
        place_of(body_fun),
    )
    tape = encoded(carry) + encoded([lower, upper]) + [_unroll(1 if unroll is None else unroll)]
    engine.invoke("whileCall", tape, 0, traced.id, name)
    return tree.unflatten(carry_tree, read_values(Reader()))


def _choose(called: str, which: Any, branches: Sequence[Callable[..., Any]], operands: tuple[Any, ...]) -> Any:
    """Calls one of several functions; all are traced."""
    leaves, structure = tree.flatten(operands)
    check_arguments(leaves)
    labels = ["false_fun", "true_fun"] if called == "cond" else [f"branch {i}" for i in range(len(branches))]
    first: list[Any] = []

    def caller(i: int, f: Callable[..., Any]) -> Callable[[Any], Any]:
        def call(given: Any) -> Any:
            out = f(*given)
            found = tree.structure(out)
            if not first:
                first.extend((i, found, out))
            at, wanted, example = first
            if found != wanted:
                a, b = labels[at], labels[i]
                raise engine.failure(
                    "TypeError",
                    f"{called} branch outputs must have the same pytree structure, but they differ:\n\n"
                    f"{a} is {place_of(branches[at])}\n{b} is {place_of(f)}\n\n{a} output has structure {wanted} but {b} "
                    f"output has structure {found}.\n\nRevise {a} and/or {b} so that they have the same pytree structure.",
                    "customRule", _leaf_table(example, out),
                )
            return out

        return call

    traced = [
        trace(structure, caller(i, f), called, name_of(f), lambda f=f: leaf_names(f, operands), place_of(f))
        for i, f in enumerate(branches)
    ]
    tape = encoded([which]) + encoded(leaves)
    tape.append(len(traced))
    tape += (t.id for t in traced)
    names = "\n".join(name_of(f) for f in branches)
    engine.invoke("condCall", tape, called == "switch", names)
    outs = read_values(Reader())
    return tree.unflatten(next(t.out for t in traced if t.out is not None), outs)


def cond(pred: Any, *args: Any, operand: Any = None, **_: Any) -> Any:
    """`true_fun(*operands)` where `pred` is true, else `false_fun(*operands)`. Both are traced; under `vmap` with a mapped
    `pred` both run."""
    if len(args) == 4 and not callable(args[0]) and callable(args[1]) and callable(args[3]):
        # JAX's older form: an operand and a function for each.
        true_operand, true_fun, false_operand, false_fun = args
        branches = [lambda: false_fun(false_operand), lambda: true_fun(true_operand)]
        branches[0].__name__, branches[1].__name__ = name_of(false_fun), name_of(true_fun)
        operands: tuple[Any, ...] = ()
    else:
        if len(args) < 2 or not callable(args[0]) or not callable(args[1]):
            raise engine.failure("TypeError", "lax.cond: true_fun and false_fun arguments should be callable.")
        branches = [args[1], args[0]]
        operands = args[2:] if operand is None else (operand,)
    if pred is None:
        raise engine.failure("TypeError", "cond predicate is None")
    if isinstance(pred, (str, list, tuple, dict)):
        raise engine.failure("TypeError", f"Pred must be a scalar, got {pred} of type {type(pred)}")
    if config.values["jax_disable_jit"] and not isinstance(pred, Tracer):
        return branches[bool(pred)](*operands)
    return _choose("cond", pred, branches, operands)


def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any, operand: Any = None) -> Any:
    """`branches[index](*operands)`, the index kept within range. All branches are traced."""
    branches = list(branches)
    if not all(callable(branch) for branch in branches):
        raise engine.failure("TypeError", "lax.switch: branches argument should be a sequence of callables.")
    check_arguments([index])
    if not branches:
        raise engine.failure("ValueError", "Empty branch sequence")
    given = operands if operand is None else (operand,)
    if len(branches) == 1:
        return branches[0](*given)
    if isinstance(index, (int, Array, np.generic)) is False:
        raise engine.failure("TypeError", f"Index type must be an integer, got {index}.")
    return _choose("switch", index, branches, given)


def associative_scan(fn: Callable[..., Any], elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """Running results of an associative operation along an axis, in steps of pairs."""
    if not callable(fn):
        raise engine.failure("TypeError", "lax.associative_scan: fn argument should be callable.")
    leaves, structure = tree.flatten(elems)
    arrays = [_f("np.moveaxis")(_f("np.asarray")(x), axis, 0) for x in leaves]
    n = len(arrays[0])
    if any(len(x) != n for x in arrays):
        raise engine.failure(
            "ValueError",
            "Array inputs to associative_scan must have the same first dimension. (saw: "
            f"{[x.shape for x in arrays]})",
        )
    if reverse:
        arrays = [x[::-1] for x in arrays]

    def combine(a: list[Any], b: list[Any]) -> list[Any]:
        return tree.flatten(fn(tree.unflatten(structure, a), tree.unflatten(structure, b)))[0]

    def run(xs: list[Any]) -> list[Any]:
        size = len(xs[0])
        if size < 2:
            return xs
        pairs = combine([x[:-1:2] for x in xs], [x[1::2] for x in xs])
        odd = run(pairs)
        if size % 2 == 0:
            even = combine([x[:-1] for x in odd], [x[2::2] for x in xs])
        else:
            even = combine(odd, [x[2::2] for x in xs])
        even = [_f("np.concatenate")([x[:1], part]) for x, part in zip(xs, even)]
        out = []
        for a, b in zip(even, odd):
            whole = _f("np.zeros")((size, *a.shape[1:]), a.dtype)
            out.append(whole.at[0::2].set(a).at[1::2].set(b))
        return out

    found = run(arrays)
    if reverse:
        found = [x[::-1] for x in found]
    return tree.unflatten(structure, [_f("np.moveaxis")(x, 0, axis) for x in found])
