/** The version of engine and page, from package.json. */
declare const __ENGINE_VERSION__: string;

/** Written by build/sandbox-plugin.ts: addresses relative to the page. */
declare module "virtual:cotangent-assets" {
  export const assets: {
    readonly sandbox: string;
    readonly worker: string;
    readonly engine: string;
  };
}

/** Written by build/sandbox-plugin.ts from the engine's registry. */
declare module "virtual:cotangent-registry" {
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
