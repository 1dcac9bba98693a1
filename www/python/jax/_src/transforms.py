"""The differentiating transforms: `grad`, `jvp`, `vjp`, `linearize`, jacobians, and the check of them."""

from __future__ import annotations

import operator
from typing import Any, Callable, Sequence

from . import host as js

from . import engine, tree
from .arguments import encode
from .array import Array, read_values
from .dtypes import canonicalize_dtype, dtype_of, float0
from .engine import AVAL, NONE, Reader
from .functions import (
    Aux,
    aux_pair,
    check_arguments,
    check_callable,
    encoded,
    is_value,
    leaf_names,
    name_of,
    place_of,
    renamed,
    trace,
)

Argnums = int | Sequence[int]


class Held:
    """A number of something that the engine holds; it lets go of it with this object."""

    __slots__ = ("id", "session", "__weakref__")

    def __init__(self, number: int) -> None:
        self.id = number
        self.session = engine.session

    def __del__(self, drop: Any = js.dropHeld, engine: Any = engine) -> None:
        if self.session == engine.session:
            drop(self.id)


class _Split:
    """Arguments split into what varies and what does not."""

    __slots__ = ("args", "positions", "single", "leaves", "structure")

    def __init__(self, args: tuple[Any, ...], argnums: Argnums) -> None:
        self.args = args
        self.single = not isinstance(argnums, (tuple, list))
        try:
            wanted = [operator.index(n) for n in ([argnums] if self.single else argnums)]
        except TypeError:
            raise engine.failure(
                "TypeError", f"argnums must be an int or a sequence of ints, got {argnums!r}"
            ) from None
        self.positions = []
        for n in wanted:
            if n >= len(args):
                shown = n if self.single else tuple(wanted)
                raise engine.failure(
                    "TypeError",
                    f"differentiating with respect to argnums={shown} requires at least {max(wanted) + 1} positional "
                    f"arguments to be passed by the caller, but got only {len(args)} positional arguments.",
                )
            if n < -len(args):
                raise engine.failure(
                    "ValueError",
                    "Positional argument indices, e.g. for `static_argnums`, must have value greater than or equal to "
                    f"-len(args) and less than len(args), but got value {n} for len(args) == {len(args)}.",
                )
            self.positions.append(n % len(args))
        self.leaves, self.structure = tree.flatten(tuple(args[i] for i in self.positions))

    def merge(self, varying: Any) -> list[Any]:
        """All arguments, with new values at the differentiated positions."""
        merged = list(self.args)
        for i, value in zip(self.positions, varying):
            merged[i] = value
        return merged

    def names(self, f: Any) -> list[str]:
        """Names of the differentiated leaves."""
        names = leaf_names(f, self.args)
        counts = [tree.flatten(arg)[1].num_leaves for arg in self.args]
        starts = [sum(counts[:i]) for i in self.positions]
        return [names[start + k] for i, start in zip(self.positions, starts) for k in range(counts[i])]

    def grads(self, leaves: list[Any]) -> Any:
        """Gradients in the form that argnums asks for."""
        trees = tree.unflatten(self.structure, leaves)
        return trees[0] if self.single else trees


def _varying(leaves: list[Any]) -> list[float]:
    tape = encoded(leaves)
    tape.append(len(leaves))
    tape += [1.0] * len(leaves)
    return tape


def _check_scalar(main: Any) -> None:
    """The result of a function under grad is one value, not a tree."""
    if is_value(main):
        return
    leaves, structure = tree.flatten(main)
    if main is None or len(leaves) != 1 or structure.num_nodes != 1:
        raise engine.failure(
            "TypeError", f"Gradient only defined for scalar-output functions. Output was {main}.", "nonScalarGrad"
        )


def _differentiate(
    transform: str, f: Callable[..., Any], split: _Split, has_aux: bool, allow_int: bool, kwargs: dict[str, Any]
) -> tuple[Any, Any]:
    check_arguments(split.leaves)
    name = name_of(f)
    kept = Aux()

    def call(varying: Any) -> Any:
        out = f(*split.merge(varying), **kwargs)
        main, aux = aux_pair(out) if has_aux else (out, None)
        _check_scalar(main)
        return main, kept.take(aux)

    traced = trace(split.structure, call, transform, name, lambda: split.names(f))
    engine.invoke("gradCall", _varying(split.leaves), transform, traced.id, name, allow_int)
    reader = Reader()
    outs, grads = read_values(reader), read_values(reader)
    value, aux = tree.unflatten(traced.out, outs)
    return (value, kept.rebuild(aux)) if has_aux else value, split.grads(grads)


