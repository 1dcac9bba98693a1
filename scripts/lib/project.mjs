// Where things are, running programs, and the stamps that let an unchanged step be skipped.

import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { Stop, stream } from "./say.mjs";

/** The project's folder. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A path inside the project. */
export const at = (...parts) => join(root, ...parts);

const windows = process.platform === "win32";

/** The file that `name` runs on PATH, or null. */
export function which(name) {
  const endings = windows ? [".exe", ".cmd", ".bat", ""] : [""];
  for (const folder of (process.env.PATH ?? "").split(windows ? ";" : ":")) {
    for (const ending of endings) {
      const file = join(folder, name + ending);
      if (folder && existsSync(file) && statSync(file).isFile()) return file;
    }
  }
  return null;
}

/** Runs a program to its end with its output shown; resolves to the exit code (1 when ended by a signal). */
export function run(command, args, { cwd = root, env = {}, stdio } = {}) {
  return new Promise((resolve, reject) => {
    // npm is a .cmd file on Windows, which only a shell can start.
    const child = spawn(command, args, {
      cwd,
      env: withEnv(env),
      stdio: stdio ?? ["ignore", stream(), stream()],
      shell: windows && command === "npm",
    });
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/** Like {@link run}, but a failure stops the script with `what` as the reason. */
export async function must(what, command, args, options) {
  const code = await run(command, args, options);
  if (code !== 0)
    throw new Stop(`${what} failed: ${[command, ...args].join(" ")} (exit code ${code})`);
}

/** What a program prints on stdout, or null when it cannot run or fails. */
export function output(command, args) {
  const done = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    shell: windows && command === "npm",
  });
  return done.status === 0 ? done.stdout.trim() : null;
}

function withEnv(changes) {
  const env = { ...process.env };
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete env[name];
    else env[name] = value;
  }
  return env;
}

/** Every file under the given paths (files or folders, relative to the project), sorted. */
export function filesUnder(paths) {
  const found = [];
  const visit = (path) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) visit(join(path, name));
    else found.push(path);
  };
  for (const path of paths) visit(at(path));
  return found.map((path) => relative(root, path).split(sep).join("/")).sort();
}

/** A hash over the names and contents of all files under `paths`, and over `extra`. */
export function fingerprint(paths, extra = []) {
  const hash = createHash("sha256");
  for (const file of filesUnder(paths)) {
    const content = readFileSync(at(file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  for (const text of extra) hash.update(`\0${text}`);
  return hash.digest("hex");
}

const stampFile = (name) => at(".cache", "stamps", name);

/** Whether step `name` last succeeded with this fingerprint and all its `products` are still there. */
export function isFresh(name, print, products = []) {
  return (
    existsSync(stampFile(name)) &&
    readFileSync(stampFile(name), "utf8") === print &&
    products.every((file) => existsSync(at(file)))
  );
}

/** Forgets step `name`, so that an interrupted run is not taken for a finished one. */
export function clearStamp(name) {
  rmSync(stampFile(name), { force: true });
}

/** Records that step `name` succeeded with this fingerprint. */
export function writeStamp(name, print) {
  mkdirSync(dirname(stampFile(name)), { recursive: true });
  writeFileSync(stampFile(name), print);
}
