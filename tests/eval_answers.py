"""Records in eval_answers.txt what JAX computes for every element-wise primitive on edge inputs.
Run with jax 0.10.2 (CPU): python tests/eval_answers.py

Lines: `primitive | dtype | operands | result dtype | result`; operands are separated by `;`, their
elements by blanks. Operand dtypes other than the second field's stand before the elements: `bool:`.
"""

import itertools
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

jax.config.update("jax_enable_x64", True)

inf, nan = float("inf"), float("nan")
UNARY_FLOATS = [
    nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.0, -3.0, 0.1, -0.1, 0.9, -0.9,
    1e-10, -1e-10, 1e-4, 7.25, -7.25, 20.0, -20.0, 88.5, 89.5, -87.0, 100.25, -100.5, 1e5, -1e5, 1e10, -1e10,
    8388609.5, 1.9999999, 0.49999997, -0.49999997, 2.0**24 + 2, 3e38, -3e38, 1.2e-38,
]
PAIR_DOUBLES = [nan, inf, -inf, 0.0, -0.0, 1.0, -2.0, 2.5, -3.0, 1e200]
PAIR_FLOATS = [nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 3.0, -3.0, 2.5, 1e10, -1e-10, 3e38]
INTS = {
    "int32": [0, 1, -1, 2, 3, -3, 7, -7, 31, 32, 33, -32, 2**31 - 1, -(2**31), 123456789],
    "uint32": [0, 1, 2, 3, 7, 31, 32, 33, 2**31, 2**32 - 1, 123456789],
    "bool": [0, 1],
}
FUNCTIONS = {
    "not": lax.bitwise_not, "and": lax.bitwise_and, "or": lax.bitwise_or, "xor": lax.bitwise_xor,
    "round:0": lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO),
    "round:1": lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN),
}
for n in (-3, -1, 0, 1, 2, 3, 4, 7):
    FUNCTIONS[f"integer_pow:{n}"] = lambda x, n=n: lax.integer_pow(x, n)
for d in ("bool", "int32", "uint32", "float32", "float64"):
    FUNCTIONS[f"convert:{d}"] = lambda x, d=d: lax.convert_element_type(x, d)

FLOAT_UNARY = """neg sign abs floor ceil round:0 round:1 exp exp2 log log1p expm1 sin cos tan asin acos atan
sinh cosh tanh asinh acosh atanh logistic sqrt rsqrt cbrt square erf erfc erf_inv lgamma digamma is_finite
integer_pow:-3 integer_pow:-1 integer_pow:0 integer_pow:1 integer_pow:2 integer_pow:3
integer_pow:4 integer_pow:7""".split()
INT_UNARY = {
    "int32": "neg sign abs square not population_count integer_pow:0 integer_pow:2 integer_pow:3 integer_pow:7",
    "uint32": "neg sign square not population_count integer_pow:0 integer_pow:2 integer_pow:3 integer_pow:7",
    "bool": "not",
}
COMPARE = "eq ne lt le gt ge".split()
FLOAT_BINARY = "add sub mul div rem pow atan2 max min nextafter".split() + COMPARE
INT_BINARY = {
    "int32": "add sub mul div rem max min and or xor shift_left shift_right_logical shift_right_arithmetic".split() + COMPARE,
    "uint32": "add sub mul div rem max min and or xor shift_left shift_right_logical shift_right_arithmetic".split() + COMPARE,
    "bool": "max min and or xor".split() + COMPARE,
}
CONVERTED = {
    "float32": [nan, inf, -inf, 0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.0**31, -(2.0**31), 3e9, -3e9, 2.0**32, 5e9, 1e20, -1e20],
    "float64": [nan, inf, -inf, 0.0, -0.0, 0.5, 1.5, -1.5, 2147483647.5, -2147483648.5, 2.0**31, 4294967295.5, 2.0**32, 1e20, 1e300, -1e300, 1 / 3],
    **INTS,
}


def shown(a):
    a = np.asarray(a)
    if a.dtype == np.float64 or a.dtype == np.float32:
        # The shortest text that reads back as the same number.
        return " ".join(str(v).removesuffix(".0") for v in a)
    return " ".join(str(int(v)) for v in a)


def line(name, dtype, operands):
    f = FUNCTIONS.get(name) or getattr(lax, name)
    arrays = [jnp.asarray(np.array(v, d)) for d, v in operands]
    out = f(*arrays)
    texts = [("" if d == dtype else d + ": ") + shown(a) for (d, _), a in zip(operands, arrays)]
    return f"{name} | {dtype} | {' ; '.join(texts)} | {out.dtype} | {shown(out)}"


def pairs(values):
    return zip(*itertools.product(values, repeat=2))


def lines():
    for dtype, grid in (("float32", PAIR_FLOATS), ("float64", PAIR_DOUBLES)):
        for name in FLOAT_UNARY:
            yield line(name, dtype, [(dtype, UNARY_FLOATS)])
        for name in FLOAT_BINARY:
            yield line(name, dtype, [(dtype, v) for v in pairs(grid)])
        exponents = [0, 1, -1, 2, -2, 3, 5]
        xs, ys = zip(*itertools.product(grid, exponents))
        yield line("pow", dtype, [(dtype, xs), ("int32", ys)])
        lows, xs, highs = zip(*itertools.product((nan, -1.0, 2.0, -0.0), grid, (nan, 1.0, -2.0, 0.0)))
        yield line("clamp", dtype, [(dtype, lows), (dtype, xs), (dtype, highs)])
    for dtype, values in INTS.items():
        for name in INT_UNARY[dtype].split():
            yield line(name, dtype, [(dtype, values)])
        for name in INT_BINARY[dtype]:
            yield line(name, dtype, [(dtype, v) for v in pairs(values)])
        lows, xs, highs = zip(*itertools.product(values[:4], values, values[1:3]))
        yield line("clamp", dtype, [(dtype, lows), (dtype, xs), (dtype, highs)])
    for dtype, values in CONVERTED.items():
        for to in ("bool", "int32", "uint32", "float32", "float64"):
            yield line(f"convert:{to}", dtype, [(dtype, values)])
    yield line("select_n", "float32", [("bool", [0, 1, 1]), ("float32", [1.0, nan, 3.0]), ("float32", [nan, -2.0, -0.0])])
    cases = [("float32", [float(10 * k + i) for i in range(7)]) for k in range(3)]
    yield line("select_n", "float32", [("int32", [0, 1, 2, 3, -1, 2**31 - 1, -(2**31)]), *cases])
    yield line("select_n", "float32", [("uint32", [0, 1, 2, 3, 2**32 - 1, 2**31, 1]), *cases])
    yield line("select_n", "int32", [("int32", [0, 0, 5]), ("int32", [4, 5, 6])])


def main():
    text = "\n".join(lines()) + "\n"
    pathlib.Path(__file__).with_suffix(".txt").write_text(text)
    print(text.count("\n"), "lines,", len(text), "bytes")


main()
