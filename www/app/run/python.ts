/** Fetches what Python needs, and says how far it has come. */
import { assets, type PythonAsset } from "virtual:cotangent-assets";
import type { PythonBytes } from "../../sandbox/protocol";

/** Bytes to be fetched for the first Python program; 0 where the page was built without Python. */
export const PYTHON_SIZE = Object.values(assets.python ?? {}).reduce(
  (sum, { bytes }) => sum + bytes,
  0,
);

/** Fetches all files at once; `onProgress` is told how many bytes are there. */
export async function fetchPython(onProgress: (received: number) => void): Promise<PythonBytes> {
  const { python } = assets;
  if (!python) throw new Error("This page was built without Python.");
  const failed = new AbortController();
  let received = 0;
  const fetched = async ({ path, gzip }: PythonAsset): Promise<ArrayBuffer> => {
    const response = await fetch(new URL(path, document.baseURI), { signal: failed.signal });
    if (!response.ok || !response.body) throw new Error(`${path}: ${response.status}`);
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          received += chunk.byteLength;
          if (!failed.signal.aborted) onProgress(received);
          controller.enqueue(chunk);
        },
      }),
    );
    const whole = gzip ? counted.pipeThrough(new DecompressionStream("gzip")) : counted;
    return new Response(whole).arrayBuffer();
  };
  try {
    const [worker, wasm, stdlib, snapshot, packages] = await Promise.all([
      fetched(python.worker),
      fetched(python.wasm),
      fetched(python.stdlib),
      fetched(python.snapshot),
      fetched(python.packages),
    ]);
    return { worker, wasm, stdlib, snapshot, packages };
  } catch (error) {
    // One file missing is all missing: the others need not come, nor be counted.
    failed.abort();
    throw error;
  }
}
