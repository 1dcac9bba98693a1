/**
 * Cotangent as a library: `import { np, grad } from "cotangent"` in Node or in a page.
 *
 * The engine's wasm lies beside this module and is loaded when it is imported.
 */

import { load } from "./engine.ts";
import { makeLibrary } from "./library.ts";

async function wasmBytes(): Promise<BufferSource> {
  const url = new URL("../../pkg/cotangent_bg.wasm", import.meta.url);
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the engine could not be fetched: ${response.status} ${url}`);
  return response.arrayBuffer();
}

load(await WebAssembly.compile(await wasmBytes()));

const library = makeLibrary((item) => {
  if (item.kind === "text") console.log(item.text);
  else if (item.kind !== "dropped")
    console.log(`[${item.kind}${item.title ? `: ${item.title}` : ""}]`);
});

export const {
  np,
  lax,
  nn,
  random,
  tree,
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
  jacobian,
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
  debugPrint,
  ShapeDtypeStruct,
  slice,
  print,
  plot,
  version,
} = library;
export type {
  ArrayLike,
  ArrayMethods,
  Index,
  Lax,
  NestedArrayLike,
  Nn,
  Np,
  Random,
} from "../../pkg/api.js";
export type { AtOptions, IndexUpdate } from "./api.ts";
export type { DType } from "./array.ts";
export { NdArray as Array, Slice } from "./array.ts";
export { CotangentError } from "./errors.ts";
