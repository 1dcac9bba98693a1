import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { serve } from "../../../scripts/lib/serve.mjs";

let outside: string;
let server: Awaited<ReturnType<typeof serve>>;

before(async () => {
  outside = mkdtempSync(join(tmpdir(), "serve-"));
  const site = join(outside, "site");
  mkdirSync(join(site, "sub"), { recursive: true });
  writeFileSync(join(outside, "secret.txt"), "secret");
  writeFileSync(join(site, "index.html"), "<p>home");
  writeFileSync(join(site, "sub", "index.html"), "<p>sub");
  writeFileSync(join(site, "engine_bg.wasm"), "wasm");
  writeFileSync(join(site, "app.js"), "1");
  writeFileSync(join(site, "a b.txt"), "space");
  symlinkSync(join(outside, "secret.txt"), join(site, "link.txt"));
  server = await serve(site, { base: "/some/path/" });
});

after(async () => {
  await server.close();
  rmSync(outside, { recursive: true });
});

/** A request with the path exactly as given: `fetch` would tidy it up. */
function get(
  path: string,
  method = "GET",
): Promise<{ status: number; type: string; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port: server.port, host: "127.0.0.1", path, method }, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () => {
        const type = response.headers["content-type"] ?? "";
        resolve({ status: response.statusCode ?? 0, type, body });
      });
    });
    sent.on("error", reject);
    sent.end();
  });
}

test("files are served under the base path with the types that browsers insist on", async () => {
  assert.deepEqual(await get("/some/path/"), {
    status: 200,
    type: "text/html; charset=utf-8",
    body: "<p>home",
  });
  assert.equal((await get("/some/path/sub/")).body, "<p>sub");
  assert.equal((await get("/some/path/engine_bg.wasm")).type, "application/wasm");
  assert.match((await get("/some/path/app.js?v=1")).type, /^text\/javascript/);
  assert.equal((await get("/some/path/a%20b.txt")).body, "space");
});

test("nothing outside the folder is served, however it is asked for", async () => {
  for (const path of [
    "/some/path/../secret.txt",
    "/some/path/../../secret.txt",
    "/some/path/%2e%2e/secret.txt",
    "/some/path/..%2fsecret.txt",
    "/some/path/sub/..%2f..%2fsecret.txt",
    "/some/path/..%5csecret.txt",
    "/some/path/link.txt",
    "/some/path//etc/hostname",
    "/secret.txt",
    "/some/path/secret.txt%00.html",
  ]) {
    const { status, body } = await get(path);
    assert.equal(status, 404, path);
    assert.doesNotMatch(body, /secret/, path);
  }
});

test("malformed addresses and other methods are refused", async () => {
  assert.equal((await get("/some/path/%zz")).status, 400);
  assert.equal((await get("/some/path/", "POST")).status, 405);
  assert.deepEqual((await get("/some/path/", "HEAD")).body, "");
});
