/**
 * Pytrees: nested containers of leaves, as in `jax.tree`.
 *
 * JavaScript arrays are tuples, plain objects are dicts with sorted keys, `null` is the empty node
 * `None`. Everything else is a leaf: numbers, booleans, arrays of the engine, functions, instances of
 * classes. Structures print as JAX prints its `PyTreeDef`s. Nothing here knows about arrays; what
 * counts as a leaf can be widened by a predicate.
 */

import { describe } from "./describe.ts";

/** How deeply trees may nest; deeper ones are refused rather than overflowing the stack. */
export const MAX_DEPTH = 500;

/** An error about the structure of trees; `name` is the class JAX raises. */
export class TreeError extends Error {
  constructor(name: "ValueError" | "TypeError", message: string) {
    super(message);
    this.name = name;
  }
}

/** Says of a subtree that it is to be treated as a leaf. */
export type IsLeaf = (subtree: unknown) => boolean;

/** Options of the functions that walk a tree. */
export interface TreeOptions {
  isLeaf?: IsLeaf;
}

/** A step from a node to a child: a key of a dict or an index of a tuple. */
export type PathKey = string | number;

type Node =
  | { readonly kind: "leaf" }
  | { readonly kind: "none" }
  | { readonly kind: "tuple"; readonly children: readonly Structure[] }
  | {
      readonly kind: "dict";
      readonly keys: readonly string[];
      readonly children: readonly Structure[];
    };

/** The shape of a tree with its leaves taken out; prints as `PyTreeDef({'a': *, 'b': (*, *)})`. */
export class Structure {
  /** How many leaves a tree of this structure has. */
  readonly numLeaves: number;

  constructor(readonly node: Node) {
    if (node.kind === "leaf") this.numLeaves = 1;
    else if (node.kind === "none") this.numLeaves = 0;
    else this.numLeaves = node.children.reduce((n, child) => n + child.numLeaves, 0);
  }

  /** Same containers, same keys, same lengths. */
  equals(other: Structure): boolean {
    return this === other || this.body() === other.body();
  }

  /** The structure without the `PyTreeDef(…)` around it. */
  body(): string {
    const { node } = this;
    switch (node.kind) {
      case "leaf":
        return "*";
      case "none":
        return "None";
      case "tuple": {
        const parts = node.children.map((child) => child.body());
        return parts.length === 1 ? `(${parts[0]},)` : `(${parts.join(", ")})`;
      }
      case "dict": {
        const parts = node.children.map(
          (child, i) => `${quote(node.keys[i] ?? "")}: ${child.body()}`,
        );
        return `{${parts.join(", ")}}`;
      }
    }
  }

  toString(): string {
    return `PyTreeDef(${this.body()})`;
  }
}

const LEAF = new Structure({ kind: "leaf" });
const NONE = new Structure({ kind: "none" });

/** A string as Python's `repr` writes it. */
function quote(s: string): string {
  const q = s.includes("'") && !s.includes('"') ? '"' : "'";
  let out = "";
  for (const ch of s) {
    if (ch === q || ch === "\\") out += `\\${ch}`;
    else if (ch === "\n") out += "\\n";
    else if (ch === "\r") out += "\\r";
    else if (ch === "\t") out += "\\t";
    else if (ch < " " || ch === "\x7f")
      out += `\\x${ch.charCodeAt(0).toString(16).padStart(2, "0")}`;
    else out += ch;
  }
  return q + out + q;
}

function isDict(v: unknown): v is Record<string, unknown> {
  if (typeof v !== "object" || v === null) return false;
  const proto: unknown = Object.getPrototypeOf(v);
  return proto === Object.prototype || proto === null;
}

function kindOf(v: unknown, isLeaf: IsLeaf | undefined): Node["kind"] {
  if (isLeaf?.(v)) return "leaf";
  if (v === null) return "none";
  if (Array.isArray(v)) return "tuple";
  return isDict(v) ? "dict" : "leaf";
}

/** `['a'][1]`, as `jax.tree_util.keystr` prints a path. */
export function keystr(path: readonly PathKey[]): string {
  if (!Array.isArray(path)) {
    throw new TreeError(
      "TypeError",
      `tree.keystr expects a list of keys, but got ${describe(path)}`,
    );
  }
  return path
    .map((key) => (typeof key === "number" ? `[${key}]` : `[${quote(String(key))}]`))
    .join("");
}

type Visit = (leaf: unknown, path: readonly PathKey[]) => void;

