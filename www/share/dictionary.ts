/**
 * The preset dictionary of version 1 links: text that programs are likely to contain.
 *
 * FROZEN. Every version 1 link ever made needs exactly these bytes to be read. To improve it, add a
 * dictionary for a new version and leave this one alone; a test holds its checksum. The likeliest text
 * stands last, where it is cheapest to point to.
 */
const VERSION_1 = `
{"expect":{"kind":"error","class":"TypeError","primitive":null,"line":null}}
{"options":{"x64":true},"expect":{"kind":"output","text":"
"class":"ConcretizationTypeError" "TracerBoolConversionError" "UnexpectedTracerError" "NotImplementedError"
"primitive":"pure_callback" "io_callback" "debug_callback" "custom_vjp_call" "custom_jvp_call" "dot_general"
import functools
import numpy as np
from functools import partial
from jax import grad, jit, vmap, jvp, vjp, random, lax, custom_jvp, custom_vjp
from jax.experimental import io_callback
from jax.experimental.buffer_callback import buffer_callback
jax.config.update("jax_enable_x64", True)
key = jax.random.PRNGKey(0)
key, subkey = jax.random.split(key)
jax.random.normal(key, (3,))
@partial(jax.custom_vjp, nondiff_argnums=(0,))
@jax.custom_jvp
@jax.jit
def f_fwd(x):
def f_bwd(res, g):
f.defvjp(f_fwd, f_bwd)
@f.defjvp
def f_jvp(primals, tangents):
    x, = primals
    t, = tangents
    ans = f(x)
    return ans, jnp.cos(x) * t
jax.pure_callback(lambda x: np.sin(x), jax.ShapeDtypeStruct(x.shape, x.dtype), x, vmap_method="sequential")
jax.lax.scan(step, init, xs, length=10)
jax.lax.fori_loop(0, 10, lambda i, x: x, x)
jax.lax.cond(x > 0, lambda x: x, lambda x: -x, x)
jax.lax.while_loop(cond_fun, body_fun, init_val)
jax.value_and_grad(loss_fn, has_aux=True)(params, x, y)
jax.tree_util.tree_map(lambda p, g: p - lr * g, params, grads)
jax.debug.print("x = {}", x)
print(jax.make_jaxpr(f)(x))
print(jax.grad(loss)(x))
def loss(params, x, y):
    pred = predict(params, x)
    return jnp.mean((pred - y) ** 2)
for i in range(100):
jnp.array([1.0, 2.0, 3.0], dtype=jnp.float32)
jnp.zeros((2, 3)) jnp.ones((3,)) jnp.arange(4.0) jnp.linspace(0.0, 1.0, 5) jnp.where(x > 0, x, 0.0)
jnp.sum(jnp.sin(x) * x) jnp.dot(x, w) + b
import jax
import jax.numpy as jnp

// Shows:
linearize, linearTranspose, jacfwd, jacrev, hessian, evalShape, checkGrads, debugCallback, debugPrint, ioCallback
const { sin, cos, exp, log, tanh, sqrt } = np;
const params = { w: np.zeros([3, 4]), b: np.zeros([4]) };
const predict = (params, x) => np.matmul(x, params.w) + params.b;
const [value, g] = valueAndGrad(loss)(w);
const [y, vjpFn] = vjp(f, x);
const [y, t] = jvp(f, [x], [np.ones([4])]);
print(makeJaxpr(f)(x));
print(hessian(f)(x));
print(vmap(grad(f), { inAxes: [0, null] })(xs));
const clip = customVjp((x) => x);
const fwd = (x) => [f(x), [x]];
const bwd = ([x], ct) => [ct * np.cos(x)];
f.defvjp(fwd, bwd);
f.defjvp(([x], [t]) => [f(x), np.cos(x) * t]);
lax.scan((carry, x) => [carry, x], init, xs)
lax.foriLoop(0, 10, (i, x) => x, x)
lax.cond(x > 0, (x) => x, (x) => -x, x)
nn.softmax(x, { axis: -1 }) nn.relu(x) nn.sigmoid(x) nn.logSoftmax(x)
tree.map((p, g) => p - 0.1 * g, params, grads)
plot(xs, ys, { title: "loss", xlabel: "step" });
stopGradient(x) np.where(x > 0, x, 0) x.at(0).set(1) .reshape([2, 2])
debugPrint("x = {}", x);
const hostSin = (x) => x.map(Math.sin);
const sin = (x) => pureCallback(hostSin, ShapeDtypeStruct(x.shape, "float32"), x, { vmapMethod: "sequential" });
import { np, grad, jit, print } from "cotangent";
import { np, lax, nn, vmap, valueAndGrad, jacfwd, print } from "cotangent";
import { np, grad, customJvp, customVjp, pureCallback, ShapeDtypeStruct, print } from "cotangent";
let w = np.zeros([3]);
for (let step = 0; step < 100; step++) {
  const g = grad(loss)(w);
  w = w - 0.1 * g;
}
const f = jit((x) => {
  if (x > 0) return x;
  return -x;
});
const x = np.array([1.0, 2.0, 3.0]);
const x = np.linspace(0, 1, 5);
np.sum((y - x) ** 2) np.mean( np.dot( np.ones([4]) np.exp(-x)
{"expect":{"kind":"error","class":"ValueError","primitive":"buffer_callback","line":7}}
j0.1.0
import { np, grad, bufferCallback, ShapeDtypeStruct, print } from "cotangent";

const hostSin = (ctx, out, x) => {
  for (let i = 0; i < x.length; i++) out[i] = Math.sin(x[i]);
};
const sin = bufferCallback(hostSin, ShapeDtypeStruct([4], "float32"));
const loss = (x) => np.sum(sin(x) * x);
print(grad(loss)(np.arange(4, { dtype: "float32" })));
`;

/** The dictionaries by version of the link format. */
export const dictionaries: Readonly<Record<string, Uint8Array>> = {
  1: new TextEncoder().encode(VERSION_1),
};
