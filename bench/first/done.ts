// The end of the clock that began with the navigation.

declare global {
  interface Window {
    firstGradient?: { milliseconds: number; second: number };
  }
}

/** Records when the gradient was there, and one entry of it for the host to check. */
export function done(gradient: ArrayLike<number>): void {
  window.firstGradient = { milliseconds: performance.now(), second: gradient[1] };
}
