/**
 * Which expressions can never be arrays of the engine.
 *
 * Such expressions keep JavaScript's own operators, so counting loops and the insides of host
 * callbacks run at full speed. "Plain" is a proof, not a guess: when in doubt the answer is no.
 */

import type {
  AnyNode,
  Expression,
  Identifier,
  Node,
  PrivateIdentifier,
  SpreadElement,
  Super,
} from "acorn";
import { type Binding, type FunctionNode, importedName, type Names } from "./scope.ts";

/** Properties that hold numbers on everything that has them. */
const NUMBER_PROPERTIES = new Set(["length", "byteLength", "size", "ndim"]);

/** Functions of the language that return plain values. */
const PLAIN_FUNCTIONS = new Set([
  "Number",
  "String",
  "Boolean",
  "parseInt",
  "parseFloat",
  "BigInt",
]);
const PLAIN_NAMESPACES = new Set(["Math", "Number", "JSON", "performance", "Date"]);
const PLAIN_NAMES = new Set(["undefined", "NaN", "Infinity", "Math", "JSON", "console"]);
const PLAIN_CLASSES = new Set(
  (
    "Array Map Set Date Error TypeError RangeError Float32Array Float64Array Int8Array Int16Array Int32Array " +
    "Uint8Array Uint8ClampedArray Uint16Array Uint32Array ArrayBuffer DataView RegExp"
  ).split(" "),
);

export type Operand = Expression | PrivateIdentifier | Super | SpreadElement | Node;

/** Functions that are called with typed arrays, from their second parameter on. */
const HOST_CALLERS = new Set(["bufferCallback"]);

const TYPED_ARRAYS = /^(?:Float(?:16|32|64)|(?:Ui|I)nt(?:8|16|32)|Uint8Clamped)Array$/;

/** Methods that give raw data when called on raw data. */
const RAW_METHODS = new Set(["slice", "subarray", "fill", "reverse", "sort", "set"]);

/**
 * Answers whether an expression is provably no array of the engine.
 *
 * Among such values, *raw* ones are typed arrays, tuples of them, and what they hold: the arguments
 * of a function given to `bufferCallback`, and what is made of those. Their elements are plain too.
 */
export class Plainness {
  readonly #plain: Set<Binding>;
  readonly #raw = new Set<Binding>();
  /** Functions that only ever get raw arguments, with the name they are called by, if any. */
  readonly #hosts = new Map<FunctionNode, Binding | undefined>();

