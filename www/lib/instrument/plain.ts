/**
 * Which expressions can never be arrays of the engine.
 *
 * Such expressions keep JavaScript's own operators, so counting loops and the insides of host
 * callbacks run at full speed. "Plain" is a proof, not a guess: when in doubt the answer is no.
 */

import type { AnyNode, Expression, Node, PrivateIdentifier, SpreadElement, Super } from "acorn";
import type { Binding, Names } from "./scope.ts";

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

/** Answers whether an expression is provably no array. */
export class Plainness {
  readonly #plain: Set<Binding>;

  constructor(readonly names: Names) {
    // The largest set of bindings that is consistent: assume all, and drop those that fail.
    this.#plain = new Set(names.opaque ? [] : names.bindings.filter((b) => this.#candidate(b)));
    for (let changed = true; changed; ) {
      changed = false;
      for (const binding of this.#plain) {
        if (this.#writesArePlain(binding)) continue;
        this.#plain.delete(binding);
        changed = true;
      }
    }
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
        return binding ? this.#plain.has(binding) : PLAIN_NAMES.has(node.name);
      }
      case "MemberExpression":
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

  #writesArePlain(binding: Binding): boolean {
    const declaration = binding.declaration as AnyNode;
    if (declaration.type === "VariableDeclarator") {
      if (declaration.id !== binding.identifier) return false;
      const list = this.names.parentOf(declaration);
      const loop = list && (this.names.parentOf(list) as AnyNode | undefined);
      if (loop?.type === "ForOfStatement" && loop.left === list) return false;
      if (declaration.init && !this.is(declaration.init)) return false;
    }
    return binding.uses.every((use) => !use.write || this.#writeIsPlain(use.node));
  }

  #writeIsPlain(target: Node): boolean {
    const parent = this.names.parentOf(target) as AnyNode | undefined;
    if (parent?.type === "UpdateExpression") return true;
    if (parent?.type === "AssignmentExpression" && parent.left === target) {
      return this.is(parent.right);
    }
    return false;
  }
}
