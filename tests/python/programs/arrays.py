#%% repr and str of floats
import jax.numpy as jnp
for x in (jnp.array(1.5), jnp.arange(5.0), jnp.array([1e-10, 1.0, 1e10]), jnp.array([0.1, 1 / 3, 2.0]), jnp.array([])):
    print(x, repr(x))

#%% repr and str of integers and booleans
import jax.numpy as jnp
for x in (jnp.array(3), jnp.arange(12).reshape(3, 4), jnp.array([-1, 100, 7]), jnp.array([True, False]), jnp.array([1, 2], dtype=jnp.uint32), jnp.zeros((0, 3), int)):
    print(x)
    print(repr(x))

#%% nan and inf
import jax.numpy as jnp
x = jnp.array([jnp.nan, jnp.inf, -jnp.inf, 0.0, -0.0])
print(x, repr(x), jnp.isnan(x), jnp.isfinite(x))

#%% summarised arrays
import jax.numpy as jnp
print(jnp.arange(2000))
print(repr(jnp.arange(2000.0)))
print(jnp.zeros((100, 100)))

#%% long rows break
import jax.numpy as jnp
print(jnp.linspace(0, 1, 23))
print(repr(jnp.linspace(0, 1, 23)))

#%% three axes
import jax.numpy as jnp
print(jnp.arange(24.0).reshape(2, 3, 4))
print(repr(jnp.arange(8).reshape(2, 2, 2)))

#%% weak types show
import jax, jax.numpy as jnp
print(repr(jnp.asarray(1.0)), jnp.asarray(2).weak_type, (jnp.asarray(2) * 1.5).dtype)
print(jax.typeof(jnp.asarray(1.0)), jax.typeof(1.0), jax.typeof(jnp.ones((2, 3), int)))

#%% dtypes print
import jax.numpy as jnp
x = jnp.ones(2)
print(x.dtype, repr(x.dtype), jnp.float32, x.dtype == jnp.float32, x.dtype == "float32", x.dtype.name, x.dtype.kind)

#%% tracers print
import jax, jax.numpy as jnp
jax.jit(lambda x: print(x))(jnp.ones((2, 3)))
jax.make_jaxpr(lambda x: print(x.shape, x.dtype, x.ndim, x.size))(jnp.ones((2, 3)))

#%% attributes
import jax.numpy as jnp
x = jnp.ones((2, 3))
print(x.shape, x.ndim, x.size, x.dtype, x.nbytes, x.itemsize, len(x), x.T.shape, x.mT.shape)

#%% methods
import jax.numpy as jnp
x = jnp.array([[3.0, 1.0], [2.0, 4.0]])
print(x.sum(), x.mean(axis=0), x.max(1), x.min(), x.prod(), x.std(), x.var(axis=1))
print(x.argmax(), x.argmin(axis=1), x.argsort(), x.sort(), x.cumsum(), x.cumprod(axis=0))
print(x.reshape(4), x.reshape((1, -1)), x.ravel(), x.flatten(), x.transpose(1, 0), x.swapaxes(0, 1), x[None].squeeze())
print(x.astype(int), x.clip(2, 3), x.round(), x.dot(x), x.trace(), x.diagonal(), x.repeat(2), x.take(jnp.array([0, 3])))
print(x.any(), x.all(), x.ptp(), x.tolist(), x[0, 0].item())

