/**
 * Freeing by scope: which values nothing else can see.
 *
 * A *fresh* expression makes a handle that belongs to whoever receives it: an operator, a call of one
 * of the functions in `fresh.ts`, or of a function made by `grad`, `valueAndGrad` or `jit`. Two things
 * follow:
 *
 * - A fresh expression that is directly an operand, or an argument of a function in `fresh.ts`, is a
 *   *temporary*: it may be freed as soon as that operation is done.
 * - A variable is *owned* when everything ever assigned to it is fresh (or no array at all), and every
 *   use of it is one that cannot keep the handle. Its old value may be freed when it is assigned, and
 *   its last one when its block ends.
 *
 * Anything not understood here makes a variable not owned; then the collector frees its values later.
 */

import type { AnyNode, CallExpression, Expression, Node } from "acorn";
import { FRESH, PLAIN_METHODS, PLAIN_PROPERTIES, TRACED } from "./fresh.ts";
import type { Plainness } from "./plain.ts";
import { type Binding, importedName, type Names, type Use } from "./scope.ts";

/** The binary operators that are rewritten, with the runtime's method for each. */
export const BINARY_METHODS: Readonly<Record<string, string>> = {
  "+": "add",
  "-": "sub",
  "*": "mul",
  "/": "div",
  "%": "mod",
  "**": "pow",
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  "==": "eq",
  "!=": "ne",
  "&": "and",
  "|": "or",
  "^": "xor",
  "<<": "shl",
  ">>": "shr",
  ">>>": "ushr",
};

/** The unary operators that are rewritten, with the runtime's method for each. */
export const UNARY_METHODS: Readonly<Record<string, string>> = {
  "-": "neg",
  "+": "pos",
  "~": "inv",
};

/** What is known about the values of a program. */
export class Ownership {
  readonly #owned = new Set<Binding>();
  readonly #freedAt = new Map<Node, string[]>();

  constructor(
    readonly names: Names,
    readonly plain: Plainness,
  ) {
    if (names.opaque) return;
    for (const binding of names.bindings) {
      if (!this.#isOwned(binding)) continue;
      this.#owned.add(binding);
      const block = binding.scope.node;
      const parent = names.parentOf(block) as AnyNode | undefined;
      // A function's own block is left by `return`, which may be using the value.
      const inner = block.type === "BlockStatement" && parent && !("params" in parent);
      if (inner) this.#freedAt.set(block, [...(this.#freedAt.get(block) ?? []), binding.name]);
    }
  }

  /** Is the variable that an assignment writes to owned? */
  owns(target: Node): boolean {
    const node = target as AnyNode;
    const binding = node.type === "Identifier" ? this.names.bindingOf(node) : undefined;
    return binding !== undefined && this.#owned.has(binding);
  }

  /** The owned variables whose life ends with a block. */
  freedAtEnd(block: Node): readonly string[] {
    return this.#freedAt.get(block) ?? [];
  }

  /** Does `expression` make a new handle (or no array)? */
  isFresh(expression: Node): boolean {
    const node = expression as AnyNode;
    if (node.type === "BinaryExpression") return node.operator in BINARY_METHODS;
    if (node.type === "UnaryExpression") return node.operator in UNARY_METHODS;
    return node.type === "CallExpression" && this.keepsNothing(node) !== "no";
  }

  /**
   * Which arguments of a call are sure not to be kept: those of a function in `fresh.ts` or made by a
   * transform. "no" when nothing is known of the function.
   */
  keepsNothing(call: CallExpression): "no" | "first" | "all" {
    if (call.optional || call.arguments.some((arg) => arg.type === "SpreadElement")) return "no";
    const callee = call.callee as AnyNode;
    if (callee.type === "MemberExpression") {
      if (callee.computed || callee.optional || callee.property.type !== "Identifier") return "no";
      const namespace = importedName(this.names, callee.object);
      return namespace && FRESH[namespace]?.has(callee.property.name) ? "all" : "no";
    }
    if (callee.type === "CallExpression") return this.#traced(callee);
    if (callee.type !== "Identifier") return "no";
    const binding = this.names.bindingOf(callee);
    if (binding?.kind !== "const" || binding.uses.some((use) => use.write)) return "no";
    const declarator = binding.declaration as AnyNode;
    if (declarator.type !== "VariableDeclarator" || declarator.id !== binding.identifier)
      return "no";
    const init = declarator.init as AnyNode | null | undefined;
    return init?.type === "CallExpression" ? this.#traced(init) : "no";
  }

  #traced(call: CallExpression): "no" | "first" | "all" {
    if (call.optional || call.arguments.length !== 1) return "no";
    if (call.arguments[0]?.type === "SpreadElement") return "no";
    const name = importedName(this.names, call.callee);
    return (name !== undefined && TRACED[name]) || "no";
  }

