#%% reductions
import jax.numpy as jnp
x = jnp.array([[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]])
print(jnp.sum(x, axis=0, keepdims=True), jnp.prod(x, axis=1), jnp.max(x), jnp.min(x, axis=-1), jnp.mean(x), jnp.var(x), jnp.std(x, axis=0, ddof=1))
print(jnp.any(x > 4), jnp.all(x > -10, axis=1), jnp.argmax(x), jnp.argmin(x, axis=1), jnp.median(x), jnp.ptp(x), jnp.count_nonzero(x > 0))
print(jnp.sum(x, where=x > 0), jnp.max(x, initial=10.0), jnp.average(x, weights=jnp.abs(x)), jnp.quantile(x, 0.25), jnp.percentile(x, 50.0, axis=1))
print(jnp.nansum(jnp.array([1.0, jnp.nan])), jnp.nanmean(jnp.array([1.0, jnp.nan])), jnp.nanmax(jnp.array([1.0, jnp.nan])))

#%% element-wise functions
import jax.numpy as jnp
x = jnp.array([0.1, 0.5, 0.9])
for f in ("sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "arcsinh", "arctanh", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "cbrt", "square", "reciprocal", "sign", "floor", "ceil", "rint", "trunc", "deg2rad", "rad2deg", "sinc", "negative", "abs"):
    print(f, getattr(jnp, f)(x))

#%% functions of two arrays
import jax.numpy as jnp
a, b = jnp.array([1.0, 2.0, -3.0]), jnp.array([2.0, -1.0, 2.0])
for f in ("add", "subtract", "multiply", "divide", "floor_divide", "mod", "fmod", "power", "maximum", "minimum", "fmax", "fmin", "arctan2", "hypot", "copysign", "logaddexp", "logaddexp2", "heaviside", "nextafter", "equal", "less", "greater_equal", "logical_and", "logical_xor"):
    print(f, getattr(jnp, f)(a, b))

#%% integers
import jax.numpy as jnp
a, b = jnp.array([12, 7, -8]), jnp.array([8, 21, 3])
print(jnp.gcd(a, b), jnp.lcm(a, b), jnp.bitwise_and(a, b), jnp.left_shift(a, 2), jnp.right_shift(a, 1), jnp.invert(a), jnp.floor_divide(a, b), jnp.remainder(a, b), jnp.power(a, 2))
print(jnp.array(2147483647) + 1, jnp.array(7) // 0, jnp.uint32(3) - jnp.uint32(5))

#%% scans
import jax.numpy as jnp
x = jnp.array([[1.0, 2.0], [3.0, 4.0]])
print(jnp.cumsum(x), jnp.cumsum(x, axis=1), jnp.cumprod(x, axis=0), jnp.diff(x), jnp.ediff1d(x))
from jax import lax
print(lax.cummax(jnp.array([1, 3, 2])), lax.cumsum(jnp.arange(4), reverse=True), lax.cumlogsumexp(jnp.zeros(3)))

#%% products
import jax.numpy as jnp
A, B, v = jnp.arange(6.0).reshape(2, 3), jnp.ones((3, 2)), jnp.array([1.0, 2.0, 3.0])
print(A @ B, A @ v, jnp.dot(v, v), jnp.matmul(A, B), jnp.vdot(v, v), jnp.inner(v, v), jnp.outer(v, v), jnp.tensordot(A, B, 1), jnp.kron(jnp.eye(2), jnp.ones((1, 2))), jnp.cross(v, jnp.array([0.0, 1.0, 0.0])), jnp.trace(A @ B))

#%% einsum
import jax.numpy as jnp
A, B = jnp.arange(6.0).reshape(2, 3), jnp.arange(12.0).reshape(3, 4)
print(jnp.einsum("ij,jk->ik", A, B), jnp.einsum("ij->ji", A), jnp.einsum("ij->", A), jnp.einsum("ij,ij->i", A, A), jnp.einsum("ii->i", jnp.eye(3)), jnp.einsum("...j,jk", A, B))

#%% einsum that doesn't fit
import jax.numpy as jnp
jnp.einsum("ij,jk->ik", jnp.ones((2, 3)), jnp.ones((4, 5)))

#%% shaping
import jax.numpy as jnp
x = jnp.arange(6).reshape(2, 3)
print(jnp.reshape(x, (3, -1)), jnp.ravel(x), jnp.transpose(x), jnp.swapaxes(x, 0, 1), jnp.moveaxis(x[None], 0, -1).shape, jnp.expand_dims(x, 0).shape, jnp.squeeze(x[None]).shape)
print(jnp.concatenate([x, x], axis=1), jnp.stack([x, x]).shape, jnp.vstack([x, x]).shape, jnp.hstack([x, x]).shape, jnp.tile(x, (1, 2)), jnp.repeat(x, 2, axis=0), jnp.flip(x, 1), jnp.roll(x, 1), jnp.rot90(x))
print(jnp.split(jnp.arange(6), 3), jnp.array_split(jnp.arange(5), 2), jnp.pad(x, 1), jnp.broadcast_to(jnp.arange(3), (2, 3)), jnp.atleast_2d(jnp.arange(2)), jnp.append(x, 9))

#%% sorting and searching
import jax.numpy as jnp
x = jnp.array([3, 1, 2, 1])
print(jnp.sort(x), jnp.argsort(x), jnp.unique(x), jnp.unique(x, return_counts=True), jnp.searchsorted(jnp.array([1, 2, 3]), 2), jnp.nonzero(x == 1), jnp.flatnonzero(x > 1), jnp.bincount(x), jnp.digitize(x, jnp.array([1.5, 2.5])), jnp.isin(x, jnp.array([1])), jnp.lexsort((x, x)))
from jax import lax
print(lax.top_k(jnp.array([1.0, 5.0, 3.0]), 2))

#%% where, select and clip
import jax.numpy as jnp
x = jnp.arange(-2, 3)
print(jnp.where(x > 0, x, 0), jnp.select([x < 0, x > 0], [-x, x * 10], 7), jnp.clip(x, -1, 1), jnp.clip(x, min=0), jnp.piecewise(x * 1.0, [x < 0, x >= 0], [lambda v: -v, lambda v: v ** 2]))

#%% approximate equality
import jax.numpy as jnp
print(jnp.allclose(jnp.array([1.0]), 1.0 + 1e-7), jnp.isclose(jnp.array([1.0, 2.0]), jnp.array([1.0, 2.1])), jnp.array_equal(jnp.arange(3), jnp.arange(3)))

#%% promotion
import jax.numpy as jnp
i, f, b, u = jnp.arange(2), jnp.ones(2), jnp.array([True, False]), jnp.arange(2, dtype=jnp.uint32)
for x, y in ((i, f), (i, b), (b, f), (i, u), (u, f), (b, b), (i, 1.5), (f, 2), (b, 1), (u, -1), (i, True)):
    print((x + y).dtype if x is not b or y is not b else (x | y).dtype, jnp.result_type(x, y))
print((i / 2).dtype, (i // 2).dtype, (b + b).dtype, (i ** 2).dtype, (i * 1.0).dtype, jnp.mean(i).dtype, jnp.sum(b).dtype, jnp.sqrt(i).dtype)
print(jnp.promote_types("int32", "float32"), jnp.promote_types(bool, jnp.int32))

#%% weak types
import jax, jax.numpy as jnp
x = jnp.asarray(2.0)
print(repr(x), repr(x + 1), repr(x * jnp.ones(2)), repr(jnp.array(2.0)), repr(jnp.array(2)), repr(jnp.asarray(3) + 1.5))
print(jax.jit(lambda x: x + 1)(2), repr(jax.jit(lambda x: x * 2)(3.0)))

#%% activations
import jax, jax.numpy as jnp
x = jnp.array([-2.0, -0.5, 0.0, 1.5])
for f in ("relu", "relu6", "sigmoid", "silu", "softplus", "soft_sign", "hard_tanh", "log_sigmoid", "elu", "celu", "selu", "leaky_relu", "gelu", "mish", "hard_sigmoid", "squareplus"):
    print(f, getattr(jax.nn, f)(x))

#%% softmax and its kin
import jax, jax.numpy as jnp
x = jnp.array([[1.0, 2.0, 3.0], [0.0, 0.0, 1000.0]])
print(jax.nn.softmax(x), jax.nn.log_softmax(x, axis=0), jax.nn.logsumexp(x, axis=1), jax.nn.one_hot(jnp.array([0, 2]), 3), jax.nn.standardize(x[0]), jax.nn.glu(jnp.arange(4.0)))
print(jax.grad(lambda x: jax.nn.logsumexp(x))(x[0]))

#%% lax element-wise
import jax, jax.numpy as jnp
from jax import lax
x = jnp.array([0.5, 2.0])
print(lax.add(x, x), lax.mul(x, 2.0), lax.sub(1.0, x), lax.div(x, x), lax.rsqrt(x), lax.erf(x), lax.erfc(x), lax.erf_inv(x / 4), lax.lgamma(x), lax.digamma(x), lax.integer_pow(x, 3), lax.pow(x, 2.5), lax.clamp(0.6, x, 1.5), lax.select(x > 1, x, -x), lax.logistic(x), lax.atan2(x, 1.0), lax.max(x, 1.0), lax.sign(x), lax.is_finite(x), lax.rem(x, 0.4), lax.nextafter(x, x + 1))

#%% lax shapes
import jax, jax.numpy as jnp
from jax import lax
x = jnp.arange(6.0).reshape(2, 3)
print(lax.broadcast(jnp.arange(2), (3,)), lax.broadcast_in_dim(jnp.arange(3), (2, 3), (1,)), lax.reshape(x, (3, 2)), lax.transpose(x, (1, 0)), lax.rev(x, (0,)), lax.concatenate([x, x], 0).shape, lax.slice(x, (0, 1), (2, 3)), lax.pad(x, 0.0, ((1, 0, 0), (0, 1, 1))), lax.squeeze(x[None], (0,)).shape, lax.expand_dims(x, (1,)).shape, lax.iota(jnp.int32, 3), lax.full((2,), 7), lax.reduce_max(x, (0,)), lax.dot(x, x.T), lax.convert_element_type(x, jnp.int32))

#%% dot_general
import jax, jax.numpy as jnp
from jax import lax
a, b = jnp.arange(12.0).reshape(2, 2, 3), jnp.ones((2, 3, 2))
print(lax.dot_general(a, b, (((2,), (1,)), ((0,), (0,)))))
print(jax.make_jaxpr(lambda a, b: a @ b)(a, b))

#%% norms
import jax, jax.numpy as jnp
x = jnp.array([[3.0, 4.0], [0.0, 5.0]])
print(jnp.linalg.norm(x), jnp.linalg.norm(x, axis=1), jnp.linalg.norm(x[0], ord=1), jnp.linalg.norm(x[0], ord=jnp.inf), jax.grad(jnp.linalg.norm)(x[0]))

#%% polynomials and integration
import jax.numpy as jnp
print(jnp.polyval(jnp.array([1.0, 2.0, 3.0]), 2.0), jnp.trapezoid(jnp.array([0.0, 1.0, 4.0])), jnp.interp(jnp.array([0.5, 1.5]), jnp.arange(3.0), jnp.array([0.0, 10.0, 20.0])), jnp.convolve(jnp.array([1.0, 2.0]), jnp.array([1.0, 1.0])), jnp.vander(jnp.array([1.0, 2.0]), 3))

#%% statistics
import jax.numpy as jnp
x = jnp.array([[1.0, 2.0, 3.0], [1.0, 0.0, 5.0]])
print(jnp.cov(x), jnp.corrcoef(x), jnp.histogram(jnp.array([1.0, 2.0, 2.5, 4.0]), bins=3))

#%% grids
import jax.numpy as jnp
print(jnp.mgrid[0:2, 0:3], jnp.ogrid[0:2, 0:2], jnp.r_[1:3, 7], jnp.c_[jnp.arange(2), jnp.arange(2)], jnp.ix_(jnp.arange(2), jnp.arange(3))[0].shape, jnp.indices((2, 2)), jnp.unravel_index(5, (2, 3)), jnp.tril_indices(2))

#%% apply_along_axis
import jax.numpy as jnp
print(jnp.apply_along_axis(lambda v: v.sum() * v, 0, jnp.arange(4.0).reshape(2, 2)))

#%% gradients of reductions
import jax, jax.numpy as jnp
x = jnp.array([3.0, 1.0, 2.0])
for f in (jnp.max, jnp.min, jnp.prod, jnp.mean, jnp.var, jnp.std, jnp.median, jnp.linalg.norm, lambda x: jnp.sort(x)[0], lambda x: jnp.cumsum(x)[1], lambda x: jnp.cumprod(x)[-1]):
    print(jax.grad(f)(x))

#%% gradients of element-wise functions
import jax, jax.numpy as jnp
for f in (jnp.tan, jnp.arcsin, jnp.arctan, jnp.sinh, jnp.arctanh, jnp.exp2, jnp.log1p, jnp.sqrt, jnp.cbrt, jnp.abs, jnp.sign, jnp.square, jax.nn.gelu, jax.nn.softplus, jax.lax.erf, jax.lax.lgamma, jax.nn.sigmoid):
    print(jax.grad(f)(0.3))

#%% gradients at kinks
import jax, jax.numpy as jnp
print(jax.grad(jnp.abs)(0.0), jax.grad(jax.nn.relu)(0.0), jax.grad(lambda x: jnp.maximum(x, 0.0))(0.0), jax.grad(lambda x: jnp.maximum(x, x))(1.0), jax.grad(jnp.sqrt)(0.0), jax.grad(lambda x: jnp.where(x > 0, jnp.sqrt(x), 0.0))(0.0))

#%% names that are not there
import jax, jax.numpy as jnp
for module, name in ((jax, "pmap"), (jnp, "no_such_function"), (jax.lax, "no_such_function")):
    try:
        getattr(module, name + "_at_all")
    except AttributeError as e:
        print("AttributeError")

#%% functions know their names
import jax.numpy as jnp
print(jnp.sum.__name__, jnp.sin.__name__, callable(jnp.where))

#%% types as functions and checks
import jax.numpy as jnp
print(jnp.isscalar(1.0), jnp.iscomplexobj(jnp.ones(2)), jnp.ndim(jnp.ones((2, 2))), jnp.shape([[1, 2]]), jnp.size(jnp.ones(3)))

#%% debug_nans
import jax, jax.numpy as jnp
jax.config.update("jax_debug_nans", True)
try:
    jnp.log(-1.0) * 2
except FloatingPointError as e:
    print("FloatingPointError")
jax.config.update("jax_debug_nans", False)
print(jnp.log(-1.0))
