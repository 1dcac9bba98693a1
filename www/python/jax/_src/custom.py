"""Functions with derivative rules of their own: `custom_jvp`, `custom_vjp`, `custom_gradient`."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable

import numpy as np

from . import engine, tree
from .array import Array, Tracer, read_values
from .dtypes import dtype_of
from .engine import Reader
from .functions import check_arguments, check_callable, encoded, is_value, leaf_names, name_of, returned, trace


class SymbolicZero:
    """A tangent or cotangent that is known to be zero."""

    def __init__(self, aval: Any) -> None:
        self.aval = aval

    shape = property(lambda self: self.aval.shape)
    dtype = property(lambda self: self.aval.dtype)

    def __repr__(self) -> str:
        return f"SymbolicZero({self.aval})"


class CustomVJPPrimal:
    """What `fwd` gets for an argument under symbolic_zeros: its value, and whether it is differentiated."""

    def __init__(self, value: Any, perturbed: bool = True) -> None:
        self.value = value
        self.perturbed = perturbed


class _Call:
    """The arguments of one call, split into settings and what varies."""

    __slots__ = ("args", "varying", "settings", "leaves", "structure")

    def __init__(self, what: str, args: list[Any], nondiff: set[int]) -> None:
        self.args = args
        self.settings = [arg for i, arg in enumerate(args) if i in nondiff]
        for setting in self.settings:
            if any(isinstance(leaf, Tracer) for leaf in tree.flatten(setting)[0]):
                raise engine.failure(
                    "UnexpectedTracerError",
                    f"Found a JAX Tracer object passed as an argument to a {what} function in a position indicated by "
                    "nondiff_argnums as non-differentiable. Tracers cannot be passed as non-differentiable arguments to "
                    f"{what} functions; instead, nondiff_argnums should only be used for arguments that can't be or "
                    "contain JAX tracers, e.g. function-valued arguments. In particular, array-valued arguments should "
                    "typically not be indicated as nondiff_argnums.",
                )
        self.varying = [i for i in range(len(args)) if i not in nondiff]
        self.leaves, self.structure = tree.flatten(tuple(args[i] for i in self.varying))
        check_arguments(self.leaves)

    def merged(self, values: Any) -> list[Any]:
        """All arguments, with new values where they vary."""
        merged = list(self.args)
        for i, value in zip(self.varying, values):
            merged[i] = value
        return merged


class _Custom:
    """What both kinds share: the function, its settings, how arguments by name find their positions."""

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Any = (), nondiff_argnames: Any = ()) -> None:
        check_callable(fun)
        functools.update_wrapper(self, fun)
        self.fun = fun
        argnums = (nondiff_argnums,) if isinstance(nondiff_argnums, int) else tuple(nondiff_argnums)
        names = (nondiff_argnames,) if isinstance(nondiff_argnames, str) else tuple(nondiff_argnames)
        if names:
            params = list(inspect.signature(fun).parameters)
            for name in names:
                if name not in params:
                    raise ValueError(f"nondiff_argnames: {name_of(fun)} takes no argument {name!r}")
            argnums += tuple(params.index(name) for name in names)
        self.nondiff_argnums = tuple(dict.fromkeys(argnums))
        self.__name__ = name_of(fun)

    def _resolved(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """All arguments by position, with defaults filled in where arguments were given by name."""
        if not kwargs:
            try:
                signature = inspect.signature(self.fun)
            except (TypeError, ValueError):
                return list(args)
            if any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values()):
                return list(args)
        else:
            signature = inspect.signature(self.fun)
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as wrong:
            raise engine.failure(
                "TypeError",
                f"The input arguments to the {type(self).__name__}-decorated function {self.__name__} could not be "
                f"resolved to positional-only arguments. Binding failed with the error:\n{wrong}",
            ) from None
        bound.apply_defaults()
        if bound.kwargs:
            raise engine.failure(
                "TypeError",
                "The following keyword arguments could not be resolved to positions: " + ", ".join(bound.kwargs),
            )
        return list(bound.args)

    def _split(self, what: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Call:
        resolved = self._resolved(args, kwargs)
        n = len(resolved)
        return _Call(what, resolved, {i % n for i in self.nondiff_argnums if -n <= i < n})

    def __repr__(self) -> str:
        return f"<jax.{type(self).__name__} object of {self.__name__}>"


def _type_of(leaf: Any) -> str:
    if leaf is None:
        return "None"
    if isinstance(leaf, Array):
        return leaf.aval.str_short()
    if isinstance(leaf, bool):
        return "bool[]"
    if isinstance(leaf, int):
        return "int32[]"
    if isinstance(leaf, float):
        return "float32[]"
    if hasattr(leaf, "dtype") and hasattr(leaf, "shape"):
        return f"{np.dtype(leaf.dtype).name}[{','.join(map(str, leaf.shape))}]"
    return type(leaf).__name__


def _leaf_table(expected: Any, got: Any) -> tuple[tuple[str, str, str, bool], ...]:
    """Expected against got, leaf by leaf."""
    def rows(given: Any) -> dict[str, str]:
        return {tree.keystr(path): _type_of(leaf) for path, leaf in tree.flatten_with_path(given)[0]}

    want, have = rows(expected), rows(got)
    return tuple(
        (path or "(the whole)", want.get(path, "nothing"), have.get(path, "nothing"), want.get(path) == have.get(path))
        for path in dict.fromkeys([*want, *have])
    )


class custom_jvp(_Custom):
    """A function whose JVP rule is given by `defjvp`. Reverse mode follows from it by transposition."""

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Any = (), nondiff_argnames: Any = ()) -> None:
        super().__init__(fun, nondiff_argnums, nondiff_argnames)
        self.jvp: Callable[..., Any] | None = None
        self.symbolic_zeros = False

    def defjvp(self, jvp: Callable[..., Any], symbolic_zeros: bool = False) -> Callable[..., Any]:
        """Sets the rule: `jvp(primals, tangents)` gives `(result, tangent)`; settings come in front."""
        check_callable(jvp)
        self.jvp = jvp
        self.symbolic_zeros = symbolic_zeros
        return jvp

    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Sets one rule per argument, `(tangent, result, *primals) -> tangent`; None where it is zero."""
        if self.nondiff_argnums:
            raise TypeError("Can't use ``defjvps`` with ``nondiff_argnums``.")

        def jvp(primals: Any, tangents: Any) -> Any:
            out = self(*primals)
            total = None
            for rule, tangent in zip(jvps, tangents):
                if rule is not None:
                    term = rule(tangent, out, *primals)
                    total = term if total is None else tree.map(lambda a, b: a + b, total, term)
            if total is None:
                total = tree.map(lambda leaf: leaf * 0, out)
            return out, total

        self.defjvp(jvp)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        rule = self.jvp
        if rule is None:
            raise engine.failure(
                "AttributeError", f"No JVP defined for custom_jvp function {self.__name__} using defjvp."
            )
        name, rule_name = self.__name__, name_of(rule)
        call = self._split("custom_jvp", args, kwargs)
        traced = trace(
            call.structure, lambda values: self.fun(*call.merged(values)), None, name,
            lambda: leaf_names(self.fun, call.args),
        )
        structure = None

        def run() -> list[float]:
            nonlocal structure
            values = read_values(Reader())
            half = len(values) // 2
            with engine.in_transform(None):
                primals = tree.unflatten(call.structure, values[:half])
                tangents = tree.unflatten(call.structure, values[half:])
                out = rule(*call.settings, primals, tangents)
                outs, out_tangents, structure = _check_jvp(out, rule_name, name, traced.out)
                return returned([*outs, *out_tangents])

        number = engine.register(run)
        engine.invoke("customJvpCall", encoded(call.leaves), traced.id, name, number, rule_name)
        return tree.unflatten(traced.out if traced.out is not None else structure, read_values(Reader()))


