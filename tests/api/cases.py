"""The calls whose answers are recorded: (function, positional arguments, options)."""
import jax.numpy as jnp
import numpy as np

CASES = []


def c(name, *args, **kw):
    CASES.append((name, args, kw))


def F(*x, shape=None):
    a = jnp.array(x, dtype="float32")
    return a.reshape(shape) if shape else a


def I(*x, shape=None):
    a = jnp.array(x, dtype="int32")
    return a.reshape(shape) if shape else a


def U(*x):
    return jnp.array(x, dtype="uint32")


def B(*x, shape=None):
    a = jnp.array(x, dtype="bool")
    return a.reshape(shape) if shape else a


inf, nan = float("inf"), float("nan")
x = F(-1.5, 0.0, 0.25, 2.0)
y = F(2.0, -3.0, 0.5, 1.0)
p = F(0.5, 1.0, 2.5, 7.0)
z = F(nan, inf, -inf, -0.0)
m = F(1, -2, 3, 4, 5, -6, shape=(2, 3))
n = F(1, 2, 3, 4, 5, 6, shape=(3, 2))
t = jnp.arange(24, dtype="float32").reshape(2, 3, 4)
i = I(3, -1, 0, 2)
j = I(2, 3, -2, 5)
u = U(3, 1, 0, 2)
b = B(True, False, True, False)
d = B(True, True, False, False)
s = jnp.float32(1.5)
w = jnp.asarray(2.5)          # weak
k = jnp.asarray(2)            # weak int
im = I(0, 1, 2, 3, 4, 5, shape=(2, 3))
e = jnp.zeros((0,), "float32")
e2 = jnp.zeros((2, 0), "float32")

# --- arithmetic
for f in ["add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "floorDivide", "remainder",
          "mod", "fmod", "arctan2", "hypot", "logaddexp", "logaddexp2", "fmax", "fmin", "heaviside", "copysign",
          "floatPower", "nextafter", "trueDivide", "divmod"]:
    a0 = p if f in ("power", "floatPower") else x
    for args in [(a0, y), (a0, 2), (a0, 1.5), (2, p), (i, j) if f not in ("power",) else (I(3, 2, 0, 2), I(2, 3, 4, 0)),
                 (i, 2), (u, 2), (i, 1.5), (p, w), (p, k), (w, 2), (k, 3), (m, n), (m, F(1, 2, 3)), (m, F(1, 2, shape=(2, 1))),
                 (F(1, 2, 3, shape=(3, 1)), F(1, 2)), (p, i), (u, i), (b, d), (b, 2), (b, i), (x, F(1, 2)), (3, 2.5), (2, 3),
                 (p, True)]:
        c("np." + f, *args)
    c("np." + f, p, [1, 2])
    c("np." + f, p, None)
    c("np." + f, p)
for f in ["negative", "positive", "abs", "absolute", "fabs", "sign", "square", "sqrt", "cbrt", "reciprocal", "exp", "exp2",
          "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh",
          "arcsinh", "arccosh", "arctanh", "deg2rad", "rad2deg", "radians", "degrees", "floor", "ceil", "round", "around",
          "rint", "trunc", "isnan", "isinf", "isfinite", "isposinf", "isneginf", "signbit", "nanToNum", "sinc", "logicalNot",
          "real", "conj"]:
    for a in [x, p, z, i, u, m, w, k, 2, 0.5, e]:
        c("np." + f, a)
    if f not in ("round", "around", "nanToNum", "rint", "trunc", "floor", "ceil", "real", "conj", "deg2rad", "rad2deg", "radians",
                 "degrees", "reciprocal", "sign", "signbit"):
        c("np." + f, b)
    c("np." + f, [1.0, 2.0])
    c("np." + f, None)
    c("np." + f)
for f in ["bitwiseAnd", "bitwiseOr", "bitwiseXor", "leftShift", "rightShift"]:
    for args in [(i, I(1, 2, 3, 4)), (i, 2), (u, 1), (b, d), (x, 1), (im, I(1, 2, 3))]:
        c("np." + f, *args)
for f in ["bitwiseNot", "invert"]:
    for a in [i, u, b, x]:
        c("np." + f, a)
c("np.round", x, 1)
c("np.round", F(1.2345, 15.0), 2)
c("np.round", i, -1)
c("np.round", x, decimals=1)
for args in [(x, 0, 1), (x, -1.0, 1.5), (i, 0, 2), (i, 0.5, 2), (x, None, 1), (x, 0, None), (x,), (m, F(0, 0, 0), 4), (x, min, 1)][:8]:
    c("np.clip", *args)
c("np.clip", x, min=0)
c("np.clip", x, max=0.5)
c("np.nanToNum", z, nan=1.0, posinf=9.0, neginf=-9.0)

