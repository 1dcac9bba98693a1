/**
 * The rewrite itself: from the tree of a program to the text that runs.
 *
 * Output is built bottom-up. A node that needs no change is its own source text with its children's
 * output put in, so comments, parentheses and layout stay. A rewritten node is a call `$.method(site,
 * …)`, and keeps the line breaks it had: line n of the output is line n of the source.
 */

import type {
  AnyNode,
  BinaryExpression,
  Function as FunctionBase,
  LogicalExpression,
  MemberExpression,
  Node,
  Program,
  UnaryExpression,
} from "acorn";
import { assignmentText } from "./assignments.ts";
import { callText, chainText } from "./calls.ts";
import { isFloatWritten } from "./floats.ts";
import { BINARY_METHODS, type Ownership, UNARY_METHODS } from "./owned.ts";
import type { Plainness } from "./plain.ts";
import { LEFT_FLOAT, LEFT_TEMP, RIGHT_FLOAT, RIGHT_TEMP } from "./runtime.ts";
import { isFunction, type Names } from "./scope.ts";
import { childrenOf } from "./source.ts";

/** What the instrumented code does at a site. */
export type SiteKind = "call" | "binary" | "unary" | "member" | "condition";

/** Where a site is, as offsets. */
export interface RawSite {
  kind: SiteKind;
  from: number;
  to: number;
  /** Bit k: argument (or operand) k contains a number written as a float. */
  floatArgs: number;
}

/** Expressions that need parentheses as an operand. */
const LOOSE = new Set([
  "SequenceExpression",
  "ArrowFunctionExpression",
  "AssignmentExpression",
  "ConditionalExpression",
  "YieldExpression",
]);

const LOOPS = new Set([
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "WhileStatement",
  "DoWhileStatement",
]);

/** Rewrites the statements of one program. */
export class Rewriter {
  readonly sites: RawSite[] = [];
  /** May `await` be written where we are? */
  #async = true;

  constructor(
    readonly source: string,
    readonly names: Names,
    readonly plain: Plainness,
    readonly ownership: Ownership,
    /** The name of the runtime: "$", unless the program uses that itself. */
    readonly $: string,
  ) {}

