"""Asks JAX 0.10.2 what its functions answer, for tests/api_functions.rs.

    python tests/api/record.py            # writes tests/api/answers.json

A case is a call with its arguments; the answer is the result (shape, dtype, weakness, elements), the
jaxpr of the call with its arrays as inputs, or the error's class and sentence.
"""
import json
import math
import os
import re
import warnings

warnings.simplefilter("ignore")
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn

HERE = os.path.dirname(os.path.abspath(__file__))


def encode(a):
    if isinstance(a, jax.Array):
        data = np.asarray(a)
        return {"shape": list(a.shape), "dtype": str(a.dtype), "weak": bool(a.weak_type),
                "data": [x.item() for x in data.ravel()]}
    if a is None or isinstance(a, (bool, str)):
        return a
    if isinstance(a, int):
        return a
    if isinstance(a, float):
        return {"float": a}
    if isinstance(a, (list, tuple)):
        return [encode(x) for x in a]
    if isinstance(a, slice):
        return {"slice": [a.start, a.stop, a.step]}
    if a is Ellipsis:
        return {"ellipsis": True}
    raise TypeError(a)


def result(r):
    if isinstance(r, (list, tuple)):
        return [result(x) for x in r]
    if isinstance(r, (bool, int, float, str)):
        return {"plain": r}
    if isinstance(r, (np.dtype, type)):
        return {"plain": np.dtype(r).name}
    return encode(jnp.asarray(r) if not isinstance(r, jax.Array) else r)


def python_name(name):
    *module, short = name.split(".")
    short = re.sub(r"[A-Z]", lambda m: "_" + m.group().lower(), short).replace("_1d", "1d")
    short = {"atleast1d": "atleast_1d", "atleast2d": "atleast_2d", "atleast3d": "atleast_3d"}.get(short, short)
    return module, short


def function(name):
    if name == "array.get":
        return lambda x, *index: x[index]
    module, short = python_name(name)
    if module[0] == "at":
        return lambda x, index, *v, **k: getattr(x.at[tuple(index)], short)(*v, **k)
    owner = {"np": jnp, "lax": lax, "nn": nn}[module[0]]
    for part in module[1:]:
        owner = getattr(owner, part)
    return getattr(owner, short)


def snake(k):
    return re.sub(r"[A-Z]", lambda m: "_" + m.group().lower(), k)


def jaxpr(f, args, kw):
    """The call with its arrays (also inside lists) as inputs."""
    leaves = []

    def hide(a):
        if isinstance(a, jax.Array):
            leaves.append(a)
            return ("arg", len(leaves) - 1)
        if isinstance(a, (list, tuple)) and not (len(a) and isinstance(a[0], str) and a[0] == "arg"):
            return type(a)(hide(x) for x in a)
        return a

    def show(a, values):
        if isinstance(a, tuple) and len(a) == 2 and a[0] == "arg":
            return values[a[1]]
        if isinstance(a, (list, tuple)):
            return type(a)(show(x, values) for x in a)
        return a

    hidden = [hide(a) for a in args]
    hidden_kw = {k: hide(v) for k, v in kw.items()}

    def call(*values):
        return f(*[show(a, values) for a in hidden], **{k: show(v, values) for k, v in hidden_kw.items()})

    text = str(jax.make_jaxpr(call)(*leaves))
    return re.sub(r"np\.int64\((-?\d+)\)", r"\1", text)


def answer(name, args, kw):
    f = function(name)
    kw = {snake(k): v for k, v in kw.items()}
    try:
        r = f(*args, **kw)
        out = {"result": result(r)}
    except Exception as e:
        lines = str(e).split("\n")
        return {"error": [type(e).__name__, lines[0]]}
    if not name.startswith("np.") or not isinstance(out["result"], dict) or "plain" not in out["result"]:
        try:
            out["jaxpr"] = jaxpr(f, args, kw)
        except Exception as e:
            out["staged_error"] = type(e).__name__
    return out


def main():
    from cases import CASES
    out = []
    for name, args, kw in CASES:
        one = {"f": name, "args": [encode(a) for a in args]}
        if kw:
            one["kw"] = {k: encode(v) for k, v in kw.items()}
        one.update(answer(name, args, kw))
        out.append(one)
    with open(os.path.join(HERE, "answers.json"), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(o) for o in out) + "\n]\n")
    print(len(out), "answers")


if __name__ == "__main__":
    main()