#%% operators
import jax.numpy as jnp
a, b = jnp.array([7, -7, 5]), jnp.array([2, 2, -3])
print(a + b, a - b, a * b, a / b, a // b, a % b, a ** 2, -a, +a, abs(a))
print(a == b, a != b, a < b, a <= 2, a > b, 3 >= a)
print(a & 3, a | 8, a ^ b, ~a, a << 1, a >> 1)
print(divmod(a, b), 1 + a, 10 - a, 2 / a, 100 // a, 100 % a, 2 ** jnp.abs(a))
print(jnp.ones((2, 2)) @ jnp.ones((2, 3)))

#%% comparison with python values
import jax.numpy as jnp
x = jnp.arange(3)
print(x == 1, x != 1.0, (x == None), x == "a")

#%% conversions to python
import jax.numpy as jnp
x = jnp.array(2.5)
print(float(x), int(x), bool(x), complex(x), round(float(x)), [10, 20, 30][jnp.array(1)], list(range(jnp.array(3))))

#%% format
import jax.numpy as jnp
print(f"{jnp.array(3.14159):.2f} {jnp.array(7):05d} {jnp.array(1.0)} {jnp.arange(3)}")
print("%.3f" % jnp.array(2.0), "{:>8}".format(jnp.array(1)))

#%% iteration and unpacking
import jax.numpy as jnp
a, b, c = jnp.arange(3.0)
print(a, b, c, [float(v) for v in jnp.arange(3.0)], list(zip(jnp.arange(2), "ab")))
for row in jnp.eye(2):
    print(row)
print(sum(jnp.arange(4)), max(jnp.arange(3)), sorted(jnp.array([3, 1, 2]))[0], 2 in jnp.arange(3), 5 in jnp.arange(3))

#%% iteration over a scalar
import jax.numpy as jnp
for v in jnp.array(1.0):
    pass

#%% len of a scalar
import jax.numpy as jnp
len(jnp.array(1.0))

#%% truth of several elements
import jax.numpy as jnp
if jnp.arange(3):
    pass

#%% float of several elements
import jax.numpy as jnp
float(jnp.arange(3.0))

#%% arrays can't be hashed
import jax.numpy as jnp
hash(jnp.arange(3))

#%% arrays can't be assigned to
import jax.numpy as jnp
x = jnp.arange(3)
x[0] = 5

#%% in-place operators make new arrays
import jax.numpy as jnp
x = jnp.arange(3)
y = x
x += 10
print(x, y)

#%% an attribute that is not there
import jax.numpy as jnp
jnp.arange(3).frobnicate

#%% numpy takes arrays
import jax.numpy as jnp, numpy as np
x = jnp.arange(4.0)
a = np.asarray(x)
print(a, type(a).__name__, a.dtype, np.sin(x)[:2], np.array(x) * 2)
b = np.array(x)
b[0] = 9
print(b, x)

#%% arrays take numpy
import jax.numpy as jnp, numpy as np
print(jnp.array(np.arange(3)), jnp.array(np.arange(3)).dtype, jnp.asarray(np.array([1.5, 2.5])).dtype, jnp.array(np.float64(2)).dtype)
print(jnp.arange(3) + np.ones(3, np.float32), np.ones(3) * jnp.arange(3), jnp.sin(np.zeros(2)))
print(type(np.ones(3) + jnp.ones(3)).__name__, type(np.float32(2) * jnp.ones(2)).__name__)

#%% np.asarray of an array can't be written to
import jax.numpy as jnp, numpy as np
a = np.asarray(jnp.arange(3))
try:
    a[0] = 1
except ValueError as e:
    print(e)

#%% buffers
import jax.numpy as jnp
m = memoryview(jnp.arange(4, dtype=jnp.int32))
print(m.shape, m.nbytes, m.readonly, bytes(jnp.array([1, 2], dtype=jnp.int32)))

#%% creation
import jax.numpy as jnp
print(jnp.zeros(2), jnp.ones((2, 1)), jnp.full((2,), 7), jnp.full(2, 1.5), jnp.eye(2), jnp.identity(2), jnp.empty(0))
print(jnp.arange(5), jnp.arange(1, 2, 0.25), jnp.arange(10, 0, -3), jnp.linspace(0, 1, 5), jnp.logspace(0, 2, 3), jnp.geomspace(1, 8, 4))
print(jnp.zeros_like(jnp.arange(3)), jnp.ones_like(jnp.array(2.0)), jnp.full_like(jnp.arange(2), 9), jnp.tri(3), jnp.diag(jnp.arange(2)))
print(jnp.meshgrid(jnp.arange(2), jnp.arange(3)), jnp.tril(jnp.ones((2, 2))), jnp.triu(jnp.ones((2, 2)), 1))
print(jnp.array([[1, 2], [3, 4]]), jnp.array((1, 2.5)), jnp.array([True, 2]), jnp.array([jnp.array(1.0), 2]), jnp.array(range(3)))

#%% an array of ragged lists
import jax.numpy as jnp
jnp.array([[1, 2], [3]])

#%% an array of text
import jax.numpy as jnp
jnp.array("abc")

#%% an array of None
import jax.numpy as jnp
jnp.array([1, None])

#%% a function of text
import jax.numpy as jnp
jnp.sin("a")

#%% a function of a list
import jax.numpy as jnp
jnp.sum([1, 2, 3])

#%% an unknown keyword
import jax.numpy as jnp
jnp.sum(jnp.arange(3), axes=0)

#%% too many arguments
import jax.numpy as jnp
jnp.sin(1, 2, 3)

#%% an unknown dtype
import jax.numpy as jnp
jnp.zeros(3, dtype="floaty")

#%% shapes that don't broadcast
import jax.numpy as jnp
jnp.ones(3) + jnp.ones(4)

#%% shapes that don't multiply
import jax.numpy as jnp
jnp.ones((2, 3)) @ jnp.ones((2, 3))

#%% a reshape that doesn't fit
import jax.numpy as jnp
jnp.ones((2, 3)).reshape(4, 2)

#%% an axis out of bounds
import jax.numpy as jnp
jnp.sum(jnp.ones((2, 3)), axis=2)

#%% concatenation of other ranks
import jax.numpy as jnp
jnp.concatenate([jnp.ones((2, 2)), jnp.ones(2)])

#%% isinstance and types
import jax, jax.numpy as jnp
x = jnp.ones(2)
print(isinstance(x, jax.Array), isinstance(x, jnp.ndarray), isinstance(1.0, jax.Array), type(x).__name__)
jax.jit(lambda x: print(isinstance(x, jax.Array), isinstance(x, jax.core.Tracer)))(x)

#%% pickle and copy
import jax.numpy as jnp, pickle, copy
x = jnp.arange(3.0)
print(pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy({"a": x}))

#%% devices
import jax, jax.numpy as jnp
print(jax.default_backend(), jax.device_count(), len(jax.devices()), jax.devices()[0].platform)
x = jax.device_put(jnp.arange(2))
print(x, jax.device_get({"a": x})["a"].tolist(), x.block_until_ready() is x)
print(jax.block_until_ready((x, 1))[1])

#%% ShapeDtypeStruct
import jax, jax.numpy as jnp
s = jax.ShapeDtypeStruct((2, 3), jnp.float32)
print(s, s.shape, s.dtype, s.ndim, s.size, s == jax.ShapeDtypeStruct((2, 3), "float32"))

#%% scalar types are functions
import jax.numpy as jnp
print(jnp.float32(3), jnp.int32(2.7), jnp.float32(1).dtype, repr(jnp.float32(3)))

#%% finfo and iinfo
import jax.numpy as jnp
print(jnp.finfo(jnp.float32).eps, jnp.finfo(jnp.float32).max, jnp.iinfo(jnp.int32).max)
print(jnp.issubdtype(jnp.float32, jnp.floating), jnp.issubdtype(jnp.arange(2).dtype, jnp.integer))

#%% x64
import jax, jax.numpy as jnp
print(jnp.arange(2.0).dtype, jnp.array(1.0, dtype="float32").dtype)
jax.config.update("jax_enable_x64", True)
print(jnp.array([1.0, 2.0]).dtype, (jnp.ones(2, jnp.float32) * 2.0).dtype, jnp.sin(jnp.array(1.0)))
print(jax.grad(jnp.sin)(1.0))

#%% an unknown option
import jax
jax.config.update("jax_go_faster", True)
