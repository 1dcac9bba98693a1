/**
 * What the editor knows about the names people call: the registry's table, made at build time from
 * the engine, and below it the names that belong to the language itself.
 */
import { registry } from "virtual:cotangent-registry";

export interface Entry {
  /** As written in a program: "np.sum", "grad". */
  readonly name: string;
  readonly signature: string;
  readonly doc: string;
}

const own: readonly Entry[] = (
  [
    ["grad", "grad(f, { argnums, hasAux })", "The gradient of a function with a scalar result."],
    ["valueAndGrad", "valueAndGrad(f, { argnums, hasAux })", "Value and gradient, in one pass."],
    ["jvp", "jvp(f, primals, tangents)", "Forward mode: [f(x), derivative along the tangents]."],
    [
      "vjp",
      "vjp(f, ...primals)",
      "Reverse mode: [f(x), a function from cotangents to an array of them].",
    ],
    [
      "linearize",
      "linearize(f, ...primals)",
      "The value, and the derivative at this point as a linear function.",
    ],
    [
      "linearTranspose",
      "linearTranspose(f, ...primals)",
      "The transpose of a function that is linear.",
    ],
    [
      "jit",
      "jit(f, { staticArgnums })",
      "Traces the function once per shape and dtype, then runs its jaxpr.",
    ],
    ["vmap", "vmap(f, { inAxes, outAxes })", "Maps a function over an axis of its arguments."],
    ["jacfwd", "jacfwd(f, { argnums })", "The Jacobian, column by column, in forward mode."],
    ["jacrev", "jacrev(f, { argnums })", "The Jacobian, row by row, in reverse mode."],
    ["hessian", "hessian(f, { argnums })", "The matrix of second derivatives: jacfwd of jacrev."],
    ["makeJaxpr", "makeJaxpr(f)", "A function that gives the jaxpr of f at its arguments."],
    [
      "evalShape",
      "evalShape(f, ...args)",
      "Shapes and dtypes of the result, without computing it.",
    ],
    [
      "customJvp",
      "customJvp(f)",
      "A function whose forward-mode rule is yours: f.defjvp((primals, tangents) => [y, yt]).",
    ],
    [
      "customVjp",
      "customVjp(f, { nondiffArgnums })",
      "A function whose reverse-mode rule is yours: f.defvjp(fwd, bwd).",
    ],
    ["stopGradient", "stopGradient(x)", "The value of x, with a derivative of zero."],
    [
      "checkGrads",
      "checkGrads(f, args, { order, modes })",
      "Compares derivatives with finite differences.",
    ],
    [
      "bufferCallback",
      "bufferCallback(fn, resultShapeDtypes, options)",
      "Calls fn(ctx, out, ...args) on the engine's own memory.",
    ],
    [
      "pureCallback",
      "pureCallback(fn, resultShapeDtypes, ...args, { vmapMethod })",
      "Calls a JavaScript function without side effects.",
    ],
    [
      "ioCallback",
      "ioCallback(fn, resultShapeDtypes, ...args, { ordered })",
      "Calls a JavaScript function with side effects.",
    ],
    ["debugCallback", "debugCallback(fn, ...args)", "Observes values where they are computed."],
    [
      "debugPrint",
      "debugPrint(format, ...args)",
      "Prints values where they are computed, also under jit.",
    ],
    ["ShapeDtypeStruct", "ShapeDtypeStruct(shape, dtype)", "A shape and a dtype, without values."],
    ["print", "print(...values)", "Shows values in the output, arrays as JAX prints them."],
    ["plot", "plot(...)", "Shows a line plot or an image in the output."],
    ["np", "np", "The functions of jax.numpy."],
    ["lax", "lax", "The functions of jax.lax."],
    [
      "lax.scan",
      "lax.scan(f, init, xs, { length, reverse, unroll })",
      "Runs f(carry, x) => [carry, y] over slices of xs: [carry, ys]. Traced once.",
    ],
    [
      "lax.map",
      "lax.map(f, xs, { batchSize })",
      "Applies f to every slice of xs, one after another, and stacks the results.",
    ],
    [
      "lax.whileLoop",
      "lax.whileLoop(cond, body, init)",
      "Runs body for as long as cond is true. Forward mode only.",
    ],
    [
      "lax.foriLoop",
      "lax.foriLoop(lower, upper, body, init)",
      "Runs body(i, value) for every i: a scan where both bounds are known.",
    ],
    [
      "lax.cond",
      "lax.cond(pred, onTrue, onFalse, ...operands)",
      "One of two functions of the operands; both are traced.",
    ],
    [
      "lax.switch",
      "lax.switch(index, branches, ...operands)",
      "One of several functions of the operands, the index kept within range.",
    ],
    [
      "lax.associativeScan",
      "lax.associativeScan(fn, elems, { reverse, axis })",
      "All prefixes of an associative combination, in a logarithmic number of rounds.",
    ],
    ["nn", "nn", "The functions of jax.nn."],
    ["random", "random", "The functions of jax.random."],
    ["tree", "tree", "Functions on nested structures of arrays."],
  ] as const
).map(([name, signature, doc]) => ({ name, signature, doc }));

/** Every entry by its full name; what the registry says comes before our own words. */
export const entries: ReadonlyMap<string, Entry> = new Map(
  [...own, ...registry].map((entry) => [entry.name, entry]),
);

/** The entries directly under a module ("np"), or at top level (""), sorted by name. */
export function members(module: string): readonly Entry[] {
  const prefix = module === "" ? "" : `${module}.`;
  return [...entries.values()]
    .filter(({ name }) => name.startsWith(prefix) && !name.slice(prefix.length).includes("."))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The signature and text of an entry as an element. */
export function describe(entry: Entry): HTMLElement {
  const box = document.createElement("div");
  box.className = "cm-doc";
  const signature = box.appendChild(document.createElement("div"));
  signature.className = "cm-doc-signature";
  signature.textContent = entry.signature;
  const doc = box.appendChild(document.createElement("div"));
  doc.className = "cm-doc-text";
  // Words in backticks are code; nothing else in the table is marked up.
  entry.doc.split("`").forEach((part, index) => {
    if (index % 2 === 0) doc.append(part);
    else doc.appendChild(document.createElement("code")).textContent = part;
  });
  return box;
}