def grad(
    fun: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False,
    allow_int: bool = False, reduce_axes: Sequence[Any] = (),
) -> Callable[..., Any]:
    """The gradient of a scalar function: a function of the same arguments.

    Raises TypeError for a result that is not a float scalar and for inputs that are not floats.
    """
    check_callable(fun)
    _real(holomorphic)

    def gradient(*args: Any, **kwargs: Any) -> Any:
        value, grads = _differentiate("grad", fun, _Split(args, argnums), has_aux, allow_int, kwargs)
        return (grads, value[1]) if has_aux else grads

    return renamed(fun, gradient)


def value_and_grad(
    fun: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False,
    allow_int: bool = False, reduce_axes: Sequence[Any] = (),
) -> Callable[..., Any]:
    """The value and the gradient of a scalar function: `(value, gradient)`."""
    check_callable(fun)
    _real(holomorphic)

    def both(*args: Any, **kwargs: Any) -> Any:
        return _differentiate("value_and_grad", fun, _Split(args, argnums), has_aux, allow_int, kwargs)

    return renamed(fun, both)


def _real(holomorphic: bool) -> None:
    if holomorphic:
        raise engine.failure(
            "TypeError", "grad with holomorphic=True requires inputs with complex dtype, and arrays here are real"
        )


def jvp(fun: Callable[..., Any], primals: Any, tangents: Any, has_aux: bool = False) -> Any:
    """Forward mode: `(fun(*primals), tangent of it)`, with the tangents of the arguments given."""
    check_callable(fun)
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise engine.failure(
            "TypeError",
            f"primal and tangent arguments to jax.jvp must be tuples or lists; found {type(primals).__name__} and "
            f"{type(tangents).__name__}.",
        )
    ps, structure = tree.flatten(tuple(primals))
    ts, other = tree.flatten(tuple(tangents))
    if structure != other:
        raise engine.failure(
            "TypeError",
            "primal and tangent arguments to jax.jvp must have the same tree structure; primals have tree structure "
            f"{structure} whereas tangents have tree structure {other}.",
        )
    check_arguments(ps)
    check_arguments(ts)
    for primal, tangent in zip(ps, ts):
        _check_tangent(primal, tangent)
    name = name_of(fun)
    kept = Aux()
    traced = trace(structure, _with_aux(fun, has_aux, kept), "jvp", name, lambda: leaf_names(fun, primals))
    engine.invoke("jvpCall", encoded(ps) + encoded(ts), traced.id, name)
    reader = Reader()
    out, aux = tree.unflatten(traced.out, read_values(reader))
    out_tangent, _ = tree.unflatten(traced.out, read_values(reader))
    return (out, out_tangent, kept.rebuild(aux)) if has_aux else (out, out_tangent)


def _check_tangent(primal: Any, tangent: Any) -> None:
    of, got = canonicalize_dtype(dtype_of(primal)), dtype_of(tangent)
    expected = of if of.kind == "f" else float0
    got = got if got is float0 else canonicalize_dtype(got)
    if got is not expected:
        raise engine.failure(
            "TypeError",
            "primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in case of int/bool primal "
            f"dtype the tangent dtype must be float0.Got primal dtype {of} and so expected tangent dtype {expected}, but "
            f"got tangent dtype {got} instead.",
        )


def _with_aux(f: Any, has_aux: bool, kept: Aux) -> Callable[[Any], Any]:
    """A function of a tuple of arguments that gives the result and the arrays among the auxiliary ones."""

    def call(args: Any) -> Any:
        out, aux = aux_pair(f(*args)) if has_aux else (f(*args), None)
        return out, kept.take(aux)

    return call