  /** The text of a node after rewriting. */
  text(given: Node): string {
    const node = given as AnyNode;
    switch (node.type) {
      case "Identifier":
      case "Literal":
      case "PrivateIdentifier":
      case "TemplateElement":
      case "MetaProperty":
        return this.source.slice(node.start, node.end);
      case "CallExpression":
        return callText(this, node);
      case "NewExpression":
        return this.gaps(node, (child) =>
          child === node.callee ? `(${this.text(child)})` : this.text(child),
        );
      case "BinaryExpression":
        return this.#binary(node);
      case "UnaryExpression":
        return this.#unary(node);
      case "LogicalExpression":
        return this.#logical(node);
      case "MemberExpression":
        return this.#member(node);
      case "AssignmentExpression":
        return assignmentText(this, node);
      case "UpdateExpression":
        return this.gaps(node, (child) => this.target(child));
      case "ConditionalExpression":
      case "IfStatement":
        return this.gaps(node, (child) =>
          child === node.test ? this.#condition(child) : this.text(child),
        );
      case "SwitchStatement":
        return this.gaps(node, (child) =>
          child === node.discriminant ? this.#compared(child) : this.text(child),
        );
      case "SwitchCase":
        return this.gaps(node, (child) =>
          child === node.test ? this.#compared(child) : this.text(child),
        );
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
      case "WhileStatement":
      case "DoWhileStatement":
        return this.#loop(node);
      case "ExpressionStatement":
        return this.#statement(node);
      case "ReturnStatement":
        return this.gaps(node, (child) => this.#result(child));
      case "BlockStatement":
        return this.#block(node);
      case "ChainExpression":
        return chainText(this, node.expression);
      case "TaggedTemplateExpression":
        return this.gaps(node, (child) =>
          child === node.tag ? this.target(child) : this.text(child),
        );
      case "Property":
        if (node.shorthand) return this.#shorthand(node.value);
        return this.gaps(node, (child) =>
          child === node.key && !node.computed ? this.verbatim(child) : this.text(child),
        );
      case "ObjectPattern":
      case "ArrayPattern":
      case "RestElement":
      case "AssignmentPattern":
        return this.#pattern(node);
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        return this.#function(node);
      case "MethodDefinition":
      case "PropertyDefinition":
      case "StaticBlock": {
        const outer = this.#async;
        this.#async = false;
        const out = this.gaps(node, (child) =>
          "key" in node && child === node.key && !node.computed
            ? this.verbatim(child)
            : this.text(child),
        );
        this.#async = outer;
        return out;
      }
      default:
        return this.gaps(node, (child) => this.text(child));
    }
  }

  /** The program's last statement, so that its value is the result of the run. */
  lastStatement(node: Program["body"][number]): string {
    if (node.type !== "ExpressionStatement") return this.text(node);
    return `return (${this.text(node.expression)}${this.lines(node.expression.end, node.end)});`;
  }

  site(kind: SiteKind, node: Node, floatArgs = 0): number {
    return this.sites.push({ kind, from: node.start, to: node.end, floatArgs });
  }

  verbatim(node: Node): string {
    return this.source.slice(node.start, node.end);
  }

  gaps(node: Node, child: (node: Node) => string): string {
    let out = "";
    let at = node.start;
    for (const part of childrenOf(node)) {
      out += this.source.slice(at, part.start) + child(part);
      at = part.end;
    }
    return out + this.source.slice(at, node.end);
  }

  /** The line breaks of a stretch of source that is not kept. */
  lines(from: number, to: number): string {
    let out = "";
    for (let i = from; i < to; i++) if (this.source.charCodeAt(i) === 10) out += "\n";
    return out;
  }

  /** An expression as an argument or an operand of ours. */
  arg(node: Node): string {
    const out = this.text(node);
    return node.type === "SequenceExpression" ? `(${out})` : out;
  }

  operand(node: Node): string {
    const out = this.text(node);
    return LOOSE.has(node.type) ? `(${out})` : out;
  }

  isSimple(node: Node): boolean {
    return node.type === "Identifier" || node.type === "ThisExpression";
  }

  isSimpleKey(given: Node): boolean {
    const node = given as AnyNode;
    if (node.type === "Identifier" || node.type === "Literal") return true;
    return (
      node.type === "BinaryExpression" &&
      this.plain.is(node) &&
      node.left.type !== "PrivateIdentifier" &&
      this.isSimpleKey(node.left) &&
      this.isSimpleKey(node.right)
    );
  }

  isStringKey(key: Node): boolean {
    const node = key as AnyNode;
    return (
      node.type === "TemplateLiteral" || (node.type === "Literal" && typeof node.value === "string")
    );
  }

  // Operators

  #binary(node: BinaryExpression): string {
    const method = BINARY_METHODS[node.operator];
    const nullish = (side: AnyNode) =>
      (side.type === "Literal" && side.raw === "null") || this.plain.isGlobal(side, "undefined");
    const keep =
      method === undefined ||
      (this.plain.is(node.left) && this.plain.is(node.right)) ||
      ((node.operator === "==" || node.operator === "!=") &&
        (nullish(node.left as AnyNode) || nullish(node.right)));
    if (keep) return this.gaps(node, (child) => this.text(child));
    const flags = this.flags(node.left, node.right);
    const site = this.site("binary", node, flags & (LEFT_FLOAT | RIGHT_FLOAT));
    const left = this.arg(node.left);
    const lines = this.lines(node.left.end, node.right.start);
    return `${this.$}.${method}(${site}, ${left},${lines} ${this.arg(node.right)}${flagText(flags)})`;
  }

