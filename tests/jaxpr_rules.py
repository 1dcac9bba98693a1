"""Records in jaxpr_rules.txt what JAX prints for the derivative, transposition and batching rules of
every element-wise primitive. Run with jax 0.10.2 (CPU): python tests/jaxpr_rules.py

A case is a line `# primitive | transform | operand types | operands | result types`, then the jaxpr,
then a blank line. `operands` are those differentiated, or for vmap those that are mapped; `~` stands
before a weak type.
"""

import itertools
import pathlib
import re

import jax
import jax.numpy as jnp
from jax import lax
from jax._src import ad_util

FUNCTIONS = {
    "not": lax.bitwise_not,
    "and": lax.bitwise_and,
    "or": lax.bitwise_or,
    "xor": lax.bitwise_xor,
    "add_any": ad_util.add_jaxvals_p.bind,
    "copy": lax.copy_p.bind,
    "round:0": lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO),
    "round:1": lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN),
    "convert:float32": lambda x: lax.convert_element_type(x, jnp.float32),
    "convert:int32": lambda x: lax.convert_element_type(x, jnp.int32),
    "convert:bool": lambda x: lax.convert_element_type(x, jnp.bool_),
}
for n in (-2, -1, 0, 1, 2, 3, 5):
    FUNCTIONS[f"integer_pow:{n}"] = lambda x, n=n: lax.integer_pow(x, n)

FLOAT_UNARY = """neg sign abs floor ceil round:0 round:1 exp exp2 log log1p expm1 sin cos tan asin acos
atan sinh cosh tanh asinh acosh atanh logistic sqrt rsqrt cbrt square erf erfc erf_inv lgamma digamma
is_finite copy stop_gradient integer_pow:-2 integer_pow:-1 integer_pow:0 integer_pow:1 integer_pow:2
integer_pow:3 integer_pow:5 convert:int32 convert:bool""".split()
FLOAT_BINARY = "add add_any sub mul div rem pow atan2 max min eq lt".split()


def function(name):
    return FUNCTIONS.get(name) or getattr(lax, name)


def aval(text):
    weak, name, dims = re.fullmatch(r"(~?)(\w+)\[(.*)\]", text).groups()
    dtype = {"f32": "float32", "i32": "int32", "u32": "uint32", "bool": "bool"}[name]
    shape = tuple(int(d) for d in dims.split(",") if d)
    return jax.ShapeDtypeStruct(shape, dtype, weak_type=bool(weak))


def only(f, args, wrt):
    """f as a function of the operands in wrt."""
    def g(*some):
        full = list(args)
        for i, v in zip(wrt, some):
            full[i] = v
        return f(*full)
    return g


def program(f, transform, avals, picked):
    n = len(avals)
    if transform == "jvp":
        def run(*xs):
            args, tangents = xs[:n], xs[n:]
            return jax.jvp(only(f, args, picked), tuple(args[i] for i in picked), tangents)
        return run, [*avals, *(avals[i] for i in picked)]
    if transform == "vjp":
        out = jax.eval_shape(f, *avals)
        def run(*xs):
            args, ct = xs[:n], xs[n]
            _, pull = jax.vjp(only(f, args, picked), *(args[i] for i in picked))
            return pull(ct)
        return run, [*avals, out]
    if transform == "grad2":
        return jax.grad(jax.grad(f, argnums=picked[0]), argnums=picked[-1]), avals
    if transform == "vmap":
        return jax.vmap(f, in_axes=[0 if i in picked else None for i in range(n)]), avals
    if transform == "transpose":
        out = jax.eval_shape(f, *avals)
        def run(*xs):
            args, ct = xs[:n], xs[n]
            return jax.linear_transpose(only(f, args, picked), *(avals[i] for i in picked))(ct)
        return run, [*avals, out]
    raise ValueError(transform)