/** Walks a tree depth first; refuses cycles and trees that nest too deeply. */
function walk(tree: unknown, isLeaf: IsLeaf | undefined, visit: Visit): Structure {
  const path: PathKey[] = [];
  const open = new Set<object>();

  function enter(node: object): void {
    if (open.has(node)) {
      throw new TreeError(
        "ValueError",
        `The tree contains itself: the node at tree${keystr(path)} is one of its own parents`,
      );
    }
    if (path.length >= MAX_DEPTH) {
      throw new TreeError("ValueError", `The tree is nested more than ${MAX_DEPTH} levels deep`);
    }
    open.add(node);
  }

  function go(node: unknown): Structure {
    switch (kindOf(node, isLeaf)) {
      case "leaf":
        visit(node, path);
        return LEAF;
      case "none":
        return NONE;
      case "tuple": {
        const items = node as readonly unknown[];
        enter(items);
        const children: Structure[] = [];
        for (let i = 0; i < items.length; i++) {
          path.push(i);
          children.push(go(items[i]));
          path.pop();
        }
        open.delete(items);
        return new Structure({ kind: "tuple", children });
      }
      case "dict": {
        const dict = node as Record<string, unknown>;
        enter(dict);
        const keys = Object.keys(dict).sort();
        const children = keys.map((key) => {
          path.push(key);
          const child = go(dict[key]);
          path.pop();
          return child;
        });
        open.delete(dict);
        return new Structure({ kind: "dict", keys, children });
      }
    }
  }

  return go(tree);
}

/** The leaves of a tree, left to right, and its structure. */
export function flatten(tree: unknown, options: TreeOptions = {}): [unknown[], Structure] {
  const leaves: unknown[] = [];
  const structure = walk(tree, options?.isLeaf, (leaf) => leaves.push(leaf));
  return [leaves, structure];
}

/** As `flatten`, with the path of each leaf: `[[path, leaf][], structure]`. */
export function flattenWithPath(
  tree: unknown,
  options: TreeOptions = {},
): [[PathKey[], unknown][], Structure] {
  const leaves: [PathKey[], unknown][] = [];
  const structure = walk(tree, options?.isLeaf, (leaf, path) => leaves.push([[...path], leaf]));
  return [leaves, structure];
}

/** The leaves of a tree with their paths. */
export function leavesWithPath(tree: unknown, options: TreeOptions = {}): [PathKey[], unknown][] {
  return flattenWithPath(tree, options)[0];
}

/** The leaves of a tree, left to right. */
export function leaves(tree: unknown, options: TreeOptions = {}): unknown[] {
  return flatten(tree, options)[0];
}

/** The structure of a tree. */
export function structure(tree: unknown, options: TreeOptions = {}): Structure {
  return walk(tree, options?.isLeaf, () => {});
}

function requireStructure(value: unknown, what: string): void {
  if (value instanceof Structure) return;
  throw new TreeError(
    "TypeError",
    `${what} expects a structure, as \`tree.structure\` gives it, but got ${describe(value)}`,
  );
}

function requireFunction(value: unknown, what: string): void {
  if (typeof value === "function") return;
  throw new TreeError("TypeError", `${what} expects a function, but got ${describe(value)}`);
}

/** Builds a tree from its structure and its leaves. Throws a ValueError if their number is wrong. */
export function unflatten(structure: Structure, leaves: Iterable<unknown>): unknown {
  requireStructure(structure, "tree.unflatten");
  if (typeof (leaves as Partial<Iterable<unknown>> | null)?.[Symbol.iterator] !== "function") {
    throw new TreeError(
      "TypeError",
      `tree.unflatten expects a list of leaves, but got ${describe(leaves)}`,
    );
  }
  const list = [...leaves];
  if (list.length < structure.numLeaves) {
    throw new TreeError(
      "ValueError",
      `Too few leaves for PyTreeDef; expected ${structure.numLeaves}, got ${list.length}`,
    );
  }
  if (list.length > structure.numLeaves) {
    throw new TreeError(
      "ValueError",
      `Too many leaves for PyTreeDef; expected ${structure.numLeaves}.`,
    );
  }
  let next = 0;
  const build = ({ node }: Structure): unknown => {
    switch (node.kind) {
      case "leaf":
        return list[next++];
      case "none":
        return null;
      case "tuple":
        return node.children.map(build);
      case "dict":
        // `fromEntries` defines properties, so a key named "__proto__" is only a key.
        return Object.fromEntries(node.children.map((child, i) => [node.keys[i], build(child)]));
    }
  };
  return build(structure);
}

const KIND_NAME = {
  leaf: "a leaf",
  none: "null",
  tuple: "a tuple (array)",
  dict: "a dict (object)",
};

/**
 * The subtrees of `tree` that stand where `structure` has its leaves. Throws a ValueError that names
 * the path at which they differ. `name` is what the tree is called in messages.
 */