  #isOwned(binding: Binding): boolean {
    if (binding.kind !== "let" && binding.kind !== "const") return false;
    const declarator = binding.declaration as AnyNode;
    if (declarator.type !== "VariableDeclarator") return false;
    const list = this.names.parentOf(declarator);
    const place = list && (this.names.parentOf(list) as AnyNode | undefined);
    if (place?.type !== "BlockStatement" && place?.type !== "Program") return false;
    const init = declarator.init as AnyNode | null | undefined;
    if (declarator.id === binding.identifier) {
      if (init && !this.#mayHold(init)) return false;
    } else if (!this.#isElementOfFreshTuple(declarator.id as AnyNode, binding, init)) return false;
    if (binding.kind === "const" && place.type === "Program") return false;
    // Something must be gained, and something must be an array.
    return binding.uses.every((use) => !use.captured && this.#isSafe(use));
  }

  /** `const [loss, g] = valueAndGradOfLoss(w)`: both elements are new handles. */
  #isElementOfFreshTuple(pattern: AnyNode, binding: Binding, init: AnyNode | null | undefined) {
    if (pattern.type !== "ArrayPattern" || init?.type !== "CallExpression") return false;
    if (!pattern.elements.some((item) => item === binding.identifier)) return false;
    return this.keepsNothing(init) !== "no";
  }

  #mayHold(value: Node): boolean {
    return this.isFresh(value) || this.plain.is(value);
  }

  #isSafe(use: Use): boolean {
    const { node } = use;
    const parent = this.names.parentOf(node) as AnyNode | undefined;
    if (!parent) return false;
    switch (parent.type) {
      case "BinaryExpression":
        return parent.operator in BINARY_METHODS || ["===", "!=="].includes(parent.operator);
      case "UnaryExpression":
        return parent.operator in UNARY_METHODS || ["!", "typeof"].includes(parent.operator);
      case "AssignmentExpression": {
        const arithmetic = parent.operator.slice(0, -1) in BINARY_METHODS;
        if (parent.left !== node) return arithmetic;
        // The value of an assignment is the handle itself, so it must go nowhere.
        const grand = this.names.parentOf(parent) as AnyNode | undefined;
        if (grand?.type !== "ExpressionStatement") return false;
        return arithmetic || (parent.operator === "=" && this.#mayHold(parent.right));
      }
      case "TemplateLiteral": {
        const grand = this.names.parentOf(parent) as AnyNode | undefined;
        return grand?.type !== "TaggedTemplateExpression";
      }
      case "IfStatement":
      case "WhileStatement":
      case "DoWhileStatement":
      case "ForStatement":
      case "ConditionalExpression":
        return parent.test === node;
      case "MemberExpression":
        return parent.object === node && this.#readsAtOnce(parent);
      case "CallExpression":
        return this.#takesAndForgets(parent, node);
      default:
        return false;
    }
  }

  #readsAtOnce(member: AnyNode): boolean {
    if (member.type !== "MemberExpression" || member.optional) return false;
    const parent = this.names.parentOf(member) as AnyNode | undefined;
    const called = parent?.type === "CallExpression" && parent.callee === member;
    if (member.computed) return !called && this.#isElementRead(member, parent);
    if (member.property.type !== "Identifier") return false;
    if (called) return PLAIN_METHODS.has(member.property.name);
    const read = parent?.type !== "AssignmentExpression" || parent.right === member;
    return read && PLAIN_PROPERTIES.has(member.property.name);
  }

  /** `x[i]`, read: a new handle. A text could name a method, which is none. */
  #isElementRead(member: AnyNode, parent: AnyNode | undefined): boolean {
    if (member.type !== "MemberExpression" || !isPosition(member.property)) return false;
    switch (parent?.type) {
      case "ArrayExpression":
      case "BinaryExpression":
      case "CallExpression":
      case "ReturnStatement":
      case "TemplateLiteral":
        return true;
      case "AssignmentExpression":
        return parent.right === member;
      case "MemberExpression":
        return parent.object === member;
      case "VariableDeclarator":
        return parent.init === member;
      default:
        return false;
    }
  }

  #takesAndForgets(call: CallExpression, arg: Node): boolean {
    const index = call.arguments.indexOf(arg as Expression);
    if (index < 0) return false;
    const kept = this.keepsNothing(call);
    if (kept === "all" || (kept === "first" && index === 0)) return true;
    const { callee } = call;
    if (importedName(this.names, callee) === "print") return true;
    return ["Number", "String", "Boolean"].some((name) => this.plain.isGlobal(callee, name));
  }
}

/** `0` or `-1`, as written in `x[-1]`. */
function isPosition(node: AnyNode): boolean {
  const inner = node.type === "UnaryExpression" && node.operator === "-" ? node.argument : node;
  return inner.type === "Literal" && typeof inner.value === "number";
}
