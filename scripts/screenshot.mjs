// npm run screenshot: docs/screenshot.png, the page after the founding program has run.

import { mkdirSync } from "node:fs";
import { chromiumFlags, ensureChromium } from "./lib/browser.mjs";
import { at } from "./lib/project.mjs";
import { main, say } from "./lib/say.mjs";
import { serve } from "./lib/serve.mjs";
import { ensureSite } from "./lib/site.mjs";

const program = `import { np, grad, bufferCallback, ShapeDtypeStruct } from "cotangent";

const hostSin = (ctx, out, x) => {
  for (let i = 0; i < x.length; i++) out[i] = Math.sin(x[i]);
};
const sin = bufferCallback(hostSin, ShapeDtypeStruct([4], "float32"));
const loss = (x) => np.sum(sin(x) * x);

print(grad(loss)(np.arange(4, { dtype: "float32" })));
`;

await main(async () => {
  await ensureSite();
  const { chromium } = await import("playwright-core");
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: chromiumFlags,
  });
  const { url, close } = await serve(at("dist"));
  try {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      deviceScaleFactor: 2,
      colorScheme: "light",
    });
    await page.goto(url);
    const editor = page.getByRole("textbox").first();
    await editor.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(program);
    await page.keyboard.press("ControlOrMeta+Enter");
    const diagnosis = page.getByRole("tab", { name: /Diagnosis/ });
    await diagnosis.click();
    await page.getByText("Buffer callbacks do not support JVP").first().waitFor();
    // The fixes are checked after the run; the picture shows them.
    await page.waitForTimeout(1000);
    mkdirSync(at("docs"), { recursive: true });
    await page.screenshot({ path: at("docs/screenshot.png") });
  } finally {
    await browser.close();
    await close();
  }
  say("docs/screenshot.png is new.");
});
