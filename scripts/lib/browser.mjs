// A Chromium and a Firefox for the browser tests, and opening a page in the user's own browser.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { must, which } from "./project.mjs";
import { heading, Stop } from "./say.mjs";

const names = [
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
  "msedge",
  "microsoft-edge",
];
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** The flags for a headless Chromium that talks to nobody. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * The path of an installed Chromium or Chrome ($CHROMIUM_PATH comes first), or null.
 *
 * @returns {string | null}
 */
export function findChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) {
    if (!existsSync(chosen)) throw new Stop(`CHROMIUM_PATH names ${chosen}, which is not there.`);
    return chosen;
  }
  for (const name of names) {
    const file = which(name);
    if (file) return file;
  }
  return places.find((file) => existsSync(file)) ?? null;
}

/**
 * Like {@link findChromium}, and installs Debian's package where this user may; stops with a message otherwise.
 *
 * @returns {Promise<string>}
 */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  if (which("apt-get") && process.getuid?.() === 0) {
    heading("Installing Debian's chromium for the browser tests (a minute or two, once)");
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await must("apt-get update", "apt-get", ["update", "-q"], { env });
    await must(
      "Installing chromium",
      "apt-get",
      ["install", "-y", "-q", "--no-install-recommends", "chromium"],
      { env },
    );
    const installed = findChromium();
    if (installed) return installed;
  }
  throw new Stop(
    "The browser tests need Chromium or Chrome, and none was found.\n" +
      "Install one (on Debian or Ubuntu: sudo apt-get install chromium) or set CHROMIUM_PATH to its program.",
  );
}

/**
 * The path of a Firefox for the tests ($FIREFOX_PATH comes first), installed from Debian's package where this user
 * may; null where there is none: the tests in Firefox are then left out, and say so.
 *
 * @returns {Promise<string | null>}
 */
export async function ensureFirefox() {
  const chosen = process.env.FIREFOX_PATH;
  if (chosen) {
    if (!existsSync(chosen)) throw new Stop(`FIREFOX_PATH names ${chosen}, which is not there.`);
    return chosen;
  }
  const find = () => which("firefox-esr") ?? which("firefox");
  if (find() || !which("apt-get") || process.getuid?.() !== 0) return find();
  heading("Installing Debian's firefox-esr for the browser tests (a minute or two, once)");
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await must("apt-get update", "apt-get", ["update", "-q"], { env });
  const words = ["install", "-y", "-q", "--no-install-recommends", "firefox-esr"];
  await must("Installing firefox-esr", "apt-get", words, { env });
  return find();
}

/** Opens a page in the user's browser, where there is one. Never fails: the address is printed anyway. */
export function openInBrowser(url) {
  const [command, args] =
    process.platform === "darwin"
      ? ["open", [url]]
      : process.platform === "win32"
        ? ["cmd", ["/c", "start", "", url]]
        : ["xdg-open", [url]];
  if (process.platform === "linux" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return;
  if (!which(command)) return;
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
