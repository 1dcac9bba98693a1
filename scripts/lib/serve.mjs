// A static file server on the loopback interface, as plain as any static host: no special headers.

import { createReadStream, realpathSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";

const types = {
  ".css": "text/css; charset=utf-8",
  ".gif": "image/gif",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".ts": "text/plain; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/**
 * Serves `folder` under `base` ("/" or "/some/path/") and resolves to `{ url, port, close }`.
 * `onRequest(path)` sees every request. Nothing outside the folder is ever served, links included.
 *
 * @param {string} folder
 * @param {{ port?: number, base?: string, onRequest?: (path: string) => void }} [options]
 * @returns {Promise<{ url: string, port: number, close: () => Promise<void> }>}
 */
export function serve(folder, { port = 0, base = "/", onRequest } = {}) {
  const home = realpathSync(folder);
  const server = createServer((request, response) => {
    const refuse = (status) => {
      response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" });
      response.end(`${status}\n`);
    };
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(405);
    let path;
    try {
      path = decodeURIComponent((request.url ?? "/").split("?")[0]);
    } catch {
      return refuse(400);
    }
    onRequest?.(path);
    if (!path.startsWith(base) || path.includes("\0")) return refuse(404);
    const file = locate(home, path.slice(base.length));
    if (file === null) return refuse(404);
    response.writeHead(200, {
      "Content-Type": types[extname(file.path).toLowerCase()] ?? "application/octet-stream",
      "Content-Length": file.size,
      // A rebuilt page must never meet an old engine.
      "Cache-Control": "no-cache",
    });
    if (request.method === "HEAD") return response.end();
    const content = createReadStream(file.path);
    content.on("error", () => response.destroy());
    content.pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const { port: actual } = server.address();
      resolve({
        url: `http://127.0.0.1:${actual}${base}`,
        port: actual,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

/** The file a path names, after links are followed, if it lies inside `home`. */
function locate(home, path) {
  try {
    let file = realpathSync(join(home, path));
    if (statSync(file).isDirectory()) file = realpathSync(join(file, "index.html"));
    if (!file.startsWith(home + sep)) return null;
    const stat = statSync(file);
    return stat.isFile() ? { path: file, size: stat.size } : null;
  } catch {
    return null;
  }
}