  constructor(readonly names: Names) {
    // The largest sets of bindings that are consistent: assume all, and drop those that fail.
    const candidates = names.opaque ? [] : names.bindings.filter((b) => this.#candidate(b));
    this.#plain = new Set(candidates);
    if (!names.opaque) this.#assumeHosts();
    for (const binding of candidates) if (binding.kind !== "function") this.#raw.add(binding);
    for (let changed = true; changed; ) {
      changed = false;
      for (const [fn, binding] of this.#hosts) {
        if (binding === undefined || binding.uses.every((use) => this.#feedsRaw(use.node)))
          continue;
        this.#hosts.delete(fn);
        for (const param of rawParams(fn)) this.#raw.delete(names.bindingOf(param) ?? binding);
        changed = true;
      }
      for (const binding of this.#plain) {
        if (this.#writesAre(binding, (node) => this.is(node))) continue;
        changed = this.#plain.delete(binding) || changed;
      }
      for (const binding of this.#raw) {
        if (this.#writesAre(binding, (node) => this.isRaw(node))) continue;
        changed = this.#raw.delete(binding) || changed;
      }
    }
  }

  /** Is the value a typed array, a tuple of them, or an element of one? */
  isRaw(operand: Operand): boolean {
    const node = operand as AnyNode;
    switch (node.type) {
      case "Identifier": {
        const binding = this.names.bindingOf(node);
        return binding !== undefined && this.#raw.has(binding);
      }
      case "NewExpression":
        return (
          node.callee.type === "Identifier" &&
          this.isGlobal(node.callee) &&
          TYPED_ARRAYS.test(node.callee.name)
        );
      case "MemberExpression":
        return node.computed && node.object.type !== "Super" && this.isRaw(node.object);
      case "CallExpression": {
        const { callee } = node;
        if (callee.type !== "MemberExpression" || callee.computed) return false;
        if (callee.property.type !== "Identifier" || callee.object.type === "Super") return false;
        if (!this.isRaw(callee.object)) return false;
        const [f] = node.arguments;
        // A tuple's `map` gives what its function gives.
        const maps = f?.type === "ArrowFunctionExpression" && f.expression && this.is(f.body);
        return RAW_METHODS.has(callee.property.name) || (callee.property.name === "map" && maps);
      }
      default:
        return false;
    }
  }

  /** Assumes of every function that may be one that it only gets raw arguments. */
  #assumeHosts(): void {
    for (const fn of this.names.functions) {
      const parent = this.names.parentOf(fn) as AnyNode | undefined;
      const id =
        fn.type === "FunctionDeclaration" && fn.id
          ? fn.id
          : parent?.type === "VariableDeclarator" && parent.id.type === "Identifier"
            ? parent.id
            : null;
      const binding = id ? this.names.bindingOf(id) : undefined;
      // A function that can call itself by a name of its own has callers not seen here.
      if (fn.type === "FunctionExpression" && fn.id) continue;
      const isGiven = parent?.type === "CallExpression" && parent.callee !== fn;
      if (id ? !binding || binding.uses.length === 0 : !isGiven || !this.#feedsRaw(fn)) continue;
      this.#hosts.set(fn, binding);
      for (const param of rawParams(fn)) {
        const raw = this.names.bindingOf(param);
        if (raw?.kind === "param") this.#raw.add(raw);
      }
    }
  }

  /** Is this mention of a function its being given to `bufferCallback`, or a call with raw data? */
  #feedsRaw(mention: Node): boolean {
    const call = this.names.parentOf(mention) as AnyNode | undefined;
    if (call?.type !== "CallExpression") return false;
    if (call.callee === mention) {
      return call.arguments
        .slice(1)
        .every((arg) => arg.type !== "SpreadElement" && this.isRaw(arg));
    }
    if (call.arguments[0] !== mention) return false;
    return HOST_CALLERS.has(importedName(this.names, call.callee) ?? "");
  }

  /** A name of the language itself that the program does not redefine. */
  isGlobal(node: Node, name?: string): boolean {
    const id = node as AnyNode;
    return (
      id.type === "Identifier" &&
      (name === undefined || id.name === name) &&
      this.names.bindingOf(id) === undefined
    );
  }

  /** Can `operand` never be an array? */
  is(operand: Operand): boolean {
    const node = operand as AnyNode;
    switch (node.type) {
      case "Literal":
      case "TemplateLiteral":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
      case "ClassExpression":
      case "ArrayExpression":
      case "ObjectExpression":
      case "UpdateExpression":
        return true;
      case "UnaryExpression":
        return ["typeof", "void", "!", "delete"].includes(node.operator) || this.is(node.argument);
      case "BinaryExpression":
        if (["===", "!==", "in", "instanceof"].includes(node.operator)) return true;
        return this.is(node.left) && this.is(node.right);
      case "LogicalExpression":
        return this.is(node.left) && this.is(node.right);
      case "ConditionalExpression":
        return this.is(node.consequent) && this.is(node.alternate);
      case "SequenceExpression":
        return this.is(node.expressions.at(-1) ?? node);
      case "AssignmentExpression":
        return (
          this.is(node.right) &&
          (node.operator === "=" || this.is(node.left)) &&
          !node.operator.endsWith("&&=")
        );
      case "Identifier": {
        const binding = this.names.bindingOf(node);
        if (!binding) return PLAIN_NAMES.has(node.name);
        return this.#plain.has(binding) || this.#raw.has(binding);
      }
      case "MemberExpression":
        if (this.isRaw(node)) return true;
        if (node.computed || node.property.type !== "Identifier") return false;
        return (
          NUMBER_PROPERTIES.has(node.property.name) ||
          (node.object.type !== "Super" && this.isGlobal(node.object, "Math"))
        );
      case "CallExpression": {
        const { callee } = node;
        if (callee.type === "Identifier") {
          return this.isGlobal(callee) && PLAIN_FUNCTIONS.has(callee.name);
        }
        if (this.isRaw(node)) return true;
        return (
          callee.type === "MemberExpression" &&
          callee.object.type === "Identifier" &&
          this.isGlobal(callee.object) &&
          PLAIN_NAMESPACES.has(callee.object.name) &&
          callee.object.name !== "JSON"
        );
      }
      case "NewExpression":
        return (
          node.callee.type === "Identifier" &&
          this.isGlobal(node.callee) &&
          PLAIN_CLASSES.has(node.callee.name)
        );
      default:
        return false;
    }
  }

  #candidate(binding: Binding): boolean {
    if (binding.kind === "function" || binding.kind === "class") return true;
    if (!["let", "const", "var"].includes(binding.kind)) return false;
    return (binding.declaration as AnyNode).type === "VariableDeclarator";
  }

  #writesAre(binding: Binding, test: (node: Node) => boolean): boolean {
    const declaration = binding.declaration as AnyNode;
    if (declaration.type === "VariableDeclarator") {
      if (declaration.id !== binding.identifier) return false;
      const list = this.names.parentOf(declaration);
      const loop = list && (this.names.parentOf(list) as AnyNode | undefined);
      if (loop?.type === "ForOfStatement" && loop.left === list) return false;
      if (declaration.init && !test(declaration.init)) return false;
    }
    return binding.uses.every((use) => !use.write || this.#writeIs(use.node, test));
  }

  #writeIs(target: Node, test: (node: Node) => boolean): boolean {
    const parent = this.names.parentOf(target) as AnyNode | undefined;
    if (parent?.type === "UpdateExpression") return true;
    if (parent?.type === "AssignmentExpression" && parent.left === target)
      return test(parent.right);
    return false;
  }
}

/** The names that get raw data in a function that is called with it. */
function rawParams(fn: FunctionNode): Identifier[] {
  return fn.params.slice(1).flatMap((param) => {
    if (param.type === "Identifier") return [param];
    if (param.type !== "ArrayPattern") return [];
    return param.elements.filter((item) => item?.type === "Identifier");
  });
}