# --- logic
for f in ["equal", "notEqual", "less", "lessEqual", "greater", "greaterEqual", "logicalAnd", "logicalOr", "logicalXor"]:
    for args in [(x, y), (x, 0.25), (i, 2), (i, 1.5), (b, d), (m, F(1, 2, 3)), (u, i), (x, b), (2, 3), (z, z), (x, F(1, 2))]:
        c("np." + f, *args)
for args in [(b, x, y), (b, x, 0), (b, 1, 0), (b, 1.0, 0), (i, x, 0.0), (b, x, i), (B(True, False, shape=(2, 1)), x, 1), (True, x, y),
             (b, w, 1), (b,), (m,), (b, x), (B(True, False), x, y), (x, 1, 2.5), (b, i, 2.5), (b, True, False)]:
    c("np.where", *args)
c("np.select", [b, x > 0], [x, y], 5.0)
c("np.select", [b, x > 0], [x, i])
c("np.select", [b], [x, y])
c("np.isclose", x, y)
c("np.isclose", x, 0.25)
c("np.isclose", i, 2)
c("np.isclose", z, z, equalNan=True)
c("np.allclose", x, x)
c("np.allclose", x, y, rtol=1.0)
c("np.arrayEqual", x, x)
c("np.arrayEqual", x, m)
c("np.arrayEqual", z, z, equalNan=True)
c("np.arrayEquiv", F(1, 1), 1)

# --- reductions
for f in ["sum", "prod", "mean", "var", "std", "max", "min", "amax", "amin", "any", "all", "median", "ptp", "countNonzero", "nansum",
          "nanprod", "nanmean", "nanmax", "nanmin", "nanvar", "nanstd", "average"]:
    for a in [x, m, i, w, k, z, t]:
        c("np." + f, a)
    c("np." + f, m, 0)
    c("np." + f, m, axis=1)
    c("np." + f, m, axis=-1, keepdims=True)
    c("np." + f, t, axis=(0, 2))
    c("np." + f, t, axis=[0, 1], keepdims=True)
    c("np." + f, m, keepdims=True)
    c("np." + f, m, axis=2)
    c("np." + f, m, axis=(0, 0))
    c("np." + f, [1.0])
    if f not in ("var", "std", "median", "ptp", "nanvar", "nanstd"):
        c("np." + f, b)
    if f not in ("median",):
        c("np." + f, e2, axis=0)
for f in ["sum", "prod", "max", "min"]:
    c("np." + f, m, initial=2)
    c("np." + f, m, where=m > 0, initial=1)
    c("np." + f, e, initial=1)
    c("np." + f, e)
c("np.max", e2, axis=1)
c("np.max", m, where=m > 0)
c("np.sum", x, where=b)
c("np.sum", x, dtype="int32")
c("np.sum", i, dtype="float32")
c("np.sum", m, axis=())
c("np.mean", x, where=b)
c("np.mean", i, dtype="float32")
c("np.var", x, ddof=1)
c("np.var", x, where=b)
c("np.std", m, axis=1, ddof=1)
c("np.nanvar", m, ddof=1)
c("np.all", x, where=b)
c("np.average", m, axis=0, weights=F(1, 3))
c("np.average", x, weights=p)
c("np.average", m, weights=F(1, 3))
for f in ["argmax", "argmin"]:
    for a in [x, m, i, b, z]:
        c("np." + f, a)
    c("np." + f, m, 0)
    c("np." + f, m, axis=1, keepdims=True)
    c("np." + f, m, keepdims=True)
    c("np." + f, e)
    c("np." + f, m, axis=5)
for f in ["cumsum", "cumprod"]:
    for a in [x, m, i, b, z]:
        c("np." + f, a)
    c("np." + f, m, 0)
    c("np." + f, m, axis=-1)
    c("np." + f, i, dtype="float32")
    c("np." + f, m, axis=2)
c("np.quantile", p, 0.3)
c("np.quantile", m, 0.25, axis=1)
c("np.quantile", m, F(0.25, 0.5), axis=0, keepdims=True)
for method in ["lower", "higher", "midpoint", "nearest"]:
    c("np.quantile", p, 0.4, method=method)
c("np.percentile", p, 30)
c("np.percentile", m, 50.0, axis=0)

# --- creation
for args in [([1, 2, 3],), ([[1.0, 2], [3, 4]],), ([],), ([[], []],), ([True, False],), (5,), (2.5,), (True,), ([x, y],), ([s, 1],), ([s, 2.5, i[0]],),
             ([[1, 2], [3]],), ([[1, 2], 3],), (None,), ("a",), ([1, None],), (x,), ([x, 1],), ([[[1]], [[2]]],), ([1, 2.5, True],)]:
    c("np.array", *args)
    c("np.asarray", *args)