  flags(left: Node, right: Node): number {
    return (
      (isFloatWritten(left) ? LEFT_FLOAT : 0) |
      (isFloatWritten(right) ? RIGHT_FLOAT : 0) |
      (this.#isTemp(left) ? LEFT_TEMP : 0) |
      (this.#isTemp(right) ? RIGHT_TEMP : 0)
    );
  }

  #isTemp(node: Node): boolean {
    return this.ownership.isFresh(node) && !this.plain.is(node);
  }

  #unary(node: UnaryExpression): string {
    const { argument, operator } = node;
    if (operator === "!")
      return `!${this.lines(node.start, argument.start)}${this.#condition(argument, true)}`;
    if (operator === "delete") return this.gaps(node, (child) => this.target(child));
    const method = UNARY_METHODS[operator];
    if (method === undefined || this.plain.is(argument)) {
      return this.gaps(node, (child) => this.text(child));
    }
    const flags =
      (isFloatWritten(argument) ? LEFT_FLOAT : 0) | (this.#isTemp(argument) ? LEFT_TEMP : 0);
    const site = this.site("unary", node, flags & LEFT_FLOAT);
    const lines = this.lines(node.start, argument.start);
    return `${this.$}.${method}(${site},${lines} ${this.arg(argument)}${flagText(flags)})`;
  }

  /** `a && b` whose value is used: `a` itself comes out if it decides. */
  #logical(node: LogicalExpression): string {
    if (node.operator === "??" || this.plain.is(node.left)) {
      return this.gaps(node, (child) => this.text(child));
    }
    const site = this.site("condition", node.left);
    const test = `${this.$}.keep(${site}, ${this.arg(node.left)})`;
    const lines = this.lines(node.left.end, node.right.start);
    const right = this.operand(node.right);
    return node.operator === "&&"
      ? `(${test} ?${lines} ${right} : ${this.$}.kept)`
      : `(${test} ? ${this.$}.kept :${lines} ${right})`;
  }

  /** An expression of which only the truth is used. */
  #condition(given: Node, operand = false): string {
    const node = given as AnyNode;
    if (node.type === "LogicalExpression" && node.operator !== "??" && !this.plain.is(node)) {
      const lines = this.lines(node.left.end, node.right.start);
      const [left, right] = [this.#condition(node.left, true), this.#condition(node.right, true)];
      return `(${left} ${node.operator}${lines} ${right})`;
    }
    if (this.plain.is(node)) return operand ? this.#operandInPlace(node) : this.text(node);
    const site = this.site("condition", node);
    return `${this.$}.cond(${site}, ${this.arg(node)}${this.#isTemp(node) ? ", 1" : ""})`;
  }