def _check_jvp(out: Any, rule: str, name: str, primal_tree: Any) -> tuple[list[Any], list[Any], Any]:
    if not isinstance(out, (list, tuple)) or len(out) != 2:
        raise engine.failure(
            "TypeError",
            f"Custom JVP rule {rule} for function {name} must produce a pair (list or tuple of length two) representing "
            f"primal and tangent outputs, but got {out}.",
            "customRule",
        )
    outs, structure = tree.flatten(out[0])
    tangents, other = tree.flatten(out[1])
    if structure != other:
        raise engine.failure(
            "TypeError",
            f"Custom JVP rule {rule} for function {name} must produce primal and tangent outputs with equal container "
            f"(pytree) structures, but got {structure} and {other} respectively.",
            "customRule", _leaf_table(out[0], out[1]),
        )
    if primal_tree is not None and structure != primal_tree:
        raise engine.failure(
            "TypeError",
            f"Custom JVP rule {rule} for function {name} must produce a pair (list or tuple of length two) where the "
            f"first element represents the primal output (equal in value to the output of the custom_jvp-decorated "
            f"function {name}, and in particular of the same container/pytree structure), but instead the JVP rule "
            f"output's first element had container/pytree structure:\n    {structure}\nwhile the custom_jvp-decorated "
            f"function {name} had output container/pytree structure:\n    {primal_tree}.",
            "customRule",
        )
    from .extras import zeros_of

    tangents = [zeros_of(t) if isinstance(t, SymbolicZero) else t for t in tangents]
    for leaf in (*outs, *tangents):
        if not is_value(leaf):
            raise engine.failure(
                "TypeError", f"Custom JVP rule {rule} for function {name} returned {leaf}, which is not an array"
            )
    for primal, tangent in zip(outs, tangents):
        if np.dtype(dtype_of(primal)).kind != "f":
            continue
        want = (getattr(primal, "shape", ()), dtype_of(primal))
        have = (getattr(tangent, "shape", ()), dtype_of(tangent))
        if want[0] != have[0] or (want[1] != have[1] and isinstance(primal, Array) and isinstance(tangent, Array)):
            raise engine.failure(
                "TypeError",
                "Custom JVP rule must produce primal and tangent outputs with corresponding shapes and dtypes. Expected "
                f"{_type_of(primal)} (tangent type of {_type_of(primal)}) but got {_type_of(tangent)}.",
                "customRule", _leaf_table(out[0], out[1]),
            )
    return outs, tangents, structure


