import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { sandboxPlugin } from "./www/app/build/sandbox-plugin.ts";

const root = dirname(fileURLToPath(import.meta.url));
const { version } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as {
  version: string;
};

export default defineConfig({
  root: resolve(root, "www/app"),
  // Relative addresses: the site works from any folder of any host.
  base: "./",
  build: {
    outDir: resolve(root, process.env.COTANGENT_OUT ?? "dist"),
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  define: { __ENGINE_VERSION__: JSON.stringify(version) },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  plugins: [
    sandboxPlugin({
      root,
      engine: resolve(root, process.env.COTANGENT_ENGINE ?? "pkg/cotangent_bg.wasm"),
      python: resolve(root, "pkg/python"),
    }),
  ],
});
