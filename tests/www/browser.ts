/**
 * What every browser test needs: the built page on a loopback server, a second origin that counts
 * whatever reaches it, and one Chromium for the file.
 *
 * `dist/` is served as it is, under a sub-path, as a static host would. With COTANGENT_SITE another
 * folder is served.
 */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { after, before } from "node:test";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { serve as serveUntyped } from "../../scripts/lib/serve.mjs";

interface Served {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}
const serve = serveUntyped as (
  folder: string,
  options: { base?: string; onRequest?: (path: string) => void },
) => Promise<Served>;

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface Site {
  readonly browser: Browser;
  /** The page's address. */
  readonly url: string;
  /** The second origin, and the paths that were asked of it. */
  readonly elsewhere: string;
  readonly hits: string[];
  /** The paths asked of the page's own origin. */
  readonly requests: string[];
}

/** Starts the site before the tests of a file and stops it after them. */
export function useSite(): () => Site {
  let site: (Site & { close(): Promise<void> }) | null = null;
  before(async () => {
    site = await startSite();
  });
  after(async () => {
    await site?.close();
  });
  return () => {
    if (!site) throw new Error("the site has not started");
    return site;
  };
}

export async function startSite(): Promise<Site & { close(): Promise<void> }> {
  const folder = resolve(process.env.COTANGENT_SITE ?? "dist");
  if (!existsSync(resolve(folder, "index.html")))
    throw new Error(`${folder} is not built: npm run build`);
  const requests: string[] = [];
  const served = await serve(folder, {
    base: "/some/path/",
    onRequest: (path) => requests.push(path),
  });
  const hits: string[] = [];
  const second = createServer((request, response) => {
    hits.push(`${request.method} ${request.url}`);
    response.writeHead(200, {
      "Access-Control-Allow-Origin": "*",
      "Content-Type": "text/javascript",
    });
    response.end("self.reached = true;");
  });
  second.on("upgrade", (request, socket) => {
    hits.push(`UPGRADE ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((done) => second.listen(0, "127.0.0.1", done));
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: process.env.CHROMIUM_FLAGS?.split(" ") ?? FLAGS,
  });
  return {
    browser,
    url: served.url,
    elsewhere: `http://127.0.0.1:${(second.address() as AddressInfo).port}`,
    hits,
    requests,
    close: async () => {
      await browser.close();
      await served.close();
      await new Promise((done) => {
        second.close(done);
        second.closeAllConnections();
      });
    },
  };
}

export interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors, policy violations and warnings that the page logged. */
  readonly complaints: string[];
}

export interface OpenOptions {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: "light" | "dark";
  readonly fragment?: string;
  readonly query?: string;
  readonly context?: BrowserContext;
  /** JavaScript that runs before any script of the page, in the page and not in its frames. */
  readonly prepare?: string;
}

/** Opens the page in a fresh profile (or the given one) and waits until the editor is there. */
export async function open(site: Site, options: OpenOptions = {}): Promise<Opened> {
  const context =
    options.context ??
    (await site.browser.newContext({
      viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
      colorScheme: options.scheme ?? "light",
    }));
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    // Chromium's own editing of a replaced selection tries to carry an inline style along; it may not.
    const chromium = message.text().startsWith("Applying inline style violates");
    const grave = message.type() === "error" || message.type() === "warning";
    if (grave && !chromium) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  if (options.prepare) await page.addInitScript(`if (self === top) {${options.prepare}}`);
  await page.goto(
    `${site.url}${options.query ?? ""}${options.fragment ? `#${options.fragment}` : ""}`,
  );
  await page.locator(".cm-content").waitFor({ state: "attached" });
  return { page, context, complaints };
}

/** Waits until a worker with a started engine waits for a program. */
export async function ready(page: Page): Promise<void> {
  await page.locator(".status-run", { hasText: "Ready" }).waitFor();
}

/** Goes on in Python; the interpreter may still be on its way. */
export async function choosePython(page: Page): Promise<void> {
  await page.locator(".switch-choice", { hasText: "Py" }).click();
  await page.locator('.page[data-language="py"]').waitFor();
}

/** Puts a program in place of the text, as one who pastes it does. */
export async function write(page: Page, source: string): Promise<void> {
  const content = page.locator(".cm-content");
  await content.focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(source);
}

/** The program as the editor has it, whatever part of it is on screen. */
export async function read(page: Page): Promise<string> {
  return page.evaluate(() => {
    const root = document.querySelector(".editor")?.shadowRoot;
    return [...(root?.querySelectorAll(".cm-line") ?? [])]
      .map((line) => line.textContent)
      .join("\n");
  });
}

/** Writes and runs a program, and waits for its end; gives the status line. */
export async function runProgram(page: Page, source?: string): Promise<string> {
  if (source !== undefined) await write(page, source);
  await page.keyboard.press("Control+Enter");
  return finished(page);
}

/** Waits for the end of the run under way and gives the status line. */
export async function finished(page: Page, timeout = 20_000): Promise<string> {
  const status = page.locator(".status-run", {
    hasText: /^(Ran|Stopped|The engine failed|\w+ at line|\w+, after)/,
  });
  await status.waitFor({ timeout });
  return (await status.textContent()) ?? "";
}

/** What the Output view shows as text. */
export async function printed(page: Page): Promise<string> {
  return (await page.locator(".printed").allTextContents()).join("\n");
}