def _linearize_at(transform: str, f: Any, primals: tuple[Any, ...], has_aux: bool) -> tuple[Held, Any, tuple[Any, int], Any]:
    check_callable(f)
    leaves, structure = tree.flatten(primals)
    check_arguments(leaves)
    name = name_of(f)
    kept = Aux()
    traced = trace(structure, _with_aux(f, has_aux, kept), transform, name, lambda: leaf_names(f, primals))
    engine.invoke("linearizeCall", _varying(leaves), transform, traced.id, name)
    reader = Reader()
    held = Held(reader.count())
    out, arrays = tree.unflatten(traced.out, read_values(reader))
    return held, out, (kept.rebuild(arrays), len(arrays)), structure


def _apply_linear(held: Held, pull_back: bool, leaves: list[Any], zeros: int) -> list[Any]:
    tape = encoded(leaves)
    tape[0] += zeros
    tape += [NONE] * zeros
    engine.invoke("applyLinear", tape, held.id, pull_back)
    return read_values(Reader())


def vjp(fun: Callable[..., Any], *primals: Any, has_aux: bool = False, reduce_axes: Sequence[Any] = ()) -> Any:
    """Reverse mode: `(fun(*primals), vjp_fun)`; `vjp_fun(ct)` gives a tuple with one cotangent per argument.

    With `has_aux`, `(out, vjp_fun, aux)`.
    """
    held, out, (aux, aux_leaves), structure = _linearize_at("vjp", fun, primals, has_aux)
    _, out_tree = tree.flatten(out)
    name = name_of(fun)

    def vjp_fun(*cts: Any) -> Any:
        if len(cts) != 1:
            raise engine.failure(
                "TypeError",
                f"The function returned by `jax.vjp` applied to {name} was called with {len(cts)} arguments, but "
                "functions returned by `jax.vjp` must be called with a single argument corresponding to the single "
                "value returned by the function being differentiated (even if that returned value is a tuple or other "
                "container).",
            )
        leaves, found = tree.flatten(cts[0])
        if found != out_tree:
            raise engine.failure(
                "ValueError",
                "unexpected tree structure.\n\nThe argument to a VJP function returned by `jax.vjp` must match the pytree\n"
                f"structure of the differentiated function {place_of(fun)}.\n\nBut the tree structures differ: got {found}, "
                f"but expected to match {out_tree}.",
            )
        check_arguments(leaves)
        return tree.unflatten(structure, _apply_linear(held, True, leaves, aux_leaves))

    return (out, vjp_fun, aux) if has_aux else (out, vjp_fun)