c("np.array", [1.5, 2.5], dtype="int32")
c("np.array", x, dtype="int32")
c("np.array", 2.7, dtype="int32")
c("np.array", [1, 2], dtype="float32")
c("np.array", [0, 2], "bool")
c("np.array", 3, ndmin=2)
c("np.array", [1, 2], dtype="floot")
for f in ["zeros", "ones", "empty"]:
    for args in [(3,), ((2, 3),), ([2, 0],), ((),), (2, "int32"), (-1,), ((2, -1),), (1.5,), ("a",), ((2.5,),), (3, "floot"), (3, "bool"), (3, "float64")]:
        c("np." + f, *args)
for args in [(2, 1), ((2, 2), 1.5), ((2, 3), F(1, 2, 3)), (2, F(1, 2, 3)), ((2,), [1, 2]), (2, True), (2, w)]:
    c("np.full", *args)
c("np.full", 2, 1.5, dtype="int32")
for f in ["zerosLike", "onesLike", "emptyLike"]:
    for a in [x, i, m, 1, 2.5, w, b, [1, 2]]:
        c("np." + f, a)
    c("np." + f, x, dtype="int32")
    c("np." + f, x, shape=(2, 2))
c("np.fullLike", i, 2.5)
c("np.fullLike", x, 2)
c("np.fullLike", m, F(1, 2, 3))
c("np.astype", x, "int32")
c("np.astype", i, "float32")
c("np.astype", x, "bool")
for args in [(5,), (0,), (-3,), (3.0,), (2.5,), (2, 5), (0.5, 3), (0, 1, 0.3), (5, 0, -2), (0, 10, 3), (1, 2, 0), (5, 2)]:
    c("np.arange", *args)
c("np.arange", 4, dtype="float32")
c("np.arange", 0, 1, 0.25, dtype="float32")
c("np.arange", 5, dtype="uint32")
for args in [(0, 1, 5), (0, 1, 5, False), (0, 1, 1), (0, 1, 0), (0, 1, -1), (2, 10, 4), (x, 1, 3), (0.0, F(1, 2), 3)]:
    c("np.linspace", *args)
c("np.linspace", 0, 1, 3, retstep=True)
c("np.linspace", 0, 10, 5, dtype="int32")
c("np.linspace", x, y, 3, axis=1)
c("np.logspace", 0, 2, 3)
c("np.logspace", 0, 3, 4, base=2)
for args in [(3,), (2, 3), (2, 3, 1), (3, 2, -1), (-1,)]:
    c("np.eye", *args)
    c("np.tri", *args)
c("np.eye", 2, dtype="int32")
c("np.identity", 3)
for f in ["tril", "triu"]:
    for args in [(m,), (m, 1), (m, -1), (t,), (x,)]:
        c("np." + f, *args)
for args in [(x,), (x, 1), (x, -1), (m,), (m, 1), (m, -1), (m, 5), (t,)]:
    c("np.diag", *args)
c("np.diagflat", m)
for args in [(m,), (m, 1), (m, -1), (t,), (t, 0, 0, 2), (t, 1, 1, 2), (x,)]:
    c("np.diagonal", *args)
c("np.meshgrid", x, i)
c("np.meshgrid", x, i, indexing="ij")
c("np.meshgrid", x, i, sparse=True)
c("np.meshgrid", x, F(1, 2), I(1, 2, 3))
c("np.meshgrid", x, i, indexing="zz")
c("np.meshgrid", m)
c("np.indices", (2, 3))

# --- products
pairs = [(x, y), (m, n), (m, F(1, 2, 3)), (F(1, 2), m), (t, jnp.ones((4, 2))), (jnp.ones((2, 4, 5)), jnp.ones((2, 5, 3))),
         (jnp.ones((4, 5)), jnp.ones((2, 5, 3))), (jnp.ones((1, 4, 5)), jnp.ones((2, 5, 3))), (jnp.ones((3, 1, 4, 5)), jnp.ones((2, 5, 3))),
         (m, m), (x, 2.0), (i, j), (i, y), (2.0, x), (t, F(1, 2, 3, 4)), (F(1, 2, 3), t)]
for f in ["dot", "matmul", "inner"]:
    for args in pairs:
        c("np." + f, *args)
for args in [(m, m), (x, y), (i, j), (m, n), (2.0, 3.0)]:
    c("np.vdot", *args)
for args in [(x, y), (m, x), (i, x), (2, x)]:
    c("np.outer", *args)
for args in [(m, m), (m, n, 1), (m, m, 0), (m, m, ((0,), (0,))), (t, t, ((0, 2), (0, 2))), (t, t, ([0, 1, 2], [0, 1, 2])), (m, n, 3), (x, y, 1), (m, m, (0, 0))]:
    c("np.tensordot", *args)
