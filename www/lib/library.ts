/** Everything that `import … from "cotangent"` finds, on a loaded engine. */

import type { Lax, Nn, Np, Random } from "../../pkg/api.js";
import { api, buildModules } from "./api.ts";
import { cell, fromTyped, isArray, NdArray, slice, truthOf } from "./array.ts";
import { associativeScan } from "./associative.ts";
import {
  bufferCallback,
  debugCallback,
  ioCallback,
  makeDebugPrint,
  pureCallback,
  setMakers,
} from "./callbacks.ts";
import { cond, foriLoop, map, scan, switchTo, whileLoop } from "./control.ts";
import { customJvp, customVjp } from "./custom.ts";
import { evalShape, makeJaxpr } from "./jaxprs.ts";
import { jit, vmap } from "./mapping.ts";
import { plotItem } from "./plot.ts";
import type { OutputItem } from "./report.ts";
import { show } from "./show.ts";
import {
  checkGrads,
  grad,
  hessian,
  jacfwd,
  jacrev,
  jvp,
  linearize,
  linearTranspose,
  valueAndGrad,
  vjp,
} from "./transforms.ts";
import * as trees from "./tree.ts";
import { ShapeDtypeStruct } from "./types.ts";

/** Where output goes. */
export type Sink = (item: OutputItem) => void;

/** The version of the engine and the library. */
export const VERSION = "0.1.0";

/** Makes the library; output goes to `sink`. The engine must have been loaded. */
export function makeLibrary(sink: Sink) {
  const {
    np,
    lax: named,
    nn,
    random,
  } = buildModules() as unknown as { np: Np; lax: Lax; nn: Nn; random: Random };
  const loops = { scan, map, whileLoop, foriLoop, cond, switch: switchTo, associativeScan };
  const lax = Object.freeze({ ...named, ...loops });
  setMakers({
    shaped: (elements, shape, dtype) =>
      api("np.astype")(api("np.reshape")(fromTyped(elements), [...shape]), dtype),
    cast: (x, dtype) => api("np.astype")(x, dtype),
    listed: (list, dtype) => api("np.array")(list, { dtype }),
  });
  const print = (...values: unknown[]): void => {
    cell.floats = 0;
    sink({ kind: "text", text: values.map(show).join(" ") });
  };
  const plot = (...given: unknown[]): void => {
    cell.floats = 0;
    sink(plotItem(...given));
  };
  const stopGradient = <T>(x: T): T =>
    trees.map((leaf) => (isArray(leaf) ? api("lax.stopGradient")(leaf) : leaf), x) as T;
  const truth = (leaf: unknown) => (isArray(leaf) ? truthOf(leaf) : Boolean(leaf));
  const all = (tree: unknown, options: trees.TreeOptions = {}): boolean =>
    trees.all(tree, options, truth);
  return Object.freeze({
    np,
    lax,
    nn,
    random,
    tree: Object.freeze({ ...trees, all }),
    grad,
    valueAndGrad,
    jvp,
    vjp,
    linearize,
    linearTranspose,
    vmap,
    jit,
    jacfwd,
    jacrev,
    jacobian: jacrev,
    hessian,
    makeJaxpr,
    evalShape,
    customJvp,
    customVjp,
    stopGradient,
    checkGrads,
    bufferCallback,
    pureCallback,
    ioCallback,
    debugCallback,
    debugPrint: makeDebugPrint((text) => sink({ kind: "text", text })),
    ShapeDtypeStruct,
    slice,
    print,
    plot,
    Array: NdArray,
    version: VERSION,
  });
}

/** The library's type. */
export type Library = ReturnType<typeof makeLibrary>;