def linearize(fun: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """`(fun(*primals), f_jvp)`, where `f_jvp(*tangents)` is the linear part of `fun` there."""
    held, out, (aux, _), structure = _linearize_at("linearize", fun, primals, has_aux)
    _, out_tree = tree.flatten(out)

    def f_jvp(*tangents: Any) -> Any:
        leaves, found = tree.flatten(tangents)
        if found != structure:
            raise engine.failure(
                "TypeError",
                f"linearized function called on tangent values inconsistent with the original primal values: got "
                f"tangent structure {found} for primal structure {structure}",
            )
        outs = _apply_linear(held, False, leaves, 0)
        return tree.unflatten(out_tree, outs[: out_tree.num_leaves])

    return (out, f_jvp, aux) if has_aux else (out, f_jvp)


def encoded_avals(leaves: list[Any]) -> list[float]:
    """A counted run of types: of arrays, numbers, or spelled out."""
    from .dtypes import dtype_code

    tape: list[float] = [len(leaves)]
    for leaf in leaves:
        if not is_value(leaf) and hasattr(leaf, "shape") and hasattr(leaf, "dtype"):
            weak = float(getattr(leaf, "weak_type", False))
            tape += (AVAL, dtype_code(leaf.dtype), weak, len(leaf.shape), *leaf.shape)
        else:
            check_arguments([leaf])
            encode(tape, leaf)
    return tape


def linear_transpose(fun: Callable[..., Any], *primals: Any, reduce_axes: Sequence[Any] = ()) -> Callable[..., Any]:
    """The transpose of a linear function: a function of the cotangent of its result that gives a tuple with one
    cotangent per argument. Arguments only lend their types."""
    check_callable(fun)
    leaves, structure = tree.flatten(primals)
    name = name_of(fun)
    traced = trace(structure, lambda args: fun(*args), "linear_transpose", name, lambda: leaf_names(fun, primals))
    engine.invoke("transposeCall", encoded_avals(leaves), traced.id, name)
    made_at = engine.last_site
    held = Held(Reader().count())
    out_tree = traced.out

    def transposed(*cts: Any) -> Any:
        if len(cts) != 1:
            raise TypeError(f"the transpose of {name} takes one cotangent, got {len(cts)}")
        leaves, found = tree.flatten(cts[0])
        if found != out_tree:
            raise engine.failure(
                "TypeError",
                f"cotangent tree does not match function output, expected {out_tree} but got {found}",
            )
        check_arguments(leaves)
        engine.invoke("applyTranspose", encoded(leaves), held.id, made_at)
        return tree.unflatten(structure, read_values(Reader()))

    return transposed


def jacfwd(
    fun: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[..., Any]:
    """The jacobian by forward mode: one pass per input element. Results have shape `out.shape + in.shape`."""
    _real(holomorphic)
    return _jacobian(False, fun, argnums, has_aux, False)


def jacrev(
    fun: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False,
    allow_int: bool = False,
) -> Callable[..., Any]:
    """The jacobian by reverse mode: one pass per result element. Results have shape `out.shape + in.shape`."""
    _real(holomorphic)
    return _jacobian(True, fun, argnums, has_aux, allow_int)


def hessian(
    fun: Callable[..., Any], argnums: Argnums = 0, has_aux: bool = False, holomorphic: bool = False
) -> Callable[..., Any]:
    """The second derivatives of a scalar function: `jacfwd(jacrev(fun))`."""
    return jacfwd(jacrev(fun, argnums, has_aux, holomorphic), argnums, has_aux, holomorphic)


def _jacobian(reverse: bool, f: Any, argnums: Argnums, has_aux: bool, allow_int: bool) -> Any:
    check_callable(f)
    transform = "jacrev" if reverse else "jacfwd"
    name = name_of(f)

    def jacobian(*args: Any, **kwargs: Any) -> Any:
        split = _Split(args, argnums)
        check_arguments(split.leaves)
        main_leaves = 0
        kept = Aux()

        def call(varying: Any) -> Any:
            nonlocal main_leaves
            out = f(*split.merge(varying), **kwargs)
            main, aux = aux_pair(out) if has_aux else (out, None)
            main_leaves = tree.flatten(main)[1].num_leaves
            js.setMainResults(main_leaves)
            return main, kept.take(aux)

        traced = trace(split.structure, call, transform, name, lambda: split.names(f))
        engine.invoke("jacobianCall", _varying(split.leaves), reverse, traced.id, name)
        reader = Reader()
        outs = read_values(reader)
        rows = [read_values(reader) for _ in range(reader.count())][:main_leaves]
        main, aux = tree.unflatten(traced.out, outs)
        found = tree.unflatten(tree.flatten(main)[1], [split.grads(row) for row in rows])
        return (found, kept.rebuild(aux)) if has_aux else found

    return renamed(f, jacobian)


def check_grads(
    f: Callable[..., Any], args: Any, order: int, modes: Any = ("fwd", "rev"), atol: float | None = None,
    rtol: float | None = None, eps: float | None = None,
) -> None:
    """Compares derivatives with finite differences; raises AssertionError where they disagree."""
    check_callable(f)
    args = tuple(args) if isinstance(args, (tuple, list)) else (args,)
    wanted = [modes] if isinstance(modes, str) else list(modes)
    leaves, structure = tree.flatten(args)
    check_arguments(leaves)
    traced = trace(structure, lambda xs: f(*xs), "check_grads", name_of(f))
    tape = encoded(leaves)
    tape += (order, float("fwd" in wanted), float("rev" in wanted))
    tape += (engine.NAN if x is None else float(x) for x in (atol, rtol, eps))
    engine.invoke("checkGradsCall", tape, traced.id, name_of(f))


def stop_gradient(x: Any) -> Any:
    """The same values, which no derivative passes through: a tree of arrays."""
    from .registry import function

    stop = function("lax.stopGradient")
    return tree.map(lambda leaf: stop(leaf) if isinstance(leaf, Array) else leaf, x)