c("np.vecdot", m, m)
c("np.vecdot", m, F(1, 2, 3))
c("np.vecdot", m, m, axis=0)
c("np.kron", x, y)
c("np.kron", m, n)
c("np.kron", m, x)
c("np.cross", F(1, 2, 3), F(4, 5, 6))
c("np.cross", m, m[::-1])
c("np.cross", m, F(1, 2, 3))
c("np.cross", n, n)
c("np.cross", x, y)
c("np.trace", m)
c("np.trace", m, 1)
c("np.trace", t)
c("np.trace", im)
c("np.trace", x)
c("np.matvec", m, F(1, 2, 3))
for args in [(m,), (x,), (x, 1), (x, 3), (x, 0), (x, inf), (x, -inf), (x, 2), (m, "fro"), (m, 1), (m, inf), (m, -1), (i,), (m, None, 1), (m, 1, 0), (x, "foo"), (w,), (t,)]:
    c("np.linalg.norm", *args)
c("np.linalg.norm", m, axis=1, keepdims=True)
c("np.linalg.norm", t, axis=(1, 2))
c("np.linalg.norm", m, keepdims=True)
for args in [("ij,jk", m, n), ("ij,jk->ki", m, n), ("ij->ji", m), ("ij->j", m), ("ij->", m), ("i,i", x, y), ("i,j->ij", x, y), ("i,i->i", x, y),
             ("ii", jnp.ones((3, 3))), ("ii->i", n[:2]), ("...ij,...jk->...ik", t, jnp.ones((2, 4, 2))), ("bij,bjk->bik", t, jnp.ones((2, 4, 2))),
             ("ij,jk,kl->il", m, n, m), ("ij,ij->", m, m), ("ij,i->j", m, F(1, 2)), ("...j->...", m), ("i...->...", m), ("ij,j", m, F(1, 2, 3)),
             ("ba", m), ("ij,jk", m), ("ij,jk", m, m), ("ij->ii", m), ("ij->k", m), ("i", m), ("ij,kl->ijkl", m, n), ("i j , j k -> i k", m, n),
             ("ab,cd,ef->", m, n, m), ("ijk,jk->i", t, t[0]), ("ij,jk->ik", i.reshape(2, 2), j.reshape(2, 2)), ("ij,jk->ik", i.reshape(2, 2), x.reshape(2, 2)),
             ("i,ij,j->", F(1, 2), m, F(1, 2, 3)), ("...,...->...", m, F(1, 2, 3)), ("ij,ij->ij", m, F(1, 2, 3, shape=(1, 3)))]:
    c("np.einsum", *args)
c("np.einsum", m, [0, 1], n, [1, 2])
c("np.einsum", m, [0, 1], n, [1, 2], [2, 0])

# --- shaping
for args in [(m, (3, 2)), (m, 6), (m, (3, -1)), (m, -1), (m, (2, 3)), (m, (4, 2)), (m, (4, -1)), (m, (-1, -1)), (x, (2, 2)), (s, (1, 1)), (e, (2, 0)), (e, (-1, 0)), (m, [6])]:
    c("np.reshape", *args)
c("np.reshape", m, (3, 2), order="F")
c("np.reshape", m, (3, 2), order="Q")
for args in [(m,), (x,), (s,), (m, "F"), (t,)]:
    c("np.ravel", *args)
for args in [(m,), (x,), (t,), (t, (0, 2, 1)), (t, (-1, 0, 1)), (m, (0, 0)), (m, (0,)), (m, (0, 2))]:
    c("np.transpose", *args)
c("np.matrixTranspose", t)
c("np.swapaxes", t, 0, 2)
c("np.swapaxes", t, -1, 1)
c("np.swapaxes", t, 0, 3)
for args in [(t, 0, -1), (t, (0, 1), (2, 0)), (t, 2, 0), (t, 3, 0), (t, (0, 1), 0)]:
    c("np.moveaxis", *args)
q = jnp.ones((1, 3, 1))
for args in [(q,), (q, 0), (q, -1), (q, (0, 2)), (q, 1), (m,), (q, 3)]:
    c("np.squeeze", *args)
for args in [(m, 0), (m, -1), (m, (0, -1)), (m, 1), (m, 5), (s, 0), (m, (0, 0))]:
    c("np.expandDims", *args)
for args in [(x, (2, 4)), (F(1, 2, shape=(2, 1)), (2, 3)), (s, (2, 2)), (x, (4,)), (x, (2, 3)), (m, (3,)), (1, (2,)), (2.5, (2,))]:
    c("np.broadcastTo", *args)
c("np.broadcastArrays", F(1, 2, 3), m)
c("np.broadcastArrays", x, F(1, 2))
for args in [(m, 2), (x, (2, 1)), (m, (2, 1, 1)), (s, 3), (m, 0)]:
    c("np.tile", *args)
