import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { encodeLink } from "../../www/share/codec";
import { choosePython, finished, open, printed, read, ready, runProgram, useSite } from "./browser";
import { FOUNDING_PYTHON } from "./programs";

const site = useSite();

/** The founding example in Python, run to its error. */
async function fail(page: Page): Promise<void> {
  await choosePython(page);
  await ready(page);
  assert.match(await runProgram(page, FOUNDING_PYTHON), /^ValueError at line 11/);
}

test("in Python the founding error names primitive, place and chain, and underlines the call to the column", async () => {
  const { page, context, complaints } = await open(site());
  await fail(page);
  const diagnosis = page.locator("#pane-diagnosis");
  await diagnosis.getByText("Buffer callbacks do not support JVP").waitFor();
  await diagnosis.locator(".chip", { hasText: "buffer_callback" }).first().waitFor();
  await diagnosis.getByText("line 11, column 20").waitFor();
  assert.match((await diagnosis.locator(".chain").textContent()) ?? "", /grad.*line 13/);
  assert.match((await diagnosis.textContent()) ?? "", /jax\.custom_vjp/);
  assert.equal((await page.locator(".cm-lintRange-error").allTextContents()).join(""), "sin(x)");
  assert.deepEqual(complaints, []);
  await context.close();
});

test("in Python the failing equation leads to the jaxpr, and from there to the source", async () => {
  const { page, context } = await open(site());
  await fail(page);
  await page.locator(".place", { hasText: "in the jaxpr" }).click();
  await page.locator(".equation-failing", { hasText: "buffer_callback" }).waitFor();
  await page.locator(".equation", { hasText: "reduce_sum" }).hover();
  assert.match((await page.locator(".cm-linked").allTextContents()).join(""), /^jnp\.sum\(/);
  await context.close();
});

test("in Python a fix is checked before it is applied, is one undo step, and runs", async () => {
  const { page, context } = await open(site());
  await fail(page);
  const fix = page.locator(".fix", { hasText: "Give it a derivative" }).first();
  await fix.locator(".check-pass").waitFor();
  await fix.locator(".diff-added", { hasText: "sin.defvjp(sin_fwd, sin_bwd)" }).waitFor();
  await fix.getByRole("button", { name: "Apply and run" }).click();
  await page.locator(".applied .check-pass").waitFor();
  assert.match(await finished(page), /^Ran in/);
  assert.match(await read(page), /@jax\.custom_vjp\ndef sin\(x\):/);
  assert.match(await printed(page), /^\[ ?0\..*1\.38/);
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+z");
  assert.equal(await read(page), FOUNDING_PYTHON);
  await context.close();
});

test("a link to a Python program that uses jax opens stopped, and runs", async () => {
  const source = "import jax\nprint(jax.grad(lambda x: x ** 3)(2.0))\n";
  const fragment = encodeLink({ language: "py", source, engine: "0.1.0" });
  const { page, context } = await open(site(), { fragment });
  await page.getByText("not run yet").waitFor();
  assert.equal(await read(page), source);
  await runProgram(page);
  assert.equal(await printed(page), "12.0");
  await context.close();
});

test("each program of Python has a fresh engine: options, registered classes and arrays of the last one are gone", async () => {
  const { page, context } = await open(site());
  await choosePython(page);
  await ready(page);
  const first = [
    "import jax, jax.numpy as jnp, builtins",
    'jax.config.update("jax_enable_x64", True)',
    "class Box: pass",
    "jax.tree_util.register_pytree_node(Box, lambda b: ((), None), lambda _, c: Box())",
    "builtins.kept = jnp.arange(3.0), Box",
    "print(jnp.arange(3.0).dtype)",
  ];
  await runProgram(page, `${first.join("\n")}\n`);
  assert.equal(await printed(page), "float64");
  const second = [
    "import jax, jax.numpy as jnp",
    "print(jnp.arange(3.0).dtype, len(jax.tree.leaves(kept[1]())))",
    "try:",
    "    print(kept[0] + 1)",
    "except RuntimeError as gone:",
    "    print(gone)",
  ];
  assert.match(await runProgram(page, `${second.join("\n")}\n`), /^Ran/);
  assert.match(await printed(page), /^float32 1\n.*belongs to an earlier run/);
  await context.close();
});
