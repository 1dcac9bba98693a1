"""Records in jaxpr_shapes.txt what JAX computes and prints for the examples of the primitives that are
not element-wise. Run with jax 0.10.2 (CPU):

    cargo test --test jaxpr_shapes -- --ignored --nocapture | python tests/jaxpr_shapes.py

An answer is a line `# primitive number | question`, then a line with the numbers or the jaxpr, blanks
folded, then a blank line.
"""

import itertools
import pathlib
import re
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax._src import core
from jax._src.lax import lax as lax_internal
from jax._src.lax import slicing
from jax._src.lax.control_flow import loops

jax.config.update("jax_enable_x64", True)
LANES = 3

PRIMITIVES = {}
for module in (lax_internal, slicing, loops):
    for thing in vars(module).values():
        if isinstance(thing, core.Primitive):
            PRIMITIVES[thing.name] = thing

NAMES = {
    "GatherScatterMode": lax.GatherScatterMode,
    "GatherDimensionNumbers": lax.GatherDimensionNumbers,
    "ScatterDimensionNumbers": lax.ScatterDimensionNumbers,
    "nan": np.nan,
    **{d: np.dtype(d) for d in ("int32", "uint32", "float32", "float64", "bool")},
}


def freeze(value):
    return tuple(map(freeze, value)) if isinstance(value, (list, tuple)) and not hasattr(value, "_fields") else value


def function(name, params, shape):
    params = {k: freeze(eval(v, NAMES)) for k, v in params.items()}
    if name.startswith("scatter"):
        f = getattr(lax, name.replace("-", "_"))
        kept = ("indices_are_sorted", "unique_indices", "mode")
        return lambda *a: f(*a, params["dimension_numbers"], **{k: params[k] for k in kept})
    if name == "top_k":
        return lambda a: lax.top_k(a, params["k"], axis=params["axis"])
    if name == "broadcast_in_dim":
        params = {"broadcast_dimensions": (), **params, "shape": tuple(shape), "sharding": None}
    if name == "dot_general":
        params = {"preferred_element_type": None, **params, "precision": None, "out_sharding": None}
    return lambda *a: PRIMITIVES[name].bind(*a, **params)


def is_float(x):
    return jnp.issubdtype(x.dtype, jnp.floating)


def listed(x):
    return list(x) if isinstance(x, (list, tuple)) else [x]


def only(f, args, wrt):
    def g(*some):
        full = list(args)
        for i, v in zip(wrt, some):
            full[i] = v
        return f(*full)

    return g


def jaxpr(f, *avals):
    text = str(jax.make_jaxpr(f)(*avals))
    # NumPy's scalars leak into some parameters and make lines break earlier.
    text = re.sub(r"np\.int64\((-?\d+)\)", r"\1", text)
    # Tangents of integers that nobody asked for.
    text = re.sub(r"_:float0\[[\d,]*\] = broadcast_in_dim \(b'',\):float0\[\]", "", text)
    text = " ".join(text.replace(";", " ; ").split())
    return text.replace("[ ", "[").replace(" ]", "]").replace(" ; ", " ")


def structs(args):
    return [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in args]


def answers(f, args, wrt, texts):
    out = listed(f(*args))
    yield "value", " ".join(repr(float(v)) for o in out for v in np.asarray(o).ravel())
    if not texts:
        return
    types, n = structs(args), len(args)
    if wrt:

        def forward(*xs):
            y, t = jax.jvp(only(f, xs[:n], wrt), tuple(xs[i] for i in wrt), xs[n:])
            return listed(y) + [t for y, t in zip(listed(y), listed(t)) if is_float(y)]

        def backward(*xs):
            y, pull = jax.vjp(only(f, xs[:n], wrt), *(xs[i] for i in wrt))
            given = iter(xs[n:])
            cts = [next(given) if is_float(o) else np.zeros(o.shape, jax.dtypes.float0) for o in listed(y)]
            return pull(type(y)(cts) if isinstance(y, (list, tuple)) else cts[0])

        yield "jvp", jaxpr(forward, *types, *(types[i] for i in wrt))
        if any(is_float(o) for o in out):
            yield "vjp", jaxpr(backward, *types, *(t for t in structs(out) if is_float(t)))
    masks = [m for m in itertools.product((0, 1), repeat=n) if any(m)]
    for mask in [m for m in masks if n <= 3 or sum(m) in (1, n)]:
        lanes = [jax.ShapeDtypeStruct((LANES, *t.shape), t.dtype) if m else t for t, m in zip(types, mask)]
        text = jaxpr(jax.vmap(f, in_axes=[0 if m else None for m in mask]), *lanes)
        yield "vmap " + "".join(map(str, mask)), text


def main():
    blocks = []
    for line in sys.stdin:
        if not line.startswith("@"):
            continue
        name, number, params, args, shape, wrt = line[1:].rstrip("\n").split("\t")
        params = dict(p.split("=", 1) for p in params.split(";") if p)
        arrays = []
        for arg in filter(None, args.split(";")):
            dtype, dims, values = arg.split(":")
            arrays.append(np.array(eval(values, NAMES), dtype).reshape(eval(dims)))
        arrays = [jnp.asarray(a) for a in arrays]
        # The texts of gather and scatter are long; further modes leave the same equations.
        texts = int(number) < 6 or not name.startswith(("gather", "scatter"))
        for question, text in answers(function(name, params, eval(shape)), arrays, eval(wrt), texts):
            blocks.append(f"# {name} {number} | {question}\n{text}\n")
    path = pathlib.Path(__file__).with_suffix(".txt")
    path.write_text("\n".join(blocks))
    print(len(blocks), "answers")


main()
