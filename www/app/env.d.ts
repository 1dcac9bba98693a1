/** The version of engine and page, from package.json. */
declare const __ENGINE_VERSION__: string;

/** Written by build/sandbox-plugin.ts: addresses relative to the page. */
declare module "virtual:cotangent-assets" {
  export interface PythonAsset {
    readonly path: string;
    /** Its size as it is fetched. */
    readonly bytes: number;
    readonly gzip: boolean;
  }
  export const assets: {
    readonly sandbox: string;
    readonly worker: string;
    readonly engine: string;
    /** What Python needs, with the number of bytes of each file; null where it was not built. */
    readonly python: Readonly<
      Record<"worker" | "wasm" | "stdlib" | "snapshot" | "packages", PythonAsset>
    > | null;
  };
}

/** Pyodide's glue; the package declares no types for it. */
declare module "pyodide/pyodide.asm.mjs" {
  const createPyodideModule: (settings: object) => Promise<object>;
  export default createPyodideModule;
}

/** Written by build/sandbox-plugin.ts from the engine's registry. */
declare module "virtual:cotangent-registry" {
  export const registry: readonly { name: string; signature: string; doc: string }[];
}

/** The same for Python: full names, as `jax.numpy.sum`. In the editor's lazily fetched part only. */
declare module "virtual:cotangent-python-registry" {
  export const registry: readonly { name: string; signature: string; doc: string }[];
}

declare module "*.css";

interface ImportMeta {
  /** Vite's import of all files that match a pattern, at build time. */
  glob<T>(
    pattern: string,
    options: { eager: true; query?: string; import?: string },
  ): Record<string, T>;
}
