/** The library on a page of somebody else's, without the playground. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { useSite } from "./browser";

const site = useSite();

const PAGE = `<!doctype html><title>bare</title>
<script type="importmap">{ "imports": { "cotangent": "./lib/index.js" } }</script>
<script type="module">
  import { grad, np, version } from "cotangent";
  const loss = (x) => np.sum(np.sin(x).mul(x));
  document.title = grad(loss)(np.arange(2, { dtype: "float32" })).toString();
</script>`;

test("a bare page imports the library from the folder and takes a gradient", async () => {
  const context = await site().browser.newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.route("**/bare.html", (route) =>
    route.fulfill({ contentType: "text/html", body: PAGE }),
  );
  await page.goto(new URL("bare.html", site().url).href);
  await page.waitForFunction(() => document.title !== "bare");
  assert.deepEqual(complaints, []);
  assert.match(await page.title(), /^\[0\. +1\.381773/);
  await context.close();
});