  /** What a `switch` compares, which knows only numbers and booleans. */
  #compared(node: Node): string {
    if (this.plain.is(node)) return this.text(node);
    return `${this.$}.value(${this.site("condition", node)}, ${this.arg(node)})`;
  }

  /** An operand whose source may lean on parentheses that are not kept. */
  #operandInPlace(node: AnyNode): string {
    const tight = ["Identifier", "Literal", "CallExpression", "MemberExpression"].includes(
      node.type,
    );
    return tight ? this.text(node) : `(${this.text(node)})`;
  }

  // Elements and assignments

  #member(node: MemberExpression): string {
    const { object, property } = node;
    if (!node.computed) {
      return this.gaps(node, (child) =>
        child === property ? this.verbatim(child) : this.text(child),
      );
    }
    const isPlain = this.plain.is(object) && (this.plain.is(property) || this.plain.isRaw(object));
    if (object.type === "Super" || isPlain || this.isStringKey(property)) {
      return this.gaps(node, (child) => this.text(child));
    }
    const site = this.site("member", node);
    const lines = this.lines(object.end, property.start);
    const args = `${this.$}.index(${site}, ${this.arg(object)},${lines} ${this.arg(property)}${this.lines(property.end, node.end)})`;
    // A key that may be an array has to be looked at.
    if (this.isSimple(object) && this.isSimpleKey(property) && this.plain.is(property)) {
      const [o, k] = [this.verbatim(object), this.verbatim(property)];
      if (!k.includes("\n")) return `(${this.$}.a(${o}) ? ${args} : ${o}[${k}])`;
    }
    return args;
  }

  /** An expression that must stay a reference: it is assigned, deleted, counted or called on. */
  target(given: Node): string {
    const node = given as AnyNode;
    if (node.type !== "MemberExpression") {
      return node.type.endsWith("Pattern") ? this.#pattern(node) : this.text(node);
    }
    const parent = this.names.parentOf(node);
    const assigned = parent?.type === "AssignmentExpression" || parent?.type === "UpdateExpression";
    const { object, property } = node;
    const watch = assigned && node.computed && !this.isStringKey(property);
    const watchObject = watch && object.type !== "Super" && !this.plain.is(object);
    const watchKey = watch && !this.plain.is(property);
    return this.gaps(node, (child) => {
      if (child === property && !node.computed) return this.verbatim(child);
      if (child === object ? watchObject : child === property && watchKey) {
        const site = this.site("member", node);
        return `${this.$}.${child === object ? "w" : "k"}(${site}, ${this.arg(child)})`;
      }
      return this.text(child);
    });
  }

  #pattern(node: Node): string {
    return this.gaps(node, (child) => this.#patternPart(child));
  }

  #patternPart(given: Node): string {
    const node = given as AnyNode;
    const parent = this.names.parentOf(node) as AnyNode | undefined;
    if (node.type === "Property") {
      if (node.shorthand) return this.#shorthand(node.value);
      return this.gaps(node, (child) => {
        if (child !== node.key) return this.#patternPart(child);
        return node.computed ? this.text(child) : this.verbatim(child);
      });
    }
    if (parent?.type === "AssignmentPattern" && parent.right === node) return this.text(node);
    return node.type === "MemberExpression" ? this.target(node) : this.text(node);
  }

  /** `{ x }` and, in patterns, `{ x = 1 }`: key and value are the same text. */
  #shorthand(value: Node): string {
    return value.type === "AssignmentPattern" ? this.#pattern(value) : this.verbatim(value);
  }

  // Statements and functions

  #statement(node: Extract<AnyNode, { type: "ExpressionStatement" }>): string {
    const out = this.gaps(node, (child) => this.text(child));
    // Without a semicolon before it, a new "(" would make the previous line a call.
    return out.startsWith("(") && this.source[node.start] !== "(" ? `void 0, ${out}` : out;
  }

  #block(node: Node): string {
    const out = this.gaps(node, (child) => this.text(child));
    const ended = this.ownership.freedAtEnd(node);
    if (ended.length === 0) return out;
    const frees = ended.map((name) => `${this.$}.free(${name});`).join(" ");
    return `${out.slice(0, -1)}; ${frees} }`;
  }

  #loop(node: Node): string {
    if (!LOOPS.has(node.type)) return this.text(node);
    const loop = node as Extract<
      AnyNode,
      { body: unknown; type: "ForStatement" | "WhileStatement" }
    >;
    return this.gaps(node, (child) => {
      if (child === loop.test) return this.#condition(child);
      if ("left" in loop && child === loop.left) return this.target(child);
      if (child !== loop.body) return this.text(child);
      const body = this.text(child);
      if (!this.#async) return body;
      const pause = `if (${this.$}.due()) await ${this.$}.tick();`;
      return child.type === "BlockStatement"
        ? `{ ${pause}${body.slice(1)}`
        : `{ ${pause} ${body} }`;
    });
  }

  #function(node: FunctionBase): string {
    const outer = this.#async;
    const out = this.gaps(node, (child) => {
      if (child === node.id) return this.verbatim(child);
      this.#async = node.async && child === node.body;
      if (child === node.body) return node.expression ? this.#result(child) : this.text(child);
      return isFunction(child) ? this.text(child) : this.#parameter(child);
    });
    this.#async = outer;
    return out;
  }

  /** What a function gives back: marked where it is made of numbers written as floats. */
  #result(node: Node): string {
    const out = this.text(node);
    return isFloatWritten(node) && this.plain.is(node) ? `${this.$}.r(${out})` : out;
  }

  #parameter(node: Node): string {
    return node.type.endsWith("Pattern") || node.type === "RestElement"
      ? this.#pattern(node)
      : this.text(node);
  }
}

/** The last argument of an operator, left out when there is nothing to say. */
export const flagText = (flags: number) => (flags === 0 ? "" : `, ${flags}`);