class custom_vjp(_Custom):
    """A function whose forward and backward rules are given by `defvjp`. It has no forward mode."""

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: Any = (), nondiff_argnames: Any = ()) -> None:
        super().__init__(fun, nondiff_argnums, nondiff_argnames)
        self.fwd: Callable[..., Any] | None = None
        self.bwd: Callable[..., Any] | None = None
        self.symbolic_zeros = False

    def defvjp(
        self, fwd: Callable[..., Any], bwd: Callable[..., Any], symbolic_zeros: bool = False, optimize_remat: bool = False
    ) -> None:
        """Sets the rules: `fwd(*args)` gives `(result, residuals)`, `bwd(residuals, ct)` a tuple with one cotangent
        per argument, None for zero. Settings come in front of `bwd`'s arguments."""
        check_callable(fwd)
        check_callable(bwd)
        self.fwd, self.bwd, self.symbolic_zeros = fwd, bwd, symbolic_zeros

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        fwd, bwd = self.fwd, self.bwd
        if fwd is None or bwd is None:
            raise engine.failure(
                "AttributeError", f"No VJP defined for custom_vjp function {self.__name__} using defvjp."
            )
        name, fwd_name, bwd_name = self.__name__, name_of(fwd), name_of(bwd)
        call = self._split("custom_vjp", args, kwargs)
        traced = trace(
            call.structure, lambda values: self.fun(*call.merged(values)), None, name,
            lambda: leaf_names(self.fun, call.args),
        )
        out_tree = residual_tree = None

        def run_fwd() -> list[float]:
            nonlocal out_tree, residual_tree
            values = read_values(Reader())
            if self.symbolic_zeros:
                values = [CustomVJPPrimal(value) for value in values]
            with engine.in_transform(None):
                given = fwd(*call.merged(tree.unflatten(call.structure, values)))
                outs, out_tree, residuals, residual_tree = _check_fwd(given, fwd_name, name, traced.out)
                return returned(outs, residuals)

        def run_bwd() -> list[float]:
            reader = Reader()
            residuals, cts = read_values(reader), read_values(reader)
            with engine.in_transform(None):
                res = tree.unflatten(residual_tree, residuals)
                given = bwd(*call.settings, res, tree.unflatten(out_tree, cts))
                return returned(_cotangents(given, call, name, bwd_name))

        numbers = engine.register(run_fwd), engine.register(run_bwd)
        engine.invoke(
            "customVjpCall", encoded(call.leaves), traced.id, *numbers, "\n".join((name, fwd_name, bwd_name))
        )
        return tree.unflatten(traced.out if traced.out is not None else out_tree, read_values(Reader()))