export function flattenUpTo(
  structure: Structure,
  tree: unknown,
  name = "tree",
  isLeaf?: IsLeaf,
): unknown[] {
  requireStructure(structure, "tree.flattenUpTo");
  const out: unknown[] = [];
  const path: PathKey[] = [];

  function fail(what: string, detail: string): never {
    throw new TreeError(
      "ValueError",
      `pytree structure error: ${what} at key path ${name}${keystr(path)}: ${detail}`,
    );
  }

  function go({ node }: Structure, subtree: unknown): void {
    if (node.kind === "leaf") {
      out.push(subtree);
      return;
    }
    const kind = kindOf(subtree, isLeaf);
    if (kind !== node.kind) {
      fail("different types", `expected ${KIND_NAME[node.kind]}, got ${KIND_NAME[kind]}`);
    }
    if (node.kind === "tuple") {
      const items = subtree as readonly unknown[];
      if (items.length !== node.children.length) {
        fail("different lengths of tuple", `expected ${node.children.length}, got ${items.length}`);
      }
      node.children.forEach((child, i) => {
        path.push(i);
        go(child, items[i]);
        path.pop();
      });
    } else if (node.kind === "dict") {
      const dict = subtree as Record<string, unknown>;
      const keys = Object.keys(dict).sort();
      if (keys.length !== node.keys.length || keys.some((key, i) => key !== node.keys[i])) {
        const list = (names: readonly string[]) => `{${names.map(quote).join(", ")}}`;
        fail(
          "different pytree metadata",
          `expected the keys ${list(node.keys)}, got ${list(keys)}`,
        );
      }
      node.children.forEach((child, i) => {
        const key = node.keys[i] ?? "";
        path.push(key);
        go(child, dict[key]);
        path.pop();
      });
    }
  }

  go(structure, tree);
  return out;
}

/** One leaf of `prefix` for each leaf of `full`: what `inAxes: 0` means for a whole tree. */
export function broadcastPrefix(
  prefix: unknown,
  full: unknown,
  options: TreeOptions = {},
): unknown[] {
  const [values, structure] = flatten(prefix, options);
  return flattenUpTo(structure, full).flatMap((subtree, i) => leaves(subtree).map(() => values[i]));
}

type MapFunction = (leaf: unknown, ...rest: unknown[]) => unknown;

/** The trailing `{ isLeaf }` of a call, told from a tree that happens to be an object. */
function splitOptions(args: unknown[]): [unknown[], TreeOptions] {
  const last = args.at(-1);
  if (isDict(last) && typeof last.isLeaf === "function" && Object.keys(last).length === 1) {
    return [args.slice(0, -1), { isLeaf: last.isLeaf as IsLeaf }];
  }
  return [args, {}];
}

/**
 * Applies `f` to the leaves of `tree` and the subtrees of `rest` at the same places. The other trees
 * must have the first one's structure, or have it as a prefix; a ValueError names the path otherwise.
 */
export function map(f: MapFunction, tree: unknown, ...rest: unknown[]): unknown {
  requireFunction(f, "tree.map");
  const [others, options] = splitOptions(rest);
  const [first, structure] = flatten(tree, options);
  const columns = others.map((other) => flattenUpTo(structure, other, "tree", options.isLeaf));
  return unflatten(
    structure,
    first.map((leaf, i) => f(leaf, ...columns.map((column) => column[i]))),
  );
}

type PathMapFunction = (path: PathKey[], leaf: unknown, ...rest: unknown[]) => unknown;

/** As `map`, with the path of each leaf as the first argument of `f`. */
export function mapWithPath(f: PathMapFunction, tree: unknown, ...rest: unknown[]): unknown {
  requireFunction(f, "tree.mapWithPath");
  const [others, options] = splitOptions(rest);
  const [first, structure] = flattenWithPath(tree, options);
  const columns = others.map((other) => flattenUpTo(structure, other, "tree", options.isLeaf));
  return unflatten(
    structure,
    first.map(([path, leaf], i) => f(path, leaf, ...columns.map((column) => column[i]))),
  );
}

/** Are all leaves true? `truth` says of one whether it is. */
export function all(
  tree: unknown,
  options: TreeOptions = {},
  truth: (leaf: unknown) => boolean = Boolean,
): boolean {
  return leaves(tree, options).every(truth);
}

/** Folds the leaves from the left; without `initial` an empty tree is a TypeError. */
export function reduce(
  f: (acc: unknown, leaf: unknown) => unknown,
  tree: unknown,
  ...initial: [] | [unknown]
): unknown {
  requireFunction(f, "tree.reduce");
  const list = leaves(tree);
  if (initial.length === 0 && list.length === 0) {
    throw new TreeError("TypeError", "reduce() of empty iterable with no initial value");
  }
  let acc = initial.length > 0 ? initial[0] : list.shift();
  for (const leaf of list) acc = f(acc, leaf);
  return acc;
}

/**
 * Turns a tree of structure `outer` whose leaves have structure `inner` inside out. `inner` may be
 * null: it is then read off the first leaf.
 */
export function transpose(outer: Structure, inner: Structure | null, tree: unknown): unknown {
  requireStructure(outer, "tree.transpose");
  if (inner !== null) requireStructure(inner, "tree.transpose");
  const subtrees = flattenUpTo(outer, tree);
  const inside = inner ?? structure(subtrees[0] ?? null);
  const rows = subtrees.map((subtree) => {
    const [row, got] = flatten(subtree);
    if (!got.equals(inside)) {
      throw new TreeError("TypeError", `Mismatch: ${got} != ${inside}`);
    }
    return row;
  });
  const columns = Array.from({ length: inside.numLeaves }, (_, i) =>
    unflatten(
      outer,
      rows.map((row) => row[i]),
    ),
  );
  return unflatten(inside, columns);
}
