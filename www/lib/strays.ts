/**
 * Promises of a program that failed with nobody waiting for them: `main()` without `await`. What they
 * were rejected with is an error of the program like any other.
 */

/** What is used of Node's `process`, where there is one. */
interface Emitter {
  on(event: string, listener: (...args: never[]) => void): unknown;
  off(event: string, listener: (...args: never[]) => void): unknown;
}

/** Watches for rejections from now on, until `stop`. */
export interface Watch {
  /** The first rejection that nobody took care of. */
  first(): { reason: unknown } | null;
  stop(): void;
}

/** Begins to watch. */
export function watchRejections(): Watch {
  const strays = new Map<unknown, unknown>();
  const first = (): { reason: unknown } | null => {
    for (const reason of strays.values()) return { reason };
    return null;
  };
  const node = (globalThis as unknown as { process?: Partial<Emitter> }).process;
  if (typeof node?.on === "function" && typeof node.off === "function") {
    const emitter = node as Emitter;
    const rejected = (reason: unknown, promise: unknown) => void strays.set(promise, reason);
    const handled = (promise: unknown) => void strays.delete(promise);
    emitter.on("unhandledRejection", rejected);
    emitter.on("rejectionHandled", handled);
    const stop = () => {
      emitter.off("unhandledRejection", rejected);
      emitter.off("rejectionHandled", handled);
    };
    return { first, stop };
  }
  const rejected = (event: PromiseRejectionEvent) => {
    event.preventDefault();
    // Whoever else listens would tell of it a second time.
    event.stopImmediatePropagation();
    strays.set(event.promise, event.reason);
  };
  const handled = (event: PromiseRejectionEvent) => void strays.delete(event.promise);
  globalThis.addEventListener?.("unhandledrejection", rejected, true);
  globalThis.addEventListener?.("rejectionhandled", handled, true);
  const stop = () => {
    globalThis.removeEventListener?.("unhandledrejection", rejected, true);
    globalThis.removeEventListener?.("rejectionhandled", handled, true);
  };
  return { first, stop };
}
