/**
 * What the editor knows about the names a Python program calls: the registry's table under their
 * full names, and the transforms, which are the language's own. A program's imports say which of
 * its names stand for which.
 */
import { registry } from "virtual:cotangent-python-registry";
import type { EditorState, Text } from "@codemirror/state";
import type { Entry } from "./docs";

const own: readonly Entry[] = (
  [
    [
      "jax.grad",
      "jax.grad(fun, argnums=0, has_aux=False)",
      "The gradient of a function with a scalar result.",
    ],
    [
      "jax.value_and_grad",
      "jax.value_and_grad(fun, argnums=0, has_aux=False)",
      "Value and gradient, in one pass.",
    ],
    [
      "jax.jvp",
      "jax.jvp(fun, primals, tangents, has_aux=False)",
      "Forward mode: `(fun(x), derivative along the tangents)`.",
    ],
    [
      "jax.vjp",
      "jax.vjp(fun, *primals, has_aux=False)",
      "Reverse mode: `(fun(x), a function from cotangents to a tuple of them)`.",
    ],
    [
      "jax.linearize",
      "jax.linearize(fun, *primals)",
      "The value, and the derivative at this point as a linear function.",
    ],
    [
      "jax.linear_transpose",
      "jax.linear_transpose(fun, *primals)",
      "The transpose of a function that is linear.",
    ],
    [
      "jax.jit",
      "jax.jit(fun, static_argnums=None, static_argnames=None)",
      "Traces the function once per shape and dtype, then runs its jaxpr.",
    ],
    [
      "jax.vmap",
      "jax.vmap(fun, in_axes=0, out_axes=0)",
      "Maps a function over an axis of its arguments.",
    ],
    [
      "jax.jacfwd",
      "jax.jacfwd(fun, argnums=0)",
      "The Jacobian, column by column, in forward mode.",
    ],
    ["jax.jacrev", "jax.jacrev(fun, argnums=0)", "The Jacobian, row by row, in reverse mode."],
    [
      "jax.hessian",
      "jax.hessian(fun, argnums=0)",
      "The matrix of second derivatives: jacfwd of jacrev.",
    ],
    [
      "jax.make_jaxpr",
      "jax.make_jaxpr(fun)",
      "A function that gives the jaxpr of fun at its arguments.",
    ],
    [
      "jax.eval_shape",
      "jax.eval_shape(fun, *args)",
      "Shapes and dtypes of the result, without computing it.",
    ],
    [
      "jax.custom_jvp",
      "jax.custom_jvp(fun, nondiff_argnums=())",
      "A function whose forward-mode rule is yours: decorate the rule with `f.defjvp`.",
    ],
    [
      "jax.custom_vjp",
      "jax.custom_vjp(fun, nondiff_argnums=())",
      "A function whose reverse-mode rule is yours: `f.defvjp(fwd, bwd)`.",
    ],
    [
      "jax.pure_callback",
      "jax.pure_callback(callback, result_shape_dtypes, *args, vmap_method=None)",
      "Calls a Python function without side effects.",
    ],
    [
      "jax.experimental.buffer_callback.buffer_callback",
      "buffer_callback(callback, result_shape_dtypes, *, has_side_effect=False, vmap_method=None)",
      "Calls `callback(ctx, out, *args)` on the engine's own memory.",
    ],
    [
      "jax.experimental.io_callback",
      "jax.experimental.io_callback(callback, result_shape_dtypes, *args, ordered=False)",
      "Calls a Python function with side effects.",
    ],
    [
      "jax.debug.print",
      "jax.debug.print(fmt, *args, **kwargs)",
      "Prints values where they are computed, also under jit.",
    ],
    [
      "jax.debug.callback",
      "jax.debug.callback(callback, *args)",
      "Observes values where they are computed.",
    ],
    [
      "jax.ShapeDtypeStruct",
      "jax.ShapeDtypeStruct(shape, dtype)",
      "A shape and a dtype, without values.",
    ],
    ["jax.numpy", "jax.numpy", "NumPy's functions on arrays that can be differentiated."],
    ["jax.lax", "jax.lax", "The primitives, and control flow."],
    ["jax.nn", "jax.nn", "Functions of neural networks."],
    ["jax.tree", "jax.tree", "Functions on nested structures of arrays."],
  ] as const
).map(([name, signature, doc]) => ({ name, signature, doc }));

/** Every entry by its full name; what the registry says comes before our own words. */
export const pythonEntries: ReadonlyMap<string, Entry> = new Map(
  [...own, ...registry].map((entry) => [entry.name, entry]),
);

/** Names that are understood without their import, as one pastes half a program. */
const USUAL: readonly (readonly [string, string])[] = [
  ["jnp", "jax.numpy"],
  ["jax", "jax"],
];

let read: { readonly doc: Text; readonly names: ReadonlyMap<string, string> } | null = null;

/** What the names that a program imports stand for. */
function imports(doc: Text): ReadonlyMap<string, string> {
  if (read?.doc === doc) return read.names;
  const names = new Map(USUAL);
  const text = doc.sliceString(0, 20_000);
  for (const [, path = "", alias] of text.matchAll(
    /^[ \t]*import[ \t]+([\w.]+)(?:[ \t]+as[ \t]+(\w+))?/gm,
  )) {
    names.set(alias ?? path.replace(/\..*$/, ""), alias ? path : path.replace(/\..*$/, ""));
  }
  for (const [, path = "", list = ""] of text.matchAll(
    /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)/gm,
  )) {
    for (const [, name = "", alias] of list.matchAll(/(\w+)(?:\s+as\s+(\w+))?/g))
      names.set(alias ?? name, `${path}.${name}`);
  }
  read = { doc, names };
  return names;
}

/** The full name of a dotted name in a program: "jnp.sum" is "jax.numpy.sum". */
export function resolve(name: string, { doc }: EditorState): string {
  const [first = "", ...rest] = name.split(".");
  const stands = imports(doc).get(first);
  return [stands ?? first, ...rest].join(".");
}

/** The entries directly under a module as a program names it, or its own names (""), by name. */
export function pythonMembers(module: string, state: EditorState): readonly Entry[] {
  if (module === "") {
    return [...imports(state.doc)].map(([name, full]) => {
      const entry = pythonEntries.get(full);
      return { name, signature: entry?.signature ?? name, doc: entry?.doc ?? "" };
    });
  }
  const prefix = `${resolve(module, state)}.`;
  return [...pythonEntries.values()]
    .filter(({ name }) => name.startsWith(prefix) && !name.slice(prefix.length).includes("."))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