for args in [(m, 2), (m, 2, 1), (m, 0), (x, I(1, 2, 0, 1)), (m, I(2, 1), 0), (m, 2, 5), (s, 2), (x, -1), (x, I(1, 2))]:
    c("np.repeat", *args)
for args in [(m,), (m, 0), (m, (0, 1)), (m, 2), (x,)]:
    c("np.flip", *args)
c("np.fliplr", m)
c("np.flipud", m)
c("np.flipud", x)
for args in [(x, 1), (x, -1), (x, 0), (x, 5), (m, 1), (m, 1, 1), (m, (1, 1), (0, 1)), (m, 2, (0, 1)), (m, 1, 2)]:
    c("np.roll", *args)
for args in [(m,), (m, 2), (m, -1), (m, 0), (t, 1, (1, 2))]:
    c("np.rot90", *args)
for f in ["atleast1d", "atleast2d", "atleast3d"]:
    for a in [s, x, m, t, 2.0]:
        c("np." + f, a)
    c("np." + f, s, x)
for args in [([x, y],), ([m, m],), ([m, m], 1), ([x, i],), ([x],), ([m, n],), ([m, x],), ([],), (m,), ([x, 1.0],), ([x, y], 1), ([m, m], -1), ([e, x],)]:
    c("np.concatenate", *args)
for args in [([x, y],), ([x, y], 1), ([x, y], -1), ([x, i],), ([x, F(1, 2)],), ([s, 1.0],), ([],), (m,), ([x, y], 5)]:
    c("np.stack", *args)
for f in ["vstack", "hstack", "dstack", "columnStack"]:
    for args in [([x, y],), ([m, m],), ([s, s],), ([x, i],)]:
        c("np." + f, *args)
c("np.vstack", [m, F(1, 2, 3)])
c("np.vstack", [m, x])
c("np.append", m, m)
c("np.append", m, m, axis=0)
c("np.append", x, 5)
for args in [(x, 2), (x, [1, 3]), (m, 3, 1), (x, 3), (x, 4), (m, (1,)), (m, [1, 2], 1)]:
    c("np.split", *args)
    c("np.arraySplit", *args)
c("np.hsplit", m, 3)
c("np.vsplit", m, 2)
c("np.vsplit", m, 3)
c("np.unstack", m)
c("np.unstack", m, axis=1)
for mode in ["constant", "edge", "reflect", "symmetric", "wrap"]:
    for args in [(x, 1), (x, (2, 1)), (m, ((1, 0), (0, 2))), (m, 2), (x, 5), (m, ((1, 2),))]:
        c("np.pad", *args, mode=mode)
c("np.pad", x, 1, constantValues=5)
c("np.pad", i, 1, constantValues=7)
c("np.pad", x, 1, mode="foo")
c("np.pad", x, -1)

# --- indexing
I1 = slice(1, 3)
ALL = slice(None)
REV = slice(None, None, -1)
for a, idx in [(x, (0,)), (x, (-1,)), (m, (1,)), (x, (I1,)), (x, (REV,)), (x, (slice(None, None, -2),)), (x, (slice(3, 0, -1),)), (x, (slice(None, None, 2),)),
               (x, (slice(5, 9),)), (x, (10,)), (x, (-10,)), (x, (slice(2, 1),)), (m, (None,)), (m, (Ellipsis, 0)), (m, (ALL, 1)), (m, (0, slice(1, None))),
               (m, (None, 0, Ellipsis, None)), (m, (0, 1)), (m, (ALL, None, REV)), (t, (1, 0, 2)), (t, (ALL, slice(1, 2), slice(None, None, 2))), (m, ()),
               (m, (Ellipsis,)), (m, (ALL,)), (x, (jnp.int32(1),)), (m, (jnp.int32(1),)), (m, (ALL, jnp.int32(-1))), (m, (jnp.int32(1), slice(1, None))),
               (m, (jnp.int32(1), REV)), (x, (I(0, 2),)), (x, (I(-1, 7),)), (m, (I(0, 1, 0),)), (m, (ALL, I(0, 2))), (m, (I(0, 1), I(1, 2))), (m, (I(0, 1), 0)),
               (m, (0, I(0, 2))), (m, (I(0, 1), slice(1, None))), (m, (I(0, 1, shape=(2, 1)), I(0, 2))), (m, (I(0, 1), None)), (m, (None, I(0, 1))),
               (t, (0, ALL, I(0, 1))), (t, (I(0, 1), ALL, I(2, 3))), (t, (ALL, I(0, 1), I(2, 3))), (m, (I(0, 1), REV)), (t, (Ellipsis, I(1, 2))), (x, (u,)),
               (x, (b,)), (m, (m > 0,)), (m, (ALL, B(True, False, True))), (m, (B(False, True),)), (m, (B(True, False), 1)), (x, (True,)), (x, (False,)), (x, (1.0,)),
               (x, (0, 0)), (x, ("a",)), (m, (Ellipsis, Ellipsis)), (x, (F(0.5),)), (x, (B(True, False),)), (x, (slice(None, None, 0),)), (m, (I(0, 1, 0), I(0, 1))),
               (s, (None, None)), (s, (0,)), (s, (Ellipsis, None)), (e, (0,)), (m, (I(shape=(0,)),)), (t, (None, I(0, 1), 0, slice(None, None, 3)))]:
    c("array.get", a, *idx)
