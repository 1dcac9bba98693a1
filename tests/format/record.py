"""Asks JAX 0.10.2 how it prints arrays, for tests/format.rs.

    python tests/format/record.py            # writes tests/format/answers.json
"""
import json
import os
import warnings

warnings.simplefilter("ignore")
import jax.numpy as jnp
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
inf, nan = float("inf"), float("nan")
rng = np.random.default_rng(0)


def arrays():
    lists = [
        [], [[]], [[], []], [1.0], [1.5, 2.25], [0.1, 0.2, 0.3], [1e-5], [1e-4], [1e-4, 1], [1e-5, 1], [1e8], [1e16], [1e15], [123456789.0],
        [0.001, 1000.0], [0.0001, 1000.0], [1e-3, 1e5], [1.0, nan], [inf, -inf, nan, 1.5], [nan], [inf], [-inf, 0.0], [-0.0], [0.0, -0.0],
        [1 / 3], [2 / 3, 1 / 3], [1 / 3, 1e10], [1e-10, 1e10], [1e-38, 1e38], [3.4028235e38], [1e-45], [1.17549435e-38], [100000.0, 1.0],
        [99999.0, 0.5], [1e5, 1e-5], [16777216.0], [0.30000001], [1.1, 22.22, 333.333], [-1.5, 2.0], [-100.25, 3.0], [1e20, -1e-20],
        [[1.0, 2.0], [3.0, 4.0]], [[1.5, -2.25], [nan, inf]], [[[1.0]], [[2.0]]], [1e3, 1e4, 1e5, 1e6, 1e7], [0.5] * 30, [1 / 3] * 30,
        list(range(5)), [0.1 * k for k in range(40)], [[0.1 * k + j for k in range(12)] for j in range(3)],
    ]
    for x in lists:
        yield jnp.array(x, dtype="float32")
    for x in [0.0, 1.0, -1.5, 0.1, 1 / 3, 1e-5, 1e16, 1e8, nan, inf, -inf, 123456.789, 1e-45, 3.4e38, 0.84147096, 100.0, 1e-4, 12345678.0]:
        yield jnp.float32(x)
        yield jnp.asarray(x)
    for x in [0, 1, -5, 2147483647, -2147483648]:
        yield jnp.int32(x)
        yield jnp.asarray(x)
    yield jnp.asarray(True)
    yield jnp.asarray(False)
    for x in [[1, 2, 3], [-1, 10, 100], [[1, -2], [30, 4]], [], list(range(50)), [2147483647, -2147483648], [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [5] * 40]:
        yield jnp.array(x, dtype="int32")
    for x in [[1, 2, 3], [4294967295, 0]]:
        yield jnp.array(x, dtype="uint32")
    for x in [[True, False], [[True], [False]], [True] * 30, [], [[True, False, True], [False, False, True]]]:
        yield jnp.array(x, dtype="bool")
    # Large ones are summarised.
    for shape in [(1000,), (1001,), (2000,), (40, 40), (3, 400), (400, 3), (11, 10, 10), (1, 1001), (1001, 1), (2, 2, 300), (7, 200), (8, 8, 20)]:
        n = int(np.prod(shape))
        yield jnp.arange(n, dtype="int32").reshape(shape)
        yield jnp.array(rng.normal(size=shape), dtype="float32")
        yield (jnp.arange(n) % 3 == 0).reshape(shape)
    # Random ones of many magnitudes.
    for _ in range(160):
        rank = int(rng.integers(0, 4))
        shape = tuple(int(k) for k in rng.integers(1, 9, size=rank))
        scale = 10.0 ** rng.integers(-12, 13)
        kind = rng.integers(0, 5)
        if kind == 0:
            x = rng.normal(size=shape) * scale
        elif kind == 1:
            x = np.round(rng.normal(size=shape) * 100, int(rng.integers(0, 4)))
        elif kind == 2:
            x = 10.0 ** rng.uniform(-6, 9, size=shape) * rng.choice([-1, 1], size=shape)
        elif kind == 3:
            x = np.where(rng.uniform(size=shape) < 0.2, rng.choice([nan, inf, -inf], size=shape), rng.normal(size=shape))
        else:
            x = rng.integers(-1000, 1000, size=shape).astype("float64")
        yield jnp.array(x, dtype="float32")
    for _ in range(40):
        shape = tuple(int(k) for k in rng.integers(1, 20, size=int(rng.integers(1, 3))))
        yield jnp.array(rng.integers(-10 ** int(rng.integers(1, 9)), 10 ** int(rng.integers(1, 9)), size=shape), dtype="int32")


def main():
    out = []
    for a in arrays():
        data = np.asarray(a)
        out.append({"shape": list(a.shape), "dtype": str(a.dtype), "weak": bool(a.weak_type), "data": [x.item() for x in data.ravel()],
                    "str": str(a), "repr": repr(a)})
    with open(os.path.join(HERE, "answers.json"), "w") as f:
        f.write("[\n" + ",\n".join(json.dumps(o) for o in out) + "\n]\n")
    print(len(out), "arrays")


if __name__ == "__main__":
    main()