def _check_fwd(given: Any, fwd: str, name: str, primal_tree: Any) -> tuple[list[Any], Any, list[Any], Any]:
    if not isinstance(given, (list, tuple)) or len(given) != 2:
        raise engine.failure(
            "TypeError",
            f"Custom VJP fwd rule {fwd} for function {name} must produce a pair (list or tuple of length two) where the "
            f"first element represents the primal output (equal to those of the custom_vjp-decorated function {name}) "
            "and the second element represents residuals (i.e. values stored from the forward pass for use on the "
            f"backward pass), but instead of a pair the fwd rule {fwd} produced {given}.",
            "customRule",
        )
    outs, out_tree = tree.flatten(given[0])
    residuals, residual_tree = tree.flatten(given[1])
    if primal_tree is not None and primal_tree != out_tree:
        raise engine.failure(
            "TypeError",
            f"Custom VJP fwd rule {fwd} for function {name} must produce a pair (list or tuple of length two) where the "
            f"first element represents the primal output (equal to the output of the custom_vjp-decorated function "
            f"{name}) and the second element represents residuals (i.e. values stored from the forward pass for use on "
            f"the backward pass), but instead the fwd rule output's first element had container/pytree structure:\n"
            f"    {out_tree}\nwhile the custom_vjp-decorated function {name} had output container/pytree structure:\n"
            f"    {primal_tree}.",
            "customRule",
        )
    for leaf in (*outs, *residuals):
        if not is_value(leaf):
            raise engine.failure(
                "TypeError",
                f"Custom VJP fwd rule {fwd} for function {name} returned a value of type {type(leaf)}, which is not an array",
            )
    return outs, out_tree, residuals, residual_tree


def _cotangents(given: Any, call: _Call, name: str, bwd: str) -> list[Any]:
    """Cotangents of all leaves of the arguments, None for zero; a TypeError with a table if the tree is wrong."""
    examples = tree.unflatten(call.structure, call.leaves)
    if isinstance(given, list):
        given = tuple(given)

    def wrong() -> Exception:
        got = tree.flatten(given)[1]
        return engine.failure(
            "TypeError",
            "Custom VJP bwd rule must produce an output with the same container (pytree) structure as the args tuple of "
            "the primal function, and in particular must produce a tuple of length equal to the number of arguments to "
            f"the primal function, but got bwd output structure {got} for primal input structure {call.structure}.",
            "customRule", _leaf_table(examples, given),
        )

    if not isinstance(given, tuple) or len(given) != len(examples):
        raise wrong()
    from .extras import zeros_of

    out: list[Any] = []
    for example, part in zip(examples, given):
        leaves, structure = tree.flatten(example)
        if part is None:
            out += [None] * len(leaves)
            continue
        cts, found = tree.flatten(part, is_leaf=lambda leaf: leaf is None or isinstance(leaf, SymbolicZero))
        filled = tree.flatten(tree.unflatten(found, [0.0] * len(cts)))[1]
        if filled != structure:
            raise wrong()
        for leaf, ct in zip(leaves, cts):
            if isinstance(ct, SymbolicZero):
                ct = zeros_of(ct)
            if ct is not None and not is_value(ct):
                raise wrong()
            if ct is not None and np.dtype(dtype_of(leaf)).kind != "f" and not hasattr(ct, "dtype"):
                ct = None
            out.append(ct if getattr(getattr(ct, "dtype", None), "name", "") != "float0" else None)
    return out


def custom_gradient(fun: Callable[..., Any]) -> Callable[..., Any]:
    """A function that gives `(result, vjp)`, where `vjp(ct)` gives the cotangents: its gradient is taken by that."""
    check_callable(fun)

    @functools.wraps(fun)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        @custom_vjp
        def of(*xs: Any) -> Any:
            out, _ = fun(*xs, **kwargs)
            return out

        of.__name__ = name_of(fun)
        pulls: list[Any] = []

        def fwd(*xs: Any) -> Any:
            out, pull = fun(*xs, **kwargs)
            converted, consts = closure_convert_any(pull, out)
            pulls.append(converted)
            return out, consts

        def bwd(consts: Any, ct: Any) -> Any:
            given = pulls[-1](ct, *consts)
            return tuple(given) if isinstance(given, (tuple, list)) else (given,)

        of.defvjp(fwd, bwd)
        return of(*args)

    return wrapped


def closure_convert_any(f: Callable[..., Any], *examples: Any) -> tuple[Callable[..., Any], list[Any]]:
    """As `closure_convert`, with all arrays that the function holds, traced or not."""
    from .closure import convert

    return convert(f, examples, lambda leaf: isinstance(leaf, Array))


def closure_convert(fun: Callable[..., Any], *example_args: Any) -> tuple[Callable[..., Any], list[Any]]:
    """`fun` with what it closes over made explicit: `(converted, consts)`, and `converted(*args, *consts)` is `fun(*args)`.

    Only values that are being traced are taken out.
    """
    from .closure import convert

    return convert(fun, example_args, lambda leaf: isinstance(leaf, Tracer))

