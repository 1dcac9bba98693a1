import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { choosePython, open, printed, ready, runProgram, useSite } from "./browser";

const site = useSite();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const PROGRAM = `import numpy as np
import matplotlib.pyplot as plt

print("before")
x = np.linspace(0, 6, 100)
fig, (a, b) = plt.subplots(1, 2, figsize=(8, 3))
a.plot(x, np.sin(x), label="sine")
a.legend()
a.set_title("Waves")
b.imshow(np.outer(np.sin(x), np.cos(x)), cmap="magma")
b.set_title("<b>Product</b>")
fig.suptitle("Two plots")
plt.show()
print("after")
`;

async function python(page: Page): Promise<void> {
  await choosePython(page);
  await ready(page);
}

test("a figure with two subplots is shown as SVG with words for those who do not see it", async () => {
  const { page, context, complaints } = await open(site());
  await python(page);
  assert.match(await runProgram(page, PROGRAM), /^Ran/);
  assert.equal(await printed(page), "before\nafter");
  const drawing = page.getByRole("img", {
    name: /Two plots.*Waves: line “sine”.*image of 100 by 100/,
  });
  assert.equal(await drawing.evaluate((element) => element.tagName), "svg");
  const written = await drawing.locator("text").allTextContents();
  for (const label of ["Two plots", "Waves", "sine", "<b>Product</b>"])
    assert.ok(written.includes(label), `${label} in ${written}`);
  assert.match(
    (await drawing.locator("image").getAttribute("href")) ?? "",
    /^data:image\/png;base64,/,
  );
  const drawnPixels = await drawing.locator("image").evaluate(async (element) => {
    const loaded = new Image();
    loaded.src = element.getAttribute("href") ?? "";
    await loaded.decode();
    return [loaded.naturalWidth, loaded.naturalHeight];
  });
  assert.deepEqual(drawnPixels, [100, 100]);
  assert.deepEqual(complaints, []);
  await context.close();
});

test("the figure has the colours of the theme, and follows it", async () => {
  const { page, context } = await open(site(), { scheme: "light" });
  await python(page);
  await runProgram(
    page,
    "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.plot([2, 1], color='navy')\nplt.plot([2, 2], color='k')\n",
  );
  const strokes = () =>
    page
      .locator(".drawing > path[clip-path]")
      .evaluateAll((paths) => paths.map((path) => getComputedStyle(path).stroke));
  assert.deepEqual(await strokes(), ["rgb(31, 119, 180)", "rgb(0, 0, 128)", "rgb(23, 36, 42)"]);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await strokes();
  assert.deepEqual([dark[0], dark[2]], ["rgb(93, 173, 226)", "rgb(226, 234, 236)"]);
  assert.notEqual(dark[1], "rgb(0, 0, 128)");
  await context.close();
});

test("on a phone a figure fits, and a wide one is scrolled in its own box", async () => {
  const { page, context } = await open(site(), { width: 390, height: 800 });
  await python(page);
  await runProgram(
    page,
    "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nplt.figure(figsize=(16, 3))\nplt.plot([1, 2])\n",
  );
  await page.getByRole("tab", { name: /Output/ }).click();
  await page.locator(".drawing").nth(1).waitFor();
  const boxes = await page
    .locator(".drawing-box")
    .evaluateAll((all) =>
      all.map(({ clientWidth, scrollWidth }) => ({ clientWidth, scrollWidth })),
    );
  assert.ok(
    boxes[0] && boxes[0].clientWidth <= 390 && boxes[0].scrollWidth <= boxes[0].clientWidth,
  );
  assert.ok(boxes[1] && boxes[1].clientWidth <= 390 && boxes[1].scrollWidth > boxes[1].clientWidth);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await context.close();
});

test("a page with figures has nothing that axe complains of", async () => {
  const { page, context } = await open(site());
  await python(page);
  await runProgram(page, PROGRAM);
  await page.locator(".drawing").waitFor();
  await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    const { axe: engine } = globalThis as unknown as {
      axe: {
        run(target: string): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations: found } = await engine.run(".view-scroll");
    return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`);
  });
  assert.deepEqual(violations, []);
  await context.close();
});

test("a figure that a hostile program makes up is passed over", async () => {
  const { page, context, complaints } = await open(site());
  await python(page);
  const status = await runProgram(
    page,
    `import _cotangent_output, json
figure = dict(kind="figure", title="t", description="", axes=1, width=10, height=10, clips=[], shapes=[])
shape = dict(kind="line", clip=None, opacity=1, exact=False, points=[0, 0, 9, 9], color="url(//x)", width=1, dash=[])
for change in [dict(width=1e300), dict(shapes=[shape]), dict(shapes=7), dict(title=5), dict(shapes=[{}] * 100000)]:
    _cotangent_output.figure(json.dumps(figure | change))
_cotangent_output.figure(json.dumps(figure))
`,
  );
  assert.match(status, /^Ran/);
  await page.getByText("5 more items dropped").waitFor();
  assert.equal(await page.locator(".drawing").count(), 1);
  assert.deepEqual(complaints, []);
  await context.close();
});
