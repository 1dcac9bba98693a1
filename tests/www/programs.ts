/** Programs that several tests run. */
export const FOUNDING = `import { np, grad, bufferCallback, ShapeDtypeStruct, print } from "cotangent";

const hostSin = (ctx, out, x) => { for (let i = 0; i < x.length; i++) out[i] = Math.sin(x[i]); };
const sin = bufferCallback(hostSin, ShapeDtypeStruct([4], "float32"));
const loss = (x) => np.sum(sin(x) * x);
print(grad(loss)(np.arange(4, { dtype: "float32" })));
`;

/** A Python program that tries every way out to an address; it prints what became of each. */
export const hostilePython = (url: string) => `import js
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

for action in [fetch, xhr, socket, events, scripts, imported, dynamic, beacon, open_url, urllib, raw, package, worker]:
    attempt(action.__name__, action)
`;

/** The founding example in Python. */
export const FOUNDING_PYTHON = `import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.buffer_callback import buffer_callback

def host_sin(ctx, out, x):
    np.asarray(out)[...] = np.sin(np.asarray(x))

sin = buffer_callback(host_sin, jax.ShapeDtypeStruct((4,), jnp.float32))
def loss(x):
    return jnp.sum(sin(x) * x)

print(jax.grad(loss)(jnp.arange(4.0)))
`;
