// Arrays of Python die with their references: loops hold their memory flat, in the engine and in the interpreter.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { glue, load, memoryBuffer, registeredFunctions, TapeReader } from "../../www/lib/engine.ts";
import { startInNode } from "../../www/python-host/node.ts";
import { createPythonProgram, type PythonProgram } from "../../www/python-host/program.ts";

let program: PythonProgram;
before(async () => {
  load(readFileSync(new URL("../../pkg/cotangent_bg.wasm", import.meta.url)));
  program = createPythonProgram(await startInNode());
});

function run(source: string): void {
  const { error } = program.run(source, { onOutput: () => undefined });
  assert.equal(error, null, error?.message ?? "");
}

/** Live bytes and live handles of the engine. */
function held(): { live: number; handles: number } {
  glue.memoryUse();
  const tape = new TapeReader();
  const [live = 0, , , , handles = 0] = [1, 2, 3, 4, 5].map(() => tape.next());
  return { live, handles };
}

const steps = (n: number) => `
import jax, jax.numpy as jnp
w = jnp.ones(1_000_000)
g = jnp.full(1_000_000, 0.5)
for _ in range(${n}):
    w = w - 0.01 * g
`;

test("a loop over a million floats needs no more memory the longer it runs", () => {
  run(steps(20));
  const early = memoryBuffer().byteLength;
  run(steps(300));
  assert.ok(memoryBuffer().byteLength <= early + 8e6, `${early} to ${memoryBuffer().byteLength}`);
  assert.ok(held().live < 40e6, `${held().live} bytes live`);
});

test("gradients in a loop leave nothing behind: no handles, no functions", () => {
  const source = (n: number) => `
import jax, jax.numpy as jnp
step = jax.jit(lambda w: w - 0.1 * jax.grad(lambda w: jnp.sum(w ** 2))(w))
w = jnp.ones(100)
for _ in range(${n}):
    w = step(w)
    v, pull = jax.vjp(jnp.sin, w)
    pull(v)
    jax.vmap(jnp.cos)(w)
`;
  run(source(20));
  const early = { ...held(), functions: registeredFunctions() };
  run(source(200));
  const late = { ...held(), functions: registeredFunctions() };
  assert.ok(late.handles <= early.handles + 30, `${early.handles} to ${late.handles} handles`);
  assert.ok(late.functions <= early.functions + 5, `${early.functions} to ${late.functions}`);
  assert.ok(late.live <= early.live + 1e5, `${early.live} to ${late.live} bytes`);
});