for kw in [{"mode": "fill"}, {"mode": "clip"}, {"mode": "fill", "fillValue": 3.0}, {"mode": "promise_in_bounds"}, {"fillValue": 0}]:
    c("at.get", x, [I(0, 7, -1)], **kw)
    c("at.get", i, [I(0, 7, -9)], **kw)
c("at.get", x, [0], mode="fill")
c("at.get", x, [9], mode="fill")
c("at.get", m, [slice(0, 1), 5], mode="fill")
c("at.get", x, [0], mode="foo")
for a, idx, v in [(x, [0], 1.0), (x, [0], 1), (x, [-1], 5.0), (x, [I1], 0.0), (x, [I1], F(7, 8)), (x, [slice(None, None, 2)], 0.0), (x, [REV], F(1, 2, 3, 4)),
                  (m, [0], 1.0), (m, [ALL, 1], 9.0), (m, [0, 1], 9.0), (m, [0, slice(1, None)], F(7, 8)), (m, [Ellipsis], 1.0), (m, [ALL], 1.0), (m, [None, 0], 1.0),
                  (x, [jnp.int32(1)], 5.0), (m, [jnp.int32(1), 0], 5.0), (x, [I(0, 0, 2)], 2.0), (x, [I(0, 0, 2)], F(1, 2, 3)), (m, [ALL, I(0, 2)], 2.0),
                  (m, [I(0, 1), I(1, 2)], 2.0), (x, [10], 5.0), (x, [I(9, -9)], 5.0), (x, [b], 0.0), (i, [0], 7), (i, [0], 2.5), (x, [0], i[1]), (m, [0], [1, 2]), (x, [slice(0, 2)], [1, 2]),
                  (x, [slice(0, 2)], F(1, 2, 3)), (x, [0], F(1, 2, 3)), (t, [0, ALL, I(1, 2)], 5.0), (m, [I(0, 1), REV], m)]:
    for f in ["set", "add", "multiply", "min", "max"]:
        c("at." + f, a, idx, v)
for f in ["subtract", "divide", "power"]:
    c("at." + f, x, [I(0, 0, 2)], 2.0)
    c("at." + f, p, [0], 2.0)
    c("at." + f, i, [0], 2)
c("at.set", x, [I(0, 9)], 2.0, mode="clip")
c("at.set", x, [I(0, 9)], 2.0, mode="drop")
c("at.add", x, [I(0, 1)], 2.0, uniqueIndices=True)
for args in [(x, 1), (x, I(0, 2)), (x, I(0, 9, -1)), (m, I(0, 3)), (i, I(0, 9)), (m, 1, 0), (m, I(0, 1, shape=(2, 1)), 1), (x, F(0.5)), (m, I(0, 5), 1), (x, u)]:
    c("np.take", *args)
for mode in ["clip", "wrap", "fill", "foo"]:
    c("np.take", x, I(0, 5, -6), mode=mode)
    c("np.take", m, I(0, 5), axis=1, mode=mode)
c("np.take", x, I(0, 9), fillValue=7.0)
c("np.takeAlongAxis", m, I(0, 1, shape=(2, 1)), axis=1)
c("np.takeAlongAxis", m, I(0, 1, 0, shape=(1, 3)), axis=0)
c("np.takeAlongAxis", m, I(0, 5, shape=(2, 1)), axis=1)
c("np.takeAlongAxis", m, I(0, 1), axis=1)
c("np.takeAlongAxis", m, x, axis=1)

# --- searching
for a in [x, m, i, z, b]:
    c("np.sort", a)
    c("np.argsort", a)
for f in ["sort", "argsort"]:
    c("np." + f, m, axis=0)
    c("np." + f, m, descending=True)
    c("np." + f, F(1, 0, 1, 0), descending=True)
    c("np." + f, m, axis=4)
