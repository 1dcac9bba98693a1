// The tools a build needs: Node, Rust with its wasm target, wasm-bindgen's program, npm packages.
// Each function installs what is missing and returns at once when nothing is.

import { existsSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { at, must, output, which } from "./project.mjs";
import { duration, heading, outcome, Stop, say } from "./say.mjs";

/** The Rust target of the engine. */
export const wasmTarget = "wasm32-unknown-unknown";

/** Whether version `have` is at least `want`, both as "1.2.3". */
export function atLeast(have, want) {
  const [a, b] = [have, want].map((version) =>
    version.split(".").map((part) => Number.parseInt(part, 10) || 0),
  );
  for (let i = 0; i < 3; i++) if ((a[i] ?? 0) !== (b[i] ?? 0)) return (a[i] ?? 0) > (b[i] ?? 0);
  return true;
}

/** Stops with a message unless this Node is new enough. */
export function checkNode() {
  const wanted = JSON.parse(readFileSync(at("package.json"), "utf8")).engines.node.replace(
    /^>=/,
    "",
  );
  if (!atLeast(process.versions.node, wanted)) {
    throw new Stop(`Cotangent needs Node ${wanted} or newer; this is ${process.versions.node}.`);
  }
}

/** Stops with a message unless a new enough Rust is installed; adds the wasm target when it is missing. */
export async function ensureRust() {
  if (!which("cargo") || !which("rustc")) {
    throw new Stop(
      "Cotangent's engine is written in Rust, and no cargo was found on PATH.\n" +
        "Install Rust with rustup (https://rustup.rs), open a new terminal, and run this again.",
    );
  }
  const wanted = /^rust-version = "([^"]+)"/m.exec(readFileSync(at("Cargo.toml"), "utf8"))?.[1];
  const have = /rustc (\d+\.\d+\.\d+)/.exec(output("rustc", ["--version"]) ?? "")?.[1];
  if (wanted && have && !atLeast(have, wanted)) {
    throw new Stop(`Cotangent needs Rust ${wanted} or newer; this is ${have}. Run: rustup update`);
  }
  if (hasTarget()) return;
  if (!which("rustup")) {
    throw new Stop(
      `The Rust target ${wasmTarget} is missing and there is no rustup to add it with.`,
    );
  }
  heading(`Adding the Rust target ${wasmTarget} (under a minute, once)`);
  await must("Adding the target", "rustup", ["target", "add", wasmTarget]);
}

function hasTarget() {
  const libraries = output("rustc", ["--print", "target-libdir", "--target", wasmTarget]);
  return libraries !== null && existsSync(libraries);
}

/** Adds rustfmt and clippy where the toolchain came without them. */
export async function ensureRustComponents() {
  for (const [component, program] of [
    ["rustfmt", "fmt"],
    ["clippy", "clippy"],
  ]) {
    if (output("cargo", [program, "--version"]) !== null) continue;
    if (!which("rustup"))
      throw new Stop(`cargo ${program} is missing and there is no rustup to add it with.`);
    heading(`Adding ${component} to Rust`);
    await must(`Adding ${component}`, "rustup", ["component", "add", component]);
  }
}

/** The version of a crate in Cargo.lock. */
export function lockedVersion(crate) {
  const lock = readFileSync(at("Cargo.lock"), "utf8");
  const version = new RegExp(`name = "${crate}"\\r?\\nversion = "([^"]+)"`).exec(lock)?.[1];
  if (!version) throw new Stop(`Cargo.lock has no ${crate}.`);
  return version;
}

/** The path of wasm-bindgen's program. */
export const wasmBindgen = at(
  ".tools",
  "bin",
  process.platform === "win32" ? "wasm-bindgen.exe" : "wasm-bindgen",
);

/**
 * Installs wasm-bindgen's program into `.tools/`. Its version must be exactly that of the crate, as the two
 * talk to each other in a format of their own that changes between releases.
 */
export async function ensureWasmBindgen() {
  const version = lockedVersion("wasm-bindgen");
  if (existsSync(wasmBindgen) && output(wasmBindgen, ["--version"])?.endsWith(` ${version}`))
    return;
  heading(`Installing wasm-bindgen-cli ${version} into .tools/ (about 3 minutes, once)`);
  const began = performance.now();
  mkdirSync(at(".tools"), { recursive: true });
  // Without --locked: that fails where a mirror of the registry lags behind the versions it names.
  // Without the default features: they are for driving browsers over TLS, a quarter of the work.
  const options = ["--version", version, "--root", at(".tools"), "--force"];
  const least = ["--no-default-features", "--bin", "wasm-bindgen"];
  const args = ["install", "wasm-bindgen-cli", ...options, ...least];
  await must("Installing wasm-bindgen-cli", "cargo", args);
  outcome(true, `wasm-bindgen-cli ${version}, ${duration(performance.now() - began)}`);
}

/** Installs the npm packages of package-lock.json unless exactly they are there. */
export async function ensurePackages() {
  if (packagesMatchLock()) return;
  if (lstatSync(at("node_modules"), { throwIfNoEntry: false })?.isSymbolicLink()) {
    // npm would empty the folder behind the link, which something else uses.
    say("node_modules is a link and differs from package-lock.json: left as it is.");
    return;
  }
  heading("Installing npm packages (under a minute)");
  const began = performance.now();
  // No package may run a script of its own here; none needs to.
  await must("npm ci", "npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]);
  outcome(true, `npm packages, ${duration(performance.now() - began)}`);
}

/** Compares the lock file with npm's own record of what it installed. */
function packagesMatchLock() {
  const record = at("node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(at("package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(record, "utf8")).packages;
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === "") return true;
    const found = installed[path];
    // Packages for other platforms are optional and not installed.
    if (!found) return optional === true;
    return found.version === version && found.integrity === integrity;
  });
}