def cases():
    for name in FLOAT_UNARY:
        yield name, "jvp", "f32[4]", "0"
        if name not in ("is_finite", "convert:int32", "convert:bool"):
            yield name, "vjp", "f32[4]", "0"
        if name not in ("is_finite", "convert:int32", "convert:bool"):
            yield name, "grad2", "f32[]", "0"
    for name in FLOAT_BINARY:
        for types in ("f32[4] f32[4]", "f32[2,1] f32[1,3]", "f32[4] f32[]", "f32[] f32[4]"):
            for wrt in ("0,1", "0", "1"):
                if name == "add_any" and types != "f32[4] f32[4]":
                    continue
                yield name, "jvp", types, wrt
                if name not in ("eq", "lt"):
                    yield name, "vjp", types, wrt
        if name not in ("eq", "lt"):
            for wrt in ("0", "1", "0,1"):
                yield name, "grad2", "f32[] f32[]", wrt
        if name != "add_any":
            yield name, "vmap", "f32[3,4] f32[3,4]", "0,1"
            yield name, "vmap", "f32[3,4] f32[4]", "0"
            yield name, "vmap", "f32[4] f32[3,4]", "1"
            yield name, "vmap", "f32[3] f32[4]", "0"
            yield name, "vmap", "f32[3,4] f32[3]", "0,1"
            yield name, "vmap", "f32[3,4] f32[]", "0"
    for name in FLOAT_UNARY:
        for types in ("~f32[]", "~f32[4]"):
            yield name, "jvp", types, "0"
            if name not in ("is_finite", "convert:int32", "convert:bool"):
                yield name, "vjp", types, "0"
    for name in FLOAT_BINARY:
        for types in ("~f32[] f32[4]", "f32[4] ~f32[]", "~f32[] ~f32[]", "f32[] ~f32[]"):
            if name == "add_any" and types != "~f32[] ~f32[]":
                continue
            yield name, "jvp", types, "0,1"
            if name not in ("eq", "lt"):
                yield name, "vjp", types, "0,1"
    for types in ("~f32[] ~f32[] ~f32[]", "~f32[] f32[] f32[]", "f32[] ~f32[] ~f32[]"):
        yield "clamp", "jvp", types, "0,1,2"
        yield "clamp", "vjp", types, "1"
    for types in ("bool[] ~f32[] ~f32[]", "bool[] ~f32[] f32[]"):
        yield "select_n", "jvp", types, "1,2"
        yield "select_n", "jvp", types, "1"
        yield "select_n", "vjp", types, "1,2"
    for types in ("f32[4] i32[4]", "f32[] i32[4]", "f32[4] i32[]"):
        yield "pow", "jvp", types, "0"
        yield "pow", "vjp", types, "0"
    for types in ("bool[4] f32[4] f32[4]", "bool[] f32[4] f32[4]"):
        for wrt in ("1,2", "1", "2"):
            yield "select_n", "jvp", types, wrt
            yield "select_n", "vjp", types, wrt
    yield "select_n", "vjp", "i32[4] f32[4] f32[4] f32[4]", "1,2,3"
    yield "select_n", "jvp", "i32[4] f32[4] f32[4] f32[4]", "1,3"
    for types in ("f32[] f32[4] f32[]", "f32[4] f32[4] f32[4]"):
        for wrt in ("1",) if "[]" in types else ("0,1,2", "0", "1", "2"):
            yield "clamp", "jvp", types, wrt
            yield "clamp", "vjp", types, wrt
    which, case = ("bool[]", "bool[4]"), ("f32[]", "f32[4]")
    for w, c in (("bool[4]", "f32[4]"), ("bool[]", "f32[4]"), ("bool[]", "f32[]")):
        for mask in itertools.product((0, 1), repeat=3):
            if any(mask):
                types = [lanes(t) if m else t for t, m in zip((w, c, c), mask)]
                yield "select_n", "vmap", " ".join(types), ",".join(str(i) for i in range(3) if mask[i])
    for bound, x in (("f32[4]", "f32[4]"), ("f32[]", "f32[4]"), ("f32[]", "f32[]")):
        for mask in itertools.product((0, 1), repeat=3):
            if any(mask):
                types = [lanes(t) if m else t for t, m in zip((bound, x, bound), mask)]
                yield "clamp", "vmap", " ".join(types), ",".join(str(i) for i in range(3) if mask[i])
    for name in ("neg", "copy"):
        yield name, "transpose", "f32[4]", "0"
    for name, types, wrt in (
        ("add", "f32[4] f32[4]", "0"),
        ("add", "f32[4] f32[4]", "0,1"),
        ("add", "f32[2,1] f32[1,3]", "0,1"),
        ("sub", "f32[4] f32[4]", "0"),
        ("sub", "f32[4] f32[4]", "0,1"),
        ("sub", "f32[2,1] f32[1,3]", "0,1"),
        ("mul", "f32[4] f32[4]", "0"),
        ("mul", "f32[2,1] f32[1,3]", "1"),
        ("mul", "f32[] f32[4]", "0"),
        ("div", "f32[4] f32[4]", "0"),
        ("div", "f32[] f32[4]", "0"),
        ("select_n", "bool[4] f32[4] f32[4]", "1,2"),
    ):
        yield name, "transpose", types, wrt


def lanes(text):
    return text.replace("[", "[3,").replace(",]", "]")


def main():
    out = []
    for name, transform, types, picked in cases():
        avals = [aval(t) for t in types.split()]
        run, args = program(function(name), transform, avals, [int(i) for i in picked.split(",")])
        try:
            closed = jax.make_jaxpr(run)(*args)
            text = str(closed)
        except Exception as e:  # what JAX refuses is no case
            print(name, transform, types, picked, type(e).__name__, str(e)[:90])
            continue
        text = re.sub(r"np\.int64\((-?\d+)\)", r"\1", text)
        lines = "\n".join(line.rstrip() for line in text.splitlines())
        results = " ".join(a.str_short(short_dtypes=True) for a in closed.out_avals)
        results = [("~" if a.weak_type else "") + s for a, s in zip(closed.out_avals, results.split())]
        out.append(f"# {name} | {transform} | {types} | {picked} | {' '.join(results)}\n{lines}\n")
    path = pathlib.Path(__file__).with_suffix(".txt")
    path.write_text("\n".join(out))
    print(len(out), "cases")


main()