c("np.lexsort", [x, y])
c("np.searchsorted", p, 2.0)
c("np.searchsorted", p, m)
c("np.searchsorted", p, F(1, 7, nan), side="right")
c("np.searchsorted", p, 2.0, side="foo")
c("np.searchsorted", m, 2.0)
c("np.digitize", x, F(-1, 0, 1))
c("np.digitize", x, F(1, 0, -1))
c("np.digitize", x, F(-1, 0, 1), right=True)
c("np.bincount", I(0, 1, 1, 3))
c("np.bincount", I(0, 1, 1, 3), weights=F(1, 2, 3, 4))
c("np.bincount", I(0, 1, 1, 3), length=3)
c("np.bincount", I(0, 1), minlength=5)
c("np.bincount", x)
c("np.unique", I(3, 1, 3, 2))
c("np.unique", I(3, 1, 3, 2), returnIndex=True, returnInverse=True, returnCounts=True)
c("np.unique", m)
c("np.nonzero", x)
c("np.nonzero", m > 0)
c("np.flatnonzero", m > 0)
c("np.argwhere", m > 0)
c("np.isin", i, I(2, 3))
c("np.isin", i, I(2, 3), invert=True)

# --- numerics
for args in [(x,), (x, 2), (m,), (m, 1, 0), (x, 0), (x, -1), (x, 5), (b,), (s,), (i,)]:
    c("np.diff", *args)
c("np.ediff1d", x)
for args in [(p,), (m,), (p, F(0, 1, 3, 4)), (i,)]:
    c("np.trapezoid", *args)
c("np.trapezoid", p, dx=0.5)
c("np.trapezoid", m, axis=0)
for args in [(F(0.75, 1.5, 3, -1, 9), p, y), (2.0, p, y), (m, p, y), (F(1, 2), p, y[:3])]:
    c("np.interp", *args)
c("np.interp", F(0.0, 1.5, 9), p, y, left=-5.0, right=5.0)
for args in [(x, 2.0), (x, y), (i, 2), (F(2), 3.0)]:
    c("np.polyval", *args)
for mode in ["full", "same", "valid"]:
    for args in [(x, F(1, 2)), (x, F(1, 2, 3)), (F(1, 2), x), (x, y), (i, I(1, 2))]:
        c("np.convolve", *args, mode=mode)
        c("np.correlate", *args, mode=mode)
c("np.convolve", m, x)
c("np.convolve", x, e)
c("np.vander", p, 3)
c("np.vander", p, 3, increasing=True)

# --- nn
for f in ["relu", "relu6", "sigmoid", "silu", "swish", "softplus", "softSign", "tanh", "hardSigmoid", "hardSilu", "hardTanh", "logSigmoid", "elu",
          "celu", "selu", "leakyRelu", "gelu", "mish", "squareplus"]:
    for a in [x, p, m, F(-100, 100, 0), w, i]:
        if not (a is i and f in ("elu", "celu", "selu", "leakyRelu", "hardSigmoid", "hardSilu", "mish", "softSign", "squareplus")):
            c("nn." + f, a)
    c("nn." + f, [1.0])
c("nn.elu", x, 2.0)
c("nn.celu", x, 2.0)
c("nn.leakyRelu", x, 0.2)
c("nn.gelu", x, approximate=False)
c("nn.squareplus", x, 1.0)
c("nn.glu", x)
c("nn.glu", m, 0)
for f in ["softmax", "logSoftmax", "standardize"]:
    for args in [(x,), (m,), (m, 0), (m, (0, 1)), (t, 1), (m, 2)]:
        c("nn." + f, *args)
for f in ["softmax", "logSoftmax"]:
    c("nn." + f, x, where=b)
    c("nn." + f, F(1000, 1000))
c("nn.softmax", i)
for args in [(x,), (m,), (m, 0), (m, (0, 1)), (F(1000, 1000),), (F(-inf, -inf),), (i,)]:
    c("nn.logsumexp", *args)
c("nn.logsumexp", m, axis=1, keepdims=True)
c("nn.logsumexp", x, b=y)
c("nn.oneHot", I(0, 2, 5, -1), 3)
c("nn.oneHot", I(0, 2), 3, axis=0)
c("nn.oneHot", im, 6, dtype="int32")
c("nn.oneHot", 1, 3)

# --- lax
for f in ["add", "sub", "mul", "div", "max", "min", "rem", "pow", "atan2", "nextafter", "eq", "ne", "lt", "le", "gt", "ge"]:
    for args in [(p, y), (p, 2.0), (2.0, p), (p, i), (p, F(1, 2)), (p, m), (i, j), (p, 2)]:
        c("lax." + f, *args)
for f in ["abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bitwiseNot", "cbrt", "ceil", "cos", "cosh", "digamma", "erf", "erfInv", "erfc", "exp",
          "exp2", "expm1", "floor", "isFinite", "lgamma", "log", "log1p", "logistic", "neg", "populationCount", "rsqrt", "sign", "sin", "sinh", "sqrt",
          "square", "tan", "tanh", "round", "reciprocal"]:
    for a in [F(0.1, 0.5, 0.9), p, i, b]:
        c("lax." + f, a)
for f in ["bitwiseAnd", "bitwiseOr", "bitwiseXor", "shiftLeft", "shiftRightArithmetic", "shiftRightLogical"]:
    c("lax." + f, i, I(1, 2, 3, 1))
    c("lax." + f, u, U(1, 2, 3, 1))
c("lax.integerPow", x, 3)
c("lax.round", F(0.5, 1.5, -0.5), 1)
c("lax.clamp", 0.0, x, 1.0)
c("lax.clamp", 0, x, 1)
c("lax.select", b, x, y)
c("lax.select", True, x, y)
c("lax.selectN", b, x, y)
c("lax.selectN", I(0, 1, 2, 0), x, y, p)
c("lax.convertElementType", x, "int32")
c("lax.full", (2, 2), 1.5)
c("lax.full", (2,), 3, "float32")
c("lax.fullLike", x, 2.0)
c("lax.iota", "float32", 4)
c("lax.broadcastedIota", "int32", (2, 3), 1)
c("lax.broadcast", x, (2,))
c("lax.broadcastInDim", x, (2, 4), (1,))
c("lax.broadcastInDim", x, (2, 3), (1,))
c("lax.reshape", m, (3, 2))
c("lax.reshape", m, (4, 2))
c("lax.collapse", t, 0, 2)
c("lax.collapse", t, 1)
c("lax.transpose", m, (1, 0))
c("lax.transpose", m, (0, 0))
c("lax.expandDims", x, (0,))
c("lax.squeeze", q, (0, 2))
c("lax.rev", m, (0, 1))
c("lax.concatenate", [x, y], 0)
c("lax.concatenate", [m, m], 1)
c("lax.concatenate", [m, n], 0)
c("lax.stack", [x, y])
c("lax.unstack", m)
c("lax.split", x, (1, 3))
c("lax.tile", x, (2,))
c("lax.slice", x, (1,), (3,))
c("lax.slice", m, (0, 0), (2, 3), (1, 2))
c("lax.slice", x, (1,), (9,))
c("lax.sliceInDim", x, 1, 3)
c("lax.sliceInDim", m, 0, None, 2, 1)
c("lax.indexInDim", m, 1)
c("lax.indexInDim", m, 1, 1, False)
c("lax.indexInDim", m, 5)
c("lax.dynamicSlice", x, (1,), (2,))
c("lax.dynamicSlice", x, (3,), (2,))
c("lax.dynamicSlice", m, (1, jnp.int32(1)), (1, 2))
c("lax.dynamicSlice", x, (1,), (9,))
c("lax.dynamicSliceInDim", x, 1, 2)
c("lax.dynamicSliceInDim", m, jnp.int32(1), 2, 1)
c("lax.dynamicIndexInDim", m, jnp.int32(1))
c("lax.dynamicIndexInDim", m, jnp.int32(-1), 1, False)
c("lax.dynamicUpdateSlice", x, F(7, 8), (1,))
c("lax.dynamicUpdateSliceInDim", m, F(7, 8, shape=(2, 1)), 1, 1)
c("lax.dynamicUpdateIndexInDim", m, F(7, 8), 1, 1)
c("lax.pad", x, 0.0, [(1, 2, 1)])
c("lax.pad", x, 0.0, [(-1, 0, 0)])
for f in ["reduceSum", "reduceProd", "reduceMax", "reduceMin"]:
    c("lax." + f, m, (0,))
    c("lax." + f, m, (0, 1))
c("lax.reduceAnd", b, (0,))
c("lax.reduceOr", b, (0,))
c("lax.argmax", m, 1, "int32")
c("lax.argmin", m, 0, "int32")
for f in ["cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"]:
    c("lax." + f, x)
    c("lax." + f, m, 1, True)
c("lax.sort", x)
c("lax.sort", m, 0)
c("lax.sort", [x, y])
c("lax.topK", x, 2)
c("lax.topK", m, 2)
c("lax.topK", x, 9)
c("lax.dot", x, y)
c("lax.dot", m, n)
c("lax.dotGeneral", m, m, (((0,), (0,)), ((), ())))
c("lax.dotGeneral", t, t, (((2,), (2,)), ((0,), (0,))))
c("lax.dotGeneral", m, n, (((0,), (0,)), ((), ())))
c("lax.batchMatmul", t, jnp.ones((2, 4, 2)))
c("lax.stopGradient", x)
c("lax.stopGradient", i)

# --- dtypes
c("np.promoteTypes", "int32", "float32")
c("np.promoteTypes", "uint32", "int32")
c("np.resultType", x, i)
c("np.resultType", i, 2.5)
c("np.resultType", "int32", 2)
c("np.shape", m)
c("np.ndim", m)
c("np.size", m)
c("np.size", m, 1)
